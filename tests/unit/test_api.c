/*
 * The interface of winnow.h, through winnow.h alone: one parse and many selections, options, errors,
 * what a selection says, and lists of what there is. Memory and time are in test_api_limits.c.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/files.h"
#include "winnow.h"

enum { MOST_METHODS = 32, MOST_FORMATS = 16 };

/* ---- Helpers ----------------------------------------------------------------------------- */

static wn_buf read_page(const char *name)
{
    wn_buf path = {0}, bytes = {0};
    wn_buf_add_format(&path, TESTS_DIR "/pages/%s", name);
    assert_true(test_file_read(&bytes, wn_buf_c_string(&path)));
    wn_buf_free(&path);
    return bytes;
}

static winnow_options *make_options(void)
{
    static const char *const settings[][2] = {
        {"url", "https://example.org/a/b.html"},
        {"links", "yes"},
        {"formatting", "yes"},
        {"images", "yes"},
        {"blocks", "yes"},
        {"explain", "yes"},
    };
    winnow_options *options = winnow_options_new();
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        assert_int_equal(winnow_options_set(options, settings[i][0], settings[i][1]),
                         WINNOW_STATUS_OK);
    return options;
}

static char *copy(const char *text)
{
    assert_non_null(text);
    char *made = malloc(strlen(text) + 1);
    return strcpy(made, text);
}

/* What a fresh handle gives; to be freed. */
static char *fresh(const wn_buf *html, const char *method, winnow_format format,
                   const winnow_options *options)
{
    winnow_page *page = winnow_page_new();
    winnow_parse(page, html->ptr, html->len, options);
    winnow_selection *content = winnow_select(page, method, options);
    char *text = copy(winnow_write(content, format, options, NULL));
    winnow_page_free(page);
    return text;
}

static size_t method_count(void)
{
    size_t count = 0;
    while (winnow_method_at(count))
        count++;
    assert_in_range(count, 5, MOST_METHODS);
    return count;
}

static size_t format_count(void)
{
    size_t count = 0;
    while (winnow_format_at(count))
        count++;
    assert_in_range(count, 8, MOST_FORMATS);
    return count;
}

/* ---- One parse --------------------------------------------------------------------------- */

typedef struct expectations {
    char *texts[MOST_METHODS][MOST_FORMATS];
    size_t methods, formats;
} expectations;

static expectations expect(const wn_buf *html, const winnow_options *options)
{
    expectations e = {.methods = method_count(), .formats = format_count()};
    for (size_t m = 0; m < e.methods; m++)
        for (size_t f = 0; f < e.formats; f++)
            e.texts[m][f] = fresh(html, winnow_method_at(m)->name, (winnow_format)f, options);
    return e;
}

static void forget(expectations *e)
{
    for (size_t m = 0; m < e->methods; m++)
        for (size_t f = 0; f < e->formats; f++)
            free(e->texts[m][f]);
}

/* Selects and writes at random; some selections are given back, others stay alive. */
static void check_random_order(winnow_page *page, const expectations *e,
                               const winnow_options *options, uint64_t *random)
{
    enum { ALIVE = 6, STEPS = 120 };
    winnow_selection *alive[ALIVE] = {NULL};
    size_t method_of[ALIVE] = {0};
    const char *written[ALIVE] = {NULL}; /* in a format, which stays valid meanwhile */
    size_t format_of[ALIVE] = {0};
    for (int step = 0; step < STEPS; step++) {
        size_t i = test_random(random) % ALIVE;
        if (!alive[i] || test_random(random) % 4 == 0) {
            winnow_selection_free(alive[i]);
            method_of[i] = test_random(random) % e->methods;
            alive[i] = winnow_select(page, winnow_method_at(method_of[i])->name, options);
            assert_non_null(alive[i]);
            written[i] = NULL;
        }
        format_of[i] = test_random(random) % e->formats;
        written[i] = winnow_write(alive[i], (winnow_format)format_of[i], options, NULL);
        for (size_t k = 0; k < ALIVE; k++)
            if (written[k])
                assert_string_equal(written[k], e->texts[method_of[k]][format_of[k]]);
    }
}

static void same_bytes_in_any_order(void **state)
{
    static const char *const names[] = {"article.html", "nested_tables.html", "xhtml.html",
                                        "right_to_left.html"};
    (void)state;
    uint64_t random = 42;
    winnow_page *page = winnow_page_new();
    winnow_noise *noise = winnow_noise_new("mill\nhome\n", 10);
    winnow_options *options = make_options();
    winnow_options_set_noise(options, noise);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        wn_buf html = read_page(names[i]);
        expectations e = expect(&html, options);
        winnow_parse(page, html.ptr, html.len, options);
        check_random_order(page, &e, options, &random);
        forget(&e);
        wn_buf_free(&html);
    }
    winnow_options_free(options);
    winnow_noise_free(noise);
    winnow_page_free(page);
}

/* What is shown is chosen when it is written: one selection serves all options. */
static void options_of_writing(void **state)
{
    static const char html[] =
        "<p>It <b>has</b> <a href=/x>rained</a> <img src=y alt=clouds> here.";
    (void)state;
    winnow_page *page = winnow_page_new();
    winnow_options *options = winnow_options_new();
    winnow_parse(page, html, sizeof html - 1, NULL);
    winnow_selection *content = winnow_select(page, "all", NULL);
    assert_string_equal(winnow_write(content, WINNOW_FORMAT_MARKDOWN, NULL, NULL),
                        "It has rained here.\n");
    winnow_options_set_flag(options, WINNOW_OPTION_LINKS, true);
    assert_string_equal(winnow_write(content, WINNOW_FORMAT_MARKDOWN, options, NULL),
                        "It has [rained](/x) here.\n");
    winnow_options_set_flag(options, WINNOW_OPTION_FORMATTING, true);
    assert_string_equal(winnow_write(content, WINNOW_FORMAT_MARKDOWN, options, NULL),
                        "It **has** [rained](/x) here.\n");
    winnow_options_set_flag(options, WINNOW_OPTION_IMAGES, true);
    assert_non_null(
        strstr(winnow_write(content, WINNOW_FORMAT_MARKDOWN, options, NULL), "![clouds](y)"));
    assert_string_equal(winnow_write(content, WINNOW_FORMAT_MARKDOWN, NULL, NULL),
                        "It has rained here.\n");
    winnow_options_free(options);
    winnow_page_free(page);
}

/* Another selection with other style sheets is not shown with the first ones. */
static void sheets_are_those_of_the_selection(void **state)
{
    static const char html[] = "<!doctype html><p>Some words that stay here for good.<p class=a>"
                               "Apple<p class=b>Birch<p>And more words.";
    (void)state;
    winnow_page *page = winnow_page_new();
    winnow_options *apple = winnow_options_new(), *birch = winnow_options_new();
    winnow_sheet a = {.struct_size = sizeof a, .bytes = ".a { display: none }", .size = 20};
    winnow_sheet b = {.struct_size = sizeof b, .bytes = ".b { display: none }", .size = 20};
    assert_int_equal(winnow_options_add_sheet(apple, &a), WINNOW_STATUS_OK);
    assert_int_equal(winnow_options_add_sheet(birch, &b), WINNOW_STATUS_OK);
    winnow_parse(page, html, sizeof html - 1, NULL);
    for (int i = 0; i < 9; i++) {
        const winnow_options *options = i % 3 == 0 ? NULL : i % 3 == 1 ? apple : birch;
        winnow_selection *content = winnow_select(page, "eifce", options);
        const char *text = winnow_write(content, WINNOW_FORMAT_TEXT, NULL, NULL);
        assert_int_equal(strstr(text, "Apple") != NULL, options != apple);
        assert_int_equal(strstr(text, "Birch") != NULL, options != birch);
    }
    winnow_options_free(apple);
    winnow_options_free(birch);
    winnow_page_free(page);
}

static void pages_one_after_the_other(void **state)
{
    (void)state;
    test_files files = {0};
    winnow_page *page = winnow_page_new();
    size_t memory = 0;
    assert_true(test_files_find(&files, TESTS_DIR "/pages", ".html"));
    for (int round = 0; round < 20; round++) {
        for (size_t i = 0; i < files.count; i++) {
            wn_buf html = {0};
            const char *method = winnow_method_at((size_t)round % method_count())->name;
            winnow_format format = (winnow_format)((size_t)round % format_count());
            assert_true(test_file_read(&html, files.paths[i]));
            winnow_parse(page, html.ptr, html.len, NULL);
            winnow_selection *content = winnow_select(page, method, NULL);
            char *expected = fresh(&html, method, format, NULL);
            assert_string_equal(winnow_write(content, format, NULL, NULL), expected);
            free(expected);
            wn_buf_free(&html);
        }
        if (round == 10)
            memory = winnow_page_memory(page);
    }
    assert_true(winnow_page_memory(page) <= 2 * memory);
    test_files_free(&files);
    winnow_page_free(page);
}

static void easy_call(void **state)
{
    (void)state;
    char *text = winnow_extract("<p>Rain.", 8);
    assert_string_equal(text, "Rain.\n");
    winnow_free(text);
    text = winnow_extract("", 0);
    assert_string_equal(text, "");
    winnow_free(text);
    text = winnow_extract(NULL, 0);
    assert_string_equal(text, "");
    winnow_free(text);
    winnow_free(NULL);
}

static void bytes_that_are_not_a_page(void **state)
{
    static const char pdf[] = "%PDF-1.4\n%\xE2\xE3\xCF\xD3\n1 0 obj";
    (void)state;
    winnow_page *page = winnow_page_new();
    assert_int_equal(winnow_parse(page, pdf, sizeof pdf - 1, NULL), WINNOW_STATUS_NOT_HTML);
    winnow_selection *content = winnow_select(page, NULL, NULL);
    assert_int_equal(winnow_selection_status(content), WINNOW_STATUS_NOT_HTML);
    assert_string_equal(winnow_write(content, WINNOW_FORMAT_TEXT, NULL, NULL), "");
    assert_int_equal(winnow_selection_block_count(content), 0);
    assert_string_equal(winnow_selection_metadata(content)->title, "");
    assert_int_equal(winnow_parse(page, "just words", 10, NULL), WINNOW_STATUS_NOT_HTML);
    content = winnow_select(page, "all", NULL);
    assert_string_equal(winnow_write(content, WINNOW_FORMAT_TEXT, NULL, NULL), "just words\n");
    assert_int_equal(winnow_parse(page, "", 0, NULL), WINNOW_STATUS_OK);
    assert_int_equal(winnow_selection_status(winnow_select(page, NULL, NULL)), WINNOW_STATUS_EMPTY);
    winnow_page_free(page);
}

/* ---- NULL -------------------------------------------------------------------------------- */

static void null_pages_and_selections(void **state)
{
    (void)state;
    size_t size = 7;
    winnow_page_free(NULL);
    assert_int_equal(winnow_parse(NULL, "<p>", 3, NULL), WINNOW_STATUS_BAD_ARGUMENT);
    assert_null(winnow_select(NULL, "auto", NULL));
    winnow_selection_free(NULL);
    assert_null(winnow_write(NULL, WINNOW_FORMAT_TEXT, NULL, &size));
    assert_int_equal(size, 0);
    assert_null(winnow_write(NULL, WINNOW_FORMAT_TEXT, NULL, NULL));
    assert_null(winnow_write_record(NULL, WINNOW_FORMAT_JSON, NULL, NULL, NULL));
    assert_null(winnow_write_failure(NULL, WINNOW_FORMAT_JSON, NULL, NULL, NULL));
    assert_int_equal(winnow_page_error(NULL)->status, WINNOW_STATUS_BAD_ARGUMENT);
    assert_true(winnow_page_error(NULL)->message[0] != '\0');
    assert_int_equal(winnow_selection_status(NULL), WINNOW_STATUS_BAD_ARGUMENT);
    assert_int_equal(winnow_selection_limited(NULL), 0);
    assert_string_equal(winnow_selection_method(NULL), "");
    assert_true(winnow_selection_confidence(NULL) == 0);
    assert_int_equal(winnow_selection_page_type(NULL), WINNOW_PAGE_TYPE_UNKNOWN);
    assert_string_equal(winnow_page_encoding(NULL), "");
    assert_string_equal(winnow_selection_metadata(NULL)->title, "");
    assert_string_equal(winnow_selection_metadata(NULL)->license, "");
    assert_int_equal(winnow_selection_metadata(NULL)->author_count, 0);
    assert_int_equal(winnow_selection_block_count(NULL), 0);
    assert_null(winnow_selection_block(NULL, 0));
    assert_int_equal(winnow_selection_link_count(NULL), 0);
    assert_null(winnow_selection_link(NULL, 0));
    assert_int_equal(winnow_selection_image_count(NULL), 0);
    assert_null(winnow_selection_image(NULL, 0));
    assert_int_equal(winnow_page_memory(NULL), 0);
}

static void null_options(void **state)
{
    (void)state;
    winnow_sheet sheet = {.struct_size = sizeof sheet};
    winnow_options_free(NULL);
    assert_int_equal(winnow_options_set(NULL, "links", "yes"), WINNOW_STATUS_BAD_ARGUMENT);
    assert_int_equal(winnow_options_set_flag(NULL, WINNOW_OPTION_LINKS, true),
                     WINNOW_STATUS_BAD_ARGUMENT);
    assert_int_equal(winnow_options_set_number(NULL, WINNOW_OPTION_MAX_NODES, 1),
                     WINNOW_STATUS_BAD_ARGUMENT);
    assert_int_equal(winnow_options_set_text(NULL, WINNOW_OPTION_URL, "x"),
                     WINNOW_STATUS_BAD_ARGUMENT);
    assert_int_equal(winnow_options_add_sheet(NULL, &sheet), WINNOW_STATUS_BAD_ARGUMENT);
    assert_int_equal(winnow_options_set_sheet_loader(NULL, NULL, NULL), WINNOW_STATUS_BAD_ARGUMENT);
    assert_int_equal(winnow_options_set_model(NULL, NULL), WINNOW_STATUS_BAD_ARGUMENT);
    assert_int_equal(winnow_options_set_site(NULL, NULL), WINNOW_STATUS_BAD_ARGUMENT);
    assert_int_equal(winnow_options_set_noise(NULL, NULL), WINNOW_STATUS_BAD_ARGUMENT);
    assert_int_equal(winnow_options_set_cancel(NULL, NULL, NULL), WINNOW_STATUS_BAD_ARGUMENT);
    assert_int_equal(winnow_options_check_method(NULL, "auto"), WINNOW_STATUS_BAD_ARGUMENT);
    assert_int_equal(winnow_options_error(NULL)->status, WINNOW_STATUS_BAD_ARGUMENT);
    /* What is read of no options are the defaults. */
    assert_true(winnow_options_flag(NULL, WINNOW_OPTION_TABLES));
    assert_int_equal(winnow_options_number(NULL, WINNOW_OPTION_MAX_DEPTH), 512);
    assert_null(winnow_options_text(NULL, WINNOW_OPTION_URL));
    winnow_options *options = winnow_options_copy(NULL);
    assert_non_null(options);
    assert_int_equal(winnow_options_set(options, NULL, "yes"), WINNOW_STATUS_BAD_ARGUMENT);
    assert_int_equal(winnow_options_add_sheet(options, NULL), WINNOW_STATUS_BAD_ARGUMENT);
    assert_int_equal(winnow_options_set(options, "links", NULL), WINNOW_STATUS_BAD_PARAMETER);
    assert_int_equal(winnow_options_set(options, "url", NULL), WINNOW_STATUS_OK);
    assert_int_equal(winnow_options_set(options, "bte.search", NULL), WINNOW_STATUS_BAD_PARAMETER);
    assert_int_equal(winnow_options_set(options, "xpath.footer_words", NULL), WINNOW_STATUS_OK);
    assert_int_equal(winnow_options_set_sheet_loader(options, NULL, NULL), WINNOW_STATUS_OK);
    assert_int_equal(winnow_options_set_model(options, NULL), WINNOW_STATUS_OK);
    assert_int_equal(winnow_options_set_site(options, NULL), WINNOW_STATUS_OK);
    assert_int_equal(winnow_options_set_noise(options, NULL), WINNOW_STATUS_OK);
    assert_int_equal(winnow_options_set_cancel(options, NULL, NULL), WINNOW_STATUS_OK);
    assert_int_equal(winnow_options_check_method(options, NULL), WINNOW_STATUS_OK);
    winnow_options_free(options);
}

static void null_models_sites_noise(void **state)
{
    (void)state;
    size_t size = 7;
    winnow_model *model;
    winnow_site *site = winnow_site_new(), *loaded;
    winnow_page *page = winnow_page_new();
    winnow_model_free(NULL);
    assert_int_equal(winnow_model_load(NULL, "x", 1), WINNOW_STATUS_BAD_ARGUMENT);
    assert_int_equal(winnow_model_load(&model, NULL, 1), WINNOW_STATUS_BAD_ARGUMENT);
    assert_null(model);
    winnow_site_free(NULL);
    assert_int_equal(winnow_site_learn(NULL, page), WINNOW_STATUS_BAD_ARGUMENT);
    assert_int_equal(winnow_site_learn(site, NULL), WINNOW_STATUS_BAD_ARGUMENT);
    assert_int_equal(winnow_site_learn(site, page), WINNOW_STATUS_BAD_ARGUMENT); /* no page yet */
    assert_int_equal(winnow_site_merge(NULL, site), WINNOW_STATUS_BAD_ARGUMENT);
    assert_int_equal(winnow_site_merge(site, NULL), WINNOW_STATUS_BAD_ARGUMENT);
    assert_int_equal(winnow_site_pages(NULL), 0);
    assert_null(winnow_site_save(NULL, &size));
    assert_int_equal(size, 0);
    assert_int_equal(winnow_site_load(NULL, "x", 1), WINNOW_STATUS_BAD_ARGUMENT);
    assert_int_equal(winnow_site_load(&loaded, NULL, 1), WINNOW_STATUS_BAD_ARGUMENT);
    assert_null(loaded);
    void *bytes = winnow_site_save(site, NULL);
    assert_non_null(bytes);
    winnow_free(bytes);
    winnow_noise *noise = winnow_noise_new(NULL, 0);
    assert_non_null(noise);
    winnow_noise_free(noise);
    winnow_noise_free(NULL);
    winnow_site_free(site);
    winnow_page_free(page);
}

static void null_in_other_places(void **state)
{
    (void)state;
    size_t size;
    winnow_page *page = winnow_page_new_with(NULL);
    assert_null(winnow_select(page, NULL, NULL)); /* there is no page yet */
    assert_int_equal(winnow_page_error(page)->status, WINNOW_STATUS_BAD_ARGUMENT);
    assert_int_equal(winnow_parse(page, NULL, 5, NULL), WINNOW_STATUS_BAD_ARGUMENT);
    assert_int_equal(winnow_page_error(page)->status, WINNOW_STATUS_BAD_ARGUMENT);
    assert_null(winnow_select(page, NULL, NULL));
    assert_int_equal(winnow_parse(page, NULL, 0, NULL), WINNOW_STATUS_OK);
    assert_int_equal(winnow_page_error(page)->status, WINNOW_STATUS_OK);
    winnow_selection *content = winnow_select(page, NULL, NULL);
    assert_non_null(winnow_write_record(content, WINNOW_FORMAT_JSON, NULL, NULL, NULL));
    assert_null(winnow_write(content, (winnow_format)99, NULL, &size));
    assert_int_equal(size, 0);
    assert_int_equal(winnow_page_error(page)->status, WINNOW_STATUS_BAD_ARGUMENT);
    assert_null(winnow_write(content, (winnow_format)-1, NULL, NULL));
    assert_non_null(winnow_write_failure(page, WINNOW_FORMAT_JSON, NULL, NULL, NULL));
    assert_null(winnow_write_failure(page, (winnow_format)99, NULL, NULL, &size));
    winnow_page_free(page);
    winnow_allocator incomplete = {.struct_size = sizeof incomplete};
    assert_null(winnow_page_new_with(&incomplete));
    assert_null(winnow_method_find(NULL));
    assert_null(winnow_method_find(""));
    assert_null(winnow_format_find(NULL));
    assert_null(winnow_format_find(""));
    assert_null(winnow_format_of_file(NULL));
    assert_null(winnow_format_of_file(""));
    winnow_free(NULL);
}

static void numbers_past_the_end(void **state)
{
    (void)state;
    assert_null(winnow_method_at(SIZE_MAX));
    assert_null(winnow_option_at(SIZE_MAX));
    assert_null(winnow_format_at(SIZE_MAX));
    assert_null(winnow_field_at(SIZE_MAX));
    assert_null(winnow_component_at(SIZE_MAX));
    assert_non_null(winnow_status_name((winnow_status)99));
    assert_non_null(winnow_block_kind_name((winnow_block_kind)99));
    assert_null(winnow_page_type_name((winnow_page_type)99));
    assert_null(winnow_page_type_name(WINNOW_PAGE_TYPE_UNKNOWN));
}

/* ---- Errors ------------------------------------------------------------------------------ */

static void check_error(const winnow_error *error, winnow_status status, const char *message,
                        const char *name, const char *allowed, size_t position)
{
    assert_int_equal(error->status, status);
    if (!strstr(error->message, message))
        fail_msg("\"%s\" does not say \"%s\"", error->message, message);
    assert_string_equal(error->name, name);
    if (!strstr(error->allowed, allowed))
        fail_msg("\"%s\" does not allow \"%s\"", error->allowed, allowed);
    assert_int_equal(error->position, position);
}

static void errors_of_methods(void **state)
{
    static const struct {
        const char *method, *message, *name, *allowed;
        winnow_status status;
        size_t position;
    } examples[] = {
        {"lineblok", "did you mean 'lineblock'?", "lineblok", "auto, ",
         WINNOW_STATUS_UNKNOWN_METHOD, 0},
        {"", "unknown method", "", "auto, ", WINNOW_STATUS_UNKNOWN_METHOD, 0},
        {"lineblock:rulez=all", "did you mean 'rule'?", "rulez", "rule, ",
         WINNOW_STATUS_BAD_PARAMETER, 10},
        {"lineblock:distance=3,rule=al", "did you mean 'all'?", "rule", "all or rescue",
         WINNOW_STATUS_BAD_PARAMETER, 26},
        {"lineblock:distance=-3", "wrong value '-3'", "distance", "a whole number from ",
         WINNOW_STATUS_BAD_PARAMETER, 19},
        {"bte:search", "wrong value", "search", "linear", WINNOW_STATUS_BAD_PARAMETER, 10},
        {"all:x=1", "the method all has no parameter", "x", "", WINNOW_STATUS_BAD_PARAMETER, 4},
        {"xpath:footer_words=x", "xpath.footer_words", "footer_words", "",
         WINNOW_STATUS_BAD_PARAMETER, 6},
    };
    (void)state;
    winnow_page *page = winnow_page_new();
    winnow_options *options = winnow_options_new();
    winnow_parse(page, "<p>x", 4, NULL);
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        const char *method = examples[i].method;
        assert_null(winnow_select(page, method, NULL));
        check_error(winnow_page_error(page), examples[i].status, examples[i].message,
                    examples[i].name, examples[i].allowed, examples[i].position);
        assert_int_equal(winnow_options_check_method(options, method), examples[i].status);
        check_error(winnow_options_error(options), examples[i].status, examples[i].message,
                    examples[i].name, examples[i].allowed, examples[i].position);
    }
    assert_non_null(winnow_select(page, "lineblock:rule=all,distance=3", NULL));
    check_error(winnow_page_error(page), WINNOW_STATUS_OK, "", "", "", 0);
    assert_string_equal(winnow_page_error(page)->message, "");
    assert_int_equal(winnow_options_check_method(options, "bte:search=linear"), WINNOW_STATUS_OK);
    assert_string_equal(winnow_options_error(options)->message, "");
    winnow_options_free(options);
    winnow_page_free(page);
}

static void errors_of_options(void **state)
{
    static const struct {
        const char *name, *value, *message, *wrong, *allowed;
        winnow_status status;
        size_t position;
    } examples[] = {
        {"lnks", "yes", "did you mean 'links'?", "lnks", "url, ", WINNOW_STATUS_BAD_PARAMETER, 0},
        {"links", "maybe", "wrong value 'maybe'", "links", "no or yes", WINNOW_STATUS_BAD_PARAMETER,
         0},
        {"max_depth", "65536", "wrong value '65536'", "max_depth", "a whole number from 0 to 65535",
         WINNOW_STATUS_BAD_PARAMETER, 0},
        {"max_depth", "1.5", "wrong value '1.5'", "max_depth", "a whole number",
         WINNOW_STATUS_BAD_PARAMETER, 0},
        {"max_depth", "", "wrong value", "max_depth", "a whole number", WINNOW_STATUS_BAD_PARAMETER,
         0},
        {"max_depth", "10x", "wrong value", "max_depth", "a whole number",
         WINNOW_STATUS_BAD_PARAMETER, 0},
        {"bet.search", "linear", "did you mean 'bte'?", "bet", "auto, ",
         WINNOW_STATUS_UNKNOWN_METHOD, 0},
        {"bte.serch", "linear", "did you mean 'search'?", "serch", "search",
         WINNOW_STATUS_BAD_PARAMETER, 4},
        {"bte.search", "lineer", "did you mean 'linear'?", "search", "linear",
         WINNOW_STATUS_BAD_PARAMETER, 0},
    };
    (void)state;
    winnow_options *options = winnow_options_new();
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        assert_int_equal(winnow_options_set(options, examples[i].name, examples[i].value),
                         examples[i].status);
        check_error(winnow_options_error(options), examples[i].status, examples[i].message,
                    examples[i].wrong, examples[i].allowed, examples[i].position);
    }
    assert_int_equal(winnow_options_set_flag(options, WINNOW_OPTION_URL, true),
                     WINNOW_STATUS_BAD_PARAMETER);
    assert_int_equal(winnow_options_set_text(options, WINNOW_OPTION_LINKS, "yes"),
                     WINNOW_STATUS_BAD_PARAMETER);
    assert_int_equal(winnow_options_set_number(options, WINNOW_OPTION_LINKS, 1),
                     WINNOW_STATUS_BAD_PARAMETER);
    assert_int_equal(winnow_options_set_number(options, (winnow_option)99, 1),
                     WINNOW_STATUS_BAD_PARAMETER);
    assert_int_equal(winnow_options_set_number(options, WINNOW_OPTION_MAX_DEPTH, 65536),
                     WINNOW_STATUS_BAD_PARAMETER);
    check_error(winnow_options_error(options), WINNOW_STATUS_BAD_PARAMETER, "65536", "max_depth",
                "a whole number from 0 to 65535", 0);
    assert_int_equal(winnow_options_number(options, WINNOW_OPTION_MAX_DEPTH), 512);
    assert_int_equal(winnow_options_set_flag(options, WINNOW_OPTION_LINKS, true), WINNOW_STATUS_OK);
    assert_string_equal(winnow_options_error(options)->message, "");
    winnow_options_free(options);
}

/* ---- Options ----------------------------------------------------------------------------- */

/* The value of an option as winnow_options_set() would take it. */
static void write_value(const winnow_options *options, const winnow_option_info *info,
                        char text[64])
{
    const char *held = winnow_options_text(options, info->option);
    if (info->value.kind == WINNOW_VALUE_FLAG)
        strcpy(text, winnow_options_flag(options, info->option) ? "yes" : "no");
    else if (info->value.kind == WINNOW_VALUE_CHOICE)
        strcpy(text, info->value.choices[winnow_options_number(options, info->option)]);
    else if (info->value.kind == WINNOW_VALUE_WHOLE)
        snprintf(text, 64, "%llu",
                 (unsigned long long)winnow_options_number(options, info->option));
    else
        snprintf(text, 64, "%s", held ? held : "");
}

static void defaults_are_those_of_the_table(void **state)
{
    (void)state;
    winnow_options *options = winnow_options_new();
    const winnow_option_info *info;
    char text[64];
    size_t count = 0;
    for (; (info = winnow_option_at(count)) != NULL; count++) {
        assert_int_equal(info->option, count);
        assert_string_equal(info->name, info->value.name);
        assert_true(info->value.help[0] != '\0');
        assert_true(strcmp(info->read_by, "parse") == 0 || strcmp(info->read_by, "select") == 0 ||
                    strcmp(info->read_by, "write") == 0);
        write_value(options, info, text);
        assert_string_equal(text, info->value.fallback);
        write_value(NULL, info, text);
        assert_string_equal(text, info->value.fallback);
        assert_int_equal(winnow_options_set(options, info->name, info->value.fallback),
                         WINNOW_STATUS_OK);
        write_value(options, info, text);
        assert_string_equal(text, info->value.fallback);
    }
    assert_int_equal(count, WINNOW_OPTION_LOAD_IMAGES + 1);
    winnow_options_free(options);
}

/* Every option by name, read by number. */
/* A value for an option that is a text; some take names of roles only. */
static const char *some_text(const winnow_option_info *info)
{
    bool is_roles = info->option == WINNOW_OPTION_WITH || info->option == WINNOW_OPTION_WITHOUT;
    return is_roles ? "title, other" : "some text";
}

static void options_by_name_and_number(void **state)
{
    (void)state;
    winnow_options *options = winnow_options_new(), *twin;
    const winnow_option_info *info;
    char text[64];
    for (size_t i = 0; (info = winnow_option_at(i)) != NULL; i++) {
        winnow_value_kind kind = info->value.kind;
        bool was_no = strcmp(info->value.fallback, "no") == 0;
        const char *value = kind == WINNOW_VALUE_FLAG     ? was_no ? "yes" : "no"
                            : kind == WINNOW_VALUE_WHOLE  ? "4321"
                            : kind == WINNOW_VALUE_CHOICE ? info->value.choices[1]
                                                          : some_text(info);
        assert_int_equal(winnow_options_set(options, info->name, value), WINNOW_STATUS_OK);
        write_value(options, info, text);
        assert_string_equal(text, value);
    }
    assert_int_equal(winnow_options_set(options, "lineblock.stop_words", "a\nb\n"),
                     WINNOW_STATUS_OK);
    twin = winnow_options_copy(options);
    winnow_options_free(options);
    for (size_t i = 0; (info = winnow_option_at(i)) != NULL; i++) {
        write_value(twin, info, text);
        if (info->value.kind == WINNOW_VALUE_WHOLE)
            assert_string_equal(text, "4321");
        else if (info->value.kind == WINNOW_VALUE_TEXT)
            assert_string_equal(text, some_text(info));
        else
            assert_string_not_equal(text, info->value.fallback);
    }
    winnow_options_free(twin);
}

/* The largest and the smallest value are taken, and nothing beyond them. */
static void ranges_of_numbers(void **state)
{
    (void)state;
    winnow_options *options = winnow_options_new();
    const winnow_option_info *info;
    for (size_t i = 0; (info = winnow_option_at(i)) != NULL; i++) {
        if (info->value.kind != WINNOW_VALUE_WHOLE)
            continue;
        uint64_t most = (uint64_t)info->value.max;
        char text[64];
        assert_int_equal(winnow_options_set_number(options, info->option, most), WINNOW_STATUS_OK);
        assert_int_equal(winnow_options_set_number(options, info->option, 0), WINNOW_STATUS_OK);
        assert_int_equal(winnow_options_set_number(options, info->option, most + 1),
                         WINNOW_STATUS_BAD_PARAMETER);
        assert_int_equal(winnow_options_set_number(options, info->option, UINT64_MAX),
                         WINNOW_STATUS_BAD_PARAMETER);
        assert_int_equal(winnow_options_number(options, info->option), 0);
        snprintf(text, sizeof text, "%llu", (unsigned long long)most);
        assert_int_equal(winnow_options_set(options, info->name, text), WINNOW_STATUS_OK);
        assert_int_equal(winnow_options_number(options, info->option), most);
        snprintf(text, sizeof text, "%llu", (unsigned long long)most + 1);
        assert_int_equal(winnow_options_set(options, info->name, text),
                         WINNOW_STATUS_BAD_PARAMETER);
        assert_int_equal(winnow_options_set(options, info->name, "-1"),
                         WINNOW_STATUS_BAD_PARAMETER);
        assert_int_equal(winnow_options_set(options, info->name, "nan"),
                         WINNOW_STATUS_BAD_PARAMETER);
        assert_int_equal(winnow_options_set(options, info->name, "inf"),
                         WINNOW_STATUS_BAD_PARAMETER);
        assert_int_equal(winnow_options_number(options, info->option), most);
    }
    winnow_options_free(options);
}

static void copies_of_options(void **state)
{
    static const char html[] = "<p>Text.</p><p>More.</p><p>Made with love</p>";
    (void)state;
    winnow_page *page = winnow_page_new();
    winnow_options *options = winnow_options_new();
    char words[] = "made with\n";
    winnow_options_set(options, "xpath.footer_words", words);
    winnow_options_set(options, "xpath.keep_form", "yes");
    memset(words, 'x', sizeof words - 1); /* they were copied */
    winnow_options *twin = winnow_options_copy(options);
    winnow_options_set(options, "xpath.footer_words", NULL);
    winnow_parse(page, html, sizeof html - 1, NULL);
    winnow_selection *content = winnow_select(page, "xpath", twin);
    assert_string_equal(winnow_write(content, WINNOW_FORMAT_TEXT, NULL, NULL), "Text.\n\nMore.\n");
    content = winnow_select(page, "xpath", options);
    assert_non_null(strstr(winnow_write(content, WINNOW_FORMAT_TEXT, NULL, NULL), "Made with"));
    winnow_options_free(options);
    content = winnow_select(page, "xpath", twin);
    assert_string_equal(winnow_write(content, WINNOW_FORMAT_TEXT, NULL, NULL), "Text.\n\nMore.\n");
    winnow_options_free(twin);
    winnow_page_free(page);
}

/* ---- Tables of what there is -------------------------------------------------------------- */

/* The words of `allowed` are exactly the choices: "a, b or c". */
static void check_choices(const winnow_parameter_info *info)
{
    char expected[512] = "";
    for (size_t i = 0; info->choices[i]; i++) {
        const char *separator = i == 0 ? "" : info->choices[i + 1] ? ", " : " or ";
        strcat(strcat(expected, separator), info->choices[i]);
    }
    assert_string_equal(info->allowed, expected);
}

static void check_range(const winnow_parameter_info *info)
{
    double min, max;
    const char *form = info->kind == WINNOW_VALUE_WHOLE ? "a whole number from %lf to %lf"
                                                        : "a number from %lf to %lf";
    if (sscanf(info->allowed, form, &min, &max) != 2)
        fail_msg("%s: \"%s\"", info->name, info->allowed);
    assert_true(min == info->min && max == info->max);
    double fallback = strtod(info->fallback, NULL);
    assert_true(fallback >= min && fallback <= max);
}

static void check_parameter(const winnow_parameter_info *info)
{
    assert_true(info->name[0] != '\0' && info->help[0] != '\0' && info->allowed[0] != '\0');
    assert_null(strchr(info->help, '\n'));
    assert_non_null(info->fallback);
    bool has_choices = info->kind == WINNOW_VALUE_CHOICE || info->kind == WINNOW_VALUE_FLAG;
    assert_int_equal(info->choices != NULL, has_choices);
    if (has_choices)
        check_choices(info);
    else if (info->kind != WINNOW_VALUE_TEXT)
        check_range(info);
}

static void set_parameter(winnow_options *options, const char *method, const char *parameter,
                          const char *value, winnow_status expected)
{
    char name[128];
    snprintf(name, sizeof name, "%s.%s", method, parameter);
    if (winnow_options_set(options, name, value) != expected)
        fail_msg("%s=%s: %s", name, value, winnow_options_error(options)->message);
}

static void parameters_say_what_they_take(void **state)
{
    (void)state;
    winnow_options *options = winnow_options_new();
    const winnow_method_info *method;
    const winnow_option_info *option;
    for (size_t m = 0; (method = winnow_method_at(m)) != NULL; m++) {
        assert_true(method->summary[0] != '\0');
        assert_ptr_equal(winnow_method_find(method->name), method);
        for (size_t i = 0; method->parameters[i]; i++) {
            const winnow_parameter_info *info = method->parameters[i];
            check_parameter(info);
            set_parameter(options, method->name, info->name, info->fallback, WINNOW_STATUS_OK);
            for (size_t k = 0; info->choices && info->choices[k]; k++)
                set_parameter(options, method->name, info->name, info->choices[k],
                              WINNOW_STATUS_OK);
            if (info->kind != WINNOW_VALUE_TEXT)
                set_parameter(options, method->name, info->name, "no such value",
                              WINNOW_STATUS_BAD_PARAMETER);
            bool is_number = info->kind == WINNOW_VALUE_NUMBER || info->kind == WINNOW_VALUE_WHOLE;
            char number[64];
            snprintf(number, sizeof number, "%.10g", is_number ? info->max : 0);
            if (is_number)
                set_parameter(options, method->name, info->name, number, WINNOW_STATUS_OK);
            snprintf(number, sizeof number, "%.10g", is_number ? info->max + 1 : 0);
            if (is_number)
                set_parameter(options, method->name, info->name, number,
                              WINNOW_STATUS_BAD_PARAMETER);
        }
    }
    for (size_t i = 0; (option = winnow_option_at(i)) != NULL; i++)
        check_parameter(&option->value);
    winnow_options_free(options);
}

/* A parameter that is set to its default, by either way, changes nothing. */
static void fallbacks_are_the_defaults(void **state)
{
    (void)state;
    wn_buf html = read_page("article.html");
    winnow_page *page = winnow_page_new();
    winnow_noise *noise = winnow_noise_new("", 0);
    const winnow_method_info *method;
    winnow_parse(page, html.ptr, html.len, NULL);
    for (size_t m = 0; (method = winnow_method_at(m)) != NULL; m++) {
        winnow_options *options = winnow_options_new(), *plain = winnow_options_new();
        char given[512];
        snprintf(given, sizeof given, "%s:", method->name);
        winnow_options_set_noise(options, noise);
        winnow_options_set_noise(plain, noise);
        for (size_t i = 0; method->parameters[i]; i++) {
            const winnow_parameter_info *info = method->parameters[i];
            set_parameter(options, method->name, info->name, info->fallback, WINNOW_STATUS_OK);
            if (info->kind != WINNOW_VALUE_TEXT)
                sprintf(given + strlen(given), "%s=%s,", info->name, info->fallback);
        }
        winnow_selection *a = winnow_select(page, method->name, plain);
        winnow_selection *b = winnow_select(page, method->name, options);
        winnow_selection *c = winnow_select(page, given, plain);
        const char *text = winnow_write(a, WINNOW_FORMAT_TEXT, NULL, NULL);
        assert_string_equal(winnow_write(b, WINNOW_FORMAT_TEXT, NULL, NULL), text);
        assert_string_equal(winnow_write(c, WINNOW_FORMAT_TEXT, NULL, NULL), text);
        winnow_options_free(options);
        winnow_options_free(plain);
    }
    winnow_noise_free(noise);
    winnow_page_free(page);
    wn_buf_free(&html);
}

static void parameters_of_options_give_way_to_those_of_the_name(void **state)
{
    static const char html[] = "<p>one</p><p>two</p><form><p>in a form</p></form>";
    (void)state;
    winnow_page *page = winnow_page_new();
    winnow_options *options = winnow_options_new();
    winnow_options_set(options, "xpath.keep_form", "yes");
    winnow_parse(page, html, sizeof html - 1, NULL);
    assert_non_null(
        strstr(winnow_write(winnow_select(page, "xpath", options), WINNOW_FORMAT_TEXT, NULL, NULL),
               "in a form"));
    assert_null(strstr(winnow_write(winnow_select(page, "xpath:keep_form=no", options),
                                    WINNOW_FORMAT_TEXT, NULL, NULL),
                       "in a form"));
    winnow_options_free(options);
    winnow_page_free(page);
}

static void formats_have_names(void **state)
{
    (void)state;
    const winnow_format_info *info;
    for (size_t i = 0; (info = winnow_format_at(i)) != NULL; i++) {
        assert_int_equal(info->format, i);
        assert_ptr_equal(winnow_format_find(info->name), info);
        for (size_t k = 0; info->aliases[k]; k++)
            assert_ptr_equal(winnow_format_find(info->aliases[k]), info);
        assert_non_null(info->endings[0]);
        for (size_t k = 0; info->endings[k]; k++) {
            char name[64];
            snprintf(name, sizeof name, "pages%s", info->endings[k]);
            assert_ptr_equal(winnow_format_of_file(name), info);
        }
        assert_non_null(strchr(info->media_type, '/'));
        assert_true(info->summary[0] != '\0');
        assert_true(info->head && info->separator && info->tail && info->nothing &&
                    info->name_start && info->name_end);
    }
    assert_int_equal(winnow_format_of_file("a.tei.xml")->format, WINNOW_FORMAT_TEI);
    assert_null(winnow_format_of_file("pages.pdf"));
    assert_null(winnow_format_find("pdf"));
}

static void components_and_version(void **state)
{
    (void)state;
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", WINNOW_VERSION_MAJOR, WINNOW_VERSION_MINOR,
             WINNOW_VERSION_PATCH);
    assert_string_equal(winnow_version(), version);
    const winnow_component *component;
    for (size_t i = 0; (component = winnow_component_at(i)) != NULL; i++)
        assert_true(component->name[0] != '\0' && component->use[0] != '\0');
    assert_string_equal(winnow_status_name(WINNOW_STATUS_OK), "ok");
    for (winnow_status s = WINNOW_STATUS_OK; s <= WINNOW_STATUS_UNREADABLE; s++)
        assert_string_not_equal(winnow_status_name(s), "unknown");
    for (winnow_block_kind k = WINNOW_BLOCK_PARAGRAPH; k <= WINNOW_BLOCK_FORM; k++)
        assert_string_not_equal(winnow_block_kind_name(k), "unknown");
    for (winnow_page_type t = WINNOW_PAGE_TYPE_ARTICLE; t <= WINNOW_PAGE_TYPE_SERVICE; t++)
        assert_non_null(winnow_page_type_name(t));
}

/* ---- Records ----------------------------------------------------------------------------- */

/* The end of a JSON string whose first quotation mark is at `p`. */
static const char *string_end(const char *p)
{
    for (p++; *p != '"'; p++)
        p += *p == '\\';
    return p;
}

/* The keys of the object itself, without those of objects in it. */
static size_t read_keys(const char *json, char keys[64][32])
{
    int depth = 0;
    size_t count = 0;
    for (const char *p = json; *p; p++) {
        if (*p == '"') {
            const char *end = string_end(p);
            if (depth == 1 && end[1] == ':')
                snprintf(keys[count++], 32, "%.*s", (int)(end - p - 1), p + 1);
            p = end;
        }
        depth += (*p == '{') + (*p == '[') - (*p == '}') - (*p == ']');
    }
    return count;
}

/* A record has the fields that are listed, in order; of those that come and go, all or none. */
static void check_fields(const char *json, bool with_all)
{
    char keys[64][32];
    size_t count = read_keys(json, keys), at = 0;
    const winnow_field_info *field;
    for (size_t i = 0; (field = winnow_field_at(i)) != NULL; i++) {
        assert_true(field->help[0] != '\0' && field->type[0] != '\0');
        if (!with_all && !field->always)
            continue;
        assert_true(at < count);
        assert_string_equal(keys[at++], field->name);
    }
    assert_int_equal(at, count);
}

static void fields_of_records(void **state)
{
    (void)state;
    wn_buf html = read_page("article.html");
    winnow_page *page = winnow_page_new();
    winnow_options *options = make_options();
    winnow_options_set_flag(options, WINNOW_OPTION_IMAGES, true);
    winnow_options_set(options, "text_format", "md");
    winnow_record record = {
        .struct_size = sizeof record, .id = "a", .file = "b.warc", .offset = 1, .inner = 2};
    winnow_parse(page, html.ptr, html.len, options);
    winnow_selection *content = winnow_select(page, NULL, options);
    check_fields(winnow_write_record(content, WINNOW_FORMAT_JSON, options, &record, NULL), true);
    check_fields(winnow_write_record(content, WINNOW_FORMAT_JSONL, options, &record, NULL), true);
    content = winnow_select(page, NULL, NULL);
    check_fields(winnow_write(content, WINNOW_FORMAT_JSON, NULL, NULL), false);
    record = (winnow_record){
        .struct_size = sizeof record, .status = WINNOW_STATUS_UNREADABLE, .error = "gone"};
    check_fields(winnow_write_failure(page, WINNOW_FORMAT_JSON, NULL, &record, NULL), false);
    winnow_options_free(options);
    winnow_page_free(page);
    wn_buf_free(&html);
}

/* The role of the block with a text. */
static int role_of_text(winnow_selection *content, const char *text)
{
    const winnow_block *block;
    for (size_t i = 0; (block = winnow_selection_block(content, i)) != NULL; i++)
        if (strstr(block->text, text))
            return block->role;
    fail_msg("no block with %s", text);
    return WINNOW_ROLE_UNKNOWN;
}

static void roles_by_names_and_words(void **state)
{
    (void)state;
    static const char html[] =
        "<!DOCTYPE html><title>The mill that turns backwards | Mill News</title>"
        "<article class=adFHlH><header><h1>The mill that turns backwards</h1>"
        "<p class=standfirst>Nobody knows why, but the farmers around it like the flour.</p>"
        "<p class=dek>Last updated on 28 November 2025</p></header>"
        "<p>The mill on the hill has been turning backwards since the storm of last winter, says "
        "the miller, who has no plans to turn it round again before the harvest is in.</p>"
        "<p>- Advertisement -</p><div class='ad-slot'><p>The best flour of the whole valley, "
        "ground by us</p></div><figure><img src=a.jpg><figcaption>The mill in May. Photo: "
        "Ann Miller</figcaption></figure>"
        "<p>Farmers bring their grain from far away now, because the flour is finer than that of "
        "other mills, and the bakers in the town have begun to ask for nothing else.</p></article>"
        "<div class='widget recent-comments'><ul><li class=comment><p>Anna on The bread of the "
        "year, which was so good</p></li></ul></div>"
        "<section class=comments><h2>2 comments</h2><div class=comment><p>I tried the flour and it "
        "made a very good bread.</p></div><div class=comment><p>My grandmother said that mills "
        "turn as they like.</p></div></section><p>Please enable JavaScript to view the comments "
        "powered by Disqus.</p>";
    winnow_page *page = winnow_page_new();
    winnow_parse(page, html, sizeof html - 1, NULL);
    winnow_selection *content = winnow_select(page, "auto", NULL);
    assert_int_equal(role_of_text(content, "turns backwards"), WINNOW_ROLE_TITLE);
    assert_int_equal(role_of_text(content, "Nobody knows why"), WINNOW_ROLE_LEDE);
    assert_int_not_equal(role_of_text(content, "Last updated"), WINNOW_ROLE_LEDE);
    assert_int_equal(role_of_text(content, "Advertisement"), WINNOW_ROLE_PROMOTION);
    assert_int_equal(role_of_text(content, "Photo: Ann"), WINNOW_ROLE_CAPTION);
    assert_int_equal(role_of_text(content, "from far away"), WINNOW_ROLE_BODY);
    assert_int_not_equal(role_of_text(content, "bread of the year"), WINNOW_ROLE_COMMENT);
    assert_int_equal(role_of_text(content, "2 comments"), WINNOW_ROLE_COMMENT);
    assert_int_equal(role_of_text(content, "very good bread"), WINNOW_ROLE_COMMENT);
    assert_int_equal(role_of_text(content, "enable JavaScript"), WINNOW_ROLE_COMMENT);
    winnow_page_free(page);
}

/* Whoever looks at roles without having said so gets the same. */
static void roles_do_not_depend_on_notice(void **state)
{
    (void)state;
    wn_buf html = read_page("article.html");
    winnow_page *page = winnow_page_new();
    winnow_options *options = winnow_options_new();
    const winnow_block *block;
    winnow_options_set_flag(options, WINNOW_OPTION_BLOCKS, true);
    winnow_parse(page, html.ptr, html.len, NULL);
    winnow_selection *told = winnow_select(page, "auto", options);
    winnow_selection *untold = winnow_select(page, "auto", NULL);
    assert_non_null(winnow_write(untold, WINNOW_FORMAT_MARKDOWN, NULL, NULL)); /* with images */
    size_t count = winnow_selection_block_count(told);
    assert_true(count > 0);
    assert_int_equal(winnow_selection_block_count(untold), count);
    for (size_t i = 0; (block = winnow_selection_block(told, i)) != NULL; i++)
        assert_int_equal(winnow_selection_block(untold, i)->role, block->role);
    winnow_options_free(options);
    winnow_page_free(page);
    wn_buf_free(&html);
}

static void assert_comment(winnow_selection *content, size_t index, const char *author,
                           const char *date, const char *text)
{
    const winnow_comment *comment = winnow_selection_comment(content, index);
    assert_non_null(comment);
    assert_string_equal(comment->author, author);
    assert_string_equal(comment->date, date);
    assert_string_equal(comment->text, text);
}

#define ARTICLE                                                                                    \
    "<!DOCTYPE html><title>The mill</title><article><h1>The mill</h1><p>The mill on the hill has " \
    "been turning backwards since the storm of last winter, says the miller, who has no plans to " \
    "turn it round again before the harvest is in, whatever the farmers around it may say.</p>"    \
    "<p>They bring their grain from far away now, because the flour is finer than that of other "  \
    "mills, and the bakers in the town have begun to ask for nothing else.</p></article>"

static void comments_say_who_and_when(void **state)
{
    (void)state;
    static const char html[] = ARTICLE
        "<div id=comments><h3>3 comments</h3>"
        "<div class=comment><p>Jane Miller says:</p><p>May 3, 2012 at 10:11 am</p>"
        "<p>I tried the flour.</p><p>Reply</p></div>"
        "<div class=comment><p>Fri, 2012-11-09 17:18 \xE2\x80\x94 Tom Baker</p><p>On 3 May 2012 I "
        "went there and saw it turn.</p><p>Like (2)</p></div>"
        "<div class=comment><p>It made a good bread.</p><p>Posted by: Ann | June 1, 2012</p></div>"
        "<form><p>Name (required)</p><p>What is on your mind today?</p></form></div>";
    winnow_page *page = winnow_page_new();
    winnow_parse(page, html, sizeof html - 1, NULL);
    winnow_selection *content = winnow_select(page, "auto", NULL);
    assert_int_equal(winnow_selection_comment_count(content), 3);
    assert_comment(content, 0, "Jane Miller", "May 3, 2012 at 10:11 am", "I tried the flour.");
    assert_comment(content, 1, "Tom Baker", "Fri, 2012-11-09 17:18",
                   "On 3 May 2012 I went there and saw it turn.");
    assert_comment(content, 2, "Ann", "June 1, 2012", "It made a good bread.");
    winnow_page_free(page);
}

/* Lines of the site are below every comment, in whatever language; no comment is no record. */
static void comments_without_lines_of_the_site(void **state)
{
    (void)state;
    static const char html[] = ARTICLE
        "<div id=comments><div class=comment><p>Jane\xE2\x80\xA2"
        "7d ago</p><p>Jak dobrze!</p>"
        "<p>Zg\xC5\x82o\xC5\x9B nam</p><p>12</p></div>"
        "<div class=comment><p>Tom, \xC5\x9Broda 16 maja 2012</p><p>Jak dobrze!</p>"
        "<p>Zg\xC5\x82o\xC5\x9B nam</p><p>3</p></div>"
        "<div class=comment><p>Ann | June 1, 2012</p><p>So did I.</p>"
        "<p>Zg\xC5\x82o\xC5\x9B nam</p><p>0</p></div></div>";
    static const char empty[] = ARTICLE
        "<div id=comments><p>No account? It is free and easy!</p></div>";
    winnow_page *page = winnow_page_new();
    winnow_parse(page, html, sizeof html - 1, NULL);
    winnow_selection *content = winnow_select(page, "auto", NULL);
    assert_int_equal(winnow_selection_comment_count(content), 3);
    assert_comment(content, 0, "Jane", "7d ago", "Jak dobrze!");
    assert_comment(content, 1, "Tom", "\xC5\x9Broda 16 maja 2012", "Jak dobrze!");
    assert_comment(content, 2, "Ann", "June 1, 2012", "So did I.");
    winnow_parse(page, empty, sizeof empty - 1, NULL);
    content = winnow_select(page, "auto", NULL);
    assert_int_equal(winnow_selection_comment_count(content), 0);
    winnow_page_free(page);
}

/* Nothing tells where a comment begins: the first one shows where the names are. */
static void comments_in_one_element(void **state)
{
    (void)state;
    static const char html[] = ARTICLE
        "<div id=comments><p>I tried the flour of that mill, and it was good enough for my bread."
        "</p><p>Posted by: Ann | June 1, 2012</p><h4></h4><p>So did I.</p>"
        "<p>Posted by: Tom | June 2, 2012</p></div>";
    winnow_page *page = winnow_page_new();
    winnow_parse(page, html, sizeof html - 1, NULL);
    winnow_selection *content = winnow_select(page, "auto", NULL);
    assert_int_equal(winnow_selection_comment_count(content), 2);
    assert_string_equal(winnow_selection_comment(content, 0)->author, "Ann");
    assert_comment(content, 1, "Tom", "June 2, 2012", "So did I.");
    winnow_page_free(page);
}

static void roles_of_blocks(void **state)
{
    (void)state;
    wn_buf html = read_page("article.html");
    winnow_page *page = winnow_page_new();
    winnow_options *options = winnow_options_new();
    const winnow_block *block;
    winnow_parse(page, html.ptr, html.len, NULL);
    winnow_selection *content = winnow_select(page, "auto", NULL);
    size_t titles = 0, comments = 0;
    for (size_t i = 0; (block = winnow_selection_block(content, i)) != NULL; i++) {
        assert_non_null(winnow_block_role_name(block->role));
        titles += block->role == WINNOW_ROLE_TITLE;
        comments += block->role == WINNOW_ROLE_COMMENT;
        assert_false(block->role == WINNOW_ROLE_COMMENT && block->kept);
    }
    assert_int_equal(titles, 1);
    assert_true(comments > 2);
    assert_int_equal(winnow_selection_comment_count(content), 2);
    assert_null(winnow_selection_comment(content, 2));
    assert_non_null(strstr(winnow_selection_comment(content, 1)->text, "buckwheat"));

    winnow_options_set(options, "with", "comment");
    winnow_options_set(options, "without", "title");
    const char *text = winnow_write(winnow_select(page, "auto", options), WINNOW_FORMAT_TEXT, NULL,
                                    NULL);
    assert_non_null(strstr(text, "buckwheat"));
    assert_int_equal(winnow_options_set(options, "with", "titel"), WINNOW_STATUS_BAD_PARAMETER);
    assert_int_equal(winnow_selection_block(winnow_select(page, "all", NULL), 0)->role,
                     WINNOW_ROLE_UNKNOWN);
    assert_null(winnow_block_role_name(WINNOW_ROLE_UNKNOWN));
    winnow_options_free(options);
    winnow_page_free(page);
    wn_buf_free(&html);
}

/* Members that the caller's version did not have are not read. */
static void records_of_smaller_size(void **state)
{
    (void)state;
    winnow_page *page = winnow_page_new();
    winnow_record record = {
        .id = "the id", .url = "the url", .timed = true, .milliseconds = 2.5, .file = "the file"};
    winnow_parse(page, "<p>x", 4, NULL);
    winnow_selection *content = winnow_select(page, "all", NULL);
    record.struct_size = offsetof(winnow_record, url);
    const char *text = winnow_write_record(content, WINNOW_FORMAT_JSON, NULL, &record, NULL);
    assert_non_null(strstr(text, "the id"));
    assert_null(strstr(text, "the url"));
    assert_null(strstr(text, "the file"));
    assert_non_null(strstr(text, "\"ms\":null"));
    record.struct_size = sizeof(size_t);
    assert_null(
        strstr(winnow_write_record(content, WINNOW_FORMAT_JSON, NULL, &record, NULL), "the id"));
    record.struct_size = 0;
    assert_null(
        strstr(winnow_write_record(content, WINNOW_FORMAT_JSON, NULL, &record, NULL), "the id"));
    struct {
        winnow_record record;
        char more[64];
    } longer = {.record = record};
    longer.record.struct_size = sizeof longer;
    text = winnow_write_record(content, WINNOW_FORMAT_JSON, NULL, &longer.record, NULL);
    assert_non_null(strstr(text, "the url"));
    assert_non_null(strstr(text, "\"ms\":2.5"));
    winnow_page_free(page);
}

static void records_of_failures(void **state)
{
    (void)state;
    winnow_page *page = winnow_page_new();
    winnow_record record = {.struct_size = sizeof record,
                            .id = "a\"b",
                            .status = WINNOW_STATUS_UNREADABLE,
                            .error = "the file ends early"};
    const winnow_format_info *info;
    for (size_t i = 0; (info = winnow_format_at(i)) != NULL; i++) {
        size_t size;
        const char *text = winnow_write_failure(page, info->format, NULL, &record, &size);
        assert_int_equal(strlen(text), size);
        assert_int_equal(size > 0, info->tells_failures);
        if (size > 0)
            assert_non_null(strstr(text, "unreadable"));
    }
    winnow_page_free(page);
}

/* ---- Blocks ------------------------------------------------------------------------------ */

static void blocks_lie_in_the_source(void **state)
{
    static const char html[] =
        "<!DOCTYPE html><title>t</title><body>\n<nav><a href=/>Home</a></nav>\n<h1 id=x>Rain</h1>\n"
        "<div><p class=\"a\">It has <b>rained</b>.</p>\n<p>Again.</p></div>\n<ul><li>one<li>two</ul>";
    static const struct {
        const char *text, *start, *inside;
    } expected[] = {
        {"Home", "<nav>", "</nav>"},
        {"Rain", "<h1 id=x>Rain</h1>", "Rain</h1>"},
        {"It has rained.", "<p class=\"a\">It has <b>rained</b>.</p>", "</p>"},
        {"Again.", "<p>Again.</p>", "Again."},
        {"one", "<li>one", "one"},
        {"two", "<li>two", "two"},
    };
    (void)state;
    winnow_page *page = winnow_page_new();
    winnow_parse(page, html, sizeof html - 1, NULL);
    winnow_selection *content = winnow_select(page, "all", NULL);
    assert_int_equal(winnow_selection_block_count(content), sizeof expected / sizeof *expected);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const winnow_block *block = winnow_selection_block(content, i);
        assert_string_equal(block->text, expected[i].text);
        assert_int_equal(strlen(block->text), block->size);
        assert_true(block->source_start < block->source_end && block->source_end < sizeof html);
        const char *start = html + block->source_start;
        if (strncmp(start, expected[i].start, strlen(expected[i].start)) != 0)
            fail_msg("%s: starts at \"%.20s\"", block->text, start);
        const char *inside = strstr(start, expected[i].inside);
        assert_true(inside && inside + strlen(expected[i].inside) <= html + block->source_end);
    }
    content = winnow_select(page, "bte", NULL); /* it knows no elements */
    for (size_t i = 0; i < winnow_selection_block_count(content); i++)
        assert_int_equal(winnow_selection_block(content, i)->source_end, 0);
    winnow_page_free(page);
}

/* Text that was found in data of the page has no element of its own. */
static void embedded_blocks_have_no_source(void **state)
{
    (void)state;
    wn_buf html = {0};
    wn_buf_add_literal(&html,
                       "<title>t</title><script type='application/json'>{\"articleBody\":\"<p>");
    for (int i = 0; i < 70; i++)
        wn_buf_add_literal(&html, "word ");
    wn_buf_add_literal(&html, "</p>\"}</script>");
    winnow_page *page = winnow_page_new();
    winnow_parse(page, html.ptr, html.len, NULL);
    winnow_selection *content = winnow_select(page, NULL, NULL);
    assert_int_equal(winnow_selection_status(content), WINNOW_STATUS_OK);
    assert_int_equal(winnow_selection_block_count(content), 1);
    assert_int_equal(winnow_selection_block(content, 0)->source_start, 0);
    assert_int_equal(winnow_selection_block(content, 0)->source_end, 0);
    winnow_page_free(page);
    wn_buf_free(&html);
}

static void links_and_images_of_blocks(void **state)
{
    static const char html[] =
        "<p>See <a href=x.html>this</a> and <a href='/y'>that <img src=z.png "
        "alt='a mill'></a>.<p>Nothing.<p hidden><a href=w>hidden</a>"
        "<p><img src=//e.org/v.png>Last <a href='mailto:a@b.c'>mail</a>";
    (void)state;
    winnow_page *page = winnow_page_new();
    winnow_options *options = winnow_options_new();
    winnow_options_set(options, "url", "https://example.org/a/b.html");
    winnow_parse(page, html, sizeof html - 1, options);
    winnow_selection *content = winnow_select(page, "all", options);
    assert_int_equal(winnow_selection_block_count(content), 4);
    const winnow_block *first = winnow_selection_block(content, 0);
    assert_int_equal(first->link_count, 2);
    assert_int_equal(first->image_count, 1);
    const winnow_link *link = winnow_selection_link(content, first->first_link);
    assert_string_equal(link->url, "https://example.org/a/x.html");
    assert_string_equal(link->text, "this");
    assert_string_equal(winnow_selection_link(content, first->first_link + 1)->url,
                        "https://example.org/y");
    const winnow_image *image = winnow_selection_image(content, first->first_image);
    assert_string_equal(image->url, "https://example.org/a/z.png");
    assert_string_equal(image->description, "a mill");
    assert_int_equal(winnow_selection_block(content, 1)->link_count, 0);
    assert_int_equal(winnow_selection_block(content, 1)->image_count, 0);
    const winnow_block *hidden = winnow_selection_block(content, 2);
    assert_false(hidden->kept);
    assert_int_equal(hidden->link_count, 1);
    const winnow_block *last = winnow_selection_block(content, 3);
    assert_string_equal(winnow_selection_image(content, last->first_image)->url,
                        "https://e.org/v.png");
    assert_string_equal(winnow_selection_image(content, last->first_image)->description, "");
    for (size_t i = 0; i < winnow_selection_link_count(content); i++) {
        const winnow_block *block = winnow_selection_block(
            content, winnow_selection_link(content, i)->block);
        assert_true(i >= block->first_link && i < block->first_link + block->link_count);
    }
    for (size_t i = 0; i < winnow_selection_image_count(content); i++) {
        const winnow_block *block = winnow_selection_block(
            content, winnow_selection_image(content, i)->block);
        assert_true(i >= block->first_image && i < block->first_image + block->image_count);
    }
    assert_null(winnow_selection_link(content, winnow_selection_link_count(content)));
    assert_null(winnow_selection_image(content, winnow_selection_image_count(content)));
    assert_null(winnow_selection_block(content, winnow_selection_block_count(content)));
    winnow_options_free(options);
    winnow_page_free(page);
}

/* The reasons of a block, the strongest first. */
static void check_reasons(const winnow_block *block)
{
    for (size_t i = 0; i < block->reason_count; i++) {
        assert_true(block->reasons[i].feature[0] != '\0');
        assert_true(block->reasons[i].weight != 0);
        if (i > 0)
            assert_true(fabs(block->reasons[i].weight) <= fabs(block->reasons[i - 1].weight));
    }
}

static void probabilities_are_explained(void **state)
{
    (void)state;
    wn_buf html = read_page("article.html");
    winnow_page *page = winnow_page_new();
    winnow_options *options = winnow_options_new();
    size_t judged = 0, explained = 0, likely = 0;
    winnow_parse(page, html.ptr, html.len, NULL);
    winnow_options_set_flag(options, WINNOW_OPTION_EXPLAIN, true);
    winnow_selection *content = winnow_select(page, "auto", options);
    double threshold = winnow_selection_threshold(content);
    assert_true(threshold > 0 && threshold <= 1);
    for (size_t i = 0; i < winnow_selection_block_count(content); i++) {
        const winnow_block *block = winnow_selection_block(content, i);
        check_reasons(block);
        judged += block->probability >= 0;
        explained += block->reason_count > 0;
        if (strncmp(block->reason, "likely content", 14) == 0) { /* not by what is around it */
            assert_true(block->kept && block->probability >= threshold);
            likely++;
        }
        if (strncmp(block->reason, "unlikely content", 16) == 0)
            assert_true(!block->kept && block->probability < threshold);
    }
    assert_true(judged > 20 && explained > 20 && likely > 20);
    const char *json = winnow_write(content, WINNOW_FORMAT_JSON, options, NULL);
    assert_non_null(strstr(json, "\"threshold\":0."));
    assert_non_null(strstr(json, "\"probability\":0."));
    assert_non_null(strstr(json, "\"reasons\":[{\"feature\":\""));

    content = winnow_select(page, "auto", NULL);
    assert_true(winnow_selection_block(content, 0)->probability < 0);
    assert_int_equal(winnow_selection_block(content, 0)->reason_count, 0);
    content = winnow_select(page, "bte", options);
    assert_true(winnow_selection_threshold(content) == 0);
    assert_true(winnow_selection_block(content, 0)->probability < 0);
    winnow_options_free(options);
    winnow_page_free(page);
    wn_buf_free(&html);
}

static void a_threshold_of_ones_own(void **state)
{
    (void)state;
    static const char *const methods[] = {"auto:threshold=0.9", "auto:threshold=0.5",
                                          "auto:threshold=0.01"};
    wn_buf html = read_page("article.html");
    winnow_page *page = winnow_page_new();
    size_t before = 0;
    winnow_parse(page, html.ptr, html.len, NULL);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        size_t size = 0;
        winnow_write(winnow_select(page, methods[i], NULL), WINNOW_FORMAT_TEXT, NULL, &size);
        assert_true(size > before);
        before = size;
    }
    assert_null(winnow_select(page, "auto:threshold=1.5", NULL));
    winnow_page_free(page);
    wn_buf_free(&html);
}

static void what_a_selection_says(void **state)
{
    (void)state;
    wn_buf html = read_page("article.html");
    winnow_page *page = winnow_page_new();
    winnow_parse(page, html.ptr, html.len, NULL);
    assert_string_equal(winnow_page_encoding(page), "UTF-8");
    winnow_selection *content = winnow_select(page, "auto:lean=precision", NULL);
    assert_string_equal(winnow_selection_method(content), "auto");
    assert_true(winnow_selection_confidence(content) > 0 &&
                winnow_selection_confidence(content) <= 1);
    assert_int_equal(winnow_selection_page_type(content), WINNOW_PAGE_TYPE_ARTICLE);
    assert_int_equal(winnow_selection_limited(content), 0);
    assert_true(winnow_selection_metadata(content)->title[0] != '\0');
    assert_int_equal(winnow_selection_metadata(content)->source_count, 0);
    for (size_t i = 0; i < winnow_selection_block_count(content); i++) {
        assert_string_equal(winnow_selection_block(content, i)->path, "");
        assert_non_null(winnow_selection_block(content, i)->reason);
    }
    winnow_options *options = make_options();
    content = winnow_select(page, "auto", options);
    assert_true(winnow_selection_metadata(content)->source_count > 0);
    assert_true(winnow_selection_block(content, 0)->path[0] != '\0');
    winnow_options_free(options);
    winnow_page_free(page);
    wn_buf_free(&html);
}

/* Plain text is kept by every method, and a wrong method is still wrong. */
static void plain_text_is_kept_as_it_is(void **state)
{
    (void)state;
    static const char html[] = WINNOW_PLAIN_TEXT "Home\n\n  <b>two</b> &amp; three";
    winnow_page *page = winnow_page_new();
    for (size_t i = 0; winnow_method_at(i); i++) {
        assert_int_equal(winnow_parse(page, html, sizeof html - 1, NULL), WINNOW_STATUS_OK);
        winnow_selection *content = winnow_select(page, winnow_method_at(i)->name, NULL);
        assert_int_equal(winnow_selection_status(content), WINNOW_STATUS_OK);
        assert_string_equal(winnow_selection_method(content), "all");
        assert_string_equal(winnow_write(content, WINNOW_FORMAT_TEXT, NULL, NULL),
                            "Home\n\n  <b>two</b> &amp; three\n");
    }
    assert_null(winnow_select(page, "nonsense", NULL));
    assert_int_equal(winnow_parse(page, "<p>Home", 7, NULL), WINNOW_STATUS_OK);
    assert_string_equal(winnow_selection_method(winnow_select(page, "bte", NULL)), "bte");
    winnow_page_free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bytes_in_any_order),
        cmocka_unit_test(options_of_writing),
        cmocka_unit_test(sheets_are_those_of_the_selection),
        cmocka_unit_test(pages_one_after_the_other),
        cmocka_unit_test(plain_text_is_kept_as_it_is),
        cmocka_unit_test(easy_call),
        cmocka_unit_test(bytes_that_are_not_a_page),
        cmocka_unit_test(null_pages_and_selections),
        cmocka_unit_test(null_options),
        cmocka_unit_test(null_models_sites_noise),
        cmocka_unit_test(null_in_other_places),
        cmocka_unit_test(numbers_past_the_end),
        cmocka_unit_test(errors_of_methods),
        cmocka_unit_test(errors_of_options),
        cmocka_unit_test(defaults_are_those_of_the_table),
        cmocka_unit_test(options_by_name_and_number),
        cmocka_unit_test(ranges_of_numbers),
        cmocka_unit_test(copies_of_options),
        cmocka_unit_test(parameters_say_what_they_take),
        cmocka_unit_test(fallbacks_are_the_defaults),
        cmocka_unit_test(parameters_of_options_give_way_to_those_of_the_name),
        cmocka_unit_test(formats_have_names),
        cmocka_unit_test(components_and_version),
        cmocka_unit_test(fields_of_records),
        cmocka_unit_test(roles_of_blocks),
        cmocka_unit_test(roles_do_not_depend_on_notice),
        cmocka_unit_test(comments_say_who_and_when),
        cmocka_unit_test(comments_without_lines_of_the_site),
        cmocka_unit_test(comments_in_one_element),
        cmocka_unit_test(roles_by_names_and_words),
        cmocka_unit_test(records_of_smaller_size),
        cmocka_unit_test(records_of_failures),
        cmocka_unit_test(blocks_lie_in_the_source),
        cmocka_unit_test(embedded_blocks_have_no_source),
        cmocka_unit_test(links_and_images_of_blocks),
        cmocka_unit_test(what_a_selection_says),
        cmocka_unit_test(probabilities_are_explained),
        cmocka_unit_test(a_threshold_of_ones_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
