/*
 * Unit tests of the metadata: dates as they are written, bylines, titles, JSON-LD of any quality, and
 * which source wins.
 *
 *     test_metadata        no arguments
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/buf.h"
#include "meta/date.h"
#include "meta/names.h"
#include "support/extract.h"

/* ---- Dates ------------------------------------------------------------------------------- */

typedef struct date_example {
    const char *text, *language, *expected; /* "": there is none */
} date_example;

static void assert_date(const date_example *e)
{
    wn_date date;
    char written[WN_DATE_SIZE] = "";
    if (wn_meta_date_find(wn_str_of(e->text), wn_str_of(e->language), &date))
        wn_meta_date_write(&date, written);
    if (strcmp(written, e->expected) != 0)
        fail_msg("\"%s\" (%s): got \"%s\", expected \"%s\"", e->text, e->language, written,
                 e->expected);
}

#define CHECK_DATES(examples)                                                                      \
    for (size_t i = 0; i < sizeof(examples) / sizeof *(examples); i++)                             \
    assert_date(&(examples)[i])

static void reads_dates_of_programs(void **state)
{
    (void)state;
    static const date_example examples[] = {
        {"2024-05-03", "", "2024-05-03"},
        {"2024-05-03T10:11:12Z", "", "2024-05-03T10:11:12Z"},
        {"2024-05-03T10:11:12.345+02:00", "", "2024-05-03T10:11:12+02:00"},
        {"2024-05-03 10:11:12 -0530", "", "2024-05-03T10:11:12-05:30"},
        {"2024-05-03T10:11", "", "2024-05-03T10:11:00"},
        {"2024/5/3", "", "2024-05-03"},
        {"20240503", "", "2024-05-03"},
        {"20240503101112", "", "2024-05-03"},
        {"1714730000", "", "2024-05-03T09:53:20Z"},
        {"1714730000123", "", "2024-05-03T09:53:20Z"},
        {"951782400", "", ""},  /* nine digits are any number */
        {"9999999999", "", ""}, /* the year 2286 */
        {"5163748100", "", ""}, /* a telephone number */
        {"Fri, 03 May 2024 10:11:12 GMT", "en", "2024-05-03T10:11:12"},
    };
    CHECK_DATES(examples);
}

static void reads_dates_of_people(void **state)
{
    (void)state;
    static const date_example examples[] = {
        {"May 3, 2024", "en", "2024-05-03"},
        {"Published on May 3rd, 2024 by Jane", "en", "2024-05-03"},
        {"3rd of May, 2024", "en", "2024-05-03"},
        {"Sept. 9, 2023", "en", "2023-09-09"},
        {"2024 May 3", "en", "2024-05-03"},
        {"03-May-24", "en", "2024-05-03"},
        {"May 2024", "en", "2024-05"},
        {"Fri May 03, 2024 4:33 pm", "en", "2024-05-03T16:33:00"},
        {"3 May 2024 4:33PM IST", "en", "2024-05-03T16:33:00"},
        {"3 May 2024, 12:05 a.m.", "en", "2024-05-03"},
        {"3 May 2024 12:05 a.m. +0200", "en", "2024-05-03T00:05:00+02:00"},
        {"3 May 2024 12:05 pm", "en", "2024-05-03T12:05:00"},
        {"3 May 2024 16:33 PM", "en", "2024-05-03T16:33:00"},
        {"3. März 2024", "de", "2024-03-03"},
        {"le 1er août 2023", "fr", "2023-08-01"},
        {"3 de mayo de 2024", "es", "2024-05-03"},
        {"3 de março de 2024", "pt", "2024-03-03"},
        {"3 maggio 2024", "it", "2024-05-03"},
        {"3 maja 2024", "pl", "2024-05-03"},
        {"3 МАЯ 2024 г.", "ru", "2024-05-03"},
        {"3 Mayıs 2024", "tr", "2024-05-03"},
        {"٣ مايو ٢٠٢٤", "ar", "2024-05-03"},
        {"३ मई २०२४", "hi", "2024-05-03"},
        {"2024年5月3日", "ja", "2024-05-03"},
        {"2024년 5월 3일", "ko", "2024-05-03"},
        {"ngày 3 tháng 5 năm 2024", "vi", "2024-05-03"},
        {"3 พฤษภาคม 2567", "th", "2024-05-03"},
        {"เผยแพร่เมื่อ 15 ม.ค. 2567", "th", "2024-01-15"},
        {"๓ พฤษภาคม พ.ศ. ๒๕๖๗", "th", "2024-05-03"},
    };
    CHECK_DATES(examples);
}

static void language_tells_day_from_month(void **state)
{
    (void)state;
    static const date_example examples[] = {
        {"03/05/2024", "en", "2024-03-05"},    {"03/05/2024", "en-US", "2024-03-05"},
        {"03/05/2024", "en-GB", "2024-05-03"}, {"03/05/2024", "fr", "2024-05-03"},
        {"25/05/2024", "en", "2024-05-25"},    {"05/25/2024", "fr", "2024-05-25"},
        {"3.5.2024", "en", "2024-05-03"},      {"03/05/24", "de", "2024-05-03"},
        {"03/05/2567", "th", "2024-05-03"},    {"25/11/11-16:27", "el", "2011-11-25"},
    };
    CHECK_DATES(examples);
}

static void what_is_no_date(void **state)
{
    (void)state;
    static const date_example examples[] = {
        {"", "en", ""},
        {"yesterday", "en", ""},
        {"May 3", "en", ""},
        {"2023-02-29", "en", ""},
        {"31 June 2024", "en", "2024-06"}, /* of what is wrong the part that can be right */
        {"13/13/2024", "en", ""},
        {"192.168.20.24", "en", ""},
        {"1.2.24.7", "en", ""},
        {"1-2-24-7", "en", ""},
        {"call 555 0199 2024", "en", ""},
        {"99999999999999999999999999", "en", ""},
        {"May the 4th be with you", "en", ""},
    };
    CHECK_DATES(examples);
    static const date_example leap = {"2024-02-29", "en", "2024-02-29"};
    assert_date(&leap);
}

/* Every beginning and ending of a long text is read without harm; a sanitizer watches. */
static void dates_at_every_edge(void **state)
{
    (void)state;
    static const char text[] =
        "3 พ.ค. 2567 tháng 5 2024-05-03T10:11:12.5+02:00, May 3rd of the year";
    size_t len = sizeof text - 1;
    wn_date date;
    for (size_t from = 0; from < len; from++) {
        if ((text[from] & 0xC0) == 0x80)
            continue;
        for (size_t to = from; to <= len; to++) {
            if (to < len && (text[to] & 0xC0) == 0x80)
                continue;
            char *copy = malloc(to - from + 1);
            memcpy(copy, text + from, to - from);
            wn_meta_date_find(wn_str_from(copy, to - from), WN_STR("th"), &date);
            free(copy);
        }
    }
    wn_buf many = {0};
    for (int i = 0; i < 500; i++)
        wn_buf_add_literal(&many, "1/");
    assert_false(wn_meta_date_find(wn_buf_str(&many), WN_STR("en"), &date));
    wn_buf_free(&many);
}

/* ---- Names ------------------------------------------------------------------------------- */

static void assert_name(const char *text, const char *expected)
{
    wn_str name = wn_meta_name_clean(wn_str_of(text));
    if (!wn_str_eq(name, wn_str_of(expected)))
        fail_msg("\"%s\": got \"%.*s\", expected \"%s\"", text, WN_STR_ARGS(name), expected);
}

static void names_without_what_is_around_them(void **state)
{
    (void)state;
    assert_name("Jane Miller", "Jane Miller");
    assert_name("By Jane Miller", "Jane Miller");
    assert_name("BY: Jane Miller | May 3, 2024", "Jane Miller");
    assert_name("Written by Jane Miller on May 3, 2024", "Jane Miller");
    assert_name("Jane Miller, May 3, 2024", "Jane Miller");
    assert_name("ByJane Miller", "Jane Miller");
    assert_name("Von Johanna Müller", "Johanna Müller");
    assert_name("Par Jeanne Meunier", "Jeanne Meunier");
    assert_name("Автор: Анна Мельник", "Анна Мельник");
    assert_name("โดย สมชาย ใจดี", "สมชาย ใจดี");
    assert_name("作者：王小明", "王小明");
    assert_name("本报记者 王小明", "王小明");
    assert_name("Bypass Weaver", "Bypass Weaver");
    assert_name("Theo Miller", "Theo Miller");
    assert_name("admin", "");
    assert_name("https://example.org/jane", "");
    assert_name("{{ page.author }}", "");
    assert_name("page.head.author", "");
    assert_name("12345", "");
    assert_name("", "");
    assert_name("Jane Miller » 27 August 2019", "Jane Miller");
    assert_name("jane.r.miller", "jane.r.miller");
    assert_name("3i Global", "3i Global");
    assert_name("Jane Miller jane@mills.example", "Jane Miller");
    assert_name("jane@mills.example", "jane@mills.example");
    assert_name("Jane Miller —", "Jane Miller");
    assert_name("jane on", "jane");
    assert_name("Audio On", "Audio On");
    assert_name("Авторитет Мельник", "Авторитет Мельник");
}

static void junk_is_no_name(void **state)
{
    (void)state;
    assert_name("Skip to main content Search", "");
    assert_name("Home » Technology Solutions", "");
    assert_name("10 mins read", "");
    assert_name("4:45pm", "");
    assert_name("2809 Valley Road, Millville 18034", "");
    assert_name("I review different mills and sieves", "");
    assert_name("Fact-checked by Jane Miller", "");
    assert_name("Jun 2 Written By", "");
    assert_name("Learn More", "");
    assert_name("Гость", "");
    assert_name("注册", "");
    assert_name("[责任编辑：王小明 PX209]", ""); /* who edited it */
    assert_name("浏览：206 2019-03-14", "");     /* how often it was read */
    assert_name("Photo: Jane Miller", "");
    assert_name("Email: jane@mills.example", "");
    assert_name("Ж", "");
    assert_name("初心者向けに紹介します。", "");
}

/* ---- Whole pages ------------------------------------------------------------------------- */

static const winnow_metadata *read(void **state, const char *html, const char *url)
{
    extractor *e = *state;
    extractor_set(e, "explain", "yes");
    extractor_set(e, "url", url);
    return winnow_selection_metadata(extract_by(e, "all", html)->content);
}

static const char *source_of(const winnow_metadata *m, const char *field)
{
    for (size_t i = 0; i < m->source_count; i++)
        if (strcmp(m->sources[i].field, field) == 0)
            return m->sources[i].source;
    return "";
}

static void everything_from_the_head(void **state)
{
    const winnow_metadata *m = read(
        state,
        "<html lang=en><title>Mills of the North | The Daily Miller</title>"
        "<meta property=og:site_name content='The Daily Miller'>"
        "<meta name=author content='Jane Miller and Ann Weaver'>"
        "<meta property=article:published_time content=2024-05-03T10:11:12Z>"
        "<meta property=article:modified_time content=2024-06-01>"
        "<meta name=description content='On &amp; about mills.'>"
        "<meta name=keywords content='mill, wind , mill'><meta property=article:section content=Crafts>"
        "<meta property=og:image content=/a.png><link rel=canonical href=/mills>"
        "<link rel=license href=https://creativecommons.org/licenses/by/4.0/><p>Text",
        "https://example.org/x");
    assert_string_equal(m->title, "Mills of the North");
    assert_int_equal(m->author_count, 2);
    assert_string_equal(m->authors[0], "Jane Miller");
    assert_string_equal(m->authors[1], "Ann Weaver");
    assert_string_equal(m->published, "2024-05-03T10:11:12Z");
    assert_string_equal(m->modified, "2024-06-01");
    assert_string_equal(m->site, "The Daily Miller");
    assert_string_equal(m->description, "On & about mills.");
    assert_string_equal(m->language, "en");
    assert_string_equal(m->url, "https://example.org/mills");
    assert_string_equal(m->image, "https://example.org/a.png");
    assert_int_equal(m->tag_count, 2);
    assert_string_equal(m->tags[1], "wind");
    assert_int_equal(m->category_count, 1);
    assert_string_equal(m->license, "https://creativecommons.org/licenses/by/4.0/");
    assert_string_equal(source_of(m, "author"), "meta author");
}

static void json_ld_with_a_graph(void **state)
{
    const winnow_metadata *m = read(
        state,
        "<title>x</title><script type=application/ld+json>{\"@context\":\"https://schema.org\","
        "\"@graph\":[{\"@type\":\"WebSite\",\"name\":\"The Daily Miller\"},"
        "{\"@type\":[\"NewsArticle\"],\"headline\":\"Q&amp;A with a miller\",\"author\":"
        "[{\"@id\":\"#jane\"},\"Ann Weaver\"],\"datePublished\":\"2024-05-03\","
        "\"image\":{\"@type\":\"ImageObject\",\"url\":\"https://example.org/a.png\"},"
        "\"keywords\":[\"mill\",\"wind\"]},"
        "{\"@type\":\"Person\",\"@id\":\"#jane\",\"name\":\"Jane Miller\"}]}</script>"
        "<h1>Q&amp;A with a miller</h1>",
        NULL);
    assert_string_equal(m->title, "Q&A with a miller");
    assert_int_equal(m->author_count, 2);
    assert_string_equal(m->authors[0], "Jane Miller");
    assert_string_equal(m->published, "2024-05-03");
    assert_string_equal(m->site, "The Daily Miller");
    assert_string_equal(m->image, "https://example.org/a.png");
    assert_int_equal(m->tag_count, 2);
    assert_string_equal(source_of(m, "published"), "json-ld datePublished");
}

/* The first of many questions is not the title of their page; the only question of a page is. */
static void json_ld_with_questions(void **state)
{
    static const char *const types[] = {"\"FAQPage\"", "[\"WebPage\",\"FAQPage\"]", "\"QAPage\""};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        wn_buf html = {0};
        wn_buf_add_format(&html,
                          "<title>FAQ - Shop</title><script type=application/ld+json>{\"@type\":%s,"
                          "\"mainEntity\":[{\"@type\":\"Question\",\"name\":\"Is it free?\","
                          "\"acceptedAnswer\":{\"@type\":\"Answer\",\"text\":\"Yes.\"}}]}</script>"
                          "<h1>Frequently asked questions</h1><h2>Is it free?</h2><p>Yes.",
                          types[i]);
        const winnow_metadata *m = read(state, wn_buf_c_string(&html), NULL);
        assert_string_equal(m->title, i < 2 ? "FAQ - Shop" : "Is it free?");
        wn_buf_free(&html);
    }
}

/* Scripts of any quality: none of them may crash, and those around them still count. */
static void hostile_json_ld(void **state)
{
    static const char *const scripts[] = {
        "",
        "{",
        "[[[[[[",
        "{\"@type\":\"Article\",\"author\":",
        "{\"@type\":\"Article\",\"author\":[[[[\"x\"]]]]}",
        "{\"@type\":\"Article\",\"author\":{\"name\":{\"name\":[1,null]}}}",
        "{\"@type\":\"Article\",\"author\":{\"@id\":\"#a\"},\"@id\":\"#a\"}",
        "{\"@graph\":{\"@graph\":{\"@graph\":[]}}}",
        "{\"@type\":{\"@type\":7},\"mainEntity\":[1,{\"mainEntity\":\"x\"}]}",
        "{\"@type\":\"Article\",\"datePublished\":\"\\ud800\",\"headline\":\"\\u0000\"}",
        "[CDATA[[CDATA[[CDATA[",
        "//<![CDATA[\n{\"@type\":\"Article\"}\n//]]>",
    };
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        wn_buf html = {0};
        wn_buf_add_format(&html,
                          "<title>t</title><script type=application/ld+json>%s</script>"
                          "<meta name=author content='Jane Miller'><p>x",
                          scripts[i]);
        const winnow_metadata *m = read(state, wn_buf_c_string(&html), NULL);
        assert_int_equal(m->author_count, 1);
        assert_string_equal(m->title, "t");
        wn_buf_free(&html);
    }
}

/* Deep and wide JSON-LD, thousands of hints, thousands of metas: all of it is bounded. */
static void hostile_amounts(void **state)
{
    wn_buf html = {0};
    wn_buf_add_literal(&html, "<title>t</title><script type=application/ld+json>{\"@graph\":[");
    for (int i = 0; i < 20000; i++)
        wn_buf_add_literal(&html, "{\"@type\":\"Article\",\"author\":{\"@id\":\"#x\"}},");
    wn_buf_add_literal(&html, "{}]}</script>");
    for (int i = 0; i < 20000; i++)
        wn_buf_add_literal(&html, "<meta property=article:tag content=tag><div class=author>"
                                  "<span class=date>3 May");
    const winnow_metadata *m = read(state, wn_buf_c_string(&html), NULL);
    assert_string_equal(m->title, "t");
    assert_true(m->tag_count <= 32);
    wn_buf_free(&html);
}

static void bylines_near_the_title(void **state)
{
    const winnow_metadata *m = read(
        state,
        "<html lang=en><title>Mills of the North - Miller</title>"
        "<nav>1 January 2001</nav><h1>Mills of the North</h1>"
        "<p>By Jane Miller</p><p>May 3, 2024</p><p>Text about mills.</p>"
        "<div class=comment><span class=author>Bob</span>"
        "<time datetime=2024-07-07></time></div>",
        NULL);
    assert_string_equal(m->title, "Mills of the North");
    assert_int_equal(m->author_count, 1);
    assert_string_equal(m->authors[0], "Jane Miller");
    assert_string_equal(m->published, "2024-05-03");
    assert_string_equal(source_of(m, "author"), "byline");
}

/* Who looks after a forum, since when its members are there, and what its columns are called. */
static void forums_say_more_than_who_wrote(void **state)
{
    const winnow_metadata *m = read(
        state,
        "<html lang=en><title>Mills</title><h1>Mills</h1>"
        "<p><b>Moderators:</b> <a class=username href=u1>Bob</a>, <a class=username href=u2>Eve</a>"
        "<div><div class=author>Author</div><div class=title>Discussion</div></div>"
        "<dl><dt><a class=username href=u3>Jane Miller</a>"
        "<dd><b>Joined:</b> <span class=timestamp>Thu Nov 17, 2011 6:12 am</span></dl>"
        "<p class=author><span class=timestamp>Fri May 03, 2024 6:50 pm</span></p>"
        "<p>My mill turns no more.</p>",
        NULL);
    assert_int_equal(m->author_count, 1);
    assert_string_equal(m->authors[0], "Jane Miller");
    assert_string_equal(m->published, "2024-05-03T18:50:00");
}

static void owners_and_functions_are_no_authors(void **state)
{
    const winnow_metadata *m = read(state,
                                    "<html lang=en><title>Mills</title><h1>Mills</h1>"
                                    "<p>Created by <code>Wheel::turn</code>.</p><p>Text.</p>"
                                    "<div class=vcard>© <span>2014</span> Mills Ltd</div>",
                                    NULL);
    assert_int_equal(m->author_count, 0);
}

static void what_readers_see_beats_the_head(void **state)
{
    static const char head[] = "<html lang=en><title>Mills of the North</title>"
                               "<meta name=author content=admin7>"
                               "<meta property=article:published_time content=2024-01-01>";
    char html[1024];
    snprintf(html, sizeof html, "%s<h1>Mills of the North</h1><p>By Jane Miller<p>May 3, 2024<p>x",
             head);
    const winnow_metadata *m = read(state, html, NULL);
    assert_string_equal(m->authors[0], "Jane Miller");
    assert_string_equal(m->published, "2024-05-03");
    snprintf(
        html, sizeof html,
        "%s<h1>Mills of the North</h1><p>Reviewed by Ann Weaver<p>Last updated<p>May 3, 2024<p>x",
        head);
    m = read(state, html, NULL);
    assert_string_equal(m->authors[0], "admin7");
    assert_string_equal(m->published, "2024-01-01");
    assert_string_equal(m->modified, "2024-05-03");
    m = read(state,
             "<html lang=en><title>A mill</title><meta name=pubdate content=2024-05-03T10:11:12Z>"
             "<h1>A mill</h1><p>May 3, 2024<p>x",
             NULL);
    assert_string_equal(m->published, "2024-05-03T10:11:12Z");
    m = read(state, "<title>A mill</title><h1>A mill</h1><p>Written by<p>Jane Miller<p>x", NULL);
    assert_string_equal(m->authors[0], "Jane Miller");
}

/* Cards have pairs of labels and values; only one that says so is an author. */
static void labels_of_cards(void **state)
{
    const winnow_metadata *m = read(state,
                                    "<title>A mill</title>"
                                    "<meta name=twitter:label1 content='Est. reading time'>"
                                    "<meta name=twitter:data1 content='5 minutes'>"
                                    "<meta name=twitter:label2 content='Written by'>"
                                    "<meta name=twitter:data2 content='Jane Miller'><p>x",
                                    NULL);
    assert_int_equal(m->author_count, 1);
    assert_string_equal(m->authors[0], "Jane Miller");
}

static void licences_of_plain_links(void **state)
{
#define CC(kind) "<a href='https://creativecommons.org/licenses/" kind "/4.0/'>CC</a>"
    assert_string_equal(read(state, "<p>A text. " CC("by"), NULL)->license,
                        "https://creativecommons.org/licenses/by/4.0/");
    assert_string_equal(read(state, "<p>" CC("by") "<p>" CC("by-nd"), NULL)->license, "");
    assert_string_equal(
        read(state, "<p>" CC("by-nd") "<footer>" CC("by-sa") "</footer>", NULL)->license,
        "https://creativecommons.org/licenses/by-sa/4.0/");
    assert_string_equal(
        read(state, "<figure><img src=a><figcaption>" CC("by") "</figure>", NULL)->license, "");
    assert_string_equal(
        read(state, "<p><a href='https://creativecommons.org/about/'>CC</a>", NULL)->license, "");
#undef CC
}

static void empty_lists_are_no_tags(void **state)
{
    const winnow_metadata *m = read(
        state, "<meta name=keywords content='[]'><meta property=article:section content=null><p>x",
        NULL);
    assert_int_equal(m->tag_count, 0);
    assert_int_equal(m->category_count, 0);
}

static void microdata_and_addresses(void **state)
{
    const winnow_metadata *m = read(
        state,
        "<title>A mill</title><article><h1>A mill</h1><div itemprop=author itemscope>"
        "<img alt=x><span itemprop=name>Jane Miller</span><i>joined 2001</i></div></article>",
        "https://example.org/2024/05/03/a-mill");
    assert_int_equal(m->author_count, 1);
    assert_string_equal(m->authors[0], "Jane Miller");
    assert_string_equal(m->published, "2024-05-03");
    assert_string_equal(source_of(m, "published"), "url");
}

/* A date in words next to the title is surer than the head of the page, one in numbers is not. */
static void dates_in_words_next_to_the_title(void **state)
{
    static const char *const shown[][2] = {
        {"3 May 2024", "2024-05-03"},
        {"2024年5月3日 大山", "2024-05-03"},
        {"03/05/2024 by the mill", "2023-10-31T08:47:16Z"},
        {"21.10.2019 · Mills", "2023-10-31T08:47:16Z"},
    };
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        wn_buf html = {0};
        wn_buf_add_format(
            &html,
            "<title>Old mills</title><meta property=article:published_time "
            "content='2023-10-31T08:47:16+00:00'><h1>Old mills</h1><p>%s<p>They turn.",
            shown[i][0]);
        assert_string_equal(read(state, wn_buf_c_string(&html), NULL)->published, shown[i][1]);
        wn_buf_free(&html);
    }
}

/* Whoever is named in a menu did not write the page; a <nav> that is never closed is not a menu. */
static void navigation_names_no_author(void **state)
{
    const winnow_metadata *m = read(
        state, "<title>A mill</title><nav><a rel=author href=/j>Jane Miller</a></nav><p>It turns.",
        NULL);
    assert_int_equal(m->author_count, 0);
    m = read(state, "<title>A mill</title><nav><nav><nav><a rel=author href=/j>Jane Miller</a>",
             NULL);
    assert_int_equal(m->author_count, 1);
}

static void a_logo_is_no_title(void **state)
{
    const winnow_metadata *m = read(state,
                                    "<title>Mills of the North | The Daily Miller</title>"
                                    "<meta property=og:site_name content='The Daily Miller'>"
                                    "<h1>The Daily Miller</h1><h1>Mills of the North</h1><p>x",
                                    NULL);
    assert_string_equal(m->title, "Mills of the North");
    assert_string_equal(read(state, "<title>A | B</title><p>x", NULL)->title, "A | B");
    assert_string_equal(read(state, "<h1>Only a heading</h1><p>x", NULL)->title, "Only a heading");
    assert_string_equal(read(state, "<p>x", NULL)->title, "");
    assert_string_equal(read(state, "<title>Mills |</title><p>x", NULL)->title, "Mills");
    assert_string_equal(read(state, "<title>– Mills</title><p>x", NULL)->title, "Mills");
    assert_string_equal(read(state, "<title>Mills -B-</title><p>x", NULL)->title, "Mills -B-");
    m = read(state, "<title>Wheels - Manual</title><h1>Wheels<a href='#wheels'>¶</a></h1><p>x",
             NULL);
    assert_string_equal(m->title, "Wheels");
    m = read(
        state,
        "<title>Which sieve? - The Miller's Book</title><h1>The Miller's Book</h1><h2>Which sieve?</h2><p>x",
        NULL);
    assert_string_equal(m->title, "Which sieve?");
    m = read(
        state,
        "<title>Which sieve is right for rye? - mills.example</title><h1>mills.example</h1><p>x",
        NULL);
    assert_string_equal(m->title, "Which sieve is right for rye?");
    m = read(state, "<title>Mills - all of it</title><h1>Which sieve?</h1><p>x",
             "https://mills.example/t/1");
    assert_string_equal(m->title, "Which sieve?");
}

/* The title ends where a block of the page ends it; the rest of <title> names parts of the site. */
static void a_title_as_it_is_shown(void **state)
{
    static const char title[] =
        "<title>Old mills - how they turn - North - The Daily Miller</title>";
    wn_buf html = {0};
    wn_buf_add_format(&html, "%s<div>Old mills: how they turn</div><p>They turn.", title);
    assert_string_equal(read(state, wn_buf_c_string(&html), NULL)->title,
                        "Old mills - how they turn");
    wn_buf_clear(&html);
    wn_buf_add_format(&html, "%s<p>They turn.", title);
    assert_string_equal(read(state, wn_buf_c_string(&html), NULL)->title,
                        "Old mills - how they turn - North");
    wn_buf_free(&html);
}

/* One of the posts of a front page is not its title, though <title> has words of it. */
static void titles_of_posts_are_not_the_pages(void **state)
{
    static const char html[] = "<title>Grain: all of mills, wooden wheels and sieves</title>"
                               "<h1>Wooden wheels</h1><p>x<h1>Rye</h1><p>x<h1>Flour</h1><p>x";
    wn_buf list = {0};
    assert_string_equal(read(state, html, NULL)->title, "Wooden wheels");
    wn_buf_add_format(&list, "%s<h1>Bread</h1><p>x", html);
    assert_string_equal(read(state, wn_buf_c_string(&list), NULL)->title,
                        "Grain: all of mills, wooden wheels and sieves");
    wn_buf_free(&list);
    assert_string_equal(read(state,
                             "<title>Mills of the north | Grain</title><meta property=og:title "
                             "content='Mills of the north | Grain'><p>x",
                             NULL)
                            ->title,
                        "Mills of the north");
}

/* "Views" is the head of the next column, and no name. */
static void heads_of_columns_are_no_names(void **state)
{
    const winnow_metadata *m = read(
        state,
        "<title>Mills</title><h1>Mills</h1><table><tr><th>Author</th><th>Visits</th></tr>"
        "<tr><td>Jane</td><td>3</td></tr></table>",
        NULL);
    assert_int_equal(m->author_count, 0);
}

/* The label of a field and the choices of a form ask for a name, and give none. */
static void forms_name_no_author(void **state)
{
    static const char *const pages[] = {
        "<div class=username><label>Name or number</label><input></div>",
        "<label class=username>Alias</label><input>",
        "<select><option>Author<option>Height</select>",
        "<h2>Авторизация</h2>",
        "<a href=/profile/?forgotten>Lost keys?</a>",
        "<a href=/contributor/index.html>How to help</a>",
    };
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        wn_buf html = {0};
        wn_buf_add_format(&html, "<title>Mills</title><h1>Mills</h1>%s<p>They turn.", pages[i]);
        const winnow_metadata *m = read(state, wn_buf_c_string(&html), NULL);
        if (m->author_count > 0)
            fail_msg("%s: author %s", pages[i], m->authors[0]);
        wn_buf_free(&html);
    }
}

/* The menu that opens below the name of a member of a forum is no part of it; a list may name. */
static void menus_are_no_part_of_names(void **state)
{
    const winnow_metadata *m = read(
        state,
        "<title>Mills</title><h1>Mills</h1><div class=username><a href=/m/1>jane</a><ul>"
        "<li><a href=/m/1>View Profile</a><li><a href=/p/1>View Posts</a></ul></div><p>They turn.",
        NULL);
    assert_int_equal(m->author_count, 1);
    assert_string_equal(m->authors[0], "jane");
    m = read(state,
             "<title>Mills</title><h1>Mills</h1><div class=authors><ul><li><a href=/j>Jane Miller"
             "</a></ul></div><p>They turn.",
             NULL);
    assert_string_equal(m->authors[0], "Jane Miller");
}

/* The address tells day from month, and so does the script of the title. */
static void the_order_of_a_date(void **state)
{
    static const char html[] = "<html lang=en><title>Mills of the north</title><h1>Mills of the "
                               "north</h1><p>01/05/2018</p><p>They turn.</p>";
    const char *url = "https://mills.example/2018/05/01/mills";
    assert_string_equal(read(state, html, url)->published, "2018-05-01");
    assert_string_equal(read(state, html, NULL)->published, "2018-01-05");
    assert_string_equal(read(state,
                             "<html lang=en><title>Παλιοί μύλοι</title><h1>Παλιοί μύλοι</h1>"
                             "<p>01/05/2018</p><p>x</p>",
                             NULL)
                            ->published,
                        "2018-05-01");
}

static void a_language_is_a_tag(void **state)
{
    static const char *const declared[][2] = {
        {"en", "en"},     {"pt_BR", "pt-BR"}, {"zh-Hant-TW", "zh-Hant-TW"},
        {"de, en", "de"}, {"x<b>", ""},       {"2024-13-45", ""},
        {"e", ""},        {"english!", ""},   {"en\"><i>", ""},
        {"utf-8", ""},    {"English", ""},    {"iso-8859-1", ""},
    };
    for (size_t i = 0; i < sizeof declared / sizeof *declared; i++) {
        wn_buf html = {0};
        wn_buf_add_format(&html, "<html lang='%s'><p>x", declared[i][0]);
        assert_string_equal(read(state, wn_buf_c_string(&html), NULL)->language, declared[i][1]);
        wn_buf_free(&html);
    }
}

static void programs_are_no_addresses(void **state)
{
    const winnow_metadata *m = read(state,
                                    "<link rel=canonical href='javascript:alert(1)'>"
                                    "<meta property=og:url content=http://a.example/x>"
                                    "<meta property=og:image content='data:image/png;base64,AA'>"
                                    "<link rel=license href='JavaScript:alert(1)'><p>x",
                                    NULL);
    assert_string_equal(m->url, "http://a.example/x");
    assert_string_equal(m->image, "");
    assert_string_equal(m->license, "");
}

/* Methods without a tree know what the tokens tell. */
static void less_without_a_tree(void **state)
{
    static const char html[] = "<html lang=de><title>Mühlen</title><meta name=author content=J>"
                               "<body><p>Ein Text über Mühlen.";
    const winnow_metadata *m = winnow_selection_metadata(extract_by(*state, "bte", html)->content);
    assert_string_equal(m->title, "Mühlen");
    assert_string_equal(m->language, "de");
    assert_int_equal(m->author_count, 0);
}

static void front_matter_is_yaml(void **state)
{
    extractor *e = *state;
    extractor_set(e, "metadata", "yes");
    static const char html[] = "<title>A: \"b\"\n---\nc</title><meta name=author content='J. M.'>"
                               "<meta property=article:published_time content=2024-05-03><p>Text.";
    const extracted *result = extract_by(e, "all", html);
    assert_string_equal(result->text, "---\ntitle: \"A: \\\"b\\\" --- c\"\nauthors: [\"J. M.\"]\n"
                                      "date: 2024-05-03\n---\n\nText.\n");
    extractor_set(e, "metadata", "no");
    assert_string_equal(extract_by(e, "all", html)->text, "Text.\n");
    extractor_set(e, "metadata", "yes");
    assert_int_equal(extract_by(e, "all", "<p>")->status, WINNOW_STATUS_EMPTY);
}

/* What JSON may hold as it is and YAML may not: control characters, and what is no character. */
static void front_matter_escapes_more_than_json(void **state)
{
    extractor *e = *state;
    extractor_set(e, "metadata", "yes");
    static const char html[] = "<title>a\x7F&#x81;\xC2\x85\xEF\xBF\xBE z</title><p>Text.";
    const extracted *result = extract_by(e, "all", html);
    assert_string_equal(result->text,
                        "---\ntitle: \"a\\u007f\\u0081\\u0085\\ufffe z\"\n---\n\nText.\n");
}

#define PAGE_TEST(test) cmocka_unit_test_setup_teardown(test, extractor_open, extractor_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_dates_of_programs),
        cmocka_unit_test(reads_dates_of_people),
        cmocka_unit_test(language_tells_day_from_month),
        cmocka_unit_test(what_is_no_date),
        cmocka_unit_test(dates_at_every_edge),
        cmocka_unit_test(names_without_what_is_around_them),
        cmocka_unit_test(junk_is_no_name),
        PAGE_TEST(everything_from_the_head),
        PAGE_TEST(json_ld_with_a_graph),
        PAGE_TEST(json_ld_with_questions),
        PAGE_TEST(hostile_json_ld),
        PAGE_TEST(hostile_amounts),
        PAGE_TEST(bylines_near_the_title),
        PAGE_TEST(forums_say_more_than_who_wrote),
        PAGE_TEST(owners_and_functions_are_no_authors),
        PAGE_TEST(what_readers_see_beats_the_head),
        PAGE_TEST(labels_of_cards),
        PAGE_TEST(dates_in_words_next_to_the_title),
        PAGE_TEST(licences_of_plain_links),
        PAGE_TEST(empty_lists_are_no_tags),
        PAGE_TEST(microdata_and_addresses),
        PAGE_TEST(navigation_names_no_author),
        PAGE_TEST(a_logo_is_no_title),
        PAGE_TEST(a_title_as_it_is_shown),
        PAGE_TEST(titles_of_posts_are_not_the_pages),
        PAGE_TEST(heads_of_columns_are_no_names),
        PAGE_TEST(forms_name_no_author),
        PAGE_TEST(menus_are_no_part_of_names),
        PAGE_TEST(the_order_of_a_date),
        PAGE_TEST(a_language_is_a_tag),
        PAGE_TEST(programs_are_no_addresses),
        PAGE_TEST(less_without_a_tree),
        PAGE_TEST(front_matter_is_yaml),
        PAGE_TEST(front_matter_escapes_more_than_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
