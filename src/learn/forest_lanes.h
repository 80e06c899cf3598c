/*
 * How forest.c judges batches, for one width of vectors; it is included once for each. Defined
 * before: LANES, how many numbers a vector has; NAME(x), the names of the functions for them; TARGET, what
 * the compiler is to know of the processor. All of this is undefined at the end.
 */

/* Compilers make single instructions of operations on these where there are some. */
typedef int16_t NAME(lanes) __attribute__((vector_size(2 * LANES), may_alias));

/* What is left of 16 leaves, for each row. */
TARGET static inline __attribute__((always_inline)) void
NAME(sift)(const wn_split *split, const wn_split *end, const wn_column *columns, uint32_t leaves,
           int vectors, uint16_t left[WN_BATCH])
{
    NAME(lanes) gone[WN_BATCH / LANES];
    for (int i = 0; i < vectors; i++)
        gone[i] = (NAME(lanes)){0} + (int16_t)~leaves;
    for (; split < end; split++) {
        const NAME(lanes) *column = (const NAME(lanes) *)columns[split->feature];
        for (int i = 0; i < vectors; i++)
            gone[i] |= (column[i] > split->threshold) & (int16_t)split->left;
    }
    for (int i = 0; i < vectors; i++) {
        gone[i] = ~gone[i];
        memcpy(left + i * LANES, &gone[i], sizeof gone[i]);
    }
}

/* `vectors` is a constant where this is used, so that all that is asked stays in registers. */
TARGET static inline __attribute__((always_inline)) void
NAME(add_some)(const wn_forest *forest, uint32_t from, uint32_t to, const uint32_t *leaves,
               const wn_column *columns, int vectors, uint32_t count, int32_t *sums)
{
    const wn_split *splits = forest->splits;
    uint16_t low[WN_BATCH], high[WN_BATCH];
    uint32_t both[WN_BATCH];
    for (uint32_t t = from; t < to; t++) {
        const wn_tree_place *tree = &forest->trees[t];
        NAME(sift)(splits + tree->low, splits + tree->high_page, columns, leaves[t], vectors, low);
        if (tree->high == tree->end) { /* a tree of 16 leaves: the other bits are as they were */
            for (int i = 0; i < vectors * LANES; i++)
                both[i] = low[i] | (leaves[t] & 0xFFFF0000);
        } else {
            NAME(sift)
            (splits + tree->high, splits + tree->end, columns, leaves[t] >> 16, vectors, high);
            for (int i = 0; i < vectors * LANES; i++)
                both[i] = low[i] | (uint32_t)high[i] << 16;
        }
        add_answers(tree, both, count, sums);
    }
}

TARGET static void NAME(add)(const wn_forest *forest, uint32_t from, uint32_t to,
                             const uint32_t *leaves, const wn_column *columns, uint32_t count,
                             int32_t *sums)
{
    if (count > WN_BATCH / 2)
        NAME(add_some)(forest, from, to, leaves, columns, WN_BATCH / LANES, count, sums);
    else
        NAME(add_some)(forest, from, to, leaves, columns, WN_BATCH / LANES / 2, count, sums);
}

#undef LANES
#undef NAME
#undef TARGET
