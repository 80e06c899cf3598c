#include "result.h"

#include <stdlib.h>
#include <string.h>

#include "io/reason.h"

void result_clear(result *r)
{
    free(r->error);
    free(r->facts.memory);
    for (size_t i = 0; i < FORMAT_COUNT; i++)
        free(r->outputs[i].bytes);
    *r = (result){0};
}

void origin_clear(origin *o)
{
    free(o->id);
    free(o->url);
    free(o->charset);
    free(o->file);
    free(o->date);
    free(o->media_type);
    free(o->error);
    *o = (origin){0};
}

char *copy_text(const char *text)
{
    return text && *text ? strdup(text) : NULL;
}

/* ---- What a selection says --------------------------------------------------------------- */

/* The reason why there is no text, as the program words it. False: out of memory. */
static bool note_reason(result *r, const void *bytes, size_t size)
{
    wn_buf reason = {0};
    wn_io_add_reason(&reason, r->status, wn_str_from(bytes, size));
    bool failed = reason.failed;
    if (reason.len > 0) {
        r->error = copy_text(wn_buf_c_string(&reason));
        failed = failed || !r->error;
    }
    wn_buf_free(&reason);
    return !failed;
}

unsigned missing_parts(bool truncated, bool damaged)
{
    return (truncated ? WINNOW_LIMITED_TRUNCATED : 0u) | (damaged ? WINNOW_LIMITED_DAMAGED : 0u);
}

bool result_note(result *r, winnow_page *page, winnow_selection *content, const void *bytes,
                 size_t size, unsigned incomplete)
{
    free(r->error);
    r->error = NULL;
    r->encoding = winnow_page_encoding(page);
    r->method = content ? winnow_selection_method(content) : "";
    if (!content) {
        const winnow_error *error = winnow_page_error(page);
        r->status = error->status;
        r->error = copy_text(error->message);
        return r->error != NULL;
    }
    r->status = winnow_selection_status(content);
    r->limited = winnow_selection_limited(content) | incomplete;
    if (incomplete && r->status == WINNOW_STATUS_OK)
        r->status = WINNOW_STATUS_PARTIAL;
    r->type = winnow_selection_page_type(content);
    r->confidence = winnow_selection_confidence(content);
    return note_reason(r, bytes, size);
}

/* ---- Metadata ---------------------------------------------------------------------------- */

/* Fills one piece of memory: lists first, as they must be aligned, then text. */
typedef struct filler {
    const char **lists;
    char *text;
} filler;

static size_t text_size(const char *text)
{
    return strlen(text) + 1;
}

static size_t list_size(const char *const *items, size_t count)
{
    size_t size = count * sizeof *items;
    for (size_t i = 0; i < count; i++)
        size += text_size(items[i]);
    return size;
}

static const char *put_text(filler *f, const char *text)
{
    size_t size = text_size(text);
    char *place = memcpy(f->text, text, size);
    f->text += size;
    return place;
}

static const char **put_list(filler *f, const char *const *items, size_t count)
{
    const char **place = f->lists;
    for (size_t i = 0; i < count; i++)
        place[i] = put_text(f, items[i]);
    f->lists += count;
    return place;
}

bool facts_copy(facts *f, const winnow_metadata *m)
{
    const char *texts[] = {m->title,    m->published, m->modified, m->site,   m->description,
                           m->language, m->url,       m->image,    m->license};
    const char **places[] = {&f->title,    &f->published, &f->modified, &f->site,   &f->description,
                             &f->language, &f->url,       &f->image,    &f->license};
    size_t items = m->author_count + m->tag_count + m->category_count;
    size_t size = list_size(m->authors, m->author_count) + list_size(m->tags, m->tag_count) +
                  list_size(m->categories, m->category_count);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        size += text_size(texts[i]);
    free(f->memory);
    f->memory = malloc(size);
    if (!f->memory)
        return false;
    filler fill = {f->memory, (char *)f->memory + items * sizeof(char *)};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        *places[i] = put_text(&fill, texts[i]);
    f->authors = put_list(&fill, m->authors, f->author_count = m->author_count);
    f->tags = put_list(&fill, m->tags, f->tag_count = m->tag_count);
    f->categories = put_list(&fill, m->categories, f->category_count = m->category_count);
    return true;
}

/* ---- Formats ----------------------------------------------------------------------------- */

const char *result_write(const result *r, winnow_page *page, winnow_selection *content,
                         winnow_format format, const winnow_options *options, const origin *o,
                         size_t *size)
{
    winnow_record record = {
        .struct_size = sizeof record,
        .id = o->id,
        .url = o->url,
        .error = r->error,
        .status = r->status,
        .file = o->file,
        .offset = o->offset,
        .inner = o->inner,
        .incomplete = o->incomplete,
        .crawled = o->date,
        .length = o->length,
        .http_status = o->http_status,
        .media_type = o->media_type,
    };
    if (!content)
        return winnow_write_failure(page, format, options, &record, size);
    return winnow_write_record(content, format, options, &record, size);
}

bool result_keep(result *r, winnow_page *page, winnow_selection *content, winnow_format format,
                 const winnow_options *options, const origin *o)
{
    output *out = &r->outputs[format];
    const char *bytes = result_write(r, page, content, format, options, o, &out->size);
    free(out->bytes);
    out->bytes = bytes ? malloc(out->size + 1) : NULL;
    if (out->bytes)
        memcpy(out->bytes, bytes, out->size + 1);
    return out->bytes != NULL;
}
