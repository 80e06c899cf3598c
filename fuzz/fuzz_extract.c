/*
 * Fuzzes the whole library through its public interface, with fuzzed options.
 *
 * Properties: there is always a result with a known status; texts are well-formed UTF-8
 * and end with a NUL; JSON can be read back; blocks are kept unless asked to explain;
 * a used context gives the same bytes again.
 */
#include "base/json.h"
#include "fuzz.h"
#include "winnow.h"

static winnow_options take_options(fuzz_input *input)
{
    static const char *const charsets[] = {NULL,          "utf-8",          "windows-1252",
                                           "shift_jis",   "utf-16le",       "gb18030",
                                           "iso-2022-jp", "no-such-charset"};
    static const char *const methods[] = {
        "all",
        "lineblock",
        "lineblock:rule=all,thresholds=sigma,distance=3",
        "bte",
        "bte:search=improved",
        "bte:clean=no",
        "xpath",
        "xpath:keep_form=yes,min_length=0",
        "xpath:ar=2",
        "bte:search=none",
    };
    winnow_options options;
    winnow_options_init(&options);
    uint32_t flags = fuzz_choice(input, 256), limits = 0;
    if (flags & 32)
        options.method = methods[fuzz_choice(input, sizeof methods / sizeof *methods)];
    if (flags & 64)
        options.format = (winnow_format)fuzz_choice(input, WINNOW_FORMAT_TEI + 1);
    options.links = flags & 1;
    options.formatting = flags & 4;
    options.images = flags & 4;
    options.no_tables = flags & 128;
    options.explain = flags & 2;
    options.blocks = flags & 4;
    options.footer_words = flags & 4 ? "made by\n# x\n\n" : NULL;
    options.url = flags & 4 ? "https://example.org/a/b?c#d" : NULL;
    if (flags & 8)
        options.charset = charsets[fuzz_choice(input, sizeof charsets / sizeof *charsets)];
    if (flags & 16)
        limits = 1 + fuzz_choice(input, 31);
    options.limits.bytes = limits & 1 ? 1 + fuzz_choice(input, 255) : options.limits.bytes;
    options.limits.nodes = limits & 2 ? 1 + fuzz_choice(input, 255) : options.limits.nodes;
    options.limits.depth = limits & 4 ? 1 + fuzz_choice(input, 30) : options.limits.depth;
    options.limits.attributes = limits & 8 ? 1 + fuzz_choice(input, 8) : options.limits.attributes;
    options.limits.memory = limits & 16 ? (uint64_t)1 << fuzz_choice(input, 24)
                                        : options.limits.memory;
    return options;
}

static void check_c_string(const char *s)
{
    FUZZ_CHECK(s);
    fuzz_check_utf8(wn_str_of(s));
}

static void check_blocks(const winnow_result *result, const winnow_options *options)
{
    for (size_t i = 0; i < result->block_count; i++) {
        const winnow_block *block = &result->blocks[i];
        fuzz_check_utf8(wn_str_from(block->text, block->size));
        FUZZ_CHECK(block->text[block->size] == '\0');
        FUZZ_CHECK(winnow_block_kind_name(block->kind));
        FUZZ_CHECK(block->kept || options->explain);
        FUZZ_CHECK(!options->explain == !block->reason);
        FUZZ_CHECK(block->kind != WINNOW_BLOCK_HEADING || (block->level >= 1 && block->level <= 6));
    }
}

static void check_json(const winnow_result *result)
{
    wn_json json = {0};
    wn_arena arena;
    wn_arena_init(&arena, 0);
    bool sound = wn_json_parse(&json, &arena, wn_str_from(result->text, result->size), 0, 0);
    if (!sound)
        fprintf(stderr, "json: %s at %zu\n", json.error, json.error_offset);
    FUZZ_CHECK(sound);
    wn_json_free(&json);
    wn_arena_free(&arena);
}

/* Every element is closed, in order. */
static void check_elements(wn_str text)
{
    enum { DEEPEST = 256 };
    wn_str open[DEEPEST];
    size_t depth = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] != '<')
            continue;
        const char *end = memchr(text.ptr + i, '>', text.len - i);
        FUZZ_CHECK(end);
        wn_str tag = wn_str_between(text.ptr + i + 1, end);
        size_t name = 0;
        while (name < tag.len && !wn_is_space(tag.ptr[name]))
            name++;
        if (tag.ptr[0] == '/') {
            FUZZ_CHECK(depth > 0 && wn_str_eq(open[--depth], wn_str_from_offset(tag, 1)));
        } else if (tag.ptr[tag.len - 1] != '/' && !wn_str_eq(tag, WN_STR("br")) &&
                   !wn_str_starts(tag, WN_STR("img "))) {
            FUZZ_CHECK(depth < DEEPEST);
            open[depth++] = wn_str_from(tag.ptr, name);
        }
        i = (size_t)(end - text.ptr);
    }
    FUZZ_CHECK(depth == 0);
}

static uint64_t run(winnow_context *context, wn_str page, const winnow_options *options)
{
    const winnow_result *result = winnow_run(context, page.ptr, page.len, options);
    FUZZ_CHECK(result);
    FUZZ_CHECK(result->status <= WINNOW_STATUS_TOO_LARGE && winnow_status_name(result->status));
    FUZZ_CHECK(result->text && result->text[result->size] == '\0');
    fuzz_check_utf8(wn_str_from(result->text, result->size));
    check_c_string(result->title);
    check_c_string(result->language);
    check_c_string(result->encoding);
    check_c_string(result->method);
    check_blocks(result, options);
    if (options->format == WINNOW_FORMAT_JSON && result->size > 0)
        check_json(result);
    if (options->format > WINNOW_FORMAT_JSON && result->status != WINNOW_STATUS_NO_MEMORY)
        check_elements(wn_str_from(result->text, result->size));
    uint64_t digest = fuzz_digest(result->status, wn_str_from(result->text, result->size));
    return fuzz_digest(digest, wn_str_of(result->title)) + result->limited;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = {data, size};
    winnow_options options = take_options(&input);
    winnow_context *context = winnow_context_new();
    FUZZ_CHECK(context);
    uint64_t first = run(context, fuzz_rest(&input), &options);
    /* With little memory a second run may get further: it starts with what the first had. */
    if (!options.limits.memory)
        FUZZ_CHECK(run(context, fuzz_rest(&input), &options) == first);
    winnow_context_free(context);
    return 0;
}
