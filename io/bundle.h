/* Several pages in one output: what goes before the first, between two, and after the last. */
#ifndef WN_IO_BUNDLE_H
#define WN_IO_BUNDLE_H

#include "base/buf.h"
#include "winnow-io.h"

/* The record of the page that the worker has loaded from the input, as long as it is not extracted:
 * its status is that of a page that cannot be read. */
winnow_record wn_io_record_of(const winnow_worker *worker, const winnow_input *input);

/*
 * Adds a page: its content with the record, or the format's record of a failed page, which is one
 * without a selection or with an error in its record. `joined`: it is one of several. If memory is
 * out, out->failed is set.
 */
void wn_io_bundle_page(wn_buf *out, const winnow_format_info *format, winnow_worker *worker,
                       winnow_selection *content, const winnow_record *record, bool joined);

/* Adds what comes before a page because of the pages before it; `written` of them have been. */
void wn_io_bundle_before(wn_buf *out, const winnow_format_info *format, const char *name,
                         uint64_t written);

/* Adds what comes after the last of `written` pages. */
void wn_io_bundle_after(wn_buf *out, const winnow_format_info *format, uint64_t written);

#endif
