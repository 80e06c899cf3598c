/*
 * Companions of kept text: the code, the table or the formula that a sentence leads up to.
 *
 * The trees judge each block by itself, and few golds have code in them. So "For example:" may be
 * kept and the example dropped, which leaves a text that makes no sense. A block that shows
 * something instead of saying it goes with the text around it: it is kept if it follows a kept
 * sentence that ends with a colon, or if kept text is directly before and after it, always within
 * one element. So is a list after a colon, and what is said of a term after the term.
 */
#ifndef WN_AUTO_COMPANIONS_H
#define WN_AUTO_COMPANIONS_H

#include "auto/features.h"
#include "auto/model.h"
#include "page/selection.h"

/*
 * Whether the blocks of the page follow each other as the sentences of a text do. On other pages
 * code and tables between kept text are pictures: the editor on the page of its maker.
 */
bool wn_auto_companions_is_continuous(const wn_selection *selection);

/* Keeps them. `answers` are what the trees and its group say of each block, in 1/1024. */
void wn_auto_companions_keep(const wn_auto_features *features, const wn_auto_model *model,
                             const int32_t *answers, wn_selection *selection);

#endif
