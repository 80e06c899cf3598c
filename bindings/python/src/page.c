/*
 * winnow.Page: a page that was parsed, and what is asked of it.
 *
 * What was parsed is shared by a Page and those that select() makes of it (`parsed`). It keeps its
 * handle, with the tree of the page, while it is among the last that were used; then the handle goes
 * to another page. If more is asked later, it is parsed again: a million Pages in a list need the
 * memory of their bytes and results, not of a million trees.
 *
 * Whoever uses a handle holds the lock of `parsed`, since the GIL is released meanwhile. It is
 * recursive, because making Python objects may run a finaliser that asks the same page.
 */
#include "binding.h"

#include <stdlib.h>
#include <string.h>

struct parsed {
    size_t references; /* guarded by the GIL */
    module_state *state;
    borrowed html;
    char *owned; /* the bytes, if no Python object has them */
    extractor *made_by;
    origin origin;
    bool is_utf8;

    winnow_page *handle;   /* NULL: it went to another page */
    bool is_parsed;        /* `handle` has the page */
    unsigned long reading; /* how often it was parsed: selections end with their reading */
    work work;
    pthread_mutex_t lock;
    unsigned depth;         /* of the lock */
    unsigned process;       /* that locked it last: fork_count() */
    parsed *before, *after; /* of the pages with a handle */
};

typedef struct page {
    PyObject_HEAD parsed *parsed;
    char *method; /* NULL: that of the extractor */
    winnow_selection *content;
    unsigned long reading; /* that `content` belongs to */
    bool is_noted;         /* `result` knows what was selected */
    result result;
    PyObject *written[FORMAT_COUNT];
} page;

/* ---- Which pages keep a handle ----------------------------------------------------------- */

static void unlink_warm(parsed *p)
{
    module_state *state = p->state;
    *(p->before ? &p->before->after : &state->warm_first) = p->after;
    *(p->after ? &p->after->before : &state->warm_last) = p->before;
    p->before = p->after = NULL;
    state->warm_count--;
}

static void link_warm(parsed *p)
{
    module_state *state = p->state;
    p->after = state->warm_first;
    *(p->after ? &p->after->before : &state->warm_last) = p;
    state->warm_first = p;
    state->warm_count++;
}

/* Gives the handle of a page to others, if nobody uses it. */
static bool cool(parsed *p)
{
    if (p->depth > 0 || pthread_mutex_trylock(&p->lock) != 0)
        return false;
    unlink_warm(p);
    return_handle(p->state, p->handle);
    p->handle = NULL;
    p->is_parsed = false;
    p->reading++;
    pthread_mutex_unlock(&p->lock);
    return true;
}

static void cool_oldest(module_state *state)
{
    parsed *p = state->warm_last;
    while (p && state->warm_count > WARM_PAGES) {
        parsed *before = p->before;
        cool(p);
        p = before;
    }
}

void drop_handles(module_state *state)
{
    for (parsed *p = state->warm_last, *before; p; p = before) {
        before = p->before;
        cool(p);
    }
    while (state->idle_count > 0)
        winnow_page_free(state->idle[--state->idle_count]);
}

/* ---- What was parsed --------------------------------------------------------------------- */

static parsed *parsed_new(module_state *state, extractor *made_by)
{
    parsed *p = calloc(1, sizeof *p);
    if (!p) {
        PyErr_NoMemory();
        return NULL;
    }
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&p->lock, &recursive);
    pthread_mutexattr_destroy(&recursive);
    p->references = 1;
    p->state = state;
    p->made_by = (extractor *)Py_NewRef((PyObject *)made_by);
    return p;
}

static void parsed_release(parsed *p)
{
    if (--p->references > 0)
        return;
    if (p->handle) {
        unlink_warm(p);
        return_handle(p->state, p->handle);
    }
    pthread_mutex_destroy(&p->lock);
    origin_clear(&p->origin);
    free(p->owned);
    give_back(&p->html);
    Py_DECREF((PyObject *)p->made_by);
    free(p);
}

/* The thread that locked it is not in this process: what it worked on cannot be used. */
static void abandon(parsed *p)
{
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&p->lock, &recursive);
    pthread_mutexattr_destroy(&recursive);
    if (p->handle)
        unlink_warm(p);
    p->handle = NULL;
    p->is_parsed = false;
    p->reading++;
    p->depth = 0;
    p->work = (work){0};
}

/* False with an exception: a signal handler asks for the page that it interrupts. */
static bool lock(parsed *p)
{
    if (pthread_mutex_trylock(&p->lock) != 0) {
        if (p->process != fork_count()) {
            abandon(p);
            pthread_mutex_lock(&p->lock);
        } else {
            Py_BEGIN_ALLOW_THREADS pthread_mutex_lock(&p->lock);
            Py_END_ALLOW_THREADS
        }
    }
    if (p->work.thread) {
        pthread_mutex_unlock(&p->lock);
        PyErr_SetString(PyExc_RuntimeError, "the page is being worked on");
        return false;
    }
    p->process = fork_count();
    p->depth++;
    return true;
}

static void unlock(parsed *p)
{
    p->depth--;
    pthread_mutex_unlock(&p->lock);
}

/* ---- Using a page ------------------------------------------------------------------------ */

/* What is wanted of a page. */
typedef struct wanted {
    unsigned formats; /* bits */
    bool facts, content, lists;
    const winnow_options *options; /* NULL: of the extractor */
    const char *method;            /* NULL: of the page */
    winnow_selection *other;       /* gets the selection, if it is by other options or method */
} wanted;

static const settings *settings_of(const page *self)
{
    return &self->parsed->made_by->settings;
}

/* Whether all that is wanted is there. */
static bool is_there(const page *self, const wanted *want)
{
    bool there = self->is_noted && !want->options && (!want->facts || self->result.facts.memory);
    for (unsigned f = 0; f < FORMAT_COUNT; f++)
        if (want->formats & 1u << f)
            there = there && self->result.outputs[f].bytes;
    bool needs_content = want->content || want->lists;
    return there && (!needs_content || (self->content && self->reading == self->parsed->reading));
}

/* Gets a handle for the page; false with an exception. */
static bool warm_up(parsed *p)
{
    if (p->handle)
        unlink_warm(p);
    else
        p->handle = take_handle(p->state);
    if (!p->handle)
        return false;
    link_warm(p);
    cool_oldest(p->state);
    return true;
}

/* What was selected from the page before ends. */
static void parse(parsed *p)
{
    p->reading++;
    winnow_parse(p->handle, p->html.bytes, p->html.size, p->work.options);
    p->is_parsed = true;
}

/* The content by the method and options of the page itself. */
static bool select_content(page *self, const wanted *want)
{
    parsed *p = self->parsed;
    bool stale = !self->content || self->reading != p->reading;
    const char *method = self->method ? self->method : settings_of(self)->method;
    if (stale) {
        self->content = winnow_select(p->handle, method, p->work.options);
        self->reading = p->reading;
        if (!result_note(&self->result, p->handle, self->content, p->html.bytes, p->html.size,
                         p->origin.incomplete))
            return false;
        self->is_noted = true;
    }
    bool done = true;
    for (unsigned f = 0; f < FORMAT_COUNT; f++)
        if (want->formats & 1u << f && !self->result.outputs[f].bytes)
            done = done && result_keep(&self->result, p->handle, self->content, (winnow_format)f,
                                       p->work.options, &p->origin);
    if (want->facts && !self->result.facts.memory)
        done = done && facts_copy(&self->result.facts, winnow_selection_metadata(self->content));
    if (want->lists)
        winnow_selection_block_count(self->content);
    return done;
}

/* The content by others. */
static bool select_other(wanted *want, parsed *p)
{
    want->other = winnow_select(p->handle, want->method, p->work.options);
    winnow_selection_block_count(want->other);
    return want->other != NULL;
}

/* A page whose bytes could not be read. */
static bool note_unreadable(page *self, unsigned formats)
{
    static const winnow_metadata nothing = {
        .title = "",
        .published = "",
        .modified = "",
        .site = "",
        .description = "",
        .language = "",
        .url = "",
        .image = "",
        .license = "",
    };
    parsed *p = self->parsed;
    result *r = &self->result;
    winnow_page *handle = take_handle(p->state);
    if (!handle)
        return false;
    if (!self->is_noted) {
        r->status = WINNOW_STATUS_UNREADABLE;
        r->error = copy_text(p->origin.error);
        r->method = r->encoding = "";
        self->is_noted = true;
    }
    bool done = r->facts.memory || facts_copy(&r->facts, &nothing);
    for (unsigned f = 0; f < FORMAT_COUNT; f++)
        if (formats & 1u << f && !r->outputs[f].bytes)
            done = done && result_keep(r, handle, NULL, (winnow_format)f,
                                       settings_of(self)->options, &p->origin);
    return_handle(p->state, handle);
    if (!done)
        PyErr_NoMemory();
    return done;
}

/*
 * Does what is wanted, with the lock held: leave() it. False with an exception, and without the lock.
 */
static bool use(page *self, wanted *want)
{
    parsed *p = self->parsed;
    if (!lock(p))
        return false;
    if (is_there(self, want))
        return true;
    if (p->origin.error) {
        if (note_unreadable(self, want->formats))
            return true;
        unlock(p);
        return false;
    }
    bool stale = !self->content || self->reading != p->reading || want->options;
    /* The clock of a page starts when it is parsed: what is selected later needs a new one. */
    bool again = !p->is_parsed || (settings_of(self)->is_timed && stale);
    if (again && p->depth > 1) {
        unlock(p);
        PyErr_SetString(PyExc_RuntimeError, "the page is being read");
        return false;
    }
    bool done = warm_up(p);
    const winnow_options *options = want->options ? want->options : settings_of(self)->options;
    if (done && work_begin(&p->work, options, p->origin.url,
                           p->is_utf8 ? "utf-8" : p->origin.charset, p->html.size)) {
        if (again)
            parse(p);
        done = want->options ? select_other(want, p) : select_content(self, want);
    }
    if (!work_end(&p->work)) {
        /* It was cut short. */
        self->content = NULL;
        self->is_noted = false;
        p->is_parsed = false;
        p->reading++;
        unlock(p);
        return false;
    }
    if (!done) {
        unlock(p);
        if (!PyErr_Occurred())
            PyErr_NoMemory();
    }
    return done;
}

static void leave(page *self)
{
    unlock(self->parsed);
}

/* Uses a page for something simple; false with an exception. */
static bool use_for(page *self, unsigned formats, bool facts)
{
    wanted want = {.formats = formats, .facts = facts};
    return use(self, &want);
}

const result *page_result(PyObject *object, unsigned formats, bool facts)
{
    page *self = (page *)object;
    if (!use_for(self, formats, facts))
        return NULL;
    leave(self);
    return &self->result;
}

const origin *page_origin(PyObject *object)
{
    return &((page *)object)->parsed->origin;
}

/* ---- Making one -------------------------------------------------------------------------- */

/* A page of what was parsed; takes the reference over. */
static page *page_of(parsed *p)
{
    page *self = new_object(p->state->page);
    if (self)
        self->parsed = p;
    else
        parsed_release(p);
    return self;
}

static bool copy_argument(char **place, PyObject *value, const char *what)
{
    if (!value || value == Py_None)
        return true;
    const char *text = c_string_of(value, what);
    *place = text ? copy_text(text) : NULL;
    if (text && *text && !*place)
        PyErr_NoMemory();
    return text && (*place || !*text);
}

PyObject *page_parse(module_state *state, extractor *made_by, PyObject *html, PyObject *url,
                     PyObject *charset)
{
    parsed *p = parsed_new(state, made_by);
    page *self = p ? page_of(p) : NULL;
    if (!self)
        return NULL;
    bool made = copy_argument(&p->origin.url, url, "url") &&
                copy_argument(&p->origin.charset, charset, "charset") &&
                borrow(&p->html, html, true);
    p->is_utf8 = p->html.is_utf8;
    if (!made || !use_for(self, 0, false)) {
        Py_DECREF((PyObject *)self);
        return NULL;
    }
    leave(self);
    return (PyObject *)self;
}

PyObject *page_of_task(module_state *state, extractor *made_by, task *t)
{
    parsed *p = parsed_new(state, made_by);
    page *self = p ? page_of(p) : NULL;
    if (self) {
        p->html = (borrowed){.owner = t->source, .bytes = t->bytes, .size = t->size};
        p->owned = t->owned;
        p->origin = t->origin;
        p->is_utf8 = t->is_utf8;
        self->result = t->result;
        self->is_noted = true;
        t->source = t->owned = NULL;
        t->origin = (origin){0};
        t->result = (result){0};
    } else {
        Py_CLEAR(t->source);
    }
    task_free(t);
    return (PyObject *)self;
}

static void page_free(PyObject *object)
{
    page *self = (page *)object;
    parsed *p = self->parsed;
    /* Another Page may work on the same handle: then the selection ends with the reading. */
    if (p && self->content && self->reading == p->reading && p->references > 1 &&
        pthread_mutex_trylock(&p->lock) == 0) {
        winnow_selection_free(self->content);
        pthread_mutex_unlock(&p->lock);
    }
    for (size_t f = 0; f < FORMAT_COUNT; f++)
        Py_CLEAR(self->written[f]);
    result_clear(&self->result);
    free(self->method);
    if (p)
        parsed_release(p);
    release_object(object);
}

/* ---- Pickling ---------------------------------------------------------------------------- */

static PyObject *page_reduce(PyObject *object, PyObject *unused)
{
    (void)unused;
    page *self = (page *)object;
    const parsed *p = self->parsed;
    const origin *o = &p->origin;
    PyObject *module = PyType_GetModule(p->state->page);
    PyObject *make = module ? PyObject_GetAttrString(module, "_page") : NULL;
    if (!make)
        return NULL;
    return Py_BuildValue("N(Oy#Ozzzzzzz(KKKiI)z)", make, (PyObject *)p->made_by,
                         p->html.bytes ? (const char *)p->html.bytes : "", (Py_ssize_t)p->html.size,
                         p->is_utf8 ? Py_True : Py_False, o->id, o->url, o->charset, o->file,
                         o->date, o->error, o->media_type, (unsigned long long)o->offset,
                         (unsigned long long)o->inner, (unsigned long long)o->length,
                         o->http_status, o->incomplete, self->method);
}

PyObject *page_restore(module_state *state, PyObject *arguments)
{
    PyObject *made_by, *html;
    int is_utf8;
    origin o = {0};
    const char *method;
    unsigned long long offset, inner, length;
    if (!PyArg_ParseTuple(arguments, "O!Spzzzzzzz(KKKiI)z", state->extractor, &made_by, &html,
                          &is_utf8, &o.id, &o.url, &o.charset, &o.file, &o.date, &o.error,
                          &o.media_type, &offset, &inner, &length, &o.http_status, &o.incomplete,
                          &method))
        return NULL;
    parsed *p = parsed_new(state, (extractor *)made_by);
    page *self = p ? page_of(p) : NULL;
    if (!self)
        return NULL;
    p->is_utf8 = is_utf8;
    p->origin = (origin){.id = copy_text(o.id),
                         .url = copy_text(o.url),
                         .charset = copy_text(o.charset),
                         .file = copy_text(o.file),
                         .date = copy_text(o.date),
                         .error = copy_text(o.error),
                         .media_type = copy_text(o.media_type),
                         .offset = offset,
                         .inner = inner,
                         .length = length,
                         .http_status = o.http_status,
                         .incomplete = o.incomplete};
    self->method = copy_text(method);
    if (!borrow(&p->html, html, true))
        Py_CLEAR(self);
    return (PyObject *)self;
}

/* ---- What is asked ----------------------------------------------------------------------- */

static PyObject *get_format(page *self, winnow_format format)
{
    if (self->written[format])
        return Py_NewRef(self->written[format]);
    if (!use_for(self, 1u << format, false))
        return NULL;
    output *out = &self->result.outputs[format];
    PyObject *text = text_of(out->bytes, out->size);
    if (text && !self->written[format]) {
        self->written[format] = Py_NewRef(text);
        free(out->bytes);
        *out = (output){0};
    }
    leave(self);
    return text;
}

static PyObject *page_text(PyObject *self, void *format)
{
    return get_format((page *)self, (winnow_format)(intptr_t)format);
}

static PyObject *page_json(PyObject *self, PyObject *unused)
{
    (void)unused;
    return get_format((page *)self, WINNOW_FORMAT_JSON);
}

/* A text of the facts, at its offset in them. */
static PyObject *page_fact(PyObject *object, void *offset)
{
    page *self = (page *)object;
    if (!use_for(self, 0, true))
        return NULL;
    const char *place = (const char *)&self->result.facts + (intptr_t)offset;
    PyObject *text = text_or_empty(*(const char *const *)place);
    leave(self);
    return text;
}

static PyObject *page_authors(PyObject *object, void *unused)
{
    (void)unused;
    page *self = (page *)object;
    if (!use_for(self, 0, true))
        return NULL;
    PyObject *authors = texts_of(self->result.facts.authors, self->result.facts.author_count);
    leave(self);
    return authors;
}

static PyObject *page_metadata(PyObject *object, void *unused)
{
    (void)unused;
    page *self = (page *)object;
    if (!use_for(self, 0, true))
        return NULL;
    const facts *f = &self->result.facts;
    PyObject *m = PyStructSequence_New(state_of(object)->metadata);
    Py_ssize_t i = 0;
    bool filled = m && put_item(m, &i, text_or_empty(f->title)) &&
                  put_item(m, &i, texts_of(f->authors, f->author_count)) &&
                  put_item(m, &i, text_or_empty(f->published)) &&
                  put_item(m, &i, text_or_empty(f->modified)) &&
                  put_item(m, &i, text_or_empty(f->site)) &&
                  put_item(m, &i, text_or_empty(f->description)) &&
                  put_item(m, &i, text_or_empty(f->language)) &&
                  put_item(m, &i, text_or_empty(f->url)) &&
                  put_item(m, &i, text_or_empty(f->image)) &&
                  put_item(m, &i, texts_of(f->tags, f->tag_count)) &&
                  put_item(m, &i, texts_of(f->categories, f->category_count)) &&
                  put_item(m, &i, text_or_empty(f->license));
    leave(self);
    if (!filled)
        Py_CLEAR(m);
    return m;
}

typedef enum note { NOTE_STATUS, NOTE_TYPE, NOTE_METHOD, NOTE_ENCODING, NOTE_ERROR } note;

static PyObject *page_note(PyObject *object, void *which)
{
    page *self = (page *)object;
    if (!use_for(self, 0, false))
        return NULL;
    const result *r = &self->result;
    const char *text = "";
    switch ((note)(intptr_t)which) {
    case NOTE_STATUS:
        text = winnow_status_name(r->status);
        break;
    case NOTE_TYPE:
        text = winnow_page_type_name(r->type);
        break;
    case NOTE_METHOD:
        text = r->method;
        break;
    case NOTE_ENCODING:
        text = r->encoding;
        break;
    case NOTE_ERROR:
        text = r->error;
        break;
    }
    PyObject *copy = text_or_empty(text);
    leave(self);
    return copy;
}

static PyObject *page_confidence(PyObject *object, void *unused)
{
    (void)unused;
    page *self = (page *)object;
    if (!use_for(self, 0, false))
        return NULL;
    double confidence = self->result.confidence;
    leave(self);
    return PyFloat_FromDouble(confidence);
}

static PyObject *page_limited(PyObject *object, void *unused)
{
    static const char *const names[] = {"bytes", "nodes", "depth",     "attributes", "memory",
                                        "time",  "work",  "truncated", "damaged"};
    (void)unused;
    page *self = (page *)object;
    if (!use_for(self, 0, false))
        return NULL;
    const char *reached[sizeof names / sizeof *names];
    size_t count = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (self->result.limited & 1u << i)
            reached[count++] = names[i];
    leave(self);
    return texts_of(reached, count);
}

/* A text of the origin, at its offset there. */
static PyObject *page_origin_text(PyObject *object, void *offset)
{
    const origin *o = page_origin(object);
    const char *text = *(const char *const *)((const char *)o + (intptr_t)offset);
    if (!text && (intptr_t)offset == offsetof(origin, url)) {
        const winnow_options *options = settings_of((page *)object)->options;
        text = options ? winnow_options_text(options, WINNOW_OPTION_URL) : NULL;
    }
    return text_or_empty(text);
}

static PyObject *page_offset(PyObject *object, void *unused)
{
    (void)unused;
    return PyLong_FromUnsignedLongLong(page_origin(object)->offset);
}

static PyObject *page_length(PyObject *object, void *unused)
{
    (void)unused;
    return PyLong_FromUnsignedLongLong(page_origin(object)->length);
}

static PyObject *page_http_status(PyObject *object, void *unused)
{
    (void)unused;
    return PyLong_FromLong(page_origin(object)->http_status);
}

/* ---- Blocks ------------------------------------------------------------------------------ */

static PyObject *make_link(module_state *state, const winnow_link *link)
{
    PyObject *made = PyStructSequence_New(state->link);
    Py_ssize_t i = 0;
    if (made && !(put_item(made, &i, text_or_empty(link->url)) &&
                  put_item(made, &i, text_or_empty(link->text))))
        Py_CLEAR(made);
    return made;
}

static PyObject *make_image(module_state *state, const winnow_image *image)
{
    PyObject *made = PyStructSequence_New(state->image);
    Py_ssize_t i = 0;
    if (made && !(put_item(made, &i, text_or_empty(image->url)) &&
                  put_item(made, &i, text_or_empty(image->description))))
        Py_CLEAR(made);
    return made;
}

/* Appends an item, which it takes over; false with an exception. */
static bool append_item(PyObject *list, PyObject *item)
{
    bool added = item && PyList_Append(list, item) == 0;
    Py_XDECREF(item);
    return added;
}

static bool add_links(PyObject *list, module_state *state, winnow_selection *content,
                      const winnow_block *block)
{
    bool added = true;
    for (size_t i = 0; added && i < block->link_count; i++)
        added = append_item(
            list, make_link(state, winnow_selection_link(content, block->first_link + i)));
    return added;
}

static bool add_images(PyObject *list, module_state *state, winnow_selection *content,
                       const winnow_block *block)
{
    bool added = true;
    for (size_t i = 0; added && i < block->image_count; i++)
        added = append_item(
            list, make_image(state, winnow_selection_image(content, block->first_image + i)));
    return added;
}

typedef bool add_from_block(PyObject *list, module_state *state, winnow_selection *content,
                            const winnow_block *block);

/* Links or images of one block, as a tuple. */
static PyObject *tuple_of(add_from_block *add, module_state *state, winnow_selection *content,
                          const winnow_block *block)
{
    PyObject *list = PyList_New(0);
    PyObject *tuple = list && add(list, state, content, block) ? PyList_AsTuple(list) : NULL;
    Py_XDECREF(list);
    return tuple;
}

static bool add_block(PyObject *list, module_state *state, winnow_selection *content,
                      const winnow_block *block)
{
    PyObject *made = PyStructSequence_New(state->block);
    Py_ssize_t i = 0;
    if (made && !(put_item(made, &i, text_of(block->text, block->size)) &&
                  put_item(made, &i, text_or_empty(winnow_block_kind_name(block->kind))) &&
                  put_item(made, &i, PyLong_FromUnsignedLong(block->level)) &&
                  put_item(made, &i, PyLong_FromUnsignedLong(block->table)) &&
                  put_item(made, &i, PyLong_FromUnsignedLong(block->row)) &&
                  put_item(made, &i, PyLong_FromUnsignedLong(block->column)) &&
                  put_item(made, &i, PyBool_FromLong(block->kept)) &&
                  put_item(made, &i, text_or_empty(block->reason)) &&
                  put_item(made, &i, text_or_empty(block->path)) &&
                  put_item(made, &i, PyLong_FromSize_t(block->source_start)) &&
                  put_item(made, &i, PyLong_FromSize_t(block->source_end)) &&
                  put_item(made, &i, tuple_of(add_links, state, content, block)) &&
                  put_item(made, &i, tuple_of(add_images, state, content, block))))
        Py_CLEAR(made);
    return append_item(list, made);
}

/* Goes through the blocks of a selection, those that are kept or all. A list. */
static PyObject *list_blocks(module_state *state, winnow_selection *content, bool all,
                             add_from_block *add)
{
    PyObject *list = PyList_New(0);
    size_t count = winnow_selection_block_count(content);
    for (size_t i = 0; list && i < count; i++) {
        const winnow_block *block = winnow_selection_block(content, i);
        if ((all || block->kept) && !add(list, state, content, block))
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *list_content(page *self, add_from_block *add)
{
    wanted want = {.lists = true};
    if (!use(self, &want))
        return NULL;
    PyObject *list = list_blocks(state_of(self), self->content, false, add);
    leave(self);
    return list;
}

static PyObject *page_blocks(PyObject *self, void *unused)
{
    (void)unused;
    return list_content((page *)self, add_block);
}

static PyObject *page_links(PyObject *self, void *unused)
{
    (void)unused;
    return list_content((page *)self, add_links);
}

static PyObject *page_images(PyObject *self, void *unused)
{
    (void)unused;
    return list_content((page *)self, add_images);
}

/* The options of a page to be changed; NULL with an exception. */
static winnow_options *options_to_change(const page *self)
{
    winnow_options *options = winnow_options_copy(settings_of(self)->options);
    if (!options)
        PyErr_NoMemory();
    return options;
}

static PyObject *page_explain(PyObject *object, PyObject *unused)
{
    (void)unused;
    page *self = (page *)object;
    winnow_options *options = options_to_change(self);
    if (!options)
        return NULL;
    winnow_options_set_flag(options, WINNOW_OPTION_EXPLAIN, true);
    wanted want = {.options = options,
                   .method = self->method ? self->method : settings_of(self)->method};
    PyObject *list = NULL;
    if (use(self, &want)) {
        list = list_blocks(state_of(object), want.other, true, add_block);
        winnow_selection_free(want.other);
        leave(self);
    }
    winnow_options_free(options);
    return list;
}

/* Blocks that the one selection keeps and the other does not. */
static PyObject *list_difference(module_state *state, winnow_selection *with,
                                 winnow_selection *without)
{
    PyObject *list = PyList_New(0);
    size_t count = winnow_selection_block_count(with);
    if (winnow_selection_block_count(without) != count)
        count = 0;
    for (size_t i = 0; list && i < count; i++) {
        const winnow_block *block = winnow_selection_block(with, i);
        if (block->kept && !winnow_selection_block(without, i)->kept &&
            !add_block(list, state, with, block))
            Py_CLEAR(list);
    }
    return list;
}

/* Readers' comments are what "auto" keeps with them and drops without. */
static PyObject *page_comments(PyObject *object, void *unused)
{
    (void)unused;
    page *self = (page *)object;
    winnow_options *options = options_to_change(self);
    if (!options)
        return NULL;
    wanted with = {.options = options, .method = "auto:comments=yes"};
    wanted without = {.options = options, .method = "auto:comments=no"};
    PyObject *list = NULL;
    if (use(self, &with)) {
        unsigned long reading = self->parsed->reading;
        if (settings_of(self)->is_timed) {
            /* A second selection would start the clock again, and end the first. */
            list = PyList_New(0);
        } else if (use(self, &without)) {
            if (reading == self->parsed->reading)
                list = list_difference(state_of(object), with.other, without.other);
            winnow_selection_free(without.other);
            leave(self);
        }
        winnow_selection_free(with.other);
        leave(self);
    }
    winnow_options_free(options);
    return list;
}

/* ---- Other methods and formats ----------------------------------------------------------- */

static PyObject *page_select(PyObject *object, PyObject *name)
{
    page *self = (page *)object;
    const char *method = c_string_of(name, "method");
    winnow_options *options = method ? options_to_change(self) : NULL;
    if (!options)
        return NULL;
    bool known = winnow_options_check_method(options, method) == WINNOW_STATUS_OK;
    if (!known)
        raise_error(winnow_options_error(options));
    winnow_options_free(options);
    if (!known)
        return NULL;
    self->parsed->references++;
    page *other = page_of(self->parsed);
    if (!other)
        return NULL;
    other->method = strdup(method);
    if (!other->method || !use_for(other, 0, false)) {
        if (!other->method)
            PyErr_NoMemory();
        Py_DECREF((PyObject *)other);
        return NULL;
    }
    leave(other);
    return (PyObject *)other;
}

/* Sets an option that winnow_write() reads; false with an exception. */
static bool set_shown(winnow_options *options, PyObject *name, PyObject *value)
{
    const winnow_option_info *info;
    for (size_t i = 0; (info = winnow_option_at(i)); i++) {
        if (strcmp(info->read_by, "write") == 0 &&
            PyUnicode_CompareWithASCIIString(name, info->name) == 0) {
            int is_true = PyObject_IsTrue(value);
            return is_true >= 0 &&
                   winnow_options_set_flag(options, info->option, is_true) == WINNOW_STATUS_OK;
        }
    }
    PyErr_Format(PyExc_TypeError,
                 "write() got an unexpected keyword argument '%U'; there are links, formatting, "
                 "images, metadata, blocks and standalone",
                 name);
    return false;
}

/* Writes the page's content with other options than its own. */
static PyObject *write_shown(page *self, winnow_format format, const winnow_options *options)
{
    parsed *p = self->parsed;
    wanted want = {.content = true};
    size_t size;
    if (p->origin.error)
        return get_format(self, format);
    if (!use(self, &want))
        return NULL;
    const char *bytes = result_write(&self->result, p->handle, self->content, format, options,
                                     &p->origin, &size);
    PyObject *text = bytes ? text_of(bytes, size) : PyErr_NoMemory();
    leave(self);
    return text;
}

static PyObject *page_write(PyObject *object, PyObject *const *args, Py_ssize_t count,
                            PyObject *names)
{
    page *self = (page *)object;
    if (count != 1) {
        PyErr_SetString(PyExc_TypeError, "write() takes one format, and keyword arguments");
        return NULL;
    }
    int format = format_of(args[0]);
    if (format < 0)
        return NULL;
    if (!names || PyTuple_Size(names) == 0)
        return get_format(self, (winnow_format)format);
    winnow_options *options = options_to_change(self);
    bool set = options != NULL;
    for (Py_ssize_t i = 0; set && i < PyTuple_Size(names); i++)
        set = set_shown(options, PyTuple_GetItem(names, i), args[count + i]);
    PyObject *text = set ? write_shown(self, (winnow_format)format, options) : NULL;
    winnow_options_free(options);
    return text;
}

static PyObject *page_repr(PyObject *object)
{
    PyObject *title = page_fact(object, (void *)offsetof(facts, title));
    PyObject *status = page_note(object, (void *)NOTE_STATUS);
    PyObject *text = title && status ? PyUnicode_FromFormat("<winnow.Page: %R, %U>", title, status)
                                     : NULL;
    Py_XDECREF(title);
    Py_XDECREF(status);
    return text;
}

/* ---- Types ------------------------------------------------------------------------------- */

#define FACT(name, help)                                                                           \
    {                                                                                              \
#name, page_fact, NULL, help, (void *)offsetof(facts, name)                                \
    }
#define FORMAT(name, number, help)                                                                 \
    {                                                                                              \
        name, page_text, NULL, help, (void *)(intptr_t)number                                      \
    }
#define ORIGIN(name, help)                                                                         \
    {                                                                                              \
#name, page_origin_text, NULL, help, (void *)offsetof(origin, name)                        \
    }
#define NOTE(name, number, help)                                                                   \
    {                                                                                              \
        name, page_note, NULL, help, (void *)(intptr_t)number                                      \
    }

static PyGetSetDef page_properties[] = {
    FORMAT("text", WINNOW_FORMAT_TEXT, "The content as plain text, \"\" if there is none."),
    FORMAT("markdown", WINNOW_FORMAT_MARKDOWN, "The content as Markdown."),
    FORMAT("html", WINNOW_FORMAT_HTML, "The content as HTML, an <article>."),
    FACT(title, "The title, without the name of the site."),
    {"authors", page_authors, NULL, "The names of the authors, a tuple.", NULL},
    FACT(published, "When it was published, in ISO 8601 as exact as it is known."),
    FACT(modified, "When it was changed last."),
    FACT(language, "The language: \"en\", \"pt-BR\"."),
    {"metadata", page_metadata, NULL, "All that the page says of itself: a Metadata.", NULL},
    {"blocks", page_blocks, NULL, "The blocks of the content, a list of Block.", NULL},
    {"links", page_links, NULL, "The links in the content, a list of Link.", NULL},
    {"images", page_images, NULL, "The images in the content, a list of Image.", NULL},
    {"comments", page_comments, NULL,
     "Readers' comments, a list of Block: what comments=False leaves out.\n"
     "Empty if the Extractor has a timeout.",
     NULL},
    NOTE("status", NOTE_STATUS,
         "\"ok\", \"empty\", \"partial\" (a limit was reached), \"not-html\", \"too-large\", \n"
         "\"no-memory\" or \"unreadable\"."),
    {"limited", page_limited, NULL,
     "The limits that were reached, a tuple: \"bytes\", \"nodes\", \"depth\", \"attributes\",\n"
     "\"memory\", \"time\".",
     NULL},
    NOTE("type", NOTE_TYPE,
         "The kind of page: \"article\", \"forum\", \"product\", \"collection\", \"listing\",\n"
         "\"documentation\", \"service\"; \"\" if it is not known."),
    {"confidence", page_confidence, NULL,
     "The word F1 to be expected of the text, 0 to 1; 0 if it is not known.", NULL},
    NOTE("encoding", NOTE_ENCODING, "The encoding of the bytes: \"UTF-8\", \"windows-1252\"."),
    NOTE("method", NOTE_METHOD, "The method that found the content: \"auto\"."),
    NOTE("error", NOTE_ERROR, "Why there is no text; \"\" if there is."),
    ORIGIN(url, "The address that was given, or that the archive has."),
    ORIGIN(id, "The id of the archive's record, or the path of the file."),
    ORIGIN(file, "The archive that holds the page."),
    ORIGIN(date, "When it was archived, as the archive has it."),
    {"offset", page_offset, NULL, "Where the page starts in its archive.", NULL},
    {"length", page_length, NULL, "Bytes of its record in the archive; 0 if not known.", NULL},
    {"http_status", page_http_status, NULL, "What the server answered: 200; 0 if not known.", NULL},
    ORIGIN(media_type, "What the server declared: \"text/html\"."),
    {0},
};

static PyMethodDef page_methods[] = {
    {"json", page_json, METH_NOARGS,
     "json($self, /)\n--\n\n"
     "The page as a record of JSON, a str on one line: text and metadata."},
    {"write", (PyCFunction)(void (*)(void))page_write, METH_FASTCALL | METH_KEYWORDS,
     "write($self, format, /, *, links=False, formatting=False, images=False, metadata=False,\n"
     "      blocks=False, standalone=False)\n--\n\n"
     "The content in any format: \"text\", \"markdown\", \"json\", \"html\", \"xml\", \"tei\",\n"
     "\"csv\". What is not given is as the Extractor has it."},
    {"select", page_select, METH_O,
     "select($self, method, /)\n--\n\n"
     "A Page with the content that another method finds; the page is not parsed again.\n\n"
     ">>> import winnow\n"
     ">>> page = winnow.parse(\"<h1>Bread</h1><p>Take flour and water.</p>\")\n"
     ">>> page.select(\"all\").text\n"
     "'Bread\\n\\nTake flour and water.\\n'\n"},
    {"explain", page_explain, METH_NOARGS,
     "explain($self, /)\n--\n\n"
     "Every block of the page, kept or dropped, with the reason and its path: a list of Block."},
    {"__reduce__", page_reduce, METH_NOARGS, NULL},
    {0},
};

static PyType_Slot page_slots[] = {
    {Py_tp_doc,
     "A page and its content, as winnow.parse() and winnow.extract_many() make it.\n\n"
     "Everything is a str, \"\" where nothing is known, unless it says otherwise. What is\n"
     "asked for is made then, and kept."},
    {Py_tp_dealloc, page_free},
    {Py_tp_repr, page_repr},
    {Py_tp_methods, page_methods},
    {Py_tp_getset, page_properties},
    {0},
};

static PyType_Spec page_spec = {
    .name = "winnow.Page",
    .basicsize = sizeof(page),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = page_slots,
};

static PyStructSequence_Field metadata_fields[] = {
    {"title", "without the name of the site"},
    {"authors", "names, a tuple"},
    {"published", "in ISO 8601, as exact as it is known"},
    {"modified", "when it was changed last"},
    {"site", "the name of the site"},
    {"description", "a sentence or two by its author"},
    {"language", "\"en\", \"pt-BR\""},
    {"url", "the canonical address"},
    {"image", "the address of its picture"},
    {"tags", "a tuple"},
    {"categories", "a tuple"},
    {"license", "its address or its name"},
    {0},
};

static PyStructSequence_Field block_fields[] = {
    {"text", "its text"},
    {"kind", "\"paragraph\", \"heading\", \"list-item\", \"cell\", \"code\", \"quote\", …"},
    {"level", "of a heading, 1 to 6; the depth of a list or quotation; else 0"},
    {"table", "cells of one table have the same number, from 1; else 0"},
    {"row", "of a cell, from 0"},
    {"column", "of a cell, from 0"},
    {"kept", "whether it is content"},
    {"reason", "why it was kept or dropped; in detail from Page.explain()"},
    {"path", "from Page.explain(): \"body > div#main > p\""},
    {"start", "where its element starts in the decoded page, in bytes"},
    {"end", "where it ends"},
    {"links", "a tuple of Link"},
    {"images", "a tuple of Image"},
    {0},
};

static PyStructSequence_Field link_fields[] = {
    {"url", "absolute, if the address of the page is known"}, {"text", "what is linked"}, {0}};

static PyStructSequence_Field image_fields[] = {
    {"url", "absolute, if the address of the page is known"},
    {"description", "its alternative text"},
    {0}};

static PyStructSequence_Desc metadata_description = {
    "winnow.Metadata", "What a page says of itself. \"\" and () where nothing is known.",
    metadata_fields, 12};
static PyStructSequence_Desc block_description = {
    "winnow.Block", "A paragraph, heading, list item, cell, … of a page.", block_fields, 13};
static PyStructSequence_Desc link_description = {"winnow.Link", "A link.", link_fields, 2};
static PyStructSequence_Desc image_description = {"winnow.Image", "An image.", image_fields, 2};

bool page_types(PyObject *module, module_state *state)
{
    return (state->page = add_type(module, &page_spec)) &&
           (state->metadata = add_struct(module, &metadata_description)) &&
           (state->block = add_struct(module, &block_description)) &&
           (state->link = add_struct(module, &link_description)) &&
           (state->image = add_struct(module, &image_description));
}
