/*
 * The registrable domain of an address.
 *
 * "www.news.example.co.uk" belongs to "example.co.uk". libpsl has the Public Suffix List, which
 * decides this for every name. Without libpsl a simple rule is used (two labels, or three if the
 * second-last is one like "co" or "com" below a country), which is right for nearly all pages.
 */
#ifndef WN_IO_DOMAIN_H
#define WN_IO_DOMAIN_H

#include "base/str.h"

enum { WN_IO_DOMAIN_SIZE = 256 }; /* host names have at most 253 characters */

/* Writes the domain of `url` in lower case, "" if it has none. */
void wn_io_domain(wn_str url, char domain[WN_IO_DOMAIN_SIZE]);

/* The same by the short rule, whatever was built in. */
void wn_io_domain_by_rule(wn_str url, char domain[WN_IO_DOMAIN_SIZE]);

#endif
