/* SPDX-License-Identifier: MIT */
/* A table has a function for each figure that needs an explanation. All other figures name their thread and event. The
 * explanation is the sentence of a finding, if the figure has findings. */
#include "figures/reasons.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "txtap/inner/escape.h"

#define NAME_BYTES  TXTAP_ESCAPED_BYTES(FIGURE_NAME_BYTES)
#define LISTED_MOST 4u /* a reason lists at most this many findings, threads or objects */
#define MORE_BYTES  64 /* room for the number of further findings */

/* ---- text ---- */

struct reason {
    const struct check_entry *entry;
    const struct figures *figures;
    char *text; /* REASON_BYTES */
    struct txtap_place place;
};

static void say(struct reason *reason, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(struct reason *reason, const char *format, ...)
{
    size_t used = strlen(reason->text);
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(reason->text + used, REASON_BYTES - used, format, arguments);
    va_end(arguments);
}

static const char *name_of_subject(const struct named_figure *named, char name[static NAME_BYTES])
{
    return txtap_subject_text(&named->figure.subject, named->subject, name, NAME_BYTES);
}

static const char *name_of_other(const struct named_figure *named, char name[static NAME_BYTES])
{
    return txtap_subject_text(&named->figure.other, named->other, name, NAME_BYTES);
}

static void say_event(struct reason *reason, const char *before, const struct txtap_place *place)
{
    char text[PLACE_BYTES];

    if (place->known)
        say(reason, "%s%s", before, place_text(text, place, reason->figures->tick_hz));
}

/* ---- figures ---- */

/* Returns the next figure after `after` with this id; after NULL: the first. NULL: there are no more. */
static const struct named_figure *next_of(const struct figures *figures, enum txtap_figure_id id,
                                          const struct named_figure *after)
{
    for (size_t i = after != NULL ? (size_t)(after - figures->at) + 1 : 0; i < figures->count; i++)
        if (figures->at[i].figure.id == id)
            return &figures->at[i];
    return NULL;
}

/* Returns the figure with this id and subject that has the largest value; NULL: there is no such figure. of: the
 * subject; NULL: any thread or object, but not the whole trace. */
static const struct named_figure *largest_of(const struct figures *figures, enum txtap_figure_id id,
                                             const struct txtap_subject *of)
{
    const struct named_figure *largest = NULL;

    for (const struct named_figure *at = next_of(figures, id, NULL); at != NULL; at = next_of(figures, id, at)) {
        bool fits = of != NULL ? txtap_subject_is_same(&at->figure.subject, of)
                               : at->figure.subject.kind != TXTAP_SUBJECT_SYSTEM;

        if (fits &&
            (largest == NULL || at->figure.stat[TXTAP_STAT_VALUE].value > largest->figure.stat[TXTAP_STAT_VALUE].value))
            largest = at;
    }
    return largest;
}

/* ---- findings ---- */

/* Returns true if the check's result is about the whole trace, or about a thread or an object of the finding. */
static bool is_about(const struct txtap_subject *subject, const struct txtap_finding *finding)
{
    if (subject->kind == TXTAP_SUBJECT_SYSTEM)
        return true;
    for (uint32_t i = 0; i < finding->party_count; i++)
        if (txtap_subject_is_same(subject, &finding->parties[i].thread) ||
            txtap_subject_is_same(subject, &finding->parties[i].object))
            return true;
    return false;
}

/* Lists the findings of a kind that explain the result, the most severe first. */
static void list_findings(struct reason *reason, enum txtap_finding_kind kind)
{
    const struct txtap_findings *findings = reason->figures->findings;
    const struct txtap_finding_names names = figures_names(reason->figures);
    char text[TXTAP_FINDING_TEXT_BYTES];
    size_t listed = 0, more = 0;

    for (size_t i = 0; findings != NULL && i < findings->count; i++) {
        const struct txtap_finding *finding = &findings->at[i];

        if (finding->kind != kind || !is_about(&reason->entry->result.subject, finding))
            continue;
        txtap_finding_reason(text, finding, &names, reason->figures->tick_hz);
        if (listed == LISTED_MOST || strlen(reason->text) + strlen(text) + MORE_BYTES > REASON_BYTES) {
            more++;
            continue;
        }
        say(reason, "%s%s", *reason->text != '\0' ? "; " : "", text);
        if (listed++ == 0 && !reason->place.known)
            reason->place = finding->at;
    }
    if (more > 0)
        say(reason, "; %zu more", more);
}

static void explain_deadlock(struct reason *reason)
{
    list_findings(reason, TXTAP_FINDING_DEADLOCK);
}

/* An unbounded inversion in a deadlock is no finding of its own. */
static void explain_unbounded(struct reason *reason)
{
    list_findings(reason, TXTAP_FINDING_UNBOUNDED);
    if (*reason->text == '\0')
        list_findings(reason, TXTAP_FINDING_DEADLOCK);
}

static void explain_leak(struct reason *reason)
{
    list_findings(reason, TXTAP_FINDING_LEAK);
}

static void explain_failed(struct reason *reason)
{
    list_findings(reason, TXTAP_FINDING_FAILED);
    list_findings(reason, TXTAP_FINDING_POLLED);
}

/* ---- inversions ---- */

/* Names the owner of the mutex in the longest inversion of a thread. */
static void explain_inversion(struct reason *reason)
{
    const struct txtap_check_result *result = &reason->entry->result;
    char owner[NAME_BYTES];

    for (const struct named_figure *at = next_of(reason->figures, TXTAP_FIGURE_INVERSION, NULL); at != NULL;
         at = next_of(reason->figures, TXTAP_FIGURE_INVERSION, at))
        if (result->place.known && at->figure.max_at.known &&
            txtap_subject_is_same(&at->figure.subject, &result->subject) &&
            at->figure.max_at.seq == result->place.seq && at->figure.other.kind == TXTAP_SUBJECT_THREAD) {
            say(reason, "%s held the mutex", name_of_other(at, owner));
            return;
        }
}

/* ---- counts ---- */

/* Says "control 3 times, tx_queue_send of 'samples'". */
static void say_count(struct reason *reason, const struct named_figure *named, bool first)
{
    double count = named->figure.stat[TXTAP_STAT_VALUE].value;
    char name[NAME_BYTES], other[NAME_BYTES];

    say(reason, "%s%s %.15g time%s", first ? "" : "; ", name_of_subject(named, name), count, count == 1 ? "" : "s");
    if (*named->figure.detail != '\0')
        say(reason, ", %s", named->figure.detail);
    if (named->figure.other.kind == TXTAP_SUBJECT_OBJECT)
        say(reason, " of '%s'", name_of_other(named, other));
    if (!reason->place.known)
        reason->place = named->figure.max_at;
    say_event(reason, ", first at ", &named->figure.max_at);
}

/* Lists the threads or objects with the largest counts of a figure that has a sum for the whole trace. */
static void explain_count(struct reason *reason)
{
    enum txtap_figure_id id = reason->entry->check->id;
    const struct named_figure *before = NULL;

    if (reason->entry->result.subject.kind != TXTAP_SUBJECT_SYSTEM)
        return;
    for (unsigned i = 0; i < LISTED_MOST; i++) {
        const struct named_figure *best = NULL;

        for (const struct named_figure *at = next_of(reason->figures, id, NULL); at != NULL;
             at = next_of(reason->figures, id, at)) {
            double value = at->figure.stat[TXTAP_STAT_VALUE].value;
            double last = before != NULL ? before->figure.stat[TXTAP_STAT_VALUE].value : 0;

            if (at->figure.subject.kind == TXTAP_SUBJECT_SYSTEM || value == 0 ||
                (before != NULL && (value > last || (value == last && at <= before))))
                continue;
            if (best == NULL || value > best->figure.stat[TXTAP_STAT_VALUE].value)
                best = at;
        }
        if (best == NULL)
            return;
        say_count(reason, best, i == 0);
        before = best;
    }
}

static void explain_lost(struct reason *reason)
{
    const struct txtap_analysis_summary *summary = &reason->figures->summary;

    say(reason, "in %" PRIu64 " gap%s; %" PRIu64 " events arrived", summary->gaps, summary->gaps == 1 ? "" : "s",
        summary->events);
}

static void explain_events(struct reason *reason)
{
    if (reason->figures->summary.events == 0)
        say(reason, "no event arrived: does the firmware run, and does it call tx_trace_enable()?");
}

/* Names the origin of a stack's figure, because the events show less than the true maximum. */
static void explain_stack(struct reason *reason)
{
    const struct txtap_subject *thread = &reason->entry->result.subject;
    bool is_used = reason->entry->check->id == TXTAP_FIGURE_STACK_USED;
    const struct named_figure *bytes = largest_of(reason->figures,
                                                  is_used ? TXTAP_FIGURE_STACK_USED_BYTES : TXTAP_FIGURE_STACK_BYTES,
                                                  thread),
                              *size = largest_of(reason->figures, TXTAP_FIGURE_STACK_SIZE, thread);

    if (bytes == NULL || size == NULL)
        return;
    say(reason, "%.15g of %.15g bytes were %s", bytes->figure.stat[TXTAP_STAT_VALUE].value,
        size->figure.stat[TXTAP_STAT_VALUE].value, is_used ? "used" : "free");
    if (*bytes->figure.detail != '\0')
        say(reason, ", according to the kernel");
}

/* ---- other figures ---- */

/* Names the event of the maximum, for a statistic of many samples, such as p99. */
static void explain_samples(struct reason *reason)
{
    const struct txtap_check_result *result = &reason->entry->result;
    char value[QUANTITY_BYTES];

    for (const struct named_figure *at = next_of(reason->figures, reason->entry->check->id, NULL); at != NULL;
         at = next_of(reason->figures, reason->entry->check->id, at)) {
        const struct txtap_figure *figure = &at->figure;
        const struct txtap_measure *max = &figure->stat[TXTAP_STAT_MAX];
        double seen = txtap_measure_seen(max);

        if (!figures_is_spread(figure) || !figure->max_at.known ||
            !txtap_subject_is_same(&figure->subject, &result->subject))
            continue;
        quantity_text(value, seen, figure->unit, reason->figures->tick_hz);
        say(reason, max->upper > seen ? "the maximum is at least %s" : "the maximum is %s", value);
        reason->place = figure->max_at;
        say_event(reason, ", ", &reason->place);
        return;
    }
}

/* Says what delayed the thread in its longest job, or before it ran, if this is the measured time. */
static void explain_delay(struct reason *reason)
{
    const struct txtap_check_result *result = &reason->entry->result;
    char text[TXTAP_WHY_TEXT_BYTES];

    if (result->place.known &&
        figures_cause(reason->figures, reason->entry->check->id, &result->subject, result->place.seq, text))
        say(reason, "%s", text);
}

/* ---- the table ---- */

static const struct {
    enum txtap_figure_id id;
    void (*explain)(struct reason *reason);
} rows[] = {
    {TXTAP_FIGURE_DEADLOCK, explain_deadlock},
    {TXTAP_FIGURE_DEADLOCK_FOR_EVER, explain_deadlock},
    {TXTAP_FIGURE_UNBOUNDED, explain_unbounded},
    {TXTAP_FIGURE_UNBOUNDED_TICKS, explain_unbounded},
    {TXTAP_FIGURE_UNBOUNDED_ON, explain_unbounded},
    {TXTAP_FIGURE_FAILED_BY, explain_failed},
    {TXTAP_FIGURE_INVERSION, explain_inversion},
    {TXTAP_FIGURE_LEAK, explain_leak},
    {TXTAP_FIGURE_FAILED, explain_failed},
    {TXTAP_FIGURE_LOST, explain_lost},
    {TXTAP_FIGURE_TOTAL_EVENTS, explain_events},
    {TXTAP_FIGURE_STACK, explain_stack},
    {TXTAP_FIGURE_STACK_USED, explain_stack},
    {TXTAP_FIGURE_RESPONSE, explain_delay},
    {TXTAP_FIGURE_RESPONSE_READY, explain_delay},
    {TXTAP_FIGURE_RESPONSE_INTERRUPTED, explain_delay},
    {TXTAP_FIGURE_RESPONSE_MUTEX, explain_delay},
    {TXTAP_FIGURE_RUN, explain_delay},
    {TXTAP_FIGURE_WAKE, explain_delay},
};

/* Explains why a check could not be decided. */
static void explain_unknown(struct reason *reason)
{
    const struct check_entry *entry = reason->entry;
    char similar[SIMILAR_TEXT_BYTES];

    if (reason->figures->summary.events == 0)
        say(reason, "no event arrived");
    else if (entry->result.matched == 0 && entry->check->has_pattern)
        say(reason, "nothing in this trace matches%s", similar_text(&entry->similar, similar));
    else if (entry->result.matched == 0)
        say(reason, "nothing in this trace has %s", entry->check->name);
    else if (entry->result.measure.known && reason->figures->summary.gaps > 0)
        say(reason, "events were lost, so only bounds are known");
}

struct txtap_place reason_text(char text[static REASON_BYTES], const struct check_entry *entry,
                               const struct figures *figures)
{
    struct reason reason = {.entry = entry, .figures = figures, .text = text, .place = entry->result.place};

    *text = '\0';
    if (entry->result.verdict == TXTAP_VERDICT_UNDECIDED)
        explain_unknown(&reason);
    if (entry->result.verdict != TXTAP_VERDICT_FAILED)
        return reason.place;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].id == entry->check->id)
            rows[i].explain(&reason);
    if (*text == '\0' && entry->check->counts)
        explain_count(&reason);
    if (*text == '\0' && !reason.place.known)
        explain_samples(&reason);
    return reason.place;
}
