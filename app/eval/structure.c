#include "eval/structure.h"

#include "base/utf8.h"

void wn_eval_structure_free(wn_structure *s)
{
    wn_buf_free(&s->text);
    wn_buf_free(&s->code);
    wn_buf_free(&s->formulas);
    wn_buf_free(&s->cells);
    wn_array_free(&s->nodes);
    wn_buf_free(&s->source);
    wn_buf_free(&s->inline_text);
    wn_buf_free(&s->scratch);
    wn_arena_free(&s->arena);
}

/* ---- Lines ------------------------------------------------------------------------------- */

typedef struct reader {
    wn_structure *s;
    wn_str rest;       /* what was not read yet */
    wn_buf *paragraph; /* the lines that are read together, without what is before them */
    bool after_blank;
    bool in_list; /* lines that are indented belong to an item */
} reader;

static wn_str peek_line(const reader *r, size_t *size)
{
    const char *end = r->rest.len > 0 ? memchr(r->rest.ptr, '\n', r->rest.len) : NULL;
    size_t len = end ? (size_t)(end - r->rest.ptr) : r->rest.len;
    *size = len + (end != NULL);
    return wn_str_from(r->rest.ptr, len);
}

static wn_str take_line(reader *r)
{
    size_t size;
    wn_str line = peek_line(r, &size);
    r->rest = wn_str_from_offset(r->rest, size);
    return line;
}

/* The bytes of "- ", "12. " and their like; 0: the text does not begin with one. */
static size_t item_mark(wn_str text)
{
    size_t i = 0;
    while (i < text.len && i < 9 && wn_is_ascii_digit(text.ptr[i]))
        i++;
    bool numbered = i > 0 && i < text.len && (text.ptr[i] == '.' || text.ptr[i] == ')');
    bool marked = i == 0 && text.len > 0 && strchr("-*+", text.ptr[0]);
    if (!numbered && !marked)
        return 0;
    i++;
    return i == text.len || wn_is_space(text.ptr[i]) ? i : 0;
}

/*
 * How many bytes before the text of a line say what it is in: quotations, items, their indentation.
 */
static size_t prefix_length(wn_str line, bool *has_item)
{
    size_t at = 0;
    *has_item = false;
    for (;;) {
        while (at < line.len && wn_is_space(line.ptr[at]))
            at++;
        size_t mark = item_mark(wn_str_from_offset(line, at));
        if (at < line.len && line.ptr[at] == '>')
            at++;
        else if (mark > 0)
            at += mark, *has_item = true;
        else
            return at;
    }
}

/* A line of one sign, spaces aside: a rule, or what makes a heading of the line above it. */
static bool is_rule(wn_str text)
{
    size_t count = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (wn_is_space(text.ptr[i]))
            continue;
        if (!strchr("-=*_", text.ptr[i]) || text.ptr[i] != text.ptr[0])
            return false;
        count++;
    }
    return count >= 2;
}

/* ---- Code -------------------------------------------------------------------------------- */

static void add_code_line(reader *r, wn_str line)
{
    wn_buf_add(&r->s->code, line);
    wn_buf_add_char(&r->s->code, '\n');
    wn_buf_add(&r->s->text, line);
    wn_buf_add_char(&r->s->text, '\n');
}

/* The length of the fence that the text is; 0: it is not one. */
static size_t fence_length(wn_str text, char *sign)
{
    size_t count = 0;
    *sign = text.len > 0 ? text.ptr[0] : '\0';
    if (*sign != '`' && *sign != '~')
        return 0;
    while (count < text.len && text.ptr[count] == *sign)
        count++;
    bool inside = *sign == '`' && memchr(text.ptr + count, '`', text.len - count);
    return count >= 3 && !inside ? count : 0;
}

/* The line without what comes before the code, which is at most `most` bytes. */
static wn_str without_indentation(wn_str line, size_t most)
{
    size_t at = 0;
    while (at < most && at < line.len && (line.ptr[at] == ' ' || line.ptr[at] == '>'))
        at++;
    return wn_str_from_offset(line, at);
}

static void read_fenced(reader *r, size_t indentation, size_t fence, char sign)
{
    while (r->rest.len > 0) {
        char other;
        wn_str line = without_indentation(take_line(r), indentation);
        wn_str trimmed = wn_str_trim(line);
        if (fence_length(trimmed, &other) >= fence && other == sign &&
            trimmed.ptr[trimmed.len - 1] == sign)
            return;
        add_code_line(r, line);
    }
}

/* Whether a line is indented so far that it is code; *text is it without that. */
static bool is_indented(wn_str line, wn_str *text)
{
    enum { INDENTATION = 4 };
    size_t spaces = 0;
    while (spaces < line.len && spaces < INDENTATION && line.ptr[spaces] == ' ')
        spaces++;
    size_t used = spaces == INDENTATION ? INDENTATION : line.len > 0 && line.ptr[0] == '\t';
    *text = wn_str_from_offset(line, used);
    return used > 0 && wn_str_trim(line).len > 0;
}

static void read_indented(reader *r, wn_str first)
{
    wn_str text = first;
    size_t size, blank = 0;
    add_code_line(r, text);
    for (;;) {
        wn_str line = peek_line(r, &size);
        bool is_blank = wn_str_trim(line).len == 0;
        if (r->rest.len == 0 || (!is_blank && !is_indented(line, &text)))
            return;
        take_line(r);
        blank = is_blank ? blank + 1 : blank;
        for (; !is_blank && blank > 0; blank--)
            add_code_line(r, WN_STR(""));
        if (!is_blank)
            add_code_line(r, text);
    }
}

/* ---- Tables ------------------------------------------------------------------------------ */

/* "| --- | :-: |" */
static bool is_delimiter_row(wn_str line)
{
    bool has_dash = false, has_pipe = false;
    for (size_t i = 0; i < line.len; i++) {
        if (!strchr("|-: \t>\r", line.ptr[i]))
            return false;
        has_dash |= line.ptr[i] == '-';
        has_pipe |= line.ptr[i] == '|';
    }
    return has_dash && has_pipe;
}

/* Where the cell that begins the row ends: at a pipe without a backslash, or with the row. */
static size_t cell_length(wn_str row)
{
    size_t i = 0;
    while (i < row.len && row.ptr[i] != '|')
        i += row.ptr[i] == '\\' ? 2 : 1;
    return i < row.len ? i : row.len;
}

static void add_cell(reader *r, wn_str cell)
{
    wn_structure *s = r->s;
    wn_buf_clear(&s->inline_text);
    wn_eval_structure_inline(s, &s->inline_text, wn_str_trim(cell));
    wn_eval_structure_add_cell(s, wn_buf_str(&s->inline_text), 1, 1);
    wn_buf_add(&s->text, wn_buf_str(&s->inline_text));
    wn_buf_add_char(&s->text, '\t');
}

static void read_row(reader *r, wn_str row)
{
    uint32_t first = r->s->nodes.count;
    row = wn_str_trim(row);
    if (row.len > 0 && row.ptr[0] == '|')
        row = wn_str_from_offset(row, 1);
    if (row.len > 0 && row.ptr[row.len - 1] == '|')
        row.len--;
    for (bool more = true; more;) {
        size_t len = cell_length(row);
        more = len < row.len;
        add_cell(r, wn_str_from(row.ptr, len));
        row = wn_str_from_offset(row, len + 1);
    }
    wn_eval_structure_add_node(r->s, WN_STRUCTURE_ROW, first);
    wn_buf_add_char(&r->s->text, '\n');
}

/* Whether no cell has a text: the header of a table that has none. */
static bool is_empty_row(wn_str row)
{
    for (size_t i = 0; i < row.len; i++)
        if (row.ptr[i] != '|' && !wn_is_space(row.ptr[i]))
            return false;
    return true;
}

static void read_table(reader *r, wn_str header)
{
    uint32_t first = r->s->nodes.count;
    bool has_item;
    take_line(r); /* of delimiters */
    if (!is_empty_row(header))
        read_row(r, header);
    while (r->rest.len > 0) {
        size_t size;
        wn_str line = peek_line(r, &size);
        wn_str row = wn_str_from_offset(line, prefix_length(line, &has_item));
        if (row.len == 0 || !memchr(row.ptr, '|', row.len))
            break;
        take_line(r);
        read_row(r, row);
    }
    wn_eval_structure_add_node(r->s, WN_STRUCTURE_TABLE, first);
}

/* ---- Paragraphs -------------------------------------------------------------------------- */

static void end_paragraph(reader *r)
{
    if (r->paragraph->len > 0) {
        wn_eval_structure_inline(r->s, &r->s->text, wn_buf_str(r->paragraph));
        wn_buf_add_char(&r->s->text, '\n');
    }
    wn_buf_clear(r->paragraph);
}

/* Takes off what only says the kind of a line: "## ", "[x] ", "[!NOTE]", "[^1]: ". */
static wn_str without_kind(wn_str text)
{
    size_t hashes = 0;
    while (hashes < text.len && hashes < 6 && text.ptr[hashes] == '#')
        hashes++;
    if (hashes > 0 && hashes < text.len && text.ptr[hashes] == ' ')
        text = wn_str_trim(wn_str_from_offset(text, hashes));
    if (wn_str_starts(text, WN_STR("[!")) && memchr(text.ptr, ']', text.len))
        return wn_str_from_offset(text, text.len);
    if (wn_str_starts(text, WN_STR("[ ] ")) || wn_str_starts(text, WN_STR("[x] ")))
        text = wn_str_from_offset(text, 4);
    size_t colon = wn_str_starts(text, WN_STR("[^")) ? wn_str_find(text, WN_STR("]:")) : text.len;
    return colon < text.len ? wn_str_from_offset(text, colon + 2) : text;
}

static bool is_heading(wn_str text)
{
    return text.len > 0 && text.ptr[0] == '#';
}

static void add_line(reader *r, wn_str text, bool has_item)
{
    bool heading = is_heading(text);
    if (has_item || heading)
        end_paragraph(r);
    text = without_kind(text);
    if (r->paragraph->len > 0)
        wn_buf_add_char(r->paragraph, '\n');
    wn_buf_add(r->paragraph, wn_str_trim(text));
    if (heading)
        end_paragraph(r);
}

/* ---- All of it --------------------------------------------------------------------------- */

/* Reads a table in HTML that begins with this text, which is a part of the source. */
static bool read_html(reader *r, wn_str text)
{
    if (!wn_str_starts_nocase(text, WN_STR("<table")))
        return false;
    end_paragraph(r);
    wn_str all = wn_str_between(text.ptr, r->rest.ptr + r->rest.len);
    r->rest = wn_str_from_offset(all, wn_eval_structure_html_table(r->s, all));
    return true;
}

static bool is_table_start(const reader *r, wn_str text)
{
    size_t size;
    return text.len > 0 && memchr(text.ptr, '|', text.len) && is_delimiter_row(peek_line(r, &size));
}

static void read_line(reader *r)
{
    wn_str line = take_line(r), code;
    bool has_item;
    size_t prefix = prefix_length(line, &has_item);
    wn_str text = wn_str_from_offset(line, prefix);
    char sign;
    size_t fence = fence_length(text, &sign);
    if (!has_item && !r->in_list && r->after_blank && is_indented(line, &code)) {
        end_paragraph(r);
        read_indented(r, code);
        return;
    }
    bool indented = line.len > 0 && wn_is_space(line.ptr[0]);
    if (r->after_blank && text.len > 0 && !indented)
        r->in_list = false;
    r->in_list |= has_item;
    r->after_blank = text.len == 0;
    if (fence > 0) {
        end_paragraph(r);
        read_fenced(r, prefix, fence, sign);
    } else if (is_table_start(r, text)) {
        end_paragraph(r);
        read_table(r, text);
    } else if (text.len == 0 || is_rule(line)) {
        end_paragraph(r);
    } else if (!read_html(r, text)) {
        add_line(r, text, has_item);
    }
}

void wn_eval_structure_read(wn_structure *s, wn_str markdown)
{
    wn_buf paragraph = {0};
    wn_buf_clear(&s->text);
    wn_buf_clear(&s->code);
    wn_buf_clear(&s->formulas);
    wn_buf_clear(&s->cells);
    wn_buf_clear(&s->source);
    s->nodes.count = 0;
    s->failed = false;
    wn_utf8_add_repaired(&s->source, markdown);
    for (size_t i = 0; i < s->source.len; i++) /* as the reader of HTML needs it */
        if (s->source.ptr[i] == '\r')
            s->source.ptr[i] = '\n';
    reader r = {
        .s = s, .rest = wn_buf_str(&s->source), .paragraph = &paragraph, .after_blank = true};
    while (r.rest.len > 0)
        read_line(&r);
    end_paragraph(&r);
    if (s->nodes.count > 0)
        wn_eval_structure_add_node(s, WN_STRUCTURE_ROOT, 0);
    s->failed |= paragraph.failed || s->text.failed || s->code.failed || s->formulas.failed ||
                 s->cells.failed || s->source.failed || s->inline_text.failed || s->scratch.failed;
    wn_buf_free(&paragraph);
}
