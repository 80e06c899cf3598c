/* Why a page that was read gave no text. */
#ifndef WN_IO_REASON_H
#define WN_IO_REASON_H

#include "base/buf.h"
#include "winnow.h"

/* Adds the reason why a page of these bytes gave none; nothing if it did. */
void wn_io_add_reason(wn_buf *reason, winnow_status status, wn_str bytes);

#endif
