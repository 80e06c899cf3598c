/* What bytes that are not a web page probably are, for the error message. */
#ifndef WN_IO_MAGIC_H
#define WN_IO_MAGIC_H

#include "base/str.h"

/* "a PDF document", "a PNG image", …; NULL when nothing is recognised. Static. */
const char *wn_io_guess_type(wn_str bytes);

#endif
