#include "base/buf.h"

#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include "base/memory.h"

enum { FIRST_CAPACITY = 256 };

void wn_buf_free(wn_buf *buf)
{
    wn_memory_release(buf->ptr);
    *buf = (wn_buf){.max = buf->max};
}

bool wn_buf_reserve(wn_buf *buf, size_t more)
{
    assert(buf->len <= buf->cap && (buf->ptr || buf->cap == 0));
    size_t needed = buf->len + more;
    bool too_large = needed < more || (buf->max && needed > buf->max);
    if (buf->failed || too_large) {
        buf->failed = true;
        return false;
    }
    if (needed <= buf->cap)
        return true;
    size_t larger = buf->cap + buf->cap / 2;
    if (larger < needed)
        larger = needed;
    if (larger < FIRST_CAPACITY)
        larger = FIRST_CAPACITY;
    char *moved = wn_memory_resize(buf->ptr, larger);
    if (!moved) {
        buf->failed = true;
        return false;
    }
    buf->ptr = moved;
    buf->cap = larger;
    assert(buf->len + more <= buf->cap);
    return true;
}

void wn_buf_add(wn_buf *buf, wn_str s)
{
    if (s.len == 0 || !wn_buf_reserve(buf, s.len))
        return;
    assert(s.ptr + s.len <= buf->ptr || s.ptr >= buf->ptr + buf->cap); /* not from itself */
    memcpy(buf->ptr + buf->len, s.ptr, s.len);
    buf->len += s.len;
}

void wn_buf_add_repeated(wn_buf *buf, char c, size_t times)
{
    if (times == 0 || !wn_buf_reserve(buf, times))
        return;
    memset(buf->ptr + buf->len, c, times);
    buf->len += times;
}

void wn_buf_add_format(wn_buf *buf, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int size = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (size < 0 || !wn_buf_reserve(buf, (size_t)size + 1))
        return;
    va_start(args, format);
    vsnprintf(buf->ptr + buf->len, (size_t)size + 1, format, args);
    va_end(args);
    buf->len += (size_t)size;
}

const char *wn_buf_c_string(wn_buf *buf)
{
    if (!wn_buf_reserve(buf, 1))
        return "";
    buf->ptr[buf->len] = '\0';
    return buf->ptr;
}
