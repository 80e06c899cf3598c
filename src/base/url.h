/*
 * URLs: resolving the references of a page.
 *
 * This follows RFC 3986 (section 5.2) and, where they differ, browsers (the WHATWG URL standard):
 * white space around and line ends inside a reference are ignored, `\` is `/` in http addresses,
 * `http:page` is relative, characters that may not be in a URL are percent-encoded, schemes and
 * hosts become lower case.
 *
 * Hosts are not converted to Punycode and nothing is validated: whatever the bytes are, the result
 * is what a browser would request, or an address that no browser would follow either.
 */
#ifndef WN_BASE_URL_H
#define WN_BASE_URL_H

#include "base/buf.h"
#include "base/str.h"

/*
 * Adds `reference`, as found on the page `base`, to `out`. A relative reference stays as it is,
 * but for white space, if `base` is empty or no hierarchical URL with a scheme.
 */
void wn_url_resolve(wn_buf *out, wn_str base, wn_str reference);

/* Adds a part of a URL with what is percent-encoded in it decoded; the bytes may be anything. */
void wn_url_decode(wn_buf *out, wn_str part);

/*
 * The host as it is in the URL, without user and port; empty if there is none. An IPv6 address
 * keeps its brackets.
 */
wn_str wn_url_host(wn_str url);

/* The user and password in the URL, with the "@" after them; empty if there are none. */
wn_str wn_url_credentials(wn_str url);

/* Adds the URL without user and password, which are for the server alone. */
void wn_url_add_without_credentials(wn_buf *out, wn_str url);

/* Whether the URL has that scheme ("javascript"); its case does not matter. */
bool wn_url_has_scheme(wn_str url, wn_str scheme);

#endif
