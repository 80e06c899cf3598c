/*
 * Fuzzes the interface: any order of calls with any options, on several handles, with memory that
 * runs out at some time.
 *
 * Properties: nothing crashes or leaks; what is said to be well is the same as from a fresh handle
 * with all memory; selections that live side by side do not change each other.
 *
 * The steps are read from the end of the input; what is left of it is the page.
 */
#include "fuzz.h"
#include "winnow.h"

enum { HANDLES = 2, SELECTIONS = 3, MOST_STEPS = 24 };

/* ---- Memory that fails ------------------------------------------------------------------- */

typedef struct shaky_memory {
    size_t calls, fails_at; /* 0: never */
    size_t held;
} shaky_memory;

static bool fails(shaky_memory *m)
{
    return ++m->calls == m->fails_at;
}

static void *shaky_allocate(void *data, size_t size)
{
    shaky_memory *m = data;
    void *piece = fails(m) ? NULL : malloc(size ? size : 1);
    m->held += piece != NULL;
    return piece;
}

static void *shaky_resize(void *data, void *memory, size_t size)
{
    if (!memory)
        return shaky_allocate(data, size);
    return fails(data) ? NULL : realloc(memory, size ? size : 1);
}

static void shaky_release(void *data, void *memory)
{
    ((shaky_memory *)data)->held -= memory != NULL;
    free(memory);
}

/* ---- State ------------------------------------------------------------------------------- */

typedef struct selected {
    winnow_selection *selection;
    const char *method;
    winnow_options *options; /* as they were when it was selected */
} selected;

typedef struct handle {
    shaky_memory memory;
    winnow_page *page;
    selected selections[SELECTIONS];
} handle;

typedef struct fuzz_state {
    fuzz_input input;
    wn_str html;
    handle handles[HANDLES];
    winnow_options *options;
    winnow_options *parsed[HANDLES]; /* the options that the page was taken in with */
    winnow_site *site;
    winnow_noise *noise;
} fuzz_state;

static const char *const methods[] = {
    NULL,    "all", "auto:lean=recall", "lineblock",         "bte", "xpath",
    "eifce", "fe",  "outlier",          "lineblock:rule=no",
};

static winnow_options *copy_options(const winnow_options *options)
{
    winnow_options *copy = winnow_options_copy(options);
    FUZZ_CHECK(copy);
    return copy;
}

static void forget_selections(handle *h)
{
    for (int i = 0; i < SELECTIONS; i++) {
        winnow_options_free(h->selections[i].options);
        h->selections[i] = (selected){0};
    }
}

/* ---- Steps ------------------------------------------------------------------------------- */

static void set_option(fuzz_state *f)
{
    static const char *const values[] = {"yes", "no",   "0",     "1",
                                         "20",  "1000", "utf-8", "https://e.org/"};
    uint32_t number = fuzz_choice(&f->input, WINNOW_OPTION_LOAD_IMAGES + 2);
    const winnow_option_info *info = winnow_option_at(number);
    if (number == WINNOW_OPTION_MAX_MILLISECONDS || number == WINNOW_OPTION_MAX_MEMORY)
        return; /* what comes of them depends on the machine, and on what was there before */
    const char *value = values[fuzz_choice(&f->input, sizeof values / sizeof *values)];
    winnow_status status = winnow_options_set(f->options, info ? info->name : "bte.search", value);
    FUZZ_CHECK((status == WINNOW_STATUS_OK) == !winnow_options_error(f->options)->message[0]);
}

static void take_page(fuzz_state *f, int number)
{
    handle *h = &f->handles[number];
    forget_selections(h);
    winnow_options_free(f->parsed[number]);
    f->parsed[number] = copy_options(f->options);
    winnow_status status = winnow_parse(h->page, f->html.ptr, f->html.len, f->options);
    FUZZ_CHECK(status == WINNOW_STATUS_OK || status == WINNOW_STATUS_NOT_HTML ||
               status == WINNOW_STATUS_NO_MEMORY);
}

static void select_content(fuzz_state *f, handle *h)
{
    selected *s = &h->selections[fuzz_choice(&f->input, SELECTIONS)];
    winnow_selection_free(s->selection);
    winnow_options_free(s->options);
    s->method = methods[fuzz_choice(&f->input, sizeof methods / sizeof *methods)];
    s->options = copy_options(f->options);
    s->selection = winnow_select(h->page, s->method, f->options);
    const winnow_error *error = winnow_page_error(h->page);
    FUZZ_CHECK(s->selection ? error->status == WINNOW_STATUS_OK : error->message[0] != '\0');
}

/* What a fresh handle with all memory makes of the page. */
static void check_beside_fresh(const fuzz_state *f, int number, const selected *s,
                               winnow_format format, const char *text, size_t size)
{
    winnow_page *page = winnow_page_new();
    size_t expected_size;
    winnow_parse(page, f->html.ptr, f->html.len, f->parsed[number]);
    winnow_selection *content = winnow_select(page, s->method, s->options);
    const char *expected = winnow_write(content, format, f->options, &expected_size);
    FUZZ_CHECK(expected &&
               winnow_selection_status(content) == winnow_selection_status(s->selection));
    FUZZ_CHECK(size == expected_size && memcmp(text, expected, size) == 0);
    winnow_page_free(page);
}

static void write_content(fuzz_state *f, int number)
{
    const selected *s = &f->handles[number].selections[fuzz_choice(&f->input, SELECTIONS)];
    winnow_format format = (winnow_format)fuzz_choice(&f->input, WINNOW_FORMAT_CSV + 2);
    size_t size;
    const char *text = winnow_write(s->selection, format, f->options, &size);
    FUZZ_CHECK(text || size == 0);
    if (!text)
        return;
    FUZZ_CHECK(text[size] == '\0' && strlen(text) <= size);
    fuzz_check_utf8(wn_str_from(text, size));
    if (winnow_selection_status(s->selection) != WINNOW_STATUS_NO_MEMORY)
        check_beside_fresh(f, number, s, format, text, size);
}

static void read_lists(fuzz_state *f, handle *h)
{
    winnow_selection *s = h->selections[fuzz_choice(&f->input, SELECTIONS)].selection;
    const winnow_block *block;
    const winnow_link *link;
    for (size_t i = 0; (block = winnow_selection_block(s, i)) != NULL; i++)
        FUZZ_CHECK(block->text[block->size] == '\0' && block->source_start <= block->source_end);
    for (size_t i = 0; (link = winnow_selection_link(s, i)) != NULL; i++)
        FUZZ_CHECK(winnow_selection_block(s, link->block)->link_count > 0);
    fuzz_check_utf8(wn_str_of(winnow_selection_metadata(s)->title));
    FUZZ_CHECK(winnow_page_memory(h->page) > 0);
}

static void learn(fuzz_state *f, handle *h)
{
    winnow_status status = winnow_site_learn(f->site, h->page);
    FUZZ_CHECK(status == WINNOW_STATUS_OK || winnow_site_pages(f->site) < UINT32_MAX);
}

static void step(fuzz_state *f)
{
    int number = (int)fuzz_choice(&f->input, HANDLES);
    handle *h = &f->handles[number];
    winnow_record record = {.struct_size = 8 * fuzz_choice(&f->input, sizeof record / 8 + 1),
                            .id = "\xFF"};
    switch (fuzz_choice(&f->input, 8)) {
    case 0:
        select_content(f, h);
        break;
    case 1:
        write_content(f, number);
        break;
    case 2:
        set_option(f);
        break;
    case 3:
        take_page(f, number);
        break;
    case 4:
        read_lists(f, h);
        break;
    case 5:
        learn(f, h);
        break;
    case 6:
        winnow_write_failure(h->page, (winnow_format)fuzz_choice(&f->input, 9), NULL, &record,
                             NULL);
        break;
    default:
        h->memory.fails_at = h->memory.calls + 1 + fuzz_choice(&f->input, 200);
    }
}

/* ---- The whole --------------------------------------------------------------------------- */

static bool open_handle(handle *h)
{
    winnow_allocator allocator = {sizeof allocator, shaky_allocate, shaky_resize, shaky_release,
                                  &h->memory};
    h->page = winnow_page_new_with(&allocator);
    return h->page != NULL;
}

static void close_all(fuzz_state *f)
{
    for (int i = 0; i < HANDLES; i++) {
        forget_selections(&f->handles[i]);
        winnow_page_free(f->handles[i].page);
        FUZZ_CHECK(f->handles[i].memory.held == 0);
        winnow_options_free(f->parsed[i]);
    }
    winnow_options_free(f->options);
    winnow_site_free(f->site);
    winnow_noise_free(f->noise);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static fuzz_state f;
    f = (fuzz_state){.input = {data, size}, .options = winnow_options_new()};
    f.site = winnow_site_new();
    f.noise = winnow_noise_new("mill\nrain\n", 10);
    winnow_options_set_noise(f.options, f.noise);
    for (int i = 0; i < HANDLES; i++)
        FUZZ_CHECK(open_handle(&f.handles[i]));
    /* The steps take at most their share of the input: the page is the same for all of them. */
    size_t steps = size / 2 < 6 * MOST_STEPS ? size / 2 : 6 * MOST_STEPS;
    f.html = wn_str_from((const char *)data, size - steps);
    f.input = (fuzz_input){data + size - steps, steps};
    for (int i = 0; i < HANDLES; i++) {
        take_page(&f, i);
        winnow_write(winnow_select(f.handles[i].page, NULL, NULL), WINNOW_FORMAT_TEXT, NULL, NULL);
    }
    while (f.input.size > 0)
        step(&f);
    close_all(&f);
    return 0;
}
