/*
 * Features of texts. A text is read once, byte by byte: signs are counted by a table of
 * byte classes, words are hashed as they pass and looked up when they end.
 */
#include "page/features_text.h"

enum {
    MOST_WORDS = 48,      /* of a block that are looked up: the first ones say enough */
    SHORT_TEXT = 5,       /* words of a text that is looked up as a whole */
    LONGEST_HEADING = 12, /* words of a heading that are looked up */
    TITLE_WORD = 4,       /* bytes: shorter words are in every title */
    MOST_PHRASE_WORDS = 4000,
    MOST_CHILDREN = 500, /* of the body that are searched for data */
};

/* ---- Bytes ------------------------------------------------------------------------------- */

typedef enum byte_class {
    OTHER, /* a sign without a meaning of its own */
    SPACE,
    LOWER,
    UPPER,
    DIGIT,
    WIDE, /* part of a character outside ASCII */
    COMMA,
    STOP, /* the end of a sentence */
    CALL, /* ! and ? */
    BULLET,
    MONEY,
} byte_class;

static const uint8_t ascii_classes[128] = {
    [' '] = SPACE, ['\n'] = SPACE, ['\t'] = SPACE, [0] = SPACE,    [','] = COMMA, [';'] = COMMA,
    ['.'] = STOP,  ['!'] = CALL,   ['?'] = CALL,   ['|'] = BULLET, ['$'] = MONEY, ['0'] = DIGIT,
    DIGIT,         DIGIT,          DIGIT,          DIGIT,          DIGIT,         DIGIT,
    DIGIT,         DIGIT,          DIGIT,          ['A'] = UPPER,  UPPER,         UPPER,
    UPPER,         UPPER,          UPPER,          UPPER,          UPPER,         UPPER,
    UPPER,         UPPER,          UPPER,          UPPER,          UPPER,         UPPER,
    UPPER,         UPPER,          UPPER,          UPPER,          UPPER,         UPPER,
    UPPER,         UPPER,          UPPER,          UPPER,          UPPER,         ['a'] = LOWER,
    LOWER,         LOWER,          LOWER,          LOWER,          LOWER,         LOWER,
    LOWER,         LOWER,          LOWER,          LOWER,          LOWER,         LOWER,
    LOWER,         LOWER,          LOWER,          LOWER,          LOWER,         LOWER,
    LOWER,         LOWER,          LOWER,          LOWER,          LOWER,         LOWER,
    LOWER,
};

/* A sign outside ASCII that means something, in UTF-8. */
typedef struct sign {
    unsigned char bytes[3];
    uint8_t class;
} sign;

static const sign two_byte_signs[] = {
    {{0xC2, 0xA3}, MONEY}, {{0xC2, 0xA5}, MONEY},  {{0xC2, 0xB7}, BULLET}, {{0xC2, 0xBB}, BULLET},
    {{0xC2, 0xA0}, SPACE}, {{0xD8, 0x8C}, COMMA},  {{0xD8, 0x9B}, COMMA},  {{0xD8, 0x9F}, CALL},
    {{0xDB, 0x94}, STOP},  {{0xC2, 0xAB}, BULLET}, {{0xC2, 0xA9}, OTHER},
};

static const sign three_byte_signs[] = {
    {{0xE3, 0x80, 0x81}, COMMA},  {{0xE3, 0x80, 0x82}, STOP},   {{0xEF, 0xBC, 0x8C}, COMMA},
    {{0xEF, 0xBC, 0x81}, CALL},   {{0xEF, 0xBC, 0x9F}, CALL},   {{0xE0, 0xA5, 0xA4}, STOP},
    {{0xE2, 0x80, 0xA2}, BULLET}, {{0xE2, 0x80, 0xBA}, BULLET}, {{0xE2, 0x86, 0x92}, BULLET},
    {{0xE2, 0x82, 0xAC}, MONEY},  {{0xE2, 0x82, 0xB9}, MONEY},  {{0xE0, 0xB8, 0xBF}, MONEY},
    {{0xEF, 0xBF, 0xA5}, MONEY},  {{0xE2, 0x98, 0x85}, BULLET},
};

/* The class of the character at `at`, and how many bytes it has. */
static byte_class class_at(wn_str text, size_t at, unsigned *bytes)
{
    const unsigned char *p = (const unsigned char *)text.ptr + at;
    size_t left = text.len - at;
    *bytes = 1;
    if (*p < 0x80)
        return (byte_class)ascii_classes[*p];
    if (*p < 0xE0 && left >= 2) {
        *bytes = 2;
        for (size_t i = 0; i < sizeof two_byte_signs / sizeof *two_byte_signs; i++)
            if (memcmp(two_byte_signs[i].bytes, p, 2) == 0)
                return (byte_class)two_byte_signs[i].class;
        return WIDE;
    }
    if (*p < 0xF0 && left >= 3) {
        *bytes = 3;
        for (size_t i = 0; i < sizeof three_byte_signs / sizeof *three_byte_signs; i++)
            if (memcmp(three_byte_signs[i].bytes, p, 3) == 0)
                return (byte_class)three_byte_signs[i].class;
        return *p == 0xE2 && (p[1] == 0x80 || p[1] == 0x81) ? OTHER : WIDE;
    }
    *bytes = left >= 4 ? 4 : 1;
    return WIDE;
}

/* ---- Words ------------------------------------------------------------------------------- */

int wn_read_word(const wn_word_reader *reader, wn_word_kind kind, uint32_t word, uint32_t at)
{
    if (reader->listener)
        reader->listener->hear(reader->listener->user, kind, word, at);
    return wn_lexicon_weight(reader->lexicon, word);
}

static bool has_phrase(const wn_phrases *set, uint32_t hash)
{
    uint32_t bit = hash % WN_PHRASE_BITS;
    return set->bits[bit / 8] >> bit % 8 & 1;
}

static void add_phrase(wn_phrases *set, uint32_t hash)
{
    uint32_t bit = hash % WN_PHRASE_BITS;
    set->bits[bit / 8] |= (uint8_t)(1 << bit % 8);
}

/* Three words in a row. */
typedef struct phrase {
    uint32_t first, second;
    uint32_t words;
} phrase;

/* Takes the next word in; returns the hash of the last three, 0 while there are fewer. */
static uint32_t next_phrase(phrase *p, uint32_t word)
{
    uint32_t hash = (p->first * 3 + p->second) * 0x9E3779B1u + word;
    p->first = p->second;
    p->second = word;
    return ++p->words >= 3 ? wn_word_end(hash) : 0;
}

static void collect_phrases(wn_phrases *set, wn_str text)
{
    phrase last = {0};
    uint32_t hash = wn_word_start(WN_WORD_TEXT), len = 0;
    for (size_t i = 0; i <= text.len && set->words < MOST_PHRASE_WORDS; i++) {
        char c = i < text.len ? text.ptr[i] : ' ';
        if (wn_is_ascii_alnum(c) || (unsigned char)c >= 0x80) {
            hash = wn_word_add(hash, c);
            len++;
        } else if (len > 0) {
            uint32_t three = next_phrase(&last, wn_word_end(hash));
            if (three)
                add_phrase(set, three);
            set->words++;
            hash = wn_word_start(WN_WORD_TEXT);
            len = 0;
        }
    }
}

/* ---- The head of the page ---------------------------------------------------------------- */

static void read_title(wn_head_facts *facts, wn_str title)
{
    uint32_t hash = wn_word_start(WN_WORD_TEXT), len = 0;
    for (size_t i = 0; i <= title.len && facts->title_count < WN_TITLE_WORDS; i++) {
        char c = i < title.len ? title.ptr[i] : ' ';
        if (wn_is_ascii_alnum(c) || (unsigned char)c >= 0x80) {
            hash = wn_word_add(hash, c);
            len++;
            continue;
        }
        if (len >= TITLE_WORD) {
            facts->title[facts->title_count++] = wn_word_end(hash);
            facts->title_bits |= 1ull << wn_word_end(hash) % 64;
        }
        hash = wn_word_start(WN_WORD_TEXT);
        len = 0;
    }
}

/* A word that speaks for some types of pages and against others. */
static void read_page_word(wn_head_facts *facts, uint32_t raw, const wn_word_reader *reader)
{
    bool known = false;
    if (reader->listener)
        reader->listener->hear(reader->listener->user, WN_WORD_PAGE, wn_word_end(raw), 0);
    for (uint32_t type = 0; type < WN_PAGE_TYPES; type++) {
        int weight = wn_lexicon_weight(reader->lexicon, wn_word_end(raw) + type * 0x9E3779B1u);
        if (weight != WN_NO_WEIGHT) {
            facts->types[type] += weight;
            known = true;
        }
    }
    facts->type_words += known;
}

/* The words of a text about the page, each with the name of where it stands ("og", "url"). */
static void read_page_words(wn_head_facts *facts, char place, wn_str text,
                            const wn_word_reader *reader)
{
    enum { LONGEST = 24, MOST = 40 };
    uint32_t start = wn_word_add(wn_word_start(WN_WORD_PAGE), place);
    uint32_t hash = start, len = 0, count = 0;
    bool digits = false;
    for (size_t i = 0; i <= text.len && count < MOST; i++) {
        char c = i < text.len ? text.ptr[i] : ' ';
        bool letter = wn_is_ascii_alpha(c), digit = wn_is_ascii_digit(c);
        bool new_word = letter && i > 0 && c != wn_ascii_lower(c) && text.ptr[i - 1] >= 'a';
        if (len > 0 && ((!letter && !digit) || new_word || digit != digits)) {
            if (digits) /* how many there are says something, which ones does not */
                hash = wn_word_add(wn_word_add(start, '#'), (char)('0' + (len > 8 ? 8 : len)));
            if (len <= LONGEST) {
                read_page_word(facts, hash, reader);
                count++;
            }
            hash = start;
            len = 0;
        }
        if (letter || digit) {
            hash = wn_word_add(hash, c);
            digits = digit;
            len++;
        }
    }
}

/* The values of "@type" in JSON-LD. */
static void read_data_types(wn_head_facts *facts, wn_str json, const wn_word_reader *reader)
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
        read_page_words(facts, 'j', wn_str_between(at, stop), reader);
        at = stop;
    }
}

static void read_meta(wn_head_facts *facts, const wn_node *meta, const wn_word_reader *reader)
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
        read_page_words(facts, 'o', content, reader);
    else if (wn_str_eq_nocase(name, WN_STR("generator")))
        read_page_words(facts, 'g', content, reader);
    else if (wn_str_eq_nocase(name, WN_STR("og:url")) && facts->url.len == 0)
        facts->url = content;
}

static void read_script(wn_head_facts *facts, const wn_doc *doc, const wn_node *script,
                        const wn_word_reader *reader)
{
    wn_str type = wn_node_attr_value(script, WN_ATTR_TYPE);
    if (!wn_str_contains_nocase(type, WN_STR("ld+json")) || !script->first_child)
        return;
    wn_str json = wn_node_text(wn_doc_node(doc, script->first_child));
    read_data_types(facts, json, reader);
    collect_phrases(&facts->data, json);
}

static void read_head_element(wn_head_facts *facts, const wn_doc *doc, const wn_node *node,
                              const wn_word_reader *reader)
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

void wn_read_head(wn_head_facts *facts, const wn_page *page, const wn_word_reader *reader)
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
        read_page_words(facts, 'b', wn_node_attr_value(wn_doc_node(doc, body), WN_ATTR_CLASS),
                        reader);
    }
    read_page_words(facts, 'u', facts->url, reader);
}

/* ---- Blocks ------------------------------------------------------------------------------ */

/* What is counted while the text of a block is read. */
typedef struct counts {
    uint32_t characters, letters, digits, others, wide;
    uint32_t commas, stops, calls, bullets, money, lines;
    uint32_t words, upper_words, all_upper_words;
    uint32_t looked_up, in_title;
    uint32_t phrases, in_description, in_data;
    int sum, lowest, highest, first;
    uint32_t known;
} counts;

/* The word that is read. */
typedef struct word {
    uint32_t hash, whole; /* whole: of all words so far */
    uint32_t letters, uppers;
    bool starts_upper;
    phrase last;
} word;

static bool is_title_word(const wn_head_facts *head, uint32_t hash)
{
    if (!(head->title_bits >> hash % 64 & 1))
        return false;
    for (uint32_t i = 0; i < head->title_count; i++)
        if (head->title[i] == hash)
            return true;
    return false;
}

static void weigh_word(counts *n, uint32_t hash, uint32_t block, const wn_head_facts *head,
                       const wn_word_reader *reader)
{
    int weight = wn_read_word(reader, WN_WORD_TEXT, hash, block);
    n->in_title += is_title_word(head, hash);
    if (n->looked_up++ == 0)
        n->first = weight == WN_NO_WEIGHT ? 0 : weight;
    if (weight == WN_NO_WEIGHT)
        return;
    n->sum += weight;
    n->known++;
    n->lowest = weight < n->lowest ? weight : n->lowest;
    n->highest = weight > n->highest ? weight : n->highest;
}

static void end_word(counts *n, word *w, uint32_t block, const wn_head_facts *head,
                     const wn_word_reader *reader)
{
    if (w->letters == 0)
        return;
    uint32_t hash = wn_word_end(w->hash);
    n->words++;
    n->upper_words += w->starts_upper;
    n->all_upper_words += w->letters > 1 && w->uppers == w->letters;
    if (n->words <= SHORT_TEXT)
        w->whole = (w->whole ^ hash) * 0x01000193u;
    if (n->words <= MOST_WORDS) {
        weigh_word(n, hash, block, head, reader);
        uint32_t three = next_phrase(&w->last, hash);
        n->phrases += three != 0;
        n->in_description += three && has_phrase(&head->description, three);
        n->in_data += three && has_phrase(&head->data, three);
    }
    w->hash = wn_word_start(WN_WORD_TEXT);
    w->letters = w->uppers = 0;
    w->starts_upper = false;
}

static void count_sign(counts *n, byte_class class, char c)
{
    switch (class) {
    case SPACE:
        n->lines += c == '\n';
        return;
    case COMMA:
        n->commas++;
        break;
    case STOP:
        n->stops++;
        break;
    case CALL:
        n->calls++;
        break;
    case BULLET:
        n->bullets++;
        break;
    case MONEY:
        n->money++;
        break;
    default:
        break;
    }
    n->others++;
}

static bool is_word_class(byte_class class)
{
    return class == LOWER || class == UPPER || class == DIGIT || class == WIDE;
}

static void add_to_word(counts *n, word *w, byte_class class, const char *bytes, unsigned count)
{
    w->starts_upper |= w->letters == 0 && class == UPPER;
    w->letters++;
    w->uppers += class == UPPER;
    n->digits += class == DIGIT;
    n->wide += class == WIDE;
    n->letters++;
    for (unsigned i = 0; i < count; i++)
        w->hash = wn_word_add(w->hash, bytes[i]);
}

/* Most text is small ASCII letters: they are read in a loop of their own. Returns how many there are. */
static size_t read_lower(counts *n, word *w, wn_str text, size_t start)
{
    size_t i = start;
    uint32_t hash = w->hash;
    for (; i < text.len && (unsigned char)(text.ptr[i] - 'a') < 26; i++)
        hash = (hash ^ (unsigned char)text.ptr[i]) * 0x01000193u;
    uint32_t count = (uint32_t)(i - start);
    w->hash = hash;
    w->letters += count;
    n->letters += count;
    n->characters += count;
    return count;
}

static void count_text(counts *n, word *w, wn_str text, uint32_t block, const wn_head_facts *head,
                       const wn_word_reader *reader)
{
    unsigned bytes;
    for (size_t i = 0; i < text.len; i += bytes) {
        i += read_lower(n, w, text, i);
        if (i == text.len)
            break;
        byte_class class = class_at(text, i, &bytes);
        n->characters++;
        if (is_word_class(class)) {
            add_to_word(n, w, class, text.ptr + i, bytes);
            continue;
        }
        end_word(n, w, block, head, reader);
        count_sign(n, class, text.ptr[i]);
    }
    end_word(n, w, block, head, reader);
}

static void describe_ends(int16_t *own, wn_str text)
{
    unsigned bytes;
    byte_class first = class_at(text, 0, &bytes);
    own[WN_F_FIRST_UPPER] = first == UPPER;
    own[WN_F_FIRST_LOWER] = first == LOWER;
    char last = text.ptr[text.len - 1];
    size_t at = text.len - 1;
    while (at > 0 && (text.ptr[at] & 0xC0) == 0x80)
        at--;
    byte_class end = class_at(text, at, &bytes);
    bool closes = last == ')' || last == '"' ||
                  wn_str_eq(wn_str_from_offset(text, at), WN_STR("”"));
    own[WN_F_ENDS_SENTENCE] = end == STOP || end == CALL ? 2 : closes ? 1 : 0;
    own[WN_F_ENDS_COLON] = last == ':';
    own[WN_F_ENDS_DOTS] = (text.len >= 3 && memcmp(text.ptr + text.len - 3, "...", 3) == 0) ||
                          wn_str_eq(wn_str_from_offset(text, at), WN_STR("…"));
}

static bool has_address(wn_str text)
{
    return wn_str_find(text, WN_STR("://")) < text.len ||
           wn_str_find(text, WN_STR("www.")) < text.len || memchr(text.ptr, '@', text.len);
}

static void describe_counts(int16_t *own, const counts *n, const wn_head_facts *head)
{
    uint32_t words = n->words ? n->words : 1;
    own[WN_F_WORD_LENGTH] = wn_clip((int64_t)n->letters * 10 / words);
    own[WN_F_COMMAS] = wn_clip(n->commas);
    own[WN_F_STOPS] = wn_clip(n->stops);
    own[WN_F_MARKS_PER_WORD] = wn_share(n->commas + n->stops, words);
    own[WN_F_CALLS] = wn_clip(n->calls);
    own[WN_F_UPPER_WORDS] = wn_share(n->upper_words, words);
    own[WN_F_ALL_UPPER_WORDS] = wn_share(n->all_upper_words, words);
    own[WN_F_DIGITS] = wn_share(n->digits, n->characters);
    own[WN_F_OTHER_SIGNS] = wn_share(n->others, n->characters);
    own[WN_F_MONEY] = n->money > 0 && n->digits > 0;
    own[WN_F_BULLETS] = wn_clip(n->bullets);
    own[WN_F_LINES] = wn_clip(n->lines);
    own[WN_F_WIDE] = wn_share(n->wide, n->characters);
    own[WN_F_TEXT_MEAN] = wn_clip(n->sum * 16 / (int)(n->looked_up + 2));
    own[WN_F_TEXT_MAX] = wn_clip(n->highest);
    own[WN_F_TEXT_MIN] = wn_clip(n->lowest);
    own[WN_F_TEXT_FIRST] = wn_clip(n->first);
    own[WN_F_TITLE_SHARE] = wn_share(n->in_title, head->title_count);
    own[WN_F_OF_TITLE] = wn_share(n->in_title, n->looked_up);
    own[WN_F_DESCRIPTION_SHARE] = wn_share(n->in_description, n->phrases);
    own[WN_F_DATA_SHARE] = wn_share(n->in_data, n->phrases);
}

/* A short text as a whole: "read more", "add to cart". */
static int weigh_whole(const counts *n, const word *w, uint32_t block, const wn_word_reader *reader)
{
    if (n->words == 0 || n->words > SHORT_TEXT)
        return 0;
    int weight = wn_read_word(reader, WN_WORD_WHOLE, wn_word_end(w->whole), block);
    return weight == WN_NO_WEIGHT ? 0 : weight;
}

void wn_read_block_text(int16_t *own, const wn_page *page, uint32_t index,
                        const wn_head_facts *head, const wn_word_reader *reader)
{
    const wn_block *block = &page->blocks.items[index];
    wn_str text = wn_block_text(page, block);
    counts n = {0};
    word w = {.hash = wn_word_start(WN_WORD_TEXT), .whole = wn_word_start(WN_WORD_WHOLE)};
    count_text(&n, &w, text, index, head, reader);
    describe_counts(own, &n, head);
    own[WN_F_TEXT_WHOLE] = wn_clip(weigh_whole(&n, &w, index, reader));
    describe_ends(own, text);
    own[WN_F_ADDRESS] = has_address(text);
    own[WN_F_COPYRIGHT] = wn_str_find(text, WN_STR("©")) < text.len;
    uint32_t links = 0;
    for (uint32_t i = 0; i < block->span_count; i++)
        links += page->spans.items[block->first_span + i].kind == WN_SPAN_LINK;
    own[WN_F_WORDS] = wn_clip(block->words);
    own[WN_F_BYTES] = wn_clip(block->len);
    own[WN_F_LINKS] = wn_clip(links);
    own[WN_F_LINK_SHARE] = wn_share(block->link_bytes, block->len);
    own[WN_F_WORDS_PER_LINK] = wn_clip(block->words / (1 + links));
}

void wn_read_heading(int16_t weights[3], const wn_page *page, uint32_t block,
                     const wn_word_reader *reader)
{
    wn_str text = wn_block_text(page, &page->blocks.items[block]);
    int sum = 0, lowest = 0, highest = 0, words = 0;
    uint32_t hash = wn_word_start(WN_WORD_HEADING), len = 0;
    for (size_t i = 0; i <= text.len && words < LONGEST_HEADING; i++) {
        char c = i < text.len ? text.ptr[i] : ' ';
        if (wn_is_ascii_alnum(c) || (unsigned char)c >= 0x80) {
            hash = wn_word_add(hash, c);
            len++;
        } else if (len > 0) {
            int weight = wn_read_word(reader, WN_WORD_HEADING, wn_word_end(hash), block);
            weight = weight == WN_NO_WEIGHT ? 0 : weight;
            sum += weight;
            lowest = weight < lowest ? weight : lowest;
            highest = weight > highest ? weight : highest;
            words++;
            hash = wn_word_start(WN_WORD_HEADING);
            len = 0;
        }
    }
    weights[0] = wn_clip(sum * 16 / (words + 2));
    weights[1] = wn_clip(lowest);
    weights[2] = wn_clip(highest);
}
