#include "draw/number_words.h"

/*
 * Words that mean something else more often ("second", "elf" in English, "vier" in French) are left
 * out.
 */
static const struct {
    const char *language, *words;
} lists[] = {
    {"en",
     " zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
     " sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety"
     " hundred hundreds thousand thousands million millions billion billions trillion dozen dozens "},
    {"de",
     " null eins ein eine zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn"
     " fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig dreißig vierzig fünfzig sechzig siebzig"
     " achtzig neunzig hundert hunderte tausend tausende million millionen milliarde milliarden "},
    {"fr",
     " zéro un une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze"
     " seize vingt trente quarante cinquante soixante cent cents mille million millions milliard"
     " milliards "},
    {"es",
     " cero uno una dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince"
     " veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa cien ciento cientos mil miles"
     " millón millones "},
    {"pt",
     " zero um uma dois duas três quatro cinco seis sete oito nove dez onze doze treze quatorze quinze"
     " vinte trinta quarenta cinquenta sessenta setenta oitenta noventa cem cento mil milhão milhões"
     " bilhão bilhões "},
    {"it",
     " zero uno una due tre quattro cinque sei sette otto nove dieci undici dodici tredici venti trenta"
     " quaranta cinquanta sessanta settanta ottanta novanta cento mille mila milione milioni miliardo"
     " miliardi "},
    {"nl",
     " nul een één twee drie vier vijf zes zeven acht negen tien elf twaalf dertien twintig dertig"
     " veertig vijftig zestig zeventig tachtig negentig honderd duizend miljoen miljard "},
    {"ru",
     " ноль один одна одно два две три четыре пять шесть семь восемь девять десять двадцать тридцать"
     " сорок пятьдесят сто тысяча тысячи тысяч миллион миллиона миллионов миллиард миллиардов млн млрд "},
    {"vi", " không một hai ba bốn năm sáu bảy tám chín mười trăm nghìn ngàn triệu tỷ tỉ "},
    {"id",
     " nol satu dua tiga empat lima enam tujuh delapan sembilan sepuluh sebelas belas puluh ratus"
     " seratus ribu seribu juta miliar triliun "},
    {"th", " ศูนย์ หนึ่ง สอง สาม สี่ ห้า หก เจ็ด แปด เก้า สิบ เอ็ด ยี่สิบ ร้อย พัน หมื่น แสน ล้าน "},
    {"zh", " 零 一 二 两 三 四 五 六 七 八 九 十 百 千 万 亿 "},
    {"ja", " 零 一 二 三 四 五 六 七 八 九 十 百 千 万 億 "},
};

const char *wn_draw_number_words(wn_str language)
{
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (wn_str_eq(language, wn_str_of(lists[i].language)))
            return lists[i].words;
    return " ";
}

bool wn_draw_is_number_word(const char *list, wn_str folded)
{
    if (folded.len == 0)
        return false;
    for (const char *p = list; (p = strchr(p, ' ')) != NULL && p[1];) {
        p++;
        if (strncmp(p, folded.ptr, folded.len) == 0 && p[folded.len] == ' ')
            return true;
    }
    return false;
}
