#include "write/write.h"

/* A new format is one line here and one file beside this one. */
static wn_writer *const writers[] = {
    [WINNOW_FORMAT_TEXT] = wn_write_text, [WINNOW_FORMAT_MARKDOWN] = wn_write_markdown,
    [WINNOW_FORMAT_JSON] = wn_write_text, [WINNOW_FORMAT_HTML] = wn_write_html,
    [WINNOW_FORMAT_XML] = wn_write_xml,   [WINNOW_FORMAT_TEI] = wn_write_tei,
};

wn_writer *wn_writer_for(winnow_format format)
{
    bool known = (size_t)format < sizeof writers / sizeof *writers;
    return known ? writers[format] : wn_write_text;
}

wn_document_writer *wn_document_writer_for(winnow_format format)
{
    switch (format) {
    case WINNOW_FORMAT_HTML:
        return wn_write_html_document;
    case WINNOW_FORMAT_XML:
        return wn_write_xml_document;
    case WINNOW_FORMAT_TEI:
        return wn_write_tei_document;
    default:
        return NULL;
    }
}

const char *wn_record_status(const winnow_result *result)
{
    return result ? winnow_status_name(result->status) : "unreadable";
}
