/* Escaping for XML, HTML and CSV. */
#ifndef WN_BASE_ESCAPE_H
#define WN_BASE_ESCAPE_H

#include "base/buf.h"

/*
 * Appends `text`, which is well-formed UTF-8, escaped for an element or a quoted attribute, on one
 * line. Control characters, which HTML does not allow and XML 1.0 for the most part neither, not even
 * as references, become spaces, and noncharacters such as U+FFFE become U+FFFD.
 */
void wn_add_escaped(wn_buf *out, wn_str text);

/* The same for text whose line ends and tabs are significant. */
void wn_add_escaped_lines(wn_buf *out, wn_str text);

/*
 * Appends an address as a valid one, escaped for a quoted attribute: characters that may not be in
 * it, such as the brackets of "?a[1]=b", which browsers send as they are, are percent-encoded.
 * https://url.spec.whatwg.org/#url-writing
 */
void wn_add_escaped_url(wn_buf *out, wn_str url);

/* Appends a field of CSV (RFC 4180), in quotes where it needs them. */
void wn_add_csv_field(wn_buf *out, wn_str field);

/*
 * The same. If `safe`, what a spreadsheet would take for a formula, which could send the other
 * cells away or start a program, begins with an apostrophe: that makes it text, and is not shown.
 */
void wn_add_csv_cell(wn_buf *out, wn_str field, bool safe);

#endif
