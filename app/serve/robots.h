/*
 * Whether robots.txt lets a program fetch an address. https://www.rfc-editor.org/rfc/rfc9309
 */
#ifndef WN_SERVE_ROBOTS_H
#define WN_SERVE_ROBOTS_H

#include "base/buf.h"
#include "serve/settings.h"

/*
 * Fetches the robots.txt of the site and reads it for "winnow". False when it does not allow `url`,
 * or when the server has trouble (5xx, no answer), which RFC 9309 takes for a no: `reason` says
 * which.
 */
bool wn_serve_robots_allow(const wn_serve_settings *settings, const char *url, wn_buf *reason);

#endif
