/*
 * Untrusted text in messages. File names and words of a command line can contain line ends, escape
 * sequences for the terminal and bytes that are not UTF-8; shown like this, a message stays one
 * harmless line.
 */
#ifndef WN_BASE_PRINTABLE_H
#define WN_BASE_PRINTABLE_H

#include "base/buf.h"

/* Appends `name`; control characters and bytes that are not UTF-8 become \n, \x1b, … */
void wn_add_printable(wn_buf *out, wn_str name);

/* Appends `name` in that form between single quotes. */
void wn_add_quoted(wn_buf *out, const char *name);

/*
 * Appends text of several lines for a terminal, which would obey control sequences: control
 * characters, those that change the direction of text, and bytes that are not UTF-8 become \u001b,
 * \u202e, \xff, … Tabs and line ends stay.
 */
void wn_add_visible(wn_buf *out, wn_str text);

#endif
