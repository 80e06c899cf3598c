/*
 * What `auto` has learned and how it judges: trees, models, elements, embedded data.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "auto/companions.h"
#include "auto/copies.h"
#include "auto/features.h"
#include "auto/group_scores.h"
#include "auto/judge.h"
#include "auto/model.h"
#include "auto/model_data.h"
#include "auto/role_data.h"
#include "auto/role_trees.h"
#include "auto/role_words.h"
#include "auto/page_type.h"
#include "auto/threshold.h"
#include "html/tree.h"
#include "page/builder.h"
#include "page/embedded.h"
#include "support/extract.h"
#include "text/char_kinds.h"

/* ---- Trees ------------------------------------------------------------------------------- */

static void test_forest_adds_trees(void **state)
{
    (void)state;
    /* x0 > 5 ? (x1 > -3 ? 30 : 20) : 10, where x1 is a feature of the page; and a tree of one answer */
    const wn_auto_split splits[] = {{-3, 1, 2}, {5, 0, 1}};
    const wn_auto_tree trees[] = {{0, 1, 2, {10, 20, 30}}, {2, 2, 2, {100}}};
    wn_auto_forest forest = {.splits = splits, .trees = trees, .tree_count = 2, .feature_count = 2};
    const int16_t rows[][2] = {{5, 0}, {6, -3}, {6, -2}};
    const int32_t sums[] = {110, 120, 130};
    for (int i = 0; i < 3; i++) {
        uint16_t leaves[2];
        wn_auto_forest_start(&forest, rows[i], leaves);
        assert_int_equal(leaves[0], i == 1 ? UINT16_MAX : UINT16_MAX - 2);
        wn_auto_column columns[2] = {{0}};
        int32_t batch[WN_BATCH] = {0};
        columns[0][7] = rows[i][0];
        wn_auto_forest_add(&forest, 0, 2, leaves, (const wn_auto_column *)columns, WN_BATCH, batch);
        assert_int_equal(batch[0], 110);
        assert_int_equal(batch[7], sums[i]);
        assert_int_equal(wn_auto_forest_ask(&forest, 0, 2, rows[i]), sums[i]);
    }
}

/* A tree of as many leaves as there may be, whose splits lie in a row: x0 > 0, x0 > 1, … */
static void test_forest_with_all_leaves(void **state)
{
    (void)state;
    wn_auto_split splits[WN_TREE_LEAVES - 1];
    wn_auto_tree tree = {0, 0, WN_TREE_LEAVES - 1, {0}};
    for (int i = 0; i < WN_TREE_LEAVES - 1; i++)
        splits[i] = (wn_auto_split){(int16_t)i, 0, (uint16_t)(1 << i)};
    for (int i = 0; i < WN_TREE_LEAVES; i++)
        tree.answers[i] = (int16_t)(3000 - 401 * i); /* both bytes differ, and signs */
    wn_auto_forest forest = {.splits = splits, .trees = &tree, .tree_count = 1, .feature_count = 1};
    int16_t rows[WN_BATCH][8] = {{0}};
    for (int i = 0; i < WN_BATCH; i++)
        rows[i][0] = (int16_t)i;
    wn_auto_column columns[8];
    uint16_t leaves;
    wn_auto_forest_turn(rows[0], 8, 1, WN_BATCH, columns);
    wn_auto_forest_start(&forest, rows[0], &leaves);
    for (int lanes = 8; lanes <= 32; lanes *= 2) {
        int32_t sums[WN_BATCH] = {0};
        if (!wn_auto_forest_has_lanes(lanes))
            continue;
        wn_auto_forest_add_by(lanes, &forest, 0, 1, &leaves, (const wn_auto_column *)columns,
                              WN_BATCH, sums);
        for (int i = 0; i < WN_BATCH; i++) {
            int leaf = i < WN_TREE_LEAVES ? i : WN_TREE_LEAVES - 1;
            assert_int_equal(sums[i], 3000 - 401 * leaf);
            assert_int_equal(wn_auto_forest_ask(&forest, 0, 1, rows[i]), 3000 - 401 * leaf);
        }
    }
}

static void test_logistic(void **state)
{
    (void)state;
    assert_int_equal(wn_auto_logistic(0), 512);
    assert_int_equal(wn_auto_logistic(INT32_MAX), 1024);
    assert_int_equal(wn_auto_logistic(INT32_MIN), 0);
    assert_in_range(wn_auto_logistic(WN_LOGIT_ONE), 747, 750); /* 1024 * 0.7311 */
    uint32_t last = 0;
    for (int32_t logit = -10000; logit <= 10000; logit += 7) {
        uint32_t chance = wn_auto_logistic(logit);
        assert_true(chance >= last);
        assert_in_range(chance + wn_auto_logistic(-logit), 1024, 1024);
        last = chance;
    }
}

/* ---- The threshold ------------------------------------------------------------------------ */

static const wn_auto_threshold_aim plain_aim = {
    .beta = 4, .spread = WN_LOGIT_ONE, .lowest = 1, .highest = 1024};

/* The example of src/extract/auto.c: a menu, an article, a footer. */
static void test_cut_above_the_footer(void **state)
{
    (void)state;
    wn_auto_words_by_chance words = {[20] = 30, [993] = 600, [102] = 50};
    assert_int_equal(wn_auto_best_threshold(words, plain_aim), 993);
    wn_auto_threshold_aim recall = plain_aim;
    recall.beta = 16 * 16;
    assert_int_equal(wn_auto_best_threshold(words, recall), 20);
}

/*
 * 60 words with 0.6 and 300 with 0.176. As they are, the few alone give 0.484 and all give 0.395. With the odds
 * 30 times as high it is 0.310 and 0.938, with 30 times lower ones 0.088 and 0.027: all are worth the risk.
 */
static void test_cut_with_odds_that_are_wrong_together(void **state)
{
    (void)state;
    wn_auto_words_by_chance words = {[614] = 60, [180] = 300};
    assert_int_equal(wn_auto_best_threshold(words, plain_aim), 614);
    wn_auto_threshold_aim spread = plain_aim;
    spread.spread = 30 * WN_LOGIT_ONE;
    assert_int_equal(wn_auto_best_threshold(words, spread), 180);
}

static void test_cut_lies_between_its_bounds(void **state)
{
    (void)state;
    wn_auto_words_by_chance likely = {[1000] = 600}, unlikely = {[50] = 600}, none = {[0] = 600};
    wn_auto_threshold_aim aim = {
        .beta = 4, .spread = 10 * WN_LOGIT_ONE, .lowest = 100, .highest = 600};
    assert_int_equal(wn_auto_best_threshold(likely, aim), 600);
    assert_int_equal(wn_auto_best_threshold(unlikely, aim), 600);
    assert_int_equal(wn_auto_best_threshold(none, aim), 600);
}

/* ---- Words ------------------------------------------------------------------------------- */

static void test_word_hashes(void **state)
{
    (void)state;
    /* They are in trained tables and must never change on any machine. */
    assert_int_equal(wn_auto_word_hash(WN_WORD_TEXT, 0, WN_STR("mill")), 0xd085966b);
    assert_int_equal(wn_auto_word_hash(WN_WORD_CLASS, 0, WN_STR("Navigation")), 0x8493f901);
    assert_int_equal(wn_auto_word_hash(WN_WORD_TEXT, 0, WN_STR("MiLL")), 0xd085966b);
    assert_true(wn_auto_word_hash(WN_WORD_TEXT, 0, WN_STR("2")) !=
                wn_auto_word_hash(WN_WORD_TEXT, 0, WN_STR("12")));
    assert_true(wn_auto_word_hash(WN_WORD_TEXT, 0, WN_STR("\xC3\xA9")) !=
                wn_auto_word_hash(WN_WORD_TEXT, 0, WN_STR("\xC3\x89")));
    assert_true(wn_auto_word_hash(WN_WORD_ROLE, 'r', WN_STR("main")) !=
                wn_auto_word_hash(WN_WORD_ROLE, 'i', WN_STR("main")));
}

static void test_lexicon(void **state)
{
    (void)state;
    uint32_t *slots = calloc(WN_LEXICON_LEAST_SLOTS, sizeof *slots);
    wn_auto_lexicon lexicon = {.slots = slots, .mask = WN_LEXICON_LEAST_SLOTS - 1}, none = {0};
    /* Two words that belong into the last slot: the second is in the first one. */
    slots[lexicon.mask] = 0x12340000u | (128 + 5);
    slots[0] = 0x43210000u | 1 << 8 | (128 - 7);
    assert_int_equal(wn_auto_lexicon_weight(&lexicon, 0x1234FFFFu), 5);
    assert_int_equal(wn_auto_lexicon_weight(&lexicon, 0x4321FFFFu), -7);
    assert_int_equal(wn_auto_lexicon_weight(&lexicon, 0x43210000u), WN_NO_WEIGHT);
    assert_int_equal(wn_auto_lexicon_weight(&lexicon, 0x4322FFFFu), WN_NO_WEIGHT);
    assert_int_equal(wn_auto_lexicon_weight(&none, 0x1234FFFFu), WN_NO_WEIGHT);
    free(slots);
}

/* Sixty-four at once are sorted as one by one. */
static void test_signs(void **state)
{
    (void)state;
    char bytes[WN_CHAR_CHUNK];
    for (int first = 0; first < 256; first += WN_CHAR_CHUNK) {
        for (int i = 0; i < WN_CHAR_CHUNK; i++)
            bytes[i] = (char)(first + i);
        wn_text_char_masks masks = wn_text_char_masks_of(bytes, WN_CHAR_CHUNK);
        for (int i = 0; i < WN_CHAR_CHUNK; i++) {
            unsigned size;
            wn_text_char_kind sign = wn_text_char_kind_at(wn_str_from(bytes + i, 1), 0, &size);
            bool wide = (unsigned char)bytes[i] >= 0x80;
            assert_int_equal(masks.wide >> i & 1, wide);
            assert_int_equal(masks.letters >> i & 1,
                             !wide && (sign == WN_CHAR_KIND_LOWER || sign == WN_CHAR_KIND_UPPER));
            assert_int_equal(masks.uppers >> i & 1, sign == WN_CHAR_KIND_UPPER);
            assert_int_equal(masks.digits >> i & 1, sign == WN_CHAR_KIND_DIGIT);
            assert_int_equal(masks.spaces >> i & 1, sign == WN_CHAR_KIND_SPACE);
            assert_int_equal(masks.lines >> i & 1, bytes[i] == '\n');
        }
    }
}

/* ---- Models ------------------------------------------------------------------------------ */

static uint32_t *copy_of_model(void)
{
    uint32_t *copy = malloc(wn_auto_model_data_count * 4);
    assert_non_null(copy);
    memcpy(copy, wn_auto_model_data, wn_auto_model_data_count * 4);
    return copy;
}

static wn_str bytes_of(const uint32_t *numbers, size_t count)
{
    return wn_str_from((const char *)numbers, count * 4);
}

static void test_own_model_is_sound(void **state)
{
    (void)state;
    wn_auto_model model;
    assert_true(wn_auto_model_read(&model, bytes_of(wn_auto_model_data, wn_auto_model_data_count),
                                   WN_ROW_SIZES));
    assert_true(model.block.tree_count > 0 && model.early.tree_count > 0);
    assert_non_null(model.lexicon.slots);
    assert_int_equal(model.types.tree_count % WN_PAGE_TYPES, 0);
}

/* The model was trained for the features there are now, in their order. */
static void test_own_model_fits_the_features(void **state)
{
    (void)state;
    uint32_t hash = 0x811C9DC5u;
    for (int i = 0; i < WN_PAGE_ROW; i++) {
        const char *name = i < WN_FEATURE_COUNT ? wn_auto_feature_names[i]
                                                : wn_auto_page_type_names[i - WN_FEATURE_COUNT];
        for (; *name; name++)
            hash = (hash ^ (unsigned char)*name) * 0x01000193u;
        hash = (hash ^ ',') * 0x01000193u;
    }
    wn_auto_model model;
    assert_true(wn_auto_model_default(&model));
    assert_int_equal((uint32_t)model.constants[WN_FEATURES_HASH], hash);
}

/* Whatever is changed in a model, reading it is safe; and a model that is read can be used. */
static void test_broken_models(void **state)
{
    (void)state;
    static const char modern[] =
        "<!DOCTYPE html><title>T</title><body><p>Some words in a paragraph, twelve or more "
        "of them, so that there is something to be judged.<p><a href=x>y</a>";
    const char *early = modern + strlen("<!DOCTYPE html>"); /* which other trees judge */
    uint32_t random = 12345;
    extractor *e = extractor_new();
    for (int round = 0; round < 60; round++) {
        uint32_t *copy = copy_of_model();
        for (int i = 0; i < 1 + round % 7; i++) {
            random = random * 1664525u + 1013904223u;
            uint32_t at = round % 2 ? random % 14 : random % wn_auto_model_data_count;
            random = random * 1664525u + 1013904223u;
            copy[at] = round % 3 ? random : copy[at] ^ 1u << random % 32;
        }
        winnow_model *model;
        winnow_status loaded = winnow_model_load(&model, copy, wn_auto_model_data_count * 4);
        assert_true(loaded == WINNOW_STATUS_BAD_MODEL || loaded == WINNOW_STATUS_OK);
        assert_int_equal(model != NULL, loaded == WINNOW_STATUS_OK);
        free(copy);
        winnow_options_set_model(e->options, model);
        for (int i = 0; model && i < 2; i++) {
            winnow_status status = extract_by(e, "auto", i ? early : modern)->status;
            assert_true(status == WINNOW_STATUS_OK || status == WINNOW_STATUS_EMPTY);
        }
        winnow_options_set_model(e->options, NULL);
        extract_by(e, "auto", modern);
        winnow_model_free(model);
    }
    extractor_free(e);
}

static void test_short_models(void **state)
{
    (void)state;
    wn_auto_model model;
    uint32_t *copy = copy_of_model();
    assert_false(wn_auto_model_read(&model, WN_STR(""), WN_ROW_SIZES));
    assert_false(wn_auto_model_read(&model, bytes_of(copy, 3), WN_ROW_SIZES));
    assert_false(
        wn_auto_model_read(&model, bytes_of(copy, wn_auto_model_data_count / 2), WN_ROW_SIZES));
    assert_false(
        wn_auto_model_read(&model, bytes_of(copy, wn_auto_model_data_count - 1), WN_ROW_SIZES));
    copy[1]++; /* another version */
    assert_false(
        wn_auto_model_read(&model, bytes_of(copy, wn_auto_model_data_count), WN_ROW_SIZES));
    free(copy);
}

/* ---- Elements and features --------------------------------------------------------------- */

typedef struct parsed {
    wn_arena strings, work;
    wn_tree *tree;
    wn_page_builder *builder;
    wn_doc doc;
    wn_page page;
} parsed;

static void parse(parsed *p, const char *html)
{
    *p = (parsed){.tree = wn_html_tree_new(), .builder = wn_page_builder_new()};
    wn_arena_init(&p->strings, 0);
    wn_arena_init(&p->work, 0);
    wn_html_tree_parse(p->tree, &p->doc, &p->strings, wn_str_of(html), &wn_parse_defaults);
    wn_page_build(p->builder, &p->page, &p->doc, NULL);
}

static void release(parsed *p)
{
    wn_page_free(&p->page);
    wn_doc_free(&p->doc);
    wn_page_builder_free(p->builder);
    wn_html_tree_free(p->tree);
    wn_arena_free(&p->strings);
    wn_arena_free(&p->work);
}

/* The features of a page without a lexicon. */
static void describe(parsed *p, wn_auto_features *f, const char *html)
{
    wn_auto_lexicon none = {0};
    parse(p, html);
    assert_true(wn_auto_features_prepare(f, &p->page, &none, NULL,
                                         wn_auto_features_marks(&p->doc, &p->work), &p->work));
}

static void test_features(void **state)
{
    (void)state;
    static const char html[] =
        "<title>The mill</title><body><nav><ul><li><a href=a>Home</a><li><a href=b>News</a></ul></nav>"
        "<main><h1>The mill</h1><p>One two three, four five six. Seven eight nine ten eleven twelve."
        "<p>One two three, four five six. Seven eight nine ten eleven twelve.</main>";
    parsed p;
    wn_auto_features f;
    describe(&p, &f, html);
    assert_int_equal(p.page.blocks.count, 5);
    assert_int_equal(f.elements.items[0].words, 2 + 2 + 24);
    assert_int_equal(f.elements.items[0].blocks, 5);
    assert_int_equal(f.elements.items[0].good_words, 24);
    wn_auto_row row;
    wn_auto_features_row(&f, 0, row);
    assert_int_equal(row[WN_F_WORDS], 1);
    assert_int_equal(row[WN_F_LINK_SHARE], 1000);
    assert_int_equal(row[WN_F_NEAR_NAV], 2);
    assert_int_equal(row[WN_F_L0_KIN], 2);
    assert_int_equal(row[WN_F_L0_NAMESAKES], 2);
    wn_auto_features_row(&f, 4, row);
    assert_int_equal(row[WN_F_WORDS], 12);
    assert_int_equal(row[WN_F_COMMAS], 1);
    assert_int_equal(row[WN_F_STOPS], 2);
    assert_int_equal(row[WN_F_ENDS_SENTENCE], 2);
    assert_int_equal(row[WN_F_NEAR_MAIN], 1);
    assert_int_equal(row[WN_F_COPIES], 2);
    assert_int_equal(row[WN_F_COPIES_BEFORE], 1);
    assert_int_equal(row[WN_F_HEADING_ABOVE], 1);
    assert_int_equal(row[WN_F_FROM_HEADING], 2);
    assert_int_equal(row[WN_F_GOOD_BEFORE], 500);
    assert_int_equal(row[WN_F_L1_GOOD_SHARE], 1000);
    release(&p);
}

static bool is_early(const char *head)
{
    char html[512];
    snprintf(html, sizeof html, "%s<body><p>Some words.", head);
    parsed p;
    wn_auto_features f;
    describe(&p, &f, html);
    release(&p);
    return f.is_early;
}

static void test_pages_of_the_early_web(void **state)
{
    (void)state;
    assert_true(is_early(""));
    assert_true(is_early("<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Strict//EN'>"));
    assert_true(is_early("<!DOCTYPE svg>"));
    assert_false(is_early("<!DOCTYPE html>"));
    assert_false(is_early("<!DOCTYPE html SYSTEM 'about:legacy-compat'>"));
    assert_false(is_early("<meta name=Viewport content='width=device-width'>"));
    assert_false(
        is_early("<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Strict//EN'><meta name=viewport>"));
}

/* Such pages have trees of their own, if the model has any. */
static void test_early_pages_have_their_trees(void **state)
{
    (void)state;
    wn_auto_model model = {.early.tree_count = 1};
    wn_auto_features early = {.is_early = true}, modern = {0};
    wn_auto_gates gates = {0};
    assert_ptr_equal(wn_auto_judge_forest(&early, &model, gates), &model.early);
    assert_ptr_equal(wn_auto_judge_forest(&modern, &model, gates), &model.block);
    model.early.tree_count = 0;
    assert_ptr_equal(wn_auto_judge_forest(&early, &model, gates), &model.block);
}

/* So were the trees for roles, and there are as many for each role. */
static void test_trees_for_roles_fit_the_features(void **state)
{
    (void)state;
    uint32_t hash = 0x811C9DC5u;
    for (int i = 0; i < WN_ROLE_ROW; i++) {
        const char *name = i < WN_FEATURE_COUNT ? wn_auto_feature_names[i]
                                                : wn_auto_role_feature_names[i - WN_FEATURE_COUNT];
        for (; *name; name++)
            hash = (hash ^ (unsigned char)*name) * 0x01000193u;
        hash = (hash ^ ',') * 0x01000193u;
    }
    wn_auto_forest forest = {0};
    assert_int_equal(wn_auto_role_data_features, hash);
    assert_true(wn_auto_forest_find(&forest, wn_auto_role_data, wn_auto_role_data_count));
    assert_true(wn_auto_forest_check(&forest, WN_ROLE_ROW));
    assert_true(forest.tree_count > 0);
    assert_int_equal(forest.tree_count % WN_TREE_ROLES, 0);
    assert_false(wn_auto_forest_check(&forest, WN_ROLE_ROW - 1));
    assert_false(wn_auto_forest_find(&forest, wn_auto_role_data, wn_auto_role_data_count - 1));
}

static void test_terms_of_roles(void **state)
{
    (void)state;
    wn_auto_role_terms terms;
    wn_auto_role_terms_count(&terms, WN_STR("Photo: the mill; SUBSCRIBE now, read more comments"));
    assert_int_equal(terms.all[WN_TERM_CAPTION], 1);
    assert_int_equal(terms.first[WN_TERM_CAPTION], 1);
    assert_int_equal(terms.all[WN_TERM_OFFER], 1);
    assert_int_equal(terms.first[WN_TERM_OFFER], 0);
    assert_int_equal(terms.all[WN_TERM_RELATED], 2);
    assert_int_equal(terms.all[WN_TERM_COMMENT], 1);
    wn_auto_role_terms_count(&terms, WN_STR("abo читайте \xE5\xB9\xBF\xE5\x91\x8A "
                                            "\xEF\xBC\x81 \xE8\xAF\x84\xE8\xAE\xBA"));
    assert_int_equal(terms.all[WN_TERM_OFFER], 2); /* the first word of the table is found, too */
    assert_int_equal(terms.all[WN_TERM_RELATED], 1);
    assert_int_equal(terms.all[WN_TERM_COMMENT], 1);
    wn_auto_role_terms_count(&terms, WN_STR("РЕКЛАМА: Newsletter Комментариев"));
    assert_int_equal(terms.all[WN_TERM_OFFER], 1); /* in any case */
    assert_int_equal(terms.all[WN_TERM_SERVICE], 1);
    assert_int_equal(terms.all[WN_TERM_COMMENT], 1); /* by its first letters */
    wn_auto_role_terms_count(&terms, WN_STR(""));
    assert_int_equal(terms.all[WN_TERM_OFFER], 0);
    assert_true(wn_auto_role_phrase_starts(WN_STR("- Advertisement -"), WN_PHRASE_AD));
    assert_false(wn_auto_role_phrase_starts(WN_STR("An advertisement"), WN_PHRASE_AD));
    assert_true(wn_auto_is_comment_button(WN_STR(" Reply (3)")));
    assert_false(wn_auto_is_comment_button(WN_STR("Reply to Jane: no")));
}

static void test_words_that_tell_roles(void **state)
{
    (void)state;
    assert_int_equal(wn_auto_role_word(WN_STR("Comments")), WN_SAYS_COMMENT);
    assert_int_equal(wn_auto_role_word(WN_STR("commentlist")), WN_SAYS_COMMENT);
    assert_int_equal(wn_auto_role_word(WN_STR("newsletters")), WN_SAYS_SHARE);
    assert_int_equal(wn_auto_role_word(WN_STR("ad")), WN_SAYS_AD);
    assert_int_equal(wn_auto_role_word(WN_STR("promo")), WN_SAYS_PROMOTION);
    assert_int_equal(wn_auto_role_word(WN_STR("zergnet")), WN_SAYS_RELATED);
    assert_int_equal(wn_auto_role_word(WN_STR("headline")), WN_SAYS_TITLE);
    assert_int_equal(wn_auto_role_word(WN_STR("add")), 0);
    assert_int_equal(wn_auto_role_word(WN_STR("content")), 0);
    assert_int_equal(wn_auto_role_word(WN_STR("")), 0);
    assert_int_equal(wn_auto_role_word(WN_STR("\xC3\xA9t\xC3\xA9")), 0);
}

/* Gates answer by the page as a whole; one without trees is shut. */
static void test_gates_have_trees(void **state)
{
    (void)state;
    parsed p;
    wn_auto_features f;
    describe(&p, &f, "<!DOCTYPE html><h1>Mill</h1><p>It turns.");
    wn_auto_tree tree = {.answers = {100}};
    wn_auto_model model = {.gate = {.trees = &tree, .tree_count = 1}};
    wn_auto_gates gates = wn_auto_judge_gates(&f, &model);
    assert_int_equal(gates.story, 100);
    assert_int_equal(gates.item, WN_GATE_SHUT);
    release(&p);
}

/* A gate opens the forest of its pages; early pages have theirs unless they are surely no articles. */
static void test_gates_open_forests(void **state)
{
    (void)state;
    int32_t constants[WN_MODEL_CONSTANTS] = {
        [WN_ARTICLE_CUT] = 100, [WN_ITEM_CUT] = 10, [WN_EARLY_CUT] = -50};
    wn_auto_model model = {.article.tree_count = 1,
                           .gate.tree_count = 1,
                           .item.tree_count = 1,
                           .early.tree_count = 1,
                           .constants = constants};
    wn_auto_features early = {.is_early = true}, modern = {0};
    wn_auto_gates story = {.story = 100}, item = {.story = 99, .item = 10}, both = {100, 10};
    assert_ptr_equal(wn_auto_judge_forest(&modern, &model, story), &model.article);
    assert_ptr_equal(wn_auto_judge_forest(&modern, &model, item), &model.item);
    assert_ptr_equal(wn_auto_judge_forest(&modern, &model, both), &model.article);
    both.item = 101; /* the surer one decides */
    assert_ptr_equal(wn_auto_judge_forest(&modern, &model, both), &model.item);
    assert_ptr_equal(wn_auto_judge_forest(&early, &model, story), &model.early);
    assert_ptr_equal(wn_auto_judge_forest(&early, &model, item), &model.item);
    wn_auto_gates unsure = {.story = -50}, neither = {.story = -51};
    assert_ptr_equal(wn_auto_judge_forest(&early, &model, unsure), &model.early);
    assert_ptr_equal(wn_auto_judge_forest(&early, &model, neither), &model.block);
    model.article.tree_count = model.item.tree_count = 0; /* an older model */
    assert_ptr_equal(wn_auto_judge_forest(&modern, &model, both), &model.block);
}

/* What the blocks of two cards and of the paragraph after them answer once they have heard each other. */
static void share_answers(const char *doctype, int32_t share, int32_t answers[5])
{
    char html[512];
    snprintf(html, sizeof html,
             "%s<div class=list><div class=card><h2 class=name>Oats</h2><p class=note>ripe</div>"
             "<div class=card><h2 class=name>Rye and wheat</h2><p class=note>cut</div></div>"
             "<p class=end>Behind",
             doctype);
    parsed p;
    wn_auto_features f;
    describe(&p, &f, html);
    assert_int_equal(p.page.blocks.count, 5);
    const int32_t alone[] = {-1200, 300, 1800, 100, 7};
    memcpy(answers, alone, sizeof alone);
    assert_true(wn_auto_blend_group_scores(&f, share, &p.work, answers));
    release(&p);
}

static void test_blocks_of_a_kind_hear_each_other(void **state)
{
    (void)state;
    int32_t answers[5];
    share_answers("<!DOCTYPE html>", WN_LOGIT_ONE, answers);
    /* Names of one and three words, which count as two and four; notes of one word each. */
    const int32_t means[] = {800, 200, 800, 200, 7};
    assert_memory_equal(answers, means, sizeof means);
    share_answers("<!DOCTYPE html>", WN_LOGIT_ONE / 2, answers);
    const int32_t halves[] = {-200, 250, 1300, 150, 7};
    assert_memory_equal(answers, halves, sizeof halves);
    const int32_t alone[] = {-1200, 300, 1800, 100, 7};
    share_answers("<!DOCTYPE html>", 0, answers);
    assert_memory_equal(answers, alone, sizeof alone);
    share_answers("", WN_LOGIT_ONE, answers); /* a page of the early web */
    assert_memory_equal(answers, alone, sizeof alone);
}

/*
 * Which of the paragraphs, a letter for each text, q for one that is quoted, are kept as a pattern of + and -, when all that are no copies are
 * kept except those in capitals, and the answer for copies is that.
 */
static void assert_copies(const char *texts, int32_t answer, uint32_t threshold, const char *wanted)
{
    parsed p;
    wn_auto_features f;
    char html[2000] = "<!DOCTYPE html>", found[20] = "";
    uint32_t count = (uint32_t)strlen(texts);
    int32_t constants[WN_MODEL_CONSTANTS] = {[WN_SCALE] = WN_LOGIT_ONE, [WN_COPY_WORDS] = 8};
    wn_auto_model model = {.constants = constants};
    wn_verdict verdicts[20] = {{0}};
    int32_t answers[20];
    uint16_t chances[20] = {0};
    for (uint32_t i = 0; i < count; i++)
        snprintf(html + strlen(html), sizeof html - strlen(html),
                 texts[i] == 'q' ? "<blockquote>%c one two three four five six seven.</blockquote>"
                                 : "<p>%c one two three four five six seven.</p>",
                 texts[i]);
    describe(&p, &f, html);
    assert_int_equal(p.page.blocks.count, count);
    for (uint32_t i = 0; i < count; i++) {
        answers[i] = answer;
        verdicts[i].keep = texts[i] >= 'a' && strchr(texts, texts[i]) == texts + i;
    }
    wn_selection selection = {.verdicts = verdicts, .count = count};
    wn_auto_copies_keep(&f, &model, answers, threshold, chances, &selection);
    for (uint32_t i = 0; i < count; i++) {
        found[i] = verdicts[i].keep ? '+' : '-';
        bool is_kept_copy = verdicts[i].keep && strchr(texts, texts[i]) != texts + i;
        assert_int_equal(chances[i], is_kept_copy ? wn_auto_judge_chance(&model, answer) : 0);
    }
    assert_string_equal(found, wanted);
    release(&p);
}

static void test_copies_among_kept_text(void **state)
{
    (void)state;
    int32_t sure = 3 * WN_LOGIT_ONE, unsure = WN_LOGIT_ONE; /* 95% and 73% */
    assert_copies("abcdad", sure, 500, "++++--");           /* at the end */
    assert_copies("abcdae", sure, 500, "++++++");           /* a refrain */
    assert_copies("abcdae", unsure, 500, "++++-+");
    assert_copies("abcdae", sure, 1000, "++++-+");
    assert_copies("abcdaE", sure, 500, "++++--");         /* before what is not kept */
    assert_copies("abcdEaf", sure, 500, "++++--+");       /* after it */
    assert_copies("abcdefgabh", sure, 500, "++++++++++"); /* two in a row */
    assert_copies("abcdabcdef", sure, 500, "++++----++"); /* a second copy of the text */
    assert_copies("aabcde", sure, 500, "++++++");
    assert_copies("qbcdqe", unsure, 500, "++++++"); /* what is quoted was said before */
    assert_copies("qbcdqe", unsure, 800, "++++-+");
    assert_copies("aa", sure, 500, "+-");
    assert_copies("a", sure, 500, "+");
}

/*
 * Which blocks of a page are kept as a pattern of + and -, when those of another pattern were and the answer of the trees
 * for all is this one.
 */
static void assert_companions(const char *html, int32_t answer, int page_type, const char *kept,
                              const char *wanted)
{
    parsed p;
    wn_auto_features f;
    char found[20] = "";
    int32_t constants[WN_MODEL_CONSTANTS] = {[WN_SCALE] = WN_LOGIT_ONE}, answers[20];
    wn_auto_model model = {.constants = constants};
    wn_verdict verdicts[20] = {{0}};
    uint32_t count = (uint32_t)strlen(kept);
    describe(&p, &f, html);
    assert_int_equal(p.page.blocks.count, count);
    for (uint32_t i = 0; i < count; i++) {
        answers[i] = answer;
        verdicts[i].keep = kept[i] == '+';
    }
    wn_selection selection = {.verdicts = verdicts, .count = count, .page_type = page_type};
    wn_auto_companions_keep(&f, &model, answers, &selection);
    for (uint32_t i = 0; i < count; i++)
        found[i] = verdicts[i].keep ? '+' : '-';
    assert_string_equal(found, wanted);
    release(&p);
}

static void test_companions_of_kept_text(void **state)
{
    (void)state;
    enum { ARTICLE = WINNOW_PAGE_TYPE_ARTICLE, SERVICE = WINNOW_PAGE_TYPE_SERVICE };
    int32_t unlikely = -WN_LOGIT_ONE, very_unlikely = -3 * WN_LOGIT_ONE; /* 27% and 5% */
    int32_t rather_unlikely = -WN_LOGIT_ONE * 3 / 2;                     /* 18% */
    const char *colon = "<!DOCTYPE html><div><p>For example:<pre>a = 1</pre><p>More.</div>";
    assert_companions(colon, unlikely, ARTICLE, "+--", "++-");
    assert_companions(colon, rather_unlikely, ARTICLE, "+--", "++-");
    assert_companions(colon, very_unlikely, ARTICLE, "+--", "+--");
    assert_companions(colon, unlikely, SERVICE, "+--", "++-");
    assert_companions(colon, unlikely, ARTICLE, "--+", "--+"); /* what announces it is dropped */

    const char *between = "<!DOCTYPE html><div><p>So you do<pre>a = 1</pre><p>More.</div>";
    assert_companions(between, unlikely, ARTICLE, "+-+", "+++");
    assert_companions(between, unlikely, ARTICLE, "+--", "+--");
    assert_companions(between, rather_unlikely, ARTICLE, "+-+", "+-+");
    assert_companions(between, unlikely, SERVICE, "+-+", "+-+");

    /* A label of the box does not part them, a text does. */
    assert_companions("<!DOCTYPE html><div><p>Do:<div><div>Copy</div><pre>a</pre></div><p>B.</div>",
                      unlikely, ARTICLE, "+---", "+-+-");
    assert_companions("<!DOCTYPE html><div><p>Do:<p>One two three four five six seven.<pre>a</pre>"
                      "<p>B.</div>",
                      unlikely, ARTICLE, "+--+", "+--+");

    /* A table is kept as a whole, or not, if it is less likely than code may be. */
    const char *table = "<!DOCTYPE html><div><p>As in:<table><tr><th>A<th>B<tr><td>1<td>2</table>"
                        "<p>More.</div>";
    assert_companions(table, 0, ARTICLE, "+----+", "++++++");
    assert_companions(table, unlikely, ARTICLE, "+----+", "+----+");

    /* A list after a colon, unless it is one of links, and what is said of a term. */
    const char *list =
        "<!DOCTYPE html><div><p>It is one of<p>These:<ul><li>One.<li>Two.</ul></div>";
    assert_companions(list, unlikely, ARTICLE, "++--", "++++");
    assert_companions(list, unlikely, ARTICLE, "+---", "+---");
    assert_companions(list, rather_unlikely, ARTICLE, "++--", "++--");
    assert_companions(
        "<!DOCTYPE html><div><p>See:<ul><li><a href=a>One</a><li><a href=b>Two</a></ul>", unlikely,
        ARTICLE, "+--", "+--");
    const char *terms = "<!DOCTYPE html><dl><dt>-a<dd>All.<dd>More.<dt>-b<dd>Some.</dl>";
    assert_companions(terms, unlikely, ARTICLE, "+--+-", "+++++");
    assert_companions(terms, unlikely, ARTICLE, "---+-", "---++");

    /* The terms of what is kept, and an item between others of its list; not those of cards. */
    const char *options = "<!DOCTYPE html><div><p>A.<dl><dt>-a<dt>-b<dd>All.</dl></div>";
    assert_companions(options, rather_unlikely, ARTICLE, "+--+", "++++");
    assert_companions(options, 2 * very_unlikely, ARTICLE, "+--+", "+--+");
    assert_companions(options, rather_unlikely, SERVICE, "+--+", "+--+");
    const char *items = "<!DOCTYPE html><ol><li>A mode.<li>a tab.<li>A name.</ol>";
    assert_companions(items, rather_unlikely, ARTICLE, "+-+", "+++");
    assert_companions(items, rather_unlikely, SERVICE, "+-+", "+-+");
    assert_companions(items, rather_unlikely, ARTICLE, "+--", "+--");
    assert_companions("<!DOCTYPE html><ul><li>A thing<div>Add</div><li>B thing</ul>",
                      rather_unlikely, ARTICLE, "+-+", "+-+");

    /* The caption of a figure that has a number, as opposed to those of photographs. */
    assert_companions("<!DOCTYPE html><div><p>A.<figure><img src=a><figcaption>Figure 3.1: B"
                      "</figcaption></figure><p>C.</div>",
                      unlikely, ARTICLE, "+-+", "+++");
    assert_companions("<!DOCTYPE html><div><p>A.<figure><img src=a><figcaption>A photo of 2017"
                      "</figcaption></figure><p>C.</div>",
                      unlikely, ARTICLE, "+-+", "+-+");

    assert_companions(
        "<!DOCTYPE html><div><p>A.<div><img src=a><p class=caption>Abb. 4: B</div><p>C."
        "</div>",
        unlikely, ARTICLE, "+-+", "+++");

    /* Whatever is between two texts of a manual, but links. */
    const char *note = "<!DOCTYPE html><div><p>One.<p>See two and three.<p>Four.</div>";
    assert_companions(note, unlikely, WINNOW_PAGE_TYPE_DOCUMENTATION, "+-+", "+++");
    assert_companions(note, unlikely, ARTICLE, "+-+", "+-+");
    assert_companions(note, unlikely, WINNOW_PAGE_TYPE_DOCUMENTATION, "+--", "+--");
    assert_companions("<!DOCTYPE html><div><p>One.<p><a href=a>Edit</a><p>Four.</div>", unlikely,
                      WINNOW_PAGE_TYPE_DOCUMENTATION, "+-+", "+-+");

    const char *author = "<!DOCTYPE html><div><p>One.<dl><dt>By<dd>Me.</dl><p>Four.</div>";
    assert_companions(author, unlikely, WINNOW_PAGE_TYPE_DOCUMENTATION, "+--+", "++++");
    assert_companions(author, rather_unlikely, WINNOW_PAGE_TYPE_DOCUMENTATION, "+--+", "+--+");

    /* Before the first kept text: its terms, and what a manual declares. */
    assert_companions("<!DOCTYPE html><h1>f</h1><dl><dt>f(x)<dd>Does it.</dl>", unlikely, ARTICLE,
                      "--+", "-++");
    const char *declaration = "<!DOCTYPE html><div><h1>f</h1><pre>int f()</pre><p>Does it.</div>";
    assert_companions(declaration, unlikely, WINNOW_PAGE_TYPE_DOCUMENTATION, "--+", "-++");
    assert_companions(declaration, unlikely, ARTICLE, "--+", "--+");
    assert_companions(declaration, very_unlikely, WINNOW_PAGE_TYPE_DOCUMENTATION, "--+", "--+");
    assert_companions(declaration, unlikely, WINNOW_PAGE_TYPE_DOCUMENTATION, "---", "---");

    /* A formula, however unlikely. */
    assert_companions("<!DOCTYPE html><div><p>A is<div><math><mi>x</mi><mo>+</mo><mi>y</mi></math>"
                      "</div><p>More.</div>",
                      very_unlikely, ARTICLE, "+-+", "+++");

    /* Another part of the page is not in the same element. */
    assert_companions(
        "<!DOCTYPE html><main><article><section><div><div><p>Links:</div></div></section>"
        "</article></main><aside><div><div><div><div><pre>a</pre><p>b</div></div></div>"
        "</div></aside>",
        unlikely, ARTICLE, "+--", "+--");
}

/* A word of the title and one of a heading speak for types of pages; each is heard where it is. */
static void test_title_and_headings_tell_the_type(void **state)
{
    (void)state;
    enum { FORUM = 1, PRODUCT = 2 };
    parsed p;
    wn_auto_features f;
    uint32_t *slots = calloc(WN_LEXICON_LEAST_SLOTS, sizeof *slots);
    wn_auto_lexicon lexicon = {.slots = slots, .mask = WN_LEXICON_LEAST_SLOTS - 1};
    const uint32_t words[] = {wn_auto_word_hash(WN_WORD_OUTLINE, 't', WN_STR("community")),
                              wn_auto_word_hash(WN_WORD_OUTLINE, 'h', WN_STR("specifications"))};
    const uint32_t types[] = {FORUM, PRODUCT};
    assert_non_null(slots);
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t hash = wn_auto_word_of_type(words[i], types[i]);
        slots[words[i] & lexicon.mask] = (words[i] & ~lexicon.mask) | 128;
        slots[hash & lexicon.mask] = (hash & ~lexicon.mask) | (128 + 20 + 10 * i);
    }
    parse(&p, "<title>Specifications, Community</title><h1>Community</h1>"
              "<h2>Specifications</h2><p>Specifications.<h2>SPECIFICATIONS</h2>");
    assert_true(wn_auto_features_prepare(&f, &p.page, &lexicon, NULL,
                                         wn_auto_features_marks(&p.doc, &p.work), &p.work));
    int16_t page_type[WN_PAGE_TYPE_FEATURE_COUNT];
    static const wn_auto_words_by_chance nothing;
    wn_auto_page_type_row(&f, nothing, page_type);
    for (int type = 0; type < WN_PAGE_TYPES; type++) {
        assert_int_equal(page_type[WN_T_PAGE_TITLE0 + type], type == FORUM ? 20 : 0);
        assert_int_equal(page_type[WN_T_PAGE_HEADINGS0 + type], type == PRODUCT ? 60 : 0);
    }
    release(&p);
    free(slots);
}

/* ---- Buried content ---------------------------------------------------------------------- */

static void test_embedded_content(void **state)
{
    (void)state;
    wn_buf html = {0}, out = {0};
    wn_buf_add_literal(
        &html, "<title>t</title><script type='application/json'>{\"menu\":[\"a\",\"b\",\"c\"],"
               "\"posts\":[{\"by\":\"x\",\"cooked\":\"<p>");
    for (int i = 0; i < 70; i++)
        wn_buf_add_literal(&html, "word ");
    wn_buf_add_literal(&html,
                       "</p>\"}],\"about\":\"a text of more than twelve words, but of another key "
                       "than the one that has most of them\"}</script>");
    parsed p;
    parse(&p, wn_buf_c_string(&html));
    assert_int_equal(p.page.blocks.count, 0);
    wn_page_embedded_find(&p.doc, &p.work, &out);
    assert_true(wn_str_starts(wn_buf_str(&out), WN_STR("<div><p>word word")));
    assert_true(wn_str_find(wn_buf_str(&out), WN_STR("another key")) == out.len);
    release(&p);

    extractor *e = extractor_new();
    const extracted *result = extract(e, html.ptr, html.len);
    assert_int_equal(result->status, WINNOW_STATUS_OK);
    assert_int_equal(strncmp(result->text, "word word", 9), 0);
    extractor_free(e);
    wn_buf_free(&html);
    wn_buf_free(&out);
}

/* What a page with only this JSON is found to hold. */
static void assert_embedded(const char *key, int strings, int words, bool is_content)
{
    wn_buf html = {0}, out = {0};
    wn_buf_add_literal(&html, "<title>t</title><script type='application/json'>[0");
    for (int i = 0; i < strings; i++) {
        wn_buf_add_format(&html, ",{\"%s\":\"%d", key, i);
        for (int k = 1; k < words; k++)
            wn_buf_add_literal(&html, " word");
        wn_buf_add_literal(&html, "\"}");
    }
    wn_buf_add_literal(&html, "]</script>");
    parsed p;
    parse(&p, wn_buf_c_string(&html));
    wn_page_embedded_find(&p.doc, &p.work, &out);
    assert_int_equal(out.len > 0, is_content);
    release(&p);
    wn_buf_free(&html);
    wn_buf_free(&out);
}

/* Messages of a program and what readers say of the page are none. */
static void test_what_is_no_embedded_content(void **state)
{
    (void)state;
    assert_embedded("articleBody", 2, 30, true);
    assert_embedded("articleBody", 1, 59, false);
    assert_embedded("body", 10, 29, false);
    assert_embedded("reviewBody", 10, 100, false);
    assert_embedded("commentText", 10, 100, false);
    assert_embedded("title", 10, 100, false);
}

/* Questions and answers of a FAQPage, short ones as well, each question as a heading. */
static void test_embedded_questions(void **state)
{
    (void)state;
    wn_buf out = {0};
    parsed p;
    parse(
        &p,
        "<title>t</title><script type='application/ld+json'>{\"@type\":\"FAQPage\",\"mainEntity\":["
        "{\"@type\":\"Question\",\"name\":\"Is it free?\",\"acceptedAnswer\":{\"text\":\"Yes.\"}},"
        "{\"acceptedAnswer\":[{\"text\":\"To <b>all</b> of Europe.\"}],\"name\":\"Do you ship?\","
        "\"@type\":\"Question\"},"
        "{\"@type\":\"Question\",\"name\":\"Nobody knows?\",\"acceptedAnswer\":[]}]}</script>");
    wn_page_embedded_find(&p.doc, &p.work, &out);
    assert_string_equal(wn_buf_c_string(&out),
                        "<h2>Is it free?</h2>\n<div>Yes.</div>\n"
                        "<h2>Do you ship?</h2>\n<div>To <b>all</b> of Europe.</div>\n");
    release(&p);
    wn_buf_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_embedded_questions),
        cmocka_unit_test(test_cut_above_the_footer),
        cmocka_unit_test(test_cut_with_odds_that_are_wrong_together),
        cmocka_unit_test(test_cut_lies_between_its_bounds),
        cmocka_unit_test(test_forest_adds_trees),
        cmocka_unit_test(test_forest_with_all_leaves),
        cmocka_unit_test(test_logistic),
        cmocka_unit_test(test_word_hashes),
        cmocka_unit_test(test_lexicon),
        cmocka_unit_test(test_signs),
        cmocka_unit_test(test_own_model_is_sound),
        cmocka_unit_test(test_broken_models),
        cmocka_unit_test(test_own_model_fits_the_features),
        cmocka_unit_test(test_trees_for_roles_fit_the_features),
        cmocka_unit_test(test_terms_of_roles),
        cmocka_unit_test(test_short_models),
        cmocka_unit_test(test_features),
        cmocka_unit_test(test_pages_of_the_early_web),
        cmocka_unit_test(test_early_pages_have_their_trees),
        cmocka_unit_test(test_gates_have_trees),
        cmocka_unit_test(test_gates_open_forests),
        cmocka_unit_test(test_words_that_tell_roles),
        cmocka_unit_test(test_blocks_of_a_kind_hear_each_other),
        cmocka_unit_test(test_copies_among_kept_text),
        cmocka_unit_test(test_companions_of_kept_text),
        cmocka_unit_test(test_title_and_headings_tell_the_type),
        cmocka_unit_test(test_embedded_content),
        cmocka_unit_test(test_what_is_no_embedded_content),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
