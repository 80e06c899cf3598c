/* Parts of the names of files. */
#ifndef WN_IO_PATH_H
#define WN_IO_PATH_H

#include "base/str.h"

/* The last part of a path: "c" of "a/b/c" and of "a/b/c//". */
static inline wn_str wn_io_path_last(wn_str path)
{
    while (path.len > 0 && path.ptr[path.len - 1] == '/')
        path.len--;
    size_t start = path.len;
    while (start > 0 && path.ptr[start - 1] != '/')
        start--;
    return wn_str_from_offset(path, start);
}

#endif
