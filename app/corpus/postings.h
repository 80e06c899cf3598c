/*
 * Postings: which pages have a word, and on which level (index.h), as bytes.
 *
 * Words of many pages are gathered, sorted, and written as blocks of some KB, in bytewise order of
 * words:
 *
 *     wn_gathered gathered = {0}; wn_corpus_gathered_add(&gathered, id, &index_page, false);
 *     // once per page wn_corpus_gathered_write(&gathered, &writer);                   // calls
 *     writer.write for each block
 *
 * A block is a row of entries: the length of the word in a byte (0: the word of the entry before),
 * the word, the number of bytes of its postings, and these: the distance of each id from the one
 * before, times 8, plus the level, or WN_POSTING_GONE if the page has lost the word. Numbers have 7
 * bits per byte, the lowest first.
 *
 * What is written later counts: a word can be in many blocks, and a later posting of a page takes
 * the place of earlier ones.
 */
#ifndef WN_CORPUS_POSTINGS_H
#define WN_CORPUS_POSTINGS_H

#include "base/array.h"
#include "base/buf.h"
#include "corpus/index.h"

enum { WN_POSTING_GONE = 4 };

typedef struct wn_posting {
    int64_t id;
    uint32_t level; /* or WN_POSTING_GONE */
} wn_posting;

typedef wn_array(wn_posting) wn_postings;

/* ---- Gathering --------------------------------------------------------------------------- */

/* A word of a page. */
typedef struct wn_gathered_word {
    uint64_t prefix; /* its first eight bytes, the first the highest */
    uint32_t place;  /* in `words` */
    uint32_t page;   /* number in `ids`, length and level, in that order of bits */
} wn_gathered_word;

/* Zero it before the first use. */
typedef struct wn_gathered {
    wn_array(wn_gathered_word) list, spare;
    wn_buf words;
    wn_array(int64_t) ids; /* of the pages, as they came */
    bool unsorted;         /* they do not rise */
    bool gone;             /* some have lost words */
    wn_postings of_word;   /* that is being written, and its bytes */
    wn_buf bytes;
} wn_gathered;

/* The words of a page, or those that it has no longer; false if out of memory. */
bool wn_corpus_gathered_add(wn_gathered *gathered, int64_t id, const wn_index_page *index,
                            bool gone);

/* Whether it is time to write: memory is bounded. */
bool wn_corpus_gathered_is_full(const wn_gathered *gathered);

void wn_corpus_gathered_clear(wn_gathered *gathered);
void wn_corpus_gathered_free(wn_gathered *gathered);

/* ---- Blocks out -------------------------------------------------------------------------- */

/* Zero it but for `write` and its `data`; free the buffers at the end. */
typedef struct wn_block_writer {
    bool (*write)(void *data, wn_str first, wn_str block); /* false: it failed */
    void *data;
    wn_buf block, first, last; /* its bytes, its first word and the last */
} wn_block_writer;

/* Words come in bytewise order, the same word several times if need be. */
bool wn_corpus_block_add(wn_block_writer *writer, wn_str word, wn_str postings);
bool wn_corpus_block_end(wn_block_writer *writer); /* writes what is left */
void wn_corpus_block_writer_free(wn_block_writer *writer);

/* Writes all that was gathered; the list is empty then. */
bool wn_corpus_gathered_write(wn_gathered *gathered, wn_block_writer *writer);

/* ---- Blocks in --------------------------------------------------------------------------- */

/* Begins with `rest` = the block and an empty word. */
typedef struct wn_block_reader {
    wn_str rest, word, postings;
} wn_block_reader;

/* The next entry; false at the end, and where the block is damaged: then `rest` is not empty. */
bool wn_corpus_block_next(wn_block_reader *reader);

/*
 * Takes postings off `bytes` and appends them; false if out of memory. What is left is damaged.
 */
bool wn_corpus_postings_read(wn_postings *list, wn_str *bytes);

/* Sorts by id what was appended in the order of writing; of a page the last counts. */
void wn_corpus_postings_sort(wn_postings *list);

/* Leaves out the pages that have lost the word. */
void wn_corpus_postings_drop_gone(wn_postings *list);

/* The bytes of a list that is sorted. */
void wn_corpus_postings_write(wn_buf *out, const wn_postings *list);

#endif
