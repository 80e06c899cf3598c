#include "write/write.h"
void wn_write_markdown(wn_buf *out, const wn_page *page, const wn_selection *selection, bool links, const char *url)
{
    (void)links; (void)url;
    wn_write_text(out, page, selection);
}
