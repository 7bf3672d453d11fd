/* SPDX-License-Identifier: MIT */
/*
 * Writes results of checks in JUnit's format, for CI servers. The short form has the measured value of each check that
 * is not ok. The long form also has times, numbers and sentences. A check that is unknown is an error, like a test that
 * could not run. Names from the target are escaped.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text_maker.h"
#include "figures/checks.h"
#include "figures/verdicts.h"
#include "output/output.h"
#include "txtap/inner/escape.h"

static void put_xml(FILE *out, const char *text)
{
    static char escaped[TXTAP_ESCAPED_XML_BYTES(VERDICT_TEXT_BYTES)];

    fputs(txtap_escape_xml(escaped, sizeof escaped, text), out);
}

/* ---- parts of both forms ---- */

/* Begins the document, up to the last attribute of the suite. */
static void begin_suite(FILE *out, size_t tests, size_t failures, size_t errors)
{
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuite name=\"txtap\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\"",
            tests, failures, errors);
}

/* Begins a case, up to the last attribute. kind: the figure's name; NULL: the class is only "txtap". */
static void begin_case(FILE *out, const char *kind, const char *check)
{
    fprintf(out, "  <testcase classname=\"txtap%s%s\" name=\"", kind != NULL ? "." : "", kind != NULL ? kind : "");
    put_xml(out, check);
    fputc('"', out);
}

static const char *element_of(enum txtap_verdict verdict)
{
    return verdict == TXTAP_VERDICT_FAILED ? "failure" : "error";
}

/* ---- the short form ---- */

static size_t count_entries(const struct checks *checks, enum txtap_verdict verdict)
{
    size_t count = 0;

    for (size_t i = 0; i < checks->count; i++)
        count += checks->entries[i].result.verdict == verdict;
    return count;
}

static void put_entry(FILE *out, const struct checks *checks, size_t i)
{
    const struct check_entry *entry = &checks->entries[i];
    char result[CHECKS_RESULT_BYTES];

    begin_case(out, NULL, entry->check->text);
    if (entry->result.verdict == TXTAP_VERDICT_OK) {
        fputs("/>\n", out);
        return;
    }
    checks_result_text(checks, i, result);
    fprintf(out, ">\n    <%s message=\"", element_of(entry->result.verdict));
    put_xml(out, result);
    if (checks_cause_text(checks, i, result)) {
        fputs("; why: ", out);
        put_xml(out, result);
    }
    fputs("\"/>\n  </testcase>\n", out);
}

void checks_show_junit(const struct checks *checks, FILE *out)
{
    begin_suite(out, checks->count, count_entries(checks, TXTAP_VERDICT_FAILED),
                count_entries(checks, TXTAP_VERDICT_UNDECIDED));
    fputs(">\n", out);
    for (size_t i = 0; i < checks->count; i++)
        put_entry(out, checks, i);
    fputs("</testsuite>\n", out);
}

enum txtap_status checks_write_junit(const struct checks *checks, const char *path, struct error *error)
{
    struct text_maker maker;
    enum txtap_status status;

    if (text_maker_begin(&maker))
        checks_show_junit(checks, maker.out);
    if (!text_maker_end(&maker))
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the results of the checks");
    status = output_whole_file(path, maker.text, maker.length, true, error);
    free(maker.text);
    return status;
}

/* ---- the long form ---- */

static void put_property(FILE *out, const char *name, double number)
{
    if (isfinite(number)) {
        fprintf(out, "      <property name=\"%s\" value=\"", name);
        quantity_put(out, number, "");
        fputs("\"/>\n", out);
    }
}

static void put_properties(FILE *out, const struct verdict *verdict, double tick_hz)
{
    bool is_time = verdict->measured && strcmp(verdict->number.unit, "ticks") == 0 && tick_hz > 0;
    double scale = is_time ? 1 / tick_hz : 1;

    if (!verdict->measured)
        return;
    fputs("    <properties>\n", out);
    put_property(out, "value", verdict->number.value * scale);
    put_property(out, "lower", verdict->number.lower * scale);
    put_property(out, "upper", verdict->number.upper * scale);
    put_property(out, "limit", verdict->number.limit * scale);
    fprintf(out, "      <property name=\"unit\" value=\"%s\"/>\n", is_time ? "seconds" : verdict->number.unit);
    if (verdict->place.known)
        fprintf(out, "      <property name=\"event\" value=\"%" PRIu64 "\"/>\n", verdict->place.seq);
    fputs("    </properties>\n", out);
}

static void put_lines(FILE *out, const struct verdict *verdict)
{
    put_xml(out, verdict->check);
    fputs(": ", out);
    put_xml(out, verdict->text);
    for (size_t i = 0; i < verdict->line_count; i++) {
        fputc('\n', out);
        put_xml(out, verdict->lines[i]);
    }
}

static void put_verdict(FILE *out, const struct verdict *verdict, double tick_hz, double seconds)
{
    const char *element = element_of(verdict->verdict);

    begin_case(out, verdict->kind, verdict->check);
    fprintf(out, " time=\"%.6f\">\n", seconds);
    put_properties(out, verdict, tick_hz);
    if (verdict->verdict != TXTAP_VERDICT_OK) {
        fprintf(out, "    <%s type=\"%s\" message=\"", element, verdict->kind);
        put_xml(out, verdict->text);
        fputs("\">", out);
        put_lines(out, verdict);
        fprintf(out, "</%s>\n", element);
    }
    fputs("    <system-out>", out);
    put_lines(out, verdict);
    fputs("</system-out>\n  </testcase>\n", out);
}

static void put_timestamp(FILE *out, uint64_t us)
{
    time_t seconds = (time_t)(us / 1000000);
    char text[32];
    struct tm utc;

    if (gmtime_r(&seconds, &utc) != NULL && strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc) > 0)
        fprintf(out, " timestamp=\"%s\"", text);
}

/* Puts the properties of the trace. */
static void put_trace(FILE *out, const struct figures *figures)
{
    fputs("  <properties>\n    <property name=\"trace\" value=\"", out);
    put_xml(out, figures->trace);
    fprintf(out,
            "\"/>\n    <property name=\"events\" value=\"%" PRIu64 "\"/>\n"
            "    <property name=\"lost\" value=\"%s%" PRIu64 "\"/>\n  </properties>\n",
            figures->summary.events, figures->summary.lost_exact ? "" : "at least ", figures->summary.lost);
}

void verdicts_show_junit(const struct verdicts *verdicts, FILE *out)
{
    const struct figures *figures = verdicts->figures;
    double tick_hz = figures != NULL ? figures->tick_hz : 0;
    double seconds = tick_hz > 0 ? (double)figures->summary.window_ticks / tick_hz : verdicts->took;

    begin_suite(out, verdicts->count, verdicts_count(verdicts, TXTAP_VERDICT_FAILED),
                verdicts_count(verdicts, TXTAP_VERDICT_UNDECIDED));
    fprintf(out, " time=\"%.6f\"", verdicts->took);
    put_timestamp(out, verdicts->begun_us);
    fputs(">\n", out);
    if (figures != NULL)
        put_trace(out, figures);
    for (size_t i = 0; i < verdicts->count; i++)
        put_verdict(out, &verdicts->at[i], tick_hz, seconds);
    fputs("</testsuite>\n", out);
}
