/*
 * The method of an extraction and its parameters, as they are given on the command line:
 *
 *     -m lineblock:rule=all,distance=2     after the name
 *     --rule all  --search improved  …     those with an option of their own
 *     --param distance=2                   any other
 */
#ifndef WN_CLI_METHODS_H
#define WN_CLI_METHODS_H

#include "base/buf.h"
#include "cli/options.h"
#include "winnow.h"

typedef struct wn_method_settings {
    const char *method; /* NULL: the library's default */
    const char *rule, *thresholds, *search, *importance, *blocks;
    bool keep_form;
    bool precision, recall, comments, no_comments;
    wn_option_list params;
    const char *footer_words, *stop_words; /* names of files */
} wn_method_settings;

/* Names and summaries of the methods, for the table of options. */
const char *wn_cli_method_name(const void *list, size_t index);
const char *wn_cli_method_summary(const void *list, size_t index);

/*
 * Writes the method with all its parameters to `request`, in the form that winnow_select()
 * takes. WN_GO_ON, or the exit code when help was printed or, after a message, something was wrong.
 */
int wn_cli_method(const wn_command *command, const wn_method_settings *settings, wn_buf *request);

/*
 * Reads the files of --footer-words and --stopwords, as far as they are given; WN_GO_ON or an
 * exit code.
 */
int wn_cli_method_words(const wn_command *command, const wn_method_settings *settings,
                        wn_buf *footer_words, wn_buf *stop_words);

/* Gives the words to the method of `request`, which was checked; both outlive the options. */
void wn_cli_method_set_words(winnow_options *options, const char *request, wn_buf *footer_words,
                             wn_buf *stop_words);

#endif
