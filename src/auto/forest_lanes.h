/*
 * How forest.c judges batches, for one width of vectors; it is included once for each. Defined
 * before: LANES, how many numbers a vector has; NAME(x), the names of what there is for them:
 * lanes, such a vector, and answer(), which adds a tree's answers; TARGET, what the compiler is to
 * know of the processor. All of this is undefined at the end.
 */

/* The leaves of a tree that are left for each row; `leaves` are those that the page leaves. */
TARGET static inline __attribute__((always_inline)) void
NAME(sift)(const wn_auto_split *split, const wn_auto_split *end, const wn_auto_column *columns,
           uint16_t leaves, int vectors, NAME(lanes) left[WN_BATCH / LANES])
{
    NAME(lanes) gone[WN_BATCH / LANES];
    for (int i = 0; i < vectors; i++)
        gone[i] = (NAME(lanes)){0} + (int16_t)~leaves;
    for (; split < end; split++) {
        const NAME(lanes) *column = (const NAME(lanes) *)columns[split->feature];
        for (int i = 0; i < vectors; i++)
            gone[i] |= (column[i] > split->threshold) & (int16_t)split->left;
    }
    for (int i = 0; i < vectors; i++)
        left[i] = ~gone[i];
}

/* `vectors` is a constant where this is used, so that all that is asked stays in registers. */
TARGET static inline __attribute__((always_inline)) void
NAME(add_some)(const wn_auto_forest *forest, uint32_t from, uint32_t to, const uint16_t *leaves,
               const wn_auto_column *columns, int vectors, uint32_t count, int32_t *sums)
{
    const wn_auto_split *splits = forest->splits;
    NAME(lanes) left[WN_BATCH / LANES];
    for (uint32_t t = from; t < to; t++) {
        const wn_auto_tree *tree = &forest->trees[t];
        NAME(sift)(splits + tree->block, splits + tree->end, columns, leaves[t], vectors, left);
        NAME(answer)(tree, left, vectors, count, sums);
    }
}

TARGET static void NAME(add)(const wn_auto_forest *forest, uint32_t from, uint32_t to,
                             const uint16_t *leaves, const wn_auto_column *columns, uint32_t count,
                             int32_t *sums)
{
    if (count > WN_BATCH / 2 || LANES == WN_BATCH)
        NAME(add_some)(forest, from, to, leaves, columns, WN_BATCH / LANES, count, sums);
    else
        NAME(add_some)(forest, from, to, leaves, columns, WN_BATCH / LANES / 2, count, sums);
}

#undef LANES
#undef NAME
#undef TARGET
