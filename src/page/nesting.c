#include "page/nesting.h"

/* ---- The stack --------------------------------------------------------------------------- */

static bool is_cell(uint16_t tag)
{
    return tag == WN_TAG_TD || tag == WN_TAG_TH || tag == WN_TAG_CAPTION;
}

/* What is open outside a table is not to be ended inside it. */
static bool is_barrier(uint16_t tag)
{
    return tag == WN_TAG_TABLE || is_cell(tag);
}

/* The nearest open element with that tag, inside the same cell; 0: none. */
static uint32_t find(const wn_page_nesting *n, uint16_t tag)
{
    uint32_t i = n->top;
    while (i > 0 && n->stack[i].tag != tag)
        i = is_barrier(n->stack[i].tag) ? 0 : i - 1;
    return i;
}

/* Ends the element at place `i`, and all in it; not the page. */
static void end_at(wn_page_nesting *n, uint32_t i)
{
    if (i > 0)
        n->top = i - 1;
}

/* Adds a node as the last child of the one around it, with one attribute or none. */
static wn_node_id add_node(wn_page_nesting *n, uint16_t tag, const wn_attr *attr)
{
    wn_node_id parent = wn_page_nesting_now(n)->node;
    wn_node *node = wn_array_push(&n->doc->nodes);
    if (!node) {
        n->failed = true;
        return parent;
    }
    wn_node_id id = n->doc->nodes.count - 1;
    wn_node *around = &n->doc->nodes.items[parent];
    *node = (wn_node){
        .kind = WN_KIND_ELEMENT,
        .tag = tag,
        .parent = parent,
        .prev = around->last_child,
        .attrs = attr,
        .len = attr != NULL,
    };
    if (around->last_child)
        n->doc->nodes.items[around->last_child].next = id;
    else
        around->first_child = id;
    around->last_child = id;
    return id;
}

/*
 * Puts an element on the stack, in which all is as around it. On a full one it takes the last
 * place.
 */
static wn_page_nest *push(wn_page_nesting *n, uint16_t tag, const wn_attr *attr)
{
    if (n->top + 1 == WN_DEEPEST_NEST)
        n->top--;
    wn_node_id node = add_node(n, tag, attr);
    wn_page_nest *top = &n->stack[n->top + 1];
    *top = n->stack[n->top++];
    top->tag = tag;
    top->node = node;
    return top;
}

/* ---- Elements ---------------------------------------------------------------------------- */

static const wn_attr *find_attr(const wn_token *token, wn_attr_name name)
{
    for (uint32_t i = 0; i < token->attr_count; i++)
        if (token->attrs[i].id == name)
            return &token->attrs[i];
    return NULL;
}

static void open_list(wn_page_nesting *n, const wn_token *token)
{
    wn_page_nest *list = push(n, token->tag, NULL);
    list->number = wn_attr_number(find_attr(token, WN_ATTR_START), 1) - 1;
    list->list_depth += list->list_depth < UINT8_MAX;
    list->in_list = (uint8_t)n->top;
    list->in_item = 0;
}

static void open_item(wn_page_nesting *n)
{
    end_at(n, wn_page_nesting_now(n)->in_item);
    wn_page_nest *item = push(n, WN_TAG_LI, NULL);
    item->kind = WINNOW_BLOCK_LIST_ITEM;
    item->flags &= ~(uint32_t)WN_BLOCK_ORDERED;
    item->list_depth += item->list_depth == 0;
    item->in_item = (uint8_t)n->top;
    n->item_starts = true;
    if (item->in_list == 0)
        return;
    wn_page_nest *list = &n->stack[item->in_list];
    item->number = ++list->number;
    if (list->tag == WN_TAG_OL)
        item->flags |= WN_BLOCK_ORDERED;
}

static void open_terms(wn_page_nesting *n)
{
    wn_page_nest *terms = push(n, WN_TAG_DL, NULL);
    terms->in_terms = (uint8_t)n->top;
    terms->in_term = 0;
}

/* Terms and details are in a list of them: others are often left open. */
static void open_term(wn_page_nesting *n, uint16_t tag)
{
    if (!wn_page_nesting_now(n)->in_terms)
        return;
    end_at(n, wn_page_nesting_now(n)->in_term);
    wn_page_nest *term = push(n, tag, NULL);
    term->kind = tag == WN_TAG_DT ? WINNOW_BLOCK_TERM : WINNOW_BLOCK_DETAIL;
    term->in_term = (uint8_t)n->top;
}

static void open_table(wn_page_nesting *n, const wn_token *token)
{
    const wn_attr *role = find_attr(token, WN_ATTR_ROLE);
    wn_str value = role ? wn_attr_value(role) : WN_STR("");
    bool is_layout = wn_str_eq_nocase(value, WN_STR("presentation")) ||
                     wn_str_eq_nocase(value, WN_STR("none"));
    wn_page_nest *table = push(n, WN_TAG_TABLE, NULL);
    table->table = wn_page_tables_enter(&n->tables, WN_NO_NODE, table->table, is_layout);
    table->kind = WINNOW_BLOCK_PARAGRAPH;
    table->verbatim = table->in_table = false;
    table->in_list = table->in_item = table->in_terms = table->in_term = 0;
    table->around = (uint8_t)n->top;
    n->failed |= table->table == 0;
}

/* Ends what is open in the table around; false if there is none. */
static bool return_to_table(wn_page_nesting *n)
{
    uint32_t table = wn_page_nesting_now(n)->around;
    if (table > 0)
        n->top = table;
    return table > 0;
}

static void open_cell(wn_page_nesting *n, const wn_token *token)
{
    if (!return_to_table(n) || n->failed)
        return;
    wn_page_nest *cell = push(n, token->tag, NULL);
    cell->in_table = true;
    cell->flags &= ~(uint32_t)WN_BLOCK_HEADER_CELL;
    if (token->tag == WN_TAG_CAPTION || token->tag == WN_TAG_TH)
        wn_page_tables_note_header(&n->tables, cell->table);
    if (token->tag == WN_TAG_CAPTION) {
        cell->kind = WINNOW_BLOCK_CAPTION;
        return;
    }
    cell->kind = WINNOW_BLOCK_CELL;
    cell->flags |= token->tag == WN_TAG_TH ? WN_BLOCK_HEADER_CELL : 0;
    if (n->tables.list.items[cell->table].row == 0)
        wn_page_tables_enter_row(&n->tables, cell->table);
    wn_page_tables_enter_cell(&n->tables, cell->table,
                              wn_attr_number(find_attr(token, WN_ATTR_COLSPAN), 1),
                              wn_attr_number(find_attr(token, WN_ATTR_ROWSPAN), 1));
}

/* Code, of which the class tells the language. */
static void open_code(wn_page_nesting *n, const wn_token *token, wn_arena *arena)
{
    const wn_attr *class = find_attr(token, WN_ATTR_CLASS);
    wn_attr *copy = class ? wn_arena_alloc(arena, sizeof *copy) : NULL;
    if (copy)
        *copy = *class;
    wn_page_nest *code = push(n, token->tag, copy);
    code->kind = WINNOW_BLOCK_CODE;
    code->verbatim = true;
}

static void open_quotation(wn_page_nesting *n)
{
    wn_page_nest *quotation = push(n, WN_TAG_BLOCKQUOTE, NULL);
    quotation->kind = WINNOW_BLOCK_QUOTE;
    quotation->quote_depth += quotation->quote_depth < UINT8_MAX;
}

void wn_page_nesting_open(wn_page_nesting *n, const wn_token *token, wn_arena *arena)
{
    switch (token->tag) {
    case WN_TAG_UL:
    case WN_TAG_OL:
    case WN_TAG_MENU:
    case WN_TAG_DIR:
        open_list(n, token);
        break;
    case WN_TAG_LI:
        open_item(n);
        break;
    case WN_TAG_DL:
        open_terms(n);
        break;
    case WN_TAG_DT:
    case WN_TAG_DD:
        open_term(n, token->tag);
        break;
    case WN_TAG_BLOCKQUOTE:
        open_quotation(n);
        break;
    case WN_TAG_PRE:
    case WN_TAG_LISTING:
    case WN_TAG_XMP:
    case WN_TAG_PLAINTEXT:
        open_code(n, token, arena);
        break;
    case WN_TAG_FIGCAPTION:
        push(n, WN_TAG_FIGCAPTION, NULL)->kind = WINNOW_BLOCK_CAPTION;
        break;
    case WN_TAG_TABLE:
        open_table(n, token);
        break;
    case WN_TAG_TR:
        if (return_to_table(n))
            wn_page_tables_enter_row(&n->tables, wn_page_nesting_now(n)->table);
        break;
    case WN_TAG_CAPTION:
    case WN_TAG_TD:
    case WN_TAG_TH:
        open_cell(n, token);
        break;
    default:
        break;
    }
}

void wn_page_nesting_close(wn_page_nesting *n, uint16_t tag)
{
    const wn_page_nest *now = wn_page_nesting_now(n);
    switch (tag) {
    case WN_TAG_LI:
        n->item_starts = false;
        end_at(n, now->in_item);
        break;
    case WN_TAG_DT:
    case WN_TAG_DD:
        end_at(n, now->in_term);
        break;
    case WN_TAG_TABLE:
        end_at(n, now->around);
        break;
    case WN_TAG_TR:
    case WN_TAG_CAPTION:
    case WN_TAG_TD:
    case WN_TAG_TH:
        return_to_table(n);
        break;
    default:
        end_at(n, find(n, tag));
        break;
    }
}

/* ---- Blocks ------------------------------------------------------------------------------ */

void wn_page_nesting_describe(wn_page_nesting *n, wn_block *block)
{
    const wn_page_nest *now = wn_page_nesting_now(n);
    block->node = now->node;
    block->kind = now->kind;
    block->list_depth = now->list_depth;
    block->quote_depth = now->quote_depth;
    block->flags = (uint16_t)now->flags;
    if (now->in_table)
        wn_page_tables_place(&n->tables, now->table, block);
    if (now->list_depth == 0)
        return;
    block->number = now->number;
    block->flags |= n->item_starts ? WN_BLOCK_ITEM_START : 0;
    n->item_starts = false;
}

/* ---- Life -------------------------------------------------------------------------------- */

void wn_page_nesting_start(wn_page_nesting *n, wn_doc *doc)
{
    n->stack[0] = (wn_page_nest){.node = WN_DOCUMENT_NODE, .kind = WINNOW_BLOCK_PARAGRAPH};
    n->top = 0;
    n->item_starts = false;
    n->doc = doc;
    n->failed = !wn_page_tables_start(&n->tables);
}

void wn_page_nesting_free(wn_page_nesting *n)
{
    wn_page_tables_free(&n->tables);
}
