#include "support/collide.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum {
    BITS = (1 << 19) - 1,
    LETTERS = 5, /* of a piece */
    PIECES = 5,  /* of a word */
    MOST = 16,   /* different pieces */
};

/*
 * The last bits of FNV-1a depend on nothing but the same bits before and the next byte. A piece
 * that leads from the hash's first value to that value again may follow any other such piece, so
 * with sixteen pieces there are 16^5 words of five that all have the same last bits.
 */
static size_t find_pieces(char pieces[MOST][LETTERS])
{
    const uint32_t first = 2166136261u, prime = 16777619u;
    size_t found = 0;
    uint32_t all = 1;
    for (int i = 0; i < LETTERS; i++)
        all *= 26;
    for (uint32_t number = 0; number < all && found < MOST; number++) {
        char piece[LETTERS];
        uint32_t hash = first, rest = number;
        for (int i = 0; i < LETTERS; i++, rest /= 26) {
            piece[i] = (char)('a' + rest % 26);
            hash = (hash ^ (unsigned char)piece[i]) * prime;
        }
        if (((hash ^ first) & BITS) == 0)
            memcpy(pieces[found++], piece, LETTERS);
    }
    return found;
}

size_t test_colliding_words(wn_buf *out, size_t count)
{
    char pieces[MOST][LETTERS];
    size_t found = find_pieces(pieces), made = 0, all = 1;
    for (int i = 0; i < PIECES; i++)
        all *= found;
    assert_true(all >= 10000);
    for (; made < count && made < all; made++) {
        size_t rest = made, start = out->len;
        for (int i = 0; i < PIECES; i++, rest /= found)
            wn_buf_add(out, wn_str_from(pieces[rest % found], LETTERS));
        uint32_t hash = wn_str_hash(wn_str_from(out->ptr + start, out->len - start));
        assert_int_equal((hash ^ 2166136261u) & BITS, 0);
        wn_buf_add_char(out, ' ');
    }
    return made;
}
