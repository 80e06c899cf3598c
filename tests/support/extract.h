/*
 * One call from bytes to text, for tests that look at one extraction after the other.
 */
#ifndef WN_TESTS_EXTRACT_H
#define WN_TESTS_EXTRACT_H

#include <stddef.h>

#include "winnow.h"

/* What is found of a page; valid until the next extraction with the same extractor. */
typedef struct extracted {
    winnow_status status;
    unsigned limited;
    const char *text; /* in the extractor's format; "" if there is no selection */
    size_t size;
    winnow_selection *content; /* NULL if the method or a parameter is wrong */
} extracted;

typedef struct extractor {
    winnow_page *page;
    winnow_options *options; /* may be changed between two extractions */
    const char *method;      /* NULL: "auto" */
    winnow_format format;
    extracted result;
} extractor;

/* Ends the program when memory is out. */
extractor *extractor_new(void);
void extractor_free(extractor *e);

/* The same as cmocka calls them, before and after tests: the state is an extractor. */
int extractor_open(void **state);
int extractor_close(void **state);

const extracted *extract(extractor *e, const void *html, size_t size);

/* The same of a C string with a method, which stays set. */
const extracted *extract_by(extractor *e, const char *method, const char *html);

/* Sets an option or a parameter ("xpath.footer_words"); ends the program if that fails. */
void extractor_set(extractor *e, const char *name, const char *value);

/* The first block, kept or dropped, that holds `text`; NULL if there is none. */
const winnow_block *extracted_find(const extracted *result, const char *text);

/* Block number `index` of those that are kept, NULL past the end; and their number. */
const winnow_block *extracted_kept(const extracted *result, size_t index);
size_t extracted_kept_count(const extracted *result);

#endif
