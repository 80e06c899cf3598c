/*
 * What an extraction needs from other pages: the noise words of a collection (method "outlier"),
 * and text that repeats on the pages of a site (--site).
 *
 * Both are learned before the first page is extracted: from the pages of a store (--store), or from
 * a first pass over the inputs, which are then read twice.
 */
#ifndef WN_CLI_COLLECTION_H
#define WN_CLI_COLLECTION_H

#include "cli/options.h"
#include "corpus/store.h"
#include "corpus/survey.h"
#include "cli/job.h"
#include "winnow-io.h"

typedef struct wn_collection_plan {
    const wn_command *command;
    const char *method; /* with its parameters */
    const char *store;  /* the name of one; NULL: learn from the inputs */
    wn_store *opened;   /* or one that is open, and the inputs too */
    bool site;
    char **names; /* inputs */
    bool single;  /* which are one page */
    size_t jobs;
    const wn_web_settings *http;
    uint64_t max_record;           /* bytes of a page in an archive */
    const winnow_options *options; /* limits of the pages, and the user's charset */
} wn_collection_plan;

/* Zero it before it learns. */
typedef struct wn_collection {
    wn_survey survey;
    wn_buf stems;        /* noise words, one per line */
    winnow_noise *noise; /* the same for the library */
} wn_collection;

/* Learns what the method and --site need, if anything. WN_GO_ON, or the exit code. */
int wn_cli_collection_learn(wn_collection *collection, const wn_collection_plan *plan);

/* Tells an extraction what was learned for one page; may be called by many threads. */
void wn_cli_collection_apply(const wn_collection *collection, const winnow_input *input,
                             const char *url, winnow_options *options);

/*
 * The label of a page that nobody gave one: the name of the folder its file lies in, part of
 * `path`.
 */
wn_str wn_cli_collection_label(wn_str path);

void wn_cli_collection_free(wn_collection *collection);

#endif
