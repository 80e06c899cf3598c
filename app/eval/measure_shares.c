/*
 * How much of a page is content: the share of its text and the share of its tags (Ha & Nam,
 * table 1: about half of the text, and a tenth of the tags).
 *
 * The content is what the gold says: the words of the page, scripts and styles aside, that are
 * in the longest common subsequence with it. A tag lies inside the content if the words before
 * and after it are content.
 *
 *     <nav> Home </nav> <h1> Title </h1> <p> Some text </p> <hr> Imprint
 *                                  ^^^^^ ^^^
 */
#include "eval/measures.h"

#include <math.h>

#include "html/encoding.h"
#include "html/tokenizer.h"

/* A page as its words see it. */
typedef struct markup {
    wn_buf text;             /* all texts; a space stands for a tag */
    wn_array(uint32_t) tags; /* where in the text each tag is */
    bool failed;
} markup;

/* Whether the text of an element is not for readers, or (the title) not on the page. */
static bool is_silent(unsigned tag)
{
    return tag == WN_TAG_SCRIPT || tag == WN_TAG_STYLE || tag == WN_TAG_TITLE;
}

static void add_tag(markup *page)
{
    uint32_t *place = wn_array_push(&page->tags);
    if (place)
        *place = (uint32_t)page->text.len;
    page->failed = page->failed || !place;
    wn_buf_add_char(&page->text, ' ');
}

static void read_markup(markup *page, wn_arena *arena, wn_str html)
{
    wn_tokenizer tokenizer = {0};
    wn_html_tokenizer_init(&tokenizer, arena, wn_html_decode(arena, html, NULL).text);
    tokenizer.follows_tags = true;
    unsigned silent = 0;
    while (wn_html_tokenizer_next(&tokenizer)) {
        const wn_token *token = &tokenizer.token;
        if (token->kind == WN_TOKEN_TEXT && !silent)
            wn_buf_add(&page->text, token->text);
        if (token->kind == WN_TOKEN_START_TAG && is_silent(token->tag))
            silent = token->tag;
        else if (token->kind == WN_TOKEN_END_TAG && token->tag == silent)
            silent = 0;
        if (token->kind == WN_TOKEN_START_TAG || token->kind == WN_TOKEN_END_TAG)
            add_tag(page);
    }
    page->failed = page->failed || page->text.failed || arena->failed;
    wn_html_tokenizer_free(&tokenizer);
}

/* Marks the words of the page that are content, in m->counts; gives their characters. */
static uint64_t mark_content(wn_measurer *m)
{
    uint32_t count = m->ours.list.count;
    uint64_t inside = 0;
    if (!wn_array_reserve(&m->counts, count + 1)) {
        m->failed = true;
        return 0;
    }
    memset(m->counts.items, 0, (count + 1) * sizeof *m->counts.items);
    for (uint32_t i = 0; i < m->match.count; i++) {
        uint32_t place = m->match.items[i];
        if (place == WN_LCS_NONE)
            continue;
        m->counts.items[place] = 1;
        inside += m->ours.list.items[place].length;
    }
    return inside;
}

static uint32_t tags_inside(const wn_measurer *m, const markup *page)
{
    uint32_t inside = 0, word = 0; /* the first word after the tag */
    for (uint32_t i = 0; i < page->tags.count; i++) {
        while (word < m->ours.list.count && m->ours.list.items[word].start < page->tags.items[i])
            word++;
        inside += word > 0 && word < m->ours.list.count && m->counts.items[word - 1] &&
                  m->counts.items[word];
    }
    return inside;
}

wn_shares wn_eval_measure_shares(wn_measurer *m, wn_str html)
{
    markup page = {0};
    wn_shares shares = {NAN, NAN};
    wn_arena_reset(&m->arena);
    read_markup(&page, &m->arena, html);
    m->failed = m->failed || page.failed ||
                !wn_eval_measurer_read(m, &m->ours, wn_buf_str(&page.text));
    if (!m->failed) {
        wn_eval_measure_lcs(m);
        uint64_t inside = mark_content(m);
        if (!m->failed && m->ours.length > 0)
            shares.text = (double)inside / (double)m->ours.length;
        if (!m->failed && page.tags.count > 0)
            shares.tags = (double)tags_inside(m, &page) / (double)page.tags.count;
    }
    wn_buf_free(&page.text);
    wn_array_free(&page.tags);
    return shares;
}
