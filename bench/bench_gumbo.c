/* gumbo, as Debian has it, the tree freed in the timing. */
#include <gumbo.h>

#include "bench.h"

static void parse(const bench_pages *pages)
{
    for (size_t i = 0; i < pages->count; i++) {
        const bench_page *page = &pages->items[i];
        GumboOutput *output = gumbo_parse_with_options(&kGumboDefaultOptions, page->bytes,
                                                       page->size);
        gumbo_destroy_output(&kGumboDefaultOptions, output);
    }
}

int main(int argc, char **argv)
{
    static const bench_row rows[] = {{"gumbo", parse}, {NULL, NULL}};
    return bench_main(argc, argv, rows);
}
