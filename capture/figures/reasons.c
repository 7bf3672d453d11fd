/* SPDX-License-Identifier: MIT */
/* A table has a function for each figure that needs an explanation. All other figures name their thread and event. */
#include "figures/reasons.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "txtap/inner/escape.h"

#define NAME_BYTES  TXTAP_ESCAPED_BYTES(FIGURE_NAME_BYTES)
#define LISTED_MOST 4u /* a reason lists at most this many threads or objects */

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

static bool is_same(const struct txtap_subject *one, const struct txtap_subject *other)
{
    return one->kind == other->kind && one->number == other->number && one->life == other->life;
}

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
        bool fits = of != NULL ? is_same(&at->figure.subject, of) : at->figure.subject.kind != TXTAP_SUBJECT_SYSTEM;

        if (fits &&
            (largest == NULL || at->figure.stat[TXTAP_STAT_VALUE].value > largest->figure.stat[TXTAP_STAT_VALUE].value))
            largest = at;
    }
    return largest;
}

/* ---- deadlocks ---- */

static void say_member(struct reason *reason, const struct named_figure *member)
{
    char thread[NAME_BYTES], mutex[NAME_BYTES], owner[NAME_BYTES];
    const struct named_figure *held = largest_of(reason->figures, TXTAP_FIGURE_DEADLOCK_OWNER, &member->figure.other);

    say(reason, "%s waits for '%s'", name_of_subject(member, thread), name_of_other(member, mutex));
    if (held != NULL && held->figure.other.kind == TXTAP_SUBJECT_THREAD) {
        say(reason, ", held by %s", name_of_other(held, owner));
        if (held->figure.max_at.known)
            say(reason, " since event %" PRIu64, held->figure.max_at.seq);
    }
}

/* Lists each waiting thread with the mutex that it waits for. The figures of a circle are in the order of the circle,
 * and begin with the thread that closed the circle. */
static void explain_deadlock(struct reason *reason)
{
    const struct named_figure *first = next_of(reason->figures, TXTAP_FIGURE_DEADLOCK_MEMBER, NULL), *at = first;
    uint64_t more = 0, listed = 0;

    for (; at != NULL; at = next_of(reason->figures, TXTAP_FIGURE_DEADLOCK_MEMBER, at)) {
        if (listed == LISTED_MOST) {
            more++;
            continue;
        }
        say(reason, "%s", listed++ > 0 ? "; " : "");
        say_member(reason, at);
    }
    if (more > 0)
        say(reason, "; %" PRIu64 " more", more);
    if (first == NULL)
        return;
    reason->place = first->figure.max_at;
    say_event(reason, "; closed by ", &reason->place);
}

/* ---- inversions ---- */

/* Returns the inversion whose maximum ended at the event of the wait, or else the waiter's only inversion. NULL: the
 * owner of the mutex during the wait is unknown. */
static const struct named_figure *inversion_of(const struct figures *figures, const struct named_figure *wait)
{
    const struct named_figure *only = NULL;
    size_t count = 0;

    for (const struct named_figure *at = next_of(figures, TXTAP_FIGURE_INVERSION, NULL); at != NULL;
         at = next_of(figures, TXTAP_FIGURE_INVERSION, at)) {
        const struct txtap_figure *figure = &at->figure;

        if (!is_same(&figure->subject, &wait->figure.subject))
            continue;
        if (figure->max_at.known && figure->max_at.seq == wait->figure.max_at.seq)
            return at;
        only = at;
        count++;
    }
    return count == 1 ? only : NULL;
}

/* Returns how many threads ran in the unbounded parts of a thread's waits. */
static size_t count_runners(const struct figures *figures, const struct txtap_subject *waiter)
{
    size_t count = 0;

    for (const struct named_figure *at = next_of(figures, TXTAP_FIGURE_UNBOUNDED_BY, NULL); at != NULL;
         at = next_of(figures, TXTAP_FIGURE_UNBOUNDED_BY, at))
        count += is_same(&at->figure.subject, waiter) && at->figure.stat[TXTAP_STAT_VALUE].value > 0;
    return count;
}

static void explain_unbounded(struct reason *reason)
{
    const struct figures *figures = reason->figures;
    const struct named_figure *wait = largest_of(figures, TXTAP_FIGURE_UNBOUNDED_ON, NULL), *owner, *ran;
    char names[4][NAME_BYTES], ticks[QUANTITY_BYTES];
    double count = reason->entry->result.measure.value;
    size_t others;

    if (wait == NULL)
        return;
    owner = inversion_of(figures, wait);
    ran = largest_of(figures, TXTAP_FIGURE_UNBOUNDED_BY, &wait->figure.subject);
    quantity_text(ticks, wait->figure.stat[TXTAP_STAT_VALUE].value, TXTAP_UNIT_TICKS, figures->tick_hz);
    say(reason, "%s waited for '%s'", name_of_subject(wait, names[0]), name_of_other(wait, names[1]));
    if (owner != NULL)
        say(reason, ", held by %s", name_of_other(owner, names[2]));
    others = count_runners(figures, &wait->figure.subject);
    say(reason, ", while %s", ran != NULL ? name_of_other(ran, names[3]) : "a thread of lower priority");
    if (others > 1)
        say(reason, " and %zu other%s", others - 1, others > 2 ? "s" : "");
    say(reason, " ran for %s", ticks);
    reason->place = wait->figure.max_at;
    say_event(reason, count > 1 ? " in all; the longest wait ended at " : ", until ", &reason->place);
}

/* Names the owner of the mutex in the longest inversion of a thread. */
static void explain_inversion(struct reason *reason)
{
    const struct txtap_check_result *result = &reason->entry->result;
    char owner[NAME_BYTES];

    for (const struct named_figure *at = next_of(reason->figures, TXTAP_FIGURE_INVERSION, NULL); at != NULL;
         at = next_of(reason->figures, TXTAP_FIGURE_INVERSION, at))
        if (result->place.known && at->figure.max_at.known && is_same(&at->figure.subject, &result->subject) &&
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
static void explain_count_of(struct reason *reason, enum txtap_figure_id id)
{
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

static void explain_count(struct reason *reason)
{
    explain_count_of(reason, reason->entry->check->id);
}

static void explain_failed(struct reason *reason)
{
    explain_count_of(reason, TXTAP_FIGURE_FAILED_BY);
}

static void explain_leak(struct reason *reason)
{
    const struct named_figure *pool = largest_of(reason->figures, TXTAP_FIGURE_LEAK, NULL), *holder;
    char name[NAME_BYTES], thread[NAME_BYTES];

    if (pool == NULL)
        return;
    say(reason, "'%s' has %.15g allocations that were not released", name_of_subject(pool, name),
        pool->figure.stat[TXTAP_STAT_VALUE].value);
    holder = largest_of(reason->figures, TXTAP_FIGURE_HELD, &pool->figure.subject);
    if (holder != NULL && holder->figure.other.kind == TXTAP_SUBJECT_THREAD)
        say(reason, ", %s has most of them", name_of_other(holder, thread));
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

static void explain_stack(struct reason *reason)
{
    const struct txtap_subject *thread = &reason->entry->result.subject;
    const struct named_figure *bytes = largest_of(reason->figures, TXTAP_FIGURE_STACK_BYTES, thread),
                              *size = largest_of(reason->figures, TXTAP_FIGURE_STACK_SIZE, thread);

    if (bytes != NULL && size != NULL)
        say(reason, "%.15g of %.15g bytes were free", bytes->figure.stat[TXTAP_STAT_VALUE].value,
            size->figure.stat[TXTAP_STAT_VALUE].value);
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

        if (!figures_is_spread(figure) || !figure->max_at.known || !is_same(&figure->subject, &result->subject))
            continue;
        quantity_text(value, figure->stat[TXTAP_STAT_MAX].value, figure->unit, reason->figures->tick_hz);
        say(reason, "the maximum is %s", value);
        reason->place = figure->max_at;
        say_event(reason, ", ", &reason->place);
        return;
    }
}

/* ---- the table ---- */

static const struct {
    enum txtap_figure_id id;
    void (*explain)(struct reason *reason);
} rows[] = {
    {TXTAP_FIGURE_DEADLOCK, explain_deadlock},   {TXTAP_FIGURE_DEADLOCK_FOR_EVER, explain_deadlock},
    {TXTAP_FIGURE_UNBOUNDED, explain_unbounded}, {TXTAP_FIGURE_UNBOUNDED_TICKS, explain_unbounded},
    {TXTAP_FIGURE_INVERSION, explain_inversion}, {TXTAP_FIGURE_LEAK, explain_leak},
    {TXTAP_FIGURE_FAILED, explain_failed},       {TXTAP_FIGURE_LOST, explain_lost},
    {TXTAP_FIGURE_TOTAL_EVENTS, explain_events}, {TXTAP_FIGURE_STACK, explain_stack},
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
