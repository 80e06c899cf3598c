/*
 * Features of blocks: the elements described, the row of blocks described, and both put
 * together for one block.
 */
#include "auto/features.h"

#include <assert.h>

#include "auto/features_text.h"
#include "auto/key_slots.h"
#include "auto/role_words.h"
#include "text/class_words.h"

enum {
    GOOD_WORDS = 12,     /* words from which on a block is text rather than a label */
    GOOD_LINKS = 330,    /* thousandths of it that may be links */
    NO_ELEMENT = -1,     /* a level above the root */
    MOST_NAME_WORDS = 14 /* of one element */
};

/* The parts of a row, which are copied as a whole, are as long as the lists of features say. */
_Static_assert(WN_F_PLACE - WN_F_L0_WORDS == WN_FEATURE_LEVELS * WN_LEVEL_COUNT, "levels");
_Static_assert(WN_F_PAGE_TYPE6 - WN_F_PAGE_TYPE0 + 1 == WN_PAGE_TYPES, "types of pages");
_Static_assert(WN_F_HEADING_MAX - WN_F_HEADING_MEAN + 1 == 3, "weights of a heading");
_Static_assert(WN_F_PATH_SHARE - WN_F_PATH_COUNT + 1 == 4, "groups by path");
_Static_assert(WN_F_BEST_DOWN - WN_F_PEAK50_UP + 1 == 2 * WN_PEAKS, "distances to peaks");
_Static_assert(WN_F_CLASS_SHARE - WN_F_CLASS_COUNT + 1 == 4, "groups by classes");

#define NAME_OF(name) #name,
const char *const wn_auto_feature_names[WN_FEATURE_COUNT] = {WN_ALL_FEATURES(NAME_OF)};

/* ---- Names of elements ------------------------------------------------------------------- */

/* The weights of an element's names. */
typedef struct names {
    int sum, lowest, highest;
    int roles;
    int count;
    unsigned says; /* WN_SAYS_…: what the element is for */
} names;

/*
 * Names that were read before: on most pages a few classes are on most elements. Two with the same
 * hash are treated as equal, which does not matter for statistics.
 */
enum { NAME_MEMOS = 256 };

typedef struct name_memo {
    uint32_t hash; /* of the attribute's value; 0: free */
    int16_t sum;
    uint16_t says;
    int8_t lowest, highest;
    uint8_t count;
} name_memo;

/* What it takes to read the names of elements. */
typedef struct name_reader {
    wn_auto_word_reader words;
    name_memo memos[NAME_MEMOS];
} name_reader;

static void weigh_name(names *n, uint32_t hash, uint32_t element, const wn_auto_word_reader *reader)
{
    int weight = wn_auto_read_word(reader, WN_WORD_CLASS, hash, element);
    weight = weight == WN_NO_WEIGHT ? 0 : weight;
    assert(weight >= INT8_MIN && weight <= INT8_MAX); /* as memos keep it */
    n->sum += weight;
    n->lowest = weight < n->lowest ? weight : n->lowest;
    n->highest = weight > n->highest ? weight : n->highest;
}

static bool is_capital(char c)
{
    return c >= 'A' && c <= 'Z';
}

/*
 * Whether a word of two or three letters is one of a name that somebody wrote, as "ad" in "ad-slot"
 * or "ad5", and not of a number that a machine made: "ad2b7", "adFHlH", "8ad".
 */
static bool is_told_apart(wn_str text, wn_str word)
{
    size_t at = (size_t)(word.ptr - text.ptr), end = at + word.len;
    if (at > 0 && wn_is_ascii_digit(text.ptr[at - 1]))
        return false;
    if (end + 1 < text.len && is_capital(text.ptr[end]) && is_capital(text.ptr[end + 1]))
        return false;
    size_t after = end;
    while (after < text.len && wn_is_ascii_digit(text.ptr[after]))
        after++;
    return after == end || after == text.len || !wn_is_ascii_alpha(text.ptr[after]);
}

static void split_names(names *n, wn_str text, uint32_t element, const wn_auto_word_reader *reader)
{
    enum { SHORTEST = 2, LONGEST = 20, SURE_LENGTH = 4 };
    uint32_t hashes[MOST_NAME_WORDS];
    int first = n->count;
    assert(first <= MOST_NAME_WORDS);
    wn_text_class_words words = wn_text_class_words_of(text);
    for (wn_str word; n->count < MOST_NAME_WORDS && wn_text_class_words_next(&words, &word);) {
        if (word.len < SHORTEST || word.len > LONGEST)
            continue;
        if (word.len >= SURE_LENGTH || is_told_apart(text, word))
            n->says |= wn_auto_role_word(word);
        hashes[n->count] = wn_auto_word_hash(WN_WORD_CLASS, 0, word);
        wn_auto_lexicon_expect(reader->lexicon, hashes[n->count++]);
    }
    for (int i = first; i < n->count; i++)
        weigh_name(n, hashes[i], element, reader);
}

/* Adds the names in a class or id to those of the element. */
static void read_names(names *n, wn_str text, uint32_t element, name_reader *reader)
{
    uint32_t hash = wn_hash_quick(0, text);
    hash += hash == 0;
    name_memo *memo = &reader->memos[hash % NAME_MEMOS];
    if (reader->words.listener) { /* who wants to hear every word */
        split_names(n, text, element, &reader->words);
        return;
    }
    if (memo->hash != hash) {
        names fresh = {0};
        split_names(&fresh, text, element, &reader->words);
        *memo = (name_memo){
            .hash = hash,
            .sum = (int16_t)fresh.sum,
            .says = (uint16_t)fresh.says,
            .lowest = (int8_t)fresh.lowest,
            .highest = (int8_t)fresh.highest,
            .count = (uint8_t)fresh.count,
        };
    }
    if (n->count + memo->count > MOST_NAME_WORDS) {
        split_names(n, text, element, &reader->words);
        return;
    }
    n->sum += memo->sum;
    n->says |= memo->says;
    n->lowest = memo->lowest < n->lowest ? memo->lowest : n->lowest;
    n->highest = memo->highest > n->highest ? memo->highest : n->highest;
    n->count += memo->count;
}

/* A role or property as a whole; of an address ("https://schema.org/Product") its last part. */
static void read_role(names *n, char place, wn_str value, uint32_t element,
                      const wn_auto_word_reader *reader)
{
    size_t start = value.len;
    while (start > 0 && value.ptr[start - 1] != '/')
        start--;
    uint32_t hash = wn_auto_word_hash(WN_WORD_ROLE, place, wn_str_from_offset(value, start));
    int weight = wn_auto_read_word(reader, WN_WORD_ROLE, hash, element);
    if (weight != WN_NO_WEIGHT)
        n->roles += weight;
}

static names names_of(const wn_node *node, uint32_t element, name_reader *reader)
{
    names n = {0};
    if (node->kind != WN_KIND_ELEMENT)
        return n;
    for (uint32_t i = 0; i < node->len; i++) {
        const wn_attr *attr = &node->attrs[i];
        wn_str value = wn_attr_value(attr);
        switch (attr->id) {
        case WN_ATTR_CLASS:
        case WN_ATTR_ID:
        case WN_ATTR_DATA_TESTID:
            read_names(&n, value, element, reader);
            break;
        case WN_ATTR_ROLE:
            read_role(&n, 'r', value, element, &reader->words);
            break;
        case WN_ATTR_ITEMPROP:
        case WN_ATTR_ITEMTYPE:
            read_role(&n, 'i', value, element, &reader->words);
            break;
        default:
            break;
        }
    }
    return n;
}

/* ---- Elements: what blocks inherit ------------------------------------------------------- */

/* Which of the kinds of NEAR_… an element is, from 1; 0: none. */
static const uint8_t near_kinds[WN_TAG_COUNT] = {
#define NEAR(name) 1 + WN_F_NEAR_##name - WN_F_NEAR_ARTICLE
    [WN_TAG_ARTICLE] = NEAR(ARTICLE),
    [WN_TAG_MAIN] = NEAR(MAIN),
    [WN_TAG_NAV] = NEAR(NAV),
    [WN_TAG_HEADER] = NEAR(HEADER),
    [WN_TAG_FOOTER] = NEAR(FOOTER),
    [WN_TAG_ASIDE] = NEAR(ASIDE),
    [WN_TAG_FORM] = NEAR(FORM),
    [WN_TAG_UL] = NEAR(LIST),
    [WN_TAG_OL] = NEAR(LIST),
    [WN_TAG_MENU] = NEAR(LIST),
    [WN_TAG_TABLE] = NEAR(TABLE),
    [WN_TAG_SECTION] = NEAR(SECTION),
    [WN_TAG_FIGURE] = NEAR(FIGURE),
    [WN_TAG_FIGCAPTION] = NEAR(FIGURE),
    [WN_TAG_BLOCKQUOTE] = NEAR(QUOTE),
    [WN_TAG_DL] = NEAR(DL),
    [WN_TAG_PRE] = NEAR(PRE),
    [WN_TAG_DETAILS] = NEAR(DETAILS),
    [WN_TAG_BUTTON] = NEAR(BUTTON),
    [WN_TAG_NOSCRIPT] = NEAR(NOSCRIPT),
    [WN_TAG_A] = NEAR(LINK),
    [WN_TAG_SELECT] = NEAR(SELECT),
    [WN_TAG_OPTION] = NEAR(SELECT),
    [WN_TAG_DIALOG] = NEAR(DIALOG),
    [WN_TAG_P] = NEAR(P),
    [WN_TAG_LI] = NEAR(ITEM),
    [WN_TAG_TD] = NEAR(CELL),
    [WN_TAG_TH] = NEAR(CELL),
    [WN_TAG_H1] = NEAR(HEADING),
    [WN_TAG_H2] = NEAR(HEADING),
    [WN_TAG_H3] = NEAR(HEADING),
#undef NEAR
};

static uint8_t step(uint8_t distance)
{
    return distance < WN_FAR ? (uint8_t)(distance + 1) : WN_FAR;
}

static void measure_distances(wn_auto_element_features *element, const wn_auto_element_features *up,
                              const wn_node *node)
{
    for (unsigned i = 0; i < WN_NEAR_COUNT; i++)
        element->near[i] = step(up->near[i]);
    if (node->kind == WN_KIND_ELEMENT && node->ns == WN_NS_HTML && near_kinds[node->tag])
        element->near[near_kinds[node->tag] - 1] = 0;
}

static int16_t *name_of(wn_auto_element_features *element, wn_auto_feature feature)
{
    return &element->names[feature - WN_F_NAMES_SUM];
}

/* Names of this element, joined with those around it. */
static void join_names(wn_auto_features *f, uint32_t index, name_reader *reader)
{
    wn_auto_element_features *element = &f->element_features[index];
    const wn_auto_element *b = &f->elements.items[index];
    const wn_auto_element *up = &f->elements.items[b->parent];
    wn_auto_element_features *parent = &f->element_features[b->parent];
    const wn_node *node = wn_doc_node(f->page->doc, b->node);
    names n = names_of(node, index, reader);
    element->says = (uint16_t)n.says;
    int16_t *mine = element->names, *theirs = parent->names;
#define MINE(name) mine[WN_F_##name - WN_F_NAMES_SUM]
#define THEIRS(name) theirs[WN_F_##name - WN_F_NAMES_SUM]
    MINE(NAMES_SUM) = wn_auto_clip(THEIRS(NAMES_SUM) + n.sum);
    MINE(NAMES_NEAR) = wn_auto_clip(n.sum + THEIRS(NAMES_NEAR) / 2);
    MINE(NAMES_MIDDLE) = wn_auto_clip((n.sum + THEIRS(NAMES_MIDDLE) * 7) / 8);
    MINE(NAMES_MIN) = THEIRS(NAMES_MIN);
    MINE(NAMES_MAX) = THEIRS(NAMES_MAX);
    MINE(NAMES_MIN_DISTANCE) = wn_auto_clip(THEIRS(NAMES_MIN_DISTANCE) + 1);
    MINE(NAMES_MAX_DISTANCE) = wn_auto_clip(THEIRS(NAMES_MAX_DISTANCE) + 1);
    MINE(NAMES_MIN_WORDS) = THEIRS(NAMES_MIN_WORDS);
    MINE(NAMES_MAX_WORDS) = THEIRS(NAMES_MAX_WORDS);
    int16_t share = wn_auto_share(b->words, f->elements.items[0].words);
    if (n.lowest < MINE(NAMES_MIN)) {
        MINE(NAMES_MIN) = wn_auto_clip(n.lowest);
        MINE(NAMES_MIN_DISTANCE) = 0;
        MINE(NAMES_MIN_WORDS) = share;
    }
    if (n.highest > MINE(NAMES_MAX)) {
        MINE(NAMES_MAX) = wn_auto_clip(n.highest);
        MINE(NAMES_MAX_DISTANCE) = 0;
        MINE(NAMES_MAX_WORDS) = share;
    }
    MINE(ROLES_SUM) = wn_auto_clip(THEIRS(ROLES_SUM) + n.roles);
    MINE(DEPTH) = wn_auto_clip(up->depth + 1);
    MINE(LISTS) = wn_auto_clip(THEIRS(LISTS) +
                               (element->near[WN_F_NEAR_LIST - WN_F_NEAR_ARTICLE] == 0));
#undef MINE
#undef THEIRS
}

/* The mean of the words in some blocks, in tenths. */
static int16_t mean_words(uint32_t words, uint32_t blocks)
{
    return wn_auto_clip((int64_t)wn_auto_divide((uint64_t)words * 10, blocks));
}

static void describe_level(wn_auto_features *f, uint32_t index)
{
    const wn_auto_element *b = &f->elements.items[index], *all = &f->elements.items[0];
    int16_t *level = f->element_features[index].level;
#define LEVEL(name) level[WN_F_L0_##name - WN_F_L0_WORDS]
    LEVEL(WORDS) = wn_auto_clip(b->words);
    LEVEL(WORD_SHARE) = wn_auto_share(b->words, all->words);
    LEVEL(LINK_SHARE) = wn_auto_share(b->link_bytes, b->bytes);
    LEVEL(BLOCKS) = wn_auto_clip(b->blocks);
    LEVEL(BLOCK_WORDS) = mean_words(b->words, b->blocks ? b->blocks : 1);
    LEVEL(GOOD_SHARE) = wn_auto_share(b->good_words, all->good_words);
    LEVEL(MARKS) = wn_auto_share(b->marks, b->words);
    LEVEL(SHORT) = wn_auto_share(b->short_blocks, b->blocks);
    LEVEL(KIN) = wn_auto_clip(b->kin);
    LEVEL(NAMESAKES) = wn_auto_clip(b->namesakes);
    LEVEL(CHILDREN) = wn_auto_clip(b->children);
    LEVEL(PLACE) = 0; /* differs from block to block: see describe_levels() */
    LEVEL(START) = wn_auto_share(b->first_block, all->blocks);
#undef LEVEL
}

static void describe_elements(wn_auto_features *f, const wn_auto_word_reader *words)
{
    name_reader reader = {.words = *words};
    wn_auto_element_features *root = &f->element_features[0];
    memset(root, 0, sizeof *root);
    memset(root->near, WN_FAR, sizeof root->near);
    *name_of(root, WN_F_NAMES_MIN_DISTANCE) = WN_FAR;
    *name_of(root, WN_F_NAMES_MAX_DISTANCE) = WN_FAR;
    describe_level(f, 0);
    for (uint32_t i = 1; i < f->elements.count; i++) {
        const wn_auto_element *element = &f->elements.items[i];
        measure_distances(&f->element_features[i], &f->element_features[element->parent],
                          wn_doc_node(f->page->doc, element->node));
        join_names(f, i, &reader);
        describe_level(f, i);
    }
}

/* ---- Elements: where the good text is ---------------------------------------------------- */

/*
 * The element with the best score as reader modes compute it: good paragraphs count for the
 * elements around them, nearer ones more, and links count against.
 */
static uint32_t best_element(const wn_auto_features *f, uint32_t *scores)
{
    enum { REACH = 4, UNIT = 60 };
    const wn_auto_element *elements = f->elements.items;
    memset(scores, 0, f->elements.count * sizeof *scores);
    for (uint32_t i = 0; i < f->page->blocks.count; i++) {
        const wn_auto_block_features *b = &f->blocks[i];
        if (b->good_words == 0)
            continue;
        uint32_t length = f->page->blocks.items[i].len / 100;
        uint32_t score = UNIT * (1 + (uint32_t)b->own[WN_F_COMMAS] + (uint32_t)b->own[WN_F_STOPS] +
                                 (length < 3 ? length : 3));
        uint32_t element = f->elements.of_block[i];
        for (uint32_t level = 0; level < REACH && element;
             level++, element = elements[element].parent)
            scores[element] += level == 0 ? score : score * 2 / (level * 3);
    }
    uint32_t best = 0;
    uint64_t highest = 0;
    for (uint32_t i = 0; i < f->elements.count; i++) {
        if (scores[i] == 0) /* as most have */
            continue;
        uint64_t plain = elements[i].bytes - elements[i].link_bytes;
        uint64_t score = wn_auto_divide(scores[i] * plain,
                                        elements[i].bytes ? elements[i].bytes : 1);
        if (score > highest) {
            highest = score;
            best = i;
        }
    }
    return best;
}

static bool find_peaks(wn_auto_features *f, wn_arena *arena)
{
    uint32_t *scores = wn_arena_alloc(arena, f->elements.count * sizeof *scores);
    if (!scores)
        return false;
    uint32_t peak = wn_auto_elements_peak(&f->elements, 500), best = best_element(f, scores);
    const uint32_t peaks[WN_PEAKS] = {peak, wn_auto_elements_peak(&f->elements, 800),
                                      wn_auto_elements_peak(&f->elements, 950), best};
    wn_auto_elements_measure(&f->elements, peaks, f->element_features[0].peaks,
                             sizeof *f->element_features);
    const wn_auto_element *b = &f->elements.items[peak], *all = &f->elements.items[0];
    f->of_page[WN_F_PAGE_PEAK_WORDS - WN_F_PAGE_WORDS] = wn_auto_share(b->words, all->words);
    f->of_page[WN_F_PAGE_PEAK_LINKS - WN_F_PAGE_WORDS] = wn_auto_share(b->link_bytes, b->bytes);
    f->of_page[WN_F_PAGE_PEAK_BLOCKS - WN_F_PAGE_WORDS] = wn_auto_clip(b->blocks);
    f->of_page[WN_F_PAGE_BEST_SHARE - WN_F_PAGE_WORDS] = wn_auto_share(
        f->elements.items[best].good_words, all->good_words);
    return true;
}

/* ---- Blocks ------------------------------------------------------------------------------ */

static void describe_kind(int16_t *own, const wn_page *page, const wn_block *block)
{
    own[WN_F_TAG] = (int16_t)wn_doc_node(page->doc, block->node)->tag;
    own[WN_F_KIND] = block->kind;
    own[WN_F_HEADING_LEVEL] = block->level;
    own[WN_F_LIST_DEPTH] = block->list_depth;
    own[WN_F_QUOTE_DEPTH] = block->quote_depth;
    own[WN_F_IN_TABLE] = block->table > 0;
    own[WN_F_VISIBILITY] = block->flags &
                           (WN_BLOCK_INVISIBLE | WN_BLOCK_ARIA_HIDDEN | WN_BLOCK_NOSCRIPT);
}

static uint32_t good_words_of(const wn_block *block)
{
    bool good = block->words >= GOOD_WORDS &&
                wn_auto_share(block->link_bytes, block->len) < GOOD_LINKS;
    uint64_t plain = block->len - block->link_bytes;
    return good ? (uint32_t)wn_auto_divide(block->words * plain, block->len) : 0;
}

/* Reads the blocks one by one, with the sums of those before each. */
static void describe_blocks(wn_auto_features *f, wn_auto_block_weight *weights,
                            const wn_auto_head_facts *head, const wn_auto_word_reader *reader)
{
    uint32_t words = 0, good = 0, bytes = 0, links = 0, count = f->page->blocks.count;
    wn_auto_text_reading readings[2];
    wn_auto_read_text(&readings[0], f->page, 0, reader->lexicon);
    for (uint32_t i = 0; i <= count; i++) {
        wn_auto_block_features *b = &f->blocks[i];
        memset(b, 0, sizeof *b);
        b->words_before = words;
        b->good_before = good;
        b->bytes_before = bytes;
        b->links_before = links;
        if (i == count)
            return;
        const wn_block *block = &f->page->blocks.items[i];
        if (i + 1 < count)
            wn_auto_read_text(&readings[(i + 1) % 2], f->page, i + 1, reader->lexicon);
        wn_auto_describe_text(b->own, &readings[i % 2], f->page, i, head, reader);
        describe_kind(b->own, f->page, block);
        b->good_words = good_words_of(block);
        weights[i] = (wn_auto_block_weight){
            .good_words = b->good_words,
            .marks = (uint32_t)b->own[WN_F_COMMAS] + (uint32_t)b->own[WN_F_STOPS],
        };
        words += block->words;
        good += b->good_words;
        bytes += block->len;
        links += block->link_bytes;
    }
}

/* The heading above each block; a heading is its own. */
static void find_headings(wn_auto_features *f, const wn_auto_word_reader *reader)
{
    const wn_auto_block_features *above = NULL;
    for (uint32_t i = 0; i < f->page->blocks.count; i++) {
        const wn_block *block = &f->page->blocks.items[i];
        wn_auto_block_features *b = &f->blocks[i];
        if (block->kind == WINNOW_BLOCK_HEADING) {
            wn_auto_read_heading(b->heading, f->page, i, reader);
            b->heading_level = block->level;
            b->heading_block = i;
            above = b;
        } else if (above) {
            memcpy(b->heading, above->heading, sizeof b->heading);
            b->heading_level = above->heading_level;
            b->heading_block = above->heading_block;
        }
    }
}

/* Tells texts apart by their size, beginning and end, which is enough. */
static uint32_t hash_text(wn_str text)
{
    enum { BEGINNING = 48, END = 16 };
    size_t start = text.len < BEGINNING ? text.len : BEGINNING;
    size_t end = text.len - start < END ? text.len - start : END;
    uint32_t hash = wn_hash(text.len, wn_str_from(text.ptr, start));
    return wn_hash(hash, wn_str_from(text.ptr + text.len - end, end));
}

/* How often the text of each block is on the page, and how often before it. */
static bool find_copies(wn_auto_features *f, wn_arena *arena)
{
    uint32_t count = f->page->blocks.count;
    wn_auto_key_slots texts;
    uint32_t *counts = wn_auto_key_slots_start(&texts, count, arena)
                           ? wn_auto_key_slots_zeros(&texts, sizeof *counts, arena)
                           : NULL;
    if (!counts)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        wn_auto_block_features *b = &f->blocks[i];
        wn_str text = wn_block_text(f->page, &f->page->blocks.items[i]);
        b->copies = wn_auto_key_slots_find(&texts, hash_text(text));
        uint32_t before = counts[b->copies]++;
        b->copies_before = (uint16_t)(before < UINT16_MAX ? before : UINT16_MAX);
    }
    for (uint32_t i = 0; i < count; i++) /* slots become counts */
        f->blocks[i].copies = counts[f->blocks[i].copies];
    return true;
}

static bool start_groups(wn_auto_groups *groups, wn_auto_key_slots *slots, uint32_t blocks,
                         wn_arena *arena)
{
    groups->items = wn_auto_key_slots_start(slots, blocks, arena)
                        ? wn_auto_key_slots_zeros(slots, sizeof *groups->items, arena)
                        : NULL;
    groups->count = slots->mask + 1;
    return groups->items != NULL;
}

static void add_to_group(wn_auto_group *group, const wn_block *block)
{
    group->count++;
    group->words += block->words;
    group->bytes += block->len;
    group->link_bytes += block->link_bytes;
}

static void describe_groups(wn_auto_groups *groups, uint32_t words)
{
    for (uint32_t i = 0; i < groups->count; i++) {
        wn_auto_group *group = &groups->items[i];
        if (group->count == 0)
            continue;
        group->described[0] = wn_auto_clip(group->count);
        group->described[1] = mean_words(group->words, group->count);
        group->described[2] = wn_auto_share(group->link_bytes, group->bytes);
        group->described[3] = wn_auto_share(group->words, words);
    }
}

/* Which blocks are in elements with the same path, or the same classes. */
static bool find_groups(wn_auto_features *f, wn_arena *arena)
{
    wn_auto_key_slots paths, classes;
    uint32_t count = f->page->blocks.count;
    if (!start_groups(&f->paths, &paths, count, arena) ||
        !start_groups(&f->classes, &classes, count, arena))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const wn_block *block = &f->page->blocks.items[i];
        const wn_auto_element *element = &f->elements.items[f->elements.of_block[i]];
        wn_auto_block_features *b = &f->blocks[i];
        b->path = wn_auto_key_slots_find(&paths, element->tag_path);
        b->classes = wn_auto_key_slots_find(&classes, element->class_path);
        add_to_group(&f->paths.items[b->path], block);
        add_to_group(&f->classes.items[b->classes], block);
    }
    describe_groups(&f->paths, f->elements.items[0].words);
    describe_groups(&f->classes, f->elements.items[0].words);
    return true;
}

/* The heading most like the title; else the first of the first level; else the first good block. */
static uint32_t find_title(const wn_auto_features *f)
{
    uint32_t best = f->first_good;
    int best_share = -1;
    for (uint32_t i = 0; i < f->page->blocks.count; i++) {
        if (f->page->blocks.items[i].kind != WINNOW_BLOCK_HEADING)
            continue;
        int share = f->blocks[i].own[WN_F_TITLE_SHARE] + f->blocks[i].own[WN_F_OF_TITLE];
        if (f->page->blocks.items[i].level == 1)
            share += 500;
        if (share > best_share && share >= 500) {
            best_share = share;
            best = i;
        }
    }
    return best;
}

static void find_landmarks(wn_auto_features *f)
{
    uint32_t count = f->page->blocks.count, most = 0;
    bool any = false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t good = f->blocks[i].good_words;
        if (good == 0)
            continue;
        if (!any)
            f->first_good = i;
        any = true;
        f->last_good = i;
        if (good > most) {
            most = good;
            f->largest = i;
        }
    }
    if (!any)
        f->last_good = count - 1;
    f->title = find_title(f);
    assert(f->first_good <= f->last_good && f->last_good < count);
    assert(f->largest < count && f->title < count);
}

/* ---- The page ---------------------------------------------------------------------------- */

static void count_tags(int16_t *of_page, const wn_auto_features *f)
{
    uint32_t counts[WN_TAG_COUNT] = {0};
    for (uint32_t i = 0; i < f->elements.count; i++) {
        const wn_node *node = wn_doc_node(f->page->doc, f->elements.items[i].node);
        counts[node->ns == WN_NS_HTML ? node->tag : 0]++;
    }
#define PAGE(name) of_page[WN_F_PAGE_##name - WN_F_PAGE_WORDS]
    PAGE(H1) = wn_auto_clip(counts[WN_TAG_H1]);
    PAGE(ARTICLES) = wn_auto_clip(counts[WN_TAG_ARTICLE]);
    PAGE(MAINS) = wn_auto_clip(counts[WN_TAG_MAIN]);
    PAGE(P) = wn_auto_clip(counts[WN_TAG_P]);
    PAGE(ITEMS) = wn_auto_clip(counts[WN_TAG_LI]);
    PAGE(TABLES) = wn_auto_clip(counts[WN_TAG_TABLE]);
    PAGE(H23) = wn_auto_clip(counts[WN_TAG_H2] + counts[WN_TAG_H3]);
    PAGE(PRE) = wn_auto_clip(counts[WN_TAG_PRE]);
    PAGE(FORMS) = wn_auto_clip(counts[WN_TAG_FORM]);
}

static void count_blocks(int16_t *of_page, const wn_auto_features *f)
{
    uint32_t long_blocks = 0, money = 0;
    uint64_t hidden = 0;
    for (uint32_t i = 0; i < f->page->blocks.count; i++) {
        long_blocks += f->blocks[i].good_words > 0;
        money += f->blocks[i].own[WN_F_MONEY];
        if (f->page->blocks.items[i].flags & WN_BLOCK_INVISIBLE)
            hidden += f->page->blocks.items[i].words;
    }
    PAGE(LONG_BLOCKS) = wn_auto_clip(long_blocks);
    PAGE(MONEY) = wn_auto_clip(money);
    PAGE(HIDDEN) = wn_auto_share(hidden, f->elements.items[0].words);
}

/*
 * Neither the HTML5 doctype nor a viewport. A page without a doctype may have been saved by a
 * browser.
 */
static bool is_early(const wn_doc *doc, const wn_auto_head_facts *head)
{
    bool html5 = wn_str_eq(doc->doctype.name, WN_STR("html")) && !doc->doctype.has_public_id;
    return !html5 && !head->has_viewport;
}

static void describe_page(wn_auto_features *f, const wn_auto_head_facts *head)
{
    int16_t *of_page = f->of_page;
    const wn_auto_element *all = &f->elements.items[0];
    PAGE(WORDS) = wn_auto_clip(all->words);
    PAGE(BLOCKS) = wn_auto_clip(all->blocks);
    PAGE(GOOD) = wn_auto_share(all->good_words, all->words);
    PAGE(LINKS) = wn_auto_share(all->link_bytes, all->bytes);
    PAGE(LARGEST) = wn_auto_clip(f->page->blocks.items[f->largest].words);
    PAGE(BYTES) = wn_auto_clip((int64_t)f->page->doc->source.len / 256);
    PAGE(DESCRIPTION) = wn_auto_clip(head->description.words);
    PAGE(DATA) = wn_auto_clip(head->data.words);
    uint32_t slashes = 0;
    for (size_t i = 0; i < head->url.len; i++)
        slashes += head->url.ptr[i] == '/';
    PAGE(URL_DEPTH) = wn_auto_clip(slashes);
    PAGE(URL_LENGTH) = wn_auto_clip((int64_t)head->url.len);
    memcpy(&PAGE(TYPE0), head->types, sizeof head->types);
    count_tags(of_page, f);
    count_blocks(of_page, f);
}
#undef PAGE

/* What title and headings say of the page's type. */
static void read_type_words(wn_auto_features *f, const wn_auto_word_reader *reader)
{
    enum { TITLE_WORDS = 40, HEADING_WORDS = WN_PAGE_WORDS };
    wn_auto_read_page_words(f->title_types, WN_WORD_OUTLINE, 't', f->page->title, TITLE_WORDS,
                            reader);
    uint32_t left = HEADING_WORDS;
    for (uint32_t i = 0; i < f->page->blocks.count && left > 0; i++) {
        const wn_block *block = &f->page->blocks.items[i];
        if (block->kind == WINNOW_BLOCK_HEADING)
            left -= wn_auto_read_page_words(f->headings_types, WN_WORD_OUTLINE, 'h',
                                            wn_block_text(f->page, block), left, reader);
    }
}

/* ---- One block --------------------------------------------------------------------------- */

static void describe_levels(const wn_auto_features *f, uint32_t index, int16_t *row)
{
    uint32_t element = f->elements.of_block[index];
    bool above_root = false;
    for (int level = 0; level < WN_FEATURE_LEVELS; level++) {
        int16_t *out = row + WN_F_L0_WORDS + level * WN_LEVEL_COUNT;
        const wn_auto_element *b = &f->elements.items[element];
        if (above_root) {
            for (int i = 0; i < WN_LEVEL_COUNT; i++)
                out[i] = NO_ELEMENT;
            continue;
        }
        memcpy(out, f->element_features[element].level, sizeof f->element_features[element].level);
        out[WN_F_L0_PLACE - WN_F_L0_WORDS] = wn_auto_share(index - b->first_block, b->blocks);
        above_root = element == 0;
        element = b->parent;
    }
}

/* The mean words and the share of links among the blocks at most `reach` away. */
static void describe_window(const wn_auto_features *f, uint32_t index, uint32_t reach, int16_t *out)
{
    uint32_t count = f->page->blocks.count;
    uint32_t low = index > reach ? index - reach : 0;
    uint32_t high = index + reach + 1 < count ? index + reach + 1 : count;
    assert(low < high);
    const wn_auto_block_features *a = &f->blocks[low], *b = &f->blocks[high];
    out[0] = mean_words(b->words_before - a->words_before, high - low);
    out[1] = wn_auto_share(b->links_before - a->links_before, b->bytes_before - a->bytes_before);
}

/* How many levels up from `from` the element lies that also holds `to`, to a limit. */
static int16_t levels_up(const wn_auto_features *f, uint32_t from, uint32_t to)
{
    enum { MOST = 12 };
    const wn_auto_element *elements = f->elements.items;
    int16_t up = 0;
    for (int steps = 0; from != to && steps < 2 * MOST && up < MOST; steps++) {
        if (elements[from].depth >= elements[to].depth) {
            from = elements[from].parent;
            up++;
        } else {
            to = elements[to].parent;
        }
    }
    return from == to ? up : MOST;
}

/* The block `offset` away: its words and links; NO_ELEMENT past the ends. */
static bool describe_neighbour(const wn_auto_features *f, uint32_t index, int offset, int16_t *out)
{
    int64_t other = (int64_t)index + offset;
    bool there = other >= 0 && other < f->page->blocks.count;
    out[0] = there ? f->blocks[other].own[WN_F_WORDS] : NO_ELEMENT;
    out[1] = there ? f->blocks[other].own[WN_F_LINK_SHARE] : NO_ELEMENT;
    return there;
}

/* The same for one beside it, and how alike they are. */
static void describe_next(const wn_auto_features *f, uint32_t index, int offset, int16_t *out)
{
    bool there = describe_neighbour(f, index, offset, out);
    uint32_t other = there ? (uint32_t)((int64_t)index + offset) : index;
    const uint32_t *of_block = f->elements.of_block;
    out[2] = there ? f->blocks[other].own[WN_F_TAG] : NO_ELEMENT;
    out[3] = there && f->blocks[other].classes == f->blocks[index].classes;
    out[4] = there ? levels_up(f, of_block[index], of_block[other]) : NO_ELEMENT;
}

static void describe_repeats(const wn_auto_features *f, uint32_t index, int16_t *row)
{
    const wn_auto_block_features *b = &f->blocks[index];
    row[WN_F_COPIES] = wn_auto_clip(b->copies);
    row[WN_F_COPIES_BEFORE] = wn_auto_clip(b->copies_before);
    memcpy(row + WN_F_PATH_COUNT, f->paths.items[b->path].described,
           sizeof f->paths.items->described);
    memcpy(row + WN_F_CLASS_COUNT, f->classes.items[b->classes].described,
           sizeof f->classes.items->described);
}

static int16_t word_distance(const wn_auto_features *f, uint32_t from, uint32_t to)
{
    uint32_t a = f->blocks[from].words_before, b = f->blocks[to].words_before;
    uint32_t all = f->elements.items[0].words;
    int16_t share = wn_auto_share(a < b ? b - a : a - b, all);
    return a < b ? share : (int16_t)-share;
}

static void describe_place(const wn_auto_features *f, uint32_t index, int16_t *row)
{
    const wn_auto_block_features *b = &f->blocks[index];
    uint32_t count = f->page->blocks.count;
    const wn_auto_element *all = &f->elements.items[0];
    row[WN_F_PLACE] = wn_auto_share(index, count);
    row[WN_F_WORD_PLACE] = wn_auto_share(b->words_before, all->words);
    row[WN_F_INDEX] = wn_auto_clip(index);
    row[WN_F_INDEX_FROM_END] = wn_auto_clip(count - index);
    row[WN_F_GOOD_BEFORE] = wn_auto_share(b->good_before, all->good_words);
    row[WN_F_GOOD_BEHIND] = wn_auto_share(all->good_words - b[1].good_before, all->good_words);
    row[WN_F_FROM_FIRST_GOOD] = wn_auto_clip((int64_t)index - f->first_good);
    row[WN_F_FROM_LAST_GOOD] = wn_auto_clip((int64_t)index - f->last_good);
    row[WN_F_FROM_LARGEST] = wn_auto_clip((int64_t)index - f->largest);
    row[WN_F_WORDS_FROM_LARGEST] = word_distance(f, f->largest, index);
    row[WN_F_FROM_TITLE] = wn_auto_clip((int64_t)index - f->title);
    row[WN_F_WORDS_FROM_TITLE] = word_distance(f, f->title, index);
    row[WN_F_HEADING_ABOVE] = (int16_t)b->heading_level;
    row[WN_F_FROM_HEADING] = b->heading_level ? wn_auto_clip(index - b->heading_block) : 999;
    memcpy(row + WN_F_HEADING_MEAN, b->heading, sizeof b->heading);
    describe_repeats(f, index, row);
    describe_window(f, index, 2, row + WN_F_NEAR2_WORDS);
    describe_window(f, index, 5, row + WN_F_NEAR5_WORDS);
    describe_window(f, index, 12, row + WN_F_NEAR12_WORDS);
    describe_neighbour(f, index, -2, row + WN_F_LEFT2_WORDS);
    describe_next(f, index, -1, row + WN_F_LEFT1_WORDS);
    describe_next(f, index, 1, row + WN_F_RIGHT1_WORDS);
    describe_neighbour(f, index, 2, row + WN_F_RIGHT2_WORDS);
}

void wn_auto_features_row(const wn_auto_features *f, uint32_t index, int16_t *row)
{
    assert(index < f->page->blocks.count);
    assert(f->elements.of_block[index] < f->elements.count);
    const wn_auto_element_features *element = &f->element_features[f->elements.of_block[index]];
    memcpy(row, f->blocks[index].own, sizeof f->blocks[index].own);
    for (int i = 0; i < WN_NEAR_COUNT; i++)
        row[WN_F_NEAR_ARTICLE + i] = element->near[i];
    memcpy(row + WN_F_NAMES_SUM, element->names, sizeof element->names);
    for (int i = 0; i < WN_PEAK_COUNT; i++)
        row[WN_F_PEAK50_UP + i] = element->peaks[i];
    describe_levels(f, index, row);
    describe_place(f, index, row);
    memcpy(row + WN_F_PAGE_WORDS, f->of_page, sizeof f->of_page);
}

/* ---- The whole --------------------------------------------------------------------------- */

uint32_t *wn_auto_features_marks(const wn_doc *doc, wn_arena *arena)
{
    uint32_t *marks = wn_arena_alloc(arena, doc->nodes.count * sizeof *marks);
    if (marks)
        memset(marks, 0, doc->nodes.count * sizeof *marks);
    return marks;
}

bool wn_auto_features_prepare(wn_auto_features *f, const wn_page *page,
                              const wn_auto_lexicon *lexicon, const wn_auto_word_listener *listener,
                              uint32_t *marks, wn_arena *arena)
{
    uint32_t count = page->blocks.count;
    assert(count > 0); /* a page without blocks has nothing to describe */
    wn_auto_word_reader reader = {.lexicon = lexicon, .listener = listener};
    *f = (wn_auto_features){.page = page};
    wn_auto_head_facts *head = wn_arena_alloc(arena, sizeof *head);
    wn_auto_block_weight *weights = wn_arena_alloc(arena, (count + 1) * sizeof *weights);
    f->blocks = wn_arena_alloc(arena, (count + 1) * sizeof *f->blocks);
    if (!head || !weights || !f->blocks || !marks)
        return false;
    wn_auto_read_head(head, page, &reader);
    describe_blocks(f, weights, head, &reader);
    if (!wn_auto_elements_build(&f->elements, page, weights, marks, arena))
        return false;
    f->element_features = wn_arena_alloc(arena, f->elements.count * sizeof *f->element_features);
    if (!f->element_features)
        return false;
    describe_elements(f, &reader);
    find_headings(f, &reader);
    find_landmarks(f);
    describe_page(f, head);
    f->is_early = is_early(f->page->doc, head);
    read_type_words(f, &reader);
    return find_copies(f, arena) && find_groups(f, arena) && find_peaks(f, arena);
}
