/*
 * A growing byte buffer: the string type that owns its bytes.
 *
 * Writers append to one without checking each call. Failure is sticky: once
 * memory is out (or the size passes `max`) `failed` is set and appends do
 * nothing, so it is enough to ask at the end.
 */
#ifndef WN_BASE_BUF_H
#define WN_BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

typedef struct wn_buf {
    char *ptr;
    size_t len;
    size_t cap;
    size_t max; /* 0: no limit */
    bool failed;
} wn_buf;

/* Empties the buffer and clears the failure; keeps its memory. */
static inline void wn_buf_clear(wn_buf *buf)
{
    buf->len = 0;
    buf->failed = false;
}

void wn_buf_free(wn_buf *buf);

/* Makes room for `more` bytes after the end; false when that failed. */
bool wn_buf_reserve(wn_buf *buf, size_t more);

void wn_buf_add(wn_buf *buf, wn_str s);
void wn_buf_add_repeated(wn_buf *buf, char c, size_t times);

static inline void wn_buf_add_char(wn_buf *buf, char c)
{
    if (buf->len < buf->cap || wn_buf_reserve(buf, 1))
        buf->ptr[buf->len++] = c;
}

static inline void wn_buf_add_literal(wn_buf *buf, const char *c_string)
{
    wn_buf_add(buf, wn_str_of(c_string));
}

void wn_buf_add_format(wn_buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The bytes as a C string; they end with a NUL that is not counted. "" if out of memory. */
const char *wn_buf_c_string(wn_buf *buf);

static inline wn_str wn_buf_str(const wn_buf *buf)
{
    return wn_str_from(buf->len ? buf->ptr : "", buf->len);
}

#endif
