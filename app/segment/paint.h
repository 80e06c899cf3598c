/*
 * The page as it was laid out, as shapes on a sheet: backgrounds, borders, pictures as grey boxes,
 * form controls, markers of lists, and text line by line.
 */
#ifndef WN_SEGMENT_PAINT_H
#define WN_SEGMENT_PAINT_H

#include "draw/sheet.h"
#include "segment/segment.h"

/* Paints what there is of the page on the sheet; sheet->failed is set if out of memory. */
void wn_segment_paint_page(const wn_segmented *segmented, wn_sheet *sheet);

#endif
