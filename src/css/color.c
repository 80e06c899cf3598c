#include "css/color.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum {
    MAX_MIX_DEPTH = 4, /* color-mix() inside color-mix() */
    MAX_LEGACY = 128,  /* characters of a bgcolor that count, as the HTML standard says */
};

/* ---- Names ------------------------------------------------------------------------------- */

typedef struct named_color {
    const char *name;
    wn_color color;
} named_color;

/* In order of their names. */
static const named_color names[] = {
    {"aliceblue", 0xF0F8FFFF},
    {"antiquewhite", 0xFAEBD7FF},
    {"aqua", 0x00FFFFFF},
    {"aquamarine", 0x7FFFD4FF},
    {"azure", 0xF0FFFFFF},
    {"beige", 0xF5F5DCFF},
    {"bisque", 0xFFE4C4FF},
    {"black", 0x000000FF},
    {"blanchedalmond", 0xFFEBCDFF},
    {"blue", 0x0000FFFF},
    {"blueviolet", 0x8A2BE2FF},
    {"brown", 0xA52A2AFF},
    {"burlywood", 0xDEB887FF},
    {"cadetblue", 0x5F9EA0FF},
    {"chartreuse", 0x7FFF00FF},
    {"chocolate", 0xD2691EFF},
    {"coral", 0xFF7F50FF},
    {"cornflowerblue", 0x6495EDFF},
    {"cornsilk", 0xFFF8DCFF},
    {"crimson", 0xDC143CFF},
    {"cyan", 0x00FFFFFF},
    {"darkblue", 0x00008BFF},
    {"darkcyan", 0x008B8BFF},
    {"darkgoldenrod", 0xB8860BFF},
    {"darkgray", 0xA9A9A9FF},
    {"darkgreen", 0x006400FF},
    {"darkgrey", 0xA9A9A9FF},
    {"darkkhaki", 0xBDB76BFF},
    {"darkmagenta", 0x8B008BFF},
    {"darkolivegreen", 0x556B2FFF},
    {"darkorange", 0xFF8C00FF},
    {"darkorchid", 0x9932CCFF},
    {"darkred", 0x8B0000FF},
    {"darksalmon", 0xE9967AFF},
    {"darkseagreen", 0x8FBC8FFF},
    {"darkslateblue", 0x483D8BFF},
    {"darkslategray", 0x2F4F4FFF},
    {"darkslategrey", 0x2F4F4FFF},
    {"darkturquoise", 0x00CED1FF},
    {"darkviolet", 0x9400D3FF},
    {"deeppink", 0xFF1493FF},
    {"deepskyblue", 0x00BFFFFF},
    {"dimgray", 0x696969FF},
    {"dimgrey", 0x696969FF},
    {"dodgerblue", 0x1E90FFFF},
    {"firebrick", 0xB22222FF},
    {"floralwhite", 0xFFFAF0FF},
    {"forestgreen", 0x228B22FF},
    {"fuchsia", 0xFF00FFFF},
    {"gainsboro", 0xDCDCDCFF},
    {"ghostwhite", 0xF8F8FFFF},
    {"gold", 0xFFD700FF},
    {"goldenrod", 0xDAA520FF},
    {"gray", 0x808080FF},
    {"green", 0x008000FF},
    {"greenyellow", 0xADFF2FFF},
    {"grey", 0x808080FF},
    {"honeydew", 0xF0FFF0FF},
    {"hotpink", 0xFF69B4FF},
    {"indianred", 0xCD5C5CFF},
    {"indigo", 0x4B0082FF},
    {"ivory", 0xFFFFF0FF},
    {"khaki", 0xF0E68CFF},
    {"lavender", 0xE6E6FAFF},
    {"lavenderblush", 0xFFF0F5FF},
    {"lawngreen", 0x7CFC00FF},
    {"lemonchiffon", 0xFFFACDFF},
    {"lightblue", 0xADD8E6FF},
    {"lightcoral", 0xF08080FF},
    {"lightcyan", 0xE0FFFFFF},
    {"lightgoldenrodyellow", 0xFAFAD2FF},
    {"lightgray", 0xD3D3D3FF},
    {"lightgreen", 0x90EE90FF},
    {"lightgrey", 0xD3D3D3FF},
    {"lightpink", 0xFFB6C1FF},
    {"lightsalmon", 0xFFA07AFF},
    {"lightseagreen", 0x20B2AAFF},
    {"lightskyblue", 0x87CEFAFF},
    {"lightslategray", 0x778899FF},
    {"lightslategrey", 0x778899FF},
    {"lightsteelblue", 0xB0C4DEFF},
    {"lightyellow", 0xFFFFE0FF},
    {"lime", 0x00FF00FF},
    {"limegreen", 0x32CD32FF},
    {"linen", 0xFAF0E6FF},
    {"magenta", 0xFF00FFFF},
    {"maroon", 0x800000FF},
    {"mediumaquamarine", 0x66CDAAFF},
    {"mediumblue", 0x0000CDFF},
    {"mediumorchid", 0xBA55D3FF},
    {"mediumpurple", 0x9370DBFF},
    {"mediumseagreen", 0x3CB371FF},
    {"mediumslateblue", 0x7B68EEFF},
    {"mediumspringgreen", 0x00FA9AFF},
    {"mediumturquoise", 0x48D1CCFF},
    {"mediumvioletred", 0xC71585FF},
    {"midnightblue", 0x191970FF},
    {"mintcream", 0xF5FFFAFF},
    {"mistyrose", 0xFFE4E1FF},
    {"moccasin", 0xFFE4B5FF},
    {"navajowhite", 0xFFDEADFF},
    {"navy", 0x000080FF},
    {"oldlace", 0xFDF5E6FF},
    {"olive", 0x808000FF},
    {"olivedrab", 0x6B8E23FF},
    {"orange", 0xFFA500FF},
    {"orangered", 0xFF4500FF},
    {"orchid", 0xDA70D6FF},
    {"palegoldenrod", 0xEEE8AAFF},
    {"palegreen", 0x98FB98FF},
    {"paleturquoise", 0xAFEEEEFF},
    {"palevioletred", 0xDB7093FF},
    {"papayawhip", 0xFFEFD5FF},
    {"peachpuff", 0xFFDAB9FF},
    {"peru", 0xCD853FFF},
    {"pink", 0xFFC0CBFF},
    {"plum", 0xDDA0DDFF},
    {"powderblue", 0xB0E0E6FF},
    {"purple", 0x800080FF},
    {"rebeccapurple", 0x663399FF},
    {"red", 0xFF0000FF},
    {"rosybrown", 0xBC8F8FFF},
    {"royalblue", 0x4169E1FF},
    {"saddlebrown", 0x8B4513FF},
    {"salmon", 0xFA8072FF},
    {"sandybrown", 0xF4A460FF},
    {"seagreen", 0x2E8B57FF},
    {"seashell", 0xFFF5EEFF},
    {"sienna", 0xA0522DFF},
    {"silver", 0xC0C0C0FF},
    {"skyblue", 0x87CEEBFF},
    {"slateblue", 0x6A5ACDFF},
    {"slategray", 0x708090FF},
    {"slategrey", 0x708090FF},
    {"snow", 0xFFFAFAFF},
    {"springgreen", 0x00FF7FFF},
    {"steelblue", 0x4682B4FF},
    {"tan", 0xD2B48CFF},
    {"teal", 0x008080FF},
    {"thistle", 0xD8BFD8FF},
    {"tomato", 0xFF6347FF},
    {"turquoise", 0x40E0D0FF},
    {"violet", 0xEE82EEFF},
    {"wheat", 0xF5DEB3FF},
    {"white", 0xFFFFFFFF},
    {"whitesmoke", 0xF5F5F5FF},
    {"yellow", 0xFFFF00FF},
    {"yellowgreen", 0x9ACD32FF},
};

/* https://drafts.csswg.org/css-color-4/#css-system-colors, as a light browser has them. */
static const named_color system_colors[] = {
    {"canvas", 0xFFFFFFFF},
    {"canvastext", 0x000000FF},
    {"linktext", 0x0000EEFF},
    {"visitedtext", 0x551A8BFF},
    {"activetext", 0xFF0000FF},
    {"buttonface", 0xEFEFEFFF},
    {"buttontext", 0x000000FF},
    {"buttonborder", 0x000000FF},
    {"field", 0xFFFFFFFF},
    {"fieldtext", 0x000000FF},
    {"highlight", 0x0078D7FF},
    {"highlighttext", 0xFFFFFFFF},
    {"selecteditem", 0x0078D7FF},
    {"selecteditemtext", 0xFFFFFFFF},
    {"mark", 0xFFFF00FF},
    {"marktext", 0x000000FF},
    {"graytext", 0x808080FF},
    {"accentcolor", 0x0075FFFF},
    {"accentcolortext", 0xFFFFFFFF},
    {"window", 0xFFFFFFFF},
    {"windowtext", 0x000000FF},
    {"threedface", 0xEFEFEFFF},
    {"threedshadow", 0x000000FF},
    {"infobackground", 0xFFFFFFFF},
    {"infotext", 0x000000FF},
    {"menu", 0xFFFFFFFF},
    {"menutext", 0x000000FF},
    {"background", 0xFFFFFFFF},
    {"-webkit-link", 0x0000EEFF},
    {"-webkit-activelink", 0xFF0000FF},
    {"-webkit-focus-ring-color", 0x101010FF},
    {"-webkit-text", 0x000000FF},
};

enum { LONGEST_NAME = 24 };

static int compare_names(const void *key, const void *item)
{
    return strcmp(key, ((const named_color *)item)->name);
}

#ifndef NDEBUG
static bool names_are_sorted(void)
{
    for (size_t i = 1; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i - 1].name, names[i].name) >= 0)
            return false;
    return true;
}
#endif

bool wn_css_named_color(wn_str name, wn_color *color)
{
    char lower[LONGEST_NAME + 1];
    if (name.len == 0 || name.len > LONGEST_NAME)
        return false;
    for (size_t i = 0; i < name.len; i++)
        lower[i] = wn_ascii_lower(name.ptr[i]);
    lower[name.len] = '\0';
    assert(names_are_sorted());
    const named_color *found = bsearch(lower, names, sizeof names / sizeof *names, sizeof *names,
                                       compare_names);
    for (size_t i = 0; !found && i < sizeof system_colors / sizeof *system_colors; i++)
        if (strcmp(lower, system_colors[i].name) == 0)
            found = &system_colors[i];
    if (strcmp(lower, "transparent") == 0)
        *color = WN_COLOR_TRANSPARENT;
    else if (found)
        *color = found->color;
    else
        return false;
    return true;
}

/* ---- Hexadecimal ------------------------------------------------------------------------- */

static bool read_hex(wn_str text, wn_color *color)
{
    uint32_t value = 0;
    if (text.len != 3 && text.len != 4 && text.len != 6 && text.len != 8)
        return false;
    for (size_t i = 0; i < text.len; i++) {
        int digit = wn_hex_digit(text.ptr[i]);
        if (digit < 0)
            return false;
        value = value << 4 | (uint32_t)digit;
        if (text.len < 6)
            value = value << 4 | (uint32_t)digit;
    }
    *color = text.len == 3 || text.len == 6 ? value << 8 | 0xFF : value;
    return true;
}

/* https://html.spec.whatwg.org/#rules-for-parsing-a-legacy-colour-value */
bool wn_css_legacy_color(wn_str text, wn_color *color)
{
    char digits[MAX_LEGACY + 3];
    size_t count = 0;
    text = wn_str_trim(text);
    if (text.len == 0 || wn_str_eq_nocase(text, WN_STR("transparent")))
        return false;
    if (wn_css_named_color(text, color))
        return true;
    if (text.len == 4 && text.ptr[0] == '#' && read_hex(wn_str_from_offset(text, 1), color))
        return true;
    if (text.ptr[0] == '#')
        text = wn_str_from_offset(text, 1);
    for (size_t i = 0; i < text.len && count < MAX_LEGACY; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        if (c >= 0x80 && c < 0xC0)
            continue; /* the rest of a character */
        digits[count++] = wn_hex_digit((char)c) >= 0 ? (char)c : '0';
        if (c >= 0xF0)
            digits[count++] = '0'; /* counts as two there */
    }
    while (count == 0 || count % 3)
        digits[count++] = '0';
    size_t part = count / 3, from = part > 8 ? part - 8 : 0;
    while (part - from > 2 && digits[from] == '0' && digits[part + from] == '0' &&
           digits[2 * part + from] == '0')
        from++;
    *color = 0xFF;
    for (size_t i = 0; i < 3; i++) {
        const char *d = digits + i * part + from;
        int high = wn_hex_digit(d[0]), low = part - from > 1 ? wn_hex_digit(d[1]) : -1;
        uint32_t byte = low < 0 ? (uint32_t)high : (uint32_t)(high * 16 + low);
        *color |= byte << (24 - 8 * i);
    }
    return true;
}

/* ---- Spaces ------------------------------------------------------------------------------ */

/* Red, green and blue from 0 to 1, and alpha. */
typedef struct rgba {
    float c[3], alpha;
} rgba;

static uint32_t byte_of(float part)
{
    return part >= 1 ? 255u : part > 0 ? (uint32_t)lrintf(part * 255) : 0u;
}

static wn_color pack(const rgba *color)
{
    return byte_of(color->c[0]) << 24 | byte_of(color->c[1]) << 16 | byte_of(color->c[2]) << 8 |
           byte_of(color->alpha);
}

static rgba unpack(wn_color color)
{
    return (rgba){{(float)(color >> 24) / 255, (float)(color >> 16 & 255) / 255,
                   (float)(color >> 8 & 255) / 255},
                  (float)(color & 255) / 255};
}

static float to_gamma(float linear)
{
    float size = fabsf(linear);
    float out = size <= 0.0031308f ? 12.92f * size : 1.055f * powf(size, 1 / 2.4f) - 0.055f;
    return linear < 0 ? -out : out;
}

static float from_gamma(float part)
{
    return part <= 0.04045f ? part / 12.92f : powf((part + 0.055f) / 1.055f, 2.4f);
}

static void from_hsl(float h, float s, float l, float out[3])
{
    for (int i = 0; i < 3; i++) {
        float k = fmodf((float)(i == 0 ? 0 : i == 1 ? 8 : 4) + h / 30, 12);
        float a = s * fminf(l, 1 - l);
        out[i] = l - a * fmaxf(-1, fminf(fminf(k - 3, 9 - k), 1));
    }
}

static void from_hwb(float h, float w, float b, float out[3])
{
    if (w + b >= 1) {
        out[0] = out[1] = out[2] = w / (w + b);
        return;
    }
    from_hsl(h, 1, 0.5f, out);
    for (int i = 0; i < 3; i++)
        out[i] = out[i] * (1 - w - b) + w;
}

static void from_oklab(float l, float a, float b, float out[3])
{
    float x = l + 0.3963377774f * a + 0.2158037573f * b;
    float y = l - 0.1055613458f * a - 0.0638541728f * b;
    float z = l - 0.0894841775f * a - 1.2914855480f * b;
    x = x * x * x, y = y * y * y, z = z * z * z;
    out[0] = to_gamma(4.0767416621f * x - 3.3077115913f * y + 0.2309699292f * z);
    out[1] = to_gamma(-1.2684380046f * x + 2.6097574011f * y - 0.3413193965f * z);
    out[2] = to_gamma(-0.0041960863f * x - 0.7034186147f * y + 1.7076147010f * z);
}

static void to_oklab(const float rgb[3], float out[3])
{
    float r = from_gamma(rgb[0]), g = from_gamma(rgb[1]), b = from_gamma(rgb[2]);
    float l = cbrtf(0.4122214708f * r + 0.5363325363f * g + 0.0514459929f * b);
    float m = cbrtf(0.2119034982f * r + 0.6806995451f * g + 0.1073969566f * b);
    float s = cbrtf(0.0883024619f * r + 0.2817188376f * g + 0.6299787005f * b);
    out[0] = 0.2104542553f * l + 0.7936177850f * m - 0.0040720468f * s;
    out[1] = 1.9779984951f * l - 2.4285922050f * m + 0.4505937099f * s;
    out[2] = 0.0259040371f * l + 0.7827717662f * m - 0.8086757660f * s;
}

static float lab_part(float t)
{
    return t > 6.0f / 29 ? t * t * t : 3 * 36.0f / 841 * (t - 4.0f / 29);
}

static void from_lab(float l, float a, float b, float out[3])
{
    float fy = (l + 16) / 116;
    float x = 0.9642956f * lab_part(fy + a / 500); /* white of D50 */
    float y = lab_part(fy);
    float z = 0.8251046f * lab_part(fy - b / 200);
    out[0] = to_gamma(3.1341359f * x - 1.6173864f * y - 0.4906619f * z);
    out[1] = to_gamma(-0.9787955f * x + 1.9162544f * y + 0.0334427f * z);
    out[2] = to_gamma(0.0719554f * x - 0.2289768f * y + 1.4053860f * z);
}

/* ---- Functions --------------------------------------------------------------------------- */

/* One part of a colour function: a number, a percentage or an angle. */
typedef struct part {
    float value;
    bool percent;
    bool none;
} part;

static bool read_angle(const wn_css_token *t, float *degrees)
{
    static const struct {
        wn_str unit;
        float factor;
    } angles[] = {
        {{"deg", 3}, 1}, {{"grad", 4}, 0.9f}, {{"rad", 3}, 57.2957795f}, {{"turn", 4}, 360}};
    for (size_t i = 0; i < sizeof angles / sizeof *angles; i++)
        if (wn_str_eq_nocase(t->text, angles[i].unit)) {
            *degrees = t->number * angles[i].factor;
            return true;
        }
    return false;
}

static bool read_part(wn_css_cursor *cursor, part *out)
{
    const wn_css_token *t = cursor->at;
    *out = (part){0};
    if (wn_css_is_ident(t, WN_STR("none"))) {
        out->none = true;
        cursor->at++;
        return true;
    }
    if (t->kind == WN_CSS_DIMENSION && read_angle(t, &out->value)) {
        cursor->at++;
        return true;
    }
    wn_css_calc calc;
    if (!wn_css_read_calc(cursor, &calc))
        return false;
    out->percent = calc.first.of[WN_CSS_PERCENTAGE] != 0 || t->kind == WN_CSS_PERCENT;
    out->value = calc.first.of[out->percent ? WN_CSS_PERCENTAGE : WN_CSS_PX];
    return calc.is_number || out->percent;
}

/* Three parts and perhaps alpha, apart by commas or by spaces and a slash. */
static bool read_parts(wn_css_cursor *cursor, part parts[4])
{
    parts[3] = (part){.value = 1};
    bool commas = false;
    for (int i = 0; i < 4; i++) {
        if (i > 0) {
            bool comma = wn_css_is_delim(cursor->at, ',');
            bool slash = wn_css_is_delim(cursor->at, '/');
            if (i == 1)
                commas = comma;
            if (i == 3 && (cursor->at->kind == WN_CSS_END || wn_css_is_delim(cursor->at, ')')))
                break;
            if (commas ? !comma : comma || (i == 3) != slash)
                return false;
            cursor->at += comma || slash;
        }
        if (!read_part(cursor, &parts[i]))
            return false;
    }
    if (wn_css_is_delim(cursor->at, ')'))
        cursor->at++;
    else if (cursor->at->kind != WN_CSS_END)
        return false;
    return true;
}

static float of_percent(part p, float whole)
{
    return p.percent ? p.value * whole / 100 : p.value;
}

/* From 0 to 1 of a part that is a percentage, or a number of which `whole` is all. */
static float share(part p, float whole)
{
    float value = p.percent ? p.value / 100 : p.value / whole;
    return value < 0 ? 0 : value > 1 ? 1 : value;
}

static float turn(float degrees)
{
    degrees = fmodf(degrees, 360);
    return degrees < 0 ? degrees + 360 : degrees;
}

static bool convert(wn_str name, const part p[4], rgba *out)
{
    out->alpha = share(p[3], 1);
    bool ok_space = wn_str_starts_nocase(name, WN_STR("ok"));
    if (wn_str_starts_nocase(name, WN_STR("rgb"))) {
        for (int i = 0; i < 3; i++)
            out->c[i] = share(p[i], 255);
    } else if (wn_str_starts_nocase(name, WN_STR("hsl"))) {
        from_hsl(turn(p[0].value), share(p[1], 100), share(p[2], 100), out->c);
    } else if (wn_str_eq_nocase(name, WN_STR("hwb"))) {
        from_hwb(turn(p[0].value), share(p[1], 100), share(p[2], 100), out->c);
    } else if (ok_space || wn_str_eq_nocase(name, WN_STR("lab")) ||
               wn_str_eq_nocase(name, WN_STR("lch"))) {
        bool polar = wn_str_eq_nocase(wn_str_from_offset(name, ok_space ? 2 : 0), WN_STR("lch"));
        float l = share(p[0], ok_space ? 1 : 100);
        float a = of_percent(p[1], ok_space ? 0.4f : polar ? 150 : 125), b = p[2].value;
        if (polar) {
            float angle = b / 57.2957795f, chroma = a;
            a = chroma * cosf(angle);
            b = chroma * sinf(angle);
        } else {
            b = of_percent(p[2], ok_space ? 0.4f : 125);
        }
        if (ok_space)
            from_oklab(l, a, b, out->c);
        else
            from_lab(l * 100, a, b, out->c);
    } else {
        return false;
    }
    return true;
}

/* color(srgb r g b / a); other spaces count as sRGB, which is close for most colours. */
static bool read_color_function(wn_css_cursor *cursor, rgba *out)
{
    part p[4];
    if (cursor->at->kind != WN_CSS_IDENT)
        return false;
    bool linear = wn_css_is_ident(cursor->at, WN_STR("srgb-linear"));
    cursor->at++;
    if (!read_parts(cursor, p))
        return false;
    for (int i = 0; i < 3; i++) {
        out->c[i] = share(p[i], 1);
        if (linear)
            out->c[i] = to_gamma(out->c[i]);
    }
    out->alpha = share(p[3], 1);
    return true;
}

static bool read_color(wn_css_cursor *cursor, wn_color current, rgba *out, bool *is_current,
                       int depth);

/* A colour of color-mix() and its percentage, -1 without one. */
static bool read_mix_side(wn_css_cursor *cursor, wn_color current, rgba *out, float *percent,
                          bool *is_current, int depth)
{
    *percent = -1;
    if (cursor->at->kind == WN_CSS_PERCENT)
        *percent = cursor->at++->number;
    if (!read_color(cursor, current, out, is_current, depth + 1))
        return false;
    if (cursor->at->kind == WN_CSS_PERCENT)
        *percent = cursor->at++->number;
    return *percent <= 100;
}

static bool take_delim(wn_css_cursor *cursor, char delim)
{
    if (!wn_css_is_delim(cursor->at, delim))
        return false;
    cursor->at++;
    return true;
}

/* Two colours by their shares, which add up to 1. */
static rgba mix(rgba a, rgba b, float share, bool in_srgb)
{
    rgba out = {.alpha = a.alpha * share + b.alpha * (1 - share)};
    float x[3], y[3], mixed[3];
    if (in_srgb) {
        memcpy(x, a.c, sizeof x);
        memcpy(y, b.c, sizeof y);
    } else {
        to_oklab(a.c, x);
        to_oklab(b.c, y);
    }
    for (int i = 0; i < 3; i++)
        mixed[i] = out.alpha > 0
                       ? (x[i] * a.alpha * share + y[i] * b.alpha * (1 - share)) / out.alpha
                       : 0;
    if (in_srgb)
        memcpy(out.c, mixed, sizeof mixed);
    else
        from_oklab(mixed[0], mixed[1], mixed[2], out.c);
    return out;
}

/* color-mix(in SPACE, A p%, B q%): mixed in sRGB or else in oklab. */
static bool read_mix(wn_css_cursor *cursor, wn_color current, rgba *out, bool *is_current,
                     int depth)
{
    rgba a, b;
    float pa, pb;
    bool in_srgb = wn_css_is_ident(&cursor->at[1], WN_STR("srgb"));
    if (!wn_css_is_ident(cursor->at, WN_STR("in")))
        return false;
    while (cursor->at->kind == WN_CSS_IDENT)
        cursor->at++;
    if (!take_delim(cursor, ',') || !read_mix_side(cursor, current, &a, &pa, is_current, depth) ||
        !take_delim(cursor, ',') || !read_mix_side(cursor, current, &b, &pb, is_current, depth))
        return false;
    if (pa < 0)
        pa = pb < 0 ? 50 : 100 - pb;
    if (pb < 0)
        pb = 100 - pa;
    if (pa + pb <= 0)
        return false;
    *out = mix(a, b, pa / (pa + pb), in_srgb);
    out->alpha *= fminf(1, (pa + pb) / 100);
    return take_delim(cursor, ')') || cursor->at->kind == WN_CSS_END;
}

static bool read_function(wn_css_cursor *cursor, wn_color current, rgba *out, bool *is_current,
                          int depth)
{
    const wn_css_token *start = cursor->at;
    wn_str name = start->text;
    part parts[4];
    if (depth > MAX_MIX_DEPTH)
        return false;
    cursor->at++;
    if (wn_css_is_ident(cursor->at, WN_STR("from"))) { /* a colour made from another: that one */
        cursor->at++;
        if (!read_color(cursor, current, out, is_current, depth + 1))
            return false;
        cursor->at = start;
        wn_css_skip_function(cursor);
        return true;
    }
    if (wn_str_eq_nocase(name, WN_STR("color-mix")))
        return read_mix(cursor, current, out, is_current, depth);
    if (wn_str_eq_nocase(name, WN_STR("color")))
        return read_color_function(cursor, out);
    if (wn_str_eq_nocase(name, WN_STR("light-dark"))) {
        if (!read_color(cursor, current, out, is_current, depth + 1))
            return false;
        cursor->at = start;
        wn_css_skip_function(cursor);
        return true;
    }
    return read_parts(cursor, parts) && convert(name, parts, out);
}

static bool read_color(wn_css_cursor *cursor, wn_color current, rgba *out, bool *is_current,
                       int depth)
{
    const wn_css_token *t = cursor->at;
    wn_color color = current;
    if (t->kind == WN_CSS_FUNCTION)
        return read_function(cursor, current, out, is_current, depth);
    if (wn_css_is_ident(t, WN_STR("currentcolor"))) {
        *is_current = true;
    } else if (!(t->kind == WN_CSS_IDENT && wn_css_named_color(t->text, &color)) &&
               !(t->kind == WN_CSS_HASH && read_hex(t->text, &color))) {
        return false;
    }
    *out = unpack(color);
    cursor->at++;
    return true;
}

bool wn_css_read_color(wn_css_cursor *cursor, wn_color current, wn_color *color, bool *is_current)
{
    const wn_css_token *start = cursor->at;
    rgba out;
    *is_current = false;
    if (read_color(cursor, current, &out, is_current, 0)) {
        *color = pack(&out);
        return true;
    }
    cursor->at = start;
    return false;
}
