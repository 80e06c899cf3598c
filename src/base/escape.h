/* Escaping for XML, HTML and CSV. */
#ifndef WN_BASE_ESCAPE_H
#define WN_BASE_ESCAPE_H

#include "base/buf.h"

/*
 * Appends `text`, which is well-formed UTF-8, escaped for an element or a quoted attribute, on one
 * line. Control characters, most of which XML 1.0 does not allow even as references, become spaces,
 * and the noncharacters U+FFFE and U+FFFF become U+FFFD.
 */
void wn_add_escaped(wn_buf *out, wn_str text);

/* The same for text whose line ends and tabs are significant. */
void wn_add_escaped_lines(wn_buf *out, wn_str text);

/* Appends a field of CSV (RFC 4180), in quotes where it needs them. */
void wn_add_csv_field(wn_buf *out, wn_str field);

/*
 * The same. If `safe`, what a spreadsheet would take for a formula, which could send the other
 * cells away or start a program, begins with an apostrophe: that makes it text, and is not shown.
 */
void wn_add_csv_cell(wn_buf *out, wn_str field, bool safe);

#endif
