/*
 * eifce and fe: their constants are parameters, with the defaults that visual/ has, and each of them counts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "support/extract.h"
#include "visual/evbe.h"
#include "visual/importance.h"

static double fallback_of(const char *method, const char *name)
{
    const winnow_method_info *info = winnow_method_find(method);
    for (const winnow_parameter_info *const *p = info->parameters; *p; p++)
        if (strcmp((*p)->name, name) == 0)
            return strtod((*p)->fallback, NULL);
    fail_msg("%s has no parameter %s", method, name);
    return 0;
}

static void defaults_are_those_of_the_library(void **state)
{
    (void)state;
    const wn_importance_weights *w = &wn_importance_defaults;
    assert_true(fallback_of("eifce", "words") == w->words);
    assert_true(fallback_of("eifce", "page_text") == w->page_text);
    assert_true(fallback_of("eifce", "paragraph") == w->paragraph);
    assert_true(fallback_of("eifce", "heading") == w->heading);
    assert_true(fallback_of("eifce", "link_text") == w->link_text);
    assert_true(fallback_of("eifce", "link") == w->link);
    assert_true(fallback_of("eifce", "control") == w->control);
    assert_true((float)fallback_of("eifce", "tolerance") == wn_evbe_defaults.tolerance);
    assert_true(fallback_of("eifce", "distance") == wn_evbe_defaults.parent_bound);
}

static void add_words(wn_buf *page, const char *word, int count)
{
    for (int i = 0; i < count; i++)
        wn_buf_add_format(page, "%s ", word);
}

/* The blocks that the eye sees: `left` and `right`, with a line between them. */
static const char *two_blocks(wn_buf *page, int left, const char *more_left, int right,
                              const char *more_right)
{
    wn_buf_clear(page);
    wn_buf_add_literal(page, "<!doctype html><body><div><p>");
    add_words(page, "left", left);
    wn_buf_add_literal(page, more_left);
    wn_buf_add_literal(page, "</div><hr><div><p>");
    add_words(page, "right", right);
    wn_buf_add_literal(page, more_right);
    wn_buf_add_literal(page, "</div>");
    return wn_buf_c_string(page);
}

/* Which of the two words the method keeps: "left", "right", or "both". */
static const char *chosen(extractor *e, const char *method, const char *page)
{
    const char *text = extract_by(e, method, page)->text;
    bool left = strstr(text, "left"), right = strstr(text, "right");
    return left && right ? "both" : left ? "left" : right ? "right" : "";
}

static void every_constant_counts(void **state)
{
    (void)state;
    wn_buf page = {0};
    extractor *e = extractor_new();
    /* A candidate has words. */
    const char *html = two_blocks(&page, 60, "", 120, "<a href=1>x</a><a href=2>x</a>");
    assert_string_equal(chosen(e, "eifce:words=100,page_text=0", html), "both");
    assert_string_equal(chosen(e, "eifce:words=50,page_text=0", html), "left");
    /* What speaks against a block: links, the text in them, controls of forms. */
    html = two_blocks(&page, 100, "", 100, "<a href=1>x</a>");
    assert_string_equal(chosen(e, "eifce:words=50,page_text=0.1,paragraph=0", html), "left");
    html = two_blocks(&page, 100, "<a href=1>y</a>", 100, "<input>");
    assert_string_equal(chosen(e, "eifce:words=50,page_text=0.1,link=0,link_text=0", html), "left");
    assert_string_equal(chosen(e, "eifce:words=50,page_text=0.1,control=0,link=500", html),
                        "right");
    assert_string_equal(
        chosen(e, "eifce:words=50,page_text=0.1,control=0,link=0,link_text=500", html), "right");
    /* What speaks for it: paragraphs and headings. */
    html = two_blocks(&page, 100, "<p>.", 100, "<h2>.</h2><h3>.</h3>");
    assert_string_equal(chosen(e, "eifce:words=50,page_text=0.1,paragraph=500,heading=0", html),
                        "left");
    assert_string_equal(chosen(e, "eifce:words=50,page_text=0.1,paragraph=0,heading=500", html),
                        "right");
    /* How much of the page's text the block must hold. */
    html = two_blocks(&page, 100, "", 110, "");
    assert_string_equal(chosen(e, "eifce:words=50,page_text=100", html), "both");
    wn_buf_free(&page);
    extractor_free(e);
}

static void weights_of_fe(void **state)
{
    (void)state;
    wn_buf page = {0};
    extractor *e = extractor_new();
    const char *html = two_blocks(&page, 100, "<img src=a alt=x width=9 height=9>", 100, "<input>");
    for (int i = 0; i < 2; i++) {
        assert_string_equal(
            chosen(e, i ? "kfe:control=0,picture=500" : "fe:control=0,picture=500", html), "right");
        assert_string_equal(
            chosen(e, i ? "kfe:control=500,picture=0" : "fe:control=500,picture=0", html), "left");
    }
    wn_buf_free(&page);
    extractor_free(e);
}

/* Widths of 500 and 420 are the same to an eye that tolerates a fifth. */
static void tolerance_of_the_eye(void **state)
{
    (void)state;
    extractor *e = extractor_new();
    static const char page[] =
        "<!doctype html><body><div style='width:500px'><div style='width:420px;font-size:30px'>"
        "<p>left</p><p>left</p></div><p>right</p></div>";
    assert_string_equal(chosen(e, "eifce:distance=2,words=0,page_text=0", page), "left");
    assert_string_equal(chosen(e, "eifce:distance=2,words=0,page_text=0,tolerance=0.2", page),
                        "both");
    extractor_free(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_those_of_the_library),
        cmocka_unit_test(every_constant_counts),
        cmocka_unit_test(weights_of_fe),
        cmocka_unit_test(tolerance_of_the_eye),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
