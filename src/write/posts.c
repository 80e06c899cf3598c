#include "write/posts.h"

#include "meta/names.h"
#include "meta/nearby.h"

static wn_str author_of(const wn_page *page, const wn_block *block, bool has_date)
{
    wn_str name = wn_meta_block_author(page, block), rest;
    if (name.len > 0)
        return name;
    if (wn_meta_byline_starts(wn_block_text(page, block), &rest))
        return wn_meta_name_clean(rest);
    return has_date ? WN_STR("") : wn_meta_name_clean(wn_block_text(page, block));
}

static bool is_of_post(const wn_selection *selection, uint32_t first, uint32_t block)
{
    unsigned bits = block < selection->count ? selection->verdicts[block].post : 0;
    return bits & WN_POST_IN && (block == first || !(bits & WN_POST_STARTS));
}

/* Whether a line of the post that is kept has the name of who wrote it. */
static bool says_author(const wn_page *page, const wn_selection *selection, uint32_t first,
                        wn_str author)
{
    enum { SHORT_LINE = 12 }; /* words */
    for (uint32_t i = first; is_of_post(selection, first, i); i++) {
        const wn_block *block = &page->blocks.items[i];
        if (selection->verdicts[i].keep && block->words <= SHORT_LINE &&
            wn_str_contains_nocase(wn_block_text(page, block), author))
            return true;
    }
    return false;
}

void wn_write_post_read(wn_write_post *post, const wn_page *page, const wn_selection *selection,
                        uint32_t first)
{
    bool in_text = false; /* a line that says who or when */
    *post = (wn_write_post){.author = WN_STR(""), .new_author = WN_STR("")};
    for (uint32_t i = first; is_of_post(selection, first, i); i++) {
        const wn_verdict *verdict = &selection->verdicts[i];
        const wn_block *block = &page->blocks.items[i];
        wn_date date;
        bool has_date = verdict->post & WN_POST_DATE;
        if (!(verdict->post & (WN_POST_AUTHOR | WN_POST_DATE)))
            continue;
        in_text |= verdict->keep;
        if (post->author.len == 0)
            post->author = author_of(page, block, has_date);
        if (has_date && !*post->date && wn_meta_block_date(page, block, &date))
            wn_meta_date_write(&date, post->date);
    }
    post->new_date = in_text ? "" : post->date;
    if (!in_text || !says_author(page, selection, first, post->author))
        post->new_author = post->author;
}
