/* SPDX-License-Identifier: MIT */
/* Writes verdicts as lines, Markdown and annotations of GitHub. Names from the target are escaped for each form. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "figures/verdicts.h"
#include "txtap/inner/escape.h"

#define COLUMNS_MAX   48 /* width of the column of checks, so that the sentences are aligned */
#define MARKDOWN_MOST 20u

/* The kinds of verdicts, in the order in which people want to read them. */
static const struct kind {
    enum txtap_verdict verdict;
    bool is_error;
    const char *word, *one, *many; /* one, many: after a number */
} kinds[] = {
    {TXTAP_VERDICT_FAILED, false, "FAIL", "failed", "failed"},
    {TXTAP_VERDICT_UNDECIDED, true, "error", "error", "errors"},
    {TXTAP_VERDICT_UNDECIDED, false, "unknown", "unknown", "unknown"},
    {TXTAP_VERDICT_OK, false, "ok", "ok", "ok"},
};

#define KINDS (sizeof kinds / sizeof *kinds)

static const struct kind *kind_of(const struct verdict *verdict)
{
    size_t i = 0;

    while (kinds[i].verdict != verdict->verdict || kinds[i].is_error != verdict->is_error)
        i++;
    return &kinds[i];
}

/* ---- the sums ---- */

#define SUMS_BYTES 320

/* Writes "1 failed, 1 unknown, 5 ok", without kinds that do not occur. */
static void counts_text(char out[static SUMS_BYTES], const struct verdicts *verdicts)
{
    size_t used = 0;

    *out = '\0';
    for (size_t i = 0; i < KINDS; i++) {
        size_t count = 0;

        for (size_t j = 0; j < verdicts->count; j++)
            count += kind_of(&verdicts->at[j]) == &kinds[i];
        if (count > 0)
            used += (size_t)snprintf(out + used, SUMS_BYTES - used, "%s%zu %s", used > 0 ? ", " : "", count,
                                     count == 1 ? kinds[i].one : kinds[i].many);
    }
}

/* Writes "19702 events in 10 s, 0 lost". figures: NULL: no trace was read. */
static void trace_text(char out[static SUMS_BYTES], const struct figures *figures)
{
    const struct txtap_analysis_summary *summary = figures != NULL ? &figures->summary : NULL;
    char window[QUANTITY_BYTES];

    if (summary == NULL) {
        snprintf(out, SUMS_BYTES, "no events");
        return;
    }
    quantity_text(window, (double)summary->window_ticks, TXTAP_UNIT_TICKS, figures->tick_hz);
    snprintf(out, SUMS_BYTES, "%" PRIu64 " event%s in %s, %s%" PRIu64 " lost", summary->events,
             summary->events == 1 ? "" : "s", window, summary->lost_exact ? "" : "at least ", summary->lost);
}

/* ---- text ---- */

/* Puts a line. GitHub takes "##[" anywhere in a line of a log as the start of a command. */
static void put_line(FILE *out, const char *line, bool annotations)
{
    const char *command;

    while (annotations && (command = strstr(line, "##[")) != NULL) {
        fwrite(line, 1, (size_t)(command - line), out);
        fputs("#\\x23[", out);
        line = command + 3;
    }
    fprintf(out, "%s\n", line);
}

/* Escapes a text for a command of GitHub. is_value: the text is the value of a property. */
static void put_annotation_text(FILE *out, const char *text, bool is_value)
{
    for (; *text != '\0'; text++)
        if (*text == '%' || *text == '\r' || *text == '\n' || (is_value && (*text == ':' || *text == ',')))
            fprintf(out, "%%%02X", (unsigned)*text);
        else
            fputc(*text, out);
}

static void put_annotation(FILE *out, const struct verdict *verdict)
{
    fputs(verdict->verdict == TXTAP_VERDICT_FAILED || verdict->is_error ? "::error title=" : "::warning title=", out);
    put_annotation_text(out, verdict->check, true);
    fputs("::", out);
    put_annotation_text(out, verdict->text, false);
    for (size_t i = 0; i < verdict->line_count; i++) {
        put_annotation_text(out, "\n", false);
        put_annotation_text(out, verdict->lines[i], false);
    }
    fputc('\n', out);
}

static size_t check_columns(const struct verdicts *verdicts)
{
    size_t columns = 0;

    for (size_t i = 0; i < verdicts->count; i++) {
        size_t length = strlen(verdicts->at[i].check);

        if (length > columns && length <= COLUMNS_MAX)
            columns = length;
    }
    return columns;
}

void verdicts_show_text(const struct verdicts *verdicts, bool annotations, FILE *out)
{
    size_t columns = check_columns(verdicts);
    char counts[SUMS_BYTES], trace[SUMS_BYTES], line[VERDICT_CHECK_BYTES + VERDICT_TEXT_BYTES + 64];

    for (size_t i = 0; i < verdicts->count; i++) {
        const struct verdict *verdict = &verdicts->at[i];

        snprintf(line, sizeof line, "%-7s  %-*s  %s", kind_of(verdict)->word, (int)columns, verdict->check,
                 verdict->text);
        put_line(out, line, annotations);
        for (size_t j = 0; j < verdict->line_count; j++)
            put_line(out, verdict->lines[j], annotations);
    }
    counts_text(counts, verdicts);
    trace_text(trace, verdicts->figures);
    snprintf(line, sizeof line, "%s; %s", counts, trace);
    put_line(out, line, annotations);
    for (size_t i = 0; annotations && i < verdicts->count; i++)
        if (verdicts->at[i].verdict != TXTAP_VERDICT_OK)
            put_annotation(out, &verdicts->at[i]);
}

/* ---- Markdown ---- */

/* Puts a row of a table. Its texts are in <code>, because GitHub makes no links of names and numbers there. */
static void put_cell(FILE *out, const struct verdict *verdict)
{
    fprintf(out, "| %s | <code>", kind_of(verdict)->word);
    markdown_text(out, verdict->check);
    fputs("</code> | <code>", out);
    markdown_text(out, verdict->text);
    for (size_t i = 0; i < verdict->line_count; i++) {
        fputs("<br>", out);
        markdown_text(out, verdict->lines[i]);
    }
    fputs("</code> |\n", out);
}

void verdicts_show_markdown(const struct verdicts *verdicts, FILE *out)
{
    char counts[SUMS_BYTES], trace[SUMS_BYTES];
    size_t listed = 0;

    counts_text(counts, verdicts);
    trace_text(trace, verdicts->figures);
    fprintf(out, "### txtap: %s\n\n%s\n\n| | check | result |\n|---|---|---|\n", counts, trace);
    for (size_t i = 0; i < KINDS; i++)
        for (size_t j = 0; j < verdicts->count; j++)
            if (kind_of(&verdicts->at[j]) == &kinds[i] && listed++ < MARKDOWN_MOST)
                put_cell(out, &verdicts->at[j]);
    if (listed > MARKDOWN_MOST)
        fprintf(out, "\n%zu more checks are not in this table.\n", listed - MARKDOWN_MOST);
    fputc('\n', out);
}
