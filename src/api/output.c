/*
 * Writing: a selection and what is known of its page, in any format.
 */
#include "api/handles.h"

static wn_write_options write_options(const winnow_options *options)
{
    return (wn_write_options){
        .links = wn_api_flag(options, WINNOW_OPTION_LINKS),
        .formatting = wn_api_flag(options, WINNOW_OPTION_FORMATTING),
        .images = wn_api_flag(options, WINNOW_OPTION_IMAGES),
        .metadata = wn_api_flag(options, WINNOW_OPTION_METADATA),
        .blocks = wn_api_flag(options, WINNOW_OPTION_BLOCKS) ||
                  wn_api_flag(options, WINNOW_OPTION_EXPLAIN),
        .standalone = wn_api_flag(options, WINNOW_OPTION_STANDALONE),
        .csv_safe = wn_api_flag(options, WINNOW_OPTION_CSV_SAFE),
    };
}

/* A copy of the caller's record, which may be of another version. */
static winnow_record copy_record(const winnow_record *record)
{
    winnow_record copy = {0};
    if (record)
        memcpy(&copy, record,
               record->struct_size < sizeof copy ? record->struct_size : sizeof copy);
    return copy;
}

/* What is known besides the text; the listing only where the format shows it. */
static wn_write_report report_of(winnow_selection *s, const wn_write_format *format,
                                 const wn_write_options *options, const winnow_record *record)
{
    bool needs_metadata = format->needs_metadata || options->metadata;
    bool lists = format->info.format == WINNOW_FORMAT_JSON ||
                 format->info.format == WINNOW_FORMAT_JSONL;
    lists = lists && (options->links || options->blocks);
    wn_write_report report = {
        .status = s->status,
        .limited = s->limited,
        .method = s->method,
        .encoding = s->owner->encoding,
        .metadata = needs_metadata ? wn_api_metadata(s) : &wn_no_metadata,
        .page_type = winnow_selection_page_type(s),
        .confidence = winnow_selection_confidence(s),
        .listing = lists ? wn_api_listing(s) : NULL,
        .record = copy_record(record),
    };
    if (!report.record.url)
        report.record.url = s->owner->url;
    report.limited |= report.record.incomplete;
    if (report.record.incomplete && report.status == WINNOW_STATUS_OK)
        report.status = WINNOW_STATUS_PARTIAL;
    if (lists && !report.listing)
        s->arena.failed = true;
    return report;
}

/* page and selection -> bytes; false when memory is out */
static bool write_content(winnow_selection *s, const wn_write_format *format,
                          const wn_write_options *options, const winnow_record *record)
{
    wn_buf *out = &s->output[format->info.format];
    wn_buf_clear(out);
    wn_buf_clear(&s->body);
    wn_write_report report = report_of(s, format, options, record);
    bool is_bare = format->document == wn_write_front_matter && !options->metadata;
    if (!report.record.error && s->verdicts.count > 0)
        format->body(is_bare ? out : &s->body, &s->view.page, &s->verdicts, options, s->owner->url);
    if (!is_bare)
        format->document(out, &report, wn_buf_str(&s->body), options);
    return !out->failed && !s->body.failed && !s->arena.failed;
}

/* Gives a buffer out as a C string; NULL if it is not whole. */
static const char *give(wn_buf *out, size_t *size, const wn_api_work *w)
{
    const char *bytes = wn_buf_c_string(out);
    bool is_whole = !out->failed && !wn_api_ran_out(w);
    if (size)
        *size = is_whole ? out->len : 0;
    return is_whole ? bytes : NULL;
}

const char *winnow_write_record(winnow_selection *selection, winnow_format format_number,
                                const winnow_options *options, const winnow_record *record,
                                size_t *size)
{
    const wn_write_format *format = wn_write_format_at(format_number);
    if (size)
        *size = 0;
    if (!selection)
        return NULL;
    winnow_page *page = selection->owner;
    wn_api_work w = wn_api_enter(page);
    wn_api_read_state before = wn_api_read_state_of(selection);
    const char *bytes = NULL;
    wn_api_error_clear(&page->error);
    wn_write_options shown = write_options(wn_api_options(options));
    if (!format)
        wn_api_error_say(&page->error, WINNOW_STATUS_BAD_ARGUMENT,
                         "there is no format of that number; winnow_format_at() lists them");
    else if (write_content(selection, format, &shown, record))
        bytes = give(&selection->output[format_number], size, &w);
    if (format && !bytes)
        wn_api_give_up_reading(selection, &before);
    wn_api_leave(&w);
    return bytes;
}

const char *winnow_write(winnow_selection *selection, winnow_format format,
                         const winnow_options *options, size_t *size)
{
    return winnow_write_record(selection, format, options, NULL, size);
}

const char *winnow_write_failure(winnow_page *page, winnow_format format_number,
                                 const winnow_options *options, const winnow_record *record,
                                 size_t *size)
{
    const wn_write_format *format = wn_write_format_at(format_number);
    if (size)
        *size = 0;
    if (!page || !format)
        return NULL;
    wn_api_work w = wn_api_enter(page);
    wn_write_options shown = write_options(wn_api_options(options));
    wn_write_report report = {.method = "", .encoding = "", .metadata = &wn_no_metadata};
    report.record = copy_record(record);
    report.status = report.record.status;
    wn_buf_clear(&page->failure);
    if (format->info.tells_failures)
        format->document(&page->failure, &report, WN_STR(""), &shown);
    const char *bytes = give(&page->failure, size, &w);
    if (!bytes)
        wn_api_say_no_memory(page);
    wn_api_leave(&w);
    return bytes;
}
