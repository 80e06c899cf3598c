#include "write/paths.h"

#include <assert.h>

#include "base/memory.h"
#include "page/attributes.h"

static bool is_list(const wn_node *node)
{
    return wn_node_is(node, WN_TAG_UL) || wn_node_is(node, WN_TAG_OL) ||
           wn_node_is(node, WN_TAG_MENU) || wn_node_is(node, WN_TAG_DIR);
}

/* The item before a list that is between items: such a list is meant to be in that item. */
static wn_node_id item_before(const wn_doc *doc, wn_node_id id)
{
    enum { MOST_STEPS = 8 }; /* over white space and other such lists */
    for (int step = 0; step < MOST_STEPS && id; step++) {
        id = wn_doc_node(doc, id)->prev;
        if (wn_node_is(wn_doc_node(doc, id), WN_TAG_LI))
            return id;
    }
    return WN_NO_NODE;
}

/* ---- Admonitions ------------------------------------------------------------------------- */

const char *const wn_write_admonitions[] = {"", "note", "tip", "important", "warning", "caution"};

static const struct {
    const char *name;
    wn_admonition is;
} names[] = {
    {"important", WN_IMPORTANT},
    {"warning", WN_WARNING},
    {"attention", WN_WARNING},
    {"caution", WN_CAUTION},
    {"danger", WN_CAUTION},
    {"error", WN_CAUTION},
    {"failure", WN_CAUTION},
    {"bug", WN_CAUTION},
    {"tip", WN_TIP},
    {"hint", WN_TIP},
    {"success", WN_TIP},
    {"note", WN_NOTE},
    {"info", WN_NOTE},
    {"seealso", WN_NOTE},
    {"abstract", WN_NOTE},
    {"question", WN_NOTE},
    {"example", WN_NOTE},
};

/* Which of them a word of a class names, "theme-admonition-tip" for example. */
static wn_admonition named_in(wn_str word)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (wn_str_contains_nocase(word, wn_str_of(names[i].name)))
            return names[i].is;
    return WN_NO_ADMONITION;
}

/* <details class="note">, as MkDocs writes boxes that can be folded. */
static wn_admonition folded_admonition_of(const wn_node *details)
{
    wn_str rest = wn_page_classes(details), word;
    while ((word = wn_page_next_word(&rest)).len > 0)
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (wn_str_eq(word, wn_str_of(names[i].name)))
                return names[i].is;
    return WN_NO_ADMONITION;
}

/* Whether a word of a class is that of a part of a box: its title, its text. */
static bool names_part(wn_str word)
{
    static const char *const parts[] = {"-title",  "-body",  "-content",
                                        "-header", "-inner", "-icon"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (wn_str_has_ending(word, wn_str_of(parts[i])))
            return true;
    return false;
}

/* A box is named so in its classes, or, by Obsidian, in an attribute. */
static wn_admonition admonition_of(const wn_node *node)
{
    static const char *const starts[] = {"admonition", "theme-admonition", "markdown-alert",
                                         "callout",    "alert-",           NULL};
    if (wn_node_is(node, WN_TAG_DETAILS))
        return node->len > 0 ? folded_admonition_of(node) : WN_NO_ADMONITION;
    if (!(wn_node_is(node, WN_TAG_DIV) || wn_node_is(node, WN_TAG_ASIDE) ||
          wn_node_is(node, WN_TAG_SECTION) || wn_node_is(node, WN_TAG_BLOCKQUOTE)) ||
        node->len == 0 || !wn_page_has_class_start_of(node, starts))
        return WN_NO_ADMONITION;
    wn_str rest = wn_page_classes(node), word;
    bool is_any = false;
    wn_admonition kind = WN_NO_ADMONITION;
    while ((word = wn_page_next_word(&rest)).len > 0) {
        is_any |= wn_str_eq(word, WN_STR("admonition"));
        if (names_part(word))
            return WN_NO_ADMONITION;
        if (kind == WN_NO_ADMONITION)
            kind = named_in(word);
    }
    if (kind == WN_NO_ADMONITION)
        kind = named_in(wn_page_attr_named(node, WN_STR("data-callout")));
    if (is_any && kind == WN_NO_ADMONITION)
        kind = WN_NOTE; /* of a kind that someone named: <div class="admonition exercise"> */
    return kind;
}

/* ---- Containers -------------------------------------------------------------------------- */

/* What is remembered of an element: 0, or ASKED and the others. */
enum { ASKED = 1, IS_NOTE = 2, ADMONITION = 4 /* times wn_admonition */ };

static unsigned ask_box(const wn_paths *paths, wn_node_id id)
{
    unsigned note = wn_page_notes_of_element(paths->notes, id) ? IS_NOTE : 0;
    return ASKED | note | (unsigned)admonition_of(wn_doc_node(paths->doc, id)) * ADMONITION;
}

/*
 * Whether an element is a box or a note. All that is deep in it asks, so it is remembered; without
 * memory each asks again.
 */
static unsigned box_of(wn_paths *paths, wn_node_id id)
{
    if (!paths->boxes)
        paths->boxes = wn_memory_get_zeroed(paths->doc->nodes.count);
    if (!paths->boxes)
        return ask_box(paths, id);
    assert(id < paths->doc->nodes.count);
    if (paths->boxes[id] == 0)
        paths->boxes[id] = (uint8_t)ask_box(paths, id);
    return paths->boxes[id];
}

/* The node of the container that the element makes, if it does. */
static wn_node_id container_of(wn_paths *paths, wn_node_id id)
{
    const wn_doc *doc = paths->doc;
    const wn_node *node = wn_doc_node(doc, id);
    if (wn_node_is(node, WN_TAG_LI) || wn_node_is(node, WN_TAG_BLOCKQUOTE))
        return id;
    if (is_list(node) && is_list(wn_doc_node(doc, node->parent)))
        return item_before(doc, id);
    return box_of(paths, id) > ASKED ? id : WN_NO_NODE;
}

static void add_container(wn_path *p, wn_paths *paths, wn_node_id id)
{
    const wn_doc *doc = paths->doc;
    const wn_node *node = wn_doc_node(doc, id);
    bool is_note = box_of(paths, id) & IS_NOTE;
    const wn_page_note *note = is_note ? wn_page_notes_of_element(paths->notes, id) : NULL;
    bool is_item = wn_node_is(node, WN_TAG_LI) && !note;
    if (note)
        p->count = 0; /* notes are separate */
    if (p->count == WN_DEEPEST_PATH)
        return;
    assert(p->count < WN_DEEPEST_PATH);
    p->at[p->count++] = (wn_container){
        .node = id,
        .is_item = is_item,
        .note = note,
        .admonition = note ? 0 : (uint8_t)(box_of(paths, id) / ADMONITION),
        .ordered = is_item && wn_node_is(wn_doc_node(doc, node->parent), WN_TAG_OL),
        .list = is_item ? node->parent : WN_NO_NODE,
    };
}

/* Walks up from `id`, so that the outermost containers come last: only those are remembered. */
static void find_path(wn_path *p, wn_paths *paths, wn_node_id id)
{
    wn_node_id found[WN_DEEPEST_PATH];
    unsigned count = 0;
    for (; id > WN_DOCUMENT_NODE; id = wn_doc_node(paths->doc, id)->parent) {
        wn_node_id node = container_of(paths, id);
        if (node)
            found[count++ % WN_DEEPEST_PATH] = node;
    }
    p->count = 0;
    for (unsigned left = count; left > 0 && p->count < WN_DEEPEST_PATH; left--)
        add_container(p, paths, found[(left - 1) % WN_DEEPEST_PATH]);
}

/* The path of what is in `id`. */
static wn_path path_in(wn_paths *paths, wn_node_id id)
{
    wn_node_id parent = wn_doc_node(paths->doc, id)->parent;
    if (parent != paths->parent) {
        if (parent == paths->last && parent)
            paths->parent_path = paths->last_path;
        else
            find_path(&paths->parent_path, paths, parent);
        paths->parent = parent;
    }
    paths->last = id;
    paths->last_path = paths->parent_path;
    wn_node_id own = container_of(paths, id);
    if (own)
        add_container(&paths->last_path, paths, own);
    return paths->last_path;
}

wn_path wn_write_path_of(wn_paths *paths, const wn_block *block)
{
    return path_in(paths, block->node);
}

wn_path wn_write_path_of_table(wn_paths *paths, const wn_page *page, const wn_block *block)
{
    wn_node_id table = page->tables.items[page->tables.items[block->table].outermost].node;
    return path_in(paths, table ? table : wn_write_path_around(paths->doc, block, WN_TAG_TABLE));
}

void wn_write_paths_free(wn_paths *paths)
{
    wn_memory_release(paths->boxes);
    *paths = (wn_paths){.doc = paths->doc};
}

int wn_write_path_share(wn_path *next, const wn_path *open)
{
    int common = 0;
    assert(next->count <= WN_DEEPEST_PATH && open->count <= WN_DEEPEST_PATH);
    while (common < next->count && common < open->count &&
           next->at[common].node == open->at[common].node) {
        next->at[common] = open->at[common];
        common++;
    }
    return common;
}

wn_node_id wn_write_path_around(const wn_doc *doc, const wn_block *block, wn_tag tag)
{
    wn_node_id id = block->node;
    while (id && !wn_node_is(wn_doc_node(doc, id), tag))
        id = wn_doc_node(doc, id)->parent;
    return id;
}
