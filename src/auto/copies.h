/*
 * Copies among what is kept: a clause that a contract repeats, an address in each entry of a list,
 * a refrain, the same lines of code.
 *
 * A text that was on the page before is no content as a rule: cards, teasers and second versions
 * for telephones repeat what was said. But directly between kept blocks a copy that would surely
 * be content if it were the first is a part of the text, and leaving it out would leave a hole. So
 * is a quotation, which repeats what was said as its purpose, if it is likely as any other text. A
 * second copy of much of the text is not: it has its place after the first, not inside it.
 */
#ifndef WN_AUTO_COPIES_H
#define WN_AUTO_COPIES_H

#include "auto/features.h"
#include "auto/model.h"
#include "page/selection.h"

/*
 * Keeps copies between kept blocks. `answers` are what the trees and its group say of each block,
 * in 1/1024; `chances` are of the blocks, 0 for copies: those that are kept get their own.
 */
void wn_auto_copies_keep(const wn_auto_features *features, const wn_auto_model *model,
                         const int32_t *answers, uint32_t threshold, uint16_t *chances,
                         wn_selection *selection);

#endif
