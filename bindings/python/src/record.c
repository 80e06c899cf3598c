/*
 * winnow.read_warc() and winnow.Record: archives, record by record.
 */
#include "binding.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* ---- Archives ---------------------------------------------------------------------------- */

bool is_file_object(PyObject *source)
{
    return !PyUnicode_Check(source) && !PyObject_CheckBuffer(source) &&
           PyObject_HasAttrString(source, "read");
}

static bool read_number(uint64_t *place, PyObject *value, const char *what)
{
    if (value == Py_None)
        return true;
    PyObject *whole = PyNumber_Index(value);
    if (!whole) {
        PyErr_Clear();
        raise_type(what, "an int or None", value);
        return false;
    }
    unsigned long long number = PyLong_AsUnsignedLongLong(whole);
    Py_DECREF(whole);
    if (PyErr_Occurred()) {
        PyErr_Format(PyExc_ValueError, "%s must not be negative", what);
        return false;
    }
    *place = number;
    return true;
}

static bool read_kind(winnow_archive_kind *kind, PyObject *value)
{
    static const char *const names[] = {"detect", "warc", "jsonl", "page"};
    if (value == Py_None)
        return true;
    const char *name = c_string_of(value, "kind");
    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++) {
        if (strcmp(name, names[i]) == 0) {
            *kind = (winnow_archive_kind)i;
            return true;
        }
    }
    if (name)
        PyErr_Format(PyExc_ValueError,
                     "unknown kind '%s'; there are detect, warc (also for ARC), jsonl and page",
                     name);
    return false;
}

static bool read_name(const char **place, PyObject *value, const char *what)
{
    if (value == Py_None)
        return true;
    *place = c_string_of(value, what);
    return *place != NULL;
}

int archive_setting(winnow_reader_settings *how, PyObject *name, PyObject *value)
{
    bool set;
    if (PyUnicode_CompareWithASCIIString(name, "start") == 0)
        set = read_number(&how->start, value, "start");
    else if (PyUnicode_CompareWithASCIIString(name, "end") == 0)
        set = read_number(&how->end, value, "end");
    else if (PyUnicode_CompareWithASCIIString(name, "max_record") == 0)
        set = read_number(&how->max_record, value, "max_record");
    else if (PyUnicode_CompareWithASCIIString(name, "kind") == 0)
        set = read_kind(&how->kind, value);
    else if (PyUnicode_CompareWithASCIIString(name, "html_field") == 0)
        set = read_name(&how->html_field, value, "html_field");
    else if (PyUnicode_CompareWithASCIIString(name, "url_field") == 0)
        set = read_name(&how->url_field, value, "url_field");
    else if (PyUnicode_CompareWithASCIIString(name, "id_field") == 0)
        set = read_name(&how->id_field, value, "id_field");
    else
        return 0;
    return set ? 1 : -1;
}

/* The next bytes of the file object into a->buffer; false with an exception. */
static bool read_piece(archive *a, size_t size)
{
    Py_CLEAR(a->buffer);
    a->used = 0;
    PyObject *piece = PyObject_CallMethod(a->file, "read", "n", (Py_ssize_t)size);
    if (piece && !PyBytes_Check(piece)) {
        raise_type("what the file reads", "bytes; open it in binary mode", piece);
        Py_CLEAR(piece);
    }
    a->buffer = piece;
    return piece != NULL;
}

/* Called by the library, without the GIL. */
static int64_t read_file(void *data, void *into, size_t size)
{
    archive *a = data;
    int64_t count = -1;
    PyEval_RestoreThread(a->thread);
    bool empty = !a->buffer || a->used == PyBytes_Size(a->buffer);
    if (!a->error[0] && (!empty || read_piece(a, size))) {
        size_t left = (size_t)(PyBytes_Size(a->buffer) - a->used);
        count = (int64_t)(left < size ? left : size);
        memcpy(into, PyBytes_AsString(a->buffer) + a->used, (size_t)count);
        a->used += count;
    }
    if (PyErr_Occurred())
        PyErr_Fetch(&a->error[0], &a->error[1], &a->error[2]);
    a->thread = PyEval_SaveThread();
    return count;
}

static bool seek_file(void *data, uint64_t offset)
{
    archive *a = data;
    PyEval_RestoreThread(a->thread);
    Py_CLEAR(a->buffer);
    PyObject *place = PyObject_CallMethod(a->file, "seek", "K", (unsigned long long)offset);
    bool sought = place != NULL;
    Py_XDECREF(place);
    PyErr_Clear();
    a->thread = PyEval_SaveThread();
    return sought;
}

static bool is_seekable(PyObject *file)
{
    PyObject *answer = PyObject_HasAttrString(file, "seekable")
                           ? PyObject_CallMethod(file, "seekable", NULL)
                           : NULL;
    bool seekable = answer && PyObject_IsTrue(answer) > 0;
    Py_XDECREF(answer);
    PyErr_Clear();
    return seekable;
}

static bool open_file_object(archive *a, PyObject *file, const winnow_reader_settings *how)
{
    winnow_stream stream = {
        .struct_size = sizeof stream,
        .read = read_file,
        .seek = is_seekable(file) ? seek_file : NULL,
        .data = a,
    };
    a->file = Py_NewRef(file);
    a->thread = PyEval_SaveThread();
    a->reader = winnow_reader_open_stream(&stream, how);
    PyEval_RestoreThread(a->thread);
    a->thread = NULL;
    return a->reader != NULL;
}

static bool open_path(archive *a, PyObject *path, const winnow_reader_settings *how)
{
    if (!PyUnicode_FSConverter(path, &a->name))
        return false;
    const char *name = PyBytes_AsString(a->name);
    Py_BEGIN_ALLOW_THREADS a->fd = open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    Py_END_ALLOW_THREADS if (a->fd < 0)
    {
        PyErr_SetFromErrnoWithFilenameObject(PyExc_OSError, path);
        return false;
    }
    Py_BEGIN_ALLOW_THREADS a->reader = winnow_reader_open_descriptor(a->fd, how);
    Py_END_ALLOW_THREADS return a->reader != NULL;
}

static bool open_source(archive *a, PyObject *source, const winnow_reader_settings *how)
{
    if (PyUnicode_Check(source) || PyObject_HasAttrString(source, "__fspath__"))
        return open_path(a, source, how);
    if (PyObject_CheckBuffer(source)) {
        if (borrow(&a->bytes, source, true))
            a->reader = winnow_reader_open_memory(a->bytes.bytes, a->bytes.size, how);
        return a->reader != NULL;
    }
    if (is_file_object(source))
        return open_file_object(a, source, how);
    raise_type("an archive", "a path, bytes-like, or a file object", source);
    return false;
}

bool archive_open(archive *a, PyObject *source, const winnow_reader_settings *how)
{
    *a = (archive){.fd = -1};
    bool opened = open_source(a, source, how);
    const winnow_error *error = opened ? winnow_reader_error(a->reader) : NULL;
    if (a->error[0]) {
        PyErr_Restore(a->error[0], a->error[1], a->error[2]);
        a->error[0] = a->error[1] = a->error[2] = NULL;
        opened = false;
    } else if (!opened && !PyErr_Occurred()) {
        PyErr_NoMemory();
    } else if (opened && error->status == WINNOW_STATUS_UNREADABLE) {
        PyErr_Format(PyExc_OSError, "the archive cannot be read: %s", error->message);
        opened = false;
    }
    if (!opened)
        archive_close(a);
    return opened;
}

void archive_close(archive *a)
{
    winnow_reader_close(a->reader);
    if (a->fd >= 0)
        close(a->fd);
    give_back(&a->bytes);
    Py_CLEAR(a->file);
    Py_CLEAR(a->buffer);
    Py_CLEAR(a->name);
    for (size_t i = 0; i < 3; i++)
        Py_CLEAR(a->error[i]);
    a->reader = NULL;
    a->fd = -1;
}

/* ---- Records ----------------------------------------------------------------------------- */

typedef struct record {
    PyObject_HEAD PyObject *body, *type, *id, *url, *date, *media_type, *charset, *problem, *header,
        *http_header;
    PyObject *file;
    int status;
    char is_page, truncated, damaged, is_utf8;
    unsigned long long offset, inner, length;
} record;

/* Which of its members are objects, what they are if not given, and of which type. */
static const struct {
    size_t offset;
    bool is_bytes;
} objects[] = {
    {offsetof(record, body), true},        {offsetof(record, type), false},
    {offsetof(record, id), false},         {offsetof(record, url), false},
    {offsetof(record, date), false},       {offsetof(record, media_type), false},
    {offsetof(record, charset), false},    {offsetof(record, problem), false},
    {offsetof(record, file), false},       {offsetof(record, header), true},
    {offsetof(record, http_header), true},
};

static PyObject **object_at(record *self, size_t i)
{
    return (PyObject **)((char *)self + objects[i].offset);
}

static bool complete(record *self)
{
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
        PyObject **place = object_at(self, i);
        if (!*place)
            *place = objects[i].is_bytes ? PyBytes_FromStringAndSize("", 0) : text_or_empty("");
        if (!*place)
            return false;
    }
    return true;
}

static PyObject *record_new(PyTypeObject *type, PyObject *args, PyObject *named)
{
    static char *names[] = {"body",    "url",     "charset",    "id",          "date",
                            "type",    "status",  "media_type", "is_page",     "truncated",
                            "damaged", "problem", "header",     "http_header", "offset",
                            "inner",   "length",  "file",       NULL};
    record given = {0};
    PyObject *body = NULL;
    int is_page = 1, truncated = 0, damaged = 0;
    if (!PyArg_ParseTupleAndKeywords(
            args, named, "O|UUUUUiUpppUSSKKKU:Record", names, &body, &given.url, &given.charset,
            &given.id, &given.date, &given.type, &given.status, &given.media_type, &is_page,
            &truncated, &damaged, &given.problem, &given.header, &given.http_header, &given.offset,
            &given.inner, &given.length, &given.file))
        return NULL;
    record *self = new_object(type);
    if (!self)
        return NULL;
    for (size_t i = 1; i < sizeof objects / sizeof *objects; i++)
        *object_at(self, i) = Py_XNewRef(*object_at(&given, i));
    self->status = given.status;
    self->is_page = (char)is_page;
    self->truncated = (char)truncated;
    self->damaged = (char)damaged;
    self->offset = given.offset;
    self->inner = given.inner;
    self->length = given.length;
    borrowed bytes;
    bool made = borrow(&bytes, body, true);
    if (made) {
        self->is_utf8 = bytes.is_utf8;
        self->body = PyBytes_Check(bytes.owner)
                         ? Py_NewRef(bytes.owner)
                         : PyBytes_FromStringAndSize(bytes.bytes, (Py_ssize_t)bytes.size);
        give_back(&bytes);
        if (self->is_utf8) {
            Py_XDECREF(self->charset);
            self->charset = text_or_empty("utf-8");
        }
    }
    if (!made || !complete(self))
        Py_CLEAR(self);
    return (PyObject *)self;
}

static void record_free(PyObject *object)
{
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++)
        Py_CLEAR(*object_at((record *)object, i));
    release_object(object);
}

static PyObject *record_of(module_state *state, const winnow_archive_record *found, PyObject *file)
{
    record *self = new_object(state->record);
    if (!self)
        return NULL;
    self->body = PyBytes_FromStringAndSize(found->body, (Py_ssize_t)found->size);
    self->type = text_or_empty(found->type_name);
    self->id = text_or_empty(found->id);
    self->url = text_or_empty(found->url);
    self->date = text_or_empty(found->date);
    self->media_type = text_or_empty(found->media_type);
    self->charset = text_or_empty(found->charset);
    self->problem = text_or_empty(found->problem);
    self->header = PyBytes_FromStringAndSize(found->header, (Py_ssize_t)found->header_size);
    self->http_header = PyBytes_FromStringAndSize(found->http_header,
                                                  (Py_ssize_t)found->http_header_size);
    self->file = file ? PyUnicode_DecodeFSDefault(PyBytes_AsString(file)) : text_or_empty("");
    self->status = found->status;
    self->is_page = found->is_page;
    self->truncated = found->truncated;
    self->damaged = found->damaged;
    self->offset = found->offset;
    self->inner = found->inner;
    self->length = found->length;
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
        if (!*object_at(self, i)) {
            Py_DECREF((PyObject *)self);
            return NULL;
        }
    }
    return (PyObject *)self;
}

bool record_fill_task(module_state *state, PyObject *object, task *t, borrowed *bytes)
{
    (void)state;
    record *self = (record *)object;
    const char *id = c_string_of(self->id, "id"), *url = id ? c_string_of(self->url, "url") : NULL;
    const char *charset = url ? c_string_of(self->charset, "charset") : NULL;
    const char *date = charset ? c_string_of(self->date, "date") : NULL;
    const char *problem = date ? c_string_of(self->problem, "problem") : NULL;
    const char *file = problem ? c_string_of(self->file, "file") : NULL;
    const char *media_type = file ? c_string_of(self->media_type, "media_type") : NULL;
    if (!media_type || !borrow(bytes, self->body, true))
        return false;
    t->origin = (origin){
        .id = copy_text(id),
        .url = copy_text(url),
        .charset = copy_text(charset),
        .date = copy_text(date),
        .file = copy_text(file),
        .error = copy_text(problem),
        .offset = self->offset,
        .inner = self->inner,
        .incomplete = missing_parts(self->truncated, self->damaged),
        .length = self->length,
        .http_status = self->status,
        .media_type = copy_text(media_type),
    };
    return true;
}

bool record_is_text(PyObject *object)
{
    PyObject *type = ((record *)object)->type;
    return PyUnicode_Check(type) && PyUnicode_CompareWithASCIIString(type, "conversion") == 0;
}

/* Lines of a header as a dict; of names that come twice, the first counts. */
static PyObject *headers_of(PyObject *header)
{
    PyObject *dict = PyDict_New();
    const char *line = PyBytes_AsString(header), *end = line + PyBytes_Size(header);
    while (dict && line < end) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        const char *next = stop ? stop + 1 : end;
        const char *colon = memchr(line, ':', (size_t)(next - line));
        if (colon) {
            const char *value = colon + 1, *last = stop ? stop : end;
            while (value < last && (*value == ' ' || *value == '\t'))
                value++;
            while (last > value && (last[-1] == '\r' || last[-1] == ' '))
                last--;
            PyObject *key = text_of(line, (size_t)(colon - line));
            PyObject *text = text_of(value, (size_t)(last - value));
            bool kept = key && text &&
                        (PyDict_Contains(dict, key) || !PyDict_SetItem(dict, key, text));
            Py_XDECREF(key);
            Py_XDECREF(text);
            if (!kept)
                Py_CLEAR(dict);
        }
        line = next;
    }
    return dict;
}

static PyObject *record_headers(PyObject *object, void *unused)
{
    (void)unused;
    return headers_of(((record *)object)->header);
}

static PyObject *record_http_headers(PyObject *object, void *unused)
{
    (void)unused;
    return headers_of(((record *)object)->http_header);
}

static PyObject *record_html(PyObject *object, void *unused)
{
    (void)unused;
    return Py_NewRef(((record *)object)->body);
}

static PyObject *record_reduce(PyObject *object, PyObject *unused)
{
    (void)unused;
    record *r = (record *)object;
    return Py_BuildValue("O(OOOOOOiOOOOOOOKKKO)", Py_TYPE(object), r->body, r->url, r->charset,
                         r->id, r->date, r->type, r->status, r->media_type,
                         r->is_page ? Py_True : Py_False, r->truncated ? Py_True : Py_False,
                         r->damaged ? Py_True : Py_False, r->problem, r->header, r->http_header,
                         r->offset, r->inner, r->length, r->file);
}

static PyObject *record_repr(PyObject *object)
{
    record *r = (record *)object;
    return PyUnicode_FromFormat("<winnow.Record: %U %U, %zd bytes>", r->type, r->url,
                                PyBytes_Size(r->body));
}

#define OBJECT(name, help)                                                                         \
    {                                                                                              \
#name, T_OBJECT_EX, offsetof(record, name), READONLY, help                                 \
    }

static PyMemberDef record_members[] = {
    OBJECT(body, "The body as bytes, without HTTP header, chunks and compression."),
    OBJECT(type, "\"response\", \"request\", \"warcinfo\", \"page\", …"),
    OBJECT(id, "Its id in the archive."),
    OBJECT(url, "The address."),
    OBJECT(date, "When it was archived, as the archive has it."),
    OBJECT(media_type, "Of the body: \"text/html\"."),
    OBJECT(charset, "That the server declared."),
    OBJECT(problem, "Why there is no body; \"\" if there is."),
    OBJECT(header, "All header lines of the record, as bytes."),
    OBJECT(http_header, "The HTTP header of a response, as bytes."),
    OBJECT(file, "The path of the archive."),
    {"status", T_INT, offsetof(record, status), READONLY, "Of HTTP: 200; 0 if it is not known."},
    {"is_page", T_BOOL, offsetof(record, is_page), READONLY, "Whether it is HTML."},
    {"truncated", T_BOOL, offsetof(record, truncated), READONLY,
     "The body is not complete: the file ends, or it is too long."},
    {"damaged", T_BOOL, offsetof(record, damaged), READONLY, "Its compression is damaged."},
    {"offset", T_ULONGLONG, offsetof(record, offset), READONLY, "Where it starts in the file."},
    {"inner", T_ULONGLONG, offsetof(record, inner), READONLY,
     "Where it starts in the compressed piece that starts there."},
    {"length", T_ULONGLONG, offsetof(record, length), READONLY,
     "Bytes to the next record; 0 if they share a piece."},
    {0},
};

static PyGetSetDef record_properties[] = {
    {"html", record_html, NULL, "The same as body.", NULL},
    {"headers", record_headers, NULL, "The header lines of the record, a dict.", NULL},
    {"http_headers", record_http_headers, NULL, "The header lines of HTTP, a dict.", NULL},
    {0},
};

static PyMethodDef record_methods[] = {
    {"__reduce__", record_reduce, METH_NOARGS, NULL},
    {0},
};

static PyType_Slot record_slots[] = {
    {Py_tp_doc, "Record(body, url='', charset='', id='', date='', …)\n--\n\n"
                "A record of an archive, as winnow.read_warc() gives it, or made for\n"
                "winnow.extract_many()."},
    {Py_tp_new, record_new},
    {Py_tp_dealloc, record_free},
    {Py_tp_repr, record_repr},
    {Py_tp_members, record_members},
    {Py_tp_getset, record_properties},
    {Py_tp_methods, record_methods},
    {0},
};

static PyType_Spec record_spec = {
    .name = "winnow.Record",
    .basicsize = sizeof(record),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = record_slots,
};

/* ---- The iterator ------------------------------------------------------------------------ */

typedef struct reader {
    PyObject_HEAD archive archive;
    bool is_asked;
} reader;

PyObject *read_warc(module_state *state, PyObject *source, const winnow_reader_settings *how)
{
    reader *self = new_object(state->reader);
    if (!self)
        return NULL;
    self->archive.fd = -1;
    if (!archive_open(&self->archive, source, how))
        Py_CLEAR(self);
    return (PyObject *)self;
}

static PyObject *reader_next(PyObject *object)
{
    reader *self = (reader *)object;
    archive *a = &self->archive;
    if (self->is_asked) {
        PyErr_SetString(PyExc_ValueError, "another thread asks for the next record");
        return NULL;
    }
    if (!a->reader)
        return NULL;
    self->is_asked = true;
    a->thread = PyEval_SaveThread();
    const winnow_archive_record *found = winnow_reader_next(a->reader);
    PyEval_RestoreThread(a->thread);
    a->thread = NULL;
    PyObject *made = NULL;
    if (a->error[0]) {
        PyErr_Restore(a->error[0], a->error[1], a->error[2]);
        a->error[0] = a->error[1] = a->error[2] = NULL;
    } else if (found) {
        made = record_of(state_of(object), found, a->name);
    }
    self->is_asked = false;
    return made;
}

static PyObject *reader_close(PyObject *object, PyObject *unused)
{
    (void)unused;
    reader *self = (reader *)object;
    if (self->is_asked) {
        PyErr_SetString(PyExc_ValueError, "another thread asks for the next record");
        return NULL;
    }
    archive_close(&self->archive);
    Py_RETURN_NONE;
}

static PyObject *reader_enter(PyObject *object, PyObject *unused)
{
    (void)unused;
    return Py_NewRef(object);
}

static PyObject *reader_exit(PyObject *object, PyObject *args)
{
    (void)args;
    return reader_close(object, NULL);
}

static PyObject *reader_error(PyObject *object, void *unused)
{
    (void)unused;
    reader *self = (reader *)object;
    if (!self->archive.reader || self->is_asked)
        return text_or_empty("");
    return text_or_empty(winnow_reader_error(self->archive.reader)->message);
}

static int reader_visit(PyObject *object, visitproc visit, void *arg)
{
    archive *a = &((reader *)object)->archive;
    Py_VISIT(a->file);
    Py_VISIT(Py_TYPE(object));
    return 0;
}

static int reader_clear(PyObject *object)
{
    reader *self = (reader *)object;
    if (!self->is_asked)
        archive_close(&self->archive);
    return 0;
}

static void reader_free(PyObject *object)
{
    PyObject_GC_UnTrack(object);
    archive_close(&((reader *)object)->archive);
    release_object(object);
}

static PyMethodDef reader_methods[] = {
    {"close", reader_close, METH_NOARGS, "close($self, /)\n--\n\nCloses the archive."},
    {"__enter__", reader_enter, METH_NOARGS, NULL},
    {"__exit__", reader_exit, METH_VARARGS, NULL},
    {0},
};

static PyGetSetDef reader_properties[] = {
    {"error", reader_error, NULL,
     "What is wrong with the archive as far as it was read; \"\" if nothing is.", NULL},
    {0},
};

static PyType_Slot reader_slots[] = {
    {Py_tp_doc, "The records of an archive, as winnow.read_warc() returns them."},
    {Py_tp_dealloc, reader_free},
    {Py_tp_traverse, reader_visit},
    {Py_tp_clear, reader_clear},
    {Py_tp_iter, PyObject_SelfIter},
    {Py_tp_iternext, reader_next},
    {Py_tp_methods, reader_methods},
    {Py_tp_getset, reader_properties},
    {0},
};

static PyType_Spec reader_spec = {
    .name = "winnow.Records",
    .basicsize = sizeof(reader),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE |
             Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = reader_slots,
};

bool record_types(PyObject *module, module_state *state)
{
    return (state->record = add_type(module, &record_spec)) &&
           (state->reader = add_type(module, &reader_spec));
}
