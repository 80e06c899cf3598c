/* Suggestions: what a user who typed "--fromat" probably meant. */
#ifndef WN_BASE_SUGGEST_H
#define WN_BASE_SUGGEST_H

#include <stddef.h>

/* The name number `index` of a list; NULL past the end. */
typedef const char *(*wn_name_list)(const void *list, size_t index);

/* The name nearest to `word` by edit distance, if it is near enough; else NULL. */
const char *wn_suggest(const char *word, wn_name_list names, const void *list);

#endif
