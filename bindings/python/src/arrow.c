/*
 * winnow.to_arrow(): pages as record batches, through the Arrow C stream interface.
 *
 * https://arrow.apache.org/docs/format/CStreamInterface.html has the structs, and
 * https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html how Python hands them
 * over. Nothing of Arrow is linked or imported. Texts are "large" ones (64-bit offsets), so that no
 * batch is too long for its offsets; unknown ones are "", as everywhere in this package.
 */
#include "binding.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    LONGEST_BATCH = 64 << 20, /* bytes from which a batch ends before it has all its rows */
    MOST_COLUMNS = 64,
};

struct ArrowSchema {
    const char *format, *name, *metadata;
    int64_t flags, n_children;
    struct ArrowSchema **children, *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length, null_count, offset, n_buffers, n_children;
    const void **buffers;
    struct ArrowArray **children, *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

/* ---- Columns ----------------------------------------------------------------------------- */

typedef enum column_kind { TEXT, TEXTS, FRACTION, WHOLE } column_kind;

/* How a column gets its value; one of the members is used. */
typedef struct column_spec {
    const char *name;
    column_kind kind;
    int format;       /* a format, or -1 */
    size_t fact;      /* offset in facts, */
    size_t count;     /* and of the number of a list */
    size_t of_origin; /* offset in origin */
    enum {
        BY_FORMAT,
        BY_FACT,
        BY_ORIGIN,
        BY_STATUS,
        BY_ERROR,
        BY_TYPE,
        BY_METHOD,
        BY_ENCODING,
        BY_CONFIDENCE,
        BY_OFFSET,
        BY_INNER,
        BY_LENGTH,
        BY_HTTP_STATUS
    } by;
} column_spec;

#define FORMAT_COLUMN(name_, format_)                                                              \
    {                                                                                              \
        .name = name_, .kind = TEXT, .format = format_, .by = BY_FORMAT                            \
    }
#define FACT_COLUMN(name_, member)                                                                 \
    {                                                                                              \
        .name = name_, .kind = TEXT, .format = -1, .fact = offsetof(facts, member), .by = BY_FACT  \
    }
#define FACTS_COLUMN(name_, member, number)                                                        \
    {                                                                                              \
        .name = name_, .kind = TEXTS, .format = -1, .fact = offsetof(facts, member),               \
        .count = offsetof(facts, number), .by = BY_FACT                                            \
    }
#define ORIGIN_COLUMN(name_)                                                                       \
    {                                                                                              \
        .name = #name_, .kind = TEXT, .format = -1, .of_origin = offsetof(origin, name_),          \
        .by = BY_ORIGIN                                                                            \
    }
#define OTHER_COLUMN(name_, kind_, by_)                                                            \
    {                                                                                              \
        .name = name_, .kind = kind_, .format = -1, .by = by_                                      \
    }

static const column_spec specs[] = {
    ORIGIN_COLUMN(id),
    ORIGIN_COLUMN(url),
    ORIGIN_COLUMN(date),
    ORIGIN_COLUMN(file),
    OTHER_COLUMN("offset", WHOLE, BY_OFFSET),
    OTHER_COLUMN("inner", WHOLE, BY_INNER),
    OTHER_COLUMN("length", WHOLE, BY_LENGTH),
    OTHER_COLUMN("http_status", WHOLE, BY_HTTP_STATUS),
    ORIGIN_COLUMN(media_type),
    OTHER_COLUMN("status", TEXT, BY_STATUS),
    OTHER_COLUMN("error", TEXT, BY_ERROR),
    OTHER_COLUMN("method", TEXT, BY_METHOD),
    OTHER_COLUMN("encoding", TEXT, BY_ENCODING),
    OTHER_COLUMN("type", TEXT, BY_TYPE),
    OTHER_COLUMN("confidence", FRACTION, BY_CONFIDENCE),
    FACT_COLUMN("title", title),
    FACTS_COLUMN("authors", authors, author_count),
    FACT_COLUMN("published", published),
    FACT_COLUMN("modified", modified),
    FACT_COLUMN("site", site),
    FACT_COLUMN("description", description),
    FACT_COLUMN("language", language),
    FACT_COLUMN("canonical", url),
    FACT_COLUMN("image", image),
    FACTS_COLUMN("tags", tags, tag_count),
    FACTS_COLUMN("categories", categories, category_count),
    FACT_COLUMN("license", license),
    FORMAT_COLUMN("text", WINNOW_FORMAT_TEXT),
    FORMAT_COLUMN("markdown", WINNOW_FORMAT_MARKDOWN),
    FORMAT_COLUMN("html", WINNOW_FORMAT_HTML),
    FORMAT_COLUMN("json", WINNOW_FORMAT_JSON),
    FORMAT_COLUMN("xml", WINNOW_FORMAT_XML),
    FORMAT_COLUMN("tei", WINNOW_FORMAT_TEI),
};

static const char *const standard_columns[] = {"url",      "status",    "title",
                                               "language", "published", "text"};

static const column_spec *find_column(const char *name)
{
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        if (strcmp(specs[i].name, name) == 0)
            return &specs[i];
    return NULL;
}

/* ---- A batch that grows ------------------------------------------------------------------ */

/* Memory that grows; zero it first. */
typedef struct pile {
    void *bytes;
    size_t used, room;
} pile;

static bool pile_add(pile *p, const void *bytes, size_t size)
{
    if (p->used + size > p->room) {
        size_t room = p->room ? p->room * 2 : 4096;
        while (room < p->used + size)
            room *= 2;
        void *larger = realloc(p->bytes, room);
        if (!larger)
            return false;
        p->bytes = larger;
        p->room = room;
    }
    if (size > 0)
        memcpy((char *)p->bytes + p->used, bytes, size);
    p->used += size;
    return true;
}

static bool pile_add_offset(pile *p, size_t offset)
{
    int64_t number = (int64_t)offset;
    return pile_add(p, &number, sizeof number);
}

typedef struct column {
    pile values;  /* texts or numbers */
    pile offsets; /* of texts in `values` */
    pile lists;   /* of lists in `offsets` */
} column;

typedef struct batch {
    size_t rows, bytes, column_count;
    column columns[MOST_COLUMNS];
} batch;

static void batch_clear(batch *b)
{
    for (size_t i = 0; i < b->column_count; i++) {
        free(b->columns[i].values.bytes);
        free(b->columns[i].offsets.bytes);
        free(b->columns[i].lists.bytes);
    }
    size_t count = b->column_count;
    *b = (batch){.column_count = count};
}

static bool batch_start(batch *b, const column_spec *const *columns)
{
    bool done = true;
    for (size_t i = 0; i < b->column_count; i++) {
        column_kind kind = columns[i]->kind;
        if (kind == TEXT || kind == TEXTS)
            done = done && pile_add_offset(&b->columns[i].offsets, 0);
        if (kind == TEXTS)
            done = done && pile_add_offset(&b->columns[i].lists, 0);
        /* The interface wants an address also where there is nothing. */
        done = done && pile_add(&b->columns[i].values, "", 0);
        if (!b->columns[i].values.bytes)
            done = done && pile_add(&b->columns[i].values, "", 1) &&
                   (b->columns[i].values.used = 0, true);
    }
    return done;
}

static bool add_text(batch *b, column *c, const char *text, size_t size)
{
    b->bytes += size;
    return pile_add(&c->values, text, size) && pile_add_offset(&c->offsets, c->values.used);
}

static bool add_c_text(batch *b, column *c, const char *text)
{
    return add_text(b, c, text ? text : "", text ? strlen(text) : 0);
}

static bool add_whole(column *c, uint64_t number)
{
    int64_t value = (int64_t)number;
    return pile_add(&c->values, &value, sizeof value);
}

static bool add_list(batch *b, column *c, const char *const *items, size_t count)
{
    bool done = true;
    for (size_t i = 0; i < count; i++)
        done = done && add_c_text(b, c, items[i]);
    return done && pile_add_offset(&c->lists, c->offsets.used / sizeof(int64_t) - 1);
}

static bool add_value(batch *b, column *c, const column_spec *spec, const result *r,
                      const origin *o)
{
    const char *known = (const char *)&r->facts + spec->fact;
    switch (spec->by) {
    case BY_FORMAT:
        return add_text(b, c, r->outputs[spec->format].bytes, r->outputs[spec->format].size);
    case BY_FACT:
        if (spec->kind == TEXTS)
            return add_list(b, c, *(const char *const *const *)known,
                            *(const size_t *)((const char *)&r->facts + spec->count));
        return add_c_text(b, c, *(const char *const *)known);
    case BY_ORIGIN:
        return add_c_text(b, c, *(const char *const *)((const char *)o + spec->of_origin));
    case BY_STATUS:
        return add_c_text(b, c, winnow_status_name(r->status));
    case BY_ERROR:
        return add_c_text(b, c, r->error);
    case BY_TYPE:
        return add_c_text(b, c, winnow_page_type_name(r->type));
    case BY_METHOD:
        return add_c_text(b, c, r->method);
    case BY_ENCODING:
        return add_c_text(b, c, r->encoding);
    case BY_CONFIDENCE:
        return pile_add(&c->values, &r->confidence, sizeof r->confidence);
    case BY_OFFSET:
        return add_whole(c, o->offset);
    case BY_INNER:
        return add_whole(c, o->inner);
    case BY_LENGTH:
        return add_whole(c, o->length);
    case BY_HTTP_STATUS:
        return add_whole(c, o->http_status > 0 ? (uint64_t)o->http_status : 0);
    }
    return false;
}

/* ---- The batch as Arrow sees it ---------------------------------------------------------- */

/* An array with everything it points to. */
typedef struct arrays {
    batch batch;
    struct ArrowArray columns[MOST_COLUMNS], items[MOST_COLUMNS];
    struct ArrowArray *children[MOST_COLUMNS], *item[MOST_COLUMNS];
    const void *buffers[MOST_COLUMNS][3], *item_buffers[MOST_COLUMNS][3], *nothing[1];
} arrays;

static void release_child(struct ArrowArray *array)
{
    array->release = NULL;
}

static void release_batch(struct ArrowArray *array)
{
    arrays *all = array->private_data;
    for (int64_t i = 0; i < array->n_children; i++)
        if (array->children[i]->release)
            array->children[i]->release(array->children[i]);
    batch_clear(&all->batch);
    free(all);
    array->release = NULL;
}

static struct ArrowArray text_array(const column *c, size_t length, const void **buffers)
{
    buffers[0] = NULL;
    buffers[1] = c->offsets.bytes;
    buffers[2] = c->values.bytes;
    return (struct ArrowArray){
        .length = (int64_t)length, .n_buffers = 3, .buffers = buffers, .release = release_child};
}

static void show_column(arrays *all, size_t i, column_kind kind)
{
    const column *c = &all->batch.columns[i];
    const void **buffers = all->buffers[i];
    struct ArrowArray *array = &all->columns[i];
    if (kind == TEXT) {
        *array = text_array(c, all->batch.rows, buffers);
    } else if (kind == TEXTS) {
        all->items[i] = text_array(c, c->offsets.used / sizeof(int64_t) - 1, all->item_buffers[i]);
        all->item[i] = &all->items[i];
        buffers[1] = c->lists.bytes;
        *array = (struct ArrowArray){.length = (int64_t)all->batch.rows,
                                     .n_buffers = 2,
                                     .buffers = buffers,
                                     .n_children = 1,
                                     .children = &all->item[i],
                                     .release = release_child};
    } else {
        buffers[1] = c->values.bytes;
        *array = (struct ArrowArray){.length = (int64_t)all->batch.rows,
                                     .n_buffers = 2,
                                     .buffers = buffers,
                                     .release = release_child};
    }
    all->children[i] = array;
}

static void show_batch(arrays *all, const column_spec *const *columns, struct ArrowArray *out)
{
    for (size_t i = 0; i < all->batch.column_count; i++)
        show_column(all, i, columns[i]->kind);
    *out = (struct ArrowArray){
        .length = (int64_t)all->batch.rows,
        .n_buffers = 1,
        .buffers = all->nothing,
        .n_children = (int64_t)all->batch.column_count,
        .children = all->children,
        .release = release_batch,
        .private_data = all,
    };
}

/* ---- The schema -------------------------------------------------------------------------- */

typedef struct schemas {
    struct ArrowSchema columns[MOST_COLUMNS], items[MOST_COLUMNS];
    struct ArrowSchema *children[MOST_COLUMNS], *item[MOST_COLUMNS];
} schemas;

static void release_schema_child(struct ArrowSchema *schema)
{
    schema->release = NULL;
}

static void release_schema(struct ArrowSchema *schema)
{
    for (int64_t i = 0; i < schema->n_children; i++)
        if (schema->children[i]->release)
            schema->children[i]->release(schema->children[i]);
    free(schema->private_data);
    schema->release = NULL;
}

static bool show_schema(const column_spec *const *columns, size_t count, struct ArrowSchema *out)
{
    static const char *const formats[] = {
        [TEXT] = "U", [TEXTS] = "+L", [FRACTION] = "g", [WHOLE] = "l"};
    schemas *all = calloc(1, sizeof *all);
    if (!all)
        return false;
    for (size_t i = 0; i < count; i++) {
        all->columns[i] = (struct ArrowSchema){.format = formats[columns[i]->kind],
                                               .name = columns[i]->name,
                                               .release = release_schema_child};
        all->children[i] = &all->columns[i];
        if (columns[i]->kind == TEXTS) {
            all->items[i] = (struct ArrowSchema){
                .format = "U", .name = "item", .release = release_schema_child};
            all->item[i] = &all->items[i];
            all->columns[i].n_children = 1;
            all->columns[i].children = &all->item[i];
        }
    }
    *out = (struct ArrowSchema){.format = "+s",
                                .name = "",
                                .n_children = (int64_t)count,
                                .children = all->children,
                                .release = release_schema,
                                .private_data = all};
    return true;
}

/* ---- The stream -------------------------------------------------------------------------- */

typedef struct arrow {
    PyObject_HEAD PyObject *pages; /* an iterator; NULL: it was handed over */
    const column_spec *columns[MOST_COLUMNS];
    size_t column_count;
    size_t batch_rows;
    unsigned formats; /* bits, as in result.h */
} arrow;

/* What a stream that was handed over holds. */
typedef struct stream {
    arrow *made_by; /* a reference */
    PyObject *pages;
    char *error;
} stream;

static int get_schema(struct ArrowArrayStream *self, struct ArrowSchema *out)
{
    const stream *s = self->private_data;
    return show_schema(s->made_by->columns, s->made_by->column_count, out) ? 0 : ENOMEM;
}

static const char *get_last_error(struct ArrowArrayStream *self)
{
    const stream *s = self->private_data;
    return s->error;
}

/* Keeps the exception as the error of the stream. */
static int note_exception(stream *s)
{
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyObject *text = value ? PyObject_Str(value) : NULL;
    const char *message = text ? PyUnicode_AsUTF8AndSize(text, NULL) : NULL;
    free(s->error);
    s->error = copy_text(message ? message : "a Python exception");
    PyErr_Clear();
    Py_XDECREF(text);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(trace);
    return EIO;
}

static bool add_page(arrow *self, batch *b, PyObject *page)
{
    if (Py_TYPE(page) != state_of(self)->page) {
        raise_type("an item after pages", "a winnow.Page", page);
        return false;
    }
    const result *r = page_result(page, self->formats, self->formats & PREPARES_FACTS);
    bool added = r != NULL;
    for (size_t i = 0; added && i < self->column_count; i++)
        added = add_value(b, &b->columns[i], self->columns[i], r, page_origin(page));
    if (r && !added)
        PyErr_NoMemory();
    b->rows++;
    return added;
}

/* Fills a batch; false with an exception. It has no rows at the end. */
static bool fill_batch(stream *s, batch *b)
{
    arrow *self = s->made_by;
    b->column_count = self->column_count;
    if (!batch_start(b, self->columns)) {
        PyErr_NoMemory();
        return false;
    }
    while (b->rows < self->batch_rows && b->bytes < LONGEST_BATCH) {
        PyObject *page = PyIter_Next(s->pages);
        bool added = page && add_page(self, b, page);
        Py_XDECREF(page);
        if (!added)
            return !PyErr_Occurred();
    }
    return true;
}

/* Called by any thread, with or without the GIL. */
static int get_next(struct ArrowArrayStream *self, struct ArrowArray *out)
{
    stream *s = self->private_data;
    PyGILState_STATE gil = PyGILState_Ensure();
    arrays *all = calloc(1, sizeof *all);
    int error = 0;
    *out = (struct ArrowArray){0};
    if (!all)
        error = ENOMEM;
    else if (!fill_batch(s, &all->batch))
        error = note_exception(s);
    if (all && !error && all->batch.rows > 0) {
        show_batch(all, s->made_by->columns, out);
    } else if (all) {
        batch_clear(&all->batch);
        free(all);
    }
    PyGILState_Release(gil);
    return error;
}

static void release_stream(struct ArrowArrayStream *self)
{
    stream *s = self->private_data;
    if (Py_IsInitialized()) {
        PyGILState_STATE gil = PyGILState_Ensure();
        Py_CLEAR(s->pages);
        Py_DECREF((PyObject *)s->made_by);
        PyGILState_Release(gil);
    }
    free(s->error);
    free(s);
    self->release = NULL;
}

static void free_stream(PyObject *capsule)
{
    struct ArrowArrayStream *self = PyCapsule_GetPointer(capsule, "arrow_array_stream");
    if (self && self->release)
        self->release(self);
    free(self);
}

static PyObject *arrow_stream(PyObject *object, PyObject *args, PyObject *named)
{
    static char *names[] = {"requested_schema", NULL};
    PyObject *wish = NULL; /* may be skipped, says the interface */
    arrow *self = (arrow *)object;
    if (!PyArg_ParseTupleAndKeywords(args, named, "|O:__arrow_c_stream__", names, &wish))
        return NULL;
    if (!self->pages) {
        PyErr_SetString(PyExc_ValueError, "the pages of this stream were handed over already");
        return NULL;
    }
    stream *s = calloc(1, sizeof *s);
    struct ArrowArrayStream *made = calloc(1, sizeof *made);
    PyObject *capsule = s && made ? PyCapsule_New(made, "arrow_array_stream", free_stream) : NULL;
    if (!capsule) {
        free(s);
        free(made);
        return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    }
    s->made_by = (arrow *)Py_NewRef(object);
    s->pages = self->pages;
    self->pages = NULL;
    *made = (struct ArrowArrayStream){get_schema, get_next, get_last_error, release_stream, s};
    return capsule;
}

static void free_schema(PyObject *capsule)
{
    struct ArrowSchema *schema = PyCapsule_GetPointer(capsule, "arrow_schema");
    if (schema && schema->release)
        schema->release(schema);
    free(schema);
}

static PyObject *arrow_schema(PyObject *object, PyObject *unused)
{
    (void)unused;
    arrow *self = (arrow *)object;
    struct ArrowSchema *schema = calloc(1, sizeof *schema);
    if (!schema || !show_schema(self->columns, self->column_count, schema)) {
        free(schema);
        return PyErr_NoMemory();
    }
    PyObject *capsule = PyCapsule_New(schema, "arrow_schema", free_schema);
    if (!capsule) {
        schema->release(schema);
        free(schema);
    }
    return capsule;
}

/* ---- Making one -------------------------------------------------------------------------- */

static bool add_column(arrow *self, const char *name)
{
    const column_spec *spec = find_column(name);
    if (!spec) {
        char known[512] = "id";
        for (size_t i = 1; i < sizeof specs / sizeof *specs; i++)
            strcat(strcat(known, ", "), specs[i].name);
        PyErr_Format(PyExc_ValueError, "unknown column '%s'; there are %s", name, known);
        return false;
    }
    if (self->column_count == MOST_COLUMNS) {
        PyErr_SetString(PyExc_ValueError, "too many columns");
        return false;
    }
    self->columns[self->column_count++] = spec;
    if (spec->by == BY_FORMAT)
        self->formats |= 1u << spec->format;
    if (spec->by == BY_FACT)
        self->formats |= PREPARES_FACTS;
    return true;
}

static bool add_columns(arrow *self, PyObject *columns)
{
    bool added = true;
    if (!columns || columns == Py_None) {
        for (size_t i = 0; i < sizeof standard_columns / sizeof *standard_columns; i++)
            added = added && add_column(self, standard_columns[i]);
        return added;
    }
    if (PyUnicode_Check(columns)) {
        raise_type("columns", "a list of names", columns);
        return false;
    }
    PyObject *names = PyObject_GetIter(columns), *name;
    while (names && added && (name = PyIter_Next(names))) {
        const char *text = c_string_of(name, "the name of a column");
        added = text && add_column(self, text);
        Py_DECREF(name);
    }
    Py_XDECREF(names);
    if (added && !PyErr_Occurred() && self->column_count == 0)
        PyErr_SetString(PyExc_ValueError, "there must be at least one column");
    return added && !PyErr_Occurred();
}

/* `first` and the rest of an iterator, as one. */
static PyObject *chain(PyObject *first, PyObject *rest)
{
    PyObject *module = PyImport_ImportModule("itertools");
    PyObject *both = module ? PyObject_CallMethod(module, "chain", "(O)O", first, rest) : NULL;
    Py_XDECREF(module);
    return both;
}

/* Pages of an iterable, whose items may be pages already. An iterator. */
static PyObject *pages_of_items(module_state *state, extractor *made_by, PyObject *iterable,
                                size_t threads, unsigned formats)
{
    PyObject *items = PyObject_GetIter(iterable);
    if (!items || Py_TYPE(items) == state->pages)
        return items;
    PyObject *first = PyIter_Next(items), *pages = NULL;
    if (!first && !PyErr_Occurred())
        return items; /* there are none */
    PyObject *all = first ? chain(first, items) : NULL;
    if (all && Py_TYPE(first) == state->page)
        pages = Py_NewRef(all);
    else if (all)
        pages = pages_of_iterable(state, made_by, all, threads, formats);
    Py_XDECREF(all);
    Py_XDECREF(first);
    Py_DECREF(items);
    return pages;
}

static bool is_archive(PyObject *source)
{
    return PyUnicode_Check(source) || PyObject_CheckBuffer(source) || is_file_object(source) ||
           PyObject_HasAttrString(source, "__fspath__");
}

PyObject *to_arrow(module_state *state, PyObject *source, PyObject *columns, Py_ssize_t batch_rows,
                   extractor *made_by, size_t threads)
{
    winnow_reader_settings how = {.struct_size = sizeof how};
    if (batch_rows < 1) {
        PyErr_SetString(PyExc_ValueError, "batch_size must be at least 1");
        return NULL;
    }
    arrow *self = new_object(state->arrow);
    if (!self)
        return NULL;
    self->batch_rows = (size_t)batch_rows;
    if (add_columns(self, columns))
        self->pages = is_archive(source)
                          ? pages_of_archive(state, made_by, source, &how, threads, self->formats)
                          : pages_of_items(state, made_by, source, threads, self->formats);
    if (!self->pages)
        Py_CLEAR(self);
    return (PyObject *)self;
}

static int arrow_visit(PyObject *object, visitproc visit, void *arg)
{
    Py_VISIT(((arrow *)object)->pages);
    Py_VISIT(Py_TYPE(object));
    return 0;
}

static int arrow_clear(PyObject *object)
{
    Py_CLEAR(((arrow *)object)->pages);
    return 0;
}

static void arrow_free(PyObject *object)
{
    PyObject_GC_UnTrack(object);
    arrow_clear(object);
    release_object(object);
}

static PyMethodDef arrow_methods[] = {
    {"__arrow_c_stream__", (PyCFunction)(void (*)(void))arrow_stream, METH_VARARGS | METH_KEYWORDS,
     "__arrow_c_stream__($self, requested_schema=None)\n--\n\n"
     "Hands the pages over as an Arrow C stream, once."},
    {"__arrow_c_schema__", arrow_schema, METH_NOARGS,
     "__arrow_c_schema__($self)\n--\n\nThe columns as an Arrow C schema."},
    {0},
};

static PyType_Slot arrow_slots[] = {
    {Py_tp_doc, "Pages for Arrow, as winnow.to_arrow() returns them. They can be read once."},
    {Py_tp_dealloc, arrow_free},
    {Py_tp_traverse, arrow_visit},
    {Py_tp_clear, arrow_clear},
    {Py_tp_methods, arrow_methods},
    {0},
};

static PyType_Spec arrow_spec = {
    .name = "winnow.ArrowPages",
    .basicsize = sizeof(arrow),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE |
             Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = arrow_slots,
};

bool arrow_types(PyObject *module, module_state *state)
{
    return (state->arrow = add_type(module, &arrow_spec)) != NULL;
}
