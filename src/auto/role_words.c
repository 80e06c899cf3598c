/*
 * A word is packed into one number of eight bytes, which is compared with all in the table: no branch but
 * the last depends on it. Longer words count by their first eight letters.
 */
#include "auto/role_words.h"

#include <stdint.h>

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
static const role_word table[] = {
    STARTS("comment", WN_SAYS_COMMENT), STARTS("komment", WN_SAYS_COMMENT), STARTS("comentar", WN_SAYS_COMMENT),
    STARTS("disqus", WN_SAYS_COMMENT), WHOLE("respond", WN_SAYS_COMMENT), STARTS("livefyre", WN_SAYS_COMMENT),
    STARTS("reactie", WN_SAYS_COMMENT),
    STARTS("related", WN_SAYS_RELATED), STARTS("recommen", WN_SAYS_RELATED), STARTS("similar", WN_SAYS_RELATED),
    STARTS("outbrain", WN_SAYS_RELATED), STARTS("taboola", WN_SAYS_RELATED), STARTS("trending", WN_SAYS_RELATED),
    STARTS("popular", WN_SAYS_RELATED), STARTS("suggeste", WN_SAYS_RELATED), WHOLE("relatedposts", WN_SAYS_RELATED),
    WHOLE("latest", WN_SAYS_RELATED), STARTS("mostread", WN_SAYS_RELATED), STARTS("relacion", WN_SAYS_RELATED),
    STARTS("readmore", WN_SAYS_RELATED), STARTS("readalso", WN_SAYS_RELATED), STARTS("correlat", WN_SAYS_RELATED),
    WHOLE("promo", WN_SAYS_PROMOTION), STARTS("promotio", WN_SAYS_PROMOTION), STARTS("advert", WN_SAYS_PROMOTION),
    STARTS("sponsor", WN_SAYS_PROMOTION), WHOLE("ad", WN_SAYS_PROMOTION), WHOLE("ads", WN_SAYS_PROMOTION),
    WHOLE("paywall", WN_SAYS_PROMOTION), WHOLE("donate", WN_SAYS_PROMOTION), WHOLE("donation", WN_SAYS_PROMOTION),
    WHOLE("cta", WN_SAYS_PROMOTION), STARTS("upsell", WN_SAYS_PROMOTION), STARTS("affiliat", WN_SAYS_PROMOTION),
    WHOLE("share", WN_SAYS_SHARE), STARTS("sharing", WN_SAYS_SHARE), STARTS("social", WN_SAYS_SHARE),
    STARTS("subscrib", WN_SAYS_SHARE), STARTS("subscrip", WN_SAYS_SHARE), STARTS("newslett", WN_SAYS_SHARE),
    STARTS("sharedad", WN_SAYS_SHARE), STARTS("addthis", WN_SAYS_SHARE), STARTS("sharebar", WN_SAYS_SHARE),
    WHOLE("signup", WN_SAYS_SHARE), WHOLE("follow", WN_SAYS_SHARE), STARTS("addtoany", WN_SAYS_SHARE),
    STARTS("caption", WN_SAYS_CAPTION), STARTS("figcapti", WN_SAYS_CAPTION), WHOLE("credit", WN_SAYS_CAPTION),
    WHOLE("credits", WN_SAYS_CAPTION), STARTS("bildunte", WN_SAYS_CAPTION), WHOLE("legend", WN_SAYS_CAPTION),
    STARTS("byline", WN_SAYS_AUTHOR), STARTS("author", WN_SAYS_AUTHOR), WHOLE("autor", WN_SAYS_AUTHOR),
    WHOLE("auteur", WN_SAYS_AUTHOR), WHOLE("fn", WN_SAYS_AUTHOR), STARTS("username", WN_SAYS_AUTHOR),
    WHOLE("writer", WN_SAYS_AUTHOR), STARTS("contribu", WN_SAYS_AUTHOR), STARTS("reporter", WN_SAYS_AUTHOR),
    WHOLE("date", WN_SAYS_DATE), WHOLE("time", WN_SAYS_DATE), STARTS("dateline", WN_SAYS_DATE),
    STARTS("timestam", WN_SAYS_DATE), STARTS("publishe", WN_SAYS_DATE), STARTS("datetime", WN_SAYS_DATE),
    WHOLE("updated", WN_SAYS_DATE), WHOLE("datum", WN_SAYS_DATE), WHOLE("fecha", WN_SAYS_DATE),
    WHOLE("lede", WN_SAYS_LEDE), WHOLE("lead", WN_SAYS_LEDE), STARTS("standfir", WN_SAYS_LEDE),
    WHOLE("dek", WN_SAYS_LEDE), WHOLE("deck", WN_SAYS_LEDE), STARTS("subtitle", WN_SAYS_LEDE),
    STARTS("subhead", WN_SAYS_LEDE), WHOLE("chapo", WN_SAYS_LEDE), WHOLE("chapeau", WN_SAYS_LEDE),
    STARTS("intro", WN_SAYS_LEDE), WHOLE("summary", WN_SAYS_LEDE), WHOLE("excerpt", WN_SAYS_LEDE),
    WHOLE("abstract", WN_SAYS_LEDE), STARTS("sottotit", WN_SAYS_LEDE), STARTS("entradil", WN_SAYS_LEDE),
    WHOLE("ingress", WN_SAYS_LEDE), WHOLE("bajada", WN_SAYS_LEDE), STARTS("vorspann", WN_SAYS_LEDE),
    STARTS("untertit", WN_SAYS_LEDE), STARTS("preamble", WN_SAYS_LEDE),
    STARTS("tweet", WN_SAYS_EMBED), WHOLE("twitter", WN_SAYS_EMBED), STARTS("instagra", WN_SAYS_EMBED),
    STARTS("embed", WN_SAYS_EMBED), STARTS("bluesky", WN_SAYS_EMBED), WHOLE("tiktok", WN_SAYS_EMBED),
    WHOLE("legal", WN_SAYS_LEGAL), STARTS("copyrigh", WN_SAYS_LEGAL), STARTS("disclaim", WN_SAYS_LEGAL),
    STARTS("cookie", WN_SAYS_LEGAL), STARTS("privacy", WN_SAYS_LEGAL), WHOLE("gdpr", WN_SAYS_LEGAL),
    STARTS("consent", WN_SAYS_LEGAL),
    WHOLE("nav", WN_SAYS_NAVIGATION), STARTS("navigati", WN_SAYS_NAVIGATION), STARTS("navbar", WN_SAYS_NAVIGATION),
    WHOLE("menu", WN_SAYS_NAVIGATION), STARTS("breadcru", WN_SAYS_NAVIGATION), STARTS("paginat", WN_SAYS_NAVIGATION),
    WHOLE("pager", WN_SAYS_NAVIGATION), WHOLE("toc", WN_SAYS_NAVIGATION),
    STARTS("factbox", WN_SAYS_FACTS), STARTS("infobox", WN_SAYS_FACTS), WHOLE("facts", WN_SAYS_FACTS),
    STARTS("keyfacts", WN_SAYS_FACTS), STARTS("specific", WN_SAYS_FACTS), WHOLE("specs", WN_SAYS_FACTS),
};
/* clang-format on */

static uint64_t pack(wn_str word)
{
    enum { LETTERS_THAT_COUNT = 8, SMALL = 0x20 };
    uint64_t letters = 0;
    for (size_t i = 0; i < word.len && i < LETTERS_THAT_COUNT; i++)
        letters |= (uint64_t)((unsigned char)word.ptr[i] | SMALL) << (8 * i);
    return letters;
}

uint16_t wn_auto_role_word(wn_str word)
{
    uint64_t letters = pack(word);
    unsigned says = 0;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        says |= table[i].says & -(unsigned)((letters & table[i].mask) == table[i].letters);
    return (uint16_t)says;
}
