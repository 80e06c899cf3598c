// winnow.h from C++: it compiles without a warning, and its functions are found.
#include <cstring>

#include <winnow.h>

int main()
{
    const char *html = "<p>A paragraph that is long enough to be the content of a page.</p>";
    winnow_options options;
    winnow_options_init(&options);
    options.method = "all";
    winnow_context *context = winnow_context_new();
    const winnow_result *result = winnow_run(context, html, std::strlen(html), &options);
    bool good = result->status == WINNOW_STATUS_OK && std::strstr(result->text, "paragraph");
    winnow_context_free(context);
    return good ? 0 : 1;
}
