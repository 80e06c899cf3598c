/*
 * What a selection returns: status, metadata, blocks, links, images. Metadata and lists are
 * computed when they are first needed.
 */
#include "api/handles.h"

#include "auto/forest.h"
#include "page/objects.h"

void wn_api_note_exceeded(winnow_selection *s)
{
    s->limited |= WINNOW_LIMITED_WORK;
    if (s->status == WINNOW_STATUS_OK)
        s->status = WINNOW_STATUS_PARTIAL;
}

/* document and page -> metadata; they are read when somebody wants them */
const winnow_metadata *wn_api_metadata(winnow_selection *s)
{
    winnow_page *page = s->owner;
    if (s->has_metadata)
        return &s->metadata;
    s->metadata = wn_no_metadata;
    if (page->is_binary || s->arena.failed || !s->view.page.doc)
        return &s->metadata;
    if (s->by_tokens)
        wn_meta_of_tokens(&s->view.page, &s->arena, &s->metadata);
    else if (!wn_meta_read(page->metadata, &s->view.page, page->url, s->explain, &s->arena,
                           &s->metadata))
        wn_api_note_exceeded(s);
    s->has_metadata = true;
    return &s->metadata;
}

/* Blocks that are not made of elements of the page have no place in it. */
static void forget_sources(wn_write_listing *listing)
{
    for (size_t i = 0; i < listing->block_count; i++)
        listing->blocks[i].source_start = listing->blocks[i].source_end = 0;
}

/* What the page says of itself is read before: it is looked for in blocks of text. */
bool wn_api_place_objects(winnow_selection *s)
{
    if (s->has_objects || s->verdicts.count == 0 || !s->view.page.doc)
        return true;
    wn_api_metadata(s);
    s->has_objects = wn_page_objects_place(&s->view, &s->verdicts, &s->arena);
    s->arena.failed |= !s->has_objects;
    return s->has_objects;
}

static bool is_object(const wn_block *block)
{
    return block->kind == WINNOW_BLOCK_IMAGE || block->kind == WINNOW_BLOCK_EMBED ||
           block->kind == WINNOW_BLOCK_RULE;
}

/*
 * Roles that were found in haste, because nobody had said that they would be looked at, are found
 * again: the page is judged a second time. Objects may have been put between its blocks since then.
 */
static void correct_roles(winnow_selection *s)
{
    wn_selection again = {0};
    wn_request request = s->request;
    if (!s->verdicts.has_hasty_roles || s->is_embedded ||
        !wn_selection_start(&again, &s->arena, s->judged->blocks.count, false))
        return;
    request.explain = false;
    request.roles = true;
    request.method->select(s->judged, &request, &s->arena, &again);
    s->verdicts.has_hasty_roles = false;
    uint32_t from = 0;
    for (uint32_t i = 0; i < s->verdicts.count && from < again.count; i++)
        if (!is_object(&s->view.page.blocks.items[i]))
            s->verdicts.verdicts[i].role = again.verdicts[from++].role;
    for (size_t i = 0; i < s->listing.block_count; i++)
        s->listing.blocks[i].role = wn_selection_public_role(s->verdicts.verdicts[i].role);
}

/* As wn_api_listing(), but roles may be hasty. */
static const wn_write_listing *list(winnow_selection *s)
{
    static const wn_write_listing nothing;
    if (s->has_listing)
        return &s->listing;
    if (s->verdicts.count == 0 || !s->view.page.doc)
        return &nothing;
    if (!wn_api_place_objects(s))
        return NULL;
    s->has_listing = wn_write_list(&s->listing, &s->view.page, &s->verdicts, s->owner->url,
                                   s->explain, &s->arena);
    if (s->has_listing && s->listing.exceeded)
        wn_api_note_exceeded(s);
    if (s->has_listing && (s->by_tokens || s->is_embedded))
        forget_sources(&s->listing);
    return s->has_listing ? &s->listing : NULL;
}

/* blocks, links and images as programs see them; NULL if out of memory */
const wn_write_listing *wn_api_listing(winnow_selection *s)
{
    const wn_write_listing *listing = list(s);
    if (s->has_listing)
        correct_roles(s);
    return listing;
}

/*
 * Where nobody asks for blocks they are not listed: they take more memory than the page. The posts
 * of a forum are made from them.
 */
const wn_write_listing *wn_api_lists(winnow_selection *s, bool links)
{
    if (s->has_listing || s->verdicts.has_posts || s->verdicts.count == 0 || !s->view.page.doc ||
        (links && s->explain))
        return list(s);
    if (s->has_lists && (!links || s->lists.links))
        return &s->lists;
    if (links && !wn_api_place_objects(s))
        return NULL;
    wn_write_listing lists = {.blocks = NULL};
    if (!wn_write_list_comments(&lists, &s->view.page, &s->verdicts, &s->arena) ||
        (links &&
         !wn_write_list_links(&lists, &s->view.page, &s->verdicts, s->owner->url, &s->arena)))
        return NULL; /* what was listed before is still whole */
    s->lists = lists;
    s->has_lists = true;
    if (lists.exceeded)
        wn_api_note_exceeded(s);
    return &s->lists;
}

wn_api_read_state wn_api_read_state_of(const winnow_selection *s)
{
    return (wn_api_read_state){s->has_metadata, s->has_listing, s->has_lists, s->arena.failed};
}

/*
 * Memory ran out: what was read since then may not be whole, and is read again when it is wanted.
 */
void wn_api_give_up_reading(winnow_selection *s, const wn_api_read_state *before)
{
    s->has_metadata = before->has_metadata;
    s->has_listing = before->has_listing;
    s->has_lists = before->has_lists;
    s->arena.failed = before->failed;
    wn_api_say_no_memory(s->owner);
}

winnow_status winnow_selection_status(const winnow_selection *selection)
{
    return selection ? selection->status : WINNOW_STATUS_BAD_ARGUMENT;
}

unsigned winnow_selection_limited(const winnow_selection *selection)
{
    return selection ? selection->limited : 0;
}

const char *winnow_selection_method(const winnow_selection *selection)
{
    return selection ? selection->method : "";
}

double winnow_selection_confidence(const winnow_selection *selection)
{
    return selection ? selection->verdicts.confidence / (double)WN_LOGIT_ONE : 0;
}

double winnow_selection_threshold(const winnow_selection *selection)
{
    return selection ? selection->verdicts.threshold / (double)WN_LOGIT_ONE : 0;
}

const char *winnow_selection_notes(const winnow_selection *selection)
{
    return selection && selection->verdicts.notes ? selection->verdicts.notes : "";
}

winnow_page_type winnow_selection_page_type(const winnow_selection *selection)
{
    return selection ? (winnow_page_type)selection->verdicts.page_type : WINNOW_PAGE_TYPE_UNKNOWN;
}

const winnow_metadata *winnow_selection_metadata(winnow_selection *selection)
{
    if (!selection)
        return &wn_no_metadata;
    wn_api_work w = wn_api_enter(selection->owner);
    wn_api_read_state before = wn_api_read_state_of(selection);
    const winnow_metadata *metadata = wn_api_metadata(selection);
    if (wn_api_ran_out(&w)) {
        wn_api_give_up_reading(selection, &before);
        metadata = &wn_no_metadata;
    }
    wn_api_leave(&w);
    return metadata;
}

/* The lists of a selection, empty if there is none or out of memory. */
static wn_write_listing lists_of(winnow_selection *selection)
{
    if (!selection)
        return (wn_write_listing){0};
    wn_api_work w = wn_api_enter(selection->owner);
    wn_api_read_state before = wn_api_read_state_of(selection);
    const wn_write_listing *listing = wn_api_listing(selection);
    if (wn_api_ran_out(&w)) {
        wn_api_give_up_reading(selection, &before);
        listing = NULL;
    }
    wn_api_leave(&w);
    return listing ? *listing : (wn_write_listing){0};
}

size_t winnow_selection_block_count(winnow_selection *selection)
{
    return lists_of(selection).block_count;
}

const winnow_block *winnow_selection_block(winnow_selection *selection, size_t index)
{
    wn_write_listing lists = lists_of(selection);
    return index < lists.block_count ? &lists.blocks[index] : NULL;
}

size_t winnow_selection_link_count(winnow_selection *selection)
{
    return lists_of(selection).link_count;
}

const winnow_link *winnow_selection_link(winnow_selection *selection, size_t index)
{
    wn_write_listing lists = lists_of(selection);
    return index < lists.link_count ? &lists.links[index] : NULL;
}

size_t winnow_selection_comment_count(winnow_selection *selection)
{
    return lists_of(selection).comment_count;
}

const winnow_comment *winnow_selection_comment(winnow_selection *selection, size_t index)
{
    wn_write_listing lists = lists_of(selection);
    return index < lists.comment_count ? &lists.comments[index] : NULL;
}

size_t winnow_selection_image_count(winnow_selection *selection)
{
    return lists_of(selection).image_count;
}

const winnow_image *winnow_selection_image(winnow_selection *selection, size_t index)
{
    wn_write_listing lists = lists_of(selection);
    return index < lists.image_count ? &lists.images[index] : NULL;
}
