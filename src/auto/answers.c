#include "auto/answers.h"

#include "auto/forest.h"
#include "auto/role_words.h"

enum {
    MOST_BLOCKS = 60,                        /* of an entry; one with more is a section */
    VERY_UNLIKELY = WN_LOGIT_ONE * 15 / 100, /* of a question, to be content, */
    UNLIKELY = WN_LOGIT_ONE * 35 / 100,      /* and of an answer */
};

/* Whether an element is an entry: a question with its answer. */
static bool is_entry(const wn_auto_features *f, uint32_t element)
{
    const wn_auto_element *e = &f->elements.items[element];
    const wn_node *node = wn_doc_node(f->page->doc, e->node);
    if (e->blocks < 2 || e->blocks > MOST_BLOCKS)
        return false;
    if (wn_node_is(node, WN_TAG_DETAILS))
        return true;
    if (e->kin > 1 && (f->element_features[element].says & WN_SAYS_QUESTION))
        return true;
    wn_str type = wn_node_attr_value(node, WN_ATTR_ITEMTYPE);
    return type.len > 0 && wn_str_has_ending(type, WN_STR("schema.org/Question"));
}

/* The innermost entry around each element; 0 if there is none. NULL when memory is out. */
static uint32_t *find_entries(const wn_auto_features *f, wn_arena *arena)
{
    uint32_t *entries = wn_arena_alloc(arena, f->elements.count * sizeof *entries);
    if (entries)
        entries[0] = 0;
    for (uint32_t i = 1; entries && i < f->elements.count; i++)
        entries[i] = is_entry(f, i) ? i : entries[f->elements.items[i].parent];
    return entries;
}

static void keep(wn_verdict *verdict, const char *reason)
{
    *verdict = (wn_verdict){.reason = reason, .keep = true, .role = verdict->role};
}

/* Keeps the question of an answer that is kept, or the answer of a question. */
static void complete(const wn_auto_features *f, uint32_t first, uint32_t end,
                     const uint16_t *chances, wn_selection *selection)
{
    uint64_t words = 0, kept = 0, likely = 0;
    for (uint32_t i = first + 1; i < end; i++) {
        uint64_t here = f->page->blocks.items[i].words;
        words += here;
        kept += selection->verdicts[i].keep ? here : 0;
        likely += here * chances[i];
    }
    wn_verdict *question = &selection->verdicts[first];
    bool is_kept = kept * 2 > words;
    if (is_kept && !question->keep && chances[first] >= VERY_UNLIKELY)
        keep(question, "the question of an answer that is kept");
    if (is_kept || !question->keep || words == 0 || likely < words * UNLIKELY)
        return;
    for (uint32_t i = first + 1; i < end; i++)
        if (!selection->verdicts[i].keep)
            keep(&selection->verdicts[i], "the answer to a question that is kept");
}

void wn_auto_answers_complete(const wn_auto_features *f, const uint16_t *chances, wn_arena *arena,
                              wn_selection *selection)
{
    const uint32_t *of_block = f->elements.of_block, *entries = find_entries(f, arena);
    for (uint32_t i = 0; entries && i < selection->count;) {
        uint32_t entry = entries[of_block[i]], end = i + 1;
        while (entry && end < selection->count && entries[of_block[end]] == entry)
            end++;
        if (end - i > 1)
            complete(f, i, end, chances, selection);
        i = end;
    }
}
