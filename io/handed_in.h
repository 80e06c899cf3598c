/* Structs that callers hand in begin with their size, so that old callers know fewer members. */
#ifndef WN_IO_HANDED_IN_H
#define WN_IO_HANDED_IN_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/*
 * Copies a struct that was handed in (or NULL) to `to`, which has `size` bytes; members that the
 * caller does not know, or all if it is NULL, are 0. False if it does not say its size.
 */
static inline bool wn_io_take_struct(void *to, size_t size, const void *handed_in)
{
    size_t known = size;
    memset(to, 0, size);
    if (!handed_in)
        return true;
    memcpy(&known, handed_in, sizeof known);
    if (known < sizeof known)
        return false;
    memcpy(to, handed_in, known < size ? known : size);
    return true;
}

/* Fills in a struct of the caller (or NULL) from ours, as far as the caller knows it. */
static inline void wn_io_give_struct(void *handed_in, void *ours, size_t size)
{
    size_t known;
    if (!handed_in)
        return;
    memcpy(&known, handed_in, sizeof known);
    memcpy(ours, &known, sizeof known);
    if (known >= sizeof known)
        memcpy(handed_in, ours, known < size ? known : size);
}

#endif
