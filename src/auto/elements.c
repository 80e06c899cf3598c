/*
 * Building the skeleton: from each block up to the first element that is there already,
 * so every element is met once.
 */
#include "auto/elements.h"

#include "auto/key_slots.h"
#include "base/hash.h"

enum {
    SHORT_BLOCK = 5,       /* words */
    SIGNATURE_CLASSES = 2, /* classes that say what an element is; later ones vary */
};

/* Of an element that is around a block, as long as it has no bone yet. */
static const uint32_t COUNTED = UINT32_MAX;

/* ---- Which elements ---------------------------------------------------------------------- */

/* Appends the elements from `node` up to the first known one, the uppermost first. */
static void add_chain(wn_skeleton *s, const wn_doc *doc, wn_node_id node, uint32_t *bone_of)
{
    uint32_t length = 0;
    wn_node_id top = node;
    for (; top != WN_NO_NODE && bone_of[top] == COUNTED; top = wn_doc_node(doc, top)->parent)
        length++;
    uint32_t parent = top != WN_NO_NODE ? bone_of[top] - 1 : 0;
    uint32_t first = s->count;
    s->count += length;
    for (uint32_t i = s->count; i-- > first; node = wn_doc_node(doc, node)->parent) {
        s->bones[i] = (wn_bone){
            .node = node,
            .parent = i == first ? parent : i - 1,
            .depth = s->bones[parent].depth + i - first + 1,
            .first_block = UINT32_MAX,
        };
        bone_of[node] = i + 1;
    }
}

/* How many elements there are to note: those around blocks. */
static uint32_t count_elements(const wn_page *page, uint32_t *bone_of)
{
    const wn_doc *doc = page->doc;
    uint32_t count = 1;
    for (uint32_t i = 0; i < page->blocks.count; i++)
        for (wn_node_id id = page->blocks.items[i].node; id && bone_of[id] == 0;
             id = wn_doc_node(doc, id)->parent) {
            bone_of[id] = COUNTED;
            count++;
        }
    return count;
}

static bool note_elements(wn_skeleton *s, const wn_page *page, uint32_t *bone_of, wn_arena *arena)
{
    s->bones = wn_arena_alloc(arena, count_elements(page, bone_of) * sizeof *s->bones);
    s->of_block = wn_arena_alloc(arena, (page->blocks.count + 1) * sizeof *s->of_block);
    if (!s->bones || !s->of_block)
        return false;
    s->bones[0] = (wn_bone){.node = WN_DOCUMENT_NODE, .first_block = UINT32_MAX};
    s->count = 1;
    bone_of[WN_DOCUMENT_NODE] = 1;
    for (uint32_t i = 0; i < page->blocks.count; i++) {
        wn_node_id node = page->blocks.items[i].node;
        if (bone_of[node] == COUNTED)
            add_chain(s, page->doc, node, bone_of);
        s->of_block[i] = bone_of[node] - 1;
    }
    for (uint32_t i = 0; i < s->count; i++)
        bone_of[s->bones[i].node] = 0;
    return true;
}

/* ---- What is in them --------------------------------------------------------------------- */

static void add_block(wn_bone *bone, const wn_block *block, const wn_weight *weight, uint32_t index)
{
    bone->words += block->words;
    bone->bytes += block->len;
    bone->link_bytes += block->link_bytes;
    bone->blocks++;
    bone->good_words += weight->good_words;
    bone->marks += weight->marks;
    bone->short_blocks += block->words < SHORT_BLOCK;
    if (index < bone->first_block)
        bone->first_block = index;
}

static void add_bone(wn_bone *to, const wn_bone *child)
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

static void add_up(wn_skeleton *s, const wn_page *page, const wn_weight *weights)
{
    for (uint32_t i = 0; i < page->blocks.count; i++)
        add_block(&s->bones[s->of_block[i]], &page->blocks.items[i], &weights[i], i);
    for (uint32_t i = s->count; i-- > 1;)
        add_bone(&s->bones[s->bones[i].parent], &s->bones[i]);
}

/* ---- What is alike ----------------------------------------------------------------------- */

static uint32_t mix(uint32_t a, uint32_t b)
{
    uint64_t product = ((uint64_t)a << 32 | b) * 0x9E3779B97F4A7C15u;
    return (uint32_t)(product >> 32) ^ (uint32_t)product;
}

/* The tag and the first classes. */
static uint32_t signature_of(const wn_node *element)
{
    uint32_t hash = mix(element->tag, element->ns);
    if (element->kind != WN_KIND_ELEMENT)
        return hash;
    wn_str classes = wn_node_attr_value(element, WN_ATTR_CLASS);
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

static void sign(wn_skeleton *s, const wn_doc *doc)
{
    for (uint32_t i = 0; i < s->count; i++) {
        wn_bone *bone = &s->bones[i];
        const wn_node *node = wn_doc_node(doc, bone->node);
        const wn_bone *up = &s->bones[bone->parent], *up2 = &s->bones[up->parent];
        bone->signature = signature_of(node);
        bone->tag_path = mix(up->tag_path, node->tag);
        bone->class_path = mix(mix(bone->signature, up->signature),
                               mix(up2->signature, s->bones[up2->parent].signature));
    }
}

/* Counts siblings that are alike: how many bones have the same parent and the same key. */
static bool count_siblings(wn_skeleton *s, const wn_doc *doc, wn_arena *arena)
{
    wn_tally kin, namesakes;
    if (!wn_tally_start(&kin, s->count, arena) || !wn_tally_start(&namesakes, s->count, arena))
        return false;
    uint32_t *kin_counts = wn_tally_zeros(&kin, sizeof *kin_counts, arena);
    uint32_t *namesake_counts = wn_tally_zeros(&namesakes, sizeof *namesake_counts, arena);
    if (!kin_counts || !namesake_counts)
        return false;
    for (uint32_t i = 1; i < s->count; i++) {
        wn_bone *bone = &s->bones[i];
        uint32_t tag = wn_doc_node(doc, bone->node)->tag;
        bone->kin = wn_tally_slot(&kin, mix(bone->signature, bone->parent));
        bone->namesakes = wn_tally_slot(&namesakes, mix(tag, bone->parent));
        kin_counts[bone->kin]++;
        namesake_counts[bone->namesakes]++;
    }
    for (uint32_t i = 1; i < s->count; i++) { /* slots become counts */
        s->bones[i].kin = kin_counts[s->bones[i].kin];
        s->bones[i].namesakes = namesake_counts[s->bones[i].namesakes];
    }
    return true;
}

/* ---- The whole --------------------------------------------------------------------------- */

bool wn_skeleton_build(wn_skeleton *s, const wn_page *page, const wn_weight *weights,
                       uint32_t *marks, wn_arena *arena)
{
    if (!note_elements(s, page, marks, arena))
        return false;
    add_up(s, page, weights);
    sign(s, page->doc);
    return count_siblings(s, page->doc, arena);
}

uint32_t wn_skeleton_peak(const wn_skeleton *s, uint32_t share)
{
    uint64_t wanted = (uint64_t)s->bones[0].good_words * share;
    uint32_t peak = 0;
    if (s->bones[0].good_words == 0)
        return 0;
    for (uint32_t i = 1; i < s->count; i++)
        if ((uint64_t)s->bones[i].good_words * 1000 >= wanted &&
            s->bones[i].depth > s->bones[peak].depth)
            peak = i;
    return peak;
}

void wn_skeleton_measure(const wn_skeleton *s, uint32_t peak, uint8_t *distances, size_t stride)
{
    for (uint32_t i = 0; i < s->count; i++)
        distances[i * stride] = WN_FAR;
    for (uint32_t i = peak;; i = s->bones[i].parent) { /* the path from the peak to the root */
        uint32_t down = s->bones[peak].depth - s->bones[i].depth;
        distances[i * stride] = 0;
        distances[i * stride + 1] = (uint8_t)(down < WN_FAR ? down : WN_FAR);
        if (i == 0)
            break;
    }
    for (uint32_t i = 1; i < s->count; i++) {
        uint8_t *mine = distances + i * stride;
        const uint8_t *up = distances + s->bones[i].parent * stride;
        if (mine[0] != WN_FAR)
            continue;
        mine[0] = (uint8_t)(up[0] < WN_FAR ? up[0] + 1 : WN_FAR);
        mine[1] = up[1];
    }
}
