/*
 * Looks for pages that cost more than their share: every method that reads the source or the tree, every
 * form of output. Layout has a target of its own (cost_layout.c).
 */
#include "cost.h"
#include "winnow.h"

static void extract(wn_str html, uint32_t choice)
{
    static const char *const methods[] = {"auto", "all", "lineblock", "bte", "xpath"};
    enum { METHODS = sizeof methods / sizeof *methods, FORMATS = WINNOW_FORMAT_CSV + 1 };
    static winnow_page *page; /* made once, as a thread has it */
    static winnow_options *options;
    size_t size;
    if (!page) {
        page = winnow_page_new();
        options = winnow_options_new();
        FUZZ_CHECK(page && options);
        winnow_options_set_flag(options, WINNOW_OPTION_LINKS, true);
        winnow_options_set_flag(options, WINNOW_OPTION_IMAGES, true);
        winnow_options_set_flag(options, WINNOW_OPTION_FORMATTING, true);
        winnow_options_set_flag(options, WINNOW_OPTION_BLOCKS, true);
        winnow_options_set(options, "url", "https://example.org/a/b");
        winnow_options_set_number(options, WINNOW_OPTION_MAX_DEPTH, COST_DEPTH);
    }
    winnow_parse(page, html.ptr, html.len, options);
    winnow_selection *content = winnow_select(page, methods[choice % METHODS], options);
    winnow_format format = (winnow_format)(choice / METHODS % FORMATS);
    FUZZ_CHECK(winnow_write(content, format, options, &size));
    winnow_selection_metadata(content);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return cost_test(data, size, extract);
}
