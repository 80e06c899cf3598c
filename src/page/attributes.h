/*
 * Attributes of elements that have no number of their own, and words of classes.
 */
#ifndef WN_PAGE_ATTRIBUTES_H
#define WN_PAGE_ATTRIBUTES_H

#include "html/document.h"

/* The value of the attribute with that name; "" if the element does not have it. */
wn_str wn_page_attr_named(const wn_node *element, wn_str name);

/* Takes the next word off `rest`, which is a list of words separated by spaces; "" at its end. */
wn_str wn_page_next_word(wn_str *rest);

/*
 * Where a link leads, without white space around it: as much of it as is looked at. One link may be
 * around many blocks, each of which asks.
 */
wn_str wn_page_address(const wn_node *a);

/*
 * As much of an element's classes as is looked at, whole words: all that is in an element may ask
 * about it, so that long ones would cost the product.
 */
wn_str wn_page_classes(const wn_node *element);

/* Whether one of the element's classes is `word`, or begins with it. */
bool wn_page_has_class(const wn_node *element, wn_str word);
bool wn_page_has_class_start(const wn_node *element, wn_str start);

/* Whether one of the element's classes is in, or begins with, one of a list that ends with NULL. */
bool wn_page_has_class_of(const wn_node *element, const char *const *words);
bool wn_page_has_class_start_of(const wn_node *element, const char *const *starts);

#endif
