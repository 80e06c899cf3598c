#include "page/notes.h"

#include <stdlib.h>

#include "page/attributes.h"

enum {
    LONGEST_LABEL = 8,  /* bytes, with brackets */
    LONGEST_WORD = 4,   /* bytes of a label that is a word */
    LONGEST_CALLED = 6, /* if the markup says that it is a label */
    MOST_STEPS = 6,     /* from a block up to the element of its note */
    MOST_NOTES = 65536, /* more are links */
};

/* ---- Marks ------------------------------------------------------------------------------- */

static wn_str text_of(const wn_page *page, const wn_span *span)
{
    return wn_str_trim(wn_str_from(page->text.ptr + span->start, span->end - span->start));
}

/* "[1]" is "1"; "" if the text is not that of a mark, or a longer word than that. */
static wn_str label_in(wn_str text, size_t longest)
{
    static const char *const signs[] = {"*", "**", "†", "‡", "§", "¶"};
    if (text.len > LONGEST_LABEL)
        return WN_STR("");
    if (text.len > 2 && (text.ptr[0] == '[' || text.ptr[0] == '('))
        text = wn_str_trim(wn_str_from(text.ptr + 1, text.len - 2));
    bool is_word = text.len > 0 && text.len <= longest;
    for (size_t i = 0; i < text.len; i++)
        is_word = is_word && wn_is_ascii_alnum(text.ptr[i]);
    for (size_t i = 0; !is_word && i < sizeof signs / sizeof *signs; i++)
        is_word = wn_str_eq(text, wn_str_of(signs[i]));
    return is_word ? text : WN_STR("");
}

static bool is_raised(const wn_doc *doc, const wn_node *a)
{
    for (int i = 0; i < 3; i++) {
        a = wn_doc_node(doc, a->parent);
        if (wn_node_is(a, WN_TAG_SUP))
            return true;
    }
    return false;
}

/* Whether a link is a citation in Sphinx: of those inside of a page, only they can be come back to. */
static bool is_citation_of_sphinx(const wn_node *a)
{
    return wn_str_eq(wn_node_attr_value(a, WN_ATTR_CLASS), WN_STR("reference internal")) &&
           wn_node_attr_value(a, WN_ATTR_ID).len > 0;
}

/* Whether the markup of the link calls it a mark. */
bool wn_page_notes_is_called_mark(const wn_node *a)
{
    static const char *const classes[] = {
        "footnote-ref", "footnote-reference", "noteref",     "footnote",           "fnref",
        "footref",      "footnote-mark",      "footnoteref", "citation-reference", NULL};
    wn_str role = wn_node_attr_value(a, WN_ATTR_ROLE);
    return wn_str_eq(role, WN_STR("doc-noteref")) ||
           wn_str_eq(wn_page_attr_named(a, WN_STR("epub:type")), WN_STR("noteref")) ||
           wn_str_eq(wn_node_attr_value(a, WN_ATTR_REL), WN_STR("footnote")) ||
           wn_page_has_class_of(a, classes) || is_citation_of_sphinx(a);
}

static bool holds_sup(const wn_doc *doc, const wn_node *a)
{
    return wn_node_is(wn_doc_node(doc, a->first_child), WN_TAG_SUP);
}

/* The id that the mark leads to, and its label; false if the span is not a mark. */
static bool read_mark(const wn_page *page, const wn_span *span, wn_str *id, wn_str *label)
{
    if (span->kind != WN_SPAN_LINK || span->end - span->start > LONGEST_LABEL)
        return false;
    const wn_node *a = wn_doc_node(page->doc, span->node);
    wn_str href = wn_page_address(a);
    size_t hash = wn_str_find(href, WN_STR("#"));
    bool is_called = hash < href.len && wn_page_notes_is_called_mark(a);
    *label = label_in(text_of(page, span), is_called ? LONGEST_CALLED : LONGEST_WORD);
    if ((hash > 0 && !is_called) || label->len == 0)
        return false;
    *id = wn_str_from_offset(href, hash + 1);
    return id->len > 0 && (is_called || is_raised(page->doc, a) || holds_sup(page->doc, a));
}

/* ---- Notes ------------------------------------------------------------------------------- */

static int by_id(const void *a, const void *b)
{
    const wn_page_note *x = a, *y = b;
    int order = wn_str_compare(x->id, y->id);
    return order ? order : x->number < y->number ? -1 : x->number > y->number;
}

static int by_target(const void *a, const void *b)
{
    const wn_page_note *x = *(wn_page_note *const *)a, *y = *(wn_page_note *const *)b;
    return x->target < y->target ? -1 : x->target > y->target;
}

static int by_number(const void *a, const void *b)
{
    const wn_page_note *x = *(wn_page_note *const *)a, *y = *(wn_page_note *const *)b;
    return x->number < y->number ? -1 : x->number > y->number;
}

static int by_label(const void *a, const void *b)
{
    return wn_str_compare((*(wn_page_note *const *)a)->label, (*(wn_page_note *const *)b)->label);
}

static void collect_marks(wn_page_notes *notes, const wn_page *page, const wn_selection *selection)
{
    for (uint32_t i = 0; i < selection->count; i++) {
        const wn_block *block = &page->blocks.items[i];
        if (!selection->verdicts[i].keep || block->link_bytes == 0)
            continue;
        for (uint32_t k = 0; k < block->span_count && notes->list.count < MOST_NOTES; k++) {
            wn_str id, label;
            const wn_span *span = &page->spans.items[block->first_span + k];
            if (!read_mark(page, span, &id, &label))
                continue;
            wn_page_note *note = wn_array_push(&notes->list);
            notes->failed |= !note;
            if (note)
                *note = (wn_page_note){
                    .id = id, .label = label, .number = notes->list.count, .mark = span->node};
        }
    }
}

/* Puts notes in order of their id, each once: that of its first mark. */
static void join_marks(wn_page_notes *notes)
{
    uint32_t kept = 0;
    qsort(notes->list.items, notes->list.count, sizeof *notes->list.items, by_id);
    for (uint32_t i = 0; i < notes->list.count; i++)
        if (kept == 0 || !wn_str_eq(notes->list.items[kept - 1].id, notes->list.items[i].id))
            notes->list.items[kept++] = notes->list.items[i];
    notes->list.count = kept;
}

/* The element of an id may be an empty anchor: then the one around it is the note. */
static wn_node_id element_of_note(const wn_doc *doc, wn_node_id id)
{
    for (int i = 0; i < 3; i++) {
        const wn_node *node = wn_doc_node(doc, id);
        bool is_inline = wn_node_is(node, WN_TAG_A) || wn_node_is(node, WN_TAG_SPAN) ||
                         wn_node_is(node, WN_TAG_SUP) || wn_node_is(node, WN_TAG_B);
        if (!is_inline)
            break;
        id = node->parent;
    }
    return id;
}

static bool is_heading(const wn_node *node)
{
    return node->kind == WN_KIND_ELEMENT && node->ns == WN_NS_HTML && node->tag >= WN_TAG_H1 &&
           node->tag <= WN_TAG_H6;
}

static bool is_link(const wn_node *node)
{
    return wn_node_is(node, WN_TAG_A) && wn_node_attr_value(node, WN_ATTR_HREF).len > 0;
}

/* Whether an element is a term that holds a link, as the number of a note in docutils does. */
static bool is_linked_term(const wn_doc *doc, wn_node_id id)
{
    enum { MOST_NODES = 6 };
    bool found = false;
    wn_node_id at = wn_node_is(wn_doc_node(doc, id), WN_TAG_DT) ? id : WN_NO_NODE;
    for (int i = 0; at && !found && i < MOST_NODES; i++, at = wn_doc_next(doc, at, id))
        found = is_link(wn_doc_node(doc, at));
    return found;
}

/*
 * What is after a heading or a term that is the number of a note, where Texinfo and docutils put its
 * text; else the element itself.
 */
static wn_node_id after_number(const wn_doc *doc, wn_node_id id)
{
    enum { FEW = 2 }; /* white space, the text */
    bool is_term = is_linked_term(doc, id);
    wn_node_id next = id;
    for (int i = 0; i < FEW && (is_term || is_heading(wn_doc_node(doc, id))); i++) {
        next = wn_doc_node(doc, next)->next;
        if (next == WN_NO_NODE ||
            wn_node_is(wn_doc_node(doc, next), is_term ? WN_TAG_DD : WN_TAG_P))
            return next ? next : id;
    }
    return id;
}

static bool can_be_note(const wn_node *node)
{
    return wn_node_is(node, WN_TAG_LI) || wn_node_is(node, WN_TAG_P) ||
           wn_node_is(node, WN_TAG_DIV) || wn_node_is(node, WN_TAG_ASIDE) ||
           wn_node_is(node, WN_TAG_DD) || wn_node_is(node, WN_TAG_BLOCKQUOTE) ||
           wn_node_is(node, WN_TAG_DT) || wn_node_is(node, WN_TAG_SECTION);
}

/*
 * Whether the way from a mark to an element is the way back from a note to its own mark, as in
 * "^ a b" before the notes of Wikipedia: the element is before the mark, and is a link itself,
 * holds one or, as in DocBook, is in one.
 */
static bool leads_back(const wn_doc *doc, wn_node_id mark, wn_node_id id)
{
    if (id >= mark)
        return false;
    if (is_link(wn_doc_node(doc, wn_doc_node(doc, id)->parent)))
        return true;
    for (int i = 0; id && i < 3; i++) {
        const wn_node *node = wn_doc_node(doc, id);
        if (is_link(node))
            return true;
        if (!wn_node_is(node, WN_TAG_SUP) && !wn_node_is(node, WN_TAG_SPAN))
            return false;
        id = node->first_child;
    }
    return false;
}

/* The number of the first note from `low` on whose id is not before `id`. */
static uint32_t place_of(const wn_page_notes *notes, wn_str id)
{
    uint32_t low = 0, high = notes->list.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (wn_str_compare(notes->list.items[middle].id, id) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Looks for the elements, in one walk. */
static void find_targets(wn_page_notes *notes, const wn_doc *doc)
{
    for (wn_node_id id = WN_DOCUMENT_NODE; id; id = wn_doc_next(doc, id, WN_DOCUMENT_NODE)) {
        const wn_node *node = wn_doc_node(doc, id);
        if (node->kind != WN_KIND_ELEMENT || node->len == 0)
            continue;
        wn_str id_here = wn_node_attr_value(node, WN_ATTR_ID);
        if (id_here.len == 0 && wn_node_is(node, WN_TAG_A))
            id_here = wn_node_attr_value(node, WN_ATTR_NAME);
        if (id_here.len == 0)
            continue;
        uint32_t low = place_of(notes, id_here);
        wn_page_note *note = low < notes->list.count ? &notes->list.items[low] : NULL;
        if (!note || note->target || !wn_str_eq(note->id, id_here))
            continue;
        wn_node_id element = after_number(doc, element_of_note(doc, id));
        if (can_be_note(wn_doc_node(doc, element)) && !leads_back(doc, note->mark, id))
            note->target = element;
    }
}

static wn_page_note *find_target(const wn_page_notes *notes, wn_node_id element)
{
    wn_page_note wanted = {.target = element}, *key = &wanted;
    if (!element || notes->by_target.count == 0)
        return NULL;
    wn_page_note **found = bsearch(&key, notes->by_target.items, notes->by_target.count,
                                   sizeof *notes->by_target.items, by_target);
    return found ? *found : NULL;
}

static wn_page_note *note_around(const wn_page_notes *notes, const wn_page *page, uint32_t block)
{
    wn_node_id id = page->blocks.items[block].node;
    for (int step = 0; step < MOST_STEPS && id; step++) {
        wn_page_note *note = find_target(notes, id);
        if (note)
            return note;
        id = wn_doc_node(page->doc, id)->parent;
    }
    return NULL;
}

/* A note counts if one of its blocks is kept. */
static void count_blocks(wn_page_notes *notes, const wn_page *page, const wn_selection *selection)
{
    for (uint32_t i = 0; notes->by_target.count > 0 && i < selection->count; i++) {
        wn_page_note *note = note_around(notes, page, i);
        if (note) {
            note->blocks++;
            note->kept |= selection->verdicts[i].keep;
        }
    }
}

static void sort(wn_page_notes *notes, int (*order)(const void *, const void *))
{
    if (notes->by_target.count > 0)
        qsort(notes->by_target.items, notes->by_target.count, sizeof *notes->by_target.items,
              order);
}

/* Counts the notes that were found in the order of their marks, and looks at their labels. */
static void number_notes(wn_page_notes *notes)
{
    wn_page_note **list = notes->by_target.items;
    uint32_t count = notes->by_target.count;
    sort(notes, by_label);
    notes->has_clear_labels = true;
    for (uint32_t i = 0; i < count; i++) {
        bool repeated = i > 0 && wn_str_eq(list[i]->label, list[i - 1]->label);
        if (repeated || !wn_is_ascii_alnum(list[i]->label.ptr[0]))
            notes->has_clear_labels = false;
    }
    sort(notes, by_number);
    for (uint32_t i = 0; i < count; i++)
        list[i]->number = i + 1;
    sort(notes, by_target);
}

/* Makes the list of the notes that have an element of their own. */
static void list_found(wn_page_notes *notes)
{
    for (uint32_t i = 0; i < notes->list.count && !notes->failed; i++) {
        if (notes->list.items[i].target) {
            wn_page_note **note = wn_array_push(&notes->by_target);
            notes->failed |= !note;
            if (note)
                *note = &notes->list.items[i];
        }
    }
    number_notes(notes);
}

void wn_page_notes_find(wn_page_notes *notes, const wn_page *page, const wn_selection *selection)
{
    collect_marks(notes, page, selection);
    if (notes->list.count == 0)
        return;
    join_marks(notes);
    find_targets(notes, page->doc);
    list_found(notes);
    count_blocks(notes, page, selection);
}

void wn_page_notes_free(wn_page_notes *notes)
{
    wn_array_free(&notes->list);
    wn_array_free(&notes->by_target);
}

const wn_page_note *wn_page_notes_of_mark(const wn_page_notes *notes, const wn_page *page,
                                          const wn_span *span)
{
    wn_str id, label;
    if (notes->list.count == 0 || !read_mark(page, span, &id, &label))
        return NULL;
    uint32_t place = place_of(notes, id);
    const wn_page_note *note = place < notes->list.count ? &notes->list.items[place] : NULL;
    return note && note->kept && wn_str_eq(note->id, id) ? note : NULL;
}

const wn_page_note *wn_page_notes_of_element(const wn_page_notes *notes, wn_node_id element)
{
    const wn_page_note *note = notes ? find_target(notes, element) : NULL;
    return note && note->kept ? note : NULL;
}

const wn_page_note *wn_page_notes_around(const wn_page_notes *notes, const wn_page *page,
                                         uint32_t block)
{
    return note_around(notes, page, block);
}

void wn_page_notes_add_name(wn_buf *out, const wn_page_notes *notes, const wn_page_note *note)
{
    if (notes->has_clear_labels)
        wn_buf_add(out, note->label);
    else
        wn_buf_add_format(out, "%u", (unsigned)note->number);
}
