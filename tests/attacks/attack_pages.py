"""Attacks on how a page is read, judged and written: from its bytes to the bytes of the result."""

from attack import ATTACKS, attack, repeated

# ---- Decoding --------------------------------------------------------------------------------------

repeated("decoding", "extract -m all --charset utf-8 {page}", 50_000,
         nul_bytes="\0", carriage_returns="\r", line_ends="\r\n",
         bytes_that_are_not_utf8=b"\xff", cut_sequences=b"\xf0\x9f\x98", overlong=b"\xc0\x80")
repeated("decoding", "extract -m all --charset utf-16le {page}", 50_000,
         lone_surrogates=b"\x00\xd8", byte_order_marks=b"\xff\xfe")
repeated("decoding", "extract -m all --charset iso-2022-jp {page}", 50_000,
         escapes_of_iso_2022_jp=b"\x1b$B", half_escapes=b"\x1b$")
repeated("decoding", "extract -m all --charset gb18030 {page}", 50_000,
         four_bytes_of_gb18030=b"\x81\x30\x81\x30", far_gb18030=b"\xfe\x39\xfe\x39", cut_gb18030=b"\x81\x30")
repeated("decoding", "extract -m all --charset shift_jis {page}", 50_000, lead_bytes_of_shift_jis=b"\x81")
repeated("decoding", "extract -m all --charset big5 {page}", 50_000, pairs_of_big5=b"\x88\x62")
repeated("decoding", "extract -m all --charset euc-jp {page}", 50_000, three_bytes_of_euc_jp=b"\x8f\xa2\xaf")
repeated("decoding", "extract -m all --charset windows-1252 {page}", 50_000, long_windows_1252=b"\x80")
repeated("decoding", "extract -m all {page}", 50_000,
         undeclared_encoding=b"\xe4\xf6\xfc \xa4\xb5\xc4\xe3 ", meta_charsets="<meta charset=utf-16>",
         open_comments_before_meta="<!--", unknown_charsets="<meta charset=x>")


# ---- Tokenizer -------------------------------------------------------------------------------------

repeated("tokenizer", "extract -m all {page}", 50_000,
         less_than="<", open_tags="<a", end_tag_opens="</", markup_declarations="<!", comment_opens="<!--",
         comments="<!---->", bang_comments="<!--!>", processing_instructions="<?", doctypes="<!DOCTYPE ",
         long_doctype=('<!DOCTYPE html PUBLIC "', "x"), cdata_in_svg=("<svg>", "<![CDATA["),
         cdata_ends=("<svg><![CDATA[", "]]"), ampersands="&", numeric_references="&#", large_references="&#x110000;",
         zeros_of_references=("&#", "0"), digits_of_references=("&#x", "f"), prefixes_of_names="&notit;",
         unknown_names="&aaaaaaaaaaaaaa", longest_name="&CounterClockwiseContourIntegral",
         long_tag_name=("<", "x"), capitals=("<", "X"), long_attribute_name=("<p ", "x"),
         equals_signs=("<p ", "="), open_value=("<p a='", "x"), references_in_value=("<p a='", "&lt"),
         slashes_in_tag=("<p ", "/"), spaces_in_tag=("<p", " "), dashes_in_comment=("<!--", "-"),
         title_that_does_not_end=("<title>", "</titl"), textarea_that_does_not_end=("<textarea>", "</textarea"),
         script_in_comment=("<script>", "<!--<script>"), script_ends=("<script>", "</script "),
         plaintext=("<plaintext>", "</plaintext>"))


@attack("tokenizer", "extract -m all {page}", 50_000)
def attributes_of_one_element(n):
    return "<p " + " ".join(f"a{i}" for i in range(n // 7)) + ">x"


@attack("tokenizer", "extract -m all --max-attributes 0 {page}", 50_000)
def unlimited_attributes(n):
    return "<p " + " ".join(f"a{i}=b" for i in range(n // 9)) + ">x"


@attack("tokenizer", "extract -m all --max-attributes 0 {page}", 50_000)
def attributes_given_twice(n):
    return ("<p " + " ".join(f"a{i % 500}" for i in range(n // 6)) + ">x")


# ---- Tree ------------------------------------------------------------------------------------------

repeated("tree", "extract -m all {page}", 50_000,
         deep_divs="<div>", open_bold="<b>", bold_paragraphs="<b><p>", links_in_links="<a href=x>",
         misnested="<b><i><p></b></i>", adoption_in_tables="<a><table><a>", foster_parents="<table>x<tr>y<td>",
         tables_in_tables="<table><tr><td>", text_before_rows=("<table>", "x<b>"), end_tags_of_p="</p>",
         end_tags_of_nothing="</b>", end_tags_of_br="</br>", list_items="<li>", terms="<dt><dd>", options="<option>",
         selects="<select><option>", headings="<h1><h2>", buttons="<button>", unbroken="<nobr>", forms="<form>",
         templates="<template>", open_templates="<template><tr>", foreign="<svg><g>", formulas="<math><mi>",
         foreign_and_back="<svg><foreignObject><p>", out_of_foreign="<svg><p>", framesets="<frameset>",
         bodies="<body a=b>", ruby="<ruby><rb><rt><rp>", columns="<table><colgroup><col>",
         captions="<table><caption>", marquees="<marquee><b>", objects_and_bold="<object><b></object>",
         end_tags_below_depth=("<span>" * 600, "</i>"), ends_of_deep_lists=("<ul><li>" * 300, "<li>"),
         formatting_after_blocks=("<b><i><u><s><tt>" * 20, "</p><p>x"), breaks_out_of_tables="<table><p></table>",
         head_and_body="<head><body>", scripts="<script></script>", form_ends="<form></form></form>")


@attack("tree", "extract -m all {page}", 50_000)
def different_formatting(n):
    """Formatting elements that the Noah's Ark clause does not join, opened again in each paragraph."""
    return "".join(f"<b id={i}>" for i in range(n // 20)) + "<p>x" * (n // 8)


@attack("tree", "extract -m all {page}", 50_000)
def attributes_for_the_body(n):
    return "".join(f"<body a{i}=b>" for i in range(n // 14)) + "x"


@attack("tree", "extract -m all --max-depth 0 {page}", 20_000)
def unlimited_depth(n):
    return "<div>" * (n // 10) + "x" + "</div>" * (n // 12)


@attack("tree", "extract -m all --max-depth 0 {page}", 20_000)
def adoption_at_unlimited_depth(n):
    return "<b><p>" * (n // 12) + "</b>" * (n // 8)


# ---- Page ------------------------------------------------------------------------------------------

repeated("page", "extract -m all -f jsonl --links --images --formatting {page}", 50_000,
         spaces=("<p>a", " "), lines="<br>", line_chances="a<wbr>", soft_hyphens="a\u00ad", zero_widths="\u200b",
         nested_lists=("<body>", "<ul><li>x"), nested_quotes="<blockquote>x", lines_of_code=("<pre>", "x\n"),
         tabs_of_code=("<pre>", "\t"), cells=("<table><tr>", "<td>x"), rows=("<table>", "<tr><td>x"),
         long_rows=("<table>", "<tr><td rowspan=65534>x"), wide_rows=("<table>", "<tr><td colspan=1000>x"),
         many_tables="<table><tr><td>x<td>y<tr><td>z</table>", many_links="<a href=x>y</a> ", many_images="<img src=x alt=y>",
         images_with_sets='<img srcset="a 1x,b 2x,c 3x">', hidden="<p hidden>x<p style=display:none>y",
         inline_styles="<p style='display:none;visibility:hidden'>x", details="<details><summary>x</summary>y",
         figures="<figure><img src=x><figcaption>y", controls="<input value=x><textarea>y</textarea>",
         frames="<iframe srcdoc='<p>x'></iframe>", noscripts="<noscript><p>x</noscript>",
         permalinks="<h2 id=x><a href=#x>#</a>y</h2>", bold_in_bold="<b>x<b>y</b></b>",
         combining=("<p>a", "\u0301"), right_to_left="<bdo dir=rtl>\u05d0</bdo>",
         gaps_between_words="<b>a</b><i>b</i>")


# What each of them takes shows on a large page only.
repeated("page", "extract -m all -f md {page}", 1_750_000, tables_without_cells="<table>")


@attack("page", "extract -m all -f jsonl --links --url https://example.org/ {page}", 40_000)
def links_from_a_long_base(n):
    """Each address is as long as the base: the product of the two."""
    return f"<base href='https://example.org/{'a/' * (n // 4)}'>" + "<a href=x>y</a>" * (n // 30)


@attack("page", "extract -m auto -f jsonl --links {page}", 40_000)
def long_link_around_paragraphs(n):
    """The parser copies the link into each of them. Found by the performance fuzzer."""
    return f"<a href=http://example.org/{'x' * (n // 2)}>" + "<p>some words here, and more." * (n // 56)


@attack("page", "extract -m all -f md --links {page}", 40_000)
def links_from_the_longest_base(n):
    return f"<base href='https://example.org/{'a/' * 2000}'>" + "<a href=x>y</a>" * (n // 15)


@attack("page", "extract -m all -f md --images --url https://example.org/ {page}", 40_000)
def images_from_a_long_base(n):
    return f"<base href='https://example.org/{'a/' * (n // 4)}'>" + "<img src=x alt=y>" * (n // 34)


@attack("page", "extract -m all -f jsonl --links --url https://example.org/ {page}", 50_000)
def dots_in_addresses(n):
    return f"<a href='{'a/../' * (n // 20)}'>x</a>" * 4


for name, tag, child in (("code", "div", "<pre>a</pre>"), ("lines_of_code", "pre", "<p>x"), ("formulas", "div", "<span class=katex>x</span>"),
                         ("tables", "div", "<table><tr><td>x<td>y</table>"), ("lines", "div", "x<br><br>"),
                         ("images", "div", "<img src=a.png>x ")):
    @attack("page", "extract -m auto -f jsonl --links --images {page} && extract -m all -f md --images {page}", 50_000)
    def long_classes_around(n, tag=tag, child=child):
        """What asks about the element around it reads all its names. Found by the performance fuzzer, too."""
        return f"<{tag} class='{'x ' * (n // 8)}' id='file-{'a' * (n // 4)}'>" + child * (n // 2 // len(child))
    ATTACKS[-1].name += f"_{name}"


for name, target in (("spaces", " "), ("letters", "x")):
    @attack("page", "extract -m auto -f jsonl --links {page} && extract -m all -f md --links {page}", 100_000)
    def long_address_around_marks(n, target=target):
        """Whether a link is the mark of a note, or a sign beside a heading, is asked for each block in it."""
        return f"<sup><a href='{target * (n // 2)}x'>" + "1<p>" * (n // 10)
    ATTACKS[-1].name += f"_{name}"


@attack("page", "extract -m auto -f jsonl {page}", 50_000)
def embedded_state(n):
    return ('<script id=__NEXT_DATA__ type=application/json>{"a":' + '{"text":"<p>long text of a page here","b":' * (n // 50)
            + "1" + "}" * (n // 50) + "}</script>")


# ---- Metadata --------------------------------------------------------------------------------------

LD = "<script type='application/ld+json'>"
repeated("metadata", "extract -m auto -f jsonl {page}", 50_000,
         open_arrays_of_json_ld=(LD, "["), open_objects_of_json_ld=(LD, '{"a":'),
         closed_arrays_of_json_ld=(LD, "[],"), graph=(LD + '{"@graph":[', '{"@type":"Article"},', "1]}</script>"),
         authors_of_json_ld=(LD + '{"@type":"Article","author":[', '{"name":"Ann"},', "1]}</script>"),
         same_keys_of_json_ld=(LD + '{"@type":"Article"', ',"headline":"x"', "}</script>"),
         escapes_of_json_ld=(LD + '{"@type":"Article","headline":"', "\\u00e4", '"}</script>'),
         scripts_of_json_ld=LD + '{"@type":"Article","headline":"x"}</script>',
         broken_json_ld=LD + '{"@type":', authors='<meta name=author content="Ann Bee">',
         long_author=('<meta name=author content="', "Ann Bee, and ", '">'),
         keywords=('<meta name=keywords content="', "a,", '">'), tags="<meta property=article:tag content=x>",
         dates="<meta name=date content=2024-05-03>", long_date=('<meta name=date content="', "2024-", '">'),
         times="<time datetime=2024-05-03>x</time>", written_dates=("<p class=date>", "3 May "),
         separators=("<title>", "a | ", "</title>"), headings_like_the_title=("<title>a b c</title>", "<h1>a b c</h1>"),
         bylines="<p class=byline>By Ann Bee</p>", by_by_by=("<p class=byline>", "by "), authors_by_link="<a rel=author>Ann</a>",
         properties="<p itemprop=author itemscope><b itemprop=name>Ann</b>", nested_items="<div itemscope itemprop=author>",
         licenses="<a rel=license href=https://creativecommons.org/licenses/by/4.0/>x</a>",
         breadcrumbs="<nav class=breadcrumb><a href=x>a</a></nav>", canonicals="<link rel=canonical href=https://a.org/x>",
         descriptions="<meta name=description content='x y z'>", languages="<p lang=en>x",
         site_names="<meta property=og:site_name content=x>", copyright="<footer>\u00a9 2024 x</footer>")


@attack("metadata", "extract -m auto -f jsonl {page}", 50_000)
def title_and_many_headings(n):
    """Long headings that are compared with a long title."""
    return f"<title>{'word ' * (n // 10)}</title>" + f"<h1>{'word ' * 200}x</h1>" * (n // 2000)


@attack("metadata", "extract -m auto -f jsonl {page}", 50_000)
def different_authors(n):
    return "".join(f"<meta name=author content='Ann B{i}'>" for i in range(n // 36))


@attack("metadata", "extract -m auto -f jsonl {page}", 50_000)
def different_tags(n):
    return "".join(f"<meta property=article:tag content=t{i}>" for i in range(n // 42))


@attack("metadata", "extract -m auto -f jsonl {page}", 50_000)
def references_of_json_ld(n):
    """Each author is an id that is looked for in the graph."""
    k = n // 70
    return (LD + '{"@graph":[' + "".join(f'{{"@id":"#{i}","@type":"Person","name":"N{i}"}},' for i in range(k)) +
            '{"@type":"Article","author":[' + ",".join(f'{{"@id":"#{i}"}}' for i in range(k)) + "]}]}</script>")


# ---- Auto ------------------------------------------------------------------------------------------

SENTENCE = "A sentence of a few words, with a comma. "
repeated("auto", "extract -m auto -f jsonl {page}", 50_000,
         paragraphs=f"<p>{SENTENCE}</p>", short_paragraphs="<p>x</p>", words_alone="word ", letters_alone="x",
         linked_paragraphs=f"<p><a href=x>{SENTENCE}</a></p>", cards="<div class=card><h2>a</h2><a href=x>b</a></div>",
         comments_of_readers=f"<div class=comment id=c><p>{SENTENCE}</p></div>",
         posts=f"<div class=post><b>Ann</b><time>3 May 2024</time><p>{SENTENCE}</p></div>",
         chinese="<p>\u4e2d\u6587\u7684\u53e5\u5b50\u3002</p>", thai="<p>\u0e20\u0e32\u0e29\u0e32\u0e44\u0e17\u0e22</p>",
         deep_paragraphs=f"<div><p>{SENTENCE}", full_stops=("<p>", ". "), quotation_marks=("<p>", '"'),
         digits=("<p>", "1 "), emoji=("<p>", "\U0001f600"), menus="<ul class=menu><li><a href=x>y</a></ul>",
         articles=f"<article><p>{SENTENCE}</article>", mains=f"<main><p>{SENTENCE}</main>")


@attack("auto", "extract -m auto -f jsonl {page}", 50_000)
def long_class_names(n):
    return "".join(f"<p class='{'menu-main ' * 50}c{i}'>{SENTENCE}" for i in range(n // 560))


@attack("auto", "extract -m auto -f jsonl {page}", 50_000)
def one_class_each(n):
    return "".join(f"<div class=c{i} id=d{i}><p>{SENTENCE}</div>" for i in range(n // 80))


@attack("auto", "extract -m auto:lean=recall -f jsonl {page}", 50_000)
def groups_in_groups(n):
    return "<div class=a><div class=b><p>x</div>" * (n // 39)


@attack("auto", "extract -m auto --site -f jsonl {folder}/pages", 50_000)
def pages_of_one_site(n):
    return {f"pages/{i}.html": f"<p>line {i}</p>" + "<p>The same line on all pages.</p>" * 20 for i in range(n // 700)}


# ---- The other methods -----------------------------------------------------------------------------

for method in ("lineblock", "lineblock:rule=all,thresholds=sigma,distance=9", "bte", "bte:search=improved", "bte:search=original",
               "xpath", "xpath:ar=2", "fe", "kfe", "eifce", "eifce:importance=size-distance", "all"):
    short = method.replace(":", "_").replace("=", "_").replace(",", "_").replace("-", "_")
    repeated(method.split(":")[0], f"extract -m {method} -f jsonl {{page}}", 25_000,
             **{f"{short}_tags": "<b>x</b>", f"{short}_lines": f"<p>{SENTENCE}</p>\n", f"{short}_links": "<li><a href=x>y z</a>\n",
                f"{short}_nested": "<div><p>a b c</p><ul><li>d</ul>"})
    if "improved" in method or "original" in method:
        for one in ATTACKS[-4:]:
            one.bounded = True


@attack("lineblock", "extract -m lineblock --explain {page}", 50_000)
def nul_in_plaintext(n):
    """Decoded text is three times as long as its source."""
    return "<title>a b</title><plaintext>x" + "\0" * n


@attack("lineblock", "extract -m lineblock --explain {page}", 50_000)
def long_references(n):
    """The same by references that are replaced by more bytes than they have."""
    return "<title>a b</title><p>" + "&nGt;" * (n // 5)


@attack("lineblock", "extract -m lineblock {page}", 50_000)
def words_of_a_long_title(n):
    title = " ".join(f"word{i}" for i in range(n // 20))
    return f"<title>{title}</title>" + "".join(f"<p>word{i} and others\n" for i in range(n // 44))


@attack("outlier", "extract -m outlier -f jsonl {folder}/pages", 50_000)
def pages_with_words_of_their_own(n):
    return {f"pages/{i}.html": "<p>" + " ".join(f"w{i}x{k}" for k in range(80)) for i in range(n // 640)}


# ---- Writers ---------------------------------------------------------------------------------------

for form in ("txt", "md", "json", "html", "xml", "tei", "csv"):
    repeated(f"write {form}", f"extract -m all -f {form} --links --formatting --images {{page}}", 40_000,
             **{f"{form}_escapes": ("<p>", "&lt;&amp;&quot;*_[]`\\#|"), f"{form}_control": ("<p>", "&#1;&#27;\u202e\u009b"),
                f"{form}_bold": "<b><i>x</i></b><code>y</code> ", f"{form}_cells": ("<table><tr><th>a<th>b", "<tr><td>x|y<td>z"),
                f"{form}_lists": "<ul><li>x<ol><li>y</ol></ul>", f"{form}_code": "<pre>```\n~~~ `x`\n</pre>"})

repeated("write md", "extract -m all -f md {page}", 25_000,
         colons=("<p>", ":"), addresses_in_one_word=("<p>", "https://"), backticks=("<p><code>", "` "), stars=("<p>", "*"),
         underscores=("<p>", "a_"), brackets=("<p>", "["), images_marks=("<p>", "!["), angles=("<p>", "&lt;a"), dashes=("<p>", "- "),
         numbers_with_dots=("<p>", "1. "), references_as_text=("<p>", "&amp;amp;"), tildes=("<p>", "~~"), pipes=("<p>", "|"),
         at_signs=("<p>", "a@b.c "), www=("<p>", "www."), addresses_with_references=("<p>", ",https://&amp;amp;"),
         addresses_in_a_cell=("<table><tr><th>a<th>b<tr><td>c<td>", ",http://|", "</table>"))
repeated("write md", "extract -m all -f md --formatting --links {page}", 25_000,
         bold_around_bold="<b>x<b>y</b>z</b>", bold_without_end="<b><i>x ", bold_in_words="a<b>b</b>c<i>d</i>",
         empty_bold="<b></b><i> </i>", links_with_brackets="<a href='(((x'>[[</a>", code_in_bold="<b><code>`</code></b>")


@attack("write md", "extract -m all -f md {page}", 25_000)
def wide_table(n):
    return "<table><tr>" + "<th>x" * (n // 10) + "<tr>" + "<td>y" * (n // 10) + "</table>"


@attack("write md", "extract -m all -f md {page}", 25_000)
def one_long_cell_and_many_rows(n):
    """Columns that are padded to the longest cell would cost the product."""
    return f"<table><tr><th>a<th>b<tr><td>{'x' * (n // 2)}<td>y" + "<tr><td>x<td>y" * (n // 28) + "</table>"


@attack("write md", "extract -m all -f md {page}", 25_000)
def ragged_table(n):
    """One wide row; the others would have to be filled up."""
    return "<table><tr>" + "<th>x" * (n // 10) + "<tr><td>y" * (n // 18) + "</table>"


for form in ("html", "xml", "tei", "csv", "json"):
    attack(f"write {form}", f"extract -m all -f {form} {{page}}", 25_000)(ragged_table)


# ---- Structure: up to 100,000 of each in each other ---------------------------------------------------

for form in ("md", "html", "tei", "txt", "json --with-blocks"):
    name = form.split()[0]
    command = f"extract -m all --max-depth 0 -f {form} --links --formatting --images {{page}}"
    repeated(f"write {name}", command, 100_000,
             **{f"{name}_nested_emphasis": ("<p>", "<b><i>x"), f"{name}_nested_links": ("<p>", "<a href=x>y"),
                f"{name}_nested_spans": ("<p>", "<sub>x"), f"{name}_nested_formulas": ("<p><math>", "<mrow>", "<mi>x"),
                f"{name}_nested_fractions": ("<p><math>", "<mfrac><mi>x</mi>"),
                f"{name}_spanned_cells": ("<table>", "<tr>" + "<td rowspan=65534 colspan=9>x" * 20),
                f"{name}_nested_notes": ("<p>", "<span class=sidenote>x"),
                f"{name}_headings_in_cells": ("<table><tr><th>a<th>b", "<tr><td>x<td><h2>y</h2>z")})

    @attack(f"write {name}", command, 25_000)
    def abbreviation_around_paragraphs(n):
        """What it is short for is told by each of them."""
        return f"<abbr title='{'x' * (n // 2)}'>" + "<p>x" * (n // 8)

    @attack(f"write {name}", command, 50_000)
    def classes_of_all_around(n):
        """Whether an element is a box is asked by all that is deep in it."""
        return f"<div class='{'c ' * (n // 2000)}'>" * 500 + "<div><p>x</div>" * (n // 30)

    @attack(f"write {name}", command, 100_000)
    def footnotes(n):
        k = n // 90
        return ("<p>" + "".join(f"x<sup><a href=#fn{i} id=r{i}>{i}</a></sup> " for i in range(k)) + "<section class=footnotes><ol>" +
                "".join(f"<li id=fn{i}>note <a href=#r{i}>\u21a9</a>" for i in range(k)) + "</ol></section>")

    @attack(f"write {name}", command, 100_000)
    def footnotes_in_footnotes(n):
        return "<section class=footnotes>" + "".join(
            f"<div id=fn{i}>x<sup><a href=#fn{i + 1}>{i}</a></sup>" for i in range(n // 50)) + "</section>"


@attack("write json", "extract -m all -f json --explain {page}", 25_000)
def paths_of_deep_blocks(n):
    """Each path names all elements above: the depth is limited."""
    return "<div class=a>" * 500 + "<p>x</p>" * (n // 8)


@attack("write json", "extract -m all -f json --explain {page}", 400_000)
def paths_of_long_names(n):
    return f"<div id={'i' * 48} class={'c' * 48}>" * 12 + f"<p>{SENTENCE}" * (n // 44)


@attack("write json", "extract -m auto -f json --explain {page}", 25_000)
def paths_with_long_names(n):
    name = "c" * (n // 4)
    return f"<div id={name}>" + "<p>x</p>" * (n // 16)


@attack("xpath", "extract -m xpath -f json --explain --max-depth 0 {page}", 100_000)
def paths_at_unlimited_depth(n):
    """Each path asks whether it is in a template."""
    return "<div>x</div><div>" * (n // 16)
