#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* qsort_r */
#endif
#include "corpus/wordlist_rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/json.h"
#include "draw/text_table.h"
#include "io/message.h"

typedef enum attribute {
    WORD,
    TOTAL,
    DOCUMENTS,
    LABELLED,
    TFIDF,
    DISTANCE,
    OUTLIER,
    LABEL, /* how often in pages of a label */
} attribute;

static const char *const attribute_names[] = {
    [WORD] = "word",   [TOTAL] = "total",       [DOCUMENTS] = "documents", [LABELLED] = "labelled",
    [TFIDF] = "tfidf", [DISTANCE] = "distance", [OUTLIER] = "outlier",     [LABEL] = NULL,
};

/* The value of any attribute but the word; NaN: not known. */
static double value_of(const wn_wordlist *list, uint32_t word, uint32_t attribute, uint32_t class)
{
    const wn_word_row *row = &list->rows.items[word];
    switch (attribute) {
    case TOTAL:
        return (double)row->total;
    case DOCUMENTS:
        return row->documents;
    case LABELLED:
        return row->labelled;
    case TFIDF:
        return row->tfidf;
    case DISTANCE:
        return row->distance;
    case OUTLIER:
        return row->outlier;
    default:
        return (double)wn_corpus_wordlist_class_count(list, word, class);
    }
}

/* The name of the i-th label that is an attribute. */
static wn_str label_at(const wn_wordlist *list, uint32_t i)
{
    return wn_corpus_key_sample_key(&list->labels, list->classes.items[i]);
}

/* ---- Conditions -------------------------------------------------------------------------- */

/* Takes an operator off the front. */
static bool take_op(const char **text, wn_word_condition_op *op)
{
    static const struct {
        const char *text;
        wn_word_condition_op op;
    } ops[] = {
        {"==", WN_OP_EQUAL}, {"!=", WN_OP_NOT_EQUAL}, {"<=", WN_OP_AT_MOST}, {">=", WN_OP_AT_LEAST},
        {"=", WN_OP_EQUAL},  {"<", WN_OP_LESS},       {">", WN_OP_MORE},
    };
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        size_t length = strlen(ops[i].text);
        if (strncmp(*text, ops[i].text, length) == 0) {
            *op = ops[i].op;
            *text += length;
            return true;
        }
    }
    return false;
}

static bool find_attribute(wn_word_condition *c, const wn_wordlist *list, wn_str name)
{
    for (c->attribute = WORD; c->attribute < LABEL; c->attribute++)
        if (wn_str_eq(name, wn_str_of(attribute_names[c->attribute])))
            return true;
    c->class = list ? wn_corpus_key_sample_find(&list->labels, name) : 0;
    return c->class != UINT32_MAX;
}

static bool read_value(wn_word_condition *c, const char *text)
{
    char *end;
    c->word = wn_str_trim(wn_str_of(text));
    if (c->attribute == WORD)
        return c->word.len > 0;
    if (c->attribute == OUTLIER) {
        c->number = wn_str_eq(c->word, WN_STR("true"));
        return c->number != 0 || wn_str_eq(c->word, WN_STR("false"));
    }
    c->number = strtod(c->word.ptr, &end);
    return c->word.len > 0 && end == c->word.ptr + c->word.len && isfinite(c->number);
}

static void explain_attribute(const wn_wordlist *list, const char *text, wn_buf *error)
{
    wn_buf_add_literal(error, "unknown attribute in the condition ");
    wn_add_quoted(error, text);
    wn_buf_add_literal(error, "; there are word, total, documents, labelled, tfidf, distance, "
                              "outlier and the labels");
    for (uint32_t i = 0; i < list->classes.count; i++) {
        wn_buf_add_literal(error, i ? ", " : ": ");
        wn_add_printable(error, label_at(list, i));
    }
}

static void explain_form(const char *text, wn_buf *error)
{
    wn_buf_add_literal(error, "wrong condition ");
    wn_add_quoted(error, text);
    wn_buf_add_literal(error, "; it is ATTRIBUTE OP VALUE, OP one of = != < <= > >=, and VALUE a "
                              "number, of 'outlier' true or false, of 'word' a word");
}

/*
 * A label can have any name, "a < b" as well: the first operator at which both sides make sense is
 * meant.
 */
bool wn_corpus_word_condition_read(wn_word_condition *c, const wn_wordlist *list, const char *text,
                                   wn_buf *error)
{
    bool has_op = false, known = false;
    for (const char *p = text; *p;) {
        const char *value = p;
        if (!take_op(&value, &c->op)) {
            p++;
            continue;
        }
        has_op = true;
        if (find_attribute(c, list, wn_str_trim(wn_str_between(text, p)))) {
            known = true;
            if (read_value(c, value))
                return true;
        }
        p = value;
    }
    if (has_op && !known)
        explain_attribute(list, text, error);
    else
        explain_form(text, error);
    return false;
}

static bool fulfils(const wn_wordlist *list, uint32_t word, const wn_word_condition *c)
{
    double difference;
    if (c->attribute == WORD)
        difference = wn_str_compare(wn_corpus_wordlist_word(list, word), c->word);
    else
        difference = value_of(list, word, c->attribute, c->class) - c->number;
    if (isnan(difference))
        return false;
    switch (c->op) {
    case WN_OP_EQUAL:
        return difference == 0;
    case WN_OP_NOT_EQUAL:
        return difference != 0;
    case WN_OP_LESS:
        return difference < 0;
    case WN_OP_AT_MOST:
        return difference <= 0;
    case WN_OP_MORE:
        return difference > 0;
    case WN_OP_AT_LEAST:
        return difference >= 0;
    }
    return false;
}

static bool is_dropped(const wn_wordlist *list, uint32_t word, unsigned drop)
{
    const wn_word_row *row = &list->rows.items[word];
    if (drop & WN_DROP_OUTLIERS && row->outlier)
        return true;
    if (drop & WN_DROP_UNKNOWN_ATTRIBUTES &&
        (!isfinite(row->tfidf) || row->total == 0 || row->documents == 0))
        return true;
    return drop & WN_DROP_UNKNOWN_LABEL && row->labelled == 0;
}

static void add_row(wn_word_rows *rows, uint32_t word)
{
    uint32_t *place = wn_array_push(&rows->list);
    rows->failed = rows->failed || !place;
    if (place)
        *place = word;
}

void wn_corpus_word_rows_choose(wn_word_rows *rows, const wn_wordlist *list,
                                const wn_word_condition *conditions, size_t count, unsigned drop)
{
    for (uint32_t i = 0; i < list->order.count; i++) {
        uint32_t word = list->order.items[i];
        bool chosen = !is_dropped(list, word, drop);
        for (size_t c = 0; chosen && c < count; c++)
            chosen = fulfils(list, word, &conditions[c]);
        if (chosen)
            add_row(rows, word);
    }
}

static int by_distance(const void *left, const void *right, void *data)
{
    const wn_wordlist *list = data;
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    double a_distance = list->rows.items[a].distance, b_distance = list->rows.items[b].distance;
    if (a_distance != b_distance)
        return a_distance > b_distance ? -1 : 1;
    return wn_str_compare(wn_corpus_wordlist_word(list, a), wn_corpus_wordlist_word(list, b));
}

void wn_corpus_word_rows_outliers(wn_word_rows *rows, const wn_wordlist *list)
{
    for (uint32_t i = 0; i < list->order.count; i++)
        if (list->rows.items[list->order.items[i]].outlier)
            add_row(rows, list->order.items[i]);
    if (rows->list.count > 1)
        qsort_r(rows->list.items, rows->list.count, sizeof(uint32_t), by_distance, (void *)list);
}

/* ---- Table, CSV, JSON -------------------------------------------------------------------- */

void wn_corpus_word_rows_table(const wn_word_rows *rows, const wn_wordlist *list, wn_buf *out)
{
    wn_draw_table table;
    wn_draw_table_begin(&table, LABEL + list->classes.count, 1);
    for (uint32_t i = WORD; i < LABEL; i++)
        wn_draw_table_cell(&table, "%s", attribute_names[i]);
    for (uint32_t i = 0; i < list->classes.count; i++)
        wn_draw_table_text(&table, label_at(list, i));
    for (uint32_t r = 0; r < rows->list.count; r++) {
        uint32_t word = rows->list.items[r];
        const wn_word_row *row = &list->rows.items[word];
        wn_draw_table_text(&table, wn_corpus_wordlist_word(list, word));
        wn_draw_table_cell(&table, "%" PRIu64, row->total);
        wn_draw_table_cell(&table, "%u", row->documents);
        wn_draw_table_cell(&table, "%u", row->labelled);
        wn_draw_table_number(&table, row->tfidf, 5);
        wn_draw_table_number(&table, row->distance, 2);
        wn_draw_table_cell(&table, "%s", row->outlier ? "true" : "false");
        for (uint32_t i = 0; i < list->classes.count; i++)
            wn_draw_table_cell(&table, "%" PRIu64,
                               wn_corpus_wordlist_class_count(list, word, list->classes.items[i]));
    }
    wn_draw_table_write(&table, out, false);
    if (table.failed)
        out->failed = true;
    wn_draw_table_free(&table);
}

/* The shortest form of a number, nothing if it is not known. */
static void add_number(wn_buf *out, double number)
{
    wn_json_writer json = {.out = out};
    wn_buf_add_char(out, ',');
    if (isfinite(number))
        wn_json_double(&json, number);
}

void wn_corpus_word_rows_csv(const wn_word_rows *rows, const wn_wordlist *list, wn_buf *out)
{
    for (uint32_t i = WORD; i < LABEL; i++)
        wn_buf_add_format(out, "%s%s", i ? "," : "", attribute_names[i]);
    for (uint32_t i = 0; i < list->classes.count; i++) {
        wn_buf_add_char(out, ',');
        wn_add_csv_field(out, label_at(list, i));
    }
    wn_buf_add_char(out, '\n');
    for (uint32_t r = 0; r < rows->list.count; r++) {
        uint32_t word = rows->list.items[r];
        wn_add_csv_field(out, wn_corpus_wordlist_word(list, word));
        for (uint32_t i = TOTAL; i < OUTLIER; i++)
            add_number(out, value_of(list, word, i, 0));
        wn_buf_add_literal(out, list->rows.items[word].outlier ? ",true" : ",false");
        for (uint32_t i = 0; i < list->classes.count; i++)
            add_number(out, value_of(list, word, LABEL, list->classes.items[i]));
        wn_buf_add_char(out, '\n');
    }
}

static void write_json_row(wn_json_writer *json, const wn_wordlist *list, uint32_t word)
{
    wn_json_begin_object(json);
    wn_json_key(json, attribute_names[WORD]);
    wn_json_string(json, wn_corpus_wordlist_word(list, word));
    for (uint32_t i = TOTAL; i < OUTLIER; i++) {
        wn_json_key(json, attribute_names[i]);
        wn_json_double(json, value_of(list, word, i, 0));
    }
    wn_json_key(json, attribute_names[OUTLIER]);
    wn_json_bool(json, list->rows.items[word].outlier);
    wn_json_key(json, "labels");
    wn_json_begin_object(json);
    for (uint32_t i = 0; i < list->classes.count; i++) {
        wn_json_key_str(json, label_at(list, i));
        wn_json_uint(json, wn_corpus_wordlist_class_count(list, word, list->classes.items[i]));
    }
    wn_json_end_object(json);
    wn_json_end_object(json);
}

void wn_corpus_word_rows_json(const wn_word_rows *rows, const wn_wordlist *list, wn_buf *out)
{
    wn_json_writer json = {.out = out};
    wn_json_begin_object(&json);
    wn_json_key(&json, "documents");
    wn_json_uint(&json, list->documents);
    wn_json_key(&json, "words");
    wn_json_uint(&json, list->rows.count);
    wn_json_key(&json, "rows");
    wn_json_begin_array(&json);
    for (uint32_t r = 0; r < rows->list.count; r++) {
        wn_buf_add_literal(out, r ? "" : "\n");
        write_json_row(&json, list, rows->list.items[r]);
        wn_buf_add_literal(out, r + 1 < rows->list.count ? "" : "\n");
    }
    wn_json_end_array(&json);
    wn_json_end_object(&json);
    wn_buf_add_char(out, '\n');
}
