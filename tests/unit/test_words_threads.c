/*
 * Words in many threads at once, each with an object of its own: for ThreadSanitizer, and to
 * see that dictionaries share nothing that matters.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/str.h"
#include "text/language.h"
#include "text/words.h"

enum { THREADS = 4, ROUNDS = 50 };

static const char text[] = "ความเป็นไทย and words 我来到北京 東京タワー ພາສາລາວ ភាសាខ្មែរ စကား again";

static void *count_words(void *result)
{
    size_t *total = result;
    wn_words *words = wn_text_words_new();
    for (int i = 0; words && i < ROUNDS; i++) {
        *total += wn_text_words_count(words, WN_STR(text));
        *total += wn_text_language_guess(words, WN_STR(text))[0] != '\0';
    }
    wn_text_words_free(words);
    return NULL;
}

static void threads_find_the_same_words(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    size_t totals[THREADS] = {0}, alone = 0;
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, count_words, &totals[i]), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    count_words(&alone);
    assert_true(alone > 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(totals[i], alone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_find_the_same_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
