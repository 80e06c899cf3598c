/*
 * The cost meter: budgets that grow with the input, what happens when they are exceeded, and what the
 * stages make of it.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/cost.h"
#include "winnow.h"

static void budgets_are_linear(void **state)
{
    (void)state;
    for (int i = 0; i < WN_COST_STAGES; i++) {
        wn_cost none, one, many;
        wn_cost_start(&none, (wn_cost_stage)i, 0);
        wn_cost_start(&one, (wn_cost_stage)i, 1000);
        wn_cost_start(&many, (wn_cost_stage)i, 3000);
        assert_true(none.left > 0 && none.left <= one.left && one.left <= many.left);
        uint64_t more = many.left - none.left, expected = 3 * (one.left - none.left);
        /* Not more than in proportion; some have a ceiling, or round down. */
        assert_true(more <= expected + 3);
        assert_true(strlen(wn_cost_stage_name((wn_cost_stage)i)) > 0);
        wn_cost_add_units(&one, 2000);
        assert_true(many.left - one.left <= 1);
    }
}

static void steps_are_taken(void **state)
{
    (void)state;
    wn_cost cost;
    wn_cost_start(&cost, WN_COST_GRIDS, 0);
    uint64_t all = cost.left;
    assert_true(wn_cost_spend(&cost, 10));
    assert_true(cost.left == all - 10 && !cost.exceeded);
    assert_true(wn_cost_spend(&cost, cost.left));
    assert_true(wn_cost_is_used_up(&cost) && !cost.exceeded);
    assert_true(wn_cost_spend(&cost, 0) && !cost.exceeded);
}

/* What is too much is not done, and something smaller may still be. */
static void too_much_is_refused(void **state)
{
    (void)state;
    wn_cost cost;
    wn_cost_start(&cost, WN_COST_GENERATED, 0);
    uint64_t all = cost.left;
    assert_false(wn_cost_spend(&cost, all + 1));
    assert_true(cost.exceeded && cost.left == all);
    assert_true(wn_cost_spend(&cost, 1));
    wn_cost_use(&cost, UINT64_MAX);
    assert_true(wn_cost_is_used_up(&cost));
    wn_cost_add_units(&cost, 100);
    assert_false(wn_cost_is_used_up(&cost));
}

/* In debug builds no input may exceed the budget of a stage that is linear by construction. */
static void checked_builds_assert(void **state)
{
    (void)state;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        wn_cost cost;
        fclose(stderr);
        wn_cost_start(&cost, WN_COST_MARKDOWN, 10);
        wn_cost_use(&cost, UINT64_MAX);
        _exit(cost.exceeded ? 0 : 1);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
#ifdef WN_COST_CHECK
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
#else
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
#endif
}

/* ---- In stages --------------------------------------------------------------------------- */

/* Selects from a page and checks that it was too much work, and that something is there still. */
static void expect_partial(const wn_buf *html, const char *method)
{
    winnow_page *page = winnow_page_new();
    size_t size;
    assert_false(html->failed);
    winnow_parse(page, html->ptr, html->len, NULL);
    winnow_selection *content = winnow_select(page, method, NULL);
    assert_int_equal(winnow_selection_status(content), WINNOW_STATUS_PARTIAL);
    assert_true(winnow_selection_limited(content) & WINNOW_LIMITED_WORK);
    const char *text = winnow_write(content, WINNOW_FORMAT_TEXT, NULL, &size);
    assert_non_null(strstr(text, "wind"));
    winnow_page_free(page);
}

static void repeat(wn_buf *html, const char *unit, int times)
{
    for (int i = 0; i < times; i++)
        wn_buf_add_literal(html, unit);
}

#define PROSE                                                                                      \
    "<p>The mill stood on a hill, and the wind that came from the sea turned its sails from "      \
    "morning to evening, while the miller carried the sacks of corn up the stairs.</p>"

static void generated_text_has_a_limit(void **state)
{
    (void)state;
    wn_buf html = {0};
    wn_buf_add_literal(&html, "<style>i::before{content:\"");
    repeat(&html, "wwwwwwwwww", 400);
    wn_buf_add_literal(&html, "\"}</style>" PROSE);
    repeat(&html, "<i>x</i>", 4000);
    expect_partial(&html, "eifce");
    wn_buf_free(&html);
}

static void spans_of_tables_have_a_limit(void **state)
{
    (void)state;
    wn_buf html = {0};
    wn_buf_add_literal(&html, PROSE "<table><tr>");
    repeat(&html, "<td>", 1000);
    repeat(&html, "<tr><td colspan=999>x", 4000);
    expect_partial(&html, "eifce");
    wn_buf_free(&html);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(budgets_are_linear),
        cmocka_unit_test(steps_are_taken),
        cmocka_unit_test(too_much_is_refused),
        cmocka_unit_test(checked_builds_assert),
        cmocka_unit_test(generated_text_has_a_limit),
        cmocka_unit_test(spans_of_tables_have_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
