/* SPDX-License-Identifier: MIT */
/* The text of a check. Knows its grammar; does not know what the figures are. */
#include <string.h>

#include "base/text.h"
#include "figures/check_names.h"
#include "txtap/check.h"

#define DIGITS_MAX   15u /* of a limit, so that a double holds it exactly */
#define DECIMALS_MAX 9u

static const struct unit {
    const char *name;
    enum txtap_check_unit unit;
    unsigned decimals; /* of the unit in seconds */
} units[] = {
    {"", TXTAP_CHECK_COUNT, 0},      {"%", TXTAP_CHECK_PERCENT, 0},     {"ns", TXTAP_CHECK_SECONDS, 9},
    {"us", TXTAP_CHECK_SECONDS, 6},  {"ms", TXTAP_CHECK_SECONDS, 3},    {"s", TXTAP_CHECK_SECONDS, 0},
    {"ticks", TXTAP_CHECK_TICKS, 0}, {"/s", TXTAP_CHECK_PER_SECOND, 0}, {"bytes", TXTAP_CHECK_BYTES, 0},
};

static const struct {
    const char *text; /* one that begins with another stands before it */
    enum txtap_check_operator op;
} operators[] = {
    {"<=", TXTAP_CHECK_LESS_EQUAL}, {">=", TXTAP_CHECK_GREATER_EQUAL}, {"==", TXTAP_CHECK_EQUAL},
    {"!=", TXTAP_CHECK_NOT_EQUAL},  {"<", TXTAP_CHECK_LESS},           {">", TXTAP_CHECK_GREATER},
};

#define EXPECTED_NAME                                                                                                  \
    "a name: cpu load idle run response wake ready period jitter block hold wait depth stack isr inversion unbounded " \
    "deadlock leak failed lost switches, or another one of a report"

/* The rest of the text. */
struct scanner {
    const char *start, *at;
    struct txtap_check_error *error;
};

static bool fail(const struct scanner *scanner, const char *at, const char *expected)
{
    size_t column = 1;

    for (const char *before = scanner->start; before < at; column++) {
        size_t length = utf8_length(before);

        before += length > 0 ? length : 1;
    }
    *scanner->error = (struct txtap_check_error){column, expected};
    return false;
}

static void skip_blanks(struct scanner *scanner)
{
    scanner->at += strspn(scanner->at, " \t");
}

static bool take_character(struct scanner *scanner, char character)
{
    skip_blanks(scanner);
    if (*scanner->at != character)
        return false;
    scanner->at++;
    return true;
}

/* The word of these characters that stands next; its length may be 0. */
static const char *take_word(struct scanner *scanner, const char *characters, size_t *length)
{
    const char *word;

    skip_blanks(scanner);
    word = scanner->at;
    *length = strspn(word, characters);
    scanner->at += *length;
    return word;
}

static bool is_word(const char *word, size_t length, const char *text)
{
    return strlen(text) == length && memcmp(word, text, length) == 0;
}

static bool take_name(struct scanner *scanner, struct txtap_check *check, const struct check_name **row)
{
    size_t length;
    const char *word = take_word(scanner, "abcdefghijklmnopqrstuvwxyz0123456789_", &length);

    *row = check_name_find(word, length);
    if (*row == NULL)
        return fail(scanner, word, EXPECTED_NAME);
    check->name = (*row)->name;
    check->stat = (*row)->stat;
    check->counts = (*row)->stat == TXTAP_STAT_N;
    check->about = (*row)->about;
    check->several = (*row)->several;
    return true;
}

/* Bytes of the character, or 0 if a terminal must not get it: C0 and C1 controls, what is not UTF-8. */
static size_t printable_length(const char *text)
{
    unsigned char first = (unsigned char)text[0], second = first == 0 ? 0 : (unsigned char)text[1];

    if (first < 0x20 || first == 0x7F || (first == 0xC2 && second < 0xA0))
        return 0;
    return utf8_length(text);
}

/* Up to the first ) without a backslash before it. The backslashes stay: they mean the same in a pattern. */
static bool take_pattern(struct scanner *scanner, struct txtap_check *check)
{
    const char *start;
    size_t length;

    check->has_pattern = take_character(scanner, '(');
    if (!check->has_pattern)
        return true;
    start = scanner->at;
    for (bool literal = false; *scanner->at != '\0' && (literal || *scanner->at != ')');) {
        size_t bytes = printable_length(scanner->at);

        if (bytes == 0)
            return fail(scanner, scanner->at, "a printable character");
        literal = !literal && *scanner->at == '\\';
        scanner->at += bytes;
    }
    length = (size_t)(scanner->at - start);
    if (*scanner->at == '\0')
        return fail(scanner, scanner->at, "a ) at the end of the pattern");
    if (length == 0)
        return fail(scanner, start, "a pattern, or * for all");
    if (length >= sizeof(check->pattern))
        return fail(scanner, start, "a pattern of at most 127 bytes");
    memcpy(check->pattern, start, length);
    check->pattern[length] = '\0';
    scanner->at++;
    return true;
}

static bool take_stat(struct scanner *scanner, struct txtap_check *check)
{
    const char *word;
    size_t length;

    if (!take_character(scanner, '.'))
        return true;
    word = take_word(scanner, "abcdefghijklmnopqrstuvwxyz0123456789", &length);
    if (strcmp(check->name, "stack") == 0 && is_word(word, length, "free"))
        return true; /* what the figure is */
    for (enum txtap_stat stat = TXTAP_STAT_VALUE; stat < TXTAP_STATS; stat++) {
        if (!is_word(word, length, txtap_stat_name(stat)))
            continue;
        check->stat = stat;
        return true;
    }
    return fail(scanner, word, "a statistic: n min mean p50 p95 p99 max sum rate value");
}

static bool take_operator(struct scanner *scanner, struct txtap_check *check)
{
    skip_blanks(scanner);
    for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
        size_t length = strlen(operators[i].text);

        if (strncmp(scanner->at, operators[i].text, length) != 0)
            continue;
        scanner->at += length;
        check->op = operators[i].op;
        return true;
    }
    return fail(scanner, scanner->at, "an operator: < <= > >= == !=");
}

/* Digits without leading zeros, so that 000...01 is not too long, and then decimals without trailing ones. */
static bool take_number(struct scanner *scanner, struct txtap_check *check)
{
    const char *start;
    size_t whole, fraction = 0, significant = 0;

    skip_blanks(scanner);
    start = scanner->at;
    whole = strspn(start, "0123456789");
    if (start[whole] == '.')
        fraction = strspn(start + whole + 1, "0123456789");
    if (whole == 0 || (start[whole] == '.' && fraction == 0))
        return fail(scanner, start, "a number: digits, and a fraction if need be");
    for (const char *at = start; at < start + whole + (fraction > 0) + fraction; at++) {
        if (*at == '.')
            continue;
        significant += significant > 0 || *at != '0';
        if (significant > DIGITS_MAX || fraction > DECIMALS_MAX)
            return fail(scanner, start, "a number of at most 15 digits, 9 of them behind the point");
        check->digits = check->digits * 10 + (unsigned)(*at - '0');
    }
    check->decimals = (unsigned)fraction;
    scanner->at = start + whole + (fraction > 0) + fraction;
    return true;
}

static enum check_dimension dimension_of(const struct txtap_check *check, const struct check_name *row)
{
    return check->stat == TXTAP_STAT_N ? CHECK_COUNT : row->dimension;
}

static bool unit_fits(const struct txtap_check *check, const struct check_name *row, enum txtap_check_unit unit,
                      const char **expected)
{
    if (check->stat == TXTAP_STAT_RATE) {
        *expected = "a rate with its unit, /s";
        return unit == TXTAP_CHECK_PER_SECOND;
    }
    switch (dimension_of(check, row)) {
    case CHECK_SHARE:
        *expected = "a share with its unit, %";
        return unit == TXTAP_CHECK_PERCENT;
    case CHECK_TIME:
        *expected = "a time with its unit: ns us ms s ticks";
        return unit == TXTAP_CHECK_TICKS || unit == TXTAP_CHECK_SECONDS;
    case CHECK_BYTES:
        *expected = "a number of bytes with its unit, bytes";
        return unit == TXTAP_CHECK_BYTES;
    default:
        *expected = "a count, which has no unit";
        return unit == TXTAP_CHECK_COUNT;
    }
}

/* 0 is the same in all units of time. */
static bool is_bare_zero(const struct txtap_check *check, const struct check_name *row, size_t unit_length)
{
    return unit_length == 0 && check->digits == 0 && check->stat != TXTAP_STAT_RATE &&
           dimension_of(check, row) == CHECK_TIME;
}

static bool take_unit(struct scanner *scanner, struct txtap_check *check, const struct check_name *row)
{
    size_t length;
    const char *word = take_word(scanner, "abcdefghijklmnopqrstuvwxyz%/", &length), *expected = NULL;

    check->unit = TXTAP_CHECK_TICKS;
    if (is_bare_zero(check, row, length))
        return true;
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        bool fits = unit_fits(check, row, units[i].unit, &expected);

        if (!fits || !is_word(word, length, units[i].name))
            continue;
        check->unit = units[i].unit;
        check->decimals += units[i].decimals;
        return true;
    }
    return fail(scanner, word, expected);
}

bool txtap_check_parse(struct txtap_check *check, const char *text, struct txtap_check_error *error)
{
    struct scanner scanner = {text, text, error};
    const struct check_name *row = NULL;

    memset(check, 0, sizeof(*check));
    check->text = text;
    if (!take_name(&scanner, check, &row) || !take_pattern(&scanner, check) || !take_stat(&scanner, check) ||
        !take_operator(&scanner, check) || !take_number(&scanner, check) || !take_unit(&scanner, check, row))
        return false;
    skip_blanks(&scanner);
    return *scanner.at == '\0' || fail(&scanner, scanner.at, "nothing behind the check");
}
