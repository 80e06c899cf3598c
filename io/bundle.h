/*
 * Several pages in one output: what comes before the first, between two, and after the last.
 */
#ifndef WN_IO_BUNDLE_H
#define WN_IO_BUNDLE_H

#include "base/buf.h"
#include "winnow.h"

/* Adds what comes before a page because of the pages before it; `written` of them have been. */
void wn_io_bundle_before(wn_buf *out, const winnow_format_info *format, const char *name,
                         uint64_t written);

/* Adds what comes after the last of `written` pages. */
void wn_io_bundle_after(wn_buf *out, const winnow_format_info *format, uint64_t written);

#endif
