#include "auto/posts.h"

#include <assert.h>
#include <string.h>

#include "auto/role_words.h"
#include "meta/nearby.h"

enum {
    FEWEST_POSTS = 2,
    SHARE_OF_THREAD = 60, /* percent of the kept words that must be in the row */
    SHORT_LINE = 12,      /* words of a line that says an author or a date */
    MOST_DEPTH = 60,      /* elements that are gone down in search of the row */
    FEWEST_ALIKE = 3,     /* elements of a row that are posts, not a question and its answers */
};

/* What is known of an element for this. */
typedef struct place {
    uint32_t words;    /* kept, in it */
    uint32_t bylines;  /* lines in it that say an author or a date */
    uint32_t heaviest; /* child with the most kept words; 0: none has any */
    uint32_t post;     /* the element of the post that it is in; 0: in none */
} place;

typedef struct search {
    const wn_auto_features *features;
    const wn_auto_roles *roles;
    wn_selection *selection;
    place *places;
} search;

/* A row of elements: children of `parent` of one tag. */
typedef struct row {
    uint32_t parent;
    uint32_t tag_path;  /* of all its elements */
    uint32_t signature; /* of the one with the most text */
} row;

/* ---- Bylines ----------------------------------------------------------------------------- */

static unsigned byline_of(const search *s, uint32_t block)
{
    const wn_auto_features *f = s->features;
    const wn_block *shown = &f->page->blocks.items[block];
    uint16_t labels = s->roles->labels[f->elements.of_block[block]];
    wn_date date;
    if (shown->words > SHORT_LINE)
        return 0;
    bool has_author = (labels & WN_SAYS_AUTHOR) || wn_meta_block_author(f->page, shown).len > 0;
    unsigned byline = has_author ? WN_POST_AUTHOR : 0;
    bool has_date = wn_meta_block_date(f->page, shown, &date) &&
                    !wn_meta_is_of_account(f->page, block);
    return byline | (has_date ? WN_POST_DATE : 0);
}

/* ---- The row of posts -------------------------------------------------------------------- */

static void count_words(search *s)
{
    const wn_auto_elements *elements = &s->features->elements;
    place *places = s->places;
    memset(places, 0, elements->count * sizeof *places);
    for (uint32_t i = 0; i < s->selection->count; i++) {
        wn_verdict *verdict = &s->selection->verdicts[i];
        place *here = &places[elements->of_block[i]];
        verdict->post = (uint8_t)byline_of(s, i);
        here->words += verdict->keep ? s->features->page->blocks.items[i].words : 0;
        here->bylines += verdict->post != 0;
    }
    for (uint32_t i = elements->count; i-- > 1;) {
        place *parent = &places[elements->items[i].parent];
        parent->words += places[i].words;
        parent->bylines += places[i].bylines;
        if (places[i].words > 0 &&
            (!parent->heaviest || places[i].words >= places[parent->heaviest].words))
            parent->heaviest = i;
    }
}

static bool is_in_row(const search *s, const row *r, uint32_t element)
{
    const wn_auto_element *e = &s->features->elements.items[element];
    return e->parent == r->parent && e->tag_path == r->tag_path && s->places[element].words > 0;
}

/* Cells beside each other are the author and the text of one post. */
static bool is_row_of_cells(const search *s, const row *r)
{
    const wn_auto_features *f = s->features;
    uint32_t heaviest = s->places[r->parent].heaviest;
    const wn_node *node = wn_doc_node(f->page->doc, f->elements.items[heaviest].node);
    return wn_node_is(node, WN_TAG_TD) || wn_node_is(node, WN_TAG_TH);
}

/* Whether the children of an element like its heaviest one are posts. */
static bool is_row_of_posts(const search *s, const row *r)
{
    if (is_row_of_cells(s, r))
        return false;
    uint32_t count = 0, with_byline = 0, words = 0;
    for (uint32_t i = r->parent + 1; i < s->features->elements.count; i++) {
        if (!is_in_row(s, r, i))
            continue;
        count++;
        with_byline += s->places[i].bylines > 0;
        words += s->places[i].words;
    }
    return count >= FEWEST_POSTS && with_byline * 2 > count &&
           (uint64_t)words * 100 >= (uint64_t)s->places[r->parent].words * SHARE_OF_THREAD;
}

/* Whether the posts of a row have the same class, or none: then no row is inside of one of them. */
static bool are_alike(const search *s, const row *r)
{
    const wn_auto_elements *elements = &s->features->elements;
    uint32_t count = 0;
    for (uint32_t i = r->parent + 1; i < elements->count; i++)
        count += is_in_row(s, r, i) && elements->items[i].signature == r->signature;
    return count >= FEWEST_ALIKE;
}

/* Goes down where most of the text is; false if no row is found. */
static bool find_row(const search *s, uint32_t from, row *r)
{
    for (int depth = 0; depth < MOST_DEPTH; depth++) {
        uint32_t child = s->places[from].heaviest;
        if (!child)
            return false;
        const wn_auto_element *e = &s->features->elements.items[child];
        *r = (row){.parent = from, .tag_path = e->tag_path, .signature = e->signature};
        if (is_row_of_posts(s, r))
            return true;
        if ((uint64_t)s->places[child].words * 100 <
            (uint64_t)s->places[from].words * SHARE_OF_THREAD)
            return false;
        from = child;
    }
    return false;
}

/* ---- Marks ------------------------------------------------------------------------------- */

/* Says of each element in which post it is. Elements of a row inside of a row are posts, too. */
static void assign_posts(search *s, const row *outer, const row *inner)
{
    const wn_auto_elements *elements = &s->features->elements;
    for (uint32_t i = 1; i < elements->count; i++) {
        const wn_auto_element *e = &elements->items[i];
        uint32_t above = s->places[e->parent].post;
        bool is_reply = above && e->signature == elements->items[above].signature &&
                        e->signature == outer->signature && s->places[i].words > 0;
        bool begins = is_in_row(s, outer, i) || is_reply || (inner && is_in_row(s, inner, i));
        s->places[i].post = begins ? i : above;
    }
}

static void mark_blocks(search *s)
{
    const uint32_t *of_block = s->features->elements.of_block;
    uint32_t last = 0;
    for (uint32_t i = 0; i < s->selection->count; i++) {
        wn_verdict *verdict = &s->selection->verdicts[i];
        uint32_t post = s->places[of_block[i]].post;
        verdict->post = (uint8_t)(post ? verdict->post | WN_POST_IN : 0);
        if (post && post != last)
            verdict->post |= WN_POST_STARTS;
        last = post;
    }
    s->selection->has_posts = true;
}

static void unmark_blocks(search *s)
{
    for (uint32_t i = 0; i < s->selection->count; i++)
        s->selection->verdicts[i].post = 0;
}

void wn_auto_posts_find(const wn_auto_roles *roles, wn_arena *arena, wn_selection *selection)
{
    const wn_auto_features *f = roles->features;
    search s = {.features = f, .roles = roles, .selection = selection};
    row outer, inner;
    assert(selection->count == f->page->blocks.count);
    s.places = wn_arena_alloc(arena, f->elements.count * sizeof *s.places);
    if (!s.places)
        return;
    count_words(&s);
    if (!find_row(&s, 0, &outer)) {
        unmark_blocks(&s);
        return;
    }
    /*
     * The question may be beside the answers, which are a row inside of one element of the first.
     */
    uint32_t heaviest = s.places[outer.parent].heaviest;
    bool has_inner = !are_alike(&s, &outer) && find_row(&s, heaviest, &inner);
    assign_posts(&s, &outer, has_inner ? &inner : NULL);
    mark_blocks(&s);
}
