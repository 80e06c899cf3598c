/*
 * winnow for assistants: a Model Context Protocol server over standard input and output.
 *
 * A message is a line of JSON-RPC. Two eras of the protocol are spoken, by what a request looks
 * like: revisions 2024-11-05 to 2025-11-25 begin with a handshake (initialize); since 2026-07-28
 * each request carries its version in _meta and there is no state.
 * https://modelcontextprotocol.io/specification
 *
 *     mcp.c         messages
 *     mcp_tools.c   the tools: fetch, extract, search
 */
#ifndef WN_SERVE_MCP_H
#define WN_SERVE_MCP_H

#include "base/json.h"
#include "io/http.h"
#include "serve/worker.h"

typedef struct wn_serve_mcp {
    const wn_serve_settings *settings;
    wn_serve_worker worker;
    wn_io_http *http; /* NULL: pages are not fetched */
    bool ignore_robots;
    const char *const *folders; /* real paths of the folders that files may be in */
    size_t folder_count;
    wn_json json;   /* the message at hand, */
    wn_arena arena; /* its strings */
    wn_buf out;     /* and the answer */
} wn_serve_mcp;

/* Answers one message: appends a line to mcp->out, or nothing if the message wants no answer. */
void wn_serve_mcp_answer(wn_serve_mcp *mcp, wn_str message);

/*
 * Reads messages from `in` and writes answers to `out` until the end of the input. False: out
 * failed.
 */
bool wn_serve_mcp_run(wn_serve_mcp *mcp, int in, int out);

/* ---- mcp_tools.c -------------------------------------------------------------------------- */

/* Writes the list of tools as a JSON array. */
void wn_serve_mcp_tools(const wn_serve_mcp *mcp, wn_json_writer *json);

/*
 * Calls a tool. The text for the assistant is appended to `text`; false: it says what went wrong.
 * *known tells whether there is such a tool.
 */
bool wn_serve_mcp_call(wn_serve_mcp *mcp, wn_str tool, wn_json_id arguments, wn_buf *text,
                       bool *known);

#endif
