/*
 * The insertion modes of tables, templates and framesets, in the order of the
 * standard.
 *
 * https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-intable
 */
#include "html/tree_builder.h"

static bool in_table_scope(const wn_tree *t, wn_tag tag)
{
    return in_scope(t, tag, WN_TRAIT_TABLE_SCOPE);
}

/* "In body", with what does not belong into a table put before it. */
static wn_step foster_in_body(wn_tree *t, wn_token *token)
{
    t->foster_parenting = true;
    wn_step step = wn_html_mode_in_body(t, token);
    t->foster_parenting = false;
    return step;
}

/* ---- In table ---------------------------------------------------------------------------- */

static bool is_end_of_table_part(const wn_token *token)
{
    switch (token->tag) {
    case WN_TAG_BODY:
    case WN_TAG_CAPTION:
    case WN_TAG_COL:
    case WN_TAG_COLGROUP:
    case WN_TAG_HTML:
    case WN_TAG_TBODY:
    case WN_TAG_TD:
    case WN_TAG_TFOOT:
    case WN_TAG_TH:
    case WN_TAG_THEAD:
    case WN_TAG_TR:
        return true;
    default:
        return false;
    }
}

static void close_table(wn_tree *t)
{
    wn_html_tree_pop_until(t, WN_TAG_TABLE);
    wn_html_tree_reset_mode(t);
}

static void open_part(wn_tree *t, wn_mode mode)
{
    wn_html_tree_pop_until_traits(t, WN_TRAIT_TABLE_CONTEXT);
    wn_html_tree_insert_always(t);
    t->mode = mode;
}

static wn_step open_implied_part(wn_tree *t, wn_tag tag, wn_mode mode)
{
    wn_html_tree_pop_until_traits(t, WN_TRAIT_TABLE_CONTEXT);
    wn_html_tree_insert_implied(t, tag);
    t->mode = mode;
    return REPROCESS;
}

static wn_step start_in_table(wn_tree *t, wn_token *token)
{
    switch (token->tag) {
    case WN_TAG_CAPTION:
        wn_html_tree_pop_until_traits(t, WN_TRAIT_TABLE_CONTEXT);
        wn_html_tree_add_marker(t);
        open_part(t, MODE_IN_CAPTION);
        return DONE;
    case WN_TAG_COLGROUP:
        open_part(t, MODE_IN_COLUMN_GROUP);
        return DONE;
    case WN_TAG_COL:
        return open_implied_part(t, WN_TAG_COLGROUP, MODE_IN_COLUMN_GROUP);
    case WN_TAG_TBODY:
    case WN_TAG_TFOOT:
    case WN_TAG_THEAD:
        open_part(t, MODE_IN_TABLE_BODY);
        return DONE;
    case WN_TAG_TD:
    case WN_TAG_TH:
    case WN_TAG_TR:
        return open_implied_part(t, WN_TAG_TBODY, MODE_IN_TABLE_BODY);
    case WN_TAG_TABLE:
        if (!in_table_scope(t, WN_TAG_TABLE))
            return DONE;
        close_table(t);
        return REPROCESS;
    case WN_TAG_STYLE:
    case WN_TAG_SCRIPT:
    case WN_TAG_TEMPLATE:
        return wn_html_mode_in_head(t, token);
    case WN_TAG_INPUT:
        if (!wn_html_tree_is_hidden_input(token))
            return foster_in_body(t, token);
        wn_html_tree_insert_leaf(t, WN_NS_HTML);
        return DONE;
    case WN_TAG_FORM:
        if (!is_open(t, WN_TAG_TEMPLATE) && !t->form)
            t->form = wn_html_tree_insert_leaf(t, WN_NS_HTML);
        return DONE;
    default:
        return foster_in_body(t, token);
    }
}

/* https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-intable */
wn_step wn_html_mode_in_table(wn_tree *t, wn_token *token)
{
    switch (token->kind) {
    case WN_TOKEN_TEXT:
        if (!(current(t)->traits & WN_TRAIT_FOSTERS) && !current_is(t, WN_TAG_TEMPLATE))
            return foster_in_body(t, token);
        t->table_text.count = 0;
        t->table_text_is_space = true;
        t->original_mode = t->mode;
        t->mode = MODE_IN_TABLE_TEXT;
        return REPROCESS;
    case WN_TOKEN_COMMENT:
        wn_html_tree_insert_comment(t, wn_html_tree_place(t));
        return DONE;
    case WN_TOKEN_DOCTYPE:
        return DONE;
    case WN_TOKEN_START_TAG:
        return start_in_table(t, token);
    case WN_TOKEN_END_TAG:
        if (token->tag == WN_TAG_TABLE) {
            if (in_table_scope(t, WN_TAG_TABLE))
                close_table(t);
            return DONE;
        }
        if (token->tag == WN_TAG_TEMPLATE)
            return wn_html_mode_in_head(t, token);
        return is_end_of_table_part(token) ? DONE : foster_in_body(t, token);
    default:
        return wn_html_mode_in_body(t, token);
    }
}

/* ---- In table text ----------------------------------------------------------------------- */

static void collect_table_text(wn_tree *t, wn_str text)
{
    const char *p = text.ptr, *end = text.ptr + text.len;
    while (p < end) { /* U+0000 is dropped: the parts around it are collected */
        const char *nul = memchr(p, '\0', (size_t)(end - p));
        const char *stop = nul ? nul : end;
        wn_str *part = p < stop ? wn_array_push(&t->table_text) : NULL;
        if (part)
            *part = wn_str_between(p, stop);
        else if (p < stop)
            t->arena->failed = true;
        for (; p < stop; p++)
            t->table_text_is_space &= wn_is_space(*p);
        p = stop + 1;
    }
}

/* https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-intabletext */
wn_step wn_mode_in_table_text(wn_tree *t, wn_token *token)
{
    if (token->kind == WN_TOKEN_TEXT) {
        collect_table_text(t, token->text);
        return DONE;
    }
    wn_token saved = *token;
    for (uint32_t i = 0; i < t->table_text.count; i++) {
        if (t->table_text_is_space) {
            wn_html_tree_insert_text(t, t->table_text.items[i]);
            continue;
        }
        token->kind = WN_TOKEN_TEXT;
        token->text = t->table_text.items[i];
        token->has_nul = false;
        foster_in_body(t, token);
    }
    *token = saved;
    t->mode = t->original_mode;
    return REPROCESS;
}

/* ---- In caption, in column group --------------------------------------------------------- */

static bool close_caption(wn_tree *t)
{
    if (!in_table_scope(t, WN_TAG_CAPTION))
        return false;
    wn_html_tree_imply_end_tags(t, WN_TAG_UNKNOWN);
    wn_html_tree_pop_until(t, WN_TAG_CAPTION);
    wn_html_tree_clear_to_marker(t);
    t->mode = MODE_IN_TABLE;
    return true;
}

/* https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-incaption */
wn_step wn_mode_in_caption(wn_tree *t, wn_token *token)
{
    bool part = is_end_of_table_part(token);
    if (token->kind == WN_TOKEN_END_TAG) {
        if (token->tag == WN_TAG_CAPTION) {
            close_caption(t);
            return DONE;
        }
        if (token->tag == WN_TAG_TABLE)
            return close_caption(t) ? REPROCESS : DONE;
        if (part)
            return DONE;
    }
    bool starts_part = token->kind == WN_TOKEN_START_TAG && part && token->tag != WN_TAG_BODY &&
                       token->tag != WN_TAG_HTML;
    if (starts_part)
        return close_caption(t) ? REPROCESS : DONE;
    return wn_html_mode_in_body(t, token);
}

/* https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-incolgroup */
wn_step wn_mode_in_column_group(wn_tree *t, wn_token *token)
{
    switch (token->kind) {
    case WN_TOKEN_TEXT:
        wn_html_tree_insert_text(t, wn_html_tree_take_spaces(token));
        if (token->text.len == 0)
            return DONE;
        break;
    case WN_TOKEN_COMMENT:
        wn_html_tree_insert_comment(t, wn_html_tree_place(t));
        return DONE;
    case WN_TOKEN_DOCTYPE:
        return DONE;
    case WN_TOKEN_START_TAG:
        if (token->tag == WN_TAG_HTML)
            return wn_html_mode_in_body(t, token);
        if (token->tag == WN_TAG_TEMPLATE)
            return wn_html_mode_in_head(t, token);
        if (token->tag == WN_TAG_COL) {
            wn_html_tree_insert_leaf(t, WN_NS_HTML);
            return DONE;
        }
        break;
    case WN_TOKEN_END_TAG:
        if (token->tag == WN_TAG_TEMPLATE)
            return wn_html_mode_in_head(t, token);
        if (token->tag == WN_TAG_COL)
            return DONE;
        break;
    default:
        return wn_html_mode_in_body(t, token);
    }
    if (!current_is(t, WN_TAG_COLGROUP))
        return DONE;
    wn_html_tree_pop(t);
    t->mode = MODE_IN_TABLE;
    bool ends = token->kind == WN_TOKEN_END_TAG && token->tag == WN_TAG_COLGROUP;
    return ends ? DONE : REPROCESS;
}

/* ---- In table body, in row, in cell ------------------------------------------------------ */

static bool is_table_body(wn_tag tag)
{
    return tag == WN_TAG_TBODY || tag == WN_TAG_TFOOT || tag == WN_TAG_THEAD;
}

static bool table_body_in_scope(const wn_tree *t)
{
    return in_table_scope(t, WN_TAG_TBODY) || in_table_scope(t, WN_TAG_TFOOT) ||
           in_table_scope(t, WN_TAG_THEAD);
}

static void close_table_body(wn_tree *t)
{
    wn_html_tree_pop_until_traits(t, WN_TRAIT_TABLE_BODY_CONTEXT);
    wn_html_tree_pop(t);
    t->mode = MODE_IN_TABLE;
}

/* https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-intbody */
wn_step wn_mode_in_table_body(wn_tree *t, wn_token *token)
{
    wn_tag tag = (wn_tag)token->tag;
    if (token->kind == WN_TOKEN_START_TAG) {
        switch (tag) {
        case WN_TAG_TR:
            wn_html_tree_pop_until_traits(t, WN_TRAIT_TABLE_BODY_CONTEXT);
            wn_html_tree_insert_always(t);
            t->mode = MODE_IN_ROW;
            return DONE;
        case WN_TAG_TH:
        case WN_TAG_TD:
            wn_html_tree_pop_until_traits(t, WN_TRAIT_TABLE_BODY_CONTEXT);
            wn_html_tree_insert_implied(t, WN_TAG_TR);
            t->mode = MODE_IN_ROW;
            return REPROCESS;
        case WN_TAG_CAPTION:
        case WN_TAG_COL:
        case WN_TAG_COLGROUP:
        case WN_TAG_TBODY:
        case WN_TAG_TFOOT:
        case WN_TAG_THEAD:
            if (!table_body_in_scope(t))
                return DONE;
            close_table_body(t);
            return REPROCESS;
        default:
            break;
        }
    } else if (token->kind == WN_TOKEN_END_TAG) {
        if (is_table_body(tag)) {
            if (in_table_scope(t, tag))
                close_table_body(t);
            return DONE;
        }
        if (tag == WN_TAG_TABLE) {
            if (!table_body_in_scope(t))
                return DONE;
            close_table_body(t);
            return REPROCESS;
        }
        if (is_end_of_table_part(token))
            return DONE;
    }
    return wn_html_mode_in_table(t, token);
}

static bool close_row(wn_tree *t)
{
    if (!in_table_scope(t, WN_TAG_TR))
        return false;
    wn_html_tree_pop_until_traits(t, WN_TRAIT_TABLE_ROW_CONTEXT);
    wn_html_tree_pop(t);
    t->mode = MODE_IN_TABLE_BODY;
    return true;
}

/* https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-intr */
wn_step wn_mode_in_row(wn_tree *t, wn_token *token)
{
    wn_tag tag = (wn_tag)token->tag;
    if (token->kind == WN_TOKEN_START_TAG) {
        switch (tag) {
        case WN_TAG_TH:
        case WN_TAG_TD:
            wn_html_tree_pop_until_traits(t, WN_TRAIT_TABLE_ROW_CONTEXT);
            wn_html_tree_insert_always(t);
            wn_html_tree_add_marker(t);
            t->mode = MODE_IN_CELL;
            return DONE;
        case WN_TAG_CAPTION:
        case WN_TAG_COL:
        case WN_TAG_COLGROUP:
        case WN_TAG_TBODY:
        case WN_TAG_TFOOT:
        case WN_TAG_THEAD:
        case WN_TAG_TR:
            return close_row(t) ? REPROCESS : DONE;
        default:
            break;
        }
    } else if (token->kind == WN_TOKEN_END_TAG) {
        if (tag == WN_TAG_TR) {
            close_row(t);
            return DONE;
        }
        if (tag == WN_TAG_TABLE)
            return close_row(t) ? REPROCESS : DONE;
        if (is_table_body(tag))
            return in_table_scope(t, tag) && close_row(t) ? REPROCESS : DONE;
        if (is_end_of_table_part(token))
            return DONE;
    }
    return wn_html_mode_in_table(t, token);
}

static void close_cell(wn_tree *t)
{
    wn_html_tree_imply_end_tags(t, WN_TAG_UNKNOWN);
    while (t->open.count > 1) {
        bool cell = current_is(t, WN_TAG_TD) || current_is(t, WN_TAG_TH);
        wn_html_tree_pop(t);
        if (cell)
            break;
    }
    wn_html_tree_clear_to_marker(t);
    t->mode = MODE_IN_ROW;
}

static bool cell_in_scope(const wn_tree *t)
{
    return in_table_scope(t, WN_TAG_TD) || in_table_scope(t, WN_TAG_TH);
}

/* https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-intd */
wn_step wn_mode_in_cell(wn_tree *t, wn_token *token)
{
    wn_tag tag = (wn_tag)token->tag;
    if (token->kind == WN_TOKEN_END_TAG) {
        switch (tag) {
        case WN_TAG_TD:
        case WN_TAG_TH:
            if (!in_table_scope(t, tag))
                return DONE;
            wn_html_tree_imply_end_tags(t, WN_TAG_UNKNOWN);
            wn_html_tree_pop_until(t, tag);
            wn_html_tree_clear_to_marker(t);
            t->mode = MODE_IN_ROW;
            return DONE;
        case WN_TAG_BODY:
        case WN_TAG_CAPTION:
        case WN_TAG_COL:
        case WN_TAG_COLGROUP:
        case WN_TAG_HTML:
            return DONE;
        case WN_TAG_TABLE:
        case WN_TAG_TBODY:
        case WN_TAG_TFOOT:
        case WN_TAG_THEAD:
        case WN_TAG_TR:
            if (!in_table_scope(t, tag))
                return DONE;
            close_cell(t);
            return REPROCESS;
        default:
            break;
        }
    } else if (token->kind == WN_TOKEN_START_TAG &&
               (wn_html_traits[tag] & WN_TRAIT_TABLE_PART || tag == WN_TAG_COL)) {
        if (!cell_in_scope(t))
            return DONE;
        close_cell(t);
        return REPROCESS;
    }
    return wn_html_mode_in_body(t, token);
}

/* ---- In template ------------------------------------------------------------------------- */

/* The mode that a tag in a template asks for: it may be the start of a table's part. */
static wn_mode template_mode_for(wn_tag tag)
{
    switch (tag) {
    case WN_TAG_CAPTION:
    case WN_TAG_COLGROUP:
    case WN_TAG_TBODY:
    case WN_TAG_TFOOT:
    case WN_TAG_THEAD:
        return MODE_IN_TABLE;
    case WN_TAG_COL:
        return MODE_IN_COLUMN_GROUP;
    case WN_TAG_TR:
        return MODE_IN_TABLE_BODY;
    case WN_TAG_TD:
    case WN_TAG_TH:
        return MODE_IN_ROW;
    default:
        return MODE_IN_BODY;
    }
}

static wn_step end_of_input_in_template(wn_tree *t)
{
    if (!is_open(t, WN_TAG_TEMPLATE)) {
        t->stopped = true;
        return DONE;
    }
    wn_html_tree_pop_until(t, WN_TAG_TEMPLATE);
    wn_html_tree_clear_to_marker(t);
    if (t->template_modes.count > 0)
        t->template_modes.count--;
    wn_html_tree_reset_mode(t);
    return REPROCESS;
}

/* https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-intemplate */
wn_step wn_html_mode_in_template(wn_tree *t, wn_token *token)
{
    switch (token->kind) {
    case WN_TOKEN_START_TAG:
        switch (token->tag) {
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
        default:
            t->mode = template_mode_for((wn_tag)token->tag);
            if (t->template_modes.count > 0)
                t->template_modes.items[t->template_modes.count - 1] = (uint8_t)t->mode;
            return REPROCESS;
        }
    case WN_TOKEN_END_TAG:
        return token->tag == WN_TAG_TEMPLATE ? wn_html_mode_in_head(t, token) : DONE;
    case WN_TOKEN_END:
        return end_of_input_in_template(t);
    default:
        return wn_html_mode_in_body(t, token);
    }
}

/* ---- Framesets --------------------------------------------------------------------------- */

/* Of a text only the white space counts here. */
static void insert_only_spaces(wn_tree *t, wn_token *token)
{
    while (token->text.len > 0) {
        wn_html_tree_insert_text(t, wn_html_tree_take_spaces(token));
        while (token->text.len > 0 && !wn_is_space(token->text.ptr[0]))
            token->text = wn_str_from_offset(token->text, 1);
    }
}

/* https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inframeset */
wn_step wn_mode_in_frameset(wn_tree *t, wn_token *token)
{
    switch (token->kind) {
    case WN_TOKEN_TEXT:
        insert_only_spaces(t, token);
        return DONE;
    case WN_TOKEN_COMMENT:
        wn_html_tree_insert_comment(t, wn_html_tree_place(t));
        return DONE;
    case WN_TOKEN_START_TAG:
        if (token->tag == WN_TAG_HTML)
            return wn_html_mode_in_body(t, token);
        if (token->tag == WN_TAG_FRAMESET)
            wn_html_tree_insert(t, WN_NS_HTML);
        else if (token->tag == WN_TAG_FRAME)
            wn_html_tree_insert_leaf(t, WN_NS_HTML);
        else if (token->tag == WN_TAG_NOFRAMES)
            return wn_html_mode_in_head(t, token);
        return DONE;
    case WN_TOKEN_END_TAG:
        if (token->tag != WN_TAG_FRAMESET || t->open.count == 1)
            return DONE;
        wn_html_tree_pop(t);
        if (!t->is_fragment && !current_is(t, WN_TAG_FRAMESET))
            t->mode = MODE_AFTER_FRAMESET;
        return DONE;
    case WN_TOKEN_END:
        t->stopped = true;
        return DONE;
    default:
        return DONE;
    }
}

/* https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-afterframeset */
wn_step wn_mode_after_frameset(wn_tree *t, wn_token *token)
{
    switch (token->kind) {
    case WN_TOKEN_TEXT:
        insert_only_spaces(t, token);
        return DONE;
    case WN_TOKEN_COMMENT:
        wn_html_tree_insert_comment(t, wn_html_tree_place(t));
        return DONE;
    case WN_TOKEN_START_TAG:
        if (token->tag == WN_TAG_HTML)
            return wn_html_mode_in_body(t, token);
        return token->tag == WN_TAG_NOFRAMES ? wn_html_mode_in_head(t, token) : DONE;
    case WN_TOKEN_END_TAG:
        if (token->tag == WN_TAG_HTML)
            t->mode = MODE_AFTER_AFTER_FRAMESET;
        return DONE;
    case WN_TOKEN_END:
        t->stopped = true;
        return DONE;
    default:
        return DONE;
    }
}

/* https://html.spec.whatwg.org/multipage/parsing.html#the-after-after-frameset-insertion-mode */
wn_step wn_mode_after_after_frameset(wn_tree *t, wn_token *token)
{
    switch (token->kind) {
    case WN_TOKEN_COMMENT:
        wn_html_tree_insert_comment(t, (wn_place){.parent = WN_DOCUMENT_NODE});
        return DONE;
    case WN_TOKEN_TEXT:
        insert_only_spaces(t, token);
        return DONE;
    case WN_TOKEN_START_TAG:
        if (token->tag == WN_TAG_HTML)
            return wn_html_mode_in_body(t, token);
        return token->tag == WN_TAG_NOFRAMES ? wn_html_mode_in_head(t, token) : DONE;
    case WN_TOKEN_END:
        t->stopped = true;
        return DONE;
    default:
        return DONE;
    }
}
