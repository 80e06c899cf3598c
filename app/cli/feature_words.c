#include "cli/feature_words.h"

#include <stdio.h>
#include <string.h>

/* The library's value for "nowhere near". */
enum { FAR = 999 };

typedef struct meaning {
    const char *name, *words;
} meaning;

/* Features of the block itself and of its place. */
static const meaning own[] = {
    {"WORDS", "words in it"},
    {"BYTES", "length of its text"},
    {"WORD_LENGTH", "mean length of its words"},
    {"LINK_SHARE", "share of its text in links"},
    {"MARKS_PER_WORD", "punctuation per word"},
    {"CALLS", "exclamation and question marks"},
    {"ENDS_SENTENCE", "ends like a sentence"},
    {"FIRST_UPPER", "begins with a capital"},
    {"FIRST_LOWER", "begins with a small letter"},
    {"UPPER_WORDS", "words with a capital"},
    {"ALL_UPPER_WORDS", "words in capitals"},
    {"OTHER_SIGNS", "signs such as | and »"},
    {"ENDS_DOTS", "ends with dots, as teasers do"},
    {"TITLE_SHARE", "how much of the title it has"},
    {"OF_TITLE", "how many of its words are in the title"},
    {"DESCRIPTION_SHARE", "words of the description in it"},
    {"DATA_SHARE", "words of the structured data in it"},
    {"TAG", "its element"},
    {"VISIBILITY", "how visible it is"},
    {"TEXT_MEAN", "what its words say, on average"},
    {"TEXT_MAX", "its word that speaks most for content"},
    {"TEXT_MIN", "its word that speaks most against content"},
    {"TEXT_FIRST", "what its first word says"},
    {"TEXT_WHOLE", "what its whole text says"},
    {"ROLES_SUM", "roles of the elements around it"},
    {"NAMES_SUM", "class names around it, together"},
    {"NAMES_NEAR", "class names close around it"},
    {"NAMES_MIDDLE", "class names further around it"},
    {"PLACE", "place on the page, in blocks"},
    {"WORD_PLACE", "place on the page, in words"},
    {"INDEX", "number of the block"},
    {"GOOD_BEFORE", "good text before it"},
    {"GOOD_BEHIND", "good text after it"},
    {"FROM_LARGEST", "blocks from the longest text"},
    {"WORDS_FROM_LARGEST", "words from the longest text"},
    {"FROM_TITLE", "blocks from the title"},
    {"WORDS_FROM_TITLE", "words from the title"},
    {"FROM_HEADING", "blocks from the heading above"},
    {"COPIES", "blocks with the same text"},
    {"BEST_UP", "steps up to the best element"},
    {"BEST_DOWN", "steps down to the best element"},
};

/* What is said of an element, of neighbours, of blocks alike, of the page. */
static const meaning parts[] = {
    {"WORD_SHARE", "share of the page's words"},
    {"SHARE", "share of the page's words"},
    {"LINK_SHARE", "share of text in links"},
    {"COUNT", "blocks"},
    {"BLOCK_WORDS", "words per block"},
    {"GOOD_SHARE", "share of good text"},
    {"MARKS", "punctuation"},
    {"SHORT", "short blocks"},
    {"KIN", "siblings like it"},
    {"NAMESAKES", "siblings of the same class"},
    {"PLACE", "place among its siblings"},
    {"START", "where it starts"},
    {"TAG", "element"},
    {"ALIKE", "how alike it is"},
    {"UP", "steps to the common element"},
};

static const char *look_up(const meaning *table, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(table[i].name, name) == 0)
            return table[i].words;
    return NULL;
}

#define LOOK_UP(table, name) look_up(table, sizeof table / sizeof *table, name)

static void add_lower(wn_buf *out, const char *name)
{
    for (; *name; name++)
        wn_buf_add_char(out, *name == '_' ? ' ' : wn_ascii_lower(*name));
}

static void add_part(wn_buf *out, const char *name)
{
    const char *words = LOOK_UP(parts, name);
    if (words)
        wn_buf_add_literal(out, words);
    else
        add_lower(out, name);
}

/* "steps up to <li>" */
static void add_near_element(wn_buf *out, const char *name)
{
    wn_buf_add_literal(out, "steps up to <");
    if (strcmp(name, "ITEM") == 0)
        wn_buf_add_literal(out, "li");
    else if (strcmp(name, "LINK") == 0)
        wn_buf_add_literal(out, "a");
    else
        add_lower(out, name);
    wn_buf_add_char(out, '>');
}

/* Where the name begins with `start`, a number and "_": the number, and *rest after them. */
static bool has_number(const char *name, const char *start, unsigned *number, const char **rest)
{
    size_t length = strlen(start);
    int used = 0;
    if (strncmp(name, start, length) != 0 || sscanf(name + length, "%2u_%n", number, &used) != 1 ||
        used == 0)
        return false;
    *rest = name + length + used;
    return true;
}

/* Names of groups with a number: L2_TAG, PEAK80_UP, NEAR5_SHORT, LEFT1_WORDS, RIGHT2_LINKS. */
static bool add_numbered(wn_buf *out, const char *name)
{
    unsigned n;
    const char *rest;
    if (has_number(name, "L", &n, &rest)) {
        if (n == 0)
            wn_buf_add_literal(out, "its element: ");
        else
            wn_buf_add_format(out, "element %u up: ", n);
        add_part(out, rest);
    } else if (has_number(name, "PEAK", &n, &rest)) {
        wn_buf_add_literal(out, "steps ");
        add_lower(out, rest);
        wn_buf_add_format(out, " to where %u%% of the good text is", n);
    } else if (has_number(name, "NEAR", &n, &rest)) {
        add_part(out, rest);
        wn_buf_add_format(out, " within %u blocks", n);
    } else if (has_number(name, "LEFT", &n, &rest)) {
        wn_buf_add_format(out, "%u before it: ", n);
        add_part(out, rest);
    } else if (has_number(name, "RIGHT", &n, &rest)) {
        wn_buf_add_format(out, "%u after it: ", n);
        add_part(out, rest);
    } else {
        return false;
    }
    return true;
}

/* Names of groups without a number. */
static bool add_grouped(wn_buf *out, const char *name)
{
    static const meaning groups[] = {
        {"PATH_", "blocks with the same path: "},
        {"CLASS_", "blocks with the same classes: "},
        {"PAGE_", "the page: "},
    };
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        size_t length = strlen(groups[i].name);
        if (strncmp(name, groups[i].name, length) != 0)
            continue;
        wn_buf_add_literal(out, groups[i].words);
        add_part(out, name + length);
        return true;
    }
    if (strncmp(name, "NAMES_M", strlen("NAMES_M")) == 0)
        wn_buf_add_format(out, "the class name that speaks most %s it",
                          name[strlen("NAMES_M")] == 'I' ? "against" : "for");
    else if (strncmp(name, "HEADING_", strlen("HEADING_")) == 0)
        wn_buf_add_literal(out, "what the heading above says");
    else if (strncmp(name, "NEAR_", strlen("NEAR_")) == 0)
        add_near_element(out, name + strlen("NEAR_"));
    else
        return false;
    return true;
}

/* Whether a name is this or ends so. */
static bool ends(const char *name, const char *ending)
{
    return strcmp(name, ending) == 0 || wn_str_has_ending(wn_str_of(name), wn_str_of(ending));
}

/* Whether the words state something, which is true or not: "ends like a sentence". */
static bool is_statement(const char *name)
{
    return strncmp(name, "ENDS_", strlen("ENDS_")) == 0 || strcmp(name, "FIRST_UPPER") == 0 ||
           strcmp(name, "FIRST_LOWER") == 0;
}

/* Whether the value is a share, in thousandths. */
static bool is_share(const char *name)
{
    return ends(name, "SHARE") || ends(name, "UPPER_WORDS") || strcmp(name, "OF_TITLE") == 0;
}

/* Of values that are not shares only those that can be counted say something to people. */
static void add_value(wn_buf *out, const winnow_reason *reason)
{
    static const char *const counted[] = {"WORDS",  "COUNT",   "COPIES",       "_UP",  "_DOWN",
                                          "_TITLE", "LARGEST", "FROM_HEADING", "INDEX"};
    bool shown = strncmp(reason->feature, "NEAR_", strlen("NEAR_")) == 0;
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++)
        shown = shown || ends(reason->feature, counted[i]);
    bool beside = strncmp(reason->feature, "LEFT", strlen("LEFT")) == 0 ||
                  strncmp(reason->feature, "RIGHT", strlen("RIGHT")) == 0;
    if (is_statement(reason->feature))
        wn_buf_add_literal(out, reason->value ? "" : ": no");
    else if (shown && reason->value == FAR)
        wn_buf_add_literal(out, ": nowhere near");
    else if (beside && reason->value < 0)
        wn_buf_add_literal(out, ": nothing there");
    else if (is_share(reason->feature))
        wn_buf_add_format(out, ": %d%%", (reason->value + 5) / 10);
    else if (ends(reason->feature, "BLOCK_WORDS")) /* in tenths */
        wn_buf_add_format(out, ": %d", (reason->value + 5) / 10);
    else if (shown)
        wn_buf_add_format(out, ": %d", reason->value);
}

void wn_cli_add_feature(wn_buf *out, const winnow_reason *reason)
{
    const char *words = LOOK_UP(own, reason->feature);
    if (words)
        wn_buf_add_literal(out, words);
    else if (!add_numbered(out, reason->feature) && !add_grouped(out, reason->feature))
        add_part(out, reason->feature);
    add_value(out, reason);
}
