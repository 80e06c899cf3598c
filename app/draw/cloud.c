/*
 * The layout of a tag cloud: each word, the largest first, takes the free place nearest to the
 * centre.
 *
 * The canvas is a field of cells. Whether a box of cells is free is four look-ups in a table of
 * sums (Crow 1984, "Summed-area tables"): sums[y][x] counts the taken cells above and left of a
 * corner. The places for the centre of a word are all cells, sorted once by their distance from the
 * centre of the canvas, in an ellipse of its shape; a search ends at the first distance that cannot
 * improve the result. Places without room for the smallest of all words are removed from time to
 * time. So a word costs at most two passes over the field, however many words there are.
 *
 *     sums at the corners of a box:   a ---- b
 *                                     |      |      taken inside = d - b - c + a
 *                                     c ---- d
 *
 * If only the distance counted, all clouds would look alike, so each word prefers a random
 * direction, in which distances count less.
 *
 * The scale is found by bisection between one at which all words fit and one at which they do not.
 */
#include "draw/cloud.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

enum {
    CELLS = 160000,  /* of the field: cells of 1.7 pixels at 800x600; finer looks the same */
    ATTEMPTS = 8,    /* of halving: the scale is right to a percent */
    SWEEP_SHARE = 8, /* one of so many open places must be taken before it is worth a sweep */
};

static const double MARGIN = 0.02; /* of the canvas, on each side */
static const double GAP_BESIDE =
    0.16; /* of a word, in sizes of its font: two make more than a space */
static const double GAP_ABOVE = 0.09;     /* and below it */
static const double LEAST_GAP = 2;        /* the same in units of the canvas */
static const double LEAST_SHARE = 0.08;   /* of the largest size: rare words stay legible */
static const double LEAST_SIZE = 6;       /* what would be smaller is left out instead */
static const double LARGEST_SHARE = 0.35; /* of the height: a font for clouds of few words */
static const double PREFERENCE = 0.6; /* a distance in the wrong direction counts so much more */

typedef struct place {
    float distance;     /* from the centre; 1 at the middle of each edge */
    float across, down; /* the direction from the centre, of length 1 */
    uint16_t column, row;
} place;

typedef struct spot {
    uint32_t column, row, columns, rows;
} spot;

typedef struct field {
    double left, top, cell; /* where the cells are on the canvas, and their size */
    uint32_t columns, rows;
    uint32_t *sums; /* (columns + 1) * (rows + 1) */
    place *places;  /* columns * rows, the nearest first */
    place *open;    /* those of them that had room for the smallest word when it was last swept */
    size_t open_count;
    size_t taken;                       /* cells since then */
    uint32_t least_columns, least_rows; /* of all words at the scale that is tried */
} field;

/* ---- The field --------------------------------------------------------------------------- */

/*
 * Sorts by distance in three passes over the bits of the number (radix sort): those of a float that
 * is not negative are in its order. Equal distances stay in the order of rows and columns.
 */
static void sort_places(place *places, place *spare, size_t count)
{
    enum { BITS = 11, BUCKETS = 1 << BITS };
    for (unsigned shift = 0; shift < 32; shift += BITS) {
        uint32_t starts[BUCKETS + 1] = {0}, key;
        for (size_t i = 0; i < count; i++) {
            memcpy(&key, &places[i].distance, sizeof key);
            starts[(key >> shift) % BUCKETS + 1]++;
        }
        for (size_t i = 1; i < BUCKETS; i++)
            starts[i] += starts[i - 1];
        for (size_t i = 0; i < count; i++) {
            memcpy(&key, &places[i].distance, sizeof key);
            spare[starts[(key >> shift) % BUCKETS]++] = places[i];
        }
        memcpy(places, spare, count * sizeof *places);
    }
}

static void fill_places(field *f)
{
    double half_width = f->columns / 2.0, half_height = f->rows / 2.0;
    place *p = f->places;
    for (uint32_t row = 0; row < f->rows; row++) {
        for (uint32_t column = 0; column < f->columns; column++, p++) {
            double across = (column + 0.5 - half_width) / half_width;
            double down = (row + 0.5 - half_height) / half_height;
            double distance = sqrt(across * across + down * down);
            double unit = distance > 0 ? distance : 1;
            *p = (place){.distance = (float)distance,
                         .across = (float)(across / unit),
                         .down = (float)(down / unit),
                         .column = (uint16_t)column,
                         .row = (uint16_t)row};
        }
    }
    sort_places(f->places, f->open, (size_t)f->columns * f->rows);
}

/* False if out of memory; free_field() it in any case. */
static bool make_field(field *f, const wn_cloud_settings *s)
{
    double width = s->width * (1 - 2 * MARGIN), height = s->height * (1 - 2 * MARGIN);
    f->left = s->width * MARGIN;
    f->top = s->height * MARGIN;
    /* A very flat canvas gets fewer cells: a row of them must have a 16-bit number. */
    double longest = width > height ? width : height;
    f->cell = fmax(sqrt(width * height / CELLS), longest / (UINT16_MAX / 2.0));
    f->columns = (uint32_t)fmax(1, floor(width / f->cell));
    f->rows = (uint32_t)fmax(1, floor(height / f->cell));
    f->sums = calloc((size_t)(f->columns + 1) * (f->rows + 1), sizeof *f->sums);
    f->places = calloc((size_t)f->columns * f->rows, sizeof *f->places);
    f->open = calloc((size_t)f->columns * f->rows, sizeof *f->open);
    if (!f->sums || !f->places || !f->open)
        return false;
    fill_places(f);
    return true;
}

static void free_field(field *f)
{
    free(f->sums);
    free(f->places);
    free(f->open);
}

static void clear_field(field *f)
{
    memset(f->sums, 0, (size_t)(f->columns + 1) * (f->rows + 1) * sizeof *f->sums);
    f->open_count = (size_t)f->columns * f->rows;
    f->taken = 0;
    memcpy(f->open, f->places, f->open_count * sizeof *f->open);
}

static bool is_free(const field *f, spot s)
{
    size_t stride = f->columns + 1;
    assert(s.column + s.columns <= f->columns && s.row + s.rows <= f->rows);
    const uint32_t *above = f->sums + s.row * stride + s.column;
    const uint32_t *below = above + s.rows * stride;
    return below[s.columns] - above[s.columns] == below[0] - above[0];
}

/* Puts the middle of a spot at a place; false if not all of it is in the field. */
static inline bool move_to(const field *f, spot *s, const place *p)
{
    s->column = p->column - s->columns / 2;
    s->row = p->row - s->rows / 2;
    /* What lies left of the field or above it has become a very large number. */
    return s->column <= f->columns - s->columns && s->row <= f->rows - s->rows;
}

/*
 * Forgets the places where the smallest columns and rows of all words are not free: what a word
 * takes there includes them.
 */
static void sweep(field *f)
{
    size_t kept = 0;
    spot least = {.columns = f->least_columns, .rows = f->least_rows};
    for (size_t i = 0; i < f->open_count; i++)
        if (move_to(f, &least, &f->open[i]) && is_free(f, least))
            f->open[kept++] = f->open[i];
    f->open_count = kept;
    f->taken = 0;
}

/* Counts the cells of a spot as taken: only corners right of and below its first cell see them. */
static void take(field *f, spot s)
{
    size_t stride = f->columns + 1;
    assert(is_free(f, s));
    for (uint32_t row = 1; s.row + row <= f->rows; row++) {
        uint32_t *sums = f->sums + (s.row + row) * stride + s.column;
        uint32_t rows = row < s.rows ? row : s.rows;
        for (uint32_t column = 1; column <= s.columns; column++)
            sums[column] += rows * column;
        for (uint32_t column = s.columns + 1; s.column + column <= f->columns; column++)
            sums[column] += rows * s.columns;
    }
    f->taken += (size_t)s.columns * s.rows;
    if (f->taken > f->open_count / SWEEP_SHARE)
        sweep(f);
}

/* ---- One word ---------------------------------------------------------------------------- */

/* Finds the free place with the least distance in the eyes of a word with that random number. */
static bool find_spot(const field *f, spot *s, uint32_t chance)
{
    double angle = chance * (2 * acos(-1) / UINT32_MAX);
    float across = (float)cos(angle), down = (float)sin(angle), best = INFINITY;
    const place *end = f->open + f->open_count;
    for (const place *p = f->open; p < end && p->distance < best; p++) {
        spot here = *s;
        if (!move_to(f, &here, p))
            continue;
        float turned = 1 - (p->across * across + p->down * down); /* 0 to 2 */
        float distance = p->distance * (1 + (float)PREFERENCE / 2 * turned);
        if (distance < best && is_free(f, here)) {
            best = distance;
            s->column = here.column;
            s->row = here.row;
        }
    }
    return best < INFINITY;
}

static double relative_size(const wn_cloud_word *word, const wn_cloud_word *largest)
{
    return fmax(sqrt((double)word->count / (double)largest->count), LEAST_SHARE);
}

/* Width and height of a word with the gap around it. */
static double full_width(const wn_cloud_word *word, double size)
{
    return word->ink.width * size + 2 * fmax(GAP_BESIDE * size, LEAST_GAP);
}

static double full_height(const wn_cloud_word *word, double size)
{
    return word->ink.height * size + 2 * fmax(GAP_ABOVE * size, LEAST_GAP);
}

/* How many cells a word of that size takes, in both directions; false if they are more than there are. */
static bool measure_word(const field *f, const wn_cloud_word *word, double size, spot *s)
{
    double columns = ceil(full_width(word, size) / f->cell);
    double rows = ceil(full_height(word, size) / f->cell);
    if (columns > f->columns || rows > f->rows)
        return false;
    *s = (spot){.columns = (uint32_t)columns, .rows = (uint32_t)rows};
    return true;
}

/* Finds a place for a word of that size and takes it; false if there is none. */
static bool lay_word(field *f, wn_cloud_word *word, double size)
{
    spot s;
    word->size = 0;
    if (!measure_word(f, word, size, &s))
        return false;
    if (!find_spot(f, &s, word->chance))
        return false;
    take(f, s);
    word->size = size;
    double middle_x = f->left + (s.column + s.columns / 2.0) * f->cell;
    double middle_y = f->top + (s.row + s.rows / 2.0) * f->cell;
    word->x = middle_x - (word->ink.x + word->ink.width / 2) * size;
    word->y = middle_y - (word->ink.y + word->ink.height / 2) * size;
    return true;
}

/* ---- All words --------------------------------------------------------------------------- */

/*
 * Finds the least columns and rows of words at a scale; false if the field has fewer cells than all
 * of them take, as at most scales that are too large.
 */
static bool measure_words(field *f, const wn_cloud_word *words, size_t count, double scale)
{
    uint64_t cells = 0;
    bool fits = true;
    spot s;
    f->least_columns = f->columns;
    f->least_rows = f->rows;
    for (size_t i = 0; i < count; i++) {
        if (!measure_word(f, &words[i], scale * relative_size(&words[i], words), &s)) {
            fits = false;
            continue;
        }
        cells += (uint64_t)s.columns * s.rows;
        f->least_columns = s.columns < f->least_columns ? s.columns : f->least_columns;
        f->least_rows = s.rows < f->least_rows ? s.rows : f->least_rows;
    }
    return fits && cells <= (uint64_t)f->columns * f->rows;
}

/* Lays the words out at a scale; returns how many found room. If `all`, stops at one without. */
static size_t lay_words(field *f, wn_cloud_word *words, size_t count, double scale, bool all)
{
    size_t placed = 0;
    if (!measure_words(f, words, count, scale) && all)
        return 0;
    clear_field(f);
    for (size_t i = 0; i < count; i++) {
        bool ok = lay_word(f, &words[i], scale * relative_size(&words[i], words));
        placed += ok;
        if (!ok && all)
            break;
    }
    return placed;
}

/* No scale above this one can have room for all words. */
static double largest_scale(const field *f, const wn_cloud_word *words, size_t count)
{
    double area = 0, widest = 0;
    for (size_t i = 0; i < count; i++) {
        double size = relative_size(&words[i], words);
        area += words[i].ink.width * words[i].ink.height * size * size;
        widest = fmax(widest, words[i].ink.width * size);
    }
    double width = f->columns * f->cell, height = f->rows * f->cell;
    double by_area = area > 0 ? sqrt(width * height / area) : height;
    double by_width = widest > 0 ? width / widest : height;
    return fmin(LARGEST_SHARE * height, fmin(by_area, by_width));
}

/*
 * Lays the words out at the largest scale at which all of them fit, but not so small that they are
 * illegible. `found` receives the layout at the best scale so far. Returns the number of words that
 * fit.
 */
static size_t lay_largest(field *f, wn_cloud_word *words, wn_cloud_word *found, size_t count)
{
    double least = LEAST_SIZE / relative_size(&words[count - 1], words);
    double high = largest_scale(f, words, count), low = least;
    bool any = lay_words(f, words, count, high, true) == count;
    if (any && high >= least)
        return count;
    any = false;
    for (int i = 0; i < ATTEMPTS && low < high; i++) {
        double middle = (low + high) / 2;
        bool all = lay_words(f, words, count, middle, true) == count;
        if (all)
            memcpy(found, words, count * sizeof *words);
        any = any || all;
        *(all ? &low : &high) = middle;
    }
    if (!any)
        return lay_words(f, words, count, low, false);
    memcpy(words, found, count * sizeof *words);
    return count;
}

size_t wn_draw_cloud_lay(wn_cloud_word *words, size_t count, const wn_cloud_settings *settings)
{
    field f = {0};
    uint64_t state = settings->seed;
    size_t placed = 0;
    wn_cloud_word *found = calloc(count ? count : 1, sizeof *found);
    for (size_t i = 0; i < count; i++)
        words[i].chance = (uint32_t)(wn_splitmix64(&state) >> 32);
    if (!found || !make_field(&f, settings))
        placed = WN_CLOUD_FAILED;
    else if (count > 0)
        placed = lay_largest(&f, words, found, count);
    free_field(&f);
    free(found);
    return placed;
}

wn_cloud_box wn_draw_cloud_box_of(const wn_cloud_word *word)
{
    return (wn_cloud_box){
        .x = word->x + word->ink.x * word->size,
        .y = word->y + word->ink.y * word->size,
        .width = word->ink.width * word->size,
        .height = word->ink.height * word->size,
    };
}
