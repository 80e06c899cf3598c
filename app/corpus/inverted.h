/*
 * An inverted index in two ordinary tables: which pages contain a word.
 *
 * Every transaction writes its words as a separate part: blocks of postings (postings.h) in the
 * order of words, so writing is appending. Parts are numbered in order; a search reads each of
 * them. When there are eight parts of similar size, they are merged into one, which keeps their
 * number small and costs each posting only a few copies in total.
 *
 *     index_parts    part, bytes, gone (whether pages have lost words in it)
 *     index_blocks   id, part, first (its first word), bytes
 */
#ifndef WN_CORPUS_INVERTED_H
#define WN_CORPUS_INVERTED_H

#include "corpus/db.h"
#include "corpus/postings.h"

/* The statements that make the tables. */
#define WN_INVERTED_SCHEMA                                                                         \
    "CREATE TABLE index_parts (part INTEGER PRIMARY KEY, bytes INTEGER NOT NULL,"                  \
    " gone INTEGER NOT NULL);"                                                                     \
    "CREATE TABLE index_blocks (id INTEGER PRIMARY KEY, part INTEGER NOT NULL,"                    \
    " first BLOB NOT NULL, bytes BLOB NOT NULL);"                                                  \
    "CREATE INDEX index_blocks_by_word ON index_blocks (part, first, id);"

/* Adds the words of a page, or takes them away; inside a transaction. */
bool wn_corpus_inverted_add(wn_db *db, wn_gathered *gathered, int64_t id,
                            const wn_index_page *index, bool gone);

/* Writes what was gathered, before the transaction ends. */
bool wn_corpus_inverted_flush(wn_db *db, wn_gathered *gathered);

/* The pages that have a stem, sorted by id; takes the place of what is in `list`. */
bool wn_corpus_inverted_find(wn_db *db, wn_str stem, wn_postings *list);

/* A page that was found, and its worth. */
typedef struct wn_found {
    int64_t id;
    double worth;
} wn_found;

typedef wn_array(wn_found) wn_found_list;

/* The pages that have all terms, the best first, then by id. */
bool wn_corpus_inverted_search(wn_db *db, const wn_search_term *terms, size_t count,
                               wn_found_list *found);

#endif
