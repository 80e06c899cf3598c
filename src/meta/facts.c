#include "meta/facts.h"

#include "base/utf8.h"
#include "html/entities.h"
#include "page/links.h"

enum { LONGEST_VALUE = 4096 }; /* bytes; what is longer is text, not a fact about it */

void wn_meta_facts_start(wn_facts *facts, wn_arena *arena)
{
    facts->arena = arena;
    memset(facts->fields, 0, sizeof facts->fields);
}

void wn_meta_facts_free(wn_facts *facts)
{
    wn_buf_free(&facts->scratch);
}

static bool has_several(wn_field field)
{
    return field == WN_FIELD_AUTHOR || field == WN_FIELD_TAG || field == WN_FIELD_CATEGORY;
}

static bool is_address(wn_field field)
{
    return field == WN_FIELD_URL || field == WN_FIELD_IMAGE || field == WN_FIELD_LICENCE;
}

/* ---- Values ------------------------------------------------------------------------------ */

/* At most the longest value; one with a NUL in it ("\\u0000" in JSON) is ignored. */
static wn_str cut(wn_str text)
{
    if (text.len > 0 && memchr(text.ptr, '\0', text.len))
        return WN_STR("");
    return wn_utf8_prefix(text, LONGEST_VALUE);
}

wn_str wn_meta_facts_tidy(wn_facts *facts, wn_str text)
{
    wn_page_spacing spacing = {.at_space = true};
    wn_buf_clear(&facts->scratch);
    wn_page_spacing_add(&spacing, cut(text), &facts->scratch);
    return wn_arena_copy(facts->arena, wn_str_trim(wn_buf_str(&facts->scratch)));
}

wn_str wn_meta_facts_tidy_escaped(wn_facts *facts, wn_str text)
{
    text = cut(text);
    if (text.len == 0 || !memchr(text.ptr, '&', text.len))
        return wn_meta_facts_tidy(facts, text);
    char *plain = wn_arena_bytes(facts->arena, wn_html_references_bound(text.len, true));
    if (!plain)
        return WN_STR("");
    size_t len = wn_html_references_replace(text, false, true, plain, NULL);
    return wn_meta_facts_tidy(facts, wn_str_from(plain, len));
}

static size_t count_letters(wn_str s)
{
    size_t letters = 0;
    while (letters < s.len && wn_is_ascii_alpha(s.ptr[letters]))
        letters++;
    return letters;
}

/* https://www.rfc-editor.org/rfc/rfc5646#section-2.1: one sign announces a part, so "utf-8" is not a tag. */
static bool ends_with_lone_sign(wn_str tag)
{
    return tag.len > 2 && strchr("-_", tag.ptr[tag.len - 2]);
}

wn_str wn_meta_facts_language(wn_facts *facts, wn_str declared)
{
    enum { SHORTEST = 2, LONGEST_CODE = 3, LONGEST = 35 }; /* RFC 5646, 2.2.1 and 4.4.1 */
    declared = wn_str_trim(declared);
    size_t letters = count_letters(declared), len = letters;
    while (len < declared.len && len < LONGEST &&
           (wn_is_ascii_alnum(declared.ptr[len]) || strchr("-_", declared.ptr[len])))
        len++;
    bool ends = len == declared.len || strchr(",; ", declared.ptr[len]);
    bool parted = len == letters || strchr("-_", declared.ptr[letters]);
    bool is_tag = ends && parted && letters >= SHORTEST && letters <= LONGEST_CODE &&
                  !ends_with_lone_sign(wn_str_from(declared.ptr, len));
    char *tag = is_tag ? wn_arena_bytes(facts->arena, len) : NULL;
    for (size_t i = 0; tag && i < len; i++)
        tag[i] = declared.ptr[i] == '_' ? '-' : declared.ptr[i];
    return tag ? wn_str_from(tag, len) : WN_STR("");
}

/* "[]", "-", "null": what programs write where there is nothing. */
static bool is_nothing(wn_field field, wn_str value)
{
    static const char *const words[] = {"null", "none",          "undefined",    "nan",
                                        "n/a",  "uncategorized", "uncategorised"};
    if (field != WN_FIELD_TAG && field != WN_FIELD_CATEGORY)
        return false;
    bool has_letters = false;
    for (size_t i = 0; i < value.len && !has_letters; i++)
        has_letters = wn_is_ascii_alnum(value.ptr[i]) || (unsigned char)value.ptr[i] >= 0x80;
    for (size_t i = 0; has_letters && i < sizeof words / sizeof *words; i++)
        if (wn_str_eq_nocase(value, wn_str_of(words[i])))
            return true;
    return !has_letters;
}

/* ---- Offers ------------------------------------------------------------------------------ */

bool wn_meta_facts_wants(const wn_facts *facts, wn_field field, int rank)
{
    const wn_fact *fact = &facts->fields[field];
    return rank > fact->rank ||
           (rank == fact->rank && has_several(field) && fact->count < WN_MOST_VALUES);
}

static bool is_known(const wn_fact *fact, wn_str value)
{
    for (uint32_t i = 0; i < fact->count; i++)
        if (wn_str_eq_nocase(fact->values[i], value))
            return true;
    return false;
}

static bool add_value(wn_facts *facts, wn_field field, int rank, const char *source, wn_str value)
{
    wn_fact *fact = &facts->fields[field];
    if (!fact->values)
        fact->values = wn_arena_alloc(facts->arena, (has_several(field) ? WN_MOST_VALUES : 1) *
                                                        sizeof *fact->values);
    if (!fact->values)
        return false;
    if (rank > fact->rank)
        fact->count = 0;
    if (is_known(fact, value))
        return true;
    fact->rank = rank;
    fact->source = source;
    fact->values[fact->count++] = value;
    return true;
}

bool wn_meta_facts_offer(wn_facts *facts, wn_field field, int rank, const char *source,
                         wn_str value)
{
    if (!wn_meta_facts_wants(facts, field, rank))
        return false;
    value = wn_meta_facts_tidy_escaped(facts, value);
    if (field == WN_FIELD_LANGUAGE)
        value = wn_meta_facts_language(facts, value);
    if (is_address(field) && wn_page_links_leads_nowhere(value))
        return false;
    return value.len > 0 && !is_nothing(field, value) &&
           add_value(facts, field, rank, source, value);
}

void wn_meta_facts_offer_list(wn_facts *facts, wn_field field, int rank, const char *source,
                              wn_str list)
{
    list = cut(list);
    while (list.len > 0 && wn_meta_facts_wants(facts, field, rank)) {
        const char *comma = memchr(list.ptr, ',', list.len);
        size_t len = comma ? (size_t)(comma - list.ptr) : list.len;
        wn_meta_facts_offer(facts, field, rank, source, wn_str_from(list.ptr, len));
        list = wn_str_from_offset(list, len + 1);
    }
}

wn_str wn_meta_facts_value(const wn_facts *facts, wn_field field)
{
    const wn_fact *fact = &facts->fields[field];
    return fact->count > 0 ? fact->values[0] : WN_STR("");
}
