/* SPDX-License-Identifier: MIT */
/*
 * The cost of a change of the objects must not grow with the number of earlier changes. The test counts work instead of
 * time. The code between an exchange and the outlets is compiled so that each basic block counts as 1. Each 32 bytes
 * that the code copies or compares also count as 1.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error_line.h"
#include "record/recorder.h"
#include "txtap/exporter.h"
#include "stream/fixtures/poller_fixture.h"
#include "view/block_maker.h"

enum { EVENTS = 200, LIFETIMES = 60, PAST_EVENTS = LIFETIMES * EVENTS / 2, LONG_AFTER = 15 };

/* ---- work ---- */

static uint64_t work;

void __sanitizer_cov_trace_pc(void);
void *__real_memcpy(void *to, const void *from, size_t bytes);
void *__real_memmove(void *to, const void *from, size_t bytes);
int __real_memcmp(const void *a, const void *b, size_t bytes);
void *__wrap_memcpy(void *to, const void *from, size_t bytes);
void *__wrap_memmove(void *to, const void *from, size_t bytes);
int __wrap_memcmp(const void *a, const void *b, size_t bytes);

void __sanitizer_cov_trace_pc(void)
{
    work++;
}

void *__wrap_memcpy(void *to, const void *from, size_t bytes)
{
    work += bytes / 32;
    return __real_memcpy(to, from, bytes);
}

void *__wrap_memmove(void *to, const void *from, size_t bytes)
{
    work += bytes / 32;
    return __real_memmove(to, from, bytes);
}

int __wrap_memcmp(const void *a, const void *b, size_t bytes)
{
    work += bytes / 32;
    return __real_memcmp(a, b, bytes);
}

/* ---- outlets ---- */

static struct {
    struct txtap_exporter exporter;
    struct txtap_exporter_memory memory;
    struct recording recording;
    struct block_maker maker;
    struct block_ring ring;
    char directory[64], path[80];
} outlet;

static uint64_t clock_us(void)
{
    return fixture.now_us;
}

static enum txtap_status discard(void *self, const char *bytes, size_t length)
{
    (void)self;
    (void)bytes;
    (void)length;
    return TXTAP_OK;
}

static struct txtap_sink open_tail(void)
{
    struct poller *poller = &fixture.poller;

    cr_assert_eq(txtap_exporter_init(&outlet.exporter, "text", (struct txtap_writer){discard, NULL}, &outlet.memory),
                 TXTAP_OK);
    outlet.exporter.registry = &poller->registry;
    outlet.exporter.header = &poller->header;
    cr_assert_eq(outlet.exporter.ops->begin(&outlet.exporter), TXTAP_OK);
    return (struct txtap_sink){txtap_exporter_take, &outlet.exporter};
}

static void close_tail(void)
{
    cr_assert_eq(outlet.exporter.ops->end(&outlet.exporter), TXTAP_OK);
}

static struct txtap_sink open_record(void)
{
    struct poller *poller = &fixture.poller;
    const struct recording_setup setup = {
        .config.path = outlet.path, .clock = &poller->maker.clock, .now_us = clock_us, .wall_us = clock_us};

    strcpy(outlet.directory, "/tmp/txtap-test-long-run-XXXXXX");
    cr_assert_not_null(mkdtemp(outlet.directory));
    snprintf(outlet.path, sizeof outlet.path, "%s/r", outlet.directory);
    cr_assert_eq(recording_open(&outlet.recording, &setup, &poller->header, &poller->registry, &fixture.error),
                 TXTAP_OK, "%s", error_line(&fixture.error));
    return (struct txtap_sink){recording_take, &outlet.recording};
}

static void close_record(void)
{
    cr_assert_eq(recording_close(&outlet.recording, TXTAP_OK, &fixture.error), TXTAP_OK);
    unlink(outlet.path);
    rmdir(outlet.directory);
}

static struct txtap_sink open_view(void)
{
    struct poller *poller = &fixture.poller;
    const struct block_maker_setup setup = {
        .ring = &outlet.ring, .clock = &poller->maker.clock, .now_us = clock_us, .wall_us = clock_us};

    cr_assert(block_ring_init(&outlet.ring, BLOCK_RING_BYTES_MIN));
    cr_assert(block_maker_open(&outlet.maker, &setup, &poller->header, &poller->registry));
    return (struct txtap_sink){block_maker_take, &outlet.maker};
}

static void close_view(void)
{
    block_maker_close(&outlet.maker);
    block_ring_free(&outlet.ring);
}

/* ---- runs ---- */

/* Creates, uses and deletes a queue with a new name. Another queue had the same address before. */
static void live_once(unsigned i)
{
    char name[32];

    snprintf(name, sizeof name, "letter %u", i);
    add(1, name);
    txtap_trace_event_insert(EVENT_QUEUE_CREATE, thing(1), 0, 0, 0, TXTAP_TRACE_CLASS_QUEUE);
    for (unsigned sent = 0; sent < EVENTS; sent += ENTRIES / 4) {
        write_events(ENTRIES / 4);
        steps(1);
    }
    txtap_trace_object_unregister(&things[1]);
    txtap_trace_event_insert(EVENT_QUEUE_DELETE, thing(1), 0, 0, 0, TXTAP_TRACE_CLASS_QUEUE);
    steps(4);
}

/* Returns the work for a fixed number of lifetimes. */
static uint64_t live(void)
{
    uint64_t before = work;

    fixture.reads = 0;
    for (unsigned i = 0; i < LIFETIMES; i++)
        live_once(i);
    return work - before;
}

static void run(struct txtap_sink (*open)(void), void (*close)(void))
{
    uint64_t first, last;

    set_up();
    fixture.names_wait_us = 1000000;
    fixture.past_events = PAST_EVENTS;
    cr_assert_eq(try_open(TXTAP_RING_FROM_OLDEST), TXTAP_OK);
    fixture.poller.sink = open();
    steps(20);
    live();
    first = live();
    for (unsigned i = 0; i < LONG_AFTER; i++)
        live();
    last = live();
    cr_assert_eq(fixture.poller.stats.lost, 0);
    cr_assert_geq(fixture.poller.stats.events, (uint64_t)LIFETIMES * EVENTS * (LONG_AFTER + 3));
    cr_assert_gt(first, LIFETIMES * EVENTS, "the work is counted");
    cr_assert_leq(last * 10, first * 11, "%lu at first, %lu later", (unsigned long)first, (unsigned long)last);
    close();
    close_poller();
}

Test(long_run, costs_no_more_with_text_later_on)
{
    run(open_tail, close_tail);
}

Test(long_run, costs_no_more_with_a_recording_later_on)
{
    run(open_record, close_record);
}

Test(long_run, costs_no_more_with_pages_later_on)
{
    run(open_view, close_view);
}
