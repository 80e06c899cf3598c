#include "io/sheets.h"

#include <stdlib.h>

#include "base/url.h"
#include "io/handed_in.h"
#include "io/message.h"
#include "io/progress.h"

enum {
    MAX_SHEET = 4 << 20,        /* bytes of a linked sheet */
    MAX_PAGE_SHEETS = 16 << 20, /* of those of a page */
    MAX_KEPT_BYTES = 32 << 20,  /* of those that are kept from page to page */
    MAX_KEPT = 256,             /* their number: they are looked for one by one */
};

static const wn_str BESIDE = WN_STR("beside://");

/* ---- Memory ------------------------------------------------------------------------------ */

winnow_sheets *winnow_sheets_new(const winnow_sheets_settings *handed_in)
{
    winnow_sheets_settings settings;
    wn_io_reading reading;
    winnow_sheets *s = calloc(1, sizeof *s);
    bool sound = wn_io_take_struct(&settings, sizeof settings, handed_in);
    const winnow_inputs_settings *inputs = settings.inputs.struct_size ? &settings.inputs : NULL;
    if (!s || !sound || !wn_io_read_settings(inputs, &reading) ||
        (settings.fetch && !wn_io_http_start())) {
        free(s);
        return NULL;
    }
    *s = (winnow_sheets){
        .fetch = settings.fetch, .seconds = reading.web.timeout, .wide = settings.root};
    reading.web.max_bytes = MAX_SHEET;
    reading.web.sheets = true;
    wn_io_loader_init(&s->loader, &reading.web);
    return s;
}

static void forget_kept(winnow_sheets *s)
{
    for (uint32_t i = 0; i < s->kept.count; i++) {
        wn_io_kept_sheet *sheet = &s->kept.items[i];
        wn_buf_free(&sheet->key);
        wn_buf_free(&sheet->bytes);
        wn_buf_free(&sheet->url);
        wn_buf_free(&sheet->charset);
    }
    s->kept.count = 0;
    s->kept_bytes = 0;
}

void winnow_sheets_free(winnow_sheets *s)
{
    if (!s)
        return;
    forget_kept(s);
    wn_array_free(&s->kept);
    wn_io_loader_end(&s->loader);
    wn_buf_free(&s->root);
    wn_buf_free(&s->base);
    wn_buf_free(&s->problem);
    wn_buf_free(&s->sentence);
    free(s);
}

/* ---- Pages ------------------------------------------------------------------------------- */

/* The part of a real path that is below `root`, without a slash before it; NULL if it is not. */
static const char *path_below(const wn_buf *root, const char *path)
{
    size_t len = root->len;
    if (len == 1) /* "/" */
        return path + 1;
    if (strncmp(path, root->ptr, len) != 0 || path[len] != '/')
        return NULL;
    return path + len + 1;
}

/* Sets the root to the folder of a page, or to `folder` if there is one. */
static void set_root(winnow_sheets *s, const char *page, const char *folder)
{
    char *real = realpath(folder ? folder : page, NULL);
    char *slash = real && !folder ? strrchr(real, '/') : NULL;
    if (slash)
        slash[slash == real] = '\0';
    wn_buf_add_literal(&s->root, real ? real : "");
    free(real);
}

/* Writes a path as that of an address. */
static void add_path(wn_buf *out, const char *path)
{
    for (; *path; path++) {
        unsigned char c = (unsigned char)*path;
        if (c <= ' ' || c >= 0x7F || strchr("%?#\\", c))
            wn_buf_add_format(out, "%%%02X", c);
        else
            wn_buf_add_char(out, (char)c);
    }
}

static void begin_file(winnow_sheets *s, const winnow_input *input, const char *const *names)
{
    const char *named = input->kind == WINNOW_INPUT_FOUND ? names[input->name] : NULL;
    set_root(s, input->id, s->wide ? s->wide : named);
    if (s->root.len == 0)
        return;
    char *real = realpath(input->id, NULL);
    const char *below = real ? path_below(&s->root, real) : NULL;
    wn_buf_add(&s->base, BESIDE);
    wn_buf_add_char(&s->base, '/');
    add_path(&s->base, below ? below : "");
    free(real);
}

bool wn_io_sheets_begin(winnow_sheets *s, const winnow_input *input, const char *const *names,
                        const char *url)
{
    if (s->kept.count > MAX_KEPT || s->kept_bytes > MAX_KEPT_BYTES)
        forget_kept(s);
    wn_buf_clear(&s->root);
    wn_buf_clear(&s->base);
    wn_buf_clear(&s->problem);
    s->spent = 0;
    s->bytes = 0;
    s->asked = s->missing = 0;
    bool file = input->kind == WINNOW_INPUT_FILE || input->kind == WINNOW_INPUT_FOUND;
    if (s->fetch && url)
        wn_buf_add_literal(&s->base, url);
    else if (file)
        begin_file(s, input, names);
    return s->fetch || s->root.len > 0;
}

/* ---- Sheets ------------------------------------------------------------------------------ */

static wn_io_kept_sheet *find_kept(const winnow_sheets *s, wn_str key)
{
    for (uint32_t i = 0; i < s->kept.count; i++)
        if (wn_str_eq(wn_buf_str(&s->kept.items[i].key), key))
            return &s->kept.items[i];
    return NULL;
}

/* Keeps what was read under a key; NULL if out of memory. */
static wn_io_kept_sheet *keep(winnow_sheets *s, wn_str key, const winnow_loaded *loaded)
{
    wn_io_kept_sheet *sheet = wn_array_push(&s->kept);
    if (!sheet)
        return NULL;
    *sheet = (wn_io_kept_sheet){.found = !loaded->error};
    wn_buf_add(&sheet->key, key);
    if (!loaded->error)
        wn_buf_add(&sheet->bytes, wn_str_from(loaded->bytes, loaded->size));
    if (sheet->bytes.len > MAX_SHEET)
        sheet->bytes.len = MAX_SHEET;
    wn_buf_add_literal(&sheet->url, loaded->url ? loaded->url : "");
    wn_buf_add_literal(&sheet->charset, loaded->charset ? loaded->charset : "");
    s->kept_bytes += sheet->bytes.len;
    return sheet;
}

/* The sheet in the file `path`, if that is one below the root. */
static wn_io_kept_sheet *sheet_on_disk(winnow_sheets *s, const char *path)
{
    char *real = realpath(path, NULL);
    wn_io_kept_sheet *sheet = NULL;
    if (real && path_below(&s->root, real)) {
        sheet = find_kept(s, wn_str_of(real));
        if (!sheet) {
            wn_io_item item = {.shown = {.kind = WINNOW_INPUT_FOUND, .id = real}};
            winnow_loaded loaded = wn_io_loader_load(&s->loader, &item);
            sheet = keep(s, wn_str_of(real), &loaded);
        }
    }
    free(real);
    return sheet && sheet->found ? sheet : NULL;
}

/*
 * The sheet at beside:///PATH. "style.css?v=2" may have been saved under just that name; else what
 * is after the question mark does not count.
 */
static wn_io_kept_sheet *sheet_beside(winnow_sheets *s, wn_str url)
{
    wn_str path = wn_str_from_offset(url, BESIDE.len);
    const char *hash = memchr(path.ptr, '#', path.len);
    if (hash)
        path.len = (size_t)(hash - path.ptr);
    const char *query = memchr(path.ptr, '?', path.len);
    wn_io_kept_sheet *sheet = NULL;
    for (int cut = 0; cut <= (query != NULL) && !sheet; cut++) {
        wn_buf file = {0};
        wn_buf_add(&file, wn_buf_str(&s->root));
        wn_url_decode(&file, cut ? wn_str_between(path.ptr, query) : path);
        bool text = !file.failed && memchr(file.ptr, '\0', file.len) == NULL;
        sheet = text ? sheet_on_disk(s, wn_buf_c_string(&file)) : NULL;
        wn_buf_free(&file);
    }
    return sheet;
}

static void note_missing(winnow_sheets *s, const char *url, const char *error)
{
    s->missing++;
    if (s->problem.len > 0)
        return;
    wn_add_quoted(&s->problem, url);
    wn_buf_add_literal(&s->problem, ": ");
    wn_add_printable(&s->problem, wn_str_of(error));
}

static wn_io_kept_sheet *fetch_sheet(winnow_sheets *s, const char *url)
{
    double left = s->seconds - s->spent, start = wn_io_seconds();
    if (left <= 0) {
        note_missing(s, url, "the style sheets of this page take too long; see --timeout");
        return NULL;
    }
    s->loader.settings.timeout = left;
    if (s->loader.http)
        wn_io_http_set_timeout(s->loader.http, left);
    wn_io_item item = {.shown = {.kind = WINNOW_INPUT_URL, .id = url}};
    winnow_loaded loaded = wn_io_loader_load(&s->loader, &item);
    s->spent += wn_io_seconds() - start;
    if (loaded.error)
        note_missing(s, url, loaded.error);
    return keep(s, wn_str_of(url), &loaded);
}

static wn_io_kept_sheet *sheet_on_web(winnow_sheets *s, const char *url)
{
    if (!s->fetch || !wn_io_is_url(url))
        return NULL;
    s->asked++;
    wn_io_kept_sheet *sheet = find_kept(s, wn_str_of(url));
    if (!sheet)
        sheet = fetch_sheet(s, url);
    else if (!sheet->found)
        note_missing(s, url, "an earlier attempt to fetch it failed");
    return sheet && sheet->found ? sheet : NULL;
}

bool wn_io_sheets_load(void *data, wn_str url, wn_css_sheet *sheet)
{
    winnow_sheets *s = data;
    wn_io_kept_sheet *found = NULL;
    if (s->bytes >= MAX_PAGE_SHEETS)
        return false;
    bool beside = s->root.len > 0 && wn_str_starts(url, BESIDE);
    if (beside && url.len > BESIDE.len && url.ptr[BESIDE.len] == '/') {
        found = sheet_beside(s, url);
    } else {
        wn_buf address = {0}; /* "//example.org/a.css" on a page from disk has no scheme */
        wn_buf_add_literal(&address, beside ? "https://" : "");
        wn_buf_add(&address, beside ? wn_str_from_offset(url, BESIDE.len) : url);
        found = sheet_on_web(s, wn_buf_c_string(&address));
        wn_buf_free(&address);
    }
    if (!found)
        return false;
    sheet->bytes = wn_buf_str(&found->bytes);
    if (sheet->bytes.len > MAX_PAGE_SHEETS - s->bytes)
        sheet->bytes.len = (size_t)(MAX_PAGE_SHEETS - s->bytes);
    s->bytes += sheet->bytes.len;
    if (found->charset.len > 0)
        sheet->charset = wn_buf_c_string(&found->charset);
    if (found->url.len > 0)
        sheet->url = wn_buf_str(&found->url);
    return true;
}

/* ---- For others -------------------------------------------------------------------------- */

static bool load_sheet(void *sheets, const char *url, winnow_sheet *sheet)
{
    wn_css_sheet loaded = {.bytes = WN_STR(""), .url = WN_STR("")};
    if (!wn_io_sheets_load(sheets, wn_str_of(url), &loaded))
        return false;
    sheet->bytes = loaded.bytes.ptr;
    sheet->size = loaded.bytes.len;
    sheet->charset = loaded.charset;
    if (loaded.url.len > 0)
        sheet->url = loaded.url.ptr;
    return true;
}

winnow_status winnow_sheets_offer(winnow_sheets *s, const winnow_input *input,
                                  const char *const *names, const char *url,
                                  winnow_options *options)
{
    if (!s || !input || !names || !options)
        return WINNOW_STATUS_BAD_ARGUMENT;
    bool offered = wn_io_sheets_begin(s, input, names, url);
    bool has_base = offered && s->base.len > 0;
    winnow_options_set_sheet_loader(options, offered ? load_sheet : NULL, s);
    return winnow_options_set_text(options, WINNOW_OPTION_SHEET_BASE,
                                   has_base ? wn_buf_c_string(&s->base) : NULL);
}

const char *winnow_sheets_problem(winnow_sheets *s)
{
    if (!s || s->missing == 0)
        return "";
    wn_buf_clear(&s->sentence);
    wn_buf_add_format(&s->sentence, "%u of %u style sheets could not be fetched; ", s->missing,
                      s->asked);
    wn_buf_add(&s->sentence, wn_buf_str(&s->problem));
    return wn_buf_c_string(&s->sentence);
}
