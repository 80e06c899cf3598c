/*
 * Posts: the text of a forum in pieces, each with who wrote it and when.
 *
 * Forums write a thread as a row of elements of one kind, one for each post, and most of these say
 * an author or a date. The outermost such row that holds most of the kept text is the thread; names
 * of classes are not needed for that. Replies may be inside of what they answer: an element like
 * those of the row, inside of one of them, is a post of its own.
 */
#ifndef WN_AUTO_POSTS_H
#define WN_AUTO_POSTS_H

#include "auto/roles.h"

/*
 * Marks the blocks of a selection that are in posts (wn_verdict.post). Nothing is marked where
 * there is no row of posts, or memory is out.
 */
void wn_auto_posts_find(const wn_auto_roles *roles, wn_arena *arena, wn_selection *selection);

#endif
