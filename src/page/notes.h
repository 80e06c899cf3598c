/*
 * Footnotes: marks in the text, and the notes that they refer to.
 *
 * A mark is a link to a place of the same page that is raised, or that its markup calls a mark:
 *
 *     <sup><a href="#fn1">1</a></sup>  …  <li id="fn1">The note. <a href="#fnref1">↩</a></li>
 *
 * For writers only notes that are kept count; a mark whose note was dropped is an ordinary raised
 * text. A method may look for the others and keep them.
 */
#ifndef WN_PAGE_NOTES_H
#define WN_PAGE_NOTES_H

#include "page/selection.h"

typedef struct wn_page_note {
    wn_node_id target; /* the element of the note */
    wn_node_id mark;   /* the link of its first mark */
    wn_str id;         /* of that element */
    wn_str label;      /* as the page writes it, without brackets: "1", "*" */
    uint32_t number;   /* counted from 1, in the order of the marks */
    uint32_t blocks;   /* in it */
    bool kept;
} wn_page_note;

/* Zero it before use. */
typedef struct wn_page_notes {
    wn_array(wn_page_note) list;        /* in order of `id` */
    wn_array(wn_page_note *) by_target; /* the same in order of `target` */
    bool has_clear_labels; /* no two notes have the same one, and all are letters and digits */
    bool failed;
} wn_page_notes;

/* Finds the notes of the kept blocks. */
void wn_page_notes_find(wn_page_notes *notes, const wn_page *page, const wn_selection *selection);
void wn_page_notes_free(wn_page_notes *notes);

/* Whether the markup of a link calls it the mark of a note. */
bool wn_page_notes_is_called_mark(const wn_node *a);

/* The kept note that a link span is the mark of; NULL: it is an ordinary link. */
const wn_page_note *wn_page_notes_of_mark(const wn_page_notes *notes, const wn_page *page,
                                          const wn_span *span);

/* The kept note whose element this is; NULL if it is not one. */
const wn_page_note *wn_page_notes_of_element(const wn_page_notes *notes, wn_node_id element);

/* The note that a block is in, kept or not; NULL if it is in none. */
const wn_page_note *wn_page_notes_around(const wn_page_notes *notes, const wn_page *page,
                                         uint32_t block);

/* Adds the name of a note, which is unique on the page: its label or its number. */
void wn_page_notes_add_name(wn_buf *out, const wn_page_notes *notes, const wn_page_note *note);

#endif
