/*
 * The block tree as JSON: a flat list in which each block names its parent, so that a deep page
 * needs no deep parser.
 */
#include "base/json.h"
#include "segment/segment.h"

static void add_number(wn_json_writer *json, const char *key, double value)
{
    wn_json_key(json, key);
    wn_json_fixed(json, value, 1);
}

static void add_count(wn_json_writer *json, const char *key, uint32_t value)
{
    wn_json_key(json, key);
    wn_json_uint(json, value);
}

static void add_box(wn_json_writer *json, wn_rect box)
{
    wn_json_key(json, "box");
    wn_json_begin_object(json);
    add_number(json, "x", box.x);
    add_number(json, "y", box.y);
    add_number(json, "width", box.width);
    add_number(json, "height", box.height);
    wn_json_end_object(json);
}

static void add_gp(wn_json_writer *json, const wn_gp *gp)
{
    wn_json_key(json, "gp");
    wn_json_begin_object(json);
    add_count(json, "text_length", gp->text_length);
    add_count(json, "words", gp->words);
    add_count(json, "link_text_length", gp->link_text_length);
    add_count(json, "links", gp->links);
    add_count(json, "images", gp->images);
    add_count(json, "controls", gp->controls);
    add_number(json, "area", gp->area);
    add_number(json, "distance", gp->distance);
    add_count(json, "headings", gp->headings);
    add_count(json, "paragraphs", gp->paragraphs);
    wn_json_end_object(json);
}

/* ---- Texts ------------------------------------------------------------------------------- */

/* The texts of each block that are in no smaller block; in the arena. */
typedef struct texts {
    uint32_t *first; /* by block: its first text, numbered from 1; 0: none */
    uint32_t *last;
    uint32_t *next; /* by text */
} texts;

static bool sort_texts(const wn_segmented *s, texts *t, wn_arena *arena)
{
    const wn_page *page = &s->page;
    uint32_t blocks = s->analysis.tree.blocks.count;
    t->first = wn_arena_alloc(arena, blocks * sizeof *t->first);
    t->last = wn_arena_alloc(arena, blocks * sizeof *t->last);
    t->next = wn_arena_alloc(arena, (page->texts.count + 1) * sizeof *t->next);
    if (arena->failed)
        return false;
    memset(t->first, 0, blocks * sizeof *t->first);
    wn_vblock_id before = WN_NO_BLOCK;
    for (uint32_t i = 0; i < page->texts.count; i++) {
        wn_node_id node = page->texts.items[i].node;
        bool blank = wn_str_trim(wn_node_text(wn_doc_node(&s->doc, node))).len == 0;
        wn_vblock_id block = blank ? before : s->analysis.tree.of[node];
        before = block; /* white space goes with the text before it */
        t->next[i + 1] = 0;
        if (!block)
            continue;
        if (t->first[block])
            t->next[t->last[block]] = i + 1;
        else
            t->first[block] = i + 1;
        t->last[block] = i + 1;
    }
    return true;
}

static void add_text(wn_json_writer *json, const wn_segmented *s, const texts *t, wn_vblock_id id)
{
    const wn_page *page = &s->page;
    wn_buf text = {0};
    for (uint32_t i = t->first[id]; i; i = t->next[i]) {
        uint32_t start = page->texts.items[i - 1].start;
        uint32_t end = i < page->texts.count ? page->texts.items[i].start
                                             : (uint32_t)page->text.len;
        for (; start < end; start++) {
            char c = page->text.ptr[start];
            wn_buf_add_char(&text, c == '\0' ? '\n' : c);
        }
    }
    wn_json_key(json, "text");
    wn_json_string(json, wn_str_trim(wn_buf_str(&text)));
    wn_buf_free(&text);
}

/* ---- The record -------------------------------------------------------------------------- */

static void add_block(wn_json_writer *json, const wn_segmented *s, wn_vblock_id id, uint32_t leaf)
{
    const wn_vblock *block = &s->analysis.tree.blocks.items[id];
    wn_buf text = {0};
    add_count(json, "id", id);
    wn_json_key(json, "parent");
    if (block->parent)
        wn_json_uint(json, block->parent);
    else
        wn_json_null(json);
    wn_json_key(json, "name");
    wn_buf_add_format(&text, "BL%u", leaf);
    wn_json_c_string(json, leaf ? wn_buf_c_string(&text) : NULL);
    wn_json_key(json, "rule");
    wn_json_c_string(json, wn_visual_cause_name(block->cause));
    if (block->doc)
        add_count(json, "doc", block->doc);
    wn_json_key(json, "xpath");
    wn_buf_clear(&text);
    wn_segment_add_xpath(s, block, &text);
    wn_json_string(json, wn_buf_str(&text));
    wn_json_key(json, "whole");
    wn_json_bool(json, !block->partial);
    add_box(json, block->box);
    add_gp(json, &block->gp);
    wn_json_key(json, "candidate");
    wn_json_bool(json, block->candidate);
    wn_json_key(json, "importance");
    wn_json_fixed(json, block->importance, 6);
    add_count(json, "rank", block->rank);
    wn_json_key(json, "chosen");
    wn_json_bool(json, block->chosen);
    wn_buf_free(&text);
}

void wn_segment_json(const wn_segmented *s, const wn_segment_settings *settings, const char *id,
                     wn_buf *out)
{
    const wn_block_tree *tree = &s->analysis.tree;
    wn_json_writer json = {.out = out};
    wn_arena arena;
    wn_arena_init(&arena, 0);
    uint32_t *leaves = wn_segment_leaf_numbers(s, &arena);
    texts t = {0};
    bool there = leaves && (!settings->text || sort_texts(s, &t, &arena));
    wn_json_begin_object(&json);
    wn_json_key(&json, "id");
    wn_json_c_string(&json, id);
    wn_json_key(&json, "algorithm");
    wn_json_c_string(&json, settings->pdoc ? "vips" : "evbe");
    if (settings->pdoc)
        add_count(&json, "pdoc", settings->pdoc);
    wn_json_key(&json, "title");
    wn_json_string(&json, s->page.title);
    wn_json_key(&json, "encoding");
    wn_json_c_string(&json, s->encoding);
    add_number(&json, "width", wn_unit_px(s->page.boxes->width));
    add_number(&json, "height", wn_unit_px(s->page.boxes->height));
    add_count(&json, "leaves", wn_visual_block_tree_leaves(tree));
    wn_json_key(&json, "blocks");
    wn_json_begin_array(&json);
    for (wn_vblock_id block = WN_PAGE_BLOCK; there && block < tree->blocks.count; block++) {
        wn_json_begin_object(&json);
        add_block(&json, s, block, leaves[block]);
        if (settings->text)
            add_text(&json, s, &t, block);
        wn_json_end_object(&json);
    }
    wn_json_end_array(&json);
    wn_json_end_object(&json);
    wn_buf_add_char(out, '\n');
    out->failed |= !there;
    wn_arena_free(&arena);
}
