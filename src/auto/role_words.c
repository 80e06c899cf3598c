/*
 * A word is packed into one number of eight bytes, which is compared with those of the same first
 * letter. Longer words count by their first eight letters.
 */
#include "auto/role_words.h"

#include <stdint.h>

enum { SMALL = 0x20 }; /* the bit that small letters have */

typedef struct role_word {
    uint64_t letters; /* the first is the lowest byte */
    uint64_t mask;    /* of the letters that count: all eight, or a beginning */
    uint16_t says;
} role_word;

#define AT(word, i) ((uint64_t)(unsigned char)(i < sizeof(word) - 1 ? (word)[i] : 0) << (8 * i))
#define LETTERS(word)                                                                              \
    (AT(word, 0) | AT(word, 1) | AT(word, 2) | AT(word, 3) | AT(word, 4) | AT(word, 5) |           \
     AT(word, 6) | AT(word, 7))
#define WHOLE(word, says_)                                                                         \
    {                                                                                              \
        LETTERS(word), UINT64_MAX, says_                                                           \
    }
#define STARTS(word, says_)                                                                        \
    {                                                                                              \
        LETTERS(word), UINT64_MAX >> (8 * (8 - (sizeof(word) - 1 < 8 ? sizeof(word) - 1 : 8))),    \
            says_                                                                                  \
    }

/* clang-format off */
static const role_word words_a[] = {
    STARTS("advert", WN_SAYS_AD), WHOLE("ad", WN_SAYS_AD), WHOLE("ads", WN_SAYS_AD),
    STARTS("adsense", WN_SAYS_AD), STARTS("adslot", WN_SAYS_AD), STARTS("adunit", WN_SAYS_AD), STARTS("adbox", WN_SAYS_AD),
    STARTS("anzeige", WN_SAYS_AD), STARTS("alsoread", WN_SAYS_RELATED),
    STARTS("addthis", WN_SAYS_SHARE),
    STARTS("accordio", WN_SAYS_QUESTION), STARTS("addtoany", WN_SAYS_SHARE), STARTS("author", WN_SAYS_AUTHOR), WHOLE("autor", WN_SAYS_AUTHOR),
    WHOLE("auteur", WN_SAYS_AUTHOR), WHOLE("abstract", WN_SAYS_LEDE),
    STARTS("affiliat", WN_SAYS_PROMOTION), STARTS("adlabel", WN_SAYS_AD), STARTS("adwrap", WN_SAYS_AD), STARTS("adcontai", WN_SAYS_AD), WHOLE("adv", WN_SAYS_AD),
};
static const role_word words_b[] = {
    STARTS("bildunte", WN_SAYS_CAPTION), STARTS("bildtext", WN_SAYS_CAPTION), STARTS("byline", WN_SAYS_AUTHOR), WHOLE("bajada", WN_SAYS_LEDE),
    STARTS("bluesky", WN_SAYS_EMBED), STARTS("breadcru", WN_SAYS_NAVIGATION),
    STARTS("beliebt", WN_SAYS_RELATED),
};
static const role_word words_c[] = {
    STARTS("comment", WN_SAYS_COMMENT), STARTS("comentar", WN_SAYS_COMMENT),
    STARTS("correlat", WN_SAYS_RELATED),
    STARTS("caption", WN_SAYS_CAPTION), WHOLE("credit", WN_SAYS_CAPTION), WHOLE("credits", WN_SAYS_CAPTION),
    STARTS("contribu", WN_SAYS_AUTHOR), WHOLE("chapo", WN_SAYS_LEDE), WHOLE("chapeau", WN_SAYS_LEDE),
    STARTS("copyrigh", WN_SAYS_LEGAL), STARTS("calendar", WN_SAYS_NAVIGATION), STARTS("cookie", WN_SAYS_LEGAL), STARTS("consent", WN_SAYS_LEGAL),
    STARTS("coupon", WN_SAYS_PROMOTION), WHOLE("cta", WN_SAYS_PROMOTION),
};
static const role_word words_d[] = {
    STARTS("disqus", WN_SAYS_COMMENT), WHOLE("donate", WN_SAYS_AD),
    STARTS("donation", WN_SAYS_AD), STARTS("disclosu", WN_SAYS_LEGAL), WHOLE("date", WN_SAYS_DATE), STARTS("dateline", WN_SAYS_DATE),
    STARTS("datetime", WN_SAYS_DATE), WHOLE("datum", WN_SAYS_DATE), WHOLE("dek", WN_SAYS_LEDE),
    WHOLE("deck", WN_SAYS_LEDE), STARTS("disclaim", WN_SAYS_LEGAL),
    WHOLE("deal", WN_SAYS_PROMOTION), WHOLE("deals", WN_SAYS_PROMOTION), WHOLE("dfp", WN_SAYS_AD),
};
static const role_word words_e[] = {
    WHOLE("excerpt", WN_SAYS_LEDE), STARTS("entradil", WN_SAYS_LEDE), STARTS("embed", WN_SAYS_EMBED),
    STARTS("empfehl", WN_SAYS_RELATED),
};
static const role_word words_f[] = {
    STARTS("faq", WN_SAYS_QUESTION), WHOLE("follow", WN_SAYS_SHARE), STARTS("figcapti", WN_SAYS_CAPTION), WHOLE("fn", WN_SAYS_AUTHOR),
    WHOLE("fecha", WN_SAYS_DATE), STARTS("factbox", WN_SAYS_FACTS), WHOLE("facts", WN_SAYS_FACTS),
};
static const role_word words_g[] = {
    WHOLE("gdpr", WN_SAYS_LEGAL),
    STARTS("gerelate", WN_SAYS_RELATED), WHOLE("gpt", WN_SAYS_AD),
};
static const role_word words_h[] = {
    STARTS("headline", WN_SAYS_TITLE),
};
static const role_word words_i[] = {
    STARTS("intro", WN_SAYS_LEDE), WHOLE("ingress", WN_SAYS_LEDE), STARTS("instagra", WN_SAYS_EMBED),
    STARTS("infobox", WN_SAYS_FACTS), STARTS("imagecap", WN_SAYS_CAPTION), STARTS("imgcapti", WN_SAYS_CAPTION),
    STARTS("imagecre", WN_SAYS_CAPTION),
};
static const role_word words_k[] = {
    STARTS("komment", WN_SAYS_COMMENT), STARTS("keyfacts", WN_SAYS_FACTS),
};
static const role_word words_l[] = {
    STARTS("livefyre", WN_SAYS_COMMENT), WHOLE("latest", WN_SAYS_RELATED), WHOLE("legend", WN_SAYS_CAPTION),
    WHOLE("lede", WN_SAYS_LEDE), WHOLE("lead", WN_SAYS_LEDE), WHOLE("legal", WN_SAYS_LEGAL),
};
static const role_word words_m[] = {
    STARTS("mostread", WN_SAYS_RELATED), STARTS("mostview", WN_SAYS_RELATED), STARTS("mostpopu", WN_SAYS_RELATED),
    WHOLE("meta", WN_SAYS_BYLINE), STARTS("metadata", WN_SAYS_BYLINE), WHOLE("menu", WN_SAYS_NAVIGATION),
    STARTS("meistgel", WN_SAYS_RELATED), STARTS("membersh", WN_SAYS_PROMOTION), STARTS("marketin", WN_SAYS_PROMOTION),
};
static const role_word words_n[] = {
    STARTS("newslett", WN_SAYS_SHARE), WHOLE("nav", WN_SAYS_NAVIGATION),
    STARTS("navigati", WN_SAYS_NAVIGATION), STARTS("navbar", WN_SAYS_NAVIGATION),
};
static const role_word words_o[] = {
    STARTS("outbrain", WN_SAYS_RELATED),
    STARTS("offer", WN_SAYS_PROMOTION),
};
static const role_word words_p[] = {
    STARTS("popular", WN_SAYS_RELATED), WHOLE("promo", WN_SAYS_PROMOTION),
    STARTS("promotio", WN_SAYS_PROMOTION), STARTS("paywall", WN_SAYS_AD),
    STARTS("publishe", WN_SAYS_DATE), STARTS("photocap", WN_SAYS_CAPTION), STARTS("phtocap", WN_SAYS_CAPTION), STARTS("piccapti", WN_SAYS_CAPTION), STARTS("photocre", WN_SAYS_CAPTION),
    STARTS("pubblici", WN_SAYS_AD), STARTS("publicid", WN_SAYS_AD), STARTS("publicit", WN_SAYS_AD), STARTS("preamble", WN_SAYS_LEDE), STARTS("privacy", WN_SAYS_LEGAL),
    STARTS("paginat", WN_SAYS_NAVIGATION), WHOLE("pager", WN_SAYS_NAVIGATION),
    STARTS("populair", WN_SAYS_RELATED), STARTS("populer", WN_SAYS_RELATED),
};
static const role_word words_r[] = {
    WHOLE("respond", WN_SAYS_COMMENT), STARTS("reactie", WN_SAYS_COMMENT),
    STARTS("related", WN_SAYS_RELATED), STARTS("recommen", WN_SAYS_RELATED), WHOLE("recent", WN_SAYS_RELATED),
    STARTS("recentpo", WN_SAYS_RELATED), STARTS("recentco", WN_SAYS_RELATED), STARTS("recirc", WN_SAYS_RELATED),
    STARTS("reklam", WN_SAYS_AD), STARTS("readnext", WN_SAYS_RELATED),
    STARTS("relacion", WN_SAYS_RELATED), STARTS("readmore", WN_SAYS_RELATED),
    STARTS("readalso", WN_SAYS_RELATED), STARTS("reporter", WN_SAYS_AUTHOR),
    WHOLE("ranking", WN_SAYS_RELATED), STARTS("recomend", WN_SAYS_RELATED),
};
static const role_word words_s[] = {
    STARTS("similar", WN_SAYS_RELATED), STARTS("suggeste", WN_SAYS_RELATED),
    STARTS("sponsor", WN_SAYS_AD), WHOLE("share", WN_SAYS_SHARE), STARTS("sharing", WN_SAYS_SHARE),
    STARTS("social", WN_SAYS_SHARE), STARTS("subscrib", WN_SAYS_SHARE), STARTS("subscrip", WN_SAYS_SHARE),
    STARTS("sharedad", WN_SAYS_SHARE), STARTS("sharebar", WN_SAYS_SHARE), WHOLE("signup", WN_SAYS_SHARE),
    STARTS("standfir", WN_SAYS_LEDE), STARTS("subtitle", WN_SAYS_LEDE), STARTS("subhead", WN_SAYS_LEDE),
    WHOLE("summary", WN_SAYS_LEDE), STARTS("sottotit", WN_SAYS_LEDE), STARTS("specific", WN_SAYS_FACTS),
    WHOLE("specs", WN_SAYS_FACTS),
    STARTS("suggesti", WN_SAYS_RELATED), WHOLE("shop", WN_SAYS_PROMOTION),
};
static const role_word words_t[] = {
    STARTS("thumbcap", WN_SAYS_CAPTION), STARTS("taboola", WN_SAYS_RELATED), STARTS("talkback", WN_SAYS_COMMENT), STARTS("teaser", WN_SAYS_RELATED),
    STARTS("title", WN_SAYS_TITLE), STARTS("trending", WN_SAYS_RELATED), WHOLE("time", WN_SAYS_DATE),
    STARTS("timestam", WN_SAYS_DATE), STARTS("tweet", WN_SAYS_EMBED), WHOLE("twitter", WN_SAYS_EMBED),
    WHOLE("tiktok", WN_SAYS_EMBED), WHOLE("toc", WN_SAYS_NAVIGATION),
    STARTS("tuijian", WN_SAYS_RELATED), STARTS("terkait", WN_SAYS_RELATED), STARTS("terpopul", WN_SAYS_RELATED),
};
static const role_word words_u[] = {
    STARTS("upsell", WN_SAYS_PROMOTION), STARTS("username", WN_SAYS_AUTHOR), WHOLE("updated", WN_SAYS_DATE),
    STARTS("untertit", WN_SAYS_LEDE),
};
static const role_word words_v[] = {
    STARTS("vorspann", WN_SAYS_LEDE),
    STARTS("verwandt", WN_SAYS_RELATED),
};
static const role_word words_w[] = {
    WHOLE("writer", WN_SAYS_AUTHOR), STARTS("werbung", WN_SAYS_AD),
};

static const role_word words_z[] = {
    STARTS("zergnet", WN_SAYS_RELATED),
};
/*
 * By the first letter, with the letters that follow it in some word: most names are told apart by
 * these two.
 */
static const struct {
    const role_word *words;
    size_t count;
    uint32_t seconds; /* bits, from the lowest: a, b, … */
} table[26] = {
#define IN(letter) UINT32_C(1) << (letter - 'a')
#define OF(name, letter, seconds) [letter - 'a'] = {name, sizeof name / sizeof *name, seconds}
    OF(words_a, 'a', IN('b') | IN('c') | IN('d') | IN('f') | IN('l') | IN('n') | IN('u')),
    OF(words_b, 'b', IN('a') | IN('e') | IN('i') | IN('l') | IN('r') | IN('y')),
    OF(words_c, 'c', IN('a') | IN('h') | IN('o') | IN('r') | IN('t')),
    OF(words_d, 'd', IN('a') | IN('e') | IN('f') | IN('i') | IN('o')),
    OF(words_e, 'e', IN('m') | IN('n') | IN('x')),
    OF(words_f, 'f', IN('a') | IN('e') | IN('i') | IN('n') | IN('o')),
    OF(words_g, 'g', IN('d') | IN('e') | IN('p')),
    OF(words_h, 'h', IN('e')),
    OF(words_i, 'i', IN('m') | IN('n')),
    OF(words_k, 'k', IN('e') | IN('o')),
    OF(words_l, 'l', IN('a') | IN('e') | IN('i')),
    OF(words_m, 'm', IN('a') | IN('e') | IN('o')),
    OF(words_n, 'n', IN('a') | IN('e')),
    OF(words_o, 'o', IN('f') | IN('u')),
    OF(words_p, 'p', IN('a') | IN('h') | IN('i') | IN('o') | IN('r') | IN('u')),
    OF(words_r, 'r', IN('a') | IN('e')),
    OF(words_s, 's', IN('h') | IN('i') | IN('o') | IN('p') | IN('t') | IN('u')),
    OF(words_t, 't', IN('a') | IN('e') | IN('h') | IN('i') | IN('o') | IN('r') | IN('u') | IN('w')),
    OF(words_u, 'u', IN('n') | IN('p') | IN('s')),
    OF(words_v, 'v', IN('e') | IN('o')),
    OF(words_w, 'w', IN('e') | IN('r')),
    OF(words_z, 'z', IN('e')),
#undef OF
#undef IN
};
/* clang-format on */

static uint64_t pack(wn_str word)
{
    enum { LETTERS_THAT_COUNT = 8 };
    uint64_t letters = 0;
    for (size_t i = 0; i < word.len && i < LETTERS_THAT_COUNT; i++)
        letters |= (uint64_t)((unsigned char)word.ptr[i] | SMALL) << (8 * i);
    return letters;
}

/* Which letter of the alphabet it is, in either case; others are 26 or more. */
static unsigned letter_at(wn_str word, size_t i)
{
    return ((unsigned)(unsigned char)word.ptr[i] | SMALL) - 'a';
}

uint16_t wn_auto_role_word(wn_str word)
{
    unsigned says = 0, first, second;
    if (word.len < 2 || (first = letter_at(word, 0)) >= sizeof table / sizeof *table ||
        (second = letter_at(word, 1)) >= 26 || !(table[first].seconds >> second & 1))
        return 0;
    uint64_t letters = pack(word);
    for (size_t i = 0; i < table[first].count; i++) {
        const role_word *known = &table[first].words[i];
        says |= (letters & known->mask) == known->letters ? known->says : 0u;
    }
    return (uint16_t)says;
}
