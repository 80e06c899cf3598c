/*
 * multipart/form-data: the parts of a form that carries files.
 * https://www.rfc-editor.org/rfc/rfc7578
 *
 * The whole body is in memory and parts are slices of it. Each byte is looked at once or twice,
 * whatever the boundary is.
 */
#ifndef WN_SERVE_MULTIPART_H
#define WN_SERVE_MULTIPART_H

#include "base/str.h"

enum { WN_SERVE_MAX_BOUNDARY = 70 }; /* RFC 2046 */

typedef struct wn_serve_part {
    wn_str name; /* of the field; "" if it has none */
    wn_str type; /* its Content-Type; "" if it has none */
    wn_str body;
} wn_serve_part;

typedef struct wn_serve_multipart {
    wn_str rest;
    char delimiter[WN_SERVE_MAX_BOUNDARY + 5]; /* CR LF "--" and the boundary */
    size_t delimiter_len;
    bool ended;  /* the last boundary was seen */
    bool broken; /* the body ended before it */
} wn_serve_multipart;

/* False if the Content-Type has no boundary, or one that is not allowed. */
bool wn_serve_multipart_begin(wn_serve_multipart *parts, wn_str content_type, wn_str body);

/* The next part; false at the end. */
bool wn_serve_multipart_next(wn_serve_multipart *parts, wn_serve_part *part);

#endif
