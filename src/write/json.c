/*
 * The JSON record of a page: one object on one line.
 *
 * All keys are always present and in the same order, so that a record can be read without checking
 * what it has; unknown values are null. Only "sources" (of the metadata), "threshold", "blocks" and
 * "links" are there if asked for, and "file", "offset", "length", "crawled", "http_status" and
 * "media_type" if the page is in a file of many:
 *
 *     {"id":"a.html","url":null,"status":"ok","error":null,"limited":[],"method":"auto",
 *      "title":"…","author":null,"date":null,"language":"en","encoding":"UTF-8",
 *      "authors":[],"modified":null,"site":null,"description":null,"canonical":null,"image":null,
 *      "tags":[],"categories":[],"license":null,"page_type":"article","confidence":0.93,
 *      "text":"…","sources":{"title":"h1"},"blocks":[{"kind":"heading","level":1,"text":"…","kept":true}],
 *      "links":[{"text":"…","url":"…"}],"ms":null}
 *
 * Keys may be added; none will be taken away or change its meaning.
 */
#include "write/write.h"

#include <stdio.h>

#include "base/json.h"
#include "base/url.h"

/* ---- Strings of any origin --------------------------------------------------------------- */

/* A string from outside the page. */
static void write_outside_string(wn_json_writer *json, const char *c_string)
{
    if (c_string)
        wn_json_outside(json, wn_str_of(c_string));
    else
        wn_json_null(json);
}

/* What the page does not have is unknown, not empty. */
static void write_or_null(wn_json_writer *json, const char *c_string)
{
    wn_json_c_string(json, c_string && *c_string ? c_string : NULL);
}

/* ---- Parts of the record ----------------------------------------------------------------- */

static void write_limited(wn_json_writer *json, unsigned limited)
{
    static const struct {
        unsigned bit;
        const char *name;
    } limits[] = {
        {WINNOW_LIMITED_BYTES, "bytes"},         {WINNOW_LIMITED_NODES, "nodes"},
        {WINNOW_LIMITED_DEPTH, "depth"},         {WINNOW_LIMITED_ATTRIBUTES, "attributes"},
        {WINNOW_LIMITED_MEMORY, "memory"},       {WINNOW_LIMITED_TIME, "time"},
        {WINNOW_LIMITED_WORK, "work"},           {WINNOW_LIMITED_TRUNCATED, "truncated"},
        {WINNOW_LIMITED_DAMAGED, "damaged"},     {WINNOW_LIMITED_SCRIPTS, "needs-javascript"},
        {WINNOW_LIMITED_CHALLENGE, "challenge"},
    };
    wn_json_begin_array(json);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        if (limited & limits[i].bit)
            wn_json_c_string(json, limits[i].name);
    }
    wn_json_end_array(json);
}

static void write_number(wn_json_writer *json, const char *key, uint32_t number)
{
    wn_json_key(json, key);
    wn_json_uint(json, number);
}

/* {"feature":"WORDS","value":120,"weight":0.8}, … */
static void write_reasons(wn_json_writer *json, const winnow_block *block)
{
    wn_json_key(json, "reasons");
    wn_json_begin_array(json);
    for (size_t i = 0; i < block->reason_count; i++) {
        const winnow_reason *reason = &block->reasons[i];
        wn_json_begin_object(json);
        wn_json_key(json, "feature");
        wn_json_c_string(json, reason->feature);
        wn_json_key(json, "value");
        wn_json_fixed(json, reason->value, 0);
        wn_json_key(json, "weight");
        wn_json_fixed(json, reason->weight, 2);
        wn_json_end_object(json);
    }
    wn_json_end_array(json);
}

/* Why it was kept or dropped, and where it is in the page and in its source. */
static void write_explanation(wn_json_writer *json, const winnow_block *block)
{
    wn_json_key(json, "reason");
    wn_json_c_string(json, block->reason);
    wn_json_key(json, "path");
    wn_json_c_string(json, block->path);
    if (block->probability >= 0) {
        wn_json_key(json, "probability");
        wn_json_fixed(json, block->probability, 3);
        write_reasons(json, block);
    }
}

/* A key that is there only if the value is. */
static void write_known(wn_json_writer *json, const char *key, const char *value)
{
    if (!value || !*value)
        return;
    wn_json_key(json, key);
    wn_json_c_string(json, value);
}

static void write_link(wn_json_writer *json, const winnow_link *link)
{
    wn_json_begin_object(json);
    wn_json_key(json, "text");
    wn_json_c_string(json, link->text);
    wn_json_key(json, "url");
    wn_json_c_string(json, link->url);
    wn_json_end_object(json);
}

static void write_image(wn_json_writer *json, const winnow_image *image)
{
    wn_json_begin_object(json);
    wn_json_key(json, "url");
    wn_json_c_string(json, image->url);
    wn_json_key(json, "alt");
    wn_json_c_string(json, image->description);
    wn_json_end_object(json);
}

/* The links and images of one block, if it has some, and where it is in the page. */
static void write_contents(wn_json_writer *json, const winnow_block *block,
                           const wn_write_listing *listing)
{
    if (block->link_count > 0) {
        wn_json_key(json, "links");
        wn_json_begin_array(json);
        for (size_t i = 0; i < block->link_count; i++)
            write_link(json, &listing->links[block->first_link + i]);
        wn_json_end_array(json);
    }
    if (block->image_count > 0) {
        wn_json_key(json, "images");
        wn_json_begin_array(json);
        for (size_t i = 0; i < block->image_count; i++)
            write_image(json, &listing->images[block->first_image + i]);
        wn_json_end_array(json);
    }
    if (block->source_end > 0) {
        wn_json_key(json, "start");
        wn_json_uint(json, block->source_start);
        wn_json_key(json, "end");
        wn_json_uint(json, block->source_end);
    }
}

/* Level, table, row and column are written where the kind of block has them. */
static void write_block(wn_json_writer *json, const winnow_block *block,
                        const wn_write_listing *listing)
{
    wn_json_begin_object(json);
    wn_json_key(json, "kind");
    wn_json_c_string(json, winnow_block_kind_name(block->kind));
    if (block->level)
        write_number(json, "level", block->level);
    if (block->table) {
        write_number(json, "table", block->table);
        write_number(json, "row", block->row);
        write_number(json, "column", block->column);
        if (block->columns > 1)
            write_number(json, "columns", block->columns);
        if (block->rows > 1)
            write_number(json, "rows", block->rows);
        if (block->is_header) {
            wn_json_key(json, "header");
            wn_json_bool(json, true);
        }
    }
    if (block->number)
        write_number(json, "number", block->number);
    write_known(json, "language", block->language);
    write_known(json, "tex", block->tex);
    wn_json_key(json, "text");
    wn_json_string(json, wn_str_from(block->text, block->size));
    wn_json_key(json, "kept");
    wn_json_bool(json, block->kept);
    if (block->role) {
        wn_json_key(json, "role");
        wn_json_c_string(json, winnow_block_role_name(block->role));
    }
    write_contents(json, block, listing);
    if (listing->explained)
        write_explanation(json, block);
    wn_json_end_object(json);
}

/* With reasons all blocks are listed, else those that were kept. */
static void write_blocks(wn_json_writer *json, const wn_write_listing *listing)
{
    wn_json_key(json, "blocks");
    wn_json_begin_array(json);
    for (size_t i = 0; listing && i < listing->block_count; i++)
        if (listing->explained || listing->blocks[i].kept)
            write_block(json, &listing->blocks[i], listing);
    wn_json_end_array(json);
}

/* What readers wrote below the text. */
static void write_comments(wn_json_writer *json, const wn_write_listing *listing)
{
    wn_json_key(json, "comments");
    wn_json_begin_array(json);
    for (size_t i = 0; listing && i < listing->comment_count; i++) {
        const winnow_comment *comment = &listing->comments[i];
        wn_json_begin_object(json);
        wn_json_key(json, "author");
        write_or_null(json, comment->author);
        wn_json_key(json, "date");
        write_or_null(json, comment->date);
        wn_json_key(json, "text");
        wn_json_c_string(json, comment->text);
        wn_json_end_object(json);
    }
    wn_json_end_array(json);
}

/* Whether a link or an image of that block is one of the text. */
static bool is_of_text(const wn_write_listing *listing, size_t block)
{
    return !listing->blocks || listing->blocks[block].kept;
}

/* The links of the text. */
static void write_links(wn_json_writer *json, const wn_write_listing *listing)
{
    wn_json_key(json, "links");
    wn_json_begin_array(json);
    for (size_t i = 0; i < listing->link_count; i++) {
        const winnow_link *link = &listing->links[i];
        if (is_of_text(listing, link->block))
            write_link(json, link);
    }
    wn_json_end_array(json);
}

/* The images of the text. */
static void write_images(wn_json_writer *json, const wn_write_listing *listing)
{
    wn_json_key(json, "images");
    wn_json_begin_array(json);
    for (size_t i = 0; i < listing->image_count; i++)
        if (is_of_text(listing, listing->images[i].block))
            write_image(json, &listing->images[i]);
    wn_json_end_array(json);
}

/* Whether there was a page that could be read; one without content has the text "". */
static bool has_text(winnow_status status)
{
    return status == WINNOW_STATUS_OK || status == WINNOW_STATUS_EMPTY ||
           status == WINNOW_STATUS_PARTIAL;
}

/* 0 is what nobody knows. */
static void write_number_or_null(wn_json_writer *json, const char *key, uint64_t number)
{
    wn_json_key(json, key);
    if (number > 0)
        wn_json_uint(json, number);
    else
        wn_json_null(json);
}

/* Where the page is in a file of many. */
static void write_place(wn_json_writer *json, const winnow_record *record)
{
    wn_json_key(json, "file");
    write_outside_string(json, record->file);
    wn_json_key(json, "offset");
    wn_json_uint(json, record->offset);
    if (record->inner > 0) {
        wn_json_key(json, "inner");
        wn_json_uint(json, record->inner);
    }
    write_number_or_null(json, "length", record->length);
}

/* A time as ARC files have it, "20240503101112", in the form of all other dates. */
static void write_crawl_time(wn_json_writer *json, const char *time)
{
    enum { DIGITS = 14 };
    char iso[sizeof "2024-05-03T10:11:12Z"];
    wn_json_key(json, "crawled");
    if (time && strlen(time) == DIGITS && strspn(time, "0123456789") == DIGITS) {
        snprintf(iso, sizeof iso, "%.4s-%.2s-%.2sT%.2s:%.2s:%.2sZ", time, time + 4, time + 6,
                 time + 8, time + 10, time + 12);
        time = iso;
    }
    write_outside_string(json, time && *time ? time : NULL);
}

/* What the archive says of the page. */
static void write_archived(wn_json_writer *json, const winnow_record *record)
{
    write_crawl_time(json, record->crawled);
    write_number_or_null(json, "http_status",
                         record->http_status > 0 ? (uint64_t)record->http_status : 0);
    wn_json_key(json, "media_type");
    write_outside_string(json,
                         record->media_type && *record->media_type ? record->media_type : NULL);
}

static void write_what_happened(wn_json_writer *json, const wn_write_report *report)
{
    const winnow_record *record = &report->record;
    wn_json_key(json, "id");
    write_outside_string(json, record->id);
    if (record->file)
        write_place(json, record);
    wn_json_key(json, "url");
    write_outside_string(json, record->url);
    if (record->file)
        write_archived(json, record);
    wn_json_key(json, "status");
    wn_json_c_string(json, winnow_status_name(report->status));
    wn_json_key(json, "error");
    write_outside_string(json, record->error);
    wn_json_key(json, "limited");
    write_limited(json, report->limited);
}

/* "Jane Miller, Ann Weaver": those who want one string get one. */
static void write_joined(wn_json_writer *json, const char *const *names, size_t count)
{
    wn_buf joined = {0};
    for (size_t i = 0; i < count; i++) {
        wn_buf_add_literal(&joined, i > 0 ? ", " : "");
        wn_buf_add_literal(&joined, names[i]);
    }
    write_or_null(json, wn_buf_c_string(&joined));
    json->out->failed |= joined.failed;
    wn_buf_free(&joined);
}

static void write_list(wn_json_writer *json, const char *key, const char *const *values,
                       size_t count)
{
    wn_json_key(json, key);
    wn_json_begin_array(json);
    for (size_t i = 0; i < count; i++)
        wn_json_c_string(json, values[i]);
    wn_json_end_array(json);
}

/* What the page says of itself beyond title, author, date and language. */
static void write_metadata(wn_json_writer *json, const winnow_metadata *m)
{
    write_list(json, "authors", m->authors, m->author_count);
    wn_json_key(json, "modified");
    write_or_null(json, m->modified);
    wn_json_key(json, "site");
    write_or_null(json, m->site);
    wn_json_key(json, "description");
    write_or_null(json, m->description);
    wn_json_key(json, "canonical");
    write_or_null(json, m->url);
    wn_json_key(json, "image");
    write_or_null(json, m->image);
    write_list(json, "tags", m->tags, m->tag_count);
    write_list(json, "categories", m->categories, m->category_count);
    wn_json_key(json, "license");
    write_or_null(json, m->license);
}

/* {"title":"h1","author":"json-ld author"} */
static void write_sources(wn_json_writer *json, const winnow_metadata *m)
{
    wn_json_key(json, "sources");
    wn_json_begin_object(json);
    for (size_t i = 0; i < m->source_count; i++) {
        wn_json_key(json, m->sources[i].field);
        wn_json_c_string(json, m->sources[i].source);
    }
    wn_json_end_object(json);
}

/* What the method thinks of the page; two decimals are all that confidence is worth. */
static void write_judgement(wn_json_writer *json, const wn_write_report *report)
{
    wn_json_key(json, "page_type");
    wn_json_c_string(json, winnow_page_type_name(report->page_type));
    wn_json_key(json, "confidence");
    if (report->confidence > 0)
        wn_json_fixed(json, report->confidence, 2);
    else
        wn_json_null(json);
}

/* The host of the page's address, or else of the one it calls its own. */
static void write_host(wn_json_writer *json, const wn_write_report *report)
{
    const char *url = report->record.url && *report->record.url ? report->record.url
                                                                : report->metadata->url;
    wn_str host = wn_url_host(wn_str_of(url));
    wn_json_key(json, "hostname");
    if (host.len > 0)
        wn_json_outside(json, host);
    else
        wn_json_null(json);
}

static void write_words(wn_json_writer *json, const wn_write_report *report)
{
    wn_json_key(json, "words");
    if (has_text(report->status))
        wn_json_uint(json, report->words);
    else
        wn_json_null(json);
}

static void write_what_is_known(wn_json_writer *json, const wn_write_report *report)
{
    const winnow_metadata *m = report->metadata;
    wn_json_key(json, "method");
    write_or_null(json, report->method);
    wn_json_key(json, "title");
    write_or_null(json, m->title);
    wn_json_key(json, "author");
    write_joined(json, m->authors, m->author_count);
    wn_json_key(json, "date");
    write_or_null(json, m->published);
    bool is_guessed = report->guessed_language && *report->guessed_language;
    const char *language = is_guessed ? report->guessed_language : m->language;
    wn_json_key(json, "language");
    write_or_null(json, language);
    wn_json_key(json, "language_source");
    wn_json_c_string(json, !*language ? NULL : is_guessed ? "text" : "declared");
    wn_json_key(json, "language_probability");
    if (is_guessed)
        wn_json_fixed(json, report->language_probability, 3);
    else
        wn_json_null(json);
    wn_json_key(json, "encoding");
    write_or_null(json, report->encoding);
    write_metadata(json, m);
    write_host(json, report);
    write_judgement(json, report);
    write_words(json, report);
}

static void write_time(wn_json_writer *json, const winnow_record *record)
{
    wn_json_key(json, "ms");
    if (record->timed)
        wn_json_fixed(json, record->milliseconds, 3);
    else
        wn_json_null(json);
}

void wn_write_json(wn_buf *out, const wn_write_report *report, wn_str body,
                   const wn_write_options *options)
{
    wn_json_writer json = {.out = out};
    const wn_write_listing *listing = report->listing;
    wn_json_begin_object(&json);
    write_what_happened(&json, report);
    write_what_is_known(&json, report);
    wn_json_key(&json, "text");
    if (has_text(report->status))
        wn_json_string(&json, body);
    else
        wn_json_null(&json);
    if (options->text_format && strcmp(options->text_format, "txt") != 0)
        write_known(&json, "text_format", options->text_format);
    write_comments(&json, listing);
    if (report->metadata->sources)
        write_sources(&json, report->metadata);
    if (listing && listing->explained && report->threshold > 0) {
        wn_json_key(&json, "threshold");
        wn_json_fixed(&json, report->threshold, 3);
    }
    if (options->blocks)
        write_blocks(&json, listing);
    if (options->links && listing)
        write_links(&json, listing);
    if (options->images && listing)
        write_images(&json, listing);
    write_time(&json, &report->record);
    wn_json_end_object(&json);
}

void wn_write_json_line(wn_buf *out, const wn_write_report *report, wn_str body,
                        const wn_write_options *options)
{
    wn_write_json(out, report, body, options);
    wn_buf_add_char(out, '\n');
}
