/*
 * What was made of one page, as plain C: it outlives the page handle, knows nothing of Python, and
 * goes from the thread that made it to the one that uses it.
 */
#ifndef BINDING_RESULT_H
#define BINDING_RESULT_H

#include "winnow.h"

enum {
    FORMAT_COUNT = WINNOW_FORMAT_CSV + 1,
    /* What is prepared of a page, as bits: 1 << format, and this one. */
    PREPARES_FACTS = 1 << FORMAT_COUNT,
    PREPARED_BY_DEFAULT = 1 << WINNOW_FORMAT_TEXT | PREPARES_FACTS,
};

/* The metadata of a page, in one piece of memory. */
typedef struct facts {
    const char *title, *published, *modified, *site, *description, *language, *url, *image,
        *license;
    const char **authors, **tags, **categories;
    size_t author_count, tag_count, category_count;
    void *memory; /* NULL: not known yet */
} facts;

typedef struct output {
    char *bytes; /* NULL: not written yet */
    size_t size;
} output;

typedef struct result {
    winnow_status status;
    unsigned limited;
    winnow_page_type type;
    double confidence;
    const char *method, *encoding; /* static */
    char *error;                   /* why there is no text; NULL if there is */
    facts facts;
    output outputs[FORMAT_COUNT];
} result;

/* What a page is and where it comes from, besides its bytes. All strings may be NULL. */
typedef struct origin {
    char *id, *url, *charset, *file, *date;
    char *error; /* why its bytes could not be read */
    uint64_t offset, inner;
    unsigned incomplete; /* WINNOW_LIMITED_TRUNCATED, _DAMAGED: as in winnow_record */
    uint64_t length;     /* bytes of its record in the file; 0: not known */
    int http_status;
    char *media_type;
} origin;

/* Frees what it holds, and zeroes it. */
void result_clear(result *r);
void origin_clear(origin *o);

/* A copy for free(); NULL if the text is NULL or "", or out of memory. */
char *copy_text(const char *text);

/* Fills in what the selection says, `content` NULL: the error of the page. False: out of memory. */
bool result_note(result *r, winnow_page *page, winnow_selection *content, const void *bytes,
                 size_t size, unsigned incomplete);

/* What of a record's body is missing, as bits of winnow_record.incomplete. */
unsigned missing_parts(bool truncated, bool damaged);

/* Copies the metadata; false: out of memory. */
bool facts_copy(facts *f, const winnow_metadata *metadata);

/*
 * The content in a format as the program writes it: with the origin in records, and without text if
 * there is an error. Valid as winnow_write() says; NULL if out of memory.
 */
const char *result_write(const result *r, winnow_page *page, winnow_selection *content,
                         winnow_format format, const winnow_options *options, const origin *o,
                         size_t *size);

/* Writes and keeps a format; false: out of memory. */
bool result_keep(result *r, winnow_page *page, winnow_selection *content, winnow_format format,
                 const winnow_options *options, const origin *o);

#endif
