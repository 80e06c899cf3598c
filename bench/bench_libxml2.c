/* libxml2's HTML parser (which is not an HTML5 parser), the tree freed in the timing. */
#include <libxml/HTMLparser.h>

#include "bench.h"

static void parse(const bench_pages *pages)
{
    int options = HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET;
    for (size_t i = 0; i < pages->count; i++) {
        const bench_page *page = &pages->items[i];
        xmlFreeDoc(htmlReadMemory(page->bytes, (int)page->size, NULL, NULL, options));
    }
}

int main(int argc, char **argv)
{
    static const bench_row rows[] = {{"libxml2", parse}, {NULL, NULL}};
    return bench_main(argc, argv, rows);
}
