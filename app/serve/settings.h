/* The settings of a server. Nothing here changes while it runs. */
#ifndef WN_SERVE_SETTINGS_H
#define WN_SERVE_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WN_SERVE_MAX_NAMES = 64 };

/* Whether the program gives up the rights that it does not need: see sandbox.h. */
typedef enum wn_serve_boxing {
    WN_SERVE_BOX_IF_POSSIBLE, /* as far as the kernel can */
    WN_SERVE_BOX_OR_FAIL,     /* it does not start where the kernel cannot */
    WN_SERVE_BOX_NOT,
} wn_serve_boxing;

typedef struct wn_serve_settings {
    const char *bind;  /* "127.0.0.1:8080", "[::1]:8080", "0.0.0.0:80" */
    const char *store; /* NULL: none */
    const char *token; /* that requests must carry; NULL: none */
    const char *user;  /* that the server becomes once it listens; NULL: stays what it is */

    /* Names in Host that are meant for this server, besides addresses and localhost. */
    const char *hosts[WN_SERVE_MAX_NAMES];
    size_t host_count;
    /* Origins whose pages may call it ("https://example.org", "*"), besides its own. */
    const char *origins[WN_SERVE_MAX_NAMES];
    size_t origin_count;

    bool fetch;         /* addresses may be given in place of pages */
    bool allow_private; /* also those that are not public */
    double fetch_timeout;

    size_t workers;       /* pages that are worked on at once */
    size_t queue;         /* requests that wait for a worker */
    size_t per_client;    /* requests of one address that wait or are worked on; 0: no limit */
    size_t connections;   /* open at once; 0: as many as the system allows, up to a limit */
    uint64_t max_bytes;   /* of a body, as it is sent and unpacked */
    uint64_t max_batch;   /* of the body of a batch */
    uint64_t max_waiting; /* of all bodies together */
    uint64_t max_memory;  /* working memory of a page */
    double max_time;      /* seconds for the extraction of a page */
    double timeout;       /* seconds in which a client must send or take something */
    double stop_timeout;  /* seconds that requests have to end when the server stops */

    wn_serve_boxing boxing;

    const char *log; /* a file; NULL: standard error */
    bool log_json, quiet;
} wn_serve_settings;

#endif
