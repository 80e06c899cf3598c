/*
 * The sheets of the browser itself: data/css, as strings.
 */
#ifndef WN_CSS_BROWSER_SHEET_H
#define WN_CSS_BROWSER_SHEET_H

extern const char wn_css_browser_sheet[];
extern const char wn_css_quirks_sheet[]; /* added to it in quirks mode */

#endif
