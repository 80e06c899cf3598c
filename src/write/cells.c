#include "write/cells.h"

enum {
    MOST_STEPS = 16,   /* from a block up to its cell */
    MOST_COLUMNS = 32, /* as in page/tables.c, which gave the cells their columns */
    MOST_ROWS = 65534, /* as in browsers */
};

static wn_node_id find_cell(const wn_doc *doc, wn_node_id id)
{
    for (int i = 0; i < MOST_STEPS && id; i++, id = wn_doc_node(doc, id)->parent)
        if (wn_node_is(wn_doc_node(doc, id), WN_TAG_TD) ||
            wn_node_is(wn_doc_node(doc, id), WN_TAG_TH))
            return id;
    return WN_NO_NODE;
}

static wn_alignment alignment_named(wn_str name)
{
    name = wn_str_trim(name);
    if (wn_str_starts_nocase(name, WN_STR("left")) || wn_str_starts_nocase(name, WN_STR("start")))
        return WN_ALIGN_LEFT;
    if (wn_str_starts_nocase(name, WN_STR("center")))
        return WN_ALIGN_CENTER;
    if (wn_str_starts_nocase(name, WN_STR("right")) || wn_str_starts_nocase(name, WN_STR("end")))
        return WN_ALIGN_RIGHT;
    return WN_ALIGN_NONE;
}

static wn_alignment alignment_of(const wn_node *cell)
{
    wn_str style = wn_node_attr_value(cell, WN_ATTR_STYLE);
    size_t found = style.len > 0 ? wn_str_find(style, WN_STR("text-align:")) : 0;
    wn_alignment own = found < style.len ? alignment_named(wn_str_from_offset(
                                               style, found + strlen("text-align:")))
                                         : WN_ALIGN_NONE;
    return own ? own : alignment_named(wn_node_attr_value(cell, WN_ATTR_ALIGN));
}

static uint32_t limited(const wn_attr *attr, uint32_t most)
{
    uint32_t number = wn_attr_number(attr, 1);
    return number < 1 ? 1 : number > most ? most : number;
}

wn_write_cell wn_write_cell_of(const wn_page *page, const wn_block *block)
{
    wn_write_cell found = {.columns = 1, .rows = 1, .node = find_cell(page->doc, block->node)};
    const wn_node *cell = wn_doc_node(page->doc, found.node);
    if (!found.node)
        return found;
    found.columns = limited(wn_node_attr(cell, WN_ATTR_COLSPAN), MOST_COLUMNS);
    found.rows = limited(wn_node_attr(cell, WN_ATTR_ROWSPAN), MOST_ROWS);
    found.alignment = alignment_of(cell);
    return found;
}
