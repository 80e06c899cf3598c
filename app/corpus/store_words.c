/*
 * What was learned of a collection: its words, and notes of any kind.
 */
#include "corpus/store_parts.h"

static bool clear_words(wn_store *store, const void *data)
{
    (void)data;
    return wn_corpus_db_run(store->db, "DELETE FROM words", NULL, 0);
}

bool wn_corpus_store_words_clear(wn_store *store)
{
    return wn_corpus_store_alone(store, clear_words, NULL);
}

static bool put_word(wn_store *store, const void *data)
{
    const wn_stored_word *word = data;
    const wn_value values[] = {
        wn_corpus_text_value(word->word),
        wn_corpus_int_value((int64_t)word->occurrences),
        wn_corpus_int_value((int64_t)word->documents),
        wn_corpus_int_value((int64_t)word->labelled),
        wn_corpus_real_value(word->tfidf),
        wn_corpus_real_value(word->distance),
        wn_corpus_int_value(word->outlier),
        wn_corpus_text_value(word->labels.ptr ? word->labels : WN_STR("")),
    };
    return wn_corpus_db_run(
        store->db,
        "INSERT INTO words (word, occurrences, documents, labelled, tfidf, distance,"
        " outlier, labels) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)"
        " ON CONFLICT (word) DO UPDATE SET occurrences = excluded.occurrences,"
        " documents = excluded.documents, labelled = excluded.labelled,"
        " tfidf = excluded.tfidf, distance = excluded.distance,"
        " outlier = excluded.outlier, labels = excluded.labels",
        values, sizeof values / sizeof *values);
}

bool wn_corpus_store_word_put(wn_store *store, const wn_stored_word *word)
{
    return wn_corpus_store_alone(store, put_word, word);
}

/* Some thousand words at a time, from the last one on. */
enum { WORDS_AT_ONCE = 5000 };

/*
 * Visits the words after `last`, which becomes the last of them; *more tells whether some may
 * follow.
 */
static bool visit_some(wn_store *store, bool outliers, wn_buf *last, bool *more,
                       bool (*visit)(void *, const wn_stored_word *), void *data)
{
    const wn_driver *d = store->db->driver;
    const wn_value values[] = {wn_corpus_text_value(wn_buf_str(last)),
                               wn_corpus_int_value(WORDS_AT_ONCE)};
    wn_rows *rows = d->query(
        store->db,
        outliers ? "SELECT word, occurrences, documents, labelled, tfidf, distance, outlier, labels"
                   " FROM words WHERE word > $1 AND outlier <> 0 ORDER BY word LIMIT $2"
                 : "SELECT word, occurrences, documents, labelled, tfidf, distance, outlier, labels"
                   " FROM words WHERE word > $1 ORDER BY word LIMIT $2",
        values, 2);
    wn_buf newest = {0};
    size_t count = 0;
    bool go_on = rows != NULL;
    while (go_on && d->next(rows)) {
        const wn_stored_word word = {
            .word = d->text(rows, 0),
            .occurrences = (uint64_t)d->number(rows, 1),
            .documents = (uint64_t)d->number(rows, 2),
            .labelled = (uint64_t)d->number(rows, 3),
            .tfidf = d->real(rows, 4),
            .distance = d->real(rows, 5),
            .outlier = d->number(rows, 6) != 0,
            .labels = d->text(rows, 7),
        };
        wn_buf_clear(&newest);
        wn_buf_add(&newest, word.word);
        count++;
        go_on = visit(data, &word);
    }
    bool done = rows && d->end(rows);
    *more = go_on && count == WORDS_AT_ONCE;
    wn_buf_free(last);
    *last = newest;
    return done;
}

bool wn_corpus_store_words_each(wn_store *store, bool outliers,
                                bool (*visit)(void *data, const wn_stored_word *), void *data)
{
    wn_buf last = {0};
    bool more = true, done = true;
    while (more && done)
        done = visit_some(store, outliers, &last, &more, visit, data);
    wn_buf_free(&last);
    return done;
}

/* ---- Notes ------------------------------------------------------------------------------- */

typedef struct note {
    const char *kind;
    wn_str name, bytes;
} note;

static bool set_note(wn_store *store, const void *data)
{
    const note *n = data;
    const wn_value values[] = {wn_corpus_text_value(wn_str_of(n->kind)),
                               wn_corpus_text_value(n->name), wn_corpus_bytes_value(n->bytes)};
    if (n->bytes.len == 0)
        return wn_corpus_db_run(store->db, "DELETE FROM notes WHERE kind = $1 AND name = $2",
                                values, 2);
    return wn_corpus_db_run(store->db,
                            "INSERT INTO notes (kind, name, bytes) VALUES ($1, $2, $3)"
                            " ON CONFLICT (kind, name) DO UPDATE SET bytes = excluded.bytes",
                            values, 3);
}

bool wn_corpus_store_note_set(wn_store *store, const char *kind, wn_str name, wn_str bytes)
{
    return wn_corpus_store_alone(store, set_note, &(note){kind, name, bytes});
}

bool wn_corpus_store_note_get(wn_store *store, const char *kind, wn_str name, wn_buf *out)
{
    const wn_driver *d = store->db->driver;
    const wn_value values[] = {wn_corpus_text_value(wn_str_of(kind)), wn_corpus_text_value(name)};
    wn_rows *rows = d->query(store->db, "SELECT bytes FROM notes WHERE kind = $1 AND name = $2",
                             values, 2);
    wn_buf_clear(out);
    if (!rows)
        return false;
    if (d->next(rows))
        wn_buf_add(out, d->bytes(rows, 0));
    return d->end(rows);
}
