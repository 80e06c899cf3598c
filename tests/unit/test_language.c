/*
 * Languages: what pages declare, and what texts look like.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/buf.h"
#include "text/language.h"

static void assert_normalised(const char *declared, const char *expected)
{
    char code[WN_LANGUAGE_CODE];
    assert_string_equal(wn_text_language_normalise(wn_str_of(declared), code), expected);
}

static void declarations_are_normalised(void **state)
{
    (void)state;
    assert_normalised("en", "en");
    assert_normalised("en-US", "en");
    assert_normalised(" EN_us ", "en");
    assert_normalised("zh-Hant-TW", "zh");
    assert_normalised("pt-BR", "pt");
    assert_normalised("eng", "en");
    assert_normalised("iw", "he");
    assert_normalised("de, en", "de");
    assert_normalised("fil-PH", "fil");
    assert_normalised("nb-NO", "no");
}

static void nonsense_is_no_language(void **state)
{
    (void)state;
    static const char *const nonsense[] = {"",         " ",  "x-default", "english", "e",
                                           "{{lang}}", "12", "en\xFF",    "-en",     "a.b"};
    for (size_t i = 0; i < sizeof nonsense / sizeof *nonsense; i++)
        assert_normalised(nonsense[i], "");
}

static const struct {
    const char *language, *text;
} samples[] = {
    {"en",
     "The wind carries the chaff away, and the grain that is heavier falls down to the floor."},
    {"de", "Der Wind trägt die Spreu davon, und das Korn, das schwerer ist, fällt auf den Boden."},
    {"fr",
     "Le vent emporte la paille et le grain, qui est plus lourd, tombe sur le sol de la grange."},
    {"es", "El viento se lleva la paja y el grano, que es más pesado, cae al suelo de la era."},
    {"pt",
     "O vento leva a palha e o grão, que é mais pesado, não vai com ele e cai no chão da eira."},
    {"it",
     "Il vento porta via la pula e il grano, che è più pesante, cade sul pavimento della stalla."},
    {"nl",
     "De wind neemt het kaf mee en het graan, dat zwaarder is, valt op de vloer van de schuur."},
    {"ru", "Ветер уносит солому, а зерно, которое тяжелее, падает на пол, и его собирают в мешки."},
    {"vi", "Gió mang trấu đi và hạt thóc nặng hơn rơi xuống sàn, người ta gom lại trong bao."},
    {"id",
     "Angin membawa sekam pergi dan gabah yang lebih berat jatuh ke lantai untuk dikumpulkan."},
    {"th", "ลมพัดแกลบออกไป และเมล็ดข้าวที่หนักกว่าตกลงบนพื้น"},
    {"zh", "风把谷壳吹走，较重的谷粒落在地上。"},
    {"ja", "風がもみ殻を運び去り、重い穀粒は床に落ちる。"},
    {"ko", "바람이 겨를 날려 버리고 무거운 낟알은 바닥에 떨어진다."},
    {"el", "Ο άνεμος παίρνει το άχυρο και ο καρπός πέφτει."},
    {"he", "הרוח נושאת את המוץ והגרעין נופל לרצפה."},
    {"ar", "الريح تحمل القش بعيدا والحبوب تسقط على الأرض."},
    {"fa",
     "باد کاه را می‌برد و دانه که سنگین‌تر است روی زمین می‌افتد."},
    {"uk",
     "Вітер відносить солому, а зерно, яке важче, падає на підлогу, і його збирають у мішки."},
    {"pl",
     "Wiatr unosi plewy, a ziarno, które jest cięższe, spada na podłogę i tam się je zbiera."},
    {"sv", "Vinden tar med sig agnarna och kornet, som är tyngre, faller ner på golvet i ladan."},
    {"hi", "हवा भूसी को उड़ा ले जाती है और अनाज नीचे गिरता है।"},
};

static void languages_are_guessed(void **state)
{
    (void)state;
    wn_words *words = wn_text_words_new();
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        assert_string_equal(wn_text_language_guess(words, wn_str_of(samples[i].text)),
                            samples[i].language);
    wn_text_words_free(words);
}

static void no_guess_when_it_is_not_clear(void **state)
{
    (void)state;
    static const char *const unclear[] = {
        "",
        "123 456 … !!",
        "Nike Pegasus Premium Road Running Shoes",
        "lorem ipsum dolor sit amet consectetur adipiscing elit",
        "the der le",
        "😀😀😀",
    };
    wn_words *words = wn_text_words_new();
    for (size_t i = 0; i < sizeof unclear / sizeof *unclear; i++)
        assert_string_equal(wn_text_language_guess(words, wn_str_of(unclear[i])), "");
    wn_text_words_free(words);
}

/* A sample that ends inside a character would be read past its end. */
static void long_texts_are_sampled(void **state)
{
    (void)state;
    wn_words *words = wn_text_words_new();
    for (int shift = 0; shift < 3; shift++) {
        wn_buf text = {0};
        wn_buf_add_repeated(&text, ' ', (size_t)shift);
        while (text.len < 70000)
            wn_buf_add_literal(&text, "ไทย");
        assert_string_equal(wn_text_language_guess(words, wn_buf_str(&text)), "th");
        wn_buf_free(&text);
    }
    wn_text_words_free(words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(declarations_are_normalised),
        cmocka_unit_test(nonsense_is_no_language),
        cmocka_unit_test(languages_are_guessed),
        cmocka_unit_test(no_guess_when_it_is_not_clear),
        cmocka_unit_test(long_texts_are_sampled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
