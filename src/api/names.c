/*
 * What there is: the names and lists of the public interface that belong to no other file. Methods
 * are in extract/method.c, formats in write/formats.c, options in options.c.
 */
#include "winnow.h"

#include "extract/method.h"
#include "write/write.h"

#ifdef WN_HAVE_ICU
#include <unicode/uversion.h>
#endif

const winnow_method_info *winnow_method_at(size_t index)
{
    const wn_method *method = wn_method_at(index);
    return method ? &method->info : NULL;
}

const winnow_method_info *winnow_method_find(const char *name)
{
    wn_str text = wn_str_of(name);
    const char *colon = text.len ? memchr(text.ptr, ':', text.len) : NULL;
    const wn_method *method = wn_method_find(colon ? wn_str_between(text.ptr, colon) : text);
    return method ? &method->info : NULL;
}

const char *winnow_status_name(winnow_status status)
{
    static const char *const names[] = {
        [WINNOW_STATUS_OK] = "ok",
        [WINNOW_STATUS_EMPTY] = "empty",
        [WINNOW_STATUS_PARTIAL] = "partial",
        [WINNOW_STATUS_NOT_HTML] = "not-html",
        [WINNOW_STATUS_UNKNOWN_METHOD] = "unknown-method",
        [WINNOW_STATUS_NO_MEMORY] = "no-memory",
        [WINNOW_STATUS_BAD_PARAMETER] = "bad-parameter",
        [WINNOW_STATUS_TOO_LARGE] = "too-large",
        [WINNOW_STATUS_BAD_MODEL] = "bad-model",
        [WINNOW_STATUS_NEEDS_COLLECTION] = "needs-collection",
        [WINNOW_STATUS_CANCELLED] = "cancelled",
        [WINNOW_STATUS_BAD_ARGUMENT] = "bad-argument",
        [WINNOW_STATUS_BAD_SITE] = "bad-site",
        [WINNOW_STATUS_UNREADABLE] = "unreadable",
    };
    return (size_t)status < sizeof names / sizeof *names ? names[status] : "unknown";
}

const char *winnow_page_type_name(winnow_page_type type)
{
    static const char *const names[] = {
        [WINNOW_PAGE_TYPE_ARTICLE] = "article", [WINNOW_PAGE_TYPE_FORUM] = "forum",
        [WINNOW_PAGE_TYPE_PRODUCT] = "product", [WINNOW_PAGE_TYPE_COLLECTION] = "collection",
        [WINNOW_PAGE_TYPE_LISTING] = "listing", [WINNOW_PAGE_TYPE_DOCUMENTATION] = "documentation",
        [WINNOW_PAGE_TYPE_SERVICE] = "service",
    };
    return (size_t)type < sizeof names / sizeof *names ? names[type] : NULL;
}

const char *winnow_block_kind_name(winnow_block_kind kind)
{
    static const char *const names[] = {
        [WINNOW_BLOCK_PARAGRAPH] = "paragraph", [WINNOW_BLOCK_HEADING] = "heading",
        [WINNOW_BLOCK_LIST_ITEM] = "list-item", [WINNOW_BLOCK_TERM] = "term",
        [WINNOW_BLOCK_DETAIL] = "detail",       [WINNOW_BLOCK_CELL] = "cell",
        [WINNOW_BLOCK_CODE] = "code",           [WINNOW_BLOCK_QUOTE] = "quote",
        [WINNOW_BLOCK_CAPTION] = "caption",     [WINNOW_BLOCK_FORM] = "form",
        [WINNOW_BLOCK_IMAGE] = "image",         [WINNOW_BLOCK_EMBED] = "embed",
        [WINNOW_BLOCK_RULE] = "rule",           [WINNOW_BLOCK_FORMULA] = "formula",
        [WINNOW_BLOCK_FOOTNOTE] = "footnote",
    };
    return (size_t)kind < sizeof names / sizeof *names ? names[kind] : "unknown";
}

const char *winnow_block_role_name(winnow_block_role role)
{
    static const char *const names[] = {
        [WINNOW_ROLE_TITLE] = "title",     [WINNOW_ROLE_BYLINE] = "byline",
        [WINNOW_ROLE_LEDE] = "lede",       [WINNOW_ROLE_BODY] = "body",
        [WINNOW_ROLE_HEADING] = "heading", [WINNOW_ROLE_CAPTION] = "caption",
        [WINNOW_ROLE_FACTS] = "facts",     [WINNOW_ROLE_QUOTATION] = "quotation",
        [WINNOW_ROLE_EMBED] = "embed",     [WINNOW_ROLE_COMMENT] = "comment",
        [WINNOW_ROLE_RELATED] = "related", [WINNOW_ROLE_PROMOTION] = "promotion",
        [WINNOW_ROLE_SHARE] = "share",     [WINNOW_ROLE_NAVIGATION] = "navigation",
        [WINNOW_ROLE_LEGAL] = "legal",     [WINNOW_ROLE_OTHER] = "other",
    };
    return (size_t)role < sizeof names / sizeof *names ? names[role] : NULL;
}

/* The keys of a JSON record, in its order (write/json.c); a test compares them with a record. */
const winnow_field_info *winnow_field_at(size_t index)
{
    static const winnow_field_info fields[] = {
        {"id", "string", "the path, or the id of an archive's record", true},
        {"file", "string", "the file that holds this page and others", false},
        {"offset", "number", "where the page starts in that file", false},
        {"inner", "number", "where it starts in the compressed piece at `offset`", false},
        {"length", "number", "bytes of its record in that file", false},
        {"url", "string", "the page's address", true},
        {"crawled", "string", "when the archive fetched it, ISO 8601", false},
        {"http_status", "number", "what the server answered: 200", false},
        {"media_type", "string", "what the server declared: text/html", false},
        {"status", "string", "ok, empty, partial, not-html, …", true},
        {"error", "string", "why there is nothing", true},
        {"limited", "list",
         "limits that were reached: bytes, nodes, …; truncated, damaged, needs-javascript, challenge",
         true},
        {"method", "string", "the method that was used", true},
        {"title", "string", "without the name of the site", true},
        {"author", "string", "the authors, joined", true},
        {"date", "string", "when it was published, ISO 8601", true},
        {"language", "string",
         "the declared language: en, pt-BR; that of the text if none or a wrong one is declared",
         true},
        {"language_source", "string", "declared, or text if it was detected", true},
        {"language_probability", "number", "that the detected language is right; null if declared",
         true},
        {"encoding", "string", "the encoding that was used", true},
        {"authors", "list", "names, in the page's order", true},
        {"modified", "string", "when it was last changed, ISO 8601", true},
        {"site", "string", "the name of the site", true},
        {"description", "string", "a sentence or two by its author", true},
        {"canonical", "string", "the canonical address", true},
        {"image", "string", "the address of its picture", true},
        {"tags", "list", "keywords", true},
        {"categories", "list", "sections", true},
        {"license", "string", "its address or its name", true},
        {"hostname", "string", "of the page's address, or of the canonical one", true},
        {"page_type", "string", "article, forum, product, …, as estimated by auto", true},
        {"confidence", "number", "the expected word F1", true},
        {"words", "number", "words of the text; an estimate in scripts without spaces", true},
        {"text", "string", "the content; null if the page could not be read", true},
        {"text_format", "string", "md or html, if the text is not plain", false},
        {"comments", "list",
         "readers' comments below an article, or the posts of a forum: author, date, text", true},
        {"sources", "object", "where each metadata field was found; with explain", false},
        {"threshold", "number", "the minimum probability of kept blocks; with explain", false},
        {"blocks", "list", "the blocks; with blocks or explain", false},
        {"links", "list", "the links of the text; with links", false},
        {"images", "list", "the images of the text; with images", false},
        {"ms", "number", "milliseconds, if they were measured", true},
    };
    return index < sizeof fields / sizeof *fields ? &fields[index] : NULL;
}

const char *winnow_version(void)
{
    return WN_WRITE_VERSION;
}

const winnow_component *winnow_component_at(size_t index)
{
    static const winnow_component components[] = {
#ifdef WN_HAVE_UCHARDET
        {"uchardet", "", "guesses undeclared encodings"},
#else
        {"uchardet", NULL, "guesses undeclared encodings"},
#endif
#ifdef WN_HAVE_ICU
        {"ICU", U_ICU_VERSION, "finds words of Lao, Khmer, Burmese, Chinese and Japanese"},
#else
        {"ICU", NULL, "finds words of Lao, Khmer, Burmese, Chinese and Japanese"},
#endif
#ifdef WN_HAVE_LIBTHAI
        {"libthai", "", "finds words of Thai"},
#else
        {"libthai", NULL, "finds words of Thai"},
#endif
#ifdef WN_HAVE_STEMMER
        {"libstemmer", "", "word stems"},
#else
        {"libstemmer", NULL, "word stems"},
#endif
#ifdef WN_NO_SIMD
        {"SIMD", NULL, "scans many bytes at once"},
#else
        {"SIMD", "", "scans many bytes at once"},
#endif
    };
    return index < sizeof components / sizeof *components ? &components[index] : NULL;
}
