#include "cli/explain.h"

#include "base/utf8.h"
#include "cli/feature_words.h"
#include "io/color.h"
#include "io/message.h"

/* Columns are as wide as their widest cell, but not wider than this, in characters. */
enum { MAX_KIND = 12, MAX_REASON = 160, MAX_PATH = 48, MAX_XPATH = 400, MAX_TEXT = 60 };

/* In the short form the text has a line of its own; only the strongest features are shown. */
enum { MAX_LINE = 76, MAX_FEATURES = 2 };

typedef struct widths {
    size_t kind, role, reason, path;
} widths;

/* ---- Cells ------------------------------------------------------------------------------- */

/* The offset after `characters` characters. */
static size_t offset_after(wn_str s, size_t characters)
{
    const char *p = s.ptr, *end = s.ptr + s.len;
    while (p < end && characters-- > 0)
        wn_utf8_next(&p);
    return (size_t)(p - s.ptr);
}

/* Its beginning, with "…" in place of what does not fit. */
static void add_beginning(wn_buf *out, wn_str s, size_t most)
{
    if (wn_utf8_count(s) <= most) {
        wn_buf_add(out, s);
        return;
    }
    wn_buf_add(out, wn_str_from(s.ptr, offset_after(s, most - 1)));
    wn_buf_add_literal(out, "…");
}

/* Its end: of a path, that is the part that matters. */
static void add_ending(wn_buf *out, wn_str s, size_t most)
{
    size_t count = wn_utf8_count(s);
    if (count <= most) {
        wn_buf_add(out, s);
        return;
    }
    wn_buf_add_literal(out, "…");
    wn_buf_add(out, wn_str_from_offset(s, offset_after(s, count - most + 1)));
}

/* A cell of text from the page: the terminal is not to obey it. */
static void add_cell(wn_buf *out, void (*add)(wn_buf *out, wn_str s, size_t most), const char *text,
                     size_t most)
{
    wn_buf cell = {0};
    add(&cell, wn_str_of(text), most);
    wn_add_printable(out, wn_buf_str(&cell));
    wn_buf_free(&cell);
}

/* Fills a cell that began at `start` of `out` with spaces. */
static void pad(wn_buf *out, size_t start, size_t width)
{
    if (out->failed)
        return;
    size_t used = wn_utf8_count(wn_str_from_offset(wn_buf_str(out), start));
    wn_buf_add_repeated(out, ' ', (used < width ? width - used : 0) + 2);
}

/* "heading 2", "list-item", … */
static void add_kind(wn_buf *out, const winnow_block *block)
{
    wn_buf_add_literal(out, winnow_block_kind_name(block->kind));
    if (block->level)
        wn_buf_add_format(out, " %u", block->level);
}

static const char *role_of(const winnow_block *block)
{
    return block->role ? winnow_block_role_name(block->role) : "";
}

/* The first characters of the text on one line. */
static void add_text(wn_buf *out, const winnow_block *block, size_t most)
{
    wn_str text = wn_str_from(block->text, block->size);
    size_t shown = offset_after(text, most);
    wn_buf line = {0};
    wn_buf_add(&line, wn_str_from(text.ptr, shown));
    for (size_t i = 0; i < line.len; i++) {
        if (wn_is_space(line.ptr[i]))
            line.ptr[i] = ' ';
    }
    wn_add_printable(out, wn_buf_str(&line));
    if (shown < text.len)
        wn_buf_add_literal(out, "…");
    wn_buf_free(&line);
}

/* An XPath is of use only as a whole. */
static size_t max_path(const winnow_block *block)
{
    return block->path[0] == '/' || block->path[0] == '(' ? MAX_XPATH : MAX_PATH;
}

/* ---- The table --------------------------------------------------------------------------- */

static void widen(size_t *width, size_t needed, size_t most)
{
    if (needed > most)
        needed = most;
    if (needed > *width)
        *width = needed;
}

static widths measure(winnow_selection *content)
{
    widths w = {.kind = 4, .reason = 6, .path = 5};
    const winnow_block *block;
    for (size_t i = 0; (block = winnow_selection_block(content, i)) != NULL; i++) {
        size_t kind = strlen(winnow_block_kind_name(block->kind)) + (block->level ? 2 : 0);
        widen(&w.kind, kind, MAX_KIND);
        widen(&w.role, strlen(role_of(block)), MAX_KIND);
        widen(&w.reason, wn_utf8_count(wn_str_of(block->reason)), MAX_REASON);
        widen(&w.path, wn_utf8_count(wn_str_of(block->path)), max_path(block));
    }
    return w;
}

static void add_fate(wn_buf *out, const winnow_block *block, bool colored)
{
    const char *style = block->kept ? WN_IO_GREEN : WN_IO_RED;
    wn_io_color_add(out, colored, style, wn_str_of(block->kept ? "kept" : "dropped"));
}

static void add_row(wn_buf *out, const widths *w, const winnow_block *block, bool colored)
{
    add_fate(out, block, colored);
    wn_buf_add_literal(out, block->kept ? "     " : "  ");
    size_t start = out->len;
    add_kind(out, block);
    pad(out, start, w->kind);
    start = out->len;
    if (w->role) { /* the method tells roles */
        wn_buf_add_literal(out, role_of(block));
        pad(out, start, w->role);
        start = out->len;
    }
    add_cell(out, add_beginning, block->reason, MAX_REASON);
    pad(out, start, w->reason);
    start = out->len;
    add_cell(out, add_ending, block->path, max_path(block));
    pad(out, start, w->path);
    add_text(out, block, MAX_TEXT);
    wn_buf_add_char(out, '\n');
}

static void add_table(wn_buf *out, winnow_selection *content, size_t count, bool colored)
{
    widths w = measure(content);
    wn_buf_add_format(out, "fate     %-*s  ", (int)w.kind, "kind");
    if (w.role)
        wn_buf_add_format(out, "%-*s  ", (int)w.role, "role");
    wn_buf_add_format(out, "%-*s  %-*s  text\n", (int)w.reason, "reason", (int)w.path, "where");
    for (size_t i = 0; i < count; i++)
        add_row(out, &w, winnow_selection_block(content, i), colored);
}

/* ---- The short form ---------------------------------------------------------------------- */

static unsigned percent(double share)
{
    return (unsigned)(share * 100 + 0.5);
}

/* "; for it: words in it: 84, …", or what spoke against it. */
static void add_side(wn_buf *out, const winnow_block *block, bool for_it)
{
    size_t told = 0;
    for (size_t i = 0; i < block->reason_count && told < MAX_FEATURES; i++) {
        if ((block->reasons[i].weight > 0) != for_it)
            continue;
        wn_buf_add_literal(out, told ? ", " : for_it ? "; for it: " : "; against it: ");
        wn_cli_add_feature(out, &block->reasons[i]);
        told++;
    }
}

/* What decided: how likely it is to be content, and why; or the reason that overruled that. */
static void add_verdict(wn_buf *out, const winnow_block *block, double threshold)
{
    wn_str reason = wn_str_of(block->reason);
    if (block->probability < 0) {
        wn_buf_add_literal(out, ": ");
        wn_add_printable(out, reason);
        return;
    }
    bool above = threshold > 0 && block->probability >= threshold;
    unsigned chance = percent(block->probability);
    if (above == block->kept || threshold <= 0 || threshold > 1) {
        wn_buf_add_format(out, ": %u%% likely to be content", chance);
        if (wn_str_find(reason, WN_STR("a copy of text above")) < reason.len)
            wn_buf_add_literal(out, ", a copy of text above");
    } else {
        wn_buf_add_format(out, " although it is %u%% likely to be content: ", chance);
        wn_add_printable(out, wn_str_from(reason.ptr, wn_str_find(reason, WN_STR(";"))));
    }
    add_side(out, block, block->kept);
    add_side(out, block, !block->kept);
}

/* Two lines: the text, and under it what it is and what became of it. */
static void add_block(wn_buf *out, const winnow_block *block, double threshold, bool colored)
{
    const char *style = block->kept ? WN_IO_GREEN : WN_IO_RED;
    wn_io_color_add(out, colored, style, block->kept ? WN_STR("+ ") : WN_STR("- "));
    if (colored)
        wn_buf_add_literal(out, block->kept ? WN_IO_BOLD : WN_IO_FAINT);
    add_text(out, block, MAX_LINE);
    if (colored)
        wn_buf_add_literal(out, WN_IO_PLAIN);
    wn_buf_add_literal(out, "\n    ");
    add_kind(out, block);
    if (block->role)
        wn_buf_add_format(out, ", %s", role_of(block));
    wn_buf_add_literal(out, ", ");
    add_fate(out, block, colored);
    add_verdict(out, block, threshold);
    wn_buf_add_char(out, '\n');
}

static void add_blocks(wn_buf *out, winnow_selection *content, size_t count, bool colored)
{
    double threshold = winnow_selection_threshold(content);
    if (threshold > 0 && threshold <= 1)
        wn_buf_add_format(out, "blocks that are at least %u%% likely to be content are kept\n",
                          percent(threshold));
    for (size_t i = 0; i < count; i++) {
        wn_buf_add_char(out, '\n');
        add_block(out, winnow_selection_block(content, i), threshold, colored);
    }
}

/* ---- The page ---------------------------------------------------------------------------- */

/* Where each field of the metadata was found: "author       from json-ld author". */
static void add_metadata(wn_buf *out, const winnow_metadata *m)
{
    for (size_t i = 0; i < m->source_count; i++) {
        wn_buf_add_format(out, "%-12s from ", m->sources[i].field);
        wn_add_printable(out, wn_str_of(m->sources[i].source));
        wn_buf_add_char(out, '\n');
    }
}

/* What the method says of the page, after a blank line; a table needs another one after it. */
static void add_notes(wn_buf *out, const char *notes, wn_cli_explanation form)
{
    if (notes[0] == '\0')
        return;
    wn_buf_add_char(out, '\n');
    wn_add_visible(out, wn_str_of(notes));
    if (form == WN_CLI_EXPLAIN_FULL)
        wn_buf_add_char(out, '\n');
}

static size_t count_kept(winnow_selection *content)
{
    size_t kept = 0;
    const winnow_block *block;
    for (size_t i = 0; (block = winnow_selection_block(content, i)) != NULL; i++)
        kept += block->kept;
    return kept;
}

const char *wn_cli_explanation_name(const void *list, size_t index)
{
    static const char *const names[] = {"short", "full"};
    (void)list;
    return index < sizeof names / sizeof *names ? names[index] : NULL;
}

void wn_cli_explain(wn_buf *out, const winnow_page *page, winnow_selection *content,
                    wn_cli_explanation form, bool colored)
{
    size_t count = winnow_selection_block_count(content);
    wn_buf_add_format(out, "method %s, encoding %s, status %s: %zu of %zu blocks kept\n",
                      winnow_selection_method(content), winnow_page_encoding(page),
                      winnow_status_name(winnow_selection_status(content)), count_kept(content),
                      count);
    add_metadata(out, winnow_selection_metadata(content));
    add_notes(out, winnow_selection_notes(content), form);
    if (count == 0)
        return;
    if (form == WN_CLI_EXPLAIN_FULL)
        add_table(out, content, count, colored);
    else
        add_blocks(out, content, count, colored);
}
