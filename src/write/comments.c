/*
 * What readers wrote, as records: the comments below a text, joined where author or date show that
 * a new one begins; and the posts of a forum, which are the text itself.
 */
#include "write/write.h"

#include "write/posts.h"

/* What is gathered of one comment. */
typedef struct gathered {
    const char *author, *date;
    wn_buf text;
} gathered;

static void finish(wn_write_listing *listing, gathered *one, wn_arena *arena)
{
    if (one->text.len > 0)
        listing->comments[listing->comment_count++] = (winnow_comment){
            .author = one->author,
            .date = one->date,
            .text = wn_arena_c_string(arena, wn_buf_str(&one->text)),
        };
    one->author = one->date = "";
    wn_buf_clear(&one->text);
}

/* ---- Comments ---------------------------------------------------------------------------- */

/* Buttons, links such as "Reply" and the heading "3 comments" are not what a reader wrote. */
static bool is_text(const wn_block *block)
{
    return block->kind != WINNOW_BLOCK_FORM && block->kind != WINNOW_BLOCK_HEADING &&
           block->link_bytes * 2 < block->len;
}

static void gather(wn_write_listing *listing, gathered *one, uint32_t block, const wn_page *page,
                   int role, wn_arena *arena)
{
    const char *text = wn_write_block_text(page, &page->blocks.items[block], arena);
    if (!text || role == WN_ROLE_COMMENT_SIGN)
        return;
    if (role == WN_ROLE_COMMENT_FIRST)
        finish(listing, one, arena);
    if (role == WINNOW_ROLE_COMMENT || role == WN_ROLE_COMMENT_FIRST) {
        if (!is_text(&page->blocks.items[block]))
            return;
        if (one->text.len > 0)
            wn_buf_add_char(&one->text, '\n');
        wn_buf_add(&one->text, wn_str_of(text));
        return;
    }
    const char **fact = role == WN_ROLE_COMMENT_AUTHOR ? &one->author : &one->date;
    if (one->text.len > 0 || **fact)
        finish(listing, one, arena);
    *fact = text;
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

/* How many records there are at most. */
static size_t count_records(const wn_selection *selection)
{
    size_t count = 0;
    for (uint32_t i = 0; i < selection->count; i++)
        count += selection->has_posts ? (selection->verdicts[i].post & WN_POST_STARTS) != 0
                                      : wn_selection_role_is_comment(selection->verdicts[i].role);
    return count;
}

bool wn_write_list_comments(wn_write_listing *listing, const wn_page *page,
                            const wn_selection *selection, wn_arena *arena)
{
    gathered one = {.author = "", .date = ""};
    size_t count = count_records(selection);
    if (count == 0)
        return true;
    listing->comments = wn_arena_alloc(arena, count * sizeof *listing->comments);
    for (uint32_t i = 0; listing->comments && i < selection->count; i++) {
        int role = selection->verdicts[i].role;
        if (selection->has_posts)
            gather_post(listing, &one, i, page, selection, arena);
        else if (wn_selection_role_is_comment(role))
            gather(listing, &one, i, page, role, arena);
    }
    if (listing->comments)
        finish(listing, &one, arena);
    bool failed = one.text.failed || arena->failed || !listing->comments;
    wn_buf_free(&one.text);
    return !failed;
}
