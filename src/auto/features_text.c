/*
 * Features of texts. A text is read once, 64 bytes at a time where it is ASCII: signs are counted,
 * words are hashed as they pass. They are looked up when all are known, for the lexicon is larger
 * than what a processor keeps at hand.
 */
#include "auto/features_text.h"

#include <assert.h>

#include "text/char_kinds.h"

enum {
    SHORT_TEXT = 5,       /* words of a text that is looked up as a whole */
    LONGEST_HEADING = 12, /* words of a heading that are looked up */
    TITLE_WORD = 4,       /* bytes: shorter words are in every title */
    MOST_PHRASE_WORDS = 4000,
    MOST_CHILDREN = 500, /* of the body that are searched for data */
};

/* ---- Words ------------------------------------------------------------------------------- */

static bool has_phrase(const wn_auto_phrases *set, uint32_t hash)
{
    uint32_t bit = hash % WN_PHRASE_BITS;
    return set->bits[bit / 8] >> bit % 8 & 1;
}

static void add_phrase(wn_auto_phrases *set, uint32_t hash)
{
    uint32_t bit = hash % WN_PHRASE_BITS;
    set->bits[bit / 8] |= (uint8_t)(1 << bit % 8);
}

/* Three words in a row. */
typedef struct phrase {
    uint32_t first, second;
    uint32_t words;
} phrase;

enum { PHRASE = 3 };

/* Takes the next word in; returns the hash of the last three, 0 while there are fewer. */
static uint32_t next_phrase(phrase *p, uint32_t word)
{
    uint32_t hash = (p->first * 3 + p->second) * 0x9E3779B1u + word;
    p->first = p->second;
    p->second = word;
    hash ^= hash >> 15;
    return ++p->words >= PHRASE ? hash + (hash == 0) : 0;
}

static void collect_phrases(wn_auto_phrases *set, wn_str text)
{
    phrase last = {0};
    wn_str word;
    for (size_t at = 0; set->words < MOST_PHRASE_WORDS && wn_auto_next_word(text, &at, &word);) {
        uint32_t three = next_phrase(&last, wn_auto_word_hash(WN_WORD_TEXT, 0, word));
        if (three)
            add_phrase(set, three);
        set->words++;
    }
}

/* ---- The head of the page ---------------------------------------------------------------- */

static void read_title(wn_auto_head_facts *facts, wn_str title)
{
    wn_str word;
    for (size_t at = 0;
         facts->title_count < WN_TITLE_WORDS && wn_auto_next_word(title, &at, &word);) {
        if (word.len < TITLE_WORD)
            continue;
        uint32_t hash = wn_auto_word_hash(WN_WORD_TEXT, 0, word);
        facts->title[facts->title_count++] = hash;
        facts->title_bits |= 1ull << hash % 64;
    }
}

/*
 * Looks words up that speak for some types of pages and against others: what they say of the first
 * type. Returns how many are known; they are moved to the front, and what they say of the other
 * types is asked for ahead.
 */
static uint32_t read_first_type(int16_t types[WN_PAGE_TYPES], wn_auto_word_kind kind,
                                uint32_t *words, uint32_t count, const wn_auto_word_reader *reader)
{
    uint32_t known = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t word = words[i];
        int weight = wn_auto_read_word(reader, kind, word, 0);
        if (weight == WN_NO_WEIGHT) /* a word that is known has a weight for the first type */
            continue;
        types[0] = wn_auto_clip(types[0] + weight);
        words[known++] = word;
        for (uint32_t type = 1; type < WN_PAGE_TYPES; type++)
            wn_auto_lexicon_expect(reader->lexicon, wn_auto_word_of_type(word, type));
    }
    return known;
}

/* What a known word says of the other types. */
static void read_other_types(int16_t types[WN_PAGE_TYPES], uint32_t word,
                             const wn_auto_word_reader *reader)
{
    for (uint32_t type = 1; type < WN_PAGE_TYPES; type++) {
        int weight = wn_auto_lexicon_weight(reader->lexicon, wn_auto_word_of_type(word, type));
        if (weight != WN_NO_WEIGHT)
            types[type] = wn_auto_clip(types[type] + weight);
    }
}

/* The hashes of the first words of a text, at most `most`; returns how many there are. */
static uint32_t hash_page_words(uint32_t *hashes, uint32_t most, wn_auto_word_kind kind, char place,
                                wn_str text)
{
    enum { LONGEST = 24 };
    uint32_t count = 0;
    for (size_t i = 0, start = 0; i <= text.len && count < most; i++) {
        char c = i < text.len ? text.ptr[i] : ' ';
        bool digits = i > start && wn_is_ascii_digit(text.ptr[start]);
        bool goes_on = digits ? wn_is_ascii_digit(c) : wn_is_ascii_alpha(c);
        bool new_word = c != wn_ascii_lower(c) && i > 0 && text.ptr[i - 1] >= 'a';
        if (i > start && (!goes_on || new_word)) {
            size_t len = i - start;
            wn_str word = wn_str_from(text.ptr + start, len);
            if (digits) /* how many there are says something, which ones does not */
                word = wn_str_from("########", len > 8 ? 8 : len);
            if (len <= LONGEST)
                hashes[count++] = wn_auto_word_hash(kind, place, word);
            start = i;
        }
        if (i == start && !wn_is_ascii_alnum(c))
            start = i + 1;
    }
    return count;
}

uint32_t wn_auto_read_page_words(int16_t types[WN_PAGE_TYPES], wn_auto_word_kind kind, char place,
                                 wn_str text, uint32_t most, const wn_auto_word_reader *reader)
{
    uint32_t hashes[WN_PAGE_WORDS];
    assert(most <= WN_PAGE_WORDS);
    uint32_t count = hash_page_words(hashes, most, kind, place, text);
    for (uint32_t i = 0; i < count; i++)
        wn_auto_lexicon_expect(reader->lexicon, hashes[i]);
    uint32_t known = read_first_type(types, kind, hashes, count, reader);
    for (uint32_t i = 0; i < known; i++)
        read_other_types(types, hashes[i], reader);
    return count;
}

static void read_head_words(wn_auto_head_facts *facts, char place, wn_str text,
                            const wn_auto_word_reader *reader)
{
    enum { MOST = 40 };
    wn_auto_read_page_words(facts->types, WN_WORD_PAGE, place, text, MOST, reader);
}

/* The values of "@type" in JSON-LD. */
static void read_data_types(wn_auto_head_facts *facts, wn_str json,
                            const wn_auto_word_reader *reader)
{
    enum { MOST = 12 };
    wn_str key = WN_STR("\"@type\"");
    const char *at = json.ptr, *end = json.ptr + json.len;
    for (int n = 0; n < MOST && at < end; n++) {
        size_t found = wn_str_find(wn_str_between(at, end), key);
        if (found == (size_t)(end - at))
            return;
        at += found + key.len;
        const char *stop = at;
        while (stop < end && stop < at + 60 && *stop != ',' && *stop != '}')
            stop++;
        read_head_words(facts, 'j', wn_str_between(at, stop), reader);
        at = stop;
    }
}

static void read_meta(wn_auto_head_facts *facts, const wn_node *meta,
                      const wn_auto_word_reader *reader)
{
    wn_str name = wn_node_attr_value(meta, WN_ATTR_PROPERTY);
    if (name.len == 0)
        name = wn_node_attr_value(meta, WN_ATTR_NAME);
    wn_str content = wn_node_attr_value(meta, WN_ATTR_CONTENT);
    if (wn_str_eq_nocase(name, WN_STR("description")) ||
        wn_str_eq_nocase(name, WN_STR("og:description")))
        collect_phrases(&facts->description, content);
    else if (wn_str_eq_nocase(name, WN_STR("og:title")))
        read_title(facts, content);
    else if (wn_str_eq_nocase(name, WN_STR("og:type")))
        read_head_words(facts, 'o', content, reader);
    else if (wn_str_eq_nocase(name, WN_STR("generator")))
        read_head_words(facts, 'g', content, reader);
    else if (wn_str_eq_nocase(name, WN_STR("og:url")) && facts->url.len == 0)
        facts->url = content;
    else if (wn_str_eq_nocase(name, WN_STR("viewport")))
        facts->has_viewport = true;
}

static void read_script(wn_auto_head_facts *facts, const wn_doc *doc, const wn_node *script,
                        const wn_auto_word_reader *reader)
{
    wn_str type = wn_node_attr_value(script, WN_ATTR_TYPE);
    if (!wn_str_contains_nocase(type, WN_STR("ld+json")) || !script->first_child)
        return;
    wn_str json = wn_node_text(wn_doc_node(doc, script->first_child));
    read_data_types(facts, json, reader);
    collect_phrases(&facts->data, json);
}

static void read_head_element(wn_auto_head_facts *facts, const wn_doc *doc, const wn_node *node,
                              const wn_auto_word_reader *reader)
{
    if (node->kind != WN_KIND_ELEMENT || node->ns != WN_NS_HTML)
        return;
    if (node->tag == WN_TAG_META)
        read_meta(facts, node, reader);
    else if (node->tag == WN_TAG_SCRIPT)
        read_script(facts, doc, node, reader);
    else if (node->tag == WN_TAG_LINK &&
             wn_str_eq_nocase(wn_node_attr_value(node, WN_ATTR_REL), WN_STR("canonical")))
        facts->url = wn_node_attr_value(node, WN_ATTR_HREF);
}

void wn_auto_read_head(wn_auto_head_facts *facts, const wn_page *page,
                       const wn_auto_word_reader *reader)
{
    const wn_doc *doc = page->doc;
    memset(facts, 0, sizeof *facts);
    read_title(facts, page->title);
    wn_node_id head = wn_doc_find(doc, WN_TAG_HEAD);
    for (wn_node_id id = wn_doc_node(doc, head)->first_child; id; id = wn_doc_node(doc, id)->next)
        read_head_element(facts, doc, wn_doc_node(doc, id), reader);
    wn_node_id body = wn_doc_find(doc, WN_TAG_BODY);
    if (body) { /* data is also put at the ends of the body */
        uint32_t left = MOST_CHILDREN;
        for (wn_node_id id = wn_doc_node(doc, body)->last_child; id && left-- > 0;
             id = wn_doc_node(doc, id)->prev)
            if (wn_node_is(wn_doc_node(doc, id), WN_TAG_SCRIPT))
                read_script(facts, doc, wn_doc_node(doc, id), reader);
        read_head_words(facts, 'b', wn_node_attr_value(wn_doc_node(doc, body), WN_ATTR_CLASS),
                        reader);
    }
    read_head_words(facts, 'u', facts->url, reader);
}

/* ---- Blocks ------------------------------------------------------------------------------ */

static bool is_title_word(const wn_auto_head_facts *head, uint32_t hash)
{
    if (!(head->title_bits >> hash % 64 & 1))
        return false;
    for (uint32_t i = 0; i < head->title_count; i++)
        if (head->title[i] == hash)
            return true;
    return false;
}

static void start_word(wn_auto_text_reading *r, const char *start, bool upper)
{
    r->start = start;
    r->starts_upper = r->all_upper = upper;
}

/* The next of the first words of a text, which are looked up. */
static inline void note_word(wn_auto_text_reading *r, wn_str word)
{
    uint32_t hash = wn_auto_word_hash(WN_WORD_TEXT, 0, word);
    assert(r->n.words < WN_TEXT_WORDS);
    r->hashes[r->n.words++] = hash;
    wn_auto_lexicon_expect(r->lexicon, hash);
}

static void end_word(wn_auto_text_reading *r, const char *end)
{
    wn_auto_text_counts *n = &r->n;
    assert(r->letters > 0 && end > r->start);
    n->letters += r->letters;
    n->upper_words += r->starts_upper;
    n->all_upper_words += r->letters > 1 && r->all_upper;
    if (n->words < WN_TEXT_WORDS)
        note_word(r, wn_str_between(r->start, end));
    else
        n->words++;
    r->letters = 0;
}

/* Whether an address is around a sign: an "@", "://" or "www.". */
static bool is_in_address(wn_str text, size_t at)
{
    const char *p = text.ptr + at;
    switch (*p) {
    case '@':
        return true;
    case ':':
        return text.len - at >= 3 && p[1] == '/' && p[2] == '/';
    case '.':
        return at >= 3 && p[-1] == 'w' && p[-2] == 'w' && p[-3] == 'w';
    default:
        return false;
    }
}

static void count_sign(wn_auto_text_reading *r, wn_text_char_kind sign, size_t at)
{
    wn_auto_text_counts *n = &r->n;
    switch (sign) {
    case WN_CHAR_KIND_SPACE:
        n->lines += r->text.ptr[at] == '\n';
        return;
    case WN_CHAR_KIND_COMMA:
        n->commas++;
        break;
    case WN_CHAR_KIND_STOP:
        n->stops++;
        break;
    case WN_CHAR_KIND_CALL:
        n->calls++;
        break;
    case WN_CHAR_KIND_BULLET:
        n->bullets++;
        break;
    case WN_CHAR_KIND_MONEY:
        n->money++;
        break;
    default:
        break;
    }
    n->others++;
    n->has_address |= is_in_address(r->text, at);
}

static bool is_letter(wn_text_char_kind sign)
{
    return sign == WN_CHAR_KIND_LOWER || sign == WN_CHAR_KIND_UPPER || sign == WN_CHAR_KIND_DIGIT ||
           sign == WN_CHAR_KIND_WIDE;
}

/* Reads sign by sign from `at` on, at least to `end`; returns where it stopped. */
static size_t read_signs(wn_auto_text_reading *r, size_t at, size_t end)
{
    wn_auto_text_counts *n = &r->n;
    unsigned bytes;
    for (; at < end; at += bytes) {
        wn_text_char_kind sign = wn_text_char_kind_at(r->text, at, &bytes);
        n->characters++;
        if (!is_letter(sign)) {
            if (r->letters)
                end_word(r, r->text.ptr + at);
            count_sign(r, sign, at);
            n->has_copyright |= wn_str_starts(wn_str_from_offset(r->text, at), WN_STR("©"));
            continue;
        }
        if (r->letters == 0)
            start_word(r, r->text.ptr + at, sign == WN_CHAR_KIND_UPPER);
        r->letters++;
        r->all_upper &= sign == WN_CHAR_KIND_UPPER;
        n->digits += sign == WN_CHAR_KIND_DIGIT;
        n->wide += sign == WN_CHAR_KIND_WIDE;
    }
    return at;
}

/* Counted without an instruction for it, which not every processor has. */
static uint32_t count_bits(uint64_t bits)
{
    bits -= bits >> 1 & UINT64_C(0x5555555555555555);
    bits = (bits & UINT64_C(0x3333333333333333)) + (bits >> 2 & UINT64_C(0x3333333333333333));
    bits = (bits + (bits >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    return (uint32_t)(bits * UINT64_C(0x0101010101010101) >> 56);
}

/* `count` ones, from the lowest bit; at most 64. */
static uint64_t ones(uint32_t count)
{
    return count < 64 ? (UINT64_C(1) << count) - 1 : UINT64_MAX;
}

/* The letters of a chunk from `from` to `to` belong to the word. */
static void add_letters(wn_auto_text_reading *r, uint64_t uppers, uint32_t from, uint32_t to)
{
    assert(from <= to && to <= WN_CHAR_CHUNK);
    r->letters += to - from;
    if (r->all_upper && to > from)
        r->all_upper = !(~(uppers >> from) & ones(to - from));
}

/* Words of a chunk of ASCII that begin and end in it, as bits. */
typedef struct chunk_words {
    uint64_t starts, ends; /* where they begin, and what follows them */
    uint64_t letters, uppers;
} chunk_words;

/*
 * How many of these words are in capitals. Where all letters of a word are, a carry from the first
 * one runs through them to the place after them; one letter alone does not count.
 */
static uint32_t count_all_upper(const chunk_words *words)
{
    uint64_t firsts = words->starts & words->uppers;
    uint64_t carried = words->uppers + firsts;
    return firsts ? count_bits(carried & words->ends & ~(firsts << 1)) : 0;
}

/* Counts them all at once; only the first words of a text are read one by one. */
static void count_words(wn_auto_text_reading *r, const char *p, chunk_words words)
{
    wn_auto_text_counts *n = &r->n;
    n->letters += count_bits(words.letters);
    n->upper_words += count_bits(words.starts & words.uppers);
    n->all_upper_words += count_all_upper(&words);
    for (; words.ends && n->words < WN_TEXT_WORDS; words.ends &= words.ends - 1) {
        const char *start = p + __builtin_ctzll(words.starts);
        note_word(r, wn_str_between(start, p + __builtin_ctzll(words.ends)));
        words.starts &= words.starts - 1;
    }
    if (words.ends)
        n->words += count_bits(words.ends);
}

/* The words of `len` bytes of ASCII at `p`; the last one may go on past them, unless the text ends there. */
static void read_words(wn_auto_text_reading *r, const char *p, uint32_t len,
                       const wn_text_char_masks *masks)
{
    bool is_last = p + len == r->text.ptr + r->text.len;
    uint64_t letters = (masks->letters | masks->digits) & ones(len);
    uint64_t before = letters << 1 | (r->letters > 0);
    uint64_t starts = letters & ~before, ends = before & ~letters & ones(len + is_last);
    uint64_t whole = UINT64_MAX; /* where words that begin and end here may be */
    if (r->letters > 0) {
        uint32_t end = ends ? (uint32_t)__builtin_ctzll(ends) : len;
        add_letters(r, masks->uppers, 0, end);
        if (!ends)
            return;
        end_word(r, p + end);
        ends &= ends - 1;
        whole <<= end;
    }
    bool goes_on = starts > ends; /* the last start comes after the last end */
    uint32_t last = goes_on ? 63 - (uint32_t)__builtin_clzll(starts) : 0;
    if (goes_on)
        whole &= ones(last);
    if (ends)
        count_words(r, p,
                    (chunk_words){.starts = starts & whole,
                                  .ends = ends,
                                  .letters = letters & whole,
                                  .uppers = masks->uppers & letters & whole});
    if (goes_on) {
        start_word(r, p + last, masks->uppers >> last & 1);
        add_letters(r, masks->uppers, last, len);
    }
}

/* `len` bytes of ASCII from `at` on, at most a chunk. */
static void read_ascii(wn_auto_text_reading *r, size_t at, uint32_t len,
                       const wn_text_char_masks *masks)
{
    wn_auto_text_counts *n = &r->n;
    n->characters += len;
    read_words(r, r->text.ptr + at, len, masks);
    if (masks->digits)
        n->digits += count_bits(masks->digits & ones(len));
    if (masks->lines)
        n->lines += count_bits(masks->lines & ones(len));
    uint64_t signs = ~(masks->letters | masks->digits | masks->spaces) & ones(len);
    for (unsigned bytes; signs; signs &= signs - 1) {
        size_t sign = at + (size_t)__builtin_ctzll(signs);
        count_sign(r, wn_text_char_kind_at(r->text, sign, &bytes), sign);
    }
}

/* Chunk by chunk; what is not ASCII is read sign by sign, with what is shortly after it. */
static void read_signs_and_words(wn_auto_text_reading *r)
{
    enum { FEW = 16, A_WHILE = 32 };
    char last[WN_CHAR_CHUNK];
    for (size_t at = 0; at < r->text.len;) {
        const char *p = r->text.ptr + at;
        size_t left = r->text.len - at;
        if (left < WN_CHAR_CHUNK) {
            memset(last, ' ', sizeof last);
            memcpy(last, p, left);
        }
        uint32_t len = (uint32_t)(left < WN_CHAR_CHUNK ? left : WN_CHAR_CHUNK);
        wn_text_char_masks masks = wn_text_char_masks_of(left < WN_CHAR_CHUNK ? last : p, len);
        if (masks.wide)
            len = (uint32_t)__builtin_ctzll(masks.wide);
        if (masks.wide && len < FEW) {
            at = read_signs(r, at, at + (left < A_WHILE ? left : A_WHILE));
            continue;
        }
        read_ascii(r, at, len, &masks);
        at += len;
    }
    if (r->letters)
        end_word(r, r->text.ptr + r->text.len);
}

static uint32_t looked_up(const wn_auto_text_counts *n)
{
    return n->words < WN_TEXT_WORDS ? n->words : WN_TEXT_WORDS;
}

/* An unknown word weighs nothing. */
static int weigh(const wn_auto_word_reader *reader, wn_auto_word_kind kind, uint32_t word,
                 uint32_t block)
{
    int weight = wn_auto_read_word(reader, kind, word, block);
    return weight == WN_NO_WEIGHT ? 0 : weight;
}

/* Looks the first words up, and what the head of the page says of them. */
static void weigh_words(wn_auto_text_reading *r, uint32_t block, const wn_auto_head_facts *head,
                        const wn_auto_word_reader *reader)
{
    wn_auto_text_counts *n = &r->n;
    int sum = 0, lowest = 0, highest = 0;
    uint32_t count = looked_up(n);
    for (uint32_t i = 0; i < count; i++) {
        int weight = weigh(reader, WN_WORD_TEXT, r->hashes[i], block);
        n->first = i == 0 ? weight : n->first;
        sum += weight;
        lowest = weight < lowest ? weight : lowest;
        highest = weight > highest ? weight : highest;
        n->in_title += is_title_word(head, r->hashes[i]);
    }
    n->sum = sum;
    n->lowest = lowest;
    n->highest = highest;
}

/* Which of the phrases are in what the head of the page says. */
static void compare_phrases(wn_auto_text_reading *r, const wn_auto_head_facts *head)
{
    phrase last = {0};
    uint32_t count = looked_up(&r->n);
    if (head->description.words == 0 && head->data.words == 0)
        return;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t three = next_phrase(&last, r->hashes[i]);
        if (i + 1 < PHRASE)
            continue;
        r->n.in_description += has_phrase(&head->description, three);
        r->n.in_data += has_phrase(&head->data, three);
    }
}

static void describe_ends(int16_t *own, wn_str text)
{
    unsigned bytes;
    assert(text.len > 0); /* blocks are never empty */
    wn_text_char_kind first = wn_text_char_kind_at(text, 0, &bytes);
    own[WN_F_FIRST_UPPER] = first == WN_CHAR_KIND_UPPER;
    own[WN_F_FIRST_LOWER] = first == WN_CHAR_KIND_LOWER;
    char last = text.ptr[text.len - 1];
    size_t at = text.len - 1;
    while (at > 0 && (text.ptr[at] & 0xC0) == 0x80)
        at--;
    wn_text_char_kind end = wn_text_char_kind_at(text, at, &bytes);
    bool closes = last == ')' || last == '"' ||
                  wn_str_eq(wn_str_from_offset(text, at), WN_STR("”"));
    own[WN_F_ENDS_SENTENCE] = end == WN_CHAR_KIND_STOP || end == WN_CHAR_KIND_CALL ? 2
                              : closes                                             ? 1
                                                                                   : 0;
    own[WN_F_ENDS_COLON] = last == ':';
    own[WN_F_ENDS_DOTS] = (text.len >= 3 && memcmp(text.ptr + text.len - 3, "...", 3) == 0) ||
                          wn_str_eq(wn_str_from_offset(text, at), WN_STR("…"));
}

static void describe_counts(int16_t *own, const wn_auto_text_counts *n,
                            const wn_auto_head_facts *head)
{
    uint32_t words = n->words ? n->words : 1;
    own[WN_F_WORD_LENGTH] = wn_auto_clip((int64_t)wn_auto_divide(n->letters * 10ull, words));
    own[WN_F_COMMAS] = wn_auto_clip(n->commas);
    own[WN_F_STOPS] = wn_auto_clip(n->stops);
    own[WN_F_MARKS_PER_WORD] = wn_auto_share(n->commas + n->stops, words);
    own[WN_F_CALLS] = wn_auto_clip(n->calls);
    own[WN_F_UPPER_WORDS] = wn_auto_share(n->upper_words, words);
    own[WN_F_ALL_UPPER_WORDS] = wn_auto_share(n->all_upper_words, words);
    own[WN_F_DIGITS] = wn_auto_share(n->digits, n->characters);
    own[WN_F_OTHER_SIGNS] = wn_auto_share(n->others, n->characters);
    own[WN_F_MONEY] = n->money > 0 && n->digits > 0;
    own[WN_F_BULLETS] = wn_auto_clip(n->bullets);
    own[WN_F_LINES] = wn_auto_clip(n->lines);
    own[WN_F_WIDE] = wn_auto_share(n->wide, n->characters);
    own[WN_F_TEXT_MEAN] = wn_auto_clip(n->sum * 16 / (int)(looked_up(n) + 2));
    own[WN_F_TEXT_MAX] = wn_auto_clip(n->highest);
    own[WN_F_TEXT_MIN] = wn_auto_clip(n->lowest);
    own[WN_F_TEXT_FIRST] = wn_auto_clip(n->first);
    own[WN_F_TITLE_SHARE] = wn_auto_share(n->in_title, head->title_count);
    own[WN_F_OF_TITLE] = wn_auto_share(n->in_title, looked_up(n));
    uint32_t phrases = looked_up(n) >= PHRASE ? looked_up(n) - PHRASE + 1 : 0;
    own[WN_F_DESCRIPTION_SHARE] = wn_auto_share(n->in_description, phrases);
    own[WN_F_DATA_SHARE] = wn_auto_share(n->in_data, phrases);
}

/* A short text as a whole: "read more", "add to cart". */
static void hash_whole(wn_auto_text_reading *r)
{
    r->has_whole = r->n.words > 0 && r->n.words <= SHORT_TEXT;
    if (!r->has_whole)
        return;
    r->whole = WN_WORD_WHOLE;
    for (uint32_t i = 0; i < r->n.words; i++)
        r->whole = (r->whole ^ r->hashes[i]) * 0x01000193u;
    wn_auto_lexicon_expect(r->lexicon, r->whole);
}

void wn_auto_read_text(wn_auto_text_reading *r, const wn_page *page, uint32_t block,
                       const wn_auto_lexicon *lexicon)
{
    r->lexicon = lexicon;
    r->text = wn_block_text(page, &page->blocks.items[block]);
    r->n = (wn_auto_text_counts){0};
    r->letters = 0;
    read_signs_and_words(r);
    hash_whole(r);
}

void wn_auto_describe_text(int16_t *own, wn_auto_text_reading *r, const wn_page *page,
                           uint32_t index, const wn_auto_head_facts *head,
                           const wn_auto_word_reader *reader)
{
    const wn_block *block = &page->blocks.items[index];
    weigh_words(r, index, head, reader);
    compare_phrases(r, head);
    describe_counts(own, &r->n, head);
    own[WN_F_TEXT_WHOLE] = (int16_t)(r->has_whole ? weigh(reader, WN_WORD_WHOLE, r->whole, index)
                                                  : 0);
    describe_ends(own, r->text);
    own[WN_F_ADDRESS] = r->n.has_address;
    own[WN_F_COPYRIGHT] = r->n.has_copyright;
    uint32_t links = 0;
    for (uint32_t i = 0; i < block->span_count; i++)
        links += page->spans.items[block->first_span + i].kind == WN_SPAN_LINK;
    own[WN_F_WORDS] = wn_auto_clip(block->words);
    own[WN_F_BYTES] = wn_auto_clip(block->len);
    own[WN_F_LINKS] = wn_auto_clip(links);
    own[WN_F_LINK_SHARE] = wn_auto_share(block->link_bytes, block->len);
    own[WN_F_WORDS_PER_LINK] = wn_auto_clip(block->words / (1 + links));
}

void wn_auto_read_heading(int16_t weights[3], const wn_page *page, uint32_t block,
                          const wn_auto_word_reader *reader)
{
    wn_str text = wn_block_text(page, &page->blocks.items[block]), word;
    uint32_t hashes[LONGEST_HEADING];
    int sum = 0, lowest = 0, highest = 0, words = 0;
    for (size_t at = 0; words < LONGEST_HEADING && wn_auto_next_word(text, &at, &word); words++) {
        hashes[words] = wn_auto_word_hash(WN_WORD_HEADING, 0, word);
        wn_auto_lexicon_expect(reader->lexicon, hashes[words]);
    }
    for (int i = 0; i < words; i++) {
        int weight = weigh(reader, WN_WORD_HEADING, hashes[i], block);
        sum += weight;
        lowest = weight < lowest ? weight : lowest;
        highest = weight > highest ? weight : highest;
    }
    weights[0] = wn_auto_clip(sum * 16 / (words + 2));
    weights[1] = wn_auto_clip(lowest);
    weights[2] = wn_auto_clip(highest);
}
