/*
 * Listing the elements: from each block up to the first element that is there already,
 * so every element is met once.
 */
#include "auto/elements.h"

#include <assert.h>

#include "auto/key_slots.h"
#include "base/hash.h"

enum {
    SHORT_BLOCK = 5,       /* words */
    SIGNATURE_CLASSES = 2, /* classes that say what an element is; later ones vary */
};

/* Of an element around a block that is counted and not yet listed. */
static const uint32_t COUNTED = UINT32_MAX;

/* ---- Which elements ---------------------------------------------------------------------- */

/* Appends the elements from `node` up to the first known one, the uppermost first. */
static void add_chain(wn_auto_elements *e, const wn_doc *doc, wn_node_id node, uint32_t *element_of)
{
    uint32_t length = 0;
    wn_node_id top = node;
    for (; top != WN_NO_NODE && element_of[top] == COUNTED; top = wn_doc_node(doc, top)->parent)
        length++;
    uint32_t parent = top != WN_NO_NODE ? element_of[top] - 1 : 0;
    uint32_t first = e->count;
    assert(parent < first); /* parents come before their children */
    e->count += length;
    for (uint32_t i = e->count; i-- > first; node = wn_doc_node(doc, node)->parent) {
        e->items[i] = (wn_auto_element){
            .node = node,
            .parent = i == first ? parent : i - 1,
            .depth = e->items[parent].depth + i - first + 1,
            .first_block = UINT32_MAX,
        };
        element_of[node] = i + 1;
    }
}

/* How many elements there are to note: those around blocks. */
static uint32_t count_elements(const wn_page *page, uint32_t *element_of)
{
    const wn_doc *doc = page->doc;
    uint32_t count = 1;
    for (uint32_t i = 0; i < page->blocks.count; i++)
        for (wn_node_id id = page->blocks.items[i].node; id && element_of[id] == 0;
             id = wn_doc_node(doc, id)->parent) {
            element_of[id] = COUNTED;
            count++;
        }
    return count;
}

static bool note_elements(wn_auto_elements *e, const wn_page *page, uint32_t *element_of,
                          wn_arena *arena)
{
    uint32_t most = count_elements(page, element_of);
    e->items = wn_arena_alloc(arena, most * sizeof *e->items);
    e->of_block = wn_arena_alloc(arena, (page->blocks.count + 1) * sizeof *e->of_block);
    if (!e->items || !e->of_block)
        return false;
    e->items[0] = (wn_auto_element){.node = WN_DOCUMENT_NODE, .first_block = UINT32_MAX};
    e->count = 1;
    element_of[WN_DOCUMENT_NODE] = 1;
    for (uint32_t i = 0; i < page->blocks.count; i++) {
        wn_node_id node = page->blocks.items[i].node;
        if (element_of[node] == COUNTED)
            add_chain(e, page->doc, node, element_of);
        assert(element_of[node] != 0 && element_of[node] <= e->count);
        e->of_block[i] = element_of[node] - 1;
    }
    assert(e->count <= most);
    for (uint32_t i = 0; i < e->count; i++)
        element_of[e->items[i].node] = 0;
    return true;
}

/* ---- What is in them --------------------------------------------------------------------- */

static void add_block(wn_auto_element *element, const wn_block *block,
                      const wn_auto_block_weight *weight, uint32_t index)
{
    element->words += block->words;
    element->bytes += block->len;
    element->link_bytes += block->link_bytes;
    element->blocks++;
    element->good_words += weight->good_words;
    element->marks += weight->marks;
    element->short_blocks += block->words < SHORT_BLOCK;
    if (index < element->first_block)
        element->first_block = index;
}

static void add_child(wn_auto_element *to, const wn_auto_element *child)
{
    to->words += child->words;
    to->bytes += child->bytes;
    to->link_bytes += child->link_bytes;
    to->blocks += child->blocks;
    to->good_words += child->good_words;
    to->marks += child->marks;
    to->short_blocks += child->short_blocks;
    to->children++;
    if (child->first_block < to->first_block)
        to->first_block = child->first_block;
}

static void add_up(wn_auto_elements *e, const wn_page *page, const wn_auto_block_weight *weights)
{
    for (uint32_t i = 0; i < page->blocks.count; i++)
        add_block(&e->items[e->of_block[i]], &page->blocks.items[i], &weights[i], i);
    for (uint32_t i = e->count; i-- > 1;) {
        assert(e->items[i].parent < i); /* so its own sums are complete */
        add_child(&e->items[e->items[i].parent], &e->items[i]);
    }
}

/* ---- What is similar --------------------------------------------------------------------- */

static uint32_t mix(uint32_t a, uint32_t b)
{
    uint64_t product = ((uint64_t)a << 32 | b) * 0x9E3779B97F4A7C15u;
    return (uint32_t)(product >> 32) ^ (uint32_t)product;
}

/* The tag and the first classes. */
static uint32_t signature_of(const wn_node *node)
{
    uint32_t hash = mix(node->tag, node->ns);
    if (node->kind != WN_KIND_ELEMENT)
        return hash;
    wn_str classes = wn_node_attr_value(node, WN_ATTR_CLASS);
    size_t at = 0;
    for (int n = 0; n < SIGNATURE_CLASSES; n++) {
        while (at < classes.len && wn_is_space(classes.ptr[at]))
            at++;
        size_t start = at;
        while (at < classes.len && !wn_is_space(classes.ptr[at]))
            at++;
        if (at > start)
            hash = wn_hash(hash, wn_str_from(classes.ptr + start, at - start));
    }
    return hash;
}

static void hash_paths(wn_auto_elements *e, const wn_doc *doc)
{
    for (uint32_t i = 0; i < e->count; i++) {
        wn_auto_element *element = &e->items[i];
        const wn_node *node = wn_doc_node(doc, element->node);
        const wn_auto_element *up = &e->items[element->parent], *up2 = &e->items[up->parent];
        element->signature = signature_of(node);
        element->tag_path = mix(up->tag_path, node->tag);
        element->class_path = mix(mix(element->signature, up->signature),
                                  mix(up2->signature, e->items[up2->parent].signature));
    }
}

/* Counts similar siblings: how many elements have the same parent and the same key. */
static bool count_siblings(wn_auto_elements *e, const wn_doc *doc, wn_arena *arena)
{
    wn_auto_key_slots kin, namesakes;
    if (!wn_auto_key_slots_start(&kin, e->count, arena) ||
        !wn_auto_key_slots_start(&namesakes, e->count, arena))
        return false;
    uint32_t *kin_counts = wn_auto_key_slots_zeros(&kin, sizeof *kin_counts, arena);
    uint32_t *namesake_counts = wn_auto_key_slots_zeros(&namesakes, sizeof *namesake_counts, arena);
    if (!kin_counts || !namesake_counts)
        return false;
    for (uint32_t i = 1; i < e->count; i++) {
        wn_auto_element *element = &e->items[i];
        uint32_t tag = wn_doc_node(doc, element->node)->tag;
        element->kin = wn_auto_key_slots_find(&kin, mix(element->signature, element->parent));
        element->namesakes = wn_auto_key_slots_find(&namesakes, mix(tag, element->parent));
        kin_counts[element->kin]++;
        namesake_counts[element->namesakes]++;
    }
    for (uint32_t i = 1; i < e->count; i++) { /* slots become counts */
        e->items[i].kin = kin_counts[e->items[i].kin];
        e->items[i].namesakes = namesake_counts[e->items[i].namesakes];
    }
    return true;
}

/* ---- The whole --------------------------------------------------------------------------- */

bool wn_auto_elements_build(wn_auto_elements *e, const wn_page *page,
                            const wn_auto_block_weight *weights, uint32_t *marks, wn_arena *arena)
{
    if (!note_elements(e, page, marks, arena))
        return false;
    add_up(e, page, weights);
    hash_paths(e, page->doc);
    return count_siblings(e, page->doc, arena);
}

uint32_t wn_auto_elements_peak(const wn_auto_elements *e, uint32_t share)
{
    uint64_t wanted = (uint64_t)e->items[0].good_words * share;
    uint32_t peak = 0;
    if (e->items[0].good_words == 0)
        return 0;
    for (uint32_t i = 1; i < e->count; i++)
        if ((uint64_t)e->items[i].good_words * 1000 >= wanted &&
            e->items[i].depth > e->items[peak].depth)
            peak = i;
    return peak;
}

/* Writes the distances of the elements on the path from a peak to the root. */
static void measure_path(const wn_auto_elements *e, uint32_t peak, uint8_t *distances,
                         size_t stride)
{
    assert(peak < e->count);
    for (uint32_t i = peak;; i = e->items[i].parent) {
        uint32_t down = e->items[peak].depth - e->items[i].depth;
        distances[i * stride] = 0;
        distances[i * stride + 1] = (uint8_t)(down < WN_FAR ? down : WN_FAR);
        if (i == 0)
            break;
    }
}

/* An element is one step further up than its parent, unless it is on a path, which is nearer. */
void wn_auto_elements_measure(const wn_auto_elements *e, const uint32_t peaks[WN_PEAKS],
                              uint8_t *distances, size_t stride)
{
    static const uint8_t steps[2 * WN_PEAKS] = {1, 0, 1, 0, 1, 0, 1, 0};
    for (uint32_t i = 0; i < e->count; i++)
        memset(distances + i * stride, WN_FAR, sizeof steps);
    for (int i = 0; i < WN_PEAKS; i++)
        measure_path(e, peaks[i], distances + 2 * i, stride);
    for (uint32_t i = 1; i < e->count; i++) {
        uint8_t *restrict mine = distances + i * stride;
        const uint8_t *restrict up = distances + e->items[i].parent * stride;
        for (size_t k = 0; k < sizeof steps; k++) {
            uint8_t inherited = (uint8_t)(up[k] + steps[k]);
            mine[k] = mine[k] < inherited ? mine[k] : inherited;
        }
    }
}
