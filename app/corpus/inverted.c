#include "corpus/inverted.h"

#include <stdlib.h>

enum {
    /* So many parts of about one size become one. */
    MERGED = 8,
    /* Parts that differ less than this many times are of about one size; the smallest size. */
    STEP = 8,
    SMALLEST = 64 << 10,
    /*
     * Parts of so many bytes stay as they are: a transaction must end some day. Pages that have
     * lost words
     *        in them are then noted after them for good.
     */
    LARGEST = 256 << 20,
    /* Parts that can become one at once: those of every size below, all but the last of each. */
    MOST_MERGED = 64,
};

static bool out_of_memory(wn_db *db)
{
    return wn_corpus_db_fail(db, "out of memory");
}

static bool is_damaged(wn_db *db)
{
    return wn_corpus_db_fail(db, "its index is damaged; 'winnow corpus reindex' rebuilds it");
}

/* ---- Parts out --------------------------------------------------------------------------- */

/* A part that is being written. */
typedef struct new_part {
    wn_db *db;
    int64_t number;
    uint64_t bytes;
    bool gone;
    wn_block_writer writer;
} new_part;

static bool write_block(void *data, wn_str first, wn_str block)
{
    new_part *part = data;
    const wn_value values[] = {wn_corpus_int_value(part->number), wn_corpus_bytes_value(first),
                               wn_corpus_bytes_value(block)};
    part->bytes += block.len;
    return wn_corpus_db_run(
        part->db, "INSERT INTO index_blocks (part, first, bytes) VALUES ($1, $2, $3)", values, 3);
}

static bool begin_part(new_part *part, wn_db *db, bool gone)
{
    *part = (new_part){.db = db, .gone = gone, .writer = {.write = write_block}};
    return wn_corpus_db_number(db, "SELECT max(part) + 1 FROM index_parts", NULL, 0, 1,
                               &part->number);
}

/* Always frees what the part took; `sound`: all of it was written. */
static bool end_part(new_part *part, bool sound)
{
    const wn_value values[] = {wn_corpus_int_value(part->number),
                               wn_corpus_int_value((int64_t)part->bytes),
                               wn_corpus_int_value(part->gone)};
    bool memory = !part->writer.block.failed && !part->writer.first.failed &&
                  !part->writer.last.failed;
    wn_corpus_block_writer_free(&part->writer);
    if (!memory)
        return out_of_memory(part->db);
    return sound && wn_corpus_db_run(
                        part->db, "INSERT INTO index_parts (part, bytes, gone) VALUES ($1, $2, $3)",
                        values, 3);
}

/* ---- Parts in ---------------------------------------------------------------------------- */

static wn_block_reader begin_block(wn_str block)
{
    return (wn_block_reader){.rest = block, .word = WN_STR("")};
}

static bool read_postings(wn_db *db, wn_postings *list, wn_str bytes)
{
    if (!wn_corpus_postings_read(list, &bytes))
        return out_of_memory(db);
    return bytes.len == 0 || is_damaged(db);
}

/* A part that is being read from its first word to the last. */
typedef struct old_part {
    int64_t number;
    uint64_t bytes;
    bool gone;
    wn_rows *blocks;
    wn_block_reader reader;
    bool ended, damaged;
} old_part;

static void next_entry(wn_db *db, old_part *part)
{
    while (!part->ended && !wn_corpus_block_next(&part->reader)) {
        part->damaged = part->reader.rest.len > 0;
        part->ended = part->damaged || !db->driver->next(part->blocks);
        if (!part->ended)
            part->reader = begin_block(db->driver->bytes(part->blocks, 0));
    }
}

static bool open_part(wn_db *db, old_part *part)
{
    wn_value number = wn_corpus_int_value(part->number);
    part->blocks = db->driver->query(
        db, "SELECT bytes FROM index_blocks WHERE part = $1 ORDER BY first, id", &number, 1);
    part->ended = !part->blocks;
    next_entry(db, part);
    return part->blocks != NULL;
}

/* The newest parts, the newest first, as many as fit; *count tells how many. */
static bool list_parts(wn_db *db, old_part *parts, size_t *count)
{
    const wn_driver *driver = db->driver;
    wn_rows *rows = driver->query(
        db, "SELECT part, bytes, gone FROM index_parts ORDER BY part DESC", NULL, 0);
    *count = 0;
    if (!rows)
        return false;
    while (*count < MOST_MERGED && driver->next(rows))
        parts[(*count)++] = (old_part){.number = driver->number(rows, 0),
                                       .bytes = (uint64_t)driver->number(rows, 1),
                                       .gone = driver->number(rows, 2) != 0};
    return driver->end(rows);
}

/* ---- Many parts become one --------------------------------------------------------------- */

static int size_class(uint64_t bytes)
{
    int class = 0;
    for (uint64_t size = SMALLEST; size <= bytes; size *= STEP)
        class ++;
    return class;
}

/* How many of the newest parts are to become one; 0: none. */
static size_t choose_parts(const old_part *parts, size_t count)
{
    for (int class = 0; class <= size_class(LARGEST); class ++) {
        size_t alike = 0;
        while (alike < count && parts[alike].bytes < LARGEST &&
               size_class(parts[alike].bytes) <= class)
            alike++;
        if (alike >= MERGED)
            return alike;
    }
    return 0;
}

/* The first word that a part still has; NULL: none has any. */
static const old_part *first_word(const old_part *parts, size_t count)
{
    const old_part *first = NULL;
    for (size_t i = 0; i < count; i++) {
        if (!parts[i].ended &&
            (!first || wn_str_compare(parts[i].reader.word, first->reader.word) < 0))
            first = &parts[i];
    }
    return first;
}

typedef struct merge {
    wn_db *db;
    old_part parts[MOST_MERGED]; /* the newest first */
    size_t count;
    bool oldest; /* there are none before them: what is gone can go */
    wn_buf word; /* the one that is being copied */
    wn_postings list;
    wn_buf bytes; /* of the list */
    new_part part;
} merge;

/* The postings of the word, the oldest first. Those of pages that lost it are settled at last. */
static bool copy_word(merge *m)
{
    bool settle = m->oldest && m->part.gone;
    m->list.count = 0;
    for (size_t i = m->count; i-- > 0;) {
        old_part *part = &m->parts[i];
        while (!part->ended && wn_str_eq(part->reader.word, wn_buf_str(&m->word))) {
            bool copied = settle ? read_postings(m->db, &m->list, part->reader.postings)
                                 : wn_corpus_block_add(&m->part.writer, wn_buf_str(&m->word),
                                                       part->reader.postings);
            if (!copied)
                return false;
            next_entry(m->db, part);
        }
    }
    if (!settle)
        return true;
    wn_corpus_postings_sort(&m->list);
    wn_corpus_postings_drop_gone(&m->list);
    wn_buf_clear(&m->bytes);
    wn_corpus_postings_write(&m->bytes, &m->list);
    if (m->bytes.failed)
        return out_of_memory(m->db);
    return m->list.count == 0 ||
           wn_corpus_block_add(&m->part.writer, wn_buf_str(&m->word), wn_buf_str(&m->bytes));
}

static bool copy_words(merge *m)
{
    for (const old_part *first; (first = first_word(m->parts, m->count));) {
        wn_buf_clear(&m->word); /* the block that it is in goes away */
        wn_buf_add(&m->word, first->reader.word);
        if (m->word.failed)
            return out_of_memory(m->db);
        if (!copy_word(m))
            return false;
    }
    return wn_corpus_block_end(&m->part.writer);
}

static bool remove_parts(merge *m)
{
    const wn_value range[] = {wn_corpus_int_value(m->parts[m->count - 1].number),
                              wn_corpus_int_value(m->parts[0].number)};
    return wn_corpus_db_run(m->db, "DELETE FROM index_blocks WHERE part >= $1 AND part <= $2",
                            range, 2) &&
           wn_corpus_db_run(m->db, "DELETE FROM index_parts WHERE part >= $1 AND part <= $2", range,
                            2);
}

static bool merge_parts(merge *m)
{
    bool sound = true, gone = false;
    for (size_t i = 0; i < m->count; i++)
        gone = gone || m->parts[i].gone;
    sound = begin_part(&m->part, m->db, gone);
    m->part.writer.data = &m->part;
    for (size_t i = 0; sound && i < m->count; i++)
        sound = open_part(m->db, &m->parts[i]);
    sound = sound && copy_words(m);
    for (size_t i = 0; i < m->count; i++) {
        if (m->parts[i].blocks && !m->db->driver->end(m->parts[i].blocks))
            sound = false;
        if (m->parts[i].damaged)
            sound = is_damaged(m->db);
    }
    if (m->oldest)
        m->part.gone = false;
    sound = end_part(&m->part, sound) && remove_parts(m);
    wn_buf_free(&m->word);
    wn_buf_free(&m->bytes);
    wn_array_free(&m->list);
    return sound;
}

static bool merge_if_many(wn_db *db)
{
    merge *m = calloc(1, sizeof *m);
    size_t listed = 0;
    if (!m)
        return out_of_memory(db);
    m->db = db;
    bool sound = list_parts(db, m->parts, &listed);
    m->count = sound ? choose_parts(m->parts, listed) : 0;
    m->oldest = m->count == listed && listed < MOST_MERGED;
    sound = sound && (m->count == 0 || merge_parts(m));
    free(m);
    return sound;
}

/* ---- Pages in ---------------------------------------------------------------------------- */

bool wn_corpus_inverted_flush(wn_db *db, wn_gathered *gathered)
{
    new_part part;
    if (gathered->list.count == 0) {
        wn_corpus_gathered_clear(gathered);
        return true;
    }
    if (!begin_part(&part, db, gathered->gone))
        return false;
    part.writer.data = &part;
    wn_buf_clear(&db->error);
    bool sound = wn_corpus_gathered_write(gathered, &part.writer);
    if (!sound && db->error.len == 0)
        out_of_memory(db);
    return end_part(&part, sound) && merge_if_many(db);
}

bool wn_corpus_inverted_add(wn_db *db, wn_gathered *gathered, int64_t id,
                            const wn_index_page *index, bool gone)
{
    if (wn_corpus_gathered_is_full(gathered) && !wn_corpus_inverted_flush(db, gathered))
        return false;
    return wn_corpus_gathered_add(gathered, id, index, gone) || out_of_memory(db);
}

/* ---- Pages out --------------------------------------------------------------------------- */

/* Appends the postings that a block has of a stem. */
static bool read_block(wn_db *db, wn_str block, wn_str stem, wn_postings *list)
{
    wn_block_reader reader = begin_block(block);
    while (wn_corpus_block_next(&reader)) {
        int order = wn_str_compare(reader.word, stem);
        if (order > 0)
            return true;
        if (order == 0 && !read_postings(db, list, reader.postings))
            return false;
    }
    return reader.rest.len == 0 || is_damaged(db);
}

/* The same of the blocks of a query. */
static bool read_blocks(wn_db *db, const char *sql, int64_t part, wn_str stem, wn_postings *list)
{
    const wn_driver *driver = db->driver;
    const wn_value values[] = {wn_corpus_int_value(part), wn_corpus_bytes_value(stem)};
    wn_rows *rows = driver->query(db, sql, values, 2);
    bool sound = true;
    if (!rows)
        return false;
    while (sound && driver->next(rows))
        sound = read_block(db, driver->bytes(rows, 0), stem, list);
    return driver->end(rows) && sound;
}

/* A stem is at the end of the last block that begins before it, and in those that begin with it. */
static bool find_in_part(wn_db *db, int64_t part, wn_str stem, wn_postings *list)
{
    return read_blocks(db,
                       "SELECT bytes FROM index_blocks WHERE part = $1 AND first < $2"
                       " ORDER BY first DESC, id DESC LIMIT 1",
                       part, stem, list) &&
           read_blocks(db,
                       "SELECT bytes FROM index_blocks WHERE part = $1 AND first = $2"
                       " ORDER BY id",
                       part, stem, list);
}

bool wn_corpus_inverted_find(wn_db *db, wn_str stem, wn_postings *list)
{
    const wn_driver *driver = db->driver;
    wn_rows *parts = driver->query(db, "SELECT part FROM index_parts ORDER BY part", NULL, 0);
    bool sound = true;
    list->count = 0;
    if (!parts)
        return false;
    while (sound && driver->next(parts)) /* they stay as they are until the rows end */
        sound = find_in_part(db, driver->number(parts, 0), stem, list);
    if (!driver->end(parts) || !sound)
        return false;
    wn_corpus_postings_sort(list);
    wn_corpus_postings_drop_gone(list);
    return true;
}

/* ---- Search ------------------------------------------------------------------------------ */

static int best_first(const void *left, const void *right)
{
    const wn_found *a = left, *b = right;
    if (a->worth != b->worth)
        return a->worth < b->worth ? 1 : -1;
    return (a->id > b->id) - (a->id < b->id);
}

/* Moves to the first posting that is not before `id`; tells whether it is of it. */
static bool reach(const wn_postings *list, uint32_t *at, int64_t id)
{
    while (*at < list->count && list->items[*at].id < id)
        ++*at;
    return *at < list->count && list->items[*at].id == id;
}

/* All pages that have one of the stems, worth nothing yet. */
static bool find_any(const wn_postings *lists, size_t count, wn_found_list *found)
{
    uint32_t *at = calloc(count, sizeof *at);
    bool sound = at != NULL;
    while (sound) {
        int64_t next = INT64_MAX;
        for (size_t i = 0; i < count; i++) {
            if (at[i] < lists[i].count && lists[i].items[at[i]].id < next)
                next = lists[i].items[at[i]].id;
        }
        if (next == INT64_MAX)
            break;
        for (size_t i = 0; i < count; i++)
            at[i] += at[i] < lists[i].count && lists[i].items[at[i]].id == next;
        wn_found *place = wn_array_push(found);
        sound = place != NULL;
        if (sound)
            *place = (wn_found){next, 0};
    }
    free(at);
    return sound;
}

/*
 * Keeps the pages that have one of the stems, and adds what each stem is worth. The sums are made
 * in the order of the stems, as every database does: equal pages must come out equal to the last
 * bit.
 */
static bool keep_matching(const wn_search_term *term, const wn_postings *lists,
                          wn_found_list *found)
{
    uint32_t kept = 0, *at = calloc(term->stems.count, sizeof *at);
    if (!at)
        return false;
    for (uint32_t i = 0; i < found->count; i++) {
        wn_found page = found->items[i];
        bool has = false;
        for (uint32_t j = 0; j < term->stems.count; j++) {
            if (!reach(&lists[j], &at[j], page.id))
                continue;
            has = true;
            page.worth += term->weights.items[j] * wn_level_worth[lists[j].items[at[j]].level];
        }
        if (has)
            found->items[kept++] = page;
    }
    found->count = kept;
    free(at);
    return true;
}

static bool match_term(wn_db *db, const wn_search_term *term, bool first, wn_found_list *found)
{
    wn_postings *lists = calloc(term->stems.count, sizeof *lists);
    if (!lists)
        return out_of_memory(db);
    bool sound = true;
    for (uint32_t i = 0; sound && i < term->stems.count; i++)
        sound = wn_corpus_inverted_find(db, term->stems.items[i], &lists[i]);
    if (sound)
        sound = ((!first || find_any(lists, term->stems.count, found)) &&
                 keep_matching(term, lists, found)) ||
                out_of_memory(db);
    for (uint32_t i = 0; i < term->stems.count; i++)
        wn_array_free(&lists[i]);
    free(lists);
    return sound;
}

bool wn_corpus_inverted_search(wn_db *db, const wn_search_term *terms, size_t count,
                               wn_found_list *found)
{
    bool sound = true;
    found->count = 0;
    for (size_t i = 0; sound && i < count; i++)
        sound = match_term(db, &terms[i], i == 0, found);
    if (found->count > 1)
        qsort(found->items, found->count, sizeof *found->items, best_first);
    return sound;
}
