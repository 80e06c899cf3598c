#include "serve/files.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "serve/handlers.h"

static const char *type_of(wn_str path)
{
    static const struct {
        const char *ending, *type;
    } types[] = {
        {".html", "text/html; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".mjs", "text/javascript; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".json", "application/json"},
        {".webmanifest", "application/manifest+json"},
        {".svg", "image/svg+xml"},
        {".png", "image/png"},
        {".ico", "image/x-icon"},
        {".wasm", "application/wasm"},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (wn_str_has_ending(path, wn_str_of(types[i].ending)))
            return types[i].type;
    return "text/plain; charset=utf-8";
}

static const wn_serve_embedded *find_file(wn_str path)
{
    path = wn_str_from_offset(path, 1);
    if (path.len == 0)
        path = WN_STR("index.html");
    for (const wn_serve_embedded *file = wn_serve_files; file->path; file++)
        if (wn_str_eq(path, wn_str_of(file->path)))
            return file;
    return NULL;
}

/* A mark of the content, so that a browser need not load it again. */
static wn_str mark_of(wn_serve_answer *answer, wn_str bytes)
{
    uint64_t hash = WN_HASH_FNV1A;
    char mark[32];
    for (size_t i = 0; i < bytes.len; i++)
        hash = wn_hash_fnv1a(hash, (unsigned char)bytes.ptr[i]);
    snprintf(mark, sizeof mark, "\"%016" PRIx64 "\"", hash);
    return wn_arena_copy(&answer->arena, wn_str_of(mark));
}

void wn_serve_file(wn_serve_worker *worker, const wn_serve_request *request,
                   wn_serve_answer *answer)
{
    (void)worker;
    const wn_serve_embedded *file = find_file(request->path);
    if (!file) {
        wn_serve_fail(answer, request, 404, "there is nothing at this path");
        return;
    }
    wn_str bytes = wn_str_between(file->start, file->end);
    wn_str mark = mark_of(answer, bytes);
    bool known = wn_str_eq(mark, wn_serve_header(request, "if-none-match"));
    answer->status = known ? 304 : 200;
    answer->type = type_of(wn_str_of(file->path));
    answer->is_page = true;
    answer->is_frame = strcmp(file->path, "images.html") == 0;
    answer->fixed = known ? WN_STR("") : bytes;
    wn_serve_answer_header(answer, "ETag", mark);
    wn_serve_answer_header(answer, "Cache-Control", WN_STR("no-cache"));
}
