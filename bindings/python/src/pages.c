/*
 * Iterators over many pages: winnow.extract_many() and winnow.extract_warc().
 *
 * Items of an iterable are taken and put into a run (run.h) by the thread that asks for the next page;
 * archives are read by the run's own threads. Either way pages come out in their order.
 */
#include "binding.h"

#include <stdlib.h>
#include <string.h>

enum {
    LOOK_AT_SIGNALS = 50, /* milliseconds */
    AHEAD = 32,           /* pages per thread that may be on their way */
    MOST_THREADS = 1024,
};

struct pages {
    PyObject_HEAD extractor *made_by;
    PyObject *source; /* an iterator; NULL: it has ended, or there is an archive */
    archive archive;
    bool has_archive;
    PyObject *error[3]; /* an exception of the source, to be raised after the pages before it */
    run *run;
    size_t threads;
    unsigned formats;
    bool is_asked; /* a thread is in next() */
    bool is_closed;
    pages *before, *after; /* of those that run */
};

/* ---- Arguments --------------------------------------------------------------------------- */

bool read_threads(PyObject *value, size_t *threads)
{
    if (value == Py_None)
        return true;
    Py_ssize_t count = PyNumber_AsSsize_t(value, PyExc_OverflowError);
    if (count == -1 && PyErr_Occurred()) {
        if (PyErr_ExceptionMatches(PyExc_TypeError))
            raise_type("threads", "an int or None", value);
        return false;
    }
    if (count < 1 || count > MOST_THREADS) {
        PyErr_Format(PyExc_ValueError, "threads must be from 1 to %d, or None", MOST_THREADS);
        return false;
    }
    *threads = (size_t)count;
    return true;
}

/* Adds one name; false with an exception. */
static bool add_format(unsigned *formats, PyObject *name)
{
    if (PyUnicode_Check(name) && PyUnicode_CompareWithASCIIString(name, "metadata") == 0) {
        *formats |= PREPARES_FACTS;
        return true;
    }
    int format = format_of(name);
    if (format >= 0)
        *formats |= 1u << format;
    return format >= 0;
}

bool read_formats(PyObject *value, unsigned *formats)
{
    *formats = 0;
    if (PyUnicode_Check(value))
        return add_format(formats, value);
    PyObject *names = PyObject_GetIter(value), *name;
    bool added = names != NULL;
    while (added && (name = PyIter_Next(names))) {
        added = add_format(formats, name);
        Py_DECREF(name);
    }
    Py_XDECREF(names);
    return added && !PyErr_Occurred();
}

/* ---- Items ------------------------------------------------------------------------------- */

/* The task owns the reference to what holds the bytes. */
static void give_bytes(task *t, borrowed *bytes)
{
    t->source = bytes->owner;
    t->bytes = bytes->bytes;
    t->size = bytes->size;
    t->is_utf8 = bytes->is_utf8;
}

/* The bytes of a task are plain text: makes a page of them. False with an exception. */
static bool make_text(task *t)
{
    if (!task_copy(t, t->bytes, t->size, true)) {
        PyErr_NoMemory();
        return false;
    }
    Py_CLEAR(t->source);
    return true;
}

static bool fill_with_path(task *t, PyObject *path)
{
    PyObject *bytes = NULL;
    if (!PyUnicode_FSConverter(path, &bytes))
        return false;
    const char *name = PyBytes_AsString(bytes);
    t->path = copy_text(name);
    t->origin.id = copy_text(name);
    Py_DECREF(bytes);
    if (!t->path || !t->origin.id)
        PyErr_NoMemory();
    return t->path && t->origin.id;
}

static bool fill_with_pair(task *t, PyObject *pair)
{
    borrowed bytes;
    if (PyTuple_Size(pair) != 2) {
        PyErr_SetString(PyExc_TypeError, "a tuple must have two items: a page and its address");
        return false;
    }
    PyObject *url = PyTuple_GetItem(pair, 1);
    const char *text = url == Py_None ? "" : c_string_of(url, "the address of a page");
    if (!text || !borrow(&bytes, PyTuple_GetItem(pair, 0), true))
        return false;
    give_bytes(t, &bytes);
    t->origin.url = copy_text(text);
    return true;
}

static bool fill(module_state *state, task *t, PyObject *item)
{
    borrowed bytes;
    if (PyTuple_Check(item) && Py_TYPE(item) != state->record)
        return fill_with_pair(t, item);
    if (Py_TYPE(item) == state->record) {
        if (!record_fill_task(state, item, t, &bytes))
            return false;
        give_bytes(t, &bytes);
        return !record_is_text(item) || make_text(t);
    }
    if (!PyUnicode_Check(item) && !PyObject_CheckBuffer(item)) {
        if (PyObject_HasAttrString(item, "__fspath__"))
            return fill_with_path(t, item);
        raise_type("an item", "bytes-like, str, a path, a tuple of page and address, or a Record",
                   item);
        return false;
    }
    if (!borrow(&bytes, item, true))
        return false;
    give_bytes(t, &bytes);
    return true;
}

static void drop_source(void *source)
{
    Py_XDECREF((PyObject *)source);
}

/* A task of an item; NULL with an exception. */
static task *task_of(module_state *state, PyObject *item)
{
    task *t = task_new();
    if (!t) {
        PyErr_NoMemory();
        return NULL;
    }
    if (fill(state, t, item))
        return t;
    if (t->source)
        drop_source(t->source);
    task_free(t);
    return NULL;
}

/* ---- Running ----------------------------------------------------------------------------- */

static bool start(pages *self)
{
    const settings *s = &self->made_by->settings;
    run_plan plan = {
        .options = s->options,
        .method = s->method,
        .prepared = self->formats,
        .threads = self->threads,
        .ahead = AHEAD * self->threads,
        .reader = self->has_archive ? self->archive.reader : NULL,
        .file = self->archive.name ? PyBytes_AsString(self->archive.name) : NULL,
    };
    self->run = run_start(&plan);
    if (!self->run) {
        PyErr_SetString(PyExc_RuntimeError, "cannot start a thread");
        return false;
    }
    module_state *state = state_of(self);
    self->after = state->running;
    if (self->after)
        self->after->before = self;
    state->running = self;
    return true;
}

static void unlink_running(pages *self)
{
    module_state *state = state_of(self);
    if (!self->before && state->running != self)
        return;
    *(self->before ? &self->before->after : &state->running) = self->after;
    if (self->after)
        self->after->before = self->before;
    self->before = self->after = NULL;
}

static void end(pages *self)
{
    run *r = self->run;
    self->run = NULL;
    self->is_closed = true;
    if (r && !run_is_of_this_process(r)) {
        /* What its threads had in their hands when the process forked stays as it is. */
        unlink_running(self);
        self->has_archive = false;
        r = NULL;
    }
    if (r) {
        unlink_running(self);
        if (run_is_of_this_process(r)) {
            Py_BEGIN_ALLOW_THREADS run_stop(r);
            Py_END_ALLOW_THREADS
        }
        run_free(r, drop_source);
    }
    if (self->has_archive) {
        archive_close(&self->archive);
        self->has_archive = false;
    }
    Py_CLEAR(self->source);
}

/* An iterator that runs and was not closed; NULL if there is none. */
static pages *find_running(module_state *state)
{
    pages *p = state->running;
    while (p && p->is_closed)
        p = p->after;
    return p;
}

/* Others may change the list while the GIL is released: it is looked at again from the start. */
void pages_stop_all(module_state *state)
{
    for (pages *p; (p = find_running(state));) {
        Py_INCREF((PyObject *)p);
        p->is_closed = true;
        if (run_is_of_this_process(p->run)) {
            Py_BEGIN_ALLOW_THREADS run_stop(p->run);
            Py_END_ALLOW_THREADS
        }
        Py_DECREF((PyObject *)p);
    }
}

/* Takes an item of the source and puts it to work. What is wrong is raised in its place. */
static void feed(pages *self)
{
    PyObject *item = PyIter_Next(self->source);
    task *t = item ? task_of(state_of(self), item) : NULL;
    Py_XDECREF(item);
    if (t && self->run) {
        run_add(self->run, t);
        return;
    }
    if (t) {
        drop_source(t->source);
        task_free(t);
    }
    PyErr_Fetch(&self->error[0], &self->error[1], &self->error[2]);
    Py_CLEAR(self->source);
}

static PyObject *raise_late_error(pages *self)
{
    if (self->error[0])
        PyErr_Restore(self->error[0], self->error[1], self->error[2]);
    self->error[0] = self->error[1] = self->error[2] = NULL;
    return NULL;
}

/* The next page; NULL with an exception or at the end. */
static PyObject *next_page(pages *self)
{
    run_appetite appetite = RUN_ADDS_TO_FEED;
    for (;;) {
        run_state state;
        if (self->is_closed || !self->run)
            return NULL;
        state = run_look(self->run, self->source ? appetite : RUN_ADDS_NONE, 0);
        if (state == RUN_WORKING) {
            Py_BEGIN_ALLOW_THREADS state = run_look(
                self->run, self->source ? appetite : RUN_ADDS_NONE, LOOK_AT_SIGNALS);
            Py_END_ALLOW_THREADS
        }
        switch (state) {
        case RUN_READY:
            return page_of_task(state_of(self), self->made_by, run_take(self->run));
        case RUN_EMPTY:
            return raise_late_error(self);
        case RUN_HUNGRY:
            feed(self);
            appetite = RUN_ADDS_TO_WAIT;
            break;
        case RUN_WORKING:
            if (PyErr_CheckSignals() < 0)
                return NULL;
            break;
        }
    }
}

static PyObject *pages_next(PyObject *object)
{
    pages *self = (pages *)object;
    if (self->is_asked) {
        PyErr_SetString(PyExc_ValueError, "another thread asks for the next page");
        return NULL;
    }
    if (self->is_closed)
        return NULL;
    if (self->run && !run_is_of_this_process(self->run)) {
        PyErr_SetString(PyExc_RuntimeError,
                        "the threads of this iterator are in the process that was forked");
        return NULL;
    }
    if (!self->run && !start(self))
        return NULL;
    self->is_asked = true;
    PyObject *page = next_page(self);
    self->is_asked = false;
    bool ended = !page && self->run && !self->source && !self->error[0] &&
                 run_look(self->run, RUN_ADDS_NONE, 0) == RUN_EMPTY;
    if (ended && !self->has_archive) {
        PyObject *type, *value, *trace;
        PyErr_Fetch(&type, &value, &trace);
        end(self);
        PyErr_Restore(type, value, trace);
    }
    return page;
}

static PyObject *pages_close(PyObject *object, PyObject *unused)
{
    (void)unused;
    pages *self = (pages *)object;
    if (self->is_asked) {
        PyErr_SetString(PyExc_ValueError, "another thread asks for the next page");
        return NULL;
    }
    end(self);
    Py_RETURN_NONE;
}

static PyObject *pages_enter(PyObject *object, PyObject *unused)
{
    (void)unused;
    return Py_NewRef(object);
}

static PyObject *pages_exit(PyObject *object, PyObject *args)
{
    (void)args;
    return pages_close(object, NULL);
}

/* Only what has been read tells; while the threads work there is no answer yet. */
static PyObject *pages_error(PyObject *object, void *unused)
{
    (void)unused;
    pages *self = (pages *)object;
    bool over = self->has_archive &&
                (!self->run || run_look(self->run, RUN_ADDS_NONE, 0) == RUN_EMPTY);
    return text_or_empty(over ? winnow_reader_error(self->archive.reader)->message : "");
}

/* ---- Making one -------------------------------------------------------------------------- */

static pages *pages_new(module_state *state, extractor *made_by, size_t threads, unsigned formats)
{
    pages *self = new_object(state->pages);
    if (!self)
        return NULL;
    self->made_by = (extractor *)Py_NewRef((PyObject *)made_by);
    self->threads = threads;
    self->formats = formats;
    return self;
}

PyObject *pages_of_iterable(module_state *state, extractor *made_by, PyObject *iterable,
                            size_t threads, unsigned formats)
{
    if (PyUnicode_Check(iterable) || PyObject_CheckBuffer(iterable))
        return raise_type("the pages", "an iterable of pages", iterable);
    PyObject *source = PyObject_GetIter(iterable);
    pages *self = source ? pages_new(state, made_by, threads, formats) : NULL;
    if (self)
        self->source = source;
    else
        Py_XDECREF(source);
    return (PyObject *)self;
}

PyObject *pages_of_archive(module_state *state, extractor *made_by, PyObject *source,
                           const winnow_reader_settings *how, size_t threads, unsigned formats)
{
    winnow_reader_settings only_pages = *how;
    only_pages.pages_only = true;
    if (is_file_object(source)) {
        /* Its read() needs Python: the thread that asks for pages calls it. */
        PyObject *records = read_warc(state, source, &only_pages);
        PyObject *found = records ? pages_of_iterable(state, made_by, records, threads, formats)
                                  : NULL;
        Py_XDECREF(records);
        return found;
    }
    pages *self = pages_new(state, made_by, threads, formats);
    if (!self)
        return NULL;
    self->has_archive = true;
    if (!archive_open(&self->archive, source, &only_pages)) {
        self->has_archive = false;
        Py_CLEAR(self);
    }
    return (PyObject *)self;
}

static int pages_visit(PyObject *object, visitproc visit, void *arg)
{
    pages *self = (pages *)object;
    Py_VISIT(self->source);
    Py_VISIT(self->error[0]);
    Py_VISIT(self->error[1]);
    Py_VISIT(self->error[2]);
    Py_VISIT(Py_TYPE(object));
    return 0;
}

static int pages_clear(PyObject *object)
{
    pages *self = (pages *)object;
    Py_CLEAR(self->source);
    for (size_t i = 0; i < 3; i++)
        Py_CLEAR(self->error[i]);
    return 0;
}

static void pages_free(PyObject *object)
{
    pages *self = (pages *)object;
    PyObject_GC_UnTrack(object);
    end(self);
    pages_clear(object);
    Py_CLEAR(self->made_by);
    release_object(object);
}

static PyMethodDef pages_methods[] = {
    {"close", pages_close, METH_NOARGS,
     "close($self, /)\n--\n\nStops the threads. There are no more pages then."},
    {"__enter__", pages_enter, METH_NOARGS, NULL},
    {"__exit__", pages_exit, METH_VARARGS, NULL},
    {0},
};

static PyGetSetDef pages_properties[] = {
    {"error", pages_error, NULL,
     "After the last page: what is wrong with the archive; \"\" if nothing is.", NULL},
    {0},
};

static PyType_Slot pages_slots[] = {
    {Py_tp_doc, "Pages in order, from many threads: what winnow.extract_many() and\n"
                "winnow.extract_warc() return. It may be left at any time."},
    {Py_tp_dealloc, pages_free},
    {Py_tp_traverse, pages_visit},
    {Py_tp_clear, pages_clear},
    {Py_tp_iter, PyObject_SelfIter},
    {Py_tp_iternext, pages_next},
    {Py_tp_methods, pages_methods},
    {Py_tp_getset, pages_properties},
    {0},
};

static PyType_Spec pages_spec = {
    .name = "winnow.Pages",
    .basicsize = sizeof(pages),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE |
             Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = pages_slots,
};

bool pages_types(PyObject *module, module_state *state)
{
    return (state->pages = add_type(module, &pages_spec)) != NULL;
}
