/*
 * Reading a model. A file may come from anywhere, so everything that a forest follows is checked
 * once here: places lie among the splits, features exist.
 */
#include "auto/model.h"

#include <assert.h>

#include "auto/model_data.h"

typedef enum part {
    LEXICON,
    BLOCK,
    EARLY,
    ARTICLE,
    GATE,
    ITEM,
    ITEM_GATE,
    TYPES,
    CONFIDENCE,
    CONSTANTS,
    PART_COUNT,
} part;

enum {
    HEADER = 2 + 2 * PART_COUNT,
    LARGEST_BIAS = 1 << 20,
    MOST_BETA = 16,
};

#define NUMBERS_OF(type) (uint32_t)(sizeof(type) / sizeof(uint32_t))

/* Numbers that are left to be read. */
typedef struct numbers {
    const uint32_t *at;
    uint32_t left;
} numbers;

/* The next `count` numbers; NULL if there are not so many. */
static const uint32_t *take(numbers *n, uint32_t count)
{
    if (count > n->left)
        return NULL;
    const uint32_t *taken = n->at;
    n->at += count;
    n->left -= count;
    return taken;
}

static bool read_lexicon(wn_auto_lexicon *lexicon, numbers n)
{
    uint32_t size = n.left;
    if (size == 0)
        return true;
    *lexicon = (wn_auto_lexicon){.slots = n.at, .mask = size - 1};
    if ((size & (size - 1)) != 0 || size < WN_LEXICON_LEAST_SLOTS)
        return false;
    uint32_t at = 0; /* a search in a full table would not end: one slot must be free */
    while (at < size && n.at[at] != 0)
        at++;
    return at < size;
}

/*
 * Whether the places of a tree are in order and lie among the splits, and a leaf is left in any
 * case.
 */
static bool check_tree(const wn_auto_forest *forest, const wn_auto_tree *tree, uint32_t splits)
{
    if (tree->page > tree->block || tree->block > tree->end || tree->end > splits)
        return false;
    uint32_t gone = 0;
    for (uint32_t i = tree->page; i < tree->end; i++)
        gone |= forest->splits[i].left;
    return !(gone >> (WN_TREE_LEAVES - 1));
}

static bool read_forest(wn_auto_forest *forest, numbers n, uint32_t feature_count)
{
    enum { SIZES = 4 };
    const uint32_t *sizes = take(&n, SIZES);
    if (!sizes)
        return n.left == 0; /* there is none */
    forest->tree_count = sizes[0];
    forest->feature_count = sizes[1];
    forest->bias = (int32_t)sizes[2];
    uint32_t splits = sizes[3];
    if (forest->feature_count > feature_count || forest->tree_count > WN_MOST_TREES ||
        splits > n.left || forest->bias < -LARGEST_BIAS || forest->bias > LARGEST_BIAS)
        return false;
    forest->trees = (const wn_auto_tree *)take(&n, forest->tree_count * NUMBERS_OF(wn_auto_tree));
    forest->splits = (const wn_auto_split *)take(&n, splits * NUMBERS_OF(wn_auto_split));
    if (!forest->trees || !forest->splits)
        return false;
    for (uint32_t i = 0; i < forest->tree_count; i++)
        if (!check_tree(forest, &forest->trees[i], splits))
            return false;
    for (uint32_t i = 0; i < splits; i++)
        if (forest->splits[i].feature >= forest->feature_count)
            return false;
    return true;
}

bool wn_auto_forest_read(wn_auto_forest *forest, const uint32_t *from, uint32_t count,
                         uint32_t feature_count)
{
    return read_forest(forest, (numbers){.at = from, .left = count}, feature_count);
}

/* The numbers of a part, as the header says. */
static bool find_part(numbers *n, const uint32_t *all, uint32_t count, part which)
{
    uint32_t start = all[2 + 2 * which], size = all[3 + 2 * which];
    if (start > count || size > count - start)
        return false;
    *n = (numbers){.at = all + start, .left = size};
    return true;
}

static bool check_constants(const int32_t *constants)
{
    return constants[WN_SCALE] > 0 && constants[WN_SCALE] <= 4 * WN_LOGIT_ONE &&
           constants[WN_LOWEST_THRESHOLD] >= 0 && constants[WN_LOWEST_THRESHOLD] <= WN_LOGIT_ONE &&
           constants[WN_HIGHEST_THRESHOLD] >= 0 &&
           constants[WN_HIGHEST_THRESHOLD] <= WN_LOGIT_ONE && constants[WN_FEWEST_WORDS] >= 0 &&
           constants[WN_COPY_WORDS] >= 0 && constants[WN_SPREAD] >= WN_LOGIT_ONE &&
           constants[WN_SPREAD] <= 1 << 20 && constants[WN_GROUP_SHARE] >= 0 &&
           constants[WN_GROUP_SHARE] <= WN_LOGIT_ONE && constants[WN_ARTICLE_BETA] >= 0 &&
           constants[WN_ARTICLE_BETA] <= MOST_BETA && constants[WN_GATE_SHARE] >= 0 &&
           constants[WN_GATE_SHARE] <= WN_LOGIT_ONE;
}

static bool read_parts(wn_auto_model *model, const uint32_t *all, uint32_t count,
                       wn_auto_row_sizes sizes)
{
    numbers parts[PART_COUNT];
    for (part i = 0; i < PART_COUNT; i++)
        if (!find_part(&parts[i], all, count, i))
            return false;
    if (parts[CONSTANTS].left != WN_MODEL_CONSTANTS)
        return false;
    model->constants = (const int32_t *)parts[CONSTANTS].at;
    return read_lexicon(&model->lexicon, parts[LEXICON]) &&
           read_forest(&model->block, parts[BLOCK], sizes.block) &&
           read_forest(&model->early, parts[EARLY], sizes.block) &&
           read_forest(&model->article, parts[ARTICLE], sizes.block) &&
           read_forest(&model->gate, parts[GATE], sizes.page) &&
           read_forest(&model->item, parts[ITEM], sizes.block) &&
           read_forest(&model->item_gate, parts[ITEM_GATE], sizes.page) &&
           read_forest(&model->types, parts[TYPES], sizes.page) &&
           read_forest(&model->confidence, parts[CONFIDENCE], sizes.page) &&
           check_constants(model->constants);
}

bool wn_auto_model_read(wn_auto_model *model, wn_str bytes, wn_auto_row_sizes sizes)
{
    *model = (wn_auto_model){0};
    if (bytes.len % 4 != 0 || bytes.len < HEADER * 4 || bytes.len > UINT32_MAX ||
        (uintptr_t)bytes.ptr % sizeof(uint32_t) != 0)
        return false;
    const uint32_t *all = (const uint32_t *)(const void *)bytes.ptr;
    return all[0] == WN_MODEL_MAGIC && all[1] == WN_MODEL_VERSION &&
           read_parts(model, all, (uint32_t)(bytes.len / 4), sizes);
}

bool wn_auto_model_default(wn_auto_model *model, wn_auto_row_sizes sizes)
{
    wn_str bytes = wn_str_from((const char *)wn_auto_model_data,
                               wn_auto_model_data_count * sizeof *wn_auto_model_data);
    return wn_auto_model_read(model, bytes, sizes);
}
