#include "dump.h"

#include <stdlib.h>

void dump_quoted(wn_buf *out, wn_str s)
{
    wn_buf_add_char(out, '"');
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        if (c == '\n')
            wn_buf_add_literal(out, "\\n");
        else if (c == '"' || c == '\\')
            wn_buf_add_format(out, "\\%c", c);
        else if ((unsigned char)c < 0x20 || c == 0x7F)
            wn_buf_add_format(out, "\\x%02x", (unsigned char)c);
        else
            wn_buf_add_char(out, c);
    }
    wn_buf_add_char(out, '"');
}

/* ---- Tokens ------------------------------------------------------------------------------ */

static void flush_text(dump_tokens *dump)
{
    if (dump->text.len == 0)
        return;
    wn_buf_add_literal(dump->out, "text ");
    dump_quoted(dump->out, wn_buf_str(&dump->text));
    wn_buf_add_char(dump->out, '\n');
    wn_buf_clear(&dump->text);
}

static void dump_start_tag(wn_buf *out, const wn_token *token)
{
    wn_buf_add_literal(out, "start ");
    wn_buf_add(out, token->name);
    for (uint32_t i = 0; i < token->attr_count; i++) {
        const wn_attr *attr = &token->attrs[i];
        wn_buf_add_char(out, ' ');
        wn_buf_add(out, wn_str_from(attr->name, attr->name_len));
        wn_buf_add_char(out, '=');
        dump_quoted(out, wn_attr_value(attr));
    }
    if (token->self_closing)
        wn_buf_add_literal(out, " /");
}

static void dump_doctype_token(wn_buf *out, const wn_token *token)
{
    const wn_doctype *doctype = &token->doctype;
    wn_buf_add_literal(out, "doctype ");
    wn_buf_add(out, doctype->name);
    if (doctype->has_public_id) {
        wn_buf_add_literal(out, " public ");
        dump_quoted(out, doctype->public_id);
    }
    if (doctype->has_system_id) {
        wn_buf_add_literal(out, " system ");
        dump_quoted(out, doctype->system_id);
    }
    if (token->force_quirks)
        wn_buf_add_literal(out, " quirks");
}

void dump_token(dump_tokens *dump, const wn_token *token)
{
    wn_buf *out = dump->out;
    if (token->kind == WN_TOKEN_TEXT) {
        wn_buf_add(&dump->text, token->text);
        return;
    }
    flush_text(dump);
    switch (token->kind) {
    case WN_TOKEN_START_TAG:
        dump_start_tag(out, token);
        break;
    case WN_TOKEN_END_TAG:
        wn_buf_add_literal(out, "end ");
        wn_buf_add(out, token->name);
        break;
    case WN_TOKEN_COMMENT:
        wn_buf_add_literal(out, "comment ");
        dump_quoted(out, token->text);
        break;
    case WN_TOKEN_DOCTYPE:
        dump_doctype_token(out, token);
        break;
    default:
        return;
    }
    wn_buf_add_char(out, '\n');
}

void dump_tokens_finish(dump_tokens *dump)
{
    flush_text(dump);
    wn_buf_free(&dump->text);
}

/* ---- Trees ------------------------------------------------------------------------------- */

/* Attributes of foreign elements that have a namespace are shown as "xlink href". */
static bool has_namespace(const wn_node *element, const wn_attr *attr)
{
    return element->ns != WN_NS_HTML &&
           ((attr->id >= WN_ATTR_XLINK_ACTUATE && attr->id <= WN_ATTR_XLINK_TYPE) ||
            attr->id == WN_ATTR_XML_LANG || attr->id == WN_ATTR_XML_SPACE ||
            attr->id == WN_ATTR_XMLNS_XLINK);
}

/*
 * A byte's place in the order of UTF-16. It is the order of UTF-8, but for the characters
 * above U+FFFF: they start with surrogates and come before U+E000.
 */
static int utf16_rank(char c)
{
    int byte = (unsigned char)c;
    if (byte >= 0xF0)
        return byte - 2;
    return byte >= 0xEE ? byte + 8 : byte;
}

static int compare_names(const void *a, const void *b)
{
    const wn_str *left = a, *right = b;
    size_t shorter = left->len < right->len ? left->len : right->len;
    for (size_t i = 0; i < shorter; i++)
        if (left->ptr[i] != right->ptr[i])
            return utf16_rank(left->ptr[i]) - utf16_rank(right->ptr[i]);
    return (left->len > right->len) - (left->len < right->len);
}

typedef struct shown_attr {
    wn_str name; /* first, so that compare_names() can be used */
    wn_str value;
} shown_attr;

static void indent(wn_buf *out, uint32_t depth)
{
    wn_buf_add_literal(out, "| ");
    wn_buf_add_repeated(out, ' ', 2 * (size_t)depth);
}

static void dump_attrs(wn_buf *out, const wn_node *element, uint32_t depth)
{
    shown_attr *shown = calloc(element->len, sizeof *shown);
    char *names = NULL;
    if (!shown)
        abort();
    for (uint32_t i = 0; i < element->len; i++) {
        const wn_attr *attr = &element->attrs[i];
        shown[i].name = wn_str_from(attr->name, attr->name_len);
        shown[i].value = wn_attr_value(attr);
        if (!has_namespace(element, attr))
            continue;
        if (!names && !(names = calloc(element->len, 16)))
            abort();
        memcpy(names + 16 * i, attr->name, attr->name_len < 16 ? attr->name_len : 15);
        *strchr(names + 16 * i, ':') = ' ';
        shown[i].name = wn_str_of(names + 16 * i);
    }
    qsort(shown, element->len, sizeof *shown, compare_names);
    for (uint32_t i = 0; i < element->len; i++) {
        indent(out, depth);
        wn_buf_add(out, shown[i].name);
        wn_buf_add_literal(out, "=\"");
        wn_buf_add(out, shown[i].value);
        wn_buf_add_literal(out, "\"\n");
    }
    free(shown);
    free(names);
}

static void dump_element(wn_buf *out, const wn_node *element, uint32_t depth)
{
    static const char *const prefixes[] = {
        [WN_NS_HTML] = "", [WN_NS_SVG] = "svg ", [WN_NS_MATHML] = "math "};
    wn_buf_add_char(out, '<');
    wn_buf_add_literal(out, prefixes[element->ns]);
    wn_buf_add(out, wn_node_name(element));
    wn_buf_add_literal(out, ">\n");
    if (element->len > 0)
        dump_attrs(out, element, depth + 1);
}

static void dump_doctype(wn_buf *out, const wn_doctype *doctype)
{
    wn_buf_add_literal(out, "<!DOCTYPE ");
    wn_buf_add(out, doctype->name);
    if (doctype->public_id.len > 0 || doctype->system_id.len > 0) {
        wn_buf_add_literal(out, " \"");
        wn_buf_add(out, doctype->public_id);
        wn_buf_add_literal(out, "\" \"");
        wn_buf_add(out, doctype->system_id);
        wn_buf_add_char(out, '"');
    }
    wn_buf_add_literal(out, ">\n");
}

static void dump_node(wn_buf *out, const wn_doc *doc, const wn_node *node, uint32_t depth)
{
    indent(out, depth);
    switch ((wn_node_kind)node->kind) {
    case WN_KIND_ELEMENT:
        dump_element(out, node, depth);
        break;
    case WN_KIND_TEXT:
        wn_buf_add_char(out, '"');
        wn_buf_add(out, wn_node_text(node));
        wn_buf_add_literal(out, "\"\n");
        break;
    case WN_KIND_COMMENT:
        wn_buf_add_literal(out, "<!-- ");
        wn_buf_add(out, wn_node_text(node));
        wn_buf_add_literal(out, " -->\n");
        break;
    case WN_KIND_DOCTYPE:
        dump_doctype(out, &doc->doctype);
        break;
    case WN_KIND_CONTENT:
        wn_buf_add_literal(out, "content\n");
        break;
    case WN_KIND_NONE:
    case WN_KIND_DOCUMENT:
        wn_buf_add_literal(out, "(a node that should not be here)\n");
        break;
    }
}

void dump_tree(wn_buf *out, const wn_doc *doc, wn_node_id root)
{
    uint32_t depth = 0;
    wn_node_id id = wn_doc_node(doc, root)->first_child;
    while (id != WN_NO_NODE) {
        const wn_node *node = wn_doc_node(doc, id);
        dump_node(out, doc, node, depth);
        if (node->first_child) {
            id = node->first_child;
            depth++;
            continue;
        }
        while (!node->next && node->parent != root) {
            node = wn_doc_node(doc, node->parent);
            depth--;
        }
        id = node->next;
    }
}

wn_node_id dump_fragment_root(const wn_doc *doc)
{
    wn_node_id id = wn_doc_node(doc, WN_DOCUMENT_NODE)->first_child;
    while (id && wn_doc_node(doc, id)->kind != WN_KIND_ELEMENT)
        id = wn_doc_node(doc, id)->next;
    return id;
}

/* ---- Digests ----------------------------------------------------------------------------- */

static uint64_t mix(uint64_t digest, uint64_t value)
{
    digest = (digest ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return digest ^ digest >> 29;
}

/* Eight bytes a step: a digest of a page should not take longer than its parse. */
uint64_t dump_digest_add(uint64_t digest, wn_str bytes)
{
    digest = mix(digest, bytes.len);
    while (bytes.len > 0) {
        uint64_t word = 0;
        size_t size = bytes.len < sizeof word ? bytes.len : sizeof word;
        memcpy(&word, bytes.ptr, size);
        digest = mix(digest, word);
        bytes = wn_str_from_offset(bytes, size);
    }
    return digest;
}

static uint64_t digest_node(uint64_t digest, const wn_doc *doc, const wn_node *node)
{
    digest = mix(digest, (uint64_t)node->kind << 8 | node->ns);
    if (node->kind == WN_KIND_TEXT || node->kind == WN_KIND_COMMENT)
        return dump_digest_add(digest, wn_node_text(node));
    if (node->kind == WN_KIND_DOCTYPE) {
        digest = dump_digest_add(digest, doc->doctype.name);
        digest = dump_digest_add(digest, doc->doctype.public_id);
        return dump_digest_add(digest, doc->doctype.system_id);
    }
    if (node->kind != WN_KIND_ELEMENT)
        return digest;
    digest = dump_digest_add(digest, wn_node_name(node));
    for (uint32_t i = 0; i < node->len; i++) {
        const wn_attr *attr = &node->attrs[i];
        digest = dump_digest_add(digest, wn_str_from(attr->name, attr->name_len));
        digest = dump_digest_add(digest, wn_attr_value(attr));
    }
    return digest;
}

uint64_t dump_digest(const wn_doc *doc)
{
    uint64_t digest = mix(DUMP_DIGEST_START, (uint64_t)doc->quirks << 32 | doc->limited);
    wn_node_id id = wn_doc_node(doc, WN_DOCUMENT_NODE)->first_child;
    while (id != WN_NO_NODE) {
        const wn_node *node = wn_doc_node(doc, id);
        digest = digest_node(digest, doc, node);
        if (node->first_child) {
            digest = mix(digest, '(');
            id = node->first_child;
            continue;
        }
        while (!node->next && node->parent != WN_DOCUMENT_NODE) {
            digest = mix(digest, ')');
            node = wn_doc_node(doc, node->parent);
        }
        id = node->next;
    }
    return digest;
}
