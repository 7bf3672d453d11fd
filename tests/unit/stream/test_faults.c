/* SPDX-License-Identifier: MIT */
/*
 * The poller with a target that the recorder writes, through a source that makes faults. The delivered data are
 * compared with the written data, byte by byte and event by event.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "ring/txtb.h"
#include "seeds.h"
#include "stream/fixtures/fault_source.h"
#include "stream/poller.h"
#include "target/recorder_target.h"

enum { OBJECTS = 4, ENTRIES = 100, EVENTS_MAX = 200000, EVENT_QUEUE_CREATE = 60, READS_PER_STEP_MAX = 40 };

static struct {
    struct fault_source source;
    struct poller poller;
    bool open;
    uint64_t now_us, random;
    uint32_t event_rate; /* events per second that the target writes while time passes */
    uint64_t owed_us;

    uint8_t truth[EVENTS_MAX][TXTB_ENTRY_BYTES];
    uint32_t written;
    uint32_t base; /* number of the written event that has seq 0 */
    bool begun, placed;
    uint64_t seed;
    uint64_t next_seq, delivered, lost;
    bool trusting; /* the source never returns wrong bytes, so every event is checked */
} fixture;

static uint32_t chance(uint32_t below)
{
    return next_random(&fixture.random, below);
}

/* ---- the target ---- */

static void note_truth(void)
{
    cr_assert_lt(fixture.written, EVENTS_MAX);
    memcpy(fixture.truth[fixture.written], ram + entry_at(OBJECTS, fixture.written % ENTRIES), TXTB_ENTRY_BYTES);
    fixture.written++;
}

static void write_events(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t n = fixture.written;

        tick++;
        txtap_trace_user_event_insert(4096, n, ~n, 3 * n, n * n);
        note_truth();
    }
}

/* Writes an event that makes the poller read the registry. */
static void create_object(unsigned i)
{
    txtap_trace_object_unregister(&things[i]);
    add(i, "mailbox");
    txtap_trace_event_insert(EVENT_QUEUE_CREATE, thing(i), 0, 0, 0, TXTAP_TRACE_CLASS_QUEUE);
    note_truth();
}

static void pass_time(uint64_t us)
{
    fixture.now_us += us;
    fixture.owed_us += us;
    while (fixture.event_rate > 0 && fixture.owed_us >= 1000000 / fixture.event_rate) {
        fixture.owed_us -= 1000000 / fixture.event_rate;
        write_events(1);
    }
}

static uint64_t fake_clock(void)
{
    return fixture.now_us;
}

static enum txtap_status read_ram(void *self, const struct txtap_read *reads, size_t count);

static const char *no_such_memory(void *self)
{
    (void)self;
    return "no such memory";
}

static const struct txtap_source_ops ram_ops = {"ram", 2560, TXTAP_RING_READS_MAX, read_ram, no_such_memory,
                                                NULL,  NULL};

/* Reads the target's memory. The writer continues between two pieces. */
static enum txtap_status read_ram(void *self, const struct txtap_read *reads, size_t count)
{
    uint32_t sum = 0;

    (void)self;
    cr_assert_leq(count, ram_ops.reads_max);
    for (size_t i = 0; i < count; i++) {
        uint32_t offset = reads[i].address - RAM_BASE;

        cr_assert_eq(reads[i].address % 4 + reads[i].length % 4, 0);
        sum += reads[i].length;
        cr_assert_leq(sum, ram_ops.read_bytes_max);
        if (offset >= RAM_BYTES || reads[i].length > RAM_BYTES - offset)
            return ERROR_FAULT;
        memcpy(reads[i].buffer, ram + offset, reads[i].length);
        pass_time(50);
    }
    return TXTAP_OK;
}

/* ---- the sink ---- */

/* Notes the seq of the first item. Events that were overwritten before the first read do not count. */
static void begin(uint64_t seq)
{
    if (!fixture.begun)
        fixture.next_seq = seq;
    fixture.begun = true;
}

/* Finds the first delivered event among the written events. This shows which written event has seq 0. */
static void place(const uint8_t entry[TXTB_ENTRY_BYTES], uint64_t seq)
{
    uint32_t at = 0;

    while (at < fixture.written && memcmp(entry, fixture.truth[at], TXTB_ENTRY_BYTES) != 0)
        at++;
    cr_assert_lt(at, fixture.written, "seed %" PRIu64 ": event %" PRIu64 " was never written", fixture.seed, seq);
    fixture.base = at - (uint32_t)seq;
    fixture.placed = true;
}

static enum txtap_status take_event(const struct txtap_event *event)
{
    const uint8_t *entry = event->entry;
    uint64_t seq = event->seq;

    fixture.delivered++;
    if (!fixture.trusting)
        return TXTAP_OK;
    begin(seq);
    if (!fixture.placed)
        place(entry, seq);
    cr_assert_eq(seq, fixture.next_seq, "seed %" PRIu64 ": event %" PRIu64 " comes where %" PRIu64 " is due",
                 fixture.seed, seq, fixture.next_seq);
    cr_assert_lt(fixture.base + seq, fixture.written, "seed %" PRIu64 ": an event that was never written",
                 fixture.seed);
    cr_assert_arr_eq(entry, fixture.truth[fixture.base + seq], TXTB_ENTRY_BYTES,
                     "seed %" PRIu64 ": event %" PRIu64 " is torn", fixture.seed, seq);
    fixture.next_seq++;
    return TXTAP_OK;
}

static enum txtap_status take_gap(const struct txtap_gap *gap)
{
    fixture.lost += gap->lost;
    if (!fixture.trusting)
        return TXTAP_OK;
    begin(gap->seq);
    cr_assert_eq(gap->seq, fixture.next_seq, "seed %" PRIu64 ": a gap at %" PRIu64 " where %" PRIu64 " is due",
                 fixture.seed, gap->seq, fixture.next_seq);
    cr_assert(gap->exact, "seed %" PRIu64, fixture.seed);
    cr_assert_gt(gap->lost, 0);
    fixture.next_seq += gap->lost;
    return TXTAP_OK;
}

static enum txtap_status take(void *self, const struct txtap_item *item)
{
    (void)self;
    return item->kind == TXTAP_ITEM_EVENT ? take_event(&item->event) : take_gap(&item->gap);
}

/* ---- a run ---- */

static void set_up(uint64_t seed, bool trusting)
{
    struct txtap_source inner = {&ram_ops, NULL};

    memset(&fixture, 0, offsetof(__typeof__(fixture), truth));
    fixture.written = 0;
    fixture.next_seq = fixture.delivered = fixture.lost = fixture.base = 0;
    fixture.begun = fixture.placed = false;
    fixture.trusting = trusting;
    fixture.seed = seed;
    fixture.random = 2 * seed + 1;
    fixture.now_us = 1000000;
    txtap_trace_disable();
    enable(OBJECTS, ENTRIES);
    run_thread(0, 5);
    cr_assert_eq(txtap_trace_thread_register(&things[0], "main", 5, 0, 0), TXTAP_TRACE_OK);
    fault_source_init(&fixture.source, inner, seed);
    fixture.source.sleep_us = pass_time;
    fixture.source.stuck_address = RAM_BASE + TXTB_HEADER_CURRENT;
}

static enum txtap_status open_poller(struct error *error)
{
    struct txtap_source source = {&fixture.source.ops, &fixture.source};
    const struct poller_settings settings = {.from = TXTAP_RING_FROM_OLDEST, .now_us = fake_clock};
    struct txtap_header header;
    uint8_t bytes[TXTB_HEADER_BYTES];
    struct txtap_read read = {RAM_BASE, sizeof bytes, bytes};
    enum txtap_status status = source.ops->read(source.self, &read, 1);

    if (status == TXTAP_OK)
        status = txtap_header_parse(bytes, &header);
    if (status == TXTAP_OK)
        status =
            poller_init(&fixture.poller,
                        &(struct poller_place){
                            .source = source, .address = RAM_BASE, .header = header, .reader.ops = &txtb_reader_ops},
                        &settings, (struct txtap_sink){.take = take}, error);
    fixture.open = status == TXTAP_OK;
    return status;
}

/* Opens the poller, or makes a step. If the source is closed, opens it again for the next call. */
static enum txtap_status step(void)
{
    struct error error = {0};
    unsigned reads = fixture.source.reads;
    enum txtap_status status = fixture.open ? poller_step(&fixture.poller, &error) : open_poller(&error);

    cr_assert_leq(fixture.source.reads - reads, READS_PER_STEP_MAX, "one step does not end");
    if (fixture.open && status < TXTAP_OK)
        cr_assert(error_is_set(&error), "a failure without a message");
    if (status == ERROR_CLOSED)
        fault_source_reopen(&fixture.source);
    if (fixture.open)
        pass_time(poller_delay_us(&fixture.poller));
    return status;
}

/* Lets the target rest and the wire work. Then checks that all written events are delivered or counted. */
static void rest_and_check(void)
{
    struct error error;

    memset(fixture.source.per_mille, 0, sizeof fixture.source.per_mille);
    fixture.source.at = 0;
    fixture.event_rate = 0;
    fault_source_reopen(&fixture.source);
    for (int i = 0; i < 3 && !fixture.open; i++)
        step();
    cr_assert(fixture.open);
    for (int i = 0; i < 10; i++)
        cr_assert_eq(step(), TXTAP_OK, "seed %" PRIu64, fixture.seed);
    cr_assert_eq(poller_drain(&fixture.poller, 200000, &error), TXTAP_OK);
    cr_assert(fixture.placed);
    cr_assert_eq(fixture.base + fixture.next_seq, fixture.written,
                 "seed %" PRIu64 ": %" PRIu64 " of %u events are accounted for", fixture.seed,
                 fixture.base + fixture.next_seq, fixture.written);
    cr_assert_eq(fixture.poller.stats.events, fixture.delivered);
    cr_assert_eq(fixture.poller.stats.lost, fixture.lost);
}

static void close_poller(void)
{
    if (fixture.open)
        poller_free(&fixture.poller);
    fixture.open = false;
}

/* ---- the n-th read fails ---- */

/* Runs with events, new objects, and one lap that the reader misses. Repeats each step that fails. */
static unsigned live(unsigned *failures, enum txtap_status *failure)
{
    unsigned reads;

    write_events(10);
    for (unsigned i = 0; i < 24; i++) {
        enum txtap_status status;

        if (i % 4 == 1)
            create_object(1 + i / 4);
        write_events(i % 9 == 8 ? 3 * ENTRIES : 5);
        status = step();
        if (status != TXTAP_OK) {
            *failure = status;
            ++*failures;
        }
    }
    reads = fixture.source.reads;
    rest_and_check();
    close_poller();
    return reads;
}

static const struct {
    enum fault_source_kind kind;
    enum txtap_status status, want;
} reported[] = {
    {FAULT_SOURCE_SHORT, TXTAP_OK, ERROR_PROTOCOL},
    {FAULT_SOURCE_ERROR, ERROR_UNREACHABLE, ERROR_UNREACHABLE},
    {FAULT_SOURCE_ERROR, ERROR_PROTOCOL, ERROR_PROTOCOL},
    {FAULT_SOURCE_ERROR, ERROR_TIMEOUT, ERROR_TIMEOUT},
    {FAULT_SOURCE_ERROR, ERROR_TARGET, ERROR_TARGET},
    {FAULT_SOURCE_ERROR, ERROR_FAULT, ERROR_FAULT},
    {FAULT_SOURCE_ERROR, TXTAP_ERROR_SYSTEM, TXTAP_ERROR_SYSTEM},
    {FAULT_SOURCE_LATE_ERROR, ERROR_TIMEOUT, ERROR_TIMEOUT},
    {FAULT_SOURCE_DISCONNECT, TXTAP_OK, ERROR_CLOSED},
};

Test(faults, whichever_read_fails_each_event_is_delivered_once_or_counted)
{
    unsigned reads, failures = 0, tried = 0;
    enum txtap_status failure = TXTAP_OK;

    set_up(1, true);
    reads = live(&failures, &failure);
    cr_assert_eq(failures, 0);
    cr_assert_gt(reads, 30);
    cr_assert_gt(fixture.lost, 0);
    for (size_t i = 0; i < sizeof reported / sizeof *reported; i++) {
        for (unsigned n = 1; n <= reads; n++) {
            set_up(n, true);
            fixture.source.at = n;
            fixture.source.at_kind = reported[i].kind;
            fixture.source.status = reported[i].status;
            failures = 0;
            live(&failures, &failure);
            cr_assert_eq(failures, 1, "read %u of %u failed unnoticed", n, reads);
            cr_assert_eq(failure, reported[i].want);
            tried++;
        }
    }
    fprintf(stderr, "faults: %u runs in each of which one of %u reads fails\n", tried, reads);
}

/* ---- by seed ---- */

static void live_by_seed(void)
{
    unsigned steps = 50 + chance(100);

    fixture.event_rate = (uint32_t[]){0, 300, 3000, 20000}[chance(4)];
    fixture.source.delay_us_max = (uint64_t[]){100, 5000, 100000}[chance(3)];
    for (unsigned i = 0; i < steps; i++) {
        write_events(chance(12));
        if (chance(10) == 0)
            create_object(1 + chance(8));
        step();
    }
}

Test(faults, by_seed_each_event_is_delivered_once_or_counted)
{
    uint64_t seed = setting("TXTAP_SEED", 1), runs = setting("TXTAP_RUNS", 400);
    uint64_t delivered = 0, lost = 0, made[FAULT_SOURCE_KINDS] = {0};

    for (uint64_t i = 0; i < runs; i++) {
        set_up(seed + i, true);
        for (int kind = FAULT_SOURCE_SHORT; kind <= FAULT_SOURCE_DELAY_AFTER; kind++)
            fixture.source.per_mille[kind] = chance(90);
        live_by_seed();
        for (int kind = 0; kind < FAULT_SOURCE_KINDS; kind++)
            made[kind] += fixture.source.made[kind];
        rest_and_check();
        close_poller();
        delivered += fixture.delivered;
        lost += fixture.lost;
    }
    fprintf(stderr,
            "faults: seeds %" PRIu64 "..%" PRIu64 ": %" PRIu64 " events delivered, %" PRIu64 " lost; faults:", seed,
            seed + runs - 1, delivered, lost);
    for (int kind = FAULT_SOURCE_SHORT; kind <= FAULT_SOURCE_DELAY_AFTER; kind++) {
        fprintf(stderr, " %" PRIu64, made[kind]);
        cr_assert_geq(made[kind], runs, "too few of kind %d", kind);
    }
    fprintf(stderr, "\n");
    cr_assert(delivered > 100 * runs && lost > 0);
}

/* ---- silent faults ---- */

/* Runs with a wire that does not report its errors. The events may be wrong then, but the program must endure this. */
static void endure(uint64_t seed, enum fault_source_kind kind, unsigned per_mille)
{
    set_up(seed, false);
    fixture.source.per_mille[kind] = per_mille;
    live_by_seed();
    close_poller();
}

Test(faults, garbage_that_looks_like_data_harms_only_the_output)
{
    uint64_t seed = setting("TXTAP_SEED", 1), runs = setting("TXTAP_RUNS", 400);
    uint64_t made = 0, delivered = 0;

    for (uint64_t i = 0; i < runs; i++) {
        endure(seed + i, FAULT_SOURCE_GARBAGE, i % 3 == 0 ? 1000 : 100);
        made += fixture.source.made[FAULT_SOURCE_GARBAGE];
        delivered += fixture.delivered;
    }
    fprintf(stderr, "faults: %" PRIu64 " reads with garbage, %" PRIu64 " events delivered\n", made, delivered);
    cr_assert(made > 10 * runs && delivered > runs);
}

Test(faults, a_stuck_pointer_harms_only_the_output)
{
    uint64_t seed = setting("TXTAP_SEED", 1), runs = setting("TXTAP_RUNS", 400);
    uint64_t made = 0, delivered = 0;

    for (uint64_t i = 0; i < runs; i++) {
        endure(seed + i, FAULT_SOURCE_STUCK, 200);
        made += fixture.source.made[FAULT_SOURCE_STUCK];
        delivered += fixture.delivered;
    }
    fprintf(stderr, "faults: the pointer stuck %" PRIu64 " times, %" PRIu64 " events delivered\n", made, delivered);
    cr_assert(made > 10 * runs && delivered > runs);
}

/* If a pointer is stuck for less than a lap, it was only read a little earlier. This is not true in two cases, which
 * the test avoids: while the ring is being located, because entries after the pointer show whether the ring has
 * wrapped; and at the ring's end, because the lap count changes.
 */
Test(faults, a_pointer_that_is_stuck_within_a_lap_loses_nothing)
{
    uint64_t made = 0;

    for (uint64_t seed = 1; seed <= 200; seed++) {
        set_up(seed, true);
        write_events(1 + chance(5));
        step();
        cr_assert_eq(step(), TXTAP_OK);
        fixture.source.per_mille[FAULT_SOURCE_STUCK] = 300;
        for (unsigned i = 0; i < 40 && fixture.written < ENTRIES - 10; i++) {
            write_events(chance(4));
            cr_assert_eq(step(), TXTAP_OK, "seed %" PRIu64, seed);
        }
        fixture.source.stuck_left = 0;
        rest_and_check();
        cr_assert_eq(fixture.lost, 0, "seed %" PRIu64, seed);
        made += fixture.source.made[FAULT_SOURCE_STUCK];
        close_poller();
    }
    cr_assert_gt(made, 1000);
}
