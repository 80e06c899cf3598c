/*
 * The paper's scatter plot: every word a dot, from left to right by its bytes and upward by how
 * often it occurs; outliers are red, the others blue (figure 3), or filtered out (figure 4).
 *
 * The axis upward is logarithmic: counts span five powers of ten. Dots that would lie on each
 * other are drawn once, so that a million words make a picture of bounded size.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corpus/wordlist_rows.h"

enum {
    WIDTH = 760,
    HEIGHT = 460,
    LEFT = 64,
    RIGHT = 16,
    TOP = 56,
    BOTTOM = 40,
    DOT = 3,
    PLOT_WIDTH = WIDTH - LEFT - RIGHT,
    PLOT_HEIGHT = HEIGHT - TOP - BOTTOM,
    GRID_STEP = 4, /* pixels: dots in one cell are drawn once */
    COLUMNS = PLOT_WIDTH / GRID_STEP,
    LINES = PLOT_HEIGHT / GRID_STEP,
};

static const uint32_t INK = 0x333333, GRID = 0xdddddd, BLUE = 0x0072b2, RED = 0xd55e00;

typedef struct plot {
    const wn_word_rows *rows;
    const wn_wordlist *list;
    wn_sheet *sheet;
    double powers;  /* of ten, that the axis reaches */
    uint8_t *drawn; /* COLUMNS x LINES */
    uint32_t outliers;
} plot;

static double height_of(const plot *p, double total)
{
    return TOP + PLOT_HEIGHT * (1 - log10(total) / p->powers);
}

static void draw_axis(plot *p)
{
    for (int power = 0; power <= (int)p->powers; power++) {
        char label[24];
        double y = height_of(p, pow(10, power));
        snprintf(label, sizeof label, "%.0f", pow(10, power));
        wn_draw_sheet_line(p->sheet,
                           (wn_shape){.x = LEFT, .y = y, .width = PLOT_WIDTH, .colour = GRID});
        wn_draw_sheet_label(p->sheet, (wn_shape){.x = LEFT - 6,
                                                 .y = y + 4,
                                                 .size = 11,
                                                 .colour = INK,
                                                 .anchor = WN_ANCHOR_END,
                                                 .text = wn_str_of(label)});
    }
    wn_draw_sheet_label(p->sheet, (wn_shape){.x = LEFT + PLOT_WIDTH / 2.0,
                                             .y = HEIGHT - 12,
                                             .size = 12,
                                             .colour = INK,
                                             .anchor = WN_ANCHOR_MIDDLE,
                                             .text = WN_STR("words, in bytewise order")});
}

/* Outliers are always drawn: they are few, and their names show when the pointer rests on them. */
static void draw_word(plot *p, uint32_t position)
{
    uint32_t word = p->rows->list.items[position];
    const wn_word_row *row = &p->list->rows.items[word];
    if (row->total == 0)
        return;
    double x = LEFT + PLOT_WIDTH * (position + 0.5) / p->rows->list.count;
    double y = height_of(p, (double)row->total);
    size_t column = (size_t)((x - LEFT) / GRID_STEP), line = (size_t)((y - TOP) / GRID_STEP);
    column = column < COLUMNS ? column : COLUMNS - 1;
    line = line < LINES ? line : LINES - 1;
    uint8_t *drawn = &p->drawn[line * COLUMNS + column];
    if (*drawn && !row->outlier)
        return;
    *drawn = 1;
    wn_buf name = {0};
    if (row->outlier) {
        wn_buf_add(&name, wn_corpus_wordlist_word(p->list, word));
        wn_buf_add_format(&name, ": %" PRIu64, row->total);
    }
    double size = row->outlier ? DOT + 2 : DOT;
    wn_draw_sheet_box(p->sheet, (wn_shape){.x = x - size / 2,
                                           .y = y - size / 2,
                                           .width = size,
                                           .height = size,
                                           .colour = row->outlier ? RED : BLUE,
                                           .text = wn_buf_str(&name)});
    wn_buf_free(&name);
}

/* The blue dots first: the red ones lie above them. */
static void draw_words(plot *p)
{
    for (int outliers = 0; outliers < 2; outliers++)
        for (uint32_t i = 0; i < p->rows->list.count; i++)
            if (p->list->rows.items[p->rows->list.items[i]].outlier == (outliers == 1))
                draw_word(p, i);
}

static void draw_legend(plot *p)
{
    char text[64];
    snprintf(text, sizeof text, "%u words", p->rows->list.count - p->outliers);
    wn_draw_sheet_box(p->sheet,
                      (wn_shape){.x = LEFT, .y = 36, .width = 8, .height = 8, .colour = BLUE});
    wn_draw_sheet_label(
        p->sheet,
        (wn_shape){.x = LEFT + 14, .y = 44, .size = 12, .colour = INK, .text = wn_str_of(text)});
    if (p->outliers == 0)
        return;
    snprintf(text, sizeof text, "%u outliers", p->outliers);
    wn_draw_sheet_box(p->sheet,
                      (wn_shape){.x = LEFT + 160, .y = 36, .width = 8, .height = 8, .colour = RED});
    wn_draw_sheet_label(
        p->sheet,
        (wn_shape){.x = LEFT + 174, .y = 44, .size = 12, .colour = INK, .text = wn_str_of(text)});
}

void wn_corpus_word_rows_plot(const wn_word_rows *rows, const wn_wordlist *list, wn_sheet *sheet)
{
    uint64_t most = 10;
    plot p = {.rows = rows, .list = list, .sheet = sheet, .drawn = calloc(COLUMNS, LINES)};
    sheet->width = WIDTH;
    sheet->height = HEIGHT;
    if (!p.drawn) {
        sheet->failed = true;
        return;
    }
    for (uint32_t i = 0; i < rows->list.count; i++) {
        const wn_word_row *row = &list->rows.items[rows->list.items[i]];
        most = row->total > most ? row->total : most;
        p.outliers += row->outlier;
    }
    p.powers = log10((double)most) * 1.02;
    wn_draw_sheet_label(sheet, (wn_shape){.x = LEFT,
                                          .y = 24,
                                          .size = 15,
                                          .colour = INK,
                                          .text = WN_STR("How often each word occurs")});
    draw_axis(&p);
    draw_words(&p);
    draw_legend(&p);
    free(p.drawn);
}
