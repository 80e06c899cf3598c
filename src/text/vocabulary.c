#include "text/vocabulary.h"

void wn_text_vocabulary_clear(wn_vocabulary *v)
{
    wn_map_clear(&v->words);
    wn_arena_reset(&v->arena);
    v->failed = false;
}

void wn_text_vocabulary_free(wn_vocabulary *v)
{
    wn_map_free(&v->words);
    wn_arena_free(&v->arena);
    wn_buf_free(&v->word);
}

uint32_t wn_text_vocabulary_number(wn_vocabulary *v, wn_str word)
{
    uint32_t number = wn_map_add(&v->words, word, &v->arena);
    v->failed = v->failed || v->words.failed;
    return v->failed ? 0 : number;
}

uint32_t wn_text_vocabulary_find(const wn_vocabulary *v, wn_str word)
{
    return wn_map_find(&v->words, word);
}
