#include "serve/robots.h"

#include <curl/curl.h>
#include <stdio.h>

#include "io/http.h"
#include "io/robots.h"
#include "winnow.h"

enum { MAX_REDIRECTS = 5 }; /* RFC 9309, section 2.3.1.2 */

/* Where the path of an address begins; its length if it has none. */
static size_t path_start(wn_str url)
{
    size_t scheme = wn_str_find(url, WN_STR("://"));
    size_t start = scheme < url.len ? scheme + 3 : 0;
    while (start < url.len && !strchr("/?#", url.ptr[start]))
        start++;
    return start;
}

/* What of robots.txt goes beyond its bound does not count. */
static size_t take_bytes(char *bytes, size_t size, size_t count, void *body)
{
    wn_buf *out = body;
    size_t room = WN_IO_ROBOTS_MAX > out->len ? WN_IO_ROBOTS_MAX - out->len : 0;
    wn_buf_add(out, wn_str_from(bytes, size * count < room ? size * count : room));
    return size * count;
}

/* The status of the answer; 0 if there was none, with the reason. */
static long fetch_robots(const wn_serve_settings *settings, const char *url, wn_buf *body,
                         wn_buf *reason)
{
    char error[CURL_ERROR_SIZE] = "", agent[64];
    wn_io_refusal refusal;
    long status = 0;
    CURL *curl = curl_easy_init();
    if (!curl)
        return 0;
    snprintf(agent, sizeof agent, "winnow/%s (content extraction)", winnow_version());
    wn_io_http_set_safety(curl,
                          &(wn_io_http_settings){.max_bytes = WN_IO_ROBOTS_MAX,
                                                 .timeout = settings->fetch_timeout,
                                                 .allow_private = settings->allow_private},
                          &refusal);
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_USERAGENT, agent);
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(curl, CURLOPT_MAXREDIRS, (long)MAX_REDIRECTS);
    curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, "");
    curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, error);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_bytes);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, body);
    CURLcode code = curl_easy_perform(curl);
    if (code == CURLE_OK)
        curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    else
        wn_buf_add_literal(reason, refusal.why ? refusal.why
                                   : error[0]  ? error
                                               : curl_easy_strerror(code));
    curl_easy_cleanup(curl);
    return status;
}

static bool rules_allow(wn_str robots, wn_str url)
{
    wn_buf path = {0};
    wn_str rest = wn_str_from_offset(url, path_start(url));
    const char *fragment = memchr(rest.ptr, '#', rest.len);
    if (fragment)
        rest = wn_str_between(rest.ptr, fragment);
    if (rest.len == 0 || rest.ptr[0] != '/')
        wn_buf_add_char(&path, '/');
    wn_buf_add(&path, rest);
    bool allowed = wn_io_robots_allow(robots, WN_STR("winnow"), wn_buf_str(&path));
    wn_buf_free(&path);
    return allowed;
}

bool wn_serve_robots_allow(const wn_serve_settings *settings, const char *url, wn_buf *reason)
{
    wn_str address = wn_str_of(url);
    wn_buf place = {0}, body = {0}, problem = {0};
    wn_buf_add(&place, wn_str_from(address.ptr, path_start(address)));
    wn_buf_add_literal(&place, "/robots.txt");
    long status = fetch_robots(settings, wn_buf_c_string(&place), &body, &problem);
    /* Missing or not readable: then there are no rules. */
    bool allowed = status >= 400 && status < 500;
    if (status >= 200 && status < 300) {
        allowed = rules_allow(wn_buf_str(&body), address);
        if (!allowed)
            wn_buf_add_literal(reason, "the site's robots.txt does not allow it");
    } else if (!allowed) {
        wn_buf_add_literal(reason, "the site's robots.txt could not be read, which means no: ");
        if (status)
            wn_buf_add_format(reason, "the server answered %ld", status);
        else
            wn_buf_add(reason, wn_buf_str(&problem));
    }
    wn_buf_free(&place);
    wn_buf_free(&body);
    wn_buf_free(&problem);
    return allowed;
}
