/*
 * In place of the server when winnow is built without libmicrohttpd.
 */
#include "serve/server.h"

bool wn_serve_run(const wn_serve_settings *settings, void (*started)(const wn_serve_start *start),
                  wn_buf *error)
{
    (void)settings;
    (void)started;
    wn_buf_add_literal(error, "this winnow was built without its server; install libmicrohttpd "
                              "(on Debian: libmicrohttpd-dev) and build it again");
    return false;
}
