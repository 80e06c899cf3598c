/*
 * Phrases are told apart by their first byte, terms are searched by halves. All of them are in the
 * languages of the pages that were read for this.
 */
#include "auto/role_phrases.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "auto/features_text.h"
#include "base/utf8.h"
#include "text/unicode.h"

/* ---- What a text begins with ------------------------------------------------------------- */

/* "Read also: …" in the languages of the sets that were read. */
static const wn_str read_also[] = {
    {"also read", 9},
    {"a lire", 6},
    {"baca juga", 9},
    {"czytaj także", 13},
    {"czytaj też", 11},
    {"don't miss", 10},
    {"ilgili haber", 12},
    {"lire aussi", 10},
    {"lesen sie auch", 14},
    {"lesen sie mehr", 14},
    {"leggi anche", 11},
    {"lea también", 12},
    {"lee también", 12},
    {"leia também", 12},
    {"leia mais", 9},
    {"lees ook", 8},
    {"läs också", 11},
    {"les også", 9},
    {"læs også", 10},
    {"lue myös", 9},
    {"more on this", 12},
    {"more:", 5},
    {"mehr zum thema", 14},
    {"read also", 9},
    {"read more", 9},
    {"read next", 9},
    {"related:", 8},
    {"related article", 15},
    {"recommended", 11},
    {"see also", 8},
    {"te puede interesar", 18},
    {"tin liên quan", 14},
    {"xem thêm", 9},
    {"zobacz także", 13},
    {"à lire", 7},
    {"あわせて読みたい", 24},
    {"延伸阅读", 12},
    {"延伸閱讀", 12},
    {"相关阅读", 12},
    {"関連記事", 12},
    {"Читайте также", 25},
    {"Читайте також", 25},
    {"читайте также", 25},
    {"читайте також", 25},
    {"اقرأ أيضا", 17},
};

/* What is written above an advertisement. */
static const wn_str ad_labels[] = {
    {"advertisement", 13},
    {"anzeige", 7},
    {"annonce", 7},
    {"advertent", 9},
    {"ads by", 6},
    {"about these ads", 15},
    {"ad link", 7},
    {"continue reading below", 22},
    {"hide ad", 7},
    {"la suite après la publicité", 29},
    {"paid content", 12},
    {"paid post", 9},
    {"publicité", 10},
    {"publicidad", 10},
    {"publicidade", 11},
    {"pubblicità", 11},
    {"passer la publicité", 20},
    {"reklam", 6},
    {"report this ad", 14},
    {"sponsor", 7},
    {"story continues below", 21},
    {"skip ad", 7},
    {"werbung", 7},
    {"[pr]", 4},
    {"广告", 6},
    {"廣告", 6},
    {"広告", 6},
    {"광고", 6},
    {"διαφήμιση", 18},
    {"Διαφήμιση", 18},
    {"Реклама", 14},
    {"РЕКЛАМА", 14},
    {"на правах рекламы", 32},
    {"На правах рекламы", 32},
    {"реклама", 14},
};

/* Buttons in advertisements and of sites. */
static const wn_str controls[] = {
    {"close", 5},   {"follow", 6},  {"fullscreen", 10}, {"log in", 6},     {"login", 5},
    {"sign up", 7}, {"sign in", 7}, {"share", 5},       {"schließen", 10}, {"点击关闭", 12},
};

/* Offers, as they begin. */
static const wn_str offers[] = {
    {"apply now", 9},
    {"abonnez-vous", 12},
    {"already a subscriber", 20},
    {"already a paid", 14},
    {"buy the book", 12},
    {"become a member", 15},
    {"buy now", 7},
    {"buy my book", 11},
    {"donate", 6},
    {"download our app", 16},
    {"download the app", 16},
    {"free trial", 10},
    {"get 50%", 7},
    {"get the app", 11},
    {"get started today", 17},
    {"hazte socio", 11},
    {"jetzt testen", 12},
    {"jetzt testen", 12},
    {"jetzt kaufen", 12},
    {"jetzt abonn", 11},
    {"limited time", 12},
    {"order your copy", 15},
    {"order now", 9},
    {"read our books", 14},
    {"subscribe for", 13},
    {"subscribe $", 11},
    {"support us", 10},
    {"support our", 11},
    {"subscribe today", 15},
    {"subscribe now", 13},
    {"shop now", 8},
    {"start your free", 15},
    {"start free trial", 16},
    {"suscríbete", 11},
    {"special offer", 13},
    {"this content is reserved", 24},
    {"try it free", 11},
    {"try for free", 12},
    {"unlimited access", 16},
    {"unlock", 6},
    {"your support", 12},
};

/* What is written above, below and among comments. */
static const wn_str comment_starts[] = {
    {"add a comment", 13},
    {"add comment", 11},
    {"add your comment", 16},
    {"all comments will be", 20},
    {"blog comments powered", 21},
    {"comments powered", 16},
    {"comments closed", 15},
    {"comments are closed", 19},
    {"cancel reply", 12},
    {"click here to cancel reply", 26},
    {"comments (", 10},
    {"deja un comentario", 18},
    {"deja una respuesta", 18},
    {"deixe um comentário", 20},
    {"dodaj komentarz", 15},
    {"discuss this article", 20},
    {"geef een reactie", 16},
    {"kommentar schreiben", 19},
    {"kommentare (", 12},
    {"komentarze (", 12},
    {"leave a comment", 15},
    {"leave a reply", 13},
    {"laisser un commentaire", 22},
    {"lascia un commento", 18},
    {"no comments yet", 15},
    {"post a comment", 14},
    {"post comment", 12},
    {"please enable javascript to view the comment", 44},
    {"reader comments", 15},
    {"skriv en kommentar", 18},
    {"user comments", 13},
    {"view all comments", 17},
    {"write a comment", 15},
    {"your email address will not", 27},
    {"コメントを", 15},
    {"发表评论", 12},
    {"网友评论", 12},
    {"Комментарии (", 24},
    {"Оставить комментарий", 39},
};

/* Forms for comments, what a site says of them, and of those who are not logged in. */
static const wn_str comment_form_starts[] = {
    {"(required)", 10},
    {"as a final step", 15},
    {"all fields", 10},
    {"allowed html", 12},
    {"allowed tags", 12},
    {"are you human", 13},
    {"all comments are", 16},
    {"be the first to", 15},
    {"basic html", 10},
    {"be respectful", 13},
    {"comment below or", 16},
    {"comments rss", 12},
    {"comment feed", 12},
    {"comments must be", 16},
    {"comments are moderated", 22},
    {"deine e-mail", 12},
    {"debes", 5},
    {"devi essere", 11},
    {"email (", 7},
    {"e-mail (", 8},
    {"email address", 13},
    {"e-mail address", 14},
    {"error type", 10},
    {"enter the", 9},
    {"fields marked", 13},
    {"having trouble reading", 22},
    {"ihre e-mail", 11},
    {"il tuo indirizzo", 16},
    {"join the conversation", 21},
    {"join the discussion", 19},
    {"login to", 8},
    {"log in to", 9},
    {"login or", 8},
    {"log in or", 9},
    {"login/register", 14},
    {"loading", 7},
    {"like or dislike", 15},
    {"load more", 9},
    {"mail (will", 10},
    {"name (required", 14},
    {"name (", 6},
    {"name *", 6},
    {"notify me", 9},
    {"no comments", 11},
    {"newer comments", 14},
    {"older comments", 14},
    {"order by", 8},
    {"o seu endereço", 15},
    {"please log in", 13},
    {"please login", 12},
    {"please sign in", 14},
    {"please register", 15},
    {"powered by", 10},
    {"previous comments", 17},
    {"prove you", 9},
    {"please enter", 12},
    {"please note:", 12},
    {"remember me", 11},
    {"remember personal", 17},
    {"remember my", 11},
    {"rss feed", 8},
    {"required fields", 15},
    {"save my name", 12},
    {"sign in to", 10},
    {"sign in or", 10},
    {"some html", 9},
    {"sort by", 7},
    {"show all", 8},
    {"show more comments", 18},
    {"sie müssen", 11},
    {"su dirección", 13},
    {"this is only a preview", 22},
    {"there are no comments", 21},
    {"there are currently no", 22},
    {"the letters and numbers you", 27},
    {"trackback", 9},
    {"type the characters", 19},
    {"this site uses akismet", 22},
    {"this blog is kept", 17},
    {"tu dirección", 13},
    {"url (", 5},
    {"view all", 8},
    {"veuillez", 8},
    {"vous devez", 10},
    {"votre adresse", 13},
    {"website (", 9},
    {"write the displayed", 19},
    {"want an avatar", 14},
    {"xhtml:", 6},
    {"your name", 9},
    {"your email", 10},
    {"your e-mail", 11},
    {"you can use these", 17},
    {"you may use these", 17},
    {"you can use html", 16},
    {"you must be logged", 18},
    {"you must be registered", 22},
    {"you must be signed", 18},
    {"you need to be logged", 21},
    {"you need to log", 15},
    {"you have to log", 15},
    {"you are currently signed", 24},
    {"you are not logged", 18},
    {"you are posting", 15},
    {"your comment has", 16},
    {"your comment could", 18},
    {"your comments may", 17},
    {"you can follow", 14},
    {"you can skip to", 15},
    {"{ ", 2},
    {"« older", 8},
    {"您的电子", 12},
    {"登录后", 9},
    {"请登录", 9},
};

/* Labels of such forms, and buttons beside a comment. */
static const wn_str comment_buttons[] = {
    {"name", 4},
    {"names", 5},
    {"email", 5},
    {"e-mail", 6},
    {"mail", 4},
    {"url", 3},
    {"website", 7},
    {"web site", 8},
    {"homepage", 8},
    {"comment", 7},
    {"comments", 8},
    {"your comment", 12},
    {"reply", 5},
    {"replies", 7},
    {"reply to this", 13},
    {"like", 4},
    {"unlike", 6},
    {"dislike", 7},
    {"likes", 5},
    {"share", 5},
    {"report", 6},
    {"report abuse", 12},
    {"report comment", 14},
    {"flag", 4},
    {"flag comment", 12},
    {"edit", 4},
    {"delete", 6},
    {"permalink", 9},
    {"link", 4},
    {"quote", 5},
    {"submit", 6},
    {"submit comment", 14},
    {"cancel", 6},
    {"preview", 7},
    {"post", 4},
    {"posted by", 9},
    {"log in", 6},
    {"login", 5},
    {"sign in", 7},
    {"sign up", 7},
    {"register", 8},
    {"title", 5},
    {"subject", 7},
    {"message", 7},
    {"author", 6},
    {"posts", 5},
    {"post reply", 10},
    {"spam", 4},
    {"hide", 4},
    {"show", 4},
    {"more", 4},
    {"read more", 9},
    {"see more", 8},
    {"less", 4},
    {"top", 3},
    {"oldest", 6},
    {"newest", 6},
    {"best", 4},
    {"follow", 6},
    {"print", 5},
    {"parent", 6},
    {"up", 2},
    {"down", 4},
    {"vote up", 7},
    {"vote down", 9},
    {"thumbs up", 9},
    {"thumbs down", 11},
    {"previous", 8},
    {"next", 4},
    {"recommend", 9},
    {"delete comment", 14},
    {"in reply to", 11},
    {"says", 4},
    {"say", 3},
    {"and", 3},
    {"or", 2},
    {"required", 8},
    {"optional", 8},
    {"antworten", 9},
    {"melden", 6},
    {"zitieren", 8},
    {"kommentar", 9},
    {"kommentieren", 12},
    {"gefällt mir", 12},
    {"répondre", 9},
    {"signaler", 8},
    {"citer", 5},
    {"responder", 9},
    {"denunciar", 9},
    {"me gusta", 8},
    {"rispondi", 8},
    {"segnala", 7},
    {"svara", 5},
    {"svar", 4},
    {"anmäl", 6},
    {"beantwoorden", 12},
    {"odpowiedz", 9},
    {"zgłoś", 7},
    {"ответить", 16},
    {"Ответить", 16},
    {"цитировать", 20},
    {"回复", 6},
    {"举报", 6},
    {"赞", 3},
    {"引用", 6},
    {"返信", 6},
    {"通報", 6},
};

/* Captions that say so. */
static const wn_str caption_starts[] = {
    {"(photo", 6},        {"(foto", 5},         {"(fot.", 5},
    {"bild:", 5},         {"credit:", 7},       {"courtesy ", 9},
    {"foto:", 5},         {"figure ", 7},       {"fig. ", 5},
    {"getty images", 12}, {"image:", 6},        {"image via", 9},
    {"image credit", 12}, {"image source", 12}, {"illustration by", 15},
    {"photo:", 6},        {"photo by", 8},      {"photos:", 7},
    {"photograph", 10},   {"picture:", 8},      {"photo : ", 8},
    {"source: ap", 10},   {"图：", 6},          {"图片来源", 12},
    {"фото:", 9},
};

/* The order of the lists: by the first byte, whatever its case. */
static unsigned char order_of(wn_str text)
{
    enum { SMALL = 0x20 }; /* the bit that small letters have */
    return (unsigned char)text.ptr[0] & ~SMALL;
}

/* Every block is compared with hundreds of phrases, so those with another first letter are left out. */
static bool starts_with_one(wn_str text, const wn_str *list, size_t count)
{
    enum { SHORTEST = 2 }; /* bytes of a phrase */
    if (text.len < SHORTEST)
        return false;
    unsigned char order = order_of(text);
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (order_of(list[middle]) < order)
            low = middle + 1;
        else
            high = middle;
    }
    assert(low == 0 || order_of(list[low - 1]) < order);
    for (; low < count && order_of(list[low]) == order; low++)
        if (wn_str_starts_nocase(text, list[low]))
            return true;
    assert(low == count || order_of(list[low]) > order);
    return false;
}

#define STARTS_WITH(text, list) starts_with_one(text, list, sizeof list / sizeof *list)

/* Past the signs that a text may begin with: "- Advertisement -", "• Sponsored". */
static wn_str skip_signs(wn_str text)
{
    enum { BULLETS = 0xE2, BULLET_BYTES = 3 }; /* U+2000 to U+2FFF */
    size_t at = 0;
    while (at < text.len && text.ptr[at] != '(') {
        unsigned char byte = (unsigned char)text.ptr[at];
        if (byte == BULLETS && text.len - at > BULLET_BYTES)
            at += BULLET_BYTES;
        else if (byte < '0')
            at++;
        else
            break;
    }
    return wn_str_from_offset(text, at);
}

bool wn_auto_role_phrase_starts(wn_str text, wn_auto_role_phrase phrase)
{
    switch (phrase) {
    case WN_PHRASE_READ_ALSO:
        return STARTS_WITH(text, read_also);
    case WN_PHRASE_AD:
        return STARTS_WITH(skip_signs(text), ad_labels);
    case WN_PHRASE_OFFER:
        return STARTS_WITH(skip_signs(text), offers);
    case WN_PHRASE_COMMENT:
        return STARTS_WITH(text, comment_starts);
    case WN_PHRASE_CAPTION:
        return STARTS_WITH(text, caption_starts);
    case WN_PHRASE_COMMENT_FORM:
        return STARTS_WITH(skip_signs(text), comment_form_starts);
    default:
        return STARTS_WITH(text, controls);
    }
}

bool wn_auto_is_comment_button(wn_str text)
{
    text = skip_signs(wn_str_trim(text));
    while (text.len > 0 && (unsigned char)text.ptr[0] < 'A') /* signs, digits, spaces */
        text = wn_str_from_offset(text, 1);
    while (text.len > 0 && (unsigned char)text.ptr[text.len - 1] < 'A')
        text.len--;
    for (size_t i = 0; i < sizeof comment_buttons / sizeof *comment_buttons; i++)
        if (wn_str_eq_nocase(text, comment_buttons[i]))
            return true;
    return text.len == 0;
}

/* ---- Words anywhere in a text ------------------------------------------------------------ */

enum { TERM_BYTES = 16 }; /* with a NUL; of longer words the first letters count */

typedef struct term {
    char word[TERM_BYTES];
    uint8_t kinds; /* bits: 1 << WN_TERM_… */
} term;

enum {
    OFFER = 1 << WN_TERM_OFFER,
    RELATED = 1 << WN_TERM_RELATED,
    COMMENT = 1 << WN_TERM_COMMENT,
    CAPTION = 1 << WN_TERM_CAPTION,
    SERVICE = 1 << WN_TERM_SERVICE,
};

/* In the order of their bytes. */
/* clang-format off */
static const term terms[] = {
    {"abbonamenti", OFFER}, {"abbonamento", OFFER}, {"abbonati", OFFER}, {"abo", OFFER},
    {"abonnement", OFFER}, {"abonnements", OFFER}, {"abonnent", OFFER}, {"abonner", OFFER},
    {"abonnez", OFFER}, {"abonnieren", OFFER}, {"abonné", OFFER}, {"abonnés", OFFER},
    {"accedi", SERVICE}, {"account", SERVICE}, {"accounts", SERVICE}, {"acheter", OFFER},
    {"achetez", OFFER}, {"actualités", RELATED}, {"actus", RELATED}, {"ad", OFFER}, {"ads", OFFER},
    {"advert", OFFER}, {"advertise", OFFER}, {"advertisement", OFFER}, {"advertisements", OFFER},
    {"advertiser", OFFER}, {"advertisers", OFFER}, {"advertising", OFFER}, {"advertorial", OFFER},
    {"affiliate", OFFER | SERVICE}, {"afp", CAPTION}, {"ago", COMMENT}, {"agree", COMMENT},
    {"akce", OFFER}, {"aktuell", RELATED}, {"aktuelle", RELATED}, {"aktuelles", RELATED},
    {"alamy", CAPTION}, {"alert", SERVICE}, {"alerts", SERVICE}, {"also", RELATED},
    {"altre", RELATED}, {"altri", RELATED}, {"amazon", OFFER}, {"anche", RELATED},
    {"android", OFFER}, {"angebot", OFFER}, {"angebote", OFFER}, {"anmelden", SERVICE},
    {"anmeldung", SERVICE}, {"annonce", OFFER}, {"annonces", OFFER}, {"annons", OFFER},
    {"annonse", OFFER}, {"annual", OFFER}, {"anonymous", COMMENT}, {"antworten", COMMENT},
    {"anzeige", OFFER}, {"anzeigen", OFFER}, {"ap", CAPTION}, {"app", OFFER}, {"apply", OFFER},
    {"apps", OFFER}, {"archive", CAPTION | RELATED}, {"archives", RELATED}, {"article", RELATED},
    {"articles", RELATED}, {"articoli", RELATED}, {"artikel", RELATED}, {"artykuły", RELATED},
    {"artículos", RELATED}, {"auch", RELATED}, {"aussi", RELATED}, {"autres", RELATED},
    {"baca", RELATED}, {"baixe", OFFER}, {"bargain", OFFER}, {"beiträge", RELATED},
    {"bekijk", RELATED}, {"beliebt", RELATED}, {"berita", RELATED}, {"bestellen", OFFER},
    {"bet", OFFER}, {"betting", OFFER}, {"bild", CAPTION}, {"bilder", CAPTION}, {"bonus", OFFER},
    {"book", OFFER}, {"books", OFFER}, {"bought", RELATED}, {"brought", OFFER},
    {"browser", SERVICE}, {"buy", OFFER}, {"cadastre", SERVICE}, {"cancel", OFFER},
    {"caption", CAPTION}, {"cashback", OFFER}, {"casino", OFFER}, {"checkout", OFFER},
    {"classifieds", OFFER}, {"comentar", COMMENT}, {"comentario", COMMENT},
    {"comentarios", COMMENT}, {"comentário", COMMENT}, {"comentários", COMMENT},
    {"comment", COMMENT}, {"commentaire", COMMENT}, {"commentaires", COMMENT},
    {"commented", COMMENT}, {"commenter", COMMENT}, {"commenti", COMMENT}, {"commenting", COMMENT},
    {"commento", COMMENT}, {"comments", COMMENT}, {"commission", SERVICE},
    {"compartilhar", SERVICE}, {"compra", OFFER}, {"comprar", OFFER}, {"compte", SERVICE},
    {"condividi", SERVICE}, {"connectez", SERVICE}, {"connexion", SERVICE}, {"continue", RELATED},
    {"contribute", OFFER}, {"cookbook", OFFER}, {"cookbooks", OFFER}, {"cookie", SERVICE},
    {"cookies", SERVICE}, {"correlate", RELATED}, {"correo", SERVICE}, {"coupon", OFFER},
    {"coupons", OFFER}, {"course", OFFER}, {"courses", OFFER}, {"courtesy", CAPTION},
    {"credit", CAPTION | OFFER}, {"credits", CAPTION}, {"cuenta", SERVICE}, {"czytaj", RELATED},
    {"czytane", RELATED}, {"další", RELATED}, {"deal", OFFER}, {"deals", OFFER}, {"delen", SERVICE},
    {"demo", OFFER}, {"derniers", RELATED}, {"dernières", RELATED}, {"descuento", OFFER},
    {"digest", SERVICE}, {"disagree", COMMENT}, {"disclaimer", SERVICE}, {"disclosure", SERVICE},
    {"discount", OFFER}, {"discounts", OFFER}, {"discussion", COMMENT}, {"discussions", RELATED},
    {"diskuze", COMMENT}, {"disqus", COMMENT}, {"don", OFFER}, {"dona", OFFER}, {"donate", OFFER},
    {"donating", OFFER}, {"donation", OFFER}, {"donations", OFFER}, {"donor", OFFER},
    {"download", OFFER}, {"dpa", CAPTION}, {"drucken", SERVICE}, {"drukuj", SERVICE},
    {"earn", OFFER}, {"ebay", OFFER}, {"ebook", OFFER}, {"editor", RELATED}, {"editors", RELATED},
    {"email", SERVICE}, {"emails", SERVICE}, {"empfehlungen", RELATED}, {"empfohlen", RELATED},
    {"envoyer", SERVICE}, {"epa", CAPTION}, {"essai", OFFER}, {"exclusive", OFFER},
    {"facebook", SERVICE}, {"featured", RELATED}, {"feed", SERVICE}, {"feeds", SERVICE},
    {"fig", CAPTION}, {"figure", CAPTION}, {"file", CAPTION}, {"flag", COMMENT}, {"flere", RELATED},
    {"folgen", SERVICE}, {"follow", SERVICE}, {"followers", SERVICE}, {"following", SERVICE},
    {"foto", CAPTION}, {"fotos", CAPTION}, {"free", OFFER}, {"gerelateerde", RELATED},
    {"getty", CAPTION}, {"gift", OFFER}, {"gifts", OFFER}, {"giriş", SERVICE}, {"gratis", OFFER},
    {"gratuit", OFFER}, {"gratuitement", OFFER}, {"grátis", OFFER}, {"guarantee", OFFER},
    {"guarda", RELATED}, {"guest", COMMENT}, {"guidelines", SERVICE}, {"gutschein", OFFER},
    {"gutscheine", OFFER}, {"haber", RELATED}, {"haberler", RELATED}, {"handout", CAPTION},
    {"headlines", RELATED}, {"hot", RELATED}, {"iklan", OFFER}, {"illustrated", CAPTION},
    {"illustration", CAPTION}, {"image", CAPTION}, {"images", CAPTION}, {"imprimer", SERVICE},
    {"imprimir", SERVICE}, {"inbox", SERVICE}, {"inloggen", SERVICE}, {"inscription", SERVICE},
    {"inscrivez", SERVICE}, {"instagram", SERVICE}, {"install", OFFER}, {"insurance", OFFER},
    {"interessant", RELATED}, {"interessieren", RELATED}, {"interested", RELATED}, {"ios", OFFER},
    {"ipad", OFFER}, {"iphone", OFFER}, {"iscriviti", SERVICE}, {"istock", CAPTION},
    {"jetzt", OFFER}, {"join", OFFER}, {"juga", RELATED}, {"kaufen", OFFER}, {"kindle", OFFER},
    {"kjøp", OFFER}, {"komentar", COMMENT}, {"komentarz", COMMENT}, {"komentarze", COMMENT},
    {"komentáře", COMMENT}, {"kommentar", COMMENT}, {"kommentare", COMMENT},
    {"kommentarer", COMMENT}, {"konto", SERVICE}, {"kostenlos", OFFER}, {"kup", OFFER},
    {"köp", OFFER}, {"laatste", RELATED}, {"lainnya", RELATED}, {"latest", RELATED},
    {"lee", RELATED}, {"lees", RELATED}, {"left", CAPTION}, {"leggi", RELATED}, {"leia", RELATED},
    {"les", RELATED}, {"lesen", RELATED}, {"lest", RELATED}, {"lidas", RELATED}, {"like", RELATED},
    {"likely", RELATED}, {"limited", OFFER}, {"linkedin", SERVICE}, {"lire", RELATED},
    {"loan", OFFER}, {"loans", OFFER}, {"log", COMMENT | SERVICE}, {"logged", COMMENT | SERVICE},
    {"login", COMMENT | SERVICE}, {"loja", OFFER}, {"lol", COMMENT}, {"looks", CAPTION},
    {"lowest", OFFER}, {"lus", RELATED}, {"läs", RELATED}, {"magazine", OFFER}, {"mail", SERVICE},
    {"mais", RELATED}, {"marketplace", OFFER}, {"masuk", SERVICE}, {"meer", RELATED},
    {"mehr", RELATED}, {"meistgelesen", RELATED}, {"meistgelesene", RELATED}, {"member", OFFER},
    {"members", OFFER}, {"membership", OFFER}, {"memberships", OFFER}, {"mer", RELATED},
    {"mes", OFFER}, {"mest", RELATED}, {"moderated", COMMENT}, {"moderation", COMMENT},
    {"moderator", COMMENT}, {"mois", OFFER}, {"monat", OFFER}, {"month", OFFER}, {"monthly", OFFER},
    {"more", RELATED}, {"mortgage", OFFER}, {"most", RELATED}, {"más", RELATED}, {"même", RELATED},
    {"nachrichten", RELATED}, {"najnowsze", RELATED}, {"neueste", RELATED}, {"newer", RELATED},
    {"news", RELATED}, {"newsletter", SERVICE}, {"newsletters", SERVICE}, {"next", RELATED},
    {"nieuws", RELATED}, {"nieuwsbrief", SERVICE}, {"noticias", RELATED}, {"notification", SERVICE},
    {"notifications", SERVICE}, {"notizie", RELATED}, {"notícias", RELATED}, {"nyheter", RELATED},
    {"också", RELATED}, {"odpowiedz", COMMENT}, {"oferta", OFFER}, {"ofertas", OFFER},
    {"oferty", OFFER}, {"off", OFFER}, {"offer", OFFER}, {"offers", OFFER}, {"offerta", OFFER},
    {"offerte", OFFER}, {"offre", OFFER}, {"offres", OFFER}, {"også", RELATED}, {"older", RELATED},
    {"ook", RELATED}, {"order", OFFER}, {"other", RELATED}, {"otras", RELATED}, {"otros", RELATED},
    {"pa", CAPTION}, {"paid", OFFER}, {"partager", SERVICE}, {"partagez", SERVICE},
    {"partenaire", OFFER}, {"partenaires", OFFER}, {"partner", OFFER}, {"partners", OFFER},
    {"passend", RELATED}, {"password", SERVICE}, {"passwort", SERVICE}, {"patreon", OFFER},
    {"paylaş", SERVICE}, {"paypal", OFFER}, {"permalink", COMMENT}, {"photo", CAPTION},
    {"photograph", CAPTION}, {"photographer", CAPTION}, {"photography", CAPTION},
    {"photos", CAPTION}, {"picks", RELATED}, {"picture", CAPTION}, {"pictured", CAPTION},
    {"pictures", CAPTION}, {"pin", SERVICE}, {"pinterest", SERVICE}, {"podcast", SERVICE},
    {"podobne", RELATED}, {"polecamy", RELATED}, {"polecane", RELATED}, {"policy", SERVICE},
    {"populaires", RELATED}, {"popular", RELATED}, {"populer", RELATED}, {"poses", CAPTION},
    {"post", RELATED}, {"posted", COMMENT}, {"postfach", SERVICE}, {"posts", RELATED},
    {"powiązane", RELATED}, {"preisvergleich", OFFER}, {"premium", OFFER}, {"prenumerata", OFFER},
    {"presented", OFFER}, {"previous", RELATED}, {"price", OFFER}, {"prices", OFFER},
    {"print", SERVICE}, {"privacy", SERVICE}, {"prize", OFFER}, {"profile", SERVICE},
    {"profitez", OFFER}, {"promo", OFFER}, {"promocja", OFFER}, {"promoted", OFFER},
    {"promotion", OFFER}, {"promotions", OFFER}, {"prova", OFFER}, {"pubblicità", OFFER},
    {"publicidad", OFFER}, {"publicidade", OFFER}, {"publicité", OFFER}, {"purchase", OFFER},
    {"quote", COMMENT}, {"rabatt", OFFER}, {"rabatte", OFFER}, {"read", RELATED},
    {"readers", COMMENT}, {"reading", RELATED}, {"recent", RELATED}, {"recentes", RELATED},
    {"recently", RELATED}, {"recommandé", RELATED}, {"recommend", RELATED},
    {"recommendations", RELATED}, {"recommended", RELATED}, {"recommends", RELATED},
    {"redeem", OFFER}, {"register", SERVICE}, {"registered", SERVICE}, {"registrati", SERVICE},
    {"registration", SERVICE}, {"registrieren", SERVICE}, {"registro", SERVICE}, {"reklam", OFFER},
    {"reklama", OFFER}, {"reklame", OFFER}, {"relacionada", RELATED}, {"relacionadas", RELATED},
    {"relacionados", RELATED}, {"related", RELATED}, {"rent", OFFER}, {"replies", COMMENT},
    {"reply", COMMENT}, {"report", COMMENT}, {"reserved", SERVICE}, {"respond", COMMENT},
    {"responder", COMMENT}, {"response", COMMENT}, {"responses", COMMENT}, {"reuters", CAPTION},
    {"right", CAPTION}, {"rispondi", COMMENT}, {"rss", SERVICE}, {"répondre", COMMENT},
    {"said", COMMENT}, {"sale", OFFER}, {"sales", OFFER}, {"save", OFFER}, {"savings", OFFER},
    {"says", COMMENT}, {"sconti", OFFER}, {"sconto", OFFER}, {"screenshot", CAPTION},
    {"see", RELATED}, {"seen", CAPTION}, {"seguici", SERVICE}, {"seneste", RELATED},
    {"share", SERVICE}, {"shop", OFFER}, {"shopping", OFFER}, {"shows", CAPTION},
    {"shutterstock", CAPTION}, {"siga", SERVICE}, {"sign", SERVICE}, {"signup", SERVICE},
    {"similaires", RELATED}, {"similar", RELATED}, {"siste", RELATED}, {"sklep", OFFER},
    {"source", CAPTION}, {"související", RELATED}, {"sparen", OFFER}, {"spende", OFFER},
    {"spenden", OFFER}, {"sponsor", OFFER}, {"sponsored", OFFER}, {"sponsoring", OFFER},
    {"sponsors", OFFER}, {"stampa", SERVICE}, {"stands", CAPTION}, {"store", OFFER},
    {"stories", RELATED}, {"story", RELATED}, {"subscribe", OFFER | SERVICE}, {"subscriber", OFFER},
    {"subscribers", OFFER}, {"subscribing", OFFER}, {"subscription", OFFER},
    {"subscriptions", OFFER}, {"suggested", RELATED}, {"suivant", RELATED}, {"suivez", SERVICE},
    {"support", OFFER}, {"supporter", OFFER}, {"supporters", OFFER}, {"suscripción", OFFER},
    {"suscriptores", OFFER}, {"suscríbete", OFFER}, {"síguenos", SERVICE}, {"także", RELATED},
    {"también", RELATED}, {"teilen", SERVICE}, {"telegram", SERVICE}, {"terkait", RELATED},
    {"terkini", RELATED}, {"terms", SERVICE}, {"terpopuler", RELATED}, {"testen", OFFER},
    {"thank", COMMENT}, {"thanks", COMMENT}, {"threads", RELATED}, {"thumbs", COMMENT},
    {"tickets", OFFER}, {"today", OFFER}, {"top", RELATED}, {"trending", RELATED}, {"trial", OFFER},
    {"try", OFFER}, {"tweet", SERVICE}, {"twitter", SERVICE}, {"télécharger", OFFER},
    {"téléchargez", OFFER}, {"ultime", RELATED}, {"unlimited", OFFER}, {"unlock", OFFER},
    {"unterstützen", OFFER}, {"updates", SERVICE}, {"upgrade", OFFER}, {"upvote", COMMENT},
    {"username", SERVICE}, {"veja", RELATED}, {"verwandte", RELATED}, {"via", CAPTION},
    {"video", CAPTION}, {"viewed", RELATED}, {"voir", RELATED}, {"volg", SERVICE},
    {"vote", COMMENT}, {"votes", COMMENT}, {"voucher", OFFER}, {"vouchers", OFFER},
    {"watch", RELATED}, {"webinar", OFFER}, {"webinars", OFFER}, {"week", OFFER},
    {"weitere", RELATED}, {"werbung", OFFER}, {"whatsapp", SERVICE}, {"wiadomości", RELATED},
    {"win", OFFER}, {"więcej", RELATED}, {"writes", COMMENT}, {"wrote", COMMENT},
    {"youtube", SERVICE}, {"zaloguj", SERVICE}, {"zarejestruj", SERVICE}, {"zobacz", RELATED},
    {"ähnliche", RELATED}, {"últimas", RELATED}, {"články", RELATED}, {"διαβάστ", RELATED},
    {"διαφήμι", OFFER}, {"επίσης", RELATED}, {"σχετικά", RELATED}, {"акции", OFFER},
    {"акция", OFFER}, {"бесплат", OFFER}, {"войти", SERVICE}, {"другие", RELATED},
    {"коммент", COMMENT}, {"купить", OFFER}, {"материа", RELATED}, {"новини", RELATED},
    {"новости", RELATED}, {"ответит", COMMENT}, {"партнер", OFFER}, {"поделит", SERVICE},
    {"подписк", OFFER}, {"подпиши", OFFER}, {"популяр", RELATED}, {"последн", RELATED},
    {"приложе", OFFER}, {"регистр", SERVICE}, {"реклама", OFFER}, {"скидка", OFFER},
    {"скидки", OFFER}, {"скидок", OFFER}, {"статьи", RELATED}, {"также", RELATED},
    {"фото", CAPTION}, {"цена", OFFER}, {"читайте", RELATED}, {"читать", RELATED},
    {"おすすめ", RELATED}, {"コメント", COMMENT}, {"ランキング", RELATED}, {"ログイン", SERVICE}, {"今すぐ", OFFER},
    {"写真", CAPTION}, {"分享", SERVICE}, {"回复", COMMENT}, {"图", CAPTION}, {"图为", CAPTION},
    {"图片", CAPTION}, {"广告", OFFER}, {"広告", OFFER}, {"推荐", RELATED}, {"更多", RELATED},
    {"最新", RELATED}, {"注册", SERVICE}, {"热门", RELATED}, {"無料", OFFER}, {"留言", COMMENT},
    {"登入", SERVICE}, {"登录", SERVICE}, {"相关", RELATED}, {"相关阅读", RELATED}, {"註冊", SERVICE},
    {"订阅", OFFER}, {"评论", COMMENT}, {"返信", COMMENT}, {"関連記事", RELATED}, {"電子報", SERVICE},
};
/* clang-format on */

static int compare(const void *key, const void *item)
{
    return strcmp(key, ((const term *)item)->word);
}

/* The kinds of a word in any case, as bits; 0: it is not a term. */
static unsigned kinds_of(wn_str word)
{
    char lower[TERM_BYTES] = {0}, next[4];
    size_t len = 0;
    for (const char *at = word.ptr; at < word.ptr + word.len;) {
        size_t bytes = (size_t)wn_utf8_encode(wn_text_lower(wn_utf8_next(&at)), next);
        if (len + bytes >= TERM_BYTES)
            break;
        memcpy(lower + len, next, bytes);
        len += bytes;
    }
    const term *found = bsearch(lower, terms, sizeof terms / sizeof *terms, sizeof *terms, compare);
    return found ? found->kinds : 0;
}

void wn_auto_role_terms_count(wn_auto_role_terms *counts, wn_str text)
{
    enum { MOST_WORDS = 60 }; /* the beginning says enough */
    *counts = (wn_auto_role_terms){{0}, {0}};
    wn_str word;
    size_t at = 0;
    for (int i = 0; i < MOST_WORDS && wn_auto_next_word(text, &at, &word); i++) {
        unsigned kinds = kinds_of(word);
        for (int k = 0; kinds && k < WN_TERM_KINDS; k++) {
            counts->all[k] += kinds >> k & 1;
            counts->first[k] += i < WN_FIRST_TERMS ? kinds >> k & 1 : 0;
        }
    }
}
