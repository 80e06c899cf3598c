/*
 * The trees of a folder's pages in a form that another parser's trees can be compared with.
 *
 *     tree_dump FOLDER
 *
 * For each page a line "NUMBER INPUT_BYTES DUMP_BYTES", the decoded input and the dump. The
 * dump has a line a node in document order, indented by its depth with one space a level:
 *
 *     <name          an element, then its attributes in the order of their names:
 *     @name=value
 *     "text
 *
 * Line feeds in texts and values are written as \n. Comments, the doctype and the contents
 * of templates are left out.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "bench.h"
#include "html/encoding.h"
#include "html/tree.h"

static void add_line(wn_buf *out, unsigned depth, char mark)
{
    wn_buf_add_repeated(out, ' ', depth);
    wn_buf_add_char(out, mark);
}

static void add_escaped(wn_buf *out, wn_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '\n')
            wn_buf_add_literal(out, "\\n");
        else
            wn_buf_add_char(out, text.ptr[i]);
    }
}

static int compare_names(const void *a, const void *b)
{
    const wn_attr *x = a, *y = b;
    size_t shorter = x->name_len < y->name_len ? x->name_len : y->name_len;
    int order = memcmp(x->name, y->name, shorter);
    return order ? order : x->name_len - y->name_len;
}

static void add_attributes(wn_buf *out, const wn_node *element, unsigned depth)
{
    wn_attr *sorted = malloc((element->len + 1) * sizeof *sorted);
    if (!sorted)
        return;
    if (element->len)
        memcpy(sorted, element->attrs, element->len * sizeof *sorted);
    qsort(sorted, element->len, sizeof *sorted, compare_names);
    for (uint32_t i = 0; i < element->len; i++) {
        add_line(out, depth, '@');
        wn_buf_add(out, wn_str_from(sorted[i].name, sorted[i].name_len));
        wn_buf_add_char(out, '=');
        add_escaped(out, wn_attr_value(&sorted[i]));
        wn_buf_add_char(out, '\n');
    }
    free(sorted);
}

static unsigned depth_of(const wn_doc *doc, wn_node_id id)
{
    unsigned depth = 0;
    while ((id = wn_doc_node(doc, id)->parent) != WN_NO_NODE)
        depth++;
    return depth - 1; /* below the document */
}

static void dump(wn_buf *out, const wn_doc *doc)
{
    wn_node_id id = wn_doc_node(doc, WN_DOCUMENT_NODE)->first_child;
    while (id != WN_NO_NODE) {
        const wn_node *node = wn_doc_node(doc, id);
        unsigned depth = depth_of(doc, id);
        if (node->kind == WN_KIND_ELEMENT) {
            add_line(out, depth, '<');
            wn_buf_add(out, wn_node_name(node));
            wn_buf_add_char(out, '\n');
            add_attributes(out, node, depth);
        } else if (node->kind == WN_KIND_TEXT) {
            add_line(out, depth, '"');
            add_escaped(out, wn_node_text(node));
            wn_buf_add_char(out, '\n');
        }
        id = node->kind == WN_KIND_CONTENT ? wn_doc_skip(doc, id, WN_DOCUMENT_NODE)
                                           : wn_doc_next(doc, id, WN_DOCUMENT_NODE);
    }
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: tree_dump FOLDER\n");
        return 2;
    }
    bench_pages pages = bench_load(argv[1]);
    wn_arena arena;
    wn_doc doc = {0};
    wn_buf out = {0};
    wn_tree *tree = wn_html_tree_new();
    wn_arena_init(&arena, 0);
    for (size_t i = 0; i < pages.count; i++) {
        wn_str bytes = wn_str_from(pages.items[i].bytes, pages.items[i].size);
        wn_arena_reset(&arena);
        wn_buf_clear(&out);
        wn_str input = wn_html_decode(&arena, bytes, NULL).text;
        wn_html_tree_parse(tree, &doc, &arena, input, &wn_parse_defaults);
        dump(&out, &doc);
        printf("%zu %zu %zu\n", i, input.len, out.len);
        fwrite(input.ptr, 1, input.len, stdout);
        fwrite(wn_buf_str(&out).ptr, 1, out.len, stdout);
    }
    wn_html_tree_free(tree);
    wn_doc_free(&doc);
    wn_arena_free(&arena);
    wn_buf_free(&out);
    return 0;
}
