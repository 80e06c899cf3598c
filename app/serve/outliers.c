/*
 * The words of the store as points: /v1/outliers, which the web page draws.
 *
 * A point is a word: how often it occurs, on how many pages, and whether it is an outlier. Outliers
 * are all there, up to a bound. Of the other words, those that would be drawn at the same place are
 * one point with their number, so that the answer is bounded for a store of any size.
 *
 * What 'winnow corpus outliers' has kept in the store is shown; a small store in which nothing was
 * kept is counted now.
 */
#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "corpus/kept_words.h"
#include "serve/ask.h"
#include "serve/handlers.h"

enum {
    STEPS = 24, /* places per power of ten */
    SIDE = STEPS * 9,
    MOST_PAGES = 1000,   /* of a store that is counted now */
    MOST_KEPT = 1000000, /* outliers that are looked at */
    OUTLIERS = 0,        /* in the list of values */
};

const winnow_parameter_info wn_serve_outlier_values[] = {
    {.name = "n",
     .help = "outliers to show, the farthest first",
     .kind = WINNOW_VALUE_WHOLE,
     .min = 1,
     .max = 1000,
     .fallback = "50",
     .allowed = "a whole number from 1 to 1000"},
    {.name = NULL},
};

typedef struct point {
    wn_str word;
    uint64_t total, documents, words; /* occurrences, pages, words at this place */
    double distance;                  /* of an outlier */
} point;

/* Zero it before the first use. */
typedef struct cloud_of_points {
    wn_arena arena;
    wn_array(point) outliers;
    point *places; /* SIDE x SIDE */
    uint64_t words;
    bool failed;
} cloud_of_points;

/* ---- Points ------------------------------------------------------------------------------ */

static size_t step_of(uint64_t number)
{
    size_t step = number > 1 ? (size_t)(log10((double)number) * STEPS) : 0;
    return step < SIDE ? step : SIDE - 1;
}

static bool add_word(void *data, const wn_stored_word *word)
{
    cloud_of_points *cloud = data;
    bool is_outlier = word->outlier && cloud->outliers.count < MOST_KEPT;
    point *place =
        is_outlier ? wn_array_push(&cloud->outliers)
                   : &cloud->places[step_of(word->occurrences) * SIDE + step_of(word->documents)];
    cloud->words++;
    if (place && is_outlier)
        *place = (point){.distance = word->distance};
    if (place && place->words++ == 0) {
        place->word = wn_arena_copy(&cloud->arena, word->word);
        place->total = word->occurrences;
        place->documents = word->documents;
    }
    cloud->failed = !place || cloud->arena.failed;
    return !cloud->failed;
}

static bool add_list(cloud_of_points *cloud, const wn_wordlist *list)
{
    for (uint32_t i = 0; i < list->order.count && !cloud->failed; i++) {
        uint32_t word = list->order.items[i];
        const wn_word_row *row = &list->rows.items[word];
        add_word(cloud, &(wn_stored_word){
                            .word = wn_corpus_wordlist_word(list, word),
                            .occurrences = row->total,
                            .documents = row->documents,
                            .distance = row->distance,
                            .outlier = row->outlier,
                        });
    }
    return !cloud->failed;
}

static int farthest_first(const void *left, const void *right)
{
    const point *a = left, *b = right;
    if (a->distance != b->distance)
        return a->distance < b->distance ? 1 : -1;
    return wn_str_compare(a->word, b->word);
}

/*
 * Counts the words of all pages and finds the outliers; false when the store failed, or out of
 * memory.
 */
static bool count_now(cloud_of_points *cloud, wn_store *store, const wn_store_filter *filter,
                      uint32_t outliers)
{
    wn_wordlist_options wanted = wn_wordlist_defaults;
    wn_terms terms = {0};
    wn_wordlist list = {0};
    wanted.n = outliers;
    wanted.threads = 1;
    bool done = wn_corpus_kept_words_count(store, filter, &terms, false, &list) &&
                wn_corpus_wordlist_find(&list, &wanted) && add_list(cloud, &list);
    cloud->failed = cloud->failed || list.failed;
    wn_text_terms_free(&terms);
    wn_corpus_wordlist_free(&list);
    return done;
}

/* ---- The answer -------------------------------------------------------------------------- */

static void write_point(wn_json_writer *json, const point *p, bool outlier)
{
    wn_json_begin_object(json);
    wn_json_key(json, "word");
    wn_json_outside(json, p->word);
    wn_json_key(json, "total");
    wn_json_uint(json, p->total);
    wn_json_key(json, "documents");
    wn_json_uint(json, p->documents);
    if (outlier) {
        wn_json_key(json, "distance");
        wn_json_fixed(json, p->distance, 4);
    } else if (p->words > 1) {
        wn_json_key(json, "words");
        wn_json_uint(json, p->words);
    }
    wn_json_end_object(json);
}

static void write_points(const cloud_of_points *cloud, uint64_t pages, size_t most,
                         wn_serve_answer *answer)
{
    wn_json_writer json;
    wn_serve_begin_json(answer, &json);
    wn_json_key(&json, "pages");
    wn_json_uint(&json, pages);
    wn_json_key(&json, "words");
    wn_json_uint(&json, cloud->words);
    wn_json_key(&json, "outliers");
    wn_json_begin_array(&json);
    for (size_t i = 0; i < cloud->outliers.count && i < most; i++)
        write_point(&json, &cloud->outliers.items[i], true);
    wn_json_end_array(&json);
    wn_json_key(&json, "others");
    wn_json_begin_array(&json);
    for (size_t i = 0; i < (size_t)SIDE * SIDE; i++)
        if (cloud->places[i].words > 0)
            write_point(&json, &cloud->places[i], false);
    wn_json_end_array(&json);
    wn_serve_end_json(answer, &json);
}

static void answer_points(cloud_of_points *cloud, wn_store *store, size_t outliers,
                          wn_serve_worker *worker, const wn_serve_request *request,
                          wn_serve_answer *answer)
{
    const wn_store_filter filter = {.statuses = 1 << WN_STORED_OK | 1 << WN_STORED_PARTIAL};
    uint64_t pages = 0;
    bool done = wn_corpus_store_count(store, &filter, &pages) &&
                wn_corpus_store_words_each(store, false, add_word, cloud);
    if (done && cloud->words == 0 && pages > MOST_PAGES) {
        wn_serve_fail(answer, request, 422,
                      "the words of this store were not counted yet; run 'winnow corpus outliers' "
                      "with it once");
        return;
    }
    if (done && cloud->words == 0)
        done = count_now(cloud, store, &filter, (uint32_t)outliers);
    if (cloud->failed)
        wn_serve_fail(answer, request, 503, "out of memory");
    else if (!done)
        wn_serve_fail_store(worker, request, wn_corpus_store_error(store), answer);
    if (!done || cloud->failed)
        return;
    if (cloud->outliers.count > 1)
        qsort(cloud->outliers.items, cloud->outliers.count, sizeof *cloud->outliers.items,
              farthest_first);
    write_points(cloud, pages, outliers, answer);
}

void wn_serve_outliers(wn_serve_worker *worker, const wn_serve_request *request,
                       wn_serve_answer *answer)
{
    wn_serve_ask ask;
    cloud_of_points cloud = {.places = calloc((size_t)SIDE * SIDE, sizeof *cloud.places)};
    wn_arena_init(&cloud.arena, 0);
    bool begun = cloud.places && wn_serve_ask_begin(&ask);
    wn_store *store = begun ? wn_serve_open_store(&ask, worker, request, answer) : NULL;
    if (store)
        answer_points(&cloud, store, (size_t)ask.values[OUTLIERS].number, worker, request, answer);
    if (cloud.places)
        wn_serve_ask_free(&ask);
    wn_array_free(&cloud.outliers);
    wn_arena_free(&cloud.arena);
    free(cloud.places);
}
