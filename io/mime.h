/* Content types: as declared, and as the content shows. */
#ifndef WN_IO_MIME_H
#define WN_IO_MIME_H

#include "base/str.h"

/* "text/html" of "text/html; charset=utf-8". */
wn_str wn_io_type_name(wn_str content_type);

/* The value of "charset", perhaps in quotes; "" if there is none. */
wn_str wn_io_type_charset(wn_str content_type);

/* Whether it is the type of a page: HTML or XHTML. */
bool wn_io_type_is_page(wn_str content_type);

/*
 * Whether a body of this type may be a page. Unknown and wrong types are common, so only what is
 * certainly something else is refused; the content is examined later.
 */
bool wn_io_type_may_be_page(wn_str content_type);

/* Whether a body of this type may be a style sheet: browsers take no other type for one. */
bool wn_io_type_may_be_sheet(wn_str content_type);

/* Whether bytes begin like a page, for those whose type does not say so. */
bool wn_io_bytes_are_page(wn_str bytes);

#endif
