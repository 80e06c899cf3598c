/*
 * winnow.words(), winnow.evaluate() and winnow.methods().
 */
#include "binding.h"

#include <string.h>

#include "eval/measures.h"
#include "text/language.h"
#include "text/stopwords.h"
#include "text/unicode.h"
#include "text/words.h"

/* ---- Words ------------------------------------------------------------------------------- */

/* How words are listed. */
typedef struct word_list {
    PyObject *list;
    wn_stopwords stop;
    wn_buf folded;
    bool lower, drops_stopwords;
} word_list;

static bool add_word(word_list *words, wn_str word)
{
    if (words->lower || words->drops_stopwords) {
        wn_buf_clear(&words->folded);
        wn_text_fold(&words->folded, word);
        if (words->drops_stopwords &&
            wn_text_stopwords_has(&words->stop, wn_buf_str(&words->folded)))
            return true;
        if (words->lower && !words->folded.failed)
            word = wn_buf_str(&words->folded);
    }
    PyObject *text = text_of(word.ptr, word.len);
    bool added = text && PyList_Append(words->list, text) == 0;
    Py_XDECREF(text);
    return added;
}

/* The words of a text, which is cut into lines as the program does it. False with an exception. */
static bool list_words(word_list *words, wn_words *segmenter, wn_str text)
{
    while (text.len > 0) {
        const char *end = memchr(text.ptr, '\n', text.len);
        size_t len = end ? (size_t)(end - text.ptr) : text.len;
        wn_text_words_begin(segmenter, wn_str_from(text.ptr, len));
        for (wn_str word; wn_text_words_next(segmenter, &word);)
            if (!add_word(words, word))
                return false;
        text = wn_str_from_offset(text, end ? len + 1 : len);
    }
    return true;
}

PyObject *text_words(PyObject *module, PyObject *args, PyObject *named)
{
    static char *names[] = {"text", "language", "lower", "stopwords", NULL};
    module_state *state = PyModule_GetState(module);
    PyObject *text;
    const char *language = NULL;
    int lower = 0, keeps_stopwords = 1;
    char code[WN_LANGUAGE_CODE];
    borrowed bytes;
    if (!PyArg_ParseTupleAndKeywords(args, named, "U|z$pp:words", names, &text, &language, &lower,
                                     &keeps_stopwords) ||
        !borrow(&bytes, text, true))
        return NULL;
    if (PyBytes_Check(bytes.owner)) {
        /* Half surrogate pairs: the words want well-formed text. */
        PyObject *whole = text_of(bytes.bytes, bytes.size);
        give_back(&bytes);
        bool borrowed_again = whole && borrow(&bytes, whole, true);
        Py_XDECREF(whole);
        if (!borrowed_again)
            return NULL;
    }
    /* Taken out while it is used: making a list may run other code. */
    wn_words *segmenter = state->words ? state->words : wn_text_words_new();
    state->words = NULL;
    word_list words = {.list = PyList_New(0), .lower = lower, .drops_stopwords = !keeps_stopwords};
    wn_str all = wn_str_from(bytes.bytes, bytes.size);
    if (!segmenter) {
        Py_CLEAR(words.list);
        PyErr_NoMemory();
    } else if (words.list) {
        const char *used = language ? wn_text_language_normalise(wn_str_of(language), code)
                                    : wn_text_language_guess(segmenter, all);
        wn_text_words_set_language(segmenter, wn_str_of(used));
        wn_text_stopwords_use(&words.stop, wn_str_of(used));
        if (!list_words(&words, segmenter, all))
            Py_CLEAR(words.list);
    }
    wn_text_stopwords_free(&words.stop);
    wn_buf_free(&words.folded);
    give_back(&bytes);
    if (state->words)
        wn_text_words_free(segmenter);
    else
        state->words = segmenter;
    return words.list;
}

/* ---- Scores ------------------------------------------------------------------------------ */

static int measure_of(const char *name)
{
    for (int i = 0; i < WN_MEASURE_SNIPPETS; i++)
        if (strcmp(name, wn_eval_measure_name(NULL, (size_t)i)) == 0)
            return i;
    PyErr_Format(PyExc_ValueError,
                 "unknown measure '%s'; there are words, lcs, length and shingles", name);
    return -1;
}

PyObject *text_evaluate(PyObject *module, PyObject *args, PyObject *named)
{
    static char *names[] = {"text", "gold", "measure", NULL};
    module_state *state = PyModule_GetState(module);
    PyObject *text, *gold;
    const char *name = "words";
    if (!PyArg_ParseTupleAndKeywords(args, named, "UU|$s:evaluate", names, &text, &gold, &name))
        return NULL;
    int measure = measure_of(name);
    borrowed ours, theirs;
    if (measure < 0 || !borrow(&ours, text, true))
        return NULL;
    if (!borrow(&theirs, gold, true)) {
        give_back(&ours);
        return NULL;
    }
    wn_measurer measurer = {0};
    wn_score score;
    wn_eval_snippets none = {0};
    bool measured;
    Py_BEGIN_ALLOW_THREADS wn_eval_measurer_begin(&measurer,
                                                  wn_str_from(theirs.bytes, theirs.size));
    measured = wn_eval_measurer_score(&measurer, wn_str_from(ours.bytes, ours.size), &none, &score);
    wn_eval_measurer_free(&measurer);
    Py_END_ALLOW_THREADS give_back(&ours);
    give_back(&theirs);
    if (!measured)
        return PyErr_NoMemory();
    PyObject *made = PyStructSequence_New(state->score);
    Py_ssize_t i = 0;
    const wn_prf *prf = &score.by[measure];
    if (made && !(put_item(made, &i, PyFloat_FromDouble(prf->precision)) &&
                  put_item(made, &i, PyFloat_FromDouble(prf->recall)) &&
                  put_item(made, &i, PyFloat_FromDouble(prf->f1))))
        Py_CLEAR(made);
    return made;
}

/* ---- Methods ----------------------------------------------------------------------------- */

static PyObject *make_parameter(module_state *state, const winnow_parameter_info *info)
{
    PyObject *made = PyStructSequence_New(state->parameter);
    Py_ssize_t i = 0;
    if (made && !(put_item(made, &i, text_or_empty(info->name)) &&
                  put_item(made, &i, text_or_empty(info->help)) &&
                  put_item(made, &i, text_or_empty(info->fallback)) &&
                  put_item(made, &i, text_or_empty(info->allowed))))
        Py_CLEAR(made);
    return made;
}

static PyObject *make_parameters(module_state *state, const winnow_method_info *info)
{
    size_t count = 0;
    while (info->parameters[count])
        count++;
    PyObject *tuple = PyTuple_New((Py_ssize_t)count);
    for (size_t i = 0; tuple && i < count; i++) {
        PyObject *item = make_parameter(state, info->parameters[i]);
        if (!item || PyTuple_SetItem(tuple, (Py_ssize_t)i, item) < 0)
            Py_CLEAR(tuple);
    }
    return tuple;
}

static PyObject *make_method(module_state *state, const winnow_method_info *info)
{
    PyObject *made = PyStructSequence_New(state->method);
    Py_ssize_t i = 0;
    if (made && !(put_item(made, &i, text_or_empty(info->name)) &&
                  put_item(made, &i, text_or_empty(info->summary)) &&
                  put_item(made, &i, make_parameters(state, info)) &&
                  put_item(made, &i, PyBool_FromLong(info->needs_layout)) &&
                  put_item(made, &i, PyBool_FromLong(info->needs_noise))))
        Py_CLEAR(made);
    return made;
}

PyObject *text_methods(PyObject *module, PyObject *unused)
{
    (void)unused;
    module_state *state = PyModule_GetState(module);
    PyObject *list = PyList_New(0);
    const winnow_method_info *info;
    for (size_t i = 0; list && (info = winnow_method_at(i)); i++) {
        PyObject *method = make_method(state, info);
        if (!method || PyList_Append(list, method) < 0)
            Py_CLEAR(list);
        Py_XDECREF(method);
    }
    return list;
}

/* ---- Types ------------------------------------------------------------------------------- */

static PyStructSequence_Field score_fields[] = {
    {"precision", "the share of the text that is in the gold"},
    {"recall", "the share of the gold that is in the text"},
    {"f1", "their harmonic mean"},
    {0},
};

static PyStructSequence_Field method_fields[] = {
    {"name", "for method=: \"auto\", \"lineblock\", …"},
    {"summary", "one line"},
    {"parameters", "a tuple of Parameter; method=\"lineblock:rule=all\" sets one"},
    {"needs_layout", "it reads style sheets and lays the page out"},
    {"needs_noise", "it needs noise="},
    {0},
};

static PyStructSequence_Field parameter_fields[] = {
    {"name", "its name"},
    {"help", "one line"},
    {"default", "as a str"},
    {"allowed", "in words: \"all or rescue\", \"a number from 0 to 1\""},
    {0},
};

static PyStructSequence_Desc score_description = {
    "winnow.Score", "How near a text is to the gold text of its page, 0 to 1.", score_fields, 3};
static PyStructSequence_Desc method_description = {"winnow.Method", "A way to find content.",
                                                   method_fields, 5};
static PyStructSequence_Desc parameter_description = {
    "winnow.Parameter", "A parameter of a method.", parameter_fields, 4};

bool text_types(PyObject *module, module_state *state)
{
    return (state->score = add_struct(module, &score_description)) &&
           (state->method = add_struct(module, &method_description)) &&
           (state->parameter = add_struct(module, &parameter_description));
}
