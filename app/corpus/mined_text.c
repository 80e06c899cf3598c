#include "corpus/mined_text.h"

#include "corpus/store_parts.h"

bool wn_corpus_mined_text(wn_terms *terms, wn_str text, wn_buf *out)
{
    size_t start = out->len;
    wn_text_terms_begin(terms, text);
    for (wn_term term; wn_text_terms_next(terms, &term);) {
        if (term.is_stop || wn_text_stopwords_has(&terms->stop, term.stem))
            continue;
        if (out->len > start)
            wn_buf_add_char(out, ' ');
        wn_buf_add(out, term.stem);
    }
    return !terms->failed && !out->failed;
}

static bool fill_page(wn_store *store, wn_terms *terms, const wn_stored *page, wn_buf *stems)
{
    wn_buf_clear(stems);
    wn_text_terms_set_language(terms, page->language);
    if (!wn_corpus_mined_text(terms, page->text, stems))
        return wn_corpus_db_fail(store->db, "out of memory");
    const wn_value values[] = {wn_corpus_int_value(page->id),
                               wn_corpus_text_value(wn_buf_str(stems))};
    return wn_corpus_db_run(store->db, "UPDATE texts SET stems = $2 WHERE id = $1", values, 2);
}

bool wn_corpus_mined_text_fill(wn_store *store)
{
    wn_terms terms = {0};
    wn_buf stems = {0};
    wn_stored page;
    wn_store_walk *walk = wn_corpus_store_walk_open(store, NULL, WN_FIELD_TEXT);
    bool filled = walk || wn_corpus_db_fail(store->db, "out of memory");
    while (filled && wn_corpus_store_walk_next(walk, &page))
        filled = fill_page(store, &terms, &page, &stems);
    if (walk && !wn_corpus_store_walk_close(walk))
        filled = false;
    wn_text_terms_free(&terms);
    wn_buf_free(&stems);
    return filled;
}
