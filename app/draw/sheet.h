/*
 * A sheet: boxes, lines and labels, for plots. It is filled once and written in any form.
 *
 *     wn_sheet sheet = {.width = 400, .height = 300};
 *     wn_draw_sheet_box(&sheet, (wn_shape){.x = 10, .y = 10, .width = 80, .colour = 0x0072b2});
 *     wn_draw_sheet_write(&sheet, WN_PICTURE_SVG, &out, &error);
 *     wn_draw_sheet_free(&sheet);
 *
 * SVG is written here and needs no library; the other forms are drawn by cairo (sheet_picture.c).
 */
#ifndef WN_DRAW_SHEET_H
#define WN_DRAW_SHEET_H

#include "base/arena.h"
#include "base/array.h"
#include "base/buf.h"
#include "draw/canvas.h"

typedef enum wn_shape_kind { WN_SHAPE_BOX, WN_SHAPE_LINE, WN_SHAPE_LABEL } wn_shape_kind;

/* Where the point of a label is. */
typedef enum wn_anchor { WN_ANCHOR_START, WN_ANCHOR_MIDDLE, WN_ANCHOR_END } wn_anchor;

typedef enum wn_draw_face { WN_DRAW_FACE_SANS, WN_DRAW_FACE_SERIF, WN_DRAW_FACE_MONO } wn_draw_face;

typedef struct wn_shape {
    wn_shape_kind kind;
    double x, y;          /* of a label: the point on its baseline */
    double width, height; /* of a line: how far away its other end is */
    double radius;        /* of the corners of a box */
    double size;          /* of a label's font */
    uint32_t colour;      /* 0xRRGGBB */
    double clear;         /* how much shows through: 0 nothing, 1 everything */
    double stroke;        /* of a box: it is a frame, with lines as wide as that; 0: it is filled */
    wn_anchor anchor;
    wn_draw_face face; /* of a label */
    bool bold, italic; /* of a label */
    bool downwards;    /* of a label: it runs from top to bottom, turned to the right */
    double fit;        /* of a label: it is made that wide; 0: as its font has it */
    wn_str text;       /* of a label; of a box: what shows when the pointer rests on it */
} wn_shape;

/* Zero it, but for width and height, before the first use. */
typedef struct wn_sheet {
    double width, height;
    double pixels; /* of a PNG to a unit; 0: 2, for screens with fine pixels, and print */
    wn_array(wn_shape) shapes;
    wn_arena arena; /* texts */
    bool failed;    /* out of memory: some are missing */
} wn_sheet;

/* Each adds a shape, whose kind it sets and whose text it copies. */
void wn_draw_sheet_box(wn_sheet *sheet, wn_shape shape);
void wn_draw_sheet_line(wn_sheet *sheet, wn_shape shape);
void wn_draw_sheet_label(wn_sheet *sheet, wn_shape shape);

/* Appends the sheet as a file; false when that failed, and `error` says how. */
bool wn_draw_sheet_write(const wn_sheet *sheet, wn_picture_format format, wn_buf *out,
                         wn_buf *error);

/* The same for PNG and PDF; called by wn_draw_sheet_write(). */
bool wn_draw_sheet_draw(const wn_sheet *sheet, wn_picture_format format, wn_buf *out,
                        wn_buf *error);

void wn_draw_sheet_free(wn_sheet *sheet);

#endif
