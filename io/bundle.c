#include "io/bundle.h"

#include "base/printable.h"

winnow_record wn_io_record_of(const winnow_worker *worker, const winnow_input *input)
{
    const winnow_loaded *loaded = worker->loaded;
    return (winnow_record){
        .struct_size = sizeof(winnow_record),
        .id = loaded->id ? loaded->id : input->id,
        .url = winnow_options_text(worker->options, WINNOW_OPTION_URL),
        .status = loaded->not_html ? WINNOW_STATUS_NOT_HTML : WINNOW_STATUS_UNREADABLE,
        .file = input->file,
        .offset = input->offset,
        .inner = input->inner,
        .length = input->length,
        .crawled = input->date,
        .http_status = loaded->http_status,
        .media_type = loaded->media_type,
        .incomplete = (loaded->truncated ? WINNOW_LIMITED_TRUNCATED : 0u) |
                      (loaded->damaged ? WINNOW_LIMITED_DAMAGED : 0u),
    };
}

void wn_io_bundle_page(wn_buf *out, const winnow_format_info *format, winnow_worker *worker,
                       winnow_selection *content, const winnow_record *record, bool joined)
{
    size_t size = 0;
    const char *bytes;
    if (content && (!record->error || format->tells_failures))
        bytes = winnow_write_record(content, format->format, worker->options, record, &size);
    else
        bytes = winnow_write_failure(worker->page, format->format, worker->options, record, &size);
    wn_buf_reserve(out, size + 1); /* a large page does not grow again for its line end */
    wn_buf_add(out, wn_str_from(bytes ? bytes : "", size));
    out->failed = out->failed || !bytes;
    bool by_commas = joined && format->separator[0] == ',';
    if (out->len > 0 && out->ptr[out->len - 1] != '\n' && !by_commas)
        wn_buf_add_char(out, '\n');
}

/*
 * In Markdown and the like the name is in a comment, which must not end early: by "-->" or "--!>".
 */
static void add_name(wn_buf *out, const winnow_format_info *format, const char *name)
{
    wn_buf shown = {0};
    bool comment = strchr(format->name_end, '>') != NULL && format->name_start[0] == '<';
    wn_add_printable(&shown, wn_str_of(name));
    for (size_t i = 0; comment && i < shown.len; i++) {
        if (shown.ptr[i] == '>')
            shown.ptr[i] = '_';
    }
    wn_buf_add_literal(out, format->name_start);
    wn_buf_add(out, wn_buf_str(&shown));
    wn_buf_add_literal(out, format->name_end);
    wn_buf_free(&shown);
}

void wn_io_bundle_before(wn_buf *out, const winnow_format_info *format, const char *name,
                         uint64_t written)
{
    wn_buf_add_literal(out, written ? format->separator : format->head);
    if (format->name_start[0])
        add_name(out, format, name);
}

void wn_io_bundle_after(wn_buf *out, const winnow_format_info *format, uint64_t written)
{
    bool nothing = written == 0 && format->nothing[0];
    if (written == 0)
        wn_buf_add_literal(out, nothing ? format->nothing : format->head);
    wn_buf_add_literal(out, nothing ? "" : format->tail);
}
