/*
 * Pages of a store as records of other programs.
 *
 * A writer adds one page to a buffer; what is at the beginning of a file (a line of names, a
 * record about the file) comes from `begin`.
 */
#ifndef WN_CORPUS_EXPORT_H
#define WN_CORPUS_EXPORT_H

#include "base/json.h"
#include "corpus/store.h"

typedef struct wn_export_wishes {
    bool stems;    /* in place of the text */
    bool csv_safe; /* nothing that a spreadsheet takes for a formula */
} wn_export_wishes;

typedef struct wn_export_form {
    const char *name;
    const char *summary;
    const char *endings[2];     /* of file names; NULL: no more */
    void (*begin)(wn_buf *out); /* may be NULL */
    void (*write)(wn_buf *out, const wn_stored *page, const wn_export_wishes *wishes);
    bool members; /* compressed, each record is a member by itself */
    bool files;   /* a file per page, in a folder */
} wn_export_form;

/* Writes the short attributes of a page as members of the object that is open. */
void wn_corpus_stored_write_json(wn_json_writer *json, const wn_stored *page);

/* The same as a line of its own, with the text and the stems if they are wanted. */
void wn_corpus_stored_write_line(wn_buf *out, const wn_stored *page, bool text, bool stems);

/* jsonl, csv, txt, wet; the name of the last is NULL. */
extern const wn_export_form wn_export_forms[];

#endif
