/*
 * Writing: a selection and what is known of its page, in any format.
 */
#include "api/handles.h"
#include "base/utf8.h"
#include "text/language.h"

static wn_write_options write_options(const winnow_options *options)
{
    return (wn_write_options){
        .links = wn_api_flag(options, WINNOW_OPTION_LINKS),
        .formatting = wn_api_flag(options, WINNOW_OPTION_FORMATTING),
        .images = wn_api_flag(options, WINNOW_OPTION_IMAGES),
        .metadata = wn_api_flag(options, WINNOW_OPTION_METADATA),
        .blocks = wn_api_flag(options, WINNOW_OPTION_BLOCKS) ||
                  wn_api_flag(options, WINNOW_OPTION_EXPLAIN),
        .standalone = wn_api_flag(options, WINNOW_OPTION_STANDALONE),
        .csv_safe = wn_api_flag(options, WINNOW_OPTION_CSV_SAFE),
        .load_images = wn_api_flag(options, WINNOW_OPTION_LOAD_IMAGES),
    };
}

/* ---- The title --------------------------------------------------------------------------- */

/* Puts the letters and digits of a text into `out`, in lower case: what titles are compared by. */
static void add_letters(wn_buf *out, wn_str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (wn_is_ascii_alnum(text.ptr[i]) || (unsigned char)text.ptr[i] >= 0x80)
            wn_buf_add_char(out, wn_ascii_lower(text.ptr[i]));
}

/* Whether one is the other, or most of it. */
static bool is_same_title(wn_str a, wn_str b)
{
    wn_str shorter = a.len < b.len ? a : b, longer = a.len < b.len ? b : a;
    return shorter.len > 0 && shorter.len * 2 >= longer.len &&
           wn_str_find(longer, shorter) < longer.len;
}

/*
 * Whether a heading among the kept blocks, or the first of them, is the title. Below the first
 * heading one of a section may share most of its words with the title, and has to be all of it.
 */
static bool has_title(const winnow_selection *s, const char *title)
{
    enum { LONGEST = 1024 }; /* bytes of a heading */
    wn_buf wanted = {0}, found = {0};
    bool has = false, is_first = true, is_first_heading = true;
    add_letters(&wanted, wn_str_of(title));
    for (uint32_t i = 0; i < s->verdicts.count && !has; i++) {
        const wn_block *block = &s->view.page.blocks.items[i];
        if (!s->verdicts.verdicts[i].keep || block->len == 0)
            continue;
        bool is_heading = block->kind == WINNOW_BLOCK_HEADING;
        if ((is_first || is_heading) && block->len < LONGEST) {
            bool is_top = is_first || is_first_heading || block->level == 1;
            wn_buf_clear(&found);
            add_letters(&found, wn_block_text(&s->view.page, block));
            has = is_top ? is_same_title(wn_buf_str(&wanted), wn_buf_str(&found))
                         : wn_str_eq(wn_buf_str(&wanted), wn_buf_str(&found));
        }
        is_first = false;
        is_first_heading &= !is_heading;
    }
    wn_buf_free(&wanted);
    wn_buf_free(&found);
    return has;
}

/* The title that the text is to begin with; "" if it has it, or is not to. */
static const char *title_of(winnow_selection *s, const winnow_options *options, bool is_plain)
{
    bool wanted = wn_api_flag(options, WINNOW_OPTION_TITLE) ||
                  (!is_plain && wn_api_flag(options, WINNOW_OPTION_HEADING));
    if (!wanted || !wn_selection_keeps(&s->verdicts))
        return "";
    const char *title = wn_api_metadata(s)->title;
    return has_title(s, title) ? "" : title;
}

/* ---- The record -------------------------------------------------------------------------- */

/* A copy of the caller's record, which may be of another version. */
static winnow_record copy_record(const winnow_record *record)
{
    winnow_record copy = {0};
    if (record)
        memcpy(&copy, record,
               record->struct_size < sizeof copy ? record->struct_size : sizeof copy);
    return copy;
}

/* What is known besides the text; the listing only where the format shows it. */
static wn_write_report report_of(winnow_selection *s, const wn_write_format *format,
                                 const wn_write_options *options, const winnow_record *record)
{
    bool needs_metadata = format->needs_metadata || options->metadata;
    bool is_json = format->info.format == WINNOW_FORMAT_JSON ||
                   format->info.format == WINNOW_FORMAT_JSONL;
    bool links = options->links || options->images;
    bool lists = is_json &&
                 (links || options->blocks || s->verdicts.has_comments || s->verdicts.has_posts);
    wn_write_report report = {
        .status = s->status,
        .limited = s->limited,
        .method = s->method,
        .encoding = s->owner->encoding,
        .metadata = needs_metadata ? wn_api_metadata(s) : &wn_no_metadata,
        .page_type = winnow_selection_page_type(s),
        .confidence = winnow_selection_confidence(s),
        .threshold = winnow_selection_threshold(s),
        .listing = !lists            ? NULL
                   : options->blocks ? wn_api_listing(s)
                                     : wn_api_lists(s, links),
        .record = copy_record(record),
    };
    if (!report.record.url)
        report.record.url = s->owner->url;
    report.limited |= report.record.incomplete;
    if (report.record.incomplete && report.status == WINNOW_STATUS_OK)
        report.status = WINNOW_STATUS_PARTIAL;
    if (lists && !report.listing)
        s->arena.failed = true;
    return report;
}

/* What writes the text: in JSON it may be Markdown or HTML. */
static wn_write_body *body_of(const wn_write_format *format, const winnow_options *options,
                              wn_write_options *shown)
{
    static wn_write_body *const bodies[] = {wn_write_text, wn_write_markdown, wn_write_html};
    static const char *const names[] = {"txt", "md", "html"};
    uint64_t choice = options->numbers[WINNOW_OPTION_TEXT_FORMAT];
    bool is_json = format->document == wn_write_json || format->document == wn_write_json_line;
    shown->text_format = names[is_json ? choice : 0];
    return is_json ? bodies[choice] : format->body;
}

static uint64_t count_words(const winnow_selection *s)
{
    uint64_t words = 0;
    for (uint32_t i = 0; i < s->verdicts.count; i++)
        words += s->verdicts.verdicts[i].keep ? s->view.page.blocks.items[i].words : 0;
    return words;
}

/*
 * Templates declare English, whatever is written into them later. A guess is believed if the text
 * is long enough, and if the declared language is one that would have been found. That it is
 * English is not: pages in all languages have English parts.
 */
static bool refutes(const char *guess, double probability, wn_str text, const char *declared)
{
    enum { SHORTEST = 200 }; /* bytes */
    static const double SURE = 0.99;
    char code[WN_LANGUAGE_CODE];
    wn_text_language_normalise(wn_str_of(declared), code);
    if (!*guess || probability < SURE || text.len < SHORTEST || strcmp(guess, code) == 0 ||
        strcmp(guess, "en") == 0)
        return false;
    for (size_t i = 0; wn_stopword_languages[i][0]; i++)
        if (strcmp(wn_stopword_languages[i], code) == 0)
            return true;
    return false;
}

/* Adds the words of the content without any markup, up to about `most` bytes of them. */
static void add_words(wn_buf *words, const winnow_selection *s, size_t most)
{
    for (uint32_t i = 0; i < s->verdicts.count && words->len < most; i++) {
        if (!s->verdicts.verdicts[i].keep)
            continue;
        wn_buf_add(words, wn_block_text(&s->view.page, &s->view.page.blocks.items[i]));
        wn_buf_add_char(words, '\n');
    }
}

/* The language of the content, static; "" where it is not clear, or as the page declares it. */
static const char *guess_language(winnow_selection *s, const char *declared, double *probability)
{
    enum { ENOUGH = 2048 }; /* bytes that tell whether a declaration is wrong */
    *probability = 0;
    wn_buf content = {0};
    add_words(&content, s, *declared ? ENOUGH : SIZE_MAX);
    s->arena.failed |= content.failed;
    wn_str text = wn_buf_str(&content);
    if (*declared)
        text = wn_utf8_prefix(text, ENOUGH);
    wn_words *words = text.len > 0 ? wn_text_words_new() : NULL;
    const char *guess = words ? wn_text_language_judge(words, text, probability) : "";
    wn_text_words_free(words);
    bool is_better = !*declared || refutes(guess, *probability, text, declared);
    wn_buf_free(&content);
    return is_better ? guess : "";
}

/* Puts the language of the content into the metadata, which are copied to `known`. */
static void tell_language(winnow_selection *s, wn_write_report *report, winnow_metadata *known)
{
    *known = *report->metadata;
    report->guessed_language = guess_language(s, known->language, &report->language_probability);
    if (*report->guessed_language)
        known->language = report->guessed_language;
    report->metadata = known;
}

/* What was left out for its costs while the text was written is in its record, too. */
static void tell_exceeded(winnow_selection *s, wn_write_report *report)
{
    wn_api_note_exceeded(s);
    report->limited |= WINNOW_LIMITED_WORK;
    if (report->status == WINNOW_STATUS_OK)
        report->status = WINNOW_STATUS_PARTIAL;
}

/* page and selection -> bytes; false if out of memory */
static bool write_content(winnow_selection *s, const wn_write_format *format,
                          const winnow_options *options, wn_write_options *shown,
                          const winnow_record *record)
{
    wn_write_body *body = body_of(format, options, shown);
    wn_buf *out = &s->output[format->info.format];
    wn_buf_clear(out);
    wn_buf_clear(&s->body);
    wn_write_report report = report_of(s, format, shown, record);
    if (body != wn_write_text && !wn_api_place_objects(s))
        return false;
    shown->title = title_of(s, options, format->body == wn_write_text);
    bool is_bare = format->document == wn_write_front_matter && !shown->metadata;
    bool exceeded = false;
    shown->exceeded = &exceeded;
    if (!report.record.error && s->verdicts.count > 0)
        body(is_bare ? out : &s->body, &s->view.page, &s->verdicts, shown, s->owner->url);
    shown->exceeded = NULL;
    if (exceeded || (s->has_listing && s->listing.exceeded) || (s->has_lists && s->lists.exceeded))
        tell_exceeded(s, &report);
    if (format->document == wn_write_json || format->document == wn_write_json_line)
        report.words = count_words(s);
    if (!is_bare) {
        winnow_metadata known;
        if (!report.record.error)
            tell_language(s, &report, &known);
        format->document(out, &report, wn_buf_str(&s->body), shown);
    }
    return !out->failed && !s->body.failed && !s->arena.failed;
}

/* Gives a buffer out as a C string; NULL if it is not whole. */
static const char *give(wn_buf *out, size_t *size, const wn_api_work *w)
{
    const char *bytes = wn_buf_c_string(out);
    bool is_whole = !out->failed && !wn_api_ran_out(w);
    if (size)
        *size = is_whole ? out->len : 0;
    return is_whole ? bytes : NULL;
}

const char *winnow_write_record(winnow_selection *selection, winnow_format format_number,
                                const winnow_options *options, const winnow_record *record,
                                size_t *size)
{
    const wn_write_format *format = wn_write_format_at(format_number);
    if (size)
        *size = 0;
    if (!selection)
        return NULL;
    winnow_page *page = selection->owner;
    wn_api_work w = wn_api_enter(page);
    wn_api_read_state before = wn_api_read_state_of(selection);
    const char *bytes = NULL;
    wn_api_error_clear(&page->error);
    wn_write_options shown = write_options(wn_api_options(options));
    if (!format)
        wn_api_error_say(&page->error, WINNOW_STATUS_BAD_ARGUMENT,
                         "there is no format of that number; winnow_format_at() lists them");
    else if (write_content(selection, format, wn_api_options(options), &shown, record))
        bytes = give(&selection->output[format_number], size, &w);
    if (format && !bytes)
        wn_api_give_up_reading(selection, &before);
    wn_api_leave(&w);
    return bytes;
}

const char *winnow_write(winnow_selection *selection, winnow_format format,
                         const winnow_options *options, size_t *size)
{
    return winnow_write_record(selection, format, options, NULL, size);
}

const char *winnow_write_failure(winnow_page *page, winnow_format format_number,
                                 const winnow_options *options, const winnow_record *record,
                                 size_t *size)
{
    const wn_write_format *format = wn_write_format_at(format_number);
    if (size)
        *size = 0;
    if (!page || !format)
        return NULL;
    wn_api_work w = wn_api_enter(page);
    wn_write_options shown = write_options(wn_api_options(options));
    wn_write_report report = {.method = "", .encoding = "", .metadata = &wn_no_metadata};
    report.record = copy_record(record);
    report.status = report.record.status;
    wn_buf_clear(&page->failure);
    if (format->info.tells_failures)
        format->document(&page->failure, &report, WN_STR(""), &shown);
    const char *bytes = give(&page->failure, size, &w);
    if (!bytes)
        wn_api_say_no_memory(page);
    wn_api_leave(&w);
    return bytes;
}
