/*
 * Conditions of sheets: media queries, @supports and the size queries of @container.
 *
 * https://drafts.csswg.org/mediaqueries-4/
 *
 * The medium is a colour screen of a given size with one dot per pixel, a mouse, no scripts and no
 * user preferences (no dark mode, no reduced motion). Containers are assumed to be as large as the
 * screen.
 */
#ifndef WN_CSS_MEDIA_H
#define WN_CSS_MEDIA_H

#include "css/value.h"

/* Whether the list of queries `text` holds; an empty one does. */
bool wn_css_media_holds(wn_css_values *values, wn_str text);

/* Whether the condition of an @supports holds. */
bool wn_css_supports_holds(wn_css_values *values, wn_str text);

/* Whether the condition of an @container holds, its name left out. */
bool wn_css_container_holds(wn_css_values *values, wn_str text);

#endif
