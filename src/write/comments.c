/*
 * What readers wrote, as records: the comments below a text, joined where author or date show that
 * a new one begins; and the posts of a forum, which are the text itself.
 */
#include "write/write.h"

#include "base/memory.h"
#include "write/bylines.h"
#include "write/posts.h"

/* What is gathered of one comment. */
typedef struct gathered {
    const char *author, *date;
    wn_buf text;
    bool is_bounded; /* markup says where it begins */
    bool is_over;    /* what follows is of another one */
    int order;       /* on this page, as far as markup does not tell */
} gathered;

/* Where author and date are; known from the first comment of a page. */
enum { UNKNOWN_ORDER, BYLINE_FIRST, TEXT_FIRST };

static void finish(wn_write_listing *listing, gathered *one, wn_arena *arena)
{
    if (one->text.len > 0) /* as count_records() has counted */
        listing->comments[listing->comment_count++] = (winnow_comment){
            .author = one->author,
            .date = one->date,
            .text = wn_arena_c_string(arena, wn_buf_str(&one->text)),
        };
    one->author = one->date = "";
    one->is_bounded = one->is_over = false;
    wn_buf_clear(&one->text);
}

/* ---- Comments ---------------------------------------------------------------------------- */

/* Buttons, links such as "Reply" and the heading "3 comments" are not what a reader wrote. */
static bool is_text(const wn_block *block)
{
    return block->kind != WINNOW_BLOCK_FORM && block->kind != WINNOW_BLOCK_HEADING &&
           block->link_bytes * 2 < block->len;
}

/*
 * Author and date of the comment that is gathered. They may come after its text if it is known where
 * the comment begins, or if the first comment has them there; a few words before the first byline
 * are of the site. What is said a second time is of the next comment: an answer inside of it.
 */
static void note_byline(wn_write_listing *listing, gathered *one, wn_write_byline byline,
                        wn_arena *arena)
{
    enum { LONG_TEXT = 60 }; /* bytes */
    bool is_said = (byline.author.len > 0 && *one->author) || (byline.date.len > 0 && *one->date);
    if (!one->is_bounded && one->order == UNKNOWN_ORDER)
        one->order = one->text.len >= LONG_TEXT ? TEXT_FIRST : BYLINE_FIRST;
    if (is_said || (one->text.len > 0 && !one->is_bounded && one->order != TEXT_FIRST))
        finish(listing, one, arena);
    if (byline.author.len > 0)
        one->author = wn_arena_c_string(arena, byline.author);
    if (byline.date.len > 0)
        one->date = wn_arena_c_string(arena, byline.date);
    one->is_over = !one->is_bounded && one->order == TEXT_FIRST && one->text.len > 0;
}

static void gather(wn_write_listing *listing, gathered *one, uint32_t block, const wn_page *page,
                   const wn_verdict *verdict, wn_arena *arena)
{
    const wn_block *shown = &page->blocks.items[block];
    bool is_named = verdict->role == WN_ROLE_COMMENT_AUTHOR ||
                    verdict->role == WN_ROLE_COMMENT_DATE;
    wn_write_byline byline;
    if (verdict->post & WN_POST_COMMENT) {
        finish(listing, one, arena);
        one->is_bounded = true;
    }
    if (verdict->role == WN_ROLE_COMMENT_SIGN || shown->kind == WINNOW_BLOCK_FORM)
        return;
    if (wn_write_byline_read(&byline, page, shown, is_named)) {
        note_byline(listing, one, byline, arena);
        return;
    }
    bool is_site = verdict->role == WN_ROLE_COMMENT_REPEATED;
    const char *text = is_text(shown) && !is_site ? wn_write_block_text(page, shown, arena) : NULL;
    if (!text)
        return;
    if (one->is_over)
        finish(listing, one, arena);
    if (one->text.len > 0)
        wn_buf_add_char(&one->text, '\n');
    wn_buf_add(&one->text, wn_str_of(text));
}

/* ---- Posts ------------------------------------------------------------------------------- */

static void gather_post(wn_write_listing *listing, gathered *one, uint32_t block,
                        const wn_page *page, const wn_selection *selection, wn_arena *arena)
{
    const wn_verdict *verdict = &selection->verdicts[block];
    if (verdict->post & WN_POST_STARTS) {
        wn_write_post post;
        finish(listing, one, arena);
        wn_write_post_read(&post, page, selection, block);
        one->author = wn_arena_c_string(arena, post.author);
        one->date = wn_arena_c_string(arena, wn_str_of(post.date));
    }
    bool is_byline = verdict->post & (WN_POST_AUTHOR | WN_POST_DATE);
    if (is_byline || !verdict->keep || !(verdict->post & WN_POST_IN))
        return;
    if (one->text.len > 0)
        wn_buf_add_char(&one->text, '\n');
    wn_buf_add(&one->text, wn_str_of(listing->blocks[block].text));
}

/* ---- Both -------------------------------------------------------------------------------- */

/* How many records there are at most; one more if text comes before the first post. */
static size_t count_records(const wn_selection *selection)
{
    size_t count = 0;
    for (uint32_t i = 0; i < selection->count; i++)
        count += selection->has_posts ? (selection->verdicts[i].post & WN_POST_STARTS) != 0
                                      : wn_selection_role_is_comment(selection->verdicts[i].role);
    return count;
}

/*
 * A single record of a few words, of nobody and no day, is what a site says where there are no
 * comments: "No account? Registration is free and easy!"
 */
static bool is_notice(const wn_write_listing *listing)
{
    enum { SHORT = 80 }; /* bytes */
    const winnow_comment *only = listing->comments;
    return listing->comment_count == 1 && !*only->author && !*only->date &&
           strlen(only->text) < SHORT;
}

bool wn_write_list_comments(wn_write_listing *listing, const wn_page *page,
                            const wn_selection *selection, wn_arena *arena)
{
    size_t failures = wn_memory_failures(); /* with one, a record may be missing */
    gathered one = {.author = "", .date = ""};
    size_t count = count_records(selection);
    if (count == 0)
        return true;
    listing->comments = wn_arena_alloc(arena, (count + 1) * sizeof *listing->comments);
    for (uint32_t i = 0; listing->comments && i < selection->count; i++) {
        const wn_verdict *verdict = &selection->verdicts[i];
        if (selection->has_posts)
            gather_post(listing, &one, i, page, selection, arena);
        else if (wn_selection_role_is_comment(verdict->role))
            gather(listing, &one, i, page, verdict, arena);
    }
    if (listing->comments)
        finish(listing, &one, arena);
    if (!selection->has_posts && is_notice(listing))
        listing->comment_count = 0;
    bool failed = wn_memory_failures() != failures || arena->failed || !listing->comments;
    wn_buf_free(&one.text);
    return !failed;
}
