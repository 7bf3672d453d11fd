/* SPDX-License-Identifier: MIT */
/* Analyses take the same items as the screen. The figures of the analyses count from the start of the run. */
#include "command/top/top_findings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/analysis_open.h"
#include "figures/figures.h"
#include "txtap/inner/escape.h"

/* The sections whose figures the screen shows. */
#define FOUND (TXTAP_SECTION_BIT(TXTAP_SECTION_INVERSION) | TXTAP_SECTION_BIT(TXTAP_SECTION_DEADLOCK))

enum txtap_status top_findings_open(struct top_findings *findings, const struct options *options, struct error *error)
{
    /* If the tick rate is unknown, txtap will measure it. Until then, checks that need it are undecided. */
    enum txtap_status status =
        checks_init(&findings->checks, options->check.checks, options->check.count, "--check '", NULL, error);

    if (status != TXTAP_OK)
        return status;
    findings->options = options;
    status = analysis_open(&findings->analysis, options,
                           FOUND | checks_sections(options->check.checks, options->check.count), error);
    if (status != TXTAP_OK)
        checks_free(&findings->checks);
    return status;
}

void top_findings_close(struct top_findings *findings)
{
    free(findings->analysis);
    checks_free(&findings->checks);
    findings->analysis = NULL;
}

static double count_of(const struct txtap_figure *figure, enum txtap_stat stat)
{
    return figure->stat[stat].known ? figure->stat[stat].value : 0;
}

/* Adds a figure about the whole system to the findings on the screen. */
static void note_finding(struct txtap_top_state *state, const struct txtap_figure *figure)
{
    if (figure->subject.kind != TXTAP_SUBJECT_SYSTEM)
        return;
    switch (figure->id) {
    case TXTAP_FIGURE_INVERSIONS:
        state->inversions = count_of(figure, TXTAP_STAT_VALUE);
        break;
    case TXTAP_FIGURE_UNBOUNDED:
        state->unbounded = count_of(figure, TXTAP_STAT_VALUE);
        break;
    case TXTAP_FIGURE_INVERSION:
        state->inversion_max = figure->stat[TXTAP_STAT_MAX].known ? figure->stat[TXTAP_STAT_MAX].lower : 0;
        state->inversion_lasts = figure->stat[TXTAP_STAT_MAX].lower > figure->stat[TXTAP_STAT_MAX].value;
        break;
    case TXTAP_FIGURE_DEADLOCK:
        state->deadlocks = count_of(figure, TXTAP_STAT_N);
        break;
    default:
        break;
    }
}

static enum txtap_status take_figure(void *self, const struct txtap_figure *figure)
{
    struct top_findings *findings = self;

    if (findings->state != NULL)
        note_finding(findings->state, figure);
    checks_take(&findings->checks, figure,
                figures_subject_name(&figure->subject, findings->names, findings->interrupts));
    return TXTAP_OK;
}

static void show_check(const struct check_entry *entry, struct txtap_top_check *out)
{
    const struct txtap_check_result *result = &entry->result;

    snprintf(out->text, sizeof out->text, "%s", entry->check->text);
    out->verdict = result->matched == 0 ? TXTAP_VERDICT_UNDECIDED : result->verdict;
    *out->subject = '\0';
    if (result->matched > 0)
        (void)txtap_escape_terminal(out->subject, sizeof out->subject, result->name);
}

/* Passes all figures to the checks. All checks start again, because the result of a check may change both ways. */
static void collect(struct top_findings *findings, const struct txtap_registry *names,
                    const struct txtap_top_state *state)
{
    static const struct txtap_registry none;
    struct checks *checks = &findings->checks;

    findings->names = names != NULL ? names : &none;
    checks_restart(checks);
    (void)txtap_analysis_figures(findings->analysis, 0, (struct txtap_figure_sink){take_figure, findings});
    if (!state->lost_exact)
        checks_take_lost(checks, state->lost, false);
}

void top_findings_look(struct top_findings *findings, const struct txtap_registry *names, struct txtap_top_state *state)
{
    const struct checks *checks = &findings->checks;
    struct txtap_analysis_summary summary;
    struct txtap_check_trace trace;

    findings->state = state;
    collect(findings, names, state);
    findings->state = NULL;
    txtap_analysis_summary(findings->analysis, &summary);
    trace = checks_trace(checks, &summary);
    for (size_t i = 0; i < checks->count; i++)
        txtap_check_end(checks->entries[i].check, &checks->entries[i].result, &trace);
    state->check_count = checks->count < TXTAP_TOP_CHECKS ? checks->count : TXTAP_TOP_CHECKS;
    for (size_t i = 0; i < state->check_count; i++)
        show_check(&checks->entries[i], &state->checks[i]);
    state->checks_more = checks->count - state->check_count;
}

void top_findings_complete(struct top_findings *findings)
{
    if (!findings->complete)
        txtap_analysis_end(findings->analysis);
    findings->complete = true;
}

enum exit_code top_findings_end(struct top_findings *findings, const struct txtap_registry *names,
                                const struct txtap_top_state *state, struct error *error)
{
    struct txtap_analysis_summary summary;

    if (findings->checks.count == 0)
        return EXIT_DONE;
    top_findings_complete(findings);
    collect(findings, names, state);
    txtap_analysis_summary(findings->analysis, &summary);
    if (checks_complete(&findings->checks, &summary, error) != TXTAP_OK ||
        (findings->options->check.junit != NULL &&
         checks_write_junit(&findings->checks, findings->options->check.junit, error) != TXTAP_OK))
        return (enum exit_code)status_exit_code(error->status);
    return checks_exit_code(&findings->checks);
}
