/*
 * Surfaces: PNG and PDF. Cairo's errors are sticky and read once.
 */
#include "draw/surface.h"

#include <cairo-pdf.h>
#include <math.h>

static cairo_status_t append(void *out, const unsigned char *bytes, unsigned int length)
{
    wn_buf *buf = out;
    wn_buf_add(buf, wn_str_from((const char *)bytes, length));
    return buf->failed ? CAIRO_STATUS_NO_MEMORY : CAIRO_STATUS_SUCCESS;
}

bool wn_draw_surface_write(wn_buf *out, wn_picture_format format, double width, double height,
                           double scale, wn_surface_painter paint, const void *data, wn_buf *error)
{
    bool pdf = format == WN_PICTURE_PDF;
    cairo_surface_t *surface = pdf ? cairo_pdf_surface_create_for_stream(append, out, width, height)
                                   : cairo_image_surface_create(CAIRO_FORMAT_RGB24,
                                                                (int)ceil(width * scale),
                                                                (int)ceil(height * scale));
    cairo_t *cairo = cairo_create(surface);
    if (!pdf)
        cairo_scale(cairo, scale, scale);
    paint(cairo, data);
    cairo_status_t status = cairo_status(cairo);
    cairo_destroy(cairo);
    if (!pdf && status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_write_to_png_stream(surface, append, out);
    cairo_surface_finish(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    if (status != CAIRO_STATUS_SUCCESS)
        wn_buf_add_format(error, "cannot draw: %s", cairo_status_to_string(status));
    return status == CAIRO_STATUS_SUCCESS;
}

void wn_draw_surface_colour(cairo_t *cairo, uint32_t colour, double clear)
{
    cairo_set_source_rgba(cairo, (colour >> 16 & 0xFF) / 255.0, (colour >> 8 & 0xFF) / 255.0,
                          (colour & 0xFF) / 255.0, 1 - clear);
}
