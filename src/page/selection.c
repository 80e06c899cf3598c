#include "page/selection.h"

bool wn_selection_start(wn_selection *selection, wn_arena *arena, uint32_t count)
{
    selection->count = 0;
    selection->verdicts = wn_arena_alloc(arena, count * sizeof *selection->verdicts);
    if (!selection->verdicts)
        return false;
    selection->count = count;
    for (uint32_t i = 0; i < count; i++)
        selection->verdicts[i] = (wn_verdict){.reason = "not selected"};
    return true;
}
