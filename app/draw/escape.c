/*
 * Text for XML and HTML.
 */
#include "draw/escape.h"

void wn_add_escaped(wn_buf *out, wn_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (c == '&')
            wn_buf_add_literal(out, "&amp;");
        else if (c == '<')
            wn_buf_add_literal(out, "&lt;");
        else if (c == '>')
            wn_buf_add_literal(out, "&gt;");
        else if (c == '"')
            wn_buf_add_literal(out, "&quot;");
        else
            wn_buf_add_char(out, (unsigned char)c < 0x20 ? ' ' : c);
    }
}
