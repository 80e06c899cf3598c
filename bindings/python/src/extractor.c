/*
 * winnow.Extractor: options once, for many pages and threads.
 */
#include "binding.h"

#include "io/pool.h" /* wn_io_pool_cores(): winnow_cores() would link libcurl */

/* ---- Making one -------------------------------------------------------------------------- */

static bool read_arguments(extractor *self, module_state *state, const char *call,
                           PyObject *arguments)
{
    PyObject *name, *value;
    Py_ssize_t place = 0;
    while (arguments && PyDict_Next(arguments, &place, &name, &value))
        if (!settings_set(&self->settings, state, call, name, value))
            return false;
    if (!settings_finish(&self->settings))
        return false;
    self->arguments = arguments ? PyDict_Copy(arguments) : PyDict_New();
    return self->arguments != NULL;
}

static PyObject *make_extractor(PyTypeObject *type, const char *call, PyObject *arguments)
{
    extractor *self = new_object(type);
    if (self && !read_arguments(self, state_of_type(type), call, arguments))
        Py_CLEAR(self);
    return (PyObject *)self;
}

PyObject *extractor_new(module_state *state, const char *call, PyObject *arguments)
{
    return make_extractor(state->extractor, call, arguments);
}

static PyObject *extractor_make(PyTypeObject *type, PyObject *args, PyObject *named)
{
    if (PyTuple_Size(args) > 0) {
        PyErr_SetString(PyExc_TypeError, "Extractor() takes keyword arguments only");
        return NULL;
    }
    return make_extractor(type, "Extractor", named);
}

/* The module has one: without this, both would keep each other alive. */
static int extractor_visit(PyObject *object, visitproc visit, void *arg)
{
    Py_VISIT(((extractor *)object)->arguments);
    Py_VISIT(Py_TYPE(object));
    return 0;
}

static int extractor_clear(PyObject *object)
{
    Py_CLEAR(((extractor *)object)->arguments);
    return 0;
}

static void extractor_free(PyObject *object)
{
    extractor *self = (extractor *)object;
    PyObject_GC_UnTrack(object);
    settings_clear(&self->settings);
    extractor_clear(object);
    release_object(object);
}

/* ---- Its calls --------------------------------------------------------------------------- */

static bool read_page_call(page_call *call, const char *function, PyObject *const *args,
                           Py_ssize_t count, PyObject *names)
{
    *call = (page_call){0};
    if (count > 1)
        PyErr_Format(PyExc_TypeError, "%s() takes one page, and keyword arguments", function);
    else if (count == 1)
        call->html = args[0];
    Py_ssize_t named = count <= 1 && names ? PyTuple_Size(names) : 0;
    for (Py_ssize_t i = 0; i < named && !PyErr_Occurred(); i++) {
        PyObject *name = PyTuple_GetItem(names, i), *value = args[count + i];
        if (PyUnicode_CompareWithASCIIString(name, "url") == 0)
            call->url = value;
        else if (PyUnicode_CompareWithASCIIString(name, "charset") == 0)
            call->charset = value;
        else if (PyUnicode_CompareWithASCIIString(name, "html") == 0 && !call->html)
            call->html = value;
        else
            PyErr_Format(PyExc_TypeError,
                         "%s() got an unexpected keyword argument '%U'; there are html, url and "
                         "charset, and the Extractor has the rest",
                         function, name);
    }
    if (!call->html && !PyErr_Occurred())
        PyErr_Format(PyExc_TypeError, "%s() needs a page", function);
    return call->html && !PyErr_Occurred();
}

/* A text or None; false with an exception. */
static bool read_text(const char **text, PyObject *value, const char *what)
{
    *text = value && value != Py_None ? c_string_of(value, what) : NULL;
    return *text || !value || value == Py_None;
}

/* bytes -> str, on a handle that is used for nothing else */
static PyObject *extract_on(winnow_page *handle, const settings *s, const borrowed *html,
                            const char *url, const char *charset)
{
    work w;
    result r = {0};
    size_t size = 0;
    const char *bytes = NULL;
    bool noted = false;
    if (work_begin(&w, s->options, url, html->is_utf8 ? "utf-8" : charset, html->size)) {
        winnow_parse(handle, html->bytes, html->size, w.options);
        winnow_selection *content = winnow_select(handle, s->method, w.options);
        origin nothing = {0};
        noted = result_note(&r, handle, content, html->bytes, html->size, 0);
        bytes = result_write(&r, handle, content, s->format, w.options, &nothing, &size);
    }
    PyObject *text = NULL;
    if (work_end(&w))
        text = bytes && noted ? text_of(bytes, size) : PyErr_NoMemory();
    result_clear(&r);
    return text;
}

PyObject *extract(module_state *state, const settings *s, const page_call *call)
{
    const char *url, *charset;
    borrowed html;
    if (!read_text(&url, call->url, "url") || !read_text(&charset, call->charset, "charset") ||
        !borrow(&html, call->html, false))
        return NULL;
    winnow_page *handle = take_handle(state);
    PyObject *text = handle ? extract_on(handle, s, &html, url, charset) : NULL;
    return_handle(state, handle);
    give_back(&html);
    return text;
}

static PyObject *extractor_extract(PyObject *object, PyObject *const *args, Py_ssize_t count,
                                   PyObject *names)
{
    page_call call;
    if (!read_page_call(&call, "extract", args, count, names))
        return NULL;
    return extract(state_of(object), &((extractor *)object)->settings, &call);
}

static PyObject *extractor_parse(PyObject *object, PyObject *const *args, Py_ssize_t count,
                                 PyObject *names)
{
    page_call call;
    if (!read_page_call(&call, "parse", args, count, names))
        return NULL;
    return page_parse(state_of(object), (extractor *)object, call.html, call.url, call.charset);
}

/* The keyword arguments `threads` and `formats` of a call on many pages. */
static bool read_many(PyObject *name, PyObject *value, size_t *threads, unsigned *formats,
                      bool *is_one)
{
    *is_one = true;
    if (PyUnicode_CompareWithASCIIString(name, "threads") == 0)
        return read_threads(value, threads);
    if (PyUnicode_CompareWithASCIIString(name, "formats") == 0)
        return read_formats(value, formats);
    *is_one = false;
    return true;
}

static PyObject *extractor_extract_many(PyObject *object, PyObject *const *args, Py_ssize_t count,
                                        PyObject *names)
{
    size_t threads = wn_io_pool_cores();
    unsigned formats = PREPARED_BY_DEFAULT;
    if (count != 1) {
        PyErr_SetString(PyExc_TypeError, "extract_many() takes one iterable");
        return NULL;
    }
    for (Py_ssize_t i = 0; names && i < PyTuple_Size(names); i++) {
        bool known;
        PyObject *name = PyTuple_GetItem(names, i);
        if (!read_many(name, args[count + i], &threads, &formats, &known))
            return NULL;
        if (!known)
            return PyErr_Format(PyExc_TypeError,
                                "extract_many() got an unexpected keyword argument '%U'; there are "
                                "threads and formats, and the Extractor has the rest",
                                name);
    }
    return pages_of_iterable(state_of(object), (extractor *)object, args[0], threads, formats);
}

static PyObject *extractor_extract_warc(PyObject *object, PyObject *const *args, Py_ssize_t count,
                                        PyObject *names)
{
    size_t threads = wn_io_pool_cores();
    unsigned formats = PREPARED_BY_DEFAULT;
    winnow_reader_settings how = {.struct_size = sizeof how};
    if (count != 1) {
        PyErr_SetString(PyExc_TypeError, "extract_warc() takes one archive");
        return NULL;
    }
    for (Py_ssize_t i = 0; names && i < PyTuple_Size(names); i++) {
        bool known;
        PyObject *name = PyTuple_GetItem(names, i), *value = args[count + i];
        if (!read_many(name, value, &threads, &formats, &known))
            return NULL;
        int of_archive = known ? 1 : archive_setting(&how, name, value);
        if (of_archive < 0)
            return NULL;
        if (!of_archive)
            return PyErr_Format(PyExc_TypeError,
                                "extract_warc() got an unexpected keyword argument '%U'; there are "
                                "threads, formats, start, end, kind, max_record, html_field, "
                                "url_field and id_field, and the Extractor has the rest",
                                name);
    }
    return pages_of_archive(state_of(object), (extractor *)object, args[0], &how, threads, formats);
}

/* ---- What it says ------------------------------------------------------------------------ */

static PyObject *extractor_reduce(PyObject *object, PyObject *unused)
{
    (void)unused;
    module_state *state = state_of(object);
    PyObject *module = PyType_GetModule(state->extractor);
    PyObject *make = module ? PyObject_GetAttrString(module, "_extractor") : NULL;
    return make ? Py_BuildValue("N(O)", make, ((extractor *)object)->arguments) : NULL;
}

static PyObject *extractor_repr(PyObject *object)
{
    PyObject *parts = PyList_New(0), *name, *value;
    Py_ssize_t place = 0;
    PyObject *arguments = ((extractor *)object)->arguments;
    while (parts && PyDict_Next(arguments, &place, &name, &value)) {
        PyObject *part = PyUnicode_FromFormat("%U=%R", name, value);
        if (!part || PyList_Append(parts, part) < 0)
            Py_CLEAR(parts);
        Py_XDECREF(part);
    }
    PyObject *comma = PyUnicode_FromString(", ");
    PyObject *joined = parts && comma ? PyUnicode_Join(comma, parts) : NULL;
    PyObject *text = joined ? PyUnicode_FromFormat("winnow.Extractor(%U)", joined) : NULL;
    Py_XDECREF(parts);
    Py_XDECREF(comma);
    Py_XDECREF(joined);
    return text;
}

static PyObject *extractor_options(PyObject *object, void *unused)
{
    (void)unused;
    return PyDict_Copy(((extractor *)object)->arguments);
}

static PyMethodDef extractor_methods[] = {
    {"extract", (PyCFunction)(void (*)(void))extractor_extract, METH_FASTCALL | METH_KEYWORDS,
     "extract($self, html, *, url=None, charset=None)\n--\n\n"
     "The main content of a page as a str, in the format of this Extractor. \"\" if there is none.\n"
     "`url` and `charset` are of this page; they replace those of the Extractor."},
    {"parse", (PyCFunction)(void (*)(void))extractor_parse, METH_FASTCALL | METH_KEYWORDS,
     "parse($self, html, *, url=None, charset=None)\n--\n\n"
     "A Page, from which text, Markdown, metadata and more can be read."},
    {"extract_many", (PyCFunction)(void (*)(void))extractor_extract_many,
     METH_FASTCALL | METH_KEYWORDS,
     "extract_many($self, iterable, *, threads=None, formats=('text', 'metadata'))\n--\n\n"
     "Pages of an iterable, in its order, on many threads; see winnow.extract_many()."},
    {"extract_warc", (PyCFunction)(void (*)(void))extractor_extract_warc,
     METH_FASTCALL | METH_KEYWORDS,
     "extract_warc($self, source, *, threads=None, formats=('text', 'metadata'), start=0, end=0, kind=None,\n"
     "             max_record=None, html_field=None, url_field=None, id_field=None)\n--\n\n"
     "Pages of a web archive, in its order, on many threads; see winnow.extract_warc()."},
    {"__reduce__", extractor_reduce, METH_NOARGS, NULL},
    {0},
};

static PyGetSetDef extractor_properties[] = {
    {"options", extractor_options, NULL, "The keyword arguments it was made with, as a dict.",
     NULL},
    {0},
};

static PyType_Slot extractor_slots[] = {
    {Py_tp_doc,
     "Extractor(**options)\n--\n\n"
     "Options once, for many pages. It can be pickled and be used by many threads at a time.\n"
     "help(winnow.extract) has the options.\n\n"
     ">>> import winnow\n"
     ">>> x = winnow.Extractor(format=\"markdown\", links=True, timeout=0.5)\n"
     ">>> x.extract(\"<h1>Bread</h1><p>Take flour and water.</p>\")\n"
     "'# Bread\\n\\nTake flour and water.\\n'\n"},
    {Py_tp_new, extractor_make},
    {Py_tp_dealloc, extractor_free},
    {Py_tp_traverse, extractor_visit},
    {Py_tp_clear, extractor_clear},
    {Py_tp_repr, extractor_repr},
    {Py_tp_methods, extractor_methods},
    {Py_tp_getset, extractor_properties},
    {0},
};

static PyType_Spec extractor_spec = {
    .name = "winnow.Extractor",
    .basicsize = sizeof(extractor),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = extractor_slots,
};

bool extractor_types(PyObject *module, module_state *state)
{
    state->extractor = add_type(module, &extractor_spec);
    state->standard = state->extractor ? extractor_new(state, "Extractor", NULL) : NULL;
    return state->standard != NULL;
}
