#include "api/handles.h"

#include "auto/page_type.h"

/* ---- Entering and leaving ---------------------------------------------------------------- */

/* From here on memory comes from the page's allocator. */
wn_api_work wn_api_enter(const winnow_page *page)
{
    return (wn_api_work){
        .before = wn_memory_use(page->memory.allocate ? &page->memory : NULL),
        .failures = wn_memory_failures(),
    };
}

/* Whether something was left out for want of memory. */
bool wn_api_ran_out(const wn_api_work *w)
{
    return wn_memory_failures() != w->failures;
}

void wn_api_leave(const wn_api_work *w)
{
    wn_memory_use(w->before);
}

winnow_status wn_api_say_no_memory(winnow_page *page)
{
    return wn_api_error_say(&page->error, WINNOW_STATUS_NO_MEMORY, "out of memory");
}

/* ---- Pages ------------------------------------------------------------------------------- */

winnow_page *winnow_page_new(void)
{
    return winnow_page_new_with(NULL);
}

static bool make_parts(winnow_page *page)
{
    page->tree_builder = wn_html_tree_new();
    page->builder = wn_page_builder_new();
    page->metadata = wn_meta_reader_new();
    page->encoding = "";
    wn_api_error_clear(&page->error);
    return page->tree_builder && page->builder && page->metadata &&
           wn_auto_model_default(&page->model);
}

winnow_page *winnow_page_new_with(const winnow_allocator *allocator)
{
    wn_memory memory = {0};
    if (allocator) {
        bool complete = allocator->struct_size >= sizeof *allocator && allocator->allocate &&
                        allocator->resize && allocator->release;
        if (!complete)
            return NULL;
        memory = (wn_memory){allocator->allocate, allocator->resize, allocator->release,
                             allocator->data};
    }
    wn_api_work w = {wn_memory_use(allocator ? &memory : NULL), wn_memory_failures()};
    winnow_page *page = wn_memory_get_zeroed(sizeof *page);
    if (page) {
        page->memory = memory;
        if (!make_parts(page) || wn_api_ran_out(&w)) {
            winnow_page_free(page);
            page = NULL;
        }
    }
    wn_api_leave(&w);
    return page;
}

static void free_reading(wn_api_reading *r)
{
    wn_doc_free(&r->doc);
    wn_page_free(&r->page);
    wn_page_free(&r->text_page);
    wn_arena_free(&r->arena);
}

static void free_selection(winnow_selection *s)
{
    free_reading(&s->own);
    wn_page_view_free(&s->view);
    wn_buf_free(&s->body);
    for (size_t i = 0; i < WN_API_FORMATS; i++)
        wn_buf_free(&s->output[i]);
    wn_arena_free(&s->arena);
    wn_memory_release(s);
}

void winnow_page_free(winnow_page *page)
{
    if (!page)
        return;
    wn_memory memory = page->memory; /* outlives the page */
    const wn_memory *before = wn_memory_use(memory.allocate ? &memory : NULL);
    for (winnow_selection *s = page->selections, *next; s; s = next) {
        next = s->next;
        free_selection(s);
    }
    free_reading(&page->tree);
    wn_arena_free(&page->arena);
    wn_html_tree_free(page->tree_builder);
    wn_css_free(page->css);
    wn_layout_free(page->layout);
    wn_page_builder_free(page->builder);
    wn_meta_reader_free(page->metadata);
    wn_page_stream_free(&page->stream);
    wn_buf_free(&page->embedded);
    wn_buf_free(&page->failure);
    wn_arena_free(&page->layout_arena);
    wn_api_error_free(&page->error);
    wn_memory_release(page);
    wn_memory_use(before);
}

static size_t reading_memory(const wn_api_reading *r)
{
    return r->arena.reserved + wn_array_bytes(&r->doc.nodes) + wn_page_memory(&r->page) +
           wn_page_memory(&r->text_page);
}

static size_t selection_memory(const winnow_selection *s)
{
    size_t memory = sizeof *s + s->arena.reserved + reading_memory(&s->own) +
                    wn_page_view_memory(&s->view) + s->body.cap;
    for (size_t i = 0; i < WN_API_FORMATS; i++)
        memory += s->output[i].cap;
    return memory;
}

size_t winnow_page_memory(const winnow_page *page)
{
    if (!page)
        return 0;
    size_t memory = sizeof *page + page->arena.reserved + reading_memory(&page->tree) +
                    page->layout_arena.reserved + page->embedded.cap + page->failure.cap +
                    wn_html_tree_memory(page->tree_builder) +
                    wn_page_builder_memory(page->builder) +
                    (page->css ? wn_css_memory(page->css) : 0) +
                    (page->layout ? wn_layout_memory(page->layout) : 0) +
                    wn_page_stream_memory(&page->stream) + wn_meta_reader_memory(page->metadata);
    for (const winnow_selection *s = page->selections; s; s = s->next)
        memory += selection_memory(s);
    return memory;
}

const winnow_error *winnow_page_error(const winnow_page *page)
{
    return page ? &page->error.shown : &wn_api_no_handle;
}

const char *winnow_page_encoding(const winnow_page *page)
{
    return page ? page->encoding : "";
}

void winnow_selection_free(winnow_selection *selection)
{
    if (selection)
        selection->in_use = false; /* its memory serves the next one */
}

void winnow_free(void *memory)
{
    wn_memory_release(memory);
}
