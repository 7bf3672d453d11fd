/* SPDX-License-Identifier: MIT */
/*
 * Cuts spans of random schedules, and compares each tick of each piece with the simulated kernel: the thread ran, or
 * another thread or interrupt had its core, or it waited for a thread that ... Environment: as for test_oracle.c.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/compare.h"
#include "oracle/history.h"
#include "oracle/image.h"
#include "oracle/schedule.h"
#include "oracle/show.h"
#include "sanitized.h"
#include "seeds.h"
#include "txtap/inner/why.h"
#include "txtap/trace.h"

#define EVERY_FEATURE (UINT32_MAX >> (32 - FEATURES))

/* Features for which the model itself is wrong, or only gives bounds: see test_oracle.c. */
#define UNCERTAIN (1u << WITH_WINDOWS | 1u << WITH_LAST_PUTS | 1u << WITH_SILENT)

static struct schedule schedule;
static uint64_t offset;             /* ticks of the trace minus ticks of the kernel */
static bool unknown;                /* is_true() found a piece that says that the trace does not show it */
static bool over_gaps;              /* events are missing */
static bool is_lost[KERNEL_EVENTS]; /* for each event: true if a gap hides it */
static uint64_t span_end;           /* in ticks of the trace; the cut does not know later events */
static struct figure_list list;
static struct {
    uint64_t spans, found, pieces, chains, deepest, circles, gaps, unknown, ticks, before, vague;
} seen;

/* ---- the analysis ---- */

static const struct txtap_why_limits limits = {
    .analysis = {.threads = 16, .objects = 32, .pairs = 128, .pages = 512, .buckets = FIGURE_LIST_BUCKETS},
    .steps = 1u << 16,
    .pieces = 4096};

/* A span that the test wants, and its cut. figure: the span is its longest sample; NULL: the wish has a time. */
struct cut_wish {
    const struct txtap_figure *figure;
    struct txtap_why_wish wish;
    struct txtap_why *why;
};

#define WISHES 6u

/* Returns the number of lost events from event `event` on. */
static unsigned lost_at(uint64_t *random, unsigned event)
{
    unsigned left = schedule.kernel.count - 1 - event;

    if (event == 0 || left == 0 || next_random(random, 24) != 0)
        return 0;
    return 1 + next_random(random, left < 30 ? left : 30);
}

/* Gives the schedule's events to the analysis. seed: 0: no gaps. */
static void take_events(struct txtap_analysis *analysis, struct txtap_trace *trace, uint64_t seed)
{
    struct txtap_item item;
    unsigned lost = 0;

    txtap_analysis_objects(analysis, &trace->registry);
    for (unsigned event = 0; txtap_trace_next(trace, &item) == TXTAP_OK; event++) {
        if (event == 0)
            offset = item.event.ticks - schedule.kernel.events[0].ticks;
        if (seed > 0 && lost == 0 && (lost = lost_at(&seed, event)) > 0)
            (void)txtap_analysis_take(
                analysis, &(struct txtap_item){.kind = TXTAP_ITEM_GAP,
                                               .gap = {.seq = item.event.seq, .lost = lost, .exact = true}});
        is_lost[event] = lost > 0;
        if (lost > 0)
            lost--;
        else
            (void)txtap_analysis_take(analysis, &item);
    }
}

static void open_trace(struct txtap_trace *trace)
{
    static uint8_t bytes[IMAGE_BYTES];
    static struct txtap_object objects[KERNEL_THREADS + KERNEL_OBJECTS];

    cr_assert_eq(
        txtap_trace_open(trace, bytes, image_of(&schedule.kernel, bytes), objects, KERNEL_THREADS + KERNEL_OBJECTS),
        TXTAP_OK);
}

/* Lists the figures of the schedule. */
static void list_figures(uint64_t seed)
{
    struct txtap_analysis *analysis = figure_list_analysis(&(struct txtap_analysis_options){0});
    struct txtap_trace trace;

    open_trace(&trace);
    take_events(analysis, &trace, seed);
    figure_list_end(&list, analysis);
}

/* Cuts the spans of all wishes in one analysis. The cuts are valid until the next call. */
static void cut_wishes(struct cut_wish *wishes, size_t count, uint64_t seed)
{
    static void *memory, *cuts[WISHES];
    struct txtap_analysis *analysis;
    struct txtap_trace trace;

    if (memory == NULL)
        memory = malloc(txtap_analysis_bytes(&limits.analysis, 0));
    cr_assert_not_null(memory);
    analysis = txtap_analysis_open(memory, &limits.analysis, &(struct txtap_analysis_options){0});
    for (size_t i = 0; i < count; i++) {
        if (cuts[i] == NULL)
            cuts[i] = malloc(txtap_why_bytes(&limits));
        cr_assert_not_null(cuts[i]);
        wishes[i].why = txtap_why_open(cuts[i], &limits, analysis, &wishes[i].wish);
    }
    open_trace(&trace);
    take_events(analysis, &trace, seed);
    txtap_analysis_end(analysis);
}

/* ---- the truth ---- */

static unsigned thread_at(const struct txtap_subject *subject)
{
    return subject->kind == TXTAP_SUBJECT_THREAD ? (subject->number - 0x20001000u) / 0x100 : NOBODY;
}

static uint32_t object_address(unsigned object)
{
    return object < schedule.kernel.object_count ? schedule.kernel.objects[object].address : 0;
}

static uint64_t tick_of(const struct history_wake *wake)
{
    return history.slices[wake->slice - 1].to + offset;
}

/* Returns the resumption that ends the wait of the thread in this slice; NULL: no resumption up to the span's end. */
static const struct history_wake *wake_after(unsigned thread, unsigned slice)
{
    for (unsigned i = 0; i < history.wake_count; i++)
        if (history.wakes[i].thread == thread && history.wakes[i].slice > slice)
            return tick_of(&history.wakes[i]) <= span_end ? &history.wakes[i] : NULL;
    return NULL;
}

/* Returns the core that the ready thread gets after this slice. It may lose the core again after no tick: then only its
 * event shows the core. */
static unsigned core_after(unsigned thread, unsigned slice)
{
    const struct kernel *kernel = &schedule.kernel;
    uint64_t from = history.slices[slice].to, until = UINT64_MAX;

    while (slice < history.count && history.slices[slice].threads[thread].core == KERNEL_CORES)
        slice++;
    if (slice < history.count)
        until = history.slices[slice].from;
    for (unsigned i = 0; i < kernel->count && kernel->events[i].ticks <= until; i++)
        if (kernel->events[i].thread == kernel->threads[thread].address && kernel->events[i].ticks >= from)
            return kernel->events[i].core;
    return slice < history.count ? history.slices[slice].threads[thread].core : KERNEL_CORES;
}

static char reason[200];

static bool differs(const char *format, unsigned a, unsigned b)
{
    (void)snprintf(reason, sizeof(reason), format, a, b);
    return false;
}

/* Returns true if the piece names the context that had the core in this slice. */
static bool is_on_core(const struct txtap_why_piece *piece, unsigned slice, unsigned core)
{
    const struct txtap_subject *by = &piece->by;

    if (by->kind == TXTAP_SUBJECT_SYSTEM && schedule.kernel.core_count > 1) {
        unknown = true;
        return true;
    }
    if (core == KERNEL_CORES) /* the thread got a core after the last tick */
        return true;
    if (history.slices[slice].cores[core].interrupted)
        return (by->kind == TXTAP_SUBJECT_INTERRUPT && by->number == history.slices[slice].cores[core].number) ||
               differs("interrupt %u, piece: kind %u", history.slices[slice].cores[core].number, by->kind);
    switch (history.slices[slice].cores[core].occupant) {
    case NOBODY:
        return by->kind == TXTAP_SUBJECT_IDLE || differs("idle, piece: kind %u%.0u", by->kind, 0);
    case KERNEL_THREADS:
        return by->kind == TXTAP_SUBJECT_INIT || differs("init, piece: kind %u%.0u", by->kind, 0);
    default:
        return thread_at(by) == history.slices[slice].cores[core].occupant ||
               differs("thread %u had the core, piece: %u", history.slices[slice].cores[core].occupant, thread_at(by));
    }
}

/* Returns true if the interrupt of the piece, which comes before the span, runs on a core in this slice. */
static bool is_interrupted(const struct txtap_why_piece *piece, unsigned slice)
{
    for (unsigned i = 0; i < schedule.kernel.core_count; i++)
        if (history.slices[slice].cores[i].interrupted && is_on_core(piece, slice, i))
            return true;
    return differs("no core ran the interrupt, piece: kind %u%.0u", piece->by.kind, 0);
}

/* Returns true if the piece is right about a thread in this slice. link: number of links up to this thread. */
static bool is_true(const struct txtap_why_piece *piece, unsigned slice, unsigned thread, unsigned link)
{
    const struct history_slice *at = &history.slices[slice];
    const char *account = at->threads[thread].account;
    const struct history_wake *wake;
    unsigned object = at->threads[thread].object, next = NOBODY;

    if (link == piece->link_count && (piece->state == TXTAP_WHY_UNKNOWN || piece->state == TXTAP_WHY_GAP)) {
        unknown = true;
        return true;
    }
    if (account == NULL)
        return differs("thread %u does not exist%.0u", thread, 0);
    if (strcmp(account, "running") == 0)
        return (link == piece->link_count && piece->state == TXTAP_WHY_RAN) || differs("thread %u ran%.0u", thread, 0);
    if (strcmp(account, "interrupted") == 0)
        return link == piece->link_count && piece->state == TXTAP_WHY_INTERRUPTED
                   ? is_on_core(piece, slice, at->threads[thread].core)
                   : differs("thread %u was interrupted%.0u", thread, 0);
    if (strcmp(account, "ready") == 0)
        return link == piece->link_count && piece->state == TXTAP_WHY_READY_WHILE
                   ? is_on_core(piece, slice, schedule.kernel.core_count == 1 ? 0 : core_after(thread, slice))
                   : differs("thread %u was ready%.0u", thread, 0);
    wake = wake_after(thread, slice);
    if (strcmp(account, "mutex") == 0)
        next = at->owners[object];
    else if (wake != NULL && wake->waker.kind == TXTAP_SUBJECT_THREAD && wake->ending != ENDS_TIMEOUT &&
             strcmp(account, "sleep") != 0 && strcmp(account, "terminated") != 0 && strcmp(account, "completed") != 0)
        next = thread_at(&wake->waker);
    if (link == piece->link_count && piece->state != TXTAP_WHY_WAITED)
        return differs("thread %u waited%.0u", thread, 0);
    if (link == piece->link_count && (piece->circle || piece->deep))
        return thread_at(&piece->by) == next || differs("thread %u waited for %u", thread, next);
    if (link == piece->link_count && wake != NULL && tick_of(wake) == span_end &&
        piece->by.kind == TXTAP_SUBJECT_SYSTEM && strcmp(txtap_wait_name(piece->reason), account) == 0)
        return true; /* the event of the resumption may come after the span's last event, at the same tick */
    if (link == piece->link_count && over_gaps &&
        (piece->reason == TXTAP_WAIT_MUTEX || piece->by.kind == TXTAP_SUBJECT_SYSTEM) &&
        strcmp(txtap_wait_name(piece->reason), account) == 0) {
        unknown = true; /* the gap hides the mutex, its owner, or the end of the wait */
        return true;
    }
    if (link == piece->link_count && (next != NOBODY || strcmp(txtap_wait_name(piece->reason), account) != 0)) {
        (void)snprintf(reason, sizeof(reason),
                       "thread %u waited (%s) for thread %u (ending %d), piece: %s, ending %d by kind %d", thread,
                       account, next, wake != NULL ? (int)wake->ending : -1, txtap_wait_name(piece->reason),
                       (int)piece->ending, (int)piece->by.kind);
        return false;
    }
    if (link == piece->link_count)
        return true;
    if (object != NOBODY && piece->links[link].object.kind == TXTAP_SUBJECT_OBJECT &&
        piece->links[link].object.number != object_address(object))
        return differs("thread %u waited for object %u", thread, object);
    if (thread_at(&piece->links[link].thread) != next)
        return differs("the link is to %u, not to %u", next, thread_at(&piece->links[link].thread));
    return is_true(piece, slice, next, link + 1);
}

/* Returns true if all interrupts record their enter and exit events. */
static bool is_exact(void)
{
    return (schedule.features & (1u << WITH_SILENT | 1u << WITH_INTERRUPTS)) == 1u << WITH_INTERRUPTS;
}

/* Compares a piece with all slices of its time. Returns the ticks of the slices for which it is wrong. */
static uint64_t wrong_ticks(const struct txtap_why_piece *piece, const struct txtap_why_span *span)
{
    unsigned first = piece->before ? thread_at(&piece->thread) : thread_at(&span->thread);
    uint64_t wrong = 0;

    for (unsigned i = 0; i < history.count; i++) {
        const struct history_slice *slice = &history.slices[i];
        uint64_t from = slice->from + offset > piece->from ? slice->from + offset : piece->from,
                 to = slice->to + offset < piece->to ? slice->to + offset : piece->to;
        bool is;

        if (to <= from || (piece->before && piece->link_count > 0))
            continue; /* a piece before the span does not name the first thread of its chain */
        unknown = false;
        is = first == NOBODY ? is_interrupted(piece, i) : is_true(piece, i, first, 0);
        wrong += is ? 0 : to - from;
        seen.unknown += unknown ? to - from : 0;
    }
    seen.pieces++;
    seen.chains += piece->link_count > 0;
    seen.circles += piece->circle;
    seen.before += piece->before;
    seen.gaps += piece->state == TXTAP_WHY_GAP;
    seen.deepest = piece->link_count > seen.deepest ? piece->link_count : seen.deepest;
    seen.ticks += piece->ticks;
    return wrong;
}

/* Compares the pieces of a span. */
static void check_pieces(uint64_t seed, const struct txtap_why *why, const struct txtap_why_span *span)
{
    struct txtap_why_piece piece;
    uint64_t wrong;

    span_end = schedule.kernel.core_count > 1 ? UINT64_MAX
                                              : span->end.ticks; /* with several cores, the cut knows all events */
    seen.spans++;
    seen.vague += span->vague;
    if (!is_exact())
        return;
    for (size_t i = 0; i < txtap_why_pieces(why); i++) {
        txtap_why_piece(why, i, &piece);
        wrong = wrong_ticks(&piece, span);
        if (wrong > 0) {
            show_schedule(&schedule, is_lost);
            show_history(&schedule, piece.from - offset, piece.to - offset);
        }
        cr_assert(wrong == 0, "seed %" PRIu64 ": %" PRIu64 " to %" PRIu64 ", state %s: %s", seed, piece.from, piece.to,
                  txtap_why_state_name(piece.state), reason);
    }
}

/* Checks that the pieces follow one another without a hole, and that pieces and groups add up to the span. */
static void check_sums(uint64_t seed, const struct txtap_why *why, const struct txtap_why_summary *summary)
{
    uint64_t at = summary->span.start.ticks - summary->span.before, sum = 0;
    struct txtap_why_piece piece;

    for (size_t i = 0; i < txtap_why_pieces(why); i++) {
        txtap_why_piece(why, i, &piece);
        cr_assert_eq(piece.from, at, "seed %" PRIu64, seed);
        cr_assert_gt(piece.to, piece.from);
        at = piece.to;
    }
    if (txtap_why_pieces(why) > 0)
        cr_assert_eq(at, summary->span.end.ticks, "seed %" PRIu64, seed);
    for (size_t i = 0; i < txtap_why_groups(why); i++) {
        txtap_why_group(why, i, &piece);
        sum += piece.ticks;
    }
    cr_assert_eq(sum, summary->total + summary->span.before, "seed %" PRIu64, seed);
}

/* Checks the cut of the longest sample of a figure. */
static void check_figure(uint64_t seed, const struct cut_wish *wish)
{
    const struct txtap_figure *figure = wish->figure;
    bool is_path = figure->id == TXTAP_FIGURE_PATH, is_time = figure->unit == TXTAP_UNIT_TICKS;
    double max = figure->stat[TXTAP_STAT_MAX].value;
    struct txtap_why_summary summary;

    if (figure->stat[TXTAP_STAT_N].value == 0 || figure->stat[TXTAP_STAT_MAX].upper > max)
        return; /* the end of the trace, or a gap, cuts off the longest span */
    cr_assert(txtap_why_summary(wish->why, &summary), "seed %" PRIu64 ": no span for %s", seed, figure->name);
    check_sums(seed, wish->why, &summary);
    if (figure->id == TXTAP_FIGURE_RESPONSE || figure->id == TXTAP_FIGURE_BLOCK || figure->id == TXTAP_FIGURE_WAITS ||
        figure->id == TXTAP_FIGURE_HOLD || figure->id == TXTAP_FIGURE_READY || figure->id == TXTAP_FIGURE_WAKE)
        cr_assert_eq((double)summary.total, max, "seed %" PRIu64 ": %s %" PRIu64 ", not %g", seed, figure->name,
                     summary.total, max);
    if (is_path && is_time)
        cr_assert(summary.span.before_known && (double)(summary.total + summary.span.before) >= max);
    check_pieces(seed, wish->why, &summary.span);
}

/* Checks the cut of a job, or of a wait, of a random thread at a random time. */
static void check_time(uint64_t seed, const struct cut_wish *wish)
{
    uint64_t ticks = wish->wish.ticks;
    struct txtap_why_summary summary;

    if (!txtap_why_summary(wish->why, &summary))
        return;
    cr_assert(summary.span.start.ticks <= ticks && ticks <= summary.span.end.ticks, "seed %" PRIu64, seed);
    check_sums(seed, wish->why, &summary);
    seen.found++;
    check_pieces(seed, wish->why, &summary.span);
}

/* Chooses spans: samples of figures, and jobs and waits at random times. Returns their number. */
static size_t choose_wishes(struct cut_wish wishes[WISHES], uint64_t *random)
{
    const struct kernel *kernel = &schedule.kernel;
    size_t count = 0;

    for (unsigned tries = 0; tries < 100 && count < WISHES / 2 && list.count > 0; tries++) {
        const struct txtap_figure *figure = &list.figures[next_random(random, (uint32_t)list.count)];

        if (!txtap_why_explains(figure->id) || !figure->max_at.known || figure->stat[TXTAP_STAT_MAX].value == 0)
            continue;
        wishes[count].figure = figure;
        wishes[count++].wish =
            (struct txtap_why_wish){TXTAP_WHY_FIGURE, figure->id, figure->subject, figure->max_at.seq, 0};
    }
    for (unsigned i = 0; i < WISHES / 2; i++) {
        struct txtap_why_wish wish = {.select = TXTAP_WHY_TIME};

        wish.subject.kind = TXTAP_SUBJECT_THREAD;
        wish.subject.number = kernel->threads[next_random(random, kernel->thread_count)].address;
        wish.ticks = kernel->events[next_random(random, kernel->count)].ticks + offset;
        wishes[count++] = (struct cut_wish){.wish = wish};
    }
    return count;
}

static void check_schedule(uint64_t seed, uint32_t features, bool gaps, bool several)
{
    uint64_t random = seed * 0x9E3779B97F4A7C15u | 1, holes = gaps ? random : 0;
    struct cut_wish wishes[WISHES];
    size_t count;

    over_gaps = gaps;
    history_begin();
    if (!several)
        schedule_run(&schedule, seed, features, (unsigned)setting("TXTAP_EVENTS", 30 + seed % 200));
    else if (!schedule_run_smp(&schedule, seed, features, (unsigned)setting("TXTAP_EVENTS", 30 + seed % 200)))
        return;
    list_figures(holes);
    count = choose_wishes(wishes, &random);
    cut_wishes(wishes, count, holes);
    for (size_t i = 0; i < count; i++) {
        if (wishes[i].figure != NULL)
            check_figure(seed, &wishes[i]);
        else
            check_time(seed, &wishes[i]);
    }
}

static void check_all(uint64_t runs, uint32_t without, bool gaps, bool several)
{
    uint64_t seed = setting("TXTAP_SEED", 1), end = seed + setting("TXTAP_RUNS", runs / RUNS_DIVISOR);

    memset(&seen, 0, sizeof(seen));
    for (; seed < end; seed++)
        check_schedule(seed, EVERY_FEATURE & ~without, gaps, several);
    (void)fprintf(stderr,
                  "%" PRIu64 " spans (%" PRIu64 " at a time, %" PRIu64 " vague), %" PRIu64 " pieces, %" PRIu64
                  " chains up to %" PRIu64 ", %" PRIu64 " circles, %" PRIu64 " before, %" PRIu64 " gaps, %" PRIu64
                  " of %" PRIu64 " ticks unknown\n",
                  seen.spans, seen.found, seen.vague, seen.pieces, seen.chains, seen.deepest, seen.circles, seen.before,
                  seen.gaps, seen.unknown, seen.ticks);
}

Test(why_oracle, pieces_are_the_kernels_truth)
{
    check_all(500, UNCERTAIN, false, false);
    cr_assert(seen.chains > 0 && seen.before > 0);
}

/* Mutexes with and without inheritance, and few other services, so that many threads wait for owners that wait. */
Test(why_oracle, chains_of_mutexes_are_the_kernels_truth)
{
    const uint32_t with = 1u << WITH_INTERRUPTS | 1u << WITH_SEMAPHORES | 1u << WITH_MUTEXES |
                          1u << WITH_PLAIN_MUTEXES | 1u << WITH_PRIORITY_CHANGES | 1u << WITH_SLICES;

    check_all(500, ~with, false, false);
    cr_assert(seen.deepest >= 2 && seen.circles > 0);
}

Test(why_oracle, pieces_over_gaps_are_true_or_unknown)
{
    check_all(500, UNCERTAIN, true, false);
}

/* After a gap, a thread was suspended when its wait ended: the trace did not show yet that this kernel names the next
 * thread, but the next interrupt showed that no thread ran. */
Test(why_oracle, pieces_over_gaps_that_were_wrong_once_are_true_or_unknown)
{
    check_schedule(92916, EVERY_FEATURE & ~UNCERTAIN, true, false);
}

/* These schedules once gave wrong pieces on several cores: an inherited priority that lasts longer than the call that
 * lowers a thread's own priority; an interrupt that suspends its thread before the second core records an event; a core
 * that takes a thread while the thread's old core is still in an interrupt; a ready owner of a mutex that gets a core
 * after the wait for the mutex has ended. */
Test(why_oracle, pieces_that_were_wrong_once_are_true_or_unknown)
{
    static const uint64_t seeds[] = {26766, 39474, 46170, 51297, 92725};

    for (size_t i = 0; i < sizeof(seeds) / sizeof(*seeds); i++)
        check_schedule(seeds[i], EVERY_FEATURE & ~UNCERTAIN, false, true);
}

/* ThreadX with several cores does not record each switch. The pieces of such a time say that it is unknown. */
Test(why_oracle, pieces_are_true_or_unknown_on_several_cores)
{
    check_all(500, UNCERTAIN, false, true);
    cr_assert(getenv("TXTAP_SEED") != NULL || (seen.vague < seen.spans && seen.unknown * 3 < seen.ticks));
}
