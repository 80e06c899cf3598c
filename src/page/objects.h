/*
 * Objects: pictures, videos and rules that are separate, as blocks of a view.
 *
 * Methods do not see them: they only evaluate text. When a selection is made, objects that belong
 * to kept text become blocks of its view, without text, of kind WINNOW_BLOCK_IMAGE, _EMBED or
 * _RULE.
 */
#ifndef WN_PAGE_OBJECTS_H
#define WN_PAGE_OBJECTS_H

#include "page/selection.h"

/*
 * Puts the page's objects between the blocks of the view, each with a verdict: kept where the text
 * around it is. False if out of memory.
 */
bool wn_page_objects_place(wn_page_view *view, wn_selection *selection, wn_arena *arena);

#endif
