/*
 * The site of an address: the part of its host that somebody registered.
 *
 * "www.news.example.co.uk" is a page of "example.co.uk". libpsl knows the list of public
 * suffixes, which says so for every name; without libpsl a short rule stands in for it (two
 * labels, or three where the second-last is one like "co" or "com" below a country), which is right
 * for nearly all pages.
 */
#ifndef WN_IO_SITE_H
#define WN_IO_SITE_H

#include "base/str.h"

enum { WN_SITE_SIZE = 256 }; /* host names have at most 253 characters */

/* Writes the site of `url` in lower case, "" if it has none. */
void wn_site_of(wn_str url, char site[WN_SITE_SIZE]);

/* The same by the short rule, whatever was built in. */
void wn_site_by_rule(wn_str url, char site[WN_SITE_SIZE]);

#endif
