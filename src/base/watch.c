#include "base/watch.h"

#include <time.h>

#include "base/memory.h"

enum {
    PIECES = 256,              /* between two looks at the clock: some microseconds of work */
    NO_LIMIT_PIECES = 1 << 30, /* nobody waits */
};

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

void wn_watch_start(wn_watch *watch, uint64_t milliseconds, bool (*cancel)(void *data), void *data)
{
    *watch = (wn_watch){.cancel = cancel, .cancel_data = data};
    if (milliseconds > 0) {
        watch->begin = now();
        watch->end = milliseconds < UINT64_MAX / 1000000 - watch->begin
                         ? watch->begin + milliseconds * 1000000
                         : UINT64_MAX;
        watch->stage_end = watch->end;
    }
    watch->pieces = wn_watch_is_limited(watch) ? PIECES : NO_LIMIT_PIECES;
}

/* What the caller's function takes from the library is its own, not of the page that works. */
static bool ask_caller(const wn_watch *watch)
{
    const wn_memory *before = wn_memory_use(NULL);
    bool cancels = watch->cancel(watch->cancel_data);
    wn_memory_use(before);
    return cancels;
}

void wn_watch_stage(wn_watch *watch, double share)
{
    if (watch->cancel && !watch->cancelled)
        watch->cancelled = ask_caller(watch);
    watch->over = watch->cancelled;
    if (watch->end > 0)
        watch->stage_end = watch->begin + (uint64_t)((double)(watch->end - watch->begin) * share);
    /* However late it begins, a stage does a few pieces: there is always something to show. */
    watch->pieces = watch->over ? 0 : wn_watch_is_limited(watch) ? PIECES : NO_LIMIT_PIECES;
}

bool wn_watch_look(wn_watch *watch)
{
    if (!wn_watch_is_limited(watch)) {
        watch->pieces = NO_LIMIT_PIECES;
        return false;
    }
    if (!watch->over && watch->cancel && ask_caller(watch))
        watch->over = watch->cancelled = true;
    if (!watch->over && watch->end > 0 && now() >= watch->stage_end)
        watch->over = watch->late = true;
    watch->pieces = watch->over ? 0 : PIECES; /* once over, every piece asks again */
    return watch->over;
}
