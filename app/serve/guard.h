/*
 * Access control: the checks that come before everything else.
 *
 * A server on this computer can be reached by every web page that its user opens. Three things keep
 * such a page out. Host must be an address, localhost or a name that was given at the start: a name
 * of the attacker's that resolves to 127.0.0.1 (DNS rebinding) is neither. A request that a browser
 * marks as coming from another site (Origin, Sec-Fetch-Site) is refused, unless that site was
 * named. And no answer carries headers that let another site read it.
 */
#ifndef WN_SERVE_GUARD_H
#define WN_SERVE_GUARD_H

#include "serve/exchange.h"
#include "serve/settings.h"

/*
 * False, and the answer is made, if the request may not go on. `open` routes need no token and may
 * be opened from links on other sites.
 */
bool wn_serve_guard(const wn_serve_settings *settings, const wn_serve_request *request, bool open,
                    wn_serve_answer *answer);

/* Whether a page of this origin may call the server. */
bool wn_serve_origin_allowed(const wn_serve_settings *settings, const wn_serve_request *request,
                             wn_str origin);

/* Adds the headers that let an allowed origin read the answer; none for others. */
void wn_serve_allow_origin(const wn_serve_settings *settings, const wn_serve_request *request,
                           wn_serve_answer *answer);

/* Answers a preflight request (OPTIONS). `verbs`: what the route takes, as in "GET, POST". */
void wn_serve_preflight(const wn_serve_settings *settings, const wn_serve_request *request,
                        const char *verbs, wn_serve_answer *answer);

/* Whether two strings are equal, in a time that depends on the length of `given` alone. */
bool wn_serve_same_secret(wn_str expected, wn_str given);

#endif
