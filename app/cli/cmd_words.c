/*
 * winnow words: the words of texts and pages, one line for each line.
 *
 * Plain text is a stream: it is read, cut into words and printed piece by piece, however long it
 * is, also if it never has a line end. Pages, and text in an encoding other than UTF-8, are read as
 * a whole. The first bytes decide.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memrchr */
#endif

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/utf8.h"
#include "cli/collection.h"
#include "cli/commands.h"
#include "cli/job.h"
#include "cli/methods.h"
#include "cli/sandbox.h"
#include "draw/page_words.h"
#include "html/encoding.h"
#include "html/sniff.h"
#include "io/magic.h"
#include "io/message.h"
#include "io/output.h"
#include "io/reason.h"
#include "text/language.h"
#include "text/unicode.h"

enum {
    PIECE = 256 << 10,    /* bytes of a stream that are worked on at once */
    MARKUP_WINDOW = 4096, /* a page shows within so many bytes that it is one */
};

/* ---- Options ----------------------------------------------------------------------------- */

typedef struct settings {
    const char *join, *language, *stopwords, *charset, *output, *store;
    wn_method_settings method;
    bool no_stopwords, lower, stem, text, html, overwrite, raw, quiet;
    wn_web_settings web;
    wn_page_limits limits;
    bool sandbox;
} settings;

static const wn_option options[] = {
    {.heading = "Input"},
    WN_FLAG("text", 0, text, "treat every input as plain text, even if it looks like a page"),
    WN_FLAG("html", 0, html, "treat every input as a page"),
    WN_VALUE(TEXT, "method", 'm', "NAME", method.method,
             "how content is found (default: auto; all: everything), with parameters as for "
             "extract",
             .choices = wn_cli_method_name),
    WN_VALUE(TEXT, "store", 0, "STORE", store,
             "the collection for the method outlier (default: the inputs, which are read twice)"),
    WN_VALUE(TEXT, "charset", 0, "NAME", charset, "the encoding of the inputs, if known"),
    WN_VALUE(TEXT, "language", 0, "CODE", language,
             "the language: en, de, th, … (default: declared by the page, else detected)"),

    {.heading = "Output"},
    WN_VALUE(TEXT, "join", 0, "MARK", join, "the separator between words (default: a space)"),
    WN_FLAG("lower", 0, lower, "words in lower case"),
    WN_FLAG("stem", 0, stem,
            "the stems of the words (Snowball), in languages that have a stemmer; implies --lower"),
    WN_FLAG("no-stopwords", 0, no_stopwords, "leave out the stop words of the language"),
    WN_VALUE(TEXT, "stopwords", 0, "FILE", stopwords,
             "also leave out the words of FILE, one per line"),
    WN_OUTPUT_OPTION,
    WN_FLAG("overwrite", 0, overwrite, "replace FILE if it exists"),
    WN_RAW_OPTION,
    WN_FLAG("quiet", 'q', quiet, "no warnings; only errors"),

    {.heading = "Limits"},
    WN_VALUE(SIZE, "max-bytes", 0, "SIZE", web.max_bytes,
             "read at most this much of a page (default: 32M; 0: 2G, the maximum); UTF-8 text "
             "may have any length",
             .max = WN_LARGEST_PAGE),
    WN_PAGE_LIMIT_OPTIONS,
    WN_SANDBOX_OPTION,
    WN_WEB_OPTIONS,

    {.heading = "Help"},
    {0},
};

/* What no single option can check; WN_GO_ON or an exit code. */
static int check_settings(settings *s, char **names)
{
    const wn_command *command = &wn_command_words;
    char code[WN_LANGUAGE_CODE];
    int problem = wn_cli_job_check(command, names, s->charset, s->language, &s->web);
    if (problem != WN_GO_ON)
        return problem;
    if (s->text && s->html)
        return wn_cli_wrong_usage(command, "--text and --html exclude each other");
    bool listed = !s->language || wn_text_stopword_language_bit(wn_str_of(
                                      wn_text_language_normalise(wn_str_of(s->language), code)));
    if (s->no_stopwords && !listed)
        return wn_cli_wrong_usage(
            command, "there are no stop words for the language '%s'; see --stopwords", code);
    return WN_GO_ON;
}

/* ---- The work ---------------------------------------------------------------------------- */

typedef struct job {
    const settings *settings;
    wn_buf method;    /* with its parameters */
    wn_buf stopwords; /* the user's, one per line */
    winnow_inputs *inputs;
    winnow_page *page;
    winnow_options *page_options;
    wn_collection collection; /* what the method must know of other pages */
    wn_word_tools tools;
    wn_io_output output;
    wn_arena arena;  /* decoded text */
    wn_buf bytes;    /* of the input, or of the part that is read */
    wn_buf repaired; /* that part, if it was ill-formed */
    wn_buf folded;
    bool in_line; /* there is a word in the line already */
    uint64_t printed, failed;
    bool single;
} job;

static void say_failed(job *j, const winnow_input *input, const char *error)
{
    wn_cli_job_say_unreadable(input, error);
    j->failed++;
}

static void warn(const job *j, const winnow_input *input, const char *what)
{
    wn_buf message = {0};
    wn_cli_job_add_name(&message, input);
    wn_buf_add_literal(&message, what);
    if (!j->settings->quiet)
        wn_io_say(&message);
    wn_buf_free(&message);
}

/* ---- Words of a text --------------------------------------------------------------------- */

static void print_word(job *j, wn_str word)
{
    const settings *s = j->settings;
    if (s->lower || s->stem || s->no_stopwords || s->stopwords) {
        wn_buf_clear(&j->folded);
        wn_text_fold(&j->folded, word);
        if (wn_text_stopwords_has(&j->tools.stop, wn_buf_str(&j->folded)))
            return;
        if ((s->lower || s->stem) && !j->folded.failed)
            word = wn_buf_str(&j->folded);
        if (s->stem)
            word = wn_text_stem(j->tools.stemmer, word);
    }
    if (j->in_line)
        wn_io_output_add(&j->output, wn_str_of(s->join));
    wn_io_output_add(&j->output, word);
    j->in_line = true;
    j->printed++;
}

static void print_words(job *j, wn_str text)
{
    wn_text_words_begin(j->tools.segmenter, text);
    for (wn_str word; wn_text_words_next(j->tools.segmenter, &word);)
        print_word(j, word);
}

static void end_line(job *j)
{
    wn_io_output_add(&j->output, WN_STR("\n"));
    j->in_line = false;
}

/* Prints lines; the last one may go on in the next call. True if it does, and is not empty. */
static bool print_lines(job *j, wn_str text)
{
    while (text.len > 0 && j->output.state == WN_IO_OUTPUT_OPEN) {
        const char *end = memchr(text.ptr, '\n', text.len);
        size_t len = end ? (size_t)(end - text.ptr) : text.len;
        print_words(j, wn_str_from(text.ptr, len));
        if (!end)
            return true;
        end_line(j);
        text = wn_str_from_offset(text, len + 1);
    }
    return false;
}

static void use_language(job *j, const char *language)
{
    wn_text_words_set_language(j->tools.segmenter, wn_str_of(language));
    wn_text_stemmer_use(j->tools.stemmer, wn_str_of(language));
    if (j->settings->no_stopwords)
        wn_text_stopwords_use(&j->tools.stop, wn_str_of(language));
}

/* Uses the language that the user says, or the one that a text looks like. */
static void choose_language(job *j, wn_str text)
{
    char code[WN_LANGUAGE_CODE];
    const char *said = j->settings->language;
    use_language(j, said ? wn_text_language_normalise(wn_str_of(said), code)
                         : wn_text_language_guess(j->tools.segmenter, text));
}

static void print_text(job *j, wn_str text)
{
    choose_language(j, text);
    if (print_lines(j, text))
        end_line(j);
}

/* ---- Pages ------------------------------------------------------------------------------- */

static void print_page(job *j, const winnow_input *input, wn_str bytes, const char *charset)
{
    char code[WN_LANGUAGE_CODE];
    wn_buf reason = {0};
    wn_word_tools *tools = &j->tools;
    winnow_options_set_text(j->page_options, WINNOW_OPTION_CHARSET, charset);
    wn_cli_collection_apply(&j->collection, input, NULL, j->page_options);
    winnow_parse(j->page, bytes.ptr, bytes.len, j->page_options);
    winnow_selection *content = winnow_select(j->page, wn_buf_c_string(&j->method),
                                              j->page_options);
    wn_io_add_reason(&reason, wn_cli_job_status(content), bytes);
    if (reason.len > 0)
        say_failed(j, input, wn_buf_c_string(&reason));
    else
        use_language(j, wn_draw_page_language(j->settings->language, content, tools, code));
    const winnow_block *block;
    for (size_t i = 0; reason.len == 0 && (block = winnow_selection_block(content, i)); i++) {
        if (!block->kept)
            continue;
        print_words(j, wn_str_from(block->text, block->size));
        end_line(j);
    }
    wn_buf_free(&reason);
}

/* ---- What an input is -------------------------------------------------------------------- */

static bool starts_as_page(wn_str text)
{
    static const char *const signs[] = {"<!doctype", "<html", "<head", "<body", "<?xml"};
    text = wn_str_trim(text);
    bool tag = text.len > 1 && text.ptr[0] == '<' &&
               (wn_is_ascii_alpha(text.ptr[1]) || text.ptr[1] == '!' || text.ptr[1] == '?');
    for (size_t i = 0; !tag && i < sizeof signs / sizeof *signs; i++)
        tag = wn_str_contains_nocase(text, wn_str_of(signs[i]));
    return tag;
}

/* Whether bytes, of which these are the first, are a page. */
static bool is_page(job *j, wn_str first, const char *charset)
{
    if (j->settings->text || j->settings->html)
        return j->settings->html;
    if (first.len > MARKUP_WINDOW)
        first.len = MARKUP_WINDOW;
    wn_arena_reset(&j->arena);
    return starts_as_page(wn_html_decode(&j->arena, first, charset).text);
}

static bool is_binary(job *j, const winnow_input *input, wn_str bytes)
{
    if (!wn_html_sniff_is_binary(bytes))
        return false;
    wn_buf reason = {0};
    const char *type = wn_io_guess_type(bytes);
    wn_buf_add_literal(&reason, "neither text nor a web page");
    if (type)
        wn_buf_add_format(&reason, ": it looks like %s", type);
    say_failed(j, input, wn_buf_c_string(&reason));
    wn_buf_free(&reason);
    return true;
}

/* Prints an input that was read as a whole. */
static void print_whole(job *j, const winnow_input *input, wn_str bytes, const char *charset)
{
    uint64_t most = j->settings->web.max_bytes;
    if (is_binary(j, input, bytes))
        return;
    if (bytes.len > most) {
        warn(j, input, " is not complete: it is longer than --max-bytes");
        bytes.len = (size_t)most;
    }
    if (is_page(j, bytes, charset)) {
        print_page(j, input, bytes, charset);
        return;
    }
    wn_arena_reset(&j->arena);
    print_text(j, wn_html_decode(&j->arena, bytes, charset).text);
    if (j->arena.failed)
        say_failed(j, input, "out of memory");
}

/* ---- Streams ----------------------------------------------------------------------------- */

/* Reads once, at most `most` bytes; the number, 0 at the end or -1 with errno. */
static ssize_t read_some(int fd, wn_buf *bytes, size_t most)
{
    if (!wn_buf_reserve(bytes, most)) {
        errno = ENOMEM;
        return -1;
    }
    ssize_t got;
    do
        got = read(fd, bytes->ptr + bytes->len, most);
    while (got < 0 && errno == EINTR);
    if (got > 0)
        bytes->len += (size_t)got;
    return got;
}

/* Reads until there are `wanted` bytes or no more; as read_some() what the last call said. */
static ssize_t read_until(int fd, wn_buf *bytes, size_t wanted)
{
    ssize_t got = 1;
    while (got > 0 && bytes->len < wanted) {
        size_t missing = wanted - bytes->len;
        got = read_some(fd, bytes, missing < PIECE ? missing : PIECE);
    }
    return got;
}

/* The part of the bytes that is complete: its lines, or words if no line ends. */
static size_t complete_part(wn_str bytes)
{
    const char *line_end = memrchr(bytes.ptr, '\n', bytes.len);
    if (line_end || bytes.len < PIECE)
        return line_end ? (size_t)(line_end + 1 - bytes.ptr) : 0;
    const char *space = memrchr(bytes.ptr + bytes.len / 2, ' ', bytes.len - bytes.len / 2);
    if (space)
        return (size_t)(space + 1 - bytes.ptr);
    size_t len = bytes.len;
    while (len > bytes.len - 4 && (bytes.ptr[len - 1] & 0xC0) == 0x80)
        len--;
    return len - 1; /* without the last character: it may not be complete */
}

/* The bytes as well-formed UTF-8: as they are, or repaired. */
static wn_str repair(job *j, wn_str bytes)
{
    if (wn_utf8_valid_prefix(bytes) == bytes.len)
        return bytes;
    wn_buf_clear(&j->repaired);
    wn_utf8_add_repaired(&j->repaired, bytes);
    return wn_buf_str(&j->repaired);
}

/* Prints what is complete of the bytes and keeps the rest; true if the last line goes on. */
static bool print_part(job *j, size_t len)
{
    bool goes_on = print_lines(j, repair(j, wn_str_from(j->bytes.ptr, len)));
    memmove(j->bytes.ptr, j->bytes.ptr + len, j->bytes.len - len);
    j->bytes.len -= len;
    return goes_on;
}

/* Prints text in UTF-8 of any length; its first bytes are read. */
static void print_stream(job *j, const winnow_input *input, int fd)
{
    if (wn_str_starts(wn_buf_str(&j->bytes), WN_STR("\xEF\xBB\xBF")))
        memmove(j->bytes.ptr, j->bytes.ptr + 3, j->bytes.len -= 3);
    choose_language(j, repair(j, wn_buf_str(&j->bytes)));
    bool open = false; /* a line was begun and not ended */
    ssize_t got = 1;
    while (got > 0 && j->output.state == WN_IO_OUTPUT_OPEN) {
        size_t len = complete_part(wn_buf_str(&j->bytes));
        if (len > 0)
            open = print_part(j, len);
        wn_io_output_flush(&j->output);
        got = read_some(fd, &j->bytes, PIECE);
    }
    int error = got < 0 ? errno : 0;
    open = print_part(j, j->bytes.len) || open;
    if (open && (j->in_line || j->bytes.len == 0))
        end_line(j);
    if (error)
        say_failed(j, input, strerror(error));
}

/* Whether the first bytes say that the input is text in UTF-8, which needs no other decoding. */
static bool is_utf8(wn_str first, const char *charset)
{
    enum { LONGEST_CHARACTER = 4 };
    if (charset && strcmp(wn_html_encoding_for_label(wn_str_of(charset)), "UTF-8") != 0)
        return false;
    bool ok = wn_utf8_valid_prefix(first) + LONGEST_CHARACTER > first.len;
    return ok && !memchr(first.ptr, '\0', first.len);
}

static void print_descriptor(job *j, const winnow_input *input, int fd)
{
    const settings *s = j->settings;
    bool begun = input->start_size > 0; /* and read so far, to see what it is */
    wn_buf_clear(&j->bytes);
    wn_buf_add(&j->bytes, wn_str_from(input->start ? input->start : "", input->start_size));
    ssize_t got = !s->text ? read_until(fd, &j->bytes, PIECE)
                  : begun  ? 1
                           : read_some(fd, &j->bytes, PIECE);
    wn_str first = wn_buf_str(&j->bytes);
    if (got > 0 && !wn_html_sniff_is_binary(first) && !is_page(j, first, s->charset) &&
        is_utf8(first, s->charset)) {
        print_stream(j, input, fd);
        return;
    }
    if (got > 0)
        got = read_until(fd, &j->bytes, (size_t)s->web.max_bytes + 1);
    if (got < 0)
        say_failed(j, input, strerror(errno));
    else
        print_whole(j, input, wn_buf_str(&j->bytes), s->charset);
}

/* ---- Inputs ------------------------------------------------------------------------------ */

static void print_file(job *j, const winnow_input *input)
{
    int fd = open(input->id, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) {
        say_failed(j, input, strerror(errno));
        return;
    }
    print_descriptor(j, input, fd);
    close(fd);
}

static void print_loaded(job *j, const winnow_input *input)
{
    const winnow_loaded *loaded = winnow_inputs_load(j->inputs);
    if (loaded->error)
        say_failed(j, input, loaded->error);
    else if (!loaded->skip)
        print_whole(j, input, wn_str_from(loaded->bytes, loaded->size),
                    j->settings->charset ? j->settings->charset : loaded->charset);
}

static void print_item(job *j, const winnow_input *input)
{
    uint64_t printed = j->printed, failed = j->failed;
    if (input->kind == WINNOW_INPUT_STANDARD)
        print_descriptor(j, input, STDIN_FILENO);
    else if (input->kind == WINNOW_INPUT_FILE)
        print_file(j, input);
    else
        print_loaded(j, input);
    if (j->printed == printed && j->failed == failed && j->output.state == WN_IO_OUTPUT_OPEN)
        warn(j, input, " has no words");
}

static bool start(job *j)
{
    j->page = winnow_page_new();
    j->page_options = wn_cli_job_options(&j->settings->web, &j->settings->limits, NULL);
    if (j->page && j->page_options && wn_draw_word_tools_make(&j->tools, wn_buf_str(&j->stopwords)))
        return true;
    wn_io_sayf("cannot start: out of memory");
    return false;
}

static int exit_code(const job *j)
{
    if (j->output.state == WN_IO_OUTPUT_CLOSED)
        return WN_EXIT_OK;
    if (j->output.state == WN_IO_OUTPUT_FAILED || j->failed > 0)
        return WN_EXIT_FAILED;
    return j->single && j->printed == 0 ? WN_EXIT_EMPTY : WN_EXIT_OK;
}

static int learn_collection(job *j, char **names)
{
    wn_collection_plan plan = {
        .command = &wn_command_words,
        .method = wn_buf_c_string(&j->method),
        .store = j->settings->store,
        .names = names,
        .single = j->single,
        .jobs = wn_cli_job_count(0, j->single),
        .http = &j->settings->web,
        .options = j->page_options,
    };
    return wn_cli_collection_learn(&j->collection, &plan);
}

static int print_all(job *j, char **names)
{
    const winnow_input *input;
    if (!start(j))
        return WN_EXIT_FAILED;
    int code = learn_collection(j, names);
    if (code != WN_GO_ON)
        return code;
    wn_cli_job_say_terminal(names, j->settings->quiet);
    while (j->output.state == WN_IO_OUTPUT_OPEN && (input = winnow_inputs_next(j->inputs)))
        print_item(j, input);
    if (!wn_io_output_finish(&j->output))
        wn_io_say(&j->output.error);
    return exit_code(j);
}

static void free_job(job *j)
{
    winnow_page_free(j->page);
    winnow_options_free(j->page_options);
    wn_draw_word_tools_free(&j->tools);
    wn_cli_collection_free(&j->collection);
    wn_io_output_free(&j->output);
    wn_arena_free(&j->arena);
    wn_buf_free(&j->bytes);
    wn_buf_free(&j->repaired);
    wn_buf_free(&j->folded);
}

static int make_job(const settings *s, char **args, job *j)
{
    int code = WN_EXIT_USAGE;
    bool opened = wn_io_output_open(&j->output, s->output, s->overwrite);
    wn_io_output_set_raw(&j->output, s->raw);
    if (!opened)
        wn_io_say(&j->output.error);
    else if ((code = wn_cli_sandbox_files(args, s->output, s->sandbox)) == WN_GO_ON)
        code = print_all(j, args);
    free_job(j);
    return code;
}

static int run_words(const wn_command *command, char **args)
{
    settings s = {.join = " ", .web = wn_cli_job_web()};
    int code = wn_cli_options_parse(command, args, &s);
    if (code == WN_GO_ON)
        code = check_settings(&s, args);
    job j = {.settings = &s};
    if (code == WN_GO_ON)
        code = wn_cli_method(command, &s.method, &j.method);
    if (code == WN_GO_ON)
        code = wn_cli_job_read_words(command, s.stopwords, "stop words", &j.stopwords);
    if (code == WN_GO_ON && !(j.inputs = wn_cli_job_open(args, &s.web, 0)))
        code = WN_EXIT_FAILED;
    if (code == WN_GO_ON) {
        j.single = wn_cli_job_is_single(j.inputs, args);
        code = make_job(&s, args, &j);
    }
    winnow_inputs_close(j.inputs);
    wn_buf_free(&j.method);
    wn_buf_free(&j.stopwords);
    return code;
}

const wn_command wn_command_words = {
    .name = "words",
    .operands = "[INPUT...]",
    .summary = "the words of texts and pages, in every script",
    .about = "Prints the words of plain text or of web pages, without punctuation: one line\n"
             "for each line of a text, or for each block of a page's main content.\n"
             "\n"
             "INPUT is a file, a directory (all pages below it), an http or https address, or\n"
             "- for standard input, which is also read if there is no INPUT. Input that begins\n"
             "like a web page is treated as one; everything else is plain text.",
    .notes = "A word is a run of letters and digits; Thai, Lao, Khmer, Burmese, Chinese and\n"
             "Japanese, which write no spaces, are cut with dictionaries.\n\n"
             "Exit status: 0 success; 1 an input could not be read or is neither text nor\n"
             "a page, or the output could not be written; 2 wrong usage; 3 one input, and it\n"
             "has no words; 130 interrupted.\n\n"
             "Examples:\n"
             "  echo 'ตากลมที่ริมน้ำ' | winnow words --join '|'\n"
             "  winnow words --lower --no-stopwords page.html\n"
             "  winnow words --stem --no-stopwords page.html\n"
             "  winnow words --join ' ' book.txt | tr ' ' '\\n' | sort | uniq -c | sort -rn",
    .options = options,
    .run = run_words,
};
