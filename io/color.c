#include "io/color.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of the whole program: messages are written in places that know nothing of options. */
static wn_io_color chosen = WN_IO_COLOR_AUTO;

const char *wn_io_color_name(const void *list, size_t index)
{
    static const char *const names[] = {"auto", "always", "never"};
    (void)list;
    return index < sizeof names / sizeof *names ? names[index] : NULL;
}

void wn_io_color_choose(wn_io_color when)
{
    chosen = when;
}

bool wn_io_color_at(int fd)
{
    if (chosen != WN_IO_COLOR_AUTO)
        return chosen == WN_IO_COLOR_ALWAYS;
    const char *none = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return !(none && none[0]) && terminal && strcmp(terminal, "dumb") != 0 && fd >= 0 && isatty(fd);
}

void wn_io_color_add(wn_buf *out, bool on, const char *style, wn_str text)
{
    if (on)
        wn_buf_add_literal(out, style);
    wn_buf_add(out, text);
    if (on)
        wn_buf_add_literal(out, WN_IO_PLAIN);
}
