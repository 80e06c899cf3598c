/*
 * Digests of all tokens, trees and extracted texts of pages, for comparing builds.
 *
 *     test_digest [-v] [FILE | DIRECTORY]...
 *
 * Without arguments it reads tests/pages and tests/cases. A build with SIMD and one without,
 * gcc's and clang's, must print the same last line; -v adds a line per page, so that a
 * difference can be found with diff.
 */
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "html/encoding.h"
#include "html/tree.h"
#include "support/dump.h"
#include "support/extract.h"
#include "support/files.h"

enum { LARGEST_PAGE = 64 << 20 };

typedef struct digests {
    uint64_t tokens, tree;
    uint64_t text; /* of the record that `auto` gives, with what it thinks of every block */
} digests;

static wn_str attr_name(const wn_attr *attr)
{
    return wn_str_from(attr->name, attr->name_len);
}

static uint64_t digest_token(uint64_t digest, const wn_token *token)
{
    char head[3] = {(char)token->kind, (char)token->self_closing, (char)token->force_quirks};
    digest = dump_digest_add(digest, wn_str_from(head, sizeof head));
    switch (token->kind) {
    case WN_TOKEN_START_TAG:
        for (uint32_t i = 0; i < token->attr_count; i++) {
            digest = dump_digest_add(digest, attr_name(&token->attrs[i]));
            digest = dump_digest_add(digest, wn_attr_value(&token->attrs[i]));
        }
        /* fall through */
    case WN_TOKEN_END_TAG:
        return dump_digest_add(digest, token->name);
    case WN_TOKEN_DOCTYPE:
        digest = dump_digest_add(digest, token->doctype.name);
        digest = dump_digest_add(digest, token->doctype.public_id);
        return dump_digest_add(digest, token->doctype.system_id);
    default:
        return dump_digest_add(digest, token->text);
    }
}

static uint64_t digest_tokens(wn_arena *arena, wn_str text)
{
    wn_tokenizer tok = {0};
    uint64_t digest = DUMP_DIGEST_START;
    wn_html_tokenizer_init(&tok, arena, text);
    tok.follows_tags = true;
    while (wn_html_tokenizer_next(&tok))
        digest = digest_token(digest, &tok.token);
    wn_html_tokenizer_free(&tok);
    return digest;
}

static uint64_t digest_text(extractor *e, wn_str bytes)
{
    e->format = WINNOW_FORMAT_JSON;
    extractor_set(e, "explain", "yes");
    const extracted *result = extract(e, bytes.ptr, bytes.len);
    return dump_digest_add(DUMP_DIGEST_START, wn_str_from(result->text, result->size));
}

static digests digest_page(wn_tree *tree, wn_doc *doc, extractor *e, wn_str bytes)
{
    wn_arena arena;
    wn_arena_init(&arena, 0);
    wn_str text = wn_html_decode(&arena, bytes, NULL).text;
    digests result = {.tokens = digest_tokens(&arena, text), .text = digest_text(e, bytes)};
    wn_html_tree_parse(tree, doc, &arena, text, &wn_parse_defaults);
    result.tree = dump_digest(doc);
    wn_arena_free(&arena);
    return result;
}

int main(int argc, char **argv)
{
    test_files files = {0};
    wn_buf bytes = {0};
    wn_doc doc = {0};
    wn_tree *tree = wn_html_tree_new();
    extractor *e = extractor_new();
    digests all = {DUMP_DIGEST_START, DUMP_DIGEST_START, DUMP_DIGEST_START};
    bool verbose = false;
    for (int option; (option = getopt(argc, argv, "v")) != -1;) {
        if (option == '?')
            return 2;
        verbose = true;
    }
    for (int i = optind; i < argc; i++)
        if (!test_files_find(&files, argv[i], NULL))
            test_skip("no pages", argv[i]);
#ifdef TESTS_DIR
    if (optind == argc) {
        test_files_find(&files, TESTS_DIR "/pages", NULL);
        test_files_find(&files, TESTS_DIR "/cases", NULL);
    }
#endif
    if (files.count == 0)
        test_skip("no pages", argv[optind]);
    for (size_t i = 0; i < files.count; i++) {
        if (!test_file_inflate(&bytes, files.paths[i], LARGEST_PAGE)) {
            printf("FAILED %s: cannot be read\n", files.paths[i]);
            return 1;
        }
        digests page = digest_page(tree, &doc, e, wn_buf_str(&bytes));
        all.tokens = all.tokens * 31 + page.tokens;
        all.tree = all.tree * 31 + page.tree;
        all.text = all.text * 31 + page.text;
        if (verbose)
            printf("%016" PRIx64 " %016" PRIx64 " %016" PRIx64 " %s\n", page.tokens, page.tree,
                   page.text, files.paths[i]);
    }
    printf("digest of %zu pages: tokens %016" PRIx64 ", trees %016" PRIx64 ", texts %016" PRIx64
           "\n",
           files.count, all.tokens, all.tree, all.text);
    test_files_free(&files);
    wn_buf_free(&bytes);
    wn_doc_free(&doc);
    wn_html_tree_free(tree);
    extractor_free(e);
    return 0;
}
