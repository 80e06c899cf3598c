/*
 * A growing set of strings, each with a number: 0, 1, 2, … in the order in which they came. They
 * are kept with a NUL at their end.
 */
#ifndef WN_IO_NAMES_H
#define WN_IO_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/map.h"

#define WN_IO_NO_NAME UINT32_MAX

typedef struct wn_io_names {
    wn_arena arena;
    wn_array(const char *) strings; /* by number */
    wn_map map;
} wn_io_names;

void wn_io_names_init(wn_io_names *names);
void wn_io_names_free(wn_io_names *names);

/* The number of a string; WN_IO_NO_NAME if it is not there. */
uint32_t wn_io_names_find(const wn_io_names *names, wn_str name);

/* The same; one that is not there is added (*added). WN_IO_NO_NAME if out of memory. */
uint32_t wn_io_names_add(wn_io_names *names, wn_str name, bool *added);

#endif
