/*
 * The cost meter: what work costs, in steps, against a budget that is linear in the input.
 *
 * A few bytes of a page can ask for much work: a rule that is tried at every element, a grid of a
 * thousand columns, text that is generated at each item. Every stage that could be asked for more
 * than its share has a budget, a constant and so many steps for each unit of its input; the table
 * is in cost.c. Work takes steps from it before it is done. When there are too few left, the stage
 * leaves out the rest and `exceeded` says so, which the caller turns into a status.
 *
 * Stages are of two sorts. Some can be asked for any amount of work, and then the budget is the
 * limit. Others are linear by construction, and no input at all may exceed their budget; if one
 * does, the construction is broken. With WN_COST_CHECK (tests in debug builds, fuzzing) that is a
 * failed assertion, and the steps of each stage are counted for the performance fuzzers. Without
 * it, the budget is still the limit.
 *
 * How much time has passed is another matter: base/watch.h.
 */
#ifndef WN_BASE_COST_H
#define WN_BASE_COST_H

#include <stdbool.h>
#include <stdint.h>

typedef enum wn_cost_stage {
    WN_COST_COPIES,    /* elements that the parser copies; units: bytes of the page */
    WN_COST_MATCHING,  /* of selectors; nodes */
    WN_COST_STYLES,    /* declarations that are computed; nodes */
    WN_COST_VARIABLES, /* bytes that var() makes; bytes of the page */
    WN_COST_GENERATED, /* bytes that ::before and ::after make; bytes of the page */
    WN_COST_GRIDS,     /* tracks, cells and names of grids, columns of text; boxes */
    WN_COST_LAYOUT,    /* boxes that are laid out, again and again, and lines; boxes and bytes */
    WN_COST_TABLES,    /* cells, rows and what they span; boxes */
    WN_COST_METADATA,  /* nodes, attributes and texts that are looked at; nodes and bytes */
    WN_COST_ADDRESSES, /* bytes of addresses that are written; bytes of the page */
    WN_COST_MARKDOWN,  /* bytes that are looked at ahead; bytes of the text */
    WN_COST_WORDS,     /* bytes and words that are read; bytes of the text */
    WN_COST_RECOVERY,  /* bytes decoded in vain after damage in an archive; bytes of the archive */
    WN_COST_STAGES,
} wn_cost_stage;

typedef struct wn_cost {
    uint64_t left;
    uint8_t stage;
    bool exceeded; /* something was left out */
} wn_cost;

/* Begins the work of a stage on an input of so many units. */
void wn_cost_start(wn_cost *cost, wn_cost_stage stage, uint64_t units);

/* The input turns out to be larger. */
void wn_cost_add_units(wn_cost *cost, uint64_t units);

/* Notes that a budget is exceeded; the slow part of the functions below, which hardly ever runs. */
__attribute__((cold)) void wn_cost_exceed(wn_cost *cost);

const char *wn_cost_stage_name(wn_cost_stage stage);

/* Whether pages may ask for more than the budget; false: the stage is linear by construction. */
bool wn_cost_stage_is_limit(wn_cost_stage stage);

#ifdef WN_COST_CHECK
/* What the stages of this thread have cost since it was last set to 0. */
extern _Thread_local uint64_t wn_cost_spent[WN_COST_STAGES];
#define WN_COST_COUNT(cost, steps) ((void)(wn_cost_spent[(cost)->stage] += (steps)))
#else
#define WN_COST_COUNT(cost, steps) ((void)0)
#endif

/* Takes steps for work to be done; false, with nothing taken, if there are too few left. */
static inline bool wn_cost_spend(wn_cost *cost, uint64_t steps)
{
    if (__builtin_expect(steps > cost->left, 0)) {
        wn_cost_exceed(cost);
        return false;
    }
    cost->left -= steps;
    WN_COST_COUNT(cost, steps);
    return true;
}

/* Takes steps for work that is done in any case: as many as there are. */
static inline void wn_cost_use(wn_cost *cost, uint64_t steps)
{
    if (!wn_cost_spend(cost, steps))
        cost->left = 0;
}

static inline bool wn_cost_is_used_up(const wn_cost *cost)
{
    return cost->left == 0;
}

#endif
