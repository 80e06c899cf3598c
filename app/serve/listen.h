/*
 * The socket that the server listens on, and the rights that it keeps.
 */
#ifndef WN_SERVE_LISTEN_H
#define WN_SERVE_LISTEN_H

#include <sys/socket.h>

#include "base/buf.h"

enum { WN_SERVE_ADDRESS = 64 }; /* bytes of the longest address as text, and its NUL */

/*
 * Listens on "127.0.0.1:8080", "[::1]:8080", "localhost:8080" or ":8080", which is loopback.
 * Returns the socket; -1 when that is not possible: `error` says why.
 */
int wn_serve_listen(const char *bind, wn_buf *error);

/* Where a socket listens: "127.0.0.1:8080", and whether that is this computer alone. */
void wn_serve_listening(int fd, char text[WN_SERVE_ADDRESS], bool *loopback);

/* An address as text, without its port. */
void wn_serve_address_text(const struct sockaddr *address, char text[WN_SERVE_ADDRESS]);

/* Becomes another user for good; false when that is not possible: `error` says why. */
bool wn_serve_become(const char *user, wn_buf *error);

#endif
