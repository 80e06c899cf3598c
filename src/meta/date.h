/*
 * Dates as people and programs write them.
 *
 *     2024-05-03T10:11:12+02:00   20240503   1714730000      programs
 *     May 3rd, 2024    3. Mai 2024    3 de mayo de 2024      words of thirty languages
 *     2024年5月3日     ngày 3 tháng 5 năm 2024               numbers with words
 *     3 พฤษภาคม 2567                                         the Buddhist era
 *     03/05/2024                                             by the language of the page
 *
 * The calendar is checked, nothing else: a page may be about the year 1911. Dates without
 * a year ("yesterday", "3 May") are none.
 */
#ifndef WN_META_DATE_H
#define WN_META_DATE_H

#include "base/str.h"

typedef struct wn_date {
    int year;
    int month, day; /* 0: not known */
    bool in_words;  /* month and day are told apart: "3 May 2024", "2024年5月3日" */
    bool has_time, has_zone;
    int hour, minute, second;
    int zone; /* minutes east of Greenwich */
} wn_date;

/* The name of a month, 1 to 12; or 0: a word that joins the parts of a date. */
typedef struct wn_date_word {
    wn_str word;
    int month;
} wn_date_word;

extern const wn_date_word wn_date_words[]; /* sorted by their bytes */
extern const size_t wn_date_word_count;

/*
 * The first date in `text`, of which only the first few hundred bytes are read. `language`
 * ("en-GB", or "" if unknown) tells whether 03/05 is in March or in May. False if there is none.
 */
bool wn_meta_date_find(wn_str text, wn_str language, wn_date *date);

enum { WN_DATE_SIZE = 32 };

/* ISO 8601, as exact as the date is: "2024-05", "2024-05-03", "2024-05-03T10:11:12Z". */
void wn_meta_date_write(const wn_date *date, char out[WN_DATE_SIZE]);

#endif
