/*
 * Elements are written with a stack of work that is left: nodes, and pieces of TeX between them.
 * Taking a node from it puts on it what the node is made of, the last part first:
 *
 *     <mfrac>A B</mfrac>    "\frac{" A "}{" B "}"
 *     <mroot>A B</mroot>    "\sqrt[" B "]{" A "}"
 *
 * so that nesting costs no calls.
 */
#include "page/mathml.h"

#include "base/utf8.h"
#include "page/attributes.h"
#include "page/tex.h"

enum { MOST_WORK = 1 << 20 }; /* parts that are left to write; what is beyond is left out */

typedef struct work {
    wn_node_id node;     /* WN_NO_NODE: a piece of TeX */
    const char *literal; /* static */
} work;

typedef struct writer {
    wn_buf *out;
    const wn_doc *doc;
    size_t start;
    wn_array(work) left;
} writer;

static void push_literal(writer *w, const char *literal)
{
    work *item = *literal && w->left.count < MOST_WORK ? wn_array_push(&w->left) : NULL;
    if (item)
        *item = (work){.literal = literal};
}

static void push_node(writer *w, wn_node_id node)
{
    work *item = node && w->left.count < MOST_WORK ? wn_array_push(&w->left) : NULL;
    if (item)
        *item = (work){.node = node};
}

static wn_str name_of(const writer *w, wn_node_id id)
{
    const wn_node *node = wn_doc_node(w->doc, id);
    return node->kind == WN_KIND_ELEMENT ? wn_node_name(node) : WN_STR("");
}

static bool is_named(const writer *w, wn_node_id id, const char *name)
{
    return wn_str_eq(name_of(w, id), wn_str_of(name));
}

/* The next element from `id` on, which is itself or one after it. */
static wn_node_id element_from(const writer *w, wn_node_id id)
{
    while (id && wn_doc_node(w->doc, id)->kind != WN_KIND_ELEMENT)
        id = wn_doc_node(w->doc, id)->next;
    return id;
}

static wn_node_id child_of(const writer *w, wn_node_id id, int index)
{
    wn_node_id child = element_from(w, wn_doc_node(w->doc, id)->first_child);
    while (child && index-- > 0)
        child = element_from(w, wn_doc_node(w->doc, child)->next);
    return child;
}

/* ---- Leaves ------------------------------------------------------------------------------ */

/* A command must not run into the letter after it. */
static void part_from_command(writer *w, char next)
{
    enum { LONGEST_COMMAND = 16 };
    const char *text = w->out->ptr;
    size_t len = w->out->len, at = len;
    if (w->out->failed || !wn_is_ascii_alpha(next))
        return;
    while (at > w->start && len - at < LONGEST_COMMAND && wn_is_ascii_alpha(text[at - 1]))
        at--;
    if (at < len && at > w->start && text[at - 1] == '\\')
        wn_buf_add_char(w->out, ' ');
}

static void add_character(writer *w, const char *p, size_t size, uint32_t c)
{
    const char *command = c >= 0x80 ? wn_page_tex_command(c) : NULL;
    if (c == 0x2061 || c == 0x2062 || c == 0x2063 || c == 0x2064) /* invisible operators */
        return;
    if (c == 0x2212) { /* minus sign */
        wn_buf_add_char(w->out, '-');
    } else if (command) {
        wn_buf_add_char(w->out, '\\');
        wn_buf_add_literal(w->out, command);
    } else {
        part_from_command(w, *p);
        if (strchr("{}%#&$_", *p) && c < 0x80 && c > 0)
            wn_buf_add_char(w->out, '\\');
        wn_buf_add(w->out, wn_str_from(p, size));
    }
}

static void add_characters(writer *w, wn_str text)
{
    const char *p = text.ptr, *end = p + text.len;
    while (p < end) {
        const char *start = p;
        uint32_t c = wn_utf8_next(&p);
        add_character(w, start, (size_t)(p - start), c);
    }
}

/*
 * The names of functions are commands: "sin" is \sin, other words of several letters are upright.
 */
static void add_identifier(writer *w, wn_str text)
{
    static const char *const functions[] = {
        "sin",    "cos",    "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "arcsin",
        "arccos", "arctan", "exp", "log", "ln",  "lim", "max",  "min",  "sup",  "inf",
        "det",    "dim",    "ker", "gcd", "arg", "deg", "Pr",   NULL};
    for (const char *const *name = functions; *name; name++)
        if (wn_str_eq(text, wn_str_of(*name))) {
            wn_buf_add_char(w->out, '\\');
            wn_buf_add(w->out, text);
            return;
        }
    bool is_word = text.len > 1;
    for (size_t i = 0; i < text.len; i++)
        is_word = is_word && wn_is_ascii_alpha(text.ptr[i]);
    if (is_word)
        wn_buf_add_literal(w->out, "\\mathrm{");
    add_characters(w, text);
    if (is_word)
        wn_buf_add_char(w->out, '}');
}

static void add_leaf(writer *w, wn_node_id id, wn_str name)
{
    wn_buf text = {0};
    wn_doc_add_text(w->doc, id, &text);
    wn_str trimmed = wn_str_trim(wn_buf_str(&text));
    if (wn_str_eq(name, WN_STR("mi"))) {
        add_identifier(w, trimmed);
    } else if (wn_str_eq(name, WN_STR("mtext")) || wn_str_eq(name, WN_STR("ms"))) {
        wn_buf_add_literal(w->out, trimmed.len > 0 ? "\\text{" : " ");
        wn_buf_add(w->out, wn_buf_str(&text)); /* with its spaces: "if " */
        wn_buf_add_literal(w->out, trimmed.len > 0 ? "}" : "");
    } else {
        add_characters(w, trimmed);
    }
    w->out->failed |= text.failed;
    wn_buf_free(&text);
}

/* ---- Elements with parts ----------------------------------------------------------------- */

/* Whether a base needs no braces: one character, or a command. */
static bool is_leaf(const writer *w, wn_node_id id)
{
    wn_str name = name_of(w, id);
    return wn_str_eq(name, WN_STR("mi")) || wn_str_eq(name, WN_STR("mn")) ||
           wn_str_eq(name, WN_STR("mo"));
}

/* Puts "base low{A} high{B}" on the stack. */
static void push_scripts(writer *w, wn_node_id base, wn_node_id low, wn_node_id high)
{
    if (high) {
        push_literal(w, "}");
        push_node(w, high);
        push_literal(w, "^{");
    }
    if (low) {
        push_literal(w, "}");
        push_node(w, low);
        push_literal(w, "_{");
    }
    bool braces = !is_leaf(w, base);
    push_literal(w, braces ? "}" : "");
    push_node(w, base);
    push_literal(w, braces ? "{" : "");
}

/* A sign over or under its base, as a command: a bar, an arrow; NULL: it is something else. */
static const char *accent_of(const writer *w, wn_node_id id, bool over)
{
    static const struct {
        const char *sign, *over, *under;
    } accents[] = {
        {"¯", "\\overline{", "\\underline{"},
        {"‾", "\\overline{", "\\underline{"},
        {"_", "\\overline{", "\\underline{"},
        {"^", "\\hat{", NULL},
        {"ˆ", "\\hat{", NULL},
        {"~", "\\tilde{", NULL},
        {"˜", "\\tilde{", NULL},
        {"→", "\\vec{", NULL},
        {"⃗", "\\vec{", NULL},
        {"˙", "\\dot{", NULL},
        {"¨", "\\ddot{", NULL},
        {"⏞", "\\overbrace{", NULL},
        {"⏟", NULL, "\\underbrace{"},
    };
    const wn_node *text = wn_doc_node(w->doc, wn_doc_node(w->doc, id)->first_child);
    if (!is_named(w, id, "mo") || text->kind != WN_KIND_TEXT)
        return NULL;
    wn_str sign = wn_str_trim(wn_node_text(text));
    for (size_t i = 0; i < sizeof accents / sizeof *accents; i++)
        if (wn_str_eq(sign, wn_str_of(accents[i].sign)))
            return over ? accents[i].over : accents[i].under;
    return NULL;
}

static void push_over_under(writer *w, wn_node_id id, bool over)
{
    wn_node_id base = child_of(w, id, 0), other = child_of(w, id, 1);
    const char *accent = other ? accent_of(w, other, over) : NULL;
    if (accent) {
        push_literal(w, "}");
        push_node(w, base);
        push_literal(w, accent);
    } else {
        push_scripts(w, base, over ? WN_NO_NODE : other, over ? other : WN_NO_NODE);
    }
}

/* All children, with a piece of TeX between two. */
static void push_children(writer *w, wn_node_id id, const char *between)
{
    wn_node_id child = wn_doc_node(w->doc, id)->last_child;
    bool is_last = true;
    for (; child; child = wn_doc_node(w->doc, child)->prev) {
        if (wn_doc_node(w->doc, child)->kind != WN_KIND_ELEMENT)
            continue;
        if (!is_last)
            push_literal(w, between);
        push_node(w, child);
        is_last = false;
    }
}

static void push_around(writer *w, wn_node_id id, const char *start, const char *between,
                        const char *end)
{
    push_literal(w, end);
    push_children(w, id, between);
    push_literal(w, start);
}

static void push_pair(writer *w, const char *start, wn_node_id first, const char *between,
                      wn_node_id second)
{
    push_literal(w, "}");
    push_node(w, second);
    push_literal(w, between);
    push_node(w, first);
    push_literal(w, start);
}

/* A fraction without its line is one number above another: the brackets of "n choose k" are around it. */
static void push_fraction(writer *w, wn_node_id id)
{
    wn_str line = wn_str_trim(wn_page_attr_named(wn_doc_node(w->doc, id), WN_STR("linethickness")));
    bool is_stack = line.len > 0 && *line.ptr == '0' && !wn_str_contains_nocase(line, WN_STR("."));
    push_pair(w, is_stack ? "{" : "\\frac{", child_of(w, id, 0), is_stack ? " \\atop " : "}{",
              child_of(w, id, 1));
}

/* <mmultiscripts>: what is after <mprescripts> comes before the base and is left to TeX. */
static void push_multiscripts(writer *w, wn_node_id id)
{
    wn_node_id low = child_of(w, id, 1), high = child_of(w, id, 2);
    bool has_low = low && !is_named(w, low, "none") && !is_named(w, low, "mprescripts");
    bool has_high = has_low && high && !is_named(w, high, "none") &&
                    !is_named(w, high, "mprescripts");
    push_scripts(w, child_of(w, id, 0), has_low ? low : WN_NO_NODE, has_high ? high : WN_NO_NODE);
}

/* Puts what the element is made of on the stack, or writes it. */
static void expand(writer *w, wn_node_id id)
{
    wn_str name = name_of(w, id);
    const wn_node *node = wn_doc_node(w->doc, id);
    if (node->kind != WN_KIND_ELEMENT || wn_str_starts(name, WN_STR("annotation")) ||
        wn_str_eq(name, WN_STR("mphantom")))
        return;
    if (is_leaf(w, id) || wn_str_eq(name, WN_STR("mtext")) || wn_str_eq(name, WN_STR("ms")))
        add_leaf(w, id, name);
    else if (wn_str_eq(name, WN_STR("mspace")))
        wn_buf_add_literal(w->out, "\\ ");
    else if (wn_str_eq(name, WN_STR("mfrac")))
        push_fraction(w, id);
    else if (wn_str_eq(name, WN_STR("msqrt")))
        push_around(w, id, "\\sqrt{", "", "}");
    else if (wn_str_eq(name, WN_STR("mroot")))
        push_pair(w, "\\sqrt[", child_of(w, id, 1), "]{", child_of(w, id, 0));
    else if (wn_str_eq(name, WN_STR("msup")))
        push_scripts(w, child_of(w, id, 0), WN_NO_NODE, child_of(w, id, 1));
    else if (wn_str_eq(name, WN_STR("msub")))
        push_scripts(w, child_of(w, id, 0), child_of(w, id, 1), WN_NO_NODE);
    else if (wn_str_eq(name, WN_STR("msubsup")) || wn_str_eq(name, WN_STR("munderover")))
        push_scripts(w, child_of(w, id, 0), child_of(w, id, 1), child_of(w, id, 2));
    else if (wn_str_eq(name, WN_STR("mover")))
        push_over_under(w, id, true);
    else if (wn_str_eq(name, WN_STR("munder")))
        push_over_under(w, id, false);
    else if (wn_str_eq(name, WN_STR("mmultiscripts")))
        push_multiscripts(w, id);
    else if (wn_str_eq(name, WN_STR("mtable")))
        push_around(w, id, "\\begin{matrix}", " \\\\ ", "\\end{matrix}");
    else if (wn_str_eq(name, WN_STR("mtr")))
        push_children(w, id, " & ");
    else if (wn_str_eq(name, WN_STR("mfenced")))
        push_around(w, id, "(", ",", ")");
    else
        push_children(w, id, "");
}

void wn_page_mathml_to_tex(wn_buf *out, const wn_doc *doc, wn_node_id math)
{
    writer w = {.out = out, .doc = doc, .start = out->len};
    push_children(&w, math, "");
    while (w.left.count > 0 && !out->failed) {
        work item = w.left.items[--w.left.count];
        if (item.literal)
            wn_buf_add_literal(out, item.literal);
        else
            expand(&w, item.node);
    }
    wn_array_free(&w.left);
}
