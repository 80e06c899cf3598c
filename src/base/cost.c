#include "base/cost.h"

#include <stdio.h>
#include <stdlib.h>

/*
 * All budgets. A budget is `base` steps and `per_unit` for each unit of the input, or for each
 * 2^shift of them; `most` at most (0: any number). Those that are not a limit are linear by
 * construction: the figures are several times what the worst known input needs (tests/attacks, the
 * performance fuzzers), so that only a new way to make work exceeds them.
 */
static const struct {
    const char *name;
    uint64_t base, per_unit;
    unsigned shift;
    uint64_t most;
    bool is_limit; /* a page may ask for more */
} rates[WN_COST_STAGES] = {
    [WN_COST_COPIES] = {"copies", 10000, 1, 4, 0, true},
    /* A fraction of a second, and up to twice as much for pages with very many nodes. */
    [WN_COST_MATCHING] = {"matching", 15000000, 1000, 0, 30000000, true},
    [WN_COST_STYLES] = {"styles", 4000000, 0, 0, 0, true},
    [WN_COST_VARIABLES] = {"variables", 16 << 20, 0, 0, 0, true},
    [WN_COST_GENERATED] = {"generated", 1 << 18, 2, 0, 0, true},
    /* 65,000 tracks, and four for each box. */
    [WN_COST_GRIDS] = {"grids", 1 << 23, 512, 0, 0, true},
    [WN_COST_LAYOUT] = {"layout", 1 << 16, 64, 0, 0, false},
    [WN_COST_TABLES] = {"tables", 1 << 23, 512, 0, 0, true},
    [WN_COST_METADATA] = {"metadata", 1 << 14, 8, 0, 0, false},
    [WN_COST_ADDRESSES] = {"addresses", 1 << 20, 16, 0, 0, true},
    [WN_COST_MARKDOWN] = {"markdown", 1 << 12, 8, 0, 0, false},
    [WN_COST_WORDS] = {"words", 1 << 12, 2, 0, 0, false},
    [WN_COST_RECOVERY] = {"recovery", 64 << 20, 4, 0, 0, true},
};

#ifdef WN_COST_CHECK
_Thread_local uint64_t wn_cost_spent[WN_COST_STAGES];
#endif

const char *wn_cost_stage_name(wn_cost_stage stage)
{
    return rates[stage].name;
}

bool wn_cost_stage_is_limit(wn_cost_stage stage)
{
    return rates[stage].is_limit;
}

void wn_cost_start(wn_cost *cost, wn_cost_stage stage, uint64_t units)
{
    *cost = (wn_cost){.left = rates[stage].base, .stage = (uint8_t)stage};
    wn_cost_add_units(cost, units);
}

void wn_cost_add_units(wn_cost *cost, uint64_t units)
{
    wn_cost_stage stage = (wn_cost_stage)cost->stage;
    cost->left += (units >> rates[stage].shift) * rates[stage].per_unit;
    if (rates[stage].most && cost->left > rates[stage].most)
        cost->left = rates[stage].most;
}

void wn_cost_exceed(wn_cost *cost)
{
    cost->exceeded = true;
#ifdef WN_COST_CHECK
    if (!rates[cost->stage].is_limit) {
        fprintf(stderr, "%s costs more than its linear budget\n", rates[cost->stage].name);
        abort();
    }
#endif
}
