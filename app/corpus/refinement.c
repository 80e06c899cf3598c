#include "corpus/refinement.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "draw/text_table.h"

/* ---- What is relevant -------------------------------------------------------------------- */

bool wn_corpus_refinement_learn(wn_refinement *r, wn_str lines)
{
    while (lines.len > 0) {
        wn_str line = wn_str_take_until(&lines, '\n');
        wn_str source = wn_str_trim(wn_str_take_until(&line, '\t')), name = wn_str_trim(line);
        if (source.len == 0 || source.ptr[0] == '#')
            continue;
        uint32_t document = wn_map_add(&r->names, name.len ? name : source, &r->arena);
        uint32_t number = wn_map_add(&r->listed, source, &r->arena);
        if (r->names.failed || r->listed.failed)
            return false;
        uint32_t *place = number < r->documents.count ? &r->documents.items[number]
                                                      : wn_array_push(&r->documents);
        if (!place)
            return false;
        *place = document;
    }
    return !r->arena.failed;
}

/* The number of the document that a page is; WN_MAP_NONE if it is not relevant. */
static uint32_t document_of(wn_refinement *r, const wn_stored *page)
{
    if (r->listed.keys.count == 0)
        return wn_map64_add(&r->texts, page->text_hash);
    uint32_t number = wn_map_find(&r->listed, page->source);
    return number == WN_MAP_NONE ? number : r->documents.items[number];
}

bool wn_corpus_refinement_add(wn_refinement *r, const wn_stored *page)
{
    wn_refined_page *place = wn_array_push(&r->pages);
    if (!place)
        return false;
    place->label = wn_map_add(&r->labels, page->label, &r->arena);
    place->document = document_of(r, page);
    return !r->labels.failed && !r->texts.failed && !r->arena.failed;
}

/* ---- Counting ---------------------------------------------------------------------------- */

static int by_document(const void *a, const void *b)
{
    const wn_refined_page *x = a, *y = b;
    return x->document < y->document ? -1 : x->document > y->document;
}

static int by_label(const void *a, const void *b)
{
    const wn_refined_page *x = a, *y = b;
    if (x->label != y->label)
        return x->label < y->label ? -1 : 1;
    return by_document(a, b);
}

/* Counts pages that are sorted by document. */
static bool add_row(wn_refinement *r, wn_str label, const wn_refined_page *pages, uint32_t count)
{
    wn_refinement_row *row = wn_array_push(&r->rows);
    if (!row)
        return false;
    *row = (wn_refinement_row){.label = label, .retrieved = count};
    for (uint32_t i = 0, end; i < count; i = end) {
        bool kept = false;
        for (end = i; end < count && pages[end].document == pages[i].document; end++) {
            kept = kept || pages[end].kept;
            row->refined += pages[end].kept;
        }
        bool relevant = pages[i].document != WN_MAP_NONE;
        row->relevant += relevant;
        row->relevant_after += relevant && kept;
    }
    return true;
}

static int by_name(const void *a, const void *b)
{
    return wn_str_compare(((const wn_refinement_row *)a)->label,
                          ((const wn_refinement_row *)b)->label);
}

bool wn_corpus_refinement_count(wn_refinement *r, const wn_clusters *clusters)
{
    wn_refined_page *pages = r->pages.items;
    uint32_t count = r->pages.count;
    for (uint32_t i = 0; i < count; i++)
        pages[i].kept = clusters->pages.items[i].kept == i;
    if (count > 0)
        qsort(pages, count, sizeof *pages, by_label);
    bool sound = true;
    for (uint32_t i = 0, end; sound && i < count; i = end) {
        for (end = i; end < count && pages[end].label == pages[i].label; end++) {
        }
        sound = add_row(r, r->labels.keys.items[pages[i].label], pages + i, end - i);
    }
    if (r->rows.count > 0)
        qsort(r->rows.items, r->rows.count, sizeof *r->rows.items, by_name);
    if (r->rows.count == 1)
        r->rows.count = 0; /* one label is all of them */
    if (count > 0)
        qsort(pages, count, sizeof *pages, by_document);
    return sound && add_row(r, WN_STR(""), pages, count);
}

/* ---- The equations ----------------------------------------------------------------------- */

static double ratio(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : NAN;
}

double wn_corpus_printed_precision(const wn_refinement_row *row, bool after)
{
    return ratio(row->relevant, after ? row->refined : row->retrieved);
}

double wn_corpus_printed_recall(const wn_refinement_row *row, bool after)
{
    return ratio(row->relevant, after ? row->relevant_after : row->relevant);
}

double wn_corpus_true_precision(const wn_refinement_row *row, bool after)
{
    return after ? ratio(row->relevant_after, row->refined) : ratio(row->relevant, row->retrieved);
}

double wn_corpus_true_recall(const wn_refinement_row *row, bool after)
{
    return ratio(after ? row->relevant_after : row->relevant, row->relevant);
}

/* ---- Output ------------------------------------------------------------------------------ */

static const struct {
    const char *heading, *key;
    double (*value)(const wn_refinement_row *row, bool after);
} figures[] = {
    {"equation 2", "equation_2", wn_corpus_printed_precision},
    {"equation 3", "equation_3", wn_corpus_printed_recall},
    {"precision", "precision", wn_corpus_true_precision},
    {"recall", "recall", wn_corpus_true_recall},
};

enum { FIGURES = sizeof figures / sizeof *figures };

void wn_corpus_refinement_table(const wn_refinement *r, wn_buf *out)
{
    wn_draw_table table;
    wn_draw_table_begin(&table, 5 + 2 * FIGURES, 1);
    wn_draw_table_cell(&table, "label");
    wn_draw_table_cell(&table, "pages");
    wn_draw_table_cell(&table, "after");
    wn_draw_table_cell(&table, "relevant");
    wn_draw_table_cell(&table, "after");
    for (size_t i = 0; i < FIGURES; i++) {
        wn_draw_table_cell(&table, "%s", figures[i].heading);
        wn_draw_table_cell(&table, "after");
    }
    for (uint32_t i = 0; i < r->rows.count; i++) {
        const wn_refinement_row *row = &r->rows.items[i];
        bool total = i + 1 == r->rows.count;
        wn_draw_table_text(&table, total            ? WN_STR("all")
                                   : row->label.len ? row->label
                                                    : WN_STR("-"));
        wn_draw_table_cell(&table, "%" PRIu64, row->retrieved);
        wn_draw_table_cell(&table, "%" PRIu64, row->refined);
        wn_draw_table_cell(&table, "%" PRIu64, row->relevant);
        wn_draw_table_cell(&table, "%" PRIu64, row->relevant_after);
        for (size_t f = 0; f < FIGURES; f++) {
            wn_draw_table_number(&table, figures[f].value(row, false), 3);
            wn_draw_table_number(&table, figures[f].value(row, true), 3);
        }
    }
    wn_draw_table_write(&table, out, false);
    out->failed = out->failed || table.failed;
    wn_draw_table_free(&table);
}

static void write_side(wn_json_writer *json, const wn_refinement_row *row, bool after)
{
    wn_json_key(json, after ? "after" : "before");
    wn_json_begin_object(json);
    wn_json_key(json, "pages");
    wn_json_uint(json, after ? row->refined : row->retrieved);
    wn_json_key(json, "relevant");
    wn_json_uint(json, after ? row->relevant_after : row->relevant);
    for (size_t i = 0; i < FIGURES; i++) {
        wn_json_key(json, figures[i].key);
        wn_json_double(json, figures[i].value(row, after));
    }
    wn_json_end_object(json);
}

void wn_corpus_refinement_json(const wn_refinement *r, wn_json_writer *json)
{
    wn_json_begin_array(json);
    for (uint32_t i = 0; i < r->rows.count; i++) {
        const wn_refinement_row *row = &r->rows.items[i];
        wn_json_begin_object(json);
        wn_json_key(json, "label");
        if (i + 1 == r->rows.count)
            wn_json_null(json); /* all pages */
        else
            wn_json_string(json, row->label);
        write_side(json, row, false);
        write_side(json, row, true);
        wn_json_end_object(json);
    }
    wn_json_end_array(json);
}

void wn_corpus_refinement_free(wn_refinement *r)
{
    wn_map_free(&r->listed);
    wn_map_free(&r->names);
    wn_map_free(&r->labels);
    wn_map64_free(&r->texts);
    wn_array_free(&r->documents);
    wn_array_free(&r->pages);
    wn_array_free(&r->rows);
    wn_arena_free(&r->arena);
}
