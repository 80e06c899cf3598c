/*
 * Messages to the user.
 *
 * Messages go to standard error, one line each, and begin with "winnow: ". They say what happened
 * and, if possible, what to do about it.
 *
 * File names and words of the command line can hold anything: line ends, escape
 * sequences for the terminal, bytes that are not UTF-8. They are shown through
 * wn_add_printable(), so that one message stays one harmless line.
 */
#ifndef WN_IO_MESSAGE_H
#define WN_IO_MESSAGE_H

#include "base/buf.h"
#include "base/printable.h"

/* The exit codes of the program. */
enum {
    WN_EXIT_OK = 0,
    WN_EXIT_FAILED = 1, /* some inputs could not be read, or the output not be written */
    WN_EXIT_USAGE = 2,
    WN_EXIT_EMPTY = 3, /* one page, and nothing in it */
    WN_EXIT_INTERRUPTED = 130,
};

/* Prints "winnow: ", the message and a line end to standard error in one piece. */
void wn_io_say(wn_buf *message);
void wn_io_sayf(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
