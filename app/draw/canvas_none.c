/*
 * Pictures in a program that was built without cairo and Pango: there are none
 * but the SVG of a sheet.
 */
#include "draw/canvas.h"
#include "draw/sheet.h"

bool wn_draw_picture_possible(wn_buf *error)
{
    wn_buf_add_literal(error, "this winnow was built without cairo and Pango and cannot draw this; "
                              "install libcairo2-dev and libpango1.0-dev and build it again");
    return false;
}

size_t wn_draw_picture_draw(wn_buf *out, const wn_picture *picture, const wn_draw_weight *weights,
                            size_t n, wn_buf *error)
{
    (void)out, (void)picture, (void)weights, (void)n;
    wn_draw_picture_possible(error);
    return 0;
}

bool wn_draw_sheet_draw(const wn_sheet *sheet, wn_picture_format format, wn_buf *out, wn_buf *error)
{
    (void)sheet, (void)format, (void)out;
    return wn_draw_picture_possible(error);
}
