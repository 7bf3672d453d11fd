/* SPDX-License-Identifier: MIT */
/* Tests of the stream of changes: the changes of a small trace, and that changes and figures of any trace agree. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/event_ids.h"
#include "analysis/figure_list.h"
#include "analysis/scheduler.h"
#include "txtap/inner/change.h"

#define A     0x20000100u
#define B     0x20000200u
#define QUEUE 0x20001000u
#define MUTEX 0x20002000u

static const struct txtap_change_limits limits = {.threads = 8, .objects = 8};

/* ---- a small trace ---- */

static char lines[65536];
static struct txtap_changes *changes;
static uint64_t seq;

static const char *name_of(struct txtap_change_party party)
{
    return party.number == TXTAP_CHANGE_NONE ? "-"
           : party.address == A              ? "A"
           : party.address == B              ? "B"
           : party.address == QUEUE          ? "queue"
           : party.address == MUTEX          ? "mutex"
                                             : "?";
}

static const char *const runs[] = {"unknown", "idle", "init", "isr", "thread"};
static const char *const states[] = {"unknown", "running", "interrupted", "ready", "blocked"};

static void describe(char *text, size_t size, const struct txtap_change *change)
{
    switch (change->kind) {
    case TXTAP_CHANGE_EVENT:
        snprintf(text, size, "event %" PRIu32 " %s", change->event->id, name_of(change->recorded.thread));
        break;
    case TXTAP_CHANGE_RUN:
        snprintf(text, size, "run %s %s", runs[change->run.what], name_of(change->run.thread));
        break;
    case TXTAP_CHANGE_SWITCH:
        snprintf(text, size, "switch %s %s %d -> %s %s", runs[change->switched.from], name_of(change->switched.left),
                 change->switched.way, runs[change->switched.to], name_of(change->switched.thread));
        break;
    case TXTAP_CHANGE_STATE:
    case TXTAP_CHANGE_PAST:
        snprintf(text, size, "%s %s %s %d %s %" PRIu64, change->kind == TXTAP_CHANGE_PAST ? "past" : "state",
                 name_of(change->state.thread), states[change->state.state], change->state.reason,
                 name_of(change->state.object), change->state.since);
        break;
    case TXTAP_CHANGE_WAKE:
        snprintf(text, size, "wake %s %d %s %" PRIu64 " %d by %s %s service %" PRIu32, name_of(change->wake.thread),
                 change->wake.reason, name_of(change->wake.object), change->wake.since, change->wake.ending,
                 runs[change->wake.waker], name_of(change->wake.waker_thread), change->wake.service);
        break;
    case TXTAP_CHANGE_PRIORITY:
        snprintf(text, size, "priority %s %" PRIu32, name_of(change->priority.thread), change->priority.priority);
        break;
    case TXTAP_CHANGE_ISR_ENTER:
    case TXTAP_CHANGE_ISR_EXIT:
        snprintf(text, size, "%s %" PRIu32 " depth %" PRIu32 " since %" PRIu64 "%s",
                 change->kind == TXTAP_CHANGE_ISR_ENTER ? "enter" : "exit", change->isr.number, change->isr.depth,
                 change->isr.start, change->isr.seen ? "" : " unseen");
        break;
    case TXTAP_CHANGE_COUNTER:
        if (change->counter.known)
            snprintf(text, size, "count %s %" PRIu32 " %s", name_of(change->counter.object), change->counter.value,
                     name_of(change->counter.owner));
        else
            snprintf(text, size, "count %s unknown", name_of(change->counter.object));
        break;
    case TXTAP_CHANGE_GAP:
        snprintf(text, size, "gap");
        break;
    case TXTAP_CHANGE_GAP_END:
        snprintf(text, size, "gap end %" PRIu64 " lost %" PRIu64 "%s", change->gap.since, change->gap.lost,
                 change->gap.exact ? "" : " at least");
        break;
    case TXTAP_CHANGE_END:
        snprintf(text, size, "end");
        break;
    case TXTAP_CHANGE_KINDS:
        cr_assert_fail();
    }
}

static enum txtap_status tell(void *self, const struct txtap_change *change)
{
    char text[256];
    size_t used = strlen(lines);

    (void)self;
    describe(text, sizeof text, change);
    snprintf(lines + used, sizeof lines - used, "%" PRIu64 " %s\n", change->ticks, text);
    return TXTAP_OK;
}

static void open_changes(struct txtap_change_sink sink)
{
    void *memory = malloc(txtap_changes_bytes(&limits));

    cr_assert_not_null(memory);
    changes = txtap_changes_open(memory, &limits, sink);
}

static enum txtap_status event_in(enum txtap_context context, uint64_t ticks, uint32_t thread, uint32_t id, uint32_t i1,
                                  uint32_t i2, uint32_t i3, uint32_t i4)
{
    struct txtap_item item = {.kind = TXTAP_ITEM_EVENT};

    item.event = (struct txtap_event){.seq = seq++,
                                      .ticks = ticks,
                                      .thread = thread,
                                      .id = id,
                                      .priority = thread == A ? 4 : 9,
                                      .context = context,
                                      .info = {i1, i2, i3, i4}};
    return txtap_changes_take(changes, &item);
}

static void event(uint64_t ticks, uint32_t thread, uint32_t id, uint32_t i1, uint32_t i2, uint32_t i3, uint32_t i4)
{
    cr_assert_eq(event_in(TXTAP_CONTEXT_THREAD, ticks, thread, id, i1, i2, i3, i4), TXTAP_OK);
}

static void check(const char *expected)
{
    cr_assert_eq(txtap_changes_end(changes), TXTAP_OK);
    cr_assert_str_eq(lines, expected, "%s", lines);
    free(changes);
}

/* Records that A waits for a message. B sends it, and A displaces B. */
static void hand_over(void)
{
    event(0, A, EVENT_QUEUE_RECEIVE, QUEUE, 0, WAIT_FOREVER, 0);
    event(10, A, EVENT_THREAD_SUSPEND, A, REASON_QUEUE, 0, B);
    event(20, B, EVENT_QUEUE_SEND, QUEUE, 0, 0, 0);
    event(30, B, EVENT_THREAD_RESUME, A, REASON_QUEUE, 0, A);
}

Test(changes, report_waits_and_the_wakers_of_threads)
{
    open_changes((struct txtap_change_sink){tell, NULL});
    hand_over();
    event(40, A, EVENT_RUNNING, 0, 0, 0, 0);
    check("0 event 68 A\n"
          "0 state A running 0 - 0\n"
          "0 run thread A\n"
          "0 switch unknown - 0 -> thread A\n"
          "0 priority A 4\n"
          "0 count queue 0 -\n"
          "10 event 2 A\n"
          "10 state A blocked 5 queue 10\n"
          "10 switch thread A 0 -> thread B\n"
          "10 past B ready 0 - 0\n"
          "10 state B running 0 - 10\n"
          "10 run thread B\n"
          "20 event 69 B\n"
          "20 priority B 9\n"
          "30 event 1 B\n"
          "30 wake A 5 queue 10 1 by thread B service 69\n"
          "30 state A ready 0 - 30\n"
          "30 state B ready 0 - 30\n"
          "30 switch thread B 1 -> thread A\n"
          "30 state A running 0 - 30\n"
          "30 run thread A\n"
          "40 event 6 A\n"
          "40 end\n");
}

/* The trace does not show that the receiver waits, so the message first seems to stay in the queue. */
Test(changes, correct_a_count_when_the_receiver_appears)
{
    open_changes((struct txtap_change_sink){tell, NULL});
    event(20, B, EVENT_QUEUE_SEND, QUEUE, 0, 0, 0);
    event(30, B, EVENT_THREAD_RESUME, A, REASON_QUEUE, 0, A);
    event(40, A, EVENT_QUEUE_SEND, QUEUE, 0, 0, 0);
    event(50, A, EVENT_MUTEX_GET, MUTEX, 0, 0, 0);
    event(60, A, EVENT_MUTEX_PUT, MUTEX, A, 1, 0);
    cr_assert_eq(txtap_changes_end(changes), TXTAP_OK);
    cr_assert_not_null(strstr(lines, "20 count queue 1 -\n"), "%s", lines);
    cr_assert_not_null(strstr(lines, "30 count queue 0 -\n"), "%s", lines);
    cr_assert_not_null(strstr(lines, "30 past A blocked 5 - 20\n"), "%s", lines);
    cr_assert_not_null(strstr(lines, "40 count queue 1 -\n"), "%s", lines);
    cr_assert_not_null(strstr(lines, "50 count mutex 1 A\n60 event 57 A\n60 count mutex 0 -\n"), "%s", lines);
    free(changes);
}

/* After a gap an event of an interrupt does not show which thread has the core; only an event of a thread does. */
Test(changes, know_nothing_after_a_gap)
{
    struct txtap_item gap = {.kind = TXTAP_ITEM_GAP, .gap = {.lost = 3, .exact = false}};

    open_changes((struct txtap_change_sink){tell, NULL});
    event(40, A, EVENT_MUTEX_GET, MUTEX, 0, 0, 0);
    cr_assert_eq(event_in(TXTAP_CONTEXT_ISR, 50, A, EVENT_ISR_ENTER, 0, 7, 0, 0), TXTAP_OK);
    cr_assert_eq(event_in(TXTAP_CONTEXT_ISR, 55, A, EVENT_ISR_ENTER, 0, 8, 0, 0), TXTAP_OK);
    cr_assert_eq(event_in(TXTAP_CONTEXT_ISR, 60, A, EVENT_ISR_EXIT, 0, 7, 0, 0), TXTAP_OK);
    cr_assert_eq(txtap_changes_take(changes, &gap), TXTAP_OK);
    cr_assert_eq(event_in(TXTAP_CONTEXT_ISR, 80, A, EVENT_ISR_EXIT, 0, 9, 0, 0), TXTAP_OK);
    event(90, A, EVENT_MUTEX_PUT, MUTEX, A, 1, 0);
    check("40 event 52 A\n"
          "40 state A running 0 - 40\n"
          "40 run thread A\n"
          "40 switch unknown - 0 -> thread A\n"
          "40 priority A 4\n"
          "40 count mutex 1 A\n"
          "50 event 3 -\n"
          "50 enter 7 depth 1 since 50\n"
          "50 state A interrupted 0 - 50\n"
          "50 run isr -\n"
          "55 event 3 -\n"
          "55 enter 8 depth 2 since 55\n"
          "60 event 4 -\n"
          "60 exit 8 depth 2 since 55 unseen\n"
          "60 exit 7 depth 1 since 50\n"
          "60 gap\n"
          "80 event 4 -\n"
          "90 gap end 60 lost 3 at least\n"
          "90 event 57 A\n"
          "90 state A running 0 - 90\n"
          "90 run thread A\n"
          "90 switch unknown - 0 -> thread A\n"
          "90 count mutex 0 -\n"
          "90 end\n");
}

/* Some kernels record the start of an interrupt, but not its end. */
Test(changes, report_an_interrupt_whose_end_is_not_recorded)
{
    open_changes((struct txtap_change_sink){tell, NULL});
    event(40, A, OTHER_KERNEL | EVENT_INTERRUPT, 0, 7, 0, A);
    cr_assert_eq(txtap_changes_end(changes), TXTAP_OK);
    cr_assert_not_null(strstr(lines, "40 enter 7 depth 0 since 40\n"), "%s", lines);
    free(changes);
}

/* A translator inserts events that show which thread runs. These events are in no ring. */
Test(changes, report_only_application_events_of_another_kernel)
{
    const uint32_t application = 4711;

    open_changes((struct txtap_change_sink){tell, NULL});
    for (uint32_t id = EVENT_THREAD_RESUME; id <= EVENT_ISR_EXIT; id++)
        event(10, A, OTHER_KERNEL | id, A, 0, 0, A);
    for (uint32_t id = EVENT_SWITCH; id <= EVENT_LOCKED; id++)
        event(20, A, OTHER_KERNEL | id, MUTEX, REASON_MUTEX, 0, A);
    cr_assert_null(strstr(lines, " event "), "%s", lines);
    event(30, A, OTHER_KERNEL | application, 0, 0, 0, A);
    cr_assert_eq(txtap_changes_end(changes), TXTAP_OK);
    cr_assert_not_null(strstr(lines, "30 event 4711 A\n"), "%s", lines);
    free(changes);
}

Test(changes, report_all_events_of_another_kernel_on_request)
{
    open_changes((struct txtap_change_sink){tell, NULL});
    txtap_changes_tell_all(changes);
    event(10, A, OTHER_KERNEL | EVENT_THREAD_RESUME, B, REASON_READY, 0, A);
    event(20, A, OTHER_KERNEL | EVENT_PLAIN, 0, 0, 0, A);
    cr_assert_eq(txtap_changes_end(changes), TXTAP_OK);
    cr_assert_not_null(strstr(lines, "10 event 1 A\n"), "%s", lines);
    cr_assert_not_null(strstr(lines, "20 event 15728644 A\n"), "%s", lines);
    free(changes);
}

/* ---- status of sinks ---- */

static unsigned taken;

static enum txtap_status refuse(void *self, const struct txtap_change *change)
{
    (void)self;
    (void)change;
    taken++;
    return TXTAP_END;
}

Test(changes, stop_at_a_sink_that_refuses)
{
    open_changes((struct txtap_change_sink){refuse, NULL});
    for (unsigned i = 0; i < 9; i++)
        (void)event_in(TXTAP_CONTEXT_THREAD, i, A, EVENT_RUNNING, 0, 0, 0, 0);
    cr_assert_eq(txtap_changes_end(changes), TXTAP_END);
    cr_assert_eq(taken, 1);
    free(changes);
}

Test(changes, are_limited_to_65535_threads_and_objects)
{
    cr_assert_eq(txtap_changes_bytes(&(struct txtap_change_limits){.threads = 65536, .objects = 1}), 0);
    cr_assert_eq(txtap_changes_bytes(&(struct txtap_change_limits){.threads = 1, .objects = 65536}), 0);
}

/* ---- changes and figures of the same trace ---- */

struct row {
    uint32_t address;
    enum txtap_thread_state state;
    uint64_t since, spent[TXTAP_THREAD_BLOCKED + 1];
};

struct sums {
    struct row rows[16];
    uint64_t last, switches;
};

static void end_state(struct row *row, uint64_t ticks)
{
    row->spent[row->state] += ticks - row->since;
    row->since = ticks;
}

static enum txtap_status add_up(void *self, const struct txtap_change *change)
{
    struct sums *sums = self;
    const struct txtap_change_state *state = &change->state;
    struct row *row;

    cr_assert_geq(change->ticks, sums->last);
    sums->last = change->ticks;
    sums->switches += change->kind == TXTAP_CHANGE_SWITCH && change->switched.from != TXTAP_RUNNING_UNKNOWN;
    for (size_t i = 0; i < 16 && (change->kind == TXTAP_CHANGE_GAP || change->kind == TXTAP_CHANGE_END); i++) {
        end_state(&sums->rows[i], change->ticks);
        sums->rows[i].state = TXTAP_THREAD_UNKNOWN;
    }
    if (change->kind != TXTAP_CHANGE_STATE && change->kind != TXTAP_CHANGE_PAST)
        return TXTAP_OK;
    row = &sums->rows[state->thread.number];
    row->address = state->thread.address;
    if (change->kind == TXTAP_CHANGE_PAST) {
        cr_assert_eq(row->state, TXTAP_THREAD_UNKNOWN);
        row->spent[TXTAP_THREAD_UNKNOWN] -= change->ticks - state->since;
        row->spent[state->state] += change->ticks - state->since;
        return TXTAP_OK;
    }
    end_state(row, change->ticks);
    row->state = state->state;
    return TXTAP_OK;
}

static double figure_of(const struct figure_list *list, const char *name, uint32_t thread, const char *detail)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->figures[i].name, name) == 0 && list->figures[i].subject.number == thread &&
            (detail == NULL || strcmp(list->figures[i].detail, detail) == 0))
            return list->figures[i].stat[TXTAP_STAT_VALUE].value;
    return 0;
}

Test(changes, agree_with_the_figures_of_threads)
{
    static struct scheduler scheduler;
    static struct figure_list list;

    for (uint64_t seed = 1; seed <= 100; seed++) {
        struct txtap_analysis *analysis = figure_list_analysis(&(struct txtap_analysis_options){0});
        struct sums sums = {0};

        txtap_analysis_changes(analysis, (struct txtap_change_sink){add_up, &sums});
        scheduler_run(&scheduler, seed);
        for (size_t i = 0; i < scheduler.count; i++) {
            struct txtap_item item = {.kind = TXTAP_ITEM_EVENT, .event = scheduler.events[i]};
            struct txtap_item gap = {.kind = TXTAP_ITEM_GAP, .gap = {.lost = 1}};

            if (seed % 2 == 0 && i % 97 == 96)
                txtap_analysis_take(analysis, &gap);
            else
                txtap_analysis_take(analysis, &item);
        }
        figure_list_end(&list, analysis);
        cr_assert_eq(figure_of(&list, "switches", 0, NULL), sums.switches, "seed %" PRIu64, seed);
        for (size_t i = 0; i < 16 && sums.rows[i].address != 0; i++) {
            const struct row *row = &sums.rows[i];

            cr_assert_eq(figure_of(&list, "time_ticks", row->address, "running"), row->spent[TXTAP_THREAD_RUNNING]);
            cr_assert_eq(figure_of(&list, "time_ticks", row->address, "ready"), row->spent[TXTAP_THREAD_READY]);
            cr_assert_eq(figure_of(&list, "time_ticks", row->address, "interrupted"),
                         row->spent[TXTAP_THREAD_INTERRUPTED]);
        }
    }
}
