#!/usr/bin/env python3
"""Writes src/html/names.h and src/html/names.c: the numbers of element and attribute names.

    python3 tools/gen_names.py

Names with a number are compared as numbers everywhere. A name is found by a perfect hash over its
first and last eight bytes and its length: one multiplication, one table look-up, one comparison. The
multiplier is searched for here, from a fixed seed, so the output never changes by itself.
"""
import pathlib
import random

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Every HTML element of the standard, obsolete ones that the parser knows included, and the SVG and
# MathML elements that it treats in a special way or respells.
HTML_TAGS = """
a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink
blockquote body br button canvas caption center cite code col colgroup command data datalist dd del
details dfn dialog dir div dl dt em embed fieldset figcaption figure font footer form frame frameset
h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe image img input ins isindex kbd keygen label
legend li link listing main map mark marquee menu menuitem meta meter multicol nav nextid nobr
noembed noframes noscript object ol optgroup option output p param picture plaintext portal pre progress q
rb rp rt rtc ruby s samp script search section select selectedcontent slot small source spacer span strike strong
style sub summary sup table tbody td template textarea tfoot th thead time title tr track tt u ul
var video wbr xmp
""".split()

FOREIGN_TAGS = """
annotation-xml desc foreignObject malignmark math mglyph mi mn mo ms mtext svg
altGlyph altGlyphDef altGlyphItem animateColor animateMotion animateTransform clipPath feBlend
feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting
feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR
feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting
feSpotLight feTile feTurbulence glyphRef linearGradient radialGradient textPath
circle defs ellipse g line path polygon polyline rect stop symbol text tspan use
""".split()

# Attributes that some stage asks for, and those SVG and MathML respell.
ATTRS = """
abbr accept action align alt aria-expanded aria-hidden aria-label aria-labelledby aria-live
aria-modal async autoplay background bgcolor border cellpadding cellspacing charset checked cite
class clear code color cols colspan content controls coords data-id data-src data-href data-testid
data-toggle data-target data-type data-url datetime decoding defer dir disabled encoding face
fetchpriority for form frameborder headers height hidden href hreflang http-equiv id inert integrity itemid
itemprop itemref itemscope itemtype label lang language link list loading maxlength media method
multiple name nonce noshade nowrap onclick open placeholder popover prompt property rel required reversed role rows
rowspan scope selected shape size sizes slot span src srcdoc srcset start style summary tabindex
target text title type typeof usemap valign value version vocab width xmlns
""".split()

SVG_ATTRS = """
attributeName attributeType baseFrequency baseProfile calcMode clipPathUnits diffuseConstant
edgeMode filterUnits glyphRef gradientTransform gradientUnits kernelMatrix kernelUnitLength
keyPoints keySplines keyTimes lengthAdjust limitingConeAngle markerHeight markerUnits markerWidth
maskContentUnits maskUnits numOctaves pathLength patternContentUnits patternTransform patternUnits
pointsAtX pointsAtY pointsAtZ preserveAlpha preserveAspectRatio primitiveUnits refX refY
repeatCount repeatDur requiredExtensions requiredFeatures specularConstant specularExponent
spreadMethod startOffset stdDeviation stitchTiles surfaceScale systemLanguage tableValues targetX
targetY textLength viewBox viewTarget xChannelSelector yChannelSelector zoomAndPan
""".split()
MATHML_ATTRS = ["definitionURL"]
NAMESPACED_ATTRS = """
xlink:actuate xlink:arcrole xlink:href xlink:role xlink:show xlink:title xlink:type xml:lang
xml:space xmlns:xlink
""".split()

MASK = (1 << 64) - 1
SLOT_BITS = 11


def key(name):
    """The first eight bytes as a little-endian number; of a longer name also the last eight."""
    name = name.encode()
    first = int.from_bytes(name[:8].ljust(8, b"\0"), "little")
    return first ^ (int.from_bytes(name[-8:], "little") if len(name) > 8 else 0)


def slot(name, multiplier):
    return (((key(name) ^ len(name)) * multiplier) & MASK) >> (64 - SLOT_BITS)


def perfect_multiplier(names):
    assert len({(key(n), len(n)) for n in names}) == len(names), "two names share bytes and length"
    rng = random.Random(1)
    while True:
        multiplier = rng.getrandbits(64) | 1
        if len({slot(n, multiplier) for n in names}) == len(names) and tells_short_names(
            names, multiplier
        ):
            return multiplier


def tells_short_names(names, multiplier):
    """A short name with the key of a longer one must not be looked for in that one's slot."""
    long_names = [n for n in names if len(n) > 8]
    return all(
        ((((key(n) ^ length) * multiplier) & MASK) >> (64 - SLOT_BITS)) != slot(n, multiplier)
        for n in long_names
        for length in range(9)
    )


def identifier(name):
    return "".join(c.upper() if c.isalnum() else "_" for c in name)


def enum(prefix, names, first, type_name):
    lines = [f"typedef enum {type_name} {{", f"    {prefix}{first},"]
    lines += [f"    {prefix}{identifier(n)}," for n in names]
    lines += [f"    {prefix}COUNT", f"}} {type_name};"]
    return "\n".join(lines)


def string_table(decl, names):
    rows = "\n".join(f'    {{"{n}", {len(n)}}},' for n in names)
    return f"{decl} = {{\n    {{\"\", 0}},\n{rows}\n}};"


def key_table(decl, names):
    cells = ["0,"] + [f"0x{key(n):016x}," for n in names]
    rows = "\n".join("    " + " ".join(cells[i : i + 4]) for i in range(0, len(cells), 4))
    return f"{decl} = {{\n{rows}\n}};"


def slots(decl, names, multiplier):
    table = [0] * (1 << SLOT_BITS)
    for number, name in enumerate(names, 1):
        table[slot(name, multiplier)] = number
    cells = [f"{n}," for n in table]
    rows = "\n".join("    " + " ".join(cells[i : i + 24]) for i in range(0, len(cells), 24))
    return f"{decl} = {{\n{rows}\n}};"


def main():
    tags = HTML_TAGS + [t.lower() for t in FOREIGN_TAGS]
    svg_tags = {t.lower(): t for t in FOREIGN_TAGS}
    attrs = ATTRS + [a.lower() for a in SVG_ATTRS + MATHML_ATTRS] + NAMESPACED_ATTRS
    attrs = list(dict.fromkeys(attrs))
    svg_attrs = {a.lower(): a for a in SVG_ATTRS}
    assert len(set(tags)) == len(tags) and len(tags) < 255 and len(attrs) < 255
    tag_multiplier, attr_multiplier = perfect_multiplier(tags), perfect_multiplier(attrs)

    (ROOT / "src/html/names.h").write_text(f"""\
/*
 * The numbers of element and attribute names. Generated by tools/gen_names.py.
 */
#ifndef WN_HTML_NAMES_H
#define WN_HTML_NAMES_H

#include "base/str.h"

{enum("WN_TAG_", tags, "UNKNOWN", "wn_tag")}

{enum("WN_ATTR_", attrs, "UNKNOWN", "wn_attr_name")}

/* Names in lower case, and as SVG spells them (the same for most). */
extern const wn_str wn_tag_names[WN_TAG_COUNT];
extern const wn_str wn_svg_tag_names[WN_TAG_COUNT];
extern const wn_str wn_attr_names[WN_ATTR_COUNT];
extern const wn_str wn_svg_attr_names[WN_ATTR_COUNT];

/* Perfect hash tables: see names_lookup.h. */
#define WN_NAME_SLOT_BITS {SLOT_BITS}
#define WN_TAG_MULTIPLIER 0x{tag_multiplier:016x}u
#define WN_ATTR_MULTIPLIER 0x{attr_multiplier:016x}u
extern const uint64_t wn_tag_keys[WN_TAG_COUNT];
extern const uint64_t wn_attr_keys[WN_ATTR_COUNT];
extern const uint8_t wn_tag_slots[1 << WN_NAME_SLOT_BITS];
extern const uint8_t wn_attr_slots[1 << WN_NAME_SLOT_BITS];

#endif
""")
    (ROOT / "src/html/names.c").write_text(f"""\
/* Generated by tools/gen_names.py. */
#include "html/names.h"

/* clang-format off */
{string_table("const wn_str wn_tag_names[WN_TAG_COUNT]", tags)}

{string_table("const wn_str wn_svg_tag_names[WN_TAG_COUNT]", [svg_tags.get(t, t) for t in tags])}

{string_table("const wn_str wn_attr_names[WN_ATTR_COUNT]", attrs)}

{string_table("const wn_str wn_svg_attr_names[WN_ATTR_COUNT]", [svg_attrs.get(a, a) for a in attrs])}

{key_table("const uint64_t wn_tag_keys[WN_TAG_COUNT]", tags)}

{key_table("const uint64_t wn_attr_keys[WN_ATTR_COUNT]", attrs)}

{slots("const uint8_t wn_tag_slots[1 << WN_NAME_SLOT_BITS]", tags, tag_multiplier)}

{slots("const uint8_t wn_attr_slots[1 << WN_NAME_SLOT_BITS]", attrs, attr_multiplier)}
""")
    print(f"{len(tags)} elements, {len(attrs)} attributes")


if __name__ == "__main__":
    main()
