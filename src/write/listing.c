/*
 * The blocks of a page with their links and images, as programs see them: strings end with a NUL,
 * addresses are absolute, numbers count from 0.
 */
#include "write/write.h"

#include <assert.h>

#include "auto/forest.h"
#include "base/utf8.h"
#include "page/embeds.h"
#include "page/images.h"
#include "page/links.h"
#include "write/cells.h"
#include "write/paths.h"
#include "write/pieces.h"
#include "write/plain.h"

/* ---- Where a block is ---------------------------------------------------------------- */

enum {
    MOST_STEPS = 12,   /* of a path; the ones nearest to the root are left out */
    LONGEST_NAME = 48, /* bytes of an id or of all classes that are shown */
};

/* As much of an attribute as is shown, whole characters. */
static wn_str shown(wn_str name)
{
    return wn_utf8_prefix(wn_str_trim(name), LONGEST_NAME);
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

/*
 * From the body down: "body > div#main > p". Long names of a few elements are in the paths of all
 * that is in them: there is a budget for these, and beyond it a path is its last step.
 */
static const char *path_of(const wn_doc *doc, wn_node_id id, wn_cost *cost, wn_arena *arena)
{
    wn_node_id steps[MOST_STEPS];
    int count = 0, most = wn_cost_is_used_up(cost) ? 1 : MOST_STEPS;
    for (; id > WN_DOCUMENT_NODE && count < most; id = wn_doc_node(doc, id)->parent)
        if (wn_doc_node(doc, id)->kind == WN_KIND_ELEMENT)
            steps[count++] = id;
    wn_buf path = {0};
    wn_buf_add_literal(&path, id > WN_DOCUMENT_NODE ? "… > " : "");
    while (count-- > 0) {
        add_step(&path, wn_doc_node(doc, steps[count]));
        wn_buf_add_literal(&path, count > 0 ? " > " : "");
    }
    const char *copy = wn_arena_c_string(arena, wn_buf_str(&path));
    wn_cost_use(cost, path.len);
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

/* Blocks that were cut have no NUL of their own. */
const char *wn_write_block_text(const wn_page *page, const wn_block *block, wn_arena *arena)
{
    assert((size_t)block->text + block->len < page->text.len); /* a NUL follows the last one */
    const char *text = page->text.ptr + block->text;
    if (block->span_count > 0 && wn_write_plain_differs(page, block)) {
        wn_buf plain = {0};
        wn_write_plain(&plain, page, block);
        text = wn_arena_c_string(arena, wn_buf_str(&plain));
        wn_buf_free(&plain);
        return text;
    }
    return text[block->len] == '\0' ? text : wn_arena_c_string(arena, wn_block_text(page, block));
}

/*
 * Where the element of a block ends in the source: where the next one after it starts. It may have to
 * be looked for above the element; above so many levels, which only --max-depth allows, it is the end
 * of the page, or a page that is one long chain of elements would cost the square of its depth.
 */
static size_t source_end(const wn_doc *doc, wn_node_id element)
{
    enum { MOST_LEVELS = 1000 };
    const wn_node *nodes = doc->nodes.items;
    wn_node_id above = element;
    for (int i = 0; i < MOST_LEVELS && above != WN_NO_NODE && !nodes[above].next; i++)
        above = nodes[above].parent;
    wn_node_id after = above != WN_NO_NODE ? nodes[above].next : WN_NO_NODE;
    size_t start = nodes[element].source;
    size_t end = after ? nodes[after].source : doc->source.len;
    return end > start ? end : start; /* what was moved by the parser comes after what follows */
}

/* What the method thought of the block, if it says so. */
static void show_score(winnow_block *shown_block, const wn_block_score *score)
{
    if (score->chance < 0)
        return;
    shown_block->probability = score->chance / (double)WN_LOGIT_ONE;
    shown_block->reasons = score->reasons;
    shown_block->reason_count = score->reason_count;
}

/* Whether the block is one formula that is separate. */
static bool is_formula(const wn_page *page, const wn_block *block)
{
    return wn_write_is_formula(page, block) &&
           page->formulas.items[page->spans.items[block->first_span].value].display;
}

static winnow_block_kind kind_of(const wn_page *page, const wn_block *block,
                                 const wn_page_notes *notes)
{
    enum { MOST_UP = 6 };
    wn_node_id id = block->node;
    for (int i = 0; notes->list.count > 0 && i < MOST_UP && id; i++) {
        if (wn_page_notes_of_element(notes, id))
            return WINNOW_BLOCK_FOOTNOTE;
        id = wn_doc_node(page->doc, id)->parent;
    }
    return is_formula(page, block) ? WINNOW_BLOCK_FORMULA : (winnow_block_kind)block->kind;
}

/* What a kind of block has besides its text. */
static void add_details(winnow_block *shown_block, const wn_page *page, const wn_block *block,
                        wn_arena *arena)
{
    shown_block->language = "";
    if (block->flags & WN_BLOCK_ORDERED && block->flags & WN_BLOCK_ITEM_START)
        shown_block->number = block->number;
    if (block->kind == WINNOW_BLOCK_CODE)
        shown_block->language = wn_arena_c_string(arena, wn_write_code_language(page, block));
    if (block->table && block->kind != WINNOW_BLOCK_CAPTION) {
        wn_write_cell cell = wn_write_cell_of(page, block);
        shown_block->is_header = block->flags & WN_BLOCK_HEADER_CELL;
        shown_block->columns = cell.columns;
        shown_block->rows = cell.rows;
    }
    if (is_formula(page, block)) {
        shown_block->tex = wn_arena_c_string(
            arena, wn_page_formula_tex(page, &page->spans.items[block->first_span]));
    }
}

static winnow_block show_block(const wn_page *page, const wn_block *block,
                               const wn_verdict *verdict, const wn_page_notes *notes,
                               wn_arena *arena)
{
    const char *text = wn_write_block_text(page, block, arena);
    winnow_block shown_block = {
        .text = text,
        .size = text ? strlen(text) : 0,
        .kind = kind_of(page, block, notes),
        .tex = "",
        .level = level_of(block),
        .table = block->table,
        .row = block->row,
        .column = block->column,
        .kept = verdict->keep,
        .reason = verdict->reason,
        .path = "",
        .role = wn_selection_public_role(verdict->role),
        .probability = -1,
    };
    if (block->node > WN_DOCUMENT_NODE) {
        shown_block.source_start = wn_doc_node(page->doc, block->node)->source;
        shown_block.source_end = source_end(page->doc, block->node);
    }
    add_details(&shown_block, page, block, arena);
    return shown_block;
}

static bool list_blocks(wn_write_listing *listing, const wn_page *page,
                        const wn_selection *selection, wn_arena *arena)
{
    wn_page_notes notes = {0};
    wn_cost paths; /* less than for addresses: they are there twice, in the listing and in JSON */
    wn_cost_start(&paths, WN_COST_ADDRESSES, page->doc->source.len / 8);
    listing->blocks = wn_arena_alloc(arena, (selection->count + 1) * sizeof *listing->blocks);
    wn_page_notes_find(&notes, page, selection);
    for (uint32_t i = 0; listing->blocks && i < selection->count; i++) {
        const wn_block *block = &page->blocks.items[i];
        winnow_block *shown_block = &listing->blocks[i];
        *shown_block = show_block(page, block, &selection->verdicts[i], &notes, arena);
        if (!listing->explained)
            continue;
        const char *place = selection->places ? selection->places[i] : NULL;
        shown_block->path = place ? place : path_of(page->doc, block->node, &paths, arena);
        show_score(shown_block, &selection->scores[i]);
    }
    listing->block_count = selection->count;
    listing->exceeded = paths.exceeded;
    bool listed = listing->blocks && !notes.failed;
    wn_page_notes_free(&notes);
    return listed;
}

/* ---- Links and images -------------------------------------------------------------------- */

/* One pass counts, the next one fills the arrays that then are there. */
typedef struct visit {
    const wn_page *page;
    wn_write_listing *listing;
    wn_page_links *links;
    wn_buf url;
    wn_arena *arena;
} visit;

/* A link to the address in v->url. */
static void list_link(visit *v, wn_str text, size_t block)
{
    wn_write_listing *listing = v->listing;
    if (listing->links)
        listing->links[listing->link_count] = (winnow_link){
            .url = wn_arena_c_string(v->arena, wn_buf_str(&v->url)),
            .text = wn_arena_c_string(v->arena, text),
            .block = block,
        };
    listing->link_count++;
}

static void list_image(visit *v, const wn_node *image, size_t block)
{
    wn_write_listing *listing = v->listing;
    wn_str description = wn_str_trim(wn_node_attr_value(image, WN_ATTR_ALT));
    if (!wn_page_links_image(&v->url, v->links, v->page->doc, image))
        return;
    if (listing->images)
        listing->images[listing->image_count] = (winnow_image){
            .url = wn_arena_c_string(v->arena, wn_buf_str(&v->url)),
            .description = wn_arena_c_string(v->arena, description),
            .block = block,
        };
    listing->image_count++;
}

/* The link around an image, which has no text. */
static void list_link_of_image(visit *v, wn_node_id image, size_t block)
{
    wn_node_id link = wn_page_image_link(v->page->doc, image);
    wn_str description = wn_node_attr_value(wn_doc_node(v->page->doc, image), WN_ATTR_ALT);
    if (link && wn_page_links_target(&v->url, v->links, wn_doc_node(v->page->doc, link)))
        list_link(v, wn_str_trim(description), block);
}

/*
 * Whether the link around an image has text, too: then it is a span that begins shortly before it.
 */
static bool is_link_listed(const visit *v, const wn_block *block, const wn_span *image)
{
    enum { MOST_BETWEEN = 8 };
    wn_node_id link = wn_page_image_link(v->page->doc, image->node);
    const wn_span *first = &v->page->spans.items[block->first_span];
    for (int i = 1; link && i <= MOST_BETWEEN && image - i >= first; i++)
        if (image[-i].kind == WN_SPAN_LINK && image[-i].node == link)
            return true;
    return false;
}

static void visit_span(visit *v, const wn_span *span, size_t block)
{
    const wn_node *node = wn_doc_node(v->page->doc, span->node);
    wn_str text = wn_str_from(v->page->text.ptr + span->start, span->end - span->start);
    if (span->kind == WN_SPAN_LINK && wn_page_links_target(&v->url, v->links, node))
        list_link(v, text, block);
    else if (span->kind == WN_SPAN_IMAGE && !wn_page_image_is_decoration(v->page->doc, node)) {
        list_image(v, node, block);
        if (!is_link_listed(v, &v->page->blocks.items[block], span))
            list_link_of_image(v, span->node, block);
    }
}

/* What a block without text shows. */
static void visit_thing(visit *v, const wn_block *block, size_t index)
{
    const wn_node *node = wn_doc_node(v->page->doc, block->node);
    if (block->kind == WINNOW_BLOCK_IMAGE) {
        list_image(v, node, index);
        list_link_of_image(v, block->node, index);
    } else if (block->kind == WINNOW_BLOCK_EMBED &&
               wn_page_links_embed(&v->url, v->links, v->page->doc, node))
        list_link(v, wn_page_embed_title(node), index);
}

/* What a block shows besides its text. */
static void visit_block(visit *v, const wn_block *block, size_t index)
{
    for (uint32_t k = 0; k < block->span_count; k++)
        visit_span(v, &v->page->spans.items[block->first_span + k], index);
    visit_thing(v, block, index);
}

/* Without a list of blocks only those that are kept are visited. */
static void visit_all(visit *v, const wn_selection *selection)
{
    wn_write_listing *listing = v->listing;
    assert(!listing->blocks || listing->block_count == selection->count);
    listing->link_count = listing->image_count = 0;
    for (uint32_t i = 0; i < selection->count; i++) {
        winnow_block *shown_block = listing->blocks ? &listing->blocks[i] : NULL;
        size_t links = listing->link_count, images = listing->image_count;
        if (shown_block || selection->verdicts[i].keep)
            visit_block(v, &v->page->blocks.items[i], i);
        if (!shown_block)
            continue;
        shown_block->first_link = links;
        shown_block->first_image = images;
        shown_block->link_count = listing->link_count - links;
        shown_block->image_count = listing->image_count - images;
    }
}

bool wn_write_list_links(wn_write_listing *listing, const wn_page *page,
                         const wn_selection *selection, const char *url, wn_arena *arena)
{
    size_t failures = wn_memory_failures(); /* with one, the passes may find different links */
    wn_page_links links;
    wn_page_links_start(&links, page->doc, url, true);
    visit v = {.page = page, .listing = listing, .links = &links, .arena = arena};
    visit_all(&v, selection);
    wn_cost_start(&links.cost, WN_COST_ADDRESSES,
                  page->doc->source.len); /* to find the same again */
    listing->links = wn_arena_alloc(arena, (listing->link_count + 1) * sizeof *listing->links);
    listing->images = wn_arena_alloc(arena, (listing->image_count + 1) * sizeof *listing->images);
    if (listing->links && listing->images && wn_memory_failures() == failures)
        visit_all(&v, selection);
    bool failed = wn_memory_failures() != failures || arena->failed || links.base.failed ||
                  v.url.failed;
    listing->exceeded |= links.cost.exceeded;
    wn_page_links_free(&links);
    wn_buf_free(&v.url);
    return !failed;
}

bool wn_write_list(wn_write_listing *listing, const wn_page *page, const wn_selection *selection,
                   const char *url, bool explain, wn_arena *arena)
{
    *listing = (wn_write_listing){.explained = explain};
    return list_blocks(listing, page, selection, arena) &&
           wn_write_list_comments(listing, page, selection, arena) &&
           wn_write_list_links(listing, page, selection, url, arena);
}
