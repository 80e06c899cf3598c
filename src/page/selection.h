/*
 * The selection: the result of a method, one verdict per block of the page.
 *
 * Writers, --explain and the evaluation read it without knowing which method made it.
 */
#ifndef WN_PAGE_SELECTION_H
#define WN_PAGE_SELECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "page/page.h"
#include "page/view.h"
#include "winnow.h"

/*
 * A verdict and why: `reason` is short and readable by users, static or in the arena of
 * the selection.
 */
typedef struct wn_verdict {
    const char *reason;
    bool keep;
    uint8_t role; /* winnow_block_role or wn_role, if the method tells roles */
    uint8_t post; /* WN_POST_… */
} wn_verdict;

/* What a block is in a post; bits of wn_verdict.post. */
enum {
    WN_POST_IN = 1 << 0,
    WN_POST_STARTS = 1 << 1, /* it is the first block of its post, kept or not */
    WN_POST_AUTHOR = 1 << 2,
    WN_POST_DATE = 1 << 3,
    WN_POST_COMMENT = 1 << 4, /* elsewhere: it is the first block of a reader's comment */
};

/* Parts of comments that the interface shows as WINNOW_ROLE_COMMENT. */
typedef enum wn_role {
    WN_ROLE_COMMENT_AUTHOR = WINNOW_ROLE_OTHER + 1,
    WN_ROLE_COMMENT_DATE,
    WN_ROLE_COMMENT_SIGN,     /* "Leave a comment", forms, buttons: nobody's */
    WN_ROLE_COMMENT_REPEATED, /* nobody's either, unless it names somebody or a day */
} wn_role;

static inline bool wn_selection_role_is_comment(int role)
{
    return role == WINNOW_ROLE_COMMENT || role > WINNOW_ROLE_OTHER;
}

/* A role as the interface shows it. */
static inline winnow_block_role wn_selection_public_role(int role)
{
    return wn_selection_role_is_comment(role) ? WINNOW_ROLE_COMMENT : (winnow_block_role)role;
}

/*
 * The probability of a block and the reasons for it, for explanations; from methods that compute
 * probabilities. The reasons are in the arena of the selection.
 */
typedef struct wn_block_score {
    const winnow_reason *reasons;
    uint16_t reason_count;
    int16_t chance; /* that it is content, in 1/1024; -1: it was not judged */
} wn_block_score;

/* As many verdicts as the page has blocks. */
typedef struct wn_selection {
    wn_verdict *verdicts;
    const char **places;    /* with --explain: where each is; NULL: at the block's element */
    wn_block_score *scores; /* with --explain; else NULL */
    int threshold;          /* the lowest chance that is kept, in 1/1024; 0: there is none */
    uint32_t count;
    bool by_text;      /* a verdict for each of page->texts instead; the driver cuts the blocks */
    bool too_large;    /* the method does not take pages of this size */
    int page_type;     /* winnow_page_type, if the method tells types apart */
    int confidence;    /* the F1 to be expected, in 1/1024; 0: the method does not know */
    unsigned limited;  /* WINNOW_LIMITED_…: why nothing is kept, if the method knows */
    bool has_comments; /* of readers, by their roles */
    bool has_posts;    /* of a forum: verdicts have WN_POST_… */
    bool has_hasty_roles; /* the method knows better ones: wn_request.roles */
    const char *notes;    /* with --explain: what the method says of the page as a whole, or NULL */
    bool needs_collection; /* the method needs what is known of other pages */
} wn_selection;

/* Makes room for `count` verdicts, all "drop", and places; false if out of memory. */
bool wn_selection_start(wn_selection *selection, wn_arena *arena, uint32_t count, bool explain);

/* Adds room for `more` blocks at its end; false if out of memory. */
bool wn_selection_grow(wn_selection *selection, wn_arena *arena, uint32_t more);

/* Gives a block all that is said of another one, or only a verdict. */
void wn_selection_move(wn_selection *selection, uint32_t to, uint32_t from);
void wn_selection_set(wn_selection *selection, uint32_t block, wn_verdict verdict);

/* Drops a block for another reason than the method's. It stays a part of the post that it is in. */
void wn_selection_drop(wn_selection *selection, uint32_t block, const char *reason);

/* Whether any block is kept. */
bool wn_selection_keeps(const wn_selection *selection);

/*
 * Makes blocks of which each has one verdict, from verdicts on the single texts of
 * the page: the view's blocks are cut where the verdicts change.
 */
void wn_selection_cut(wn_selection *selection, wn_page_view *view, wn_arena *arena);

#endif
