/*
 * winnow: the main content of a web page, and nothing else.
 *
 * This header is the whole interface and its manual. It begins with the one
 * call that most programs need and goes deeper as it goes down:
 *
 *     1. The easy call        bytes in, text out
 *     2. Options and limits   methods, formats, what is bounded
 *     3. Results              text, title, blocks, status
 *     4. Contexts             many pages, no allocation after the first
 *     5. Names and versions
 *
 * All strings are UTF-8 and end with a NUL. No function has global state: calls
 * on different contexts may run at the same time. The same page with the same
 * options always gives the same bytes.
 */
#ifndef WINNOW_H
#define WINNOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
#define WINNOW_API
#else
#define WINNOW_API __attribute__((visibility("default")))
#endif

/* ---- 1. The easy call -------------------------------------------------------------------- */

/*
 * The main content of the page `html` of `size` bytes, as plain text, paragraphs
 * apart by an empty line:
 *
 *     char *text = winnow_extract(html, size);
 *     if (text)
 *         puts(text);
 *     winnow_free(text);
 *
 * The bytes may be in any encoding and of any quality. The text is "" when the
 * page has none, and NULL only when memory is out. You own it: winnow_free() it.
 */
WINNOW_API char *winnow_extract(const void *html, size_t size);

/* Frees what winnow_extract() returned; NULL is fine. */
WINNOW_API void winnow_free(char *text);

/* ---- 2. Options and limits --------------------------------------------------------------- */

/* The form of the text. */
typedef enum winnow_format {
    WINNOW_FORMAT_TEXT,     /* plain text */
    WINNOW_FORMAT_MARKDOWN, /* headings, lists, tables, code, quotes */
    WINNOW_FORMAT_JSON,     /* one record, on one line */
    WINNOW_FORMAT_HTML,     /* an <article> */
    WINNOW_FORMAT_XML,      /* a <doc> with what is known of the page; in the words of the TEI */
    WINNOW_FORMAT_TEI,      /* a <TEI>, with its header */
} winnow_format;

/*
 * Limits: reaching one cuts the page short and gives the result so far, with
 * status WINNOW_PARTIAL and its bit in `limited`. 0 means no limit.
 */
typedef struct winnow_limits {
    uint64_t bytes;      /* of the page; default 256 MiB, at most 2 GiB */
    uint32_t nodes;      /* elements, texts and comments; default 3,000,000 */
    uint32_t depth;      /* of nesting; default 512, as in browsers; at most 65,535 */
    uint32_t attributes; /* of one element; default 1,024 */
    uint64_t memory;     /* bytes of the context; default none */
} winnow_limits;

/* A style sheet: bytes of any encoding and quality. */
typedef struct winnow_sheet {
    const void *bytes;
    size_t size;
    const char *charset; /* the encoding the HTTP header names; NULL: unknown */
    const char *url;     /* its address, for what it imports; NULL: unknown */
} winnow_sheet;

/*
 * Gives the style sheet at `url` that the page, or another sheet, refers to: fills in `sheet`, whose
 * url is `url` already, and returns true; false if there is none. What the sheet points to must
 * live until winnow_run() returns.
 */
typedef bool winnow_load_sheet(void *data, const char *url, winnow_sheet *sheet);

/*
 * What to do. Fill it with winnow_options_init(), then change what you want.
 * Strings are borrowed: they must live until the call they are given to returns.
 */
typedef struct winnow_options {
    /*
     * "auto" (default), "all", …: winnow_method_name() lists them. Parameters of the
     * method may follow: "lineblock:rule=all,distance=3".
     */
    const char *method;
    winnow_format format;
    const char *charset; /* the encoding the HTTP header names; default NULL: unknown */
    const char *url;     /* the page's address, for its links and the record; default NULL */
    const char *id;      /* what the page is called in its record (JSON, HTML, XML, TEI); or NULL */
    const char *footer_words; /* "xpath": what more a footer may begin with, one a line; or NULL */
    const char *stop_words;   /* "lineblock": title words that do not count, one a line; or NULL */
    const char *noise_words;  /* "outlier": stems that do not count, one a line; NULL: it has none
                                 and says WINNOW_NEEDS_COLLECTION */
    /*
     * For methods that look at the page as a reader does ("eifce", "fe", "kfe"): style sheets
     * besides those in the page, and where those that it links to come from. The library opens no
     * files and no connections by itself.
     */
    const winnow_sheet *sheets;
    size_t sheet_count;
    winnow_load_sheet *load_sheet;  /* NULL (default): links and imports are not followed */
    void *load_data;                /* passed to load_sheet */
    const char *sheet_base;         /* what links to sheets are relative to; default NULL: url */
    const struct winnow_site *site; /* what repeats on the pages of a site is dropped; or NULL */
    bool links;        /* keep links (not in plain text), list them in the result; default false */
    bool formatting;   /* keep bold and italics (not in plain text); default false. Methods that
                          build no tree do not know them */
    bool images;       /* the same for images, by their address and description */
    bool no_tables;    /* drop tables of data; default false */
    const void *model; /* "auto": what it has learned, as tools/train writes it; NULL: its own */
    size_t model_size;
    bool metadata; /* text and Markdown begin with the metadata; default false */
    bool blocks;   /* list the blocks of the text in the result; default false */
    bool explain;  /* list every block of the page, with the reason for its fate */
    winnow_limits limits;
} winnow_options;

/* Fills in the defaults. */
WINNOW_API void winnow_options_init(winnow_options *options);

/* ---- 3. Results -------------------------------------------------------------------------- */

typedef enum winnow_status {
    WINNOW_OK,               /* there is text */
    WINNOW_EMPTY,            /* the page holds no content */
    WINNOW_PARTIAL,          /* there is text, but a limit was reached: see `limited` */
    WINNOW_NOT_HTML,         /* the bytes are not a page: PDF, image, archive, … */
    WINNOW_UNKNOWN_METHOD,   /* options->method names none */
    WINNOW_NO_MEMORY,        /* memory is out, or limits.memory is too small to say anything */
    WINNOW_BAD_PARAMETER,    /* a parameter behind the method's name is unknown or not allowed */
    WINNOW_TOO_LARGE,        /* the method does not take pages of this size */
    WINNOW_BAD_MODEL,        /* options->model is no model */
    WINNOW_NEEDS_COLLECTION, /* the method needs what is known of other pages: noise_words */
} winnow_status;

/* Bits of `limited`. */
enum {
    WINNOW_LIMITED_BYTES = 1 << 0,
    WINNOW_LIMITED_NODES = 1 << 1,
    WINNOW_LIMITED_DEPTH = 1 << 2,
    WINNOW_LIMITED_ATTRIBUTES = 1 << 3,
    WINNOW_LIMITED_MEMORY = 1 << 4,
};

/* What a block of text is to its reader. */
typedef enum winnow_block_kind {
    WINNOW_PARAGRAPH,
    WINNOW_HEADING,   /* level 1 to 6 */
    WINNOW_LIST_ITEM, /* level: depth of its list, from 1 */
    WINNOW_TERM,      /* <dt> */
    WINNOW_DETAIL,    /* <dd> */
    WINNOW_CELL,      /* of a table: row and column, from 0 */
    WINNOW_CODE,      /* white space counts */
    WINNOW_QUOTE,     /* level: depth of the quotation, from 1 */
    WINNOW_CAPTION,   /* of a figure or table */
    WINNOW_FORM,      /* text of a button, label, choice */
} winnow_block_kind;

typedef struct winnow_block {
    const char *text;
    size_t size;
    winnow_block_kind kind;
    uint32_t level; /* see the kind; else 0 */
    uint32_t table; /* cells of one table have the same number, from 1; else 0 */
    uint32_t row;
    uint32_t column;
    bool kept;          /* false only with options->explain */
    const char *reason; /* with options->explain: why it was kept or dropped; else NULL */
    const char *path; /* with options->explain: where it stands: "body > div#main > p"; else NULL */
} winnow_block;

/* What kind of page it is, as far as "auto" can tell. */
typedef enum winnow_page_type {
    WINNOW_PAGE_UNKNOWN,
    WINNOW_PAGE_ARTICLE,
    WINNOW_PAGE_FORUM,
    WINNOW_PAGE_PRODUCT,
    WINNOW_PAGE_COLLECTION, /* of things for sale, of posts: cards that lead to other pages */
    WINNOW_PAGE_LISTING,    /* an article that lists things, a directory */
    WINNOW_PAGE_DOCUMENTATION,
    WINNOW_PAGE_SERVICE, /* what a company or office offers */
} winnow_page_type;

/* Where a fact of the metadata was found. */
typedef struct winnow_source {
    const char *field;  /* "title", "author", "published", … */
    const char *source; /* "json-ld headline", "meta og:title", "h1", … */
} winnow_source;

/*
 * What a page says of itself. Strings are "" and lists empty where nothing is known. Methods that
 * build no tree ("lineblock", "bte") know title and language only.
 */
typedef struct winnow_metadata {
    const char *title;          /* without the name of the site */
    const char *const *authors; /* names, in the page's order */
    size_t author_count;
    const char *published;   /* ISO 8601, as exact as it is known: "2024-05-03T10:11:12+02:00" */
    const char *modified;    /* the same, of the last change */
    const char *site;        /* the name of the site: "The Daily Miller" */
    const char *description; /* a sentence or two by its author */
    const char *language;    /* "en", "pt-BR" */
    const char *url;         /* the canonical address; absolute, if the page's address is known */
    const char *image;       /* the address of its picture */
    const char *const *tags;
    size_t tag_count;
    const char *const *categories;
    size_t category_count;
    const char *licence;          /* its address or its name */
    const winnow_source *sources; /* with options->explain: one a field that is known */
    size_t source_count;
} winnow_metadata;

/* A link in the text. */
typedef struct winnow_link {
    const char *url; /* absolute, if the page's address is known */
    const char *text;
} winnow_link;

/* A result belongs to its context and is valid until the next call with that context. */
typedef struct winnow_result {
    winnow_status status;
    unsigned limited;           /* WINNOW_LIMITED_* */
    const char *text;           /* in the format asked for; "" if there is none */
    size_t size;                /* of text, in bytes */
    const char *title;          /* the same as metadata.title */
    const char *language;       /* the same as metadata.language */
    const char *encoding;       /* the encoding that was used: "UTF-8", "windows-1252" */
    const char *method;         /* the method that was used */
    const winnow_block *blocks; /* in reading order; with options->blocks or ->explain */
    size_t block_count;
    const winnow_link *links; /* in reading order; with options->links */
    size_t link_count;
    winnow_metadata metadata;
    winnow_page_type page_type;
    double confidence; /* the word F1 that is to be expected, 0 to 1; 0 if the method cannot tell */
} winnow_result;

/* ---- 4. Contexts ------------------------------------------------------------------------- */

/*
 * A context holds the working memory of an extraction and reuses it page after
 * page. Use one in one thread at a time.
 */
typedef struct winnow_context winnow_context;

/* NULL when memory is out. You own it: winnow_context_free() it. */
WINNOW_API winnow_context *winnow_context_new(void);
WINNOW_API void winnow_context_free(winnow_context *context);

/*
 * Extracts the content of one page. `options` may be NULL: the defaults. Never
 * returns NULL; the context owns the result until its next call. The page's bytes
 * are borrowed only during the call.
 */
WINNOW_API const winnow_result *winnow_run(winnow_context *context, const void *html, size_t size,
                                           const winnow_options *options);

/* The bytes of memory the context holds at the moment. */
WINNOW_API size_t winnow_context_memory(const winnow_context *context);

/*
 * A site learns from its pages which lines repeat on most of them. Learn from every page, or
 * from some dozens, with the method "all"; then extract with options.site:
 *
 *     options.method = "all";
 *     winnow_site_learn(site, winnow_run(context, html, size, &options));      // each page
 *     options.method = "auto";
 *     options.site = site;
 *     winnow_run(context, html, size, &options);                               // each page
 *
 * A site takes no more than 2 MB, however many pages it learns from. While it learns use it in
 * one thread; afterwards in as many as you like.
 */
typedef struct winnow_site winnow_site;

/* NULL when memory is out. You own it: winnow_site_free() it. */
WINNOW_API winnow_site *winnow_site_new(void);
WINNOW_API void winnow_site_free(winnow_site *site);

/* Learns the text of one page; false when memory is out. */
WINNOW_API bool winnow_site_learn(winnow_site *site, const winnow_result *result);

/* ---- 5. Names and versions --------------------------------------------------------------- */

/* The name of method number `index`, from 0; NULL behind the last. Static. */
WINNOW_API const char *winnow_method_name(size_t index);

/* One line on what that method does; NULL behind the last. Static. */
WINNOW_API const char *winnow_method_summary(size_t index);

/* "ok", "empty", "partial", "not-html", …: as in the JSON records. Static. */
WINNOW_API const char *winnow_status_name(winnow_status status);

/* "article", "forum", …; NULL for WINNOW_PAGE_UNKNOWN. Static. */
WINNOW_API const char *winnow_page_type_name(winnow_page_type type);

/* "paragraph", "heading", "list-item", …: as in the JSON records. Static. */
WINNOW_API const char *winnow_block_kind_name(winnow_block_kind kind);

#define WINNOW_VERSION_MAJOR 0
#define WINNOW_VERSION_MINOR 1
#define WINNOW_VERSION_PATCH 0

/* The version of the library that runs, "0.1.0"; static. */
WINNOW_API const char *winnow_version(void);

#ifdef __cplusplus
}
#endif

#endif
