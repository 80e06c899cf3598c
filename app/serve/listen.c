#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "serve/listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/printable.h"

enum { BACKLOG = 1024, LONGEST_HOST = 256 };

/* ---- Listening --------------------------------------------------------------------------- */

/* Cuts "host:port" in two; false if it has no port. */
static bool split_bind(const char *bind, char host[LONGEST_HOST], const char **port)
{
    const char *colon = strrchr(bind, ':');
    wn_str name = colon ? wn_str_between(bind, colon) : WN_STR("");
    if (!colon || !colon[1] || name.len >= LONGEST_HOST)
        return false;
    if (name.len >= 2 && name.ptr[0] == '[' && name.ptr[name.len - 1] == ']')
        name = wn_str_from(name.ptr + 1, name.len - 2);
    if (name.len == 0)
        name = WN_STR("127.0.0.1");
    memcpy(host, name.ptr, name.len);
    host[name.len] = '\0';
    *port = colon + 1;
    return true;
}

static int listen_at(const struct addrinfo *place)
{
    int fd = socket(place->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), yes = 1;
    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (place->ai_family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof yes);
    if (bind(fd, place->ai_addr, place->ai_addrlen) == 0 && listen(fd, BACKLOG) == 0)
        return fd;
    int reason = errno;
    close(fd);
    errno = reason;
    return -1;
}

int wn_serve_listen(const char *bind, wn_buf *error)
{
    char host[LONGEST_HOST];
    const char *port = NULL;
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE}, *places = NULL;
    if (!split_bind(bind, host, &port)) {
        wn_buf_add_literal(error, "--bind takes an address and a port, as 127.0.0.1:8080 or "
                                  "[::1]:8080");
        return -1;
    }
    int code = getaddrinfo(host, port, &hints, &places);
    int fd = code == 0 ? listen_at(places) : -1;
    if (fd < 0) {
        wn_buf_add_literal(error, "cannot listen on ");
        wn_add_quoted(error, bind);
        wn_buf_add_format(error, ": %s", code ? gai_strerror(code) : strerror(errno));
    }
    if (code == 0)
        freeaddrinfo(places);
    return fd;
}

void wn_serve_address_text(const struct sockaddr *address, char text[WN_SERVE_ADDRESS])
{
    if (!address || getnameinfo(address, sizeof(struct sockaddr_storage), text, WN_SERVE_ADDRESS,
                                NULL, 0, NI_NUMERICHOST) != 0)
        memcpy(text, "?", 2);
}

void wn_serve_listening(int fd, char text[WN_SERVE_ADDRESS], bool *loopback)
{
    struct sockaddr_storage storage = {0};
    socklen_t size = sizeof storage;
    char host[WN_SERVE_ADDRESS - 16];
    getsockname(fd, (struct sockaddr *)&storage, &size);
    if (storage.ss_family == AF_INET6) {
        const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)&storage;
        inet_ntop(AF_INET6, &v6->sin6_addr, host, sizeof host);
        *loopback = IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr);
        snprintf(text, WN_SERVE_ADDRESS, "[%s]:%u", host, ntohs(v6->sin6_port));
    } else {
        const struct sockaddr_in *v4 = (const struct sockaddr_in *)&storage;
        inet_ntop(AF_INET, &v4->sin_addr, host, sizeof host);
        *loopback = ntohl(v4->sin_addr.s_addr) >> 24 == 127;
        snprintf(text, WN_SERVE_ADDRESS, "%s:%u", host, ntohs(v4->sin_port));
    }
}

/* ---- Rights ------------------------------------------------------------------------------ */

bool wn_serve_become(const char *user, wn_buf *error)
{
    errno = 0;
    const struct passwd *entry = getpwnam(user);
    if (!entry) {
        wn_buf_add_literal(error, "there is no user ");
        wn_add_quoted(error, user);
        return false;
    }
    uid_t uid = entry->pw_uid;
    bool became = initgroups(user, entry->pw_gid) == 0 && setgid(entry->pw_gid) == 0 &&
                  setuid(uid) == 0;
    /* Nothing may bring the old rights back. */
    if (became && (uid == 0 || setuid(0) != 0))
        return true;
    wn_buf_add_literal(error, "cannot become the user ");
    wn_add_quoted(error, user);
    wn_buf_add_format(error, ": %s", became ? "the rights could be taken back" : strerror(errno));
    return false;
}
