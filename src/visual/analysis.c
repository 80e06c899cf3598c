#include "visual/analysis.h"

#include "visual/vips.h"

uint32_t wn_visual_most_nodes(uint64_t max_memory)
{
    enum { FEWEST = 16, BYTES_PER_NODE = 1024 }; /* with styles and boxes, at most and nearly */
    uint64_t most = max_memory / BYTES_PER_NODE;
    if (max_memory == 0 || most > WN_VISUAL_MOST_NODES)
        return WN_VISUAL_MOST_NODES;
    return most < FEWEST ? FEWEST : (uint32_t)most;
}

bool wn_visual_analysis_open(wn_visual_analysis *s, const wn_page *page,
                             const wn_evbe_options *options, unsigned pdoc, wn_arena *arena)
{
    *s = (wn_visual_analysis){.page = page};
    s->view = (wn_view){.doc = page->doc, .styles = page->styles, .boxes = page->boxes};
    if (!page->styles || !page->boxes || !wn_visual_kinds_find(&s->kinds, &s->view, arena))
        return false;
    if (pdoc)
        wn_visual_vips(&s->tree, &s->kinds, pdoc, arena);
    else
        wn_visual_evbe(&s->tree, &s->kinds, options, arena);
    if (s->tree.failed || s->tree.blocks.count <= WN_PAGE_BLOCK) {
        arena->failed = true;
        return false;
    }
    wn_visual_block_tree_measure(&s->tree, &s->kinds, page);
    return true;
}

void wn_visual_analysis_close(wn_visual_analysis *s)
{
    wn_visual_block_tree_free(&s->tree);
}

/* ---- Selection --------------------------------------------------------------------------- */

/* By block: it is chosen, or in one that is. */
static bool *find_kept(const wn_block_tree *tree, wn_arena *arena)
{
    bool *kept = wn_arena_alloc(arena, tree->blocks.count * sizeof *kept);
    if (!kept)
        return NULL;
    kept[WN_NO_BLOCK] = false;
    for (wn_vblock_id id = WN_PAGE_BLOCK; id < tree->blocks.count; id++)
        kept[id] = tree->blocks.items[id].chosen || kept[tree->blocks.items[id].parent];
    return kept;
}

/* White space between two texts goes with the first of them. */
static bool has_text(const wn_page *page, uint32_t index)
{
    uint32_t end = index + 1 < page->texts.count ? page->texts.items[index + 1].start
                                                 : (uint32_t)page->text.len;
    for (uint32_t i = page->texts.items[index].start; i < end; i++)
        if (!wn_is_space(page->text.ptr[i]) && page->text.ptr[i] != '\0')
            return true;
    return false;
}

static wn_verdict judge(const bool *kept, wn_vblock_id block)
{
    if (block == WN_NO_BLOCK)
        return (wn_verdict){.reason = "not seen"};
    if (kept[block])
        return (wn_verdict){.reason = "in the informative block", .keep = true};
    return (wn_verdict){.reason = "in another block"};
}

static const char *explain(const wn_vblock *block, wn_arena *arena)
{
    wn_buf text = {0};
    wn_buf_add_format(&text, "block of rank %u, importance %.3f (%s)", block->rank,
                      block->importance, wn_visual_cause_name(block->cause));
    const char *reason = wn_arena_c_string(arena, wn_buf_str(&text));
    wn_buf_free(&text);
    return reason;
}

/*
 * What a formula is made of may be hidden, and it is seen nevertheless: what is around it counts.
 */
static wn_vblock_id block_of(const wn_visual_analysis *s, const wn_text *text)
{
    wn_vblock_id own = s->tree.of[text->node];
    if (own != WN_NO_BLOCK || !text->formula)
        return own;
    return s->tree.of[wn_doc_node(s->page->doc, text->formula)->parent];
}

void wn_visual_analysis_select(const wn_visual_analysis *s, bool explained, wn_arena *arena,
                               wn_selection *selection)
{
    const wn_block_tree *tree = &s->tree;
    bool *kept = find_kept(tree, arena);
    const char **reasons = explained ? wn_arena_alloc(arena, tree->blocks.count * sizeof *reasons)
                                     : NULL;
    if (!kept || (explained && !reasons))
        return;
    for (wn_vblock_id id = WN_NO_BLOCK; explained && id < tree->blocks.count; id++)
        reasons[id] = id ? explain(&tree->blocks.items[id], arena) : "not seen";
    for (uint32_t i = 0; i < selection->count; i++) {
        wn_vblock_id block = block_of(s, &s->page->texts.items[i]);
        if (i > 0 && block == WN_NO_BLOCK && !has_text(s->page, i)) {
            selection->verdicts[i] = selection->verdicts[i - 1];
            continue;
        }
        selection->verdicts[i] = judge(kept, block);
        if (explained)
            selection->verdicts[i].reason = reasons[block];
    }
}
