/* SPDX-License-Identifier: MIT */
/* The checks of a run, and their overall result. */
#include "figures/checks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

uint32_t checks_sections(const struct txtap_check *list, size_t count)
{
    uint32_t sections = 0;

    for (size_t i = 0; i < count; i++)
        sections |= txtap_check_sections(&list[i]);
    return sections;
}

enum txtap_status checks_init(struct checks *checks, const struct txtap_check *list, size_t count, const char *option,
                              const struct txtap_rate *rate, struct error *error)
{
    *checks = (struct checks){.option = option};
    if (rate != NULL)
        checks->rate = *rate;
    for (size_t i = 0; i < count; i++)
        if (rate != NULL && rate->how == TXTAP_RATE_UNKNOWN && txtap_check_needs_rate(&list[i]))
            return failure(error, TXTAP_ERROR_USAGE,
                           "%s%s': the rate of the time stamps is not known\ngive --hz, or a limit in ticks", option,
                           list[i].text);
    checks->entries = calloc(count + 1, sizeof *checks->entries);
    if (checks->entries == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the checks");
    checks->count = count;
    for (size_t i = 0; i < count; i++)
        checks->entries[i].check = &list[i];
    checks_restart(checks);
    return TXTAP_OK;
}

void checks_restart(struct checks *checks)
{
    for (size_t i = 0; i < checks->count; i++) {
        struct check_entry *entry = &checks->entries[i];

        txtap_check_result_init(&entry->result);
        similar_init(&entry->similar, entry->check->pattern);
    }
}

void checks_free(struct checks *checks)
{
    free(checks->entries);
    *checks = (struct checks){0};
}

void checks_take(struct checks *checks, const struct txtap_figure *figure, const char *subject_name)
{
    for (size_t i = 0; i < checks->count; i++) {
        struct check_entry *entry = &checks->entries[i];

        txtap_check_figure(entry->check, &entry->result, figure, subject_name, &checks->rate);
        if (entry->result.matched == 0 && figure->subject.kind == entry->check->about && *subject_name != '\0')
            similar_offer(&entry->similar, subject_name);
    }
}

/* Takes a count of the whole trace, which no analysis has. */
static void take_count(struct checks *checks, enum txtap_figure_id id, const char *name, struct txtap_measure count)
{
    struct txtap_figure figure = {.section = "", .id = id, .name = name, .detail = "", .unit = TXTAP_UNIT_COUNT};

    figure.stat[TXTAP_STAT_N] = figure.stat[TXTAP_STAT_VALUE] = count;
    checks_take(checks, &figure, "");
}

void checks_take_lost(struct checks *checks, uint64_t lost, bool exact)
{
    take_count(checks, TXTAP_FIGURE_LOST, "lost",
               (struct txtap_measure){true, (double)lost, (double)lost, exact ? (double)lost : (double)INFINITY});
}

void checks_take_no_events(struct checks *checks)
{
    take_count(checks, TXTAP_FIGURE_TOTAL_EVENTS, "total_events", (struct txtap_measure){.known = true});
}

struct txtap_check_trace checks_trace(const struct checks *checks, const struct txtap_analysis_summary *summary)
{
    double window = (double)summary->window_ticks, unseen = 100;

    if (summary->window_ticks > 0)
        unseen = 100.0 * (window - (double)summary->observed_ticks) / window;
    return (struct txtap_check_trace){checks->rate, summary->gaps > 0, unseen};
}

/* Sets the error for a check that matches nothing in the trace. */
static enum txtap_status refuse(const struct checks *checks, const struct check_entry *entry, struct error *error)
{
    const char *hint = checks->partial ? "'txtap report' says what such a trace does not record" : "";
    char text[SIMILAR_TEXT_BYTES];

    if (entry->similar.count > 0)
        return failure(error, TXTAP_ERROR_USAGE, "%s%s': nothing in this trace matches%s", checks->option,
                       entry->check->text, similar_text(&entry->similar, text));
    if (entry->check->has_pattern)
        return failure(error, TXTAP_ERROR_USAGE, "%s%s': nothing in this trace matches\n%s", checks->option,
                       entry->check->text, hint);
    return failure(error, TXTAP_ERROR_USAGE, "%s%s': nothing in this trace has %s\n%s", checks->option,
                   entry->check->text, entry->check->name, hint);
}

enum txtap_status checks_complete(struct checks *checks, const struct txtap_analysis_summary *summary,
                                  struct error *error)
{
    const struct txtap_check_trace trace = checks_trace(checks, summary);
    enum txtap_status status = TXTAP_OK;

    for (size_t i = 0; i < checks->count; i++) {
        struct check_entry *entry = &checks->entries[i];

        txtap_check_end(entry->check, &entry->result, &trace);
        if (entry->result.matched > 0)
            continue;
        entry->result.verdict = TXTAP_VERDICT_UNDECIDED;
        if (status == TXTAP_OK && summary->events > 0)
            status = refuse(checks, entry, error);
    }
    return status;
}

enum exit_code checks_exit_code(const struct checks *checks)
{
    enum exit_code code = EXIT_DONE;

    for (size_t i = 0; i < checks->count; i++) {
        enum txtap_verdict verdict = checks->entries[i].result.verdict;

        if (verdict == TXTAP_VERDICT_FAILED)
            return EXIT_CHECK_FAILED;
        if (verdict == TXTAP_VERDICT_UNDECIDED)
            code = EXIT_CHECK_UNDECIDED;
    }
    return code;
}
