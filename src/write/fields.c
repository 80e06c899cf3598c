#include "write/fields.h"

#define MEMBER(member) offsetof(winnow_metadata, member)

/* A new field of the metadata is one line here, and one in json.c, which keeps its order. */
static const struct {
    const char *name;
    const char *list_name; /* where it is a list and not joined into one text; NULL: the same */
    size_t values;         /* where in the metadata its value is, or the list of its values, */
    size_t count;          /* and their number; 0: it has one value */
    bool is_date;
} fields[] = {
    {"title", NULL, MEMBER(title), 0, false},
    {"author", "authors", MEMBER(authors), MEMBER(author_count), false},
    {"date", NULL, MEMBER(published), 0, true},
    {"modified", NULL, MEMBER(modified), 0, true},
    {"site", NULL, MEMBER(site), 0, false},
    {"description", NULL, MEMBER(description), 0, false},
    {"language", NULL, MEMBER(language), 0, false},
    {"canonical", NULL, MEMBER(url), 0, false},
    {"image", NULL, MEMBER(image), 0, false},
    {"categories", NULL, MEMBER(categories), MEMBER(category_count), false},
    {"tags", NULL, MEMBER(tags), MEMBER(tag_count), false},
    {"license", NULL, MEMBER(license), 0, false},
};

bool wn_write_field_at(const winnow_metadata *m, size_t index, wn_write_field *field)
{
    if (index >= sizeof fields / sizeof *fields)
        return false;
    const char *place = (const char *)m + fields[index].values;
    bool is_list = fields[index].count > 0;
    const char *const *values = (const char *const *)place;
    *field = (wn_write_field){
        .name = fields[index].name,
        .list_name = fields[index].list_name ? fields[index].list_name : fields[index].name,
        .values = is_list ? *(const char *const *const *)place : values,
        .count = is_list ? *(const size_t *)((const char *)m + fields[index].count) : **values != 0,
        .is_list = is_list,
        .is_date = fields[index].is_date,
    };
    return true;
}
