#include "write/fields.h"

#include "meta/metadata.h"

#define MEMBER(member) offsetof(winnow_metadata, member)

/* A new field of the metadata is one line here; JSON, which keeps its order, is json.c. */
static const struct {
    const char *names[3]; /* by wn_field_form */
    size_t values;        /* where in the metadata its value is, or the list of its values, */
    size_t count;         /* and their number; 0: it has one value */
    bool is_date;
} fields[] = {
    {{"title", "title", "title"}, MEMBER(title), 0, false},
    {{"authors", "author", "author"}, MEMBER(authors), MEMBER(author_count), false},
    {{"date", "date", "date"}, MEMBER(published), 0, true},
    {{"modified", "modified", "modified"}, MEMBER(modified), 0, true},
    {{"site", "sitename", "site"}, MEMBER(site), 0, false},
    {{"description", "description", "description"}, MEMBER(description), 0, false},
    {{"language", "language", "language"}, MEMBER(language), 0, false},
    {{"canonical", "canonical", "canonical"}, MEMBER(url), 0, false},
    {{"image", "image", "image"}, MEMBER(image), 0, false},
    {{"categories", "categories", "categories"}, MEMBER(categories), MEMBER(category_count), false},
    {{"tags", "tags", "tags"}, MEMBER(tags), MEMBER(tag_count), false},
    {{"licence", "license", "licence"}, MEMBER(licence), 0, false},
};

bool wn_field_at(const winnow_metadata *m, wn_field_form form, size_t index, wn_field_values *field)
{
    if (index >= sizeof fields / sizeof *fields)
        return false;
    const char *place = (const char *)m + fields[index].values;
    bool is_list = fields[index].count > 0;
    const char *const *values = (const char *const *)place;
    *field = (wn_field_values){
        .name = fields[index].names[form],
        .values = is_list ? *(const char *const *const *)place : values,
        .count = is_list ? *(const size_t *)((const char *)m + fields[index].count) : **values != 0,
        .is_list = is_list,
        .is_date = fields[index].is_date,
    };
    return true;
}

const winnow_metadata *wn_known_metadata(const winnow_result *result)
{
    return result && result->metadata.site ? &result->metadata : &wn_no_metadata;
}
