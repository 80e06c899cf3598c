/*
 * auto: the main content of any kind of page.
 *
 * The idea, in three steps:
 *
 *  1. Every block outside navigation, footers and drawings (trimmed_page.h) is described by
 *     numbers: its text, the elements around it, its place, the page (features.h). A forest of
 *     small trees, trained on pages with gold text, turns them into the probability that the block
 *     is content. The scores of a group, such as the titles of cards, are moved towards their mean
 *     (group_scores.h).
 *
 *  2. The threshold: blocks with at least that probability are kept. It is the one with the highest
 *     expected F1 of what is kept (threshold.h). `lean` weighs this towards precision or recall.
 *
 *  3. Clean-up: copies in the midst of kept text are kept (copies.h), tables are kept or dropped as
 *     a whole, code, tables and formulas go with the text that leads up to them (companions.h),
 *     headings with theirs, notes with their marks (notes.h), and no heading is left at the end.
 *
 * An example: a menu of 30 linked words (probability 0.02), an article of 600 words (0.97), a
 * footer of 50 (0.1). The expected content is 587.6 words. Keeping only the article gives an F1 of
 * 2 * 582 / (600 + 587.6) = 0.98, with the footer 2 * 587 / (650 + 587.6) = 0.95: the threshold
 * lies above the footer.
 *
 * All arithmetic uses integers: the same page gives the same verdicts on every machine.
 *
 * It uses text, links, element names, class names and data in the head, but not style sheets,
 * layout or other pages of the site. It fails on pages where either the cards or the text around
 * them could be the content, and on pages that join several articles.
 */
#include "auto/auto.h"

#include <assert.h>
#include <stdlib.h>

#include "auto/answers.h"
#include "auto/challenge.h"
#include "auto/companions.h"
#include "auto/copies.h"
#include "auto/group_scores.h"
#include "auto/judge.h"
#include "auto/model.h"
#include "auto/notes.h"
#include "auto/page_type.h"
#include "auto/posts.h"
#include "auto/reasons.h"
#include "auto/role_trees.h"
#include "auto/roles.h"
#include "auto/threshold.h"
#include "auto/trimmed_page.h"
#include "base/buf.h"
#include "base/utf8.h"
#include "page/attributes.h"
#include "page/permalinks.h"

enum {
    ONE = WN_LOGIT_ONE,
    MOST_BLOCKS = 20000,   /* that are judged together */
    PART_BLOCKS = 2000,    /* of a page with more */
    MOST_EXPLAINED = 2000, /* blocks whose features are explained */
};

/* Places in the table of parameters, and choices. */
enum { LEAN, COMMENTS, THRESHOLD };
enum { COMMENTS_APART, COMMENTS_KEPT, COMMENTS_DROPPED };

const wn_param *const wn_auto_params[] = {
    [LEAN] = WN_CHOICE("lean", "what to prefer when in doubt", "balanced",
                       "balanced, precision or recall", "balanced", "precision", "recall"),
    [COMMENTS] = WN_CHOICE("comments", "where readers' comments go", "apart", "apart, yes or no",
                           "apart", "yes", "no"),
    [THRESHOLD] = WN_NUMBER(
        "threshold", "the minimum probability of kept blocks; 0: the best for the page", 0, 0, 1),
    NULL,
};

/*
 * How much recall weighs beside precision, as beta squared in quarters, and where the threshold may
 * lie.
 */
typedef struct leaning {
    uint32_t beta;
    int32_t raise; /* of both bounds of the threshold, in 1/1024 */
} leaning;

static const leaning leaning_of[] = {{4, 0}, {1, 250}, {16, -130}};

typedef struct judge {
    const wn_page *page;
    const wn_auto_model *model;
    uint32_t words_beside; /* in blocks that are not content and not judged */
    leaning lean;
    wn_auto_features features;
    wn_auto_gates gates;
    const wn_auto_forest *forest; /* that judges its blocks */
    int32_t *alone;               /* what the trees answer for each block, in 1/1024 */
    int32_t *together;            /* the same for it and its group */
    uint16_t *chances;            /* the probabilities of these, 0 for copies, in 1/1024 */
    wn_auto_words_by_chance words;
    wn_auto_roles roles;
    int32_t forum; /* what the trees say for a forum, in 1/1024 */
} judge;

/* ---- Step 1: probabilities --------------------------------------------------------------- */

static bool judge_blocks(judge *j, bool hasty, uint32_t *marks, wn_arena *arena)
{
    size_t count = j->page->blocks.count;
    j->alone = wn_arena_alloc(arena, count * sizeof *j->alone);
    j->together = wn_arena_alloc(arena, count * sizeof *j->together);
    j->chances = wn_arena_alloc(arena, count * sizeof *j->chances);
    if (!j->alone || !j->together || !j->chances ||
        !wn_auto_features_prepare(&j->features, j->page, &j->model->lexicon, NULL, marks, arena))
        return false;
    j->gates = wn_auto_judge_gates(&j->features, j->model);
    j->forest = wn_auto_judge_forest(&j->features, j->model, j->gates);
    wn_auto_judge_blocks(&j->features, j->forest, hasty, j->alone);
    memcpy(j->together, j->alone, count * sizeof *j->together);
    if (!wn_auto_blend_group_scores(&j->features, j->model->constants[WN_GROUP_SHARE], arena,
                                    j->together))
        return false;
    wn_auto_judge_chances(&j->features, j->model, j->together, j->chances);
    wn_auto_count_by_chance(j->page, j->chances, j->words);
    j->words[0] += j->words_beside;
    return true;
}

/* ---- Step 2: the threshold --------------------------------------------------------------- */

/*
 * Hardly any content is to be expected: of a small page this says nothing, of a menu and a footer
 * all.
 */
static bool is_empty(const judge *j)
{
    enum { SMALL_SHARE = 4 };         /* a quarter */
    uint64_t words = 0, expected = 0; /* in 1/1024 */
    for (uint32_t chance = 0; chance <= ONE; chance++) {
        words += (uint64_t)j->words[chance] * ONE;
        expected += (uint64_t)j->words[chance] * chance;
    }
    return expected < (uint64_t)j->model->constants[WN_FEWEST_WORDS] * ONE &&
           expected * SMALL_SHARE < words;
}

static uint32_t clamp(int32_t chance)
{
    return (uint32_t)(chance < 1 ? 1 : chance > ONE ? ONE : chance);
}

/*
 * The trees for articles take too much of what is beside an article for a part of it. A thread has hardly anything that
 * could be lost that way.
 */
static uint32_t beta_of(const judge *j, int page_type)
{
    bool is_article = j->forest == &j->model->article && page_type == WINNOW_PAGE_TYPE_ARTICLE;
    int32_t of_articles = j->model->constants[WN_ARTICLE_BETA];
    bool is_balanced = j->lean.beta == leaning_of[0].beta;
    return is_article && is_balanced && of_articles > 0 ? (uint32_t)of_articles : j->lean.beta;
}

/* The caller's, if there is one. */
static uint32_t threshold_of(const judge *j, int page_type, double wanted)
{
    if (wanted > 0)
        return clamp((int32_t)(wanted * ONE + 0.5));
    if (is_empty(j))
        return ONE + 1;
    const int32_t *constants = j->model->constants;
    wn_auto_threshold_aim aim = {
        .beta = beta_of(j, page_type),
        .spread = (uint32_t)constants[WN_SPREAD],
        .lowest = clamp(constants[WN_LOWEST_THRESHOLD] + j->lean.raise),
        .highest = clamp(constants[WN_HIGHEST_THRESHOLD] + j->lean.raise),
    };
    return wn_auto_best_threshold(j->words, aim);
}

/* ---- Step 3: verdicts -------------------------------------------------------------------- */

/* Writes "; for it: words 120 (+0.8), …" or "; against it: …". */
static void write_side(wn_buf *out, const wn_auto_reason *found, uint32_t count, bool for_it)
{
    const char *lead = for_it ? "; for it: " : "; against it: ";
    for (uint32_t i = 0; i < count; i++) {
        if ((found[i].part > 0) != for_it)
            continue;
        uint32_t tenths = (uint32_t)abs(found[i].part) * 10 / ONE;
        wn_buf_add_format(out, "%s%s %d (%c%u.%u)", lead, wn_auto_feature_names[found[i].feature],
                          found[i].value, for_it ? '+' : '-', tenths / 10, tenths % 10);
        lead = ", ";
    }
}

/* What decided about a block, the strongest first. */
typedef struct findings {
    wn_auto_reason items[WN_REASONS];
    uint32_t count;
} findings;

/* For --explain: the probability and what decided, as a sentence. */
static const char *sentence_of(const judge *j, const findings *found, uint32_t block,
                               const char *verdict, wn_arena *arena)
{
    uint32_t chance = j->chances[block] * 1000u / ONE;
    uint32_t alone = wn_auto_judge_chance(j->model, j->alone[block]) * 1000u / ONE;
    wn_buf text = {0};
    wn_buf_add_format(&text, "%s: %u.%u %%", verdict, chance / 10, chance % 10);
    if (wn_auto_is_copy(&j->features, j->model, block))
        wn_buf_add(&text, WN_STR(", a copy of text above"));
    else if (alone != chance)
        wn_buf_add_format(&text, " with its kind, %u.%u %% alone", alone / 10, alone % 10);
    write_side(&text, found->items, found->count, true);
    write_side(&text, found->items, found->count, false);
    const char *reason = wn_arena_c_string(arena, wn_buf_str(&text));
    wn_buf_free(&text);
    return reason;
}

/* Gives a verdict that is no more what the trees said; the role stays. */
static void drop(wn_verdict *verdict, const char *reason)
{
    *verdict = (wn_verdict){.reason = reason, .role = verdict->role, .post = verdict->post};
}

/* The same as numbers, for programs. */
static wn_block_score score_of(const judge *j, const findings *found, uint32_t block,
                               wn_arena *arena)
{
    winnow_reason *reasons = wn_arena_alloc(arena, found->count * sizeof *reasons);
    for (uint32_t i = 0; reasons && i < found->count; i++)
        reasons[i] = (winnow_reason){.feature = wn_auto_feature_names[found->items[i].feature],
                                     .value = found->items[i].value,
                                     .weight = found->items[i].part / (double)ONE};
    return (wn_block_score){.chance = (int16_t)j->chances[block],
                            .reasons = reasons,
                            .reason_count = (uint16_t)(reasons ? found->count : 0)};
}

static void keep_likely(const judge *j, uint32_t threshold, wn_selection *selection)
{
    assert(selection->count == j->page->blocks.count);
    for (uint32_t i = 0; i < selection->count; i++) {
        bool keep = j->chances[i] >= threshold;
        selection->verdicts[i] = (wn_verdict){
            .reason = keep ? "likely content" : "unlikely content",
            .keep = keep,
        };
    }
}

/*
 * Whether a block is one sign and no more: a full stop that a template left, a bullet, the cross of a
 * button, a picture of a font (U+E000 to U+F8FF). Some signs part sections.
 */
static bool is_lone_sign(const wn_page *page, const wn_block *block)
{
    wn_str text = wn_block_text(page, block);
    if (text.len == 0 || text.len > 3 || block->table || block->kind == WINNOW_BLOCK_CODE ||
        block->kind == WINNOW_BLOCK_FORMULA)
        return false;
    const char *p = text.ptr;
    uint32_t c = wn_utf8_next(&p);
    bool is_sign = c < 0x80 ? !wn_is_ascii_alnum((char)c) && !strchr("*#~-", (char)c)
                            : c == 0xB7 || c == 0xD7 || c == 0x2022 || (c >= 0xE000 && c < 0xF900);
    return p == text.ptr + text.len && is_sign;
}

/*
 * Lines inside the text that are not of it. "Sponsors" may be content of other pages than articles,
 * and so may a heading.
 */
static void drop_notices(const judge *j, wn_selection *selection)
{
    enum { FEW_WORDS = 3 }; /* in a <template>: "Copied!" */
    bool is_article = selection->page_type == WINNOW_PAGE_TYPE_ARTICLE;
    for (uint32_t i = 0; i < selection->count; i++) {
        const wn_block *block = &j->page->blocks.items[i];
        if (!selection->verdicts[i].keep)
            continue;
        if (block->flags & WN_BLOCK_TEMPLATE && block->words <= FEW_WORDS)
            selection->verdicts[i] = (wn_verdict){.reason = "a few words that scripts may show"};
        else if (wn_auto_asks_for_scripts(j->page, block))
            selection->verdicts[i] = (wn_verdict){.reason = "asks for JavaScript"};
        else if (is_lone_sign(j->page, block))
            selection->verdicts[i] = (wn_verdict){.reason = "a sign and no text"};
        else if (is_article && block->kind == WINNOW_BLOCK_PARAGRAPH &&
                 wn_auto_is_ad_label(j->page, block))
            selection->verdicts[i] = (wn_verdict){.reason = "labels an advertisement"};
    }
}

/* Whether a line is a link and nothing else. An address is not: it says where somebody is reached. */
static bool is_lone_link(const wn_page *page, const wn_block *block)
{
    wn_str text = wn_block_text(page, block);
    return block->kind == WINNOW_BLOCK_PARAGRAPH && block->link_bytes * 5 >= block->len * 4 &&
           !wn_str_contains_nocase(text, WN_STR("http")) &&
           !wn_str_contains_nocase(text, WN_STR("www.")) && !memchr(text.ptr, '@', text.len);
}

/* "See also:", before links. */
static bool announces(const wn_page *page, const wn_block *block)
{
    enum { FEW_WORDS = 8 };
    wn_str text = wn_block_text(page, block);
    return block->words <= FEW_WORDS &&
           (wn_str_has_ending(text, WN_STR(":")) || wn_str_has_ending(text, WN_STR("：")));
}

/*
 * Lines at the end of an article that are links lead elsewhere: "Read next: …", "Back to top". If
 * they are much of the text, they are what it is about.
 */
static void drop_last_links(const judge *j, wn_selection *selection)
{
    enum { LARGE_SHARE = 4 }; /* a quarter of the text before them */
    const wn_block *blocks = j->page->blocks.items;
    uint64_t kept = 0, linked = 0;
    uint32_t first = selection->count;
    for (uint32_t i = 0; i < selection->count; i++)
        kept += selection->verdicts[i].keep ? blocks[i].len : 0;
    for (uint32_t i = selection->count; i-- > 0;) {
        if (!selection->verdicts[i].keep)
            continue;
        bool is_link = is_lone_link(j->page, &blocks[i]);
        if (!is_link && !(linked > 0 && announces(j->page, &blocks[i])))
            break;
        linked += blocks[i].len;
        first = i;
        if (!is_link)
            break;
    }
    if (selection->page_type != WINNOW_PAGE_TYPE_ARTICLE || linked * LARGE_SHARE > kept - linked)
        return;
    for (uint32_t i = first; i < selection->count; i++)
        if (selection->verdicts[i].keep)
            selection->verdicts[i] = (wn_verdict){.reason = "a link after the text"};
}

/*
 * Each feature of a block is evaluated separately, so this is only for pages that are scored as a
 * whole.
 */
static void explain(const judge *j, bool hasty, wn_arena *work, wn_arena *texts,
                    wn_selection *selection)
{
    wn_auto_reasons *reasons = hasty ? NULL : wn_arena_alloc(work, sizeof *reasons);
    if (reasons && !wn_auto_reasons_prepare(reasons, &j->features, j->forest, work))
        reasons = NULL;
    for (uint32_t i = 0; i < selection->count; i++) {
        wn_verdict *verdict = &selection->verdicts[i];
        findings found = {.count = 0};
        if (reasons && i < MOST_EXPLAINED)
            found.count = wn_auto_reasons_of(reasons, i, found.items);
        verdict->reason = sentence_of(j, &found, i, verdict->reason, texts);
        selection->scores[i] = score_of(j, &found, i, texts);
    }
}

/*
 * Headings after the last kept text have no content: "Related", "Comments". More than a few of them
 * are titles of cards.
 */
static void drop_last_headings(const judge *j, wn_selection *selection)
{
    enum { FEW = 2 };
    uint32_t last[FEW], count = 0;
    for (uint32_t i = selection->count; i-- > 0;) {
        if (!selection->verdicts[i].keep)
            continue;
        if (j->page->blocks.items[i].kind != WINNOW_BLOCK_HEADING)
            break;
        if (count == FEW)
            return;
        last[count++] = i;
    }
    for (uint32_t i = 0; i < count; i++)
        if (j->chances[last[i]] < ONE / 2)
            drop(&selection->verdicts[last[i]], "a heading after all that is kept");
}

/* The first heading of the first rank: often the title, which has a place of its own. */
static uint32_t find_title(const wn_page *page)
{
    uint32_t i = 0;
    while (i < page->blocks.count && !(page->blocks.items[i].kind == WINNOW_BLOCK_HEADING &&
                                       page->blocks.items[i].level == 1))
        i++;
    return i;
}

/* The innermost element around a heading that holds more: DocBook puts it into three of its own. */
static const wn_auto_element *section_of(const judge *j, uint32_t heading)
{
    enum { MOST_WRAPPERS = 4 };
    const wn_auto_elements *elements = &j->features.elements;
    const wn_auto_element *own = &elements->items[elements->of_block[heading]];
    const wn_auto_element *around = &elements->items[own->parent];
    for (int i = 0; i < MOST_WRAPPERS && around->blocks == 1 && around->depth > 0; i++)
        around = &elements->items[around->parent];
    return around;
}

/* Whether most of a heading is a link, not counting the sign that leads to the heading itself. */
static bool is_mostly_link(const wn_page *page, const wn_block *heading)
{
    uint32_t len = heading->len, link_bytes = heading->link_bytes;
    for (uint32_t i = 0; i < heading->span_count && link_bytes > 0; i++) {
        const wn_span *span = &page->spans.items[heading->first_span + i];
        wn_str text = wn_str_from(page->text.ptr + span->start, span->end - span->start);
        if (span->kind == WN_SPAN_LINK &&
            wn_page_is_permalink(text, wn_page_address(wn_doc_node(page->doc, span->node)))) {
            link_bytes -= text.len < link_bytes ? (uint32_t)text.len : link_bytes;
            len -= (uint32_t)text.len;
        }
    }
    return link_bytes * 2 > len;
}

/*
 * Whether a heading heads the block after it: both are in one element, the block is text or a
 * heading of a lower rank, and the heading is not a link, as above the next card.
 */
static bool heads(const judge *j, uint32_t heading, uint32_t text)
{
    const wn_block *h = &j->page->blocks.items[heading], *t = &j->page->blocks.items[text];
    const wn_auto_element *around = section_of(j, heading);
    return h->kind == WINNOW_BLOCK_HEADING && !is_mostly_link(j->page, h) &&
           !(h->flags & WN_BLOCK_INVISIBLE) && t->len > 0 &&
           (t->kind != WINNOW_BLOCK_HEADING || t->level > h->level) &&
           text - around->first_block < around->blocks;
}

/* Whether the chance of a heading is enough. In a list of contents, it was on the page before. */
static bool is_likely_heading(const judge *j, uint32_t heading)
{
    enum { UNLIKELY = ONE * 20 / 100 };
    bool is_listed = j->features.blocks[heading].copies_before > 0;
    uint32_t alone = wn_auto_judge_chance(j->model, j->alone[heading]);
    return (is_listed ? alone : j->chances[heading]) >= UNLIKELY;
}

/*
 * The heading of kept text is kept with it, since the text may not make sense without it. A heading
 * that is unlikely to be content belongs to something else, such as "Share this". Labels may lie
 * between them: the names of tabs, "Python".
 */
static void keep_headings(const judge *j, wn_selection *selection)
{
    enum { LABEL_WORDS = 6 };
    uint32_t title = find_title(j->page), kept = selection->count, words = 0;
    for (uint32_t i = selection->count; i-- > 0;) { /* backwards: a heading may head a heading */
        const wn_block *block = &j->page->blocks.items[i];
        wn_verdict *verdict = &selection->verdicts[i];
        if (!verdict->keep && kept < selection->count && words <= LABEL_WORDS && i != title &&
            heads(j, i, kept) && is_likely_heading(j, i))
            *verdict = (wn_verdict){.reason = "heads text that is kept", .keep = true};
        bool parts = block->kind == WINNOW_BLOCK_HEADING; /* a dropped one heads what is after it */
        words = verdict->keep ? 0 : words + (parts ? LABEL_WORDS + 1 : block->words);
        kept = verdict->keep ? i : kept;
    }
}

/* A table of data is content as a whole or not at all: as most of its words are. */
static void decide_tables(const judge *j, wn_selection *selection)
{
    for (uint32_t i = 0; i < selection->count;) {
        uint64_t words = 0, kept = 0;
        if (j->page->blocks.items[i].table == 0) {
            i++;
            continue;
        }
        uint32_t end = wn_page_table_end(j->page, i);
        for (uint32_t k = i; k < end; k++) {
            words += j->page->blocks.items[k].words;
            kept += selection->verdicts[k].keep ? j->page->blocks.items[k].words : 0;
        }
        bool keep = kept * 2 >= words && kept > 0;
        for (uint32_t k = i; k < end; k++)
            if (selection->verdicts[k].keep != keep)
                selection->verdicts[k] = (wn_verdict){.reason = keep ? "in a table that is content"
                                                                     : "in a table that is not "
                                                                       "content",
                                                      .keep = keep};
        i = end;
    }
}

/*
 * Whether the comments are what the page is about: only headings are kept beside them or, on a
 * forum, fewer words than in them. On other pages it takes very few words beside them, unless
 * somebody wants to be rid of comments.
 */
static bool comments_are_the_topic(const judge *j, int choice, const wn_selection *selection)
{
    enum { TIMES = 10 };
    uint64_t words[2] = {0}; /* outside, inside */
    for (uint32_t i = 0; i < selection->count; i++) {
        const wn_block *block = &j->page->blocks.items[i];
        if (selection->verdicts[i].keep && block->kind != WINNOW_BLOCK_HEADING)
            words[wn_auto_roles_in_comments(&j->roles, i)] += block->words;
    }
    if (selection->page_type == WINNOW_PAGE_TYPE_FORUM)
        return words[0] == 0 || words[1] > words[0];
    return words[0] == 0 || (choice != COMMENTS_DROPPED && words[1] > words[0] * TIMES);
}

/*
 * Drops comments below what the page is about, unless they are that. Where nobody requested it,
 * below what is an article and surely no forum: the reviews of a product and the answers to a
 * question are what people look for.
 */
static void drop_comments(const judge *j, int choice, wn_selection *selection)
{
    enum { SURELY_NOT = -2 * ONE };
    bool is_article = selection->page_type == WINNOW_PAGE_TYPE_ARTICLE && j->forum < SURELY_NOT;
    if (choice == COMMENTS_KEPT || (choice == COMMENTS_APART && !is_article) ||
        comments_are_the_topic(j, choice, selection))
        return;
    for (uint32_t i = 0; i < selection->count; i++)
        if (selection->verdicts[i].keep && wn_auto_roles_in_comments(&j->roles, i))
            drop(&selection->verdicts[i], "a comment");
}

/* ---- Roles ------------------------------------------------------------------------------- */

/* Whether nobody has said that roles will be looked at; who does so all the same asks again. */
static bool roles_can_wait(const wn_request *request, bool hasty)
{
    return !request->roles && !hasty;
}

static void find_roles(const judge *j, const wn_request *request, bool hasty, wn_arena *arena,
                       wn_selection *selection)
{
    int choice = (int)request->values[COMMENTS];
    bool comments_are_body = comments_are_the_topic(j, choice, selection);
    int type = comments_are_body ? WINNOW_PAGE_TYPE_FORUM : selection->page_type;
    selection->has_hasty_roles = roles_can_wait(request, hasty);
    if (selection->has_hasty_roles)
        wn_auto_roles_assign_comments(&j->roles, type, selection);
    else
        wn_auto_roles_assign(&j->roles, type, selection);
    if (request->roles && !hasty)
        wn_auto_role_trees_correct(&j->roles, type, j->chances, request->role_listener, arena,
                                   selection);
}

/* ---- The page as a whole ----------------------------------------------------------------- */

/*
 * Trees for types know the pages of one set, most of them in English. The gate has seen articles
 * and threads in many languages, so its answer counts for these two.
 */
static int32_t gate_says(const judge *j, uint32_t type)
{
    bool is_story = type == WINNOW_PAGE_TYPE_ARTICLE || type == WINNOW_PAGE_TYPE_FORUM;
    if (!is_story || j->gates.story <= 0)
        return 0;
    return j->gates.story * j->model->constants[WN_GATE_SHARE] / ONE;
}

/* The type whose trees give the highest sum; the forest has as many trees for each. */
static void judge_type(judge *j, wn_selection *selection)
{
    const wn_auto_forest *forest = &j->model->types;
    uint32_t each = forest->tree_count / WN_PAGE_TYPES;
    int16_t row[WN_PAGE_ROW];
    int32_t best = INT32_MIN;
    wn_auto_features_row(&j->features, j->features.largest, row);
    wn_auto_page_type_row(&j->features, j->words, row + WN_FEATURE_COUNT);
    for (uint32_t type = 0; each > 0 && type < WN_PAGE_TYPES; type++) {
        int32_t sum = wn_auto_forest_ask(forest, type * each, (type + 1) * each, row);
        if (type + 1 == WINNOW_PAGE_TYPE_FORUM)
            j->forum = sum;
        sum += gate_says(j, type + 1);
        if (sum > best) {
            best = sum;
            selection->page_type = (int)type + 1;
        }
    }
    if (j->model->confidence.tree_count == 0)
        return;
    const wn_auto_forest *confidence = &j->model->confidence;
    int32_t sum = confidence->bias + wn_auto_forest_ask(confidence, 0, confidence->tree_count, row);
    selection->confidence = sum < 0 ? 0 : sum > ONE ? ONE : sum;
}

/* ---- The whole --------------------------------------------------------------------------- */

/* Scores the blocks of a page, or of a part of a very large one. */
static void select_part(const wn_auto_trimmed_page *trimmed, const wn_request *request, bool hasty,
                        uint32_t *marks, wn_arena *arena, wn_arena *texts, wn_selection *selection)
{
    judge *j = wn_arena_alloc(arena, sizeof *j);
    if (!j)
        return;
    j->page = &trimmed->page;
    j->words_beside = trimmed->words_beside;
    j->model = request->model;
    assert(request->values[LEAN] >= 0 &&
           request->values[LEAN] < sizeof leaning_of / sizeof *leaning_of);
    j->lean = leaning_of[(int)request->values[LEAN]];
    if (!judge_blocks(j, hasty, marks, arena) ||
        !wn_auto_roles_prepare(&j->roles, &j->features, arena))
        return;
    if (!hasty)
        judge_type(j, selection);
    uint32_t threshold = threshold_of(j, selection->page_type, request->values[THRESHOLD]);
    keep_likely(j, threshold, selection);
    wn_auto_copies_keep(&j->features, j->model, j->together, threshold, j->chances, selection);
    selection->threshold = hasty ? 0 : (int)threshold;
    if (request->explain)
        explain(j, hasty, arena, texts, selection);
    decide_tables(j, selection);
    wn_auto_companions_keep(&j->features, j->model, j->together, selection);
    wn_auto_answers_complete(&j->features, j->chances, arena, selection);
    keep_headings(j, selection);
    drop_notices(j, selection);
    drop_last_links(j, selection);
    int comments = (int)request->values[COMMENTS];
    find_roles(j, request, hasty, arena, selection);
    drop_comments(j, comments, selection);
    drop_last_headings(j, selection);
    if (selection->page_type == WINNOW_PAGE_TYPE_FORUM && !hasty)
        wn_auto_posts_find(&j->roles, arena, selection);
}

static void drop_all(wn_selection *selection, const char *reason)
{
    for (uint32_t i = 0; i < selection->count; i++)
        selection->verdicts[i] = (wn_verdict){.reason = reason, .role = WINNOW_ROLE_NAVIGATION};
}

/* Judges what is in neither navigation nor footers; those are dropped. */
static void select_inside(const wn_page *page, const wn_request *request, bool hasty,
                          uint32_t *marks, wn_arena *own, wn_arena *texts, wn_selection *selection)
{
    wn_auto_trimmed_page trimmed;
    wn_selection inside = *selection;
    inside.verdicts = wn_arena_alloc(own, page->blocks.count * sizeof *inside.verdicts);
    if (request->explain)
        inside.scores = wn_arena_alloc(own, page->blocks.count * sizeof *inside.scores);
    if (own->failed || !wn_auto_trim_page(&trimmed, page, own))
        return;
    inside.count = trimmed.page.blocks.count;
    memset(inside.verdicts, 0, inside.count * sizeof *inside.verdicts);
    for (uint32_t i = 0; request->explain && i < inside.count; i++)
        inside.scores[i] = (wn_block_score){.chance = -1}; /* not every block is judged */
    if (inside.count > 0)
        select_part(&trimmed, request, hasty, marks, own, texts, &inside);
    drop_all(selection, "in navigation, a footer or a drawing");
    for (uint32_t i = 0; !roles_can_wait(request, hasty) && i < selection->count; i++)
        selection->verdicts[i].role = (uint8_t)wn_auto_role_of_edge(page, &page->blocks.items[i]);
    for (uint32_t i = 0; i < inside.count; i++) {
        assert(trimmed.origins[i] < selection->count);
        selection->verdicts[trimmed.origins[i]] = inside.verdicts[i];
        if (request->explain)
            selection->scores[trimmed.origins[i]] = inside.scores[i];
    }
    selection->page_type = inside.page_type;
    selection->confidence = inside.confidence;
    selection->has_comments |= inside.has_comments;
    selection->has_posts |= inside.has_posts;
    selection->has_hasty_roles |= inside.has_hasty_roles;
    selection->threshold = inside.threshold;
}

/*
 * A page with very many blocks is scored in parts, reusing the same memory: features are many times
 * larger than a block. Only the first trees are used, so that it does not take longer than other
 * pages.
 */
static void select_in_parts(const wn_page *page, const wn_request *request, wn_arena *own,
                            wn_arena *arena, wn_selection *selection)
{
    uint32_t *marks = wn_auto_features_marks(page->doc, arena);
    for (uint32_t start = 0; start < page->blocks.count; start += PART_BLOCKS) {
        if (request->watch && wn_watch_look(request->watch))
            break;
        uint32_t left = page->blocks.count - start;
        wn_page part = *page;
        wn_selection verdicts = *selection;
        part.blocks.items += start;
        part.blocks.count = left < PART_BLOCKS ? left : PART_BLOCKS;
        verdicts.verdicts += start;
        if (request->explain)
            verdicts.scores += start;
        verdicts.count = part.blocks.count;
        arena->failed |= own->failed;
        wn_arena_reset(own);
        select_inside(&part, request, true, marks, own, arena, &verdicts);
    }
}

/* The working memory for a page is not kept: it is larger than everything that is. */
void wn_auto_select(const wn_page *page, const wn_request *request, wn_arena *arena,
                    wn_selection *selection)
{
    enum { A_BLOCK = 700, A_NODE = 4, A_PAGE = 16000 }; /* bytes that are needed, about */
    wn_arena own;
    wn_arena_init(&own, 0);
    bool in_parts = page->blocks.count > MOST_BLOCKS;
    wn_arena_expect(&own, (size_t)(in_parts ? PART_BLOCKS : page->blocks.count) * A_BLOCK +
                              (size_t)page->doc->nodes.count * A_NODE + A_PAGE);
    if (in_parts) {
        select_in_parts(page, request, &own, arena, selection);
    } else if (wn_auto_is_challenge(page)) {
        drop_all(selection, "a challenge in front of the page");
        selection->limited = WINNOW_LIMITED_CHALLENGE;
    } else if (wn_auto_is_shell(page)) {
        drop_all(selection, "on a page that scripts fill");
        selection->limited = WINNOW_LIMITED_SCRIPTS;
    } else if (page->blocks.count > 0) {
        select_inside(page, request, false, wn_auto_features_marks(page->doc, &own), &own, arena,
                      selection);
        wn_auto_notes_keep(page, selection);
    }
    arena->failed |= own.failed;
    wn_arena_free(&own);
}
