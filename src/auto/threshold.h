/*
 * The threshold: the minimum probability of kept blocks.
 *
 * It is the one with the highest expected F of what is kept. With K the words kept, E the content
 * words expected among them and C those expected on the whole page, F1 is 2E / (K + C). But the
 * blocks of a page are right or wrong together: if the cards of a list are content, all
 * probabilities were too low; otherwise all were too high. So F is taken three times, with all odds
 * as they are, with all multiplied and with all divided by the same factor, and the mean of the
 * three is what counts. (Were the error of all logits of a page a normal variable, these three
 * would be its Gaussian quadrature: weights 4, 1, 1, and a factor of e to √3 times its deviation.)
 */
#ifndef WN_AUTO_THRESHOLD_H
#define WN_AUTO_THRESHOLD_H

#include "auto/forest.h"
#include "page/page.h"

/* How many words have each probability, from 0 to 1 in 1/1024. */
typedef uint32_t wn_auto_words_by_chance[WN_LOGIT_ONE + 1];

/* Counts the words of the blocks of a page, `chances` being the probabilities of these. */
void wn_auto_count_by_chance(const wn_page *page, const uint16_t *chances,
                             wn_auto_words_by_chance words);

typedef struct wn_auto_threshold_aim {
    uint32_t beta;   /* how much recall weighs beside precision: beta squared, in quarters */
    uint32_t spread; /* the factor of the odds, in 1/1024 */
    uint32_t lowest, highest; /* the threshold lies between these, in 1/1024; not 0 */
} wn_auto_threshold_aim;

/* The best threshold, in 1/1024. */
uint32_t wn_auto_best_threshold(const wn_auto_words_by_chance words, wn_auto_threshold_aim aim);

#endif
