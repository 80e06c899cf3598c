/*
 * winnow corpus outliers: the words of a store, and which of them are noise.
 */
#include <errno.h>

#include "cli/corpus.h"
#include "cli/plot.h"
#include "corpus/kept_words.h"
#include "corpus/wordlist_rows.h"
#include "io/message.h"
#include "io/output.h"
#include "winnow-io.h"

enum { MOST = 1000000, MOST_JOBS = 64, LONGEST_STOPWORDS = 64 << 20 };

static const char *scale_name(const void *list, size_t index)
{
    (void)list;
    static const char *const names[] = {"none", "log", "z", NULL};
    return names[index];
}

static const char *drop_name(const void *list, size_t index)
{
    (void)list;
    static const char *const names[] = {"outliers", "unknown-attributes", "unknown-label", NULL};
    return names[index];
}

/* ---- Options ----------------------------------------------------------------------------- */

typedef struct settings {
    uint64_t n, k, min_total, max_total, min_documents, max_documents, jobs;
    size_t scale, format;
    const char *store, *stopwords, *output, *plot;
    bool with_stopwords, stored, dry_run, overwrite, quiet;
    wn_option_list where, drop;
    wn_corpus_filter filter;
} settings;

static const wn_option options[] = {
    {.heading = "Outliers"},
    WN_STORE_OPTION,
    WN_VALUE(NUMBER, "outliers", 'n', "N", n, "the number of outliers (default: 50)", .max = MOST),
    WN_VALUE(NUMBER, "neighbours", 'k', "K", k,
             "rank words by the distance to their K-th nearest neighbour (default: 30)", .min = 1,
             .max = MOST),
    WN_VALUE(CHOICE, "scale", 0, "HOW", scale,
             "how attributes are scaled: not at all (default), by logarithm, or to z-scores",
             .choices = scale_name),
    WN_FLAG("stored", 0, stored, "show the saved result instead of searching again"),
    WN_FLAG("dry-run", 0, dry_run, "do not save the words in the store"),

    {.heading = "Words"},
    WN_VALUE(NUMBER, "min-documents", 0, "N", min_documents, "only words on at least N pages"),
    WN_VALUE(NUMBER, "max-documents", 0, "N", max_documents, "only words on at most N pages"),
    WN_VALUE(NUMBER, "min-total", 0, "N", min_total, "only words that occur at least N times"),
    WN_VALUE(NUMBER, "max-total", 0, "N", max_total, "only words that occur at most N times"),
    WN_VALUE(TEXT, "stopwords", 0, "FILE", stopwords,
             "leave out the words of FILE, one per line, in addition to the stop words of the "
             "language"),
    WN_FLAG("with-stopwords", 0, with_stopwords, "also count stop words"),

    {.heading = "Output"},
    WN_VALUE(LIST, "where", 0, "CONDITION", where,
             "print the words that match a condition instead of the outliers: 'documents >= 10', "
             "'outlier = false'; can be repeated"),
    WN_VALUE(LIST, "drop", 0, "WHICH", drop,
             "print all words except the outliers, those with unknown-attributes, or those with "
             "an unknown-label; can be repeated"),
    WN_VALUE(CHOICE, "format", 'f', "FORMAT", format, "the output format (default: table)",
             .choices = wn_cli_corpus_format_name),
    WN_OUTPUT_OPTION,
    WN_VALUE(TEXT, "plot", 0, "FILE", plot,
             "also draw the words, outliers marked; with --where or --drop only those that remain; "
             "FILE ends in .svg, .png or .pdf"),
    WN_FLAG("overwrite", 0, overwrite, "replace files that exist"),
    WN_FLAG("quiet", 'q', quiet, "no summary; only errors"),

    WN_CORPUS_FILTER_OPTIONS,

    {.heading = "Work"},
    WN_VALUE(NUMBER, "jobs", 'j', "N", jobs, "threads (default: one per processor core)", .min = 1,
             .max = MOST_JOBS),

    {.heading = "Help"},
    {0},
};

typedef struct work {
    const settings *settings;
    wn_store *store;
    wn_store_filter filter;
    wn_terms terms;
    wn_wordlist list;
    wn_word_condition conditions[WN_OPTION_LIST_MAX];
    unsigned drop;
    wn_word_rows shown, drawn;
    wn_io_output output;
} work;

/* ---- The work ---------------------------------------------------------------------------- */

static int out_of_memory(void)
{
    wn_io_sayf("out of memory; --min-documents leaves rare words out");
    return WN_EXIT_FAILED;
}

static int read_stopwords(work *w)
{
    const char *path = w->settings->stopwords;
    wn_buf words = {.max = LONGEST_STOPWORDS};
    FILE *file = path ? fopen(path, "rb") : NULL;
    char part[4096];
    size_t size;
    if (!path)
        return WN_GO_ON;
    while (file && (size = fread(part, 1, sizeof part, file)) > 0)
        wn_buf_add(&words, wn_str_from(part, size));
    int error = errno;
    bool read = file && !ferror(file) && !words.failed;
    if (file)
        fclose(file);
    read = read && wn_text_stopwords_add(&w->terms.stop, wn_buf_str(&words));
    wn_buf_free(&words);
    if (read)
        return WN_GO_ON;
    wn_io_sayf("cannot read the stop words: %s", strerror(error));
    return WN_EXIT_FAILED;
}

static uint32_t choose_jobs(const settings *s)
{
    size_t cores = s->jobs ? (size_t)s->jobs : winnow_cores();
    return (uint32_t)(cores < MOST_JOBS ? cores : MOST_JOBS);
}

static int find_outliers(work *w)
{
    const settings *s = w->settings;
    wn_wordlist_options wanted = {
        .n = (uint32_t)s->n,
        .k = (uint32_t)s->k,
        .threads = choose_jobs(s),
        .scale = (wn_scale)s->scale,
        .min_total = s->min_total,
        .max_total = s->max_total,
        .min_documents = s->min_documents,
        .max_documents = s->max_documents,
    };
    if (!wn_corpus_kept_words_count(w->store, &w->filter, &w->terms, s->with_stopwords, &w->list))
        return w->list.failed ? out_of_memory()
                              : wn_cli_corpus_failed(w->store, "cannot read the pages");
    return wn_corpus_wordlist_find(&w->list, &wanted) ? WN_GO_ON : out_of_memory();
}

static int keep_words(work *w)
{
    const settings *s = w->settings;
    if (s->stored || s->dry_run || wn_corpus_kept_words_keep(w->store, &w->list))
        return WN_GO_ON;
    return wn_cli_corpus_failed(w->store, "cannot keep the words");
}

static int read_list(work *w)
{
    if (!w->settings->stored)
        return find_outliers(w);
    if (!wn_corpus_kept_words_read(w->store, &w->list))
        return w->list.failed ? out_of_memory()
                              : wn_cli_corpus_failed(w->store, "cannot read the words");
    if (w->list.rows.count > 0)
        return WN_GO_ON;
    wn_io_sayf("the store has no words yet; run the command without --stored to count them");
    return WN_EXIT_FAILED;
}

/* ---- Output ------------------------------------------------------------------------------ */

/* Before the words are known (`list` NULL), only what is wrong for any labels is. */
static int read_conditions(work *w, const wn_wordlist *list)
{
    const wn_option_list *where = &w->settings->where;
    for (size_t i = 0; i < where->count; i++) {
        wn_buf error = {0};
        bool read = wn_corpus_word_condition_read(&w->conditions[i], list, where->items[i], &error);
        if (!read)
            wn_cli_wrong_usage(&wn_command_corpus_outliers, "%s", wn_buf_c_string(&error));
        wn_buf_free(&error);
        if (!read)
            return WN_EXIT_USAGE;
    }
    return WN_GO_ON;
}

static int read_drop(work *w)
{
    const wn_option_list *drop = &w->settings->drop;
    for (size_t i = 0; i < drop->count; i++) {
        size_t which = 0;
        while (drop_name(NULL, which) && strcmp(drop->items[i], drop_name(NULL, which)) != 0)
            which++;
        if (!drop_name(NULL, which))
            return wn_cli_wrong_usage(&wn_command_corpus_outliers,
                                      "--drop takes outliers, unknown-attributes or unknown-label");
        w->drop |= 1u << which;
    }
    return WN_GO_ON;
}

/* Without a filter the outliers are shown, and all words drawn. */
static void choose_rows(work *w)
{
    const settings *s = w->settings;
    bool filtered = s->where.count > 0 || w->drop;
    if (filtered)
        wn_corpus_word_rows_choose(&w->shown, &w->list, w->conditions, s->where.count, w->drop);
    else
        wn_corpus_word_rows_outliers(&w->shown, &w->list);
    if (s->plot)
        wn_corpus_word_rows_choose(&w->drawn, &w->list, w->conditions, s->where.count, w->drop);
}

static bool write_rows(work *w)
{
    wn_buf out = {0};
    switch ((wn_corpus_format)w->settings->format) {
    case WN_CORPUS_TABLE:
        wn_corpus_word_rows_table(&w->shown, &w->list, &out);
        break;
    case WN_CORPUS_CSV:
        wn_corpus_word_rows_csv(&w->shown, &w->list, &out);
        break;
    case WN_CORPUS_JSON:
        wn_corpus_word_rows_json(&w->shown, &w->list, &out);
        break;
    }
    if (out.failed)
        out_of_memory();
    wn_io_output_add(&w->output, wn_buf_str(&out));
    bool written = !out.failed && wn_io_output_finish(&w->output);
    wn_buf_free(&out);
    if (!written && w->output.state == WN_IO_OUTPUT_FAILED)
        wn_io_say(&w->output.error);
    return written || w->output.state == WN_IO_OUTPUT_CLOSED;
}

static bool write_plot(work *w)
{
    wn_sheet sheet = {0};
    if (!w->settings->plot)
        return true;
    wn_corpus_word_rows_plot(&w->drawn, &w->list, &sheet);
    bool written = wn_cli_plot_write(w->settings->plot, w->settings->overwrite, &sheet);
    wn_draw_sheet_free(&sheet);
    return written;
}

static void say_summary(const work *w)
{
    uint32_t outliers = 0;
    for (uint32_t i = 0; i < w->list.order.count; i++)
        outliers += w->list.rows.items[w->list.order.items[i]].outlier;
    if (w->settings->quiet)
        return;
    wn_io_sayf("%u words%s, %u of them looked at, %u outliers", w->list.rows.count,
               w->settings->stored ? "" : " on the pages", w->list.order.count, outliers);
    uint32_t labels = wn_corpus_key_sample_count(&w->list.labels);
    if (labels > w->list.classes.count)
        wn_io_sayf("of %u labels only the %u with the most pages are used", labels,
                   w->list.classes.count);
}

static int run_work(work *w)
{
    int code = read_stopwords(w);
    if (code == WN_GO_ON)
        code = read_list(w);
    if (code == WN_GO_ON)
        code = read_conditions(w, &w->list); /* before the store is changed */
    if (code == WN_GO_ON)
        code = keep_words(w);
    if (code != WN_GO_ON)
        return code;
    choose_rows(w);
    if (w->shown.failed || w->drawn.failed)
        return out_of_memory();
    bool written = write_rows(w) && write_plot(w);
    say_summary(w);
    return written ? WN_EXIT_OK : WN_EXIT_FAILED;
}

static int open_and_run(const settings *s, char **args)
{
    enum { WITH_TEXT = 1 << WN_STORED_OK | 1 << WN_STORED_PARTIAL };
    const wn_command *command = &wn_command_corpus_outliers;
    work w = {.settings = s};
    int code = WN_GO_ON;
    const char *name = wn_cli_corpus_only(command, args, s->store, &code);
    if (name)
        code = wn_cli_corpus_filter_make(command, &s->filter, WITH_TEXT, &w.filter);
    if (code == WN_GO_ON)
        code = read_drop(&w);
    if (code == WN_GO_ON)
        code = read_conditions(&w, NULL);
    if (code == WN_GO_ON)
        code = wn_cli_plot_check(command, s->plot, s->overwrite);
    if (code != WN_GO_ON)
        return code;
    if (!wn_io_output_open(&w.output, s->output, s->overwrite)) {
        wn_io_say(&w.output.error);
        wn_io_output_free(&w.output);
        return WN_EXIT_USAGE;
    }
    bool reads = s->stored || s->dry_run;
    w.store = wn_cli_corpus_open(name, reads ? WN_STORE_READ : WN_STORE_WRITE);
    code = w.store ? run_work(&w) : WN_EXIT_FAILED;
    wn_corpus_store_close(w.store);
    wn_io_output_free(&w.output);
    wn_text_terms_free(&w.terms);
    wn_corpus_wordlist_free(&w.list);
    wn_array_free(&w.shown.list);
    wn_array_free(&w.drawn.list);
    return code;
}

static int run_outliers(const wn_command *command, char **args)
{
    settings s = {.n = wn_wordlist_defaults.n, .k = wn_wordlist_defaults.k};
    int code = wn_cli_options_parse(command, args, &s);
    return code == WN_GO_ON ? open_and_run(&s, args) : code;
}

const wn_command wn_command_corpus_outliers = {
    .name = "corpus outliers",
    .operands = "[STORE]",
    .summary = "the words of a collection, and which of them are noise",
    .about = "Counts the words of the pages of a store, one row per word: how often it occurs\n"
             "(total), on how many pages (documents), on how many pages with a label\n"
             "(labelled), its mean TF-IDF (tfidf), and how often in the pages of each label.\n"
             "Outliers are the words with the largest distance to their K-th nearest\n"
             "neighbour. The words and the outliers are saved in the store, for 'winnow\n"
             "extract -m outlier --store'.",
    .notes = "Words are split at everything that is not a letter and stemmed; stop words and\n"
             "copies of other pages are not counted.\n"
             "\n"
             "Exit status: 0 success; 1 the store could not be read or written; 2 wrong\n"
             "usage; 130 interrupted.\n"
             "\n"
             "Examples:\n"
             "  winnow corpus outliers news.db -n 50 -k 30\n"
             "  winnow corpus outliers news.db --plot before.svg\n"
             "  winnow corpus outliers news.db --drop outliers --plot a.svg -f csv -o w.csv\n"
             "  winnow corpus outliers news.db --stored --where 'documents >= 100'",
    .options = options,
    .run = run_outliers,
};
