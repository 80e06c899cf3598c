/*
 * Features for roles: each block described in numbers, for the trees that correct what the rules
 * say of its role (role_trees.h).
 *
 * They follow those of features.h in a row: the answer of the rules for the block and those around
 * it, which elements around it have names that tell a role, words of its text, what is kept before
 * and after it, pictures and links. Training and use call the same functions.
 */
#ifndef WN_AUTO_ROLE_FEATURES_H
#define WN_AUTO_ROLE_FEATURES_H

#include "auto/role_phrases.h"
#include "auto/roles.h"

/* clang-format off */

/* Of the block: the rules' answer, and what is known of it by now. */
#define WN_ROLE_OWN_FEATURES(F) \
    F(ROLE) F(ROLE_TITLE) F(ROLE_LEDE) F(ROLE_CAPTION) F(ROLE_RELATED) F(ROLE_PROMOTION) F(ROLE_BODY) \
    F(ROLE_NAVIGATION) F(KEPT) F(CHANCE) F(TYPE) F(BLOCK_OF_TITLE) F(KEPT_LEFT) F(KEPT_RIGHT) \
    F(KEPT_BEFORE) F(KEPT_BEHIND) F(KEPT_PLACE) F(UNDER) F(UNDER_ROLE) \
    F(IMAGES0) F(IMAGES1) F(IMAGES2) F(IMAGES3) F(LINK_ABSOLUTE) F(LINK_NOFOLLOW) F(LINK_TRACKED) F(LINK_WINDOW) \
    F(LINK_FOREIGN) F(LINK_LENGTH) F(LINK_DASHES) F(LINK_DIGITS) F(LINK_DEPTH) \
    F(LEFT_LENGTH) F(LEFT_DASHES) F(RIGHT_LENGTH) F(RIGHT_DASHES)

/* Steps to the nearest element around whose names say that, itself 0; by the bits of role_words.h. */
#define WN_ROLE_SAYS_FEATURES(F) \
    F(SAYS_COMMENT) F(SAYS_RELATED) F(SAYS_PROMOTION) F(SAYS_SHARE) F(SAYS_CAPTION) F(SAYS_AUTHOR) \
    F(SAYS_DATE) F(SAYS_LEDE) F(SAYS_EMBED) F(SAYS_LEGAL) F(SAYS_NAVIGATION) F(SAYS_FACTS) \
    F(SAYS_QUESTION) F(SAYS_AD) F(SAYS_TITLE) F(SAYS_BYLINE)

/* Of that element: its words, its blocks, its share of the good text. */
#define WN_ROLE_SIZE_FEATURES(F) \
    F(RELATED_WORDS) F(RELATED_BLOCKS) F(RELATED_GOOD) F(PROMOTION_WORDS) F(PROMOTION_BLOCKS) F(PROMOTION_GOOD) \
    F(CAPTION_WORDS) F(CAPTION_BLOCKS) F(CAPTION_GOOD) F(LEDE_WORDS) F(LEDE_BLOCKS) F(LEDE_GOOD) \
    F(AD_WORDS) F(AD_BLOCKS) F(AD_GOOD)

/* Blocks back and on to the nearest one of a role, by the rules. */
#define WN_ROLE_STEP_FEATURES(F) \
    F(TITLE_BACK) F(TITLE_ON) F(LEDE_BACK) F(LEDE_ON) F(BODY_BACK) F(BODY_ON) F(CAPTION_BACK) F(CAPTION_ON) \
    F(COMMENT_BACK) F(COMMENT_ON) F(RELATED_BACK) F(RELATED_ON) F(PROMOTION_BACK) F(PROMOTION_ON) \
    F(SHARE_BACK) F(SHARE_ON) F(NAVIGATION_BACK) F(NAVIGATION_ON) F(OTHER_BACK) F(OTHER_ON)

/* Phrases that begin it, the block before it, and the heading above it (role_phrases.h). */
#define WN_ROLE_PHRASE_FEATURES(F) \
    F(OWN_READ_ALSO) F(OWN_AD) F(OWN_OFFER) F(OWN_COMMENT) F(OWN_CAPTION) F(OWN_CONTROL) \
    F(LEFT_READ_ALSO) F(LEFT_AD) F(LEFT_OFFER) F(LEFT_COMMENT) F(LEFT_CAPTION) F(LEFT_CONTROL) \
    F(HEAD_READ_ALSO) F(HEAD_AD) F(HEAD_OFFER) F(HEAD_COMMENT) F(HEAD_CAPTION) F(HEAD_CONTROL)

/* Words of it, of its first ones, of the blocks beside it and of the heading above it. */
#define WN_ROLE_TERM_FEATURES(F) \
    F(OFFER_TERMS) F(RELATED_TERMS) F(COMMENT_TERMS) F(CAPTION_TERMS) F(SERVICE_TERMS) \
    F(OFFER_FIRST) F(RELATED_FIRST) F(COMMENT_FIRST) F(CAPTION_FIRST) F(SERVICE_FIRST) \
    F(OFFER_LEFT) F(RELATED_LEFT) F(COMMENT_LEFT) F(CAPTION_LEFT) F(SERVICE_LEFT) \
    F(OFFER_RIGHT) F(RELATED_RIGHT) F(COMMENT_RIGHT) F(CAPTION_RIGHT) F(SERVICE_RIGHT) \
    F(OFFER_HEAD) F(RELATED_HEAD) F(COMMENT_HEAD) F(CAPTION_HEAD) F(SERVICE_HEAD)

#define WN_ROLE_FEATURES(F) \
    WN_ROLE_OWN_FEATURES(F) WN_ROLE_SAYS_FEATURES(F) WN_ROLE_SIZE_FEATURES(F) WN_ROLE_STEP_FEATURES(F) \
    WN_ROLE_PHRASE_FEATURES(F) WN_ROLE_TERM_FEATURES(F)

#define WN_ROLE_FEATURE_NUMBER(name) WN_R_##name,
/* clang-format on */

typedef enum wn_auto_role_feature {
    WN_ROLE_FEATURES(WN_ROLE_FEATURE_NUMBER) WN_ROLE_FEATURE_COUNT
} wn_auto_role_feature;

extern const char *const wn_auto_role_feature_names[WN_ROLE_FEATURE_COUNT];

enum {
    WN_ROLE_ROW = WN_FEATURE_COUNT + WN_ROLE_FEATURE_COUNT,
    WN_ROLE_SAYS = WN_R_RELATED_WORDS - WN_R_SAYS_COMMENT,
    WN_ROLE_SIZED = (WN_R_TITLE_BACK - WN_R_RELATED_WORDS) /
                    3, /* names whose element is measured */
    WN_ROLE_STEPS = WN_R_OWN_READ_ALSO - WN_R_TITLE_BACK,
};

/* Of each element: what the names around it say. */
typedef struct wn_auto_role_names {
    uint32_t sized[WN_ROLE_SIZED]; /* elements; 0: none */
    uint8_t near[WN_ROLE_SAYS];
    uint16_t images; /* in it */
} wn_auto_role_names;

/* Of the address that a block leads to: those of articles are longer than those of sections. */
typedef struct wn_auto_role_address {
    uint8_t length, dashes, digits, depth; /* of its path; all 0 if the block has no link */
} wn_auto_role_address;

/* Of each block. */
typedef struct wn_auto_role_block {
    wn_auto_role_terms terms;
    uint8_t phrases; /* bits: 1 << WN_PHRASE_… */
    uint8_t steps[WN_ROLE_STEPS];
    wn_auto_role_address address; /* of its first link */
    uint32_t kept_before;         /* words */
} wn_auto_role_block;

typedef struct wn_auto_role_rows {
    const wn_auto_roles *roles;
    const wn_selection *selection; /* with the roles that rules have given */
    const uint16_t *chances;       /* of each block, in 1/1024 */
    int page_type;
    wn_auto_role_names *names;  /* by element */
    wn_auto_role_block *blocks; /* by block */
    uint32_t kept;              /* words on the page */
    wn_str site;                /* the end of the host that most links lead to; empty: no host */
} wn_auto_role_rows;

/* Reads the page; false if out of memory. */
bool wn_auto_role_rows_prepare(wn_auto_role_rows *rows, const wn_auto_roles *roles, int page_type,
                               const uint16_t *chances, const wn_selection *selection,
                               wn_arena *arena);

/* Writes the numbers of one block: WN_ROLE_ROW of them. */
void wn_auto_role_row(const wn_auto_role_rows *rows, uint32_t block, int16_t *row);

#endif
