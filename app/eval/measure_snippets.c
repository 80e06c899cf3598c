/*
 * Snippets: sentences that must be in the text (`with`) and others that must not (`without`).
 *
 * A snippet is found where its characters are in the text, in either case and with any
 * white space between them. The `with` that were found are right, the `without` that were
 * found are wrong: precision is right / (right + wrong), recall right / with. A page without
 * `with` has none of them.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memmem */
#endif

#include "eval/measures.h"

#include <math.h>

static void count_found(wn_str text, const wn_str *snippets, uint32_t count, uint32_t *counted,
                        uint32_t *found)
{
    for (uint32_t i = 0; i < count; i++) {
        if (snippets[i].len == 0)
            continue;
        ++*counted;
        *found += memmem(text.ptr, text.len, snippets[i].ptr, snippets[i].len) != NULL;
    }
}

void wn_eval_measure_snippets(wn_measurer *m, wn_str text, const wn_eval_snippets *snippets,
                              wn_score *score)
{
    wn_buf_clear(&m->folded);
    if (snippets->with_count + snippets->without_count > 0)
        wn_eval_add_folded(&m->folded, text);
    m->failed = m->failed || m->folded.failed;
    wn_str folded = wn_buf_str(&m->folded);
    count_found(folded, snippets->with, snippets->with_count, &score->with_count,
                &score->with_found);
    count_found(folded, snippets->without, snippets->without_count, &score->without_count,
                &score->without_found);
    score->by[WN_MEASURE_SNIPPETS] = (wn_prf){NAN, NAN, NAN};
    if (score->with_count > 0)
        score->by[WN_MEASURE_SNIPPETS] = wn_eval_prf_of(
            score->with_found, score->with_found + score->without_found, score->with_count);
}
