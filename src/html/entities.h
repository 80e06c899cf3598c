/*
 * Character references: `&amp;`, `&eacute`, `&#8212;`, `&#x2014;`.
 *
 * https://html.spec.whatwg.org/multipage/parsing.html#character-reference-state
 */
#ifndef WN_HTML_ENTITIES_H
#define WN_HTML_ENTITIES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "base/watch.h"

enum {
    WN_ENTITY_SLOTS = 4096,
    WN_ENTITY_MAX_NAME = 32, /* "CounterClockwiseContourIntegral;" */
    WN_REFERENCE_MAX = 6,    /* bytes of the longest replacement */
};

/* One named reference: its name in the pool (with the semicolon, if it has one) and its text. */
typedef struct wn_entity {
    uint16_t name;
    uint8_t name_len;
    uint8_t text_len;
    char text[WN_REFERENCE_MAX + 2];
} wn_entity;

extern const char wn_entity_pool[];
extern const wn_entity wn_entities[];
extern const uint16_t wn_entity_slots[WN_ENTITY_SLOTS];

/*
 * Copies `source` to `out` with its references replaced, U+0000 too if `replace_nul`.
 * `out` has room for wn_html_references_bound() bytes; returns how many were written.
 * `watch`, which may be NULL, says when to stop before the end.
 */
size_t wn_html_references_replace(wn_str source, bool in_attribute, bool replace_nul, char *out,
                                  wn_watch *watch);

/* The most that `size` bytes can grow to: "&nGt;" becomes six bytes, one NUL three. */
static inline size_t wn_html_references_bound(size_t size, bool has_nul)
{
    return has_nul ? size * 3 : size + size / 5 + 1;
}

#endif
