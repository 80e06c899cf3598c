/*
 * What the handles of the public interface hold: a page and its selections.
 *
 * A page handle keeps the tree of its page (`tree`), which every selection of a method that needs
 * one shares and none changes. A selection has a reading of its own only where the shared one does
 * not fit: methods that read tokens, text that was embedded as data, and very large pages that are
 * laid out.
 */
#ifndef WN_API_HANDLES_H
#define WN_API_HANDLES_H

#include "api/error.h"
#include "api/options.h"
#include "auto/model.h"
#include "css/cascade.h"
#include "html/tree.h"
#include "layout/layout.h"
#include "meta/metadata.h"
#include "page/builder.h"
#include "page/request.h"
#include "page/view.h"
#include "write/write.h"

enum { WN_API_FORMATS = WINNOW_FORMAT_CSV + 1 };

/* A document and the pages that are made of it. */
typedef struct wn_api_reading {
    wn_arena arena; /* strings of the document */
    wn_doc doc;
    wn_page page;      /* its blocks */
    wn_page text_page; /* the same with its single texts, for methods that decide on those */
    bool has_doc, has_page, has_text_page;
    bool has_own_sheets; /* it was laid out with sheets of the options, which others may not have */
} wn_api_reading;

struct winnow_selection {
    winnow_page *owner;
    winnow_selection *next; /* of all selections of the owner */
    bool in_use;
    wn_arena arena;     /* verdicts, reasons, metadata, lists */
    wn_api_reading own; /* used only where the owner's tree does not fit */
    wn_page_view view;  /* the page as it is written */
    wn_selection verdicts;
    winnow_status status;
    unsigned limited;
    const char *method;
    wn_request request;    /* that was answered, for whoever looks at roles later */
    const wn_page *judged; /* the page as it was then */
    bool explain;
    bool by_tokens;   /* there is no tree to read metadata from */
    bool is_embedded; /* its blocks were found in data of the page */
    bool has_metadata, has_listing, has_lists;
    bool has_objects; /* pictures and the like are blocks of the view */
    winnow_metadata metadata;
    wn_write_listing listing;
    wn_write_listing lists; /* without blocks: comments, perhaps links and images */
    wn_buf body;
    wn_buf output[WN_API_FORMATS];
};

struct winnow_page {
    wn_memory memory; /* of the caller; unused if allocate is NULL */
    wn_api_error error;
    wn_watch watch;

    /* The page that was taken in. */
    wn_str bytes;
    wn_arena arena;       /* of the decoded text and the address */
    wn_str text;          /* decoded */
    const char *encoding; /* static */
    const char *url;      /* NULL: unknown */
    wn_parse_options parse;
    uint64_t max_memory;
    unsigned limited;
    bool is_binary, has_markup, is_parsed;
    bool is_plain_text; /* it begins with WINNOW_PLAIN_TEXT */
    bool is_broken;     /* memory was out when it was taken in */

    wn_api_reading tree;
    wn_arena layout_arena; /* of its styles */
    wn_buf embedded;       /* HTML of a page that was found in its data */

    /* Working memory, reused page after page. */
    wn_tree *tree_builder;
    wn_css *css;       /* for methods that lay out: made when the first one comes */
    wn_layout *layout; /* the same */
    wn_page_builder *builder;
    wn_metadata_reader *metadata;
    wn_page_stream stream;
    wn_auto_model model; /* the library's own */
    wn_buf failure;      /* the record of a page without a selection */
    winnow_selection *selections;
};

/* ---- Entering and leaving ---------------------------------------------------------------- */

/* A public function at work. */
typedef struct wn_api_work {
    const wn_memory *before; /* where memory came from */
    size_t failures;         /* to get some, before it began */
} wn_api_work;

/* From here on memory comes from the page's allocator, until wn_api_leave(). */
wn_api_work wn_api_enter(const winnow_page *page);
void wn_api_leave(const wn_api_work *work);

/* Whether something was left out for want of memory. */
bool wn_api_ran_out(const wn_api_work *work);

/* The error of the page is that memory is out; returns the status. */
winnow_status wn_api_say_no_memory(winnow_page *page);

/* ---- What is read on demand (answers.c) -------------------------------------------------- */

/* Something that was wanted of a selection costs too much, and was left out. */
void wn_api_note_exceeded(winnow_selection *selection);

/* document and page -> metadata */
const winnow_metadata *wn_api_metadata(winnow_selection *selection);

/* Makes blocks of the pictures that belong to the text; false if out of memory. */
bool wn_api_place_objects(winnow_selection *selection);

/* Blocks, links and images as programs see them; NULL if out of memory. */
const wn_write_listing *wn_api_listing(winnow_selection *selection);

/* The same without blocks: readers' comments and, if wanted, the links and images of the text. */
const wn_write_listing *wn_api_lists(winnow_selection *selection, bool links);

/* What had been read of a selection when a call began. */
typedef struct wn_api_read_state {
    bool has_metadata, has_listing, has_lists, failed;
} wn_api_read_state;

wn_api_read_state wn_api_read_state_of(const winnow_selection *selection);

/*
 * Memory ran out: what was read since then may not be whole, and is read again when it is wanted.
 */
void wn_api_give_up_reading(winnow_selection *selection, const wn_api_read_state *before);

#endif
