/*
 * Paths: the quotations, items, admonitions and footnotes that blocks are in, from the outside
 * in.
 *
 * A writer goes from block to block. What the path of a block shares with that of the block
 * before stays open, the rest is closed and opened again:
 *
 *     path of "b": item 2, quote          1. a
 *     path of "c": item 2                 2. > b
 *                                            c
 */
#ifndef WN_WRITE_PATHS_H
#define WN_WRITE_PATHS_H

#include "page/notes.h"
#include "page/page.h"

/* Nesting that is shown. What lies deeper is on this level. */
enum { WN_DEEPEST_PATH = 16 };

/* What a box beside the text says it is; the names are those of GitHub's Markdown. */
typedef enum wn_admonition {
    WN_NO_ADMONITION,
    WN_NOTE,
    WN_TIP,
    WN_IMPORTANT,
    WN_WARNING,
    WN_CAUTION,
} wn_admonition;

/* "note", "tip", … */
extern const char *const wn_write_admonitions[];

/* A quotation, an item of a list, an admonition or a footnote. */
typedef struct wn_container {
    wn_node_id node;
    bool is_item;
    bool ordered;
    uint8_t admonition;       /* wn_admonition */
    const wn_page_note *note; /* of a footnote; NULL: it is not one */
    wn_node_id list;          /* of an item; the parent of the element */
    uint32_t number;          /* of an item in an ordered list; the writer's */
    char mark;                /* Markdown: '-' or '*', '.' or ')' */
    uint8_t width;            /* Markdown: of the mark and the space after it */
} wn_container;

typedef struct wn_path {
    wn_container at[WN_DEEPEST_PATH]; /* from the outside in */
    int count;
} wn_path;

/*
 * Zeroed, with the document. Neighbours share a parent, and what is nested has the element before it as
 * its parent: both paths are kept, so that depth costs nothing.
 */
typedef struct wn_paths {
    const wn_doc *doc;
    const wn_page_notes *notes; /* may be NULL */
    wn_node_id parent, last;
    wn_path parent_path, last_path;
    uint8_t *boxes; /* of each node, what is known of it; NULL before the first question */
} wn_paths;

void wn_write_paths_free(wn_paths *paths);

/* The path of a block, and that of the outermost table it is in. */
wn_path wn_write_path_of(wn_paths *paths, const wn_block *block);
wn_path wn_write_path_of_table(wn_paths *paths, const wn_page *page, const wn_block *block);

/* How many containers the two paths share; what the writer put there goes over to the new one. */
int wn_write_path_share(wn_path *next, const wn_path *open);

/* The nearest element with that tag around a block; WN_NO_NODE if there is none. */
wn_node_id wn_write_path_around(const wn_doc *doc, const wn_block *block, wn_tag tag);

#endif
