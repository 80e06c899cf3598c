/*
 * The module: its functions, and how it begins and ends.
 */
#include "binding.h"

#include "io/pool.h" /* wn_io_pool_cores(): winnow_cores() would link libcurl */

#include <string.h>

#include "text/words.h"

/* ---- One page ---------------------------------------------------------------------------- */

/* The page among the arguments of extract() and parse(); NULL with an exception. */
static PyObject *page_argument(const char *function, PyObject *const *args, Py_ssize_t count)
{
    if (count == 1)
        return args[0];
    PyErr_Format(PyExc_TypeError, "%s() takes one page, and keyword arguments", function);
    return NULL;
}

static PyObject *module_extract(PyObject *module, PyObject *const *args, Py_ssize_t count,
                                PyObject *names)
{
    module_state *state = PyModule_GetState(module);
    page_call call = {.html = page_argument("extract", args, count)};
    if (!call.html || !state->standard)
        return NULL;
    Py_ssize_t named = names ? PyTuple_Size(names) : 0;
    if (named == 0)
        return extract(state, &((extractor *)state->standard)->settings, &call);
    settings s = {0};
    bool set = true;
    for (Py_ssize_t i = 0; set && i < named; i++)
        set = settings_set(&s, state, "extract", PyTuple_GetItem(names, i), args[count + i]);
    PyObject *text = set && settings_finish(&s) ? extract(state, &s, &call) : NULL;
    settings_clear(&s);
    return text;
}

/* ---- Calls that an Extractor does -------------------------------------------------------- */

/* Moves the named arguments that belong to the call itself out of `options`. A new dict. */
static PyObject *take_own(PyObject *options, const char *const *own)
{
    PyObject *taken = PyDict_New();
    for (; taken && *own; own++) {
        PyObject *value = PyDict_GetItemString(options, *own);
        if (value && (PyDict_SetItemString(taken, *own, value) < 0 ||
                      PyDict_DelItemString(options, *own) < 0))
            Py_CLEAR(taken);
    }
    return taken;
}

/* function(*args, **own, **options) as Extractor(**options).function(*args, **own) */
static PyObject *call_extractor(PyObject *module, const char *function, PyObject *args,
                                PyObject *named, const char *const *own)
{
    module_state *state = PyModule_GetState(module);
    PyObject *options = named ? PyDict_Copy(named) : PyDict_New();
    PyObject *mine = options ? take_own(options, own) : NULL;
    PyObject *extractor = NULL, *method = NULL, *found = NULL;
    if (mine)
        extractor = PyDict_Size(options) > 0 ? extractor_new(state, function, options)
                                             : Py_NewRef(state->standard);
    if (extractor)
        method = PyObject_GetAttrString(extractor, function);
    if (method)
        found = PyObject_Call(method, args, mine);
    Py_XDECREF(options);
    Py_XDECREF(mine);
    Py_XDECREF(extractor);
    Py_XDECREF(method);
    return found;
}

static PyObject *module_parse(PyObject *module, PyObject *args, PyObject *named)
{
    static const char *const own[] = {"url", "charset", NULL};
    return call_extractor(module, "parse", args, named, own);
}

static PyObject *module_extract_many(PyObject *module, PyObject *args, PyObject *named)
{
    static const char *const own[] = {"threads", "formats", NULL};
    return call_extractor(module, "extract_many", args, named, own);
}

static PyObject *module_extract_warc(PyObject *module, PyObject *args, PyObject *named)
{
    static const char *const own[] = {"threads",    "formats",    "start",     "end",      "kind",
                                      "max_record", "html_field", "url_field", "id_field", NULL};
    return call_extractor(module, "extract_warc", args, named, own);
}

static PyObject *module_read_warc(PyObject *module, PyObject *args, PyObject *named)
{
    winnow_reader_settings how = {.struct_size = sizeof how};
    PyObject *name, *value;
    Py_ssize_t place = 0;
    if (PyTuple_Size(args) != 1) {
        PyErr_SetString(PyExc_TypeError, "read_warc() takes one archive, and keyword arguments");
        return NULL;
    }
    while (named && PyDict_Next(named, &place, &name, &value)) {
        int known = archive_setting(&how, name, value);
        if (known == 0 && PyUnicode_CompareWithASCIIString(name, "pages_only") == 0) {
            known = PyObject_IsTrue(value) < 0 ? -1 : 1;
            how.pages_only = PyObject_IsTrue(value) > 0;
        }
        if (known < 0)
            return NULL;
        if (!known)
            return PyErr_Format(PyExc_TypeError,
                                "read_warc() got an unexpected keyword argument '%U'; there are "
                                "pages_only, start, end, kind, max_record, html_field, url_field "
                                "and id_field",
                                name);
    }
    return read_warc(PyModule_GetState(module), PyTuple_GetItem(args, 0), &how);
}

static PyObject *module_to_arrow(PyObject *module, PyObject *args, PyObject *named)
{
    static const char *const own[] = {"columns", "threads", "batch_size", NULL};
    module_state *state = PyModule_GetState(module);
    size_t threads = wn_io_pool_cores();
    Py_ssize_t rows = 1024;
    if (PyTuple_Size(args) != 1) {
        PyErr_SetString(PyExc_TypeError,
                        "to_arrow() takes pages or an archive, and keyword arguments");
        return NULL;
    }
    PyObject *options = named ? PyDict_Copy(named) : PyDict_New();
    PyObject *mine = options ? take_own(options, own) : NULL;
    PyObject *made_by = mine ? extractor_new(state, "to_arrow", options) : NULL;
    PyObject *count = mine ? PyDict_GetItemString(mine, "threads") : NULL;
    PyObject *size = mine ? PyDict_GetItemString(mine, "batch_size") : NULL;
    PyObject *made = NULL;
    bool read = made_by && (!count || read_threads(count, &threads));
    if (read && size) {
        rows = PyNumber_AsSsize_t(size, PyExc_OverflowError);
        read = rows != -1 || !PyErr_Occurred();
    }
    if (read)
        made = to_arrow(state, PyTuple_GetItem(args, 0), PyDict_GetItemString(mine, "columns"),
                        rows, (extractor *)made_by, threads);
    Py_XDECREF(options);
    Py_XDECREF(mine);
    Py_XDECREF(made_by);
    return made;
}

/* ---- Inner ------------------------------------------------------------------------------- */

static PyObject *module_restore_extractor(PyObject *module, PyObject *arguments)
{
    if (!PyDict_Check(arguments))
        return raise_type("options", "a dict", arguments);
    return extractor_new(PyModule_GetState(module), "Extractor", arguments);
}

static PyObject *module_restore_page(PyObject *module, PyObject *arguments)
{
    return page_restore(PyModule_GetState(module), arguments);
}

static PyObject *module_stop(PyObject *module, PyObject *unused)
{
    (void)unused;
    pages_stop_all(PyModule_GetState(module));
    Py_RETURN_NONE;
}

static PyObject *module_components(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    PyObject *dict = PyDict_New();
    const winnow_component *part;
    for (size_t i = 0; dict && (part = winnow_component_at(i)); i++) {
        PyObject *version = part->version ? text_or_empty(part->version) : Py_NewRef(Py_None);
        if (!version || PyDict_SetItemString(dict, part->name, version) < 0)
            Py_CLEAR(dict);
        Py_XDECREF(version);
    }
    return dict;
}

/* ---- The module -------------------------------------------------------------------------- */

#define OPTIONS                                                                                    \
    "    format      \"text\", \"markdown\", \"html\", \"json\", \"xml\", \"tei\" or \"csv\"\n"    \
    "    method      \"auto\", or another of winnow.methods(), with parameters:\n"                 \
    "                \"lineblock:rule=all,distance=3\"\n"                                          \
    "    url         the address of the page: links become absolute\n"                             \
    "    charset     the encoding that the HTTP header names; a str needs none\n"                  \
    "    precision   rather less text than wrong text (method \"auto\")\n"                         \
    "    recall      rather too much text than too little\n"                                       \
    "    comments    True: with readers' comments below articles; False: on no page\n"             \
    "    tables      False: without tables of data\n"                                              \
    "    links, formatting, images\n"                                                              \
    "                True: Markdown, HTML, … keep links, bold and italics, images\n"             \
    "    metadata    True: text and Markdown begin with title, author, date, …\n"                \
    "    blocks      True: JSON lists the blocks\n"                                                \
    "    standalone  True: a whole document: XML declaration, <html> around HTML\n"                \
    "    timeout     seconds for a page; what was read by then is extracted\n"                     \
    "    max_bytes, max_nodes, max_depth, max_attributes, max_memory\n"                            \
    "                limits of a page, which is cut short there; 0: none\n"                        \
    "    site        a winnow.Site: what repeats on its pages is dropped\n"                        \
    "    model       bytes of a model for \"auto\", instead of the one that is built in\n"         \
    "    noise       noise words for the method \"outlier\", one per line\n"                       \
    "    sheet_base  what links to style sheets are relative to\n"

PyDoc_STRVAR(
    extract_doc,
    "extract(html, /, *, format='text', **options)\n"
    "--\n"
    "\n"
    "The main content of a web page, as a str. \"\" if there is none, never None.\n"
    "\n"
    "`html` is a str, or bytes (any buffer) in any encoding. A bad page never raises: parse() tells\n"
    "its status. Wrong options raise ValueError or TypeError, with what is allowed.\n"
    "\n"
    ">>> import winnow\n"
    ">>> html = \"<nav><a href='/'>Home</a></nav><h1>Bread</h1><p>Take <b>flour</b> and water.</p>\"\n"
    ">>> winnow.extract(html)\n"
    "'Bread\\n\\nTake flour and water.\\n'\n"
    ">>> winnow.extract(html, format=\"markdown\", formatting=True)\n"
    "'# Bread\\n\\nTake **flour** and water.\\n'\n"
    "\n"
    "Options:\n"
    "\n" OPTIONS "\n"
    "With the same options for many pages, an Extractor is faster; for many pages on many threads,\n"
    "see extract_many().");

PyDoc_STRVAR(
    parse_doc,
    "parse(html, /, *, url=None, charset=None, **options)\n"
    "--\n"
    "\n"
    "A Page: parsed once, then asked for text, Markdown, metadata, blocks, links, and so on.\n"
    "Options are those of extract().\n"
    "\n"
    ">>> import winnow\n"
    ">>> page = winnow.parse(\"<title>Bread</title><h1>Bread</h1><p>Take flour and water.</p>\")\n"
    ">>> page.title, page.status\n"
    "('Bread', 'ok')\n"
    ">>> [block.kind for block in page.blocks]\n"
    "['heading', 'paragraph']\n");

PyDoc_STRVAR(
    extract_many_doc,
    "extract_many(iterable, /, *, threads=None, formats=('text', 'metadata'), **options)\n"
    "--\n"
    "\n"
    "Pages of an iterable, in its order, on many threads.\n"
    "\n"
    "An item is bytes-like or a str (a page), a path (pathlib.Path; also of a compressed file), a\n"
    "tuple (page, address), or a Record. The GIL is not held while pages are worked on, and memory is\n"
    "bounded: no more than 32 items per thread are taken ahead. An exception of the iterable is raised\n"
    "after the pages before it. The iterator may be left at any time.\n"
    "\n"
    "`threads`: one per processor core by default. `formats`: what the threads prepare: formats of\n"
    "extract(), and \"metadata\". More can be asked for, but the page is then parsed again. Options are\n"
    "those of extract().\n"
    "\n"
    ">>> import winnow\n"
    ">>> for page in winnow.extract_many([\"<p>One fish\", b\"<p>Two fish\"], threads=2):\n"
    "...     print(page.text, end=\"\")\n"
    "One fish\n"
    "Two fish\n");

PyDoc_STRVAR(
    extract_warc_doc,
    "extract_warc(source, /, *, threads=None, formats=('text', 'metadata'), start=0, end=0, kind=None,\n"
    "             max_record=None, html_field=None, url_field=None, id_field=None, **options)\n"
    "--\n"
    "\n"
    "The pages of a web archive, in its order, on many threads: read_warc() and extract_many() in\n"
    "one, without Python in between. `source` and the arguments from `start` on are those of\n"
    "read_warc(), the others those of extract_many().\n"
    "\n"
    "A Page of an archive also has id, url, date, file and offset.");

PyDoc_STRVAR(
    read_warc_doc,
    "read_warc(source, /, *, pages_only=False, start=0, end=0, kind=None, max_record=None,\n"
    "          html_field=None, url_field=None, id_field=None)\n"
    "--\n"
    "\n"
    "The records of a web archive, in its order: an iterator over Record.\n"
    "\n"
    "`source` is a path, a file object in binary mode, or bytes of a WARC, ARC, WET or WAT file, or of\n"
    "JSON lines with a page in each; plain, or compressed with gzip, zstd or lz4. Anything else is one\n"
    "record, a page. Damage is passed over; `error` of the iterator then has a sentence.\n"
    "\n"
    "    pages_only  leave out everything that is not a web page\n"
    "    start, end  only records that start in this range of the file; cut it anywhere: ranges that\n"
    "                touch share no record and miss none. end=0: the end of the file\n"
    "    kind        \"detect\", \"warc\" (also ARC), \"jsonl\" or \"page\"\n"
    "    max_record  bytes of a body; longer ones are cut. Default: 32 MiB\n"
    "    html_field, url_field, id_field\n"
    "                of JSON lines; default: \"html\", \"url\", \"id\"\n"
    "\n"
    ">>> import winnow\n"
    ">>> for record in winnow.read_warc(b'{\"html\": \"<p>One fish\", \"url\": \"http://a.example/\"}'):\n"
    "...     print(record.url, record.html)\n"
    "http://a.example/ b'<p>One fish'\n");

PyDoc_STRVAR(
    to_arrow_doc,
    "to_arrow(pages, /, *, columns=None, threads=None, batch_size=1024, **options)\n"
    "--\n"
    "\n"
    "Pages as an Arrow stream, which pyarrow, polars, duckdb and others take without copying:\n"
    "\n"
    "    pyarrow.table(winnow.to_arrow(\"crawl.warc.gz\"))\n"
    "    polars.DataFrame(winnow.to_arrow(\"crawl.warc.gz\", columns=[\"url\", \"text\"]))\n"
    "\n"
    "`pages` is an archive as for read_warc(), an iterable of Page, or one of items as for\n"
    "extract_many(). Columns are id, url, date, file, offset, status, error, method, encoding, type,\n"
    "confidence, title, authors, published, modified, site, description, language, canonical, image,\n"
    "tags, categories, license, text, markdown, html, json, xml, tei; by default url, status, title,\n"
    "language, published, text. Options are those of extract().");

PyDoc_STRVAR(
    words_doc,
    "words(text, language=None, *, lower=False, stopwords=True)\n"
    "--\n"
    "\n"
    "The words of a text, in every script: a list of str. Thai, Lao, Khmer, Burmese, Chinese and\n"
    "Japanese are cut by dictionaries. The language is guessed if it is not given.\n"
    "\n"
    "    lower       words in lower case\n"
    "    stopwords   False: without the stop words of the language\n"
    "\n"
    ">>> import winnow\n"
    ">>> winnow.words(\"Don't stop at 3.14!\")\n"
    "[\"Don't\", 'stop', 'at', '3.14']\n");

PyDoc_STRVAR(
    evaluate_doc,
    "evaluate(text, gold, *, measure='words')\n"
    "--\n"
    "\n"
    "How near a text is to the gold text of its page: a Score of precision, recall and F1.\n"
    "\n"
    "    words       words as a bag, whatever their order (as in the WCXB benchmark)\n"
    "    lcs         words of the longest common subsequence\n"
    "    length      characters, without spaces\n"
    "    shingles    four words in a row, minding the case\n"
    "\n"
    ">>> import winnow\n"
    ">>> winnow.evaluate(\"the cat sat\", \"the cat sat down\").recall\n"
    "0.75\n");

PyDoc_STRVAR(methods_doc, "methods()\n"
                          "--\n"
                          "\n"
                          "The ways to find content, for method=: a list of Method.\n"
                          "\n"
                          ">>> import winnow\n"
                          ">>> winnow.methods()[0].name\n"
                          "'auto'\n");

#define FAST(name) (PyCFunction)(void (*)(void))(name), METH_FASTCALL | METH_KEYWORDS
#define NAMED(name) (PyCFunction)(void (*)(void))(name), METH_VARARGS | METH_KEYWORDS

static PyMethodDef functions[] = {
    {"extract", FAST(module_extract), extract_doc},
    {"parse", NAMED(module_parse), parse_doc},
    {"extract_many", NAMED(module_extract_many), extract_many_doc},
    {"extract_warc", NAMED(module_extract_warc), extract_warc_doc},
    {"read_warc", NAMED(module_read_warc), read_warc_doc},
    {"to_arrow", NAMED(module_to_arrow), to_arrow_doc},
    {"words", NAMED(text_words), words_doc},
    {"evaluate", NAMED(text_evaluate), evaluate_doc},
    {"methods", text_methods, METH_NOARGS, methods_doc},
    {"components", module_components, METH_NOARGS,
     "components()\n--\n\n"
     "The libraries that winnow was built with, and their versions; None if it is not there."},
    {"_extractor", module_restore_extractor, METH_O, NULL},
    {"_page", module_restore_page, METH_VARARGS, NULL},
    {"_stop", module_stop, METH_NOARGS, NULL},
    {"_site_key", corpus_site_key, METH_VARARGS, NULL},
    {"_hash", corpus_hash, METH_O, NULL},
    {"_dedup_keys", corpus_dedup_keys, METH_VARARGS, NULL},
    {"_shingles", corpus_shingles, METH_O, NULL},
    {"_jaccard", corpus_jaccard, METH_VARARGS, NULL},
    {"_word_counts", corpus_word_counts, METH_VARARGS, NULL},
    {"_tag_counts", corpus_tag_counts, METH_VARARGS, NULL},
    {"_outliers", corpus_outliers, METH_VARARGS, NULL},
    {0},
};

/* Threads end before the interpreter does. */
static bool stop_at_exit(PyObject *module)
{
    PyObject *atexit = PyImport_ImportModule("atexit");
    PyObject *stop = atexit ? PyObject_GetAttrString(module, "_stop") : NULL;
    PyObject *done = stop ? PyObject_CallMethod(atexit, "register", "O", stop) : NULL;
    Py_XDECREF(atexit);
    Py_XDECREF(stop);
    Py_XDECREF(done);
    return done != NULL;
}

static int module_begin(PyObject *module)
{
    module_state *state = PyModule_GetState(module);
    fork_watch();
    bool made = site_types(module, state) && page_types(module, state) &&
                pages_types(module, state) && record_types(module, state) &&
                arrow_types(module, state) && text_types(module, state) &&
                extractor_types(module, state) && stop_at_exit(module) &&
                PyModule_AddStringConstant(module, "__version__", winnow_version()) == 0;
    return made ? 0 : -1;
}

static int module_visit(PyObject *module, visitproc visit, void *arg)
{
    module_state *s = PyModule_GetState(module);
    PyTypeObject *types[] = {s->extractor, s->page,  s->pages,    s->record,   s->reader,
                             s->arrow,     s->site,  s->metadata, s->block,    s->link,
                             s->image,     s->score, s->method,   s->parameter};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        Py_VISIT((PyObject *)types[i]);
    Py_VISIT(s->standard);
    return 0;
}

static int module_clear(PyObject *module)
{
    module_state *s = PyModule_GetState(module);
    PyTypeObject **types[] = {&s->extractor, &s->page,  &s->pages,    &s->record,   &s->reader,
                              &s->arrow,     &s->site,  &s->metadata, &s->block,    &s->link,
                              &s->image,     &s->score, &s->method,   &s->parameter};
    Py_CLEAR(s->standard);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        Py_CLEAR(*types[i]);
    return 0;
}

static void module_end(void *module)
{
    module_state *state = PyModule_GetState(module);
    if (!state)
        return;
    drop_handles(state);
    wn_text_words_free(state->words);
    state->words = NULL;
    corpus_tools_free(state->corpus);
    state->corpus = NULL;
    module_clear(module);
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, module_begin},
    {0},
};

PyModuleDef module_definition = {
    PyModuleDef_HEAD_INIT,          .m_name = "winnow._winnow", .m_doc = "The C part of winnow.",
    .m_size = sizeof(module_state), .m_methods = functions,     .m_slots = module_slots,
    .m_traverse = module_visit,     .m_clear = module_clear,    .m_free = module_end,
};

PyMODINIT_FUNC PyInit__winnow(void)
{
    return PyModuleDef_Init(&module_definition);
}
