#include "io/crawl.h"

#include <curl/curl.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/url.h"
#include "io/codec.h"
#include "io/progress.h"
#include "io/response.h"
#include "io/robots.h"
#include "io/warc.h"
#include "io/warc_write.h"
#include "winnow.h"

enum {
    MAX_URL = 8192,
    ROBOTS_REDIRECTS = 5,
    SITEMAP_DEPTH = 3, /* sitemaps of sitemaps */
    MAX_SITEMAP = 64 << 20,
    POLL_MILLISECONDS = 100,
    HEAD_LOOK = 64 << 10,
};

/* The first wait before a retry, in seconds; it doubles each time. */
static const double FIRST_BACKOFF = 1;
static const double MAX_BACKOFF = 120;

typedef enum job_kind { JOB_PAGE, JOB_SITEMAP, JOB_ROBOTS } job_kind;

/* One address to fetch. Its number is that of its name. */
typedef struct job {
    uint32_t next; /* of the same host; WN_IO_NO_NAME: none */
    uint8_t kind;
    uint8_t redirects; /* that led to it */
    uint8_t tries;
    uint8_t depth; /* of a sitemap */
    bool queued;   /* not to be queued again */
    bool done;     /* by an earlier run; a sitemap is read again for what it lists */
} job;

typedef enum robots_state {
    ROBOTS_UNKNOWN,
    ROBOTS_ASKED,
    ROBOTS_KNOWN,
    ROBOTS_REFUSED
} robots_state;

/* A host: one request at a time, with pauses, http and https together. */
typedef struct server {
    double ready; /* when the next request may be made */
    bool busy;
} server;

/* An origin: a host and one of the two schemes. */
typedef struct host {
    uint32_t server;
    uint32_t first, last; /* of its queue of jobs */
    robots_state state;
    const char *robots;      /* its text; NULL: all is allowed */
    const char *problem;     /* why it could not be had, if the state is ROBOTS_REFUSED */
    const char *credentials; /* "user:password@" of the user's address; NULL: none */
    double delay;
    uint8_t robots_tries;
    bool listed; /* in `active` */
} host;

/* What an archive of an earlier time says of an address. */
typedef struct known {
    const char *etag, *modified, *id, *date; /* NULL: not known */
} known;

/* One transfer and what has come of it. */
typedef struct transfer {
    CURL *curl;
    struct curl_slist *headers;
    wn_io_crawl *crawl;
    bool active;
    job_kind kind;
    uint32_t job, host;
    wn_io_refusal refusal;
    wn_buf head, body, request;
    size_t head_size; /* of the response, trailers included, of which none goes to `head` */
    bool cut;
    char error[CURL_ERROR_SIZE];
} transfer;

struct wn_io_crawl {
    wn_io_crawl_settings settings;
    wn_io_output *output;
    wn_io_crawl_report *report;
    void *data;
    CURLM *multi;
    transfer *transfers;
    wn_io_names urls, origins, servers, earlier;
    wn_array(job) jobs;
    wn_array(host) hosts;           /* by the number in `origins` */
    wn_array(server) server_states; /* by the number in `servers` */
    wn_array(uint32_t) active;      /* hosts with something to do */
    wn_array(known) known;          /* by the number in `earlier` */
    wn_arena arena;
    wn_io_body_decoder decoder;
    wn_io_crawl_counts counts;
    uint64_t queued, waiting;
    size_t running;
    uint32_t cursor; /* in `active`: hosts take turns */
    char agent[64];
    wn_str robots_name; /* by which robots.txt knows us */
    bool failed;        /* out of memory */
};

/* ---- Addresses --------------------------------------------------------------------------- */

/* "https://example.org:8080" of an address; "" if it is not an http address with a host. */
static wn_str origin_of(wn_str url)
{
    if (!wn_url_has_scheme(url, WN_STR("http")) && !wn_url_has_scheme(url, WN_STR("https")))
        return WN_STR("");
    const char *slashes = memchr(url.ptr, ':', url.len);
    size_t start = (size_t)(slashes - url.ptr) + 3, end = start;
    if (start >= url.len || slashes[1] != '/' || slashes[2] != '/')
        return WN_STR("");
    while (end < url.len && !strchr("/?#", url.ptr[end]))
        end++;
    return end > start ? wn_str_from(url.ptr, end) : WN_STR("");
}

/* The part after the host, "/" if there is none. */
static wn_str path_of(wn_str url)
{
    wn_str path = wn_str_from_offset(url, origin_of(url).len);
    return path.len > 0 && *path.ptr == '/' ? path : WN_STR("/");
}

/* The address as requested: resolved, normalised, without its fragment. */
static bool normalise(wn_buf *out, wn_str base, wn_str url)
{
    wn_buf_clear(out);
    wn_url_resolve(out, base.len ? base : wn_str_trim(url), wn_str_trim(url));
    const char *fragment = out->len ? memchr(out->ptr, '#', out->len) : NULL;
    if (fragment)
        out->len = (size_t)(fragment - out->ptr);
    return !out->failed && out->len < MAX_URL && origin_of(wn_buf_str(out)).len > 0 &&
           !memchr(out->ptr, '\r', out->len) && !memchr(out->ptr, '\n', out->len);
}

/* ---- Queues ------------------------------------------------------------------------------ */

static uint32_t server_for(wn_io_crawl *c, wn_str origin)
{
    bool added;
    size_t scheme = wn_str_find(origin, WN_STR("://"));
    wn_str name = wn_str_from_offset(origin, scheme + 3);
    uint32_t number = wn_io_names_add(&c->servers, name, &added);
    server *s = added ? wn_array_push(&c->server_states) : NULL;
    if (s)
        *s = (server){0};
    c->failed = c->failed || number == WN_IO_NO_NAME || (added && !s);
    return number;
}

static server *server_of(const wn_io_crawl *c, uint32_t host_number)
{
    return &c->server_states.items[c->hosts.items[host_number].server];
}

static uint32_t host_for(wn_io_crawl *c, wn_str url)
{
    bool added;
    uint32_t number = wn_io_names_add(&c->origins, origin_of(url), &added);
    host *h = added ? wn_array_push(&c->hosts) : NULL;
    if (h)
        *h = (host){.server = server_for(c, origin_of(url)),
                    .first = WN_IO_NO_NAME,
                    .last = WN_IO_NO_NAME,
                    .delay = c->settings.delay,
                    .state = c->settings.ignore_robots ? ROBOTS_KNOWN : ROBOTS_UNKNOWN};
    c->failed = c->failed || number == WN_IO_NO_NAME || (added && !h);
    return c->failed ? WN_IO_NO_NAME : number;
}

static void activate(wn_io_crawl *c, uint32_t number)
{
    host *h = &c->hosts.items[number];
    uint32_t *place = h->listed ? NULL : wn_array_push(&c->active);
    if (place)
        *place = number;
    h->listed = true;
}

/* Puts a job to the end of its host's queue, or to its front. */
static void enqueue(wn_io_crawl *c, uint32_t number, bool front)
{
    uint32_t host_number = host_for(c, wn_str_of(c->urls.strings.items[number]));
    if (host_number == WN_IO_NO_NAME)
        return;
    host *h = &c->hosts.items[host_number];
    job *j = &c->jobs.items[number];
    j->next = front ? h->first : WN_IO_NO_NAME;
    if (front || h->first == WN_IO_NO_NAME)
        h->first = number;
    else
        c->jobs.items[h->last].next = number;
    if (!front || j->next == WN_IO_NO_NAME)
        h->last = number;
    c->waiting++;
    activate(c, host_number);
}

/* The job of an address, made if it is new; WN_IO_NO_NAME if out of memory. */
static uint32_t job_for(wn_io_crawl *c, wn_str url)
{
    bool added;
    uint32_t number = wn_io_names_add(&c->urls, url, &added);
    job *j = added ? wn_array_push(&c->jobs) : NULL;
    if (j)
        *j = (job){.next = WN_IO_NO_NAME};
    c->failed = c->failed || number == WN_IO_NO_NAME || (added && !j);
    return c->failed ? WN_IO_NO_NAME : number;
}

/*
 * Credentials are sent to the server that the user gave them for, and are not part of the address,
 * which is recorded and shown. Those of pages and redirects do not count.
 */
static void keep_credentials(wn_io_crawl *c, wn_str address, wn_str credentials)
{
    uint32_t number = credentials.len > 0 ? host_for(c, address) : WN_IO_NO_NAME;
    if (number == WN_IO_NO_NAME)
        return;
    c->hosts.items[number].credentials = wn_arena_c_string(&c->arena, credentials);
    c->failed = c->failed || c->arena.failed;
}

static bool add_job(wn_io_crawl *c, wn_str base, wn_str url, job_kind kind, unsigned redirects,
                    unsigned depth)
{
    wn_buf given = {0}, address = {0};
    bool good = normalise(&given, base, url);
    wn_url_add_without_credentials(&address, wn_buf_str(&given));
    good = good && !address.failed && origin_of(wn_buf_str(&address)).len > 0;
    uint32_t number = good ? job_for(c, wn_buf_str(&address)) : WN_IO_NO_NAME;
    if (number != WN_IO_NO_NAME && base.len == 0 && redirects == 0)
        keep_credentials(c, wn_buf_str(&address), wn_url_credentials(wn_buf_str(&given)));
    wn_buf_free(&given);
    wn_buf_free(&address);
    if (number == WN_IO_NO_NAME || c->jobs.items[number].queued ||
        (c->jobs.items[number].done && kind == JOB_PAGE))
        return good;
    c->queued -= c->jobs.items[number].done; /* it was taken for a page, which it is not */
    if (kind == JOB_PAGE && c->settings.limit && c->queued >= c->settings.limit && redirects == 0)
        return good;
    job *j = &c->jobs.items[number];
    *j = (job){.next = WN_IO_NO_NAME,
               .kind = (uint8_t)kind,
               .redirects = (uint8_t)redirects,
               .depth = (uint8_t)depth,
               .queued = true};
    c->queued += kind == JOB_PAGE;
    enqueue(c, number, redirects > 0);
    return good;
}

bool wn_io_crawl_add(wn_io_crawl *c, wn_str url)
{
    return add_job(c, WN_STR(""), url, JOB_PAGE, 0, 0);
}

bool wn_io_crawl_add_sitemap(wn_io_crawl *c, wn_str url)
{
    return add_job(c, WN_STR(""), url, JOB_SITEMAP, 0, 0);
}

uint64_t wn_io_crawl_waiting(const wn_io_crawl *c)
{
    return c->waiting + c->running;
}

const wn_io_crawl_counts *wn_io_crawl_counted(const wn_io_crawl *c)
{
    return &c->counts;
}

/* ---- Transfers --------------------------------------------------------------------------- */

/* Whether the empty line has arrived: later lines are trailers, which come after the body. */
static bool is_complete(wn_str head)
{
    wn_str end = wn_str_from_offset(head, head.len > 3 ? head.len - 3 : 0);
    return wn_str_eq(end, WN_STR("\n\r\n")) ||
           wn_str_eq(wn_str_from_offset(end, 1), WN_STR("\n\n"));
}

static size_t take_head(char *bytes, size_t one, size_t size, void *client)
{
    transfer *t = client;
    (void)one;
    /* Answers before the last (100 Continue, the redirects of robots.txt) do not count. */
    if (wn_str_starts(wn_str_from(bytes, size), WN_STR("HTTP/"))) {
        wn_buf_clear(&t->head);
        t->head_size = 0;
    }
    t->head_size += size;
    if (t->head_size > WN_IO_HTTP_MAX_HEADERS)
        return 0;
    if (!is_complete(wn_buf_str(&t->head)))
        wn_buf_add(&t->head, wn_str_from(bytes, size));
    return size;
}

static uint64_t body_limit(const transfer *t)
{
    if (t->kind == JOB_ROBOTS)
        return WN_IO_ROBOTS_MAX;
    uint64_t most = t->crawl->settings.http.max_bytes;
    return t->kind == JOB_SITEMAP && most < MAX_SITEMAP ? MAX_SITEMAP : most;
}

static size_t take_body(char *bytes, size_t one, size_t size, void *client)
{
    transfer *t = client;
    (void)one;
    size_t room = (size_t)body_limit(t) - t->body.len;
    t->cut = size > room;
    wn_buf_add(&t->body, wn_str_from(bytes, t->cut ? room : size));
    return t->cut || t->body.failed ? 0 : size;
}

/* The record shows what was actually sent. */
static int take_debug(CURL *curl, curl_infotype type, char *bytes, size_t size, void *client)
{
    transfer *t = client;
    (void)curl;
    if (type == CURLINFO_HEADER_OUT)
        wn_buf_add(&t->request, wn_str_from(bytes, size));
    return 0;
}

static bool open_transfer(wn_io_crawl *c, transfer *t)
{
    t->crawl = c;
    CURL *curl = t->curl = curl_easy_init();
    if (!curl)
        return false;
    wn_io_http_set_safety(curl, &c->settings.http, &t->refusal);
    curl_easy_setopt(curl, CURLOPT_PRIVATE, t);
    curl_easy_setopt(curl, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(curl, CURLOPT_HTTP_CONTENT_DECODING, 0L); /* archives keep what was sent */
    curl_easy_setopt(curl, CURLOPT_USERAGENT, c->settings.agent ? c->settings.agent : c->agent);
    curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, t->error);
    curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, take_head);
    curl_easy_setopt(curl, CURLOPT_HEADERDATA, t);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_body);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, t);
    curl_easy_setopt(curl, CURLOPT_VERBOSE, 1L);
    curl_easy_setopt(curl, CURLOPT_DEBUGFUNCTION, take_debug);
    curl_easy_setopt(curl, CURLOPT_DEBUGDATA, t);
    return true;
}

static void add_header(transfer *t, const char *name, const char *value)
{
    wn_buf line = {0};
    wn_buf_add_format(&line, "%s: %s", name, value);
    t->headers = curl_slist_append(t->headers, wn_buf_c_string(&line));
    wn_buf_free(&line);
}

static const known *known_of(const wn_io_crawl *c, const char *url)
{
    uint32_t number = wn_io_names_find(&c->earlier, wn_str_of(url));
    return number == WN_IO_NO_NAME ? NULL : &c->known.items[number];
}

static void set_headers(wn_io_crawl *c, transfer *t, const char *url)
{
    curl_slist_free_all(t->headers);
    t->headers = curl_slist_append(NULL, "Accept: text/html, application/xhtml+xml, */*;q=0.5");
    t->headers = curl_slist_append(t->headers, wn_io_codec_available(WN_IO_CODEC_BROTLI)
                                                   ? "Accept-Encoding: gzip, deflate, br"
                                                   : "Accept-Encoding: gzip, deflate");
    const known *k = t->kind == JOB_PAGE ? known_of(c, url) : NULL;
    if (k && k->etag)
        add_header(t, "If-None-Match", k->etag);
    if (k && k->modified)
        add_header(t, "If-Modified-Since", k->modified);
    curl_easy_setopt(t->curl, CURLOPT_HTTPHEADER, t->headers);
}

/* Gives libcurl the address, with the credentials of its host. */
static void set_address(wn_io_crawl *c, transfer *t, const char *url)
{
    const char *credentials = c->hosts.items[t->host].credentials;
    wn_buf address = {0};
    size_t host = wn_str_find(wn_str_of(url), WN_STR("://")) + 3;
    wn_buf_add(&address, wn_str_from(url, host));
    wn_buf_add_literal(&address, credentials ? credentials : "");
    wn_buf_add_literal(&address, url + host);
    c->failed = c->failed || address.failed ||
                curl_easy_setopt(t->curl, CURLOPT_URL, wn_buf_c_string(&address)) != CURLE_OK;
    wn_buf_free(&address);
}

static void begin_transfer(wn_io_crawl *c, transfer *t, const char *url)
{
    wn_buf_clear(&t->head);
    t->head_size = 0;
    wn_buf_clear(&t->body);
    wn_buf_clear(&t->request);
    t->cut = false;
    t->error[0] = '\0';
    t->refusal.why = NULL;
    bool robots = t->kind == JOB_ROBOTS;
    set_address(c, t, url);
    curl_easy_setopt(t->curl, CURLOPT_FOLLOWLOCATION, robots ? 1L : 0L);
    curl_easy_setopt(t->curl, CURLOPT_MAXREDIRS, (long)ROBOTS_REDIRECTS);
    set_headers(c, t, url);
    t->active = curl_multi_add_handle(c->multi, t->curl) == CURLM_OK;
    c->failed = c->failed || !t->active;
    server_of(c, t->host)->busy = true;
    c->running++;
}

/* ---- Records ----------------------------------------------------------------------------- */

static wn_str reply_value(const transfer *t, const char *name)
{
    return wn_io_header_value(wn_buf_str(&t->head), wn_str_of(name));
}

/*
 * libcurl has joined the chunks, so the header that declares them is renamed, as other crawlers do;
 * all other lines are unchanged.
 */
static void stored_head(wn_str head, wn_buf *out)
{
    static const wn_str chunks = WN_STR("Transfer-Encoding:");
    while (head.len > 0) {
        const char *end = memchr(head.ptr, '\n', head.len);
        size_t length = end ? (size_t)(end + 1 - head.ptr) : head.len;
        if (wn_str_starts_nocase(head, chunks))
            wn_buf_add_literal(out, "X-Crawl-");
        wn_buf_add(out, wn_str_from(head.ptr, length));
        head = wn_str_from_offset(head, length);
    }
}

static void add_line(wn_buf *out, const char *name, const char *value)
{
    if (value)
        wn_buf_add_format(out, "%s: %s\r\n", name, value);
}

/* Of a page that did not change: what it is a repetition of. */
static void revisit_lines(wn_buf *out, const known *k, const char *url)
{
    add_line(out, "WARC-Profile", "http://netpreserve.org/warc/1.1/revisit/server-not-modified");
    add_line(out, "WARC-Refers-To", k->id);
    add_line(out, "WARC-Refers-To-Target-URI", url);
    add_line(out, "WARC-Refers-To-Date", k->date);
}

/* What a record says of a body that did not come whole; NULL: it did. */
static const char *truncation(const transfer *t, CURLcode result)
{
    if (t->cut)
        return "length";
    return result == CURLE_OPERATION_TIMEDOUT ? "time" : NULL;
}

/* Writes the response, with what it is a repetition of if it is unchanged. */
static void write_response(wn_io_crawl *c, const transfer *t, const known *unchanged,
                           const wn_io_warc_entry *common)
{
    wn_buf head = {0}, extra = {0};
    wn_io_warc_entry response = *common;
    stored_head(wn_buf_str(&t->head), &head);
    if (unchanged)
        revisit_lines(&extra, unchanged, common->url);
    response.type = unchanged ? "revisit" : "response";
    response.content_type = "application/http; msgtype=response";
    response.extra = wn_buf_str(&extra);
    response.head = wn_buf_str(&head);
    response.body = unchanged ? WN_STR("") : wn_buf_str(&t->body);
    response.has_payload = !unchanged;
    wn_io_warc_write(c->output, &response);
    wn_buf_free(&head);
    wn_buf_free(&extra);
}

/* Archives are passed on, and a password must not be: its line is left out. */
static void stored_request(wn_str request, wn_buf *out)
{
    while (request.len > 0) {
        const char *end = memchr(request.ptr, '\n', request.len);
        size_t length = end ? (size_t)(end + 1 - request.ptr) : request.len;
        if (!wn_str_starts_nocase(request, WN_STR("Authorization:")) &&
            !wn_str_starts_nocase(request, WN_STR("Proxy-Authorization:")))
            wn_buf_add(out, wn_str_from(request.ptr, length));
        request = wn_str_from_offset(request, length);
    }
}

static void write_request(wn_io_crawl *c, const transfer *t, const wn_io_warc_entry *response)
{
    char id[WN_IO_RECORD_ID];
    wn_buf head = {0};
    wn_io_record_id(id);
    stored_request(wn_buf_str(&t->request), &head);
    wn_io_warc_write(c->output, &(wn_io_warc_entry){
                                    .type = "request",
                                    .url = response->url,
                                    .id = id,
                                    .date = response->date,
                                    .ip = response->ip,
                                    .concurrent_to = response->id,
                                    .content_type = "application/http; msgtype=request",
                                    .extra = WN_STR(""),
                                    .head = wn_buf_str(&head),
                                    .body = WN_STR(""),
                                });
    wn_buf_free(&head);
}

static void write_records(wn_io_crawl *c, transfer *t, const char *url, const known *unchanged,
                          CURLcode result)
{
    char id[WN_IO_RECORD_ID], date[WN_IO_RECORD_DATE];
    char *ip = NULL;
    wn_io_record_id(id);
    wn_io_record_date(date);
    curl_easy_getinfo(t->curl, CURLINFO_PRIMARY_IP, &ip);
    wn_io_warc_entry common = {
        .url = url, .id = id, .date = date, .ip = ip, .truncated = truncation(t, result)};
    write_response(c, t, unchanged, &common);
    write_request(c, t, &common);
    c->counts.records++;
    wn_io_output_checkpoint(c->output, WN_STR("fetch\n"));
}

/* ---- What came back ---------------------------------------------------------------------- */

static void say(wn_io_crawl *c, const char *url, const char *problem)
{
    c->report(c->data, url, problem);
}

/* Says that an address failed, and counts it. */
static void say_failed(wn_io_crawl *c, const char *url, const char *problem)
{
    c->counts.failed++;
    say(c, url, problem);
}

/* If a host has several addresses, one may be private and another may have answered. */
static bool was_refused(const transfer *t, CURLcode result)
{
    return t->refusal.why && result == CURLE_COULDNT_CONNECT;
}

static void describe(const transfer *t, CURLcode result, long status, wn_buf *out)
{
    if (was_refused(t, result))
        wn_buf_add_format(out, "%s is %s; --allow-private permits it", t->refusal.address,
                          t->refusal.why);
    else if (result != CURLE_OK)
        wn_buf_add_literal(out, *t->error ? t->error : curl_easy_strerror(result));
    else
        wn_buf_add_format(out, "the server answers with HTTP status %ld", status);
}

/* Whether a retry may succeed. */
static bool may_pass(CURLcode result, long status, const transfer *t)
{
    if (was_refused(t, result) || t->cut)
        return false;
    if (result != CURLE_OK)
        return result != CURLE_URL_MALFORMAT && result != CURLE_UNSUPPORTED_PROTOCOL &&
               result != CURLE_TOO_MANY_REDIRECTS;
    return status == 429 || status >= 500;
}

static double backoff(const transfer *t, unsigned tries)
{
    double wait = FIRST_BACKOFF * (double)(1u << (tries < 8 ? tries : 8));
    wn_buf text = {0};
    wn_buf_add(&text, reply_value(t, "Retry-After"));
    double asked = strtod(wn_buf_c_string(&text), NULL);
    wn_buf_free(&text);
    if (asked > wait)
        wait = asked;
    return wait < MAX_BACKOFF ? wait : MAX_BACKOFF;
}

/* The body of an answer of which only chunks were undone. */
static wn_str body_of(wn_io_crawl *c, const transfer *t, uint64_t max)
{
    wn_io_response response = {.body = wn_buf_str(&t->body),
                               .content_encoding = reply_value(t, "Content-Encoding")};
    response.transfer_encoding = response.content_type = WN_STR("");
    return wn_io_response_body(&c->decoder, &response, max);
}

/* Takes what comes before `end` off `rest`; false, and all of it, if that does not come. */
static bool cut_before(wn_str *rest, wn_str end, wn_str *before)
{
    size_t length = wn_str_find(*rest, end);
    bool found = length < rest->len;
    *before = wn_str_from(rest->ptr, length);
    *rest = wn_str_from_offset(*rest, length + end.len);
    return found;
}

/* The text of the next <loc> of a sitemap; false if there is none. */
static bool next_location(wn_str *rest, wn_buf *address)
{
    static const wn_str data = WN_STR("<![CDATA[");
    wn_str text;
    if (!cut_before(rest, WN_STR("<loc>"), &text))
        return false;
    while (rest->len > 0 && wn_is_space(*rest->ptr))
        *rest = wn_str_from_offset(*rest, 1);
    bool raw = wn_str_starts(*rest, data);
    *rest = wn_str_from_offset(*rest, raw ? data.len : 0);
    if (!cut_before(rest, raw ? WN_STR("]]>") : WN_STR("<"), &text))
        return false;
    wn_buf_clear(address);
    for (size_t i = 0; i < text.len; i++) {
        wn_buf_add_char(address, text.ptr[i]);
        if (!raw && wn_str_starts(wn_str_from_offset(text, i), WN_STR("&amp;")))
            i += 4;
    }
    return true;
}

/* Queues the addresses of a sitemap; those of a sitemap index are sitemaps. */
static void read_sitemap(wn_io_crawl *c, transfer *t, const char *url, const job *from)
{
    wn_str rest = body_of(c, t, MAX_SITEMAP);
    wn_str start = wn_str_from(rest.ptr, rest.len < 4096 ? rest.len : 4096);
    bool index = wn_str_contains_nocase(start, WN_STR("<sitemapindex"));
    bool sitemap = index || wn_str_contains_nocase(start, WN_STR("<urlset"));
    unsigned depth = from->depth + 1u;
    wn_buf address = {0};
    while (next_location(&rest, &address)) {
        sitemap = true;
        if (!index || depth < SITEMAP_DEPTH)
            add_job(c, wn_str_of(url), wn_buf_str(&address), index ? JOB_SITEMAP : JOB_PAGE, 0,
                    depth);
    }
    wn_buf_free(&address);
    if (!sitemap)
        say_failed(c, url, "it is not an XML sitemap");
}

static bool is_redirect(const transfer *t, long status)
{
    return status >= 300 && status <= 399 && status != 304 && reply_value(t, "Location").len > 0;
}

static void follow_redirect(wn_io_crawl *c, const transfer *t, const char *url, const job *from)
{
    wn_buf target = {0};
    if (!normalise(&target, wn_str_of(url), reply_value(t, "Location"))) {
        say_failed(c, url, "it redirects to an address that is neither http nor https");
    } else if (wn_str_eq(wn_buf_str(&target), wn_str_of(url))) {
        say_failed(c, url, "it redirects to itself, as sites do that require a cookie");
    } else if (from->redirects >= c->settings.http.max_redirects) {
        say_failed(c, url, "it has more redirects than --max-redirects allows");
    } else {
        c->counts.redirects++;
        add_job(c, WN_STR(""), wn_buf_str(&target), (job_kind)from->kind, from->redirects + 1u,
                from->depth);
    }
    wn_buf_free(&target);
}

/* Tries again later; false when it was tried often enough. */
static bool retry(wn_io_crawl *c, transfer *t)
{
    job *j = &c->jobs.items[t->job];
    if (j->tries >= c->settings.retries)
        return false;
    server_of(c, t->host)->ready = wn_io_seconds() + backoff(t, j->tries++);
    enqueue(c, t->job, true);
    return true;
}

static void finish_page(wn_io_crawl *c, transfer *t, CURLcode result, long status)
{
    const char *url = c->urls.strings.items[t->job];
    const known *k = status == 304 ? known_of(c, url) : NULL;
    if (may_pass(result, status, t) && retry(c, t))
        return;
    if (t->head.len > 0 && (result == CURLE_OK || t->cut || result == CURLE_OPERATION_TIMEDOUT))
        write_records(c, t, url, k, result);
    job from = c->jobs.items[t->job];
    if (k) {
        c->counts.unchanged++;
    } else if (result == CURLE_OK && is_redirect(t, status)) {
        follow_redirect(c, t, url, &from);
    } else if ((result == CURLE_OK || t->cut) && status >= 200 && status <= 299) {
        c->counts.fetched++;
        c->counts.bytes += t->body.len;
        if (from.kind == JOB_SITEMAP)
            read_sitemap(c, t, url, &from);
        if (t->cut)
            say(c, url, "it is longer than --max-bytes and was truncated");
    } else {
        wn_buf problem = {0};
        describe(t, result, status, &problem);
        say_failed(c, url, wn_buf_c_string(&problem));
        wn_buf_free(&problem);
    }
}

static void read_robots(wn_io_crawl *c, const transfer *t, host *h)
{
    h->robots = wn_arena_c_string(&c->arena, body_of(c, t, WN_IO_ROBOTS_MAX));
    c->failed = c->failed || c->arena.failed; /* then nothing is allowed */
    double delay = wn_io_robots_delay(wn_str_of(h->robots), c->robots_name);
    if (delay > h->delay)
        h->delay = delay;
}

/*
 * https://www.rfc-editor.org/rfc/rfc9309#section-2.3.1: 4xx allows everything, 5xx nothing, and
 * neither does 429 (too many requests).
 */
static void finish_robots(wn_io_crawl *c, transfer *t, CURLcode result, long status)
{
    host *h = &c->hosts.items[t->host];
    if (may_pass(result, status, t) && h->robots_tries < c->settings.retries) {
        server_of(c, t->host)->ready = wn_io_seconds() + backoff(t, h->robots_tries++);
        h->state = ROBOTS_UNKNOWN;
        return;
    }
    bool arrived = (result == CURLE_OK || t->cut) && status < 500 && status != 429;
    h->state = arrived ? ROBOTS_KNOWN : ROBOTS_REFUSED;
    if (!arrived) {
        wn_buf problem = {0};
        wn_buf_add_literal(&problem, "robots.txt could not be fetched, so nothing is allowed: ");
        describe(t, result, status, &problem);
        h->problem = wn_arena_c_string(&c->arena, wn_buf_str(&problem));
        wn_buf_free(&problem);
    } else if (status >= 200 && status <= 299) {
        read_robots(c, t, h);
    }
}

static void finish_transfer(wn_io_crawl *c, transfer *t, CURLcode result)
{
    long status = 0;
    curl_easy_getinfo(t->curl, CURLINFO_RESPONSE_CODE, &status);
    curl_multi_remove_handle(c->multi, t->curl);
    t->active = false;
    c->running--;
    *server_of(c, t->host) = (server){.ready = wn_io_seconds() + c->hosts.items[t->host].delay};
    if (t->kind == JOB_ROBOTS)
        finish_robots(c, t, result, status);
    else
        finish_page(c, t, result, status);
    activate(c, t->host);
}

/* ---- Who is next ------------------------------------------------------------------------- */

static uint32_t take_job(wn_io_crawl *c, host *h)
{
    uint32_t number = h->first;
    h->first = c->jobs.items[number].next;
    c->waiting--;
    return number;
}

/* Whether robots.txt lets us; if not, that is said. */
static bool is_allowed(wn_io_crawl *c, const host *h, uint32_t number)
{
    const char *url = c->urls.strings.items[number];
    if (h->state != ROBOTS_KNOWN) {
        say_failed(c, url, h->problem);
        return false;
    }
    if (!h->robots ||
        wn_io_robots_allow(wn_str_of(h->robots), c->robots_name, path_of(wn_str_of(url))))
        return true;
    c->counts.refused++;
    say(c, url, "robots.txt does not allow it");
    return false;
}

static void ask_robots(wn_io_crawl *c, transfer *t, uint32_t number)
{
    wn_buf url = {0};
    wn_buf_add_format(&url, "%s/robots.txt", c->origins.strings.items[number]);
    t->kind = JOB_ROBOTS;
    t->host = number;
    c->hosts.items[number].state = ROBOTS_ASKED;
    begin_transfer(c, t, wn_buf_c_string(&url));
    wn_buf_free(&url);
}

/* Gives the transfer something to do at this host; false if it has nothing. */
static bool use_host(wn_io_crawl *c, transfer *t, uint32_t number)
{
    host *h = &c->hosts.items[number];
    if (h->state == ROBOTS_UNKNOWN && h->first != WN_IO_NO_NAME) {
        ask_robots(c, t, number);
        return true;
    }
    while (h->first != WN_IO_NO_NAME) {
        uint32_t job_number = take_job(c, h);
        if (c->jobs.items[job_number].done || !is_allowed(c, h, job_number))
            continue;
        t->kind = (job_kind)c->jobs.items[job_number].kind;
        t->job = job_number;
        t->host = number;
        begin_transfer(c, t, c->urls.strings.items[job_number]);
        return true;
    }
    return false;
}

/* Hosts take turns; one with nothing left to do leaves the list until it has work again. */
static bool start_one(wn_io_crawl *c, transfer *t, double now)
{
    for (uint32_t looked = 0; looked < c->active.count;) {
        if (c->cursor >= c->active.count)
            c->cursor = 0;
        uint32_t number = c->active.items[c->cursor];
        const server *s = server_of(c, number);
        if (s->busy || (s->ready > now && c->hosts.items[number].first != WN_IO_NO_NAME)) {
            c->cursor++;
            looked++;
        } else if (use_host(c, t, number)) {
            c->cursor++;
            return true;
        } else {
            c->hosts.items[number].listed = false;
            c->active.items[c->cursor] = c->active.items[--c->active.count];
        }
    }
    return false;
}

static void start_transfers(wn_io_crawl *c)
{
    double now = wn_io_seconds();
    for (size_t i = 0; i < c->settings.transfers && !c->failed; i++) {
        if (!c->transfers[i].active && !start_one(c, &c->transfers[i], now))
            return;
    }
}

static void collect(wn_io_crawl *c)
{
    int left;
    CURLMsg *message;
    while ((message = curl_multi_info_read(c->multi, &left)) != NULL) {
        transfer *t = NULL;
        if (message->msg != CURLMSG_DONE)
            continue;
        CURLcode result = message->data.result;
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&t);
        finish_transfer(c, t, result);
    }
}

bool wn_io_crawl_run(wn_io_crawl *c, void (*idle)(void *data))
{
    while (!c->failed && c->output->state == WN_IO_OUTPUT_OPEN) {
        int running;
        start_transfers(c);
        if (c->running == 0 && c->active.count == 0)
            break;
        curl_multi_perform(c->multi, &running);
        collect(c);
        curl_multi_poll(c->multi, NULL, 0, c->running ? POLL_MILLISECONDS : POLL_MILLISECONDS / 4,
                        NULL);
        if (idle)
            idle(c->data);
    }
    return !c->failed;
}

/* ---- Earlier archives -------------------------------------------------------------------- */

typedef void learn_record(wn_io_crawl *c, const wn_io_warc_record *record,
                          const wn_io_response *response);

/* Learns from each response of an archive; returns what is wrong with that, NULL: nothing. */
static const char *read_archive(wn_io_crawl *c, const char *path, learn_record *learn)
{
    wn_io_source source;
    wn_io_warc warc = {0};
    wn_io_warc_record record;
    wn_io_response response;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return strerror(errno);
    wn_io_source_open(&source, fd);
    wn_io_warc_open(&warc, &source);
    while (wn_io_warc_next(&warc, &record)) {
        bool wanted = record.type == WN_IO_WARC_RESPONSE || record.type == WN_IO_WARC_REVISIT;
        if (wanted && wn_io_response_parse(wn_io_warc_peek(&warc, HEAD_LOOK), &response))
            learn(c, &record, &response);
    }
    const char *problem = source.error;
    if (!problem && warc.records == 0 && source.size > 0)
        problem = "it is not a web archive: it has no records";
    wn_io_warc_free(&warc);
    wn_io_source_close(&source);
    close(fd);
    return problem;
}

/* A value that will be sent, or written to a header; NULL if it cannot be. */
static const char *kept(wn_io_crawl *c, wn_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        if ((unsigned char)s.ptr[i] < ' ')
            return NULL;
    }
    return s.len ? wn_arena_c_string(&c->arena, s) : NULL;
}

/* What identifies this version on the server; a revisit still refers to the original. */
static void learn_version(wn_io_crawl *c, const wn_io_warc_record *record,
                          const wn_io_response *response)
{
    bool added, success = response->status >= 200 && response->status <= 299;
    wn_str etag = wn_io_header_value(response->head, WN_STR("ETag"));
    wn_str modified = wn_io_header_value(response->head, WN_STR("Last-Modified"));
    if (record->type != WN_IO_WARC_RESPONSE || !success || etag.len + modified.len == 0)
        return;
    uint32_t number = wn_io_names_add(&c->earlier, record->url, &added);
    known *k = added ? wn_array_push(&c->known) : NULL;
    if (number == WN_IO_NO_NAME || (added && !k)) {
        c->failed = true;
        return;
    }
    c->known.items[number] = (known){kept(c, etag), kept(c, modified), kept(c, record->id),
                                     kept(c, record->date)};
}

const char *wn_io_crawl_learn(wn_io_crawl *c, const char *path)
{
    return read_archive(c, path, learn_version);
}

/* An address with a record is done; where a redirect leads may not be. Sitemaps are read again. */
static void learn_done(wn_io_crawl *c, const wn_io_warc_record *record,
                       const wn_io_response *response)
{
    uint32_t number = job_for(c, record->url);
    if (number == WN_IO_NO_NAME || c->jobs.items[number].done ||
        c->jobs.items[number].kind == JOB_SITEMAP)
        return;
    c->jobs.items[number].done = true;
    c->queued += !c->jobs.items[number].queued; /* which counts already */
    c->counts.known++;
    wn_str location = wn_io_header_value(response->head, WN_STR("Location"));
    if (response->status >= 300 && response->status <= 399 && location.len)
        add_job(c, record->url, location, JOB_PAGE, 1, 0);
}

const char *wn_io_crawl_take_up(wn_io_crawl *c, const char *path)
{
    return read_archive(c, path, learn_done);
}

/* ---- Beginning and end ------------------------------------------------------------------- */

wn_io_crawl *wn_io_crawl_new(const wn_io_crawl_settings *settings, wn_io_output *output,
                             wn_io_crawl_report *report, void *data)
{
    wn_io_crawl *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->settings = *settings;
    c->output = output;
    c->report = report;
    c->data = data;
    snprintf(c->agent, sizeof c->agent, "winnow/%s (web archive)", winnow_version());
    c->robots_name = wn_io_robots_name(wn_str_of(settings->agent));
    if (c->robots_name.len == 0)
        c->robots_name = WN_STR("winnow");
    wn_io_names_init(&c->urls);
    wn_io_names_init(&c->origins);
    wn_io_names_init(&c->servers);
    wn_io_names_init(&c->earlier);
    wn_arena_init(&c->arena, 0);
    c->multi = curl_multi_init();
    c->transfers = calloc(settings->transfers, sizeof *c->transfers);
    bool well = c->multi && c->transfers;
    for (size_t i = 0; well && i < settings->transfers; i++)
        well = open_transfer(c, &c->transfers[i]);
    if (well)
        return c;
    wn_io_crawl_free(c);
    return NULL;
}

static void close_transfer(wn_io_crawl *c, transfer *t)
{
    if (t->active)
        curl_multi_remove_handle(c->multi, t->curl);
    curl_easy_cleanup(t->curl);
    curl_slist_free_all(t->headers);
    wn_buf_free(&t->head);
    wn_buf_free(&t->body);
    wn_buf_free(&t->request);
}

void wn_io_crawl_free(wn_io_crawl *c)
{
    if (!c)
        return;
    for (size_t i = 0; c->transfers && i < c->settings.transfers; i++)
        close_transfer(c, &c->transfers[i]);
    curl_multi_cleanup(c->multi);
    free(c->transfers);
    wn_io_names_free(&c->urls);
    wn_io_names_free(&c->origins);
    wn_io_names_free(&c->servers);
    wn_io_names_free(&c->earlier);
    wn_array_free(&c->jobs);
    wn_array_free(&c->hosts);
    wn_array_free(&c->server_states);
    wn_array_free(&c->active);
    wn_array_free(&c->known);
    wn_arena_free(&c->arena);
    wn_io_body_decoder_free(&c->decoder);
    free(c);
}
