/*
 * Fuzzes tree construction: documents and fragments, scripting on and off, small limits,
 * an arena that runs out.
 *
 * Properties: the document passes its own check; every string is well-formed UTF-8;
 * limits hold; the same builder and document give the same tree again.
 */
#include "fuzz.h"
#include "html/encoding.h"
#include "html/tree.h"

static const char *const contexts[] = {
    NULL,
    "body",
    "div",
    "table",
    "tbody",
    "tr",
    "td",
    "caption",
    "colgroup",
    "select",
    "template",
    "frameset",
    "head",
    "html",
    "title",
    "textarea",
    "script",
    "style",
    "plaintext",
    "noscript",
    "p",
    "a",
    "form",
    "button",
    "svg svg",
    "svg path",
    "svg foreignObject",
    "svg title",
    "svg desc",
    "math math",
    "math mi",
    "math annotation-xml",
};

static wn_parse_options take_options(fuzz_input *input)
{
    wn_parse_options options = wn_parse_defaults;
    uint32_t flags = fuzz_choice(input, 32);
    options.scripting = flags & 1;
    if (flags & 2)
        options.fragment_context = contexts[fuzz_choice(input, sizeof contexts / sizeof *contexts)];
    if (flags & 4)
        options.max_depth = 1 + fuzz_choice(input, 30);
    if (flags & 8)
        options.max_nodes = 1 + 4 * fuzz_choice(input, 64);
    if (flags & 16)
        options.max_attrs = 1 + fuzz_choice(input, 8);
    return options;
}

static uint64_t digest_node(uint64_t digest, const wn_node *node)
{
    digest = digest * 31 + node->kind + 7 * node->ns;
    if (node->kind == WN_KIND_TEXT || node->kind == WN_KIND_COMMENT)
        return fuzz_digest(digest, wn_node_text(node));
    digest = fuzz_digest(digest, wn_node_name(node));
    for (uint32_t i = 0; node->kind == WN_KIND_ELEMENT && i < node->len; i++) {
        const wn_attr *attr = &node->attrs[i];
        digest = fuzz_digest(digest, wn_str_from(attr->name, attr->name_len));
        digest = fuzz_digest(digest, wn_attr_value(attr));
    }
    return digest;
}

static void check_node(const wn_node *node, uint32_t max_attrs)
{
    if (node->kind == WN_KIND_TEXT || node->kind == WN_KIND_COMMENT)
        fuzz_check_utf8(wn_node_text(node));
    if (node->kind != WN_KIND_ELEMENT)
        return;
    fuzz_check_utf8(wn_node_name(node));
    FUZZ_CHECK(wn_node_name(node).len > 0);
    /* Attributes of later <html> and <body> tags are added to the first. */
    if (!wn_node_is(node, WN_TAG_HTML) && !wn_node_is(node, WN_TAG_BODY))
        FUZZ_CHECK(!max_attrs || node->len <= max_attrs);
    for (uint32_t i = 0; i < node->len; i++) {
        fuzz_check_utf8(wn_str_from(node->attrs[i].name, node->attrs[i].name_len));
        fuzz_check_utf8(wn_attr_value(&node->attrs[i]));
    }
}

static uint64_t walk(const wn_doc *doc, const wn_parse_options *options)
{
    uint64_t digest = doc->limited + 64 * (uint64_t)doc->quirks;
    for (wn_node_id id = WN_DOCUMENT_NODE; id; id = wn_doc_next(doc, id, WN_DOCUMENT_NODE)) {
        const wn_node *node = wn_doc_node(doc, id);
        check_node(node, options->max_attrs);
        digest = digest_node(digest, node) + (node->first_child != WN_NO_NODE);
    }
    return digest;
}

static uint64_t parse(wn_tree *tree, wn_doc *doc, wn_arena *arena, wn_str text,
                      const wn_parse_options *options)
{
    wn_html_tree_parse(tree, doc, arena, text, options);
    const char *wrong = wn_doc_check(doc);
    if (wrong)
        fprintf(stderr, "wn_doc_check: %s\n", wrong);
    FUZZ_CHECK(!wrong);
    return doc->nodes.count > WN_DOCUMENT_NODE ? walk(doc, options) : 0;
}

/* Parses once more with an arena that may not grow: the tree ends early but is sound. */
static void parse_with_little_memory(wn_tree *tree, wn_doc *doc, wn_str text,
                                     const wn_parse_options *options)
{
    wn_arena small;
    wn_arena_init(&small, 20 * 1024);
    parse(tree, doc, &small, text, options);
    FUZZ_CHECK(small.reserved <= 20 * 1024);
    wn_arena_free(&small);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = {data, size};
    wn_parse_options options = take_options(&input);
    wn_tree *tree = wn_html_tree_new();
    wn_doc doc = {0};
    wn_arena arena;
    wn_arena_init(&arena, 0);
    wn_str text = wn_html_decode(&arena, fuzz_rest(&input), "utf-8").text;
    uint64_t first = parse(tree, &doc, &arena, text, &options);
    FUZZ_CHECK(parse(tree, &doc, &arena, text, &options) == first);
    parse_with_little_memory(tree, &doc, text, &options);
    wn_doc_free(&doc);
    wn_html_tree_free(tree);
    wn_arena_free(&arena);
    return 0;
}
