/*
 * A formula is read once from left to right. Braces, which nest, are kept on a stack: each says
 * what is written where it closes. A brace whose stack is full closes nothing.
 *
 *     \frac{A}{B}   A/B        the parts in parentheses if they have more than one term
 *     \sqrt[n]{A}   √[n](A)
 *     A^{B} A_{B}   A^B, A_(B)
 */
#include "page/tex.h"

#include "base/utf8.h"

/* ---- Symbols ----------------------------------------------------------------------------- */

typedef struct symbol {
    const char *name;
    const char *text;
    bool spaced; /* an operator between two others */
} symbol;

static const symbol symbols[] = {
    {"alpha", "α", false},
    {"beta", "β", false},
    {"gamma", "γ", false},
    {"delta", "δ", false},
    {"epsilon", "ϵ", false},
    {"varepsilon", "ε", false},
    {"zeta", "ζ", false},
    {"eta", "η", false},
    {"theta", "θ", false},
    {"vartheta", "ϑ", false},
    {"iota", "ι", false},
    {"kappa", "κ", false},
    {"lambda", "λ", false},
    {"mu", "μ", false},
    {"nu", "ν", false},
    {"xi", "ξ", false},
    {"pi", "π", false},
    {"rho", "ρ", false},
    {"varrho", "ϱ", false},
    {"sigma", "σ", false},
    {"varsigma", "ς", false},
    {"tau", "τ", false},
    {"upsilon", "υ", false},
    {"phi", "ϕ", false},
    {"varphi", "φ", false},
    {"chi", "χ", false},
    {"psi", "ψ", false},
    {"omega", "ω", false},
    {"Gamma", "Γ", false},
    {"Delta", "Δ", false},
    {"Theta", "Θ", false},
    {"Lambda", "Λ", false},
    {"Xi", "Ξ", false},
    {"Pi", "Π", false},
    {"Sigma", "Σ", false},
    {"Upsilon", "Υ", false},
    {"Phi", "Φ", false},
    {"Psi", "Ψ", false},
    {"Omega", "Ω", false},
    {"hbar", "ℏ", false},
    {"ell", "ℓ", false},
    {"Re", "ℜ", false},
    {"Im", "ℑ", false},
    {"aleph", "ℵ", false},
    {"partial", "∂", false},
    {"nabla", "∇", false},
    {"infty", "∞", false},
    {"emptyset", "∅", false},
    {"varnothing", "∅", false},
    {"forall", "∀", false},
    {"exists", "∃", false},
    {"nexists", "∄", false},
    {"neg", "¬", false},
    {"lnot", "¬", false},
    {"angle", "∠", false},
    {"degree", "°", false},
    {"prime", "′", false},
    {"dagger", "†", false},
    {"sum", "∑", false},
    {"prod", "∏", false},
    {"coprod", "∐", false},
    {"int", "∫", false},
    {"iint", "∬", false},
    {"iiint", "∭", false},
    {"oint", "∮", false},
    {"bigcup", "⋃", false},
    {"bigcap", "⋂", false},
    {"bigoplus", "⨁", false},
    {"bigotimes", "⨂", false},
    {"bigvee", "⋁", false},
    {"bigwedge", "⋀", false},
    {"ldots", "…", false},
    {"dots", "…", false},
    {"cdots", "⋯", false},
    {"vdots", "⋮", false},
    {"ddots", "⋱", false},
    {"langle", "⟨", false},
    {"rangle", "⟩", false},
    {"lfloor", "⌊", false},
    {"rfloor", "⌋", false},
    {"lceil", "⌈", false},
    {"rceil", "⌉", false},
    {"lVert", "‖", false},
    {"rVert", "‖", false},
    {"Vert", "‖", false},
    {"|", "‖", false},
    {"lvert", "|", false},
    {"rvert", "|", false},
    {"vert", "|", false},
    {"mid", "|", true},
    {"lbrace", "{", false},
    {"rbrace", "}", false},
    {"backslash", "\\", false},
    {"pm", "±", true},
    {"mp", "∓", true},
    {"atop", "over", true},
    {"times", "×", true},
    {"div", "÷", true},
    {"cdot", "·", true},
    {"ast", "∗", true},
    {"star", "⋆", true},
    {"circ", "∘", true},
    {"bullet", "•", true},
    {"oplus", "⊕", true},
    {"ominus", "⊖", true},
    {"otimes", "⊗", true},
    {"odot", "⊙", true},
    {"wedge", "∧", true},
    {"land", "∧", true},
    {"vee", "∨", true},
    {"lor", "∨", true},
    {"cap", "∩", true},
    {"cup", "∪", true},
    {"setminus", "∖", true},
    {"le", "≤", true},
    {"leq", "≤", true},
    {"leqslant", "≤", true},
    {"ge", "≥", true},
    {"geq", "≥", true},
    {"geqslant", "≥", true},
    {"ne", "≠", true},
    {"neq", "≠", true},
    {"equiv", "≡", true},
    {"approx", "≈", true},
    {"sim", "∼", true},
    {"simeq", "≃", true},
    {"cong", "≅", true},
    {"propto", "∝", true},
    {"ll", "≪", true},
    {"gg", "≫", true},
    {"in", "∈", true},
    {"notin", "∉", true},
    {"ni", "∋", true},
    {"subset", "⊂", true},
    {"subseteq", "⊆", true},
    {"supset", "⊃", true},
    {"supseteq", "⊇", true},
    {"perp", "⊥", true},
    {"parallel", "∥", true},
    {"vdash", "⊢", true},
    {"models", "⊨", true},
    {"to", "→", true},
    {"rightarrow", "→", true},
    {"longrightarrow", "⟶", true},
    {"leftarrow", "←", true},
    {"gets", "←", true},
    {"leftrightarrow", "↔", true},
    {"Rightarrow", "⇒", true},
    {"implies", "⟹", true},
    {"Longrightarrow", "⟹", true},
    {"Leftarrow", "⇐", true},
    {"Leftrightarrow", "⇔", true},
    {"iff", "⟺", true},
    {"mapsto", "↦", true},
    {"uparrow", "↑", true},
    {"downarrow", "↓", true},
    {"hookrightarrow", "↪", true},
};

const char *wn_page_tex_command(uint32_t character)
{
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        const char *p = symbols[i].text;
        if ((unsigned char)*p >= 0x80 && wn_utf8_next(&p) == character && *p == '\0')
            return symbols[i].name;
    }
    return NULL;
}

static const symbol *find_symbol(wn_str name)
{
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        if (wn_str_eq(name, wn_str_of(symbols[i].name)))
            return &symbols[i];
    return NULL;
}

static bool is_one_of(wn_str name, const char *const *names)
{
    for (; *names; names++)
        if (wn_str_eq(name, wn_str_of(*names)))
            return true;
    return false;
}

/* ---- Reading ----------------------------------------------------------------------------- */

enum {
    DEEPEST = 64,   /* braces that are told apart */
    LONG_PART = 24, /* bytes; a longer part of a fraction has more than one term, most likely */
};

typedef struct reader {
    wn_buf *out;
    const char *at, *end;
    const char *closing[DEEPEST]; /* what is written where each open brace closes */
    bool is_index[DEEPEST];       /* a short power or index */
    bool to_denominator[DEEPEST]; /* the next group is the lower part of a fraction */
    int depth;
    const char *next_open, *next_close; /* around the next group; NULL: as it is */
    bool next_is_part;                  /* of a fraction, a root, an index */
    bool next_is_numerator;
    bool after_name;  /* of a function: what follows is apart from it */
    bool after_index; /* of a power or index: a letter that follows is apart from it */
    size_t start;     /* of the formula in `out` */
} reader;

static char last_written(const reader *r)
{
    return r->out->len > r->start && !r->out->failed ? r->out->ptr[r->out->len - 1] : ' ';
}

static void add_space(reader *r)
{
    if (last_written(r) != ' ' && last_written(r) != '(')
        wn_buf_add_char(r->out, ' ');
}

/*
 * Whether the group at `p`, after its brace, has more than one term, so that it needs parentheses.
 */
static bool is_compound(const char *p, const char *end)
{
    const char *start = p;
    int terms = 0, depth = 0;
    bool in_number = false;
    for (; p < end && (*p != '}' || depth > 0); p++) {
        if (p - start > LONG_PART)
            return true;
        bool digit = wn_is_ascii_digit(*p) || *p == '.';
        depth += *p == '{' ? 1 : *p == '}' ? -1 : 0;
        if (strchr("+-=<>,/ ^_&", *p) && (*p != '-' || p > start))
            return true;
        if (*p == '\\') {
            while (p + 1 < end && wn_is_ascii_alpha(p[1]))
                p++;
            terms++;
        } else if (!strchr("{}-", *p)) {
            terms += digit ? !in_number : ((unsigned char)*p & 0xC0) != 0x80;
        }
        in_number = digit;
    }
    return terms > 1;
}

/* Letters of an index belong together: a_ij; a number and a letter do as well. */
static bool is_simple_index(const char *p, const char *end)
{
    const char *start = p;
    while (p < end && p - start <= LONG_PART && (wn_is_ascii_alnum(*p) || *p == ','))
        p++;
    return p < end && *p == '}' && p > start;
}

static void open_group(reader *r)
{
    bool is_index = r->next_open && *r->next_open == '^';
    const char *inside = r->at + 1;
    bool compound = r->next_is_part &&
                    (is_index ? !is_simple_index(inside, r->end) : is_compound(inside, r->end));
    if (r->depth < DEEPEST) {
        r->closing[r->depth] = r->next_close ? r->next_close : compound ? ")" : "";
        r->to_denominator[r->depth] = r->next_is_numerator;
        r->is_index[r->depth] = is_index && !compound;
    }
    if (compound && !r->next_close)
        wn_buf_add_char(r->out, '(');
    r->depth++;
    r->next_open = r->next_close = NULL;
    r->next_is_part = r->next_is_numerator = false;
    r->at++;
}

static void close_group(reader *r)
{
    r->at++;
    r->after_name = false;
    if (r->depth == 0)
        return;
    r->depth--;
    if (r->depth >= DEEPEST)
        return;
    wn_buf_add_literal(r->out, r->closing[r->depth]);
    r->after_index = r->is_index[r->depth];
    if (r->to_denominator[r->depth]) {
        wn_buf_add_char(r->out, '/');
        r->next_is_part = true;
    }
}

/* Skips "{name}" after a command like \begin; the environment's name is not read. */
static void skip_argument(reader *r)
{
    const char *p = r->at;
    while (p < r->end && *p == ' ')
        p++;
    if (p == r->end || *p != '{')
        return;
    while (p < r->end && *p != '}')
        p++;
    r->at = p < r->end ? p + 1 : p;
}

/* The parts of \frac ab are single characters. */
static void add_short_fraction(reader *r)
{
    for (int i = 0; i < 2; i++) {
        while (r->at < r->end && *r->at == ' ')
            r->at++;
        if (r->at == r->end || *r->at == '{' || *r->at == '\\')
            return;
        wn_buf_add_char(r->out, *r->at++);
        wn_buf_add_literal(r->out, i == 0 ? "/" : "");
    }
}

static void start_fraction(reader *r)
{
    while (r->at < r->end && *r->at == ' ')
        r->at++;
    if (r->at < r->end && *r->at == '{')
        r->next_is_part = r->next_is_numerator = true;
    else
        add_short_fraction(r);
}

static void start_root(reader *r)
{
    wn_buf_add_literal(r->out, "√");
    if (r->at < r->end && *r->at == '[')
        while (r->at < r->end && r->at[-1] != ']')
            wn_buf_add_char(r->out, *r->at++);
    r->next_is_part = true;
}

static const char *const spaces[] = {"quad", "qquad",   ",",  ";",  ":",       "!",
                                     " ",    "enspace", "\\", "cr", "newline", NULL};

static void add_command(reader *r, wn_str name)
{
    static const char *const fractions[] = {"frac", "dfrac", "tfrac", "cfrac", NULL};
    static const char *const skipped[] = {"begin",  "end",   "label",   "tag", "hspace",
                                          "vspace", "color", "phantom", NULL};
    static const char *const ignored[] = {
        "left",        "right",        "displaystyle", "textstyle",
        "scriptstyle", "limits",       "nolimits",     "mathrm",
        "mathbf",      "mathit",       "mathsf",       "mathcal",
        "mathbb",      "mathfrak",     "mathscr",      "boldsymbol",
        "bm",          "text",         "textrm",       "textbf",
        "textit",      "operatorname", "big",          "Big",
        "bigg",        "Bigg",         "bigl",         "bigr",
        "Bigl",        "Bigr",         "middle",       "mathop",
        "mathord",     "mathrel",      "mathbin",      "mathopen",
        "mathclose",   "mathstrut",    "nonumber",     "notag",
        "hline",       "hat",          "widehat",      "bar",
        "overline",    "vec",          "tilde",        "widetilde",
        "dot",         "ddot",         "underline",    "overbrace",
        "underbrace",  "boxed",        "pmod",         "scriptscriptstyle",
        NULL};
    const symbol *found = find_symbol(name);
    if (is_one_of(name, fractions)) {
        start_fraction(r);
    } else if (wn_str_eq(name, WN_STR("sqrt"))) {
        start_root(r);
    } else if (is_one_of(name, skipped)) {
        skip_argument(r);
    } else if (is_one_of(name, spaces)) {
        add_space(r);
    } else if (found) {
        if (found->spaced || (r->after_name && wn_is_ascii_alpha(last_written(r))))
            add_space(r);
        wn_buf_add_literal(r->out, found->text);
        if (found->spaced)
            add_space(r);
    } else if (!is_one_of(name, ignored)) {
        wn_buf_add(r->out, name); /* \sin, \log, \{ */
        r->after_name = name.len > 1;
        if (name.len > 1 && r->at < r->end && wn_is_ascii_alnum(*r->at))
            add_space(r);
    }
}

/* The name of a command, after its backslash: letters, or one other character. */
static wn_str name_of_command(const char *name, const char *stop)
{
    const char *end = name;
    while (end < stop && wn_is_ascii_alpha(*end))
        end++;
    if (end == name && end < stop) {
        end++;
        while (end < stop && (*end & 0xC0) == 0x80)
            end++;
    }
    return wn_str_between(name, end);
}

static void read_command(reader *r)
{
    wn_str command = name_of_command(r->at + 1, r->end);
    const char *end = command.ptr + command.len;
    bool is_word = command.len > 0 && wn_is_ascii_alpha(command.ptr[0]);
    r->at = end;
    while (is_word && r->at < r->end && (*r->at == ' ' || *r->at == '\n'))
        r->at++;
    add_command(r, command);
    /* "\sin x": the space ended the command, and words are apart. */
    bool parted = is_word && r->at > end && wn_is_ascii_alpha(last_written(r)) && r->at < r->end &&
                  wn_is_ascii_alnum(*r->at);
    if (parted)
        add_space(r);
}

static void read_character(reader *r)
{
    char c = *r->at;
    bool was_index = r->after_index;
    r->after_index = false;
    if (c == '^' || c == '_') {
        wn_buf_add_char(r->out, c);
        r->next_open = "^";
        r->next_is_part = true;
        r->at++;
    } else if (c == '~' || wn_is_space(c) || c == '&') {
        add_space(r);
        r->at++;
    } else {
        if (was_index && wn_is_ascii_alnum(c) && wn_is_ascii_alnum(last_written(r)))
            add_space(r);
        r->next_open = NULL;
        r->next_is_part = r->after_name = false;
        wn_buf_add_char(r->out, c);
        r->at++;
    }
}

void wn_page_tex_to_text(wn_buf *out, wn_str tex)
{
    tex = wn_page_tex_bare(tex);
    reader r = {.out = out, .at = tex.ptr, .end = tex.ptr + tex.len, .start = out->len};
    while (r.at < r.end) {
        if (*r.at == '\\')
            read_command(&r);
        else if (*r.at == '{')
            open_group(&r);
        else if (*r.at == '}')
            close_group(&r);
        else
            read_character(&r);
    }
    while (out->len > r.start && !out->failed && out->ptr[out->len - 1] == ' ')
        out->len--;
}

/* ---- Bare formulas ----------------------------------------------------------------------- */

/* Takes `start` and `end` off both ends, if both are there. */
static bool unwrap(wn_str *tex, wn_str start, wn_str end)
{
    if (tex->len < start.len + end.len || !wn_str_starts(*tex, start) ||
        memcmp(tex->ptr + tex->len - end.len, end.ptr, end.len) != 0)
        return false;
    *tex = wn_str_trim(wn_str_from(tex->ptr + start.len, tex->len - start.len - end.len));
    return true;
}

/* Whether the brace at the start of the formula is the one that closes at its end. */
static bool is_one_group(wn_str tex)
{
    int depth = 0;
    for (size_t i = 0; i < tex.len; i++) {
        if (tex.ptr[i] == '\\')
            i++;
        else if (tex.ptr[i] == '{')
            depth++;
        else if (tex.ptr[i] == '}' && --depth == 0)
            return i + 1 == tex.len;
    }
    return false;
}

wn_str wn_page_tex_bare(wn_str tex)
{
    static const struct {
        wn_str start, end;
    } wraps[] = {
        {{"$$", 2}, {"$$", 2}},
        {{"$", 1}, {"$", 1}},
        {{"\\(", 2}, {"\\)", 2}},
        {{"\\[", 2}, {"\\]", 2}},
    };
    tex = wn_str_trim(tex);
    for (size_t i = 0; i < sizeof wraps / sizeof *wraps; i++)
        if (unwrap(&tex, wraps[i].start, wraps[i].end))
            break;
    if (wn_str_starts(tex, WN_STR("{\\")) && is_one_group(tex))
        (void)(unwrap(&tex, WN_STR("{\\displaystyle"), WN_STR("}")) ||
               unwrap(&tex, WN_STR("{\\textstyle"), WN_STR("}")));
    if (wn_str_starts(tex, WN_STR("\\displaystyle")) &&
        (tex.len == 13 || !wn_is_ascii_alpha(tex.ptr[13])))
        tex = wn_str_trim(wn_str_from_offset(tex, 13));
    return tex;
}

static bool is_only_space(wn_str tex)
{
    const char *at = tex.ptr, *end = at + tex.len;
    while (at < end) {
        wn_str command = *at == '\\' ? name_of_command(at + 1, end) : WN_STR("");
        if (command.len > 0 ? !is_one_of(command, spaces) : *at != '~' && !wn_is_space(*at))
            return false;
        at = command.len > 0 ? command.ptr + command.len : at + 1;
    }
    return true;
}

wn_str wn_page_tex_visible(wn_str tex)
{
    while (tex.len > 0 && (wn_is_space(tex.ptr[tex.len - 1]) || tex.ptr[tex.len - 1] == '\\'))
        tex.len--;
    return is_only_space(tex) ? WN_STR("") : tex;
}
