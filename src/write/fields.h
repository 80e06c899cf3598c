/*
 * What is known of a page, field by field: one list of names for all formats. A field without a
 * value is one with no values.
 */
#ifndef WN_WRITE_FIELDS_H
#define WN_WRITE_FIELDS_H

#include "winnow.h"

typedef struct wn_write_field {
    const char *name;      /* of the values joined into one text */
    const char *list_name; /* of the values as a list: "authors" instead of "author" */
    const char *const *values;
    size_t count;
    bool is_list; /* of authors, tags: there may be several */
    bool is_date;
} wn_write_field;

/* Field number `index` of the metadata; false past the end. */
bool wn_write_field_at(const winnow_metadata *metadata, size_t index, wn_write_field *field);

#endif
