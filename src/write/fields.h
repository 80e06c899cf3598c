/*
 * What is known of a page, field by field: one list for all forms of output, each with names of
 * its own. A field without a value is one with no values.
 */
#ifndef WN_WRITE_FIELDS_H
#define WN_WRITE_FIELDS_H

#include "winnow.h"

typedef enum wn_field_form { WN_FIELDS_OF_YAML, WN_FIELDS_OF_XML, WN_FIELDS_OF_CSV } wn_field_form;

typedef struct wn_field_values {
    const char *name;
    const char *const *values;
    size_t count;
    bool is_list; /* of authors, tags: there may be several */
    bool is_date;
} wn_field_values;

/* Field number `index` of the metadata; false behind the last. */
bool wn_field_at(const winnow_metadata *metadata, wn_field_form form, size_t index,
                 wn_field_values *field);

/* What is known of a page; of one that was not read (NULL) that is nothing. */
const winnow_metadata *wn_known_metadata(const winnow_result *result);

#endif
