/*
 * Attributes of elements that have no number of their own, and words of classes.
 */
#ifndef WN_PAGE_ATTRIBUTES_H
#define WN_PAGE_ATTRIBUTES_H

#include "html/document.h"

/* The value of the attribute with that name; "" if the element does not have it. */
wn_str wn_page_attr_named(const wn_node *element, wn_str name);

/*
 * The element's classes, of more than a kilobyte the first: everything in an element may ask for
 * them again.
 */
wn_str wn_page_classes(const wn_node *element);

/* Takes the next word off `rest`, which is a list of words separated by spaces; "" at its end. */
wn_str wn_page_next_word(wn_str *rest);

/* Whether one of the element's classes is `word`, or begins with it. */
bool wn_page_has_class(const wn_node *element, wn_str word);
bool wn_page_has_class_start(const wn_node *element, wn_str start);

/* Whether one of the element's classes is in, or begins with, one of a list that ends with NULL. */
bool wn_page_has_class_of(const wn_node *element, const char *const *words);
bool wn_page_has_class_start_of(const wn_node *element, const char *const *starts);

#endif
