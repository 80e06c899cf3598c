/*
 * A watch tells loops when to stop: because time is up or the caller cancelled.
 *
 * Loops over the input check it once per bounded piece of work, such as a node or a block. The
 * clock is read only every few hundred checks, so a check costs next to nothing. Once expired, it
 * stays expired until the next stage begins: every stage then ends with what it has.
 *
 * The time of a page is divided: parsing may use the first part of it, so that there is time left
 * to select and write what was parsed.
 */
#ifndef WN_BASE_WATCH_H
#define WN_BASE_WATCH_H

#include <stdbool.h>
#include <stdint.h>

typedef struct wn_watch {
    bool (*cancel)(void *data); /* NULL: nobody cancels */
    void *cancel_data;
    uint64_t begin, end; /* nanoseconds; end 0: no limit */
    uint64_t stage_end;  /* of the stage that works now */
    uint32_t pieces;     /* that may pass before the clock is read again */
    bool over;           /* this stage must end */
    bool late;           /* some stage ended early */
    bool cancelled;
} wn_watch;

/* Starts the time of a page; 0 milliseconds: no limit. */
void wn_watch_start(wn_watch *watch, uint64_t milliseconds, bool (*cancel)(void *data), void *data);

/* Begins a stage, which may work until this share of the page's time, 0 to 1, has passed. */
void wn_watch_stage(wn_watch *watch, double share);

/* Reads the clock and asks the caller; the slow part of wn_watch_over(). */
bool wn_watch_look(wn_watch *watch);

/* Whether somebody waits at all. */
static inline bool wn_watch_is_limited(const wn_watch *watch)
{
    return watch->end > 0 || watch->cancel;
}

/* Whether the stage must end. `watch` may be NULL: no limit. */
static inline bool wn_watch_over(wn_watch *watch)
{
    if (!watch || watch->pieces-- > 0)
        return false;
    return wn_watch_look(watch);
}

#endif
