#include "write/quotation_marks.h"

wn_write_quotation_marks wn_write_quotation_marks_of(wn_str language)
{
    static const struct {
        char language[3];
        wn_write_quotation_marks marks;
    } table[] = {
        {"de", {"„", "“"}},   {"cs", {"„", "“"}}, {"sk", {"„", "“"}}, {"bg", {"„", "“"}},
        {"sl", {"„", "“"}},   {"is", {"„", "“"}}, {"lt", {"„", "“"}}, {"et", {"„", "“"}},
        {"pl", {"„", "”"}},   {"ro", {"„", "”"}}, {"hu", {"„", "”"}}, {"hr", {"„", "”"}},
        {"nl", {"‘", "’"}},   {"fr", {"«", "»"}}, {"it", {"«", "»"}}, {"es", {"«", "»"}},
        {"pt", {"«", "»"}},   {"ca", {"«", "»"}}, {"ru", {"«", "»"}}, {"uk", {"«", "»"}},
        {"el", {"«", "»"}},   {"no", {"«", "»"}}, {"nb", {"«", "»"}}, {"nn", {"«", "»"}},
        {"fa", {"«", "»"}},   {"sv", {"”", "”"}}, {"fi", {"”", "”"}}, {"da", {"”", "”"}},
        {"ja", {"「", "」"}},
    };
    for (size_t i = 0; language.len >= 2 && i < sizeof table / sizeof *table; i++)
        if (wn_str_eq_nocase(wn_str_from(language.ptr, 2), wn_str_of(table[i].language)) &&
            (language.len == 2 || !wn_is_ascii_alpha(language.ptr[2])))
            return table[i].marks;
    return (wn_write_quotation_marks){"“", "”"};
}
