/* SPDX-License-Identifier: MIT */
/* Parses checks, and compares figures with their limits. If a gap or a missing fact leaves a check open, its result is
 * undecided, never ok. */
#include "txtap/check.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "figures/check_names.h"
#include "figures/named.h"
#include "model/model.h"
#include "txtap/inner/rate.h"

/* ---- parsing ---- */

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

/* ---- comparing ---- */

static double power_of_ten(unsigned exponent)
{
    double power = 1;

    while (exponent-- > 0)
        power *= 10; /* exact up to 10^22 */
    return power;
}

bool txtap_check_needs_rate(const struct txtap_check *check)
{
    return check->unit == TXTAP_CHECK_SECONDS || check->unit == TXTAP_CHECK_PER_SECOND;
}

/*
 * Returns true if a violation is final. A figure that only grows cannot go below an upper limit again. A figure that
 * only shrinks cannot go above a lower limit again.
 */
bool txtap_check_is_lasting(const struct txtap_check *check)
{
    bool is_upper = check->op == TXTAP_CHECK_LESS || check->op == TXTAP_CHECK_LESS_EQUAL ||
                    (check->op == TXTAP_CHECK_EQUAL && check->digits == 0);
    bool is_lower = check->op == TXTAP_CHECK_GREATER || check->op == TXTAP_CHECK_GREATER_EQUAL;

    switch (check->stat) {
    case TXTAP_STAT_N:
    case TXTAP_STAT_MAX:
    case TXTAP_STAT_SUM:
        return is_upper;
    case TXTAP_STAT_MIN:
        return is_lower;
    case TXTAP_STAT_VALUE:
        if (check->id == TXTAP_FIGURE_LAST_VALUE)
            return false;
        if (check->unit == TXTAP_CHECK_PERCENT) /* other shares can also fall, because their time base grows */
            return is_lower && check->id == TXTAP_FIGURE_STACK;
        return is_upper;
    default:
        return false;
    }
}

/*
 * Computes the limit with one multiplication and one division. The limit is exact if both results are integers below
 * 2^53. For times this is the usual case.
 */
double txtap_check_limit(const struct txtap_check *check, double tick_hz)
{
    double digits = (double)check->digits;

    if (check->unit == TXTAP_CHECK_SECONDS)
        digits *= tick_hz;
    digits /= power_of_ten(check->decimals);
    return check->negative ? -digits : digits;
}

enum txtap_verdict txtap_check_judge(enum txtap_check_operator op, const struct txtap_measure *measure, double limit)
{
    double lower = measure->lower, upper = measure->upper;
    bool holds = false, violated = false; /* whether all possible values fulfil, or violate, the condition */

    if (!measure->known || !(lower <= upper))
        return TXTAP_VERDICT_UNDECIDED;
    switch (op) {
    case TXTAP_CHECK_LESS:
        holds = upper < limit;
        violated = lower >= limit;
        break;
    case TXTAP_CHECK_LESS_EQUAL:
        holds = upper <= limit;
        violated = lower > limit;
        break;
    case TXTAP_CHECK_GREATER:
        holds = lower > limit;
        violated = upper <= limit;
        break;
    case TXTAP_CHECK_GREATER_EQUAL:
        holds = lower >= limit;
        violated = upper < limit;
        break;
    case TXTAP_CHECK_EQUAL:
        holds = lower == limit && upper == limit;
        violated = upper < limit || lower > limit;
        break;
    case TXTAP_CHECK_NOT_EQUAL:
        holds = upper < limit || lower > limit;
        violated = lower == limit && upper == limit;
        break;
    }
    return holds ? TXTAP_VERDICT_OK : violated ? TXTAP_VERDICT_FAILED : TXTAP_VERDICT_UNDECIDED;
}

void txtap_check_result_init(struct txtap_check_result *result)
{
    memset(result, 0, sizeof(*result));
}

/*
 * Returns true if the subject is a thread without a known name, and the pattern matches the name of some thread at the
 * same address.
 */
static bool subject_may_match(const char *pattern, const struct txtap_subject *subject, const char *subject_name)
{
    return subject->lives != NULL && *subject_name == '\0' &&
           model_may_be_named(subject->lives, subject->number, pattern);
}

static bool subject_matches(const char *pattern, const struct txtap_subject *subject, const char *subject_name)
{
    return subject->kind != TXTAP_SUBJECT_SYSTEM && is_named(pattern, subject->number, subject_name);
}

/* Returns true if the figure is about the whole trace. A figure with a detail is about a part of the trace. */
static bool is_of_trace(const struct txtap_figure *figure)
{
    return figure->subject.kind == TXTAP_SUBJECT_SYSTEM && *figure->detail == '\0';
}

/*
 * Returns true if the check is about the figure. A check without a pattern is about the figure of the whole trace. If
 * the whole trace has no such figure, the check is about all figures with its name.
 */
static bool is_about(const struct txtap_check *check, struct txtap_check_result *result,
                     const struct txtap_figure *figure, const char *subject_name)
{
    if (check->id != figure->id || figure->subject.kind == TXTAP_SUBJECT_UNKNOWN ||
        strcmp(figure->detail, "unknown") == 0)
        return false; /* a figure of an unknown subject proves nothing: gaps add to it */
    if (check->has_pattern)
        return subject_matches(check->pattern, &figure->subject, subject_name);
    if (is_of_trace(figure) && !result->of_system) {
        txtap_check_result_init(result);
        result->of_system = true;
    }
    return is_of_trace(figure) || !result->of_system;
}

/* Returns the rank of a verdict. A worse verdict has a larger rank. */
static unsigned severity(enum txtap_verdict verdict)
{
    return verdict == TXTAP_VERDICT_FAILED ? 2 : verdict == TXTAP_VERDICT_UNDECIDED ? 1 : 0;
}

static bool is_farther(enum txtap_check_operator op, const struct txtap_measure *a, const struct txtap_measure *b)
{
    if (!a->known || !b->known)
        return !a->known && b->known;
    if (op == TXTAP_CHECK_LESS || op == TXTAP_CHECK_LESS_EQUAL)
        return a->value > b->value;
    if (op == TXTAP_CHECK_GREATER || op == TXTAP_CHECK_GREATER_EQUAL)
        return a->value < b->value;
    return false;
}

static void keep_subject(struct txtap_check_result *result, const struct txtap_subject *subject,
                         const char *subject_name)
{
    size_t length = strlen(subject_name);

    if (length >= sizeof(result->name))
        length = sizeof(result->name) - 1;
    memcpy(result->name, subject_name, length);
    result->name[length] = '\0';
    result->subject = *subject;
    result->subject.name = NULL; /* the pointers may be invalid when the result is read */
    result->subject.lives = NULL;
}

static struct txtap_place place_of(const struct txtap_figure *figure, enum txtap_stat stat)
{
    if (stat == TXTAP_STAT_MIN)
        return figure->min_at;
    if (stat == TXTAP_STAT_MAX || stat == TXTAP_STAT_VALUE)
        return figure->max_at;
    return (struct txtap_place){0};
}

/*
 * Returns the number of a figure, with wider bounds if it depends on an inexact rate. The bounds contain the true
 * number if the limit is computed with rate->hz. If the true rate is higher, the same ticks are less time, and the same
 * events are more per second.
 */
static struct txtap_measure at_rate(const struct txtap_check *check, const struct txtap_measure *measure,
                                    const struct txtap_rate *rate)
{
    struct txtap_measure number = *measure;
    double longest, shortest; /* the true time of a measured time of 1 */

    if (!txtap_check_needs_rate(check) || !txtap_rate_is_inexact(rate))
        return number;
    longest = rate->hz / rate->low;
    shortest = rate->hz / rate->high;
    if (check->unit == TXTAP_CHECK_SECONDS) {
        number.lower *= shortest;
        number.upper *= longest;
    } else {
        number.lower /= longest;
        number.upper /= shortest;
    }
    return number;
}

/* Judges the check's condition on a number of a figure. */
static enum txtap_verdict judge(const struct txtap_check *check, const struct txtap_measure *measure,
                                const struct txtap_rate *rate)
{
    struct txtap_measure number = at_rate(check, measure, rate);

    if (txtap_check_needs_rate(check) && rate->how == TXTAP_RATE_UNKNOWN)
        return TXTAP_VERDICT_UNDECIDED;
    return txtap_check_judge(check->op, &number, txtap_check_limit(check, rate->hz));
}

static void take(const struct txtap_check *check, struct txtap_check_result *result, const struct txtap_figure *figure,
                 const char *subject_name, const struct txtap_rate *rate)
{
    const struct txtap_measure *measure = &figure->stat[check->stat];
    enum txtap_verdict verdict = judge(check, measure, rate);

    if (result->matched == 0 || severity(verdict) > severity(result->verdict) ||
        (verdict == result->verdict && is_farther(check->op, measure, &result->measure))) {
        result->verdict = verdict;
        result->measure = verdict == TXTAP_VERDICT_UNDECIDED ? at_rate(check, measure, rate) : *measure;
        result->place = place_of(figure, check->stat);
        keep_subject(result, &figure->subject, subject_name);
    }
    result->matched++;
    result->failed += verdict == TXTAP_VERDICT_FAILED;
    result->undecided += verdict == TXTAP_VERDICT_UNDECIDED;
}

/* Notes that the trace has a subject of the check. The subject may have no figure with the check's name. */
static void note_other(const struct txtap_check *check, struct txtap_check_result *result,
                       const struct txtap_figure *figure, const char *subject_name)
{
    if (check->id == figure->id && is_of_trace(figure))
        result->total = figure->stat[TXTAP_STAT_N];
    if (result->matched > 0 || result->exists || figure->subject.kind != check->about || !check->has_pattern ||
        !subject_matches(check->pattern, &figure->subject, subject_name))
        return;
    result->exists = true;
    keep_subject(result, &figure->subject, subject_name);
}

static void note_perhaps(const struct txtap_check *check, struct txtap_check_result *result,
                         const struct txtap_figure *figure, const char *subject_name, const struct txtap_rate *rate)
{
    const struct txtap_measure *measure = &figure->stat[check->stat];

    if (!check->has_pattern || check->id != figure->id ||
        !subject_may_match(check->pattern, &figure->subject, subject_name))
        return;
    result->perhaps += measure->known ? measure->upper : 0;
    if (judge(check, measure, rate) != TXTAP_VERDICT_OK)
        result->doubtful = true;
}

void txtap_check_figure(const struct txtap_check *check, struct txtap_check_result *result,
                        const struct txtap_figure *figure, const char *subject_name, const struct txtap_rate *rate)
{
    if (is_about(check, result, figure, subject_name)) {
        take(check, result, figure, subject_name, rate);
        return;
    }
    note_other(check, result, figure, subject_name);
    note_perhaps(check, result, figure, subject_name, rate);
}

/* Returns true if the result may change, because threads without a known name may match the pattern. */
static bool is_doubtful(const struct txtap_check *check, const struct txtap_check_result *result,
                        const struct txtap_rate *rate)
{
    struct txtap_measure all = result->measure;

    all.upper += result->perhaps;
    return result->doubtful || (result->perhaps > 0 && judge(check, &all, rate) != TXTAP_VERDICT_OK);
}

/*
 * Judges the value 0 for the check's subject. Call it if the trace has this subject, but the subject has no figure with
 * the check's name.
 */
static void take_none(const struct txtap_check *check, struct txtap_check_result *result, const struct txtap_rate *rate)
{
    struct txtap_figure none = {.id = check->id, .subject = result->subject};
    double upper = result->total.upper - result->total.value; /* maximum number of events that gaps hide */
    char name[sizeof(result->name)];

    if (check->counts && result->total.known) {
        none.stat[TXTAP_STAT_N] = (struct txtap_measure){true, 0, 0, upper};
        none.stat[TXTAP_STAT_RATE] = (struct txtap_measure){upper == 0, 0, 0, 0};
    }
    memcpy(name, result->name, sizeof(name));
    take(check, result, &none, name, rate);
}

/* Returns true if the check can match only one figure. */
static bool is_of_one(const struct txtap_check *check, const struct txtap_check_result *result)
{
    if (!check->has_pattern)
        return result->of_system;
    return check->pattern[strcspn(check->pattern, "*?[")] == '\0' && !check->several;
}

void txtap_check_end(const struct txtap_check *check, struct txtap_check_result *result,
                     const struct txtap_check_trace *trace)
{
    struct txtap_measure hidden = {true, 0, 0, check->unit == TXTAP_CHECK_PERCENT ? 100 : (double)INFINITY};

    if (result->matched == 0 && result->exists)
        take_none(check, result, &trace->rate);
    if (result->matched > 0 && result->verdict == TXTAP_VERDICT_OK && is_doubtful(check, result, &trace->rate))
        result->verdict = TXTAP_VERDICT_UNDECIDED;
    if (check->about == TXTAP_SUBJECT_VARIABLE) /* gaps hide no samples */
        return;
    if (!trace->gaps || result->matched == 0 || result->verdict != TXTAP_VERDICT_OK || is_of_one(check, result))
        return;
    if (check->id == TXTAP_FIGURE_CPU)
        hidden.upper = trace->unseen_percent;
    if (judge(check, &hidden, &trace->rate) != TXTAP_VERDICT_OK)
        result->verdict = TXTAP_VERDICT_UNDECIDED;
}
