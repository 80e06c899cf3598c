/*
 * Texts, bytes, errors, page handles and the GIL.
 */
#include "binding.h"

#include <string.h>
#include <time.h>

enum {
    KEPT_HANDLE = 32 << 20, /* a handle that one page made larger than this is not kept */
    LOOK_AT_SIGNALS = 50,   /* milliseconds */
};

/* ---- Objects ----------------------------------------------------------------------------- */

void *new_object(PyTypeObject *type)
{
    if (!type) { /* the module was cleared */
        PyErr_SetString(PyExc_RuntimeError, "the interpreter is ending");
        return NULL;
    }
    allocfunc allocate = PyType_GetSlot(type, Py_tp_alloc);
    return allocate(type, 0);
}

void release_object(void *object)
{
    PyTypeObject *type = Py_TYPE((PyObject *)object);
    freefunc release = PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

PyTypeObject *add_type(PyObject *module, PyType_Spec *spec)
{
    PyTypeObject *type = (PyTypeObject *)PyType_FromModuleAndSpec(module, spec, NULL);
    if (type && PyModule_AddType(module, type) < 0)
        Py_CLEAR(type);
    return type;
}

PyTypeObject *add_struct(PyObject *module, PyStructSequence_Desc *description)
{
    PyTypeObject *type = PyStructSequence_NewType(description);
    const char *name = strrchr(description->name, '.') + 1;
    if (type && PyModule_AddObjectRef(module, name, (PyObject *)type) < 0)
        Py_CLEAR(type);
    return type;
}

bool put_item(PyObject *sequence, Py_ssize_t *place, PyObject *item)
{
    if (item)
        PyStructSequence_SetItem(sequence, (*place)++, item);
    return item != NULL;
}

/* ---- Texts ------------------------------------------------------------------------------- */

PyObject *text_of(const char *bytes, size_t size)
{
    return PyUnicode_DecodeUTF8(bytes, (Py_ssize_t)size, "replace");
}

PyObject *text_or_empty(const char *text)
{
    return text_of(text ? text : "", text ? strlen(text) : 0);
}

PyObject *texts_of(const char *const *items, size_t count)
{
    PyObject *tuple = PyTuple_New((Py_ssize_t)count);
    for (size_t i = 0; tuple && i < count; i++) {
        PyObject *text = text_or_empty(items[i]);
        if (!text || PyTuple_SetItem(tuple, (Py_ssize_t)i, text) < 0)
            Py_CLEAR(tuple);
    }
    return tuple;
}

void *raise_type(const char *what, const char *allowed, PyObject *given)
{
    PyObject *name = PyType_GetName(Py_TYPE(given));
    if (name)
        PyErr_Format(PyExc_TypeError, "%s must be %s, not %U", what, allowed, name);
    Py_XDECREF(name);
    return NULL;
}

const char *c_string_of(PyObject *text, const char *what)
{
    Py_ssize_t size;
    if (!PyUnicode_Check(text))
        return raise_type(what, "a str", text);
    const char *bytes = PyUnicode_AsUTF8AndSize(text, &size);
    if (!bytes && PyErr_ExceptionMatches(PyExc_UnicodeError)) {
        PyErr_Format(PyExc_ValueError, "%s has a surrogate without its other half", what);
    } else if (bytes && strlen(bytes) != (size_t)size) {
        PyErr_Format(PyExc_ValueError, "%s has a NUL character", what);
        bytes = NULL;
    }
    return bytes;
}

void *raise_error(const winnow_error *error)
{
    if (error->status == WINNOW_STATUS_NO_MEMORY)
        return PyErr_NoMemory();
    PyErr_SetString(PyExc_ValueError, error->message);
    return NULL;
}

/* ---- Bytes of the caller ----------------------------------------------------------------- */

static bool borrow_text(borrowed *b, PyObject *text)
{
    Py_ssize_t size;
    b->is_utf8 = true;
    b->bytes = PyUnicode_AsUTF8AndSize(text, &size);
    if (b->bytes) {
        b->owner = Py_NewRef(text);
    } else {
        /* Half a surrogate pair is no character: the decoder replaces it, as in any page. */
        PyErr_Clear();
        b->owner = PyUnicode_AsEncodedString(text, "utf-8", "surrogatepass");
        if (!b->owner)
            return false;
        b->bytes = PyBytes_AsString(b->owner);
        size = PyBytes_Size(b->owner);
    }
    b->size = (size_t)size;
    return true;
}

static bool borrow_bytes(borrowed *b, PyObject *bytes)
{
    b->owner = bytes;
    b->bytes = PyBytes_AsString(bytes);
    b->size = (size_t)PyBytes_Size(bytes);
    return true;
}

bool borrow(borrowed *b, PyObject *object, bool lasting)
{
    *b = (borrowed){0};
    if (PyBytes_Check(object))
        return borrow_bytes(b, Py_NewRef(object));
    if (PyUnicode_Check(object))
        return borrow_text(b, object);
    if (!PyObject_CheckBuffer(object)) {
        raise_type("a page", "str or bytes-like", object);
        return false;
    }
    if (lasting) {
        PyObject *copy = PyBytes_FromObject(object);
        return copy && borrow_bytes(b, copy);
    }
    if (PyObject_GetBuffer(object, &b->buffer, PyBUF_SIMPLE) < 0)
        return false;
    b->bytes = b->buffer.buf;
    b->size = (size_t)b->buffer.len;
    return true;
}

void give_back(borrowed *b)
{
    if (b->owner)
        Py_CLEAR(b->owner);
    else if (b->buffer.obj)
        PyBuffer_Release(&b->buffer);
    b->bytes = NULL;
    b->size = 0;
}

/* ---- Page handles ------------------------------------------------------------------------ */

winnow_page *take_handle(module_state *state)
{
    if (state->idle_count > 0)
        return state->idle[--state->idle_count];
    winnow_page *handle = winnow_page_new();
    if (!handle)
        PyErr_NoMemory();
    return handle;
}

void return_handle(module_state *state, winnow_page *handle)
{
    if (!handle)
        return;
    if (state->idle_count < IDLE_HANDLES && winnow_page_memory(handle) <= KEPT_HANDLE)
        state->idle[state->idle_count++] = handle;
    else
        winnow_page_free(handle);
}

/* ---- The GIL and signals ----------------------------------------------------------------- */

static uint64_t milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Called while a page is worked on, true to stop. With the GIL there is nothing to do: it is short. */
static bool is_interrupted(void *data)
{
    work *w = data;
    if (w->failed || !w->thread || milliseconds() < w->next_look)
        return w->failed;
    PyEval_RestoreThread(w->thread);
    w->failed = PyErr_CheckSignals() < 0;
    w->thread = PyEval_SaveThread();
    w->next_look = milliseconds() + LOOK_AT_SIGNALS;
    return w->failed;
}

bool work_begin(work *w, const winnow_options *options, const char *url, const char *charset,
                size_t size)
{
    *w = (work){.options = options};
    if (url || charset || size >= LONG_WORK) {
        w->own = winnow_options_copy(options);
        w->options = w->own;
        bool made = w->own && (!url || !winnow_options_set_text(w->own, WINNOW_OPTION_URL, url)) &&
                    (!charset || !winnow_options_set_text(w->own, WINNOW_OPTION_CHARSET, charset));
        if (!made) {
            PyErr_NoMemory();
            w->failed = true;
            return false;
        }
    }
    if (size >= LONG_WORK) {
        winnow_options_set_cancel(w->own, is_interrupted, w);
        w->next_look = milliseconds() + LOOK_AT_SIGNALS;
        w->thread = PyEval_SaveThread();
    }
    return true;
}

bool work_end(work *w)
{
    if (w->thread)
        PyEval_RestoreThread(w->thread);
    winnow_options_free(w->own);
    w->thread = NULL;
    w->own = NULL;
    w->options = NULL;
    return !w->failed;
}
