/*
 * The tree of tables, and tables in HTML, read tag by tag. A table in a cell is a node of that cell.
 */
#include "eval/structure.h"
#include "html/tokenizer.h"

enum { DEEPEST = 8 }; /* tables in tables that are told apart */

void wn_eval_structure_add_node(wn_structure *s, wn_structure_kind kind, uint32_t first)
{
    if (s->nodes.count + 1 >= WN_STRUCTURE_MOST_NODES && kind != WN_STRUCTURE_ROOT)
        return;
    wn_structure_node *node = wn_array_push(&s->nodes);
    s->failed |= !node;
    if (!node)
        return;
    uint32_t own = s->nodes.count - 1;
    *node = (wn_structure_node){.kind = kind, .first = own, .rows = 1, .cols = 1};
    if (first < own)
        node->first = s->nodes.items[first].first;
}

/* A cell whose parts, if it has any, begin at node `first`. */
static void add_cell(wn_structure *s, uint32_t first, wn_str text, uint32_t rows, uint32_t cols)
{
    uint32_t before = s->nodes.count;
    wn_eval_structure_add_node(s, WN_STRUCTURE_CELL, first);
    if (s->nodes.count == before)
        return;
    wn_structure_node *cell = &s->nodes.items[before];
    text = wn_str_trim(text);
    cell->text = (uint32_t)s->cells.len;
    cell->rows = (uint16_t)(rows > UINT16_MAX ? UINT16_MAX : rows);
    cell->cols = (uint16_t)(cols > UINT16_MAX ? UINT16_MAX : cols);
    for (size_t i = 0; i < text.len; i++) { /* white space is one space */
        bool space = wn_is_space(text.ptr[i]);
        if (!space || !wn_is_space(text.ptr[i - 1]))
            wn_buf_add_char(&s->cells, space ? ' ' : text.ptr[i]);
    }
    cell->len = (uint32_t)(s->cells.len - cell->text);
}

void wn_eval_structure_add_cell(wn_structure *s, wn_str text, uint32_t rows, uint32_t cols)
{
    add_cell(s, s->nodes.count, text, rows, cols);
}

/* ---- HTML -------------------------------------------------------------------------------- */

/* A table that is being read. */
typedef struct table {
    uint32_t first, row, cell; /* the numbers of their first nodes */
    size_t text;               /* where the text of the cell begins in s->scratch */
    uint32_t rows, cols;       /* that the cell spans */
    bool in_row, in_cell;
} table;

typedef struct reader {
    wn_structure *s;
    table tables[DEEPEST];
    size_t depth; /* may be above DEEPEST */
    bool in_code;
} reader;

static table *innermost(reader *r)
{
    return r->depth > 0 && r->depth <= DEEPEST ? &r->tables[r->depth - 1] : NULL;
}

static void end_cell(reader *r)
{
    wn_structure *s = r->s;
    table *t = innermost(r);
    if (!t || !t->in_cell)
        return;
    wn_str text = wn_str_from_offset(wn_buf_str(&s->scratch), t->text);
    wn_buf_clear(&s->inline_text);
    wn_eval_structure_inline(s, &s->inline_text, text);
    add_cell(s, t->cell, wn_buf_str(&s->inline_text), t->rows, t->cols);
    wn_buf_add(&s->text, wn_buf_str(&s->inline_text));
    wn_buf_add_char(&s->text, '\t');
    s->scratch.len = t->text;
    t->in_cell = false;
}

static void end_row(reader *r)
{
    table *t = innermost(r);
    end_cell(r);
    if (t && t->in_row) {
        wn_eval_structure_add_node(r->s, WN_STRUCTURE_ROW, t->row);
        wn_buf_add_char(&r->s->text, '\n');
    }
    if (t)
        t->in_row = false;
}

static uint32_t span_of(const wn_token *token, wn_attr_name name)
{
    for (uint32_t i = 0; i < token->attr_count; i++)
        if (token->attrs[i].id == name)
            return wn_attr_number(&token->attrs[i], 1);
    return 1;
}

static void start_cell(reader *r, const wn_token *token)
{
    table *t = innermost(r);
    end_cell(r);
    if (!t)
        return;
    if (!t->in_row)
        t->row = r->s->nodes.count;
    t->in_row = t->in_cell = true;
    t->cell = r->s->nodes.count;
    t->text = r->s->scratch.len;
    t->rows = span_of(token, WN_ATTR_ROWSPAN);
    t->cols = span_of(token, WN_ATTR_COLSPAN);
}

static void start_tag(reader *r, const wn_token *token)
{
    table *t = innermost(r);
    switch (token->tag) {
    case WN_TAG_TABLE:
        if (r->depth++ < DEEPEST)
            r->tables[r->depth - 1] = (table){.first = r->s->nodes.count};
        break;
    case WN_TAG_TR:
        end_row(r);
        if (t) {
            t->in_row = true;
            t->row = r->s->nodes.count;
        }
        break;
    case WN_TAG_TD:
    case WN_TAG_TH:
        start_cell(r, token);
        break;
    case WN_TAG_PRE:
        r->in_code = true;
        break;
    case WN_TAG_BR:
    case WN_TAG_LI:
    case WN_TAG_P:
        wn_buf_add_char(&r->s->scratch, '\n');
        break;
    default:
        break;
    }
}

static void end_tag(reader *r, const wn_token *token)
{
    table *t = innermost(r);
    if (token->tag == WN_TAG_TABLE && r->depth > 0) {
        end_row(r);
        if (t)
            wn_eval_structure_add_node(r->s, WN_STRUCTURE_TABLE, t->first);
        r->depth--;
    } else if (token->tag == WN_TAG_TR) {
        end_row(r);
    } else if (token->tag == WN_TAG_TD || token->tag == WN_TAG_TH) {
        end_cell(r);
    } else if (token->tag == WN_TAG_PRE && r->in_code) {
        wn_buf_add_char(&r->s->code, '\n');
        r->in_code = false;
    }
}

size_t wn_eval_structure_html_table(wn_structure *s, wn_str text)
{
    wn_tokenizer tokens = {0};
    reader r = {.s = s};
    size_t size = text.len;
    wn_buf_clear(&s->scratch);
    wn_arena_reset(&s->arena);
    wn_html_tokenizer_init(&tokens, &s->arena, text);
    tokens.follows_tags = true;
    while (wn_html_tokenizer_next(&tokens)) {
        const wn_token *token = &tokens.token;
        if (token->kind == WN_TOKEN_TEXT) {
            wn_buf_add(&s->scratch, token->text);
            if (r.in_code)
                wn_buf_add(&s->code, token->text);
        } else if (token->kind == WN_TOKEN_START_TAG) {
            start_tag(&r, token);
        } else if (token->kind == WN_TOKEN_END_TAG) {
            end_tag(&r, token);
        }
        if (r.depth == 0) {
            size = (size_t)(tokens.pos - text.ptr);
            break;
        }
    }
    for (; r.depth > 0; r.depth--) {
        end_row(&r);
        if (r.depth <= DEEPEST)
            wn_eval_structure_add_node(s, WN_STRUCTURE_TABLE, r.tables[r.depth - 1].first);
    }
    wn_html_tokenizer_free(&tokens);
    return size;
}
