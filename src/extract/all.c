/* all: all visible text of the page, without any selection. The baseline for every other method. */
#include "extract/method.h"

void wn_extract_select_all(const wn_page *page, const wn_request *request, wn_arena *arena,
                           wn_selection *selection)
{
    (void)request, (void)arena;
    for (uint32_t i = 0; i < selection->count; i++) {
        bool visible = !(page->blocks.items[i].flags & WN_BLOCK_INVISIBLE);
        selection->verdicts[i] = (wn_verdict){.reason = visible ? "visible" : "hidden",
                                              .keep = visible};
    }
}
