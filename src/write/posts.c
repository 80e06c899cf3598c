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

void wn_write_post_read(wn_write_post *post, const wn_page *page, const wn_selection *selection,
                        uint32_t first)
{
    *post = (wn_write_post){.author = WN_STR("")};
    for (uint32_t i = first; i < selection->count; i++) {
        const wn_verdict *verdict = &selection->verdicts[i];
        const wn_block *block = &page->blocks.items[i];
        wn_date date;
        if (!(verdict->post & WN_POST_IN) || (i > first && verdict->post & WN_POST_STARTS))
            return;
        bool has_date = verdict->post & WN_POST_DATE;
        if (!(verdict->post & (WN_POST_AUTHOR | WN_POST_DATE)))
            continue;
        post->in_text |= verdict->keep;
        if (post->author.len == 0)
            post->author = author_of(page, block, has_date);
        if (has_date && !*post->date && wn_meta_block_date(page, block, &date))
            wn_meta_date_write(&date, post->date);
    }
}
