#include "write/write.h"

/* A new format is one line here and one file beside this one. */
static wn_writer *const writers[] = {
    [WINNOW_FORMAT_TEXT] = wn_write_text,
    [WINNOW_FORMAT_MARKDOWN] = wn_write_markdown,
    [WINNOW_FORMAT_JSON] = wn_write_text,
};

wn_writer *wn_writer_for(winnow_format format)
{
    bool known = (size_t)format < sizeof writers / sizeof *writers;
    return known ? writers[format] : wn_write_text;
}
