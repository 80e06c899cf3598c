/*
 * Language: by script, then by stop words.
 */
#include "text/language.h"

#include "base/utf8.h"
#include "text/unicode.h"

enum {
    SAMPLE = 64 << 10,     /* bytes that are looked at */
    MAX_WORDS = 4000,      /* of them, words that are counted */
    FEWEST_STOPWORDS = 3,  /* fewer say nothing */
    SHARE_OF_WORDS = 12,   /* percent of the words must be stop words of the language */
    SHARE_OF_LETTERS = 60, /* percent of the letters must be of the script */
    LEAD = 115,            /* percent of the second best score that the best one must have */
    MAX_LANGUAGES = 32,
};

/* ---- Declarations ------------------------------------------------------------------------ */

/* Codes of three letters, and wrong ones that pages use, for the languages that winnow knows. */
static const char *const aliases[][2] = {
    {"eng", "en"}, {"deu", "de"}, {"ger", "de"}, {"fra", "fr"}, {"fre", "fr"}, {"spa", "es"},
    {"por", "pt"}, {"ita", "it"}, {"nld", "nl"}, {"dut", "nl"}, {"rus", "ru"}, {"vie", "vi"},
    {"tha", "th"}, {"ind", "id"}, {"zho", "zh"}, {"chi", "zh"}, {"cmn", "zh"}, {"jpn", "ja"},
    {"kor", "ko"}, {"ara", "ar"}, {"in", "id"},  {"iw", "he"},  {"jp", "ja"},  {"cn", "zh"},
    {"ua", "uk"},  {"cz", "cs"},  {"nb", "no"},  {"nn", "no"},  {"dk", "da"},
};

const char *wn_text_language_normalise(wn_str declared, char code[WN_LANGUAGE_CODE])
{
    wn_str s = wn_str_trim(declared);
    size_t n = 0;
    while (n < s.len && n < 4 && wn_is_ascii_alpha(s.ptr[n])) {
        code[n] = wn_ascii_lower(s.ptr[n]);
        n++;
    }
    bool ends = n == s.len || s.ptr[n] == '-' || s.ptr[n] == '_' || s.ptr[n] == ',' ||
                wn_is_space(s.ptr[n]);
    code[ends && (n == 2 || n == 3) ? n : 0] = '\0';
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
        if (strcmp(code, aliases[i][0]) == 0)
            memcpy(code, aliases[i][1], 3);
    }
    return code;
}

/* ---- Scripts ----------------------------------------------------------------------------- */

/* What is said of a script alone; "" if letters do not tell. */
typedef enum script {
    LATIN,
    CYRILLIC,
    ARABIC,
    HAN,
    KANA,
    HANGUL,
    OTHERS, /* and those in the table */
    SCRIPT_COUNT = 40,
} script;

static const struct {
    uint32_t first, last;
    const char *language;
} alphabets[] = {
    {0x0370, 0x03FF, "el"}, {0x0530, 0x058F, "hy"}, {0x0590, 0x05FF, "he"}, {0x0900, 0x097F, "hi"},
    {0x0980, 0x09FF, "bn"}, {0x0A00, 0x0A7F, "pa"}, {0x0A80, 0x0AFF, "gu"}, {0x0B00, 0x0B7F, "or"},
    {0x0B80, 0x0BFF, "ta"}, {0x0C00, 0x0C7F, "te"}, {0x0C80, 0x0CFF, "kn"}, {0x0D00, 0x0D7F, "ml"},
    {0x0D80, 0x0DFF, "si"}, {0x0E00, 0x0E7F, "th"}, {0x0E80, 0x0EFF, "lo"}, {0x1000, 0x109F, "my"},
    {0x10A0, 0x10FF, "ka"}, {0x1200, 0x137F, "am"}, {0x1780, 0x17FF, "km"}, {0x1F00, 0x1FFF, "el"},
};

static size_t script_of(uint32_t c)
{
    wn_char_class class = wn_text_class_of(c);
    if (class == WN_CLASS_HAN)
        return HAN;
    if (class == WN_CLASS_KANA)
        return KANA;
    if (c < 0x370 || (c >= 0x1E00 && c < 0x1F00))
        return LATIN;
    if (c >= 0x400 && c < 0x530)
        return CYRILLIC;
    if (c >= 0x600 && c < 0x780)
        return ARABIC;
    if ((c >= 0xAC00 && c < 0xD7A4) || (c >= 0x1100 && c < 0x1200))
        return HANGUL;
    for (size_t i = 0; i < sizeof alphabets / sizeof *alphabets; i++) {
        if (c >= alphabets[i].first && c <= alphabets[i].last)
            return OTHERS + 1 + i;
    }
    return OTHERS;
}

typedef struct letters {
    uint32_t all;
    uint32_t script[SCRIPT_COUNT];
    uint32_t persian, urdu; /* Arabic letters that Arabic does not have */
    uint32_t vietnamese;    /* Latin letters that only Vietnamese has */
} letters;

static bool is_persian(uint32_t c)
{
    return c == 0x67E || c == 0x686 || c == 0x698 || c == 0x6AF || c == 0x6A9 || c == 0x6CC;
}

static bool is_urdu(uint32_t c)
{
    return c == 0x679 || c == 0x688 || c == 0x691 || c == 0x6BA || c == 0x6D2 || c == 0x6BE;
}

static bool is_vietnamese(uint32_t c)
{
    return (c >= 0x1EA0 && c <= 0x1EF9) || c == 0x1A1 || c == 0x1B0;
}

static void count_letters(letters *l, wn_str text)
{
    const char *p = text.ptr, *end = p + text.len;
    while (p < end) {
        if ((unsigned char)*p < 0x80) { /* most of most texts */
            uint32_t letter = wn_is_ascii_alpha(*p++);
            l->all += letter;
            l->script[LATIN] += letter;
            continue;
        }
        uint32_t c = wn_utf8_next(&p);
        wn_char_class class = wn_text_class_of(c);
        if (class != WN_CLASS_LETTER && class < WN_CLASS_THAI)
            continue;
        l->all++;
        l->script[script_of(c)]++;
        l->persian += is_persian(c);
        l->urdu += is_urdu(c);
        l->vietnamese += is_vietnamese(wn_text_lower(c));
    }
}

static bool is_share(uint32_t part, uint32_t all, uint32_t percent)
{
    return all > 0 && (uint64_t)part * 100 >= (uint64_t)all * percent;
}

/* ---- Stop words -------------------------------------------------------------------------- */

typedef struct scores {
    uint32_t words;
    uint32_t found[MAX_LANGUAGES];  /* stop words of each language */
    uint32_t weight[MAX_LANGUAGES]; /* the same; one that n languages share counts 1/n of 60 */
} scores;

static void count_word(scores *s, wn_str folded)
{
    uint32_t bits = wn_text_stopword_bits(folded);
    uint32_t shared = bits ? (uint32_t)__builtin_popcount(bits) : 1;
    for (; bits; bits &= bits - 1) {
        int language = __builtin_ctz(bits);
        s->found[language]++;
        s->weight[language] += 60 / shared;
    }
    s->words++;
}

static void count_stopwords(scores *s, wn_words *words, wn_str text)
{
    wn_buf folded = {0};
    wn_text_words_set_language(words, WN_STR(""));
    wn_text_words_begin(words, text);
    for (wn_str word; s->words < MAX_WORDS && wn_text_words_next(words, &word);) {
        if (word.len < 2 || wn_is_ascii_digit(word.ptr[0])) /* single letters are in any junk */
            continue;
        wn_buf_clear(&folded);
        wn_text_fold(&folded, word);
        count_word(s, wn_buf_str(&folded));
    }
    wn_buf_free(&folded);
}

/*
 * How often a guess was right, by the number of stop words and by the lead over the second
 * language: counted on 5,693 pieces of 4 to 300 words, of texts in 23 languages (daniel, fundus,
 * terms and other sets).
 */
static double chance_of(uint32_t found, uint32_t best, uint32_t second)
{
    enum { FEW = 6 };
    uint64_t percent = (uint64_t)second * 100 / (best ? best : 1);
    if (percent >= 75)
        return found > FEW ? 0.95 : 0.74;
    if (percent >= 60)
        return found > FEWEST_STOPWORDS ? 0.97 : 0.8;
    if (percent >= 40)
        return found > FEWEST_STOPWORDS ? 0.99 : 0.98;
    return found > FEW ? 0.999 : found > FEWEST_STOPWORDS ? 0.995 : 0.99;
}

/* The language whose stop words are by far the most; "" if there is none. */
static const char *best_language(const scores *s, double *probability)
{
    uint32_t best = 0, second = 0;
    for (uint32_t i = 0; wn_stopword_languages[i][0]; i++) {
        if (s->weight[i] > s->weight[best])
            best = i;
    }
    for (uint32_t i = 0; wn_stopword_languages[i][0]; i++) {
        if (i != best && s->weight[i] > second)
            second = s->weight[i];
    }
    bool clear = s->found[best] >= FEWEST_STOPWORDS &&
                 is_share(s->found[best], s->words, SHARE_OF_WORDS) &&
                 (uint64_t)s->weight[best] * 100 >= (uint64_t)second * LEAD;
    *probability = clear ? chance_of(s->found[best], s->weight[best], second) : 0;
    return clear ? wn_stopword_languages[best] : "";
}

/* ---- The guess --------------------------------------------------------------------------- */

static wn_str sample_of(wn_str text)
{
    text = wn_utf8_prefix(text, SAMPLE);
    return text.len ? text : WN_STR("");
}

static const char *guess_arabic(const letters *l)
{
    if (is_share(l->urdu, l->script[ARABIC], 3))
        return "ur";
    return is_share(l->persian, l->script[ARABIC], 3) ? "fa" : "ar";
}

static const char *guess_by_words(const letters *l, wn_words *words, wn_str text,
                                  double *probability)
{
    if (is_share(l->vietnamese, l->all, 8))
        return "vi";
    scores s = {0};
    wn_text_words_set_language(words, WN_STR("")); /* not as the text before this one was cut */
    count_stopwords(&s, words, text);
    return best_language(&s, probability);
}

/*
 * Of 4,401 guesses by script 9 were wrong; small languages that share a script were not among the
 * texts.
 */
static const double BY_SCRIPT = 0.99;

const char *wn_text_language_judge(wn_words *words, wn_str text, double *probability)
{
    letters l = {0};
    *probability = BY_SCRIPT;
    text = sample_of(text);
    count_letters(&l, text);
    uint32_t cjk = l.script[HAN] + l.script[KANA];
    if (is_share(cjk, l.all, SHARE_OF_LETTERS / 2) && cjk >= FEWEST_STOPWORDS)
        return is_share(l.script[KANA], cjk, 10) ? "ja" : "zh";
    if (is_share(l.script[HANGUL], l.all, SHARE_OF_LETTERS / 2))
        return "ko";
    if (is_share(l.script[ARABIC], l.all, SHARE_OF_LETTERS))
        return guess_arabic(&l);
    if (is_share(l.script[LATIN] + l.script[CYRILLIC], l.all, SHARE_OF_LETTERS))
        return guess_by_words(&l, words, text, probability);
    for (size_t i = 0; i < sizeof alphabets / sizeof *alphabets; i++) {
        if (is_share(l.script[OTHERS + 1 + i], l.all, SHARE_OF_LETTERS / 2))
            return alphabets[i].language;
    }
    *probability = 0;
    return "";
}

const char *wn_text_language_guess(wn_words *words, wn_str text)
{
    double probability;
    return wn_text_language_judge(words, text, &probability);
}
