#include "auto/notes.h"

#include "auto/companions.h"
#include "page/notes.h"

static bool is_lost_note(const wn_page *page, const wn_page_notes *notes,
                         const wn_selection *selection, uint32_t block)
{
    enum { MOST_BLOCKS_OF_NOTE = 12 }; /* more are a chapter that a mark leads to */
    if (selection->verdicts[block].keep)
        return false;
    const wn_page_note *note = wn_page_notes_around(notes, page, block);
    return note && note->blocks <= MOST_BLOCKS_OF_NOTE;
}

/* Whether there is so much in the notes that they must be the literature at the end of a paper. */
static bool are_bibliography(const wn_page *page, const wn_page_notes *notes,
                             const wn_selection *selection)
{
    enum { TIMES = 4 };
    uint64_t kept = 0, lost = 0;
    for (uint32_t i = 0; i < selection->count; i++) {
        uint32_t words = page->blocks.items[i].words;
        kept += selection->verdicts[i].keep ? words : 0;
        lost += is_lost_note(page, notes, selection, i) ? words : 0;
    }
    return lost * TIMES > kept;
}

void wn_auto_notes_keep(const wn_page *page, wn_selection *selection)
{
    wn_page_notes notes = {0};
    if (!wn_auto_companions_is_continuous(selection))
        return;
    wn_page_notes_find(&notes, page, selection);
    if (notes.by_target.count > 0 && !are_bibliography(page, &notes, selection))
        for (uint32_t i = 0; i < selection->count; i++)
            if (is_lost_note(page, &notes, selection, i))
                wn_selection_set(selection, i,
                                 (wn_verdict){.reason = "the note of a mark that is kept",
                                              .keep = true,
                                              .role = WINNOW_ROLE_BODY,
                                              .post = selection->verdicts[i].post});
    wn_page_notes_free(&notes);
}
