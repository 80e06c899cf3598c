/*
 * winnow: the main content of a web page, and nothing else.
 *
 * This header is the whole interface of libwinnow and its manual. It starts with the one call that
 * most programs need and then goes into more detail:
 *
 *     1. The easy call       bytes in, text out
 *     2. Three calls         parse once, select and write many times
 *     3. Status and errors   what went wrong, where, and what is allowed
 *     4. Options             by number or by name; limits
 *     5. What a page says    metadata, blocks, links, images, reasons
 *     6. What is learned     models, sites, noise words
 *     7. Memory and time     your allocator, your time limit
 *     8. What there is       methods, parameters, formats, fields, versions
 *
 * The companion header winnow-io.h reads web archives and runs many pages through many threads.
 *
 * Rules that hold for every call:
 *
 * - Strings are UTF-8 and end with a NUL. There is no global state. Calls on different handles may
 *   run at the same time; use one handle in one thread at a time, unless it says otherwise.
 * - The same page with the same options gives the same bytes, on every machine.
 * - Input may be anything. Limits give a partial result and a status, never a crash.
 * - NULL where a handle is expected gives WINNOW_STATUS_BAD_ARGUMENT, NULL, 0 or "", not a crash.
 * - Structs that the library hands out are read through the pointer it returned. Later versions
 *   may add members at their end, so do not copy them or step through them by sizeof. Structs
 *   that you hand in begin with their size. Enums may get new values. A program compiled with
 *   this header therefore runs with every later library of the same major version.
 */
#ifndef WINNOW_H
#define WINNOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32) || defined(__wasm__)
#define WINNOW_API
#else
#define WINNOW_API __attribute__((visibility("default")))
#endif

/* ---- 1. The easy call -------------------------------------------------------------------- */

/*
 * The main content of the page `html` of `size` bytes as plain text, paragraphs separated by a
 * blank line:
 *
 *     char *text = winnow_extract(html, size);
 *     if (text)
 *         puts(text);
 *     winnow_free(text);
 *
 * The bytes may be in any encoding and of any quality. The text is "" when the page has no
 * content, and NULL only if out of memory. You own it: winnow_free() it.
 */
WINNOW_API char *winnow_extract(const void *html, size_t size);

/* Frees what winnow_extract() or winnow_site_save() returned; NULL is fine. */
WINNOW_API void winnow_free(void *memory);

/* ---- 2. Three calls ---------------------------------------------------------------------- */

/*
 * A page is parsed once. Then it can be selected from any number of times, by different methods,
 * and each selection can be written in any number of formats:
 *
 *     winnow_page *page = winnow_page_new();
 *     winnow_parse(page, html, size, NULL);
 *     winnow_selection *content = winnow_select(page, "auto", NULL);
 *     puts(winnow_write(content, WINNOW_FORMAT_TEXT, NULL, NULL));
 *     puts(winnow_write(content, WINNOW_FORMAT_MARKDOWN, NULL, NULL));
 *     winnow_page_free(page);
 *
 * A winnow_page keeps its memory for the next winnow_parse(), so that a loop over many pages
 * stops allocating after the first ones. Use one page handle per thread.
 */
typedef struct winnow_page winnow_page;
typedef struct winnow_selection winnow_selection;
typedef struct winnow_options winnow_options; /* section 4; NULL means the defaults */

typedef enum winnow_status {
    WINNOW_STATUS_OK,               /* there is text */
    WINNOW_STATUS_EMPTY,            /* the page has no content */
    WINNOW_STATUS_PARTIAL,          /* a limit was reached, and this is the text so far */
    WINNOW_STATUS_NOT_HTML,         /* the bytes are not a page: PDF, image, archive, … */
    WINNOW_STATUS_UNKNOWN_METHOD,   /* there is no method of that name */
    WINNOW_STATUS_NO_MEMORY,        /* out of memory, or the memory limit is too small */
    WINNOW_STATUS_BAD_PARAMETER,    /* an option or parameter is unknown, or its value wrong */
    WINNOW_STATUS_TOO_LARGE,        /* the method does not take pages of this size */
    WINNOW_STATUS_BAD_MODEL,        /* the bytes are not a model of this version */
    WINNOW_STATUS_NEEDS_COLLECTION, /* the method needs noise words: winnow_noise */
    WINNOW_STATUS_CANCELLED,        /* your callback asked to stop */
    WINNOW_STATUS_BAD_ARGUMENT,     /* a NULL or an unknown number where it is not allowed */
    WINNOW_STATUS_BAD_SITE,         /* the bytes are not a site of this version */
    WINNOW_STATUS_UNREADABLE,       /* in records only: the bytes of the page could not be read */
} winnow_status;

/* The form of the output; winnow_format_at() tells more about each. */
typedef enum winnow_format {
    WINNOW_FORMAT_TEXT,     /* plain text */
    WINNOW_FORMAT_MARKDOWN, /* headings, lists, tables, code, quotations */
    WINNOW_FORMAT_JSON,     /* one record on one line; collections are an array */
    WINNOW_FORMAT_JSONL,    /* the same record; collections are one record per line */
    WINNOW_FORMAT_HTML,     /* an <article> */
    WINNOW_FORMAT_XML,      /* a <doc> with metadata; elements as in TEI */
    WINNOW_FORMAT_TEI,      /* a <TEI> with its header */
    WINNOW_FORMAT_CSV,      /* the record as one row */
} winnow_format;

/* A handle for pages; NULL if out of memory. You own it: winnow_page_free() it. */
WINNOW_API winnow_page *winnow_page_new(void);
WINNOW_API void winnow_page_free(winnow_page *page);

/*
 * Loads a page: the bytes are decoded, and parsed when the first selection needs it. The bytes are
 * borrowed until the next winnow_parse() or winnow_page_free(). Everything made from the handle's
 * previous page becomes invalid.
 *
 * Returns OK, NOT_HTML, NO_MEMORY or BAD_ARGUMENT. After NOT_HTML you may still select, to get the
 * text of something that does not look like a page.
 *
 * Plain text becomes a page by putting WINNOW_PLAIN_TEXT before it. It has no markup that a method
 * could judge by, so it is kept as it is: the method of every selection is "all".
 */
#define WINNOW_PLAIN_TEXT "<!doctype html><plaintext>"
WINNOW_API winnow_status winnow_parse(winnow_page *page, const void *html, size_t size,
                                      const winnow_options *options);

/*
 * Decides which blocks of the page are content. `method` is a name, or a name with parameters:
 * "auto" (also if NULL), "auto:lean=precision", "lineblock:rule=all,distance=3", "bte", …;
 * winnow_method_at() lists them.
 *
 * The selection belongs to the page and lives until the next winnow_parse(), unless you free it
 * earlier with winnow_selection_free(). NULL when the method or a parameter is wrong, or memory is
 * out: winnow_page_error() has the sentence. The status of the selection says whether there is
 * content.
 */
WINNOW_API winnow_selection *winnow_select(winnow_page *page, const char *method,
                                           const winnow_options *options);
WINNOW_API void winnow_selection_free(winnow_selection *selection);

/*
 * The content in a format. The bytes belong to the selection and stay valid until it is written in
 * the same format again or ends; `size`, if it is not NULL, gets their number without the NUL.
 * "" when there is no content; NULL if out of memory or the format is unknown.
 */
WINNOW_API const char *winnow_write(winnow_selection *selection, winnow_format format,
                                    const winnow_options *options, size_t *size);

/*
 * What a record (JSON, JSONL, XML, TEI, CSV, HTML) contains in addition to the page itself. Set
 * struct_size to sizeof(winnow_record); leave what you do not know 0 or NULL.
 */
typedef struct winnow_record {
    size_t struct_size;
    const char *id;       /* a path, or the id of an archive's record */
    const char *url;      /* NULL: the address given to winnow_parse() */
    const char *error;    /* why there is nothing; the record then has no text */
    winnow_status status; /* only for winnow_write_failure() */
    bool timed;           /* `milliseconds` was measured */
    double milliseconds;
    const char *file; /* the file that holds this page and others, */
    uint64_t offset;  /* where the page starts in it, */
    uint64_t inner;   /* and in the compressed piece that starts there */
    /*
     * WINNOW_LIMITED_TRUNCATED and _DAMAGED: the bytes that were parsed are not the whole page. The
     * record says so, and that its status is at best WINNOW_STATUS_PARTIAL.
     */
    unsigned incomplete;
    /* Of a page in a web archive: */
    const char *crawled;    /* when it was fetched: "2024-05-03T10:11:12Z" or "20240503101112" */
    uint64_t length;        /* bytes of the file that its record takes; 0: not known */
    int http_status;        /* 200; 0: not known */
    const char *media_type; /* that the server declared, without parameters: "text/html" */
} winnow_record;

/* winnow_write() with a record around the content. */
WINNOW_API const char *winnow_write_record(winnow_selection *selection, winnow_format format,
                                           const winnow_options *options,
                                           const winnow_record *record, size_t *size);

/*
 * The record of a page that gave no selection, with record->status; "" in formats without records
 * of failures. The bytes belong to `page` and stay valid until its next call.
 */
WINNOW_API const char *winnow_write_failure(winnow_page *page, winnow_format format,
                                            const winnow_options *options,
                                            const winnow_record *record, size_t *size);

/* ---- 3. Status and errors ---------------------------------------------------------------- */

typedef struct winnow_error {
    winnow_status status;
    const char *message; /* a sentence that says what to do; "" if all is well */
    const char *name;    /* of the method, option or parameter that is wrong; else "" */
    const char *allowed; /* its values: "all or rescue", "a number from 0 to 1"; else "" */
    size_t position;     /* in the text that was given ("lineblock:rulez=all": 10) */
} winnow_error;

/* The error of the last call on this handle; never NULL. Valid until the next call on it. */
WINNOW_API const winnow_error *winnow_page_error(const winnow_page *page);
WINNOW_API const winnow_error *winnow_options_error(const winnow_options *options);

/* "ok", "empty", "partial", "not-html", …: as in the records. Static, never NULL. */
WINNOW_API const char *winnow_status_name(winnow_status status);

/* ---- 4. Options -------------------------------------------------------------------------- */

/*
 * Options are set by number with the right type, or by name as text, as in a command line or a
 * request to a server. Strings are copied. Once set, options can be shared by threads.
 *
 *     winnow_options *options = winnow_options_new();
 *     winnow_options_set_flag(options, WINNOW_OPTION_LINKS, true);
 *     winnow_options_set(options, "url", "https://example.org/a.html");
 *     winnow_options_set(options, "auto.lean", "precision");      // a method's parameter
 *     winnow_options_free(options);
 *
 * Each option is read by one of the three calls (winnow_option_at() says which); give the same
 * options to all three if in doubt. What is shown (links, formatting, …) never changes which text
 * is selected.
 */
typedef enum winnow_option {
    /* Read by winnow_parse(). */
    WINNOW_OPTION_URL,              /* text: the page's address, for its links and the record */
    WINNOW_OPTION_CHARSET,          /* text: the encoding that the HTTP header names */
    WINNOW_OPTION_MAX_BYTES,        /* of the page; default 32 MiB, at most 2 GiB */
    WINNOW_OPTION_MAX_NODES,        /* elements, texts and comments; default 3,000,000 */
    WINNOW_OPTION_MAX_DEPTH,        /* of nesting; default 512, as in browsers; at most 65,535 */
    WINNOW_OPTION_MAX_ATTRIBUTES,   /* of one element; default 1,024 */
    WINNOW_OPTION_MAX_MEMORY,       /* bytes of working memory; default 0: no limit */
    WINNOW_OPTION_MAX_MILLISECONDS, /* for all calls on the page; default 0: no limit */

    /* Read by winnow_select(). */
    WINNOW_OPTION_TABLES,     /* flag: keep data tables; default true */
    WINNOW_OPTION_EXPLAIN,    /* flag: reasons and paths for every block; default false */
    WINNOW_OPTION_SHEET_BASE, /* text: the base of links to style sheets; default: url */

    /* Read by winnow_write(). */
    WINNOW_OPTION_LINKS,      /* flag: keep links (not in plain text), list them in records */
    WINNOW_OPTION_FORMATTING, /* flag: keep bold and italics (not in plain text) */
    WINNOW_OPTION_IMAGES,     /* flag: keep images, by address and description */
    WINNOW_OPTION_METADATA,   /* flag: text and Markdown begin with the metadata */
    WINNOW_OPTION_BLOCKS,     /* flag: JSON lists the blocks */
    WINNOW_OPTION_STANDALONE, /* flag: a whole document: XML declaration, <html> around HTML */
    WINNOW_OPTION_HEADING, /* flag: Markdown, HTML, XML and TEI begin with the page's title if the
                              text does not have it; default true */
    WINNOW_OPTION_TITLE,   /* flag: the same for plain text, and the text of records */
    WINNOW_OPTION_TEXT_FORMAT, /* of the text in JSON: "txt" (default), "md" or "html", by name; by
                                  number 0, 1 or 2 */

    /*
     * Read by winnow_select(): text, names of roles ("caption,comment", see winnow_block_role) that
     * are always kept, or never. For methods that assign roles ("auto"); default: none.
     */
    WINNOW_OPTION_WITH,
    WINNOW_OPTION_WITHOUT,

    /* Read by winnow_write(). */
    WINNOW_OPTION_CSV_SAFE, /* flag: put ' before CSV fields that look like formulas */
    WINNOW_OPTION_LOAD_IMAGES, /* flag: whole pages of HTML may load their images from the web; default:
                                  their Content-Security-Policy lets browsers load nothing */
} winnow_option;

/*
 * A limit of 0 does not apply. A page that reaches a limit is cut short there: status
 * WINNOW_STATUS_PARTIAL, and the limit's bit in winnow_selection_limited(). The last two are for
 * winnow_record.incomplete: what is missing was missing before the page was parsed.
 */
enum {
    WINNOW_LIMITED_BYTES = 1 << 0,
    WINNOW_LIMITED_NODES = 1 << 1,
    WINNOW_LIMITED_DEPTH = 1 << 2,
    WINNOW_LIMITED_ATTRIBUTES = 1 << 3,
    WINNOW_LIMITED_MEMORY = 1 << 4,
    WINNOW_LIMITED_TIME = 1 << 5,
    WINNOW_LIMITED_WORK = 1 << 6,      /* styles and layout, which have budgets of their own */
    WINNOW_LIMITED_TRUNCATED = 1 << 7, /* the end of the page is missing */
    WINNOW_LIMITED_DAMAGED = 1 << 8,   /* its compression, or how it was sent */

    /* Of a page without content (WINNOW_STATUS_EMPTY), by "auto": why there is none. */
    WINNOW_LIMITED_SCRIPTS = 1 << 9, /* its text is put there by scripts, which do not run here */
    WINNOW_LIMITED_CHALLENGE = 1 << 10, /* it only tells people from programs */
};

/* NULL if out of memory. You own it: winnow_options_free() it. */
WINNOW_API winnow_options *winnow_options_new(void);
WINNOW_API winnow_options *winnow_options_copy(const winnow_options *options);
WINNOW_API void winnow_options_free(winnow_options *options);

/*
 * Each returns OK, BAD_PARAMETER (unknown, of another type, or out of range), NO_MEMORY or
 * BAD_ARGUMENT; winnow_options_error() has the sentence. A text that is NULL unsets the option.
 */
WINNOW_API winnow_status winnow_options_set(winnow_options *options, const char *name,
                                            const char *value);
WINNOW_API winnow_status winnow_options_set_flag(winnow_options *options, winnow_option option,
                                                 bool value);
WINNOW_API winnow_status winnow_options_set_number(winnow_options *options, winnow_option option,
                                                   uint64_t value);
WINNOW_API winnow_status winnow_options_set_text(winnow_options *options, winnow_option option,
                                                 const char *value);

/* What an option is set to; false, 0 or NULL if it is of another type. */
WINNOW_API bool winnow_options_flag(const winnow_options *options, winnow_option option);
WINNOW_API uint64_t winnow_options_number(const winnow_options *options, winnow_option option);
WINNOW_API const char *winnow_options_text(const winnow_options *options, winnow_option option);

/* A style sheet: bytes of any encoding and quality. */
typedef struct winnow_sheet {
    size_t struct_size;
    const void *bytes;
    size_t size;
    const char *charset; /* the encoding that the HTTP header names; NULL: unknown */
    const char *url;     /* its address, for what it imports; NULL: unknown */
} winnow_sheet;

/*
 * For methods that lay the page out ("eifce", "fe", "kfe"): a style sheet besides those in the
 * page. Its bytes are borrowed as long as the options live.
 */
WINNOW_API winnow_status winnow_options_add_sheet(winnow_options *options,
                                                  const winnow_sheet *sheet);

/*
 * Gives the style sheet at `url` that the page, or another sheet, refers to: fills in `sheet`,
 * whose url is `url` already, and returns true; false if there is no such sheet. What the sheet
 * points to must live until winnow_select() returns. The library opens no files and no connections
 * by itself; without a loader (NULL, the default) links and imports are not followed.
 */
typedef bool winnow_load_sheet(void *data, const char *url, winnow_sheet *sheet);
WINNOW_API winnow_status winnow_options_set_sheet_loader(winnow_options *options,
                                                         winnow_load_sheet *load, void *data);

/* ---- 5. What a page says ----------------------------------------------------------------- */

WINNOW_API winnow_status winnow_selection_status(const winnow_selection *selection);
WINNOW_API unsigned winnow_selection_limited(const winnow_selection *selection);

/* The name of the method, without its parameters. */
WINNOW_API const char *winnow_selection_method(const winnow_selection *selection);

/* The expected word F1, 0 to 1; 0 if the method does not estimate it. */
WINNOW_API double winnow_selection_confidence(const winnow_selection *selection);

/*
 * The minimum probability of kept blocks, 0 to 1; more than 1 if so little content is expected that
 * nothing is kept. 0 if the method does not use probabilities, or worked in parts.
 */
WINNOW_API double winnow_selection_threshold(const winnow_selection *selection);

/*
 * With WINNOW_OPTION_EXPLAIN: what the method reports about the page as a whole, as lines of
 * readable text: the thresholds of "lineblock", the table of blocks of "xpath". "" if there is
 * nothing.
 */
WINNOW_API const char *winnow_selection_notes(const winnow_selection *selection);

/* What kind of page it is, as far as "auto" can tell. */
typedef enum winnow_page_type {
    WINNOW_PAGE_TYPE_UNKNOWN,
    WINNOW_PAGE_TYPE_ARTICLE,
    WINNOW_PAGE_TYPE_FORUM,
    WINNOW_PAGE_TYPE_PRODUCT,
    WINNOW_PAGE_TYPE_COLLECTION, /* of things for sale, of posts: cards that lead to other pages */
    WINNOW_PAGE_TYPE_LISTING,    /* an article that lists things, a directory */
    WINNOW_PAGE_TYPE_DOCUMENTATION,
    WINNOW_PAGE_TYPE_SERVICE, /* what a company or office offers */
} winnow_page_type;

WINNOW_API winnow_page_type winnow_selection_page_type(const winnow_selection *selection);

/* "article", "forum", …; NULL for WINNOW_PAGE_TYPE_UNKNOWN. Static. */
WINNOW_API const char *winnow_page_type_name(winnow_page_type type);

/* The encoding that was used, by its WHATWG name: "UTF-8", "windows-1252". Never NULL. */
WINNOW_API const char *winnow_page_encoding(const winnow_page *page);

/* Where a fact of the metadata was found. */
typedef struct winnow_source {
    const char *field;  /* "title", "author", "published", … */
    const char *source; /* "json-ld headline", "meta og:title", "h1", … */
} winnow_source;

/*
 * The metadata of a page. Unknown strings are "" and unknown lists empty. Methods that build no
 * tree ("lineblock", "bte") provide only title and language.
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
    const char *license;          /* its address or its name */
    const winnow_source *sources; /* with WINNOW_OPTION_EXPLAIN: one for each known field */
    size_t source_count;
} winnow_metadata;

/* Never NULL. */
WINNOW_API const winnow_metadata *winnow_selection_metadata(winnow_selection *selection);

/* What a block of text is to its reader. */
typedef enum winnow_block_kind {
    WINNOW_BLOCK_PARAGRAPH,
    WINNOW_BLOCK_HEADING,   /* level 1 to 6 */
    WINNOW_BLOCK_LIST_ITEM, /* level: depth of its list, from 1 */
    WINNOW_BLOCK_TERM,      /* <dt> */
    WINNOW_BLOCK_DETAIL,    /* <dd> */
    WINNOW_BLOCK_CELL,      /* of a table: row and column, from 0 */
    WINNOW_BLOCK_CODE,      /* white space counts */
    WINNOW_BLOCK_QUOTE,     /* level: depth of the quotation, from 1 */
    WINNOW_BLOCK_CAPTION,   /* of a figure or table */
    WINNOW_BLOCK_FORM,      /* text of a button, label, choice */
    WINNOW_BLOCK_IMAGE,     /* without text: winnow_selection_image() has its address */
    WINNOW_BLOCK_EMBED,     /* a video, a map, a post of another site: one link */
    WINNOW_BLOCK_RULE,      /* <hr>, without text */
    WINNOW_BLOCK_FORMULA,   /* a displayed formula; the text is a readable form */
    WINNOW_BLOCK_FOOTNOTE,  /* the note that marks in the text refer to */
} winnow_block_kind;

/* "paragraph", "heading", "list-item", …: as in the records. Static, never NULL. */
WINNOW_API const char *winnow_block_kind_name(winnow_block_kind kind);

/* What a block is for, as far as "auto" can tell, whether it is kept or not. */
typedef enum winnow_block_role {
    WINNOW_ROLE_UNKNOWN, /* the method does not tell */
    WINNOW_ROLE_TITLE,
    WINNOW_ROLE_BYLINE, /* author, date, place */
    WINNOW_ROLE_LEDE,   /* the paragraph between title and text */
    WINNOW_ROLE_BODY,
    WINNOW_ROLE_HEADING,
    WINNOW_ROLE_CAPTION, /* of a figure, with its credits */
    WINNOW_ROLE_FACTS,   /* a table, a list of terms, an info box */
    WINNOW_ROLE_QUOTATION,
    WINNOW_ROLE_EMBED,     /* a post of another site */
    WINNOW_ROLE_COMMENT,   /* of a reader; the posts of a forum are its body */
    WINNOW_ROLE_RELATED,   /* teasers of other pages */
    WINNOW_ROLE_PROMOTION, /* advertisements */
    WINNOW_ROLE_SHARE,     /* share, follow, subscribe */
    WINNOW_ROLE_NAVIGATION,
    WINNOW_ROLE_LEGAL,
    WINNOW_ROLE_OTHER,
} winnow_block_role;

/* "title", "byline", …; NULL for WINNOW_ROLE_UNKNOWN. Static. */
WINNOW_API const char *winnow_block_role_name(winnow_block_role role);

/* What spoke for a block, or against it. */
typedef struct winnow_reason {
    const char *feature; /* "WORDS", "LINK_SHARE", …: docs/methods/auto.md */
    int value;           /* of the feature, here */
    double weight; /* what it added to the log odds compared with a usual block; < 0: against it */
} winnow_reason;

typedef struct winnow_block {
    const char *text;
    size_t size;
    winnow_block_kind kind;
    uint32_t level; /* see the kind; else 0 */
    uint32_t table; /* cells of one table have the same number, from 1; else 0 */
    uint32_t row;
    uint32_t column;
    bool kept;
    const char *reason; /* why it was kept or dropped; in detail with WINNOW_OPTION_EXPLAIN */
    const char *path;   /* with WINNOW_OPTION_EXPLAIN: "body > div#main > p"; else "" */
    /*
     * Where its element starts and ends: offsets in the decoded page, which for UTF-8 without a
     * byte order mark or carriage returns are those of the bytes you passed. Both are 0 if the
     * method does not know elements.
     */
    size_t source_start, source_end;
    size_t first_link, link_count;   /* its links: winnow_selection_link() */
    size_t first_image, image_count; /* its images: winnow_selection_image() */
    winnow_block_role role;          /* since 1.0 */
    /*
     * With WINNOW_OPTION_EXPLAIN and a method that judges by probabilities: how likely it is
     * content, 0 to 1, and why, the strongest reason first. Else below 0, and none.
     */
    double probability;
    const winnow_reason *reasons;
    size_t reason_count;
    uint32_t number;        /* of the item of a numbered list that begins here; else 0 */
    bool is_header;         /* of a cell: it heads a row or column */
    uint32_t columns, rows; /* that a cell covers; else 0 */
    const char *language;   /* of code, as the page names it: "python"; else "" */
    const char *tex;        /* of a formula; else "" */
} winnow_block;

/*
 * A reader's comment below an article: the text of its blocks, a line feed between two, and what is
 * known of author and date, as the page writes them; else "".
 */
typedef struct winnow_comment {
    const char *author;
    const char *date;
    const char *text;
} winnow_comment;

/* The comments of a page in its order; NULL past the end. */
WINNOW_API size_t winnow_selection_comment_count(winnow_selection *selection);
WINNOW_API const winnow_comment *winnow_selection_comment(winnow_selection *selection,
                                                          size_t index);

/*
 * Every block of the page in reading order, kept and dropped. The numbers count from 0;
 * NULL past the end.
 */
WINNOW_API size_t winnow_selection_block_count(winnow_selection *selection);
WINNOW_API const winnow_block *winnow_selection_block(winnow_selection *selection, size_t index);

typedef struct winnow_link {
    const char *url; /* absolute, if the page's address is known */
    const char *text;
    size_t block; /* the number of the block that holds it */
} winnow_link;

/* The links of all blocks, kept and dropped, in reading order. */
WINNOW_API size_t winnow_selection_link_count(winnow_selection *selection);
WINNOW_API const winnow_link *winnow_selection_link(winnow_selection *selection, size_t index);

typedef struct winnow_image {
    const char *url;         /* absolute, if the page's address is known */
    const char *description; /* its alternative text; "" if it has none */
    size_t block;
} winnow_image;

WINNOW_API size_t winnow_selection_image_count(winnow_selection *selection);
WINNOW_API const winnow_image *winnow_selection_image(winnow_selection *selection, size_t index);

/* ---- 6. What is learned ------------------------------------------------------------------ */

/*
 * A trained model of "auto", as tools/train writes it. The bytes are copied: they need no alignment
 * and may be freed after the call. A loaded model never changes and may be shared by threads; it
 * must outlive the options that use it.
 */
typedef struct winnow_model winnow_model;

/* OK, BAD_MODEL, NO_MEMORY or BAD_ARGUMENT; *model is NULL unless OK. */
WINNOW_API winnow_status winnow_model_load(winnow_model **model, const void *bytes, size_t size);
WINNOW_API void winnow_model_free(winnow_model *model);

/* NULL: the library's own. The model is borrowed. */
WINNOW_API winnow_status winnow_options_set_model(winnow_options *options,
                                                  const winnow_model *model);

/*
 * A site learns from its pages which lines repeat on most of them; a selection with that site
 * drops them:
 *
 *     winnow_parse(page, html, size, NULL);                   // for each page of the site
 *     winnow_site_learn(site, page);
 *     …
 *     winnow_options_set_site(options, site);
 *     winnow_parse(page, html, size, options);                // for each page again
 *     winnow_select(page, "auto", options);
 *
 * The site is a function of the set of pages: any order, and any grouping into sites that are
 * merged, gives the same site and the same saved bytes. It takes no more than 2 MB, however many
 * pages it learns from. Use it in one thread while it learns; afterwards in as many as you like.
 */
typedef struct winnow_site winnow_site;

/* NULL if out of memory. You own it: winnow_site_free() it. */
WINNOW_API winnow_site *winnow_site_new(void);
WINNOW_API void winnow_site_free(winnow_site *site);

/* Learns from the parsed page: its whole visible text. OK, EMPTY, NO_MEMORY or BAD_ARGUMENT. */
WINNOW_API winnow_status winnow_site_learn(winnow_site *site, winnow_page *page);

/* Adds to `site` what `other` has learned from other pages. */
WINNOW_API winnow_status winnow_site_merge(winnow_site *site, const winnow_site *other);

/* The number of pages it has learned from. */
WINNOW_API uint64_t winnow_site_pages(const winnow_site *site);

/* The site as bytes, to be freed with winnow_free(); NULL if out of memory. */
WINNOW_API void *winnow_site_save(const winnow_site *site, size_t *size);

/* OK, BAD_SITE, NO_MEMORY or BAD_ARGUMENT; *site is NULL unless OK. The bytes are copied. */
WINNOW_API winnow_status winnow_site_load(winnow_site **site, const void *bytes, size_t size);

/* NULL: none. The site is borrowed. */
WINNOW_API winnow_status winnow_options_set_site(winnow_options *options, const winnow_site *site);

/*
 * The noise words of a collection, for the method "outlier": word stems, one per line (the program
 * writes them with `winnow corpus outliers`). They are copied, never change and may be shared by
 * threads.
 */
typedef struct winnow_noise winnow_noise;

/* NULL if out of memory. You own it: winnow_noise_free() it. */
WINNOW_API winnow_noise *winnow_noise_new(const char *stems, size_t size);
WINNOW_API void winnow_noise_free(winnow_noise *noise);

/* NULL: none, and "outlier" says NEEDS_COLLECTION. The words are borrowed. */
WINNOW_API winnow_status winnow_options_set_noise(winnow_options *options,
                                                  const winnow_noise *noise);

/* ---- 7. Memory and time ------------------------------------------------------------------ */

/*
 * Memory from your functions, which must behave like malloc(), realloc() and free(). All memory of
 * a page comes from them, except what other libraries allocate (uchardet, ICU, libthai).
 */
typedef struct winnow_allocator {
    size_t struct_size;
    void *(*allocate)(void *data, size_t size);
    void *(*resize)(void *data, void *memory, size_t size);
    void (*release)(void *data, void *memory);
    void *data;
} winnow_allocator;

/* The same as winnow_page_new(). The struct is copied; NULL: malloc() and its kin. */
WINNOW_API winnow_page *winnow_page_new_with(const winnow_allocator *allocator);

/* The bytes of memory that the page holds at the moment. */
WINNOW_API size_t winnow_page_memory(const winnow_page *page);

/*
 * Called from time to time during a call, at most a few times per millisecond; return true to stop.
 * The call then ends soon, with status WINNOW_STATUS_CANCELLED.
 *
 * WINNOW_OPTION_MAX_MILLISECONDS needs no callback. Its clock starts with winnow_parse(), and it is
 * checked between bounded pieces of work, so it holds on any input: the page is cut short where its
 * time ends, and what was read by then is selected. Writing that takes about a millisecond per
 * megabyte and is not cut short.
 */
typedef bool winnow_cancel(void *data);
WINNOW_API winnow_status winnow_options_set_cancel(winnow_options *options, winnow_cancel *cancel,
                                                   void *data);

/* ---- 8. What there is -------------------------------------------------------------------- */

/* What kind of value an option or a parameter takes. */
typedef enum winnow_value_kind {
    WINNOW_VALUE_FLAG,   /* "yes" or "no" */
    WINNOW_VALUE_NUMBER, /* from min to max */
    WINNOW_VALUE_WHOLE,  /* a number without a fraction */
    WINNOW_VALUE_CHOICE, /* one of `choices` */
    WINNOW_VALUE_TEXT,
} winnow_value_kind;

typedef struct winnow_parameter_info {
    const char *name;
    const char *help; /* one line */
    winnow_value_kind kind;
    double min, max;            /* of numbers */
    const char *const *choices; /* of choices; ends with NULL. Else NULL */
    const char *fallback;       /* the default, as text */
    const char *allowed;        /* in words: "all or rescue", "a number from 0 to 1" */
} winnow_parameter_info;

typedef struct winnow_method_info {
    const char *name;
    const char *summary;                            /* one line */
    const winnow_parameter_info *const *parameters; /* ends with NULL */
    bool needs_layout;                              /* it reads style sheets and lays out */
    bool needs_noise;                               /* it needs winnow_noise */
    bool builds_tree; /* false: it reads tokens alone and knows no metadata but title, language */
} winnow_method_info;

/* Method number `index`, from 0, in the order of the documentation; NULL past the end. Static. */
WINNOW_API const winnow_method_info *winnow_method_at(size_t index);

/* The method that "NAME" or "NAME:parameter=value" names; NULL if there is none. */
WINNOW_API const winnow_method_info *winnow_method_find(const char *method);

/*
 * Checks "NAME:parameter=value,…" without a page: OK, UNKNOWN_METHOD or BAD_PARAMETER, with the
 * sentence in winnow_options_error().
 */
WINNOW_API winnow_status winnow_options_check_method(winnow_options *options, const char *method);

typedef struct winnow_option_info {
    winnow_option option;
    const char *name;    /* for winnow_options_set() */
    const char *read_by; /* "parse", "select" or "write" */
    winnow_parameter_info value;
} winnow_option_info;

/* NULL past the end. Static. */
WINNOW_API const winnow_option_info *winnow_option_at(size_t index);

typedef struct winnow_format_info {
    winnow_format format;
    const char *name;           /* "txt", "md", "json", … */
    const char *const *aliases; /* "text", "markdown", …; ends with NULL */
    const char *const *endings; /* of file names: ".md", …; ends with NULL */
    const char *media_type;     /* "text/markdown" */
    const char *summary;        /* one line */
    const char *head;           /* of a collection: before its first page, */
    const char *separator;      /* between two pages, */
    const char *tail;           /* after the last one, */
    const char *nothing;        /* and instead of all that if there is no page */
    const char *name_start;     /* before the name of a page in a collection, */
    const char *name_end;       /* and after it; "" if pages are not headed by names */
    bool tells_failures;        /* it has records of pages that failed */
    bool has_links, has_images; /* it shows them, or lists them */
    bool has_explanation;       /* with WINNOW_OPTION_EXPLAIN it tells reasons */
} winnow_format_info;

/* NULL past the end. Static. */
WINNOW_API const winnow_format_info *winnow_format_at(size_t index);

/* The format of a name or alias ("md", "markdown"); NULL if there is none. */
WINNOW_API const winnow_format_info *winnow_format_find(const char *name);

/* The format by the ending of a file's name ("pages.tei.xml"); NULL if none fits. */
WINNOW_API const winnow_format_info *winnow_format_of_file(const char *file_name);

/* A key of the records, in the order of JSON. */
typedef struct winnow_field_info {
    const char *name;
    const char *type; /* "string", "number", "list", "object" */
    const char *help; /* one line */
    bool always;      /* it is in every JSON record, null where nothing is known */
} winnow_field_info;

/* NULL past the end. Static. */
WINNOW_API const winnow_field_info *winnow_field_at(size_t index);

#define WINNOW_VERSION_MAJOR 0
#define WINNOW_VERSION_MINOR 2
#define WINNOW_VERSION_PATCH 0

/* The version of the library that runs, "0.2.0". Static. */
WINNOW_API const char *winnow_version(void);

/* A library that this one was built with, or a property of the build. */
typedef struct winnow_component {
    const char *name;    /* "uchardet", "ICU", "libthai", "libstemmer", "SIMD" */
    const char *version; /* "74.2"; "" if it is not known, NULL if it is not there */
    const char *use;     /* "guesses undeclared encodings" */
} winnow_component;

/* NULL past the end. Static. */
WINNOW_API const winnow_component *winnow_component_at(size_t index);

#ifdef __cplusplus
}
#endif

#endif
