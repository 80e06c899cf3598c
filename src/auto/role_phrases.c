/*
 * Phrases are told apart by their first byte, terms are searched by halves. All of them are in the
 * languages of the pages that were read for this.
 */
#include "auto/role_phrases.h"

#include <assert.h>
#include <stdlib.h>

#include "auto/features_text.h"

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

typedef struct term {
    wn_str word;
    uint8_t kinds; /* bits: 1 << WN_TERM_… */
} term;

enum {
    OFFER = 1 << WN_TERM_OFFER,
    RELATED = 1 << WN_TERM_RELATED,
    COMMENT = 1 << WN_TERM_COMMENT,
    CAPTION = 1 << WN_TERM_CAPTION,
};

/* In the order of their bytes. */
/* clang-format off */
static const term terms[] = {
    {{"abo", 3}, OFFER}, {{"abonnement", 10}, OFFER}, {{"abonner", 7}, OFFER},
    {{"abonnez", 7}, OFFER}, {{"abonnieren", 10}, OFFER}, {{"abonnés", 8}, OFFER},
    {{"ad", 2}, OFFER}, {{"ads", 3}, OFFER}, {{"advert", 6}, OFFER}, {{"advertise", 9}, OFFER},
    {{"advertisement", 13}, OFFER}, {{"advertisements", 14}, OFFER}, {{"advertising", 11}, OFFER},
    {{"affiliate", 9}, OFFER}, {{"afp", 3}, CAPTION}, {{"ago", 3}, COMMENT},
    {{"agree", 5}, COMMENT}, {{"alamy", 5}, CAPTION}, {{"also", 4}, RELATED},
    {{"amazon", 6}, OFFER}, {{"anche", 5}, RELATED}, {{"android", 7}, OFFER},
    {{"angebot", 7}, OFFER}, {{"angebote", 8}, OFFER}, {{"annons", 6}, OFFER},
    {{"annonse", 7}, OFFER}, {{"annual", 6}, OFFER}, {{"anonymous", 9}, COMMENT},
    {{"antworten", 9}, COMMENT}, {{"anzeige", 7}, OFFER}, {{"anzeigen", 8}, OFFER},
    {{"ap", 2}, CAPTION}, {{"app", 3}, OFFER}, {{"apply", 5}, OFFER}, {{"apps", 4}, OFFER},
    {{"archive", 7}, CAPTION | RELATED}, {{"archives", 8}, RELATED}, {{"article", 7}, RELATED},
    {{"articles", 8}, RELATED}, {{"artículos", 10}, RELATED}, {{"auch", 4}, RELATED},
    {{"aussi", 5}, RELATED}, {{"baca", 4}, RELATED}, {{"bet", 3}, OFFER}, {{"betting", 7}, OFFER},
    {{"bild", 4}, CAPTION}, {{"bilder", 6}, CAPTION}, {{"bonus", 5}, OFFER}, {{"book", 4}, OFFER},
    {{"books", 5}, OFFER}, {{"buy", 3}, OFFER}, {{"cancel", 6}, OFFER}, {{"caption", 7}, CAPTION},
    {{"casino", 6}, OFFER}, {{"checkout", 8}, OFFER}, {{"comentar", 8}, COMMENT},
    {{"comentario", 10}, COMMENT}, {{"comentarios", 11}, COMMENT}, {{"comment", 7}, COMMENT},
    {{"commentaire", 11}, COMMENT}, {{"commentaires", 12}, COMMENT}, {{"commented", 9}, COMMENT},
    {{"commenter", 9}, COMMENT}, {{"commenting", 10}, COMMENT}, {{"comments", 8}, COMMENT},
    {{"compra", 6}, OFFER}, {{"comprar", 7}, OFFER}, {{"continue", 8}, RELATED},
    {{"contribute", 10}, OFFER}, {{"coupon", 6}, OFFER}, {{"coupons", 7}, OFFER},
    {{"course", 6}, OFFER}, {{"courses", 7}, OFFER}, {{"courtesy", 8}, CAPTION},
    {{"credit", 6}, CAPTION | OFFER}, {{"credits", 7}, CAPTION}, {{"czytaj", 6}, RELATED},
    {{"deal", 4}, OFFER}, {{"deals", 5}, OFFER}, {{"demo", 4}, OFFER}, {{"descuento", 9}, OFFER},
    {{"disagree", 8}, COMMENT}, {{"discount", 8}, OFFER}, {{"discounts", 9}, OFFER},
    {{"disqus", 6}, COMMENT}, {{"donate", 6}, OFFER}, {{"donating", 8}, OFFER},
    {{"donation", 8}, OFFER}, {{"donations", 9}, OFFER}, {{"download", 8}, OFFER},
    {{"dpa", 3}, CAPTION}, {{"ebay", 4}, OFFER}, {{"ebook", 5}, OFFER}, {{"editor", 6}, RELATED},
    {{"editors", 7}, RELATED}, {{"epa", 3}, CAPTION}, {{"exclusive", 9}, OFFER},
    {{"featured", 8}, RELATED}, {{"fig", 3}, CAPTION}, {{"figure", 6}, CAPTION},
    {{"file", 4}, CAPTION}, {{"flag", 4}, COMMENT}, {{"foto", 4}, CAPTION}, {{"fotos", 5}, CAPTION},
    {{"free", 4}, OFFER}, {{"getty", 5}, CAPTION}, {{"gift", 4}, OFFER}, {{"gifts", 5}, OFFER},
    {{"gratis", 6}, OFFER}, {{"guarantee", 9}, OFFER}, {{"guest", 5}, COMMENT},
    {{"handout", 7}, CAPTION}, {{"headlines", 9}, RELATED}, {{"illustrated", 11}, CAPTION},
    {{"illustration", 12}, CAPTION}, {{"image", 5}, CAPTION}, {{"images", 6}, CAPTION},
    {{"insurance", 9}, OFFER}, {{"iphone", 6}, OFFER}, {{"istock", 6}, CAPTION},
    {{"join", 4}, OFFER}, {{"juga", 4}, RELATED}, {{"kaufen", 6}, OFFER}, {{"kjøp", 5}, OFFER},
    {{"kommentar", 9}, COMMENT}, {{"kommentare", 10}, COMMENT}, {{"kommentarer", 11}, COMMENT},
    {{"kostenlos", 9}, OFFER}, {{"köp", 4}, OFFER}, {{"latest", 6}, RELATED},
    {{"lees", 4}, RELATED}, {{"left", 4}, CAPTION}, {{"leggi", 5}, RELATED}, {{"les", 3}, RELATED},
    {{"like", 4}, RELATED}, {{"likely", 6}, RELATED}, {{"limited", 7}, OFFER},
    {{"lire", 4}, RELATED}, {{"loan", 4}, OFFER}, {{"loans", 5}, OFFER}, {{"log", 3}, COMMENT},
    {{"logged", 6}, COMMENT}, {{"login", 5}, COMMENT}, {{"lol", 3}, COMMENT},
    {{"looks", 5}, CAPTION}, {{"läs", 4}, RELATED}, {{"magazine", 8}, OFFER},
    {{"mehr", 4}, RELATED}, {{"meistgelesen", 12}, RELATED}, {{"member", 6}, OFFER},
    {{"members", 7}, OFFER}, {{"membership", 10}, OFFER}, {{"memberships", 11}, OFFER},
    {{"moderated", 9}, COMMENT}, {{"moderation", 10}, COMMENT}, {{"moderator", 9}, COMMENT},
    {{"month", 5}, OFFER}, {{"monthly", 7}, OFFER}, {{"more", 4}, RELATED},
    {{"mortgage", 8}, OFFER}, {{"most", 4}, RELATED}, {{"neueste", 7}, RELATED},
    {{"newer", 5}, RELATED}, {{"news", 4}, RELATED}, {{"next", 4}, RELATED},
    {{"noticias", 8}, RELATED}, {{"också", 6}, RELATED}, {{"oferta", 6}, OFFER},
    {{"ofertas", 7}, OFFER}, {{"offer", 5}, OFFER}, {{"offers", 6}, OFFER}, {{"også", 5}, RELATED},
    {{"older", 5}, RELATED}, {{"ook", 3}, RELATED}, {{"order", 5}, OFFER}, {{"other", 5}, RELATED},
    {{"pa", 2}, CAPTION}, {{"paid", 4}, OFFER}, {{"partner", 7}, OFFER}, {{"partners", 8}, OFFER},
    {{"permalink", 9}, COMMENT}, {{"photo", 5}, CAPTION}, {{"photograph", 10}, CAPTION},
    {{"photographer", 12}, CAPTION}, {{"photography", 11}, CAPTION}, {{"photos", 6}, CAPTION},
    {{"picks", 5}, RELATED}, {{"picture", 7}, CAPTION}, {{"pictured", 8}, CAPTION},
    {{"pictures", 8}, CAPTION}, {{"popular", 7}, RELATED}, {{"poses", 5}, CAPTION},
    {{"post", 4}, RELATED}, {{"posted", 6}, COMMENT}, {{"posts", 5}, RELATED},
    {{"premium", 7}, OFFER}, {{"previous", 8}, RELATED}, {{"price", 5}, OFFER},
    {{"prices", 6}, OFFER}, {{"prize", 5}, OFFER}, {{"promo", 5}, OFFER}, {{"promoted", 8}, OFFER},
    {{"promotion", 9}, OFFER}, {{"promotions", 10}, OFFER}, {{"pubblicità", 11}, OFFER},
    {{"publicidad", 10}, OFFER}, {{"publicidade", 11}, OFFER}, {{"publicité", 10}, OFFER},
    {{"quote", 5}, COMMENT}, {{"rabatt", 6}, OFFER}, {{"read", 4}, RELATED},
    {{"readers", 7}, COMMENT}, {{"reading", 7}, RELATED}, {{"recent", 6}, RELATED},
    {{"recently", 8}, RELATED}, {{"recommend", 9}, RELATED}, {{"recommended", 11}, RELATED},
    {{"recommends", 10}, RELATED}, {{"reklama", 7}, OFFER}, {{"reklame", 7}, OFFER},
    {{"relacionadas", 12}, RELATED}, {{"relacionados", 12}, RELATED}, {{"related", 7}, RELATED},
    {{"replies", 7}, COMMENT}, {{"reply", 5}, COMMENT}, {{"report", 6}, COMMENT},
    {{"respond", 7}, COMMENT}, {{"responder", 9}, COMMENT}, {{"response", 8}, COMMENT},
    {{"responses", 9}, COMMENT}, {{"reuters", 7}, CAPTION}, {{"right", 5}, CAPTION},
    {{"rispondi", 8}, COMMENT}, {{"répondre", 9}, COMMENT}, {{"said", 4}, COMMENT},
    {{"sale", 4}, OFFER}, {{"sales", 5}, OFFER}, {{"save", 4}, OFFER}, {{"says", 4}, COMMENT},
    {{"screenshot", 10}, CAPTION}, {{"see", 3}, RELATED}, {{"seen", 4}, CAPTION},
    {{"shop", 4}, OFFER}, {{"shopping", 8}, OFFER}, {{"shows", 5}, CAPTION},
    {{"shutterstock", 12}, CAPTION}, {{"similar", 7}, RELATED}, {{"source", 6}, CAPTION},
    {{"sponsor", 7}, OFFER}, {{"sponsored", 9}, OFFER}, {{"sponsoring", 10}, OFFER},
    {{"sponsors", 8}, OFFER}, {{"stands", 6}, CAPTION}, {{"store", 5}, OFFER},
    {{"stories", 7}, RELATED}, {{"story", 5}, RELATED}, {{"subscribe", 9}, OFFER},
    {{"subscriber", 10}, OFFER}, {{"subscribers", 11}, OFFER}, {{"subscribing", 11}, OFFER},
    {{"subscription", 12}, OFFER}, {{"subscriptions", 13}, OFFER}, {{"suivant", 7}, RELATED},
    {{"support", 7}, OFFER}, {{"suscripción", 12}, OFFER}, {{"suscriptores", 12}, OFFER},
    {{"suscríbete", 11}, OFFER}, {{"także", 6}, RELATED}, {{"también", 8}, RELATED},
    {{"testen", 6}, OFFER}, {{"thank", 5}, COMMENT}, {{"thanks", 6}, COMMENT},
    {{"thumbs", 6}, COMMENT}, {{"tickets", 7}, OFFER}, {{"top", 3}, RELATED},
    {{"trending", 8}, RELATED}, {{"trial", 5}, OFFER}, {{"unlimited", 9}, OFFER},
    {{"unlock", 6}, OFFER}, {{"upgrade", 7}, OFFER}, {{"upvote", 6}, COMMENT},
    {{"via", 3}, CAPTION}, {{"video", 5}, CAPTION}, {{"vote", 4}, COMMENT}, {{"votes", 5}, COMMENT},
    {{"voucher", 7}, OFFER}, {{"vouchers", 8}, OFFER}, {{"webinar", 7}, OFFER},
    {{"week", 4}, OFFER}, {{"weitere", 7}, RELATED}, {{"werbung", 7}, OFFER}, {{"win", 3}, OFFER},
    {{"writes", 6}, COMMENT}, {{"wrote", 5}, COMMENT}, {{"ähnliche", 9}, RELATED},
    {{"акция", 10}, OFFER}, {{"комментарии", 22}, COMMENT}, {{"комментарий", 22}, COMMENT},
    {{"купить", 12}, OFFER}, {{"новости", 14}, RELATED}, {{"ответить", 16}, COMMENT},
    {{"подписка", 16}, OFFER}, {{"подписку", 16}, OFFER}, {{"подпишитесь", 22}, OFFER},
    {{"реклама", 14}, OFFER}, {{"скидка", 12}, OFFER}, {{"скидки", 12}, OFFER},
    {{"скидок", 12}, OFFER}, {{"также", 10}, RELATED}, {{"фото", 8}, CAPTION},
    {{"читайте", 14}, RELATED}, {{"おすすめ", 12}, RELATED}, {{"コメント", 12}, COMMENT},
    {{"今すぐ", 9}, OFFER}, {{"写真", 6}, CAPTION}, {{"回复", 6}, COMMENT}, {{"图", 3}, CAPTION},
    {{"图为", 6}, CAPTION}, {{"图片", 6}, CAPTION}, {{"广告", 6}, OFFER}, {{"広告", 6}, OFFER},
    {{"推荐", 6}, RELATED}, {{"最新", 6}, RELATED}, {{"热门", 6}, RELATED}, {{"無料", 6}, OFFER},
    {{"留言", 6}, COMMENT}, {{"相关", 6}, RELATED}, {{"相关阅读", 12}, RELATED}, {{"订阅", 6}, OFFER},
    {{"评论", 6}, COMMENT}, {{"返信", 6}, COMMENT}, {{"関連記事", 12}, RELATED},
};
/* clang-format on */

static int compare(const void *key, const void *item)
{
    return wn_str_compare(*(const wn_str *)key, ((const term *)item)->word);
}

/* The kinds of a word, as bits; 0: it is not a term. ASCII letters may be large. */
static unsigned kinds_of(wn_str word)
{
    enum { LONGEST = 24 };
    char lower[LONGEST];
    if (word.len > LONGEST)
        return 0;
    for (size_t i = 0; i < word.len; i++)
        lower[i] = wn_ascii_lower(word.ptr[i]);
    wn_str key = wn_str_from(lower, word.len);
    const term *found = bsearch(&key, terms, sizeof terms / sizeof *terms, sizeof *terms, compare);
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
