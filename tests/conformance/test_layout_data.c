/*
 * Layout against pages that say themselves how large their elements are and where.
 *
 *     test_layout_data FOLDER              W3C layout tests: elements with data-expected-width,
 *                                          data-expected-height, data-offset-x, data-offset-y
 *     test_layout_data FOLDER --wrong      the same, and every value that is not met
 *     test_layout_data --values FILE...    one line per value: file, number, expected, found
 *     test_layout_data --boxes FILE...     one line an element: number, name, box
 *     test_layout_data --time FILE...      how long parsing, styles and layout take
 *
 * A value is met if it is within one pixel. The tests' own style sheets and fonts are not there, so
 * a browser does not meet all either; tests/conformance/layout_browser.txt says which values Chromium
 * meets on the same bytes (tools/compare_layout.py writes it), and those count.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/files.h"
#include "support/laid_out.h"

/* The bars: of the files and the values that the browser gets right. */
enum { WANTED_FILES_PERCENT = 91, WANTED_VALUES_PERCENT = 97 };

static const char *const value_names[] = {"data-expected-width", "data-expected-height",
                                          "data-offset-x", "data-offset-y"};

typedef struct counts {
    unsigned files, right_files, values, right_values;
} counts;

/* ---- Values ------------------------------------------------------------------------------ */

static wn_str attr_named(const wn_node *node, const char *name)
{
    for (uint32_t i = 0; i < node->len; i++)
        if (wn_str_eq(wn_str_from(node->attrs[i].name, node->attrs[i].name_len), wn_str_of(name)))
            return wn_attr_value(&node->attrs[i]);
    return WN_STR("");
}

static bool is_table_box(const wn_node *node)
{
    return wn_node_is(node, WN_TAG_TD) || wn_node_is(node, WN_TAG_TH) ||
           wn_node_is(node, WN_TAG_TABLE);
}

/* https://drafts.csswg.org/cssom-view/#dom-htmlelement-offsetparent */
static wn_node_id offset_parent(const laid_out *page, wn_node_id node)
{
    bool is_static = wn_css_style_of(page->styles, node)->position == WN_POSITION_STATIC;
    for (wn_node_id id = wn_doc_node(&page->doc, node)->parent; id > WN_DOCUMENT_NODE;
         id = wn_doc_node(&page->doc, id)->parent) {
        const wn_node *n = wn_doc_node(&page->doc, id);
        const wn_style *style = wn_css_style_of(page->styles, id);
        if (style->position != WN_POSITION_STATIC || style->has_transform ||
            wn_node_is(n, WN_TAG_BODY) || (is_static && is_table_box(n)))
            return id;
    }
    return WN_NO_NODE;
}

static double found_value(const laid_out *page, wn_node_id node, int which)
{
    const wn_box *box = &page->boxes->items[node];
    if (which < 2)
        return wn_unit_px(which == 0 ? box->width : box->height);
    wn_node_id parent = offset_parent(page, node);
    double at = wn_unit_px(which == 2 ? box->x : box->y);
    const wn_style *style = wn_css_style_of(page->styles, parent);
    bool is_page = wn_node_is(wn_doc_node(&page->doc, parent), WN_TAG_BODY) &&
                   style->position == WN_POSITION_STATIC;
    if (parent == WN_NO_NODE || is_page)
        return at;
    const wn_box *outer = &page->boxes->items[parent];
    return which == 2 ? at - wn_unit_px(outer->x) - style->border_width[WN_LEFT]
                      : at - wn_unit_px(outer->y) - style->border_width[WN_TOP];
}

typedef void value_function(void *data, unsigned number, const char *name, double expected,
                            double found, wn_str where);

/* Calls `function` for every expected value of the page, in document order. */
static void for_values(const laid_out *page, value_function *function, void *data)
{
    unsigned number = 0;
    for (wn_node_id id = WN_DOCUMENT_NODE; id; id = wn_doc_next(&page->doc, id, WN_DOCUMENT_NODE)) {
        const wn_node *node = wn_doc_node(&page->doc, id);
        if (node->kind != WN_KIND_ELEMENT)
            continue;
        for (int which = 0; which < 4; which++) {
            wn_str text = attr_named(node, value_names[which]);
            char number_text[32] = "";
            if (text.len == 0 || text.len >= sizeof number_text)
                continue;
            memcpy(number_text, text.ptr, text.len);
            char *end;
            double expected = strtod(number_text, &end);
            if (end != number_text)
                function(data, number++, value_names[which], expected, found_value(page, id, which),
                         wn_node_name(node));
        }
    }
}

/* ---- What the browser gets right --------------------------------------------------------- */

/* The line of a file in the list: '1' for each value the browser meets; NULL if there is none. */
static const char *browser_line(const char *list, const char *path)
{
    size_t length = strlen(path);
    for (const char *line = list; line && *line;
         line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        const char *tab = strchr(line, ' ');
        if (tab && (size_t)(tab - line) <= length &&
            memcmp(line, path + length - (size_t)(tab - line), (size_t)(tab - line)) == 0)
            return tab + 1;
    }
    return NULL;
}

typedef struct page_check {
    const char *path, *browser;
    unsigned values, right, browser_right, both;
    bool show;
} page_check;

static void check_value(void *data, unsigned number, const char *name, double expected,
                        double found, wn_str where)
{
    page_check *check = data;
    bool right = fabs(expected - found) <= 1;
    bool counts = check->browser && strlen(check->browser) > number &&
                  check->browser[number] == '1';
    check->values++;
    check->right += right;
    check->browser_right += counts;
    check->both += counts && right;
    if (check->show && counts && !right)
        printf("    %s: value %u: <%.*s> %s is %g, not %g\n", check->path, number,
               WN_STR_ARGS(where), name, found, expected);
}

/* ---- Reports ----------------------------------------------------------------------------- */

static int percent(unsigned part, unsigned whole)
{
    return whole ? (int)(100 * part / whole) : 100;
}

/* The folder of a test below the set: "css/css-flexbox". */
static void folder_of(char *out, size_t size, const char *path, const char *set)
{
    const char *rest = path + strlen(set);
    while (*rest == '/')
        rest++;
    const char *end = strchr(rest, '/');
    end = end ? strchr(end + 1, '/') : NULL;
    snprintf(out, size, "%.*s", end ? (int)(end - rest) : (int)strlen(rest), rest);
}

static void add(counts *sum, const page_check *check)
{
    sum->files += check->browser_right == check->values;
    sum->right_files += check->browser_right == check->values && check->both == check->values;
    sum->values += check->browser_right;
    sum->right_values += check->both;
}

static void print_counts(const char *name, const counts *c)
{
    printf("%-24s files %3u of %3u (%3d%%)   values %4u of %4u (%3d%%)\n", name, c->right_files,
           c->files, percent(c->right_files, c->files), c->right_values, c->values,
           percent(c->right_values, c->values));
}

static int check_folder(const char *set, bool show)
{
    wn_buf list = {0}, html = {0};
    test_files files = {0};
    if (!test_file_read(&list, TESTS_DIR "/conformance/layout_browser.txt") ||
        !test_files_find(&files, set, ".html"))
        test_skip("no layout tests", set);
    laid_out page;
    laid_out_init(&page);
    laid_out_run(&page, WN_STR("<p style='float:left'>"), false);
    if (!page.styles || !page.styles->has_author_css)
        test_skip("styles of pages are not read", set);
    counts sum = {0}, part = {0};
    char folder[256] = "", next[256];
    for (size_t i = 0; i < files.count; i++) {
        wn_buf_clear(&html);
        if (!test_file_read(&html, files.paths[i]))
            continue;
        folder_of(next, sizeof next, files.paths[i], set);
        if (strcmp(folder, next) != 0) {
            if (*folder)
                print_counts(folder, &part);
            part = (counts){0};
            memcpy(folder, next, sizeof next);
        }
        laid_out_run(&page, wn_buf_str(&html), false);
        page_check check = {.path = files.paths[i],
                            .browser = browser_line(wn_buf_c_string(&list), files.paths[i]),
                            .show = show};
        for_values(&page, check_value, &check);
        if (check.values == 0)
            continue;
        add(&sum, &check);
        add(&part, &check);
        if (show && check.browser_right == check.values && check.both < check.values)
            printf("  file %s: %u of %u\n", files.paths[i], check.both, check.values);
    }
    print_counts(folder, &part);
    print_counts("all", &sum);
    laid_out_free(&page);
    test_files_free(&files);
    wn_buf_free(&list);
    wn_buf_free(&html);
    bool files_good = percent(sum.right_files, sum.files) >= WANTED_FILES_PERCENT;
    bool values_good = percent(sum.right_values, sum.values) >= WANTED_VALUES_PERCENT;
    printf("%d passed, %d failed\n", files_good + values_good, !files_good + !values_good);
    return files_good && values_good && sum.files > 0 ? 0 : 1;
}

/* ---- Dumps ------------------------------------------------------------------------------- */

static void print_value(void *data, unsigned number, const char *name, double expected,
                        double found, wn_str where)
{
    (void)name, (void)where;
    printf("%s\t%u\t%g\t%g\n", (const char *)data, number, expected, found);
}

static void print_boxes(const laid_out *page)
{
    unsigned number = 0;
    for (wn_node_id id = WN_DOCUMENT_NODE; id; id = wn_doc_next(&page->doc, id, WN_DOCUMENT_NODE)) {
        const wn_node *node = wn_doc_node(&page->doc, id);
        if (node->kind == WN_KIND_CONTENT) { /* of a template: not part of the page */
            id = node->parent;
            wn_node_id next = wn_doc_skip(&page->doc, id, WN_DOCUMENT_NODE);
            if (!next)
                break;
            id = next;
            node = wn_doc_node(&page->doc, id);
        }
        if (node->kind != WN_KIND_ELEMENT)
            continue;
        const wn_box *b = &page->boxes->items[id];
        printf("%u\t%.*s\t%d\t%.2f\t%.2f\t%.2f\t%.2f\n", number++, WN_STR_ARGS(wn_node_name(node)),
               b->exists, wn_unit_px(b->x), wn_unit_px(b->y), wn_unit_px(b->width),
               wn_unit_px(b->height));
    }
}

static int dump(int count, char **paths, const char *what)
{
    wn_buf html = {0};
    laid_out page;
    laid_out_init(&page);
    double styles = 0, layout = 0;
    for (int i = 0; i < count; i++) {
        wn_buf_clear(&html);
        if (!test_file_read(&html, paths[i]))
            return 1;
        laid_out_run(&page, wn_buf_str(&html), false);
        if (!page.boxes) {
            printf("%s: no memory\n", paths[i]);
            continue;
        }
        if (strcmp(what, "--values") == 0) {
            for_values(&page, print_value, paths[i]);
        } else if (strcmp(what, "--boxes") == 0) {
            if (count > 1)
                printf("# %s\n", paths[i]);
            print_boxes(&page);
        } else {
            double start = test_now();
            wn_css_compute(page.css, &page.doc, &wn_css_defaults, &page.arena);
            double middle = test_now();
            wn_layout_run(page.layout, &page.doc, page.styles, &wn_layout_defaults);
            layout += test_now() - middle;
            styles += middle - start;
        }
    }
    if (strcmp(what, "--time") == 0)
        printf("%d pages: styles %.3f ms, layout %.3f ms a page, %zu KB\n", count,
               styles * 1000 / count, layout * 1000 / count, wn_layout_memory(page.layout) >> 10);
    laid_out_free(&page);
    wn_buf_free(&html);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        test_skip("usage: test_layout_data FOLDER", "no folder given");
    if (argv[1][0] == '-')
        return dump(argc - 2, argv + 2, argv[1]);
    return check_folder(argv[1], argc > 2 && strcmp(argv[2], "--wrong") == 0);
}
