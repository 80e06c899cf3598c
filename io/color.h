/*
 * Colours at a terminal: when there are any, and which.
 *
 * Colours only repeat what the words say. They are used at a terminal that can show them, unless
 * NO_COLOR is set (https://no-color.org/), and wherever --color always asks for them.
 */
#ifndef WN_IO_COLOR_H
#define WN_IO_COLOR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

typedef enum wn_io_color { WN_IO_COLOR_AUTO, WN_IO_COLOR_ALWAYS, WN_IO_COLOR_NEVER } wn_io_color;

#define WN_IO_BOLD "\033[1m"
#define WN_IO_FAINT "\033[2m"
#define WN_IO_RED "\033[31m"
#define WN_IO_GREEN "\033[32m"
#define WN_IO_YELLOW "\033[1;33m"
#define WN_IO_PLAIN "\033[0m"

/* What --color takes, as a wn_name_list: "auto", "always", "never". */
const char *wn_io_color_name(const void *list, size_t index);

/* Says when there are colours, for the whole program. Call it before threads start. */
void wn_io_color_choose(wn_io_color when);

/* Whether there are colours in what is written to this descriptor; -1: to a file. */
bool wn_io_color_at(int fd);

/* Adds text in a style, or as it is if not `on`. The text must be safe for a terminal. */
void wn_io_color_add(wn_buf *out, bool on, const char *style, wn_str text);

#endif
