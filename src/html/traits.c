#include "html/traits.h"

/* Short names, so that each element is one line. */
enum {
    SP = WN_TRAIT_SPECIAL,
    FO = WN_TRAIT_FORMATTING,
    HE = WN_TRAIT_HEADING,
    SC = WN_TRAIT_SCOPE | WN_TRAIT_LIST_SCOPE | WN_TRAIT_BUTTON_SCOPE,
    LI = WN_TRAIT_LIST_SCOPE,
    BU = WN_TRAIT_BUTTON_SCOPE,
    TS = WN_TRAIT_TABLE_SCOPE,
    IM = WN_TRAIT_IMPLIED_END | WN_TRAIT_THOROUGHLY_IMPLIED_END,
    TH = WN_TRAIT_THOROUGHLY_IMPLIED_END,
    CT = WN_TRAIT_TABLE_CONTEXT,
    CB = WN_TRAIT_TABLE_BODY_CONTEXT,
    CR = WN_TRAIT_TABLE_ROW_CONTEXT,
    FS = WN_TRAIT_FOSTERS,
    TP = WN_TRAIT_TABLE_PART,
    OP = WN_TRAIT_MAY_STAY_OPEN,
};

const uint32_t wn_html_traits[WN_TAG_COUNT] = {
    [WN_TAG_A] = FO,
    [WN_TAG_ADDRESS] = SP,
    [WN_TAG_APPLET] = SP | SC,
    [WN_TAG_AREA] = SP,
    [WN_TAG_ARTICLE] = SP,
    [WN_TAG_ASIDE] = SP,
    [WN_TAG_B] = FO,
    [WN_TAG_BASE] = SP,
    [WN_TAG_BASEFONT] = SP,
    [WN_TAG_BGSOUND] = SP,
    [WN_TAG_BIG] = FO,
    [WN_TAG_BLOCKQUOTE] = SP,
    [WN_TAG_BODY] = SP | OP,
    [WN_TAG_BR] = SP,
    [WN_TAG_BUTTON] = SP | BU,
    [WN_TAG_CAPTION] = SP | SC | TH | TP,
    [WN_TAG_CENTER] = SP,
    [WN_TAG_CODE] = FO,
    [WN_TAG_COL] = SP,
    [WN_TAG_COLGROUP] = SP | TH | TP,
    [WN_TAG_DD] = SP | IM | OP,
    [WN_TAG_DETAILS] = SP,
    [WN_TAG_DIR] = SP,
    [WN_TAG_DIV] = SP,
    [WN_TAG_DL] = SP,
    [WN_TAG_DT] = SP | IM | OP,
    [WN_TAG_EM] = FO,
    [WN_TAG_EMBED] = SP,
    [WN_TAG_FIELDSET] = SP,
    [WN_TAG_FIGCAPTION] = SP,
    [WN_TAG_FIGURE] = SP,
    [WN_TAG_FONT] = FO,
    [WN_TAG_FOOTER] = SP,
    [WN_TAG_FORM] = SP,
    [WN_TAG_FRAME] = SP,
    [WN_TAG_FRAMESET] = SP,
    [WN_TAG_H1] = SP | HE,
    [WN_TAG_H2] = SP | HE,
    [WN_TAG_H3] = SP | HE,
    [WN_TAG_H4] = SP | HE,
    [WN_TAG_H5] = SP | HE,
    [WN_TAG_H6] = SP | HE,
    [WN_TAG_HEAD] = SP,
    [WN_TAG_HEADER] = SP,
    [WN_TAG_HGROUP] = SP,
    [WN_TAG_HR] = SP,
    [WN_TAG_HTML] = SP | SC | TS | CT | CB | CR | OP,
    [WN_TAG_I] = FO,
    [WN_TAG_IFRAME] = SP,
    [WN_TAG_IMG] = SP,
    [WN_TAG_INPUT] = SP,
    [WN_TAG_KEYGEN] = SP,
    [WN_TAG_LI] = SP | IM | OP,
    [WN_TAG_LINK] = SP,
    [WN_TAG_LISTING] = SP,
    [WN_TAG_MAIN] = SP,
    [WN_TAG_MARQUEE] = SP | SC,
    [WN_TAG_MENU] = SP,
    [WN_TAG_META] = SP,
    [WN_TAG_NAV] = SP,
    [WN_TAG_NOBR] = FO,
    [WN_TAG_NOEMBED] = SP,
    [WN_TAG_NOFRAMES] = SP,
    [WN_TAG_NOSCRIPT] = SP,
    [WN_TAG_OBJECT] = SP | SC,
    [WN_TAG_OL] = SP | LI,
    [WN_TAG_OPTGROUP] = IM | OP,
    [WN_TAG_OPTION] = IM | OP,
    [WN_TAG_P] = SP | IM | OP,
    [WN_TAG_PARAM] = SP,
    [WN_TAG_PLAINTEXT] = SP,
    [WN_TAG_PRE] = SP,
    [WN_TAG_RB] = IM | OP,
    [WN_TAG_RP] = IM | OP,
    [WN_TAG_RT] = IM | OP,
    [WN_TAG_RTC] = IM | OP,
    [WN_TAG_S] = FO,
    [WN_TAG_SCRIPT] = SP,
    [WN_TAG_SEARCH] = SP,
    [WN_TAG_SECTION] = SP,
    [WN_TAG_SELECT] = SP | SC,
    [WN_TAG_SMALL] = FO,
    [WN_TAG_SOURCE] = SP,
    [WN_TAG_STRIKE] = FO,
    [WN_TAG_STRONG] = FO,
    [WN_TAG_STYLE] = SP,
    [WN_TAG_SUMMARY] = SP,
    [WN_TAG_TABLE] = SP | SC | TS | CT | FS,
    [WN_TAG_TBODY] = SP | TH | CB | FS | TP | OP,
    [WN_TAG_TD] = SP | SC | TH | TP | OP,
    [WN_TAG_TEMPLATE] = SP | SC | TS | CT | CB | CR,
    [WN_TAG_TEXTAREA] = SP,
    [WN_TAG_TFOOT] = SP | TH | CB | FS | TP | OP,
    [WN_TAG_TH] = SP | SC | TH | TP | OP,
    [WN_TAG_THEAD] = SP | TH | CB | FS | TP | OP,
    [WN_TAG_TITLE] = SP,
    [WN_TAG_TR] = SP | TH | CR | FS | TP | OP,
    [WN_TAG_TRACK] = SP,
    [WN_TAG_TT] = FO,
    [WN_TAG_U] = FO,
    [WN_TAG_UL] = SP | LI,
    [WN_TAG_WBR] = SP,
    [WN_TAG_XMP] = SP,
};

/* https://html.spec.whatwg.org/multipage/parsing.html#html-integration-point */
static bool holds_html(const wn_node *annotation)
{
    wn_str encoding = wn_node_attr_value(annotation, WN_ATTR_ENCODING);
    return wn_str_eq_nocase(encoding, WN_STR("text/html")) ||
           wn_str_eq_nocase(encoding, WN_STR("application/xhtml+xml"));
}

static uint32_t mathml_traits(const wn_node *element)
{
    switch (element->tag) {
    case WN_TAG_MI:
    case WN_TAG_MO:
    case WN_TAG_MN:
    case WN_TAG_MS:
    case WN_TAG_MTEXT:
        return SP | SC | WN_TRAIT_TEXT_POINT;
    case WN_TAG_ANNOTATION_XML:
        return SP | SC | (holds_html(element) ? WN_TRAIT_HTML_POINT : 0);
    default:
        return 0;
    }
}

static uint32_t svg_traits(const wn_node *element)
{
    bool holds = element->tag == WN_TAG_FOREIGNOBJECT || element->tag == WN_TAG_DESC ||
                 element->tag == WN_TAG_TITLE;
    return holds ? SP | SC | WN_TRAIT_HTML_POINT : 0;
}

uint32_t wn_html_foreign_traits(const wn_node *element)
{
    return element->ns == WN_NS_MATHML ? mathml_traits(element) : svg_traits(element);
}
