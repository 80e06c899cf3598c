/*
 * Methods: a page in, a selection out.
 *
 * A method is one file in this folder and one line in the table of method.c.
 */
#ifndef WN_EXTRACT_METHOD_H
#define WN_EXTRACT_METHOD_H

#include "base/arena.h"
#include "page/page.h"
#include "page/selection.h"

typedef struct wn_method {
    const char *name;
    const char *summary; /* one line for --help */

    /*
     * Gives a verdict on every block. `selection` has room for all of them and
     * starts as "drop"; `arena` is the page's, for working memory.
     */
    void (*select)(const wn_page *page, wn_arena *arena, wn_selection *selection);
} wn_method;

/* The methods, in the order of --help; ends with a NULL name. */
extern const wn_method wn_methods[];

/* NULL for an unknown name. */
const wn_method *wn_method_find(const char *name);

void wn_select_all(const wn_page *page, wn_arena *arena, wn_selection *selection);
void wn_select_auto(const wn_page *page, wn_arena *arena, wn_selection *selection);

#endif
