/*
 * The driver: calls the stages one after the other. Read run_stages() to see
 * what winnow does; everything above it serves one stage, everything below is
 * the public interface.
 */
#include "winnow.h"

#include <stdlib.h>

#include "auto/model.h"
#include "auto/page_type.h"
#include "base/arena.h"
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
#include "visual/analysis.h"
#include "write/listing.h"
#include "write/write.h"

#define STRINGIFY_(x) #x
#define STRINGIFY(x) STRINGIFY_(x)

enum {
    DEFAULT_MAX_BYTES = 256 << 20,
    LARGEST_PAGE = 0x7FFFFFFF, /* offsets have 32 bits, and decoding may add bytes */
};

struct winnow_context {
    wn_arena doc_arena;  /* strings of the document */
    wn_arena work_arena; /* what comes after it: it must not fail because the page was large */
    wn_tree *tree;
    wn_doc doc;
    wn_css *css;       /* for methods that look: made when the first one is asked for */
    wn_layout *layout; /* the same */
    wn_page_builder *builder;
    wn_metadata_reader *metadata;
    wn_page_stream stream; /* in place of tree and builder, for methods that need neither */
    wn_page page;
    wn_selection selection;
    wn_buf text, json;
    wn_buf buried; /* HTML of a page that was found in its data */
    winnow_result result;
    wn_auto_model model;     /* of "auto" */
    const void *model_bytes; /* what it was read from; NULL: the library's own */
};

/* ---- Stages ------------------------------------------------------------------------------ */

/* Shares the memory limit out: strings and nodes need most. */
static void set_memory_limit(winnow_context *c, uint64_t memory)
{
    c->doc_arena.max = (size_t)(memory / 2);
    c->page.text.max = (size_t)(memory / 8);
}

static wn_parse_options parse_options(const winnow_limits *limits, bool looks)
{
    wn_parse_options parse = wn_parse_defaults;
    parse.max_nodes = limits->nodes;
    if (looks && (parse.max_nodes == 0 || parse.max_nodes > WN_VISUAL_MOST_NODES))
        parse.max_nodes = WN_VISUAL_MOST_NODES;
    parse.max_depth = limits->depth;
    parse.max_attrs = limits->attributes;
    uint64_t most_nodes = limits->memory / 4 / sizeof(wn_node);
    if (limits->memory && (parse.max_nodes == 0 || parse.max_nodes > most_nodes))
        parse.max_nodes = (uint32_t)(most_nodes < 16 ? 16 : most_nodes);
    return parse;
}

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

static unsigned public_limits(unsigned limited)
{
    return (limited & WN_LIMITED_NODES ? WINNOW_LIMITED_NODES : 0u) |
           (limited & WN_LIMITED_DEPTH ? WINNOW_LIMITED_DEPTH : 0u) |
           (limited & WN_LIMITED_ATTRS ? WINNOW_LIMITED_ATTRIBUTES : 0u) |
           (limited & WN_LIMITED_MEMORY ? WINNOW_LIMITED_MEMORY : 0u);
}

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
    winnow_sheet loaded = {.url = address};
    if (!loader->options->load_sheet(loader->options->load_data, address, &loaded))
        return false;
    *sheet = css_sheet(&loaded);
    if (!loaded.url || loaded.url == address)
        sheet->url = url;
    return true;
}

/* Styles as the options want them; NULL when memory is out. */
static const wn_styles *compute_styles(winnow_context *c, const winnow_options *options)
{
    wn_css_options css = wn_css_defaults;
    sheet_loader loader = {.options = options};
    wn_css_sheet *sheets = wn_arena_alloc(&c->work_arena,
                                          (options->sheet_count + 1) * sizeof *sheets);
    if (!sheets)
        return NULL;
    for (size_t i = 0; i < options->sheet_count; i++)
        sheets[i] = css_sheet(&options->sheets[i]);
    css.sheets = sheets;
    css.sheet_count = options->sheet_count;
    css.base = wn_str_of(options->sheet_base ? options->sheet_base : options->url);
    css.load = options->load_sheet ? load_sheet : NULL;
    css.load_data = &loader;
    const wn_styles *styles = wn_css_compute(c->css, &c->doc, &css, &c->work_arena);
    wn_buf_free(&loader.url);
    return styles;
}

/* document -> styles -> boxes */
static void look(winnow_context *c, const winnow_options *options)
{
    if (!c->css)
        c->css = wn_css_new();
    if (!c->layout)
        c->layout = wn_layout_new();
    const wn_styles *styles = c->css ? compute_styles(c, options) : NULL;
    wn_layout_options layout = wn_layout_defaults;
    layout.max_boxes = WN_VISUAL_MOST_BOXES;
    const wn_boxes *boxes = styles && c->layout ? wn_layout_run(c->layout, &c->doc, styles, &layout)
                                                : NULL;
    c->page.styles = styles;
    c->page.boxes = boxes;
    c->work_arena.failed |= !boxes;
}

/* text -> document (-> styles, boxes) -> page */
static void build_page(winnow_context *c, wn_str text, const wn_parse_options *parse,
                       const winnow_options *options, const wn_request *request)
{
    wn_tree_parse(c->tree, &c->doc, &c->doc_arena, text, parse);
    c->result.limited |= public_limits(c->doc.limited);
    c->page.wants_texts = request->method->by_text;
    c->page.wants_formatting = options->formatting;
    c->page.wants_images = options->images;
    c->page.styles = NULL;
    c->page.boxes = NULL;
    if (c->doc.nodes.count == 0) {
        c->work_arena.failed = true;
        return;
    }
    if (request->method->needs_layout)
        look(c, options);
    wn_page_build(c->builder, &c->page, &c->doc);
}

/* page -> selection */
static void select_blocks(winnow_context *c, const wn_request *request)
{
    bool by_text = request->method->by_text;
    uint32_t count = by_text ? c->page.texts.count : c->page.blocks.count;
    if (!wn_selection_start(&c->selection, &c->work_arena, count, request->explain))
        return;
    request->method->select(&c->page, request, &c->work_arena, &c->selection);
    if (by_text && !c->work_arena.failed)
        wn_selection_cut(&c->selection, &c->page, &c->work_arena);
}

/*
 * A page that shows nothing may carry its text as data: that is read as a page of its own, all of
 * which is kept.
 */
static void dig(winnow_context *c, const wn_parse_options *parse, const winnow_options *options,
                const wn_request *request)
{
    wn_buf_clear(&c->buried);
    wn_page_embedded_find(&c->doc, &c->work_arena, &c->buried);
    if (c->buried.len == 0 || c->work_arena.failed)
        return;
    build_page(c, wn_buf_str(&c->buried), parse, options, request);
    if (c->work_arena.failed ||
        !wn_selection_start(&c->selection, &c->work_arena, c->page.blocks.count, request->explain))
        return;
    for (uint32_t i = 0; i < c->selection.count; i++)
        c->selection.verdicts[i] = (wn_verdict){.reason = "found in the page's data", .keep = true};
}

/* text -> page and selection, for methods that need no tree */
static void read_tokens(winnow_context *c, wn_str text, const wn_parse_options *parse,
                        const wn_request *request)
{
    wn_page_stream_open(&c->stream, &c->page, &c->doc, &c->doc_arena, text);
    c->stream.max_tokens = parse->max_nodes;
    c->stream.tok.max_attrs = parse->max_attrs;
    request->method->read(&c->stream, request, &c->work_arena, &c->selection);
    if (c->stream.tok.attrs_dropped)
        c->result.limited |= WINNOW_LIMITED_ATTRIBUTES;
    if (c->stream.limited)
        c->result.limited |= WINNOW_LIMITED_NODES;
}

/* document and page -> metadata */
static void read_metadata(winnow_context *c, const winnow_options *options,
                          const wn_request *request)
{
    winnow_result *result = &c->result;
    if (request->method->read)
        wn_metadata_of_tokens(&c->page, &c->work_arena, &result->metadata);
    else
        wn_metadata_read(c->metadata, &c->page, options->url, options->explain, &c->work_arena,
                         &result->metadata);
    result->title = result->metadata.title;
    result->language = result->metadata.language;
}

/* Of a table that only makes columns the text stays. */
static void drop_tables(winnow_context *c)
{
    for (uint32_t i = 0; i < c->selection.count; i++)
        if (c->page.blocks.items[i].table)
            c->selection.verdicts[i] = (wn_verdict){.reason = "in a table"};
}

/* ---- The result -------------------------------------------------------------------------- */

static void write_result(winnow_context *c, const winnow_options *options)
{
    wn_writer_for(options->format)(&c->text, &c->page, &c->selection, options);
    c->result.text = wn_buf_c_string(&c->text);
    c->result.size = c->text.len;
}

static void write_json_result(winnow_context *c, const winnow_options *options)
{
    wn_record record = {.id = options->id, .url = options->url, .ms = -1};
    bool blocks = options->blocks || options->explain;
    wn_write_json(&c->json, &c->result, wn_buf_str(&c->text), &record, blocks);
    c->result.text = wn_buf_c_string(&c->json);
    c->result.size = c->json.len;
}

/* Puts what is known of the page around the elements of its text. */
static void write_document(winnow_context *c, const winnow_options *options,
                           wn_document_writer *writer)
{
    wn_record record = {.id = options->id, .url = options->url, .ms = -1};
    writer(&c->json, &c->result, wn_buf_str(&c->text), &record);
    c->result.text = wn_buf_c_string(&c->json);
    c->result.size = c->json.len;
}

/* Puts the metadata before the text. */
static void write_front_matter(winnow_context *c)
{
    wn_write_front_matter(&c->json, &c->result.metadata);
    if (c->text.len > 0)
        wn_buf_add_char(&c->json, '\n');
    wn_buf_add(&c->json, wn_buf_str(&c->text));
    c->result.text = wn_buf_c_string(&c->json);
    c->result.size = c->json.len;
}

/* The model that is asked for is read when it is another than for the last page. */
static bool choose_model(winnow_context *c, const winnow_options *options)
{
    if (options->model == c->model_bytes)
        return true;
    c->model_bytes = options->model;
    if (!options->model) {
        wn_auto_model_default(&c->model, WN_ROW_SIZES);
        return true;
    }
    if (wn_auto_model_read(&c->model, wn_str_from(options->model, options->model_size),
                           WN_ROW_SIZES))
        return true;
    wn_auto_model_default(&c->model, WN_ROW_SIZES);
    c->model_bytes = NULL;
    return false;
}

/* What the method says of the page as a whole. */
static void take_judgement(winnow_context *c)
{
    c->result.page_type = (winnow_page_type)c->selection.page_type;
    c->result.confidence = c->selection.confidence / (double)WN_LOGIT_ONE;
}

static winnow_status status_of(const winnow_context *c)
{
    if (c->work_arena.failed || c->text.failed || c->json.failed)
        return WINNOW_STATUS_NO_MEMORY;
    if (c->selection.too_large)
        return WINNOW_STATUS_TOO_LARGE;
    if (c->selection.needs_collection)
        return WINNOW_STATUS_NEEDS_COLLECTION;
    if (c->text.len == 0)
        return c->result.limited & WINNOW_LIMITED_MEMORY ? WINNOW_STATUS_NO_MEMORY : WINNOW_STATUS_EMPTY;
    return c->result.limited ? WINNOW_STATUS_PARTIAL : WINNOW_STATUS_OK;
}

static void start_result(winnow_context *c, const char *method)
{
    wn_arena_reset(&c->doc_arena);
    wn_arena_reset(&c->work_arena);
    wn_buf_clear(&c->text);
    wn_buf_clear(&c->json);
    c->selection = (wn_selection){0};
    c->result = (winnow_result){
        .text = "",
        .title = "",
        .language = "",
        .encoding = "",
        .method = method,
        .metadata = wn_no_metadata,
    };
}

/* ---- The pipeline ------------------------------------------------------------------------ */

/*
 * bytes -> document (-> styles -> boxes, for methods that look) -> page -> selection -> output;
 * or from tokens to the selection at once
 */
static winnow_status run_stages(winnow_context *c, wn_str bytes, const winnow_options *options,
                                const wn_request *request)
{
    winnow_result *result = &c->result;
    wn_parse_options parse = parse_options(&options->limits, request->method->needs_layout);
    bytes = cut_to_limit(bytes, options->limits.bytes, &result->limited);
    if (wn_sniff_is_binary(bytes))
        return WINNOW_STATUS_NOT_HTML;

    wn_decoded decoded = wn_decode(&c->doc_arena, bytes, options->charset);
    result->encoding = decoded.encoding;
    if (request->method->read)
        read_tokens(c, decoded.text, &parse, request);
    else
        build_page(c, decoded.text, &parse, options, request);
    if (request->method->select && !c->work_arena.failed)
        select_blocks(c, request);
    if (c->work_arena.failed)
        return WINNOW_STATUS_NO_MEMORY;
    if (c->page.failed)
        result->limited |= WINNOW_LIMITED_MEMORY;
    if (options->site)
        wn_page_site_drop(options->site, &c->page, &c->selection);
    wn_page_permalinks_drop(&c->page, &c->selection);
    take_judgement(c);
    read_metadata(c, options, request);

    if (request->method->reads_embedded && !wn_selection_keeps(&c->selection))
        dig(c, &parse, options, request);

    if (options->no_tables)
        drop_tables(c);
    if (options->blocks || options->explain)
        wn_list_blocks(result, &c->page, &c->selection, options->explain, &c->work_arena);
    if (options->links)
        wn_list_links(result, &c->page, &c->selection, options->url, &c->work_arena);
    write_result(c, options);
    if (bytes.len > 0 && !wn_sniff_has_markup(decoded.text))
        return WINNOW_STATUS_NOT_HTML;
    return status_of(c);
}

const winnow_result *winnow_run(winnow_context *context, const void *html, size_t size,
                                const winnow_options *options)
{
    winnow_options defaults;
    if (!options) {
        winnow_options_init(&defaults);
        options = &defaults;
    }
    wn_request request;
    const char *method = options->method ? options->method : "auto";
    wn_request_error error = wn_request_parse(&request, wn_str_of(method), NULL);
    request.footer_words = options->footer_words;
    request.stop_words = options->stop_words;
    request.noise_words = options->noise_words;
    request.model = &context->model;
    request.explain = options->explain;
    set_memory_limit(context, options->limits.memory);
    start_result(context, request.method ? request.method->name : "");
    wn_str bytes = wn_str_from(html ? html : "", html ? size : 0);
    if (error != WN_REQUEST_OK)
        context->result.status = error == WN_UNKNOWN_METHOD ? WINNOW_STATUS_UNKNOWN_METHOD
                                                            : WINNOW_STATUS_BAD_PARAMETER;
    else if (!choose_model(context, options))
        context->result.status = WINNOW_STATUS_BAD_MODEL;
    else
        context->result.status = run_stages(context, bytes, options, &request);
    wn_document_writer *writer = wn_document_writer_for(options->format);
    if (options->format == WINNOW_FORMAT_JSON)
        write_json_result(context, options);
    else if (writer)
        write_document(context, options, writer);
    else if (options->metadata)
        write_front_matter(context);
    return &context->result;
}

/* ---- Contexts ---------------------------------------------------------------------------- */

winnow_context *winnow_context_new(void)
{
    winnow_context *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    wn_arena_init(&c->doc_arena, 0);
    wn_arena_init(&c->work_arena, 0);
    c->tree = wn_tree_new();
    c->builder = wn_page_builder_new();
    c->metadata = wn_metadata_reader_new();
    wn_auto_model_default(&c->model, WN_ROW_SIZES);
    if (!c->tree || !c->builder || !c->metadata || !c->model.constants) {
        winnow_context_free(c);
        return NULL;
    }
    return c;
}

void winnow_context_free(winnow_context *c)
{
    if (!c)
        return;
    wn_tree_free(c->tree);
    wn_css_free(c->css);
    wn_layout_free(c->layout);
    wn_page_builder_free(c->builder);
    wn_metadata_reader_free(c->metadata);
    wn_page_stream_free(&c->stream);
    wn_doc_free(&c->doc);
    wn_page_free(&c->page);
    wn_buf_free(&c->text);
    wn_buf_free(&c->json);
    wn_buf_free(&c->buried);
    wn_arena_free(&c->doc_arena);
    wn_arena_free(&c->work_arena);
    free(c);
}

size_t winnow_context_memory(const winnow_context *c)
{
    return sizeof *c + c->buried.cap + c->doc_arena.reserved + c->work_arena.reserved +
           wn_tree_memory(c->tree) + wn_page_builder_memory(c->builder) +
           wn_array_bytes(&c->doc.nodes) + (c->css ? wn_css_memory(c->css) : 0) +
           (c->layout ? wn_layout_memory(c->layout) : 0) + wn_page_memory(&c->page) +
           wn_page_stream_memory(&c->stream) + wn_metadata_reader_memory(c->metadata) +
           c->text.cap + c->json.cap;
}

/* ---- The easy call ----------------------------------------------------------------------- */

char *winnow_extract(const void *html, size_t size)
{
    winnow_context *context = winnow_context_new();
    if (!context)
        return NULL;
    const winnow_result *result = winnow_run(context, html, size, NULL);
    char *text = result->status == WINNOW_STATUS_NO_MEMORY ? NULL : malloc(result->size + 1);
    if (text)
        memcpy(text, result->text, result->size + 1);
    winnow_context_free(context);
    return text;
}

void winnow_free(char *text)
{
    free(text);
}

/* ---- Options and names ------------------------------------------------------------------- */

void winnow_options_init(winnow_options *options)
{
    *options = (winnow_options){
        .method = "auto",
        .format = WINNOW_FORMAT_TEXT,
        .limits =
            {
                .bytes = DEFAULT_MAX_BYTES,
                .nodes = wn_parse_defaults.max_nodes,
                .depth = wn_parse_defaults.max_depth,
                .attributes = wn_parse_defaults.max_attrs,
            },
    };
}

static const wn_method *method_at(size_t index)
{
    for (const wn_method *method = wn_methods; method->name; method++)
        if (index-- == 0)
            return method;
    return NULL;
}

const char *winnow_method_name(size_t index)
{
    const wn_method *method = method_at(index);
    return method ? method->name : NULL;
}

const char *winnow_method_summary(size_t index)
{
    const wn_method *method = method_at(index);
    return method ? method->summary : NULL;
}

const char *winnow_status_name(winnow_status status)
{
    switch (status) {
    case WINNOW_STATUS_OK:
        return "ok";
    case WINNOW_STATUS_EMPTY:
        return "empty";
    case WINNOW_STATUS_PARTIAL:
        return "partial";
    case WINNOW_STATUS_NOT_HTML:
        return "not-html";
    case WINNOW_STATUS_UNKNOWN_METHOD:
        return "unknown-method";
    case WINNOW_STATUS_NO_MEMORY:
        return "no-memory";
    case WINNOW_STATUS_BAD_PARAMETER:
        return "bad-parameter";
    case WINNOW_STATUS_TOO_LARGE:
        return "too-large";
    case WINNOW_STATUS_BAD_MODEL:
        return "bad-model";
    case WINNOW_STATUS_NEEDS_COLLECTION:
        return "needs-collection";
    }
    return "unknown";
}

const char *winnow_page_type_name(winnow_page_type type)
{
    static const char *const names[] = {
        [WINNOW_PAGE_TYPE_ARTICLE] = "article", [WINNOW_PAGE_TYPE_FORUM] = "forum",
        [WINNOW_PAGE_TYPE_PRODUCT] = "product", [WINNOW_PAGE_TYPE_COLLECTION] = "collection",
        [WINNOW_PAGE_TYPE_LISTING] = "listing", [WINNOW_PAGE_TYPE_DOCUMENTATION] = "documentation",
        [WINNOW_PAGE_TYPE_SERVICE] = "service",
    };
    return (size_t)type < sizeof names / sizeof *names ? names[type] : NULL;
}

const char *winnow_block_kind_name(winnow_block_kind kind)
{
    static const char *const names[] = {
        [WINNOW_BLOCK_PARAGRAPH] = "paragraph", [WINNOW_BLOCK_HEADING] = "heading",
        [WINNOW_BLOCK_LIST_ITEM] = "list-item", [WINNOW_BLOCK_TERM] = "term",
        [WINNOW_BLOCK_DETAIL] = "detail",       [WINNOW_BLOCK_CELL] = "cell",
        [WINNOW_BLOCK_CODE] = "code",           [WINNOW_BLOCK_QUOTE] = "quote",
        [WINNOW_BLOCK_CAPTION] = "caption",     [WINNOW_BLOCK_FORM] = "form",
    };
    return (size_t)kind < sizeof names / sizeof *names ? names[kind] : "unknown";
}

const char *winnow_version(void)
{
    return STRINGIFY(WINNOW_VERSION_MAJOR) "." STRINGIFY(WINNOW_VERSION_MINOR) "." STRINGIFY(
        WINNOW_VERSION_PATCH);
}
