#include "io/domain.h"

#include "base/url.h"

#ifdef WN_HAVE_LIBPSL
#include <libpsl.h>
#endif

static bool is_address(wn_str host)
{
    for (size_t i = 0; i < host.len; i++) {
        if (!wn_is_ascii_digit(host.ptr[i]) && host.ptr[i] != '.')
            return host.ptr[0] == '[';
    }
    return true;
}

/* "co", "com", …: names below a country under which others are registered. */
static bool is_shared(wn_str label)
{
    static const char *const names[] = {"ac",   "co",  "com", "edu", "gob", "go",  "gov",
                                        "gouv", "gv",  "in",  "ltd", "mi",  "mil", "ne",
                                        "net",  "nom", "or",  "org", "re",  "sch", "web"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (wn_str_eq_nocase(label, wn_str_of(names[i])))
            return true;
    }
    return false;
}

/* Where the label begins that ends before `end`. */
static size_t label_start(wn_str host, size_t end)
{
    while (end > 0 && host.ptr[end - 1] != '.')
        end--;
    return end;
}

static wn_str registered_part(wn_str host)
{
    size_t top = label_start(host, host.len);
    if (top == 0)
        return host;
    size_t second = label_start(host, top - 1);
    wn_str label = wn_str_from(host.ptr + second, top - 1 - second);
    if (second > 0 && host.len - top == 2 && is_shared(label))
        second = label_start(host, second - 1);
    return wn_str_from_offset(host, second);
}

/* Writes the host of `url`, or a part of it, in lower case. */
static void copy_lower(wn_str host, char domain[WN_IO_DOMAIN_SIZE])
{
    size_t size = host.len < WN_IO_DOMAIN_SIZE - 1 ? host.len : WN_IO_DOMAIN_SIZE - 1;
    for (size_t i = 0; i < size; i++)
        domain[i] = wn_ascii_lower(host.ptr[i]);
    domain[size] = '\0';
}

static wn_str host_without_dots(wn_str url)
{
    wn_str host = wn_url_host(url);
    while (host.len > 0 && host.ptr[host.len - 1] == '.')
        host.len--;
    return host;
}

void wn_io_domain_by_rule(wn_str url, char domain[WN_IO_DOMAIN_SIZE])
{
    wn_str host = host_without_dots(url);
    copy_lower(is_address(host) ? host : registered_part(host), domain);
}

#ifdef WN_HAVE_LIBPSL
void wn_io_domain(wn_str url, char domain[WN_IO_DOMAIN_SIZE])
{
    wn_str host = host_without_dots(url);
    const psl_ctx_t *list = psl_builtin();
    if (!list) {
        wn_io_domain_by_rule(url, domain);
        return;
    }
    copy_lower(host, domain);
    const char *registered = is_address(host) ? NULL : psl_registrable_domain(list, domain);
    if (registered) /* the end of the host; NULL if that is a public suffix itself */
        memmove(domain, registered, strlen(registered) + 1);
}
#else
void wn_io_domain(wn_str url, char domain[WN_IO_DOMAIN_SIZE])
{
    wn_io_domain_by_rule(url, domain);
}
#endif
