/*
 * winnow corpus dedup: finds pages of a store that are copies of others, and marks them.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/json.h"
#include "cli/corpus.h"
#include "cli/plot.h"
#include "cli/job.h"
#include "corpus/refinement.h"
#include "io/message.h"
#include "io/output.h"

#define DEFAULT_MEMORY (UINT64_C(512) << 20)

static const char *keep_name(const void *list, size_t index)
{
    (void)list;
    static const char *const names[] = {"first", "longest", "newest", NULL};
    return names[index];
}

/* The attributes of --by, as bits. */
static const char *attribute_name(const void *list, size_t index)
{
    (void)list;
    static const char *const names[] = {"url",   "title",  "text", "host",
                                        "label", "author", "date", NULL};
    return names[index];
}

/* ---- Options ----------------------------------------------------------------------------- */

typedef struct settings {
    const char *store, *by, *threshold_text, *output, *plot, *relevant;
    double threshold;
    uint64_t bands, rows, memory;
    size_t keep, format;
    unsigned attributes; /* of --by */
    bool exact, remove, dry_run, report, overwrite, quiet;
    wn_corpus_filter filter;
} settings;

static const wn_option options[] = {
    {.heading = "What is a copy"},
    WN_STORE_OPTION,
    WN_VALUE(
        TEXT, "by", 0, "LIST", by,
        "pages that agree in all of these: url, title, text, host, label, author, date, separated "
        "by commas (default: text)"),
    WN_VALUE(TEXT, "threshold", 0, "J", threshold_text,
             "also pages whose texts are similar: the Jaccard similarity of their runs of five "
             "words is at least J (default: 0.8)"),
    WN_FLAG("exact", 0, exact, "only equal pages, no similar ones"),
    WN_VALUE(NUMBER, "bands", 0, "N", bands, "MinHash bands (default: 14)", .min = 1, .max = 256),
    WN_VALUE(NUMBER, "rows", 0, "N", rows, "MinHash functions per band (default: 8)", .min = 1,
             .max = 64),

    {.heading = "What happens to copies"},
    WN_VALUE(
        CHOICE, "keep", 0, "WHICH", keep,
        "the page of a cluster to keep: the first by source and position (default), the longest "
        "or the newest",
        .choices = keep_name),
    WN_FLAG("dry-run", 0, dry_run, "change nothing, only report"),
    WN_FLAG("delete", 0, remove, "remove the copies from the store, instead of marking them"),

    {.heading = "Output"},
    WN_VALUE(CHOICE, "format", 'f', "FORMAT", format,
             "a summary (table, the default, or json), or one line per copy (csv)",
             .choices = wn_cli_corpus_format_name),
    WN_FLAG("report", 0, report,
            "also print precision and recall before and after, by label (equations 2 and 3 of the "
            "outlier paper)"),
    WN_VALUE(TEXT, "relevant", 0, "FILE", relevant,
             "the relevant pages, for --report: the source of a page per line, then a tab and the "
             "name of its document; pages of one document count once (default: every distinct "
             "text is relevant)"),
    WN_OUTPUT_OPTION,
    WN_VALUE(TEXT, "plot", 0, "FILE", plot,
             "also draw the sizes of the clusters; FILE ends in .svg, .png or .pdf"),
    WN_FLAG("overwrite", 0, overwrite, "replace files that exist"),
    WN_FLAG("quiet", 'q', quiet, "only errors"),

    WN_CORPUS_FILTER_OPTIONS,

    {.heading = "Work"},
    WN_VALUE(SIZE, "memory", 0, "SIZE", memory,
             "memory for keys; the rest goes to a temporary file (default: 512M)", .min = 1 << 20),

    {.heading = "Help"},
    {0},
};

static bool read_by(settings *s)
{
    for (const char *p = s->by ? s->by : "text"; *p;) {
        size_t length = strcspn(p, ","), i = 0;
        while (attribute_name(NULL, i) &&
               !wn_str_eq(wn_str_from(p, length), wn_str_of(attribute_name(NULL, i))))
            i++;
        if (!attribute_name(NULL, i))
            return false;
        s->attributes |= 1u << i;
        p += length + (p[length] == ',');
    }
    return s->attributes != 0;
}

static int check_settings(settings *s)
{
    const wn_command *command = &wn_command_corpus_dedup;
    char *end = NULL;
    if (s->threshold_text)
        s->threshold = strtod(s->threshold_text, &end);
    if (s->threshold_text && (*end || !(s->threshold > 0 && s->threshold <= 1)))
        return wn_cli_wrong_usage(command, "--threshold takes a number above 0 and at most 1");
    if (!read_by(s))
        return wn_cli_wrong_usage(command,
                                  "--by takes a comma-separated list of url, title, text, host, "
                                  "label, author and date");
    if (s->bands * s->rows > WN_MINHASH_MOST)
        return wn_cli_wrong_usage(command, "--bands times --rows is at most %d", WN_MINHASH_MOST);
    if (s->relevant && !s->report)
        return wn_cli_wrong_usage(command, "--relevant is for --report; add --report");
    if (s->report && s->format == WN_CORPUS_CSV)
        return wn_cli_wrong_usage(command, "--report is for -f table and -f json");
    return wn_cli_plot_check(command, s->plot, s->overwrite);
}

/* ---- Pages ------------------------------------------------------------------------------- */

typedef struct work {
    const settings *settings;
    wn_store *store;
    wn_store_filter filter;
    wn_dedup dedup;
    wn_clusters clusters;
    wn_refinement refinement; /* with --report */
    wn_buf attributes;
    wn_io_output output;
} work;

/* Adds the attributes of --by, each with its length, so that no two lists look the same. */
static void add_attributes(wn_buf *out, const wn_stored *page, unsigned wanted)
{
    const wn_str values[] = {page->url,   page->title,  page->text, page->host,
                             page->label, page->author, page->date};
    size_t known = 0;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        known += wanted & 1u << i ? values[i].len : 0;
    for (size_t i = 0; known > 0 && i < sizeof values / sizeof *values; i++) {
        if (!(wanted & 1u << i))
            continue;
        wn_buf_add_format(out, "%zu:", values[i].len);
        wn_buf_add(out, values[i]);
    }
}

static bool add_page(work *w, const wn_stored *page)
{
    wn_cluster_page *place = wn_array_push(&w->clusters.pages);
    if (!place)
        return false;
    *place = (wn_cluster_page){
        .id = page->id,
        .copy_of = page->copy_of,
        .date = wn_corpus_cluster_date(page->date),
        .bytes = (uint32_t)page->text.len,
    };
    wn_buf_clear(&w->attributes);
    add_attributes(&w->attributes, page, w->settings->attributes);
    if (w->settings->report && !wn_corpus_refinement_add(&w->refinement, page))
        return false;
    return !w->attributes.failed &&
           wn_corpus_dedup_add(&w->dedup, page->text, wn_buf_str(&w->attributes));
}

/*
 * Reads a page again, to compare it with another. One that was removed in the meantime matches no
 * other.
 */
static bool read_page(void *data, uint32_t number, bool exact, wn_buf *out)
{
    work *w = data;
    wn_stored page;
    bool found;
    if (!wn_corpus_store_get(w->store, w->clusters.pages.items[number].id, WN_FIELD_TEXT, &found,
                             &page))
        return false;
    if (found && exact)
        add_attributes(out, &page, w->settings->attributes);
    else if (found)
        wn_buf_add(out, page.text);
    return true;
}

typedef struct ranking {
    wn_clusters *clusters;
    uint32_t next;
} ranking;

/*
 * Gives a page its rank, if it is one of those that are looked at. They are ordered by their ids.
 */
static bool rank_page(void *data, int64_t id)
{
    ranking *r = data;
    wn_cluster_page *pages = r->clusters->pages.items;
    uint32_t low = 0, high = r->clusters->pages.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (pages[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < r->clusters->pages.count && pages[low].id == id)
        pages[low].rank = r->next++;
    return true;
}

static int failed(const work *w, const char *what)
{
    if (w->dedup.keys.error) {
        wn_io_sayf("cannot sort: %s; this needs 16 bytes per band and page in the folder for "
                   "temporary files (TMPDIR), or more --memory",
                   strerror(w->dedup.keys.error));
        return WN_EXIT_FAILED;
    }
    return wn_cli_corpus_failed(w->store, what);
}

static int find_copies(work *w)
{
    const settings *s = w->settings;
    wn_dedup_options wanted = {
        .bands = s->exact ? 0 : (uint32_t)s->bands,
        .rows = (uint32_t)s->rows,
        .threshold = s->threshold,
        .memory = s->memory,
        .read = read_page,
        .data = w,
    };
    wn_stored page;
    wn_corpus_dedup_init(&w->dedup, &wanted);
    wn_store_walk *walk = wn_corpus_store_walk_open(w->store, &w->filter, WN_FIELD_TEXT);
    bool sound = walk != NULL;
    while (sound && wn_corpus_store_walk_next(walk, &page))
        sound = add_page(w, &page);
    if (walk && !wn_corpus_store_walk_close(walk))
        sound = false;
    ranking ranks = {.clusters = &w->clusters};
    if (!sound || !wn_corpus_store_places_each(w->store, rank_page, &ranks))
        return failed(w, "cannot read the pages");
    if (!wn_corpus_dedup_find(&w->dedup))
        return failed(w, "cannot compare the pages");
    wn_corpus_clusters_choose(&w->clusters, &w->dedup, (wn_keep)s->keep);
    if (s->report && !wn_corpus_refinement_count(&w->refinement, &w->clusters)) {
        wn_io_sayf("cannot count the pages: out of memory");
        return WN_EXIT_FAILED;
    }
    return WN_GO_ON;
}

/* ---- What becomes of them ---------------------------------------------------------------- */

/* The id of the page that this one is a copy of; 0: none. */
static int64_t copy_of(const work *w, uint32_t page)
{
    const wn_cluster_page *pages = w->clusters.pages.items;
    return pages[page].kept == page ? 0 : pages[pages[page].kept].id;
}

static bool change_page(work *w, uint32_t number)
{
    const wn_cluster_page *page = &w->clusters.pages.items[number];
    int64_t original = copy_of(w, number);
    bool found;
    if (original && w->settings->remove)
        return wn_corpus_store_remove(w->store, page->id, &found);
    return original == page->copy_of || wn_corpus_store_mark_copy(w->store, page->id, original);
}

static int change_store(work *w)
{
    if (w->settings->dry_run)
        return WN_GO_ON;
    bool sound = wn_corpus_store_begin(w->store);
    for (uint32_t i = 0; sound && i < w->clusters.pages.count; i++)
        sound = change_page(w, i);
    if (sound && wn_corpus_store_commit(w->store))
        return WN_GO_ON;
    wn_cli_corpus_failed(w->store, "cannot change the pages");
    wn_corpus_store_rollback(w->store);
    return WN_EXIT_FAILED;
}

/* ---- The report -------------------------------------------------------------------------- */

static double share(uint64_t part, uint64_t all)
{
    return all ? 100.0 * (double)part / (double)all : 0;
}

static void write_table(const work *w, wn_buf *out)
{
    const wn_clusters *c = &w->clusters;
    wn_buf_add_format(out, "pages      %" PRIu32 "\n", c->pages.count);
    wn_buf_add_format(out, "clusters   %" PRIu64, c->clusters);
    if (c->clusters > 0)
        wn_buf_add_format(out, ", the largest of %" PRIu64 " pages", c->largest);
    wn_buf_add_char(out, '\n');
    wn_buf_add_format(out, "copies     %" PRIu64 " (%.1f%%)\n", c->copies,
                      share(c->copies, c->pages.count));
    wn_buf_add_format(out, "their text %" PRIu64 " of %" PRIu64 " bytes (%.1f%%)\n", c->copy_bytes,
                      c->bytes, share(c->copy_bytes, c->bytes));
    wn_buf_add_format(out, "compared   %" PRIu64 " pairs\n", w->dedup.compared);
    if (w->settings->report) {
        wn_buf_add_char(out, '\n');
        wn_corpus_refinement_table(&w->refinement, out);
    }
}

static void write_member(wn_json_writer *json, const char *key, uint64_t number)
{
    wn_json_key(json, key);
    wn_json_uint(json, number);
}

static void write_json(const work *w, wn_buf *out)
{
    const wn_clusters *c = &w->clusters;
    wn_json_writer json = {.out = out};
    wn_json_begin_object(&json);
    write_member(&json, "pages", c->pages.count);
    write_member(&json, "clusters", c->clusters);
    write_member(&json, "largest", c->largest);
    write_member(&json, "copies", c->copies);
    write_member(&json, "text_bytes", c->bytes);
    write_member(&json, "copy_bytes", c->copy_bytes);
    write_member(&json, "compared", w->dedup.compared);
    wn_json_key(&json, "sizes");
    wn_json_begin_object(&json);
    for (uint32_t i = 0; i < WN_CLUSTER_BINS; i++) {
        char key[24];
        snprintf(key, sizeof key, "%" PRIu64, (uint64_t)2 << i);
        if (c->sizes[i])
            write_member(&json, key, c->sizes[i]);
    }
    wn_json_end_object(&json);
    if (w->settings->report) {
        wn_json_key(&json, "report");
        wn_corpus_refinement_json(&w->refinement, &json);
    }
    wn_json_end_object(&json);
    wn_buf_add_char(out, '\n');
}

static void write_csv(const work *w, wn_buf *out)
{
    const wn_cluster_page *pages = w->clusters.pages.items;
    wn_buf_add_literal(out, "id,copy_of,pages\n");
    for (uint32_t i = 0; i < w->clusters.pages.count; i++)
        if (copy_of(w, i))
            wn_buf_add_format(out, "%" PRId64 ",%" PRId64 ",%" PRIu32 "\n", pages[i].id,
                              copy_of(w, i), pages[pages[i].kept].size);
}

static int report(work *w)
{
    const settings *s = w->settings;
    wn_buf out = {0};
    if (s->format == WN_CORPUS_TABLE && !s->quiet)
        write_table(w, &out);
    if (s->format == WN_CORPUS_JSON)
        write_json(w, &out);
    if (s->format == WN_CORPUS_CSV)
        write_csv(w, &out);
    wn_io_output_add(&w->output, wn_buf_str(&out));
    bool written = !out.failed && wn_io_output_finish(&w->output);
    wn_buf_free(&out);
    if (!written && w->output.state == WN_IO_OUTPUT_FAILED)
        wn_io_say(&w->output.error);
    if (!written && w->output.state != WN_IO_OUTPUT_CLOSED)
        return WN_EXIT_FAILED;
    if (!s->plot)
        return WN_EXIT_OK;
    wn_sheet sheet = {0};
    wn_corpus_clusters_plot(&w->clusters, &sheet);
    written = wn_cli_plot_write(s->plot, s->overwrite, &sheet);
    wn_draw_sheet_free(&sheet);
    return written ? WN_EXIT_OK : WN_EXIT_FAILED;
}

/* Reads the file of --relevant; WN_GO_ON or an exit code. */
static int learn_relevant(work *w)
{
    wn_buf lines = {0};
    int code = wn_cli_job_read_words(&wn_command_corpus_dedup, w->settings->relevant,
                                     "relevant pages", &lines);
    if (code == WN_GO_ON && !wn_corpus_refinement_learn(&w->refinement, wn_buf_str(&lines))) {
        wn_io_sayf("cannot start: out of memory");
        code = WN_EXIT_FAILED;
    } else if (code == WN_GO_ON && w->settings->relevant && w->refinement.documents.count == 0) {
        code = wn_cli_wrong_value(&wn_command_corpus_dedup, "%s lists no relevant pages",
                                  w->settings->relevant);
    }
    wn_buf_free(&lines);
    return code;
}

/* ---- Start to end ------------------------------------------------------------------------ */

static int open_and_run(const settings *s, char **args)
{
    enum { WITH_TEXT = 1 << WN_STORED_OK | 1 << WN_STORED_PARTIAL | 1 << WN_STORED_COPY };
    const wn_command *command = &wn_command_corpus_dedup;
    work w = {.settings = s};
    int code = WN_GO_ON;
    const char *name = wn_cli_corpus_only(command, args, s->store, &code);
    if (name)
        code = wn_cli_corpus_filter_make(command, &s->filter, WITH_TEXT, &w.filter);
    if (code != WN_GO_ON)
        return code;
    if (!wn_io_output_open(&w.output, s->output, s->overwrite)) {
        wn_io_say(&w.output.error);
        wn_io_output_free(&w.output);
        return WN_EXIT_USAGE;
    }
    code = learn_relevant(&w);
    if (code == WN_GO_ON) {
        w.store = wn_cli_corpus_open(name, s->dry_run ? WN_STORE_READ : WN_STORE_WRITE);
        code = w.store ? find_copies(&w) : WN_EXIT_FAILED;
    }
    if (code == WN_GO_ON)
        code = change_store(&w);
    if (code == WN_GO_ON)
        code = report(&w);
    wn_corpus_store_close(w.store);
    wn_io_output_free(&w.output);
    wn_corpus_dedup_free(&w.dedup);
    wn_corpus_clusters_free(&w.clusters);
    wn_corpus_refinement_free(&w.refinement);
    wn_buf_free(&w.attributes);
    return code;
}

static int run_dedup(const wn_command *command, char **args)
{
    settings s = {
        .threshold = 0.8,
        .bands = WN_MINHASH_BANDS,
        .rows = WN_MINHASH_ROWS,
        .memory = DEFAULT_MEMORY,
    };
    int code = wn_cli_options_parse(command, args, &s);
    if (code == WN_GO_ON)
        code = check_settings(&s);
    return code == WN_GO_ON ? open_and_run(&s, args) : code;
}

const wn_command wn_command_corpus_dedup = {
    .name = "corpus dedup",
    .operands = "[STORE]",
    .summary = "pages that are copies of others, marked or removed",
    .about = "Finds pages that are equal, or nearly so, and marks all but one of each cluster\n"
             "as copies. Copies stay in the store but are excluded from searches and\n"
             "statistics; --delete removes them.",
    .notes = "Each run compares all pages again: pages that are not copies by its options are\n"
             "no longer marked.\n\n"
             "Exit status: 0 success; 1 the store could not be read or written; 2 wrong\n"
             "usage; 130 interrupted.\n\n"
             "Examples:\n"
             "  winnow corpus dedup news.db --dry-run\n"
             "  winnow corpus dedup news.db --keep newest --plot sizes.svg\n"
             "  winnow corpus dedup news.db --dry-run --report\n"
             "  winnow corpus dedup news.db --by url,title --exact",
    .options = options,
    .run = run_dedup,
};
