#include "cli/job.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "html/encoding.h"
#include "io/codec.h"
#include "io/message.h"
#include "io/reason.h"
#include "text/language.h"

enum { MAX_WORDS = 64 << 20 }; /* bytes of a file of words */

/* ---- Options ----------------------------------------------------------------------------- */

/* In the order of winnow_archive_kind. */
static const char *const kinds[][2] = {
    {"auto", "by their names and first bytes"},  {"warc", "web archives: WARC, ARC"},
    {"jsonl", "JSON lines with a page in each"}, {"html", "pages"},
    {"text", "plain text, left unchanged"},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

const char *wn_cli_job_kind(const void *list, size_t index)
{
    (void)list;
    return index < KINDS ? kinds[index][0] : NULL;
}

const char *wn_cli_job_kind_summary(const void *list, size_t index)
{
    (void)list;
    return index < KINDS ? kinds[index][1] : NULL;
}

wn_web_settings wn_cli_job_web(void)
{
    return (wn_web_settings){
        .max_bytes = winnow_options_number(NULL, WINNOW_OPTION_MAX_BYTES),
        .max_redirects = 10,
        .timeout = 30,
    };
}

size_t wn_cli_job_count(uint64_t asked, bool single)
{
    if (single)
        return 1;
    size_t count = asked ? (size_t)asked : winnow_cores();
    return count < WN_MAX_JOBS ? count : WN_MAX_JOBS;
}

/* Whether a line is "Name: value": without a colon libcurl would drop it silently, and a line end
 * would begin another header. */
static bool is_header(const char *line)
{
    size_t name = strcspn(line, ": \t");
    if (name == 0 || line[name] != ':')
        return false;
    for (; *line; line++)
        if ((unsigned char)*line < ' ' && *line != '\t')
            return false;
    return true;
}

int wn_cli_job_check(const wn_command *command, char **names, const char *charset,
                     const char *language, wn_web_settings *web)
{
    char code[WN_LANGUAGE_CODE];
    size_t standard_inputs = 0;
    for (char **name = names; *name; name++)
        standard_inputs += strcmp(*name, "-") == 0;
    if (standard_inputs > 1)
        return wn_cli_wrong_usage(command, "standard input ('-') can be read only once");
    if (charset && !wn_html_encoding_for_label(wn_str_of(charset)))
        return wn_cli_wrong_value(command,
                                  "unknown charset %s; use a name that browsers know, such as "
                                  "utf-8, windows-1252, iso-8859-2, shift_jis, gbk, tis-620",
                                  charset);
    if (language && !wn_text_language_normalise(wn_str_of(language), code)[0])
        return wn_cli_wrong_usage(command, "--language takes a code such as en, de or th");
    for (const char *const *line = web->headers.items; line && *line; line++)
        if (!is_header(*line))
            return wn_cli_wrong_value(command, "%s is not a header; expected 'Name: value'", *line);
    if (web->max_bytes == 0)
        web->max_bytes = WN_LARGEST_PAGE;
    return WN_GO_ON;
}

int wn_cli_job_check_url(const wn_command *command, const char *url, bool single)
{
    if (url && !single)
        return wn_cli_wrong_usage(command,
                                  "--url is the address of one page; give one input with it");
    if (url && !strstr(url, "://"))
        return wn_cli_wrong_usage(command, "--url takes a complete address, such as "
                                           "https://example.org/page");
    return WN_GO_ON;
}

/* Whether a path is that of a directory, or of something below it. */
static bool is_within(const char *path, const char *directory)
{
    size_t length = strlen(directory);
    return strncmp(path, directory, length) == 0 &&
           (path[length] == '\0' || path[length] == '/' || strcmp(directory, "/") == 0);
}

/* The real path of a directory that is there, or else of the one in which it would be made. */
static char *real_directory(const char *name)
{
    char *path = realpath(name, NULL);
    if (path)
        return path;
    wn_buf parent = {0};
    wn_buf_add_literal(&parent, name);
    while (parent.len > 0 && parent.ptr[parent.len - 1] == '/')
        parent.len--;
    while (parent.len > 0 && parent.ptr[parent.len - 1] != '/')
        parent.len--;
    path = realpath(parent.len > 0 ? wn_buf_c_string(&parent) : ".", NULL);
    wn_buf_free(&parent);
    return path;
}

/*
 * A directory of outputs and one of inputs must not be in each other: outputs would become inputs.
 */
static int check_directory(const wn_command *command, char **names, const char *output, bool exists)
{
    char *out = real_directory(output);
    int code = WN_GO_ON;
    for (; out && *names && code == WN_GO_ON; names++) {
        char *in = realpath(*names, NULL);
        struct stat info;
        bool directory = in && stat(in, &info) == 0 && S_ISDIR(info.st_mode);
        if (in && ((exists && is_within(in, out)) || (directory && is_within(out, in))))
            code = wn_cli_wrong_value(
                command, "%s holds inputs, or is among them; give another directory", output);
        free(in);
    }
    free(out);
    return code;
}

int wn_cli_job_check_output(const wn_command *command, char **names, const char *output)
{
    struct stat out, in;
    bool exists = output && stat(output, &out) == 0;
    if (output &&
        (exists ? S_ISDIR(out.st_mode) : wn_str_has_ending(wn_str_of(output), WN_STR("/"))))
        return check_directory(command, names, output, exists);
    if (!exists || !S_ISREG(out.st_mode))
        return WN_GO_ON;
    for (; *names; names++) {
        if (stat(*names, &in) == 0 && in.st_dev == out.st_dev && in.st_ino == out.st_ino)
            return wn_cli_wrong_value(command, "%s is an input; give the output another name",
                                      output);
    }
    return WN_GO_ON;
}

wn_str wn_cli_job_name_unpacked(const char *path)
{
    wn_str name = wn_str_of(path);
    if (wn_io_codec_of_name(name) != WN_IO_CODEC_NONE)
        while (name.len > 0 && name.ptr[--name.len] != '.')
            ;
    return name;
}

const winnow_format_info *wn_cli_job_format_of(const char *path)
{
    wn_buf name = {0};
    wn_buf_add(&name, wn_cli_job_name_unpacked(path));
    const winnow_format_info *format = winnow_format_of_file(wn_buf_c_string(&name));
    wn_buf_free(&name);
    return format;
}

/* ---- The start --------------------------------------------------------------------------- */

winnow_inputs_settings wn_cli_job_inputs(const wn_web_settings *web, uint64_t max_record)
{
    return (winnow_inputs_settings){
        .struct_size = sizeof(winnow_inputs_settings),
        .max_bytes = web->max_bytes ? web->max_bytes : WN_LARGEST_PAGE,
        .max_record = max_record,
        .timeout = web->timeout,
        .max_redirects = web->max_redirects ? web->max_redirects : WINNOW_NO_REDIRECTS,
        .allow_private = web->allow_private || web->proxy,
        .from = (winnow_archive_kind)web->from,
        .html_field = web->html_field,
        .url_field = web->url_field,
        .id_field = web->id_field,
        .user_agent = web->user_agent,
        .proxy = web->proxy,
        .headers = web->headers.items, /* there is always a NULL at its end */
    };
}

winnow_inputs *wn_cli_job_open(char **names, const wn_web_settings *web, uint64_t max_record)
{
    winnow_inputs_settings settings = wn_cli_job_inputs(web, max_record);
    winnow_inputs *inputs = winnow_inputs_open((const char *const *)names, &settings);
    if (!inputs)
        wn_io_sayf("cannot start: out of memory");
    return inputs;
}

bool wn_cli_job_is_single(winnow_inputs *inputs, char **names)
{
    bool standard_input = !names[0] || (!names[1] && strcmp(names[0], "-") == 0);
    return standard_input || winnow_inputs_single(inputs);
}

void wn_cli_job_say_terminal(char **names, bool quiet)
{
    if (!names[0] && !quiet && isatty(STDIN_FILENO))
        wn_io_sayf("reading from the terminal; Ctrl-D ends it");
}

/* Reads a file whole; what is wrong, or NULL. */
static const char *read_whole(const char *path, wn_buf *bytes)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return strerror(errno);
    char part[4096];
    size_t size;
    errno = 0;
    while (bytes->len <= MAX_WORDS && (size = fread(part, 1, sizeof part, file)) > 0)
        wn_buf_add(bytes, wn_str_from(part, size));
    const char *error = ferror(file) ? strerror(errno) : NULL;
    fclose(file);
    if (bytes->failed)
        return "out of memory";
    return bytes->len > MAX_WORDS ? "too long for a list of words" : error;
}

int wn_cli_job_read_words(const wn_command *command, const char *path, const char *what,
                          wn_buf *words)
{
    const char *error = path ? read_whole(path, words) : NULL;
    if (!error)
        return WN_GO_ON;
    wn_buf name = {0};
    wn_add_quoted(&name, path);
    int code = wn_cli_wrong_usage(command, "cannot read the %s %s: %s", what,
                                  wn_buf_c_string(&name), error);
    wn_buf_free(&name);
    return code;
}

/* ---- A page ------------------------------------------------------------------------------ */

winnow_options *wn_cli_job_options(const wn_web_settings *web, const wn_page_limits *limits,
                                   const char *charset)
{
    winnow_options *options = winnow_options_new();
    winnow_options_set_number(options, WINNOW_OPTION_MAX_BYTES, web->max_bytes);
    winnow_options_set_number(options, WINNOW_OPTION_MAX_MEMORY, limits->max_memory);
    winnow_options_set_number(options, WINNOW_OPTION_MAX_MILLISECONDS,
                              (uint64_t)(limits->max_time * 1000));
    winnow_options_set_text(options, WINNOW_OPTION_CHARSET, charset);
    return options;
}

void wn_cli_job_add_name(wn_buf *message, const winnow_input *input)
{
    if (input->kind == WINNOW_INPUT_STANDARD)
        wn_buf_add_literal(message, "standard input");
    else
        wn_add_quoted(message, input->id);
}

void wn_cli_job_add_unreadable(wn_buf *message, const winnow_input *input, const char *error)
{
    wn_buf_add_literal(message, input->kind == WINNOW_INPUT_NO_PAGES  ? "no pages found in "
                                : input->kind == WINNOW_INPUT_DAMAGED ? ""
                                : input->kind == WINNOW_INPUT_URL     ? "cannot fetch "
                                                                      : "cannot read ");
    wn_cli_job_add_name(message, input);
    wn_buf_add_literal(message, input->kind == WINNOW_INPUT_DAMAGED ? " is " : ": ");
    wn_add_printable(message, wn_str_of(error));
    if (input->kind == WINNOW_INPUT_FILE && strstr(input->id, "://"))
        wn_buf_add_literal(message, "; only http and https addresses can be fetched");
}

void wn_cli_job_say_unreadable(const winnow_input *input, const char *error)
{
    wn_buf message = {0};
    wn_cli_job_add_unreadable(&message, input, error);
    wn_io_say(&message);
    wn_buf_free(&message);
}

winnow_status wn_cli_job_status(const winnow_selection *content)
{
    return content ? winnow_selection_status(content) : WINNOW_STATUS_NO_MEMORY;
}

void wn_cli_job_add_load_error(wn_buf *reason, const winnow_loaded *loaded)
{
    wn_buf_add_literal(reason, loaded->error ? loaded->error : "");
    if (loaded->error && loaded->limit)
        wn_buf_add_literal(reason, "; see --max-record");
}

void wn_cli_job_add_reason(wn_buf *reason, winnow_status status, const winnow_loaded *loaded)
{
    wn_io_add_reason(reason, status, wn_str_from(loaded->bytes, loaded->size));
}
