/*
 * The formats, a descriptor each. Everything that treats formats reads this table: `extract`,
 * `export`, the server, the bindings. A new format is one entry here and one file beside this one.
 */
#include "write/write.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

#define NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})
#define NO_NAMES ((const char *const[]){NULL})

static const wn_write_format formats[] = {
    [WINNOW_FORMAT_TEXT] =
        {
            .info =
                {
                    .format = WINNOW_FORMAT_TEXT,
                    .name = "txt",
                    .aliases = NAMES("text", "plain"),
                    .endings = NAMES(".txt"),
                    .media_type = "text/plain",
                    .head = "",
                    .tail = "",
                    .nothing = "",
                    .summary = "plain text (default)",
                    .separator = "\n",
                    .name_start = "==> ",
                    .name_end = " <==\n",
                    .has_explanation = true,
                },
            .body = wn_write_text,
            .document = wn_write_front_matter,
        },
    [WINNOW_FORMAT_MARKDOWN] =
        {
            .info =
                {
                    .format = WINNOW_FORMAT_MARKDOWN,
                    .name = "md",
                    .aliases = NAMES("markdown"),
                    .endings = NAMES(".md", ".markdown"),
                    .media_type = "text/markdown",
                    .head = "",
                    .tail = "",
                    .nothing = "",
                    .summary = "Markdown: headings, lists, tables, code, quotations",
                    .separator = "\n",
                    .name_start = "<!-- ",
                    .name_end = " -->\n\n",
                    .has_links = true,
                    .has_images = true,
                    .has_explanation = true,
                },
            .body = wn_write_markdown,
            .document = wn_write_front_matter,
        },
    [WINNOW_FORMAT_JSON] =
        {
            .info =
                {
                    .format = WINNOW_FORMAT_JSON,
                    .name = "json",
                    .aliases = NO_NAMES,
                    .endings = NAMES(".json"),
                    .media_type = "application/json",
                    .name_start = "",
                    .name_end = "",
                    .summary = "a record with text and metadata; several are an array",
                    .head = "[\n",
                    .separator = ",\n",
                    .tail = "\n]\n",
                    .nothing = "[]\n",
                    .tells_failures = true,
                    .has_links = true,
                    .has_explanation = true,
                },
            .body = wn_write_text,
            .document = wn_write_json,
            .needs_metadata = true,
        },
    [WINNOW_FORMAT_JSONL] =
        {
            .info =
                {
                    .format = WINNOW_FORMAT_JSONL,
                    .name = "jsonl",
                    .aliases = NAMES("ndjson"),
                    .endings = NAMES(".jsonl", ".ndjson"),
                    .media_type = "application/x-ndjson",
                    .head = "",
                    .nothing = "",
                    .name_start = "",
                    .name_end = "",
                    .separator = "",
                    .tail = "",
                    .summary = "the same, one per line",
                    .tells_failures = true,
                    .has_links = true,
                    .has_explanation = true,
                },
            .body = wn_write_text,
            .document = wn_write_json_line,
            .needs_metadata = true,
        },
    [WINNOW_FORMAT_HTML] =
        {
            .info =
                {
                    .format = WINNOW_FORMAT_HTML,
                    .name = "html",
                    .aliases = NAMES("htm"),
                    .endings = NAMES(".html", ".htm"),
                    .media_type = "text/html",
                    .separator = "",
                    .nothing = "",
                    .name_start = "",
                    .name_end = "",
                    .summary = "a clean page, an <article> for each input",
                    .head = WN_WRITE_HTML_HEAD(""),
                    .tail = "</body>\n</html>\n",
                    .has_links = true,
                    .has_images = true,
                },
            .body = wn_write_html,
            .document = wn_write_html_document,
            .needs_metadata = true,
        },
    [WINNOW_FORMAT_XML] =
        {
            .info =
                {
                    .format = WINNOW_FORMAT_XML,
                    .name = "xml",
                    .aliases = NO_NAMES,
                    .endings = NAMES(".xml"),
                    .media_type = "application/xml",
                    .separator = "",
                    .nothing = "",
                    .name_start = "",
                    .name_end = "",
                    .summary = "elements with metadata, for corpora",
                    .head = WN_WRITE_XML_DECLARATION "<corpus>\n",
                    .tail = "</corpus>\n",
                    .tells_failures = true,
                    .has_links = true,
                    .has_images = true,
                },
            .body = wn_write_xml,
            .document = wn_write_xml_document,
            .needs_metadata = true,
        },
    [WINNOW_FORMAT_TEI] =
        {
            .info =
                {
                    .format = WINNOW_FORMAT_TEI,
                    .name = "tei",
                    .aliases = NO_NAMES,
                    .endings = NAMES(".tei.xml", ".tei"),
                    .media_type = "application/tei+xml",
                    .separator = "",
                    .nothing = "",
                    .name_start = "",
                    .name_end = "",
                    .summary = "TEI P5: a header and divisions; several are a teiCorpus",
                    .head = WN_WRITE_XML_DECLARATION
                    "<teiCorpus xmlns=\"" WN_WRITE_TEI_NAMESPACE
                    "\">\n<teiHeader>\n<fileDesc>\n<titleStmt>\n<title>Pages from the web</title>\n"
                    "</titleStmt>\n<publicationStmt>\n<publisher>unknown</publisher>\n"
                    "</publicationStmt>\n<sourceDesc>\n<p>Each text names its source.</p>\n"
                    "</sourceDesc>\n</fileDesc>\n" WN_WRITE_TEI_APPLICATION "</teiHeader>\n",
                    .tail = "</teiCorpus>\n",
                    .has_links = true,
                    .has_images = true,
                },
            .body = wn_write_tei,
            .document = wn_write_tei_document,
            .needs_metadata = true,
        },
    [WINNOW_FORMAT_CSV] =
        {
            .info =
                {
                    .format = WINNOW_FORMAT_CSV,
                    .name = "csv",
                    .aliases = NO_NAMES,
                    .endings = NAMES(".csv"),
                    .media_type = "text/csv",
                    .separator = "",
                    .tail = "",
                    .nothing = "",
                    .name_start = "",
                    .name_end = "",
                    .summary = "the record as a row",
                    .head =
                        "id,url,status,error,method,title,author,date,modified,site,description,"
                        "language,canonical,image,categories,tags,license,page_type,"
                        "confidence,text\r\n",
                    .tells_failures = true,
                },
            .body = wn_write_text,
            .document = wn_write_csv,
            .needs_metadata = true,
        },
};

const wn_write_format *wn_write_format_at(size_t index)
{
    const wn_write_format *format = index < sizeof formats / sizeof *formats ? &formats[index]
                                                                             : NULL;
    assert(!format || format->info.format == index);
    return format;
}

/* ---- The public lists -------------------------------------------------------------------- */

const winnow_format_info *winnow_format_at(size_t index)
{
    const wn_write_format *format = wn_write_format_at(index);
    return format ? &format->info : NULL;
}

static bool has_name(const winnow_format_info *format, const char *name)
{
    if (strcasecmp(format->name, name) == 0)
        return true;
    for (const char *const *alias = format->aliases; *alias; alias++)
        if (strcasecmp(*alias, name) == 0)
            return true;
    return false;
}

const winnow_format_info *winnow_format_find(const char *name)
{
    const winnow_format_info *format = NULL;
    for (size_t i = 0; name && (format = winnow_format_at(i)) && !has_name(format, name); i++)
        continue;
    return format;
}

/* The bytes of the longest ending that the name has; 0 if it has none. */
static size_t ending_of(const winnow_format_info *format, wn_str name)
{
    size_t longest = 0;
    for (const char *const *ending = format->endings; *ending; ending++)
        if (wn_str_has_ending(name, wn_str_of(*ending)) && strlen(*ending) > longest)
            longest = strlen(*ending);
    return longest;
}

/* The longest ending decides: "pages.tei.xml" is TEI and not XML. */
const winnow_format_info *winnow_format_of_file(const char *file_name)
{
    const winnow_format_info *best = NULL, *format;
    size_t longest = 0;
    for (size_t i = 0; file_name && (format = winnow_format_at(i)); i++) {
        size_t ending = ending_of(format, wn_str_of(file_name));
        if (ending > longest) {
            longest = ending;
            best = format;
        }
    }
    return best;
}
