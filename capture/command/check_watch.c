/* SPDX-License-Identifier: MIT */
/* Judges checks while a target runs. Judging is expensive, because it computes all figures of all analyses. So it runs
 * only after a poll, and only if enough time has passed. */
#include "command/check_watch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "command/analysis_open.h"
#include "command/operands.h"
#include "figures/figures.h"
#include "file/definitions_file.h"
#include "txtap/inner/interrupts.h"

#define TEXT_BYTES (CHECKS_RESULT_BYTES + 512)

/* ---- the sink ---- */

static void learn(struct check_watch *watch)
{
    if (watch->learnt && watch->generation == watch->names->generation)
        return;
    watch->learnt = true;
    watch->generation = watch->names->generation;
    txtap_analysis_names(watch->analysis, watch->names);
    txtap_analysis_objects(watch->analysis, watch->names);
}

static enum txtap_status analyse(void *self, const struct txtap_item *item)
{
    struct check_watch *watch = self;

    if (item->kind == TXTAP_ITEM_EVENT) {
        learn(watch);
        (void)txtap_interrupts_event(&watch->interrupts, &item->event);
        watch->next_seq = item->event.seq + 1;
    }
    return txtap_analysis_take(watch->analysis, item);
}

static enum txtap_status take(void *self, const struct txtap_item *item)
{
    struct check_watch *watch = self;
    enum txtap_status status = translation_take(&watch->translation, item);

    if (item->kind == TXTAP_ITEM_EVENT) /* the analysis may get this event later, after its translation */
        watch->next_seq = item->event.seq + 1;
    return status == TXTAP_OK ? txtap_sink_take(watch->next, item) : status;
}

struct txtap_sink check_watch_sink(struct check_watch *watch, struct txtap_sink next)
{
    watch->next = next;
    return watch->analysis != NULL ? (struct txtap_sink){take, watch} : next;
}

/* ---- opening and closing ---- */

static enum txtap_status open_checks(struct watched_checks *watched, const struct txtap_check *list, size_t count,
                                     struct error *error)
{
    const char *option = watched->kind == TXTAP_MARK_TRIGGER ? "--trigger 'check=" : "--check '";
    enum txtap_status status = checks_init(&watched->checks, list, count, option, NULL, error);

    if (status != TXTAP_OK)
        return status;
    watched->violated = calloc(count + 1, sizeof *watched->violated);
    return watched->violated != NULL ? TXTAP_OK
                                     : failure(error, TXTAP_ERROR_SYSTEM, "no memory for the results of the checks");
}

enum txtap_status check_watch_open(struct check_watch *watch, const struct options *options,
                                   struct txtap_registry *names, uint64_t (*now_us)(void), uint64_t (*wall_us)(void),
                                   struct error *error)
{
    const struct record_options *record = &options->record;
    enum txtap_status status;

    *watch = (struct check_watch){.options = options, .names = names, .now_us = now_us, .wall_us = wall_us};
    if (options->check.count == 0 && record->check_count == 0)
        return TXTAP_OK;
    watch->translation.next = (struct txtap_sink){analyse, watch};
    watch->marks.kind = TXTAP_MARK_CHECK;
    watch->triggers.kind = TXTAP_MARK_TRIGGER;
    status = open_checks(&watch->marks, options->check.checks, options->check.count, error);
    if (status == TXTAP_OK)
        status = open_checks(&watch->triggers, record->checks, record->check_count, error);
    if (status == TXTAP_OK)
        status = analysis_open(&watch->analysis, options,
                               checks_sections(options->check.checks, options->check.count) |
                                   checks_sections(record->checks, record->check_count),
                               error);
    if (status == TXTAP_OK)
        status = operands_translate(&watch->translation, options, names, error);
    if (status == TXTAP_OK)
        check_watch_rate(watch,
                         &(struct txtap_rate){.how = options->tick_hz > 0 ? TXTAP_RATE_GIVEN : TXTAP_RATE_UNKNOWN,
                                              .hz = options->tick_hz});
    else
        check_watch_close(watch);
    return status;
}

enum txtap_status check_watch_learn(struct check_watch *watch, const struct identity *identity, struct error *error)
{
    const struct filter_options *meaning = &watch->options->filter;
    enum txtap_status status;

    if (watch->analysis == NULL)
        return TXTAP_OK;
    status = definitions_load(&watch->definitions, NULL, identity, meaning->definitions, meaning->definitions_count,
                              true, error);
    txtap_interrupts_init(&watch->interrupts, watch->definitions);
    return status;
}

void check_watch_rate(struct check_watch *watch, const struct txtap_rate *rate)
{
    if (watch->analysis == NULL || rate->how == TXTAP_RATE_UNKNOWN)
        return;
    txtap_analysis_rate(watch->analysis, rate->hz);
    watch->marks.checks.rate = watch->triggers.checks.rate = *rate;
}

static void close_checks(struct watched_checks *watched)
{
    checks_free(&watched->checks);
    free(watched->violated);
    watched->violated = NULL;
}

void check_watch_close(struct check_watch *watch)
{
    close_checks(&watch->marks);
    close_checks(&watch->triggers);
    translation_free(&watch->translation);
    definitions_free(watch->definitions);
    watch->definitions = NULL;
    free(watch->analysis);
    watch->analysis = NULL;
}

/* ---- judging ---- */

static enum txtap_status take_figure(void *self, const struct txtap_figure *figure)
{
    struct check_watch *watch = self;
    const char *name = figures_subject_name(&figure->subject, watch->names, &watch->interrupts);

    checks_take(&watch->marks.checks, figure, name);
    checks_take(&watch->triggers.checks, figure, name);
    return TXTAP_OK;
}

/* Passes all figures to the checks. All checks start again, because the result of a check may change both ways. */
static enum txtap_status take_figures(struct check_watch *watch, struct txtap_analysis_summary *summary)
{
    checks_restart(&watch->marks.checks);
    checks_restart(&watch->triggers.checks);
    txtap_analysis_summary(watch->analysis, summary);
    return txtap_analysis_figures(watch->analysis, 0, (struct txtap_figure_sink){take_figure, watch});
}

static enum txtap_status tell(const struct check_watch *watch, const struct watched_checks *watched, size_t i)
{
    const struct check_entry *entry = &watched->checks.entries[i];
    char result[CHECKS_RESULT_BYTES], seen[48] = "", text[TEXT_BYTES];
    const struct txtap_mark mark = {watched->kind, watch->next_seq, watch->wall_us(), text};

    checks_result_text(&watched->checks, i, result);
    if (!entry->result.place.known && watch->next_seq > 0)
        snprintf(seen, sizeof seen, ", seen at event %" PRIu64, watch->next_seq - 1);
    snprintf(text, sizeof text, "%s%.400s: %s%s", watched->kind == TXTAP_MARK_TRIGGER ? "check=" : "",
             entry->check->text, result, seen);
    return watched->take(watched->self, &mark);
}

static enum txtap_status tell_violations(struct check_watch *watch, struct watched_checks *watched, bool settled)
{
    enum txtap_status status = TXTAP_OK;

    for (size_t i = 0; i < watched->checks.count && status == TXTAP_OK; i++) {
        const struct check_entry *entry = &watched->checks.entries[i];
        bool was = watched->violated[i];

        watched->violated[i] = entry->result.matched > 0 && entry->result.verdict == TXTAP_VERDICT_FAILED &&
                               (settled || txtap_check_is_lasting(entry->check));
        if (watched->violated[i] && !was)
            status = tell(watch, watched, i);
    }
    return status;
}

/* Judges the checks. A check that matches nothing is undecided, because later events may match. */
static enum txtap_status judge(struct check_watch *watch, bool settled)
{
    struct txtap_analysis_summary summary;
    enum txtap_status status = take_figures(watch, &summary);

    if (status != TXTAP_OK || summary.events == 0)
        return status;
    (void)checks_complete(&watch->marks.checks, &summary, &(struct error){0});
    (void)checks_complete(&watch->triggers.checks, &summary, &(struct error){0});
    status = tell_violations(watch, &watch->marks, settled);
    return status == TXTAP_OK ? tell_violations(watch, &watch->triggers, settled) : status;
}

enum txtap_status check_watch_step(struct check_watch *watch)
{
    enum txtap_status status;
    uint64_t now, took;

    if (watch->analysis == NULL || watch->next_seq == 0)
        return TXTAP_OK;
    now = watch->now_us();
    if (watch->begun_us == 0)
        watch->begun_us = now;
    if (now < watch->due_us)
        return TXTAP_OK;
    status = judge(watch, now - watch->begun_us >= CHECK_WATCH_SETTLE_US);
    took = watch->now_us() - now;
    watch->due_us = now + took +
                    (took < CHECK_WATCH_EVERY_US / CHECK_WATCH_SHARE ? CHECK_WATCH_EVERY_US : took * CHECK_WATCH_SHARE);
    return status;
}

void check_watch_stacks(struct check_watch *watch, const struct run_loop *loop)
{
    if (watch->analysis == NULL)
        return;
    final_stacks_read(&watch->stacks, loop);
    txtap_analysis_stacks(watch->analysis, watch->stacks.list, watch->stacks.count);
}

enum txtap_status check_watch_finish(struct check_watch *watch)
{
    enum txtap_status status;

    if (watch->analysis == NULL)
        return TXTAP_OK;
    status = translation_end(&watch->translation);
    if (status != TXTAP_OK)
        return status;
    watch->marks.checks.partial = watch->triggers.checks.partial = translation_lacks(&watch->translation) != NULL;
    txtap_analysis_end(watch->analysis);
    return judge(watch, true);
}

/* ---- the end ---- */

int check_watch_end(struct check_watch *watch, int code, struct error *error)
{
    const struct options *options = watch->options;
    struct checks *checks = &watch->marks.checks;
    struct txtap_analysis_summary summary;
    struct error wrong = {0};
    enum txtap_status status;
    int verdict;

    if (watch->analysis == NULL)
        return code;
    txtap_analysis_summary(watch->analysis, &summary);
    status = checks_complete(checks, &summary, &wrong);
    verdict = checks_exit_code(checks);
    if (verdict != EXIT_DONE || !options->quiet)
        checks_show_text(checks, stderr);
    if (status == TXTAP_OK)
        status = checks_complete(&watch->triggers.checks, &summary, &wrong);
    if (options->check.junit != NULL && status == TXTAP_OK)
        status = checks_write_junit(checks, options->check.junit, &wrong);
    if (status != TXTAP_OK && !error_is_set(error))
        *error = wrong;
    return exit_code_with_checks(code, status == TXTAP_OK ? verdict : status_exit_code(status));
}
