/*
 * A set of pages with gold: a folder with html/ID.html (the page's bytes), gold/ID.txt (its main
 * content, as plain text; or gold/ID.md, gold/ID.html) and pages.jsonl (one line per page: its id,
 * and what is known about it).
 *
 *     {"id": "0001", "url": "https://…", "type": "article", "with": ["…"], "without": ["…"]}
 *
 * Only `id` must be there. The lines stay in memory and the pages are read one by one.
 */
#ifndef WN_EVAL_SET_H
#define WN_EVAL_SET_H

#include "base/json.h"
#include "eval/measures.h"
#include "eval/problems.h"
#include "winnow-io.h"

typedef struct wn_eval_page {
    wn_str id, url, type, domain; /* all but the id may be empty */
    wn_str line;                  /* of pages.jsonl */
} wn_eval_page;

/* Zero it before it is opened. */
typedef struct wn_eval_set {
    const char *folder; /* borrowed */
    wn_array(wn_eval_page) pages;
    wn_vocabulary ids; /* the number of an id is that of its page */
    wn_buf lines;      /* pages.jsonl */
    wn_arena arena;    /* strings of the pages */
    wn_buf error;      /* why the set could not be opened */
} wn_eval_set;

/* The last part of its folder's path. */
wn_str wn_eval_set_name(const wn_eval_set *set);

/* Reads pages.jsonl; false when that cannot be done: `error` says why. */
bool wn_eval_set_open(wn_eval_set *set, const char *folder, wn_problems *problems);
void wn_eval_set_free(wn_eval_set *set);

/*
 * The page whose id is `name`, or `name` without folders or without its ending too; UINT32_MAX
 * if there is none.
 */
uint32_t wn_eval_set_find(const wn_eval_set *set, wn_str name);

/* The form of a text, by the ending of its file. */
typedef enum wn_text_form { WN_FORM_MARKDOWN, WN_FORM_HTML, WN_FORM_PLAIN } wn_text_form;

/* Reads html/ID.html; valid until the loader's next call. */
const winnow_loaded *wn_eval_read_html(const wn_eval_set *set, const wn_eval_page *page,
                                       winnow_loader *loader);

/* Reads gold/ID.md, gold/ID.html or gold/ID.txt: the first that is there. */
const winnow_loaded *wn_eval_read_gold(const wn_eval_set *set, const wn_eval_page *page,
                                       winnow_loader *loader, wn_text_form *form);

/* A loader of files of up to `max_bytes`; NULL if out of memory. */
winnow_loader *wn_eval_loader(uint64_t max_bytes);

/* The page's snippets, folded, in `arena`. `json` is working memory. */
wn_eval_snippets wn_eval_read_snippets(const wn_eval_page *page, wn_json *json, wn_arena *arena);

#endif
