/*
 * Pictures in a program that was built without cairo and Pango: there are none.
 */
#include "draw/canvas.h"

bool wn_picture_possible(wn_buf *error)
{
    wn_buf_add_literal(error,
                       "this winnow was built without cairo and Pango and draws no pictures, "
                       "only --format json and csv; install libcairo2-dev and "
                       "libpango1.0-dev and build it again");
    return false;
}

size_t wn_picture_draw(wn_buf *out, const wn_picture *picture, const wn_weight *weights, size_t n,
                       wn_buf *error)
{
    (void)out, (void)picture, (void)weights, (void)n;
    wn_picture_possible(error);
    return 0;
}
