/*
 * winnow.Site: what repeats on the pages of a site.
 */
#include "binding.h"

#include "page/site.h"

#include <string.h>

/*
 * The library wants one thread at a time while a site learns. Selecting the text of a page may take
 * long, so it is learned into a new site without the GIL, and merged with it.
 */
typedef struct site {
    PyObject_HEAD winnow_site *learned;
} site;

static PyObject *site_new(PyTypeObject *type, PyObject *args, PyObject *named)
{
    static char *names[] = {"data", NULL};
    PyObject *data = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, named, "|O:Site", names, &data))
        return NULL;
    site *self = new_object(type);
    if (!self)
        return NULL;
    if (!data || data == Py_None) {
        self->learned = winnow_site_new();
        if (!self->learned)
            PyErr_NoMemory();
    } else {
        borrowed bytes;
        if (borrow(&bytes, data, false)) {
            winnow_status status = winnow_site_load(&self->learned, bytes.bytes, bytes.size);
            give_back(&bytes);
            if (status == WINNOW_STATUS_NO_MEMORY)
                PyErr_NoMemory();
            else if (status != WINNOW_STATUS_OK)
                PyErr_SetString(PyExc_ValueError,
                                "data is not what Site.save() of this version returns");
        }
    }
    if (!self->learned)
        Py_CLEAR(self);
    return (PyObject *)self;
}

static void site_free(PyObject *object)
{
    winnow_site_free(((site *)object)->learned);
    release_object(object);
}

winnow_site *site_copy(PyObject *object)
{
    winnow_site *copy = winnow_site_new();
    if (!copy || winnow_site_merge(copy, ((site *)object)->learned) != WINNOW_STATUS_OK) {
        winnow_site_free(copy);
        PyErr_NoMemory();
        return NULL;
    }
    return copy;
}

/* Learns one page into a site of its own; false with an exception. */
static bool learn_alone(module_state *state, winnow_site *alone, const borrowed *html)
{
    extractor *standard = (extractor *)state->standard;
    winnow_page *handle = take_handle(state);
    work w;
    winnow_status status = WINNOW_STATUS_OK;
    if (!handle)
        return false;
    if (work_begin(&w, standard->settings.options, NULL, html->is_utf8 ? "utf-8" : NULL,
                   html->size)) {
        winnow_parse(handle, html->bytes, html->size, w.options);
        status = winnow_site_learn(alone, handle);
    }
    bool done = work_end(&w);
    return_handle(state, handle);
    if (done && status == WINNOW_STATUS_NO_MEMORY)
        PyErr_NoMemory();
    return done && status != WINNOW_STATUS_NO_MEMORY;
}

static PyObject *site_learn(PyObject *object, PyObject *html)
{
    site *self = (site *)object;
    borrowed bytes;
    if (!borrow(&bytes, html, false))
        return NULL;
    winnow_site *alone = winnow_site_new();
    bool learned = alone && learn_alone(state_of(object), alone, &bytes);
    give_back(&bytes);
    if (learned && winnow_site_merge(self->learned, alone) != WINNOW_STATUS_OK)
        learned = false;
    winnow_site_free(alone);
    if (!learned)
        return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    Py_RETURN_NONE;
}

typedef wn_array(uint64_t) line_list;

/* Adds the hash of a line to a list of them. */
static bool note_line(void *data, uint64_t hash)
{
    line_list *lines = data;
    uint64_t *place = wn_array_push(lines);
    if (place)
        *place = hash;
    return place != NULL;
}

/* All visible text of a page, for who has it already. */
static PyObject *site_learn_text(PyObject *object, PyObject *text)
{
    winnow_site *learned = ((site *)object)->learned;
    line_list lines = {0};
    Py_ssize_t size;
    const char *bytes = PyUnicode_AsUTF8AndSize(text, &size);
    if (!bytes)
        return NULL;
    wn_page_site_lines(wn_str_from(bytes, (size_t)size), note_line, &lines);
    wn_page_site_add(learned, lines.items, lines.count);
    wn_page_site_settle(learned);
    wn_array_free(&lines);
    if (learned->failed)
        return PyErr_NoMemory();
    Py_RETURN_NONE;
}

static PyObject *site_merge(PyObject *object, PyObject *other)
{
    if (Py_TYPE(other) != Py_TYPE(object))
        return raise_type("other", "a winnow.Site", other);
    if (other == object) {
        PyErr_SetString(PyExc_ValueError, "a site cannot be merged with itself");
        return NULL;
    }
    if (winnow_site_merge(((site *)object)->learned, ((site *)other)->learned) != WINNOW_STATUS_OK)
        return PyErr_NoMemory();
    Py_RETURN_NONE;
}

static PyObject *site_save(PyObject *object, PyObject *unused)
{
    (void)unused;
    size_t size;
    void *bytes = winnow_site_save(((site *)object)->learned, &size);
    if (!bytes)
        return PyErr_NoMemory();
    PyObject *saved = PyBytes_FromStringAndSize(bytes, (Py_ssize_t)size);
    winnow_free(bytes);
    return saved;
}

static PyObject *site_load(PyObject *type, PyObject *data)
{
    return PyObject_CallFunctionObjArgs(type, data, NULL);
}

static PyObject *site_reduce(PyObject *object, PyObject *unused)
{
    (void)unused;
    return Py_BuildValue("O(N)", Py_TYPE(object), site_save(object, NULL));
}

static PyObject *site_pages(PyObject *object, void *unused)
{
    (void)unused;
    return PyLong_FromUnsignedLongLong(winnow_site_pages(((site *)object)->learned));
}

static PyObject *site_repr(PyObject *object)
{
    return PyUnicode_FromFormat("<winnow.Site: %llu pages>",
                                (unsigned long long)winnow_site_pages(((site *)object)->learned));
}

static PyMethodDef site_methods[] = {
    {"learn", site_learn, METH_O,
     "learn($self, html, /)\n--\n\n"
     "Learns from a page of the site: str or bytes-like."},
    {"_learn_text", site_learn_text, METH_O, NULL},
    {"merge", site_merge, METH_O,
     "merge($self, other, /)\n--\n\n"
     "Adds what another Site has learned from other pages. The order does not matter."},
    {"save", site_save, METH_NOARGS, "save($self, /)\n--\n\nThe site as bytes, at most 2 MB."},
    {"load", site_load, METH_O | METH_CLASS,
     "load($type, data, /)\n--\n\nThe Site that save() made bytes of."},
    {"__reduce__", site_reduce, METH_NOARGS, NULL},
    {0},
};

static PyGetSetDef site_properties[] = {
    {"pages", site_pages, NULL, "The number of pages it has learned from.", NULL},
    {0},
};

static PyType_Slot site_slots[] = {
    {Py_tp_doc, "Site(data=None)\n--\n\n"
                "Learns from the pages of a site which lines repeat on most of them. An Extractor\n"
                "with that site drops them.\n\n"
                ">>> import winnow\n"
                ">>> site = winnow.Site()\n"
                ">>> for page in [\"<p>One\", \"<p>Two\"]:\n"
                "...     site.learn(page)\n"
                ">>> site.pages\n"
                "2\n"
                ">>> extractor = winnow.Extractor(site=site)\n"
                ">>> winnow.Site.load(site.save()).pages\n"
                "2\n"},
    {Py_tp_new, site_new},
    {Py_tp_dealloc, site_free},
    {Py_tp_repr, site_repr},
    {Py_tp_methods, site_methods},
    {Py_tp_getset, site_properties},
    {0},
};

static PyType_Spec site_spec = {
    .name = "winnow.Site",
    .basicsize = sizeof(site),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = site_slots,
};

bool site_types(PyObject *module, module_state *state)
{
    return (state->site = add_type(module, &site_spec)) != NULL;
}
