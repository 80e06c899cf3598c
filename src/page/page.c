#include "page/page.h"

void wn_page_free(wn_page *page)
{
    wn_buf_free(&page->text);
    wn_array_free(&page->blocks);
    wn_array_free(&page->spans);
}

size_t wn_page_memory(const wn_page *page)
{
    return page->text.cap + wn_array_bytes(&page->blocks) + wn_array_bytes(&page->spans);
}
