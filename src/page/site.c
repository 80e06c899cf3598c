#include "page/site.h"

#include <assert.h>
#include <stdlib.h>

#include "base/hash.h"

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

void wn_site_lines(wn_str text, bool (*found)(void *data, uint64_t hash), void *data)
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

/* ---- The lines of a site ----------------------------------------------------------------- */

/* The line of a hash, NULL if it is not known. */
static wn_site_line *find_line(const winnow_site *site, uint64_t hash)
{
    uint32_t number = wn_map64_find(&site->hashes, hash);
    return number < site->lines.count ? &site->lines.items[number] : NULL;
}

/* The same; a new line is added. NULL when memory is out. */
static wn_site_line *make_line(winnow_site *site, uint64_t hash)
{
    uint32_t number = wn_map64_add(&site->hashes, hash);
    if (number == WN_MAP_NONE)
        return NULL;
    assert(number <= site->lines.count);
    if (number < site->lines.count)
        return &site->lines.items[number];
    wn_site_line *line = wn_array_push(&site->lines);
    if (line)
        *line = (wn_site_line){0};
    return line;
}

/* Keeps the lines of more than `least` pages; false when memory is out. */
static bool keep_frequent(winnow_site *site, uint32_t least)
{
    wn_map64 kept = {0};
    uint32_t count = 0;
    for (uint32_t i = 0; i < site->lines.count; i++)
        if (site->lines.items[i].pages > least)
            wn_map64_add(&kept, site->hashes.keys.items[i]);
    if (kept.failed) {
        wn_map64_free(&kept);
        return false;
    }
    for (uint32_t i = 0; i < site->lines.count; i++)
        if (site->lines.items[i].pages > least)
            site->lines.items[count++] = site->lines.items[i];
    assert(count == kept.keys.count);
    wn_map64_free(&site->hashes);
    site->hashes = kept;
    site->lines.count = count;
    return true;
}

/* Forgets the lines of the fewest pages when there are too many, until half of the room is free. */
static bool make_room(winnow_site *site)
{
    if (site->lines.count < site->most_lines)
        return true;
    for (uint32_t least = 1; site->lines.count > site->most_lines / 2; least++)
        if (!keep_frequent(site, least))
            return false;
    return true;
}

static void add_line(winnow_site *site, uint64_t hash)
{
    wn_site_line *line = make_room(site) ? make_line(site, hash) : NULL;
    if (!line) {
        site->failed = true;
        return;
    }
    line->pages += line->last != site->pages;
    line->last = site->pages;
}

void wn_site_add(winnow_site *site, const uint64_t *lines, size_t count)
{
    site->pages++;
    for (size_t i = 0; i < count && !site->failed; i++)
        if (lines[i])
            add_line(site, lines[i]);
}

/* ---- The template ------------------------------------------------------------------------ */

bool wn_site_has(const winnow_site *site, uint64_t hash)
{
    const wn_site_line *line = find_line(site, hash);
    uint32_t pages = line ? line->pages : 0;
    return pages >= site->least && pages >= site->share * site->pages;
}

typedef struct block_test {
    const winnow_site *site;
    bool any, all;
} block_test;

static bool test_line(void *data, uint64_t hash)
{
    block_test *test = data;
    test->any = true;
    test->all = wn_site_has(test->site, hash);
    return test->all;
}

bool wn_site_is_template(const winnow_site *site, wn_str text)
{
    block_test test = {.site = site, .all = true};
    wn_site_lines(text, test_line, &test);
    return test.any && test.all;
}

void wn_site_drop(const winnow_site *site, const wn_page *page, wn_selection *selection)
{
    for (uint32_t i = 0; i < selection->count; i++) {
        wn_verdict *verdict = &selection->verdicts[i];
        if (verdict->keep && wn_site_is_template(site, wn_block_text(page, &page->blocks.items[i])))
            *verdict = (wn_verdict){.reason = "it repeats on pages of the site"};
    }
}

/* ---- To be kept -------------------------------------------------------------------------- */

/* Version, pages, lines, and hash and pages of each; numbers of 8 bytes, the lowest first. */
enum { VERSION = 1, HEADER = 3 * 8, LINE = 2 * 8 };

static void add_number(wn_buf *out, uint64_t number)
{
    for (int i = 0; i < 8; i++)
        wn_buf_add_char(out, (char)(number >> (8 * i)));
}

static uint64_t number_at(wn_str bytes, size_t at)
{
    uint64_t number = 0;
    for (size_t i = 8; i-- > 0;)
        number = number << 8 | (unsigned char)bytes.ptr[at + i];
    return number;
}

/* Lines of one page can become a template later, but most never do: only the others are kept. */
static bool is_kept(const winnow_site *site, const wn_site_line *line)
{
    return line->pages > 1 || site->pages < site->least;
}

void wn_site_write(const winnow_site *site, wn_buf *out)
{
    uint64_t lines = 0;
    for (uint32_t i = 0; i < site->lines.count; i++)
        lines += is_kept(site, &site->lines.items[i]);
    add_number(out, VERSION);
    add_number(out, site->pages);
    add_number(out, lines);
    for (uint32_t i = 0; i < site->lines.count; i++) {
        const wn_site_line *line = &site->lines.items[i];
        if (!is_kept(site, line))
            continue;
        add_number(out, site->hashes.keys.items[i]);
        add_number(out, line->pages);
    }
}

bool wn_site_read(winnow_site *site, wn_str bytes)
{
    if (bytes.len < HEADER || number_at(bytes, 0) != VERSION)
        return false;
    uint64_t pages = number_at(bytes, 8), lines = number_at(bytes, 16);
    if (pages > UINT32_MAX || lines != (bytes.len - HEADER) / LINE || (bytes.len - HEADER) % LINE)
        return false;
    site->pages = (uint32_t)pages;
    for (size_t at = HEADER; at < bytes.len; at += LINE) {
        uint64_t hash = number_at(bytes, at), line_pages = number_at(bytes, at + 8);
        if (hash == 0 || line_pages == 0 || line_pages > pages)
            return false;
        add_line(site, hash);
        if (site->failed)
            return false;
        wn_site_line *line = find_line(site, hash);
        if (line)
            line->pages = (uint32_t)line_pages;
    }
    return true;
}

/* ---- The public interface ---------------------------------------------------------------- */

winnow_site *winnow_site_new(void)
{
    winnow_site *site = calloc(1, sizeof *site);
    if (site) {
        site->share = WN_SITE_SHARE;
        site->least = WN_SITE_PAGES;
        site->most_lines = WN_SITE_MOST_LINES;
    }
    return site;
}

void winnow_site_free(winnow_site *site)
{
    if (site) {
        wn_map64_free(&site->hashes);
        wn_array_free(&site->lines);
    }
    free(site);
}

typedef struct page_lines {
    wn_array(uint64_t) list;
    bool failed;
} page_lines;

static bool note_line(void *data, uint64_t hash)
{
    page_lines *lines = data;
    uint64_t *place = wn_array_push(&lines->list);
    lines->failed = !place;
    if (place)
        *place = hash;
    return place != NULL;
}

bool winnow_site_learn(winnow_site *site, const winnow_result *result)
{
    page_lines lines = {0};
    wn_site_lines(wn_str_from(result->text, result->size), note_line, &lines);
    if (!lines.failed)
        wn_site_add(site, lines.list.items, lines.list.count);
    bool learned = !lines.failed && !site->failed;
    wn_array_free(&lines.list);
    return learned;
}
