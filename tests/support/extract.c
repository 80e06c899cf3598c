#include "extract.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extractor *extractor_new(void)
{
    extractor *e = calloc(1, sizeof *e);
    if (e) {
        e->page = winnow_page_new();
        e->options = winnow_options_new();
    }
    if (!e || !e->page || !e->options)
        abort();
    return e;
}

void extractor_free(extractor *e)
{
    if (!e)
        return;
    winnow_page_free(e->page);
    winnow_options_free(e->options);
    free(e);
}

int extractor_open(void **state)
{
    *state = extractor_new();
    return 0;
}

int extractor_close(void **state)
{
    extractor_free(*state);
    return 0;
}

const extracted *extract(extractor *e, const void *html, size_t size)
{
    winnow_status parsed = winnow_parse(e->page, html, size, e->options);
    e->result = (extracted){.status = parsed, .text = ""};
    winnow_selection *content = winnow_select(e->page, e->method, e->options);
    if (!content) {
        e->result.status = winnow_page_error(e->page)->status;
        return &e->result;
    }
    e->result.content = content;
    e->result.status = winnow_selection_status(content);
    e->result.limited = winnow_selection_limited(content);
    const char *text = winnow_write(content, e->format, e->options, &e->result.size);
    e->result.text = text ? text : "";
    return &e->result;
}

const extracted *extract_by(extractor *e, const char *method, const char *html)
{
    e->method = method;
    return extract(e, html, strlen(html));
}

void extractor_set(extractor *e, const char *name, const char *value)
{
    if (winnow_options_set(e->options, name, value) == WINNOW_STATUS_OK)
        return;
    fprintf(stderr, "%s\n", winnow_options_error(e->options)->message);
    abort();
}

const winnow_block *extracted_find(const extracted *result, const char *text)
{
    const winnow_block *block = NULL;
    for (size_t i = 0; (block = winnow_selection_block(result->content, i)) != NULL; i++)
        if (strstr(block->text, text))
            break;
    return block;
}

const winnow_block *extracted_kept(const extracted *result, size_t index)
{
    const winnow_block *block = NULL;
    for (size_t i = 0; (block = winnow_selection_block(result->content, i)) != NULL; i++)
        if (block->kept && index-- == 0)
            break;
    return block;
}

size_t extracted_kept_count(const extracted *result)
{
    size_t count = 0;
    while (extracted_kept(result, count))
        count++;
    return count;
}
