"""Attacks on styles and layout, and on what is seen of a page."""

from attack import attack, repeated

EIFCE = "extract -m eifce -f jsonl {page}"


def styled(sheet, body):
    return f"<style>{sheet}</style>{body}"


# ---- Style sheets ----------------------------------------------------------------------------------

repeated("css parse", EIFCE, 50_000,
         open_blocks=("<style>", "a{"), open_parentheses=("<style>", "("), open_brackets=("<style>", "["), css_comments=("<style>", "/*"),
         css_escapes=("<style>", "\\66 "), media_in_media=("<style>", "@media all{"), supports=("<style>", "@supports (a:b){"),
         imports=("<style>", "@import url(x);"), unknown_rules=("<style>", "@x;"), long_selector=("<style>", "a "),
         selector_list=("<style>", "a,", "b{color:red}"), nots=("<style>", ":not("), is_in_is=("<style>", ":is("),
         pseudo_classes=("<style>", ":hover"), declarations=("<style>a{", "color:red;", "}</style><a>x"),
         calc_in_calc=("<style>a{width:", "calc(", "1px"), sums=("<style>a{width:calc(1px", " + 1px", ")}</style><a>x"),
         strings=('<style>a{content:"', "\\", '"}'), colors=("<style>", "a{color:rgb(1,2,3)}"), urls=("<style>", "a{background:url(x)}"),
         variables=("<style>a{", "--a:var(--b);", "}"), layers=("<style>", "@layer a{"), keyframes=("<style>", "@keyframes a{0%{"),
         style_elements="<style>a{color:red}</style>", fonts=("<style>a{font:", "1px a,"), nesting=("<style>", "a{&"),
         grid_template=("<style>a{grid-template-columns:", "[a] 1px "), areas=("<style>a{grid-template-areas:", '"a b" '),
         repeats=("<style>a{grid-template-columns:", "repeat("), an_plus_b=("<style>", ":nth-child(2n+1)"))


@attack("css parse", EIFCE, 50_000)
def variables_that_double(n):
    """Each has two of the one before: a few lines would make more text than there is memory."""
    lines = "".join(f"--v{i}:var(--v{i - 1}) var(--v{i - 1});" for i in range(1, n // 36))
    return styled(f"p{{--v0:x;{lines}font-family:var(--v{n // 36 - 1})}}", "<p>x</p>" * 50)


@attack("css parse", EIFCE, 50_000)
def variables_in_a_chain(n):
    lines = "".join(f"--v{i}:var(--v{i - 1});" for i in range(1, n // 24))
    return styled(f"p{{--v0:x;{lines}}}", "<p>x</p>" * 100)


@attack("css parse", EIFCE, 50_000)
def variables_inherited(n):
    """Each element adds its own to those of its parent."""
    return "".join(f"<div style='--v{i}:x'>" for i in range(n // 24)) + "x"


# ---- Matching --------------------------------------------------------------------------------------

MANY = "<p class=a>x</p>"
repeated("css match", EIFCE, 25_000,
         siblings=("<style>p~p~p~p~p~p{color:red}</style>", MANY), neighbours=("<style>p+p+p+p+p{color:red}</style>", MANY),
         descendants=("<style>div div div div div p{color:red}</style>" + "<div>" * 300, MANY),
         descendants_that_fail=("<style>b div div div div p{color:red}</style>" + "<div>" * 300, MANY),
         last_children=("<style>:nth-last-child(3n+1){color:red}</style>", MANY),
         of_types=("<style>:nth-last-of-type(3n+1){color:red}</style>", "<p>x</p><b>y</b>"),
         has=("<style>div:has(b){color:red}</style>", "<div><p>x"), empty=("<style>:empty{color:red}</style>", "<p></p>"),
         any_after_any=("<style>*~*{color:red}</style>", MANY), only_children=("<style>:only-of-type{color:red}</style>", MANY),
         not_lists=("<style>:not(a,b,c,d,e,f,g,h){color:red}</style>", MANY),
         nth_of_among_comments=("<style>:nth-child(2 of p){color:red}</style>", "<p></p><!---->"))


def rules(n, make):
    return "".join(make(i) for i in range(n))


for name, make in {
        "universal_rules": lambda i: f"*{{color:#{i % 1000:03}}}", "class_rules": lambda i: f".a{{width:{i}px}}",
        "attribute_rules": lambda i: f"[class=a]{{width:{i}px}}", "descendant_rules": lambda i: f"div .a{{width:{i}px}}",
        "sibling_rules": lambda i: f"p~.a{{width:{i}px}}", "nth_rules": lambda i: f"p:nth-child({i}n){{width:{i}px}}",
        "last_rules": lambda i: f"p:nth-last-child({i}n){{width:{i}px}}", "not_rules": lambda i: f":not(.b{i}){{width:{i}px}}",
        "is_rules": lambda i: f":is(.a,.b{i}) {{width:{i}px}}", "variable_rules": lambda i: f".a{{--v{i}:x}}",
        "important_rules": lambda i: f"p{{width:{i}px!important}}", "before_rules": lambda i: f'p::before{{content:"{i}"}}'}.items():
    attack("css cascade", EIFCE, 20_000)(
        type("", (), {"__call__": lambda self, n, make=make: styled(rules(n // 40, make), MANY * (n // 40)), "__name__": name})())


@attack("css match", EIFCE, 200_000)
def words_of_long_attributes(n):
    sheet = "".join(f"[a~=w{i}]{{color:red}}" for i in range(n // 60))
    return styled(sheet, "".join(f'<p a="{"v " * (n // 60)}{i}">x</p>' for i in range(20)))


@attack("css match", EIFCE, 200_000)
def parts_of_long_attributes(n):
    sheet = "".join(f"[a*=w{i}w]{{color:red}}" for i in range(n // 60))
    return styled(sheet, "".join(f'<p a="{"wv" * (n // 60)}{i}">x</p>' for i in range(20)))


@attack("css match", EIFCE, 50_000)
def classes_of_one_element(n):
    return styled("".join(f".c{i}{{width:{i}px}}" for i in range(n // 30)),
                  f"<p class='{' '.join(f'c{i}' for i in range(n // 30))}'>x</p>" * 4)


@attack("css cascade", EIFCE, 50_000)
def one_style_per_element(n):
    return "".join(f"<p style=width:{i}px>x</p>" for i in range(n // 25))


@attack("css cascade", EIFCE, 50_000)
def long_inline_styles(n):
    return f"<p style='{'color:red;' * 200}'>x</p>" * (n // 2020)


# ---- Generated content -----------------------------------------------------------------------------


@attack("generated", EIFCE, 50_000)
def long_generated_text(n):
    half = n // 2
    return styled(f'p::before{{content:"{"long " * (half // 5)}"}}', "<p>x</p>" * (half // 8))


@attack("generated", EIFCE, 50_000)
def generated_attributes(n):
    """A text that is copied for each element, as an attribute comes after it."""
    half = n // 2
    return styled(f'p::after{{content:"{"long " * (half // 5)}" attr(a)}}', "<p a=b>x</p>" * (half // 12))


@attack("generated", EIFCE, 50_000)
def attribute_many_times(n):
    return styled(f"p::before{{content:{'attr(a) ' * (n // 40)}}}", f"<p a='{'x' * (n // 40)}'>y</p>" * 20)


repeated("generated", EIFCE, 25_000,
         before_and_after=('<style>*::before,*::after{content:"x"}</style>', "<b></b>"),
         generated_blocks=('<style>*::before{content:"x";display:block}</style>', "<p>y"),
         markers=("<style>p{display:list-item}</style>", "<p>y</p>"), counters=('<ol start=999999999>', "<li>x"),
         roman=('<ol type=i start=3999>', "<li>x"), quotes=("<style>q::before{content:open-quote}</style>", "<q>x"))


# ---- Layout ----------------------------------------------------------------------------------------

DISPLAYS = {"block": "block", "inline": "inline", "float": "block;float:left", "flex": "flex", "grid": "grid",
            "table": "table", "absolute": "block;position:absolute", "inline_block": "inline-block", "inline_flex": "inline-flex",
            "inline_table": "inline-table", "columns": "block;column-count:3", "wrap": "flex;flex-wrap:wrap",
            "relative": "block;position:relative;left:1px", "fixed": "block;position:fixed", "list": "list-item",
            "cells": "table-cell", "column_flex": "flex;flex-direction:column", "shrink": "block;width:fit-content",
            "float_right": "block;float:right;width:50%", "clear": "block;clear:both", "sticky": "block;position:sticky"}

for name, display in DISPLAYS.items():
    stage = "layout " + ("float" if "float" in name else name if name in ("inline", "flex", "grid", "table", "absolute") else "block")
    sheet = f"<style>div,i{{display:{display}}}</style>"
    repeated(stage, EIFCE, 16_000,
             **{f"{name}_deep": (sheet, "<div>"), f"{name}_flat": (sheet, "<div>x</div>"), f"{name}_of_inlines": (sheet, "<i>x y</i> "),
                f"{name}_deep_with_text": (sheet, "<div>x<i>y</i>")})

repeated("layout inline", EIFCE, 50_000,
         long_word=("<p>", "x"), many_words=("<p>", "x "), line_of_bold=("<p>", "<b>x</b>"), deep_bold=("<p>", "<b>x<s>y"),
         breaks=("<p>", "x<br>"), thai_without_spaces=("<p>", "\u0e20\u0e32\u0e29\u0e32\u0e44\u0e17\u0e22"), chinese_text=("<p>", "\u4e2d\u6587"),
         preformatted=("<pre>", "x\ty\n"), no_wrapping=("<p style=white-space:nowrap>", "x "), sizes=("<p>", "<big>x"),
         sub_and_super=("<p>", "x<sub>y<sup>z"), pictures=("<p>", "<img width=10 height=10>"), narrow=("<p style=width:1px>", "x y "),
         justified=("<p style=text-align:justify>", "x y "), tiny_font=("<p style=font-size:0.01px>", "x "), rtl=("<p dir=rtl>", "\u05d0 a "))
repeated("layout float", EIFCE, 16_000,
         floats_and_words=("<style>b{float:left;width:10px}</style><p>", "<b>x</b> word "),
         floats_of_growing_height=("<style>b{float:left;width:1%;height:999px}</style>", "<b>x</b>"),
         floats_left_and_right=("<style>b{float:left}i{float:right}</style>", "<b>x</b><i>y</i>"),
         floats_that_do_not_fit=("<style>b{float:left;width:99%}i{float:right;width:99%}</style>", "<b>x</b><i>y</i>"),
         lines_beside_floats=("<style>b{float:left;height:100000px;width:1px}</style>" + "<b></b>" * 500, "<p>word"),
         cleared_floats=("<style>b{float:left}</style>", "<b>x</b><p style=clear:left>y</p>"),
         roots_beside_floats=("<style>b{float:left;height:9px}div{overflow:hidden}</style>", "<b>x</b><div>y</div>"))
repeated("layout table", EIFCE, 16_000,
         table_rows=("<table>", "<tr><td>x"), table_cells=("<table><tr>", "<td>x"), span_of_rows=("<table>", "<tr><td rowspan=65534>x<td>y"),
         span_of_columns=("<table>", "<tr><td colspan=1000>x"), table_in_table="<table><tr><td>x", percent_cells=("<table>", "<tr><td width=99%>x"),
         spanning_crosses=("<table>", "<tr><td rowspan=9 colspan=9>x"), fixed_table=("<table style=table-layout:fixed>", "<tr><td>x<td>y"),
         wide_cells="<table><td colspan=1000>x</table>", cells_without_table=("<style>b{display:table-cell}</style>", "<b>x</b>y"),
         spans_over_many_columns=("<table><tr>" + "<td>" * 1000, "<tr><td colspan=999>x"),
         spans_over_many_rows=("<table>", "<tr><td rowspan=1000>x"),
         rows_below_many_columns=("<table><tr>" + "<td>" * 4000, "<tr>"),
         column_groups=("<table>", "<colgroup span=1000>"), captions_of_tables=("<table>", "<caption>x</caption>"))


@attack("layout table", EIFCE, 16_000)
def large_square_table(n):
    side = int((n / 9) ** 0.5)
    return "<table>" + ("<tr>" + "<td>x" * side) * side


@attack("layout table", EIFCE, 16_000)
def different_spans(n):
    return "<table>" + "".join(f"<tr><td colspan={i % 999 + 1}>x<td rowspan={i % 99 + 1}>y" for i in range(n // 40))


FLEX = "<style>body{display:flex;flex-wrap:wrap}p{flex:1 1 10px}"
repeated("layout flex", EIFCE, 16_000,
         flex_items=(FLEX + "</style>", "<p>x</p>"), flex_with_limits=(FLEX + "p{max-width:11px;min-width:9px}</style>", "<p>x</p>"),
         flex_in_one_line=("<style>body{display:flex}p{flex:1}</style>", "<p>x</p>"),
         flex_in_flex=("<style>div{display:flex;flex:1}</style>", "<div><p>x</p>"),
         flex_columns=("<style>body{display:flex;flex-flow:column wrap;height:99px}</style>", "<p>x</p>"),
         flex_in_column_in_flex=("<style>div{display:flex}p{display:flex;flex-direction:column}</style>", "<div><p>x"),
         flex_stretch=("<style>div{display:flex;align-items:stretch;height:100%}</style>", "<div>x"),
         flex_baseline=("<style>div{display:flex;align-items:baseline}</style>", "<div>x<b>y</b></div>"),
         flex_auto_margins=("<style>body{display:flex}p{margin:auto}</style>", "<p>x</p>"))


@attack("layout flex", EIFCE, 16_000)
def items_that_freeze_one_by_one(n):
    """Each round of sizes freezes one item: as many rounds as there are items, if nothing ends it."""
    return styled("body{display:flex;width:100000px}p{flex:1 1 0}",
                  "".join(f"<p style=max-width:{i / 100}px>x</p>" for i in range(n // 32)))


@attack("layout flex", EIFCE, 16_000)
def items_that_shrink_one_by_one(n):
    return styled("body{display:flex;width:10px}p{flex:0 1 auto}",
                  "".join(f"<p style='width:{i + 10}px;min-width:{i}px'>x</p>" for i in range(n // 46)))


@attack("layout flex", EIFCE, 16_000)
def order_of_items(n):
    return styled("body{display:flex}", "".join(f"<p style=order:{(n - i) % 7919}>x</p>" for i in range(n // 26)))


repeated("layout grid", EIFCE, 16_000,
         grids_with_far_rows=("<style>div{display:grid}p{grid-row:9999}</style>", "<div><p>x</p></div>"),
         grids_with_many_tracks=("<style>div{display:grid;grid-template-rows:repeat(1000,1px)}</style>", "<div>x</div>"),
         large_spans_in_a_grid=("<style>body{display:grid}p{grid-column:span 1000;grid-row:span 1000}</style>", "<p>x</p>"),
         long_rows_in_a_grid=("<style>body{display:grid}p{grid-row:1/20000}</style>", "<p>x</p>"),
         dense_grid=("<style>body{display:grid;grid-auto-flow:dense;grid-template-columns:repeat(9,1fr)}</style>", "<p>x</p>"),
         many_full_grids=("<style>div{display:grid;grid-auto-flow:dense}p{grid-area:1/1/1000/1000}</style>", "<div><p>x</p><b>y</b></div>"),
         grid_of_auto_columns=("<style>body{display:grid;grid-auto-flow:column}</style>", "<p>x</p>"),
         grid_auto_fill=("<style>div{display:grid;grid-template-columns:repeat(auto-fill,1px)}</style>", "<div>x</div>"),
         grid_minmax=("<style>body{display:grid;grid-template-columns:repeat(9,minmax(1px,1fr))}</style>", "<p>x</p>"),
         grid_in_grid=("<style>div{display:grid;grid-template-columns:1fr 1fr}</style>", "<div><p>x</p>"),
         spans_of_two=("<style>body{display:grid;grid-template-columns:repeat(50,auto)}p{grid-column:span 2}</style>", "<p>x</p>"),
         named_lines=("<style>body{display:grid;grid-template-columns:[a] 1px [a] 1px}p{grid-column:a 999}</style>", "<p>x</p>"))

repeated("layout absolute", EIFCE, 16_000,
         absolute_corners=("<style>p{position:absolute;top:0;left:0;right:0;bottom:0}</style>", "<p>x</p>"),
         absolute_in_relative=("<style>div{position:relative}p{position:absolute}</style>", "<div><p>x"),
         percent_heights=("<style>*{height:100%}</style>", "<div>"), stacking=("<style>p{position:relative;z-index:1}</style>", "<p>x</p>"),
         large_offsets=("<style>p{position:absolute;left:99999999999px}</style>", "<p>x</p>"))

repeated("layout block", EIFCE, 16_000,
         margins=("<style>p{margin:9px 0 -9px}</style>", "<p>"), huge_sizes=("<style>p{width:9e30px;height:9e30px}</style>", "<p>x</p>"),
         min_content=("<style>div{width:min-content}</style>", "<div>x y"), max_content=("<style>div{width:max-content}</style>", "<div>x y"),
         aspect=("<style>div{aspect-ratio:1/9;width:50%}</style>", "<div>"), contents=("<style>div{display:contents}</style>", "<div>x"),
         multi_columns=("<style>div{column-width:9px}</style>", "<div><p>x</p>"),
         tall_columns=("<style>div{columns:1000}p{height:99999px}</style>", "<div><p>x</p></div>"), borders=("<style>*{border:1px solid}</style>", "<p>"),
         blocks_in_inlines="<b><div>x</div></b>", vertical=("<style>div{writing-mode:vertical-rl}</style>", "<div>x"),
         fieldsets="<fieldset><legend>x</legend>", details_closed="<details><summary>x</summary>", replaced="<video width=9></video><canvas></canvas>")


@attack("layout block", EIFCE.replace("-f", "--max-memory 200M -f"), 250_000)
def limited_memory(n):
    """What is laid out with --max-memory takes no more than that."""
    return "".join(f"<p style=width:{i}px><b>x</b><i>y</i>" for i in range(n // 34))


# ---- Visual blocks ---------------------------------------------------------------------------------

for command in ("segment -f json --text", "segment -f html", "segment -f svg", "segment -a vips -f json", "segment -a vips --pdoc 10 -f json"):
    short = command.replace(" ", "_").replace("-", "")
    repeated("segment", f"{command} {{page}}", 10_000,
             **{f"{short}_flat": "<div><p>a b</p></div>", f"{short}_deep": "<div><p>a</p>", f"{short}_colors": "<div style=background:red>x</div><hr>",
                f"{short}_lines": "<p>a b</p><hr>", f"{short}_sizes": "<p style=font-size:9px>a<p style=font-size:19px>b"})
