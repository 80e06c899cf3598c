/*
 * eifce: the most informative of the blocks that the eye sees.
 *
 * Chaw Su Win, Mie Mie Su Thwin: Informative Content Extraction By Using Eifce [Effective
 * Informative Content Extractor].
 *
 * The idea: a reader sees a page as blocks, recognised by position, colours, sizes and lines, and
 * finds the informative one without reading them all.
 *
 *  1. Style sheets and layout say where every node is and how it looks (css/, layout/).
 *  2. EVBE (visual/evbe.h) cuts the page into a tree of blocks, by ten rules and by the visual
 *     distance of a node to its parent and its sibling, and counts their General Parameters.
 *  3. Of the blocks whose parameters are valid the one with the greatest importance value
 *     (visual/importance.c) is the informative block. All text in it is the content, and
 *     nothing outside.
 *
 * It sees what a reader without scripts would see, and nothing that only a script would show. It
 * fails on content in several places, and on pages whose style sheets are missing, which look like
 * one long column.
 */
#include "extract/method.h"
#include "visual/analysis.h"
#include "visual/importance.h"

enum {
    IMPORTANCE,
    BLOCKS,
    DISTANCE,
    TOLERANCE,
    STRICT,
    WORDS,
    PAGE_TEXT,
    PARAGRAPH,
    HEADING,
    LINK_TEXT,
    LINK,
    CONTROL
};

/* The defaults of TOLERANCE and from WORDS on are those of visual/: a test compares them. */
const wn_param *const wn_eifce_params[] = {
    [IMPORTANCE] = WN_CHOICE("importance", "how blocks are compared", "gp", "gp or size-distance",
                             "gp", "size-distance"),
    [BLOCKS] = WN_WHOLE("blocks", "the number of blocks to keep", 1, 1, 1000),
    [DISTANCE] = WN_WHOLE("distance", "visual distance up to which nodes form one block", 3, 0, 6),
    [TOLERANCE] = WN_NUMBER("tolerance", "share by which equal widths and heights may differ", 0.1,
                            0, 1),
    [STRICT] = WN_SWITCH("strict", "rule 8 considers only floats, not flex and grid", "no"),
    [WORDS] = WN_WHOLE("words", "minimum number of words of a candidate (GPIsValid)", 100, 0,
                       1000000),
    [PAGE_TEXT] = WN_NUMBER("page_text", "gp: weight of the page's text outside links", 3, 0, 1000),
    [PARAGRAPH] = WN_NUMBER("paragraph", "gp: weight of a paragraph", 10, 0, 1000000),
    [HEADING] = WN_NUMBER("heading", "gp: weight of a heading", 5, 0, 1000000),
    [LINK_TEXT] = WN_NUMBER("link_text", "gp: weight of a character in a link", 8, 0, 1000000),
    [LINK] = WN_NUMBER("link", "gp: weight of a link", 128, 0, 1000000),
    [CONTROL] = WN_NUMBER("control", "gp: weight of a form control", 750, 0, 1000000),
    NULL,
};

void wn_extract_select_eifce(const wn_page *page, const wn_request *request, wn_arena *arena,
                             wn_selection *selection)
{
    const double *values = request->values;
    unsigned bound = (unsigned)values[DISTANCE];
    wn_evbe_options options = {
        .parent_bound = bound,
        .sibling_bound = bound,
        .strict = values[STRICT] != 0,
        .tolerance = (float)values[TOLERANCE],
    };
    wn_importance_weights weights = {
        .words = (uint32_t)values[WORDS],
        .page_text = values[PAGE_TEXT],
        .paragraph = values[PARAGRAPH],
        .heading = values[HEADING],
        .link_text = values[LINK_TEXT],
        .link = values[LINK],
        .control = values[CONTROL],
    };
    wn_visual_analysis analysis;
    if (wn_visual_analysis_open(&analysis, page, &options, 0, arena)) {
        wn_visual_importance_rate(&analysis.tree, (wn_importance)values[IMPORTANCE], &weights,
                                  arena);
        wn_visual_importance_choose(&analysis.tree, (uint32_t)values[BLOCKS], arena);
        wn_visual_analysis_select(&analysis, request->explain, arena, selection);
    }
    wn_visual_analysis_close(&analysis);
}
