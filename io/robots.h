/*
 * robots.txt: what a site allows programs to fetch. https://www.rfc-editor.org/rfc/rfc9309
 */
#ifndef WN_IO_ROBOTS_H
#define WN_IO_ROBOTS_H

#include <stdbool.h>

#include "base/str.h"

/* Bytes of a robots.txt that count. */
enum { WN_IO_ROBOTS_MAX = 512 << 10 };

/* The name by which robots.txt knows a program: "winnow" of "winnow/0.1 (web archive)". */
wn_str wn_io_robots_name(wn_str agent);

/*
 * Whether `agent` ("winnow") may fetch `path`, which begins with "/" and has its query. The
 * longest rule that fits decides, and of two as long the one that allows.
 */
bool wn_io_robots_allow(wn_str robots, wn_str agent, wn_str path);

/* Seconds between two requests that the site asks for; 0: it does not say. */
double wn_io_robots_delay(wn_str robots, wn_str agent);

#endif
