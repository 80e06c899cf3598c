/*
 * The visual distance of two nodes: how many of these differ: width, height, font size,
 * background colour, float, clear.
 *
 * Widths and heights are the same if they differ by no more than the tolerance, a share of the
 * larger: a pixel of padding is not seen.
 */
#ifndef WN_VISUAL_DISTANCE_H
#define WN_VISUAL_DISTANCE_H

#include "visual/kinds.h"

enum { WN_MOST_DISTANCE = 6 };

unsigned wn_visual_distance(const wn_kinds *kinds, float tolerance, wn_node_id a, wn_node_id b);

#endif
