/*
 * The driver: calls the stages one after the other. Read run_stages() to see
 * what winnow does; everything above it serves one stage, everything below is
 * the public interface.
 */
#include "winnow.h"

#include <stdlib.h>

#include "base/arena.h"
#include "extract/method.h"
#include "html/encoding.h"
#include "html/sniff.h"
#include "html/tree.h"
#include "page/builder.h"
#include "page/links.h"
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
    wn_page_builder *builder;
    wn_stream stream; /* in place of tree and builder, for methods that need neither */
    wn_page page;
    wn_selection selection;
    wn_buf text, json;
    winnow_result result;
};

/* ---- Stages ------------------------------------------------------------------------------ */

/* Shares the memory limit out: strings and nodes need most. */
static void set_memory_limit(winnow_context *c, uint64_t memory)
{
    c->doc_arena.max = (size_t)(memory / 2);
    c->page.text.max = (size_t)(memory / 8);
}

static wn_parse_options parse_options(const winnow_limits *limits)
{
    wn_parse_options parse = wn_parse_defaults;
    parse.max_nodes = limits->nodes;
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

/* text -> document -> page */
static void build_page(winnow_context *c, wn_str text, const wn_parse_options *parse,
                       const wn_request *request)
{
    wn_tree_parse(c->tree, &c->doc, &c->doc_arena, text, parse);
    c->result.limited |= public_limits(c->doc.limited);
    c->page.wants_texts = request->method->by_text;
    if (c->doc.nodes.count > 0)
        wn_page_build(c->builder, &c->page, &c->doc);
    else
        c->work_arena.failed = true;
}

/* Makes blocks of which each has one verdict, from verdicts on single texts. */
static void cut_by_text(winnow_context *c)
{
    wn_verdict *verdicts = c->selection.verdicts;
    const char **places = c->selection.places;
    uint32_t texts = c->selection.count, count = 0;
    for (uint32_t i = 1; i < texts; i++)
        count += verdicts[i].keep != verdicts[i - 1].keep;
    uint32_t *cuts = wn_arena_alloc(&c->work_arena, (count + 1) * sizeof *cuts);
    for (uint32_t i = 1, made = 0; cuts && made < count; i++)
        if (verdicts[i].keep != verdicts[i - 1].keep)
            cuts[made++] = c->page.texts.items[i].start;
    uint32_t *starts = cuts ? wn_page_cut(&c->page, cuts, count, &c->work_arena) : NULL;
    /* A block has at least one text, so the verdicts can be moved forward in their place. */
    uint32_t blocks = starts && c->page.blocks.count <= texts ? c->page.blocks.count : 0;
    for (uint32_t i = 0, text = 0; i < blocks; i++) {
        while (text + 1 < texts && c->page.texts.items[text + 1].start <= starts[i])
            text++;
        verdicts[i] = verdicts[text];
        if (places)
            places[i] = places[text];
    }
    c->selection.count = c->page.blocks.count = blocks;
    c->work_arena.failed |= !starts;
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
        cut_by_text(c);
}

/* text -> page and selection, for methods that need no tree */
static void read_tokens(winnow_context *c, wn_str text, const wn_parse_options *parse,
                        const wn_request *request)
{
    wn_stream_open(&c->stream, &c->page, &c->doc, &c->doc_arena, text);
    c->stream.max_tokens = parse->max_nodes;
    c->stream.tok.max_attrs = parse->max_attrs;
    request->method->read(&c->stream, request, &c->work_arena, &c->selection);
    if (c->stream.tok.attrs_dropped)
        c->result.limited |= WINNOW_LIMITED_ATTRIBUTES;
    if (c->stream.limited)
        c->result.limited |= WINNOW_LIMITED_NODES;
}

/* ---- The result -------------------------------------------------------------------------- */

static const char *c_string(winnow_context *c, wn_str s)
{
    char *copy = wn_arena_bytes(&c->work_arena, s.len + 1);
    if (!copy)
        return "";
    memcpy(copy, s.ptr, s.len);
    copy[s.len] = '\0';
    return copy;
}

/* Where a block stands, from the body down: "body > div#main > p". */
static const char *path_of(winnow_context *c, wn_node_id id)
{
    enum { MOST_STEPS = 12 };
    wn_node_id steps[MOST_STEPS];
    int count = 0;
    for (; id > WN_DOCUMENT_NODE && count < MOST_STEPS; id = wn_doc_node(&c->doc, id)->parent)
        if (wn_doc_node(&c->doc, id)->kind == WN_KIND_ELEMENT)
            steps[count++] = id;
    wn_buf path = {0};
    if (id > WN_DOCUMENT_NODE)
        wn_buf_add_literal(&path, "… > ");
    while (count-- > 0) {
        const wn_node *node = wn_doc_node(&c->doc, steps[count]);
        wn_str name_id = wn_node_attr_value(node, WN_ATTR_ID);
        wn_str classes = wn_str_trim(wn_node_attr_value(node, WN_ATTR_CLASS));
        wn_buf_add(&path, wn_node_name(node));
        if (name_id.len > 0)
            wn_buf_add_char(&path, '#'), wn_buf_add(&path, name_id);
        for (size_t i = 0; i < classes.len; i++) {
            bool starts = i == 0 || wn_is_space(classes.ptr[i - 1]);
            if (starts && !wn_is_space(classes.ptr[i]))
                wn_buf_add_char(&path, '.');
            if (!wn_is_space(classes.ptr[i]))
                wn_buf_add_char(&path, classes.ptr[i]);
        }
        if (count > 0)
            wn_buf_add_literal(&path, " > ");
    }
    const char *copy = c_string(c, wn_buf_str(&path));
    wn_buf_free(&path);
    return copy;
}

static uint32_t public_level(const wn_block *block)
{
    switch (block->kind) {
    case WINNOW_HEADING:
        return block->level;
    case WINNOW_LIST_ITEM:
        return block->list_depth;
    case WINNOW_QUOTE:
        return block->quote_depth;
    default:
        return 0;
    }
}

static void list_blocks(winnow_context *c, bool explain)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->selection.count; i++)
        kept += explain || c->selection.verdicts[i].keep;
    winnow_block *blocks = wn_arena_alloc(&c->work_arena, kept * sizeof *blocks);
    c->result.blocks = blocks;
    for (uint32_t i = 0; blocks && i < c->selection.count; i++) {
        const wn_block *block = &c->page.blocks.items[i];
        const wn_verdict *verdict = &c->selection.verdicts[i];
        if (!explain && !verdict->keep)
            continue;
        blocks[c->result.block_count++] = (winnow_block){
            .text = c->page.text.ptr + block->text,
            .size = block->len,
            .kind = (winnow_block_kind)block->kind,
            .level = public_level(block),
            .table = block->table,
            .row = block->row,
            .column = block->column,
            .kept = verdict->keep,
            .reason = explain ? verdict->reason : NULL,
            .path = !explain                 ? NULL
                    : c->selection.places[i] ? c->selection.places[i]
                                             : path_of(c, block->node),
        };
    }
}

/* Calls for every link in a kept block; returns how many there are. With `out` they are written. */
static size_t visit_links(winnow_context *c, wn_str base, winnow_link *out)
{
    size_t count = 0;
    wn_buf url = {0};
    for (uint32_t i = 0; i < c->selection.count; i++) {
        const wn_block *block = &c->page.blocks.items[i];
        if (!c->selection.verdicts[i].keep)
            continue;
        for (uint32_t k = 0; k < block->span_count; k++) {
            const wn_span *span = &c->page.spans.items[block->first_span + k];
            const wn_node *a = wn_doc_node(&c->doc, span->node);
            if (span->kind != WN_SPAN_LINK || !wn_links_target(&url, base, a))
                continue;
            wn_str text = wn_str_from(c->page.text.ptr + span->start, span->end - span->start);
            if (out)
                out[count] = (winnow_link){c_string(c, wn_buf_str(&url)), c_string(c, text)};
            count++;
        }
    }
    wn_buf_free(&url);
    return count;
}

static void list_links(winnow_context *c, const char *page_url)
{
    wn_buf base = {0};
    wn_links_base(&base, &c->doc, page_url);
    size_t count = visit_links(c, wn_buf_str(&base), NULL);
    winnow_link *links = wn_arena_alloc(&c->work_arena, (count + 1) * sizeof *links);
    if (links)
        c->result.link_count = visit_links(c, wn_buf_str(&base), links);
    c->result.links = links;
    wn_buf_free(&base);
}

static void write_result(winnow_context *c, const winnow_options *options)
{
    wn_writer_for(options->format)(&c->text, &c->page, &c->selection, options);
    c->result.text = wn_buf_c_string(&c->text);
    c->result.size = c->text.len;
}

static void write_json_result(winnow_context *c, const winnow_options *options)
{
    wn_record record = {.url = options->url, .ms = -1};
    bool blocks = options->blocks || options->explain;
    wn_write_json(&c->json, &c->result, wn_buf_str(&c->text), &record, blocks);
    c->result.text = wn_buf_c_string(&c->json);
    c->result.size = c->json.len;
}

static winnow_status status_of(const winnow_context *c)
{
    if (c->work_arena.failed || c->text.failed || c->json.failed)
        return WINNOW_NO_MEMORY;
    if (c->selection.too_large)
        return WINNOW_TOO_LARGE;
    if (c->text.len == 0)
        return c->result.limited & WINNOW_LIMITED_MEMORY ? WINNOW_NO_MEMORY : WINNOW_EMPTY;
    return c->result.limited ? WINNOW_PARTIAL : WINNOW_OK;
}

static void start_result(winnow_context *c, const char *method)
{
    wn_arena_reset(&c->doc_arena);
    wn_arena_reset(&c->work_arena);
    wn_buf_clear(&c->text);
    wn_buf_clear(&c->json);
    c->selection = (wn_selection){0};
    c->result = (winnow_result){
        .text = "", .title = "", .language = "", .encoding = "", .method = method,
    };
}

/* ---- The pipeline ------------------------------------------------------------------------ */

/* bytes -> document -> page -> selection -> output; or from tokens to the selection at once */
static winnow_status run_stages(winnow_context *c, wn_str bytes, const winnow_options *options,
                                const wn_request *request)
{
    winnow_result *result = &c->result;
    wn_parse_options parse = parse_options(&options->limits);
    bytes = cut_to_limit(bytes, options->limits.bytes, &result->limited);
    if (wn_sniff_is_binary(bytes))
        return WINNOW_NOT_HTML;

    wn_decoded decoded = wn_decode(&c->doc_arena, bytes, options->charset);
    result->encoding = decoded.encoding;
    if (request->method->read)
        read_tokens(c, decoded.text, &parse, request);
    else
        build_page(c, decoded.text, &parse, request);
    if (request->method->select && !c->work_arena.failed)
        select_blocks(c, request);
    if (c->work_arena.failed)
        return WINNOW_NO_MEMORY;
    if (c->page.failed)
        result->limited |= WINNOW_LIMITED_MEMORY;
    result->title = c_string(c, c->page.title);
    result->language = c_string(c, c->page.language);

    if (options->blocks || options->explain)
        list_blocks(c, options->explain);
    if (options->links)
        list_links(c, options->url);
    write_result(c, options);
    if (bytes.len > 0 && !wn_sniff_has_markup(decoded.text))
        return WINNOW_NOT_HTML;
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
    request.explain = options->explain;
    set_memory_limit(context, options->limits.memory);
    start_result(context, request.method ? request.method->name : "");
    wn_str bytes = wn_str_from(html ? html : "", html ? size : 0);
    context->result.status =
        error == WN_REQUEST_OK       ? run_stages(context, bytes, options, &request)
        : error == WN_UNKNOWN_METHOD ? WINNOW_UNKNOWN_METHOD
                                     : WINNOW_BAD_PARAMETER;
    if (options->format == WINNOW_FORMAT_JSON)
        write_json_result(context, options);
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
    if (!c->tree || !c->builder) {
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
    wn_page_builder_free(c->builder);
    wn_stream_free(&c->stream);
    wn_doc_free(&c->doc);
    wn_page_free(&c->page);
    wn_buf_free(&c->text);
    wn_buf_free(&c->json);
    wn_arena_free(&c->doc_arena);
    wn_arena_free(&c->work_arena);
    free(c);
}

size_t winnow_context_memory(const winnow_context *c)
{
    return sizeof *c + c->doc_arena.reserved + c->work_arena.reserved + wn_tree_memory(c->tree) +
           wn_page_builder_memory(c->builder) + wn_array_bytes(&c->doc.nodes) +
           wn_page_memory(&c->page) + wn_stream_memory(&c->stream) + c->text.cap + c->json.cap;
}

/* ---- The easy call ----------------------------------------------------------------------- */

char *winnow_extract(const void *html, size_t size)
{
    winnow_context *context = winnow_context_new();
    if (!context)
        return NULL;
    const winnow_result *result = winnow_run(context, html, size, NULL);
    char *text = result->status == WINNOW_NO_MEMORY ? NULL : malloc(result->size + 1);
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
    case WINNOW_OK:
        return "ok";
    case WINNOW_EMPTY:
        return "empty";
    case WINNOW_PARTIAL:
        return "partial";
    case WINNOW_NOT_HTML:
        return "not-html";
    case WINNOW_UNKNOWN_METHOD:
        return "unknown-method";
    case WINNOW_NO_MEMORY:
        return "no-memory";
    case WINNOW_BAD_PARAMETER:
        return "bad-parameter";
    case WINNOW_TOO_LARGE:
        return "too-large";
    }
    return "unknown";
}

const char *winnow_block_kind_name(winnow_block_kind kind)
{
    static const char *const names[] = {
        [WINNOW_PARAGRAPH] = "paragraph", [WINNOW_HEADING] = "heading",
        [WINNOW_LIST_ITEM] = "list-item", [WINNOW_TERM] = "term",
        [WINNOW_DETAIL] = "detail",       [WINNOW_CELL] = "cell",
        [WINNOW_CODE] = "code",           [WINNOW_QUOTE] = "quote",
        [WINNOW_CAPTION] = "caption",     [WINNOW_FORM] = "form",
    };
    return (size_t)kind < sizeof names / sizeof *names ? names[kind] : "unknown";
}

const char *winnow_version(void)
{
    return STRINGIFY(WINNOW_VERSION_MAJOR) "." STRINGIFY(WINNOW_VERSION_MINOR) "." STRINGIFY(
        WINNOW_VERSION_PATCH);
}
