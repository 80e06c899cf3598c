/* One page in three formats, from one parse:  formats page.html [URL] */
#include <winnow.h>

#include "read_file.h"

int main(int argc, char **argv)
{
    static const winnow_format formats[] = {WINNOW_FORMAT_TEXT, WINNOW_FORMAT_MARKDOWN,
                                            WINNOW_FORMAT_JSON};
    size_t size = 0;
    char *html = argc > 1 ? read_file(argv[1], &size) : NULL;
    winnow_page *page = winnow_page_new();
    winnow_options *options = winnow_options_new();
    if (!html || !page || !options)
        return 1;

    winnow_options_set_text(options, WINNOW_OPTION_URL, argc > 2 ? argv[2] : NULL);
    winnow_options_set_flag(options, WINNOW_OPTION_LINKS, true);
    winnow_parse(page, html, size, options);
    winnow_selection *content = winnow_select(page, "auto", options);

    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        const winnow_format_info *info = winnow_format_at(formats[i]);
        winnow_record record = {.struct_size = sizeof record, .id = argv[1]};
        const char *text = winnow_write_record(content, formats[i], options, &record, NULL);
        if (!text) {
            fprintf(stderr, "%s\n", winnow_page_error(page)->message);
            return 1;
        }
        printf("---- %s (%s)\n%s\n", info->name, info->media_type, text);
    }

    winnow_options_free(options);
    winnow_page_free(page);
    free(html);
    return 0;
}
