#include "write/numbers.h"

#include "write/paths.h"

/* a … z, aa, ab, …; 0 has no letter. */
static void add_letters(wn_buf *out, uint32_t number, char first)
{
    enum { LETTERS = 26, MOST = 8 };
    char digits[MOST];
    int count = 0;
    for (; number > 0; number = (number - 1) / LETTERS)
        digits[count++] = (char)(first + (char)((number - 1) % LETTERS));
    while (count > 0)
        wn_buf_add_char(out, digits[--count]);
}

static void add_roman(wn_buf *out, uint32_t number, bool capitals)
{
    static const struct {
        uint32_t value;
        const char *small, *large;
    } signs[] = {
        {1000, "m", "M"}, {900, "cm", "CM"}, {500, "d", "D"},  {400, "cd", "CD"}, {100, "c", "C"},
        {90, "xc", "XC"}, {50, "l", "L"},    {40, "xl", "XL"}, {10, "x", "X"},    {9, "ix", "IX"},
        {5, "v", "V"},    {4, "iv", "IV"},   {1, "i", "I"},
    };
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        for (; number >= signs[i].value; number -= signs[i].value)
            wn_buf_add_literal(out, capitals ? signs[i].large : signs[i].small);
}

void wn_write_add_number(wn_buf *out, const wn_page *page, const wn_block *item)
{
    enum { HIGHEST_ROMAN = 3999 };
    const wn_node *li = wn_doc_node(page->doc, wn_write_path_around(page->doc, item, WN_TAG_LI));
    wn_str type = wn_node_attr_value(wn_doc_node(page->doc, li->parent), WN_ATTR_TYPE);
    char kind = type.len == 1 ? type.ptr[0] : '1';
    uint32_t number = item->number;
    if ((kind == 'a' || kind == 'A') && number > 0)
        add_letters(out, number, kind);
    else if ((kind == 'i' || kind == 'I') && number > 0 && number <= HIGHEST_ROMAN)
        add_roman(out, number, kind == 'I');
    else
        wn_buf_add_format(out, "%u", (unsigned)number);
}
