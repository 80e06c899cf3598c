#include "corpus/census.h"

#include <inttypes.h>

#include "corpus/store_parts.h"

/* Sums of nothing are null, and sums of PostgreSQL are of a type of their own. */
#define SUMS                                                                                       \
    "count(*), CAST(coalesce(sum(p.words), 0) AS BIGINT),"                                         \
    " CAST(coalesce(sum(p.page_bytes), 0) AS BIGINT),"                                             \
    " CAST(coalesce(sum(p.text_bytes), 0) AS BIGINT)"

static const struct {
    const char *name, *column;
} kinds[] = {
    [WN_CENSUS_STATUS] = {"status", "CASE WHEN p.copy_of IS NULL THEN p.status ELSE 3 END"},
    [WN_CENSUS_HOST] = {"host", "p.host"},
    [WN_CENSUS_LANGUAGE] = {"language", "p.language"},
    [WN_CENSUS_LABEL] = {"label", "p.label"},
};

const char *wn_corpus_census_name(size_t kind)
{
    return kinds[kind].name;
}

static void read_sums(const wn_driver *d, wn_rows *rows, wn_census_row *row)
{
    row->pages = (uint64_t)d->number(rows, 0);
    row->words = (uint64_t)d->number(rows, 1);
    row->page_bytes = (uint64_t)d->number(rows, 2);
    row->text_bytes = (uint64_t)d->number(rows, 3);
}

bool wn_corpus_census_all(wn_store *store, wn_census_row *row)
{
    const wn_driver *d = store->db->driver;
    *row = (wn_census_row){.name = WN_STR("")};
    wn_rows *rows = d->query(store->db, "SELECT " SUMS " FROM pages p", NULL, 0);
    if (!rows)
        return false;
    if (d->next(rows))
        read_sums(d, rows, row);
    return d->end(rows);
}

bool wn_corpus_census_by(wn_store *store, wn_census_kind kind, uint64_t most,
                         bool (*visit)(void *data, const wn_census_row *), void *data)
{
    const wn_driver *d = store->db->driver;
    wn_buf sql = {0};
    wn_buf_add_format(&sql,
                      "SELECT " SUMS ", %s AS name FROM pages p GROUP BY 5"
                      " ORDER BY 1 DESC, 5 LIMIT %" PRIu64,
                      kinds[kind].column, most < INT64_MAX ? most : INT64_MAX);
    wn_rows *rows = d->query(store->db, wn_buf_c_string(&sql), NULL, 0);
    wn_buf_free(&sql);
    bool go_on = true;
    while (rows && go_on && d->next(rows)) {
        wn_census_row row = {.name = d->text(rows, 4)};
        if (kind == WN_CENSUS_STATUS)
            row.name = wn_str_of(wn_corpus_stored_status_name((size_t)d->number(rows, 4)));
        read_sums(d, rows, &row);
        go_on = visit(data, &row);
    }
    return rows && d->end(rows);
}
