#include "visual/distance.h"

#include <math.h>

static const float SAME_FONT = 0.5f; /* pixels */

static bool sizes_differ(float a, float b, float tolerance)
{
    float larger = a > b ? a : b, smaller = a > b ? b : a;
    return larger - smaller > 1 && smaller < (1 - tolerance) * larger;
}

unsigned wn_visual_distance(const wn_kinds *kinds, float tolerance, wn_node_id a, wn_node_id b)
{
    const wn_style *of_a = wn_visual_view_style(kinds->view, a),
                   *of_b = wn_visual_view_style(kinds->view, b);
    wn_rect box_a = wn_visual_view_box(kinds->view, a), box_b = wn_visual_view_box(kinds->view, b);
    unsigned distance = 0;
    distance += sizes_differ(box_a.width, box_b.width, tolerance);
    distance += sizes_differ(box_a.height, box_b.height, tolerance);
    distance += fabsf(of_a->font_size - of_b->font_size) > SAME_FONT;
    distance += kinds->backgrounds[a] != kinds->backgrounds[b];
    distance += of_a->float_side != of_b->float_side;
    distance += of_a->clear != of_b->clear;
    return distance;
}
