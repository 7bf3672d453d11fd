/* SPDX-License-Identifier: MIT */
/* Writes numbers, eight digits at a time, and escapes text. */
#include "format/line.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "txtap/inner/escape.h"

static const char hex_digits[] = "0123456789abcdef";

/* Stores eight characters. The first character is the lowest byte of text. Compilers turn this into one store on any
 * host. */
static void store_eight(char *at, uint64_t text)
{
    at[0] = (char)(text & 0xFF);
    at[1] = (char)(text >> 8 & 0xFF);
    at[2] = (char)(text >> 16 & 0xFF);
    at[3] = (char)(text >> 24 & 0xFF);
    at[4] = (char)(text >> 32 & 0xFF);
    at[5] = (char)(text >> 40 & 0xFF);
    at[6] = (char)(text >> 48 & 0xFF);
    at[7] = (char)(text >> 56);
}

#define EIGHT_DIGITS UINT32_C(100000000)
#define ASCII_ZEROS  UINT64_C(0x3030303030303030)

/*
 * Returns the eight decimal digits of a number below 10^8, as bytes from 0 to 9; the first digit is the lowest byte.
 * Each step divides all fields of one word at once: two fields of 32 bits by 10^4, four fields of 16 bits by 100, eight
 * fields of 8 bits by 10. n * 10486 >> 20 is n / 100 for n < 10^4. n * 103 >> 10 is n / 10 for n < 100.
 */
static uint64_t eight_digits(uint32_t value)
{
    uint64_t fours = value / 10000 | (uint64_t)(value % 10000) << 32;
    uint64_t hundreds = fours * 10486 >> 20 & UINT64_C(0x0000007F0000007F);
    uint64_t twos = hundreds | (fours - 100 * hundreds) << 16;
    uint64_t tens = twos * 103 >> 10 & UINT64_C(0x000F000F000F000F);

    return tens | (twos - 10 * tens) << 8;
}

/* Returns the number of leading zeros; the last digit does not count as a leading zero. */
static unsigned leading_zeros(uint64_t digits)
{
    return (unsigned)__builtin_ctzll(digits | UINT64_C(1) << 56) / 8;
}

static size_t decimal_length(uint64_t value)
{
    size_t length = 0;

    for (; value >= EIGHT_DIGITS; value /= EIGHT_DIGITS)
        length += 8;
    return length + 8 - leading_zeros(eight_digits((uint32_t)value));
}

static inline char *write_short(char *at, uint32_t value)
{
    uint64_t digits;
    unsigned zeros;

    if (value < 10) {
        *at = (char)('0' + value);
        return at + 1;
    }
    digits = eight_digits(value);
    zeros = leading_zeros(digits);
    store_eight(at, (digits + ASCII_ZEROS) >> 8 * zeros);
    return at + 8 - zeros;
}

/* Writes the number. Returns the address after the last digit. May overwrite up to seven bytes after the last digit. */
static char *write_decimal(char *at, uint64_t value)
{
    if (value < EIGHT_DIGITS)
        return write_short(at, (uint32_t)value);
    at = write_decimal(at, value / EIGHT_DIGITS); /* recursion: at most twice */
    store_eight(at, eight_digits((uint32_t)(value % EIGHT_DIGITS)) + ASCII_ZEROS);
    return at + 8;
}

void line_decimal(struct line *line, uint64_t value)
{
    if (line_has_room(line, LINE_DECIMAL_BYTES))
        line->at = write_decimal(line->at, value);
}

void line_signed(struct line *line, int64_t value)
{
    if (!line_has_room(line, LINE_DECIMAL_BYTES + 1))
        return;
    line_text(line, value < 0 ? "-" : "");
    line_decimal(line, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void line_decimals(struct line *line, const uint32_t values[static 4])
{
    char *at = line->at;

    if (!line_has_room(line, 4 * LINE_DECIMAL_BYTES))
        return;
    for (size_t i = 0; i < 4; i++) {
        at = write_decimal(at, values[i]);
        *at++ = ',';
    }
    line->at = at - 1;
}

/* Writes the blanks before a number. length: characters of the number without its sign. */
static void align(struct line *line, char sign, size_t length, size_t width)
{
    length += sign != '\0';
    if (length < width)
        line_blanks(line, width - length);
    if (sign != '\0' && line_has_room(line, 1))
        *line->at++ = sign;
}

void line_decimal_right(struct line *line, char sign, uint64_t value, size_t width)
{
    align(line, sign, decimal_length(value), width);
    line_decimal(line, value);
}

/* Prints whole microseconds as integers, because the decimal point of %f depends on the locale. */
void line_seconds_right(struct line *line, char sign, uint64_t ticks, double tick_hz, size_t width)
{
    double exact_us = (double)ticks / tick_hz * 1e6;
    uint64_t us = exact_us < 1e18 ? (uint64_t)(exact_us + 0.5) : UINT64_C(1000000000000000000);

    align(line, sign, decimal_length(us / 1000000) + 7, width);
    if (!line_has_room(line, LINE_DECIMAL_BYTES + 7))
        return;
    line->at = write_decimal(line->at, us / 1000000);
    *line->at++ = '.';
    store_eight(line->at, (eight_digits((uint32_t)(us % 1000000)) + ASCII_ZEROS) >> 16);
    line->at += 6;
}

/* Returns the eight hexadecimal digits of a number as characters; the first digit is the lowest byte. */
static uint64_t hex_text(uint32_t value)
{
    uint64_t bytes = value >> 24 | (value >> 8 & 0xFF00) | (value << 8 & 0xFF0000) | value << 24, letters;

    bytes = (bytes << 16 | bytes) & UINT64_C(0x0000FFFF0000FFFF);
    bytes = (bytes << 8 | bytes) & UINT64_C(0x00FF00FF00FF00FF);
    bytes = (bytes >> 4 | bytes << 8) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    letters = (bytes + UINT64_C(0x0606060606060606)) >> 4 & UINT64_C(0x0101010101010101);
    return bytes + ASCII_ZEROS + letters * ('a' - '0' - 10);
}

void line_hex(struct line *line, uint32_t value, unsigned digits)
{
    unsigned length = (35 - (unsigned)__builtin_clz(value | 1)) / 4;

    if (length < digits)
        length = digits < 8 ? digits : 8;
    if (!line_has_room(line, 2 + length))
        return;
    memcpy(line->at, "0x", 2);
    store_eight(line->at + 2, hex_text(value) >> 8 * (8 - length));
    line->at += 2 + length;
}

void line_ipv4(struct line *line, uint32_t address)
{
    for (unsigned shift = 32; shift > 0; shift -= 8) {
        line_decimal(line, address >> (shift - 8) & 0xFF);
        if (shift > 8)
            line_text(line, ".");
    }
}

void line_color(struct line *line, const char *sequence)
{
    size_t length = strlen(sequence);

    if (!line_has_room(line, length))
        return;
    line_text(line, sequence);
    line->hidden += length;
}

/* Returns the code point of the character at text. The character is valid UTF-8 of `length` bytes, at most 3. */
static unsigned code_point(const char *text, size_t length)
{
    static const unsigned first_bits[] = {0, 0x7F, 0x1F, 0x0F};
    unsigned code = (unsigned char)text[0] & first_bits[length];

    for (size_t i = 1; i < length; i++)
        code = code << 6 | ((unsigned char)text[i] & 0x3Fu);
    return code;
}

/*
 * Returns true if the character controls the direction of the text around it (Unicode: Bidi_Control). With such a
 * character a name could look like another name.
 */
static bool turns_direction(unsigned code)
{
    return code == 0x061C || code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069);
}

/*
 * Returns the length of the character at text if a terminal may get it unchanged, otherwise 0. C1 controls start escape
 * sequences on some terminals, even as UTF-8.
 */
static size_t printable(const char *text)
{
    unsigned char first = (unsigned char)text[0];
    size_t length;

    if (first >= 0x20 && first < 0x7F)
        return 1;
    length = utf8_length(text);
    if (length == 1 || (length == 2 && first == 0xC2 && (unsigned char)text[1] < 0xA0))
        return 0;
    if ((length == 2 || length == 3) && turns_direction(code_point(text, length)))
        return 0;
    return length;
}

bool line_is_plain(const char *text, bool blanks)
{
    bool blank_before = true;

    for (size_t length; *text != '\0'; text += length) {
        length = printable(text);
        if (length == 0 || strchr("\"\\=", *text) != NULL)
            return false;
        if (*text == ' ' && (!blanks || blank_before || text[1] == '\0'))
            return false;
        blank_before = *text == ' ';
    }
    return true;
}

/* Appends one character, which takes one column. */
static void append_character(struct line *line, const char *text, size_t length)
{
    if (!line_has_room(line, length))
        return;
    memcpy(line->at, text, length);
    line->at += length;
    line->hidden += length - 1;
}

/* Appends \xNN. */
static void append_escaped(struct line *line, unsigned char byte)
{
    char escaped[] = {'\\', 'x', hex_digits[byte >> 4], hex_digits[byte & 15], '\0'};

    line_text(line, escaped);
}

/* Writes the text escaped for a terminal. quote: the text that replaces each quote. */
static void append_visible(struct line *line, const char *text, const char *quote)
{
    for (size_t length; *text != '\0'; text += length) {
        length = printable(text);
        if (length == 0) {
            append_escaped(line, (unsigned char)*text);
            length = 1;
        } else if (*text == '"') {
            line_text(line, quote);
        } else if (*text == '\\') {
            line_text(line, "\\\\");
        } else {
            append_character(line, text, length);
        }
    }
}

void line_terminal(struct line *line, const char *text)
{
    append_visible(line, text, "\\\"");
}

void line_csv(struct line *line, const char *text)
{
    append_visible(line, text, "\"\"");
}

/* Writes the first character of text as part of a JSON string. Returns the number of bytes that this character has in
 * text. */
static size_t json_character(struct line *line, const char *text)
{
    size_t length = utf8_length(text);
    unsigned code = (unsigned char)text[0];

    if (length == 0) {
        line_text(line, "\\ufffd");
        return 1;
    }
    if (printable(text) == 0) {
        code = code_point(text, length);
        char escaped[] = {'\\',
                          'u',
                          hex_digits[code >> 12],
                          hex_digits[code >> 8 & 15],
                          hex_digits[code >> 4 & 15],
                          hex_digits[code & 15],
                          '\0'};

        line_text(line, escaped);
        return length;
    }
    if (code == '"')
        line_text(line, "\\\"");
    else if (code == '\\')
        line_text(line, "\\\\");
    else
        append_character(line, text, length);
    return length;
}

void line_json(struct line *line, const char *text)
{
    line_text(line, "\"");
    while (*text != '\0')
        text += json_character(line, text);
    line_text(line, "\"");
}

/* ---- numbers with a fraction, without floating point ---- */

#define DIGITS_MAX 9 /* significant digits of a binary32 */

void line_scaled(struct line *line, uint32_t value, unsigned decimals)
{
    char fraction[16];
    uint32_t unit = 1;

    for (unsigned i = 0; i < decimals && i < 9; i++)
        unit *= 10;
    line_decimal(line, value / unit);
    if (decimals == 0)
        return;
    (void)snprintf(fraction, sizeof(fraction), ".%0*" PRIu32, (int)decimals, value % unit);
    line_text(line, fraction);
}

/* Writes the number 0.digits * 10^point. Adds zeros if a few zeros are enough; otherwise writes an exponent. */
static void write_digits(struct line *line, const char *digits, int point)
{
    int count = (int)strlen(digits);
    char text[40];

    if (point > -4 && point <= 0)
        (void)snprintf(text, sizeof(text), "0.%.*s%s", -point, "000", digits);
    else if (point > 0 && point <= DIGITS_MAX && count <= point)
        (void)snprintf(text, sizeof(text), "%s%.*s", digits, point - count, "00000000");
    else if (point > 0 && point <= DIGITS_MAX)
        (void)snprintf(text, sizeof(text), "%.*s.%s", point, digits, digits + point);
    else
        (void)snprintf(text, sizeof(text), "%.1s%s%se%d", digits, count > 1 ? "." : "", digits + 1, point - 1);
    line_text(line, text);
}

/* Uses the digits of %e, but not its decimal point, because the decimal point depends on the locale. */
void line_float(struct line *line, uint32_t bits)
{
    char printed[32], digits[DIGITS_MAX + 1] = "";
    int exponent = 0, sign = 1, count = 0;
    const char *at = printed;
    float value;

    memcpy(&value, &bits, sizeof(value));
    (void)snprintf(printed, sizeof(printed), "%.*e", DIGITS_MAX - 1, (double)value);
    for (; *at != 'e' && *at != '\0'; at++) {
        if (*at >= '0' && *at <= '9' && count < DIGITS_MAX)
            digits[count++] = *at;
    }
    for (; *at != '\0'; at++) {
        if (*at == '-')
            sign = -1;
        else if (*at >= '0' && *at <= '9')
            exponent = 10 * exponent + (*at - '0');
    }
    while (count > 1 && digits[count - 1] == '0')
        digits[--count] = '\0';
    if (bits >> 31 != 0)
        line_text(line, "-");
    write_digits(line, digits, sign * exponent + 1);
}

/* ---- one text of the target, made safe for a terminal, for JSON and for XML ---- */

#define TEXT_BYTES_MAX 1024u /* a text of this length fits into a line, even with six characters for each byte */

_Static_assert(TXTAP_ESCAPED_JSON_BYTES(TEXT_BYTES_MAX) < LINE_BYTES - LINE_ENDING_BYTES, "a whole text fits");

/* Copies the line to out. Cuts the line if it does not fit. Returns out. */
static char *copy_line(char *out, size_t size, const struct line *line)
{
    size_t length = (size_t)(line->at - line->start);

    if (length >= size)
        length = size - 1;
    memcpy(out, line->start, length);
    out[length] = '\0';
    return out;
}

char *txtap_escape_terminal(char *out, size_t size, const char *text)
{
    char room[LINE_ROOM_BYTES];
    struct line line;

    line_start(&line, room);
    line_terminal(&line, text);
    return copy_line(out, size, &line);
}

char *txtap_escape_json(char *out, size_t size, const char *text)
{
    char room[LINE_ROOM_BYTES];
    struct line line;

    line_start(&line, room);
    line_json(&line, strlen(text) <= TEXT_BYTES_MAX ? text : "");
    return (size_t)(line.at - line.start) < size ? copy_line(out, size, &line) : strcpy(out, "\"\"");
}

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/* Returns true if this UTF-8 character is valid in XML 1.0. */
static bool is_xml(const char *text, size_t length)
{
    unsigned char first = (unsigned char)text[0];

    if (length == 1)
        return first >= 0x20 || first == '\t' || first == '\n' || first == '\r';
    return memcmp(text, "\xef\xbf\xbe", 3) != 0 && memcmp(text, "\xef\xbf\xbf", 3) != 0; /* U+FFFE, U+FFFF */
}

/*
 * Returns the replacement for a character that has a meaning in XML. Also replaces line ends, because an attribute
 * would show a line end as a blank. NULL: no replacement.
 */
static const char *xml_reference(char character)
{
    static const char *const references[] = {
        ['\t'] = "&#9;", ['\n'] = "&#10;", ['\r'] = "&#13;", ['"'] = "&quot;",
        ['&'] = "&amp;", ['\''] = "&#39;", ['<'] = "&lt;",   ['>'] = "&gt;",
    };
    unsigned char byte = (unsigned char)character;

    return byte < sizeof references / sizeof *references ? references[byte] : NULL;
}

char *txtap_escape_xml(char *out, size_t size, const char *text)
{
    size_t at = 0;

    while (*text != '\0') {
        size_t length = utf8_length(text), bytes = length;
        const char *piece = xml_reference(*text);

        if (length == 0 || !is_xml(text, length))
            piece = REPLACEMENT;
        if (piece != NULL)
            bytes = strlen(piece);
        if (bytes >= size - at)
            break;
        memcpy(out + at, piece != NULL ? piece : text, bytes);
        at += bytes;
        text += length > 0 ? length : 1;
    }
    out[at] = '\0';
    return out;
}
