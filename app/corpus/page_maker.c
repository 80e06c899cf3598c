#include "corpus/page_maker.h"

#include <time.h>

#include "base/hash.h"
#include "base/url.h"
#include "corpus/mined_text.h"
#include "corpus/page_language.h"

/* Longer ones are not names: https://www.rfc-editor.org/rfc/rfc1035#section-2.3.4 */
enum { MAX_HOST = 255 };

/* Texts are hashed without a secret: equal texts of different stores have equal hashes. */
static const wn_hash_key no_key = {0, 0};

bool wn_corpus_page_maker_init(wn_page_maker *maker, wn_str stop_words)
{
    *maker = (wn_page_maker){.words = wn_text_words_new(), .stemmer = wn_text_stemmer_new()};
    return maker->words && maker->stemmer && wn_text_stopwords_add(&maker->terms.stop, stop_words);
}

void wn_corpus_page_maker_free(wn_page_maker *maker)
{
    wn_text_words_free(maker->words);
    wn_text_stemmer_free(maker->stemmer);
    wn_text_terms_free(&maker->terms);
    wn_buf_free(&maker->stems);
    wn_buf_free(&maker->all_stems);
    wn_buf_free(&maker->title_stems);
}

/* ---- Parts ------------------------------------------------------------------------------- */

/* The host of an address in lower case; "" if it has none. */
static wn_str lower_host(wn_arena *arena, wn_str url)
{
    wn_str found = wn_url_host(url);
    if (found.len > MAX_HOST)
        return WN_STR("");
    char *host = wn_arena_bytes(arena, found.len + 1);
    for (size_t i = 0; host && i < found.len; i++)
        host[i] = wn_ascii_lower(found.ptr[i]);
    return host ? wn_str_from(host, found.len) : WN_STR("");
}

static wn_str choose_language(wn_page_maker *maker, const winnow_metadata *metadata, wn_str text,
                              wn_arena *arena)
{
    char code[WN_LANGUAGE_CODE];
    return wn_arena_copy(arena, wn_str_of(wn_corpus_page_language(
                                    maker->words, wn_str_of(metadata->language), text, code)));
}

static wn_str join_authors(const winnow_metadata *metadata, wn_arena *arena)
{
    wn_buf names = {0};
    for (size_t i = 0; i < metadata->author_count; i++) {
        wn_buf_add_literal(&names, i ? ", " : "");
        wn_buf_add_literal(&names, metadata->authors[i]);
    }
    wn_str joined = wn_arena_copy(arena, wn_buf_str(&names));
    wn_buf_free(&names);
    return joined;
}

static wn_str choose_date(const winnow_metadata *metadata, wn_arena *arena)
{
    const char *date = metadata->published;
    if (!date || !date[0])
        date = metadata->modified;
    return wn_arena_copy(arena, wn_str_of(date));
}

static wn_stored_status status_of(winnow_status status)
{
    if (status == WINNOW_STATUS_EMPTY)
        return WN_STORED_EMPTY;
    return status == WINNOW_STATUS_PARTIAL ? WN_STORED_PARTIAL : WN_STORED_OK;
}

/* ---- The page ---------------------------------------------------------------------------- */

/* Fills in what comes from the words of the text and the title. */
static bool add_words(wn_page_maker *maker, wn_arena *arena, wn_index_page *index, wn_stored *page)
{
    wn_buf_clear(&maker->stems);
    wn_buf_clear(&maker->all_stems);
    wn_buf_clear(&maker->title_stems);
    wn_text_stemmer_use(maker->stemmer, page->language);
    wn_text_words_set_language(maker->words, page->language);
    page->words = wn_text_stem_text(maker->stemmer, maker->words, page->text, &maker->all_stems);
    wn_text_stem_text(maker->stemmer, maker->words, page->title, &maker->title_stems);
    wn_text_terms_set_language(&maker->terms, page->language);
    if (!wn_corpus_mined_text(&maker->terms, page->text, &maker->stems))
        return false;
    page->stems = wn_arena_copy(arena, wn_buf_str(&maker->stems));
    page->all_stems = wn_arena_copy(arena, wn_buf_str(&maker->all_stems));
    page->title_stems = wn_arena_copy(arena, wn_buf_str(&maker->title_stems));
    page->index = index;
    return !maker->all_stems.failed && !maker->title_stems.failed &&
           wn_corpus_index_words(index, page->title_stems, page->all_stems);
}

bool wn_corpus_page_make(wn_page_maker *maker, winnow_selection *content,
                         const wn_page_origin *origin, wn_arena *arena, wn_index_page *index,
                         wn_stored *page)
{
    size_t size;
    const winnow_metadata *metadata = winnow_selection_metadata(content);
    const char *written = winnow_write(content, WINNOW_FORMAT_TEXT, NULL, &size);
    const char *url = origin->url ? origin->url : metadata->url;
    if (!written)
        return false;
    wn_str text = wn_str_from(written, size);
    *page = (wn_stored){
        .url = wn_arena_copy(arena, wn_str_of(url)),
        .label = wn_arena_copy(arena, origin->label),
        .title = wn_arena_copy(arena, wn_str_of(metadata->title)),
        .author = join_authors(metadata, arena),
        .date = choose_date(metadata, arena),
        .language = choose_language(maker, metadata, text, arena),
        .source = wn_arena_copy(arena, origin->source),
        .offset = origin->offset,
        .inner = origin->inner,
        .method = wn_arena_copy(arena, wn_str_of(winnow_selection_method(content))),
        .status = status_of(winnow_selection_status(content)),
        .page_bytes = origin->page_bytes,
        .text_bytes = size,
        .page_hash = origin->page_hash,
        .added = (int64_t)time(NULL),
        .text = wn_arena_copy(arena, text),
    };
    page->host = lower_host(arena, page->url);
    page->text_hash = wn_hash_stable64(no_key, page->text);
    return add_words(maker, arena, index, page) && !arena->failed;
}
