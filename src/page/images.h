/*
 * Images: which address shows the picture, and which pictures are not content.
 */
#ifndef WN_PAGE_IMAGES_H
#define WN_PAGE_IMAGES_H

#include "html/document.h"

/*
 * The address of the picture that an <img> shows in the end, as the page has it: that of an image
 * that is loaded late, its own, or the largest of several sizes; "" if it has none but a
 * placeholder's.
 */
wn_str wn_page_image_source(const wn_doc *doc, const wn_node *image);

/* Whether it is a spacer, a tracker, an icon or an avatar. */
bool wn_page_image_is_decoration(const wn_doc *doc, const wn_node *image);

/* Whether a copy for readers without scripts follows an image that shows the same. */
bool wn_page_image_is_copy(const wn_doc *doc, wn_node_id image);

/* The link around an image, at most a few elements up; WN_NO_NODE if there is none. */
wn_node_id wn_page_image_link(const wn_doc *doc, wn_node_id image);

/*
 * Whether an image is in an element, not right after it: the text of a page has the same offset for
 * both. Asks a limited number of elements around the image.
 */
bool wn_page_image_is_in(const wn_doc *doc, wn_node_id image, wn_node_id element);

#endif
