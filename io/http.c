#include "io/http.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/url.h"
#include "io/mime.h"
#include "winnow.h"

/* Connecting has a shorter time limit than a slow page. */
static const double CONNECT_SECONDS = 10;

struct wn_io_http {
    CURL *curl;
    struct curl_slist *headers;
    wn_io_http_settings settings;
    wn_buf *body;      /* of the current page */
    size_t head_size;  /* bytes of header lines of the current response, trailers included */
    bool cut;          /* the page is longer than the limit */
    bool type_refused; /* it is not a page */
    bool out_of_memory;
    wn_io_refusal refusal;
    wn_buf url, charset, error; /* what the reply points to */
    char curl_error[CURL_ERROR_SIZE];
};

/* ---- Which addresses are public ---------------------------------------------------------- */

typedef struct v4_range {
    uint32_t network;
    int bits;
    const char *what;
} v4_range;

#define V4(a, b, c, d) ((uint32_t)(a) << 24 | (uint32_t)(b) << 16 | (uint32_t)(c) << 8 | (d))

/* https://www.iana.org/assignments/iana-ipv4-special-registry */
static const v4_range v4_ranges[] = {
    {V4(0, 0, 0, 0), 8, "an address of this machine"},
    {V4(10, 0, 0, 0), 8, "a private address"},
    {V4(100, 64, 0, 0), 10, "a private address of a provider"},
    {V4(127, 0, 0, 0), 8, "a loopback address"},
    {V4(169, 254, 0, 0), 16, "a link-local address"},
    {V4(172, 16, 0, 0), 12, "a private address"},
    {V4(192, 0, 0, 0), 24, "a reserved address"},
    {V4(192, 0, 2, 0), 24, "a reserved address"},
    {V4(192, 88, 99, 0), 24, "a reserved address"},
    {V4(192, 168, 0, 0), 16, "a private address"},
    {V4(198, 18, 0, 0), 15, "a reserved address"},
    {V4(198, 51, 100, 0), 24, "a reserved address"},
    {V4(203, 0, 113, 0), 24, "a reserved address"},
    {V4(224, 0, 0, 0), 4, "a multicast address"},
    {V4(240, 0, 0, 0), 4, "a reserved address"},
};

static const char *v4_private(uint32_t address)
{
    for (size_t i = 0; i < sizeof v4_ranges / sizeof *v4_ranges; i++) {
        uint32_t mask = ~UINT32_C(0) << (32 - v4_ranges[i].bits);
        if ((address & mask) == v4_ranges[i].network)
            return v4_ranges[i].what;
    }
    return NULL;
}

static bool has_prefix(const uint8_t address[16], const uint8_t prefix[16], int bits)
{
    int whole = bits / 8, rest = bits % 8;
    if (memcmp(address, prefix, (size_t)whole) != 0)
        return false;
    return rest == 0 || ((address[whole] ^ prefix[whole]) & (0xFF << (8 - rest))) == 0;
}

typedef struct v6_range {
    uint8_t network[16];
    int bits;
    int v4_offset;    /* where it holds an IPv4 address, which decides; 0: nowhere */
    const char *what; /* of a range without one */
} v6_range;

/* https://www.iana.org/assignments/iana-ipv6-special-registry; the first match decides. */
static const v6_range v6_ranges[] = {
    {{[15] = 1}, 128, 0, "a loopback address"},
    {{0}, 128, 0, "an address of this machine"},
    {{[10] = 0xFF, 0xFF}, 96, 12, NULL},         /* IPv4 in IPv6 */
    {{0x00, 0x64, 0xFF, 0x9B}, 96, 12, NULL},    /* NAT64 */
    {{0x20, 0x02}, 16, 2, NULL},                 /* 6to4 */
    {{0x20, 0x01}, 23, 0, "a reserved address"}, /* Teredo, benchmarks, … */
    {{0x20, 0x01, 0x0D, 0xB8}, 32, 0, "a reserved address"},
    {{0x3F, 0xFF}, 20, 0, "a reserved address"},
    {{0x20}, 3, 0, NULL}, /* all that is public today */
    {{0xFC}, 7, 0, "a private address"},
    {{0xFE, 0x80}, 10, 0, "a link-local address"},
    {{0xFE, 0xC0}, 10, 0, "a private address"},
    {{0xFF}, 8, 0, "a multicast address"},
};

static const char *v6_private(const uint8_t address[16])
{
    for (size_t i = 0; i < sizeof v6_ranges / sizeof *v6_ranges; i++) {
        const v6_range *range = &v6_ranges[i];
        if (!has_prefix(address, range->network, range->bits))
            continue;
        const uint8_t *v4 = address + range->v4_offset;
        return range->v4_offset ? v4_private(V4(v4[0], v4[1], v4[2], v4[3])) : range->what;
    }
    return "a reserved address";
}

const char *wn_io_address_private(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET) {
        struct sockaddr_in v4;
        memcpy(&v4, address, sizeof v4);
        return v4_private(ntohl(v4.sin_addr.s_addr));
    }
    if (address->sa_family == AF_INET6) {
        struct sockaddr_in6 v6;
        memcpy(&v6, address, sizeof v6);
        return v6_private(v6.sin6_addr.s6_addr);
    }
    return "no internet address";
}

/* ---- What libcurl asks and tells --------------------------------------------------------- */

static void remember_refusal(wn_io_refusal *refusal, const struct sockaddr *address,
                             const char *why)
{
    struct sockaddr_in6 v6;
    struct sockaddr_in v4;
    strcpy(refusal->address, "?");
    memcpy(&v4, address, sizeof v4);
    if (address->sa_family == AF_INET)
        inet_ntop(AF_INET, &v4.sin_addr, refusal->address, sizeof refusal->address);
    if (address->sa_family == AF_INET6) {
        memcpy(&v6, address, sizeof v6);
        inet_ntop(AF_INET6, &v6.sin6_addr, refusal->address, sizeof refusal->address);
    }
    refusal->why = why;
}

/* Called for each address that is tried, whatever led to it. */
static curl_socket_t open_socket(void *client, curlsocktype purpose, struct curl_sockaddr *address)
{
    wn_io_refusal *refusal = client;
    (void)purpose;
    const char *why = refusal->allow_private ? NULL : wn_io_address_private(&address->addr);
    if (why) {
        remember_refusal(refusal, &address->addr, why);
        return CURL_SOCKET_BAD;
    }
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

static wn_str media_type(CURL *curl)
{
    char *header = NULL;
    curl_easy_getinfo(curl, CURLINFO_CONTENT_TYPE, &header);
    return wn_io_type_name(wn_str_of(header));
}

static bool is_wanted(const wn_io_http *http)
{
    wn_str type = media_type(http->curl);
    return http->settings.sheets ? wn_io_type_may_be_sheet(type) : wn_io_type_may_be_page(type);
}

/*
 * Counts the header lines; trailers after the body could otherwise continue until the time is up.
 */
static size_t count_head(char *bytes, size_t one, size_t size, void *client)
{
    wn_io_http *http = client;
    (void)one;
    if (wn_str_starts(wn_str_from(bytes, size), WN_STR("HTTP/")))
        http->head_size = 0;
    http->head_size += size;
    return http->head_size > WN_IO_HTTP_MAX_HEADERS ? 0 : size;
}

/* Takes a part of the body; anything but its size as the answer ends the transfer. */
static size_t take_body(char *bytes, size_t one, size_t size, void *client)
{
    wn_io_http *http = client;
    (void)one;
    if (http->body->len == 0 && !is_wanted(http)) {
        http->type_refused = true;
        return 0;
    }
    size_t room = (size_t)http->settings.max_bytes + 1 - http->body->len;
    http->cut = size >= room;
    wn_buf_add(http->body, wn_str_from(bytes, http->cut ? room : size));
    http->out_of_memory = http->body->failed;
    return http->cut || http->out_of_memory ? 0 : size;
}

/* ---- The client -------------------------------------------------------------------------- */

bool wn_io_http_start(void)
{
    return curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

static void set_protocols(CURL *curl)
{
#if LIBCURL_VERSION_NUM >= 0x075500
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
#else
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
    curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

static void set_limits(CURL *curl, const wn_io_http_settings *settings)
{
    double connect = settings->timeout < CONNECT_SECONDS ? settings->timeout : CONNECT_SECONDS;
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, (long)(connect * 1000) + 1);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, (long)(settings->timeout * 1000) + 1);
}

void wn_io_http_set_safety(void *curl, const wn_io_http_settings *settings, wn_io_refusal *refusal)
{
    /* With a proxy we cannot see where a connection ends: whoever sets one trusts it. */
    *refusal = (wn_io_refusal){.allow_private = settings->allow_private || settings->proxy};
    set_protocols(curl);
    set_limits(curl, settings);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L); /* signals and threads do not go together */
    curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    curl_easy_setopt(curl, CURLOPT_OPENSOCKETDATA, refusal);
    if (settings->proxy || !settings->allow_private)
        curl_easy_setopt(curl, CURLOPT_PROXY, settings->proxy ? settings->proxy : "");
}

/* The User-Agent and Accept headers: some servers offer more than pages. */
static void set_request_headers(wn_io_http *http)
{
    char agent[64];
    snprintf(agent, sizeof agent, "winnow/%s (content extraction)", winnow_version());
    const wn_io_http_settings *s = &http->settings;
    curl_easy_setopt(http->curl, CURLOPT_USERAGENT, s->user_agent ? s->user_agent : agent);
    http->headers = curl_slist_append(
        NULL, s->sheets ? "Accept: text/css, */*;q=0.1"
                        : "Accept: text/html, application/xhtml+xml, */*;q=0.5");
    for (const char *const *line = s->headers; line && *line; line++) {
        struct curl_slist *longer = curl_slist_append(http->headers, *line);
        http->headers = longer ? longer : http->headers;
    }
    curl_easy_setopt(http->curl, CURLOPT_HTTPHEADER, http->headers);
}

wn_io_http *wn_io_http_new(const wn_io_http_settings *settings)
{
    wn_io_http *http = calloc(1, sizeof *http);
    CURL *curl = http ? curl_easy_init() : NULL;
    if (!curl) {
        free(http);
        return NULL;
    }
    http->curl = curl;
    http->settings = *settings;
    wn_io_http_set_safety(curl, settings, &http->refusal);
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(curl, CURLOPT_MAXREDIRS, (long)settings->max_redirects);
    curl_easy_setopt(curl, CURLOPT_FAILONERROR, 1L); /* the text of a 404 is not content */
    curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, http->curl_error);
    curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, ""); /* every encoding libcurl knows */
    set_request_headers(http);
    curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, count_head);
    curl_easy_setopt(curl, CURLOPT_HEADERDATA, http);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_body);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, http);
    return http;
}

void wn_io_http_free(wn_io_http *http)
{
    if (!http)
        return;
    curl_easy_cleanup(http->curl);
    curl_slist_free_all(http->headers);
    wn_buf_free(&http->url);
    wn_buf_free(&http->charset);
    wn_buf_free(&http->error);
    free(http);
}

/* ---- Replies ----------------------------------------------------------------------------- */

static void describe_status(wn_io_http *http, long status)
{
    wn_buf_add_format(&http->error, "the server answers with HTTP status %ld", status);
    if (status == 401 || status == 403)
        wn_buf_add_literal(&http->error, " (access refused)");
    if (status == 404 || status == 410)
        wn_buf_add_literal(&http->error, " (no such page)");
    if (status == 429)
        wn_buf_add_literal(&http->error, " (too many requests: try later, or with fewer --jobs)");
}

/* Describes in the user's terms what went wrong. */
static void describe_failure(wn_io_http *http, CURLcode code, long status)
{
    wn_buf *error = &http->error;
    const wn_io_http_settings *settings = &http->settings;
    if (code == CURLE_OK || code == CURLE_HTTP_RETURNED_ERROR)
        describe_status(http, status);
    else if (code == CURLE_COULDNT_CONNECT && http->refusal.why)
        wn_buf_add_format(error, "%s is %s; --allow-private permits it", http->refusal.address,
                          http->refusal.why);
    else if (http->out_of_memory)
        wn_buf_add_literal(error, "out of memory");
    else if (http->head_size > WN_IO_HTTP_MAX_HEADERS)
        wn_buf_add_format(error, "its HTTP headers are longer than %d KB",
                          WN_IO_HTTP_MAX_HEADERS >> 10);
    else if (code == CURLE_TOO_MANY_REDIRECTS)
        wn_buf_add_format(error, "more than %llu redirects; see --max-redirects",
                          (unsigned long long)settings->max_redirects);
    else if (code == CURLE_OPERATION_TIMEDOUT)
        wn_buf_add_format(error, "not complete after %g seconds; see --timeout", settings->timeout);
    else if (code == CURLE_UNSUPPORTED_PROTOCOL)
        wn_buf_add_literal(error, "it redirects to an address that is neither http nor https");
    else
        wn_buf_add_literal(error, *http->curl_error ? http->curl_error : curl_easy_strerror(code));
}

static wn_io_http_reply read_reply(wn_io_http *http, CURLcode code)
{
    long status = 0;
    char *url = NULL, *type = NULL;
    curl_easy_getinfo(http->curl, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(http->curl, CURLINFO_EFFECTIVE_URL, &url);
    curl_easy_getinfo(http->curl, CURLINFO_CONTENT_TYPE, &type);
    wn_buf_clear(&http->url);
    wn_url_add_without_credentials(&http->url, wn_str_of(url));
    wn_buf_clear(&http->charset);
    wn_buf_add(&http->charset, wn_io_type_charset(wn_str_of(type)));
    wn_buf_clear(&http->error);
    if (http->type_refused)
        wn_buf_add_format(&http->error, "not a %s: the server says it is %.*s",
                          http->settings.sheets ? "style sheet" : "web page",
                          WN_STR_ARGS(media_type(http->curl)));
    else if ((code != CURLE_OK && !http->cut) || status < 200 || status > 299)
        describe_failure(http, code, status);
    return (wn_io_http_reply){
        .url = wn_buf_c_string(&http->url),
        .charset = http->charset.len ? wn_buf_c_string(&http->charset) : NULL,
        .error = http->error.len ? wn_buf_c_string(&http->error) : NULL,
        .not_html = http->type_refused,
    };
}

void wn_io_http_set_timeout(wn_io_http *http, double seconds)
{
    http->settings.timeout = seconds;
    set_limits(http->curl, &http->settings);
}

wn_io_http_reply wn_io_http_get(wn_io_http *http, const char *url, wn_buf *body)
{
    wn_buf_clear(body);
    http->body = body;
    http->head_size = 0;
    http->cut = http->type_refused = http->out_of_memory = false;
    http->refusal.why = NULL;
    http->curl_error[0] = '\0';
    curl_easy_setopt(http->curl, CURLOPT_URL, url);
    return read_reply(http, curl_easy_perform(http->curl));
}
