/*
 * TEDS, the similarity of tables as trees (Zhong, ShafieiBavani and Jimeno Yepes, "Image-based
 * table recognition: data, model, and evaluation", 2020):
 *
 *     1 - distance / number of nodes of the larger tree
 *
 * The distance is that of the trees: what it costs to put in, take out and replace nodes (Zhang and
 * Shasha, 1989). Putting in and taking out cost 1; a node of another kind and a cell that spans
 * other rows or columns cost 1, another cell the edit distance of the texts by the length of the
 * longer one. All tables of a page are one tree (structure.h).
 */
#ifndef WN_EVAL_TEDS_H
#define WN_EVAL_TEDS_H

#include "eval/edit.h"
#include "eval/structure.h"

/* Working memory. Zero it before the first use. */
typedef struct wn_teds {
    wn_edit edit;
    wn_edit_chars chars;      /* of all cells of both */
    wn_array(uint32_t) cells; /* by node of both: where its characters begin */
    wn_array(uint32_t) roots; /* nodes of both that have one before them on their level */
    wn_array(double) trees;   /* distance of what is below each node of one and of the other */
    wn_array(double) forests;
    bool failed; /* out of memory; sticky */
} wn_teds;

void wn_eval_teds_free(wn_teds *teds);

/* The similarity of the tables of two pages, 0 to 1; 1 if neither has one. */
double wn_eval_teds(wn_teds *teds, const wn_structure *a, const wn_structure *b);

#endif
