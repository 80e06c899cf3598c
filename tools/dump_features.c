/*
 * Writes the features of pages for training: the numbers that `auto` judges by, from the same code.
 *
 *     dump_features [--words] [--model FILE] < list of pages, one path a line
 *     dump_features --roles < list of pages, one path a line
 *
 * The model lends its lexicon, without which all words are unknown; if it has trees for blocks, what tells the type of
 * the page (auto/page_type.h) follows the features of each. For each page, in host byte order:
 *
 *     u32 blocks, elements, features, words, text bytes, 1 for a page of the early web, words of blocks that are not judged
 *     i16 rows[blocks][features]
 *     u32 element of block[blocks], heading of block[blocks], kind of block[blocks], parent of element[elements]
 *     u32 words of block[blocks]
 *     with --words:  {u32 kind, hash, at} words[words]; the texts of the blocks, each ended by a NUL
 *
 * With --roles, what the trees for roles see (auto/role_features.h), by the model of the library:
 *
 *     u32 blocks of the whole page, blocks that are judged, features, text bytes
 *     u32 block of the whole page[judged]
 *     i16 rows[judged][features]
 *     u8 role of each block of the whole page, by rules and trees
 *     the texts of the blocks of the whole page, each ended by a NUL
 */
#include <stdio.h>
#include <stdlib.h>

#include "auto/features.h"
#include "auto/group_scores.h"
#include "auto/judge.h"
#include "auto/model.h"
#include "auto/page_type.h"
#include "auto/role_trees.h"
#include "auto/trimmed_page.h"
#include "extract/method.h"
#include "html/encoding.h"
#include "html/tree.h"
#include "page/builder.h"

typedef struct heard {
    uint32_t kind, word, at;
} heard;

typedef struct dump {
    wn_arena strings, work;
    wn_tree *tree;
    wn_page_builder *builder;
    wn_doc doc;
    wn_page whole;
    wn_auto_trimmed_page trimmed; /* what auto judges of it */
    wn_auto_features features;
    int16_t page_type[WN_PAGE_TYPE_FEATURE_COUNT]; /* if the model has trees for blocks */
    wn_auto_model model;
    wn_array(heard) words;
    bool with_words;
    bool with_roles;
    uint32_t judged; /* blocks; of each: its row for roles, its place in the whole page */
    int16_t **role_rows;
    uint32_t *origins;
} dump;

static void fail(const char *what)
{
    fprintf(stderr, "dump_features: %s\n", what);
    exit(1);
}

static wn_str read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        fail(path);
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(size + 1);
    if (!bytes || fread(bytes, 1, size, file) != size)
        fail(path);
    fclose(file);
    return wn_str_from(bytes, size);
}

static void hear(void *user, wn_auto_word_kind kind, uint32_t word, uint32_t at)
{
    dump *d = user;
    heard *h = wn_array_push(&d->words);
    if (!h)
        fail("memory is out");
    *h = (heard){(uint32_t)kind, word, at};
}

static void write_bytes(const void *bytes, size_t size)
{
    if (size > 0 && fwrite(bytes, size, 1, stdout) != 1)
        fail("cannot write");
}

static void write_number(uint32_t number)
{
    write_bytes(&number, sizeof number);
}

static void write_page(dump *d)
{
    const wn_page *page = &d->trimmed.page;
    const wn_auto_features *f = &d->features;
    uint32_t blocks = page->blocks.count, elements = blocks ? f->elements.count : 0;
    uint32_t text_bytes = 0;
    for (uint32_t i = 0; i < blocks && d->with_words; i++)
        text_bytes += page->blocks.items[i].len + 1;
    uint32_t columns = d->model.block.tree_count ? WN_PAGE_ROW : WN_FEATURE_COUNT;
    bool early = blocks && f->is_early;
    uint32_t sizes[] = {
        blocks, elements, columns, d->words.count, text_bytes, early, d->trimmed.words_beside};
    write_bytes(sizes, sizeof sizes);
    for (uint32_t i = 0; i < blocks; i++) {
        int16_t row[WN_PAGE_ROW];
        wn_auto_features_row(f, i, row);
        memcpy(row + WN_FEATURE_COUNT, d->page_type, sizeof d->page_type);
        write_bytes(row, columns * sizeof *row);
    }
    for (uint32_t i = 0; i < blocks; i++)
        write_number(f->elements.of_block[i]);
    for (uint32_t i = 0; i < blocks; i++)
        write_number(f->blocks[i].heading_level ? f->blocks[i].heading_block : i);
    for (uint32_t i = 0; i < blocks; i++)
        write_number(f->blocks[i].classes);
    for (uint32_t i = 0; i < elements; i++)
        write_number(f->elements.items[i].parent);
    for (uint32_t i = 0; i < blocks; i++)
        write_number(page->blocks.items[i].words);
    write_bytes(d->words.items, d->words.count * sizeof *d->words.items);
    for (uint32_t i = 0; i < blocks && d->with_words; i++)
        write_bytes(wn_block_text(page, &page->blocks.items[i]).ptr, page->blocks.items[i].len + 1);
}

static void look_out(dump *d)
{
    int32_t *logits = wn_arena_alloc(&d->work, d->trimmed.page.blocks.count * sizeof *logits);
    uint16_t *chances = wn_arena_alloc(&d->work, d->trimmed.page.blocks.count * sizeof *chances);
    wn_auto_words_by_chance words;
    if (!logits || !chances)
        fail("memory is out");
    wn_auto_gates gates = wn_auto_judge_gates(&d->features, &d->model);
    wn_auto_judge_blocks(&d->features, wn_auto_judge_forest(&d->features, &d->model, gates), false,
                         logits);
    if (!wn_auto_blend_group_scores(&d->features, d->model.constants[WN_GROUP_SHARE], &d->work,
                                    logits))
        fail("memory is out");
    wn_auto_judge_chances(&d->features, &d->model, logits, chances);
    wn_auto_count_by_chance(&d->trimmed.page, chances, words);
    words[0] += d->trimmed.words_beside;
    wn_auto_page_type_row(&d->features, words, d->page_type);
}

/* Notes the rows of a page that is read; the trees change roles after that. */
static void note_role_rows(void *user, const wn_auto_role_rows *rows)
{
    dump *d = user;
    d->judged = rows->selection->count;
    for (uint32_t i = 0; i < d->judged; i++) {
        uint32_t origin = d->trimmed.origins[i];
        int16_t *row = wn_arena_alloc(&d->work, WN_ROLE_ROW * sizeof *row);
        if (!row)
            fail("memory is out");
        wn_auto_role_row(rows, i, row);
        d->role_rows[i] = row;
        d->origins[i] = origin;
    }
}

static void write_roles(dump *d)
{
    wn_auto_role_listener listener = {.hear = note_role_rows, .user = d};
    wn_request request;
    wn_selection selection;
    uint32_t blocks = d->whole.blocks.count, text_bytes = 0;
    if (wn_request_parse(&request, WN_STR("auto"), NULL) != WN_REQUEST_OK ||
        !wn_selection_start(&selection, &d->work, blocks, false))
        fail("memory is out");
    request.model = &d->model;
    request.roles = true;
    request.role_listener = &listener;
    d->judged = 0;
    d->role_rows = wn_arena_alloc(&d->work, (blocks + 1) * sizeof *d->role_rows);
    d->origins = wn_arena_alloc(&d->work, (blocks + 1) * sizeof *d->origins);
    if (!d->role_rows || !d->origins)
        fail("memory is out");
    request.method->select(&d->whole, &request, &d->work, &selection);
    for (uint32_t i = 0; i < blocks; i++)
        text_bytes += d->whole.blocks.items[i].len + 1;
    uint32_t sizes[] = {blocks, d->judged, WN_ROLE_ROW, text_bytes};
    write_bytes(sizes, sizeof sizes);
    write_bytes(d->origins, d->judged * sizeof *d->origins);
    for (uint32_t i = 0; i < d->judged; i++)
        write_bytes(d->role_rows[i], WN_ROLE_ROW * sizeof **d->role_rows);
    for (uint32_t i = 0; i < blocks; i++)
        write_bytes(&selection.verdicts[i].role, 1);
    for (uint32_t i = 0; i < blocks; i++)
        write_bytes(wn_block_text(&d->whole, &d->whole.blocks.items[i]).ptr,
                    d->whole.blocks.items[i].len + 1);
}

static void read_page(dump *d, const char *path)
{
    wn_str bytes = read_file(path);
    wn_auto_word_listener listener = {.hear = hear, .user = d};
    wn_arena_reset(&d->strings);
    wn_arena_reset(&d->work);
    d->words.count = 0;
    wn_decoded decoded = wn_html_decode(&d->strings, bytes, NULL);
    wn_html_tree_parse(d->tree, &d->doc, &d->strings, decoded.text, &wn_parse_defaults);
    wn_page_build(d->builder, &d->whole, &d->doc, NULL);
    if (!wn_auto_trim_page(&d->trimmed, &d->whole, &d->work))
        fail("memory is out");
    if (d->with_roles) {
        write_roles(d);
        free((char *)bytes.ptr);
        return;
    }
    if (d->trimmed.page.blocks.count > 0 &&
        !wn_auto_features_prepare(&d->features, &d->trimmed.page, &d->model.lexicon,
                                  d->with_words ? &listener : NULL,
                                  wn_auto_features_marks(&d->doc, &d->work), &d->work))
        fail("memory is out");
    if (d->trimmed.page.blocks.count > 0 && d->model.block.tree_count > 0)
        look_out(d);
    write_page(d);
    free((char *)bytes.ptr);
}

int main(int argc, char **argv)
{
    dump d = {.tree = wn_html_tree_new(), .builder = wn_page_builder_new()};
    wn_arena_init(&d.strings, 0);
    wn_arena_init(&d.work, 0);
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--words") == 0) {
            d.with_words = true;
        } else if (strcmp(argv[i], "--roles") == 0) {
            d.with_roles = true;
            if (!wn_auto_model_default(&d.model))
                fail("the library has no model");
        } else if (strcmp(argv[i], "--model") == 0 && i + 1 < argc) {
            wn_str bytes = read_file(argv[++i]);
            if (!wn_auto_model_read(&d.model, bytes, WN_ROW_SIZES))
                fail("not a model");
        } else {
            fail("usage: dump_features [--roles] [--words] [--model FILE] < LIST");
        }
    }
    char path[4096];
    while (fgets(path, sizeof path, stdin)) {
        path[strcspn(path, "\n")] = '\0';
        read_page(&d, path);
    }
    return 0;
}
