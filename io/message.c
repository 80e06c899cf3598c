#include "io/message.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "io/color.h"

/* Messages that cannot be written have nobody to read them: failure is ignored. */
static void write_to_stderr(wn_str bytes)
{
    while (bytes.len > 0) {
        ssize_t written = write(STDERR_FILENO, bytes.ptr, bytes.len);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return;
        bytes = wn_str_from_offset(bytes, (size_t)written);
    }
}

void wn_io_say(wn_buf *message)
{
    wn_buf line = {0};
    wn_io_color_add(&line, wn_io_color_at(STDERR_FILENO), WN_IO_YELLOW, WN_STR("winnow:"));
    wn_buf_add_char(&line, ' ');
    wn_buf_add(&line, wn_buf_str(message));
    wn_buf_add_char(&line, '\n');
    bool whole = !line.failed && !message->failed;
    write_to_stderr(whole ? wn_buf_str(&line) : WN_STR("winnow: out of memory\n"));
    wn_buf_free(&line);
}

void wn_io_sayf(const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    wn_buf message = {0};
    wn_buf_add_literal(&message, text);
    wn_io_say(&message);
    wn_buf_free(&message);
}
