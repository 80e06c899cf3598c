/*
 * The block tree: the visible parts of a page.
 *
 * A block is one node with all that is in it, or a run of siblings. Blocks inside blocks are its
 * children; the leaves together are the page, cut flat. A rule marks nodes (wn_marks); from the
 * marks the tree is made here, in one walk:
 *
 *  - a marked node is a block, and nodes of the same group together are one;
 *  - a node that holds marked ones is divided: what lies between them, unmarked, becomes blocks
 *    too ("rest"), so that the leaves leave nothing out, and the node itself is an inner block,
 *    if it has more than one part;
 *  - everything else belongs to the block of its parent.
 *
 * Block 0 is "no block"; block 1 is the page. Parents come before their children.
 */
#ifndef WN_VISUAL_BLOCKS_H
#define WN_VISUAL_BLOCKS_H

#include "page/page.h"
#include "visual/kinds.h"

/* Why there is a block. 1 to 10 are the rules of EVBE. */
typedef enum wn_cause {
    WN_CAUSE_PAGE,
    WN_CAUSE_RULE_1,
    WN_CAUSE_RULE_4 = 4,
    WN_CAUSE_RULE_5,
    WN_CAUSE_RULE_6,
    WN_CAUSE_RULE_7,
    WN_CAUSE_RULE_8,
    WN_CAUSE_RULE_9,
    WN_CAUSE_RULE_10,
    WN_CAUSE_PARENT,  /* its visual distance to its parent */
    WN_CAUSE_SIBLING, /* its visual distance to the next sibling */
    WN_CAUSE_REST,    /* what is beside a node that was divided */
    WN_CAUSE_DIVIDED, /* the node that was divided */
    WN_CAUSE_VIPS,    /* the other algorithm: a block between separators */
} wn_cause;

/* "rule 8", "distance to parent", …; static. */
const char *wn_visual_cause_name(wn_cause cause);

/* General Parameters: totals of all that is in a block. */
typedef struct wn_gp {
    uint32_t text_length; /* characters, spaces not counted */
    uint32_t words;
    uint32_t link_text_length;
    uint32_t links;
    uint32_t images;
    uint32_t controls; /* of forms */
    uint32_t headings;
    uint32_t paragraphs;
    float area;     /* of its box */
    float distance; /* of its centre from the centre of the first screen */
} wn_gp;

typedef uint32_t wn_vblock_id;

enum { WN_NO_BLOCK = 0, WN_PAGE_BLOCK = 1 };

typedef struct wn_vblock {
    wn_vblock_id parent, first_child, last_child, next;
    wn_node_id first, last; /* the siblings it begins and ends with; the same: it is one node */
    uint32_t column;        /* of rule 6: it is this column of the table `first`; else 0 */
    wn_rect box;            /* of its nodes, and of the floats in it, which hang out of them */
    wn_rect floats;         /* around all floats in it */
    wn_gp gp;
    double importance; /* filled by importance.h */
    uint32_t rank;     /* among all blocks, by importance, from 1 */
    uint8_t cause;     /* wn_cause */
    uint8_t doc;       /* of VIPS: its degree of coherence, 1 to 10; else 0 */
    bool partial;      /* of VIPS: it is only a part of what is in the node */
    bool candidate;
    bool chosen;
} wn_vblock;

typedef struct wn_block_tree {
    wn_array(wn_vblock) blocks;
    wn_vblock_id *of; /* by node: its innermost block; WN_NO_BLOCK: it is not seen */
    bool failed;      /* out of memory */
} wn_block_tree;

/* What the rules say of nodes, all by node. */
typedef struct wn_marks {
    uint8_t *cause;   /* the node is a block of its own; 0: it is not */
    uint32_t *group;  /* it is in a block with others of this number; 0: it is not */
    uint8_t *cut;     /* a block of its siblings begins with it, for this cause; 0: it does not */
    uint8_t *through; /* it is never a block, although it is divided: rows of a table of columns */
    wn_array(uint8_t) group_causes; /* by group; 0 is not used */
    wn_array(uint32_t) group_columns;
} wn_marks;

/* All zero, for a document of `count` nodes; false if out of memory. */
bool wn_visual_marks_start(wn_marks *marks, size_t count, wn_arena *arena);
void wn_visual_marks_free(wn_marks *marks);

/* A new group; 0 if out of memory. */
uint32_t wn_visual_marks_group(wn_marks *marks, wn_cause cause, uint32_t column);

/* Makes the tree. wn_visual_block_tree_free() it in any case. */
void wn_visual_block_tree_build(wn_block_tree *tree, const wn_kinds *kinds, const wn_marks *marks,
                                wn_arena *arena);
void wn_visual_block_tree_free(wn_block_tree *tree);

/* Adds a block, the last child of its parent; WN_NO_BLOCK if out of memory. */
wn_vblock_id wn_visual_block_tree_add(wn_block_tree *tree, const wn_vblock *block);

/* Fills in the General Parameters, from the page's texts (page->wants_texts) and the nodes. */
void wn_visual_block_tree_measure(wn_block_tree *tree, const wn_kinds *kinds, const wn_page *page);

static inline bool wn_visual_vblock_is_leaf(const wn_vblock *block)
{
    return block->first_child == WN_NO_BLOCK;
}

/* Whether `id` is `ancestor` or in it. */
bool wn_visual_vblock_is_in(const wn_block_tree *tree, wn_vblock_id id, wn_vblock_id ancestor);

uint32_t wn_visual_block_tree_leaves(const wn_block_tree *tree);

#endif
