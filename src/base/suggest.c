#include "base/suggest.h"

#include "base/str.h"

/* Words longer than this are not mistyped options or commands. */
enum { LONGEST_WORD = 32 };

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static bool same_letter(char a, char b)
{
    return wn_ascii_lower(a) == wn_ascii_lower(b);
}

/*
 * The number of insertions, deletions, substitutions and swaps of neighbours that
 * lead from a to b (optimal string alignment). Both are at most LONGEST_WORD long.
 */
static size_t edit_distance(wn_str a, wn_str b)
{
    size_t cost[LONGEST_WORD + 1][LONGEST_WORD + 1];
    for (size_t i = 0; i <= a.len; i++)
        cost[i][0] = i;
    for (size_t j = 0; j <= b.len; j++)
        cost[0][j] = j;
    for (size_t i = 1; i <= a.len; i++) {
        for (size_t j = 1; j <= b.len; j++) {
            bool same = same_letter(a.ptr[i - 1], b.ptr[j - 1]);
            size_t best = cost[i - 1][j - 1] + (same ? 0 : 1);
            best = smaller(best, cost[i - 1][j] + 1);
            best = smaller(best, cost[i][j - 1] + 1);
            if (i > 1 && j > 1 && same_letter(a.ptr[i - 1], b.ptr[j - 2]) &&
                same_letter(a.ptr[i - 2], b.ptr[j - 1]))
                best = smaller(best, cost[i - 2][j - 2] + 1);
            cost[i][j] = best;
        }
    }
    return cost[a.len][b.len];
}

/*
 * How far `word` is from `name`. The beginning of a longer name ("over" for
 * "overwrite") counts as one mistake, whatever is missing.
 */
static size_t distance(wn_str word, wn_str name)
{
    if (name.len > LONGEST_WORD)
        return SIZE_MAX;
    if (word.len >= 2 && wn_str_starts_nocase(name, word))
        return name.len > word.len ? 1 : 0;
    return edit_distance(word, name);
}

/* A third of the letters may be wrong: "fromat" for "format", but not "x" for "m". */
static size_t tolerated(size_t word_length)
{
    if (word_length < 2)
        return 0;
    return word_length < 6 ? 1 : word_length / 3;
}

const char *wn_suggest(const char *word, wn_name_list names, const void *list)
{
    wn_str typed = wn_str_of(word);
    if (typed.len > LONGEST_WORD)
        return NULL;
    size_t best = tolerated(typed.len) + 1;
    const char *nearest = NULL;
    const char *name;
    for (size_t i = 0; (name = names(list, i)) != NULL; i++) {
        size_t away = distance(typed, wn_str_of(name));
        if (away < best) {
            best = away;
            nearest = name;
        }
    }
    return nearest;
}
