/*
 * Fuzzes the whole library through its public interface, with fuzzed options.
 *
 * Properties: there is always a known status; texts are well-formed UTF-8 and end with a NUL; JSON
 * can be read back; blocks, links and images lie within their bounds; a page handle that has read all
 * inputs before gives the same bytes as a fresh one.
 *
 * One handle reads all pages, as in a program, and pages are short: a thousand short ones find more
 * than ten long ones, which have the same elements again and again. Long pages are for the
 * performance fuzzers and tests/attacks.
 */
#include "checks.h"

enum {
    LONGEST_PAGE = 2048,
    FRESH_ONES = 32, /* one of so many inputs is also read by a fresh handle */
};

typedef struct fuzz_run {
    winnow_options *options;
    const char *method;
    winnow_format format;
    bool explain, blocks, little_memory;
} fuzz_run;

static void take_limit(fuzz_input *input, winnow_options *options, uint32_t limits, int bit,
                       winnow_option option, uint32_t most)
{
    if (limits >> bit & 1)
        winnow_options_set_number(options, option, 1 + fuzz_choice(input, most));
}

static void take_limits(fuzz_input *input, fuzz_run *run)
{
    uint32_t limits = 1 + fuzz_choice(input, 31);
    take_limit(input, run->options, limits, 0, WINNOW_OPTION_MAX_BYTES, 255);
    take_limit(input, run->options, limits, 1, WINNOW_OPTION_MAX_NODES, 255);
    take_limit(input, run->options, limits, 2, WINNOW_OPTION_MAX_DEPTH, 30);
    take_limit(input, run->options, limits, 3, WINNOW_OPTION_MAX_ATTRIBUTES, 8);
    run->little_memory = limits & 16;
    if (run->little_memory)
        winnow_options_set_number(run->options, WINNOW_OPTION_MAX_MEMORY,
                                  (uint64_t)1 << fuzz_choice(input, 24));
}

static fuzz_run take_run(fuzz_input *input)
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
        "eifce",
        "fe",
        "kfe",
        "auto:lean=recall",
        "auto:lean=precision",
        "outlier",
    };
    fuzz_run run = {.options = winnow_options_new()};
    uint32_t flags = fuzz_choice(input, 256);
    FUZZ_CHECK(run.options);
    if (flags & 32)
        run.method = methods[fuzz_choice(input, sizeof methods / sizeof *methods)];
    if (flags & 64)
        run.format = (winnow_format)fuzz_choice(input, WINNOW_FORMAT_CSV + 1);
    run.explain = flags & 2;
    run.blocks = flags & (4 | 1);
    winnow_options_set_flag(run.options, WINNOW_OPTION_LINKS, flags & 1);
    winnow_options_set_flag(run.options, WINNOW_OPTION_EXPLAIN, run.explain);
    winnow_options_set_flag(run.options, WINNOW_OPTION_FORMATTING, flags & 4);
    winnow_options_set_flag(run.options, WINNOW_OPTION_IMAGES, flags & 4);
    winnow_options_set_flag(run.options, WINNOW_OPTION_BLOCKS, flags & 4);
    winnow_options_set_flag(run.options, WINNOW_OPTION_TABLES, !(flags & 128));
    if (flags & 4) {
        winnow_options_set(run.options, "xpath.footer_words", "made by\n# x\n\n");
        winnow_options_set(run.options, "url", "https://example.org/a/b?c#d");
    }
    if (flags & 8)
        winnow_options_set(run.options, "charset",
                           charsets[fuzz_choice(input, sizeof charsets / sizeof *charsets)]);
    if (flags & 16)
        take_limits(input, &run);
    return run;
}

static void check_c_string(const char *s)
{
    FUZZ_CHECK(s);
    fuzz_check_utf8(wn_str_of(s));
}

static void check_blocks(winnow_selection *content, const fuzz_run *run)
{
    size_t links = winnow_selection_link_count(content);
    size_t images = winnow_selection_image_count(content);
    for (size_t i = 0; i < winnow_selection_block_count(content); i++) {
        const winnow_block *block = winnow_selection_block(content, i);
        fuzz_check_utf8(wn_str_from(block->text, block->size));
        FUZZ_CHECK(block->text[block->size] == '\0');
        FUZZ_CHECK(winnow_block_kind_name(block->kind));
        FUZZ_CHECK(block->reason && block->path && (run->explain || !block->path[0]));
        FUZZ_CHECK(block->kind != WINNOW_BLOCK_HEADING || (block->level >= 1 && block->level <= 6));
        FUZZ_CHECK(block->source_start <= block->source_end);
        FUZZ_CHECK(block->first_link + block->link_count <= links);
        FUZZ_CHECK(block->first_image + block->image_count <= images);
        for (size_t k = 0; k < block->link_count; k++)
            FUZZ_CHECK(winnow_selection_link(content, block->first_link + k)->block == i);
        for (size_t k = 0; k < block->image_count; k++)
            FUZZ_CHECK(winnow_selection_image(content, block->first_image + k)->block == i);
    }
}

static uint64_t extract(winnow_page *page, wn_str html, const fuzz_run *run)
{
    size_t size;
    winnow_parse(page, html.ptr, html.len, run->options);
    winnow_selection *content = winnow_select(page, run->method, run->options);
    if (!content) {
        const winnow_error *error = winnow_page_error(page);
        FUZZ_CHECK(error->status != WINNOW_STATUS_OK && error->message[0]);
        return error->status;
    }
    winnow_status status = winnow_selection_status(content);
    FUZZ_CHECK(status <= WINNOW_STATUS_NEEDS_COLLECTION);
    FUZZ_CHECK(status != WINNOW_STATUS_NO_MEMORY || run->little_memory);
    const char *text = winnow_write(content, run->format, run->options, &size);
    FUZZ_CHECK(text || run->little_memory);
    if (!text)
        return status;
    FUZZ_CHECK(text[size] == '\0');
    fuzz_check_utf8(wn_str_from(text, size));
    const winnow_metadata *metadata = winnow_selection_metadata(content);
    check_c_string(metadata->title);
    check_c_string(metadata->language);
    check_c_string(winnow_page_encoding(page));
    check_c_string(winnow_selection_method(content));
    if (run->blocks) /* asking for them without the option judges the page a second time */
        check_blocks(content, run);
    if (run->format == WINNOW_FORMAT_JSON || run->format == WINNOW_FORMAT_JSONL)
        fuzz_check_json(wn_str_from(text, size));
    if (fuzz_is_markup(run->format) && status != WINNOW_STATUS_NO_MEMORY)
        fuzz_check_elements(wn_str_from(text, size));
    uint64_t digest = fuzz_digest(status, wn_str_from(text, size));
    return fuzz_digest(digest, wn_str_of(metadata->title)) + winnow_selection_limited(content);
}

/* Which inputs are read twice is decided by their bytes, so that a finding can be repeated. */
static bool is_read_afresh(wn_str html)
{
    return fuzz_digest(0, html) % FRESH_ONES == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static winnow_page *page;
    fuzz_input input = {data, size};
    fuzz_run run = take_run(&input);
    if (!page)
        page = winnow_page_new();
    FUZZ_CHECK(page);
    input.size = input.size < LONGEST_PAGE ? input.size : LONGEST_PAGE;
    wn_str html = fuzz_rest(&input);
    uint64_t first = extract(page, html, &run);
    /* With little memory a used handle may get further: it starts with what it has. */
    if (!run.little_memory && is_read_afresh(html)) {
        winnow_page *fresh = winnow_page_new();
        FUZZ_CHECK(fresh && extract(fresh, html, &run) == first);
        winnow_page_free(fresh);
    }
    winnow_options_free(run.options);
    return 0;
}
