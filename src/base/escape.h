/*
 * Text inside other forms: XML, HTML, CSV.
 */
#ifndef WN_BASE_ESCAPE_H
#define WN_BASE_ESCAPE_H

#include "base/buf.h"

/*
 * Appends `text`, which is well-formed UTF-8, as it may stand in an element or a quoted attribute,
 * on one line. Control characters, most of which XML 1.0 does not know even as references, become
 * spaces, and the two that are no characters (U+FFFE, U+FFFF) U+FFFD.
 */
void wn_add_escaped(wn_buf *out, wn_str text);

/* The same for text whose line ends and tabs count. */
void wn_add_escaped_lines(wn_buf *out, wn_str text);

/* Appends a field of CSV (RFC 4180), in quotes where it needs them. */
void wn_add_csv_field(wn_buf *out, wn_str field);

#endif
