/*
 * Unit tests of URLs: references on pages and what they mean.
 *
 *     test_url        no arguments
 *
 * The first table is the one of RFC 3986, section 5.4; where browsers differ from it, theirs
 * holds.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/url.h"
#include "support/files.h"

typedef struct example {
    const char *reference, *expected;
} example;

static void assert_resolves(const char *base, const char *reference, const char *expected)
{
    wn_buf out = {0};
    wn_url_resolve(&out, wn_str_of(base), wn_str_of(reference));
    if (!wn_str_eq(wn_buf_str(&out), wn_str_of(expected)))
        fail_msg("\"%s\" on \"%s\": got \"%s\", expected \"%s\"", reference, base,
                 wn_buf_c_string(&out), expected);
    assert_false(out.failed);
    wn_buf_free(&out);
}

#define CHECK_ALL(base, examples)                                                                  \
    for (size_t i = 0; i < sizeof(examples) / sizeof *(examples); i++)                             \
    assert_resolves(base, (examples)[i].reference, (examples)[i].expected)

/* ---- References -------------------------------------------------------------------------- */

static void resolves_the_examples_of_the_rfc(void **state)
{
    (void)state;
    static const example examples[] = {
        {"g:h", "g:h"},
        {"g", "http://a/b/c/g"},
        {"./g", "http://a/b/c/g"},
        {"g/", "http://a/b/c/g/"},
        {"/g", "http://a/g"},
        {"//g", "http://g/"},
        {"?y", "http://a/b/c/d;p?y"},
        {"g?y", "http://a/b/c/g?y"},
        {"#s", "http://a/b/c/d;p?q#s"},
        {"g#s", "http://a/b/c/g#s"},
        {"g?y#s", "http://a/b/c/g?y#s"},
        {";x", "http://a/b/c/;x"},
        {"g;x?y#s", "http://a/b/c/g;x?y#s"},
        {"", "http://a/b/c/d;p?q"},
        {".", "http://a/b/c/"},
        {"./", "http://a/b/c/"},
        {"..", "http://a/b/"},
        {"../g", "http://a/b/g"},
        {"../..", "http://a/"},
        {"../../g", "http://a/g"},
        {"../../../g", "http://a/g"},
        {"../../../../g", "http://a/g"},
        {"/./g", "http://a/g"},
        {"/../g", "http://a/g"},
        {"g.", "http://a/b/c/g."},
        {".g", "http://a/b/c/.g"},
        {"g..", "http://a/b/c/g.."},
        {"..g", "http://a/b/c/..g"},
        {"./../g", "http://a/b/g"},
        {"./g/.", "http://a/b/c/g/"},
        {"g/./h", "http://a/b/c/g/h"},
        {"g/../h", "http://a/b/c/h"},
        {"g;x=1/./y", "http://a/b/c/g;x=1/y"},
        {"g;x=1/../y", "http://a/b/c/y"},
        {"g?y/../x", "http://a/b/c/g?y/../x"},
        {"g#s/../x", "http://a/b/c/g#s/../x"},
        {"http:g", "http://a/b/c/g"},
    };
    CHECK_ALL("http://a/b/c/d;p?q", examples);
}

static void resolves_as_browsers_do(void **state)
{
    (void)state;
    static const example examples[] = {
        {"  page.html\n", "https://example.com/news/page.html"},
        {"pa\nge\t.html", "https://example.com/news/page.html"},
        {"\\path\\page", "https://example.com/path/page"},
        {"\\\\other.org\\page", "https://other.org/page"},
        {"HTTPS:page", "https://example.com/news/page"},
        {"http:page", "http://page/"},
        {"http:/other.org/page", "http://other.org/page"},
        {"https:////other.org", "https://other.org/"},
        {"HTTP://Other.ORG/Page", "http://other.org/Page"},
        {"http://User@Other.ORG/", "http://User@other.org/"},
        {"http://other.org?q", "http://other.org/?q"},
        {"a b.html", "https://example.com/news/a%20b.html"},
        {"a%20b.html", "https://example.com/news/a%20b.html"},
        {"caf\xC3\xA9?\xC3\xA9#\xC3\xA9", "https://example.com/news/caf%C3%A9?%C3%A9#%C3%A9"},
        {"<x>?\"", "https://example.com/news/%3Cx%3E?%22"},
        {"a/%2e%2E/b", "https://example.com/news/b"},
        {"a//../b", "https://example.com/news/a/b"},
        {"?", "https://example.com/news/item?"},
        {"#", "https://example.com/news/item?id=1#"},
        {"mailto:someone@example.org", "mailto:someone@example.org"},
        {"MAILTO:a b", "mailto:a%20b"},
        {"tel:+49", "tel:+49"},
        {"data:text/plain,a/../b", "data:text/plain,a/../b"},
        {"javascript:void(0)", "javascript:void(0)"},
        {" java\nscript:void(0)", "javascript:void(0)"},
        {"urn:isbn:1", "urn:isbn:1"},
        {"1:2", "https://example.com/news/1:2"},
        {"[::1]", "https://example.com/news/[::1]"},
        {"http://[::1]:8080/", "http://[::1]:8080/"},
    };
    CHECK_ALL("https://EXAMPLE.com/news/item?id=1#top", examples);
}

static void resolves_on_other_bases(void **state)
{
    (void)state;
    assert_resolves("https://example.com", "page", "https://example.com/page");
    assert_resolves("https://example.com?q", "#f", "https://example.com/?q#f");
    assert_resolves("https://example.com/a/../b/c", "d", "https://example.com/b/d");
    assert_resolves("https://example.com/a\\b", "c", "https://example.com/a/c");
    assert_resolves("file:///home/page.html", "../x", "file:///x");
    assert_resolves("file:///home/page.html", "x", "file:///home/x");
}

static void without_a_base_relative_references_stay(void **state)
{
    (void)state;
    static const char *const none[] = {"", "example.com/page", "data:text/html,x", "mailto:x", ":"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        assert_resolves(none[i], " a b/../c ", "a b/../c");
        assert_resolves(none[i], "#top", "#top");
        assert_resolves(none[i], "//host/x", "//host/x");
        assert_resolves(none[i], "HTTP://Host", "http://host/");
    }
}

static void knows_schemes(void **state)
{
    (void)state;
    assert_true(wn_url_has_scheme(WN_STR("JavaScript:x"), WN_STR("javascript")));
    assert_false(wn_url_has_scheme(WN_STR("javascript"), WN_STR("javascript")));
    assert_false(wn_url_has_scheme(WN_STR("/javascript:x"), WN_STR("javascript")));
}

/* ---- Any bytes --------------------------------------------------------------------------- */

/* Resolving a URL that was resolved changes nothing, whatever the bytes were. */
static void any_bytes_give_a_url_that_stays(void **state)
{
    (void)state;
    static const char letters[] = "ab:/\\?#.%2e@ <\"\xC3\xA9\n";
    wn_str base = WN_STR("http://a/b/c");
    uint64_t random = 7;
    for (int round = 0; round < 20000; round++) {
        char reference[24];
        size_t len = test_random(&random) % sizeof reference;
        for (size_t i = 0; i < len; i++)
            reference[i] = letters[test_random(&random) % (sizeof letters - 1)];
        wn_buf once = {0}, twice = {0};
        wn_url_resolve(&once, base, wn_str_from(reference, len));
        wn_url_resolve(&twice, base, wn_buf_str(&once));
        if (!wn_str_eq(wn_buf_str(&once), wn_buf_str(&twice)))
            fail_msg("\"%.*s\": once \"%s\", twice \"%s\"", (int)len, reference,
                     wn_buf_c_string(&once), wn_buf_c_string(&twice));
        wn_buf_free(&once);
        wn_buf_free(&twice);
    }
}

static void long_paths_take_linear_time(void **state)
{
    (void)state;
    enum { STEPS = 1000000 };
    wn_buf reference = {0}, out = {0};
    for (int i = 0; i < STEPS; i++)
        wn_buf_add_literal(&reference, i % 2 ? "../" : "a/");
    double start = test_now();
    wn_url_resolve(&out, WN_STR("http://a/b/c"), wn_buf_str(&reference));
    assert_true(test_now() - start < 5);
    assert_string_equal(wn_buf_c_string(&out), "http://a/b/");
    wn_buf_free(&reference);
    wn_buf_free(&out);
}

static void decoding(void **state)
{
    (void)state;
    wn_buf out = {0};
    wn_url_decode(&out, WN_STR("/a%20b%2Fc%2e%zz%4%"));
    assert_string_equal(wn_buf_c_string(&out), "/a b/c.%zz%4%");
    wn_buf_free(&out);
}

static void hosts(void **state)
{
    (void)state;
    static const struct {
        const char *url, *host;
    } cases[] = {
        {"http://Example.org/a", "Example.org"},
        {"https://example.org:8080?x", "example.org"},
        {"//example.org#x", "example.org"},
        {"http://me:you@example.org/@", "example.org"},
        {"http://a@b@example.org\\c", "example.org"},
        {"http://[2001:db8::1]:80/", "[2001:db8::1]"},
        {"http://[2001", "[2001"},
        {"http://", ""},
        {"http:/", ""},
        {"mailto:me@example.org", ""},
        {"/a//b", ""},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wn_str host = wn_url_host(wn_str_of(cases[i].url));
        assert_int_equal(host.len, strlen(cases[i].host));
        assert_memory_equal(host.ptr, cases[i].host, host.len);
    }
}

static void credentials_are_left_out(void **state)
{
    (void)state;
    static const char *const addresses[][2] = {
        {"http://a:b@c/d@e", "http://c/d@e"},
        {"https://a@b@c:80", "https://c:80"},
        {"http://c/x?a:b@c", "http://c/x?a:b@c"},
        {"http://a:b@", "http://"},
        {"page@home", "page@home"},
        {"", ""},
    };
    wn_buf out = {0};
    for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++) {
        wn_buf_clear(&out);
        wn_url_add_without_credentials(&out, wn_str_of(addresses[i][0]));
        assert_string_equal(wn_buf_c_string(&out), addresses[i][1]);
    }
    wn_buf_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(resolves_the_examples_of_the_rfc),
        cmocka_unit_test(resolves_as_browsers_do),
        cmocka_unit_test(resolves_on_other_bases),
        cmocka_unit_test(without_a_base_relative_references_stay),
        cmocka_unit_test(knows_schemes),
        cmocka_unit_test(any_bytes_give_a_url_that_stays),
        cmocka_unit_test(long_paths_take_linear_time),
        cmocka_unit_test(decoding),
        cmocka_unit_test(hosts),
        cmocka_unit_test(credentials_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
