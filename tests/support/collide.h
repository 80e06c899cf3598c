/*
 * Words that were made to meet in a hash table whose hash everybody knows.
 */
#ifndef WN_TEST_COLLIDE_H
#define WN_TEST_COLLIDE_H

#include "base/buf.h"

/*
 * Appends `count` different words of small letters, a space after each, whose FNV-1a hashes
 * (32 bits, wn_str_hash) have the same last 19 bits: all begin at one place of a table of up to
 * 524,288.
 * Returns how many there are, at least 10,000 if that many are asked for.
 */
size_t test_colliding_words(wn_buf *out, size_t count);

#endif
