/*
 * Questions and answers: <details>, the entries of accordions and lists of questions, schema.org's
 * Question. A question without its answer says nothing, nor does an answer without its question, so
 * that they are kept together.
 */
#ifndef WN_AUTO_ANSWERS_H
#define WN_AUTO_ANSWERS_H

#include "auto/features.h"
#include "page/selection.h"

/*
 * Keeps what is missing of entries that are kept in part. `chances` are of the blocks, in 1/1024.
 */
void wn_auto_answers_complete(const wn_auto_features *features, const uint16_t *chances,
                              wn_arena *arena, wn_selection *selection);

#endif
