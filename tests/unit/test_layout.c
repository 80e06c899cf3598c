/*
 * Layout: boxes worked out by hand for each formatting context, and pages made to be slow.
 *
 * The root has no margin here unless a page says so; lengths are in pixels.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>

#include <cmocka.h>

#include "base/buf.h"
#include "support/files.h"
#include "support/laid_out.h"

/* Most processor time for a hostile page, parsing and styles included. */
enum { SECONDS = 2, MAX_MEGABYTES = 1024 };

static laid_out page;
static wn_buf source; /* of the page, which borrows it */

#define RESET "<!DOCTYPE html><style>body,p,ul{margin:0}ul{padding:0}</style>"

static void lay_out(const char *html)
{
    wn_buf_clear(&source);
    wn_buf_add_literal(&source, RESET);
    wn_buf_add_literal(&source, html);
    laid_out_run(&page, wn_buf_str(&source), true);
    assert_non_null(page.boxes);
}

static int pixels(wn_unit unit)
{
    return (unit + WN_UNIT / 2) / WN_UNIT;
}

static void assert_box(const char *id, int x, int y, int width, int height)
{
    wn_node_id node = laid_out_find(&page, id);
    assert_int_not_equal(node, WN_NO_NODE);
    const wn_box *box = &page.boxes->items[node];
    char found[96], wanted[96];
    snprintf(found, sizeof found, "%s: %d %d %d %d", id, pixels(box->x), pixels(box->y),
             pixels(box->width), pixels(box->height));
    snprintf(wanted, sizeof wanted, "%s: %d %d %d %d", id, x, y, width, height);
    assert_string_equal(found, wanted);
}

/* ---- Blocks ------------------------------------------------------------------------------ */

static void blocks_stack_up(void **state)
{
    (void)state;
    lay_out("<div id=a style='height:30px;margin:10px'></div>"
            "<div id=b style='width:50%;padding:5px;border:1px solid'>"
            "<div id=c style='width:50%;height:50px;margin-left:auto'></div></div>"
            "<div id=d style='box-sizing:border-box;width:100px;padding:20px;height:60px'></div>"
            "<div id=e style='width:100px;height:10px;margin:0 auto;max-width:60px'></div>");
    assert_box("a", 10, 10, 1346, 30);
    assert_box("b", 0, 50, 695, 62);
    assert_box("c", 348, 56, 342, 50); /* 341.5 wide */
    assert_box("d", 0, 112, 100, 60);
    assert_box("e", 653, 172, 60, 10);
}

static void margins_collapse(void **state)
{
    (void)state;
    lay_out(
        "<div id=a style='margin-bottom:20px'><div style='height:10px;margin-bottom:30px'></div></div>"
        "<div id=empty style='margin:50px 0 40px'></div>"
        "<div id=b style='margin-top:-10px;height:10px'></div>"
        "<div id=c style='overflow:hidden'><p id=d style='margin:15px 0;height:5px'></p></div>");
    assert_box("a", 0, 0, 1366, 10);
    assert_box("b", 0, 50, 1366, 10); /* 10 + 50 - 10 */
    assert_box("c", 0, 60, 1366, 35);
    assert_box("d", 0, 75, 1366, 5);
}

static void percentages_of_heights(void **state)
{
    (void)state;
    lay_out(
        "<div style='height:200px'><div id=a style='height:50%'></div>"
        "<div><div id=b style='height:50%'></div></div></div>"
        "<div id=c style='min-height:30px;max-height:40px'><div style='height:99px'></div></div>");
    assert_box("a", 0, 0, 1366, 100);
    assert_box("b", 0, 100, 1366, 0);
    assert_box("c", 0, 200, 1366, 40);
}

/* ---- Floats ------------------------------------------------------------------------------ */

static void floats_stand_side_by_side(void **state)
{
    (void)state;
    lay_out("<div id=around style='width:300px;overflow:hidden'>"
            "<div id=a style='float:left;width:100px;height:50px'></div>"
            "<div id=b style='float:right;width:150px;height:20px'></div>"
            "<div id=c style='float:left;width:60px;height:10px'></div>"
            "<div id=d style='clear:left;height:5px'></div>"
            "<div id=e style='overflow:hidden;height:7px'></div></div>");
    assert_box("a", 0, 0, 100, 50);
    assert_box("b", 150, 0, 150, 20);
    assert_box("c", 100, 20, 60, 10);
    assert_box("d", 0, 50, 300, 5);
    assert_box("e", 0, 55, 300, 7);
    assert_box("around", 0, 0, 300, 62);
}

/* A list of nothing but floats, as menus are: nothing comes after them that would place them. */
static void floats_alone_in_blocks_without_height(void **state)
{
    (void)state;
    lay_out("<div style='height:7px'></div><div id=nav style='overflow:hidden;width:300px'>"
            "<div id=list><div id=a style='float:left;width:100px;height:50px'></div>"
            "<div id=b style='float:left;width:60px;height:10px'></div></div></div>"
            "<div id=c style='overflow:hidden;width:300px'><div><div id=d style='float:right;"
            "width:50px;height:40px'></div></div><span id=e>x</span></div>");
    assert_box("a", 0, 7, 100, 50);
    assert_box("b", 100, 7, 60, 10);
    assert_box("list", 0, 7, 300, 0);
    assert_box("nav", 0, 7, 300, 50);
    assert_box("d", 250, 57, 50, 40);
}

/* Floats in a block without height are where it is, whatever comes after it or how high its parent is. */
static void floats_of_a_block_without_height_below_others(void **state)
{
    (void)state;
    lay_out(
        "<div style='min-height:700px'><div style='height:18px;margin:16px 0'></div>"
        "<div id=list><div id=a style='float:left;width:300px;height:20px'></div>"
        "<div id=b style='float:right;width:300px;height:20px'></div></div></div>"
        "<div style='height:18px'></div><div style='margin:30px 0'><div style='margin:50px 0 5px'>"
        "<div id=c style='float:left;width:300px;height:20px'></div></div></div>"
        "<div id=d style='height:18px;margin-top:70px'></div>");
    assert_box("list", 0, 50, 1366, 0);
    assert_box("a", 0, 50, 300, 20);
    assert_box("b", 1066, 50, 300, 20);
    assert_box("c", 0, 784, 300, 20);
    assert_box("d", 0, 804, 1366, 18);
}

static void boxes_stand_beside_floats(void **state)
{
    (void)state;
    lay_out("<div style='width:300px'><div style='float:left;width:100px;height:50px'></div>"
            "<div id=a style='overflow:hidden;height:10px'></div>"
            "<div id=b style='overflow:hidden;width:250px;height:10px'></div></div>");
    assert_box("a", 100, 0, 200, 10);
    assert_box("b", 0, 50, 250, 10);
}

/* ---- Lines ------------------------------------------------------------------------------- */

/* In the typewriter face a character is 0.6 em wide: 6 px at 10 px. */
#define MONO "font:10px/20px monospace;"

static void lines_break_at_spaces(void **state)
{
    (void)state;
    lay_out("<div id=a style='" MONO "width:40px'>aaa bbb <b id=b>cc dd</b></div>"
            "<div id=c style='" MONO "width:40px;white-space:pre'>aaa bbb\nccc</div>"
            "<div id=d style='" MONO "width:40px;overflow-wrap:anywhere'>aaaaaaaaaa</div>"
            "<div id=e style='" MONO "width:20px'>well-known</div>");
    assert_box("a", 0, 0, 40, 60);
    assert_box("c", 0, 60, 40, 40);
    assert_box("d", 0, 100, 40, 40);
    assert_box("e", 0, 140, 20, 40);
    const wn_text_fragment *first = &page.boxes->fragments[0];
    assert_int_equal(first->len, 4); /* with the space that hangs at the line's end */
    assert_memory_equal(first->text, "aaa ", 4);
}

static void atoms_stand_in_lines(void **state)
{
    (void)state;
    lay_out(
        "<div id=line style='" MONO "width:100px;text-align:right'>"
        "<span id=a style='display:inline-block;width:40px;height:50px;vertical-align:top'></span>"
        "<img id=b width=30 height=10 style='vertical-align:top'></div>");
    assert_box("line", 0, 0, 100, 50);
    assert_box("a", 30, 0, 40, 50);
    assert_box("b", 70, 0, 30, 10);
}

static void blocks_in_inlines_break_lines(void **state)
{
    (void)state;
    lay_out("<div id=a style='" MONO
            "'>x<span id=s>y<div id=b style='height:15px'></div>z</span></div>");
    assert_box("b", 0, 20, 1366, 15);
    assert_box("a", 0, 0, 1366, 55);
}

/* ---- Positions --------------------------------------------------------------------------- */

static void positions(void **state)
{
    (void)state;
    lay_out(
        "<div style='height:20px'></div>"
        "<div style='position:relative;width:200px;height:100px;border:5px solid'>"
        "<div id=a style='position:absolute;right:10px;bottom:20px;width:30px;height:40px'></div>"
        "<div id=b style='position:absolute;left:0;right:0;top:10%;height:50%'></div>"
        "<div id=c style='position:relative;left:7px;top:-3px;height:10px'><p id=d style='height:4px'></p></div>"
        "<div id=e style='position:absolute;width:6px;height:6px'></div></div>"
        "<div id=f style='position:fixed;bottom:0;left:0;width:10px;height:10px'></div>");
    assert_box("a", 165, 65, 30, 40);
    assert_box("b", 5, 35, 200, 50);
    assert_box("c", 12, 22, 200, 10);
    assert_box("d", 12, 22, 200, 4);
    assert_box("e", 5, 35, 6, 6);
    assert_box("f", 0, 758, 10, 10);
}

/* ---- Tables ------------------------------------------------------------------------------ */

static void tables(void **state)
{
    (void)state;
    lay_out("<table id=t style='width:300px;border-spacing:10px;border-collapse:separate'>"
            "<tr id=r1><td id=a style='width:100px;padding:0;height:20px'></td>"
            "<td id=b rowspan=2 style='padding:0'></td></tr>"
            "<tr id=r2><td id=c style='padding:0;height:30px'></td></tr>"
            "<tr><td id=d colspan=1000000000 style='padding:0;height:5px'></td></tr></table>");
    assert_box("t", 0, 0, 300, 95);
    assert_box("a", 10, 10, 100, 20);
    assert_box("b", 120, 10, 170, 60);
    assert_box("c", 10, 40, 100, 30);
    assert_box("r2", 10, 40, 280, 30);
    assert_box("d", 10, 80, 280, 5);
}

static void cells_without_tables(void **state)
{
    (void)state;
    lay_out("<div style='display:table-cell;width:70px;height:20px' id=a></div>"
            "<div style='display:table-cell;width:30px;height:40px' id=b></div>");
    assert_box("a", 0, 0, 70, 40);
    assert_box("b", 70, 0, 30, 40);
}

/* ---- Flex -------------------------------------------------------------------------------- */

static void flex_rows(void **state)
{
    (void)state;
    lay_out(
        "<div style='display:flex;width:300px;height:50px;gap:10px'>"
        "<div id=a style='flex:1'></div><div id=b style='flex:2;align-self:center;height:20px'></div>"
        "<div id=c style='flex:0 0 50px;order:-1'></div></div>"
        "<div style='display:flex;width:300px;justify-content:space-between'>"
        "<div id=d style='width:200px;height:10px'></div>"
        "<div id=e style='width:200px;height:20px;flex-shrink:3'></div></div>"
        "<div style='display:flex;flex-wrap:wrap;width:100px'><div id=f style='width:60px;height:10px'></div>"
        "<div id=g style='width:60px;height:10px;margin-left:auto'></div></div>");
    assert_box("c", 0, 0, 50, 50);
    assert_box("a", 60, 0, 77, 50); /* 230 / 3 */
    assert_box("b", 147, 15, 153, 20);
    assert_box("d", 0, 50, 175, 10);
    assert_box("e", 175, 50, 125, 20);
    assert_box("f", 0, 70, 60, 10);
    assert_box("g", 40, 80, 60, 10);
}

static void flex_columns(void **state)
{
    (void)state;
    lay_out("<div style='display:flex;flex-direction:column;width:100px;height:200px'>"
            "<div id=a style='height:20px'></div><div id=b style='flex:1'></div>"
            "<div id=c style='height:30px;align-self:flex-end;width:40px'></div></div>");
    assert_box("a", 0, 0, 100, 20);
    assert_box("b", 0, 20, 100, 150);
    assert_box("c", 60, 170, 40, 30);
}

/* ---- Grid -------------------------------------------------------------------------------- */

static void grids(void **state)
{
    (void)state;
    lay_out(
        "<div style='display:grid;width:400px;grid-template-columns:100px 1fr 2fr;gap:10px;"
        "grid-template-rows:20px'>"
        "<div id=a></div><div id=b></div><div id=c></div>"
        "<div id=d style='grid-column:2/4;height:30px'></div><div id=e style='height:5px'></div></div>"
        "<div style=\"display:grid;width:300px;grid-template:'h h' 10px 's m' 40px / 50px auto\">"
        "<div id=m style='grid-area:m'></div><div id=h style='grid-area:h'></div></div>"
        "<div style='display:grid;width:250px;grid-template-columns:repeat(auto-fill,minmax(100px,1fr))'>"
        "<div id=x style='height:3px'></div><div id=y style='height:3px'></div>"
        "<div id=z style='height:3px'></div></div>");
    assert_box("a", 0, 0, 100, 20);
    assert_box("b", 110, 0, 93, 20); /* 280 / 3 */
    assert_box("c", 213, 0, 187, 20);
    assert_box("d", 110, 30, 290, 30);
    assert_box("e", 0, 70, 100, 5);
    assert_box("m", 50, 85, 250, 40);
    assert_box("h", 0, 75, 300, 10);
    assert_box("y", 125, 125, 125, 3);
    assert_box("z", 0, 128, 125, 3);
}

static void grids_without_rows(void **state)
{
    (void)state;
    lay_out("<div id=a style='display:grid;height:90px;align-content:space-around'></div>"
            "<div id=b style='display:grid;height:10px;align-content:space-evenly'></div>");
    assert_box("a", 0, 0, 1366, 90);
    assert_box("b", 0, 90, 1366, 10);
}

/* ---- Hidden, replaced -------------------------------------------------------------------- */

static void what_makes_no_box(void **state)
{
    (void)state;
    lay_out("<div id=a style='display:none'>x</div><div id=b style='display:contents'>"
            "<p id=c style='height:10px'></p></div><details id=d><p id=e>x</p></details>"
            "<p id=f style='visibility:hidden;height:7px'></p>");
    assert_false(page.boxes->items[laid_out_find(&page, "a")].exists);
    assert_false(page.boxes->items[laid_out_find(&page, "b")].exists);
    assert_false(page.boxes->items[laid_out_find(&page, "e")].exists);
    assert_true(page.boxes->items[laid_out_find(&page, "f")].exists);
    assert_box("b", 0, 0, 1366, 10);
}

static void replaced_elements(void **state)
{
    (void)state;
    lay_out(
        "<div style='font-size:0;line-height:0'><iframe id=a style='border:0'></iframe>"
        "<img id=b width=100 height=50><img id=c width=100 height=50 style='width:50px;height:auto'>"
        "<svg id=d width=20 height=10></svg></div>");
    assert_box("a", 0, 0, 300, 150);
    assert_box("b", 300, 100, 100, 50);
    assert_box("c", 400, 125, 50, 25);
    assert_box("d", 450, 140, 20, 10);
}

static void heights_of_rows(void **state)
{
    (void)state;
    lay_out("<style>table{border-spacing:0;width:100px}td{padding:0}</style>"
            "<table id=a style='height:100px'><thead id=b><tr><td style='height:20px'></thead>"
            "<tbody id=c><tr id=d style='height:10px'><td><tr id=e><td></tbody></table>"
            "<table><tbody id=f style='height:60px'><tr id=g style='height:25%'><td>"
            "<tr id=h><td></tbody></table>"
            "<table style='width:200px'><tr><td colspan=3><p style='width:60px'></p>"
            "<tr><td id=i><p style='width:30px'></p><td id=j><p style='width:10px'></p><td>"
            "<tr><td colspan=2><p style='width:80px'></p><td></table>");
    assert_box("a", 0, 0, 100, 100);
    assert_box("b", 0, 0, 100, 20);
    assert_box("c", 0, 20, 100, 80);
    assert_box("d", 0, 20, 100, 10);
    assert_box("e", 0, 30, 100, 70);
    assert_box("f", 0, 100, 100, 60);
    assert_box("g", 0, 100, 100, 15);
    assert_box("h", 0, 115, 100, 45);
    assert_box("i", 0, 160, 150, 0);
    assert_box("j", 150, 160, 50, 0);
}

static void drawings_and_controls(void **state)
{
    (void)state;
    lay_out(
        "<div style='width:400px;line-height:0'><svg id=a viewBox='0 0 20 10'></svg></div>"
        "<div style='line-height:0'><svg id=b viewBox='0 0 20 10' height=2em></svg>"
        "<img id=c src='data:image/gif;base64,R0lGODlhAwACAIAAAP///wAAACwAAAAAAwACAAACAoRRADs='>"
        "<img id=d alt='' src=\"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'"
        " width='30' viewBox='0 0 3 1'/%3E\">"
        "</div><ul style='list-style:inside'><li><span id=e>x</span></ul>"
        "<p><input id=f></p><p><a id=g>word </a></p>");
    assert_box("a", 0, 0, 400, 200);
    assert_box("b", 0, 200, 64, 32);
    assert_box("c", 64, 230, 3, 2);
    assert_box("d", 67, 222, 30, 10);
    assert_box("e", 21, 232, 8, 17);
    assert_box("f", 0, 250, 177, 21);
    assert_box("g", 0, 271, 33, 17);
}

/* ---- Writing modes ----------------------------------------------------------------------- */

static void lines_run_downwards(void **state)
{
    (void)state;
    lay_out("<style>i{display:inline-block;width:20px;height:10px}</style>"
            "<div id=a style='writing-mode:vertical-rl;height:100px;line-height:30px'>"
            "<div id=b style='margin-block:5px;padding-inline-start:7px'><i id=c></i></div>"
            "<div id=d style='block-size:40px;inline-size:50%'></div></div>"
            "<div id=e style='writing-mode:vertical-lr;width:200px'>"
            "<div style='height:50px;margin-left:10px;width:30px'></div>"
            "<div id=f style='writing-mode:horizontal-tb;width:60px;height:20px'></div></div>");
    assert_box("a", 0, 0, 80, 100);
    assert_box("b", 45, 0, 30, 100);
    assert_box("c", 50, 7, 20, 10);
    assert_box("d", 0, 0, 40, 50);
    assert_box("e", 0, 100, 200, 50);
    assert_box("f", 40, 100, 60, 20);
}

static void vertical_flex_and_places(void **state)
{
    (void)state;
    lay_out(
        "<style>.f{display:flex;writing-mode:vertical-rl;width:100px;height:90px}</style>"
        "<div class=f><div id=a style='flex:1'></div><div id=b style='flex:2;width:30px'></div>"
        "</div><div class=f style='flex-direction:column;position:relative'>"
        "<div id=c style='width:20px'></div><div id=d style='width:20px;align-self:end;height:9px'>"
        "</div><p id=e style='position:absolute;left:3px;bottom:4px;width:5px;height:6px'></p>"
        "</div>");
    assert_box("a", 0, 0, 100, 30);
    assert_box("b", 70, 30, 30, 60);
    assert_box("c", 80, 90, 20, 90);
    assert_box("d", 60, 171, 20, 9);
    assert_box("e", 3, 170, 5, 6);
}

static void baselines_line_up(void **state)
{
    (void)state;
    lay_out(
        "<style>.f{display:flex;width:300px;line-height:0}i{display:inline-block;width:10px}"
        "</style><div class=f style='align-items:baseline'>"
        "<div id=a><i style='height:10px'></i></div>"
        "<div id=b style='padding-top:5px'><i style='height:30px'></i><br><i style='height:20px'>"
        "</i></div></div><div class=f style='align-items:last baseline'>"
        "<div id=c><i style='height:10px'></i></div>"
        "<div id=d style='padding-bottom:5px'><i style='height:30px'></i></div></div>"
        "<div style='display:grid;grid-template-columns:50px 50px;align-items:baseline;"
        "line-height:0;width:300px'><p id=e><i style='height:10px'></i></p>"
        "<p><i style='height:40px'></i></p></div>");
    assert_box("a", 0, 25, 10, 10);
    assert_box("b", 10, 0, 10, 55);
    assert_box("c", 0, 75, 10, 10);
    assert_box("d", 10, 55, 10, 35);
    assert_box("e", 0, 120, 50, 10);
}

/* ---- Columns and other parts of the flow ------------------------------------------------- */

static void columns(void **state)
{
    (void)state;
    lay_out(
        "<style>.c{columns:3;column-gap:10px;width:320px}p{height:20px;break-inside:avoid}</style>"
        "<div class=c id=a><p id=b></p><p id=c></p><p id=d></p><p id=e></p></div>"
        "<div class=c id=f style='height:50px;column-fill:auto'><p></p><p></p><p id=g></p></div>"
        "<div class=c><p></p><p id=h style='break-before:column'></p>"
        "<h5 id=i style='column-span:all;margin:0;height:7px'></h5><p id=j></p></div>");
    assert_box("a", 0, 0, 320, 40);
    assert_box("b", 0, 0, 100, 20);
    assert_box("c", 0, 20, 100, 20);
    assert_box("d", 110, 0, 100, 20);
    assert_box("e", 110, 20, 100, 20);
    assert_box("f", 0, 40, 320, 50);
    assert_box("g", 110, 40, 100, 20);
    assert_box("h", 110, 90, 100, 20);
    assert_box("i", 0, 110, 320, 7);
    assert_box("j", 0, 117, 100, 20);
}

static void legends_stand_in_borders(void **state)
{
    (void)state;
    lay_out("<fieldset id=a style='margin:0;padding:5px;border:10px solid;width:200px'>"
            "<p id=b style='height:20px'></p>"
            "<legend id=c style='padding:0;width:50px;height:30px'></legend></fieldset>");
    assert_box("a", 0, 0, 230, 70);
    assert_box("b", 15, 35, 200, 20);
    assert_box("c", 15, 0, 50, 30);
}

static void clamped_lines(void **state)
{
    (void)state;
    lay_out(
        "<div id=a style='display:-webkit-box;-webkit-box-orient:vertical;"
        "-webkit-line-clamp:2;overflow:hidden;line-height:20px'>a<br>b<br>c<br>d</div>"
        "<div style='height:100px'><div id=b style='height:stretch;margin-top:10px'></div></div>"
        "<div id=c style='contain:size;border:1px solid'>text</div>");
    assert_box("a", 0, 0, 1366, 40);
    assert_box("b", 0, 50, 1366, 100);
    assert_box("c", 0, 150, 1366, 2);
}

/* ---- Hostile pages ----------------------------------------------------------------------- */

static void repeat(wn_buf *out, const char *text, int times)
{
    for (int i = 0; i < times; i++)
        wn_buf_add_literal(out, text);
}

/* Lays out `times` repetitions between a start and an end, within the bounds. */
static void check_hostile(const char *name, const char *start, const char *text, int times)
{
    wn_buf html = {0};
    wn_buf_add_literal(&html, "<!DOCTYPE html>");
    wn_buf_add_literal(&html, start);
    repeat(&html, text, times);
    clock_t before = clock();
    laid_out_run(&page, wn_buf_str(&html), false);
    double seconds = (double)(clock() - before) / CLOCKS_PER_SEC;
    size_t memory = wn_layout_memory(page.layout) >> 20;
    printf("    %-28s %.2f s, %zu MB\n", name, seconds, memory);
    wn_buf_free(&html);
    assert_non_null(page.boxes);
#ifndef __SANITIZE_ADDRESS__
    assert_true(seconds < SECONDS);
#endif
    assert_true(memory < MAX_MEGABYTES);
}

static void hostile_pages(void **state)
{
    (void)state;
    laid_out_free(&page);
    laid_out_init(&page);
    check_hostile("100,000 floats", "<style>i{float:left;width:9px;height:9px}</style>", "<i></i>",
                  100000);
    check_hostile(
        "floats of all sizes",
        "<style>i{float:left;width:30%;height:9px}b{float:right;width:1px;height:99px}</style>",
        "<i></i><b></b>", 50000);
    check_hostile("spans of a milliard", "<table>",
                  "<tr><td colspan=1000000000 rowspan=1000000000>x", 3000);
    check_hostile("deep blocks", "", "<div>", 10000);
    check_hostile("deep inlines", "", "<b><i>x ", 5000);
    check_hostile("deep flex", "<style>div{display:flex}</style>", "<div>x", 10000);
    check_hostile("deep columns", "<style>div{display:flex;flex-direction:column}</style>",
                  "<div>x", 10000);
    check_hostile("deep grids", "<style>div{display:grid}</style>", "<div>x", 10000);
    check_hostile("deep tables", "", "<table><tr><td>x", 10000);
    check_hostile("deep floats", "<style>div{float:left}</style>", "<div>x", 10000);
    check_hostile("deep absolutes", "<style>div{position:absolute}</style>", "<div>x", 10000);
    check_hostile("deep inline-blocks", "<style>div{display:inline-block}</style>", "<div>x",
                  10000);
    check_hostile("blocks in inlines", "<b><i><u><em>", "<div>x</div>y", 100000);
    check_hostile("10 MB of words", "", "word and another, ", 600000);
    check_hostile("10 MB of one word", "<p style='overflow-wrap:anywhere'>",
                  "wordandanotherwithout", 500000);
    check_hostile("flex items in order",
                  "<style>div{display:flex;flex-wrap:wrap}i{flex:1;max-width:7px}</style><div>",
                  "<i style='order:3'>x</i><i>y</i>", 30000);
    check_hostile(
        "grid items",
        "<style>div{display:grid;grid-template-columns:repeat(999,1px);grid-auto-flow:dense}</style><div>",
        "<i style='grid-row:span 99;grid-column:span 99'></i><i></i>", 10000);
    check_hostile("deep writing modes",
                  "<style>p{writing-mode:vertical-rl}b{writing-mode:horizontal-tb}</style>",
                  "<p><b>x", 10000);
    check_hostile("writing modes side by side",
                  "<style>p{writing-mode:vertical-lr}b{writing-mode:horizontal-tb}</style>",
                  "<p>x<b>y</b></p>", 30000);
    check_hostile("deep columns of text", "<style>div{columns:2}</style>", "<div>x", 10000);
    check_hostile("many pieces of columns", "<style>div{columns:3;height:9px}</style><div>",
                  "<p>x<i style='float:left'>y</i></p>", 50000);
    check_hostile("high pieces of columns",
                  "<style>div{columns:1px}p{height:9999999px}</style><div>", "<p></p>", 10000);
    check_hostile("legends", "<fieldset>", "<div></div><legend style='float:left'>x</legend>",
                  50000);
    check_hostile("deep fieldsets", "<style>fieldset{display:flex}</style>",
                  "<fieldset>x<legend>y</legend>", 5000);
    laid_out_free(&page);
    laid_out_init(&page);
}

static void same_page_same_boxes(void **state)
{
    (void)state;
    const char *html = "<p>some text <b>in a</b> line<table><tr><td>cell<td>other</table>";
    lay_out(html);
    wn_box first = page.boxes->items[page.boxes->count - 2];
    for (int i = 0; i < 3; i++) {
        lay_out(html);
        assert_memory_equal(&first, &page.boxes->items[page.boxes->count - 2], sizeof first);
    }
}

int main(void)
{
    laid_out_init(&page);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_stack_up),
        cmocka_unit_test(margins_collapse),
        cmocka_unit_test(percentages_of_heights),
        cmocka_unit_test(floats_stand_side_by_side),
        cmocka_unit_test(floats_alone_in_blocks_without_height),
        cmocka_unit_test(floats_of_a_block_without_height_below_others),
        cmocka_unit_test(boxes_stand_beside_floats),
        cmocka_unit_test(lines_break_at_spaces),
        cmocka_unit_test(atoms_stand_in_lines),
        cmocka_unit_test(blocks_in_inlines_break_lines),
        cmocka_unit_test(positions),
        cmocka_unit_test(tables),
        cmocka_unit_test(cells_without_tables),
        cmocka_unit_test(flex_rows),
        cmocka_unit_test(flex_columns),
        cmocka_unit_test(grids),
        cmocka_unit_test(grids_without_rows),
        cmocka_unit_test(what_makes_no_box),
        cmocka_unit_test(replaced_elements),
        cmocka_unit_test(lines_run_downwards),
        cmocka_unit_test(vertical_flex_and_places),
        cmocka_unit_test(baselines_line_up),
        cmocka_unit_test(columns),
        cmocka_unit_test(legends_stand_in_borders),
        cmocka_unit_test(clamped_lines),
        cmocka_unit_test(heights_of_rows),
        cmocka_unit_test(drawings_and_controls),
        cmocka_unit_test(hostile_pages),
        cmocka_unit_test(same_page_same_boxes),
    };
    laid_out_run(&page, WN_STR("<p style='float:left'>"), false);
    if (!page.styles || !page.styles->has_author_css)
        test_skip("styles of pages are not read", "layout");
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    laid_out_free(&page);
    return failed;
}
