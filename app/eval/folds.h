/*
 * Folds: models for cross-validation, so that each page is judged by one that has not seen it.
 *
 * A folder of folds, as tools/train writes it, holds folds.tsv, with a line "ID<tab>FOLD" for each
 * page, and a file FOLD.model for each fold in it. For a set called NAME there may be a NAME.tsv,
 * which counts then.
 */
#ifndef WN_EVAL_FOLDS_H
#define WN_EVAL_FOLDS_H

#include "eval/set.h"
#include "winnow.h"

typedef struct wn_fold {
    wn_str name;
    winnow_model *model;
} wn_fold;

/* Zero it before it is opened. */
typedef struct wn_folds {
    wn_array(wn_fold) list;
    uint32_t *of_page; /* by page of the set: index of its fold */
    wn_buf table;      /* the lines of the set */
    wn_buf error;      /* why the folder could not be read */
} wn_folds;

/*
 * Reads the folder for the pages of the set; false when a page has no fold or a file is not there.
 */
bool wn_eval_folds_open(wn_folds *folds, const char *folder, const wn_eval_set *set);
void wn_eval_folds_free(wn_folds *folds);

/* The model for a page. */
const winnow_model *wn_eval_folds_model(const wn_folds *folds, uint32_t page);

#endif
