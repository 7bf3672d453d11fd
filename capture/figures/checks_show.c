/* SPDX-License-Identifier: MIT */
/* Prints the results of checks for people and for programs. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "figures/checks.h"
#include "figures/figures.h"
#include "txtap/inner/escape.h"
#include "txtap/inner/figure_json.h"

#define QUANTITY_BYTES 48
#define COLUMNS_MAX    48 /* maximum width of the column of checks; the results after longer checks are not aligned */

/* ---- text ---- */

static void show_number(char out[static QUANTITY_BYTES], const struct txtap_check *check, double number, double tick_hz)
{
    switch (check->unit) {
    case TXTAP_CHECK_SECONDS:
        quantity_text(out, number, TXTAP_UNIT_TICKS, tick_hz);
        break;
    case TXTAP_CHECK_TICKS:
        quantity_text(out, number, TXTAP_UNIT_TICKS, 0);
        break;
    case TXTAP_CHECK_PERCENT:
        quantity_text(out, number, TXTAP_UNIT_PERCENT, 0);
        break;
    case TXTAP_CHECK_PER_SECOND:
        snprintf(out, QUANTITY_BYTES, "%.6g/s", number);
        break;
    case TXTAP_CHECK_BYTES:
        quantity_text(out, number, TXTAP_UNIT_BYTES, 0);
        break;
    case TXTAP_CHECK_COUNT:
        quantity_text(out, number, TXTAP_UNIT_COUNT, 0);
        break;
    }
}

/* Writes the measured number. If it is not exact, writes its bounds. */
static void show_measure(char *out, size_t size, const struct check_entry *entry, double tick_hz)
{
    const struct txtap_measure *measure = &entry->result.measure;
    char lower[QUANTITY_BYTES], upper[QUANTITY_BYTES];

    show_number(lower, entry->check, measure->lower, tick_hz);
    show_number(upper, entry->check, measure->upper, tick_hz);
    if (!measure->known)
        snprintf(out, size, entry->check->unit == TXTAP_CHECK_PERCENT ? "not recorded" : "not measured");
    else if (strcmp(lower, upper) == 0)
        snprintf(out, size, "%s", lower);
    else if (isinf(measure->upper))
        snprintf(out, size, ">= %s", lower);
    else if (isinf(measure->lower))
        snprintf(out, size, "<= %s", upper);
    else
        snprintf(out, size, "%s to %s", lower, upper);
}

/* Writes " of NAME", or "" for the whole trace. */
static void show_subject(char *out, size_t size, const struct txtap_check_result *result)
{
    char name[TXTAP_ESCAPED_BYTES(TXTAP_CHECK_SUBJECT_BYTES)];

    if (result->subject.kind == TXTAP_SUBJECT_SYSTEM)
        snprintf(out, size, "%s", "");
    else if (result->name[0] != '\0')
        snprintf(out, size, " of %s", txtap_escape_terminal(name, sizeof name, result->name));
    else if (result->subject.kind == TXTAP_SUBJECT_INTERRUPT)
        snprintf(out, size, " of interrupt %" PRIu32, result->subject.number);
    else if (result->subject.kind == TXTAP_SUBJECT_CORE)
        snprintf(out, size, " of core %" PRIu32, result->subject.number);
    else
        snprintf(out, size, " of 0x%08" PRIx32, result->subject.number);
}

/* Returns words that say at which moment the measured time ends. A wait for a core ends when the kernel chooses the
 * thread, some microseconds before the thread's code continues. */
static const char *stretch(const struct txtap_check *check)
{
    bool is_wait = check->id == TXTAP_FIGURE_WAKE || check->id == TXTAP_FIGURE_FIRST_RUN ||
                   check->id == TXTAP_FIGURE_READY || check->id == TXTAP_FIGURE_WAKE_BY;

    return is_wait && check->stat != TXTAP_STAT_N && check->stat != TXTAP_STAT_RATE ? " until chosen" : "";
}

static void show_others(char *out, size_t size, const struct txtap_check_result *result)
{
    if (result->matched > 1 && result->failed > 0)
        snprintf(out, size, " (%" PRIu64 " of %" PRIu64 " fail)", result->failed, result->matched);
    else if (result->matched > 1 && result->undecided > 0)
        snprintf(out, size, " (%" PRIu64 " of %" PRIu64 " unknown)", result->undecided, result->matched);
    else
        snprintf(out, size, "%s", "");
}

double checks_limit(const struct txtap_check *check, double tick_hz)
{
    return tick_hz == 0 && check->unit == TXTAP_CHECK_SECONDS ? (double)NAN : txtap_check_limit(check, tick_hz);
}

/* Writes "213 us of control until chosen, event 1234 at 0.5 s (2 of 7 fail)" */
static void show_result(char out[static CHECKS_RESULT_BYTES], const struct check_entry *entry, double tick_hz)
{
    const char *hint = tick_hz == 0 && txtap_check_needs_rate(entry->check)
                           ? ": the rate of the time stamps is not known: give --hz, or a limit in ticks"
                           : "";
    char measure[2 * QUANTITY_BYTES + 8], subject[300], place[PLACE_BYTES] = "", others[80];
    const char *of = entry->result.measure.known ? stretch(entry->check) : "";

    show_measure(measure, sizeof measure, entry, tick_hz);
    show_subject(subject, sizeof subject, &entry->result);
    if (entry->result.place.known)
        place_text(place, &entry->result.place, tick_hz);
    show_others(others, sizeof others, &entry->result);
    snprintf(out, CHECKS_RESULT_BYTES, "%s%s%s%s%s%s%s", measure, subject, of, *place != '\0' ? ", " : "", place,
             others, hint);
}

void checks_result_text(const struct checks *checks, size_t i, char text[static CHECKS_RESULT_BYTES])
{
    show_result(text, &checks->entries[i], checks->rate.hz);
}

_Static_assert(CHECKS_RESULT_BYTES >= TXTAP_WHY_TEXT_BYTES, "a cause fits");

bool checks_cause_text(const struct checks *checks, size_t i, char text[static CHECKS_RESULT_BYTES])
{
    const struct check_entry *entry = &checks->entries[i];

    return checks->figures != NULL && entry->result.verdict == TXTAP_VERDICT_FAILED && entry->result.place.known &&
           figures_cause(checks->figures, entry->check->id, &entry->result.subject, entry->result.place.seq, text);
}

void checks_show_text(const struct checks *checks, FILE *out)
{
    static const char *const words[] = {
        [TXTAP_VERDICT_OK] = "ok", [TXTAP_VERDICT_FAILED] = "FAIL", [TXTAP_VERDICT_UNDECIDED] = "unknown"};
    size_t columns = 0;

    for (size_t i = 0; i < checks->count; i++) {
        size_t length = strlen(checks->entries[i].check->text);

        if (length > columns && length <= COLUMNS_MAX)
            columns = length;
    }
    for (size_t i = 0; i < checks->count; i++) {
        const struct check_entry *entry = &checks->entries[i];
        char result[CHECKS_RESULT_BYTES], cause[CHECKS_RESULT_BYTES];

        show_result(result, entry, checks->rate.hz);
        fprintf(out, "%-7s  %-*s  %s\n", words[entry->result.verdict], (int)columns, entry->check->text, result);
        if (checks_cause_text(checks, i, cause))
            fprintf(out, "%-7s  why: %s\n", "", cause);
    }
}

/* ---- JSON ---- */

const char *checks_unit(const struct txtap_check *check)
{
    switch (check->unit) {
    case TXTAP_CHECK_PERCENT:
        return "percent";
    case TXTAP_CHECK_TICKS:
    case TXTAP_CHECK_SECONDS:
        return "ticks";
    case TXTAP_CHECK_PER_SECOND:
        return "per_second";
    case TXTAP_CHECK_BYTES:
        return "bytes";
    default:
        return "count";
    }
}

const char *checks_verdict(enum txtap_verdict verdict)
{
    static const char *const words[] = {
        [TXTAP_VERDICT_OK] = "ok", [TXTAP_VERDICT_FAILED] = "failed", [TXTAP_VERDICT_UNDECIDED] = "unknown"};

    return words[verdict];
}

static void put_entry(FILE *out, const struct check_entry *entry, double tick_hz)
{
    const struct txtap_check_result *result = &entry->result;

    fputc('{', out);
    json_put_text(out, "check", entry->check->text);
    fprintf(out, ",\"verdict\":\"%s\",", checks_verdict(result->verdict));
    json_put_text(out, "subject", result->name);
    if (result->subject.kind != TXTAP_SUBJECT_SYSTEM)
        fprintf(out, ",\"number\":%" PRIu32, result->subject.number);
    if (result->subject.life > 0)
        fprintf(out, ",\"life\":%" PRIu32, result->subject.life);
    fprintf(out, ",\"unit\":\"%s\"", checks_unit(entry->check));
    quantity_put_member(out, "limit", checks_limit(entry->check, tick_hz));
    if (result->measure.known) {
        quantity_put_member(out, "value", result->measure.value);
        quantity_put_member(out, "lower", result->measure.lower);
        quantity_put_member(out, "upper", result->measure.upper);
    }
    if (result->place.known)
        fprintf(out, ",\"event\":%" PRIu64 ",\"ticks\":%" PRIu64, result->place.seq, result->place.ticks);
    fprintf(out, ",\"matched\":%" PRIu64 ",\"failed\":%" PRIu64 ",\"undecided\":%" PRIu64 "}", result->matched,
            result->failed, result->undecided);
}

void checks_show_json(const struct checks *checks, FILE *out)
{
    fputc('[', out);
    for (size_t i = 0; i < checks->count; i++) {
        if (i > 0)
            fputc(',', out);
        put_entry(out, &checks->entries[i], checks->rate.hz);
    }
    fputc(']', out);
}

/* ---- CSV ---- */

static void put_numbers(FILE *out, const struct check_entry *entry, double tick_hz)
{
    const struct txtap_measure *measure = &entry->result.measure;
    const double numbers[] = {checks_limit(entry->check, tick_hz), measure->value, measure->lower, measure->upper};

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        fputc(',', out);
        if (i == 0 || measure->known)
            quantity_put(out, numbers[i], "");
    }
}

static void put_row(FILE *out, const struct check_entry *entry, double tick_hz)
{
    const struct txtap_check_result *result = &entry->result;
    char text[TXTAP_ESCAPED_BYTES(TXTAP_CHECK_SUBJECT_BYTES)];

    csv_text(out, entry->check->text);
    fprintf(out, ",%s,%s,", checks_verdict(result->verdict), txtap_subject_kind_name(&result->subject));
    csv_text(out, txtap_subject_text(&result->subject, result->name, text, sizeof text));
    fprintf(out, ",%s", checks_unit(entry->check));
    put_numbers(out, entry, tick_hz);
    if (result->place.known)
        fprintf(out, ",%" PRIu64 ",%" PRIu64, result->place.seq, result->place.ticks);
    else
        fputs(",,", out);
    fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\r\n", result->matched, result->failed, result->undecided);
}

void checks_show_csv(const struct checks *checks, FILE *out)
{
    fputs("check,verdict,kind,subject,unit,limit,value,lower,upper,event,ticks,matched,failed,undecided\r\n", out);
    for (size_t i = 0; i < checks->count; i++)
        put_row(out, &checks->entries[i], checks->rate.hz);
}
