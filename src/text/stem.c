/*
 * Stems: a thin layer over libstemmer that keeps the stemmers it has made, because a collection
 * mixes languages page by page.
 *
 * Most words of a text have occurred before, so recently folded and stemmed words are kept in a
 * small table: without it, stemming is a quarter of the cost of adding a page to a collection.
 */
#include "text/stem.h"

#include <stdlib.h>

#include "text/stopwords.h"
#include "text/unicode.h"

#ifdef WN_HAVE_STEMMER
#include <libstemmer.h>
#endif

enum {
    /* Stemmers that are kept; Snowball has fewer languages. */
    MAX_LANGUAGES = 40,
    /* Longer runs of letters are not words of any language: they are their own stem. */
    MAX_WORD = 200,
    /*
     * Words that are remembered, a power of two, and the bytes of one with its stem: most of the
     * words
     *        of a language that are written at all, in 4 MB.
     */
    MEMORY_SLOTS = 1 << 16,
    MEMORY_BYTES = 50,
    /* Words being prefetched: no cache holds them all. */
    AHEAD = 8,
};

/* A word as it was in a text, and after it its stem: 64 bytes, a line of the cache. */
typedef struct memory {
    const struct sb_stemmer *stemmer;
    uint32_t hash;
    uint8_t word_length, stem_length; /* 0: the slot is free */
    char bytes[MEMORY_BYTES];
} memory;

typedef struct entry {
    char language[WN_LANGUAGE_CODE];
    struct sb_stemmer *stemmer; /* NULL: the language has none */
} entry;

struct wn_stemmer {
    entry entries[MAX_LANGUAGES];
    size_t count;
    struct sb_stemmer *current; /* NULL: words stay as they are */
    wn_buf folded;
    memory *memories; /* made when the first text comes */
};

wn_stemmer *wn_text_stemmer_new(void)
{
    return wn_memory_get_zeroed(sizeof(wn_stemmer));
}

void wn_text_stemmer_free(wn_stemmer *stemmer)
{
    if (!stemmer)
        return;
#ifdef WN_HAVE_STEMMER
    for (size_t i = 0; i < stemmer->count; i++)
        sb_stemmer_delete(stemmer->entries[i].stemmer);
#endif
    wn_buf_free(&stemmer->folded);
    wn_memory_release(stemmer->memories);
    wn_memory_release(stemmer);
}

const char *wn_text_stem_engine(void)
{
#ifdef WN_HAVE_STEMMER
    return "libstemmer";
#else
    return "none";
#endif
}

/* Snowball knows Norwegian as one language; the web writes Bokmål and Nynorsk. */
static struct sb_stemmer *make_stemmer(const char *language)
{
#ifdef WN_HAVE_STEMMER
    bool norwegian = strcmp(language, "nb") == 0 || strcmp(language, "nn") == 0;
    return sb_stemmer_new(norwegian ? "no" : language, "UTF_8");
#else
    (void)language;
    return NULL;
#endif
}

static struct sb_stemmer *find_stemmer(wn_stemmer *stemmer, wn_str language)
{
    if (language.len == 0 || language.len >= WN_LANGUAGE_CODE)
        return NULL;
    for (size_t i = 0; i < stemmer->count; i++) {
        if (wn_str_eq(wn_str_of(stemmer->entries[i].language), language))
            return stemmer->entries[i].stemmer;
    }
    char code[WN_LANGUAGE_CODE] = "";
    memcpy(code, language.ptr, language.len);
    struct sb_stemmer *made = make_stemmer(code);
    if (!made)
        return NULL; /* not kept: the names of languages without stems have no end */
    if (stemmer->count == MAX_LANGUAGES) {
#ifdef WN_HAVE_STEMMER
        sb_stemmer_delete(made);
#endif
        return NULL;
    }
    entry *e = &stemmer->entries[stemmer->count++];
    memcpy(e->language, code, sizeof code);
    e->stemmer = made;
    return made;
}

bool wn_text_stemmer_use(wn_stemmer *stemmer, wn_str language)
{
    stemmer->current = find_stemmer(stemmer, language);
    return stemmer->current != NULL;
}

wn_str wn_text_stem(wn_stemmer *stemmer, wn_str folded)
{
#ifdef WN_HAVE_STEMMER
    if (stemmer->current && folded.len <= MAX_WORD) {
        const sb_symbol *stem = sb_stemmer_stem(stemmer->current, (const sb_symbol *)folded.ptr,
                                                (int)folded.len);
        int length = stem ? sb_stemmer_length(stemmer->current) : 0;
        if (length > 0)
            return wn_str_from((const char *)stem, (size_t)length);
    }
#else
    (void)stemmer;
#endif
    return folded;
}

static wn_str fold_and_stem(wn_stemmer *stemmer, wn_str word)
{
    wn_buf_clear(&stemmer->folded);
    wn_text_fold(&stemmer->folded, word);
    return wn_text_stem(stemmer, wn_buf_str(&stemmer->folded));
}

static bool remembers(const wn_stemmer *stemmer, const memory *m, uint32_t hash, wn_str word)
{
    return m->hash == hash && m->word_length == word.len && m->stemmer == stemmer->current &&
           memcmp(m->bytes, word.ptr, word.len) == 0;
}

/* The stem of a word as it is in a text; valid until the next call. */
static wn_str recall_stem(wn_stemmer *stemmer, wn_str word, uint32_t hash)
{
    memory *m = &stemmer->memories[hash % MEMORY_SLOTS];
    if (remembers(stemmer, m, hash, word))
        return wn_str_from(m->bytes + m->word_length, m->stem_length);
    wn_str stem = fold_and_stem(stemmer, word);
    if (stem.len > 0 && word.len + stem.len <= MEMORY_BYTES) {
        *m = (memory){stemmer->current, hash, (uint8_t)word.len, (uint8_t)stem.len, {0}};
        memcpy(m->bytes, word.ptr, word.len);
        memcpy(m->bytes + word.len, stem.ptr, stem.len);
    }
    return stem;
}

/* Memory for words that came before; false when there is none to be had. */
static bool has_memory(wn_stemmer *stemmer)
{
    if (!stemmer->memories)
        stemmer->memories = wn_memory_get_zeroed(MEMORY_SLOTS * sizeof *stemmer->memories);
    return stemmer->memories != NULL;
}

wn_str wn_text_stem_word(wn_stemmer *stemmer, wn_str word)
{
    return has_memory(stemmer) ? recall_stem(stemmer, word, wn_str_hash(word))
                               : fold_and_stem(stemmer, word);
}

/* Without memory for words that came before. */
static size_t stem_each(wn_stemmer *stemmer, wn_words *words, wn_buf *out)
{
    size_t count = 0;
    for (wn_str word; wn_text_words_next(words, &word); count++) {
        if (count > 0)
            wn_buf_add_char(out, ' ');
        wn_buf_add(out, fold_and_stem(stemmer, word));
    }
    return count;
}

/* Each word is looked up some words after it was read: its memory arrives meanwhile. */
static size_t recall_each(wn_stemmer *stemmer, wn_words *words, wn_buf *out)
{
    struct {
        wn_str word;
        uint32_t hash;
    } ahead[AHEAD];
    size_t read = 0, written = 0;
    bool more = true;
    while (more || written < read) {
        wn_str word;
        if (more && (more = wn_text_words_next(words, &word))) {
            uint32_t hash = wn_str_hash(word);
            __builtin_prefetch(&stemmer->memories[hash % MEMORY_SLOTS]);
            ahead[read % AHEAD].word = word;
            ahead[read++ % AHEAD].hash = hash;
        }
        if (written < read && (!more || read - written == AHEAD)) {
            if (written > 0)
                wn_buf_add_char(out, ' ');
            size_t at = written++ % AHEAD;
            wn_buf_add(out, recall_stem(stemmer, ahead[at].word, ahead[at].hash));
        }
    }
    return written;
}

size_t wn_text_stem_text(wn_stemmer *stemmer, wn_words *words, wn_str text, wn_buf *out)
{
    wn_text_words_begin(words, text);
    return has_memory(stemmer) ? recall_each(stemmer, words, out) : stem_each(stemmer, words, out);
}
