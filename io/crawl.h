/*
 * Fetching many addresses, politely, into WARC records.
 *
 * Addresses are queued by host. A host gets one request at a time, with a delay between requests,
 * and its robots.txt is read before the first; many hosts are processed at once. Temporary failures
 * (no connection, 429, 5xx) are retried, each time after a longer wait. A redirect is recorded like
 * any response, and its target is queued.
 *
 * The safety rules of http.h hold: no address that is not public is connected to.
 */
#ifndef WN_IO_CRAWL_H
#define WN_IO_CRAWL_H

#include <stdbool.h>
#include <stdint.h>

#include "io/http.h"
#include "io/names.h"
#include "io/output.h"

typedef struct wn_io_crawl_settings {
    wn_io_http_settings http; /* its max_redirects is for each address that was given */
    size_t transfers;         /* at once, over all hosts */
    double delay;             /* seconds between two requests to a host */
    uint32_t retries;
    uint64_t limit; /* addresses in all; 0: no limit */
    bool ignore_robots;
    const char *agent; /* NULL: winnow's own */
} wn_io_crawl_settings;

typedef struct wn_io_crawl_counts {
    uint64_t fetched, unchanged, redirects, failed, refused; /* refused: by robots.txt */
    uint64_t known; /* in the output before: an earlier run was interrupted */
    uint64_t bytes;
    uint64_t records; /* responses that were written, whatever they say */
} wn_io_crawl_counts;

typedef struct wn_io_crawl wn_io_crawl;

/* Called to report a problem: an address and what is wrong with it. */
typedef void wn_io_crawl_report(void *data, const char *url, const char *problem);

/* `output` is borrowed, and open. NULL if out of memory. */
wn_io_crawl *wn_io_crawl_new(const wn_io_crawl_settings *settings, wn_io_output *output,
                             wn_io_crawl_report *report, void *data);
void wn_io_crawl_free(wn_io_crawl *crawl);

/*
 * Queues an address; one that was queued before is not queued again. False: it is not an address.
 */
bool wn_io_crawl_add(wn_io_crawl *crawl, wn_str url);

/* Queues a sitemap: what it lists is fetched, also through a sitemap of sitemaps. */
bool wn_io_crawl_add_sitemap(wn_io_crawl *crawl, wn_str url);

/*
 * Learns from an earlier archive what need not be sent again if it has not changed. Returns why it
 * cannot be read; NULL on success.
 */
const char *wn_io_crawl_learn(wn_io_crawl *crawl, const char *path);

/* Learns in the same way from the output of an interrupted run what is already done. */
const char *wn_io_crawl_take_up(wn_io_crawl *crawl, const char *path);

/* Does the work; `idle` is called several times per second. False if out of memory. */
bool wn_io_crawl_run(wn_io_crawl *crawl, void (*idle)(void *data));

const wn_io_crawl_counts *wn_io_crawl_counted(const wn_io_crawl *crawl);

/* Addresses that wait. */
uint64_t wn_io_crawl_waiting(const wn_io_crawl *crawl);

#endif
