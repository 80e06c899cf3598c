#!/usr/bin/env python3
"""Writes the API reference of a public header as Markdown.

    tools/gen_api.py include/winnow.h > api.md

The headers are manuals already: sections, a comment above each declaration, examples inside the comments. This
script keeps their order and words. It adds a heading and an anchor for every function and type, and links from
each mention to the declaration. `make docs` puts the result into the site.
"""

import re
import sys
from pathlib import Path

SECTION = re.compile(r"/\* -+ (.*?) -+ \*/$")
DECLARED = re.compile(
    r"(?:^|\s|\*)(winnow_\w+)\("  # a function
    r"|^typedef (?:struct|enum) \w+ (winnow_\w+);"  # an opaque handle
    r"|^typedef (?:struct|enum) (winnow_\w+) \{"
    r"|^#define (WINNOW_\w+)",
    re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
API = "WINNOW_API "


def chunks(text):
    """The header as a list of (comment, code): code may be empty; a comment that no code follows stands alone."""
    found, comment, code = [], [], []

    def finish():
        if comment or code:
            found.append(("\n".join(comment), "\n".join(code)))
        comment.clear()
        code.clear()

    in_comment = False
    for line in text.split("\n"):
        if in_comment or (line.startswith("/*") and not code):
            in_comment = "*/" not in line
            if line.startswith("/*") and comment:
                finish()
            comment.append(line)
        elif line.strip() or code_is_open(code):
            code.append(line)
        else:
            finish()
    finish()
    return found


def code_is_open(code):
    """A blank line inside braces belongs to the declaration."""
    return "\n".join(code).count("{") > "\n".join(code).count("}")


def prose_of(comment):
    """The comment without its frame: lines of text."""
    text = re.sub(r"^/\*+ ?|\s*\*/$", "", comment)
    lines = [re.sub(r"^ \* ?", "", line) for line in text.split("\n")]
    return "\n".join(lines).strip("\n")


def escape(text):
    return re.sub(r"([<*_])", r"\\\1", text)


def link_names(text, known):
    """Mentions of declared names become links; backticks stay code; everything else is escaped."""
    parts = re.split(r"(`[^`]*`|winnow_\w+(?:\(\))?|WINNOW_\w+)", text)
    out = []
    for part in parts:
        name = part.removesuffix("()")
        if part.startswith("`"):
            out.append(part)
        elif name in known:
            out.append(f"[`{part}`](#{known[name]})")
        elif re.fullmatch(r"(winnow|WINNOW)_\w+(\(\))?", part):
            out.append(f"`{part}`")
        else:
            out.append(escape(part))
    return "".join(out)


def markdown_of(comment, known):
    """Paragraphs and lists as they are; lines that are indented by four become code."""
    out, code = [], []
    for line in [*prose_of(comment).split("\n"), "\0"]:
        if line.startswith("    ") or (code and not line.strip()):
            code.append(line[4:])
            continue
        if code:
            while code and not code[-1].strip():
                code.pop()
            language = "c" if any(c.endswith((";", "{")) or ");" in c for c in code) else "text"
            out += ["", f"```{language}", *code, "```", ""]
            code = []
        out.append(link_names(line, known))
    return "\n".join(out[:-1]).strip("\n")


def split_header(text):
    """The comment at the top, and everything between the first section and the end of the declarations."""
    intro = COMMENT.search(text)[0]
    first = re.search(r"^/\* ---- ", text, re.MULTILINE).start()
    return intro, text[first:text.rindex("#ifdef __cplusplus")]


def declared_in(code):
    names = [next(filter(None, match)) for match in DECLARED.findall(COMMENT.sub("", code))]
    return list(dict.fromkeys(names))


def without_api(code):
    """The declarations without their visibility macro, the lines that continue them still aligned."""
    out, moved = [], False
    for line in code.split("\n"):
        if line.startswith(API):
            line, moved = line[len(API):], True
        elif moved and line.startswith(" " * len(API)):
            line = line[len(API):]
        else:
            moved = False
        out.append(line)
    return "\n".join(out)


def constants_in(code):
    return re.findall(r"^    (WINNOW_\w+)[, =]", code, re.MULTILINE)


def heading_of(names, code):
    if not declared_in(code):  # an enum without a name
        return f"`{names[0].rsplit('_', 1)[0]}_…`"
    shown = [f"`{name}()`" if re.search(rf"\b{name}\(", code) else f"`{name}`" for name in names]
    return ", ".join(shown) if len(shown) <= 3 else ", ".join(shown[:3]) + ", …"


def reference(text):
    """The Markdown of a header."""
    intro, declarations = split_header(text)
    parts = [(intro, ""), *chunks(declarations)]
    known = {}
    for _, code in parts:
        names = declared_in(code)
        for name in [*names, *constants_in(code)]:
            known.setdefault(name, names[0] if names else name)
        if not names:
            known.update({name: constants_in(code)[0] for name in constants_in(code)})

    out = []
    for comment, code in parts:
        if found := SECTION.match(comment):
            out.append(f"## {found[1]}")
            if not code:
                continue
            comment = ""
        names = declared_in(code) or constants_in(code)[:1]
        if code and not names:
            code = ""
        if names:
            out.append(f"### {heading_of(names, code)} {{ #{names[0]} }}")
        if comment:
            out.append(markdown_of(comment, known))
        if code:
            out.append("```c\n" + without_api(code) + "\n```")
    return "\n\n".join(part for part in out if part.strip()) + "\n"


def main():
    if len(sys.argv) != 2:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    path = Path(sys.argv[1])
    print(f"# {path.name}\n\n{reference(path.read_text(encoding='utf-8'))}", end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
