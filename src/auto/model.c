/*
 * Reading a model: finding its parts, and then checking them. A file may come from anywhere, so
 * everything that a forest follows is checked: places lie among the splits, features exist. The
 * table of the library is found only, since every page handle does that; a unit test checks it.
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

static_assert(sizeof(wn_auto_split) == 3 * sizeof(uint16_t), "splits lie close together");

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

static void find_lexicon(wn_auto_lexicon *lexicon, numbers n)
{
    if (n.left > 0)
        *lexicon = (wn_auto_lexicon){.slots = n.at, .mask = n.left - 1};
}

static bool check_lexicon(const wn_auto_lexicon *lexicon)
{
    if (!lexicon->slots)
        return true;
    uint32_t size = lexicon->mask + 1;
    if ((size & lexicon->mask) != 0 || size < WN_LEXICON_LEAST_SLOTS)
        return false;
    uint32_t at = 0; /* a search in a full table would not end: one slot must be free */
    while (at < size && lexicon->slots[at] != 0)
        at++;
    return at < size;
}

/*
 * Whether the places of a tree are in order and lie among the splits, and a leaf is left in any
 * case.
 */
static bool check_tree(const wn_auto_forest *forest, const wn_auto_tree *tree)
{
    if (tree->page > tree->block || tree->block > tree->end || tree->end > forest->split_count)
        return false;
    uint32_t gone = 0;
    for (uint32_t i = tree->page; i < tree->end; i++)
        gone |= forest->splits[i].left;
    return !(gone >> (WN_TREE_LEAVES - 1));
}

static bool find_forest(wn_auto_forest *forest, numbers n)
{
    enum { SIZES = 4 };
    const uint32_t *sizes = take(&n, SIZES);
    if (!sizes)
        return n.left == 0; /* there is none */
    forest->tree_count = sizes[0];
    forest->feature_count = sizes[1];
    forest->bias = (int32_t)sizes[2];
    forest->split_count = sizes[3];
    if (forest->tree_count > WN_MOST_TREES || forest->split_count > n.left)
        return false;
    forest->trees = (const wn_auto_tree *)take(&n, forest->tree_count * NUMBERS_OF(wn_auto_tree));
    /* Of three halves each; after an odd number of them, half a number is left over. */
    forest->splits = (const wn_auto_split *)take(&n, (forest->split_count * 3 + 1) / 2);
    return forest->trees && forest->splits;
}

bool wn_auto_forest_find(wn_auto_forest *forest, const uint32_t *from, uint32_t count)
{
    return find_forest(forest, (numbers){.at = from, .left = count});
}

bool wn_auto_forest_check(const wn_auto_forest *forest, uint32_t feature_count)
{
    if (forest->feature_count > feature_count || forest->bias < -LARGEST_BIAS ||
        forest->bias > LARGEST_BIAS)
        return false;
    for (uint32_t i = 0; i < forest->tree_count; i++)
        if (!check_tree(forest, &forest->trees[i]))
            return false;
    for (uint32_t i = 0; i < forest->split_count; i++)
        if (forest->splits[i].feature >= forest->feature_count)
            return false;
    return true;
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

static bool find_parts(wn_auto_model *model, const uint32_t *all, uint32_t count)
{
    numbers parts[PART_COUNT];
    for (part i = 0; i < PART_COUNT; i++)
        if (!find_part(&parts[i], all, count, i))
            return false;
    if (parts[CONSTANTS].left != WN_MODEL_CONSTANTS)
        return false;
    model->constants = (const int32_t *)parts[CONSTANTS].at;
    find_lexicon(&model->lexicon, parts[LEXICON]);
    return find_forest(&model->block, parts[BLOCK]) && find_forest(&model->early, parts[EARLY]) &&
           find_forest(&model->article, parts[ARTICLE]) && find_forest(&model->gate, parts[GATE]) &&
           find_forest(&model->item, parts[ITEM]) &&
           find_forest(&model->item_gate, parts[ITEM_GATE]) &&
           find_forest(&model->types, parts[TYPES]) &&
           find_forest(&model->confidence, parts[CONFIDENCE]);
}

static bool check_parts(const wn_auto_model *model, wn_auto_row_sizes sizes)
{
    return check_lexicon(&model->lexicon) && wn_auto_forest_check(&model->block, sizes.block) &&
           wn_auto_forest_check(&model->early, sizes.block) &&
           wn_auto_forest_check(&model->article, sizes.block) &&
           wn_auto_forest_check(&model->gate, sizes.page) &&
           wn_auto_forest_check(&model->item, sizes.block) &&
           wn_auto_forest_check(&model->item_gate, sizes.page) &&
           wn_auto_forest_check(&model->types, sizes.page) &&
           wn_auto_forest_check(&model->confidence, sizes.page) &&
           check_constants(model->constants);
}

static bool find_model(wn_auto_model *model, wn_str bytes)
{
    *model = (wn_auto_model){0};
    if (bytes.len % 4 != 0 || bytes.len < HEADER * 4 || bytes.len > UINT32_MAX ||
        (uintptr_t)bytes.ptr % sizeof(uint32_t) != 0)
        return false;
    const uint32_t *all = (const uint32_t *)(const void *)bytes.ptr;
    return all[0] == WN_MODEL_MAGIC && all[1] == WN_MODEL_VERSION &&
           find_parts(model, all, (uint32_t)(bytes.len / 4));
}

bool wn_auto_model_read(wn_auto_model *model, wn_str bytes, wn_auto_row_sizes sizes)
{
    return find_model(model, bytes) && check_parts(model, sizes);
}

bool wn_auto_model_default(wn_auto_model *model)
{
    wn_str bytes = wn_str_from((const char *)wn_auto_model_data,
                               wn_auto_model_data_count * sizeof *wn_auto_model_data);
    return find_model(model, bytes);
}
