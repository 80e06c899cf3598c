#include "corpus/clusters.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* ---- Which page is kept ------------------------------------------------------------------ */

static bool is_better(const wn_cluster_page *a, const wn_cluster_page *b, wn_keep keep)
{
    if (keep == WN_KEEP_LONGEST && a->bytes != b->bytes)
        return a->bytes > b->bytes;
    if (keep == WN_KEEP_NEWEST && a->date != b->date)
        return a->date > b->date;
    return a->rank < b->rank;
}

static uint32_t bin_of(uint64_t size)
{
    uint32_t bin = 0;
    while (bin + 1 < WN_CLUSTER_BINS && size > (uint64_t)2 << bin)
        bin++;
    return bin;
}

static void count(wn_clusters *c)
{
    for (uint32_t i = 0; i < c->pages.count; i++) {
        const wn_cluster_page *page = &c->pages.items[i];
        c->bytes += page->bytes;
        if (page->kept != i) {
            c->copies++;
            c->copy_bytes += page->bytes;
        } else if (page->size > 1) {
            c->clusters++;
            c->sizes[bin_of(page->size)]++;
            c->largest = page->size > c->largest ? page->size : c->largest;
        }
    }
}

void wn_corpus_clusters_choose(wn_clusters *c, wn_dedup *dedup, wn_keep keep)
{
    wn_cluster_page *pages = c->pages.items;
    for (uint32_t i = 0; i < c->pages.count; i++) {
        pages[i].kept = i; /* of the first page of a cluster: the best so far */
        pages[i].size = 0;
        uint32_t first = wn_corpus_dedup_first(dedup, i);
        if (is_better(&pages[i], &pages[pages[first].kept], keep))
            pages[first].kept = i;
    }
    /* From the last to the first: the first page of a cluster tells the others, then itself. */
    for (uint32_t i = c->pages.count; i-- > 0;) {
        pages[i].kept = pages[wn_corpus_dedup_first(dedup, i)].kept;
        pages[pages[i].kept].size++;
    }
    count(c);
}

int64_t wn_corpus_cluster_date(wn_str date)
{
    int64_t number = 0;
    int digits = 0;
    for (size_t i = 0; i < date.len && digits < 8; i++) {
        if (wn_is_ascii_digit(date.ptr[i])) {
            number = number * 10 + (date.ptr[i] - '0');
            digits++;
        }
    }
    while (digits > 0 && digits++ < 8)
        number *= 10;
    return number;
}

void wn_corpus_clusters_free(wn_clusters *c)
{
    wn_array_free(&c->pages);
}

/* ---- The picture ------------------------------------------------------------------------- */

enum { LEFT = 56, TOP = 48, BAR = 56, GAP = 12, PLOT_HEIGHT = 260, BOTTOM = 56 };

static const uint32_t INK = 0x333333, BLUE = 0x0072b2;

static void add_label(wn_sheet *sheet, double x, double y, double size, wn_anchor anchor,
                      const char *text)
{
    wn_draw_sheet_label(sheet, (wn_shape){.x = x,
                                          .y = y,
                                          .size = size,
                                          .colour = INK,
                                          .anchor = anchor,
                                          .text = wn_str_of(text)});
}

/* Bars by the logarithm: most clusters are pairs. */
static void draw_bar(wn_sheet *sheet, uint32_t bin, uint64_t clusters, double most)
{
    char text[48];
    double x = LEFT + GAP + bin * (double)(BAR + GAP);
    double height = clusters ? PLOT_HEIGHT * (log10((double)clusters) + 0.3) / (most + 0.3) : 0;
    wn_draw_sheet_box(sheet, (wn_shape){.x = x,
                                        .y = TOP + PLOT_HEIGHT - height,
                                        .width = BAR,
                                        .height = height,
                                        .colour = BLUE});
    snprintf(text, sizeof text, "%" PRIu64, clusters);
    add_label(sheet, x + BAR / 2.0, TOP + PLOT_HEIGHT - height - 4, 11, WN_ANCHOR_MIDDLE, text);
    uint64_t low = ((uint64_t)1 << bin) + 1, high = (uint64_t)2 << bin;
    if (low == high)
        snprintf(text, sizeof text, "%" PRIu64, high);
    else
        snprintf(text, sizeof text, "%" PRIu64 "-%" PRIu64, low, high);
    add_label(sheet, x + BAR / 2.0, TOP + PLOT_HEIGHT + 16, 11, WN_ANCHOR_MIDDLE, text);
}

void wn_corpus_clusters_plot(const wn_clusters *c, wn_sheet *sheet)
{
    uint32_t bins = c->largest > 1 ? bin_of(c->largest) + 1 : 1;
    double most = 0;
    for (uint32_t i = 0; i < bins; i++)
        most = c->sizes[i] ? fmax(most, log10((double)c->sizes[i])) : most;
    sheet->width = fmax(420, LEFT + GAP + bins * (BAR + GAP) + GAP);
    sheet->height = TOP + PLOT_HEIGHT + BOTTOM;
    add_label(sheet, LEFT, 24, 15, WN_ANCHOR_START, "Clusters of redundant pages by size");
    for (uint32_t i = 0; i < bins; i++)
        draw_bar(sheet, i, c->sizes[i], most);
    wn_draw_sheet_line(sheet, (wn_shape){.x = LEFT,
                                         .y = TOP + PLOT_HEIGHT,
                                         .width = sheet->width - LEFT - GAP,
                                         .colour = INK});
    add_label(sheet, LEFT + GAP, TOP + PLOT_HEIGHT + 40, 12, WN_ANCHOR_START,
              "pages of a cluster; heights are logarithmic");
}
