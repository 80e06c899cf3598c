/*
 * SVG and MathML inside HTML.
 *
 * https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inforeign
 */
#include "base/utf8.h"
#include "html/tree_builder.h"

/* Respells a few attribute names: viewbox as viewBox, definitionurl as definitionURL. */
void wn_html_tree_adjust_attrs(wn_token *token, wn_namespace ns)
{
    for (uint32_t i = 0; i < token->attr_count; i++) {
        wn_attr *attr = &token->attrs[i];
        if (ns == WN_NS_SVG && attr->id != WN_ATTR_UNKNOWN)
            attr->name = wn_svg_attr_names[attr->id].ptr;
        else if (ns == WN_NS_MATHML && attr->id == WN_ATTR_DEFINITIONURL)
            attr->name = "definitionURL";
    }
}

/* HTML tags that end foreign content. */
static bool breaks_out(const wn_token *token)
{
    switch (token->tag) {
    case WN_TAG_B:
    case WN_TAG_BIG:
    case WN_TAG_BLOCKQUOTE:
    case WN_TAG_BODY:
    case WN_TAG_BR:
    case WN_TAG_CENTER:
    case WN_TAG_CODE:
    case WN_TAG_DD:
    case WN_TAG_DIV:
    case WN_TAG_DL:
    case WN_TAG_DT:
    case WN_TAG_EM:
    case WN_TAG_EMBED:
    case WN_TAG_H1:
    case WN_TAG_H2:
    case WN_TAG_H3:
    case WN_TAG_H4:
    case WN_TAG_H5:
    case WN_TAG_H6:
    case WN_TAG_HEAD:
    case WN_TAG_HR:
    case WN_TAG_I:
    case WN_TAG_IMG:
    case WN_TAG_LI:
    case WN_TAG_LISTING:
    case WN_TAG_MENU:
    case WN_TAG_META:
    case WN_TAG_NOBR:
    case WN_TAG_OL:
    case WN_TAG_P:
    case WN_TAG_PRE:
    case WN_TAG_RUBY:
    case WN_TAG_S:
    case WN_TAG_SMALL:
    case WN_TAG_SPAN:
    case WN_TAG_STRONG:
    case WN_TAG_STRIKE:
    case WN_TAG_SUB:
    case WN_TAG_SUP:
    case WN_TAG_TABLE:
    case WN_TAG_TT:
    case WN_TAG_U:
    case WN_TAG_UL:
    case WN_TAG_VAR:
        return true;
    case WN_TAG_FONT:
        for (uint32_t i = 0; i < token->attr_count; i++) {
            unsigned id = token->attrs[i].id;
            if (id == WN_ATTR_COLOR || id == WN_ATTR_FACE || id == WN_ATTR_SIZE)
                return true;
        }
        return false;
    default:
        return false;
    }
}

/* Leaves the foreign elements up to an integration point or HTML. */
static void leave(wn_tree *t)
{
    uint32_t points = WN_TRAIT_TEXT_POINT | WN_TRAIT_HTML_POINT;
    while (t->open.count > 1 && current(t)->ns != WN_NS_HTML && !(current(t)->traits & points))
        wn_html_tree_pop(t);
}

static wn_str replace_nul(wn_tree *t, wn_str text)
{
    char *out = wn_arena_bytes(t->arena, text.len * 3);
    size_t len = 0;
    for (size_t i = 0; out && i < text.len; i++) {
        if (text.ptr[i])
            out[len++] = text.ptr[i];
        else
            len += (size_t)wn_utf8_encode(WN_REPLACEMENT, out + len);
    }
    return out ? wn_str_from(out, len) : WN_STR("");
}

static wn_step foreign_text(wn_tree *t, wn_token *token)
{
    for (size_t i = 0; t->frameset_ok && i < token->text.len; i++)
        if (!wn_is_space(token->text.ptr[i]) && token->text.ptr[i] != '\0')
            t->frameset_ok = false;
    wn_html_tree_insert_text(t, token->has_nul ? replace_nul(t, token->text) : token->text);
    return DONE;
}

static wn_step foreign_start(wn_tree *t, wn_token *token)
{
    wn_namespace ns = (wn_namespace)adjusted_current(t)->ns;
    wn_html_tree_adjust_attrs(token, ns);
    if (token->self_closing)
        wn_html_tree_insert_leaf(t, ns);
    else
        wn_html_tree_insert(t, ns);
    return DONE;
}

/*
 * Closes the nearest foreign element of that name; when an HTML element comes
 * first, the tag is its affair.
 */
static wn_step foreign_end(wn_tree *t, wn_token *token)
{
    for (uint32_t i = t->open.count; i > 1; i--) {
        const wn_open *open = &t->open.items[i - 1];
        if (open->ns == WN_NS_HTML && i < t->open.count)
            return wn_html_tree_process_as_html(t, token);
        if (wn_html_tree_has_name(t, open, token)) {
            wn_html_tree_pop_to(t, i - 1);
            return DONE;
        }
    }
    return t->is_fragment ? DONE : wn_html_tree_process_as_html(t, token);
}

wn_step wn_html_mode_foreign(wn_tree *t, wn_token *token)
{
    switch (token->kind) {
    case WN_TOKEN_TEXT:
        return foreign_text(t, token);
    case WN_TOKEN_COMMENT:
        wn_html_tree_insert_comment(t, wn_html_tree_place(t));
        return DONE;
    case WN_TOKEN_START_TAG:
        if (!breaks_out(token))
            return foreign_start(t, token);
        leave(t);
        return wn_html_tree_process_as_html(t, token);
    case WN_TOKEN_END_TAG:
        if (token->tag != WN_TAG_BR && token->tag != WN_TAG_P)
            return foreign_end(t, token);
        leave(t);
        return wn_html_tree_process_as_html(t, token);
    default:
        return DONE;
    }
}
