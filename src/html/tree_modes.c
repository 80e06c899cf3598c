/*
 * The insertion modes of a document's outline and of its body, in the order of
 * the standard. Each function follows the section named above it, case by case;
 * hold the two side by side.
 *
 * https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inhtml
 */
#include "html/tree_builder.h"

/* ---- The initial insertion mode ---------------------------------------------------------- */

static bool is_one_of(wn_str s, const char *const *list, bool prefix)
{
    for (; *list; list++) {
        wn_str item = wn_str_of(*list);
        if (prefix ? wn_str_starts_nocase(s, item) : wn_str_eq_nocase(s, item))
            return true;
    }
    return false;
}

static const char *const quirky_public_ids[] = {
    "-//w3o//dtd w3 html strict 3.0//en//",
    "-/w3c/dtd html 4.0 transitional/en",
    "html",
    NULL,
};

static const char *const quirky_public_prefixes[] = {
    "+//silmaril//dtd html pro v0r11 19970101//",
    "-//as//dtd html 3.0 aswedit + extensions//",
    "-//advasoft ltd//dtd html 3.0 aswedit + extensions//",
    "-//ietf//dtd html 2.0 level 1//",
    "-//ietf//dtd html 2.0 level 2//",
    "-//ietf//dtd html 2.0 strict level 1//",
    "-//ietf//dtd html 2.0 strict level 2//",
    "-//ietf//dtd html 2.0 strict//",
    "-//ietf//dtd html 2.0//",
    "-//ietf//dtd html 2.1e//",
    "-//ietf//dtd html 3.0//",
    "-//ietf//dtd html 3.2 final//",
    "-//ietf//dtd html 3.2//",
    "-//ietf//dtd html 3//",
    "-//ietf//dtd html level 0//",
    "-//ietf//dtd html level 1//",
    "-//ietf//dtd html level 2//",
    "-//ietf//dtd html level 3//",
    "-//ietf//dtd html strict level 0//",
    "-//ietf//dtd html strict level 1//",
    "-//ietf//dtd html strict level 2//",
    "-//ietf//dtd html strict level 3//",
    "-//ietf//dtd html strict//",
    "-//ietf//dtd html//",
    "-//metrius//dtd metrius presentational//",
    "-//microsoft//dtd internet explorer 2.0 html strict//",
    "-//microsoft//dtd internet explorer 2.0 html//",
    "-//microsoft//dtd internet explorer 2.0 tables//",
    "-//microsoft//dtd internet explorer 3.0 html strict//",
    "-//microsoft//dtd internet explorer 3.0 html//",
    "-//microsoft//dtd internet explorer 3.0 tables//",
    "-//netscape comm. corp.//dtd html//",
    "-//netscape comm. corp.//dtd strict html//",
    "-//o'reilly and associates//dtd html 2.0//",
    "-//o'reilly and associates//dtd html extended 1.0//",
    "-//o'reilly and associates//dtd html extended relaxed 1.0//",
    "-//sq//dtd html 2.0 hotmetal + extensions//",
    "-//softquad software//dtd hotmetal pro 6.0::19990601::extensions to html 4.0//",
    "-//softquad//dtd hotmetal pro 4.0::19971010::extensions to html 4.0//",
    "-//spyglass//dtd html 2.0 extended//",
    "-//sun microsystems corp.//dtd hotjava html//",
    "-//sun microsystems corp.//dtd hotjava strict html//",
    "-//w3c//dtd html 3 1995-03-24//",
    "-//w3c//dtd html 3.2 draft//",
    "-//w3c//dtd html 3.2 final//",
    "-//w3c//dtd html 3.2//",
    "-//w3c//dtd html 3.2s draft//",
    "-//w3c//dtd html 4.0 frameset//",
    "-//w3c//dtd html 4.0 transitional//",
    "-//w3c//dtd html experimental 19960712//",
    "-//w3c//dtd html experimental 970421//",
    "-//w3c//dtd w3 html//",
    "-//w3o//dtd w3 html 3.0//",
    "-//webtechs//dtd mozilla html 2.0//",
    "-//webtechs//dtd mozilla html//",
    NULL,
};

static const char *const html_401_prefixes[] = {
    "-//w3c//dtd html 4.01 frameset//",
    "-//w3c//dtd html 4.01 transitional//",
    NULL,
};

static const char *const xhtml_prefixes[] = {
    "-//w3c//dtd xhtml 1.0 frameset//",
    "-//w3c//dtd xhtml 1.0 transitional//",
    NULL,
};

static wn_quirks quirks_of(const wn_token *token)
{
    const wn_doctype *doctype = &token->doctype;
    bool is_401 = is_one_of(doctype->public_id, html_401_prefixes, true);
    wn_str ibm = WN_STR("http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd");
    if (token->force_quirks || !wn_str_eq(doctype->name, WN_STR("html")) ||
        is_one_of(doctype->public_id, quirky_public_ids, false) ||
        is_one_of(doctype->public_id, quirky_public_prefixes, true) ||
        wn_str_eq_nocase(doctype->system_id, ibm) || (is_401 && !doctype->has_system_id))
        return WN_QUIRKS;
    if (is_401 || is_one_of(doctype->public_id, xhtml_prefixes, true))
        return WN_LIMITED_QUIRKS;
    return WN_NO_QUIRKS;
}

static void insert_doctype(wn_tree *t, const wn_token *token)
{
    t->doc->doctype = token->doctype;
    t->doc->quirks = quirks_of(token);
    wn_html_tree_insert_comment(t, (wn_place){.parent = WN_DOCUMENT_NODE});
    wn_node *node = node_at(t, node_at(t, WN_DOCUMENT_NODE)->last_child);
    node->kind = WN_KIND_DOCTYPE;
    node->text = token->doctype.name.ptr;
    node->len = (uint32_t)token->doctype.name.len;
}

static wn_step add_comment_to_document(wn_tree *t)
{
    wn_html_tree_insert_comment(t, (wn_place){.parent = WN_DOCUMENT_NODE});
    return DONE;
}

static wn_step add_comment(wn_tree *t)
{
    wn_html_tree_insert_comment(t, wn_html_tree_place(t));
    return DONE;
}

/* Whether the token is text that, without its leading white space, is empty. */
static bool is_only_spaces(wn_token *token)
{
    if (token->kind != WN_TOKEN_TEXT)
        return false;
    wn_html_tree_take_spaces(token);
    return token->text.len == 0;
}

/* https://html.spec.whatwg.org/multipage/parsing.html#the-initial-insertion-mode */
wn_step wn_mode_initial(wn_tree *t, wn_token *token)
{
    if (is_only_spaces(token))
        return DONE;
    if (token->kind == WN_TOKEN_COMMENT)
        return add_comment_to_document(t);
    t->mode = MODE_BEFORE_HTML;
    if (token->kind == WN_TOKEN_DOCTYPE) {
        insert_doctype(t, token);
        return DONE;
    }
    t->doc->quirks = WN_QUIRKS;
    return REPROCESS;
}

/* End tags before the body mean something only if they may stand for a start. */
static bool is_stray_end_tag(const wn_token *token)
{
    return token->kind == WN_TOKEN_END_TAG && token->tag != WN_TAG_HEAD &&
           token->tag != WN_TAG_BODY && token->tag != WN_TAG_HTML && token->tag != WN_TAG_BR;
}

/* https://html.spec.whatwg.org/multipage/parsing.html#the-before-html-insertion-mode */
wn_step wn_mode_before_html(wn_tree *t, wn_token *token)
{
    if (token->kind == WN_TOKEN_DOCTYPE || is_only_spaces(token) || is_stray_end_tag(token))
        return DONE;
    if (token->kind == WN_TOKEN_COMMENT)
        return add_comment_to_document(t);
    t->mode = MODE_BEFORE_HEAD;
    if (is_start(token, WN_TAG_HTML)) {
        wn_node_id html = wn_html_tree_create(t, WN_NS_HTML);
        wn_html_tree_attach(t, html, (wn_place){.parent = WN_DOCUMENT_NODE});
        wn_html_tree_push(t, html);
        return DONE;
    }
    wn_html_tree_insert_implied(t, WN_TAG_HTML);
    return REPROCESS;
}

/* ---- The head ---------------------------------------------------------------------------- */

/* https://html.spec.whatwg.org/multipage/parsing.html#the-before-head-insertion-mode */
wn_step wn_mode_before_head(wn_tree *t, wn_token *token)
{
    if (token->kind == WN_TOKEN_DOCTYPE || is_only_spaces(token) || is_stray_end_tag(token))
        return DONE;
    if (token->kind == WN_TOKEN_COMMENT)
        return add_comment(t);
    if (is_start(token, WN_TAG_HTML))
        return wn_html_mode_in_body(t, token);
    t->mode = MODE_IN_HEAD;
    if (is_start(token, WN_TAG_HEAD)) {
        t->head = wn_html_tree_insert_always(t);
        return DONE;
    }
    t->head = wn_html_tree_insert_implied(t, WN_TAG_HEAD);
    return REPROCESS;
}

static void open_template(wn_tree *t)
{
    wn_html_tree_insert(t, WN_NS_HTML);
    if (!current_is(t, WN_TAG_TEMPLATE))
        return; /* too deep: what is in it becomes a part of its parent */
    wn_html_tree_add_marker(t);
    t->frameset_ok = false;
    t->mode = MODE_IN_TEMPLATE;
    uint8_t *mode = wn_array_push(&t->template_modes);
    if (mode)
        *mode = MODE_IN_TEMPLATE;
    else
        t->arena->failed = true;
}

static void close_template(wn_tree *t)
{
    if (!is_open(t, WN_TAG_TEMPLATE))
        return;
    wn_html_tree_imply_end_tags_thoroughly(t);
    wn_html_tree_pop_until(t, WN_TAG_TEMPLATE);
    wn_html_tree_clear_to_marker(t);
    if (t->template_modes.count > 0)
        t->template_modes.count--;
    wn_html_tree_reset_mode(t);
}

/* The start tags of "in head"; false if the tag is none of them. */
static bool start_in_head(wn_tree *t, wn_token *token)
{
    switch (token->tag) {
    case WN_TAG_BASE:
    case WN_TAG_BASEFONT:
    case WN_TAG_BGSOUND:
    case WN_TAG_LINK:
    case WN_TAG_META:
        wn_html_tree_insert_leaf(t, WN_NS_HTML);
        return true;
    case WN_TAG_TITLE:
        wn_html_tree_read_raw(t, WN_STATE_RCDATA);
        return true;
    case WN_TAG_NOFRAMES:
    case WN_TAG_STYLE:
        wn_html_tree_read_raw(t, WN_STATE_RAWTEXT);
        return true;
    case WN_TAG_NOSCRIPT:
        if (t->options.scripting) {
            wn_html_tree_read_raw(t, WN_STATE_RAWTEXT);
        } else {
            wn_html_tree_insert_always(t);
            t->mode = MODE_IN_HEAD_NOSCRIPT;
        }
        return true;
    case WN_TAG_SCRIPT:
        wn_html_tree_read_raw(t, WN_STATE_SCRIPT);
        return true;
    case WN_TAG_TEMPLATE:
        open_template(t);
        return true;
    default:
        return false;
    }
}

/* https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inhead */
wn_step wn_html_mode_in_head(wn_tree *t, wn_token *token)
{
    switch (token->kind) {
    case WN_TOKEN_TEXT:
        wn_html_tree_insert_text(t, wn_html_tree_take_spaces(token));
        if (token->text.len == 0)
            return DONE;
        break;
    case WN_TOKEN_COMMENT:
        return add_comment(t);
    case WN_TOKEN_DOCTYPE:
        return DONE;
    case WN_TOKEN_START_TAG:
        if (token->tag == WN_TAG_HTML)
            return wn_html_mode_in_body(t, token);
        if (token->tag == WN_TAG_HEAD || start_in_head(t, token))
            return DONE;
        break;
    case WN_TOKEN_END_TAG:
        if (token->tag == WN_TAG_TEMPLATE) {
            close_template(t);
            return DONE;
        }
        if (is_stray_end_tag(token))
            return DONE;
        break;
    default:
        break;
    }
    wn_html_tree_pop(t); /* the head */
    t->mode = MODE_AFTER_HEAD;
    bool ends_head = token->kind == WN_TOKEN_END_TAG && token->tag == WN_TAG_HEAD;
    return ends_head ? DONE : REPROCESS;
}

/* https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inheadnoscript */
wn_step wn_mode_in_head_noscript(wn_tree *t, wn_token *token)
{
    switch (token->kind) {
    case WN_TOKEN_DOCTYPE:
        return DONE;
    case WN_TOKEN_COMMENT:
        return wn_html_mode_in_head(t, token);
    case WN_TOKEN_TEXT:
        wn_html_tree_insert_text(t, wn_html_tree_take_spaces(token));
        if (token->text.len == 0)
            return DONE;
        break;
    case WN_TOKEN_START_TAG:
        switch (token->tag) {
        case WN_TAG_HTML:
            return wn_html_mode_in_body(t, token);
        case WN_TAG_BASEFONT:
        case WN_TAG_BGSOUND:
        case WN_TAG_LINK:
        case WN_TAG_META:
        case WN_TAG_NOFRAMES:
        case WN_TAG_STYLE:
            return wn_html_mode_in_head(t, token);
        case WN_TAG_HEAD:
        case WN_TAG_NOSCRIPT:
            return DONE;
        default:
            break;
        }
        break;
    case WN_TOKEN_END_TAG:
        if (token->tag == WN_TAG_NOSCRIPT) {
            wn_html_tree_pop(t);
            t->mode = MODE_IN_HEAD;
            return DONE;
        }
        if (token->tag != WN_TAG_BR)
            return DONE;
        break;
    default:
        break;
    }
    wn_html_tree_pop(t); /* the noscript */
    t->mode = MODE_IN_HEAD;
    return REPROCESS;
}

/* What belongs into the head but comes after it goes back there. */
static wn_step return_to_head(wn_tree *t, wn_token *token)
{
    wn_node_id head = t->head;
    wn_html_tree_push(t, head);
    wn_html_mode_in_head(t, token);
    uint32_t index = wn_html_tree_find_open(t, head);
    if (index != UINT32_MAX)
        wn_html_tree_remove_open(t, index);
    return DONE;
}

/* https://html.spec.whatwg.org/multipage/parsing.html#the-after-head-insertion-mode */
wn_step wn_mode_after_head(wn_tree *t, wn_token *token)
{
    switch (token->kind) {
    case WN_TOKEN_TEXT:
        wn_html_tree_insert_text(t, wn_html_tree_take_spaces(token));
        if (token->text.len == 0)
            return DONE;
        break;
    case WN_TOKEN_COMMENT:
        return add_comment(t);
    case WN_TOKEN_DOCTYPE:
        return DONE;
    case WN_TOKEN_START_TAG:
        switch (token->tag) {
        case WN_TAG_HTML:
            return wn_html_mode_in_body(t, token);
        case WN_TAG_BODY:
            wn_html_tree_insert_always(t);
            t->frameset_ok = false;
            t->mode = MODE_IN_BODY;
            return DONE;
        case WN_TAG_FRAMESET:
            wn_html_tree_insert_always(t);
            t->mode = MODE_IN_FRAMESET;
            return DONE;
        case WN_TAG_BASE:
        case WN_TAG_BASEFONT:
        case WN_TAG_BGSOUND:
        case WN_TAG_LINK:
        case WN_TAG_META:
        case WN_TAG_NOFRAMES:
        case WN_TAG_SCRIPT:
        case WN_TAG_STYLE:
        case WN_TAG_TEMPLATE:
        case WN_TAG_TITLE:
            return return_to_head(t, token);
        case WN_TAG_HEAD:
            return DONE;
        default:
            break;
        }
        break;
    case WN_TOKEN_END_TAG:
        if (token->tag == WN_TAG_TEMPLATE)
            return wn_html_mode_in_head(t, token);
        if (token->tag != WN_TAG_BODY && token->tag != WN_TAG_HTML && token->tag != WN_TAG_BR)
            return DONE;
        break;
    default:
        break;
    }
    wn_html_tree_insert_implied(t, WN_TAG_BODY);
    t->mode = MODE_IN_BODY;
    return REPROCESS;
}

/* ---- Text in the body -------------------------------------------------------------------- */

/* The text without U+0000. */
static wn_str drop_nul(wn_tree *t, wn_str text)
{
    char *out = wn_arena_bytes(t->arena, text.len);
    size_t len = 0;
    for (size_t i = 0; out && i < text.len; i++)
        if (text.ptr[i])
            out[len++] = text.ptr[i];
    return out ? wn_str_from(out, len) : WN_STR("");
}

static bool is_all_space(wn_str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (!wn_is_space(text.ptr[i]))
            return false;
    return true;
}

static wn_step text_in_body(wn_tree *t, wn_token *token)
{
    if (token->has_nul) {
        token->text = drop_nul(t, token->text);
        token->has_nul = false;
    }
    if (token->text.len == 0)
        return DONE;
    wn_html_tree_reconstruct(t);
    wn_html_tree_insert_text(t, token->text);
    if (t->frameset_ok && !is_all_space(token->text))
        t->frameset_ok = false;
    return DONE;
}

/* ---- Start tags in the body -------------------------------------------------------------- */

static wn_node_id body_element(wn_tree *t)
{
    bool there = t->open.count > 1 && open_is(&t->open.items[1], WN_TAG_BODY);
    return there ? t->open.items[1].node : WN_NO_NODE;
}

static void start_frameset(wn_tree *t)
{
    wn_node_id body = body_element(t);
    if (!body || !t->frameset_ok)
        return;
    wn_html_tree_detach(t, body);
    wn_html_tree_pop_to(t, 1);
    wn_html_tree_insert_always(t);
    t->mode = MODE_IN_FRAMESET;
}

static void start_block(wn_tree *t)
{
    wn_html_tree_close_p_in_button_scope(t);
    wn_html_tree_insert(t, WN_NS_HTML);
}

static void start_form(wn_tree *t)
{
    bool in_template = is_open(t, WN_TAG_TEMPLATE);
    if (t->form && !in_template)
        return;
    wn_html_tree_close_p_in_button_scope(t);
    wn_node_id form = wn_html_tree_insert(t, WN_NS_HTML);
    if (!in_template && current(t)->node == form)
        t->form = form;
}

/* <li>, <dd> and <dt> close the one before, if no other block was opened since. */
static void start_item(wn_tree *t, wn_tag tag, wn_tag sibling)
{
    t->frameset_ok = false;
    bool may_be_open = is_open(t, tag) || is_open(t, sibling);
    for (uint32_t i = may_be_open ? t->open.count : 0; i > 0; i--) {
        const wn_open *open = &t->open.items[i - 1];
        if (open_is(open, tag) || open_is(open, sibling)) {
            wn_tag found = (wn_tag)open->tag;
            wn_html_tree_imply_end_tags(t, found);
            wn_html_tree_pop_until(t, found);
            break;
        }
        bool passes = open_is(open, WN_TAG_ADDRESS) || open_is(open, WN_TAG_DIV) ||
                      open_is(open, WN_TAG_P);
        if ((open->traits & WN_TRAIT_SPECIAL) && !passes)
            break;
    }
    start_block(t);
}

static void start_button(wn_tree *t)
{
    if (in_scope(t, WN_TAG_BUTTON, WN_TRAIT_SCOPE)) {
        wn_html_tree_imply_end_tags(t, WN_TAG_UNKNOWN);
        wn_html_tree_pop_until(t, WN_TAG_BUTTON);
    }
    wn_html_tree_reconstruct(t);
    wn_html_tree_insert(t, WN_NS_HTML);
    t->frameset_ok = false;
}

static void start_formatting(wn_tree *t)
{
    wn_html_tree_reconstruct(t);
    wn_html_tree_add_formatting(t, wn_html_tree_insert(t, WN_NS_HTML));
}

/* A link inside a link closes the outer one. */
static void start_a(wn_tree *t)
{
    wn_node_id other = wn_html_tree_find_formatting(t, WN_TAG_A);
    if (other) {
        wn_html_tree_adopt(t);
        wn_html_tree_remove_formatting(t, other);
        uint32_t index = wn_html_tree_find_open(t, other);
        if (index != UINT32_MAX)
            wn_html_tree_remove_open(t, index);
    }
    start_formatting(t);
}

static void start_nobr(wn_tree *t)
{
    wn_html_tree_reconstruct(t);
    if (in_scope(t, WN_TAG_NOBR, WN_TRAIT_SCOPE)) {
        wn_html_tree_adopt(t);
        wn_html_tree_reconstruct(t);
    }
    wn_html_tree_add_formatting(t, wn_html_tree_insert(t, WN_NS_HTML));
}

static void start_object(wn_tree *t)
{
    wn_html_tree_reconstruct(t);
    wn_node_id id = wn_html_tree_insert(t, WN_NS_HTML);
    if (current(t)->node == id)
        wn_html_tree_add_marker(t);
    t->frameset_ok = false;
}

static void start_table(wn_tree *t)
{
    if (t->doc->quirks != WN_QUIRKS)
        wn_html_tree_close_p_in_button_scope(t);
    wn_node_id table = wn_html_tree_insert(t, WN_NS_HTML);
    t->frameset_ok = false;
    if (current(t)->node == table)
        t->mode = MODE_IN_TABLE;
}

static void start_leaf(wn_tree *t)
{
    wn_html_tree_reconstruct(t);
    wn_html_tree_insert_leaf(t, WN_NS_HTML);
    t->frameset_ok = false;
}

static bool select_in_scope(const wn_tree *t)
{
    return in_scope(t, WN_TAG_SELECT, WN_TRAIT_SCOPE);
}

static bool in_select_fragment(const wn_tree *t)
{
    return t->is_fragment && open_is(&t->context, WN_TAG_SELECT);
}

static void start_input(wn_tree *t, const wn_token *token)
{
    if (in_select_fragment(t))
        return;
    if (select_in_scope(t))
        wn_html_tree_pop_until(t, WN_TAG_SELECT);
    bool frameset_ok = t->frameset_ok && wn_html_tree_is_hidden_input(token);
    start_leaf(t);
    t->frameset_ok = frameset_ok;
}

static void start_hr(wn_tree *t)
{
    wn_html_tree_close_p_in_button_scope(t);
    if (select_in_scope(t))
        wn_html_tree_imply_end_tags(t, WN_TAG_UNKNOWN);
    wn_html_tree_insert_leaf(t, WN_NS_HTML);
    t->frameset_ok = false;
}

/*
 * Pages close the <iframe> of a tracker in <noscript> with "/>", which the standard ignores:
 * everything up to the end of the page would be its raw text. Browsers are not affected, because
 * they run scripts and read <noscript> as text; we must not lose the page because of it either.
 */
static void start_iframe(wn_tree *t, const wn_token *token)
{
    t->frameset_ok = false;
    if (token->self_closing && current_is(t, WN_TAG_NOSCRIPT))
        wn_html_tree_insert_leaf(t, WN_NS_HTML);
    else
        wn_html_tree_read_raw(t, WN_STATE_RAWTEXT);
}

static void start_textarea(wn_tree *t)
{
    wn_html_tree_read_raw(t, WN_STATE_RCDATA);
    t->skip_newline = true;
    t->frameset_ok = false;
}

/* A select inside a select ends it. */
static void start_select(wn_tree *t)
{
    if (in_select_fragment(t))
        return;
    if (select_in_scope(t)) {
        wn_html_tree_pop_until(t, WN_TAG_SELECT);
        return;
    }
    wn_html_tree_reconstruct(t);
    wn_html_tree_insert(t, WN_NS_HTML);
    t->frameset_ok = false;
}

static void start_option(wn_tree *t, const wn_token *token)
{
    if (select_in_scope(t))
        wn_html_tree_imply_end_tags(t,
                                    token->tag == WN_TAG_OPTION ? WN_TAG_OPTGROUP : WN_TAG_UNKNOWN);
    else if (current_is(t, WN_TAG_OPTION))
        wn_html_tree_pop(t);
    wn_html_tree_reconstruct(t);
    wn_html_tree_insert(t, WN_NS_HTML);
}

static void start_ruby_part(wn_tree *t, const wn_token *token)
{
    bool text = token->tag == WN_TAG_RP || token->tag == WN_TAG_RT;
    if (in_scope(t, WN_TAG_RUBY, WN_TRAIT_SCOPE))
        wn_html_tree_imply_end_tags(t, text ? WN_TAG_RTC : WN_TAG_UNKNOWN);
    wn_html_tree_insert(t, WN_NS_HTML);
}

static void start_foreign(wn_tree *t, wn_token *token, wn_namespace ns)
{
    wn_html_tree_reconstruct(t);
    wn_html_tree_adjust_attrs(token, ns);
    if (token->self_closing)
        wn_html_tree_insert_leaf(t, ns);
    else
        wn_html_tree_insert(t, ns);
}

static void start_other(wn_tree *t, const wn_token *token)
{
    wn_html_tree_reconstruct(t);
    wn_html_tree_insert(t, WN_NS_HTML);
    t->has_selectedcontent |= token->tag == WN_TAG_SELECTEDCONTENT;
}

/* "A start tag whose tag name is …" of "in body", in the standard's order. */
static wn_step start_in_body(wn_tree *t, wn_token *token)
{
    switch (token->tag) {
    case WN_TAG_HTML:
        if (!is_open(t, WN_TAG_TEMPLATE))
            wn_html_tree_merge_attrs(t, t->open.items[0].node);
        break;
    case WN_TAG_BASE:
    case WN_TAG_BASEFONT:
    case WN_TAG_BGSOUND:
    case WN_TAG_LINK:
    case WN_TAG_META:
    case WN_TAG_NOFRAMES:
    case WN_TAG_SCRIPT:
    case WN_TAG_STYLE:
    case WN_TAG_TEMPLATE:
    case WN_TAG_TITLE:
        return wn_html_mode_in_head(t, token);
    case WN_TAG_BODY:
        if (body_element(t) && !is_open(t, WN_TAG_TEMPLATE)) {
            t->frameset_ok = false;
            wn_html_tree_merge_attrs(t, body_element(t));
        }
        break;
    case WN_TAG_FRAMESET:
        start_frameset(t);
        break;
    case WN_TAG_ADDRESS:
    case WN_TAG_ARTICLE:
    case WN_TAG_ASIDE:
    case WN_TAG_BLOCKQUOTE:
    case WN_TAG_CENTER:
    case WN_TAG_DETAILS:
    case WN_TAG_DIALOG:
    case WN_TAG_DIR:
    case WN_TAG_DIV:
    case WN_TAG_DL:
    case WN_TAG_FIELDSET:
    case WN_TAG_FIGCAPTION:
    case WN_TAG_FIGURE:
    case WN_TAG_FOOTER:
    case WN_TAG_HEADER:
    case WN_TAG_HGROUP:
    case WN_TAG_MAIN:
    case WN_TAG_MENU:
    case WN_TAG_NAV:
    case WN_TAG_OL:
    case WN_TAG_P:
    case WN_TAG_SEARCH:
    case WN_TAG_SECTION:
    case WN_TAG_SUMMARY:
    case WN_TAG_UL:
        start_block(t);
        break;
    case WN_TAG_H1:
    case WN_TAG_H2:
    case WN_TAG_H3:
    case WN_TAG_H4:
    case WN_TAG_H5:
    case WN_TAG_H6:
        wn_html_tree_close_p_in_button_scope(t);
        if (current(t)->traits & WN_TRAIT_HEADING)
            wn_html_tree_pop(t);
        wn_html_tree_insert(t, WN_NS_HTML);
        break;
    case WN_TAG_PRE:
    case WN_TAG_LISTING:
        start_block(t);
        t->skip_newline = true;
        t->frameset_ok = false;
        break;
    case WN_TAG_FORM:
        start_form(t);
        break;
    case WN_TAG_LI:
        start_item(t, WN_TAG_LI, WN_TAG_LI);
        break;
    case WN_TAG_DD:
    case WN_TAG_DT:
        start_item(t, WN_TAG_DD, WN_TAG_DT);
        break;
    case WN_TAG_PLAINTEXT:
        start_block(t);
        t->tok.state = WN_STATE_PLAINTEXT;
        break;
    case WN_TAG_BUTTON:
        start_button(t);
        break;
    case WN_TAG_A:
        start_a(t);
        break;
    case WN_TAG_B:
    case WN_TAG_BIG:
    case WN_TAG_CODE:
    case WN_TAG_EM:
    case WN_TAG_FONT:
    case WN_TAG_I:
    case WN_TAG_S:
    case WN_TAG_SMALL:
    case WN_TAG_STRIKE:
    case WN_TAG_STRONG:
    case WN_TAG_TT:
    case WN_TAG_U:
        start_formatting(t);
        break;
    case WN_TAG_NOBR:
        start_nobr(t);
        break;
    case WN_TAG_APPLET:
    case WN_TAG_MARQUEE:
    case WN_TAG_OBJECT:
        start_object(t);
        break;
    case WN_TAG_TABLE:
        start_table(t);
        break;
    case WN_TAG_AREA:
    case WN_TAG_BR:
    case WN_TAG_EMBED:
    case WN_TAG_IMG:
    case WN_TAG_KEYGEN:
    case WN_TAG_WBR:
        start_leaf(t);
        break;
    case WN_TAG_INPUT:
        start_input(t, token);
        break;
    case WN_TAG_PARAM:
    case WN_TAG_SOURCE:
    case WN_TAG_TRACK:
        wn_html_tree_insert_leaf(t, WN_NS_HTML);
        break;
    case WN_TAG_HR:
        start_hr(t);
        break;
    case WN_TAG_IMAGE: /* "Don't ask." */
        token->tag = WN_TAG_IMG;
        token->name = WN_STR("img");
        return REPROCESS;
    case WN_TAG_TEXTAREA:
        start_textarea(t);
        break;
    case WN_TAG_XMP:
        wn_html_tree_close_p_in_button_scope(t);
        wn_html_tree_reconstruct(t);
        t->frameset_ok = false;
        wn_html_tree_read_raw(t, WN_STATE_RAWTEXT);
        break;
    case WN_TAG_IFRAME:
        start_iframe(t, token);
        break;
    case WN_TAG_NOEMBED:
        wn_html_tree_read_raw(t, WN_STATE_RAWTEXT);
        break;
    case WN_TAG_NOSCRIPT:
        if (t->options.scripting)
            wn_html_tree_read_raw(t, WN_STATE_RAWTEXT);
        else
            start_other(t, token);
        break;
    case WN_TAG_SELECT:
        start_select(t);
        break;
    case WN_TAG_OPTGROUP:
    case WN_TAG_OPTION:
        start_option(t, token);
        break;
    case WN_TAG_RB:
    case WN_TAG_RTC:
    case WN_TAG_RP:
    case WN_TAG_RT:
        start_ruby_part(t, token);
        break;
    case WN_TAG_MATH:
        start_foreign(t, token, WN_NS_MATHML);
        break;
    case WN_TAG_SVG:
        start_foreign(t, token, WN_NS_SVG);
        break;
    case WN_TAG_CAPTION:
    case WN_TAG_COL:
    case WN_TAG_COLGROUP:
    case WN_TAG_FRAME:
    case WN_TAG_HEAD:
    case WN_TAG_TBODY:
    case WN_TAG_TD:
    case WN_TAG_TFOOT:
    case WN_TAG_TH:
    case WN_TAG_THEAD:
    case WN_TAG_TR:
        break; /* parts of something that is not here */
    default:
        start_other(t, token);
        break;
    }
    return DONE;
}

/* ---- End tags in the body ---------------------------------------------------------------- */

static void end_block(wn_tree *t, const wn_token *token)
{
    wn_tag tag = (wn_tag)token->tag;
    if (!in_scope(t, tag, WN_TRAIT_SCOPE))
        return;
    wn_html_tree_imply_end_tags(t, WN_TAG_UNKNOWN);
    wn_html_tree_pop_until(t, tag);
}

static void end_form(wn_tree *t)
{
    if (is_open(t, WN_TAG_TEMPLATE)) {
        if (!in_scope(t, WN_TAG_FORM, WN_TRAIT_SCOPE))
            return;
        wn_html_tree_imply_end_tags(t, WN_TAG_UNKNOWN);
        wn_html_tree_pop_until(t, WN_TAG_FORM);
        return;
    }
    wn_node_id form = t->form;
    t->form = WN_NO_NODE;
    uint32_t index = form ? wn_html_tree_find_open(t, form) : UINT32_MAX;
    if (index == UINT32_MAX || !in_scope(t, WN_TAG_FORM, WN_TRAIT_SCOPE))
        return;
    wn_html_tree_imply_end_tags(t, WN_TAG_UNKNOWN);
    wn_html_tree_remove_open(t, wn_html_tree_find_open(t, form));
}

static void end_p(wn_tree *t)
{
    if (in_scope(t, WN_TAG_P, WN_TRAIT_BUTTON_SCOPE))
        wn_html_tree_close_p(t);
    else
        wn_html_tree_insert_leaf(t, WN_NS_HTML);
}

static void end_item(wn_tree *t, const wn_token *token, uint32_t scope)
{
    wn_tag tag = (wn_tag)token->tag;
    if (!in_scope(t, tag, scope))
        return;
    wn_html_tree_imply_end_tags(t, tag);
    wn_html_tree_pop_until(t, tag);
}

/* Any heading's end tag closes any heading. */
static void end_heading(wn_tree *t)
{
    uint32_t i = t->open.count;
    while (i > 0 && !(t->open.items[i - 1].traits & (WN_TRAIT_HEADING | WN_TRAIT_SCOPE)))
        i--;
    if (i == 0 || !(t->open.items[i - 1].traits & WN_TRAIT_HEADING))
        return;
    wn_html_tree_imply_end_tags(t, WN_TAG_UNKNOWN);
    wn_html_tree_pop_to(t, i - 1);
}

static void end_object(wn_tree *t, const wn_token *token)
{
    if (!in_scope(t, (wn_tag)token->tag, WN_TRAIT_SCOPE))
        return;
    end_block(t, token);
    wn_html_tree_clear_to_marker(t);
}

/* </br> is <br>, without its attributes. */
static void end_br(wn_tree *t, wn_token *token)
{
    token->attr_count = 0;
    start_leaf(t);
}

void wn_html_tree_any_other_end_tag(wn_tree *t, wn_token *token)
{
    if (!is_open(t, (wn_tag)token->tag))
        return;
    for (uint32_t i = t->open.count; i > 1; i--) {
        const wn_open *open = &t->open.items[i - 1];
        if (open->ns == WN_NS_HTML && wn_html_tree_has_name(t, open, token)) {
            wn_node_id node = open->node;
            wn_html_tree_imply_end_tags(t, (wn_tag)token->tag);
            wn_html_tree_pop_to(t, wn_html_tree_find_open(t, node));
            return;
        }
        if (open->traits & WN_TRAIT_SPECIAL)
            return;
    }
}

/* "An end tag whose tag name is …" of "in body", in the standard's order. */
static wn_step end_in_body(wn_tree *t, wn_token *token)
{
    switch (token->tag) {
    case WN_TAG_TEMPLATE:
        return wn_html_mode_in_head(t, token);
    case WN_TAG_BODY:
    case WN_TAG_HTML:
        if (!in_scope(t, WN_TAG_BODY, WN_TRAIT_SCOPE))
            break;
        t->mode = MODE_AFTER_BODY;
        return token->tag == WN_TAG_HTML ? REPROCESS : DONE;
    case WN_TAG_ADDRESS:
    case WN_TAG_ARTICLE:
    case WN_TAG_ASIDE:
    case WN_TAG_BLOCKQUOTE:
    case WN_TAG_BUTTON:
    case WN_TAG_CENTER:
    case WN_TAG_DETAILS:
    case WN_TAG_DIALOG:
    case WN_TAG_DIR:
    case WN_TAG_DIV:
    case WN_TAG_DL:
    case WN_TAG_FIELDSET:
    case WN_TAG_FIGCAPTION:
    case WN_TAG_FIGURE:
    case WN_TAG_FOOTER:
    case WN_TAG_HEADER:
    case WN_TAG_HGROUP:
    case WN_TAG_LISTING:
    case WN_TAG_MAIN:
    case WN_TAG_MENU:
    case WN_TAG_NAV:
    case WN_TAG_OL:
    case WN_TAG_PRE:
    case WN_TAG_SEARCH:
    case WN_TAG_SECTION:
    case WN_TAG_SELECT:
    case WN_TAG_SUMMARY:
    case WN_TAG_UL:
        end_block(t, token);
        break;
    case WN_TAG_FORM:
        end_form(t);
        break;
    case WN_TAG_P:
        end_p(t);
        break;
    case WN_TAG_LI:
        end_item(t, token, WN_TRAIT_LIST_SCOPE);
        break;
    case WN_TAG_DD:
    case WN_TAG_DT:
        end_item(t, token, WN_TRAIT_SCOPE);
        break;
    case WN_TAG_H1:
    case WN_TAG_H2:
    case WN_TAG_H3:
    case WN_TAG_H4:
    case WN_TAG_H5:
    case WN_TAG_H6:
        end_heading(t);
        break;
    case WN_TAG_A:
    case WN_TAG_B:
    case WN_TAG_BIG:
    case WN_TAG_CODE:
    case WN_TAG_EM:
    case WN_TAG_FONT:
    case WN_TAG_I:
    case WN_TAG_NOBR:
    case WN_TAG_S:
    case WN_TAG_SMALL:
    case WN_TAG_STRIKE:
    case WN_TAG_STRONG:
    case WN_TAG_TT:
    case WN_TAG_U:
        wn_html_tree_adopt(t);
        break;
    case WN_TAG_APPLET:
    case WN_TAG_MARQUEE:
    case WN_TAG_OBJECT:
        end_object(t, token);
        break;
    case WN_TAG_BR:
        end_br(t, token);
        break;
    default:
        wn_html_tree_any_other_end_tag(t, token);
        break;
    }
    return DONE;
}

/* https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inbody */
wn_step wn_html_mode_in_body(wn_tree *t, wn_token *token)
{
    switch (token->kind) {
    case WN_TOKEN_TEXT:
        return text_in_body(t, token);
    case WN_TOKEN_START_TAG:
        return start_in_body(t, token);
    case WN_TOKEN_END_TAG:
        return end_in_body(t, token);
    case WN_TOKEN_COMMENT:
        return add_comment(t);
    case WN_TOKEN_END:
        if (t->template_modes.count > 0)
            return wn_html_mode_in_template(t, token);
        t->stopped = true;
        return DONE;
    default:
        return DONE;
    }
}

/* https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-incdata */
wn_step wn_mode_text(wn_tree *t, wn_token *token)
{
    if (token->kind == WN_TOKEN_TEXT) {
        wn_html_tree_insert_text(t, token->text);
        return DONE;
    }
    wn_html_tree_pop(t);
    t->mode = t->original_mode;
    return token->kind == WN_TOKEN_END ? REPROCESS : DONE;
}

/* ---- After the body ---------------------------------------------------------------------- */

/* https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-afterbody */
wn_step wn_mode_after_body(wn_tree *t, wn_token *token)
{
    switch (token->kind) {
    case WN_TOKEN_TEXT:
        if (is_all_space(token->text))
            return wn_html_mode_in_body(t, token);
        break;
    case WN_TOKEN_COMMENT:
        wn_html_tree_insert_comment(t, (wn_place){.parent = t->open.items[0].node});
        return DONE;
    case WN_TOKEN_DOCTYPE:
        return DONE;
    case WN_TOKEN_START_TAG:
        if (token->tag == WN_TAG_HTML)
            return wn_html_mode_in_body(t, token);
        break;
    case WN_TOKEN_END_TAG:
        if (token->tag == WN_TAG_HTML) {
            if (!t->is_fragment)
                t->mode = MODE_AFTER_AFTER_BODY;
            return DONE;
        }
        break;
    default:
        t->stopped = true;
        return DONE;
    }
    t->mode = MODE_IN_BODY;
    return REPROCESS;
}

/* https://html.spec.whatwg.org/multipage/parsing.html#the-after-after-body-insertion-mode */
wn_step wn_mode_after_after_body(wn_tree *t, wn_token *token)
{
    if (token->kind == WN_TOKEN_COMMENT)
        return add_comment_to_document(t);
    if (token->kind == WN_TOKEN_DOCTYPE || is_start(token, WN_TAG_HTML) ||
        (token->kind == WN_TOKEN_TEXT && is_all_space(token->text)))
        return wn_html_mode_in_body(t, token);
    if (token->kind == WN_TOKEN_END) {
        t->stopped = true;
        return DONE;
    }
    t->mode = MODE_IN_BODY;
    return REPROCESS;
}
