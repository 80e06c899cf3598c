/*
 * The driver: what the calls of winnow.h do, stage by stage.
 *
 *     winnow_parse()     bytes -> decoded text
 *     winnow_select()    text -> document (-> styles, boxes) -> page -> selection
 *     winnow_write()     page and selection -> bytes                          (api/output.c)
 *
 * Read select_content() first; api/handles.h has what the handles hold.
 */
#include "api/handles.h"
#include "api/learned.h"
#include "extract/method.h"
#include "html/encoding.h"
#include "html/sniff.h"
#include "page/embedded.h"
#include "page/permalinks.h"
#include "page/site.h"
#include "visual/analysis.h"

#include <assert.h>

enum {
    LARGEST_PAGE = 0x7FFFFFFF, /* offsets have 32 bits, and decoding may add bytes */
    LARGEST_TEXT = 0x7FFFFFFF, /* of what is read, likewise: references and U+0000 may add bytes */
};

/*
 * The share of a page's time that has passed when a stage must end, so that the next one has some.
 */
static const double DECODE_SHARE = 0.2, PARSE_SHARE = 0.35, BUILD_SHARE = 0.5, SELECT_SHARE = 0.85;

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

static void reset_reading(wn_api_reading *r, uint64_t max_memory)
{
    r->arena.max = (size_t)(max_memory / 2); /* strings and nodes need most */
    wn_arena_reset(&r->arena);
    uint64_t most = max_memory && max_memory / 8 < LARGEST_TEXT ? max_memory / 8 : LARGEST_TEXT;
    r->page.text.max = r->text_page.text.max = (size_t)most;
    r->has_doc = r->has_page = r->has_text_page = false;
}

/* Ends what was made of the page before. */
static void forget_page(winnow_page *page)
{
    for (winnow_selection *s = page->selections; s; s = s->next)
        s->in_use = false;
    page->limited = 0;
    page->is_binary = page->has_markup = page->is_parsed = page->is_broken = false;
    page->is_plain_text = false;
    page->encoding = "";
    page->url = NULL;
    page->arena.max = (size_t)(page->max_memory / 2);
    wn_arena_reset(&page->arena);
    reset_reading(&page->tree, page->max_memory);
    page->layout_arena.max = (size_t)(page->max_memory / 4);
    wn_arena_reset(&page->layout_arena);
}

/* bytes -> text */
static winnow_status decode(winnow_page *page, const winnow_options *options)
{
    const char *url = options->texts[WINNOW_OPTION_URL];
    if (url)
        page->url = wn_arena_c_string(&page->arena, wn_str_of(url));
    page->is_binary = wn_html_sniff_is_binary(page->bytes);
    if (page->is_binary)
        return WINNOW_STATUS_NOT_HTML;
    wn_watch_stage(&page->watch, DECODE_SHARE);
    wn_decoded decoded = wn_html_decode_within(&page->arena, page->bytes,
                                               options->texts[WINNOW_OPTION_CHARSET], &page->watch);
    page->text = decoded.text;
    page->encoding = decoded.encoding;
    page->is_plain_text = wn_str_starts(decoded.text, WN_STR(WINNOW_PLAIN_TEXT));
    page->has_markup = wn_html_sniff_has_markup(decoded.text) &&
                       !wn_html_sniff_is_feed(decoded.text);
    if (page->arena.failed && page->max_memory == 0)
        return WINNOW_STATUS_NO_MEMORY;
    return page->bytes.len > 0 && !page->has_markup ? WINNOW_STATUS_NOT_HTML : WINNOW_STATUS_OK;
}

winnow_status winnow_parse(winnow_page *page, const void *html, size_t size,
                           const winnow_options *options)
{
    if (!page)
        return WINNOW_STATUS_BAD_ARGUMENT;
    wn_api_work w = wn_api_enter(page);
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
        page->is_broken = wn_api_ran_out(&w) || status == WINNOW_STATUS_NO_MEMORY;
        if (page->is_broken)
            status = wn_api_say_no_memory(page);
    }
    wn_api_leave(&w);
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
static void parse_document(winnow_page *page, wn_api_reading *r, wn_str text,
                           const wn_parse_options *options)
{
    wn_watch_stage(&page->watch, PARSE_SHARE);
    r->arena.failed |= page->arena.failed; /* the text is not whole */
    wn_html_tree_parse(page->tree_builder, &r->doc, &r->arena, text, options);
    r->has_doc = true;
}

/* document -> page; which one is made depends on what the method decides on */
static const wn_page *build_page(winnow_page *page, wn_api_reading *r, bool with_texts)
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

/* Makes a reading that was made for one selection the one that all of them share. */
static void share_reading(winnow_page *page, wn_api_reading *own)
{
    wn_api_reading spare = page->tree;
    page->tree = *own;
    *own = spare;
    page->tree.doc.arena = &page->tree.arena;
    own->doc.arena = &own->arena;
}

/* How many nodes of a page are laid out, at most. */
static uint32_t most_layout_nodes(const winnow_page *page)
{
    return wn_visual_most_nodes(page->max_memory);
}

/*
 * A page that is laid out is read only as far as layout goes. Nearly always that is all of it, and
 * then the reading serves every other selection too.
 */
static wn_api_reading *read_for_layout(winnow_page *page, winnow_selection *s)
{
    wn_parse_options parse = page->parse;
    parse.max_nodes = most_layout_nodes(page);
    reset_reading(&s->own, page->max_memory);
    parse_document(page, &s->own, page->text, &parse);
    bool is_whole = s->own.doc.nodes.count < parse.max_nodes;
    if (!is_whole || page->tree.has_doc)
        return &s->own;
    share_reading(page, &s->own);
    return &page->tree;
}

/*
 * The reading that a method works on: the tree of the page, which is made when it is first needed.
 * NULL if out of memory.
 */
static wn_api_reading *read_tree(winnow_page *page, winnow_selection *s, const wn_method *method)
{
    wn_api_reading *r = &page->tree;
    uint32_t most = most_layout_nodes(page);
    bool is_large = r->has_doc ? r->doc.nodes.count > most : page->parse.max_nodes - 1 >= most;
    if (method->info.needs_layout && is_large)
        r = read_for_layout(page, s);
    else if (!r->has_doc)
        parse_document(page, r, page->text, &page->parse);
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
    const wn_memory *before = wn_memory_use(NULL); /* what the function takes is the caller's */
    bool found = loader->options->load_sheet(loader->options->load_data, address, &loaded);
    wn_memory_use(before);
    if (!found)
        return false;
    *sheet = css_sheet(&loaded);
    if (!loaded.url || loaded.url == address)
        sheet->url = url;
    return true;
}

/*
 * The memory for styles and boxes together. The default limit grows with the page, and only hostile
 * pages reach it: a few bytes can require kilobytes of boxes.
 */
static uint64_t layout_memory(const winnow_page *page)
{
    enum { FREE = 48 << 20, PER_BYTE = 12 };
    return page->max_memory ? page->max_memory : FREE + PER_BYTE * (uint64_t)page->bytes.len;
}

/* Styles as the options want them; NULL if out of memory. */
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
    css.watch = &page->watch;
    css.max_memory = (size_t)(layout_memory(page) / 4);
    const wn_styles *styles = wn_css_compute(page->css, doc, &css, &page->layout_arena);
    wn_buf_free(&loader.url);
    return styles;
}

/* document -> styles -> boxes; false if out of memory or it takes too long */
static bool lay_out(winnow_page *page, wn_api_reading *r, const winnow_options *options)
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
    layout.watch = &page->watch;
    layout.max_memory = (size_t)(layout_memory(page) / 2);
    built->styles = styles;
    built->boxes = styles ? wn_layout_run(page->layout, &r->doc, styles, &layout) : NULL;
    return built->boxes != NULL;
}

/* Gives back what lays pages out, and the boxes that are its own. */
static void forget_engines(winnow_page *page)
{
    wn_css_free(page->css);
    wn_layout_free(page->layout);
    page->css = NULL;
    page->layout = NULL;
    page->tree.text_page.boxes = NULL;
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
    s->request = *request;
    s->judged = built;
    if (by_text && !s->arena.failed)
        wn_selection_cut(&s->verdicts, &s->view, &s->arena);
}

/*
 * A page that does not fit into its memory with all its boxes is read again with fewer nodes, until
 * it fits. Each attempt is a quarter of the one before, so that all together cost little more than
 * the first. NULL when nothing fits.
 */
static wn_api_reading *lay_out_part(winnow_page *page, winnow_selection *s, uint32_t nodes,
                                    const winnow_options *options)
{
    enum { FEWEST_NODES = 64 };
    wn_parse_options parse = page->parse;
    while ((nodes /= 4) >= FEWEST_NODES && !page->watch.over) {
        parse.max_nodes = nodes;
        reset_reading(&s->own, page->max_memory);
        forget_engines(page);
        parse_document(page, &s->own, page->text, &parse);
        build_page(page, &s->own, true);
        s->limited |= page->max_memory ? WINNOW_LIMITED_MEMORY : WINNOW_LIMITED_WORK;
        if (s->own.doc.nodes.count > 0 && lay_out(page, &s->own, options))
            return &s->own;
    }
    return NULL;
}

/* text -> document -> page -> verdicts */
static void select_from_tree(winnow_page *page, winnow_selection *s, const wn_request *request,
                             const winnow_options *options)
{
    const wn_method *method = request->method;
    wn_api_reading *r = read_tree(page, s, method);
    const wn_page *built = r ? build_page(page, r, method->by_text) : NULL;
    if (!built)
        return;
    size_t failures = wn_memory_failures();
    if (method->info.needs_layout && !lay_out(page, r, options)) {
        bool is_limit = wn_memory_failures() == failures; /* and not the end of all memory */
        r = is_limit ? lay_out_part(page, s, r->doc.nodes.count, options) : NULL;
        if (!r) { /* too late is not out of memory: nothing is kept */
            s->arena.failed |= !page->watch.over;
            return;
        }
        built = &r->text_page;
    }
    if (method->info.needs_layout && (built->styles->limited || built->boxes->limited))
        s->limited |= WINNOW_LIMITED_WORK;
    select_blocks(page, s, request, built);
    if (built->failed)
        s->limited |= WINNOW_LIMITED_MEMORY;
}

/* text -> page and verdicts at once, for methods that need no tree */
static void select_from_tokens(winnow_page *page, winnow_selection *s, const wn_request *request)
{
    wn_api_reading *r = &s->own;
    reset_reading(r, page->max_memory);
    wn_page_stream_open(&page->stream, &r->page, &r->doc, &r->arena, page->text);
    page->stream.max_tokens = page->parse.max_nodes;
    page->stream.tok.max_attrs = page->parse.max_attrs;
    page->stream.watch = page->stream.tok.watch = &page->watch;
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

/*
 * A page that shows nothing may contain its text as data: that is read as a separate page, all of
 * which is kept. Metadata is read first, because it is not in the data.
 */
static void select_embedded(winnow_page *page, winnow_selection *s, const wn_request *request)
{
    wn_buf_clear(&page->embedded);
    wn_page_embedded_find(&page->tree.doc, &s->arena, &page->embedded);
    s->arena.failed |= page->embedded.failed;
    if (page->embedded.len == 0 || s->arena.failed)
        return;
    wn_api_metadata(s);
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

/* What is in comments besides what readers wrote: buttons, links such as "Reply". */
static bool is_control(const wn_block *block, int role)
{
    return role == WN_ROLE_COMMENT_SIGN || block->kind == WINNOW_BLOCK_FORM ||
           block->link_bytes * 2 > block->len;
}

/* Keeps or drops blocks by what they are for; only some methods know. */
static void choose_roles(winnow_selection *s, const winnow_options *options)
{
    uint32_t with, without;
    wn_api_read_roles(options->texts[WINNOW_OPTION_WITH], &with);
    wn_api_read_roles(options->texts[WINNOW_OPTION_WITHOUT], &without);
    for (uint32_t i = 0; (with | without) && i < s->verdicts.count; i++) {
        wn_verdict *verdict = &s->verdicts.verdicts[i];
        bool is_comment = wn_selection_role_is_comment(verdict->role);
        uint32_t role = 1u << (is_comment ? WINNOW_ROLE_COMMENT : verdict->role);
        if (verdict->role == WINNOW_ROLE_UNKNOWN)
            continue;
        bool wanted = (with & role) &&
                      !(is_comment && is_control(&s->view.page.blocks.items[i], verdict->role));
        if (without & role && verdict->keep)
            *verdict = (wn_verdict){
                .reason = "its role is not wanted", .role = verdict->role, .post = verdict->post};
        else if (wanted && !verdict->keep)
            *verdict = (wn_verdict){.reason = "its role is wanted",
                                    .keep = true,
                                    .role = verdict->role,
                                    .post = verdict->post};
    }
}

/*
 * Whether roles will be looked at, as far as can be known; who does so without having said it waits
 * longer (wn_api_listing). A model of the caller may be gone by then.
 */
static bool needs_roles(const winnow_options *options)
{
    return options->texts[WINNOW_OPTION_WITH] || options->texts[WINNOW_OPTION_WITHOUT] ||
           wn_api_flag(options, WINNOW_OPTION_EXPLAIN) ||
           wn_api_flag(options, WINNOW_OPTION_BLOCKS) || options->model;
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
    if (!wn_selection_keeps(&s->verdicts) && s->limited & WINNOW_LIMITED_MEMORY)
        return WINNOW_STATUS_NO_MEMORY;
    bool is_early = s->limited & WINNOW_LIMITED_TIME; /* nobody knows what would have come */
    if (!wn_selection_keeps(&s->verdicts) && !is_early)
        return WINNOW_STATUS_EMPTY;
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
    if (!s->arena.failed)
        choose_roles(s, options);
    if (page->watch.late)
        s->limited |= WINNOW_LIMITED_TIME;
    s->status = status_of(page, s);
    if (s->status == WINNOW_STATUS_EMPTY)
        s->limited |= s->verdicts.limited;
    if (s->arena.failed)
        s->verdicts.count = 0;
}

/* How far the tree was made when a selection began. */
typedef struct tree_state {
    bool has_doc, has_page, has_text_page, failed;
} tree_state;

static tree_state tree_state_of(const winnow_page *page)
{
    const wn_api_reading *r = &page->tree;
    return (tree_state){r->has_doc, r->has_page, r->has_text_page, r->arena.failed};
}

/*
 * Memory ran out. What this selection added to the tree may be incomplete: nothing else has used
 * it, and the next selection creates it again.
 */
static void give_up_selection(winnow_selection *s, const tree_state *before)
{
    static const wn_page nothing;
    wn_api_reading *r = &s->owner->tree;
    r->has_doc = before->has_doc;
    r->has_page = before->has_page;
    r->has_text_page = before->has_text_page;
    r->arena.failed = before->failed;
    forget_engines(s->owner);
    wn_page_view_start(&s->view, &nothing);
    s->arena.failed = true;
    s->has_metadata = false;
    s->verdicts = (wn_selection){0};
    s->status = s->owner->watch.cancelled ? WINNOW_STATUS_CANCELLED : WINNOW_STATUS_NO_MEMORY;
}

/* A selection that is free, or a new one; NULL if out of memory. */
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
    s->by_tokens = s->is_embedded = s->has_metadata = s->has_listing = s->has_lists =
        s->has_objects = false;
    return s;
}

winnow_selection *winnow_select(winnow_page *page, const char *method,
                                const winnow_options *options)
{
    if (!page)
        return NULL;
    wn_request request;
    wn_request_problem problem;
    wn_api_work w = wn_api_enter(page);
    winnow_selection *s = NULL;
    tree_state tree = tree_state_of(page);
    options = wn_api_options(options);
    wn_api_error_clear(&page->error);
    wn_request_error error = wn_api_read_request(options, method, &request, &problem);
    if (!error && page->is_plain_text) /* there is no markup to judge by */
        error = wn_api_read_request(options, "all", &request, &problem);
    if (!page->is_parsed)
        wn_api_error_say(&page->error, WINNOW_STATUS_BAD_ARGUMENT,
                         "there is no page; call winnow_parse() first");
    else if (error)
        wn_api_error_of_request(&page->error, wn_str_of(method), error, &problem);
    else if (page->is_broken || !(s = take_selection(page)))
        wn_api_say_no_memory(page);
    if (s) {
        request.noise = options->noise ? &options->noise->words : NULL;
        request.model = options->model ? &options->model->model : &page->model;
        request.explain = s->explain = wn_api_flag(options, WINNOW_OPTION_EXPLAIN);
        request.roles = needs_roles(options);
        request.watch = &page->watch;
        s->method = request.method->info.name;
        select_content(page, s, &request, options);
        if (wn_api_ran_out(&w))
            give_up_selection(s, &tree);
    }
    wn_api_leave(&w);
    return s;
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
