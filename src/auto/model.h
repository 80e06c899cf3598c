/*
 * A model: what `auto` has learned, as one piece of memory.
 *
 * It is written by tools/train as a file of 32-bit numbers. The library carries one
 * (model_data.c, the same numbers as a table); others can be read from a file, which is how
 * cross-validation gives every page a model that has not seen it.
 *
 * The file: a header of WN_MODEL_HEADER numbers (magic, version, then for each part its place and
 * size in numbers), then the parts.
 */
#ifndef WN_AUTO_MODEL_H
#define WN_AUTO_MODEL_H

#include <stdbool.h>

#include "auto/forest.h"
#include "auto/lexicon.h"
#include "base/str.h"

enum {
    WN_MODEL_MAGIC = 0x574E4D31, /* "1MNW" */
    WN_MODEL_VERSION = 8,
    WN_MODEL_CONSTANTS = 16,
};

/* Places in the table of constants. */
typedef enum wn_auto_model_constant {
    WN_SCALE,            /* of logits before probabilities are taken, in 1/1024 */
    WN_LOWEST_THRESHOLD, /* the probability from which on a block is kept lies between these */
    WN_HIGHEST_THRESHOLD,
    WN_FEWEST_WORDS, /* fewer expected words than this are not content */
    WN_COPY_WORDS,   /* a second copy of a text with at least this many words is dropped */
    WN_SPREAD,       /* a factor by which all odds of a page can be wrong together, in 1/1024 */
    WN_GROUP_SHARE,  /* weight of the mean of a group in the score of a block, in 1/1024 */
    WN_ARTICLE_CUT,  /* minimum score of the gate for an article or a thread, in 1/1024 */
    WN_ARTICLE_BETA, /* weight of recall on articles, as beta squared in quarters; 0: as elsewhere */
    WN_ITEM_CUT,     /* minimum score of the gate for a page about one item, in 1/1024 */
    WN_GATE_SHARE,   /* weight of the first gate in the score of the types it knows, in 1/1024 */
    WN_EARLY_CUT,    /* early pages with a lower score of it are judged as modern ones */
    WN_FEATURES_HASH = WN_MODEL_CONSTANTS - 1, /* of the names of the features it was trained for */
} wn_auto_model_constant;

typedef struct wn_auto_model {
    wn_auto_lexicon lexicon;
    wn_auto_forest block;      /* is a block content */
    wn_auto_forest early;      /* the same for pages of the early web; may be empty */
    wn_auto_forest article;    /* the same for articles and threads; may be empty */
    wn_auto_forest gate;       /* is a page an article or a thread */
    wn_auto_forest item;       /* is a block content, on a page about a product, a job, a recipe */
    wn_auto_forest item_gate;  /* is a page such a page */
    wn_auto_forest types;      /* one tree after the other for each type of page */
    wn_auto_forest confidence; /* the F1 that the page will have */
    const int32_t *constants;  /* WN_MODEL_CONSTANTS of them */
} wn_auto_model;

/* How many features the rows have that a model will be asked about. */
typedef struct wn_auto_row_sizes {
    uint32_t block, page;
} wn_auto_row_sizes;

/*
 * Finds a forest in numbers, which it borrows: sizes, trees, splits. False if there are too few of
 * them; no numbers at all are an empty forest.
 */
bool wn_auto_forest_find(wn_auto_forest *forest, const uint32_t *numbers, uint32_t count);

/* Whether a forest that was found can be asked about rows of `feature_count` numbers. */
bool wn_auto_forest_check(const wn_auto_forest *forest, uint32_t feature_count);

/* Reads a model from the bytes of a file, which it borrows; false if they are not a model. */
bool wn_auto_model_read(wn_auto_model *model, wn_str bytes, wn_auto_row_sizes sizes);

/* The model that the library carries, which is known to be sound. */
bool wn_auto_model_default(wn_auto_model *model);

#endif
