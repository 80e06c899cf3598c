/*
 * The site of an address: the part of its host that somebody registered, nearly.
 *
 * "www.news.example.co.uk" is a page of "example.co.uk". The whole list of public suffixes
 * has ten thousand lines; the rule here (two labels, or three where the second-last is one like
 * "co" or "com" below a country) is right for nearly all pages and only groups them in tables.
 */
#ifndef WN_EVAL_SITE_H
#define WN_EVAL_SITE_H

#include "base/str.h"

enum { WN_SITE_SIZE = 256 }; /* host names have at most 253 characters */

/* Writes the site of `url`, "" if it has none. */
void wn_site_of(wn_str url, char site[WN_SITE_SIZE]);

#endif
