/*
 * One form for texts that look the same: NFC (Unicode Standard Annex 15), without soft hyphens.
 *
 * NFC needs ICU, which is optional when winnow is built; without it letters stay as they are.
 */
#ifndef WN_TEXT_NORMAL_H
#define WN_TEXT_NORMAL_H

#include "base/buf.h"

/* Appends `text`, which may be any bytes: ill-formed parts become U+FFFD. */
void wn_text_add_normal(wn_buf *out, wn_str text);

#endif
