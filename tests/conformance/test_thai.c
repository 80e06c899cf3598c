/*
 * Thai words against the gold of the data set "asia".
 *
 *     test_thai DIRECTORY
 *
 * DIRECTORY is the data set "asia", or holds it. A line of gold is a text in which | stands
 * between words. What is counted are the places between two Thai letters, as edges of words
 * found or not: whoever cuts at spaces has found nothing yet. It fails below the figures of
 * plain libthai, below 1.5 million characters per second, or when 300,000 letters without a space
 * are much slower than the gold.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "support/files.h"
#include "text/unicode.h"
#include "text/words.h"

static const struct {
    const char *name;
    double bar; /* F1 */
} sets[] = {
    {"wisesight-1000-samples-tokenised.label", 0.925},
    {"th_tud-ud-train.label", 0.940},
    {"th_tud-ud-dev.label", 0.938},
};

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
static const double CHARS_PER_SECOND = 1e5;
#else
static const double CHARS_PER_SECOND = 1.5e6;
#endif

enum { LETTERS_WITHOUT_SPACE = 300000 };

typedef struct counts {
    double right, wrong, missed;
    double chars, seconds;
    int passed, failed;
} counts;

static void check(counts *c, bool right, const char *what)
{
    c->passed += right;
    c->failed += !right;
    if (!right)
        printf("FAILED: %s\n", what);
}

/* The text of a line of gold, and a byte for each of its bytes: whether a word ends before it. */
static void read_gold(wn_str line, wn_buf *text, wn_buf *edges)
{
    char edge = 0;
    wn_buf_clear(text);
    wn_buf_clear(edges);
    for (size_t i = 0; i < line.len; i++) {
        if (line.ptr[i] == '|') {
            edge = 1;
            continue;
        }
        wn_buf_add_char(text, line.ptr[i]);
        wn_buf_add_char(edges, edge);
        edge = 0;
    }
}

/* Marks where our words begin and end. */
static void find_edges(wn_words *words, wn_str text, wn_buf *edges, counts *c)
{
    wn_buf_clear(edges);
    wn_buf_add_repeated(edges, 0, text.len + 1);
    double start = test_now();
    wn_text_words_begin(words, text);
    for (wn_str word; wn_text_words_next(words, &word);) {
        edges->ptr[word.ptr - text.ptr] = 1;
        edges->ptr[word.ptr + word.len - text.ptr] = 1;
    }
    c->seconds += test_now() - start;
}

static void compare_line(wn_str text, const char *gold, const char *ours, counts *c)
{
    wn_char_class before = WN_CLASS_NONE;
    for (const char *p = text.ptr; p < text.ptr + text.len; c->chars++) {
        size_t at = (size_t)(p - text.ptr);
        wn_char_class class = wn_text_class_of(wn_utf8_next(&p));
        if (class == WN_CLASS_THAI && before == WN_CLASS_THAI) {
            c->right += gold[at] && ours[at];
            c->wrong += !gold[at] && ours[at];
            c->missed += gold[at] && !ours[at];
        }
        before = class;
    }
}

/* Scores one file; false if it is not there. */
static bool score_file(wn_words *words, const char *path, counts *c)
{
    wn_buf file = {0}, text = {0}, gold = {0}, ours = {0};
    bool found = test_file_read(&file, path);
    const char *p = file.ptr, *end = p + file.len;
    while (found && p < end) {
        const char *line_end = memchr(p, '\n', (size_t)(end - p));
        if (!line_end)
            line_end = end;
        read_gold(wn_str_between(p, line_end), &text, &gold);
        if (wn_utf8_valid_prefix(wn_buf_str(&text)) == text.len) {
            find_edges(words, wn_buf_str(&text), &ours, c);
            compare_line(wn_buf_str(&text), gold.ptr, ours.ptr, c);
        }
        p = line_end + (line_end < end);
    }
    wn_buf_free(&file);
    wn_buf_free(&text);
    wn_buf_free(&gold);
    wn_buf_free(&ours);
    return found;
}

static void find_path(wn_buf *path, const char *directory, const char *name)
{
    static const char *const places[] = {"gold", "asia/gold"};
    wn_buf bytes = {0};
    for (size_t i = 0; i < 2; i++) {
        wn_buf_clear(path);
        wn_buf_add_format(path, "%s/%s/%s", directory, places[i], name);
        if (test_file_read(&bytes, wn_buf_c_string(path)))
            break;
    }
    wn_buf_free(&bytes);
}

/* How much slower a run without spaces may be than running text. */
enum { MOST_TIMES_SLOWER = 3 };

enum { ROUNDS = 20 }; /* at most, until one is fast enough: others may use the machine */

/* Letters a second of a run of one Thai word again and again, without a space. */
static double speed_without_space(wn_words *words, const char *word, double enough, counts *c)
{
    wn_buf text = {0};
    size_t word_len = strlen(word);
    while (text.len < (size_t)LETTERS_WITHOUT_SPACE * 3)
        wn_buf_add(&text, wn_str_from(word, word_len));
    double best = 0;
    for (int round = 0; round < ROUNDS && best < enough; round++) {
        double start = test_now();
        size_t count = wn_text_words_count(words, wn_buf_str(&text));
        double speed = LETTERS_WITHOUT_SPACE / (test_now() - start);
        if (round == 0)
            check(c, count > 0, "words in a run without spaces");
        best = speed > best ? speed : best;
    }
    wn_buf_free(&text);
    return best;
}

static void test_runs(wn_words *words, double gold_speed, counts *all)
{
    static const char *const repeated[] = {"ตากลม", "ก", "มาก", "เ", "ๆ", "นา", "\xE0\xB8\xB4"};
    for (size_t i = 0; i < sizeof repeated / sizeof *repeated; i++) {
        double enough = gold_speed / MOST_TIMES_SLOWER;
        double speed = speed_without_space(words, repeated[i], enough, all);
        if (speed < enough)
            printf("%s: %.2f Mchar/s\n", repeated[i], speed / 1e6);
        check(all, speed >= enough, "no slowdown without spaces");
    }
}

int main(int argc, char **argv)
{
    const char *directory = argc > 1 ? argv[argc - 1] : "";
    wn_words *words = wn_text_words_new();
    counts all = {0};
    wn_buf path = {0};
    printf("Thai is cut by %s\n", wn_text_words_thai_engine());
    if (!words || strcmp(wn_text_words_thai_engine(), "libthai") != 0)
        test_skip("built without", "libthai");
    wn_text_words_count(words, WN_STR("ไทยไทย")); /* the dictionary is read now, not on the clock */
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        counts c = {0};
        find_path(&path, directory, sets[i].name);
        if (!score_file(words, wn_buf_c_string(&path), &c))
            test_skip("no gold at", directory);
        double f1 = 2 * c.right / (2 * c.right + c.wrong + c.missed);
        printf("%-40s P %.4f  R %.4f  F1 %.4f  %.2f Mchar/s\n", sets[i].name,
               c.right / (c.right + c.wrong), c.right / (c.right + c.missed), f1,
               c.chars / c.seconds / 1e6);
        check(&all, f1 >= sets[i].bar, sets[i].name);
        all.chars += c.chars;
        all.seconds += c.seconds;
    }
    double speed = all.chars / all.seconds;
    check(&all, speed >= CHARS_PER_SECOND, "1.5 million characters a second");
    test_runs(words, speed, &all);
    wn_buf_free(&path);
    wn_text_words_free(words);
    printf("%d passed, %d failed\n", all.passed, all.failed);
    return all.failed > 0;
}
