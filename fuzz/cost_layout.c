/*
 * Looks for pages whose styles and boxes cost more than their share.
 */
#include "cost.h"
#include "winnow.h"

static void lay_out(wn_str html, uint32_t choice)
{
    static const char *const methods[] = {"eifce", "fe", "kfe"};
    static winnow_page *page; /* made once, as a thread has it */
    static winnow_options *options;
    size_t size;
    if (!page) {
        page = winnow_page_new();
        options = winnow_options_new();
        FUZZ_CHECK(page && options);
        winnow_options_set_number(options, WINNOW_OPTION_MAX_DEPTH, COST_DEPTH);
    }
    winnow_parse(page, html.ptr, html.len, options);
    winnow_selection *content = winnow_select(page, methods[choice % 3], NULL);
    FUZZ_CHECK(winnow_write(content, WINNOW_FORMAT_TEXT, NULL, &size));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return cost_test(data, size, lay_out);
}
