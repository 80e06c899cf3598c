/*
 * TeX as a person would type it into a plain text: "\frac{-b}{2a}" is "-b/(2a)", "x^{2}" is "x^2",
 * "\alpha" is "α". What is not known stays as it is, without its backslash.
 */
#ifndef WN_PAGE_TEX_H
#define WN_PAGE_TEX_H

#include "base/buf.h"

/* Adds the readable form of a formula, on one line, to `out`. Takes time linear in its length. */
void wn_page_tex_to_text(wn_buf *out, wn_str tex);

/*
 * The formula itself without what only sets it: "{\displaystyle x}" is "x", "$$x$$" and "\(x\)"
 * are "x".
 */
wn_str wn_page_tex_bare(wn_str tex);

/*
 * The formula without the spaces and line breaks at its end, as "\ " and "\\", after which "$" would
 * not end it; "" if it is only space.
 */
wn_str wn_page_tex_visible(wn_str tex);

/* The command that writes a character of another script or an operator: "\alpha"; NULL: none. */
const char *wn_page_tex_command(uint32_t character);

#endif
