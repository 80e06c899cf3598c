/*
 * Writers: a page and a selection in, bytes out.
 *
 * A format is a descriptor in the table of formats.c: its names, how the kept blocks are written
 * (`body`), what goes around them (`document`), and how a collection of pages is written.
 * `extract`, `export`, the server and the bindings read the same table, so a new format is one line
 * there and one file in this folder.
 *
 * A writer reads only kept blocks, in order. What it shows of them (links, markup) never changes
 * which text is written.
 */
#ifndef WN_WRITE_WRITE_H
#define WN_WRITE_WRITE_H

#include "base/buf.h"
#include "page/links.h"
#include "page/notes.h"
#include "page/page.h"
#include "page/selection.h"
#include "winnow.h"

/* What is shown besides the text. */
typedef struct wn_write_options {
    bool links, formatting, images;
    bool metadata;           /* text and Markdown begin with it */
    bool blocks;             /* JSON lists them */
    bool standalone;         /* a whole document */
    const char *text_format; /* of the text in JSON: "txt", "md", "html" */
    const char *title;       /* the first heading, if the text does not have it; "" or NULL: none */
    bool csv_safe;           /* fields that look like formulas begin with an apostrophe */
    bool load_images;        /* the policy of HTML documents lets browsers load images */
    bool *exceeded;          /* set if something was left out as it costs too much; may be NULL */
} wn_write_options;

static inline void wn_write_note_exceeded(const wn_write_options *options, const wn_cost *cost)
{
    if (cost->exceeded && options->exceeded)
        *options->exceeded = true;
}

/* The blocks of a page with their links and images, as the public interface shows them. */
typedef struct wn_write_listing {
    winnow_block *blocks; /* NULL: links and images are those of kept blocks, if they are there */
    winnow_link *links;
    winnow_image *images;
    winnow_comment *comments;
    size_t block_count, link_count, image_count, comment_count;
    bool explained; /* reasons are detailed, and there are paths */
    bool exceeded;  /* some addresses were left out: all of them would be too long */
} wn_write_listing;

/* What is known of a page besides its text. */
typedef struct wn_write_report {
    winnow_status status;
    unsigned limited;
    const char *method, *encoding; /* "" if unknown */
    const winnow_metadata *metadata;
    const char *guessed_language; /* of the text, where the page declares none or clearly another;
                                     "" or NULL: as declared, or not clear */
    double language_probability;  /* of the guess */
    uint64_t words;               /* of the text */
    winnow_page_type page_type;
    double confidence, threshold;
    const wn_write_listing *listing; /* NULL: nothing is listed */
    winnow_record record;            /* what the caller knows */
} wn_write_report;

/* Adds the kept blocks to `out`. `url` is the page's address or NULL. */
typedef void wn_write_body(wn_buf *out, const wn_page *page, const wn_selection *selection,
                           const wn_write_options *options, const char *url);

/* Adds a document around `body`. */
typedef void wn_write_document(wn_buf *out, const wn_write_report *report, wn_str body,
                               const wn_write_options *options);

typedef struct wn_write_format {
    winnow_format_info info;
    wn_write_body *body;
    wn_write_document *document; /* NULL: the body is all */
    bool needs_metadata;         /* `document` always reads it */
} wn_write_format;

/* The descriptor of a format; NULL if the number is unknown. */
const wn_write_format *wn_write_format_at(size_t index);

/* ---- Bodies ------------------------------------------------------------------------------ */

wn_write_body wn_write_text;     /* paragraphs separated by a blank line, rows on lines */
wn_write_body wn_write_markdown; /* CommonMark with tables */
wn_write_body wn_write_html, wn_write_xml, wn_write_tei; /* elements (markup.c) */

/*
 * The cells from `first` to before `end`, all of one table, as a <table>. Addresses are made with
 * `links`. Line ends in code are references: what is around may not have blank lines.
 */
void wn_write_html_table(wn_buf *out, const wn_page *page, const wn_selection *selection,
                         const wn_write_options *options, wn_page_links *links,
                         const wn_page_notes *notes, uint32_t first, uint32_t end);

/* Whether a block shows in formats with markup: images and frames only if asked for. */
static inline bool wn_write_is_shown(const wn_block *block, const wn_write_options *options)
{
    return block->kind == WINNOW_BLOCK_IMAGE   ? options->images
           : block->kind == WINNOW_BLOCK_EMBED ? options->links || options->images
                                               : true;
}

/* ---- Documents --------------------------------------------------------------------------- */

wn_write_document wn_write_front_matter;             /* metadata as YAML, if options->metadata */
wn_write_document wn_write_json, wn_write_json_line; /* without and with a line end */
wn_write_document wn_write_html_document, wn_write_xml_document, wn_write_tei_document;
wn_write_document wn_write_csv;

/* What documents and the heads of collections share. */

/*
 * The policy that a page of HTML has for browsers: nothing in it runs, and nothing is loaded but
 * what `images` names besides pictures in the page itself. Whoever opens a saved page tells no
 * server so.
 */
#define WN_WRITE_HTML_POLICY(images)                                                                  \
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:" images \
    "; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
#define WN_WRITE_IMAGES_OF_THE_WEB " http: https:"
#define WN_WRITE_HTML_HEAD(images)                                                                 \
    "<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n" WN_WRITE_HTML_POLICY(            \
        images) "<title>winnow</title>\n</head>\n<body>\n"
#define WN_WRITE_XML_DECLARATION "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
#define WN_WRITE_TEI_NAMESPACE "http://www.tei-c.org/ns/1.0"
#define WN_WRITE_STRING_(x) #x
#define WN_WRITE_STRING(x) WN_WRITE_STRING_(x)
#define WN_WRITE_VERSION                                                                           \
    WN_WRITE_STRING(WINNOW_VERSION_MAJOR)                                                          \
    "." WN_WRITE_STRING(WINNOW_VERSION_MINOR) "." WN_WRITE_STRING(WINNOW_VERSION_PATCH)
#define WN_WRITE_TEI_APPLICATION                                                                   \
    "<encodingDesc>\n<appInfo>\n<application version=\"" WN_WRITE_VERSION                          \
    "\" ident=\"winnow\">\n<label>winnow</label>\n</application>\n</appInfo>\n</encodingDesc>\n"

/* ---- Lists ------------------------------------------------------------------------------- */

/*
 * Lists the blocks, links and images of the view `page`, in the arena; false if out of memory.
 * `explain`: with paths, which take time.
 */
bool wn_write_list(wn_write_listing *listing, const wn_page *page, const wn_selection *selection,
                   const char *url, bool explain, wn_arena *arena);

/*
 * Adds the links and images to a listing: those of the blocks in it, or, if it has no blocks, those
 * of the kept blocks of the page. False if out of memory.
 */
bool wn_write_list_links(wn_write_listing *listing, const wn_page *page,
                         const wn_selection *selection, const char *url, wn_arena *arena);

/* The text of a block, with a NUL at its end; NULL when memory is out. */
const char *wn_write_block_text(const wn_page *page, const wn_block *block, wn_arena *arena);

/* Adds readers' comments to a listing; false when memory is out. */
bool wn_write_list_comments(wn_write_listing *listing, const wn_page *page,
                            const wn_selection *selection, wn_arena *arena);

#endif
