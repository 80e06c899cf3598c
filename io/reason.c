#include "io/reason.h"

#include "io/magic.h"

void wn_io_add_reason(wn_buf *reason, winnow_status status, wn_str bytes)
{
    static const char *const reasons[] = {
        [WINNOW_STATUS_OK] = "",
        [WINNOW_STATUS_EMPTY] = "",
        [WINNOW_STATUS_PARTIAL] = "",
        [WINNOW_STATUS_NOT_HTML] = "not a web page",
        [WINNOW_STATUS_UNKNOWN_METHOD] = "unknown method",
        [WINNOW_STATUS_NO_MEMORY] = "out of memory",
        [WINNOW_STATUS_BAD_PARAMETER] = "wrong parameter of the method",
        [WINNOW_STATUS_TOO_LARGE] = "too large for this method; see the limits of its parameters",
        [WINNOW_STATUS_BAD_MODEL] = "not a model of this version",
        [WINNOW_STATUS_NEEDS_COLLECTION] = "this method needs a collection of pages",
        [WINNOW_STATUS_CANCELLED] = "cancelled",
        [WINNOW_STATUS_BAD_ARGUMENT] = "wrong argument",
        [WINNOW_STATUS_BAD_SITE] = "not a site of this version",
        [WINNOW_STATUS_UNREADABLE] = "unreadable",
    };
    bool known = (size_t)status < sizeof reasons / sizeof *reasons && reasons[status];
    wn_buf_add_literal(reason, known ? reasons[status] : "unknown status");
    const char *type = status == WINNOW_STATUS_NOT_HTML ? wn_io_guess_type(bytes) : NULL;
    if (type)
        wn_buf_add_format(reason, ": it looks like %s", type);
}
