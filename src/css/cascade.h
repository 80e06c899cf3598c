/*
 * The cascade: a document and its style sheets in, the style of every node out.
 *
 * Sheets are, in this order: the built-in default sheet, those of <style> and <link> in document
 * order, and `sheets` given by the caller; style= attributes and presentational attributes
 * (bgcolor, width, align …) have their place between them.
 *
 * A <link> or an @import is only read if the caller can give its text: this library opens no
 * files and no connections.
 *
 *     wn_css *css = wn_css_new();
 *     wn_css_options options = wn_css_defaults;
 *     const wn_styles *styles = wn_css_compute(css, &doc, &options, &arena);
 *     wn_css_style_of(styles, node)->font_size;
 */
#ifndef WN_CSS_CASCADE_H
#define WN_CSS_CASCADE_H

#include "base/arena.h"
#include "base/watch.h"
#include "css/sheet_source.h"
#include "css/style.h"
#include "html/document.h"

typedef struct wn_css wn_css; /* working memory and our own sheet; reused page after page */

wn_css *wn_css_new(void); /* NULL if out of memory */
void wn_css_free(wn_css *css);
size_t wn_css_memory(const wn_css *css);

typedef struct wn_css_options {
    float width, height; /* of the screen, in CSS pixels */
    const wn_css_sheet *sheets;
    size_t sheet_count;
    wn_str base;       /* the page's address, for its links; may be empty */
    wn_css_load *load; /* sheets by their addresses; NULL: links and imports are not followed */
    void *load_data;
    size_t max_memory; /* bytes of working memory, nearly; 0: no limit */
    bool no_author;    /* only our own sheet and presentational attributes */
    wn_watch *watch;   /* says when to stop: nodes after that have the initial style; or NULL */
} wn_css_options;

extern const wn_css_options wn_css_defaults; /* 1366 x 768, nothing else */

/*
 * Computes the styles of all nodes; they live in `arena`. NULL if out of memory (then
 * arena->failed is set). The document is not altered.
 */
const wn_styles *wn_css_compute(wn_css *css, const wn_doc *doc, const wn_css_options *options,
                                wn_arena *arena);

#endif
