/*
 * Fuzzes the tokenizer alone: any state at the start, any flags.
 *
 * Properties: it ends; tokens come in the order of the input; every string is
 * well-formed UTF-8; names are lower case and not empty; an attribute comes once; has_nul
 * tells the truth; the same input gives the same tokens again.
 */
#include "fuzz.h"
#include "html/encoding.h"
#include "html/tokenizer.h"

enum { MOST_ATTRS_COMPARED = 40 }; /* each with each */

typedef struct settings {
    wn_tokenizer_state state;
    wn_str last_start_tag;
    bool cdata_allowed, follows_tags, scripting;
    uint32_t max_attrs;
} settings;

static settings take_settings(fuzz_input *input)
{
    static const char *const names[] = {"", "title", "textarea", "style", "script", "xmp", "svg"};
    settings s = {.last_start_tag = WN_STR(""), .max_attrs = 1024};
    uint32_t flags = fuzz_choice(input, 64);
    s.cdata_allowed = flags & 1;
    s.follows_tags = !(flags & 2);
    s.scripting = flags & 4;
    if (flags & 8)
        s.state = (wn_tokenizer_state)fuzz_choice(input, WN_STATE_CDATA + 1);
    if (flags & 16)
        s.last_start_tag = wn_str_of(names[fuzz_choice(input, sizeof names / sizeof *names)]);
    if (flags & 32)
        s.max_attrs = fuzz_choice(input, 20);
    return s;
}

static void check_name(wn_str name)
{
    FUZZ_CHECK(name.len > 0);
    fuzz_check_utf8(name);
    for (size_t i = 0; i < name.len; i++) {
        FUZZ_CHECK(wn_ascii_lower(name.ptr[i]) == name.ptr[i]);
        FUZZ_CHECK(!wn_is_space(name.ptr[i]) && name.ptr[i] != '\0' && name.ptr[i] != '>');
    }
}

static wn_str attr_name(const wn_attr *attr)
{
    return wn_str_from(attr->name, attr->name_len);
}

static void check_attrs(const wn_token *token, uint32_t max_attrs)
{
    FUZZ_CHECK(!max_attrs || token->attr_count <= max_attrs);
    for (uint32_t i = 0; i < token->attr_count; i++) {
        check_name(attr_name(&token->attrs[i]));
        fuzz_check_utf8(wn_attr_value(&token->attrs[i]));
        for (uint32_t k = 0; k < i && i < MOST_ATTRS_COMPARED; k++)
            FUZZ_CHECK(!wn_str_eq(attr_name(&token->attrs[i]), attr_name(&token->attrs[k])));
    }
}

static void check_token(const wn_token *token, uint32_t max_attrs)
{
    switch (token->kind) {
    case WN_TOKEN_START_TAG:
        check_attrs(token, max_attrs);
        /* fall through */
    case WN_TOKEN_END_TAG:
        check_name(token->name);
        FUZZ_CHECK(token->tag < WN_TAG_COUNT);
        FUZZ_CHECK(!token->tag || wn_str_eq(token->name, wn_tag_names[token->tag]));
        break;
    case WN_TOKEN_TEXT:
        FUZZ_CHECK(token->text.len > 0);
        fuzz_check_utf8(token->text);
        FUZZ_CHECK(token->has_nul == (memchr(token->text.ptr, 0, token->text.len) != NULL));
        break;
    case WN_TOKEN_COMMENT:
        fuzz_check_utf8(token->text);
        break;
    case WN_TOKEN_DOCTYPE:
        fuzz_check_utf8(token->doctype.name);
        fuzz_check_utf8(token->doctype.public_id);
        fuzz_check_utf8(token->doctype.system_id);
        break;
    default:
        FUZZ_CHECK(!"a token of no kind");
    }
}

static uint64_t digest_token(uint64_t digest, const wn_token *token)
{
    digest = digest * 31 + token->kind;
    if (token->kind == WN_TOKEN_TEXT || token->kind == WN_TOKEN_COMMENT)
        return fuzz_digest(digest, token->text);
    if (token->kind == WN_TOKEN_DOCTYPE)
        return fuzz_digest(digest, token->doctype.name);
    digest = fuzz_digest(digest, token->name) + token->self_closing;
    for (uint32_t i = 0; token->kind == WN_TOKEN_START_TAG && i < token->attr_count; i++) {
        digest = fuzz_digest(digest, attr_name(&token->attrs[i]));
        digest = fuzz_digest(digest, wn_attr_value(&token->attrs[i]));
    }
    return digest;
}

static uint64_t run(wn_tokenizer *tok, wn_arena *arena, wn_str text, const settings *s)
{
    uint64_t digest = 0;
    uint32_t source = 0;
    size_t tokens = 0;
    wn_html_tokenizer_init(tok, arena, text);
    tok->state = s->state;
    tok->last_start_tag = s->last_start_tag;
    tok->cdata_allowed = s->cdata_allowed;
    tok->follows_tags = s->follows_tags;
    tok->scripting = s->scripting;
    tok->max_attrs = s->max_attrs;
    while (wn_html_tokenizer_next(tok)) {
        check_token(&tok->token, s->max_attrs);
        FUZZ_CHECK(tok->token.source >= source && tok->token.source <= text.len);
        source = tok->token.source;
        digest = digest_token(digest, &tok->token);
        FUZZ_CHECK(++tokens <= text.len + 1);
    }
    FUZZ_CHECK(!wn_html_tokenizer_next(tok)); /* the end stays the end */
    return digest;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = {data, size};
    settings s = take_settings(&input);
    wn_tokenizer tok = {0};
    wn_arena arena;
    wn_arena_init(&arena, 0);
    wn_str text = wn_html_decode(&arena, fuzz_rest(&input), "utf-8").text;
    uint64_t first = run(&tok, &arena, text, &s);
    FUZZ_CHECK(run(&tok, &arena, text, &s) == first);
    wn_html_tokenizer_free(&tok);
    wn_arena_free(&arena);
    return 0;
}
