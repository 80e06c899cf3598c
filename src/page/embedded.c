/*
 * All JSON of the page is read, its long strings are collected by key, and those of the best key
 * are written out.
 */
#include "page/embedded.h"

#include "base/json.h"

enum {
    FEWEST_WORDS = 60,      /* of a key: less is not worth it */
    PASSAGE = 30,           /* words that one of its strings must have: messages are shorter */
    LONG_STRING = 12,       /* words from which on a string is text */
    LARGE_ATTRIBUTE = 1000, /* bytes of an attribute that may hold data */
    MOST_STRINGS = 20000,   /* that are noted */
    MOST_NESTING = 2,       /* of JSON in strings of JSON */
    QUESTIONS = 2,          /* in place of a key, whose hash is odd: of questions and answers */
};

/* A long string and the key it is under. */
typedef struct find {
    uint32_t key; /* hash, never 0, or QUESTIONS */
    uint32_t words;
    bool is_question; /* whose answer is next */
    wn_str text;
} find;

typedef struct search {
    wn_arena *arena;
    wn_array(find) finds;
    wn_array(wn_str) nested; /* JSON inside JSON, still to be read */
} search;

static uint32_t count_words(wn_str text)
{
    uint32_t words = 0;
    bool in_tag = false;
    for (size_t i = 0; i < text.len; i++) {
        in_tag = text.ptr[i] == '<' || (in_tag && text.ptr[i] != '>');
        words += !in_tag && wn_is_space(text.ptr[i]);
    }
    return words + (text.len > 0);
}

static bool looks_like_json(wn_str text)
{
    return text.len >= LARGE_ATTRIBUTE && (text.ptr[0] == '{' || text.ptr[0] == '[') &&
           (text.ptr[1] == '"' || text.ptr[1] == '{' || text.ptr[1] == '[');
}

static bool has_any(wn_str key, const wn_str *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (wn_str_contains_nocase(key, words[i]))
            return true;
    return false;
}

/*
 * Keys of content: "articleBody", "cooked", "contentHtml". Data contains many long texts that are
 * not the content of the page; "reviewBody" is what others say about it.
 */
static bool is_content_key(wn_str key)
{
    static const wn_str words[] = {{"body", 4}, {"text", 4},   {"content", 7},
                                   {"html", 4}, {"cooked", 6}, {"message", 7}};
    static const wn_str others[] = {{"review", 6}, {"comment", 7}};
    return has_any(key, words, sizeof words / sizeof *words) &&
           !has_any(key, others, sizeof others / sizeof *others);
}

static void add_find(search *d, find found)
{
    find *place = found.words > 0 && d->finds.count < MOST_STRINGS ? wn_array_push(&d->finds)
                                                                   : NULL;
    if (place)
        *place = found;
}

static void note(search *d, wn_str key, wn_str text)
{
    if (looks_like_json(text)) {
        wn_str *place = wn_array_push(&d->nested);
        if (place)
            *place = text;
        return;
    }
    if (!is_content_key(key))
        return;
    uint32_t words = count_words(text);
    if (words >= LONG_STRING)
        add_find(d, (find){.key = wn_str_hash(key) | 1, .words = words, .text = text});
}

/*
 * Notes a question of a FAQPage and its answer, which may be short: nothing else is told so clearly
 * to be content. https://schema.org/FAQPage
 */
static void note_question(search *d, const wn_json *json, wn_json_id object)
{
    if (!wn_str_eq(wn_json_text(json, wn_json_get(json, object, "@type")), WN_STR("Question")))
        return;
    wn_str question = wn_json_text(json, wn_json_get(json, object, "name"));
    wn_json_id answer = wn_json_get(json, object, "acceptedAnswer");
    const wn_json_node *answers = wn_json_node_at(json, answer);
    if (answers->kind == WN_JSON_ARRAY)
        answer = answers->len > 0 ? answer + 1 : WN_JSON_NONE;
    wn_str text = wn_json_text(json, wn_json_get(json, answer, "text"));
    if (question.len == 0 || text.len == 0)
        return;
    add_find(d, (find){QUESTIONS, count_words(question), true, question});
    add_find(d, (find){QUESTIONS, count_words(text), false, text});
}

/* A list or object that is being read. */
typedef struct container {
    wn_json_id end;
    bool wants_key; /* an object, and what comes next is a key */
    bool is_object;
} container;

/* Notes the strings of one JSON text under their keys; those of a list have the list's key. */
static void note_strings(search *d, const wn_json *json)
{
    container open[WN_JSON_DEFAULT_DEPTH + 1];
    uint32_t depth = 0;
    wn_str key = WN_STR("");
    for (wn_json_id id = WN_JSON_ROOT; id < json->nodes.count; id++) {
        const wn_json_node *node = wn_json_node_at(json, id);
        while (depth > 0 && id >= open[depth - 1].end)
            depth--;
        container *in = depth > 0 ? &open[depth - 1] : NULL;
        if (in && in->wants_key) {
            key = wn_str_from(node->text, node->len);
            in->wants_key = false;
            continue;
        }
        if (in)
            in->wants_key = in->is_object;
        if (node->kind == WN_JSON_STRING)
            note(d, key, wn_str_from(node->text, node->len));
        bool is_object = node->kind == WN_JSON_OBJECT;
        if (is_object)
            note_question(d, json, id);
        if ((is_object || node->kind == WN_JSON_ARRAY) && depth < WN_JSON_DEFAULT_DEPTH)
            open[depth++] = (container){node->next, is_object, is_object};
    }
}

static void read_json(search *d, wn_str text)
{
    wn_json json = {0};
    if (wn_json_parse(&json, d->arena, wn_str_trim(text), WN_JSON_RELAXED, 0))
        note_strings(d, &json);
    wn_json_free(&json);
}

static void read_element(search *d, const wn_doc *doc, const wn_node *node)
{
    wn_str type = wn_node_attr_value(node, WN_ATTR_TYPE);
    if (wn_node_is(node, WN_TAG_SCRIPT) && node->first_child &&
        wn_str_contains_nocase(type, WN_STR("json")))
        read_json(d, wn_node_text(wn_doc_node(doc, node->first_child)));
    for (uint32_t i = 0; i < node->len; i++)
        if (looks_like_json(wn_attr_value(&node->attrs[i])))
            read_json(d, wn_attr_value(&node->attrs[i]));
}

static void read_document(search *d, const wn_doc *doc)
{
    for (wn_node_id id = WN_DOCUMENT_NODE; id; id = wn_doc_next(doc, id, WN_DOCUMENT_NODE))
        if (wn_doc_node(doc, id)->kind == WN_KIND_ELEMENT)
            read_element(d, doc, wn_doc_node(doc, id));
    uint32_t start = 0;
    for (int nesting = 0; nesting < MOST_NESTING; nesting++)
        for (uint32_t end = d->nested.count; start < end; start++)
            read_json(d, d->nested.items[start]);
}

/*
 * The key with the most words, 0 if none has enough, which questions need not; of few different
 * keys, so that comparing all is cheap.
 */
static uint32_t best_key(const search *d)
{
    enum { KEYS = 64 };
    struct {
        uint32_t key, words, longest;
    } keys[KEYS] = {0};
    uint32_t best = 0;
    for (uint32_t i = 0; i < d->finds.count; i++) {
        const find *found = &d->finds.items[i];
        uint32_t at = 0;
        while (at < KEYS - 1 && keys[at].words && keys[at].key != found->key)
            at++;
        keys[at].key = found->key;
        keys[at].words += found->words;
        if (found->words > keys[at].longest)
            keys[at].longest = found->words;
        if (keys[at].words > keys[best].words)
            best = at;
    }
    bool is_enough = keys[best].words >= FEWEST_WORDS && keys[best].longest >= PASSAGE;
    return is_enough || keys[best].key == QUESTIONS ? keys[best].key : 0;
}

/* Markup is taken as such; in plain text lines are kept apart. */
static void add_text(wn_buf *out, wn_str text)
{
    bool plain = memchr(text.ptr, '<', text.len) == NULL;
    for (size_t i = 0; i < text.len; i++) {
        if (plain && text.ptr[i] == '\n')
            wn_buf_add_literal(out, "<br>");
        else
            wn_buf_add_char(out, text.ptr[i]);
    }
}

/* Each text once: data often says things twice. */
static bool is_known(const search *d, uint32_t index)
{
    enum { BACK = 64 };
    for (uint32_t i = index > BACK ? index - BACK : 0; i < index; i++)
        if (wn_str_eq(d->finds.items[i].text, d->finds.items[index].text))
            return true;
    return false;
}

void wn_page_embedded_find(const wn_doc *doc, wn_arena *arena, wn_buf *out)
{
    search d = {.arena = arena};
    read_document(&d, doc);
    uint32_t key = best_key(&d);
    for (uint32_t i = 0; key && i < d.finds.count; i++) {
        if (d.finds.items[i].key != key || is_known(&d, i))
            continue;
        bool is_question = d.finds.items[i].is_question;
        wn_buf_add_literal(out, is_question ? "<h2>" : "<div>");
        add_text(out, d.finds.items[i].text);
        wn_buf_add_literal(out, is_question ? "</h2>\n" : "</div>\n");
    }
    wn_array_free(&d.finds);
    wn_array_free(&d.nested);
}
