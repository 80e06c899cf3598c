/*
 * Dumps: tokens and trees as text that people can read and tests can compare.
 *
 * A token is a line:
 *
 *     doctype html public "…" system "…" quirks
 *     start p class="x" /
 *     end p
 *     comment "…"
 *     text "…"
 *
 * A tree is in the form of html5lib's tests:
 *
 *     | <html>
 *     |   <head>
 *     |   <body>
 *     |     "text"
 */
#ifndef WN_TESTS_DUMP_H
#define WN_TESTS_DUMP_H

#include "base/buf.h"
#include "html/document.h"
#include "html/tokenizer.h"

/* Adds s between quotation marks; marks, backslashes and control characters are escaped. */
void dump_quoted(wn_buf *out, wn_str s);

/*
 * Tokens are dumped through a small state, since adjacent texts count as one: add
 * all tokens, then finish.
 */
typedef struct dump_tokens {
    wn_buf *out;
    wn_buf text; /* of the texts that have not been written yet */
} dump_tokens;

void dump_token(dump_tokens *dump, const wn_token *token);
void dump_tokens_finish(dump_tokens *dump); /* writes the last text and frees */

/* Adds the tree below `root`, its children at the left margin. */
void dump_tree(wn_buf *out, const wn_doc *doc, wn_node_id root);

/* The <html> element of a fragment's document: what its nodes hang below. */
wn_node_id dump_fragment_root(const wn_doc *doc);

/*
 * A number made of all that a tree says (kinds, names, attributes, texts, order), for
 * comparing trees that are too large to print.
 */
uint64_t dump_digest(const wn_doc *doc);

/* Continues a digest over bytes, their number included; starts with DUMP_DIGEST_START. */
#define DUMP_DIGEST_START UINT64_C(0xcbf29ce484222325)
uint64_t dump_digest_add(uint64_t digest, wn_str bytes);

#endif
