#include "page/code.h"

#include "page/attributes.h"

/* ---- What is not code -------------------------------------------------------------------- */

bool wn_page_code_is_gutter(const wn_node *element)
{
    static const char *const classes[] = {"lineno",
                                          "linenos",
                                          "linenumber",
                                          "line-number",
                                          "line-numbers",
                                          "line-numbers-rows",
                                          "gutter",
                                          "hljs-ln-numbers",
                                          "hljs-ln-line-number",
                                          "lnt",
                                          "ln",
                                          "rouge-gutter",
                                          "blob-num",
                                          "crayon-nums",
                                          "code-line-number",
                                          "line-num",
                                          "linenodiv",
                                          "code-gutter",
                                          "lineNumber",
                                          "CodeMirror-linenumber",
                                          "react-syntax-highlighter-line-number",
                                          "copy-button",
                                          "copybtn",
                                          "code-copy",
                                          "copy-btn",
                                          "clipboard-button",
                                          "ttc", /* what Doxygen shows when the mouse is there */
                                          NULL};
    if (element->len == 0)
        return wn_node_is(element, WN_TAG_BUTTON);
    return wn_node_is(element, WN_TAG_BUTTON) || wn_page_has_class_of(element, classes);
}

/* ---- Lines ------------------------------------------------------------------------------- */

/* Whether what is beside an element is an element, or nothing. */
static bool is_closed(const wn_node *node)
{
    return node->kind != WN_KIND_TEXT;
}

bool wn_page_code_is_line(const wn_doc *doc, const wn_node *element)
{
    static const char *const classes[] = {"line",         "code-line", "token-line",
                                          "hljs-line",    "view-line", "CodeMirror-line",
                                          "js-file-line", NULL};
    const wn_node *before = wn_doc_node(doc, element->prev);
    const wn_node *after = wn_doc_node(doc, element->next);
    return element->len > 0 && (element->prev || element->next) && is_closed(before) &&
           is_closed(after) && wn_page_has_class_of(element, classes);
}

bool wn_page_code_is_table(const wn_doc *doc, const wn_node *table)
{
    static const char *const classes[] = {"js-file-line-container", "crayon-table", NULL};
    return wn_page_has_class_of(table, classes) ||
           wn_page_has_class(wn_doc_node(doc, table->parent), WN_STR("syntaxhighlighter"));
}

bool wn_page_code_is_fragment(const wn_doc *doc, const wn_node *element)
{
    const wn_node *first = wn_doc_node(doc, element->first_child);
    return wn_node_is(element, WN_TAG_DIV) && element->len > 0 && wn_node_is(first, WN_TAG_DIV) &&
           wn_str_eq(wn_node_attr_value(element, WN_ATTR_CLASS), WN_STR("fragment")) &&
           wn_page_has_class(first, WN_STR("line"));
}

bool wn_page_code_is_frame(const wn_node *table)
{
    static const char *const classes[] = {"highlighttable", "lntable",         "rouge-table",
                                          "hljs-ln",        "codehilitetable", NULL};
    return wn_page_has_class_of(table, classes);
}

/* ---- Languages --------------------------------------------------------------------------- */

/* Words that are not languages, but are where languages are named. */
static bool is_noise(wn_str name)
{
    static const char *const words[] = {"none",      "nohighlight", "text",         "plain",
                                        "plaintext", "default",     "notranslate",  "unknown",
                                        "auto",      "ipython",     "line-numbers", "wrap",
                                        "code",      "hljs",        "generic",      NULL};
    for (const char *const *word = words; *word; word++)
        if (wn_str_eq_nocase(name, wn_str_of(*word)))
            return true;
    return false;
}

static bool is_language(wn_str name)
{
    bool sound = name.len > 0 && name.len <= 32 && wn_is_ascii_alnum(name.ptr[0]) &&
                 !is_noise(name);
    for (size_t i = 0; i < name.len; i++)
        sound = sound && (wn_is_ascii_alnum(name.ptr[i]) || strchr("+-#._", name.ptr[i]));
    return sound;
}

/* Languages by name, where a word beside a class of such a program may also be something else. */
static bool is_known_language(wn_str name)
{
    static const char *const names[] = {"actionscript",
                                        "ada",
                                        "apache",
                                        "applescript",
                                        "arduino",
                                        "asm",
                                        "awk",
                                        "bash",
                                        "basic",
                                        "bat",
                                        "c",
                                        "c#",
                                        "c++",
                                        "clojure",
                                        "cmake",
                                        "coffeescript",
                                        "console",
                                        "cpp",
                                        "crystal",
                                        "cs",
                                        "csharp",
                                        "css",
                                        "csv",
                                        "cuda",
                                        "d",
                                        "dart",
                                        "delphi",
                                        "diff",
                                        "docker",
                                        "dockerfile",
                                        "elixir",
                                        "elm",
                                        "erlang",
                                        "fortran",
                                        "fsharp",
                                        "glsl",
                                        "go",
                                        "gradle",
                                        "graphql",
                                        "groovy",
                                        "haskell",
                                        "hcl",
                                        "html",
                                        "http",
                                        "ini",
                                        "ipython3",
                                        "java",
                                        "javascript",
                                        "jl",
                                        "js",
                                        "json",
                                        "jsx",
                                        "julia",
                                        "kotlin",
                                        "kt",
                                        "latex",
                                        "less",
                                        "lisp",
                                        "lua",
                                        "make",
                                        "makefile",
                                        "markdown",
                                        "matlab",
                                        "md",
                                        "nginx",
                                        "nim",
                                        "nix",
                                        "objc",
                                        "objectivec",
                                        "ocaml",
                                        "pascal",
                                        "perl",
                                        "php",
                                        "pgsql",
                                        "powershell",
                                        "prolog",
                                        "protobuf",
                                        "ps1",
                                        "puppet",
                                        "py",
                                        "pycon",
                                        "python",
                                        "python2",
                                        "python3",
                                        "r",
                                        "rb",
                                        "rs",
                                        "rst",
                                        "ruby",
                                        "rust",
                                        "sass",
                                        "scala",
                                        "scheme",
                                        "scss",
                                        "sh",
                                        "shell",
                                        "sql",
                                        "swift",
                                        "tcl",
                                        "terraform",
                                        "tex",
                                        "toml",
                                        "ts",
                                        "tsx",
                                        "typescript",
                                        "vb",
                                        "vbnet",
                                        "verilog",
                                        "vhdl",
                                        "vim",
                                        "wasm",
                                        "xml",
                                        "yaml",
                                        "yml",
                                        "zig",
                                        "zsh",
                                        NULL};
    for (const char *const *known = names; *known; known++)
        if (wn_str_eq_nocase(name, wn_str_of(*known)))
            return true;
    return false;
}

/*
 * Whether only known languages count after the start of a class: "code-block" and "src-wrapper" are
 * none. Sphinx puts "highlight-NAME notranslate" on what it highlights, by the name of any language.
 */
static bool is_weak_start(const char *start, wn_str rest)
{
    bool is_sphinx = wn_str_eq(wn_page_next_word(&rest), WN_STR("notranslate"));
    return (strcmp(start, "highlight-") == 0 && !is_sphinx) || strcmp(start, "code-") == 0 ||
           strcmp(start, "src-") == 0 || strcmp(start, "hl-") == 0;
}

/* What a class like "language-c" tells, before the classes in `rest`; "" if it tells nothing. */
static wn_str language_in_word(wn_str word, wn_str rest)
{
    static const char *const starts[] = {"language-",
                                         "lang-",
                                         "highlight-source-",
                                         "highlight-text-",
                                         "highlight-",
                                         "brush:",
                                         "lang:",
                                         "code-",
                                         "src-",
                                         "hl-"}; /* of notebooks */
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (wn_str_starts_nocase(word, wn_str_of(starts[i]))) {
            wn_str name = wn_str_from_offset(word, strlen(starts[i]));
            while (name.len > 0 && name.ptr[name.len - 1] == ';')
                name.len--;
            return is_weak_start(starts[i], rest) && !is_known_language(name) ? WN_STR("") : name;
        }
    return WN_STR("");
}

/* Languages that stand alone beside a class of a program: "hljs rust", "sourceCode c", "src src-c". */
static bool is_companion(wn_str word)
{
    static const char *const words[] = {"hljs",   "sourceCode", "prettyprint",
                                        "brush:", "highlight",  "syntaxhighlighter",
                                        "brush",  "src",        NULL};
    for (const char *const *known = words; *known; known++)
        if (wn_str_eq(word, wn_str_of(*known)))
            return true;
    return false;
}

static wn_str language_of_classes(const wn_node *node)
{
    enum { MOST_CLASSES = 32 }; /* four elements are asked for each block of code */
    wn_str rest = wn_page_classes(node), word;
    bool companion = false;
    for (int i = 0; i < MOST_CLASSES && (word = wn_page_next_word(&rest)).len > 0; i++) {
        companion |= is_companion(word);
        wn_str name = language_in_word(word, rest);
        if (is_language(name))
            return name;
    }
    rest = companion ? wn_page_classes(node) : WN_STR("");
    for (int i = 0; i < MOST_CLASSES && (word = wn_page_next_word(&rest)).len > 0; i++) {
        while (word.len > 0 && word.ptr[word.len - 1] == ';')
            word.len--;
        if (is_known_language(word))
            return word;
    }
    return WN_STR("");
}

static wn_str language_of_attributes(const wn_node *node)
{
    static const char *const names[] = {
        "data-lang",          "data-language",         "data-enlighter-language",
        "data-code-language", "data-snippet-language", NULL};
    wn_str brush = wn_page_attr_named(node, WN_STR("data-syntaxhighlighter-params"));
    if (wn_str_starts(brush, WN_STR("brush:"))) {
        brush = wn_str_trim(wn_str_from_offset(brush, strlen("brush:")));
        size_t end = wn_str_find(brush, WN_STR(";"));
        brush.len = end < brush.len ? end : brush.len;
        if (is_language(brush))
            return brush;
    }
    for (const char *const *name = names; *name; name++) {
        wn_str value = wn_str_trim(wn_page_attr_named(node, wn_str_of(*name)));
        if (is_language(value))
            return value;
    }
    return WN_STR("");
}

static wn_str language_of(const wn_node *node)
{
    if (node->kind != WN_KIND_ELEMENT || node->len == 0)
        return WN_STR("");
    wn_str name = language_of_classes(node);
    if (name.len == 0)
        name = language_of_attributes(node);
    /*
     * <pre lang="go"> is how WordPress plugins and cmark say it; elsewhere it is the readers'
     * language.
     */
    if (name.len == 0 && (wn_node_is(node, WN_TAG_PRE) || wn_node_is(node, WN_TAG_CODE))) {
        name = wn_str_trim(wn_node_attr_value(node, WN_ATTR_LANG));
        if (!is_known_language(name))
            name = WN_STR("");
    }
    return name;
}

/* The extension of a gist's file: "file-mill-py-LC1" is Python. */
static wn_str language_of_gist(const wn_doc *doc, wn_node_id id)
{
    const wn_node *node = wn_doc_node(doc, id);
    for (int i = 0; i < 6 && id; i++, id = node->parent) {
        node = wn_doc_node(doc, id);
        if (wn_node_is(node, WN_TAG_ARTICLE))
            break; /* Markdown that is shown as a text, whose code may be of any language */
        wn_str label = node->kind == WN_KIND_ELEMENT ? wn_node_attr_value(node, WN_ATTR_ID)
                                                     : WN_STR("");
        size_t dash = label.len;
        while (dash > 0 && label.ptr[dash - 1] != '-')
            dash--;
        wn_str extension = wn_str_from_offset(label, dash);
        if (wn_str_starts(label, WN_STR("file-")) && is_known_language(extension))
            return extension;
    }
    return WN_STR("");
}

wn_str wn_page_code_language(const wn_doc *doc, wn_node_id id)
{
    enum { MOST_STEPS = 4 }; /* up: the element itself, and those programs put around it */
    const wn_node *node = wn_doc_node(doc, id);
    const wn_node *child = wn_doc_node(doc, node->first_child);
    if (child->kind == WN_KIND_TEXT && wn_str_trim(wn_node_text(child)).len == 0)
        child = wn_doc_node(doc, child->next);
    wn_str name = language_of(node);
    if (name.len == 0)
        name = language_of(child);
    for (int i = 1; name.len == 0 && i < MOST_STEPS && node->parent; i++) {
        node = wn_doc_node(doc, node->parent);
        if (wn_node_is(node, WN_TAG_BODY) || wn_node_is(node, WN_TAG_ARTICLE))
            break;
        name = language_of(node);
    }
    return name.len > 0 ? name : language_of_gist(doc, id);
}
