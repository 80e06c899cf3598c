#include "serve/guard.h"

#include <arpa/inet.h>

/* ---- Host -------------------------------------------------------------------------------- */

/* The host of "host:port", an address in brackets without them. */
static wn_str host_name(wn_str host)
{
    if (host.len > 0 && host.ptr[0] == '[') {
        const char *end = memchr(host.ptr, ']', host.len);
        return end ? wn_str_between(host.ptr + 1, end) : host;
    }
    const char *colon = memchr(host.ptr, ':', host.len);
    return colon ? wn_str_between(host.ptr, colon) : host;
}

/* Whether it is an address and not a name: no DNS server can make one point here. */
static bool is_address(wn_str host)
{
    char text[INET6_ADDRSTRLEN];
    unsigned char address[sizeof(struct in6_addr)];
    if (host.len == 0 || host.len >= sizeof text)
        return false;
    memcpy(text, host.ptr, host.len);
    text[host.len] = '\0';
    return inet_pton(AF_INET, text, address) == 1 || inet_pton(AF_INET6, text, address) == 1;
}

static bool host_allowed(const wn_serve_settings *settings, wn_str header)
{
    wn_str host = host_name(header);
    if (is_address(host) || wn_str_eq_nocase(host, WN_STR("localhost")))
        return true;
    for (size_t i = 0; i < settings->host_count; i++)
        if (wn_str_eq_nocase(host, wn_str_of(settings->hosts[i])))
            return true;
    return false;
}

/* ---- Origin ------------------------------------------------------------------------------ */

/* The server's own pages: the origin has the host that was asked. */
static bool is_own_origin(const wn_serve_request *request, wn_str origin)
{
    size_t scheme = wn_str_find(origin, WN_STR("://"));
    wn_str rest = wn_str_from_offset(origin, scheme + 3);
    return scheme < origin.len && rest.len > 0 &&
           wn_str_eq_nocase(rest, wn_serve_header(request, "host"));
}

static bool is_named_origin(const wn_serve_settings *settings, wn_str origin)
{
    for (size_t i = 0; i < settings->origin_count; i++)
        if (strcmp(settings->origins[i], "*") == 0 ||
            wn_str_eq_nocase(origin, wn_str_of(settings->origins[i])))
            return true;
    return false;
}

bool wn_serve_origin_allowed(const wn_serve_settings *settings, const wn_serve_request *request,
                             wn_str origin)
{
    return is_own_origin(request, origin) || is_named_origin(settings, origin);
}

/* Browsers that send no Origin with GET say with Sec-Fetch-Site who asks. */
static bool comes_from_elsewhere(const wn_serve_settings *settings, const wn_serve_request *request,
                                 bool open)
{
    wn_str origin = wn_serve_header(request, "origin");
    if (origin.len > 0)
        return !wn_serve_origin_allowed(settings, request, origin);
    wn_str site = wn_serve_header(request, "sec-fetch-site");
    wn_str mode = wn_serve_header(request, "sec-fetch-mode");
    bool foreign = wn_str_eq(site, WN_STR("cross-site")) || wn_str_eq(site, WN_STR("same-site"));
    return foreign && !(open && wn_str_eq(mode, WN_STR("navigate")));
}

void wn_serve_allow_origin(const wn_serve_settings *settings, const wn_serve_request *request,
                           wn_serve_answer *answer)
{
    wn_str origin = wn_serve_header(request, "origin");
    if (settings->origin_count == 0)
        return;
    wn_serve_answer_header(answer, "Vary", WN_STR("Origin"));
    if (origin.len == 0 || !is_named_origin(settings, origin))
        return;
    wn_serve_answer_header(answer, "Access-Control-Allow-Origin", origin);
    wn_serve_answer_header(answer, "Access-Control-Expose-Headers",
                           WN_STR("X-Request-Id, X-Winnow-Status, Retry-After"));
}

void wn_serve_preflight(const wn_serve_settings *settings, const wn_serve_request *request,
                        const char *verbs, wn_serve_answer *answer)
{
    answer->status = 204;
    wn_serve_answer_header(answer, "Allow", wn_str_of(verbs));
    if (is_named_origin(settings, wn_serve_header(request, "origin"))) {
        wn_serve_answer_header(answer, "Access-Control-Allow-Methods", wn_str_of(verbs));
        wn_serve_answer_header(answer, "Access-Control-Allow-Headers",
                               WN_STR("Authorization, Content-Type, Content-Encoding, Accept, "
                                      "X-Request-Id, X-Respond-With, X-Return-Format, X-Base"));
        wn_serve_answer_header(answer, "Access-Control-Max-Age", WN_STR("600"));
    }
}

/* ---- Token ------------------------------------------------------------------------------- */

bool wn_serve_same_secret(wn_str expected, wn_str given)
{
    volatile unsigned char differs = expected.len != given.len;
    for (size_t i = 0; i < given.len; i++) {
        unsigned char other = expected.len ? (unsigned char)expected.ptr[i % expected.len] : 0;
        differs = (unsigned char)(differs | (other ^ (unsigned char)given.ptr[i]));
    }
    return differs == 0;
}

static bool has_token(const wn_serve_settings *settings, const wn_serve_request *request)
{
    static const wn_str scheme = {"Bearer ", 7};
    if (!settings->token)
        return true;
    wn_str given = wn_serve_header(request, "authorization");
    given = wn_str_starts_nocase(given, scheme) ? wn_str_trim(wn_str_from_offset(given, scheme.len))
                                                : WN_STR("");
    return wn_serve_same_secret(wn_str_of(settings->token), given);
}

/* ---- All of it --------------------------------------------------------------------------- */

bool wn_serve_guard(const wn_serve_settings *settings, const wn_serve_request *request, bool open,
                    wn_serve_answer *answer)
{
    if (!host_allowed(settings, wn_serve_header(request, "host"))) {
        wn_serve_fail(answer, request, 421,
                      "the Host of the request is not this server's; start it with --host NAME if "
                      "it is");
        return false;
    }
    if (comes_from_elsewhere(settings, request, open)) {
        wn_serve_fail(answer, request, 403,
                      "pages of other sites may not call this server; start it with --cors ORIGIN "
                      "to allow one");
        return false;
    }
    if (!open && request->verb != WN_SERVE_OPTIONS && !has_token(settings, request)) {
        wn_serve_fail(answer, request, 401, "the token is missing or wrong");
        wn_serve_answer_header(answer, "WWW-Authenticate", WN_STR("Bearer"));
        return false;
    }
    return true;
}
