/*
 * Features: each block described in numbers, for a model to score.
 *
 * All are 16-bit integers, so that the same page gives the same numbers everywhere: counts are
 * clamped at 32,767, shares are in thousandths. They come from four places: the block's own text,
 * the elements around it (elements.h), where it is among the other blocks, and the page as a whole.
 * Only the lexicon depends on the language, and unknown words are neutral.
 *
 * wn_auto_features_prepare() reads the page in a few linear passes; wn_auto_features_row() then
 * writes the numbers of one block. Training and use call the same two functions.
 */
#ifndef WN_AUTO_FEATURES_H
#define WN_AUTO_FEATURES_H

#include "auto/elements.h"
#include "auto/lexicon.h"
#include "base/arena.h"
#include "page/page.h"

enum {
    WN_FEATURE_LEVELS = 6, /* elements around a block that are described one by one */
    WN_PAGE_TYPES = 7,
};

/* clang-format off */

/* Of the block's own text. */
#define WN_OWN_FEATURES(F) \
    F(WORDS) F(BYTES) F(WORD_LENGTH) F(LINK_SHARE) F(LINKS) F(WORDS_PER_LINK) F(COMMAS) F(STOPS) \
    F(MARKS_PER_WORD) F(CALLS) F(ENDS_SENTENCE) F(FIRST_UPPER) F(FIRST_LOWER) F(UPPER_WORDS) \
    F(ALL_UPPER_WORDS) F(DIGITS) F(OTHER_SIGNS) F(MONEY) F(ADDRESS) F(ENDS_COLON) F(ENDS_DOTS) \
    F(BULLETS) F(COPYRIGHT) F(LINES) F(WIDE) F(TEXT_MEAN) F(TEXT_MAX) F(TEXT_MIN) F(TEXT_FIRST) \
    F(TEXT_WHOLE) F(TITLE_SHARE) F(OF_TITLE) F(DESCRIPTION_SHARE) F(DATA_SHARE) \
    F(TAG) F(KIND) F(HEADING_LEVEL) F(LIST_DEPTH) F(QUOTE_DEPTH) F(IN_TABLE) F(VISIBILITY)

/* Distances to the nearest element around of each of these kinds, itself 0. */
#define WN_NEAR_FEATURES(F) \
    F(NEAR_ARTICLE) F(NEAR_MAIN) F(NEAR_NAV) F(NEAR_HEADER) F(NEAR_FOOTER) F(NEAR_ASIDE) F(NEAR_FORM) \
    F(NEAR_LIST) F(NEAR_TABLE) F(NEAR_SECTION) F(NEAR_FIGURE) F(NEAR_QUOTE) F(NEAR_DL) F(NEAR_PRE) \
    F(NEAR_DETAILS) F(NEAR_BUTTON) F(NEAR_NOSCRIPT) F(NEAR_LINK) F(NEAR_SELECT) F(NEAR_DIALOG) \
    F(NEAR_P) F(NEAR_ITEM) F(NEAR_CELL) F(NEAR_HEADING)

/* Of the names of the elements around. */
#define WN_NAME_FEATURES(F) \
    F(NAMES_SUM) F(NAMES_MIN) F(NAMES_MAX) F(NAMES_NEAR) F(NAMES_MIDDLE) F(NAMES_MIN_DISTANCE) \
    F(NAMES_MAX_DISTANCE) F(NAMES_MIN_WORDS) F(NAMES_MAX_WORDS) F(ROLES_SUM) F(DEPTH) F(LISTS)

/*
 * How far the block is from where the good text is: up to the common element, and down from there.
 */
#define WN_PEAK_FEATURES(F) \
    F(PEAK50_UP) F(PEAK50_DOWN) F(PEAK80_UP) F(PEAK80_DOWN) F(PEAK95_UP) F(PEAK95_DOWN) \
    F(BEST_UP) F(BEST_DOWN)

/* Of each of the elements around, from the block's own outwards. */
#define WN_LEVEL_FEATURES(F, L) \
    F(L##_WORDS) F(L##_WORD_SHARE) F(L##_LINK_SHARE) F(L##_BLOCKS) F(L##_BLOCK_WORDS) \
    F(L##_GOOD_SHARE) F(L##_MARKS) F(L##_SHORT) F(L##_KIN) F(L##_NAMESAKES) F(L##_CHILDREN) \
    F(L##_PLACE) F(L##_START)

/* Of where it is in the row of blocks. */
#define WN_PLACE_FEATURES(F) \
    F(PLACE) F(WORD_PLACE) F(INDEX) F(INDEX_FROM_END) F(GOOD_BEFORE) F(GOOD_BEHIND) F(FROM_FIRST_GOOD) \
    F(FROM_LAST_GOOD) F(FROM_LARGEST) F(WORDS_FROM_LARGEST) F(FROM_TITLE) F(WORDS_FROM_TITLE) \
    F(HEADING_ABOVE) F(FROM_HEADING) F(HEADING_MEAN) F(HEADING_MIN) F(HEADING_MAX) \
    F(COPIES) F(COPIES_BEFORE) F(PATH_COUNT) F(PATH_WORDS) F(PATH_LINKS) F(PATH_SHARE) F(CLASS_COUNT) \
    F(CLASS_WORDS) F(CLASS_LINKS) F(CLASS_SHARE) F(NEAR2_WORDS) F(NEAR2_LINKS) F(NEAR5_WORDS) \
    F(NEAR5_LINKS) F(NEAR12_WORDS) F(NEAR12_LINKS) F(LEFT2_WORDS) F(LEFT2_LINKS) F(LEFT1_WORDS) \
    F(LEFT1_LINKS) F(LEFT1_TAG) F(LEFT1_ALIKE) F(LEFT1_UP) F(RIGHT1_WORDS) F(RIGHT1_LINKS) \
    F(RIGHT1_TAG) F(RIGHT1_ALIKE) F(RIGHT1_UP) F(RIGHT2_WORDS) F(RIGHT2_LINKS)

/* Of the whole page. */
#define WN_PAGE_FEATURES(F) \
    F(PAGE_WORDS) F(PAGE_BLOCKS) F(PAGE_GOOD) F(PAGE_LINKS) F(PAGE_LONG_BLOCKS) F(PAGE_LARGEST) \
    F(PAGE_H1) F(PAGE_ARTICLES) F(PAGE_MAINS) F(PAGE_P) F(PAGE_ITEMS) F(PAGE_TABLES) F(PAGE_H23) \
    F(PAGE_PRE) F(PAGE_FORMS) F(PAGE_MONEY) F(PAGE_BYTES) F(PAGE_DESCRIPTION) F(PAGE_DATA) \
    F(PAGE_URL_DEPTH) F(PAGE_URL_LENGTH) F(PAGE_TYPE0) F(PAGE_TYPE1) F(PAGE_TYPE2) F(PAGE_TYPE3) \
    F(PAGE_TYPE4) F(PAGE_TYPE5) F(PAGE_TYPE6) F(PAGE_PEAK_WORDS) F(PAGE_PEAK_LINKS) F(PAGE_PEAK_BLOCKS) \
    F(PAGE_BEST_SHARE) F(PAGE_HIDDEN)

#define WN_ALL_FEATURES(F) \
    WN_OWN_FEATURES(F) WN_NEAR_FEATURES(F) WN_NAME_FEATURES(F) WN_PEAK_FEATURES(F) \
    WN_LEVEL_FEATURES(F, L0) WN_LEVEL_FEATURES(F, L1) WN_LEVEL_FEATURES(F, L2) \
    WN_LEVEL_FEATURES(F, L3) WN_LEVEL_FEATURES(F, L4) WN_LEVEL_FEATURES(F, L5) \
    WN_PLACE_FEATURES(F) WN_PAGE_FEATURES(F)

#define WN_FEATURE_NUMBER(name) WN_F_##name,
/* clang-format on */

typedef enum wn_auto_feature {
    WN_ALL_FEATURES(WN_FEATURE_NUMBER) WN_FEATURE_COUNT
} wn_auto_feature;

enum {
    WN_OWN_COUNT = WN_F_NEAR_ARTICLE,
    WN_NEAR_COUNT = WN_F_NAMES_SUM - WN_F_NEAR_ARTICLE,
    WN_NAME_COUNT = WN_F_PEAK50_UP - WN_F_NAMES_SUM,
    WN_PEAK_COUNT = WN_F_L0_WORDS - WN_F_PEAK50_UP,
    WN_LEVEL_COUNT = WN_F_L1_WORDS - WN_F_L0_WORDS,
    WN_PLACE_COUNT = WN_F_PAGE_WORDS - WN_F_PLACE,
    WN_PAGE_COUNT = WN_FEATURE_COUNT - WN_F_PAGE_WORDS,
};

/* Their names, for training and --explain. */
extern const char *const wn_auto_feature_names[WN_FEATURE_COUNT];

typedef int16_t wn_auto_row[WN_FEATURE_COUNT];

/* Of each element: what the blocks in it inherit. */
typedef struct wn_auto_element_features {
    int16_t level[WN_LEVEL_COUNT];
    int16_t names[WN_NAME_COUNT];
    uint16_t says; /* WN_SAYS_…: what its own names say it is for */
    uint8_t near[WN_NEAR_COUNT];
    uint8_t peaks[WN_PEAK_COUNT];
} wn_auto_element_features;

/* Of each block: its own numbers, and what it takes to find the others. */
typedef struct wn_auto_block_features {
    int16_t own[WN_OWN_COUNT];
    int16_t heading[3];                 /* of the heading above: mean, lowest, highest weight */
    uint16_t heading_level;             /* 0: none */
    uint16_t copies_before;             /* blocks with the same text */
    uint32_t heading_block;             /* index */
    uint32_t copies;                    /* blocks with the same text, itself included */
    uint32_t path, classes;             /* its groups: by path and by classes */
    uint32_t words_before, good_before; /* sums over the blocks before it */
    uint32_t bytes_before, links_before;
    uint32_t good_words;
} wn_auto_block_features;

/* A group of blocks: in elements with the same path, or with the same classes around. */
typedef struct wn_auto_group {
    uint32_t count, words, bytes, link_bytes;
    int16_t described[4]; /* count, words a block, share of links, share of all words */
} wn_auto_group;

typedef struct wn_auto_groups {
    wn_auto_group *items;
    uint32_t count;
} wn_auto_groups;

typedef struct wn_auto_features {
    const wn_page *page;
    wn_auto_elements elements;
    wn_auto_element_features *element_features; /* by element */
    wn_auto_block_features *blocks; /* one more than the page has: the sums at its end */
    int16_t of_page[WN_PAGE_COUNT];
    int16_t title_types[WN_PAGE_TYPES];    /* what the words of the title say of the page's type */
    int16_t headings_types[WN_PAGE_TYPES]; /* and those of the first headings */
    wn_auto_groups paths, classes;
    uint32_t first_good, last_good, largest, title; /* blocks; title: the heading most like it */
    bool is_early; /* of the web before HTML5 and telephones, which has habits of its own */
} wn_auto_features;

/*
 * The words the features look up, told to whoever learns their weights. `at` is where the word
 * is: an element for names, else a block.
 */
typedef struct wn_auto_word_listener {
    void (*hear)(void *user, wn_auto_word_kind kind, uint32_t word, uint32_t at);
    void *user;
} wn_auto_word_listener;

/* Numbers for the nodes of a document, all zero: working memory. NULL if out of memory. */
uint32_t *wn_auto_features_marks(const wn_doc *doc, wn_arena *arena);

/*
 * Reads the page; false if out of memory. `listener` may be NULL. `marks` are those of the page's
 * document and can be used again.
 */
bool wn_auto_features_prepare(wn_auto_features *features, const wn_page *page,
                              const wn_auto_lexicon *lexicon, const wn_auto_word_listener *listener,
                              uint32_t *marks, wn_arena *arena);

/* Writes the numbers of one block. */
void wn_auto_features_row(const wn_auto_features *features, uint32_t block, int16_t *row);

#endif
