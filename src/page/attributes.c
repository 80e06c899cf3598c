#include "page/attributes.h"

enum {
    LONGEST_CLASSES = 1024, /* bytes of an attribute; long ones have some hundred */
    LONGEST_ADDRESS = 1024,
};

wn_str wn_page_attr_named(const wn_node *element, wn_str name)
{
    if (element->kind != WN_KIND_ELEMENT)
        return WN_STR("");
    for (uint32_t i = 0; i < element->len; i++) {
        const wn_attr *attr = &element->attrs[i];
        if (attr->name_len == name.len && memcmp(attr->name, name.ptr, name.len) == 0)
            return wn_attr_value(attr);
    }
    return WN_STR("");
}

wn_str wn_page_next_word(wn_str *rest)
{
    size_t start = 0, end;
    while (start < rest->len && wn_is_space(rest->ptr[start]))
        start++;
    for (end = start; end < rest->len && !wn_is_space(rest->ptr[end]);)
        end++;
    wn_str word = wn_str_from(rest->ptr + start, end - start);
    *rest = wn_str_from_offset(*rest, end);
    return word;
}

wn_str wn_page_address(const wn_node *a)
{
    wn_str href = wn_node_attr_value(a, WN_ATTR_HREF);
    return wn_str_trim(
        wn_str_from(href.ptr, href.len < LONGEST_ADDRESS ? href.len : LONGEST_ADDRESS));
}

wn_str wn_page_classes(const wn_node *element)
{
    if (element->kind != WN_KIND_ELEMENT)
        return WN_STR("");
    wn_str classes = wn_node_attr_value(element, WN_ATTR_CLASS);
    if (classes.len <= LONGEST_CLASSES)
        return classes;
    size_t end = LONGEST_CLASSES;
    while (end > 0 && !wn_is_space(classes.ptr[end]))
        end--;
    return wn_str_from(classes.ptr, end);
}

bool wn_page_has_class(const wn_node *element, wn_str word)
{
    wn_str rest = wn_page_classes(element), class;
    while ((class = wn_page_next_word(&rest)).len > 0)
        if (wn_str_eq(class, word))
            return true;
    return false;
}

bool wn_page_has_class_start(const wn_node *element, wn_str start)
{
    wn_str rest = wn_page_classes(element), class;
    while ((class = wn_page_next_word(&rest)).len > 0)
        if (wn_str_starts(class, start))
            return true;
    return false;
}

bool wn_page_has_class_of(const wn_node *element, const char *const *words)
{
    wn_str rest = wn_page_classes(element), class;
    while ((class = wn_page_next_word(&rest)).len > 0)
        for (const char *const *word = words; *word; word++)
            if (wn_ascii_lower(class.ptr[0]) == wn_ascii_lower(**word) && /* most differ here */
                wn_str_eq_nocase(class, wn_str_of(*word)))
                return true;
    return false;
}

bool wn_page_has_class_start_of(const wn_node *element, const char *const *starts)
{
    wn_str rest = wn_page_classes(element), class;
    while ((class = wn_page_next_word(&rest)).len > 0)
        for (const char *const *start = starts; *start; start++)
            if (class.ptr[0] == **start && wn_str_starts(class, wn_str_of(*start)))
                return true;
    return false;
}
