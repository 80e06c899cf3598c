/*
 * What a text in Markdown has besides words: its code, its formulas and its tables; and its words.
 *
 * It reads what programs write, not all that people may: CommonMark with GitHub's tables and
 * footnotes, formulas between dollars or \( and \), tables in HTML. Marks are taken off the text,
 * of links and emphasis the words stay, pictures go.
 *
 *     | a | b |            cell "a", cell "b", row,
 *     |---|---|            cell "1", cell "2", row,
 *     | 1 | 2 |            table, and at the end of the page its root
 *
 * The tables of a page are one tree, whose nodes are in postorder: what is in a node comes before
 * it.
 */
#ifndef WN_EVAL_STRUCTURE_H
#define WN_EVAL_STRUCTURE_H

#include "base/arena.h"
#include "base/array.h"
#include "base/buf.h"

enum {
    WN_STRUCTURE_MOST_NODES = 1024, /* of tables; what is beyond is not compared */
    WN_STRUCTURE_MOST_CELL = 256,   /* characters of a cell that are compared */
};

typedef enum wn_structure_kind {
    WN_STRUCTURE_CELL,
    WN_STRUCTURE_ROW,
    WN_STRUCTURE_TABLE,
    WN_STRUCTURE_ROOT,
} wn_structure_kind;

typedef struct wn_structure_node {
    wn_structure_kind kind;
    uint32_t first;      /* the first leaf that is in it; itself if it is a leaf */
    uint32_t text, len;  /* of a cell: where its text is in `cells` */
    uint16_t rows, cols; /* that a cell spans */
} wn_structure_node;

/* Zero it before the first use; its memory is kept from text to text. */
typedef struct wn_structure {
    wn_buf text;                       /* without marks */
    wn_buf code;                       /* of all blocks of code */
    wn_buf formulas;                   /* in TeX without white space, one per line */
    wn_buf cells;                      /* the texts of all cells */
    wn_array(wn_structure_node) nodes; /* the last one is the root; none: there is no table */
    wn_buf source, inline_text, scratch;
    wn_arena arena; /* for reading tables in HTML */
    bool failed;    /* out of memory */
} wn_structure;

void wn_eval_structure_free(wn_structure *s);

/* Reads Markdown, which may be any bytes. */
void wn_eval_structure_read(wn_structure *s, wn_str markdown);

/* ---- For the files of the reader --------------------------------------------------------- */

/* Adds text without the marks of Markdown in it to `out`, and its formulas to s->formulas. */
void wn_eval_structure_inline(wn_structure *s, wn_buf *out, wn_str text);

/* Reads a table in HTML, which begins the text; returns how many bytes it has. */
size_t wn_eval_structure_html_table(wn_structure *s, wn_str text);

/*
 * Nodes of the tree of tables, each after what is in it; `first` is the number of the first of
 * these.
 */
void wn_eval_structure_add_node(wn_structure *s, wn_structure_kind kind, uint32_t first);
void wn_eval_structure_add_cell(wn_structure *s, wn_str text, uint32_t rows, uint32_t cols);

#endif
