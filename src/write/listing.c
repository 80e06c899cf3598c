#include "write/listing.h"

#include "page/links.h"

/* ---- Where a block stands ---------------------------------------------------------------- */

enum {
    MOST_STEPS = 12,   /* of a path; the ones nearest to the root are left out */
    LONGEST_NAME = 48, /* bytes of an id or of all classes that are shown */
};

/* As much of an attribute as is shown, whole characters. */
static wn_str shown(wn_str name)
{
    name = wn_str_trim(name);
    if (name.len > LONGEST_NAME)
        for (name.len = LONGEST_NAME; (name.ptr[name.len] & 0xC0) == 0x80;)
            name.len--;
    return name;
}

/* One step of a path, as a selector: "div#main.wide". */
static void add_step(wn_buf *path, const wn_node *element)
{
    wn_str id = shown(wn_node_attr_value(element, WN_ATTR_ID));
    wn_str classes = shown(wn_node_attr_value(element, WN_ATTR_CLASS));
    wn_buf_add(path, shown(wn_node_name(element)));
    if (id.len > 0) {
        wn_buf_add_char(path, '#');
        wn_buf_add(path, id);
    }
    for (size_t i = 0; i < classes.len; i++) {
        if (wn_is_space(classes.ptr[i]))
            continue;
        if (i == 0 || wn_is_space(classes.ptr[i - 1]))
            wn_buf_add_char(path, '.');
        wn_buf_add_char(path, classes.ptr[i]);
    }
}

/* From the body down: "body > div#main > p". */
static const char *path_of(const wn_doc *doc, wn_node_id id, wn_arena *arena)
{
    wn_node_id steps[MOST_STEPS];
    int count = 0;
    for (; id > WN_DOCUMENT_NODE && count < MOST_STEPS; id = wn_doc_node(doc, id)->parent)
        if (wn_doc_node(doc, id)->kind == WN_KIND_ELEMENT)
            steps[count++] = id;
    wn_buf path = {0};
    wn_buf_add_literal(&path, id > WN_DOCUMENT_NODE ? "… > " : "");
    while (count-- > 0) {
        add_step(&path, wn_doc_node(doc, steps[count]));
        wn_buf_add_literal(&path, count > 0 ? " > " : "");
    }
    const char *copy = wn_arena_c_string(arena, wn_buf_str(&path));
    wn_buf_free(&path);
    return copy;
}

/* ---- Blocks ------------------------------------------------------------------------------ */

static uint32_t level_of(const wn_block *block)
{
    switch (block->kind) {
    case WINNOW_BLOCK_HEADING:
        return block->level;
    case WINNOW_BLOCK_LIST_ITEM:
        return block->list_depth;
    case WINNOW_BLOCK_QUOTE:
        return block->quote_depth;
    default:
        return 0;
    }
}

static winnow_block show_block(const wn_page *page, const wn_block *block, bool kept)
{
    return (winnow_block){
        .text = page->text.ptr + block->text,
        .size = block->len,
        .kind = (winnow_block_kind)block->kind,
        .level = level_of(block),
        .table = block->table,
        .row = block->row,
        .column = block->column,
        .kept = kept,
    };
}

void wn_list_blocks(winnow_result *result, const wn_page *page, const wn_selection *selection,
                    bool explain, wn_arena *arena)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < selection->count; i++)
        count += explain || selection->verdicts[i].keep;
    winnow_block *blocks = wn_arena_alloc(arena, count * sizeof *blocks);
    result->blocks = blocks;
    for (uint32_t i = 0; blocks && i < selection->count; i++) {
        const wn_block *block = &page->blocks.items[i];
        const wn_verdict *verdict = &selection->verdicts[i];
        if (!explain && !verdict->keep)
            continue;
        winnow_block *shown_block = &blocks[result->block_count++];
        *shown_block = show_block(page, block, verdict->keep);
        if (!explain)
            continue;
        const char *place = selection->places[i];
        shown_block->reason = verdict->reason;
        shown_block->path = place ? place : path_of(page->doc, block->node, arena);
    }
}

/* ---- Links ------------------------------------------------------------------------------- */

/* Counts the links of the kept blocks and, if `links` is there, writes them to it. */
static size_t visit_links(const wn_page *page, const wn_selection *selection, wn_str base,
                          winnow_link *links, wn_arena *arena)
{
    size_t count = 0;
    wn_buf url = {0};
    for (uint32_t i = 0; i < selection->count; i++) {
        const wn_block *block = &page->blocks.items[i];
        uint32_t spans = selection->verdicts[i].keep ? block->span_count : 0;
        for (uint32_t k = 0; k < spans; k++) {
            const wn_span *span = &page->spans.items[block->first_span + k];
            const wn_node *a = wn_doc_node(page->doc, span->node);
            if (span->kind != WN_SPAN_LINK || !wn_page_links_target(&url, base, a))
                continue;
            wn_str text = wn_str_from(page->text.ptr + span->start, span->end - span->start);
            if (links)
                links[count] = (winnow_link){.url = wn_arena_c_string(arena, wn_buf_str(&url)),
                                             .text = wn_arena_c_string(arena, text)};
            count++;
        }
    }
    wn_buf_free(&url);
    return count;
}

void wn_list_links(winnow_result *result, const wn_page *page, const wn_selection *selection,
                   const char *url, wn_arena *arena)
{
    wn_buf base = {0};
    wn_page_links_base(&base, page->doc, url);
    size_t count = visit_links(page, selection, wn_buf_str(&base), NULL, arena);
    winnow_link *links = wn_arena_alloc(arena, (count + 1) * sizeof *links);
    if (links)
        result->link_count = visit_links(page, selection, wn_buf_str(&base), links, arena);
    result->links = links;
    wn_buf_free(&base);
}
