#include "segment/segment.h"

#include "html/encoding.h"
#include "html/sniff.h"

/* The shares of a page's time after which reading and layout end, so that the rest has some. */
static const double READ_SHARE = 0.35, LOOK_SHARE = 0.85;

bool wn_segment_init(wn_segmented *s)
{
    *s = (wn_segmented){.tree = wn_html_tree_new(),
                        .css = wn_css_new(),
                        .layout = wn_layout_new(),
                        .builder = wn_page_builder_new()};
    wn_arena_init(&s->doc_arena, 0);
    wn_arena_init(&s->arena, 0);
    return s->tree && s->css && s->layout && s->builder;
}

void wn_segment_free(wn_segmented *s)
{
    wn_visual_analysis_close(&s->analysis);
    wn_html_tree_free(s->tree);
    wn_css_free(s->css);
    wn_layout_free(s->layout);
    wn_page_builder_free(s->builder);
    wn_doc_free(&s->doc);
    wn_page_free(&s->page);
    wn_arena_free(&s->doc_arena);
    wn_arena_free(&s->arena);
}

/* document -> styles -> boxes -> page; false if out of memory. */
static bool look(wn_segmented *s, const wn_segment_settings *settings)
{
    wn_css_options css = wn_css_defaults;
    wn_layout_options layout = wn_layout_defaults;
    css.width = settings->width;
    css.height = settings->height;
    css.sheets = settings->sheets;
    css.sheet_count = settings->sheet_count;
    css.load = settings->load;
    css.load_data = settings->load_data;
    css.base = settings->base;
    css.watch = layout.watch = &s->watch;
    css.max_memory = (size_t)(settings->max_memory / 4);
    layout.max_memory = (size_t)(settings->max_memory / 2);
    layout.fragments = true;
    layout.max_boxes = WN_VISUAL_MOST_BOXES;
    s->page.wants_texts = true;
    wn_watch_stage(&s->watch, LOOK_SHARE);
    s->page.styles = wn_css_compute(s->css, &s->doc, &css, &s->arena);
    s->page.boxes = s->page.styles ? wn_layout_run(s->layout, &s->doc, s->page.styles, &layout)
                                   : NULL;
    if (!s->page.boxes)
        return false;
    wn_page_build(s->builder, &s->page, &s->doc, &s->watch);
    return !s->page.failed;
}

winnow_status wn_segment(wn_segmented *s, wn_str bytes, const char *charset,
                         const wn_segment_settings *settings)
{
    wn_parse_options parse = wn_parse_defaults;
    parse.max_nodes = wn_visual_most_nodes(settings->max_memory);
    parse.watch = &s->watch;
    wn_watch_start(&s->watch, settings->max_milliseconds, NULL, NULL);
    wn_watch_stage(&s->watch, READ_SHARE);
    s->doc_arena.max = (size_t)(settings->max_memory / 2);
    s->arena.max = (size_t)(settings->max_memory / 4);
    wn_visual_analysis_close(&s->analysis);
    wn_arena_reset(&s->doc_arena);
    wn_arena_reset(&s->arena);
    if (wn_html_sniff_is_binary(bytes))
        return WINNOW_STATUS_NOT_HTML;
    wn_decoded decoded = wn_html_decode_within(&s->doc_arena, bytes, charset, &s->watch);
    s->encoding = decoded.encoding;
    wn_html_tree_parse(s->tree, &s->doc, &s->doc_arena, decoded.text, &parse);
    if (s->doc.nodes.count == 0 || !look(s, settings) ||
        !wn_visual_analysis_open(&s->analysis, &s->page, &settings->evbe, settings->pdoc,
                                 &s->arena))
        return WINNOW_STATUS_NO_MEMORY;
    wn_visual_importance_rate(&s->analysis.tree, settings->importance, &wn_importance_defaults,
                              &s->arena);
    wn_visual_importance_choose(&s->analysis.tree, settings->blocks, &s->arena);
    wn_html_xpaths_start(&s->paths, &s->doc, &s->arena);
    if (s->arena.failed)
        return WINNOW_STATUS_NO_MEMORY;
    bool limited = s->doc.limited & (WN_LIMITED_NODES | WN_LIMITED_MEMORY) ||
                   s->page.boxes->limited || s->watch.late;
    return limited ? WINNOW_STATUS_PARTIAL : WINNOW_STATUS_OK;
}

/* ---- Names ------------------------------------------------------------------------------- */

/* The number of a node among all children of its parent, from 1. */
static uint32_t place_of(const wn_doc *doc, wn_node_id id)
{
    uint32_t place = 1;
    while ((id = wn_doc_node(doc, id)->prev))
        place += wn_doc_node(doc, id)->kind != WN_KIND_DOCTYPE;
    return place;
}

static bool is_cell(const wn_node *node)
{
    return wn_node_is(node, WN_TAG_TD) || wn_node_is(node, WN_TAG_TH);
}

/*
 * The next cell of a table, not of those inside it: sections hold rows, rows hold cells. `id` is
 * the table at first.
 */
static wn_node_id next_cell(const wn_doc *doc, wn_node_id table, wn_node_id id)
{
    id = id == table ? wn_doc_next(doc, table, table) : wn_doc_skip(doc, id, table);
    while (id) {
        wn_node_id row = wn_doc_node(doc, id)->parent, section = wn_doc_node(doc, row)->parent;
        bool deep = row != table && section != table;
        if (deep && is_cell(wn_doc_node(doc, id)))
            return id;
        id = deep ? wn_doc_skip(doc, id, table) : wn_doc_next(doc, id, table);
    }
    return WN_NO_NODE;
}

/*
 * Whether cells of a table are wider or higher than one: then they are not numbered as their
 * columns are.
 */
static bool has_spans(const wn_doc *doc, wn_node_id table)
{
    for (wn_node_id id = table; (id = next_cell(doc, table, id));) {
        const wn_node *node = wn_doc_node(doc, id);
        if (wn_attr_number(wn_node_attr(node, WN_ATTR_COLSPAN), 1) != 1 ||
            wn_attr_number(wn_node_attr(node, WN_ATTR_ROWSPAN), 1) != 1)
            return true;
    }
    return false;
}

/* The cells of a column: by their number, or each by its path. */
static void add_column_xpath(const wn_segmented *s, const wn_vblock *block, wn_buf *out)
{
    const wn_block_tree *tree = &s->analysis.tree;
    wn_vblock_id own = (wn_vblock_id)(block - tree->blocks.items);
    wn_node_id table = block->first;
    size_t start = out->len;
    while (table && !wn_node_is(wn_doc_node(&s->doc, table), WN_TAG_TABLE))
        table = wn_doc_node(&s->doc, table)->parent;
    if (!has_spans(&s->doc, table)) {
        wn_html_xpath_add(&s->paths, table, out);
        wn_buf_add_format(out, "/*/tr/*[%u]", block->column);
        return;
    }
    for (wn_node_id id = table; (id = next_cell(&s->doc, table, id));) {
        if (!wn_visual_vblock_is_in(tree, tree->of[id], own))
            continue;
        wn_buf_add_literal(out, out->len > start ? " | " : "");
        wn_html_xpath_add(&s->paths, id, out);
    }
}

void wn_segment_add_xpath(const wn_segmented *s, const wn_vblock *block, wn_buf *out)
{
    wn_node_id parent = wn_doc_node(&s->doc, block->first)->parent;
    if (block->column) {
        add_column_xpath(s, block, out);
    } else if (block->first == block->last) {
        wn_html_xpath_add(&s->paths, block->first, out);
    } else {
        wn_html_xpath_add(&s->paths, parent, out);
        wn_buf_add_format(out, "/node()[position() >= %u and position() <= %u]",
                          place_of(&s->doc, block->first), place_of(&s->doc, block->last));
    }
}

uint32_t *wn_segment_leaf_numbers(const wn_segmented *s, wn_arena *arena)
{
    const wn_block_tree *tree = &s->analysis.tree;
    uint32_t *numbers = wn_arena_alloc(arena, tree->blocks.count * sizeof *numbers), count = 0;
    if (!numbers)
        return NULL;
    wn_vblock_id id = WN_PAGE_BLOCK;
    numbers[WN_NO_BLOCK] = 0;
    while (id) { /* children before siblings */
        const wn_vblock *block = &tree->blocks.items[id];
        numbers[id] = wn_visual_vblock_is_leaf(block) ? ++count : 0;
        if (block->first_child) {
            id = block->first_child;
            continue;
        }
        while (id && !tree->blocks.items[id].next)
            id = tree->blocks.items[id].parent;
        id = tree->blocks.items[id].next;
    }
    return numbers;
}

uint32_t wn_segment_colour(uint32_t rank)
{
    static const uint32_t colours[] = {0xd55e00, 0x0072b2, 0x009e73, 0xcc79a7, 0xe69f00, 0x56b4e9};
    return colours[(rank - 1) % (sizeof colours / sizeof *colours)];
}
