/*
 * What the texts of a footer begin with: "Copyright", "Powered by", "สงวนลิขสิทธิ์".
 */
#ifndef WN_EXTRACT_FOOTER_H
#define WN_EXTRACT_FOOTER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* Sorted by their first byte, ASCII capitals as small letters; ends with a NULL. */
extern const wn_str wn_footer_words[];

typedef struct wn_footer {
    uint16_t first[257]; /* by the first byte of a text: where its words begin in the table */
    wn_str more;         /* the user's own, one per line */
} wn_footer;

/* `more` is UTF-8, one keyword a line, or NULL; it is borrowed. */
void wn_extract_footer_start(wn_footer *footer, const char *more);

/* Whether a text without white space before it begins like a footer. */
bool wn_extract_footer_begins(const wn_footer *footer, wn_str text);

#endif
