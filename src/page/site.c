#include "page/site.h"

#include <assert.h>
#include <stdlib.h>

#include "base/hash.h"

/* Lines of pages that are counted together: sorting them in is work for all lines of the site. */
enum { MOST_WAITING = 8192 };

/* ---- Lines ------------------------------------------------------------------------------- */

static bool is_of_word(unsigned char c)
{
    return c >= 0x80 || wn_is_ascii_alnum((char)c);
}

/* A stable hash of the words with a space between them; 0 if there are none. */
static uint64_t hash_line(wn_str line)
{
    uint64_t hash = WN_HASH_FNV1A;
    bool any = false, gap = false;
    for (size_t i = 0; i < line.len; i++) {
        unsigned char c = (unsigned char)wn_ascii_lower(line.ptr[i]);
        if (!is_of_word(c)) {
            gap = any;
            continue;
        }
        if (gap)
            hash = wn_hash_fnv1a(hash, ' ');
        hash = wn_hash_fnv1a(hash, c);
        any = true;
        gap = false;
    }
    hash ^= hash >> 32;
    return any ? hash | (hash == 0) : 0;
}

void wn_page_site_lines(wn_str text, bool (*found)(void *data, uint64_t hash), void *data)
{
    size_t start = 0;
    for (size_t i = 0; i <= text.len; i++) {
        if (i < text.len && text.ptr[i] != '\n' && text.ptr[i] != '\t')
            continue;
        uint64_t hash = hash_line(wn_str_from(text.ptr + start, i - start));
        start = i + 1;
        if (hash && !found(data, hash))
            return;
    }
}

/* ---- Counting exactly -------------------------------------------------------------------- */

static int by_hash(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The place of the first line whose hash is not smaller. */
static uint32_t lower_bound(const winnow_site *site, uint64_t hash)
{
    uint32_t low = 0, high = site->lines.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (site->lines.items[middle].hash < hash)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void add_pages(uint32_t *pages, uint32_t more)
{
    *pages = *pages > UINT32_MAX - more ? UINT32_MAX : *pages + more;
}

/* Merges `count` lines, sorted by hash and each there once, into those of the site. */
static bool merge_lines(winnow_site *site, const wn_page_site_line *more, uint32_t count)
{
    uint32_t old = site->lines.count, fresh = 0;
    for (uint32_t i = 0, at = 0; i < count; i++) {
        while (at < old && site->lines.items[at].hash < more[i].hash)
            at++;
        fresh += at == old || site->lines.items[at].hash != more[i].hash;
    }
    if (!wn_array_reserve(&site->lines, old + fresh))
        return false;
    wn_page_site_line *lines = site->lines.items;
    uint32_t to = old + fresh, from = old;
    site->lines.count = to;
    for (uint32_t i = count; i-- > 0;) { /* from the end, so that nothing is written over */
        while (from > 0 && lines[from - 1].hash > more[i].hash)
            lines[--to] = lines[--from];
        if (from > 0 && lines[from - 1].hash == more[i].hash) {
            lines[--to] = lines[--from];
            add_pages(&lines[to].pages, more[i].pages);
        } else {
            lines[--to] = more[i];
        }
    }
    assert(to == from);
    return true;
}

/* ---- Counting in a sketch ---------------------------------------------------------------- */

/* The counter of a line in one row: 16 bits of its hash, mixed, since FNV's bits are not alike. */
static uint32_t *counter(const winnow_site *site, uint64_t hash, uint32_t row)
{
    return &site->sketch[row * WN_SITE_ROW + (uint16_t)(wn_hash_mix64(hash) >> 16 * row)];
}

static void count_in_sketch(winnow_site *site, const wn_page_site_line *lines, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t row = 0; row < WN_SITE_ROWS; row++)
            add_pages(counter(site, lines[i].hash, row), lines[i].pages);
}

/* From here on the site counts in a sketch; false if out of memory. */
static bool begin_sketch(winnow_site *site)
{
    site->sketch = wn_memory_get_zeroed(WN_SITE_ROWS * WN_SITE_ROW * sizeof *site->sketch);
    if (!site->sketch)
        return false;
    count_in_sketch(site, site->lines.items, site->lines.count);
    wn_array_free(&site->lines);
    return true;
}

/* ---- Both -------------------------------------------------------------------------------- */

/* Counts lines, sorted by hash and each there once. */
static void count_lines(winnow_site *site, const wn_page_site_line *lines, uint32_t count)
{
    if (!site->sketch && !merge_lines(site, lines, count))
        site->failed = true;
    else if (site->sketch)
        count_in_sketch(site, lines, count);
    if (!site->sketch && site->lines.count > WN_SITE_MOST_LINES && !begin_sketch(site))
        site->failed = true;
}

/* Counts the lines of the pages that wait. */
static void count_waiting(winnow_site *site)
{
    uint32_t count = site->waiting.count, lines = 0;
    if (count == 0)
        return;
    wn_page_site_line *sorted = wn_memory_get(count * sizeof *sorted);
    site->failed |= !sorted;
    if (!sorted)
        return;
    qsort(site->waiting.items, count, sizeof *site->waiting.items, by_hash);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t hash = site->waiting.items[i];
        if (lines > 0 && sorted[lines - 1].hash == hash)
            sorted[lines - 1].pages++;
        else
            sorted[lines++] = (wn_page_site_line){.hash = hash, .pages = 1};
    }
    site->waiting.count = 0;
    count_lines(site, sorted, lines);
    wn_memory_release(sorted);
}

/* Adds the lines of a page to those that wait, each once. */
static void wait_for_lines(winnow_site *site, const uint64_t *lines, size_t count)
{
    uint32_t first = site->waiting.count, kept = first;
    if (count > UINT32_MAX / 2 || !wn_array_reserve(&site->waiting, first + (uint32_t)count)) {
        site->failed = true;
        return;
    }
    if (count == 0)
        return;
    uint64_t *waiting = site->waiting.items;
    memcpy(waiting + first, lines, count * sizeof *lines);
    qsort(waiting + first, count, sizeof *waiting, by_hash);
    for (size_t i = 0; i < count; i++) {
        uint64_t hash = waiting[first + i];
        if (hash && (kept == first || waiting[kept - 1] != hash))
            waiting[kept++] = hash;
    }
    site->waiting.count = kept;
}

void wn_page_site_add(winnow_site *site, const uint64_t *lines, size_t count)
{
    add_pages(&site->pages, 1);
    wait_for_lines(site, lines, count);
    if (site->waiting.count > MOST_WAITING)
        count_waiting(site);
}

void wn_page_site_settle(winnow_site *site)
{
    count_waiting(site);
}

void wn_page_site_merge(winnow_site *site, const winnow_site *other)
{
    assert(other->waiting.count == 0);
    count_waiting(site);
    add_pages(&site->pages, other->pages);
    if (!other->sketch) {
        count_lines(site, other->lines.items, other->lines.count);
        return;
    }
    if (!site->sketch && !begin_sketch(site)) {
        site->failed = true;
        return;
    }
    for (uint32_t i = 0; i < WN_SITE_ROWS * WN_SITE_ROW; i++)
        add_pages(&site->sketch[i], other->sketch[i]);
}

/* ---- The template ------------------------------------------------------------------------ */

/* The pages that have a line; with a sketch perhaps some more. */
static uint32_t pages_with(const winnow_site *site, uint64_t hash)
{
    uint32_t pages = UINT32_MAX;
    if (site->sketch) {
        for (uint32_t row = 0; row < WN_SITE_ROWS; row++) {
            uint32_t count = *counter(site, hash, row);
            pages = count < pages ? count : pages;
        }
        return pages;
    }
    uint32_t at = lower_bound(site, hash);
    bool found = at < site->lines.count && site->lines.items[at].hash == hash;
    return found ? site->lines.items[at].pages : 0;
}

bool wn_page_site_has(const winnow_site *site, uint64_t hash)
{
    assert(site->waiting.count == 0);
    uint32_t pages = hash ? pages_with(site, hash) : 0;
    return pages >= WN_SITE_PAGES && pages >= WN_SITE_SHARE * site->pages;
}

typedef struct block_test {
    const winnow_site *site;
    bool any, all;
} block_test;

static bool test_line(void *data, uint64_t hash)
{
    block_test *test = data;
    test->any = true;
    test->all = wn_page_site_has(test->site, hash);
    return test->all;
}

bool wn_page_site_is_template(const winnow_site *site, wn_str text)
{
    block_test test = {.site = site, .all = true};
    wn_page_site_lines(text, test_line, &test);
    return test.any && test.all;
}

void wn_page_site_drop(const winnow_site *site, const wn_page *page, wn_selection *selection)
{
    for (uint32_t i = 0; i < selection->count; i++) {
        if (selection->verdicts[i].keep &&
            wn_page_site_is_template(site, wn_block_text(page, &page->blocks.items[i])))
            wn_selection_drop(selection, i, "it repeats on pages of the site");
    }
}

/* ---- Saving and loading ------------------------------------------------------------------ */

/*
 * Version, pages, number of lines or WN_SITE_SKETCH; then the hash and pages of each line, by hash;
 * or the counters of the sketch. Numbers of 8 bytes, counters of 4, the lowest first.
 */
enum { VERSION = 2, HEADER = 3 * 8, LINE = 2 * 8, COUNTER = 4 };
#define WN_SITE_SKETCH UINT64_MAX

static void add_number(wn_buf *out, uint64_t number, int bytes)
{
    for (int i = 0; i < bytes; i++)
        wn_buf_add_char(out, (char)(number >> (8 * i)));
}

static uint64_t number_at(wn_str bytes, size_t at, size_t size)
{
    uint64_t number = 0;
    for (size_t i = size; i-- > 0;)
        number = number << 8 | (unsigned char)bytes.ptr[at + i];
    return number;
}

void wn_page_site_write(const winnow_site *site, wn_buf *out)
{
    assert(site->waiting.count == 0);
    add_number(out, VERSION, 8);
    add_number(out, site->pages, 8);
    add_number(out, site->sketch ? WN_SITE_SKETCH : site->lines.count, 8);
    for (uint32_t i = 0; i < site->lines.count; i++) {
        add_number(out, site->lines.items[i].hash, 8);
        add_number(out, site->lines.items[i].pages, 8);
    }
    for (uint32_t i = 0; site->sketch && i < WN_SITE_ROWS * WN_SITE_ROW; i++)
        add_number(out, site->sketch[i], COUNTER);
}

static bool read_lines(winnow_site *site, wn_str bytes, uint64_t count)
{
    uint64_t before = 0;
    if (count > WN_SITE_MOST_LINES || bytes.len != HEADER + count * LINE)
        return false;
    for (size_t at = HEADER; at < bytes.len; at += LINE) {
        uint64_t hash = number_at(bytes, at, 8), pages = number_at(bytes, at + 8, 8);
        if (hash <= before || pages == 0 || pages > site->pages)
            return false;
        wn_page_site_line *line = wn_array_push(&site->lines);
        site->failed |= !line;
        if (!line)
            return false;
        *line = (wn_page_site_line){.hash = hash, .pages = (uint32_t)pages};
        before = hash;
    }
    return true;
}

static bool read_sketch(winnow_site *site, wn_str bytes)
{
    if (bytes.len != HEADER + (size_t)WN_SITE_ROWS * WN_SITE_ROW * COUNTER)
        return false;
    if (!begin_sketch(site)) {
        site->failed = true;
        return false;
    }
    for (uint32_t i = 0; i < WN_SITE_ROWS * WN_SITE_ROW; i++)
        site->sketch[i] = (uint32_t)number_at(bytes, HEADER + i * (size_t)COUNTER, COUNTER);
    return true;
}

bool wn_page_site_read(winnow_site *site, wn_str bytes)
{
    if (bytes.len < HEADER || number_at(bytes, 0, 8) != VERSION)
        return false;
    uint64_t pages = number_at(bytes, 8, 8), lines = number_at(bytes, 16, 8);
    if (pages > UINT32_MAX)
        return false;
    site->pages = (uint32_t)pages;
    return lines == WN_SITE_SKETCH ? read_sketch(site, bytes) : read_lines(site, bytes, lines);
}

/* ---- Life -------------------------------------------------------------------------------- */

winnow_site *winnow_site_new(void)
{
    return wn_memory_get_zeroed(sizeof(winnow_site));
}

void winnow_site_free(winnow_site *site)
{
    if (!site)
        return;
    wn_array_free(&site->lines);
    wn_array_free(&site->waiting);
    wn_memory_release(site->sketch);
    wn_memory_release(site);
}
