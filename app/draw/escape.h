/*
 * Text for XML and HTML.
 */
#ifndef WN_DRAW_ESCAPE_H
#define WN_DRAW_ESCAPE_H

#include "base/buf.h"

/*
 * Appends `text` as it may stand in an element or a quoted attribute. Control characters, most of
 * which XML 1.0 does not know even as references, become spaces.
 */
void wn_add_escaped(wn_buf *out, wn_str text);

#endif
