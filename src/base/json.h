/*
 * JSON: a writer that appends to a buffer, and a reader into one flat array.
 *
 * The writer keeps no stack. It only remembers whether a comma is due, which is
 * so after every value and never after an opening bracket or a key:
 *
 *     wn_json_writer json = {.out = &buf};
 *     wn_json_begin_object(&json);
 *     wn_json_key(&json, "title");
 *     wn_json_string(&json, title);
 *     wn_json_end_object(&json);            // {"title":"…"}
 *
 * The reader puts the values into an array in the order in which they are in the
 * text, so that a container is followed by what it holds and `next` leads past
 * all of it:
 *
 *     [1, {"a": [2]}, 3]      node   1 [   2 1   3 {   4 "a"   5 [   6 2   7 3
 *                             next     8     3     7       5     7     7     8
 *
 * Node 0 is "no value" and node 1 the outermost one, so lookups may be chained
 * without a check: wn_json_get(&json, wn_json_get(&json, WN_JSON_ROOT, "a"), "b").
 */
#ifndef WN_BASE_JSON_H
#define WN_BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/buf.h"
#include "base/str.h"

/* ---- Writing ----------------------------------------------------------------------------- */

typedef struct wn_json_writer {
    wn_buf *out; /* borrowed; its failure is sticky, so nothing here returns one */
    bool comma;  /* a comma is due before the next value or key */
} wn_json_writer;

void wn_json_begin_object(wn_json_writer *json);
void wn_json_end_object(wn_json_writer *json);
void wn_json_begin_array(wn_json_writer *json);
void wn_json_end_array(wn_json_writer *json);

/* The key of the next value; it is escaped like any string. */
void wn_json_key(wn_json_writer *json, const char *key);
void wn_json_key_str(wn_json_writer *json, wn_str key);

/* `s` is UTF-8; what JSON must have escaped is, and everything else stays as it is. */
void wn_json_string(wn_json_writer *json, wn_str s);
void wn_json_c_string(wn_json_writer *json, const char *s); /* NULL is written as null */

/*
 * A string from outside, such as a name of a file, may hold any bytes: ill-formed parts become
 * U+FFFD.
 */
void wn_json_outside(wn_json_writer *json, wn_str bytes);
void wn_json_int(wn_json_writer *json, int64_t value);
void wn_json_uint(wn_json_writer *json, uint64_t value);
void wn_json_double(wn_json_writer *json, double value); /* shortest; null if not finite */
void wn_json_fixed(wn_json_writer *json, double value, int decimals);
void wn_json_bool(wn_json_writer *json, bool value);
void wn_json_null(wn_json_writer *json);

/* ---- Reading ----------------------------------------------------------------------------- */

typedef uint32_t wn_json_id;

enum {
    WN_JSON_NONE = 0,
    WN_JSON_ROOT = 1,
};

typedef enum wn_json_kind {
    WN_JSON_MISSING, /* node 0 */
    WN_JSON_NULL,
    WN_JSON_FALSE,
    WN_JSON_TRUE,
    WN_JSON_NUMBER,
    WN_JSON_STRING, /* also each key: it comes before its value */
    WN_JSON_ARRAY,
    WN_JSON_OBJECT,
} wn_json_kind;

typedef struct wn_json_node {
    const char *text; /* string: decoded; number: as it is in the source */
    uint32_t len;     /* of text; of an array or object the number of its values */
    wn_json_id next;  /* the node after this one and all it holds */
    uint8_t kind;     /* wn_json_kind */
} wn_json_node;

enum {
    /* Lone surrogates ("\ud800") stay, as WTF-8; otherwise each becomes U+FFFD. */
    WN_JSON_WTF8 = 1 << 0,
    /*
     * Accepts what web pages contain: raw control characters in strings, a comma before a bracket.
     */
    WN_JSON_RELAXED = 1 << 1,
};

/* Zero it before the first use; its memory is reused text after text. */
typedef struct wn_json {
    wn_array(wn_json_node) nodes;
    wn_array(wn_json_id) open; /* the reader's containers that still lack their end */
    const char *error;         /* NULL, or what is wrong; static */
    size_t error_offset;       /* where in the source */
} wn_json;

/* Containers nested deeper than this are an error: the default for max_depth 0. */
enum { WN_JSON_DEFAULT_DEPTH = 512 };

/*
 * Reads one value and the white space around it. False when the text is not JSON:
 * then `error` and `error_offset` tell why, and what was read up to there stays as a
 * sound array of nodes. Strings are slices of `source`, or of `arena` where they
 * had to be decoded; ill-formed UTF-8 in them becomes U+FFFD. Numbers are slices.
 */
bool wn_json_parse(wn_json *json, wn_arena *arena, wn_str source, unsigned flags,
                   uint32_t max_depth);
void wn_json_free(wn_json *json);

static inline const wn_json_node *wn_json_node_at(const wn_json *json, wn_json_id id)
{
    return &json->nodes.items[id];
}

/* The value of a member of an object; WN_JSON_NONE if there is none or `object` is none. */
wn_json_id wn_json_get(const wn_json *json, wn_json_id object, const char *key);

/* The text of a string, "" for any other kind. */
wn_str wn_json_text(const wn_json *json, wn_json_id id);

/* A number's value, `otherwise` for any other kind. It may be off in the last digit. */
double wn_json_number(const wn_json *json, wn_json_id id, double otherwise);

/* The same for counts: `otherwise` also for what is no number from 0 to 2^64 - 1. */
uint64_t wn_json_count(const wn_json *json, wn_json_id id, uint64_t otherwise);

/* Goes over the values of an array. */
#define wn_json_each(json, id, array)                                                              \
    for (wn_json_id id = (array) + 1; id < wn_json_node_at(json, array)->next;                     \
         id = wn_json_node_at(json, id)->next)

/* Goes over the keys of an object; the value of `key` is `key + 1`. */
#define wn_json_each_key(json, key, object)                                                        \
    for (wn_json_id key = (object) + 1; key < wn_json_node_at(json, object)->next;                 \
         key = wn_json_node_at(json, key + 1)->next)

#endif
