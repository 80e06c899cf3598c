/*
 * The quotation marks of a language, which browsers put around <q>.
 */
#ifndef WN_WRITE_QUOTATION_MARKS_H
#define WN_WRITE_QUOTATION_MARKS_H

#include "base/str.h"

typedef struct wn_write_quotation_marks {
    const char *open, *close;
} wn_write_quotation_marks;

/* Of "en", "pt-BR"; those of English if the language is unknown. */
wn_write_quotation_marks wn_write_quotation_marks_of(wn_str language);

#endif
