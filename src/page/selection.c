#include "page/selection.h"

bool wn_selection_start(wn_selection *selection, wn_arena *arena, uint32_t count, bool explain)
{
    selection->count = 0;
    selection->places = NULL;
    selection->verdicts = wn_arena_alloc(arena, count * sizeof *selection->verdicts);
    if (explain)
        selection->places = wn_arena_alloc(arena, count * sizeof *selection->places);
    if (arena->failed)
        return false;
    selection->count = count;
    for (uint32_t i = 0; i < count; i++) {
        selection->verdicts[i] = (wn_verdict){.reason = "not selected"};
        if (explain)
            selection->places[i] = NULL;
    }
    return true;
}
