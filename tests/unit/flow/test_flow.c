/* SPDX-License-Identifier: MIT */
/* The flow of made traces, whose calls are known, and of sample traces, whose sums are the sums of other sections. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/made_trace.h"
#include "txtap/inner/flow.h"
#include "txtap/trace.h"

#define FIRST  0x20000100u
#define SECOND 0x20000200u
#define QUEUE  0x20001000u
#define SEMA   0x20002000u
#define FLAGS  0x20003000u
#define MUTEX  0x20004000u

static struct txtap_flow *flow;
static char text[1 << 16];
static size_t length;

static enum txtap_status add(void *self, const char *bytes, size_t count)
{
    (void)self;
    cr_assert_lt(length + count, sizeof text);
    memcpy(text + length, bytes, count);
    length += count;
    text[length] = '\0';
    return TXTAP_OK;
}

static const char *name_of(const void *self, const struct txtap_subject *subject)
{
    (void)self;
    return subject->number == FIRST ? "fir\"st\\N\x1b" : "";
}

static const struct txtap_finding_names names = {name_of, NULL};

/* Returns the edge of these addresses; NULL: there is no such edge. caller UINT32_MAX: an unknown interrupt. */
static const struct txtap_flow_edge *edge(uint32_t caller, uint32_t object, enum txtap_flow_action action)
{
    for (uint32_t i = 0; i < flow->edge_count; i++)
        if (flow->nodes[flow->edges[i].caller].subject.number == caller &&
            flow->nodes[flow->edges[i].object].subject.number == object && flow->edges[i].action == action)
            return &flow->edges[i];
    return NULL;
}

static void collect(void)
{
    made_end();
    flow = malloc(sizeof *flow);
    txtap_flow_collect(flow, made_analysis());
}

/* FIRST sends twice to a queue of SECOND. An interrupt puts a semaphore for which SECOND waits, and polls the queue. */
static void story(void)
{
    made_begin(&(struct txtap_analysis_options){.tick_hz = 1000});
    made_object(FIRST, TXTAP_OBJECT_THREAD, "first");
    made_object(QUEUE, TXTAP_OBJECT_QUEUE, "queue");
    made_event(0, FIRST, EVENT_QUEUE_SEND, QUEUE, 0, 0, 0);
    made_event(10, FIRST, EVENT_QUEUE_FRONT_SEND, QUEUE, 0, 0, 1);
    made_event(20, FIRST, EVENT_THREAD_RESUME, SECOND, 0, 0, 0);
    made_event(30, SECOND, EVENT_QUEUE_RECEIVE, QUEUE, 0, 0, 2);
    made_event(40, SECOND, EVENT_SEMAPHORE_GET, SEMA, 100, 0, 0);
    made_event(50, SECOND, EVENT_THREAD_SUSPEND, SECOND, REASON_SEMAPHORE, 0, 0);
    made_interrupt(60, 0, EVENT_ISR_ENTER, 0, 7, 0, 0);
    made_interrupt(70, 0, EVENT_QUEUE_RECEIVE, QUEUE, 0, 0, 0);
    made_interrupt(80, 0, EVENT_SEMAPHORE_PUT, SEMA, 0, 1, 0);
    made_interrupt(90, 0, EVENT_THREAD_RESUME, SECOND, REASON_SEMAPHORE, 0, 0);
    made_interrupt(95, 0, EVENT_ISR_EXIT, 0, 7, 0, 0);
    made_event(100, SECOND, EVENT_FLAGS_GET, FLAGS, 4, 0, 0);
}

Test(flow, counts_calls_by_caller_object_and_action)
{
    story();
    made_event(1000, SECOND, EVENT_MUTEX_GET, MUTEX, 0, 0, 0);
    made_event(2000, SECOND, EVENT_RUNNING, 0, 0, 0, 0);
    collect();
    cr_assert_eq(flow->edge_count, 7);
    cr_assert_eq(edge(FIRST, QUEUE, TXTAP_FLOW_SEND)->calls.value, 2);
    cr_assert_eq(edge(FIRST, QUEUE, TXTAP_FLOW_SEND)->rate.value, 1, "two calls in two seconds");
    cr_assert_eq(edge(FIRST, QUEUE, TXTAP_FLOW_SEND)->calls.upper, 2);
    cr_assert_eq(edge(FIRST, QUEUE, TXTAP_FLOW_SEND)->failed.upper, 0);
    cr_assert_eq(edge(SECOND, QUEUE, TXTAP_FLOW_RECEIVE)->calls.value, 1);
    cr_assert_eq(edge(7, QUEUE, TXTAP_FLOW_RECEIVE)->failed.value, 1, "the interrupt found no message");
    cr_assert_eq(edge(7, SEMA, TXTAP_FLOW_PUT)->calls.value, 1);
    cr_assert_eq(edge(SECOND, SEMA, TXTAP_FLOW_GET)->blocked.value, 1);
    cr_assert_eq(edge(SECOND, SEMA, TXTAP_FLOW_GET)->timeouts.value, 0);
    cr_assert_eq(edge(SECOND, FLAGS, TXTAP_FLOW_GET)->failed.value, 0);
    cr_assert_eq(edge(SECOND, FLAGS, TXTAP_FLOW_GET)->failed.upper, 1, "the event does not show whether it waits");
    cr_assert_eq(edge(SECOND, MUTEX, TXTAP_FLOW_OWN)->calls.value, 1);
    cr_assert_eq(flow->nodes[edge(7, SEMA, TXTAP_FLOW_PUT)->caller].subject.kind, TXTAP_SUBJECT_INTERRUPT);
    free(flow);
}

Test(flow, counts_waits_that_time_out)
{
    made_begin(&(struct txtap_analysis_options){0});
    made_event(0, MADE_TIMER, EVENT_THREAD_RELINQUISH, MADE_TIMER, 0, 0, 0);
    made_event(2, MADE_TIMER, EVENT_THREAD_SUSPEND, MADE_TIMER, REASON_SUSPENDED, 0, 0);
    made_event(10, FIRST, EVENT_QUEUE_RECEIVE, QUEUE, 0, 100, 0);
    made_event(20, FIRST, EVENT_THREAD_SUSPEND, FIRST, REASON_QUEUE, 0, 0);
    made_interrupt(90, 0, EVENT_ISR_ENTER, 0, 15, 0, 0);
    made_interrupt(92, 0, EVENT_THREAD_RESUME, MADE_TIMER, REASON_SUSPENDED, 0, 0);
    made_interrupt(94, 0, EVENT_ISR_EXIT, 0, 15, 0, 0);
    made_event(100, MADE_TIMER, EVENT_THREAD_RESUME, FIRST, REASON_QUEUE, 0, 0);
    made_event(110, MADE_TIMER, EVENT_THREAD_SUSPEND, MADE_TIMER, REASON_SUSPENDED, 0, 0);
    made_event(120, FIRST, EVENT_RUNNING, 0, 0, 0, 0);
    collect();
    cr_assert_eq(edge(FIRST, QUEUE, TXTAP_FLOW_RECEIVE)->blocked.value, 1);
    cr_assert_eq(edge(FIRST, QUEUE, TXTAP_FLOW_RECEIVE)->timeouts.value, 1);
    free(flow);
}

Test(flow, is_at_least_if_events_are_missing)
{
    story();
    made_gap(10);
    made_event(2000, SECOND, EVENT_RUNNING, 0, 0, 0, 0);
    collect();
    cr_assert_eq(edge(FIRST, QUEUE, TXTAP_FLOW_SEND)->calls.value, 2);
    cr_assert(isinf(edge(FIRST, QUEUE, TXTAP_FLOW_SEND)->calls.upper));
    cr_assert(isinf(edge(FIRST, QUEUE, TXTAP_FLOW_SEND)->timeouts.upper), "a gap may hide a wait that timed out");
    cr_assert_lt(edge(FIRST, QUEUE, TXTAP_FLOW_SEND)->rate.lower, edge(FIRST, QUEUE, TXTAP_FLOW_SEND)->rate.value);
    free(flow);
}

static bool is_first(const void *self, const struct txtap_subject *caller)
{
    (void)self;
    return caller->number == FIRST;
}

Test(flow, keeps_the_callers_that_pass_and_their_objects)
{
    story();
    collect();
    cr_assert_eq(edge(SECOND, QUEUE, TXTAP_FLOW_RECEIVE)->calls.value, 1);
    txtap_flow_keep(flow, is_first, NULL);
    cr_assert_eq(flow->edge_count, 1);
    cr_assert_eq(flow->node_count, 2);
    cr_assert_eq(edge(FIRST, QUEUE, TXTAP_FLOW_SEND)->calls.value, 2);
    cr_assert_eq(flow->nodes[1].levels[TXTAP_FLOW_DEPTH].value, 2);
    free(flow);
}

Test(flow, writes_the_highest_rate_first_and_escapes_names)
{
    const struct txtap_figure_json_head head = {.trace = "a \"trace\""};

    story();
    collect();
    cr_assert_eq(txtap_flow_dot(flow, &head, &names, 1000, (struct txtap_writer){add, NULL}), TXTAP_OK);
    cr_assert_not_null(strstr(text, "n0 [shape=box, label=\"fir\\\\\\\"st\\\\\\\\N\\\\x1b\\nthread\"];"), "%s", text);
    cr_assert_not_null(strstr(text, "label=\"send 20/s\", penwidth=6.00];"), "%s", text);
    cr_assert_null(strchr(text, '\x1b'));
    length = 0;
    cr_assert_eq(txtap_flow_json(flow, &head, &names, 1000, (struct txtap_writer){add, NULL}), TXTAP_OK);
    cr_assert_not_null(strstr(text, "\"edges\":[\n{\"from\":0,\"to\":3,\"action\":\"send\",\"calls\":{\"value\":2,"),
                       "%s", text);
    cr_assert_not_null(strstr(text, "{\"from\":3,\"to\":1,\"action\":\"receive\""), "%s", text);
    free(flow);
}

/* ---- sums ---- */

static const char *const samples[] = {
    TXTAP_TEST_DATA "/demo_threadx.trx",          TXTAP_TEST_DATA "/demo_netx_tcp.trx",
    TXTAP_TEST_DATA "/threadx_qemu_wrapped.trx",  TXTAP_TEST_DATA "/analysis/demo_live.trx",
    TXTAP_TEST_DATA "/analysis/queue_full.trx",   TXTAP_TEST_DATA "/analysis/isr_nested.trx",
    TXTAP_TEST_DATA "/analysis/sema_timeout.trx", TXTAP_TEST_DATA "/analysis/inv_unbounded.trx",
    TXTAP_TEST_DATA "/analysis/smp2.trx",
};

/* Figures of an object, and the figures of the flow whose sum over all callers is equal to them. */
static const struct {
    const char *section, *name, *flow, *action;
} sums[] = {
    {"queues", "sends", "flow", "send"},
    {"queues", "receives", "flow", "receive"},
    {"queues", "send_blocked", "flow_blocked", "send"},
    {"queues", "receive_blocked", "flow_blocked", "receive"},
    {"queues", "send_failed", "flow_failed", "send"},
    {"queues", "receive_failed", "flow_failed", "receive"},
    {"semaphores", "gets", "flow", "get"},
    {"semaphores", "puts", "flow", "put"},
    {"semaphores", "sets", "flow", "set"},
    {"semaphores", "get_blocked", "flow_blocked", "get"},
    {"semaphores", "get_failed", "flow_failed", "get"},
    {"semaphores", "timeout_wait", "flow_timeouts", "get"},
    {"mutexes", "gets", "flow", "own"},
    {"mutexes", "timeouts", "flow_timeouts", "own"},
    {"pools", "allocations", "flow", "allocate"},
    {"pools", "releases", "flow", "release"},
    {"pools", "alloc_blocked", "flow_blocked", "allocate"},
    {"pools", "alloc_failed", "flow_failed", "allocate"},
};

static struct figure_list list;
static struct txtap_object objects[1024];

/* Analyses a file without `lost` events from index `at` on. */
static void analyse(const char *path, size_t at, size_t lost)
{
    static uint8_t bytes[1 << 20];
    struct txtap_analysis *analysis = figure_list_analysis(&(struct txtap_analysis_options){0});
    FILE *file = fopen(path, "rb");
    struct txtap_trace trace;
    struct txtap_item item;

    cr_assert_not_null(file, "%s", path);
    cr_assert_eq(txtap_trace_open(&trace, bytes, fread(bytes, 1, sizeof bytes, file), objects, 1024), TXTAP_OK);
    fclose(file);
    txtap_analysis_objects(analysis, &trace.registry);
    for (size_t i = 0; txtap_trace_next(&trace, &item) == TXTAP_OK; i++) {
        if (i == at && lost > 0)
            (void)txtap_analysis_take(
                analysis, &(struct txtap_item){.kind = TXTAP_ITEM_GAP, .gap = {item.event.seq, lost, true, 0}});
        if (i < at || i >= at + lost)
            (void)txtap_analysis_take(analysis, &item);
    }
    figure_list_end(&list, analysis);
}

/* Returns the sum of a figure of the flow over all callers. */
static double sum_of(const char *name, const struct txtap_subject *object, const char *action)
{
    double sum = 0;

    for (size_t i = 0; i < list.count; i++)
        if (strcmp(list.figures[i].name, name) == 0 && list.figures[i].subject.number == object->number &&
            strcmp(list.figures[i].detail, action) == 0)
            sum += list.figures[i].stat[TXTAP_STAT_N].value;
    return sum;
}

/* Compares the sums of all objects. Returns the number of sums above 0. */
static unsigned compare_sums(const char *path, size_t lost)
{
    unsigned compared = 0;

    for (size_t i = 0; i < list.count; i++)
        for (size_t j = 0; j < sizeof sums / sizeof *sums; j++) {
            const struct txtap_figure *figure = &list.figures[i];

            if (strcmp(figure->section, sums[j].section) != 0 || strcmp(figure->name, sums[j].name) != 0)
                continue;
            cr_assert_eq(sum_of(sums[j].flow, &figure->subject, sums[j].action), figure->stat[TXTAP_STAT_N].value,
                         "%s without %zu events: %s of 0x%x", path, lost, figure->name,
                         (unsigned)figure->subject.number);
            compared += figure->stat[TXTAP_STAT_N].value > 0;
        }
    return compared;
}

Test(flow, sums_are_equal_to_the_figures_of_objects)
{
    unsigned compared = 0;

    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        for (size_t lost = 0; lost < 8; lost++) {
            analyse(samples[i], 5 + 3 * lost, lost);
            compared += compare_sums(samples[i], lost);
        }
    cr_assert_gt(compared, 100);
}
