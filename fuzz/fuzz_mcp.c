/*
 * Fuzzes messages of the Model Context Protocol: any line.
 *
 * Properties: there is no answer, or one line of JSON; no file is read, since no folder is allowed.
 */
#include "fuzz.h"

#include "serve/mcp.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const wn_serve_settings settings = {.max_bytes = 1 << 16, .max_memory = 32 << 20};
    static wn_serve_mcp mcp = {.settings = &settings};
    wn_json json = {0};
    wn_arena arena;
    if (!mcp.worker.page)
        wn_serve_worker_init(&mcp.worker, &settings);
    wn_buf_clear(&mcp.out);
    wn_serve_mcp_answer(&mcp, wn_str_from((const char *)data, size));
    if (mcp.out.len == 0)
        return 0;
    wn_arena_init(&arena, 0);
    FUZZ_CHECK(memchr(mcp.out.ptr, '\n', mcp.out.len) == mcp.out.ptr + mcp.out.len - 1);
    FUZZ_CHECK(wn_json_parse(&json, &arena, wn_buf_str(&mcp.out), 0, 0));
    wn_json_free(&json);
    wn_arena_free(&arena);
    return 0;
}
