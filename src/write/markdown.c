/*
 * Markdown: CommonMark, with GitHub's tables.
 *
 * The writer goes from block to block; paths.h tells which containers to close and open between
 * two blocks. The first line of an item has its mark; further lines are indented by the width of
 * the mark, so that Markdown sees the same nesting. Where two lists are adjacent, the mark changes
 * ("-" and "*", "1." and "1)"), because Markdown would otherwise join them.
 *
 * Footnotes, "[^1]: …", and admonitions, quotations that begin with "[!NOTE]", use GitHub's syntax.
 */
#include "write/markdown_parts.h"

#include "page/links.h"
#include "write/paths.h"
#include "write/pieces.h"
#include "write/plain.h"
#include "write/posts.h"

typedef struct writer {
    wn_markdown parts;
    wn_paths paths;
    wn_path open;         /* the containers of the last block */
    const wn_block *last; /* NULL: none yet */
} writer;

enum { NOTE_INDENT = 4 }; /* of the lines of a footnote after its first */

/* ---- Marks ------------------------------------------------------------------------------- */

/*
 * Chooses the mark of an item. `before` is the previous container on its level: items of one list
 * have the same mark, unless there is a gap in the numbers, which takes a new list.
 */
static void choose_mark(const wn_doc *doc, wn_container *item, const wn_container *before,
                        const uint32_t *number)
{
    bool same_list = before && before->is_item && before->list == item->list;
    if (!item->ordered) {
        bool meets = before && before->is_item && !before->ordered;
        item->mark = '-';
        if (meets)
            item->mark = same_list == (before->mark == '-') ? '-' : '*';
        item->width = 2;
        return;
    }
    const wn_attr *start = wn_node_attr(wn_doc_node(doc, item->list), WN_ATTR_START);
    const wn_attr *value = wn_node_attr(wn_doc_node(doc, item->node), WN_ATTR_VALUE);
    uint32_t next = same_list ? before->number + 1 : wn_attr_number(start, 1);
    item->number = number ? *number : wn_attr_number(value, next);
    bool goes_on = same_list && item->number == next;
    bool meets = before && before->is_item && before->ordered;
    item->mark = '.';
    if (meets)
        item->mark = goes_on == (before->mark == '.') ? '.' : ')';
    item->width = 3;
    for (uint32_t rest = item->number; rest >= 10; rest /= 10)
        item->width++;
}

static void add_mark(writer *w, const wn_container *c)
{
    wn_buf *out = w->parts.out;
    if (c->note) {
        wn_buf_add_literal(out, "[^");
        wn_page_notes_add_name(out, &w->parts.notes, c->note);
        wn_buf_add_literal(out, "]: ");
    } else if (!c->is_item)
        wn_buf_add_literal(out, "> ");
    else if (c->ordered)
        wn_buf_add_format(out, "%u%c ", (unsigned)c->number, c->mark);
    else
        wn_buf_add_char(out, c->mark), wn_buf_add_char(out, ' ');
}

/* Adds the start of a line that is inside the first `count` containers. */
static void add_prefix(wn_buf *out, const wn_path *p, int count)
{
    for (int i = 0; i < count; i++) {
        if (p->at[i].note)
            wn_buf_add_repeated(out, ' ', NOTE_INDENT);
        else if (p->at[i].is_item)
            wn_buf_add_repeated(out, ' ', p->at[i].width);
        else
            wn_buf_add_literal(out, "> ");
    }
}

static void trim_spaces(wn_buf *out)
{
    while (out->len > 0 && out->ptr[out->len - 1] == ' ')
        out->len--;
}

void wn_write_markdown_next_line(wn_markdown *w)
{
    wn_buf_add_char(w->out, '\n');
    wn_buf_add(w->out, wn_buf_str(&w->prefix));
}

/* ---- Between blocks ---------------------------------------------------------------------- */

/* Whether the block follows the last one without a blank line: items, and lists in items. */
static bool is_tight(const wn_path *next, const wn_path *open, int common)
{
    if (common == next->count || !next->at[common].is_item)
        return false;
    const wn_container *item = &next->at[common];
    if (common < open->count)
        return open->at[common].is_item && open->at[common].list == item->list;
    bool in_item = common > 0 && open->at[common - 1].is_item;
    return in_item && (!item->ordered || item->number == 1); /* only 1 may directly follow text */
}

static void add_upper(wn_buf *out, const char *word)
{
    for (; *word; word++)
        wn_buf_add_char(out, (char)(*word - 'a' + 'A'));
}

/* "[!NOTE]" on a line of its own. */
static void add_admonition(writer *w, const wn_path *path, int level)
{
    wn_buf *out = w->parts.out;
    wn_buf_add_literal(out, "[!");
    add_upper(out, wn_write_admonitions[path->at[level].admonition]);
    wn_buf_add_literal(out, "]\n");
    add_prefix(out, path, level + 1);
}

/* Ends the last block and opens the containers of `block`, up to where its text begins. */
static void start_block(writer *w, const wn_block *block, wn_path next)
{
    wn_buf *out = w->parts.out;
    int common = wn_write_path_share(&next, &w->open);
    for (int i = common; i < next.count; i++) {
        bool innermost = i == next.count - 1 && block->flags & WN_BLOCK_ORDERED;
        const wn_container *before = i == common && common < w->open.count ? &w->open.at[i] : NULL;
        if (next.at[i].is_item)
            choose_mark(w->parts.page->doc, &next.at[i], before, innermost ? &block->number : NULL);
    }
    if (w->last) {
        wn_buf_add_char(out, '\n');
        if (!is_tight(&next, &w->open, common)) {
            add_prefix(out, &next, common);
            trim_spaces(out);
            wn_buf_add_char(out, '\n');
        }
    }
    add_prefix(out, &next, common);
    for (int i = common; i < next.count; i++) {
        add_mark(w, &next.at[i]);
        if (next.at[i].admonition)
            add_admonition(w, &next, i);
    }
    wn_buf_clear(&w->parts.prefix);
    add_prefix(&w->parts.prefix, &next, next.count);
    w->open = next;
    w->last = block;
}

/* ---- Code -------------------------------------------------------------------------------- */

/* Control characters become spaces, as in the HTML output. */
static void add_code_line(wn_buf *out, wn_str line)
{
    size_t start = out->len;
    wn_buf_add(out, line);
    for (size_t i = start; i < out->len; i++)
        if ((unsigned char)out->ptr[i] < ' ' && out->ptr[i] != '\t')
            out->ptr[i] = ' ';
}

static void add_code_lines(writer *w, wn_str text)
{
    while (text.len > 0) {
        const char *end = memchr(text.ptr, '\n', text.len);
        size_t len = end ? (size_t)(end - text.ptr) : text.len;
        wn_write_markdown_next_line(&w->parts);
        if (len == 0)
            trim_spaces(w->parts.out);
        add_code_line(w->parts.out, wn_str_from(text.ptr, len));
        text = wn_str_from_offset(text, len + 1);
    }
}

/* Writes code: all blocks up to `end`, as each line of it may be an element of its own. */
static void add_code(writer *w, uint32_t first, uint32_t end)
{
    const wn_page *page = w->parts.page;
    wn_buf plain = {0}; /* text with raised parts, which has no other form in code */
    size_t fence = 3;
    for (uint32_t i = first; i < end; i++) {
        size_t longest = wn_write_markdown_longest_fence(
            wn_block_text(page, &page->blocks.items[i]));
        fence = longest >= fence ? longest + 1 : fence;
    }
    wn_buf_add_repeated(w->parts.out, '`', fence);
    wn_buf_add(w->parts.out, wn_write_code_language(page, &page->blocks.items[first]));
    for (uint32_t i = first; i < end; i++)
        if (w->parts.selection->verdicts[i].keep)
            add_code_lines(w, wn_write_plain_text(&plain, page, &page->blocks.items[i]));
    wn_write_markdown_next_line(&w->parts);
    wn_buf_add_repeated(w->parts.out, '`', fence);
    w->parts.out->failed |= plain.failed;
    wn_buf_free(&plain);
}

/* ---- Blocks ------------------------------------------------------------------------------ */

static void add_heading(writer *w, const wn_block *block)
{
    wn_buf *out = w->parts.out;
    wn_buf_add_repeated(out, '#', block->level);
    wn_buf_add_char(out, ' ');
    wn_write_markdown_inline(&w->parts, block, WN_IN_HEADING);
    if (!out->failed && out->ptr[out->len - 1] == '#') { /* a closing "#" would be dropped */
        out->len--;
        wn_buf_add_literal(out, "\\#");
    }
}

static void add_bold(writer *w, const wn_block *block)
{
    wn_buf_add_literal(w->parts.out, "**");
    wn_write_markdown_inline(&w->parts, block, WN_IN_BOLD);
    wn_buf_add_literal(w->parts.out, "**");
}

static void add_text(writer *w, const wn_block *block)
{
    bool is_task = block->flags & WN_BLOCK_TASK && block->flags & WN_BLOCK_ITEM_START;
    if (is_task)
        wn_buf_add_literal(w->parts.out, block->flags & WN_BLOCK_DONE ? "[x] " : "[ ] ");
    if (block->kind == WINNOW_BLOCK_HEADING)
        add_heading(w, block);
    else if (block->kind == WINNOW_BLOCK_TERM || wn_write_is_label(w->parts.page, block))
        add_bold(w, block);
    else
        wn_write_markdown_inline(&w->parts, block, WN_IN_LINES);
}

/* ---- Things without text ----------------------------------------------------------------- */

/* Whether the block is a title like "Note", which "[!NOTE]" already says. */
static bool repeats_admonition(const writer *w, const wn_block *block, const wn_path *path)
{
    const wn_container *c = path->count > 0 ? &path->at[path->count - 1] : NULL;
    return c && c->admonition &&
           (block->kind == WINNOW_BLOCK_PARAGRAPH || block->kind == WINNOW_BLOCK_QUOTE ||
            block->kind == WINNOW_BLOCK_DETAIL) &&
           wn_str_eq_nocase(wn_block_text(w->parts.page, block),
                            wn_str_of(wn_write_admonitions[c->admonition]));
}

static void add_thing(writer *w, const wn_block *block)
{
    if (block->kind == WINNOW_BLOCK_IMAGE)
        wn_write_markdown_image(&w->parts, block->node, WN_IN_LINES);
    else if (block->kind == WINNOW_BLOCK_EMBED)
        wn_write_markdown_embed(&w->parts, block->node, WN_IN_LINES);
    else
        wn_buf_add_literal(w->parts.out, w->open.count > 0 ? "___" : "---");
}

static bool is_thing(const wn_block *block)
{
    return block->kind == WINNOW_BLOCK_IMAGE || block->kind == WINNOW_BLOCK_EMBED ||
           block->kind == WINNOW_BLOCK_RULE;
}

/* ---- Blocks and pieces ------------------------------------------------------------------- */

/* Writes a table as HTML if its cells do not fit in lines. A blank line would end it. */
static void add_html_table(writer *w, uint32_t first, uint32_t end)
{
    wn_markdown *parts = &w->parts;
    wn_buf html = {0};
    wn_write_html_table(&html, parts->page, parts->selection, parts->options, parts->links,
                        &parts->notes, first, end);
    wn_str rest = wn_str_trim(wn_buf_str(&html));
    const char *line;
    while ((line = memchr(rest.ptr, '\n', rest.len))) {
        wn_buf_add(parts->out, wn_str_between(rest.ptr, line));
        wn_write_markdown_next_line(parts);
        rest = wn_str_from_offset(rest, (size_t)(line - rest.ptr) + 1);
    }
    wn_buf_add(parts->out, rest);
    parts->out->failed |= html.failed;
    wn_buf_free(&html);
}

static void add_table(writer *w, uint32_t i, uint32_t end)
{
    const wn_block *block = &w->parts.page->blocks.items[i];
    start_block(w, block, wn_write_path_of_table(&w->paths, w->parts.page, block));
    if (wn_write_markdown_fits_table(&w->parts, i, end))
        wn_write_markdown_table(&w->parts, i, end);
    else
        add_html_table(w, i, end);
}

/* Writes a block, and the lines of code after it; returns the first block after them. */
static uint32_t add_single(writer *w, uint32_t i)
{
    const wn_block *block = &w->parts.page->blocks.items[i];
    if (!wn_write_is_shown(block, w->parts.options))
        return i + 1;
    wn_path path = wn_write_path_of(&w->paths, block);
    if (repeats_admonition(w, block, &path))
        return i + 1;
    start_block(w, block, path);
    if (block->kind == WINNOW_BLOCK_CODE) {
        uint32_t end = wn_write_end_of_code(w->parts.page, w->parts.selection, i);
        add_code(w, i, end);
        return end;
    }
    if (is_thing(block))
        add_thing(w, block);
    else
        add_text(w, block);
    return i + 1;
}

/* Writes the block and the blocks that belong to it; returns the first block after them. */
static uint32_t add_block(writer *w, uint32_t i)
{
    const wn_page *page = w->parts.page;
    const wn_selection *selection = w->parts.selection;
    const wn_block *block = &page->blocks.items[i];
    if (!wn_write_is_of_table(page, block))
        return add_single(w, i);
    uint32_t table = page->tables.items[block->table].outermost;
    uint32_t end = wn_write_end_of_table(page, selection, table, i);
    if (!wn_write_only_arranges(page, selection, i, end)) {
        add_table(w, i, end);
        return end;
    }
    while (i < end)
        i = selection->verdicts[i].keep ? add_single(w, i) : i + 1;
    return i;
}

/* ---- The whole --------------------------------------------------------------------------- */

/* Writes text that does not come from a block. */
static void add_words(writer *w, wn_str text, wn_markdown_place place)
{
    wn_markdown_cursor c = {.start = text.ptr,
                            .end = text.ptr + text.len,
                            .part = text.ptr,
                            .at = text.ptr,
                            .stop = text.ptr + text.len,
                            .before = '\n',
                            .place = place};
    wn_write_markdown_text(&w->parts, &c);
}

static void add_title(writer *w)
{
    wn_str title = wn_str_of(w->parts.options->title);
    if (title.len == 0)
        return;
    wn_buf_add_literal(w->parts.out, "# ");
    add_words(w, title, WN_IN_HEADING);
    wn_buf_add_literal(w->parts.out, "\n");
}

/* Writes a rule between two forum posts, and the author and date before each post. */
static void add_post_head(writer *w, uint32_t first, bool follows)
{
    static const wn_block rule = {.kind = WINNOW_BLOCK_RULE},
                          line = {.kind = WINNOW_BLOCK_PARAGRAPH};
    wn_write_post post;
    wn_write_post_read(&post, w->parts.page, w->parts.selection, first);
    if (follows) {
        start_block(w, &rule, (wn_path){.count = 0});
        wn_buf_add_literal(w->parts.out, "---");
    }
    if (post.new_author.len == 0 && !*post.new_date)
        return;
    start_block(w, &line, (wn_path){.count = 0});
    if (post.new_author.len > 0) {
        wn_buf_add_literal(w->parts.out, "**");
        add_words(w, post.new_author, WN_IN_BOLD);
        wn_buf_add_literal(w->parts.out, "**");
    }
    wn_buf_add_literal(w->parts.out, post.new_author.len > 0 && *post.new_date ? ", " : "");
    wn_buf_add_literal(w->parts.out, post.new_date);
}

void wn_write_markdown(wn_buf *out, const wn_page *page, const wn_selection *selection,
                       const wn_write_options *options, const char *url)
{
    wn_page_links links;
    writer w = {
        .parts =
            {.out = out, .page = page, .selection = selection, .options = options, .links = &links},
        .paths = {.doc = page->doc},
    };
    wn_markdown *parts = &w.parts;
    wn_cost_start(&parts->cost, WN_COST_MARKDOWN, page->text.len);
    wn_page_notes_find(&parts->notes, page, selection);
    w.paths.notes = &parts->notes;
    wn_page_links_start(&links, page->doc, url, options->links || options->images);
    add_title(&w);
    if (out->len > 0 && options->title)
        wn_buf_add_char(out, '\n');
    bool follows = false; /* a post was written before */
    uint32_t post = 0;    /* one that is about to begin: its first block, counted from 1; 0: none */
    for (uint32_t i = 0; i < selection->count;) {
        post = selection->verdicts[i].post & WN_POST_STARTS ? i + 1 : post;
        if (!selection->verdicts[i].keep) {
            i++;
            continue;
        }
        bool is_shown = wn_write_is_shown(&page->blocks.items[i], options);
        if (post > 0 && is_shown)
            add_post_head(&w, post - 1, follows);
        follows |= post > 0 && is_shown;
        post = is_shown ? 0 : post;
        i = add_block(&w, i);
    }
    if (w.last)
        wn_buf_add_char(out, '\n');
    out->failed |= links.base.failed || parts->url.failed || parts->image.failed ||
                   parts->prefix.failed || parts->notes.failed;
    wn_write_note_exceeded(options, &links.cost);
    wn_page_links_free(&links);
    wn_buf_free(&parts->url);
    wn_buf_free(&parts->image);
    wn_buf_free(&parts->prefix);
    wn_array_free(&parts->spans);
    wn_write_paths_free(&w.paths);
    wn_page_notes_free(&parts->notes);
}
