/* What two methods make of a page, block by block:  compare page.html auto lineblock:rule=all */
#include <stdbool.h>

#include <winnow.h>

#include "read_file.h"

int main(int argc, char **argv)
{
    size_t size = 0;
    char *html = argc == 4 ? read_file(argv[1], &size) : NULL;
    winnow_page *page = winnow_page_new();
    winnow_selection *selections[2];
    if (!html || !page)
        return 1;

    winnow_parse(page, html, size, NULL);
    for (int i = 0; i < 2; i++) {
        selections[i] = winnow_select(page, argv[2 + i], NULL);
        if (!selections[i]) {
            fprintf(stderr, "%s\n", winnow_page_error(page)->message);
            return 2;
        }
    }

    /* Both selections live side by side. Methods may cut blocks, so each is listed by itself. */
    for (int i = 0; i < 2; i++) {
        const winnow_block *block;
        size_t kept = 0, count = winnow_selection_block_count(selections[i]);
        for (size_t k = 0; (block = winnow_selection_block(selections[i], k)) != NULL; k++) {
            kept += block->kept;
            printf("%s %c %.60s\n", winnow_selection_method(selections[i]), block->kept ? '+' : '-',
                   block->text);
        }
        printf("%s keeps %zu of %zu blocks\n\n", argv[2 + i], kept, count);
    }

    winnow_page_free(page);
    free(html);
    return 0;
}
