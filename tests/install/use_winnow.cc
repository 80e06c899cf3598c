// winnow.h from C++: it compiles without a warning, and its functions are found.
#include <cstring>

#include <winnow.h>

int main()
{
    const char *html = "<p>A paragraph that is long enough to be the content of a page.</p>";
    winnow_options *options = winnow_options_new();
    winnow_options_set_flag(options, WINNOW_OPTION_LINKS, true);
    winnow_page *page = winnow_page_new();
    winnow_parse(page, html, std::strlen(html), options);
    winnow_selection *content = winnow_select(page, "all", options);
    const char *text = winnow_write(content, WINNOW_FORMAT_TEXT, options, nullptr);
    bool good = winnow_selection_status(content) == WINNOW_STATUS_OK && text &&
                std::strstr(text, "paragraph");
    winnow_page_free(page);
    winnow_options_free(options);
    return good ? 0 : 1;
}
