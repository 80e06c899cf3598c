/*
 * Code, formulas and tables, where the gold tells them: the edit similarity (edit.h) of all code
 * and of all formulas of the page, and TEDS (teds.h) of its tables. It takes the place of F1. A
 * page on which neither text has any is not counted; one on which only one of them has some gets 0.
 */
#include "eval/measures.h"

#include <math.h>

static wn_prf similar(double similarity)
{
    return (wn_prf){.precision = NAN, .recall = NAN, .f1 = similarity};
}

static wn_prf compare_texts(wn_measurer *m, const wn_buf *ours, const wn_buf *gold)
{
    wn_str a = wn_str_trim(wn_buf_str(ours)), b = wn_str_trim(wn_buf_str(gold));
    if (a.len == 0 && b.len == 0)
        return similar(NAN);
    return similar(wn_eval_edit_similarity(&m->edit, a, b));
}

void wn_eval_measure_structure(wn_measurer *m, wn_score *score)
{
    const wn_structure *ours = &m->our_structure, *gold = &m->gold_structure;
    for (int i = WN_MEASURE_CODE; i <= WN_MEASURE_TABLES; i++)
        score->by[i] = similar(NAN);
    if (!m->structured)
        return;
    score->by[WN_MEASURE_CODE] = compare_texts(m, &ours->code, &gold->code);
    score->by[WN_MEASURE_FORMULAS] = compare_texts(m, &ours->formulas, &gold->formulas);
    if (ours->nodes.count > 0 || gold->nodes.count > 0)
        score->by[WN_MEASURE_TABLES] = similar(wn_eval_teds(&m->teds, ours, gold));
    m->failed |= m->edit.failed || m->teds.failed || ours->failed || gold->failed;
}
