#include "page/formulas.h"

#include "page/attributes.h"
#include "page/mathml.h"
#include "page/tex.h"

enum {
    MOST_NODES = 1 << 16,  /* of one formula that are looked at */
    LONGEST_TEX = 1 << 16, /* bytes; more is not a formula */
    MOST_SIBLINGS = 4,     /* between what MathJax shows and its script */
};

/* ---- At a glance ------------------------------------------------------------------------- */

static const char *const jax_classes[] = {"MathJax",
                                          "MathJax_Preview",
                                          "MathJax_Display",
                                          "MathJax_CHTML",
                                          "MathJax_SVG",
                                          "MathJax_MathML",
                                          "MathJax_SVG_Display",
                                          "MathJax_MMLProc",
                                          "MathJax_CHTML_Display",
                                          "mjx-chtml",
                                          NULL};
static const char *const picture_classes[] = {"tex",
                                              "latex",
                                              "math",
                                              "mathtex",
                                              "ltx_graphics_tex",
                                              "mwe-math-fallback-image-inline",
                                              "mwe-math-fallback-image-display",
                                              "Wirisformula",
                                              "math-formula",
                                              NULL};

/* Whether a description has signs that words do not have. */
static bool looks_like_tex(wn_str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] == '\\' || text.ptr[i] == '^' || text.ptr[i] == '=' || text.ptr[i] == '_')
            return true;
    return false;
}

/*
 * Whether classes begin as those of formulas do. It is asked for nearly every element, so the first
 * letter is looked at first.
 */
static bool starts_like_formula(wn_str classes)
{
    switch (classes.len > 3 ? classes.ptr[0] : '\0') {
    case 'a':
        return wn_str_starts(classes, WN_STR("arithmatex"));
    case 'k':
        return wn_str_starts(classes, WN_STR("katex"));
    case 'M':
        return wn_str_starts(classes, WN_STR("MathJax"));
    case 'm':
        return wn_str_starts(classes, WN_STR("math")) || wn_str_starts(classes, WN_STR("mjx-")) ||
               wn_str_starts(classes, WN_STR("mwe-math-element"));
    default:
        return false;
    }
}

bool wn_page_formulas_may_start(const wn_node *element)
{
    if (element->ns == WN_NS_MATHML)
        return element->tag == WN_TAG_MATH;
    if (element->ns != WN_NS_HTML || element->len == 0)
        return false;
    wn_str name;
    switch (element->tag) {
    case WN_TAG_SCRIPT:
        return wn_str_starts_nocase(wn_node_attr_value(element, WN_ATTR_TYPE), WN_STR("math/"));
    case WN_TAG_IMG:
        return looks_like_tex(wn_node_attr_value(element, WN_ATTR_ALT)) ||
               wn_page_has_class_of(element, picture_classes);
    case WN_TAG_SPAN:
    case WN_TAG_DIV:
    case WN_TAG_P:
        return starts_like_formula(wn_node_attr_value(element, WN_ATTR_CLASS));
    case WN_TAG_UNKNOWN:
        name = wn_node_name(element);
        return wn_str_starts(name, WN_STR("mjx-container"));
    default:
        return false;
    }
}

/* ---- Inside ------------------------------------------------------------------------------ */

static bool is_tex_annotation(const wn_node *node)
{
    wn_str encoding;
    if (node->kind != WN_KIND_ELEMENT || !wn_str_eq(wn_node_name(node), WN_STR("annotation")))
        return false;
    encoding = wn_node_attr_value(node, WN_ATTR_ENCODING);
    return wn_str_contains_nocase(encoding, WN_STR("tex"));
}

/*
 * Adds TeX without comments. LaTeXML ends long lines with one, and a formula is written as one
 * line: there the comment would swallow the rest.
 */
static void add_uncommented(wn_buf *tex, wn_str text)
{
    bool has_lines = true; /* from here on */
    size_t i = 0;
    while (i < text.len) {
        size_t start = i;
        while (i < text.len && text.ptr[i] != '%')
            i += text.ptr[i] == '\\' && i + 1 < text.len ? 2 : 1;
        wn_buf_add(tex, wn_str_from(text.ptr + start, i - start));
        size_t line = has_lines ? wn_str_find(wn_str_from_offset(text, i), WN_STR("\n")) : 0;
        has_lines = has_lines && line < text.len - i;
        i += has_lines ? line : i < text.len; /* if the end of the line was lost, only the sign */
        while (i < text.len && wn_is_space(text.ptr[i])) /* as does TeX, at the start of a line */
            i++;
    }
}

/* Adds text as a formula, without what only sets it; false if there is nothing. */
static bool add_bare(wn_buf *tex, wn_str text)
{
    text = wn_page_tex_bare(text);
    if (text.len == 0 || text.len > LONGEST_TEX)
        return false;
    size_t before = tex->len;
    add_uncommented(tex, text);
    return tex->len > before;
}

static bool add_text_of(wn_buf *tex, const wn_doc *doc, wn_node_id id)
{
    wn_buf text = {0};
    wn_doc_add_text(doc, id, &text);
    bool added = !text.failed && add_bare(tex, wn_buf_str(&text));
    tex->failed |= text.failed;
    wn_buf_free(&text);
    return added;
}

/* A formula in MathML: what says its TeX, else converted. */
static bool add_mathml(wn_buf *tex, const wn_doc *doc, wn_node_id math)
{
    wn_node_id at = math;
    for (int i = 0; at && i < MOST_NODES; i++, at = wn_doc_next(doc, at, math))
        if (is_tex_annotation(wn_doc_node(doc, at)) && add_text_of(tex, doc, at))
            return true;
    if (add_bare(tex, wn_page_attr_named(wn_doc_node(doc, math), WN_STR("alttext"))))
        return true;
    size_t before = tex->len;
    wn_page_mathml_to_tex(tex, doc, math);
    if (tex->len - before > LONGEST_TEX)
        tex->len = before;
    return tex->len > before;
}

static bool is_display_math(const wn_node *math)
{
    return wn_str_eq(wn_page_attr_named(math, WN_STR("display")), WN_STR("block")) ||
           wn_str_eq(wn_page_attr_named(math, WN_STR("mode")), WN_STR("display"));
}

/* The first MathML element below; WN_NO_NODE if there is none. */
static wn_node_id find_math(const wn_doc *doc, wn_node_id root)
{
    wn_node_id at = root;
    for (int i = 0; at && i < MOST_NODES; i++, at = wn_doc_next(doc, at, root)) {
        const wn_node *node = wn_doc_node(doc, at);
        if (node->kind == WN_KIND_ELEMENT && node->ns == WN_NS_MATHML && node->tag == WN_TAG_MATH)
            return at;
    }
    return WN_NO_NODE;
}

static wn_page_formula_kind kind_of(bool display)
{
    return display ? WN_FORMULA_DISPLAY : WN_FORMULA_INLINE;
}

/* ---- Each kind of markup ----------------------------------------------------------------- */

static bool is_tex_script(const wn_node *node)
{
    return wn_node_is(node, WN_TAG_SCRIPT) &&
           wn_str_starts_nocase(wn_node_attr_value(node, WN_ATTR_TYPE), WN_STR("math/tex"));
}

/* Whether the script of MathJax 2 follows. */
static bool script_follows(const wn_doc *doc, wn_node_id id)
{
    const wn_node *node = wn_doc_node(doc, id);
    for (int i = 0; i < MOST_SIBLINGS && node->next; i++) {
        node = wn_doc_node(doc, node->next);
        if (is_tex_script(node))
            return true;
        bool goes_on = node->kind == WN_KIND_TEXT ? wn_str_trim(wn_node_text(node)).len == 0
                                                  : wn_page_has_class_of(node, jax_classes);
        if (!goes_on)
            return false;
    }
    return false;
}

static wn_page_formula_kind read_script(wn_buf *tex, const wn_doc *doc, wn_node_id id)
{
    const wn_node *script = wn_doc_node(doc, id);
    wn_str type = wn_node_attr_value(script, WN_ATTR_TYPE);
    if (!is_tex_script(script) || !add_text_of(tex, doc, id))
        return WN_FORMULA_NONE;
    return kind_of(wn_str_contains_nocase(type, WN_STR("mode=display")) ||
                   wn_str_contains_nocase(type, WN_STR("display")));
}

/* A picture of a formula says it in its alternative text. */
static wn_page_formula_kind read_picture(wn_buf *tex, const wn_node *image)
{
    wn_str source = wn_node_attr_value(image, WN_ATTR_SRC);
    bool is_formula = wn_page_has_class_of(image, picture_classes) ||
                      wn_str_contains_nocase(source, WN_STR("latex.codecogs.com/")) ||
                      wn_str_contains_nocase(source, WN_STR("latex.php?")) ||
                      wn_str_contains_nocase(source, WN_STR("/math/render/"));
    if (!is_formula || !add_bare(tex, wn_node_attr_value(image, WN_ATTR_ALT)))
        return WN_FORMULA_NONE;
    return kind_of(wn_page_has_class(image, WN_STR("mwe-math-fallback-image-display")) ||
                   wn_page_has_class(image, WN_STR("display")));
}

/* MathML inside an element that shows it in another way, too. */
static wn_page_formula_kind read_wrapped(wn_buf *tex, const wn_doc *doc, wn_node_id id,
                                         bool display)
{
    wn_node_id math = find_math(doc, id);
    if (!math || !add_mathml(tex, doc, math))
        return WN_FORMULA_NONE;
    return kind_of(display || is_display_math(wn_doc_node(doc, math)));
}

static wn_page_formula_kind read_katex(wn_buf *tex, const wn_doc *doc, wn_node_id id)
{
    const wn_node *element = wn_doc_node(doc, id);
    if (wn_page_has_class(element, WN_STR("katex-html")))
        return WN_FORMULA_NONE;
    return read_wrapped(
        tex, doc, id,
        wn_page_has_class(element, WN_STR("katex-display")) ||
            wn_page_has_class(wn_doc_node(doc, element->parent), WN_STR("katex-display")));
}

static wn_page_formula_kind read_mathjax(wn_buf *tex, const wn_doc *doc, wn_node_id id)
{
    const wn_node *element = wn_doc_node(doc, id);
    if (script_follows(doc, id))
        return WN_FORMULA_COPY;
    bool display = wn_page_has_class_start(element, WN_STR("MathJax_Display")) ||
                   wn_page_has_class(element, WN_STR("MathJax_SVG_Display")) ||
                   wn_str_eq(wn_page_attr_named(element, WN_STR("display")), WN_STR("true"));
    wn_page_formula_kind found = read_wrapped(tex, doc, id, display);
    if (found == WN_FORMULA_NONE && wn_page_has_class(element, WN_STR("MathJax_Preview")))
        return WN_FORMULA_COPY;
    return found;
}

static wn_page_formula_kind read_wikipedia(wn_buf *tex, const wn_doc *doc, wn_node_id id)
{
    bool display = wn_page_has_class(wn_doc_node(doc, id), WN_STR("mwe-math-element-block"));
    wn_page_formula_kind found = read_wrapped(tex, doc, id, display);
    wn_node_id at = id;
    for (int i = 0; found == WN_FORMULA_NONE && at && i < MOST_SIBLINGS * 2;
         i++, at = wn_doc_next(doc, at, id))
        if (wn_node_is(wn_doc_node(doc, at), WN_TAG_IMG))
            found = read_picture(tex, wn_doc_node(doc, at));
    return found == WN_FORMULA_INLINE && display ? WN_FORMULA_DISPLAY : found;
}

/*
 * TeX that a script would have typeset: the element holds nothing but text, between the marks of
 * formulas; Pandoc's may have none.
 */
static wn_page_formula_kind read_raw(wn_buf *tex, const wn_doc *doc, wn_node_id id)
{
    const wn_node *element = wn_doc_node(doc, id);
    const wn_node *text = wn_doc_node(doc, element->first_child);
    bool is_math = wn_page_has_class(element, WN_STR("math")) ||
                   wn_page_has_class(element, WN_STR("arithmatex"));
    if (text->kind != WN_KIND_TEXT || text->next)
        return WN_FORMULA_WRAPPER;
    if (!is_math)
        return WN_FORMULA_NONE;
    wn_str source = wn_str_trim(wn_node_text(text));
    bool display = wn_str_starts(source, WN_STR("\\[")) || wn_str_starts(source, WN_STR("$$")) ||
                   wn_page_has_class(element, WN_STR("display"));
    bool marked = display || wn_str_starts(source, WN_STR("\\(")) ||
                  wn_str_starts(source, WN_STR("$")) ||
                  wn_page_has_class(element, WN_STR("inline"));
    if (!marked || !add_bare(tex, source))
        return WN_FORMULA_NONE;
    return kind_of(display);
}

wn_page_formula_kind wn_page_formulas_read(wn_buf *tex, const wn_doc *doc, wn_node_id id)
{
    const wn_node *element = wn_doc_node(doc, id);
    wn_str classes = wn_node_attr_value(element, WN_ATTR_CLASS);
    if (element->ns == WN_NS_MATHML)
        return add_mathml(tex, doc, id) ? kind_of(is_display_math(element)) : WN_FORMULA_NONE;
    if (element->tag == WN_TAG_SCRIPT)
        return read_script(tex, doc, id);
    if (element->tag == WN_TAG_IMG)
        return read_picture(tex, element);
    if (wn_str_starts(classes, WN_STR("katex")))
        return read_katex(tex, doc, id);
    if (wn_str_starts(classes, WN_STR("mwe-math-element")))
        return read_wikipedia(tex, doc, id);
    if (element->tag == WN_TAG_UNKNOWN || wn_page_has_class_of(element, jax_classes))
        return read_mathjax(tex, doc, id);
    return read_raw(tex, doc, id);
}
