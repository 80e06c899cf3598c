/*
 * Fuzzes the writers: pages made of the markup that they tell apart, in every format.
 *
 * A byte of the input is a piece of markup or a word; so a few bytes nest lists in cells in
 * footnotes, which random changes to a page of text would hardly do. A byte of 0xFF makes the rest the
 * text of the page as it is.
 *
 * Properties: every output is well-formed UTF-8 and ends with a NUL; JSON can be read back; the elements
 * of HTML, XML and TEI are closed in order; a block of code in Markdown is closed; no output is larger than
 * its limit; writing twice gives the same bytes.
 */
#include "checks.h"

static const char *const pieces[] = {
    "word ",
    "two words",
    "1.",
    "- ",
    "* ",
    "# ",
    "> ",
    "|",
    "`",
    "```",
    "$",
    "$$",
    "\\(",
    "\\)",
    "[",
    "]",
    "](",
    "![",
    "<br>",
    "&lt;",
    "&amp;",
    "_",
    "**",
    "~~",
    ":",
    "\n",
    " ",
    "\xC2\xA0",
    "\xE4\xB8\xAD",
    "\xE2\x80\x9C",
    "https://x.example/a_b(c)",
    "<p>",
    "</p>",
    "<h1>",
    "<h3>",
    "</h3>",
    "<ul>",
    "</ul>",
    "<ol>",
    "<ol start=7 reversed>",
    "<ol type=a>",
    "</ol>",
    "<li>",
    "<li value=3>",
    "<li><input type=checkbox checked>",
    "</li>",
    "<dl>",
    "<dt>",
    "<dd>",
    "</dl>",
    "<blockquote>",
    "</blockquote>",
    "<pre>",
    "<pre><code class=language-c>",
    "</code></pre>",
    "</pre>",
    "<code>",
    "</code>",
    "<b>",
    "</b>",
    "<i>",
    "</i>",
    "<em>",
    "</em>",
    "<strong>",
    "</strong>",
    "<del>",
    "</del>",
    "<ins>",
    "</ins>",
    "<mark>",
    "</mark>",
    "<kbd>",
    "</kbd>",
    "<q>",
    "</q>",
    "<abbr title='x &quot; y'>",
    "</abbr>",
    "<sub>",
    "</sub>",
    "<sup>",
    "</sup>",
    "<a href='/x?a=b&amp;c'>",
    "<a href='#n1' id=r1>",
    "</a>",
    "<sup><a href='#fn1' id='fnref1'>1</a></sup>",
    "<section class=footnotes><ol><li id=fn1>",
    "</ol></section>",
    "<a href='#fnref1'>\xE2\x86\xA9</a>",
    "<table>",
    "</table>",
    "<caption>",
    "</caption>",
    "<tr>",
    "</tr>",
    "<th>",
    "<td>",
    "<td rowspan=3>",
    "<td colspan=4>",
    "<td rowspan=65534 colspan=1000>",
    "<td align=right>",
    "</td>",
    "<img src=a.png alt='x] y'>",
    "<img data-src='b c.png' alt=''>",
    "<figure>",
    "<figcaption>",
    "</figure>",
    "<hr>",
    "<details><summary>",
    "</summary>",
    "</details>",
    "<div class='admonition note'>",
    "<div class='markdown-alert markdown-alert-tip'>",
    "</div>",
    "<div>",
    "<iframe src='https://x.example/v' title=video></iframe>",
    "<video src=v.mp4></video>",
    "<ruby>",
    "<rt>",
    "</ruby>",
    "<math><mfrac><mi>a</mi><mn>2</mn></mfrac></math>",
    "<math><msup>",
    "<mi>x</mi>",
    "</math>",
    "<math><annotation encoding='application/x-tex'>\\frac{a}{b",
    "<span class=katex>",
    "<script type='math/tex'>x^2</script>",
    "<span class='math inline'>\\(x\\)</span>",
    "<span>",
    "</span>",
    "<br><br>",
    "<!-- c -->",
    "<p hidden>",
    "<button>",
};

enum { PIECES = sizeof pieces / sizeof *pieces, RAW = 0xFF, LARGEST = 64 << 10 };

static void make_page(wn_buf *page, fuzz_input *input)
{
    wn_str rest = fuzz_rest(input);
    for (size_t i = 0; i < rest.len && page->len < LARGEST; i++) {
        unsigned char byte = (unsigned char)rest.ptr[i];
        if (byte == RAW) {
            wn_buf_add(page, wn_str_from_offset(rest, i + 1));
            return;
        }
        wn_buf_add_literal(page, pieces[byte % PIECES]);
    }
}

/* Fences of three or more backticks at the start of lines, each closed by one as long. */
static void check_fences(wn_str text)
{
    size_t open = 0;
    while (text.len > 0) {
        wn_str line = wn_str_take_until(&text, '\n');
        size_t at = 0, ticks = 0;
        while (at < line.len && strchr("> -*0123456789.)[]^:", line.ptr[at]))
            at++;
        while (at + ticks < line.len && line.ptr[at + ticks] == '`')
            ticks++;
        bool has_more = at + ticks < line.len;
        if (open == 0 && ticks >= 3 && !memchr(line.ptr + at + ticks, '`', line.len - at - ticks))
            open = ticks;
        else if (ticks >= open && !has_more)
            open = 0;
    }
    FUZZ_CHECK(open == 0);
}

static void check_output(winnow_format format, wn_str text, size_t page_size)
{
    enum {
        SMALL = 1 << 14,
        GROWTH = 200
    }; /* a byte becomes a cell of a row that is filled up, or an address */
    fuzz_check_utf8(text);
    FUZZ_CHECK(text.ptr[text.len] == '\0');
    FUZZ_CHECK(text.len <= SMALL + page_size * GROWTH);
    if (format == WINNOW_FORMAT_JSON || format == WINNOW_FORMAT_JSONL)
        fuzz_check_json(text);
    if (fuzz_is_markup(format))
        fuzz_check_elements(text);
    if (format == WINNOW_FORMAT_MARKDOWN)
        check_fences(text);
}

static winnow_options *take_options(fuzz_input *input)
{
    winnow_options *options = winnow_options_new();
    uint32_t flags = fuzz_choice(input, 256);
    FUZZ_CHECK(options);
    winnow_options_set_flag(options, WINNOW_OPTION_LINKS, !(flags & 1));
    winnow_options_set_flag(options, WINNOW_OPTION_FORMATTING, !(flags & 2));
    winnow_options_set_flag(options, WINNOW_OPTION_IMAGES, !(flags & 4));
    winnow_options_set_flag(options, WINNOW_OPTION_BLOCKS, !(flags & 8));
    winnow_options_set_flag(options, WINNOW_OPTION_STANDALONE, flags & 16);
    winnow_options_set_flag(options, WINNOW_OPTION_TABLES, !(flags & 32));
    winnow_options_set(options, "text_format", flags & 64 ? "md" : flags & 128 ? "html" : "txt");
    winnow_options_set(options, "url", "https://example.org/a/b?c#d");
    return options;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const methods[] = {"all", "auto", "xpath"};
    fuzz_input input = {data, size};
    winnow_options *options = take_options(&input);
    const char *method = methods[fuzz_choice(&input, 3)];
    wn_buf html = {0};
    make_page(&html, &input);
    winnow_page *page = winnow_page_new();
    FUZZ_CHECK(page && !html.failed);
    winnow_parse(page, html.len ? html.ptr : "", html.len, options);
    winnow_selection *content = winnow_select(page, method, options);
    for (int format = 0; content && format <= WINNOW_FORMAT_CSV; format++) {
        size_t len;
        const char *text = winnow_write(content, (winnow_format)format, options, &len);
        FUZZ_CHECK(text);
        check_output((winnow_format)format, wn_str_from(text, len), html.len);
        uint64_t first = fuzz_digest(0, wn_str_from(text, len));
        text = winnow_write(content, (winnow_format)format, options, &len);
        FUZZ_CHECK(text && fuzz_digest(0, wn_str_from(text, len)) == first);
    }
    winnow_page_free(page);
    winnow_options_free(options);
    wn_buf_free(&html);
    return 0;
}
