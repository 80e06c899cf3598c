#include "extract/method.h"

void wn_select_auto(const wn_page *page, wn_arena *arena, wn_selection *selection)
{
    wn_select_all(page, arena, selection);
}
