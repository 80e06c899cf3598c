/*
 * The Python module winnow._winnow: what its files share.
 *
 *     result, run        plain C: what was made of a page; many pages on many threads
 *     settings           keyword arguments to options
 *     extractor          options once; the calls extract() and parse()
 *     page               a page and what is asked of it
 *     pages              iterators over many pages
 *     record             records of archives
 *     arrow              pages as an Arrow stream
 *     site, text         sites that are learned; words, scores, methods
 *     module             puts them together
 *
 * Only the limited API of CPython 3.11 is used, so that one build serves every later version. There
 * is not a global state but a count of forks: types and caches are in the state of the module, and each
 * interpreter has its own.
 */
#ifndef BINDING_H
#define BINDING_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>

#include "result.h"
#include "run.h"

enum {
    /* Work on pages of fewer bytes is done before another thread would notice that it could run. */
    LONG_WORK = 4096,
    /* Page handles that wait for their next page, and pages that keep theirs for what is asked next. */
    IDLE_HANDLES = 32,
    WARM_PAGES = 16,
};

typedef struct parsed parsed;
typedef struct pages pages;
struct wn_words;

/* The state of the module. Guarded by the GIL. */
typedef struct module_state {
    PyTypeObject *extractor, *page, *pages, *record, *reader, *arrow, *site;
    PyTypeObject *metadata, *block, *link, *image, *score, *method, *parameter;
    PyObject *standard; /* an Extractor with the default options */
    winnow_page *idle[IDLE_HANDLES];
    size_t idle_count;
    parsed *warm_first, *warm_last; /* pages with a handle, the last used first */
    size_t warm_count;
    pages *running; /* iterators with threads */
    struct wn_words *words;
    struct corpus_tools *corpus; /* of corpus.c; NULL: not used yet */
} module_state;

extern PyModuleDef module_definition;

static inline module_state *state_of_type(PyTypeObject *type)
{
    return PyType_GetModuleState(type);
}

static inline module_state *state_of(void *object)
{
    return state_of_type(Py_TYPE((PyObject *)object));
}

/* Frees an object of a type that was made with the module. */
void release_object(void *object);

/* A new object of a type of ours, zeroed; NULL with an exception. */
void *new_object(PyTypeObject *type);

/* ---- Texts ------------------------------------------------------------------------------- */

/* A str of UTF-8; what is not is replaced. NULL with an exception. */
PyObject *text_of(const char *bytes, size_t size);

/* The same, "" for NULL. */
PyObject *text_or_empty(const char *text);

/* A tuple of str. */
PyObject *texts_of(const char *const *items, size_t count);

/* The UTF-8 of a str without NUL bytes, borrowed from it; NULL with an exception. */
const char *c_string_of(PyObject *text, const char *what);

/* Sets ValueError with the sentence of an error, MemoryError if out of memory. Returns NULL. */
void *raise_error(const winnow_error *error);

/* Sets TypeError if it is not one already: "what must be allowed, not type". Returns NULL. */
void *raise_type(const char *what, const char *allowed, PyObject *given);

/* ---- Bytes of the caller ----------------------------------------------------------------- */

/* The bytes of a page, borrowed from an object. */
typedef struct borrowed {
    PyObject *owner; /* a reference: bytes or str; NULL: a buffer */
    Py_buffer buffer;
    const void *bytes;
    size_t size;
    bool is_utf8; /* it was a str */
} borrowed;

/*
 * Borrows from a str or any buffer. `lasting`: the bytes must not change later, so what is not a str
 * or bytes is copied. False with an exception.
 */
bool borrow(borrowed *b, PyObject *object, bool lasting);
void give_back(borrowed *b);

/* ---- Settings ---------------------------------------------------------------------------- */

/* What keyword arguments say. Zero it before the first use. */
typedef struct settings {
    winnow_options *options;
    char *method; /* NULL: "auto" */
    winnow_format format;
    bool precision, recall;
    bool is_timed;
    winnow_site *site;
    winnow_model *model;
    winnow_noise *noise;
} settings;

/* Sets one; false with an exception. `call` names the function in messages. */
bool settings_set(settings *s, module_state *state, const char *call, PyObject *name,
                  PyObject *value);

/* Checks what no single argument can; false with an exception. */
bool settings_finish(settings *s);
void settings_clear(settings *s);

/* A format by its name; -1 with an exception. */
int format_of(PyObject *name);

/* ---- Work on one page -------------------------------------------------------------------- */

/* A page handle; NULL with an exception. */
winnow_page *take_handle(module_state *state);
void return_handle(module_state *state, winnow_page *handle);

/*
 * A piece of work that may take long: the GIL is released if there is much to do, and signals are
 * handled in between.
 *
 *     work w;
 *     if (work_begin(&w, options, url, charset, size)) {
 *         winnow_parse(handle, bytes, size, w.options);
 *         …
 *     }
 *     if (!work_end(&w))
 *         return NULL;                        // KeyboardInterrupt, or out of memory
 *
 * It must live as long as the handle is used for that page, which may ask it whether to stop.
 */
typedef struct work {
    const winnow_options *options;
    winnow_options *own; /* a copy */
    PyThreadState *thread;
    uint64_t next_look; /* when signals are looked at again, in milliseconds */
    bool failed;        /* there is an exception */
} work;

bool work_begin(work *w, const winnow_options *options, const char *url, const char *charset,
                size_t size);
bool work_end(work *w);

/* ---- Objects ----------------------------------------------------------------------------- */

/* Options once. It never changes after it was made. */
typedef struct extractor {
    PyObject_HEAD settings settings;
    PyObject *arguments; /* a dict, for repr() and pickle */
} extractor;

/* A new Extractor of keyword arguments in a dict or NULL. */
PyObject *extractor_new(module_state *state, const char *call, PyObject *arguments);

/* The page of a call, and what belongs to it alone. The last two may be NULL. */
typedef struct page_call {
    PyObject *html, *url, *charset;
} page_call;

/* bytes -> str */
PyObject *extract(module_state *state, const settings *s, const page_call *call);

/* A Page of bytes, parsed and selected from at once. */
PyObject *page_parse(module_state *state, extractor *made_by, PyObject *html, PyObject *url,
                     PyObject *charset);

/* A Page of a task that is done, which it takes over. */
PyObject *page_of_task(module_state *state, extractor *made_by, task *t);

/* What was made of a Page in a format, and its facts; NULL with an exception. Valid while it lives. */
const result *page_result(PyObject *page, unsigned formats, bool facts);
const origin *page_origin(PyObject *page);
PyObject *page_restore(module_state *state, PyObject *arguments);

/* Cools all pages and frees idle handles. */
void drop_handles(module_state *state);

/* Iterators. */
PyObject *pages_of_iterable(module_state *state, extractor *made_by, PyObject *iterable,
                            size_t threads, unsigned formats);
PyObject *pages_of_archive(module_state *state, extractor *made_by, PyObject *source,
                           const winnow_reader_settings *how, size_t threads, unsigned formats);
void pages_stop_all(module_state *state);

/* Reads `threads`; false with an exception. */
bool read_threads(PyObject *value, size_t *threads);

/* Reads the names of formats (a str or an iterable of them) as bits; false with an exception. */
bool read_formats(PyObject *value, unsigned *formats);

/* The bytes, address and charset of a Record as a task's. */
bool record_fill_task(module_state *state, PyObject *record, task *t, borrowed *bytes);

/* Whether the body of a Record is the text of a page, as in WET files. */
bool record_is_text(PyObject *record);

/* A path or file descriptor of an archive. */
typedef struct archive {
    winnow_reader *reader;
    int fd;           /* that was opened; else -1 */
    borrowed bytes;   /* in memory */
    PyObject *file;   /* a file object, */
    PyObject *buffer; /* what it read last, */
    Py_ssize_t used;  /* and how much of that was taken */
    PyObject *name;   /* of the file: bytes; NULL: unknown */
    PyThreadState *thread;
    PyObject *error[3]; /* an exception of the file object */
} archive;

/* Opens a path, bytes or a file object; false with an exception. */
bool archive_open(archive *a, PyObject *source, const winnow_reader_settings *how);
void archive_close(archive *a);
bool is_file_object(PyObject *source);

/* Reads start, end, kind, max_record, …; 1 it was one, 0 it is another argument, -1 exception. */
int archive_setting(winnow_reader_settings *how, PyObject *name, PyObject *value);

PyObject *read_warc(module_state *state, PyObject *source, const winnow_reader_settings *how);
PyObject *to_arrow(module_state *state, PyObject *source, PyObject *columns, Py_ssize_t batch,
                   extractor *made_by, size_t threads);

winnow_site *site_copy(PyObject *site); /* NULL with an exception */

PyObject *text_words(PyObject *module, PyObject *args, PyObject *named);
PyObject *text_evaluate(PyObject *module, PyObject *args, PyObject *named);
PyObject *text_methods(PyObject *module, PyObject *unused);

/* Each makes its types; false with an exception. */
bool extractor_types(PyObject *module, module_state *state);
bool page_types(PyObject *module, module_state *state);
bool pages_types(PyObject *module, module_state *state);
bool record_types(PyObject *module, module_state *state);
bool arrow_types(PyObject *module, module_state *state);
bool site_types(PyObject *module, module_state *state);
bool text_types(PyObject *module, module_state *state);

/* Makes a type of the module, with its name there; NULL with an exception. */
PyTypeObject *add_type(PyObject *module, PyType_Spec *spec);
PyTypeObject *add_struct(PyObject *module, PyStructSequence_Desc *description);

/* Puts an item into a struct sequence; takes the reference over. False if it is NULL. */
bool put_item(PyObject *sequence, Py_ssize_t *place, PyObject *item);

/* ---- corpus.c: for winnow.spark ----------------------------------------------------------- */

PyObject *corpus_site_key(PyObject *module, PyObject *args);
PyObject *corpus_hash(PyObject *module, PyObject *text);
PyObject *corpus_dedup_keys(PyObject *module, PyObject *args);
PyObject *corpus_shingles(PyObject *module, PyObject *text);
PyObject *corpus_jaccard(PyObject *module, PyObject *args);
PyObject *corpus_word_counts(PyObject *module, PyObject *args);
PyObject *corpus_tag_counts(PyObject *module, PyObject *args);
PyObject *corpus_outliers(PyObject *module, PyObject *args);
void corpus_tools_free(struct corpus_tools *tools);

#endif
