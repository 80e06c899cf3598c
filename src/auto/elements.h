/*
 * Elements: those of a page that hold text, and what is in them.
 *
 * Most nodes of a document hold no text a reader sees, and most questions about a block are
 * questions about the elements around it: how many words are in them, how many of these are
 * links, how often similar ones are beside them. Only elements with blocks below them are listed,
 * parents before their children, so that sums are one loop backwards and what is
 * inherited is one loop forwards.
 */
#ifndef WN_AUTO_ELEMENTS_H
#define WN_AUTO_ELEMENTS_H

#include "base/arena.h"
#include "page/page.h"

/* An element around blocks. Element 0 is the document itself. */
typedef struct wn_auto_element {
    wn_node_id node;
    uint32_t parent; /* an index; of element 0: itself */
    uint32_t depth;  /* element 0 has 0 */

    /* Sums over all blocks below. */
    uint32_t words, bytes, link_bytes;
    uint32_t blocks;
    uint32_t good_words;   /* words of long texts with few links */
    uint32_t marks;        /* commas and full stops */
    uint32_t short_blocks; /* of fewer than five words */
    uint32_t first_block;  /* in document order; text in inline elements may lie between */

    uint32_t children;   /* that are listed */
    uint32_t kin;        /* siblings, itself included, with the same tag and classes */
    uint32_t namesakes;  /* siblings, itself included, with the same tag */
    uint32_t signature;  /* of tag and first classes */
    uint32_t tag_path;   /* of the tags from the root down to it */
    uint32_t class_path; /* of its signature and those of three elements around it */
} wn_auto_element;

typedef struct wn_auto_elements {
    wn_auto_element *items;
    uint32_t count;
    uint32_t *of_block; /* by block: the index of its element */
} wn_auto_elements;

/* What a block adds to the sums of its elements. */
typedef struct wn_auto_block_weight {
    uint32_t good_words;
    uint32_t marks;
} wn_auto_block_weight;

/*
 * Lists the elements, sums included; false if out of memory. `weights` has one for each block,
 * `marks` a zero for each node of the document, and is left so.
 */
bool wn_auto_elements_build(wn_auto_elements *elements, const wn_page *page,
                            const wn_auto_block_weight *weights, uint32_t *marks, wn_arena *arena);

/* The lowest element with at least `share` thousandths of the good words; 0 if there are none. */
uint32_t wn_auto_elements_peak(const wn_auto_elements *elements, uint32_t share);

enum { WN_PEAKS = 4 }; /* elements that all others are measured from */

/*
 * Distances of every element to each of the peaks: up to the first element that holds it, and from
 * there down, both at most WN_FAR. They go to distances[0] to [2 * WN_PEAKS - 1] for element 0, and
 * `stride` bytes on for each of the next.
 */
void wn_auto_elements_measure(const wn_auto_elements *elements, const uint32_t peaks[WN_PEAKS],
                              uint8_t *distances, size_t stride);

enum { WN_FAR = 60 }; /* a distance to something that is not there */

#endif
