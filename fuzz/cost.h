/*
 * Performance fuzzing: looks for inputs whose cost grows faster than they do.
 *
 * An input is a recipe, its parts separated by bytes 0xFF: every second part is repeated, so that
 * "<ul>\xFF<li>x\xFF</ul>" becomes a list of any length and "<style>\xFFa{}\xFF</style>\xFF<p>" as many
 * rules as elements. The recipe is made into a small and a large page. What they cost is counted in
 * blocks of code that were run (the compiler adds a call to each, see cmake/flags.cmake) and in the
 * steps of each stage (base/cost.h); unlike time, both are the same on every machine. It fails if
 *
 *   - a stage that is linear by construction exceeds its budget;
 *   - the large page costs more than its share, apart from steps of stages with a limit: these may grow
 *     until they reach it.
 *
 * The fuzzer is told how many steps per byte each stage took, so that it keeps what costs more
 * than anything before.
 */
#ifndef WN_FUZZ_COST_H
#define WN_FUZZ_COST_H

#include "fuzz.h"

/*
 * The nesting of pages. An element may cost as much as it is deep, up to the limit, which the small page
 * must reach too: otherwise its costs would seem to grow.
 */
enum { COST_DEPTH = 24 };

/* What is measured: `choice` is a number from the recipe's first byte. */
typedef void cost_work(wn_str page, uint32_t choice);

/* Runs a recipe; returns what LLVMFuzzerTestOneInput() returns. */
int cost_test(const uint8_t *data, size_t size, cost_work *work);

#endif
