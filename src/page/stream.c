#include "page/stream.h"

#include "base/scan.h"

/* What is done with an element; most are inline and need nothing. */
enum {
    INLINE,
    BLOCK,   /* a block starts and ends with it */
    TELLING, /* the same, and it tells what the block is: see nesting.h */
    LINE,    /* <br> */
    RULE,    /* <hr> */
    NOTHING, /* its tags are not pieces; what is in it is */
    SKIP,    /* skipped with what is in it, up to its end tag */
    FIELD,   /* the same, but it keeps its neighbours apart */
    TITLE,
};

static const uint8_t kinds[WN_TAG_COUNT] = {
    [WN_TAG_ADDRESS] = BLOCK,
    [WN_TAG_ARTICLE] = BLOCK,
    [WN_TAG_ASIDE] = BLOCK,
    [WN_TAG_BLOCKQUOTE] = TELLING,
    [WN_TAG_CAPTION] = TELLING,
    [WN_TAG_CENTER] = BLOCK,
    [WN_TAG_DD] = TELLING,
    [WN_TAG_DETAILS] = BLOCK,
    [WN_TAG_DIALOG] = BLOCK,
    [WN_TAG_DIR] = TELLING,
    [WN_TAG_DIV] = BLOCK,
    [WN_TAG_DL] = TELLING,
    [WN_TAG_DT] = TELLING,
    [WN_TAG_FIELDSET] = BLOCK,
    [WN_TAG_FIGCAPTION] = TELLING,
    [WN_TAG_FIGURE] = BLOCK,
    [WN_TAG_FOOTER] = BLOCK,
    [WN_TAG_FORM] = BLOCK,
    [WN_TAG_H1] = TELLING,
    [WN_TAG_H2] = TELLING,
    [WN_TAG_H3] = TELLING,
    [WN_TAG_H4] = TELLING,
    [WN_TAG_H5] = TELLING,
    [WN_TAG_H6] = TELLING,
    [WN_TAG_HEADER] = BLOCK,
    [WN_TAG_HGROUP] = BLOCK,
    [WN_TAG_LEGEND] = BLOCK,
    [WN_TAG_LI] = TELLING,
    [WN_TAG_LISTING] = TELLING,
    [WN_TAG_MAIN] = BLOCK,
    [WN_TAG_MENU] = TELLING,
    [WN_TAG_NAV] = BLOCK,
    [WN_TAG_OL] = TELLING,
    [WN_TAG_P] = BLOCK,
    [WN_TAG_PLAINTEXT] = TELLING,
    [WN_TAG_PRE] = TELLING,
    [WN_TAG_SEARCH] = BLOCK,
    [WN_TAG_SECTION] = BLOCK,
    [WN_TAG_SUMMARY] = BLOCK,
    [WN_TAG_TABLE] = TELLING,
    [WN_TAG_TBODY] = BLOCK,
    [WN_TAG_TD] = TELLING,
    [WN_TAG_TFOOT] = BLOCK,
    [WN_TAG_TH] = TELLING,
    [WN_TAG_THEAD] = BLOCK,
    [WN_TAG_TR] = TELLING,
    [WN_TAG_UL] = TELLING,
    [WN_TAG_XMP] = TELLING,

    [WN_TAG_BR] = LINE,
    [WN_TAG_HR] = RULE,
    [WN_TAG_TITLE] = TITLE,

    [WN_TAG_APPLET] = NOTHING,
    [WN_TAG_AREA] = NOTHING,
    [WN_TAG_BASE] = NOTHING,
    [WN_TAG_BASEFONT] = NOTHING,
    [WN_TAG_BGSOUND] = NOTHING,
    [WN_TAG_BODY] = NOTHING,
    [WN_TAG_COL] = NOTHING,
    [WN_TAG_COLGROUP] = NOTHING,
    [WN_TAG_EMBED] = NOTHING,
    [WN_TAG_FRAME] = NOTHING,
    [WN_TAG_FRAMESET] = NOTHING,
    [WN_TAG_HEAD] = NOTHING,
    [WN_TAG_HTML] = NOTHING,
    [WN_TAG_IMG] = NOTHING,
    [WN_TAG_LINK] = NOTHING,
    [WN_TAG_MAP] = NOTHING,
    [WN_TAG_META] = NOTHING,
    [WN_TAG_OBJECT] = NOTHING,
    [WN_TAG_OPTGROUP] = NOTHING,
    [WN_TAG_OPTION] = NOTHING,
    [WN_TAG_PARAM] = NOTHING,
    [WN_TAG_SOURCE] = NOTHING,
    [WN_TAG_TRACK] = NOTHING,
    [WN_TAG_INPUT] = NOTHING,

    [WN_TAG_AUDIO] = SKIP,
    [WN_TAG_CANVAS] = SKIP,
    [WN_TAG_DATALIST] = SKIP,
    [WN_TAG_IFRAME] = SKIP,
    [WN_TAG_MARQUEE] = SKIP,
    [WN_TAG_NOEMBED] = SKIP,
    [WN_TAG_NOFRAMES] = SKIP,
    [WN_TAG_NOSCRIPT] = SKIP,
    [WN_TAG_SCRIPT] = SKIP,
    [WN_TAG_STYLE] = SKIP,
    [WN_TAG_SVG] = SKIP,
    [WN_TAG_TEMPLATE] = SKIP,
    [WN_TAG_VIDEO] = SKIP,

    [WN_TAG_SELECT] = FIELD,
    [WN_TAG_TEXTAREA] = FIELD,
};

/* ---- Blocks ------------------------------------------------------------------------------ */

static uint32_t text_end(const wn_page_stream *s)
{
    return (uint32_t)s->page->text.len;
}

static void start_block(wn_page_stream *s)
{
    s->start = s->link_start = text_end(s);
    s->first_span = s->page->spans.count;
    s->link_bytes = 0;
    s->spacing = (wn_page_spacing){.at_space = true};
    s->new_line = false;
}

/* Ends the span of the link around the text, if there is one. */
static void end_link_span(wn_page_stream *s)
{
    uint32_t start = s->link_start, end = text_end(s);
    const char *text = s->page->text.ptr;
    s->link_start = end;
    if (!s->in_link)
        return;
    while (start < end && wn_is_space(text[start]))
        start++;
    while (start < end && wn_is_space(text[end - 1]))
        end--;
    s->link_bytes += end - start;
    wn_span *span = start < end && s->link ? wn_array_push(&s->page->spans) : NULL;
    if (span)
        *span = (wn_span){.start = start, .end = end, .node = s->link, .kind = WN_SPAN_LINK};
}

/* Takes white space off the end of the text of the block; returns its size. */
static uint32_t trim(wn_page_stream *s)
{
    wn_buf *text = &s->page->text;
    while (text->len > s->start && wn_is_space(text->ptr[text->len - 1]))
        text->len--;
    return text_end(s) - s->start;
}

static void describe_block(wn_page_stream *s, wn_block *block)
{
    block->words = wn_page_spacing_words(&s->spacing);
    block->link_bytes = s->link_bytes;
    block->first_span = s->first_span;
    block->span_count = s->page->spans.count - s->first_span;
    wn_page_nesting_describe(&s->nesting, block);
    if (s->heading) {
        block->kind = WINNOW_BLOCK_HEADING;
        block->level = s->heading;
    }
}

void wn_page_stream_end_block(wn_page_stream *s)
{
    if (text_end(s) == s->start) { /* as most often: tags are close together */
        s->spacing = (wn_page_spacing){.at_space = true};
        s->new_line = false;
        return;
    }
    end_link_span(s);
    wn_block *block = trim(s) > 0 ? wn_page_add_block(s->page, s->start) : NULL;
    if (block)
        describe_block(s, block);
    start_block(s);
}

void wn_page_stream_add(wn_page_stream *s, wn_str text)
{
    size_t before = s->page->text.len;
    bool verbatim = wn_page_nesting_now(&s->nesting)->verbatim;
    wn_page_spacing_add_within(&s->spacing, text, verbatim, &s->page->text, s->watch);
    if (s->page->text.len > before)
        s->new_line = false;
}

/* A <br> starts a line, a second one starts a block. */
static void add_line_break(wn_page_stream *s)
{
    if (wn_page_nesting_now(&s->nesting)->verbatim) {
        wn_buf_add_char(&s->page->text, '\n');
    } else if (s->new_line) {
        wn_page_stream_end_block(s);
    } else if (trim(s) > 0) {
        wn_buf_add_char(&s->page->text, '\n');
        wn_page_spacing_start_line(&s->spacing);
        s->new_line = true;
    }
}

/* ---- Links ------------------------------------------------------------------------------- */

static void close_link(wn_page_stream *s)
{
    end_link_span(s);
    s->in_link = false;
    s->link = WN_NO_NODE;
}

/* A node for the link with its address and nothing else: what writers ask for. */
static wn_node_id make_link_node(wn_page_stream *s, const wn_attr *href)
{
    wn_attr *copy = wn_arena_alloc(s->arena, sizeof *copy);
    wn_node *node = copy ? wn_array_push(&s->doc->nodes) : NULL;
    if (!node)
        return WN_NO_NODE;
    *copy = *href;
    *node = (wn_node){.kind = WN_KIND_ELEMENT, .tag = WN_TAG_A, .attrs = copy, .len = 1};
    return s->doc->nodes.count - 1;
}

/* <a name> is not a link, and is often left open. */
static void open_link(wn_page_stream *s)
{
    const wn_token *token = &s->tok.token;
    close_link(s);
    for (uint32_t i = 0; i < token->attr_count && !s->in_link; i++) {
        if (token->attrs[i].id == WN_ATTR_HREF) {
            s->in_link = true;
            s->link = make_link_node(s, &token->attrs[i]);
        }
    }
}

/* ---- Tags -------------------------------------------------------------------------------- */

/* What a block-level tag says of the text after it. */
static void enter_or_leave(wn_page_stream *s)
{
    const wn_token *token = &s->tok.token;
    bool opens = token->kind == WN_TOKEN_START_TAG;
    bool cell = token->tag == WN_TAG_TD || token->tag == WN_TAG_TH || token->tag == WN_TAG_TABLE;
    if (token->tag >= WN_TAG_H1 && token->tag <= WN_TAG_H6) {
        s->heading = opens ? (uint8_t)(token->tag - WN_TAG_H1 + 1) : 0;
        return;
    }
    if (cell)
        close_link(s); /* as the tree does: a cell ends what its formatting left open */
    if (opens)
        wn_page_nesting_open(&s->nesting, token, s->arena);
    else
        wn_page_nesting_close(&s->nesting, token->tag);
}

/* A tag that is a piece; `kind` is what the table says of it. */
static wn_page_piece take_tag(wn_page_stream *s, uint8_t kind)
{
    const wn_token *token = &s->tok.token;
    bool opens = token->kind == WN_TOKEN_START_TAG;
    s->breaks = kind >= BLOCK && kind <= RULE;
    if (kind == LINE) {
        add_line_break(s);
    } else if (s->breaks) {
        wn_page_stream_end_block(s);
        s->heading = 0;
        if (kind == TELLING)
            enter_or_leave(s);
    } else if (token->tag == WN_TAG_A) {
        if (opens)
            open_link(s);
        else
            close_link(s);
    } else if (token->tag == WN_TAG_BUTTON) {
        wn_page_stream_add(s, WN_STR(" "));
    }
    return WN_PIECE_TAG;
}

static void read_language(wn_page_stream *s)
{
    const wn_token *token = &s->tok.token;
    for (uint32_t i = 0; i < token->attr_count; i++)
        if (token->attrs[i].id == WN_ATTR_LANG && s->page->language.len == 0)
            s->page->language = wn_str_trim(wn_attr_value(&token->attrs[i]));
}

static void start_skipping(wn_page_stream *s, uint16_t tag)
{
    const wn_token *token = &s->tok.token;
    bool unclosed = tag == WN_TAG_TITLE && s->no_title_end; /* not looked for a second time */
    if (unclosed || (token->self_closing && tag == WN_TAG_SVG))
        s->tok.state = WN_STATE_DATA;
    else
        s->skipping = tag;
    if (s->skipping && !s->raw)
        wn_html_tokenizer_skip_raw(&s->tok);
    if (kinds[tag] == FIELD)
        wn_page_stream_add(s, WN_STR(" "));
}

/*
 * Whether a tag ends the element that is skipped. A <select> that nobody closed must not
 * hide the page: what cannot be in it ends it, as in the tree.
 */
static bool ends_skipping(const wn_page_stream *s)
{
    const wn_token *token = &s->tok.token;
    if (token->tag == s->skipping)
        return token->kind == WN_TOKEN_END_TAG;
    if (kinds[token->tag] != BLOCK && kinds[token->tag] != TELLING)
        return false;
    return s->skipping == WN_TAG_SELECT ||
           (token->kind == WN_TOKEN_END_TAG && s->skipping == WN_TAG_MARQUEE);
}

/* Whether a tag shows that the body has begun, with or without a <body>. */
static bool begins_body(uint16_t tag, uint8_t kind)
{
    return tag == WN_TAG_BODY || (kind != NOTHING && kind != SKIP && kind != TITLE) ||
           tag == WN_TAG_IMG;
}

/* ---- Pieces ------------------------------------------------------------------------------ */

/* The text of the first <title>, as a reader sees it. */
static void read_title(wn_page_stream *s, wn_str text)
{
    wn_page_spacing spacing = {.at_space = true};
    wn_buf collapsed = {0};
    s->has_title = true;
    wn_page_spacing_add(&spacing, text, &collapsed);
    s->page->title = wn_arena_copy(s->arena, wn_str_trim(wn_buf_str(&collapsed)));
    wn_buf_free(&collapsed);
}

/* U+0000 is no character of a page. */
static wn_str without_nul(wn_page_stream *s, wn_str text)
{
    char *out = wn_arena_bytes(s->arena, text.len);
    size_t len = 0;
    for (size_t i = 0; out && i < text.len; i++)
        if (text.ptr[i] != '\0')
            out[len++] = text.ptr[i];
    return wn_str_from(out ? out : "", len);
}

/*
 * A <title> that nobody closed swallows the page, in browsers, too. Without a tree nothing
 * speaks against reading on: it ends where the first tag in it begins.
 */
static void end_unclosed_title(wn_page_stream *s)
{
    wn_tokenizer *tok = &s->tok;
    const char *start = tok->start + tok->token.source;
    const char *tag = wn_scan_1(start, tok->end, '<');
    if (tok->pos < tok->end || tag == tok->end)
        return;
    tok->token.text = wn_str_between(start, tag);
    tok->pos = tag;
    tok->state = WN_STATE_DATA;
    s->skipping = 0;
    s->no_title_end = true;
}

static wn_page_piece take_text(wn_page_stream *s)
{
    const wn_token *token = &s->tok.token;
    bool in_title = s->skipping == WN_TAG_TITLE;
    if (in_title)
        end_unclosed_title(s);
    if (in_title && !s->has_title)
        read_title(s, token->text);
    if (in_title && !s->raw)
        return WN_PIECE_END;
    if (s->skipping && !s->raw)
        return WN_PIECE_END;
    s->text = token->has_nul ? without_nul(s, token->text) : token->text;
    s->source = token->source;
    if (!s->in_body && !s->raw) {
        if (wn_str_trim(s->text).len == 0)
            return WN_PIECE_END;
        s->in_body = true;
    }
    return s->text.len > 0 ? WN_PIECE_TEXT : WN_PIECE_END;
}

static wn_page_piece take_any_tag(wn_page_stream *s)
{
    const wn_token *token = &s->tok.token;
    uint8_t kind = kinds[token->tag];
    s->source = token->source;
    if (kind <= RULE && s->in_body && !s->skipping) /* as nearly always */
        return take_tag(s, kind);
    if (s->skipping) {
        if (!ends_skipping(s))
            return s->raw ? take_tag(s, INLINE) : WN_PIECE_END;
        bool own = token->tag == s->skipping;
        s->skipping = 0;
        if (own)
            return s->raw ? take_tag(s, INLINE) : WN_PIECE_END;
    }
    if (token->tag == WN_TAG_HTML)
        read_language(s);
    s->in_body |= begins_body(token->tag, kind);
    bool passed = kind == SKIP || kind == FIELD || kind == TITLE;
    if (passed && token->kind == WN_TOKEN_START_TAG)
        start_skipping(s, token->tag);
    if (s->raw)
        return take_tag(s, kind);
    return passed || kind == NOTHING || !s->in_body ? WN_PIECE_END : take_tag(s, kind);
}

wn_page_piece wn_page_stream_next(wn_page_stream *s)
{
    /* Time is asked for before a token is read: of a long one, what was read in time is used. */
    while (!wn_watch_over(s->watch) && wn_html_tokenizer_next(&s->tok) && !s->page->failed) {
        wn_page_piece piece = WN_PIECE_END;
        s->limited = s->max_tokens && ++s->tokens > s->max_tokens;
        if (s->limited)
            break;
        switch (s->tok.token.kind) {
        case WN_TOKEN_TEXT:
            piece = take_text(s);
            break;
        case WN_TOKEN_START_TAG:
        case WN_TOKEN_END_TAG:
            piece = take_any_tag(s);
            break;
        case WN_TOKEN_COMMENT:
            s->breaks = false;
            piece = s->raw ? WN_PIECE_TAG : WN_PIECE_END;
            break;
        default:
            break;
        }
        if (piece != WN_PIECE_END)
            return piece;
    }
    return WN_PIECE_END;
}

/* ---- Life -------------------------------------------------------------------------------- */

void wn_page_stream_open(wn_page_stream *s, wn_page *page, wn_doc *doc, wn_arena *arena,
                         wn_str source)
{
    wn_page_stream before = *s;
    *s = (wn_page_stream){.page = page, .doc = doc, .arena = arena};
    s->tok = before.tok;
    s->words = before.words;
    s->folded = before.folded;
    s->nesting.tables = before.nesting.tables;
    wn_html_tokenizer_init(&s->tok, arena, source);
    s->tok.follows_tags = true;
    s->tok.skips_attrs = true;
    s->tok.scripting = true; /* so that <noscript> is one piece of raw text */
    wn_doc_reset(doc, arena, source);
    wn_page_start(page, doc);
    wn_page_nesting_start(&s->nesting, doc);
    page->failed |= arena->failed || s->nesting.failed;
    start_block(s);
}

wn_words *wn_page_stream_words(wn_page_stream *s)
{
    if (!s->words)
        s->words = wn_text_words_new();
    if (s->words)
        wn_text_words_set_language(s->words, s->page->language);
    return s->words;
}

void wn_page_stream_finish(wn_page_stream *s)
{
    wn_page_stream_end_block(s);
    wn_page_tables_dissolve(&s->nesting.tables, s->page);
    s->page->failed |= s->page->text.failed || s->arena->failed || s->nesting.failed;
}

void wn_page_stream_free(wn_page_stream *s)
{
    wn_html_tokenizer_free(&s->tok);
    wn_text_words_free(s->words);
    wn_buf_free(&s->folded);
    wn_page_nesting_free(&s->nesting);
}

size_t wn_page_stream_memory(const wn_page_stream *s)
{
    return wn_array_bytes(&s->tok.attr_slots) + wn_page_tables_memory(&s->nesting.tables) +
           s->folded.cap;
}
