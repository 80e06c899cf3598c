/*
 * The driver: what the three calls of winnow.h do, stage by stage.
 *
 *     winnow_parse()     bytes -> decoded text
 *     winnow_select()    text -> document (-> styles, boxes) -> page -> selection
 *     winnow_write()     page and selection -> bytes
 *
 * Read select_content() first. A page handle keeps the tree of its page (`tree`), which every
 * selection of a method that needs one shares and none changes. A selection has a reading of its own
 * only where the shared one does not fit: methods that read tokens, text that was embedded as data,
 * and very large pages that are laid out.
 */
#include "winnow.h"

#include <assert.h>

#include "api/error.h"
#include "api/learned.h"
#include "api/options.h"
#include "auto/page_type.h"
#include "css/cascade.h"
#include "extract/method.h"
#include "html/encoding.h"
#include "html/sniff.h"
#include "html/tree.h"
#include "layout/layout.h"
#include "meta/metadata.h"
#include "page/builder.h"
#include "page/embedded.h"
#include "page/permalinks.h"
#include "page/site.h"
#include "page/view.h"
#include "visual/analysis.h"
#include "write/write.h"

enum {
    LARGEST_PAGE = 0x7FFFFFFF, /* offsets have 32 bits, and decoding may add bytes */
    FORMATS = WINNOW_FORMAT_CSV + 1,
};

/* The share of a page's time that has passed when a stage must end, so that the next one has some. */
static const double PARSE_SHARE = 0.35, BUILD_SHARE = 0.5, SELECT_SHARE = 0.85;

/* A document and the pages that are made of it. */
typedef struct reading {
    wn_arena arena; /* strings of the document */
    wn_doc doc;
    wn_page page;      /* its blocks */
    wn_page text_page; /* the same with its single texts, for methods that decide on those */
    bool has_doc, has_page, has_text_page;
    bool has_own_sheets; /* it was laid out with sheets of the options, which others may not have */
} reading;

struct winnow_selection {
    winnow_page *owner;
    winnow_selection *next; /* of all selections of the owner */
    bool in_use;
    wn_arena arena;    /* verdicts, reasons, metadata, lists */
    reading own;       /* used only where the owner's tree does not fit */
    wn_page_view view; /* the page as it is written */
    wn_selection verdicts;
    winnow_status status;
    unsigned limited;
    const char *method;
    bool explain;
    bool by_tokens;   /* there is no tree to read metadata from */
    bool is_embedded; /* its blocks were found in data of the page */
    bool has_metadata, has_listing;
    winnow_metadata metadata;
    wn_write_listing listing;
    wn_buf body;
    wn_buf output[FORMATS];
};

struct winnow_page {
    wn_memory memory; /* of the caller; unused if allocate is NULL */
    wn_api_error error;
    wn_watch watch;

    /* The page that was taken in. */
    wn_str bytes;
    wn_str text;          /* decoded */
    const char *encoding; /* static */
    const char *url;      /* in the tree's arena; NULL: unknown */
    wn_parse_options parse;
    uint64_t max_memory;
    unsigned limited;
    bool is_binary, has_markup, is_parsed;

    reading tree;
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

/* While a public function works, memory comes from the page's allocator. */
static const wn_memory *enter(const winnow_page *page)
{
    return wn_memory_use(page->memory.allocate ? &page->memory : NULL);
}

static void leave(const wn_memory *before)
{
    wn_memory_use(before);
}

/* ---- Decoding ---------------------------------------------------------------------------- */

static wn_str cut_to_limit(wn_str bytes, uint64_t limit, unsigned *limited)
{
    if (limit == 0 || limit > LARGEST_PAGE)
        limit = LARGEST_PAGE;
    if (bytes.len > limit) {
        bytes.len = (size_t)limit;
        *limited |= WINNOW_LIMITED_BYTES;
    }
    return bytes;
}

static wn_parse_options parse_options(const winnow_options *options, wn_watch *watch)
{
    wn_parse_options parse = wn_parse_defaults;
    uint64_t memory = options->numbers[WINNOW_OPTION_MAX_MEMORY];
    uint64_t most_nodes = memory / 4 / sizeof(wn_node);
    parse.max_nodes = (uint32_t)options->numbers[WINNOW_OPTION_MAX_NODES];
    parse.max_depth = (uint32_t)options->numbers[WINNOW_OPTION_MAX_DEPTH];
    parse.max_attrs = (uint32_t)options->numbers[WINNOW_OPTION_MAX_ATTRIBUTES];
    parse.watch = watch;
    if (memory && (parse.max_nodes == 0 || parse.max_nodes > most_nodes))
        parse.max_nodes = (uint32_t)(most_nodes < 16 ? 16 : most_nodes);
    return parse;
}

static void reset_reading(reading *r, uint64_t max_memory)
{
    r->arena.max = (size_t)(max_memory / 2); /* strings and nodes need most */
    wn_arena_reset(&r->arena);
    r->page.text.max = r->text_page.text.max = (size_t)(max_memory / 8);
    r->has_doc = r->has_page = r->has_text_page = false;
}

/* Ends what was made of the page before. */
static void forget_page(winnow_page *page)
{
    for (winnow_selection *s = page->selections; s; s = s->next)
        s->in_use = false;
    page->limited = 0;
    page->is_binary = page->has_markup = page->is_parsed = false;
    page->encoding = "";
    page->url = NULL;
    reset_reading(&page->tree, page->max_memory);
    wn_arena_reset(&page->layout_arena);
}

/* bytes -> text */
static winnow_status decode(winnow_page *page, const winnow_options *options)
{
    const char *url = options->texts[WINNOW_OPTION_URL];
    if (url)
        page->url = wn_arena_c_string(&page->tree.arena, wn_str_of(url));
    page->is_binary = wn_sniff_is_binary(page->bytes);
    if (page->is_binary)
        return WINNOW_STATUS_NOT_HTML;
    wn_decoded decoded = wn_decode(&page->tree.arena, page->bytes,
                                   options->texts[WINNOW_OPTION_CHARSET]);
    page->text = decoded.text;
    page->encoding = decoded.encoding;
    page->has_markup = wn_sniff_has_markup(decoded.text);
    if (page->tree.arena.failed && page->max_memory == 0)
        return WINNOW_STATUS_NO_MEMORY;
    return page->bytes.len > 0 && !page->has_markup ? WINNOW_STATUS_NOT_HTML : WINNOW_STATUS_OK;
}

winnow_status winnow_parse(winnow_page *page, const void *html, size_t size,
                           const winnow_options *options)
{
    if (!page)
        return WINNOW_STATUS_BAD_ARGUMENT;
    const wn_memory *before = enter(page);
    winnow_status status = WINNOW_STATUS_BAD_ARGUMENT;
    options = wn_api_options(options);
    wn_api_error_clear(&page->error);
    page->max_memory = options->numbers[WINNOW_OPTION_MAX_MEMORY];
    wn_watch_start(&page->watch, options->numbers[WINNOW_OPTION_MAX_MILLISECONDS], options->cancel,
                   options->cancel_data);
    forget_page(page);
    if (!html && size > 0) {
        wn_api_error_say(&page->error, status, "the page is NULL but its size is not 0");
    } else {
        page->is_parsed = true;
        page->parse = parse_options(options, &page->watch);
        page->bytes = cut_to_limit(wn_str_from(html ? html : "", size),
                                   options->numbers[WINNOW_OPTION_MAX_BYTES], &page->limited);
        status = decode(page, options);
        if (status == WINNOW_STATUS_NO_MEMORY)
            wn_api_error_say(&page->error, status, "out of memory");
    }
    leave(before);
    return status;
}

/* ---- Reading: text -> document -> page --------------------------------------------------- */

static unsigned public_limits(unsigned limited)
{
    return (limited & WN_LIMITED_NODES ? WINNOW_LIMITED_NODES : 0u) |
           (limited & WN_LIMITED_DEPTH ? WINNOW_LIMITED_DEPTH : 0u) |
           (limited & WN_LIMITED_ATTRS ? WINNOW_LIMITED_ATTRIBUTES : 0u) |
           (limited & WN_LIMITED_MEMORY ? WINNOW_LIMITED_MEMORY : 0u);
}

/* text -> document */
static void parse_document(winnow_page *page, reading *r, wn_str text,
                           const wn_parse_options *options)
{
    wn_watch_stage(&page->watch, PARSE_SHARE);
    wn_tree_parse(page->tree_builder, &r->doc, &r->arena, text, options);
    r->has_doc = true;
}

/* document -> page; which one is made depends on what the method decides on */
static const wn_page *build_page(winnow_page *page, reading *r, bool with_texts)
{
    wn_page *built = with_texts ? &r->text_page : &r->page;
    bool *is_built = with_texts ? &r->has_text_page : &r->has_page;
    if (*is_built)
        return built;
    built->wants_texts = with_texts;
    built->styles = NULL;
    built->boxes = NULL;
    wn_watch_stage(&page->watch, BUILD_SHARE);
    wn_page_build(page->builder, built, &r->doc, &page->watch);
    *is_built = true;
    return built;
}

/* A page that is too large to be laid out is read again, shorter, for this selection alone. */
static reading *read_shorter(winnow_page *page, winnow_selection *s)
{
    wn_parse_options parse = page->parse;
    parse.max_nodes = WN_VISUAL_MOST_NODES;
    reset_reading(&s->own, page->max_memory);
    parse_document(page, &s->own, page->text, &parse);
    return &s->own;
}

/*
 * The reading that a method works on: the tree of the page, which is made when it is first needed.
 * NULL when memory is out.
 */
static reading *read_tree(winnow_page *page, winnow_selection *s, const wn_method *method)
{
    reading *r = &page->tree;
    if (!r->has_doc)
        parse_document(page, r, page->text, &page->parse);
    if (method->info.needs_layout && r->doc.nodes.count > WN_VISUAL_MOST_NODES)
        r = read_shorter(page, s);
    s->limited |= public_limits(r->doc.limited);
    s->arena.failed |= r->doc.nodes.count == 0;
    return s->arena.failed ? NULL : r;
}

/* ---- Styles and boxes -------------------------------------------------------------------- */

static wn_css_sheet css_sheet(const winnow_sheet *sheet)
{
    return (wn_css_sheet){
        .bytes = wn_str_from(sheet->bytes ? sheet->bytes : "", sheet->bytes ? sheet->size : 0),
        .charset = sheet->charset,
        .url = wn_str_of(sheet->url),
        .media = WN_STR(""),
    };
}

/* The caller's way to sheets, as css/ wants it. */
typedef struct sheet_loader {
    const winnow_options *options;
    wn_buf url;
} sheet_loader;

static bool load_sheet(void *data, wn_str url, wn_css_sheet *sheet)
{
    sheet_loader *loader = data;
    wn_buf_clear(&loader->url);
    wn_buf_add(&loader->url, url);
    const char *address = wn_buf_c_string(&loader->url);
    winnow_sheet loaded = {.struct_size = sizeof loaded, .url = address};
    if (!loader->options->load_sheet(loader->options->load_data, address, &loaded))
        return false;
    *sheet = css_sheet(&loaded);
    if (!loaded.url || loaded.url == address)
        sheet->url = url;
    return true;
}

/* Styles as the options want them; NULL when memory is out. */
static const wn_styles *compute_styles(winnow_page *page, const wn_doc *doc,
                                       const winnow_options *options)
{
    wn_css_options css = wn_css_defaults;
    sheet_loader loader = {.options = options};
    const char *base = options->texts[WINNOW_OPTION_SHEET_BASE];
    wn_css_sheet *sheets = wn_arena_alloc(&page->layout_arena,
                                          (options->sheets.count + 1) * sizeof *sheets);
    if (!sheets)
        return NULL;
    for (uint32_t i = 0; i < options->sheets.count; i++)
        sheets[i] = css_sheet(&options->sheets.items[i]);
    css.sheets = sheets;
    css.sheet_count = options->sheets.count;
    css.base = wn_str_of(base ? base : page->url);
    css.load = options->load_sheet ? load_sheet : NULL;
    css.load_data = &loader;
    const wn_styles *styles = wn_css_compute(page->css, doc, &css, &page->layout_arena);
    wn_buf_free(&loader.url);
    return styles;
}

/* document -> styles -> boxes; false when memory is out */
static bool lay_out(winnow_page *page, reading *r, const winnow_options *options)
{
    wn_page *built = &r->text_page;
    bool own_sheets = options->sheets.count > 0 || options->load_sheet;
    assert(r->has_text_page);
    if (built->boxes && !own_sheets && !r->has_own_sheets)
        return true;
    built->boxes = NULL; /* what was selected before does not look at it any more */
    wn_arena_reset(&page->layout_arena);
    r->has_own_sheets = own_sheets;
    if (!page->css)
        page->css = wn_css_new();
    if (!page->layout)
        page->layout = wn_layout_new();
    if (!page->css || !page->layout)
        return false;
    wn_watch_stage(&page->watch, SELECT_SHARE);
    const wn_styles *styles = compute_styles(page, &r->doc, options);
    wn_layout_options layout = wn_layout_defaults;
    layout.max_boxes = WN_VISUAL_MOST_BOXES;
    built->styles = styles;
    built->boxes = styles ? wn_layout_run(page->layout, &r->doc, styles, &layout) : NULL;
    return built->boxes != NULL;
}

/* ---- Selecting --------------------------------------------------------------------------- */

/* page -> verdicts */
static void select_blocks(winnow_page *page, winnow_selection *s, const wn_request *request,
                          const wn_page *built)
{
    bool by_text = request->method->by_text;
    uint32_t count = by_text ? built->texts.count : built->blocks.count;
    wn_page_view_start(&s->view, built);
    if (!wn_selection_start(&s->verdicts, &s->arena, count, request->explain))
        return;
    wn_watch_stage(&page->watch, SELECT_SHARE);
    request->method->select(built, request, &s->arena, &s->verdicts);
    if (by_text && !s->arena.failed)
        wn_selection_cut(&s->verdicts, &s->view, &s->arena);
}

/* text -> document -> page -> verdicts */
static void select_from_tree(winnow_page *page, winnow_selection *s, const wn_request *request,
                             const winnow_options *options)
{
    const wn_method *method = request->method;
    reading *r = read_tree(page, s, method);
    const wn_page *built = r ? build_page(page, r, method->by_text) : NULL;
    if (!built)
        return;
    if (method->info.needs_layout && !lay_out(page, r, options)) {
        s->arena.failed = true;
        return;
    }
    select_blocks(page, s, request, built);
    if (built->failed)
        s->limited |= WINNOW_LIMITED_MEMORY;
}

/* text -> page and verdicts at once, for methods that need no tree */
static void select_from_tokens(winnow_page *page, winnow_selection *s, const wn_request *request)
{
    reading *r = &s->own;
    reset_reading(r, page->max_memory);
    wn_page_stream_open(&page->stream, &r->page, &r->doc, &r->arena, page->text);
    page->stream.max_tokens = page->parse.max_nodes;
    page->stream.tok.max_attrs = page->parse.max_attrs;
    page->stream.watch = &page->watch;
    wn_watch_stage(&page->watch, SELECT_SHARE);
    request->method->read(&page->stream, request, &s->arena, &s->verdicts);
    if (page->stream.tok.attrs_dropped)
        s->limited |= WINNOW_LIMITED_ATTRIBUTES;
    if (page->stream.limited)
        s->limited |= WINNOW_LIMITED_NODES;
    if (r->page.failed)
        s->limited |= WINNOW_LIMITED_MEMORY;
    s->by_tokens = true;
    wn_page_view_start(&s->view, &r->page);
}

static const winnow_metadata *read_metadata(winnow_selection *s);

/*
 * A page that shows nothing may carry its text as data: that is read as a page of its own, all of
 * which is kept. What the page says of itself is read before: the data know nothing of it.
 */
static void select_embedded(winnow_page *page, winnow_selection *s, const wn_request *request)
{
    wn_buf_clear(&page->embedded);
    wn_page_embedded_find(&page->tree.doc, &s->arena, &page->embedded);
    s->arena.failed |= page->embedded.failed;
    if (page->embedded.len == 0 || s->arena.failed)
        return;
    read_metadata(s);
    s->is_embedded = true;
    reset_reading(&s->own, page->max_memory);
    wn_str html = wn_arena_copy(&s->own.arena, wn_buf_str(&page->embedded));
    parse_document(page, &s->own, html, &page->parse);
    s->limited |= public_limits(s->own.doc.limited);
    if (s->own.doc.nodes.count == 0) {
        s->arena.failed = true;
        return;
    }
    const wn_page *built = build_page(page, &s->own, false);
    wn_page_view_start(&s->view, built);
    if (!wn_selection_start(&s->verdicts, &s->arena, built->blocks.count, request->explain))
        return;
    for (uint32_t i = 0; i < s->verdicts.count; i++)
        s->verdicts.verdicts[i] = (wn_verdict){.reason = "found in the page's data", .keep = true};
}

/* The text of tables that only make columns stays. */
static void drop_tables(winnow_selection *s)
{
    for (uint32_t i = 0; i < s->verdicts.count; i++)
        if (s->view.page.blocks.items[i].table)
            s->verdicts.verdicts[i] = (wn_verdict){.reason = "in a table"};
}

static winnow_status status_of(const winnow_page *page, const winnow_selection *s)
{
    if (page->watch.cancelled)
        return WINNOW_STATUS_CANCELLED;
    if (s->arena.failed)
        return WINNOW_STATUS_NO_MEMORY;
    if (page->bytes.len > 0 && !page->has_markup)
        return WINNOW_STATUS_NOT_HTML;
    if (s->verdicts.too_large)
        return WINNOW_STATUS_TOO_LARGE;
    if (s->verdicts.needs_collection)
        return WINNOW_STATUS_NEEDS_COLLECTION;
    if (!wn_selection_keeps(&s->verdicts))
        return s->limited & WINNOW_LIMITED_MEMORY ? WINNOW_STATUS_NO_MEMORY : WINNOW_STATUS_EMPTY;
    return s->limited ? WINNOW_STATUS_PARTIAL : WINNOW_STATUS_OK;
}

/* The whole of a selection. */
static void select_content(winnow_page *page, winnow_selection *s, const wn_request *request,
                           const winnow_options *options)
{
    if (page->is_binary) {
        s->status = WINNOW_STATUS_NOT_HTML;
        return;
    }
    if (request->method->read)
        select_from_tokens(page, s, request);
    else
        select_from_tree(page, s, request, options);
    if (!s->arena.failed && options->site)
        wn_page_site_drop(options->site, &s->view.page, &s->verdicts);
    if (!s->arena.failed && !wn_page_permalinks_drop(&s->view, &s->verdicts))
        s->arena.failed = true;
    if (!s->arena.failed && request->method->reads_embedded && !wn_selection_keeps(&s->verdicts))
        select_embedded(page, s, request);
    if (!s->arena.failed && !wn_api_flag(options, WINNOW_OPTION_TABLES))
        drop_tables(s);
    if (page->watch.late)
        s->limited |= WINNOW_LIMITED_TIME;
    s->status = status_of(page, s);
    if (s->arena.failed)
        s->verdicts.count = 0;
}

/* A selection that is free, or a new one; NULL when memory is out. */
static winnow_selection *take_selection(winnow_page *page)
{
    winnow_selection *s = page->selections;
    while (s && s->in_use)
        s = s->next;
    if (!s) {
        s = wn_memory_get_zeroed(sizeof *s);
        if (!s)
            return NULL;
        s->owner = page;
        s->next = page->selections;
        page->selections = s;
    }
    static const wn_page nothing;
    wn_arena_reset(&s->arena);
    wn_page_view_start(&s->view, &nothing);
    s->in_use = true;
    s->verdicts = (wn_selection){0};
    s->limited = page->limited;
    s->by_tokens = s->is_embedded = s->has_metadata = s->has_listing = false;
    return s;
}

winnow_selection *winnow_select(winnow_page *page, const char *method,
                                const winnow_options *options)
{
    if (!page)
        return NULL;
    wn_request request;
    wn_request_problem problem;
    const wn_memory *before = enter(page);
    winnow_selection *s = NULL;
    options = wn_api_options(options);
    wn_api_error_clear(&page->error);
    wn_request_error error = wn_api_read_request(options, method, &request, &problem);
    if (!page->is_parsed)
        wn_api_error_say(&page->error, WINNOW_STATUS_BAD_ARGUMENT,
                         "there is no page; call winnow_parse() first");
    else if (error)
        wn_api_error_of_request(&page->error, wn_str_of(method), error, &problem);
    else if (!(s = take_selection(page)))
        wn_api_error_say(&page->error, WINNOW_STATUS_NO_MEMORY, "out of memory");
    if (s) {
        request.noise = options->noise ? &options->noise->words : NULL;
        request.model = options->model ? &options->model->model : &page->model;
        request.explain = s->explain = wn_api_flag(options, WINNOW_OPTION_EXPLAIN);
        request.watch = &page->watch;
        s->method = request.method->info.name;
        select_content(page, s, &request, options);
    }
    leave(before);
    return s;
}

void winnow_selection_free(winnow_selection *selection)
{
    if (selection)
        selection->in_use = false; /* its memory serves the next one */
}

/* ---- What a selection says --------------------------------------------------------------- */

/* document and page -> metadata; they are read when somebody wants them */
static const winnow_metadata *read_metadata(winnow_selection *s)
{
    winnow_page *page = s->owner;
    if (s->has_metadata)
        return &s->metadata;
    s->metadata = wn_no_metadata;
    if (page->is_binary || s->arena.failed || !s->view.page.doc)
        return &s->metadata;
    if (s->by_tokens)
        wn_metadata_of_tokens(&s->view.page, &s->arena, &s->metadata);
    else
        wn_metadata_read(page->metadata, &s->view.page, page->url, s->explain, &s->arena,
                         &s->metadata);
    s->has_metadata = true;
    return &s->metadata;
}

/* Blocks that are not made of elements of the page have no place in it. */
static void forget_sources(wn_write_listing *listing)
{
    for (size_t i = 0; i < listing->block_count; i++)
        listing->blocks[i].source_start = listing->blocks[i].source_end = 0;
}

/* blocks, links and images as programs see them; NULL when memory is out */
static const wn_write_listing *read_listing(winnow_selection *s)
{
    static const wn_write_listing nothing;
    if (s->has_listing)
        return &s->listing;
    if (s->verdicts.count == 0 || !s->view.page.doc)
        return &nothing;
    s->has_listing = wn_write_list(&s->listing, &s->view.page, &s->verdicts, s->owner->url,
                                   s->explain, &s->arena);
    if (s->has_listing && (s->by_tokens || s->is_embedded))
        forget_sources(&s->listing);
    return s->has_listing ? &s->listing : NULL;
}

winnow_status winnow_selection_status(const winnow_selection *selection)
{
    return selection ? selection->status : WINNOW_STATUS_BAD_ARGUMENT;
}

unsigned winnow_selection_limited(const winnow_selection *selection)
{
    return selection ? selection->limited : 0;
}

const char *winnow_selection_method(const winnow_selection *selection)
{
    return selection ? selection->method : "";
}

double winnow_selection_confidence(const winnow_selection *selection)
{
    return selection ? selection->verdicts.confidence / (double)WN_LOGIT_ONE : 0;
}

winnow_page_type winnow_selection_page_type(const winnow_selection *selection)
{
    return selection ? (winnow_page_type)selection->verdicts.page_type : WINNOW_PAGE_TYPE_UNKNOWN;
}

const winnow_metadata *winnow_selection_metadata(winnow_selection *selection)
{
    if (!selection)
        return &wn_no_metadata;
    const wn_memory *before = enter(selection->owner);
    const winnow_metadata *metadata = read_metadata(selection);
    leave(before);
    return metadata;
}

/* The lists of a selection, empty if there is none or memory is out. */
static wn_write_listing lists_of(winnow_selection *selection)
{
    if (!selection)
        return (wn_write_listing){0};
    const wn_memory *before = enter(selection->owner);
    const wn_write_listing *listing = read_listing(selection);
    leave(before);
    return listing ? *listing : (wn_write_listing){0};
}

size_t winnow_selection_block_count(winnow_selection *selection)
{
    return lists_of(selection).block_count;
}

const winnow_block *winnow_selection_block(winnow_selection *selection, size_t index)
{
    wn_write_listing lists = lists_of(selection);
    return index < lists.block_count ? &lists.blocks[index] : NULL;
}

size_t winnow_selection_link_count(winnow_selection *selection)
{
    return lists_of(selection).link_count;
}

const winnow_link *winnow_selection_link(winnow_selection *selection, size_t index)
{
    wn_write_listing lists = lists_of(selection);
    return index < lists.link_count ? &lists.links[index] : NULL;
}

size_t winnow_selection_image_count(winnow_selection *selection)
{
    return lists_of(selection).image_count;
}

const winnow_image *winnow_selection_image(winnow_selection *selection, size_t index)
{
    wn_write_listing lists = lists_of(selection);
    return index < lists.image_count ? &lists.images[index] : NULL;
}

/* ---- Writing ----------------------------------------------------------------------------- */

static wn_write_options write_options(const winnow_options *options)
{
    return (wn_write_options){
        .links = wn_api_flag(options, WINNOW_OPTION_LINKS),
        .formatting = wn_api_flag(options, WINNOW_OPTION_FORMATTING),
        .images = wn_api_flag(options, WINNOW_OPTION_IMAGES),
        .metadata = wn_api_flag(options, WINNOW_OPTION_METADATA),
        .blocks = wn_api_flag(options, WINNOW_OPTION_BLOCKS) ||
                  wn_api_flag(options, WINNOW_OPTION_EXPLAIN),
        .standalone = wn_api_flag(options, WINNOW_OPTION_STANDALONE),
    };
}

/* A copy of the caller's record, which may be of another version. */
static winnow_record copy_record(const winnow_record *record)
{
    winnow_record copy = {0};
    if (record)
        memcpy(&copy, record,
               record->struct_size < sizeof copy ? record->struct_size : sizeof copy);
    return copy;
}

/* What is known besides the text; the listing only where the format shows it. */
static wn_write_report report_of(winnow_selection *s, const wn_write_format *format,
                                 const wn_write_options *options, const winnow_record *record)
{
    bool needs_metadata = format->needs_metadata || options->metadata;
    bool lists = format->info.format == WINNOW_FORMAT_JSON ||
                 format->info.format == WINNOW_FORMAT_JSONL;
    lists = lists && (options->links || options->blocks);
    wn_write_report report = {
        .status = s->status,
        .limited = s->limited,
        .method = s->method,
        .encoding = s->owner->encoding,
        .metadata = needs_metadata ? read_metadata(s) : &wn_no_metadata,
        .page_type = winnow_selection_page_type(s),
        .confidence = winnow_selection_confidence(s),
        .listing = lists ? read_listing(s) : NULL,
        .record = copy_record(record),
    };
    if (!report.record.url)
        report.record.url = s->owner->url;
    if (lists && !report.listing)
        s->arena.failed = true;
    return report;
}

/* page and selection -> bytes; false when memory is out */
static bool write_content(winnow_selection *s, const wn_write_format *format,
                          const wn_write_options *options, const winnow_record *record)
{
    wn_buf *out = &s->output[format->info.format];
    wn_buf_clear(out);
    wn_buf_clear(&s->body);
    wn_write_report report = report_of(s, format, options, record);
    bool is_bare = format->document == wn_write_front_matter && !options->metadata;
    if (!report.record.error && s->verdicts.count > 0)
        format->body(is_bare ? out : &s->body, &s->view.page, &s->verdicts, options, s->owner->url);
    if (!is_bare)
        format->document(out, &report, wn_buf_str(&s->body), options);
    return !out->failed && !s->body.failed && !s->arena.failed;
}

/* Gives a buffer out as a C string. */
static const char *give(wn_buf *out, size_t *size)
{
    const char *bytes = wn_buf_c_string(out);
    if (size)
        *size = out->failed ? 0 : out->len;
    return out->failed ? NULL : bytes;
}

const char *winnow_write_record(winnow_selection *selection, winnow_format format_number,
                                const winnow_options *options, const winnow_record *record,
                                size_t *size)
{
    const wn_write_format *format = wn_write_format_at(format_number);
    if (size)
        *size = 0;
    if (!selection)
        return NULL;
    winnow_page *page = selection->owner;
    const wn_memory *before = enter(page);
    const char *bytes = NULL;
    wn_api_error_clear(&page->error);
    wn_write_options shown = write_options(wn_api_options(options));
    if (!format)
        wn_api_error_say(&page->error, WINNOW_STATUS_BAD_ARGUMENT,
                         "there is no format of that number; winnow_format_at() lists them");
    else if (write_content(selection, format, &shown, record))
        bytes = give(&selection->output[format_number], size);
    if (format && !bytes)
        wn_api_error_say(&page->error, WINNOW_STATUS_NO_MEMORY, "out of memory");
    leave(before);
    return bytes;
}

const char *winnow_write(winnow_selection *selection, winnow_format format,
                         const winnow_options *options, size_t *size)
{
    return winnow_write_record(selection, format, options, NULL, size);
}

const char *winnow_write_failure(winnow_page *page, winnow_format format_number,
                                 const winnow_options *options, const winnow_record *record,
                                 size_t *size)
{
    const wn_write_format *format = wn_write_format_at(format_number);
    if (size)
        *size = 0;
    if (!page || !format)
        return NULL;
    const wn_memory *before = enter(page);
    wn_write_options shown = write_options(wn_api_options(options));
    wn_write_report report = {.method = "", .encoding = "", .metadata = &wn_no_metadata};
    report.record = copy_record(record);
    report.status = report.record.status;
    wn_buf_clear(&page->failure);
    if (format->info.tells_failures)
        format->document(&page->failure, &report, WN_STR(""), &shown);
    const char *bytes = give(&page->failure, size);
    leave(before);
    return bytes;
}

/* ---- Pages ------------------------------------------------------------------------------- */

winnow_page *winnow_page_new(void)
{
    return winnow_page_new_with(NULL);
}

static bool make_parts(winnow_page *page)
{
    page->tree_builder = wn_tree_new();
    page->builder = wn_page_builder_new();
    page->metadata = wn_metadata_reader_new();
    page->encoding = "";
    wn_api_error_clear(&page->error);
    return page->tree_builder && page->builder && page->metadata &&
           wn_auto_model_default(&page->model, WN_ROW_SIZES);
}

winnow_page *winnow_page_new_with(const winnow_allocator *allocator)
{
    wn_memory memory = {0};
    if (allocator) {
        bool complete = allocator->struct_size >= sizeof *allocator && allocator->allocate &&
                        allocator->resize && allocator->release;
        if (!complete)
            return NULL;
        memory = (wn_memory){allocator->allocate, allocator->resize, allocator->release,
                             allocator->data};
    }
    const wn_memory *before = wn_memory_use(allocator ? &memory : NULL);
    winnow_page *page = wn_memory_get_zeroed(sizeof *page);
    if (page) {
        page->memory = memory;
        if (!make_parts(page)) {
            winnow_page_free(page);
            page = NULL;
        }
    }
    wn_memory_use(before);
    return page;
}

static void free_reading(reading *r)
{
    wn_doc_free(&r->doc);
    wn_page_free(&r->page);
    wn_page_free(&r->text_page);
    wn_arena_free(&r->arena);
}

static void free_selection(winnow_selection *s)
{
    free_reading(&s->own);
    wn_page_view_free(&s->view);
    wn_buf_free(&s->body);
    for (size_t i = 0; i < FORMATS; i++)
        wn_buf_free(&s->output[i]);
    wn_arena_free(&s->arena);
    wn_memory_release(s);
}

void winnow_page_free(winnow_page *page)
{
    if (!page)
        return;
    wn_memory memory = page->memory; /* outlives the page */
    const wn_memory *before = wn_memory_use(memory.allocate ? &memory : NULL);
    for (winnow_selection *s = page->selections, *next; s; s = next) {
        next = s->next;
        free_selection(s);
    }
    free_reading(&page->tree);
    wn_tree_free(page->tree_builder);
    wn_css_free(page->css);
    wn_layout_free(page->layout);
    wn_page_builder_free(page->builder);
    wn_metadata_reader_free(page->metadata);
    wn_page_stream_free(&page->stream);
    wn_buf_free(&page->embedded);
    wn_buf_free(&page->failure);
    wn_arena_free(&page->layout_arena);
    wn_api_error_free(&page->error);
    wn_memory_release(page);
    wn_memory_use(before);
}

static size_t reading_memory(const reading *r)
{
    return r->arena.reserved + wn_array_bytes(&r->doc.nodes) + wn_page_memory(&r->page) +
           wn_page_memory(&r->text_page);
}

static size_t selection_memory(const winnow_selection *s)
{
    size_t memory = sizeof *s + s->arena.reserved + reading_memory(&s->own) +
                    wn_page_view_memory(&s->view) + s->body.cap;
    for (size_t i = 0; i < FORMATS; i++)
        memory += s->output[i].cap;
    return memory;
}

size_t winnow_page_memory(const winnow_page *page)
{
    if (!page)
        return 0;
    size_t memory = sizeof *page + reading_memory(&page->tree) + page->layout_arena.reserved +
                    page->embedded.cap + page->failure.cap + wn_tree_memory(page->tree_builder) +
                    wn_page_builder_memory(page->builder) +
                    (page->css ? wn_css_memory(page->css) : 0) +
                    (page->layout ? wn_layout_memory(page->layout) : 0) +
                    wn_page_stream_memory(&page->stream) +
                    wn_metadata_reader_memory(page->metadata);
    for (const winnow_selection *s = page->selections; s; s = s->next)
        memory += selection_memory(s);
    return memory;
}

const winnow_error *winnow_page_error(const winnow_page *page)
{
    return page ? &page->error.shown : &wn_api_no_handle;
}

const char *winnow_page_encoding(const winnow_page *page)
{
    return page ? page->encoding : "";
}

/* ---- Learning from a page ---------------------------------------------------------------- */

typedef struct page_lines {
    wn_array(uint64_t) list;
    bool failed;
} page_lines;

static bool note_line(void *data, uint64_t hash)
{
    page_lines *lines = data;
    uint64_t *place = wn_array_push(&lines->list);
    lines->failed = !place;
    if (place)
        *place = hash;
    return place != NULL;
}

winnow_status winnow_site_learn(winnow_site *site, winnow_page *page)
{
    if (!site || !page)
        return WINNOW_STATUS_BAD_ARGUMENT;
    winnow_selection *all = winnow_select(page, "all", NULL);
    size_t size;
    const char *text = winnow_write(all, WINNOW_FORMAT_TEXT, NULL, &size);
    winnow_status status = winnow_page_error(page)->status;
    if (!text || winnow_selection_status(all) == WINNOW_STATUS_NO_MEMORY) {
        winnow_selection_free(all);
        return status != WINNOW_STATUS_OK ? status : WINNOW_STATUS_NO_MEMORY;
    }
    page_lines lines = {0};
    wn_page_site_lines(wn_str_from(text, size), note_line, &lines);
    if (!lines.failed) {
        wn_page_site_add(site, lines.list.items, lines.list.count);
        wn_page_site_settle(site);
    }
    bool failed = lines.failed || site->failed;
    wn_array_free(&lines.list);
    winnow_selection_free(all);
    if (failed)
        return WINNOW_STATUS_NO_MEMORY;
    return size > 0 ? WINNOW_STATUS_OK : WINNOW_STATUS_EMPTY;
}

/* ---- The easy call ----------------------------------------------------------------------- */

char *winnow_extract(const void *html, size_t size)
{
    winnow_page *page = winnow_page_new();
    size_t length = 0;
    winnow_parse(page, html, size, NULL);
    winnow_selection *content = winnow_select(page, NULL, NULL);
    const char *text = winnow_write(content, WINNOW_FORMAT_TEXT, NULL, &length);
    bool failed = !text || winnow_selection_status(content) == WINNOW_STATUS_NO_MEMORY;
    char *copy = failed ? NULL : wn_memory_get(length + 1);
    if (copy)
        memcpy(copy, text, length + 1);
    winnow_page_free(page);
    return copy;
}

void winnow_free(void *memory)
{
    wn_memory_release(memory);
}
