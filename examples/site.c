/* Learns what repeats on the pages of a site, saves it, and reads the first page without it:
 *     site first.html second.html third.html ... */
#include <winnow.h>

#include "read_file.h"

int main(int argc, char **argv)
{
    winnow_page *page = winnow_page_new();
    winnow_site *site = winnow_site_new(), *loaded = NULL;
    winnow_options *options = winnow_options_new();
    char *html = NULL;
    size_t size = 0;

    for (int i = argc - 1; i > 0; i--) { /* the first page last, so that it stays in memory */
        free(html);
        html = read_file(argv[i], &size);
        if (!html)
            return 1;
        winnow_parse(page, html, size, NULL);
        winnow_site_learn(site, page);
    }

    /* The saved bytes can be kept in a file. They are the same whatever the order of the pages. */
    size_t saved_size;
    void *saved = winnow_site_save(site, &saved_size);
    winnow_status status = winnow_site_load(&loaded, saved, saved_size);
    printf("%d pages, %zu bytes: %s\n\n", (int)winnow_site_pages(site), saved_size,
           winnow_status_name(status));

    winnow_options_set_site(options, loaded);
    winnow_selection *content = winnow_select(page, "auto", options);
    const char *text = winnow_write(content, WINNOW_FORMAT_TEXT, NULL, NULL);
    puts(text ? text : "");

    winnow_free(saved);
    winnow_options_free(options);
    winnow_site_free(loaded);
    winnow_site_free(site);
    winnow_page_free(page);
    free(html);
    return 0;
}
