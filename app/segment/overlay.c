/*
 * The page itself with its blocks marked, made safe to open.
 *
 * The document is written again from its tree; only what is known to be harmless is kept:
 *
 *  - no scripts, frames, objects, plug-ins, links to sheets, <meta>, <base>; nothing foreign
 *    (SVG, MathML): pictures of all kinds are grey boxes of the size they had;
 *  - of attributes only those on a list, so no event handlers; addresses only with harmless
 *    schemes;
 *  - a Content-Security-Policy that allows nothing but the page's own styles: no script runs
 *    and nothing is fetched even if something was overlooked.
 *
 * Each node of a block carries the block's number, a colour and a title, and the innermost block
 * under the pointer is outlined. That needs no script either.
 */
#include "base/url.h"
#include "base/escape.h"
#include "segment/segment.h"

/* ---- What may be there ---------------------------------------------------------------- */

typedef enum fate {
    KEEP,
    VOID,    /* kept; it has no end tag */
    UNWRAP,  /* its contents without it */
    PICTURE, /* a grey box in its place */
    DROP,    /* with all that is in it */
} fate;

static fate fate_of_tag(const wn_node *element)
{
    switch (element->tag) {
    case WN_TAG_AREA:
    case WN_TAG_BASE:
    case WN_TAG_FRAMESET:
    case WN_TAG_HEAD: /* written again */
    case WN_TAG_LINK:
    case WN_TAG_MAP:
    case WN_TAG_META:
    case WN_TAG_NOEMBED:
    case WN_TAG_NOFRAMES:
    case WN_TAG_NOSCRIPT:
    case WN_TAG_PARAM:
    case WN_TAG_SCRIPT:
    case WN_TAG_SOURCE:
    case WN_TAG_STYLE: /* written in the head */
    case WN_TAG_TEMPLATE:
    case WN_TAG_TITLE:
    case WN_TAG_TRACK:
        return DROP;
    case WN_TAG_APPLET:
    case WN_TAG_AUDIO:
    case WN_TAG_CANVAS:
    case WN_TAG_EMBED:
    case WN_TAG_FRAME:
    case WN_TAG_IFRAME:
    case WN_TAG_IMG:
    case WN_TAG_OBJECT:
    case WN_TAG_VIDEO:
        return PICTURE;
    case WN_TAG_HTML:
    case WN_TAG_PLAINTEXT:
    case WN_TAG_UNKNOWN:
    case WN_TAG_XMP:
        return UNWRAP;
    case WN_TAG_BR:
    case WN_TAG_COL:
    case WN_TAG_HR:
    case WN_TAG_INPUT:
    case WN_TAG_WBR:
        return VOID;
    default:
        return KEEP;
    }
}

static fate fate_of(const wn_node *node)
{
    if (node->kind != WN_KIND_ELEMENT)
        return DROP;
    if (node->ns == WN_NS_HTML)
        return fate_of_tag(node);
    return node->ns == WN_NS_SVG ? PICTURE : UNWRAP;
}

static bool is_harmless_address(wn_str url)
{
    static const char *const schemes[] = {"http", "https", "mailto", "tel", "ftp", NULL};
    url = wn_str_trim(url);
    for (size_t i = 0; i < url.len; i++) /* controls hide schemes: "java\tscript:" */
        if ((unsigned char)url.ptr[i] < ' ')
            return false;
    const char *colon = url.len ? memchr(url.ptr, ':', url.len) : NULL;
    const char *slash = url.len ? memchr(url.ptr, '/', url.len) : NULL;
    if (!colon || (slash && slash < colon) || url.ptr[0] == '#' || url.ptr[0] == '?')
        return true; /* it is relative */
    for (size_t i = 0; schemes[i]; i++)
        if (wn_url_has_scheme(url, wn_str_of(schemes[i])))
            return true;
    return false;
}

static bool is_harmless_name(wn_str name)
{
    static const char *const names[] = {
        "align",    "alt",    "bgcolor", "border",      "cellpadding", "cellspacing",
        "checked",  "class",  "color",   "cols",        "colspan",     "dir",
        "disabled", "face",   "height",  "hidden",      "hspace",      "id",
        "lang",     "nowrap", "open",    "placeholder", "rows",        "rowspan",
        "selected", "size",   "span",    "start",       "style",       "summary",
        "type",     "valign", "value",   "vspace",      "width",       NULL,
    };
    for (size_t i = 0; names[i]; i++)
        if (wn_str_eq(name, wn_str_of(names[i])))
            return true;
    for (size_t i = 0; i < name.len; i++)
        if (!wn_is_ascii_alnum(name.ptr[i]) && name.ptr[i] != '-')
            return false;
    return wn_str_starts(name, WN_STR("data-")) || wn_str_starts(name, WN_STR("aria-"));
}

/* ---- Blocks ------------------------------------------------------------------------------ */

typedef struct overlay {
    const wn_segmented *s;
    wn_buf *out;
    wn_buf title; /* of the block at hand */
} overlay;

/* The block that begins with this node, the innermost if several do; or none. */
static const wn_vblock *block_at(const overlay *o, wn_node_id id)
{
    const wn_block_tree *tree = &o->s->analysis.tree;
    wn_vblock_id own = tree->of[id], around = tree->of[wn_doc_node(&o->s->doc, id)->parent];
    return own && own != around ? &tree->blocks.items[own] : NULL;
}

static void add_marks(overlay *o, const wn_vblock *block)
{
    wn_buf_clear(&o->title);
    wn_buf_add_format(&o->title, "Block %u%s: %s, importance %.3f, %u words\n", block->rank,
                      block->chosen ? " (chosen)" : "", wn_visual_cause_name(block->cause),
                      block->importance, block->gp.words);
    wn_segment_add_xpath(o->s, block, &o->title);
    wn_buf_add_format(o->out, " data-winnow=\"%u\" data-winnow-%s title=\"", block->rank,
                      block->chosen                     ? "chosen"
                      : wn_visual_vblock_is_leaf(block) ? "leaf"
                                                        : "inner");
    wn_add_escaped(o->out, wn_buf_str(&o->title));
    wn_buf_add_char(o->out, '"');
}

/* ---- Nodes ------------------------------------------------------------------------------- */

static void add_attribute(wn_buf *out, wn_str name, wn_str value)
{
    wn_buf_add_char(out, ' ');
    wn_buf_add(out, name);
    wn_buf_add_literal(out, "=\"");
    wn_add_escaped(out, value);
    wn_buf_add_char(out, '"');
}

static void add_attributes(overlay *o, const wn_node *element)
{
    for (uint32_t i = 0; i < element->len; i++) {
        const wn_attr *attr = &element->attrs[i];
        wn_str name = wn_str_from(attr->name, attr->name_len), value = wn_attr_value(attr);
        bool ours = wn_str_starts(name, WN_STR("data-winnow"));
        if (attr->id == WN_ATTR_HREF ? is_harmless_address(value) : is_harmless_name(name) && !ours)
            add_attribute(o->out, name, value);
    }
}

static void add_picture(overlay *o, wn_node_id id)
{
    wn_rect box = wn_visual_view_box(&o->s->analysis.view, id);
    const wn_vblock *block = block_at(o, id);
    bool shown = o->s->analysis.kinds.of[id] & WN_NODE_SHOWN;
    if (!shown)
        return;
    wn_buf_add_format(o->out,
                      "<span style=\"display:inline-block;background:#ddd;width:%.0fpx;"
                      "height:%.0fpx\"",
                      box.width, box.height);
    if (block)
        add_marks(o, block);
    wn_buf_add_literal(o->out, "></span>");
}

static void add_text(overlay *o, wn_node_id id)
{
    const wn_vblock *block = block_at(o, id);
    if (block) {
        wn_buf_add_literal(o->out, "<span");
        add_marks(o, block);
        wn_buf_add_char(o->out, '>');
    }
    wn_add_escaped(o->out, wn_node_text(wn_doc_node(&o->s->doc, id)));
    wn_buf_add_literal(o->out, block ? "</span>" : "");
}

/* Writes the start of a node; true if its children are to follow. */
static bool enter(overlay *o, wn_node_id id)
{
    const wn_node *node = wn_doc_node(&o->s->doc, id);
    if (node->kind == WN_KIND_TEXT)
        add_text(o, id);
    fate f = fate_of(node);
    if (f == PICTURE)
        add_picture(o, id);
    if (f == DROP || f == PICTURE)
        return false;
    if (f == UNWRAP)
        return true;
    const wn_vblock *block = block_at(o, id);
    wn_buf_add_char(o->out, '<');
    wn_buf_add(o->out, wn_node_name(node));
    add_attributes(o, node);
    if (block)
        add_marks(o, block);
    wn_buf_add_char(o->out, '>');
    bool newline = node->tag == WN_TAG_PRE || node->tag == WN_TAG_TEXTAREA ||
                   node->tag == WN_TAG_LISTING;
    wn_buf_add_literal(o->out, newline ? "\n" : ""); /* the parser drops the first one */
    return f == KEEP;
}

static void leave(overlay *o, wn_node_id id)
{
    const wn_node *node = wn_doc_node(&o->s->doc, id);
    if (fate_of(node) != KEEP)
        return;
    wn_buf_add_literal(o->out, "</");
    wn_buf_add(o->out, wn_node_name(node));
    wn_buf_add_char(o->out, '>');
}

static void add_body(overlay *o)
{
    const wn_doc *doc = &o->s->doc;
    const wn_node *nodes = doc->nodes.items;
    wn_node_id root = wn_doc_find(doc, WN_TAG_HTML), id = root;
    while (id) {
        if (enter(o, id) && nodes[id].first_child) {
            id = nodes[id].first_child;
            continue;
        }
        leave(o, id);
        while (id && id != root && !nodes[id].next) {
            id = nodes[id].parent;
            leave(o, id);
        }
        id = id == root ? WN_NO_NODE : nodes[id].next;
    }
}

/* ---- The head ---------------------------------------------------------------------------- */

static const char policy[] =
    "<meta charset=\"utf-8\"><meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
    "'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'\">";

static const char marks[] =
    "<style>[data-winnow]::before{content:attr(data-winnow)!important;position:absolute!important;"
    "z-index:9999!important;display:block!important;padding:0 4px!important;width:auto!important;"
    "height:auto!important;margin:0!important;font:bold 12px sans-serif!important;"
    "color:#fff!important;background:#0072b2!important;opacity:1!important;"
    "visibility:visible!important}"
    "[data-winnow-inner]::before{display:none!important}"
    "[data-winnow-leaf]{outline:1px dashed #0072b2!important;outline-offset:-1px!important}"
    "[data-winnow-chosen]{outline:4px solid #d55e00!important;outline-offset:-4px!important}"
    "[data-winnow-chosen]::before{background:#d55e00!important}"
    "[data-winnow]:hover:not(:has([data-winnow]:hover)){outline:3px solid #009e73!important;"
    "box-shadow:inset 0 0 0 9999px rgba(0,158,115,.15)!important}</style>";

/* A sheet as it may be in <style>: there must be no end tag in it, and "\/" is "/" to CSS. */
static void add_sheet(overlay *o, wn_str text)
{
    wn_buf_add_literal(o->out, "<style>");
    for (size_t end; (end = wn_str_find(text, WN_STR("</"))) < text.len;
         text = wn_str_from_offset(text, end + 2)) {
        wn_buf_add(o->out, wn_str_from(text.ptr, end));
        wn_buf_add_literal(o->out, "<\\/");
    }
    wn_buf_add(o->out, text);
    wn_buf_add_literal(o->out, "</style>");
}

static void add_head(overlay *o)
{
    const wn_doc *doc = &o->s->doc;
    wn_buf_add_literal(o->out, doc->quirks == WN_QUIRKS ? "" : "<!DOCTYPE html>");
    wn_buf_add_literal(o->out, "<html");
    add_attributes(o, wn_doc_node(doc, wn_doc_find(doc, WN_TAG_HTML)));
    wn_buf_add_literal(o->out, "><head>");
    wn_buf_add_literal(o->out, policy);
    wn_buf_add_literal(o->out, "<title>");
    wn_add_escaped(o->out, o->s->page.title);
    wn_buf_add_literal(o->out, "</title>");
    for (uint32_t i = 0; i < o->s->page.styles->sheet_count; i++)
        add_sheet(o, o->s->page.styles->sheets[i]);
    wn_buf_add_literal(o->out, marks);
    wn_buf_add_literal(o->out, "</head>");
}

void wn_segment_overlay(const wn_segmented *s, wn_buf *out)
{
    overlay o = {.s = s, .out = out};
    add_head(&o);
    add_body(&o);
    wn_buf_add_literal(out, "</html>\n");
    wn_buf_free(&o.title);
}
