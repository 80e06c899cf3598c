/*
 * What the features of `auto` mean, in words. web/features.js has the same words for the web page;
 * tests/cli/test_auto.py holds the two tables against each other.
 */
#ifndef WN_CLI_FEATURE_WORDS_H
#define WN_CLI_FEATURE_WORDS_H

#include "base/buf.h"
#include "winnow.h"

/* Adds what a reason is about: "words in it: 84", "share of its text in links: 30%". */
void wn_cli_add_feature(wn_buf *out, const winnow_reason *reason);

#endif
