/*
 * Readers' comments as records: blocks that were found to be comments, joined where author or date show that a new
 * one begins.
 */
#include "write/write.h"

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

/* Buttons, links such as "Reply" and the heading "3 comments" are not what a reader wrote. */
static bool is_text(const wn_block *block)
{
    return block->kind != WINNOW_BLOCK_FORM && block->kind != WINNOW_BLOCK_HEADING &&
           block->link_bytes * 2 < block->len;
}

static void gather(wn_write_listing *listing, gathered *one, uint32_t block, const wn_page *page,
                   int role, wn_arena *arena)
{
    const char *text = listing->blocks[block].text;
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

bool wn_write_list_comments(wn_write_listing *listing, const wn_page *page,
                            const wn_selection *selection, wn_arena *arena)
{
    gathered one = {.author = "", .date = ""};
    size_t count = 0;
    for (uint32_t i = 0; i < selection->count; i++)
        count += wn_selection_role_is_comment(selection->verdicts[i].role);
    if (count == 0)
        return true;
    listing->comments = wn_arena_alloc(arena, count * sizeof *listing->comments);
    for (uint32_t i = 0; listing->comments && i < selection->count; i++) {
        int role = selection->verdicts[i].role;
        if (wn_selection_role_is_comment(role))
            gather(listing, &one, i, page, role, arena);
    }
    if (listing->comments)
        finish(listing, &one, arena);
    bool failed = one.text.failed || !listing->comments;
    wn_buf_free(&one.text);
    return !failed;
}
