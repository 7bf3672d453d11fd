/* SPDX-License-Identifier: MIT */
/* Parses the texts of checks. check.c judges them. */
#include "txtap/check.h"

#include <string.h>

#include "base/text.h"
#include "figures/check_names.h"

#define DIGITS_MAX   15u /* most digits of a limit; a double represents each such number exactly */
#define DECIMALS_MAX 9u

static const struct unit {
    const char *name;
    enum txtap_check_unit unit;
    unsigned decimals; /* decimal places of the unit; 3 for ms */
} units[] = {
    {"", TXTAP_CHECK_COUNT, 0},      {"%", TXTAP_CHECK_PERCENT, 0},     {"ns", TXTAP_CHECK_SECONDS, 9},
    {"us", TXTAP_CHECK_SECONDS, 6},  {"ms", TXTAP_CHECK_SECONDS, 3},    {"s", TXTAP_CHECK_SECONDS, 0},
    {"ticks", TXTAP_CHECK_TICKS, 0}, {"/s", TXTAP_CHECK_PER_SECOND, 0}, {"bytes", TXTAP_CHECK_BYTES, 0},
};

static const struct {
    const char *text; /* "<=" must precede "<", because the first match is used */
    enum txtap_check_operator op;
} operators[] = {
    {"<=", TXTAP_CHECK_LESS_EQUAL}, {">=", TXTAP_CHECK_GREATER_EQUAL}, {"==", TXTAP_CHECK_EQUAL},
    {"!=", TXTAP_CHECK_NOT_EQUAL},  {"<", TXTAP_CHECK_LESS},           {">", TXTAP_CHECK_GREATER},
};

#define EXPECTED_NAME                                                                                                  \
    "a name: cpu load idle run response wake ready period jitter block hold wait depth stack isr inversion unbounded " \
    "deadlock leak failed lost switches value state, or another one of a report"

/* The text that is not parsed yet. */
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

/* Returns the next word. All characters of the word are in `characters`. *length: length of the word, may be 0. */
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
    check->id = (*row)->id;
    check->name = (*row)->name;
    check->stat = (*row)->stat;
    check->counts = (*row)->stat == TXTAP_STAT_N;
    check->about = (*row)->about;
    check->several = (*row)->several;
    return true;
}

/*
 * Returns the length of the next character in bytes. Returns 0 for characters that a terminal must not receive: C0 and
 * C1 controls, and invalid UTF-8.
 */
static size_t printable_length(const char *text)
{
    unsigned char first = (unsigned char)text[0], second = first == 0 ? 0 : (unsigned char)text[1];

    if (first < 0x20 || first == 0x7F || (first == 0xC2 && second < 0xA0))
        return 0;
    return utf8_length(text);
}

/*
 * Takes the pattern, which ends at the first ) without a backslash before it. The result keeps the backslashes, because
 * the pattern matcher interprets them.
 */
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
    if (check->id == TXTAP_FIGURE_STACK && is_word(word, length, "free"))
        return true;                                                        /* "free" means the figure's value */
    if (check->id == TXTAP_FIGURE_STACK && is_word(word, length, "used")) { /* the value of another figure */
        check->id = TXTAP_FIGURE_STACK_USED;
        check->name = "stack_used";
        return true;
    }
    for (enum txtap_stat stat = TXTAP_STAT_VALUE; stat < TXTAP_STATS; stat++) {
        if (!is_word(word, length, txtap_stat_name(stat)))
            continue;
        check->stat = stat;
        return true;
    }
    return fail(scanner, word, "a statistic: n min mean p50 p95 p99 max sum rate value");
}

/* Chooses the statistic for the value of a variable: a limit applies to all samples. */
static bool choose_stat(const struct scanner *scanner, const char *at, struct txtap_check *check)
{
    if (check->id != TXTAP_FIGURE_VALUE || check->stat != TXTAP_STAT_VALUE)
        return true;
    if (check->op == TXTAP_CHECK_EQUAL || check->op == TXTAP_CHECK_NOT_EQUAL)
        return fail(scanner, at, "< <= > >=; for == and != a statistic: .min .max .mean .n");
    check->stat =
        check->op == TXTAP_CHECK_LESS || check->op == TXTAP_CHECK_LESS_EQUAL ? TXTAP_STAT_MAX : TXTAP_STAT_MIN;
    return true;
}

static bool take_operator(struct scanner *scanner, struct txtap_check *check)
{
    skip_blanks(scanner);
    for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
        size_t length = strlen(operators[i].text);

        if (strncmp(scanner->at, operators[i].text, length) != 0)
            continue;
        check->op = operators[i].op;
        scanner->at += length;
        return choose_stat(scanner, scanner->at - length, check);
    }
    return fail(scanner, scanner->at, "an operator: < <= > >= == !=");
}

/* Takes a number: digits and decimals. Leading zeros do not count as digits, so that 000...01 is not too long. */
static bool take_number(struct scanner *scanner, struct txtap_check *check, const struct check_name *row)
{
    const char *start;
    size_t whole, fraction = 0, significant = 0;

    check->negative = row->dimension == CHECK_NUMBER && take_character(scanner, '-');
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
    case CHECK_NUMBER:
        *expected = "a number, which has no unit";
        return unit == TXTAP_CHECK_COUNT;
    default:
        *expected = "a count, which has no unit";
        return unit == TXTAP_CHECK_COUNT;
    }
}

/* Returns true for a time of 0 without a unit: 0 is the same in all units of time. */
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
        !take_operator(&scanner, check) || !take_number(&scanner, check, row) || !take_unit(&scanner, check, row))
        return false;
    skip_blanks(&scanner);
    return *scanner.at == '\0' || fail(&scanner, scanner.at, "nothing behind the check");
}
