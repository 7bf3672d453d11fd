/* SPDX-License-Identifier: MIT */
/*
 * The session over a target in memory, written by the recorder, with a clock that is a number: failing reads, a
 * registry that changes, the pace of polling, the end.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "recorder_target.h"
#include "session.h"

enum { OBJECTS = 4, ENTRIES = 100, EVENT_QUEUE_CREATE = 60, EVENT_QUEUE_DELETE = 61, EVENT_QUEUE_SEND = 68 };

static struct {
    struct session session;
    char error[ERROR_TEXT_BYTES];
    uint64_t now_us, read_us; /* how long one exchange takes */

    /* the source */
    unsigned reads, fail_at; /* the read of that number, from 1, fails */
    enum txtap_status failure;
    const char *failure_text;
    unsigned registry_reads, write_during_reads;
    uint32_t tear_registry; /* so often, the registry changes between two looks */

    /* the taker */
    uint64_t last_seq;
    unsigned taken_count, gaps;
    bool begun;
    uint64_t lost;
    unsigned enough_after; /* 0: never */
    enum txtap_status enough;
    char name_at_create[TXTAP_OBJECT_NAME_BYTES];
    uint64_t from_us, to_us, last_from_us, widest_us; /* the window, and of the windows */
    bool timed; /* stamps are the time at which they were written, and time passes between the reads of an exchange */
    bool plain; /* as ThreadX itself, the writer counts no laps */
} world;

static uint64_t fake_clock(void)
{
    return world.now_us;
}

static enum txtap_status read_ram(void *self, const struct txtap_read *reads, size_t count);
static const char *failure_text(void *self);

static const struct txtap_source_ops ram_ops = {"ram", 2560, TXTAP_RING_READS_MAX, read_ram, failure_text, NULL};

static void write_timed(unsigned count, uint64_t each_us)
{
    for (unsigned i = 0; i < count; i++) {
        world.now_us += each_us;
        tick = (uint32_t)world.now_us;
        user_event(4096);
        if (world.plain)
            memset(ram + TXTB_HEADER_LAPS, 0, 2);
    }
}

static enum txtap_status read_ram(void *self, const struct txtap_read *reads, size_t count)
{
    uint32_t sum = 0;

    cr_assert_eq(self, &world);
    world.reads++;
    world.now_us += world.timed ? 0 : world.read_us;
    if (world.reads == world.fail_at)
        return world.failure;
    cr_assert_leq(count, ram_ops.reads_max);
    cr_assert_lt(world.reads, 100000, "it goes on for ever");
    for (size_t i = 0; i < count; i++) {
        uint32_t offset = reads[i].address - RAM_BASE;

        sum += reads[i].length;
        cr_assert_leq(sum, ram_ops.read_bytes_max);
        cr_assert(offset < RAM_BYTES && reads[i].length <= RAM_BYTES - offset);
        if (offset >= TXTB_HEADER_BYTES && offset < entry_at(OBJECTS, 0) && world.session.objects_bytes > 0) {
            world.registry_reads++;
            if (world.tear_registry > 0) {
                world.tear_registry--;
                ram[object_at(OBJECTS - 1) + TXTB_OBJECT_PARAMETER1]++;
            }
        }
        if (world.timed) {
            world.now_us += world.read_us / count;
            write_timed(world.write_during_reads, 1);
        }
        memcpy(reads[i].buffer, ram + offset, reads[i].length);
    }
    world.now_us += world.timed ? world.read_us : 0;
    for (unsigned i = 0; i < world.write_during_reads && !world.timed; i++)
        user_event(4096);
    return TXTAP_OK;
}

static const char *failure_text(void *self)
{
    (void)self;
    return world.failure_text;
}

static enum txtap_status take_entry(void *self, const uint8_t entry[TXTB_ENTRY_BYTES], uint64_t seq, bool unsettled)
{
    struct txtap_event event;

    (void)unsettled;
    cr_assert_eq(self, &world);
    if (world.begun)
        cr_assert_eq(seq, world.last_seq + 1, "an event came twice, or not at all");
    world.taken_count++;
    world.begun = true;
    world.last_seq = seq;
    txtap_event_parse(entry, &world.session.header, &event);
    cr_assert_gt(world.to_us, 0, "no window was told");
    if (world.timed) {
        cr_assert_leq(world.from_us, event.stamp, "event %lu", (unsigned long)seq);
        cr_assert_geq(world.to_us, event.stamp, "event %lu", (unsigned long)seq);
        if (world.from_us > 0 && world.to_us - world.from_us > world.widest_us)
            world.widest_us = world.to_us - world.from_us;
    }
    if (event.id == EVENT_QUEUE_CREATE) {
        const struct txtap_object *object = txtap_registry_find(&world.session.registry, event.info[0]);

        if (object == NULL && world.fail_at > 0)
            return TXTAP_OK; /* the registry could not be read: events come all the same */
        cr_assert_not_null(object);
        memcpy(world.name_at_create, object->name, sizeof world.name_at_create);
    }
    return world.enough_after > 0 && world.taken_count >= world.enough_after ? world.enough : TXTAP_OK;
}

static void take_window(void *self, uint64_t from_us, uint64_t to_us)
{
    cr_assert_eq(self, &world);
    cr_assert_leq(from_us, to_us);
    cr_assert_leq(to_us, world.now_us);
    cr_assert(from_us == 0 || from_us >= world.last_from_us);
    world.last_from_us = from_us > 0 ? from_us : world.last_from_us;
    cr_assert_geq(to_us, world.to_us);
    world.from_us = from_us;
    world.to_us = to_us;
}

static enum txtap_status take_gap(void *self, const struct txtap_gap *gap)
{
    cr_assert_eq(self, &world);
    if (world.begun)
        cr_assert_eq(gap->seq, world.last_seq + 1);
    world.begun = true;
    world.gaps++;
    world.lost += gap->lost;
    world.last_seq = gap->seq + gap->lost - 1;
    return world.enough_after > 0 && world.taken_count >= world.enough_after ? world.enough : TXTAP_OK;
}

static void set_up(void)
{
    memset(&world, 0, sizeof world);
    world.now_us = 1000000;
    world.read_us = 100;
    world.failure = TXTAP_ERROR_FAULT;
    world.failure_text = "target memory at 0x20000000 cannot be read";
    txtap_trace_disable();
    enable(OBJECTS, ENTRIES);
    run_thread(0, 5);
    cr_assert_eq(txtap_trace_thread_register(&things[0], "main", 5, 0, 0), TXTAP_TRACE_OK);
}

static void write_events(unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        tick++;
        user_event(4096);
    }
}

static enum txtap_status try_open(enum txtap_ring_from from)
{
    struct txtap_source source = {&ram_ops, &world};
    struct session_taker taker = {.entry = take_entry, .gap = take_gap, .self = &world, .window = take_window};
    struct txtap_header header;

    cr_assert_eq(txtap_header_parse(ram, &header), TXTAP_OK);
    return session_init(&world.session,
                        &(struct session_place){.source = source, .address = RAM_BASE, .header = header}, from, taker,
                        fake_clock, world.error);
}

static void open_session(void)
{
    set_up();
    cr_assert_eq(try_open(TXTAP_RING_FROM_OLDEST), TXTAP_OK);
}

static enum txtap_status step(void)
{
    enum txtap_status status = session_step(&world.session, world.error);

    world.now_us += session_delay_us(&world.session);
    return status;
}

static void steps(unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        cr_assert_eq(step(), TXTAP_OK);
}

static enum txtap_status steps_until_end(void)
{
    enum txtap_status status = TXTAP_OK;

    for (int i = 0; i < 100 && status == TXTAP_OK; i++)
        status = step();
    return status;
}

static void close_session(void)
{
    session_free(&world.session);
}

/* ---- failing reads ---- */

/* A whole life: open, events, a new object, a gap, drain. Returns at the first failure. */
static enum txtap_status live(void)
{
    enum txtap_status status;

    write_events(10);
    status = try_open(TXTAP_RING_FROM_OLDEST);
    if (status != TXTAP_OK)
        return status;
    for (int i = 0; i < 6 && status == TXTAP_OK; i++) {
        write_events(5);
        if (i == 2) {
            add(1, "mailbox");
            txtap_trace_event_insert(EVENT_QUEUE_CREATE, thing(1), 0, 0, 0, TXTAP_TRACE_CLASS_QUEUE);
        }
        if (i == 4)
            write_events(3 * ENTRIES);
        status = step();
    }
    if (status == TXTAP_OK)
        status = session_drain(&world.session, 200000, world.error);
    close_session();
    return status;
}

Test(session, fails_cleanly_whichever_read_fails)
{
    unsigned reads;

    set_up();
    cr_assert_eq(live(), TXTAP_OK);
    reads = world.reads;
    cr_assert_gt(reads, 8);
    cr_assert_gt(world.lost, 0);
    cr_assert_eq(world.last_seq + 1, 10 + 6 * 5 + 1 + 3 * ENTRIES);
    for (unsigned n = 1; n <= reads; n++) {
        set_up();
        world.fail_at = n;
        cr_assert_eq(live(), TXTAP_ERROR_FAULT, "read %u of %u failed unnoticed", n, reads);
        cr_assert_str_eq(world.error, world.failure_text);
        cr_assert_eq(world.reads, n, "it went on after the failure");
    }
}

Test(session, passes_on_every_kind_of_failure)
{
    static const enum txtap_status kinds[] = {TXTAP_ERROR_UNREACHABLE, TXTAP_ERROR_PROTOCOL, TXTAP_ERROR_TIMEOUT,
                                              TXTAP_ERROR_CLOSED,      TXTAP_ERROR_TARGET,   TXTAP_ERROR_SYSTEM};

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        open_session();
        world.fail_at = world.reads + 1;
        world.failure = kinds[i];
        cr_assert_eq(step(), kinds[i]);
        close_session();
    }
}

Test(session, says_what_the_status_means_when_the_source_does_not)
{
    for (int null = 0; null < 2; null++) {
        open_session();
        world.fail_at = world.reads + 1;
        world.failure_text = null ? NULL : "";
        cr_assert_eq(step(), TXTAP_ERROR_FAULT);
        cr_assert_str_eq(world.error, txtap_status_text(TXTAP_ERROR_FAULT));
        close_session();
    }
}

Test(session, delivers_everything_once_when_it_goes_on_after_a_failed_read)
{
    open_session();
    for (unsigned i = 0; i < 20; i++) {
        write_events(7);
        world.fail_at = world.reads + 1 + i % 2;
        step();
        step();
    }
    steps(3);
    cr_assert_eq(world.taken_count, 140);
    cr_assert_eq(world.lost, 0);
    cr_assert_eq(world.session.stats.events, 140);
    close_session();
}

Test(session, names_buffer_and_next_step_when_the_pointer_is_nonsense)
{
    uint32_t nonsense = 0;

    open_session();
    memcpy(ram + TXTB_HEADER_CURRENT, &nonsense, 4);
    cr_assert_eq(step(), TXTAP_ERROR_POINTER);
    cr_assert_not_null(strstr(world.error, "0x20000000"));
    cr_assert_not_null(strstr(world.error, "start txtap again"));
    close_session();
}

Test(session, says_so_when_the_trace_was_enabled_anew)
{
    open_session();
    write_events(2 * ENTRIES + 1);
    steps(3);
    txtap_trace_disable();
    enable(OBJECTS, ENTRIES);
    cr_assert_eq(step(), TXTAP_ERROR_MOVED);
    cr_assert_not_null(strstr(world.error, "set up anew"));
    close_session();
}

/* Its one slot is never whole while the target writes: nothing could be read and nothing missed be noticed. */
Test(session, refuses_a_ring_of_one_entry_unless_it_rests)
{
    set_up();
    txtap_trace_disable();
    enable(OBJECTS, 1);
    cr_assert_eq(try_open(TXTAP_RING_FROM_OLDEST), TXTAP_ERROR_RING);
    cr_assert_not_null(strstr(world.error, "one entry"));
    cr_assert_eq(try_open(TXTAP_RING_FROM_NOW), TXTAP_ERROR_RING);
    cr_assert_eq(try_open(TXTAP_RING_STILL), TXTAP_OK);
    close_session();
}

/* ---- when events were written ---- */

/* fall_behind: so often, the target writes more than a ring meanwhile. */
static void live_timed(bool plain, unsigned write_during_reads, unsigned fall_behind)
{
    open_session();
    world.timed = true;
    world.plain = plain;
    for (unsigned i = 0; i < 3000; i++) {
        write_timed(i * 7 % 4, 97);
        if (fall_behind > 0 && i % fall_behind == 0)
            write_timed(ENTRIES + i % (2 * ENTRIES), 50);
        world.write_during_reads = i % 3 == 0 ? write_during_reads : 0;
        world.reads = 0;
        world.read_us = 10 + i * 13 % 400;
        cr_assert_eq(step(), TXTAP_OK);
    }
    world.write_during_reads = 0;
    cr_assert_eq(session_drain(&world.session, 200000, world.error), TXTAP_OK);
    close_session();
}

Test(session, every_event_was_written_in_its_window)
{
    for (int plain = 0; plain < 2; plain++) {
        live_timed(plain, 0, 0);
        cr_assert_gt(world.taken_count, 4000);
        cr_assert_eq(world.lost, 0);
        cr_assert(world.widest_us > 0 && world.widest_us < 45000, "%lu", (unsigned long)world.widest_us);
        live_timed(plain, 1, 0);
        cr_assert_eq(world.lost, 0);
    }
}

Test(session, estimates_what_a_gap_of_unknown_size_has_swallowed)
{
    open_session();
    world.plain = true;
    for (int i = 0; i < 40; i++) {
        write_timed(3, 1000);
        steps(1);
    }
    cr_assert_eq(world.lost, 0);
    for (unsigned laps = 1; laps < 6; laps++) {
        uint64_t lost = world.lost, estimate = world.session.stats.lost_estimate;

        write_timed(laps * ENTRIES + 5, 1000);
        steps(2);
        write_timed(20, 1000);
        steps(10);
        cr_assert_gt(world.lost, lost);
        cr_assert_lt(world.lost - lost, ENTRIES + 5);
        cr_assert_eq(world.session.stats.lost_estimate - estimate, world.lost - lost + (laps - 1) * ENTRIES,
                     "%u laps: %lu", laps, (unsigned long)(world.session.stats.lost_estimate - estimate));
    }
    close_session();
}

Test(session, so_was_every_event_after_a_gap)
{
    for (int plain = 0; plain < 2; plain++) {
        live_timed(plain, 0, 50);
        cr_assert_gt(world.lost, 1000);
        for (unsigned many = 1; many < ENTRIES; many++)
            live_timed(plain, many, many % 2 * 7);
    }
}

/* ---- the registry ---- */

Test(session, knows_the_objects_from_the_start)
{
    open_session();
    cr_assert_str_eq(txtap_registry_find(&world.session.registry, thing(0))->name, "main");
    cr_assert_leq(world.registry_reads, 2);
    close_session();
}

/* An object may be half written when it is read: only what is read twice alike is believed. */
Test(session, reads_the_registry_again_until_two_copies_agree)
{
    unsigned reads;

    set_up();
    world.tear_registry = 3;
    cr_assert_eq(try_open(TXTAP_RING_FROM_OLDEST), TXTAP_OK);
    cr_assert_eq(world.registry_reads, 4);
    cr_assert_eq(world.tear_registry, 0);
    close_session();
    set_up();
    world.tear_registry = 1000;
    cr_assert_eq(try_open(TXTAP_RING_FROM_OLDEST), TXTAP_OK); /* takes the latest: it must not go on for ever */
    reads = world.registry_reads;
    cr_assert(reads > 3 && reads < 10);
    close_session();
}

Test(session, needs_no_registry)
{
    set_up();
    txtap_trace_disable();
    enable(0, ENTRIES);
    cr_assert_eq(try_open(TXTAP_RING_FROM_OLDEST), TXTAP_OK);
    cr_assert_eq(world.reads, 0);
    write_events(3);
    steps(2);
    cr_assert_eq(world.taken_count, 3);
    close_session();
}

static void create(unsigned i, const char *name)
{
    add(i, name);
    txtap_trace_event_insert(EVENT_QUEUE_CREATE, thing(i), 0, 0, 0, TXTAP_TRACE_CLASS_QUEUE);
}

Test(session, knows_an_object_before_its_create_event_is_delivered)
{
    open_session();
    steps(2);
    create(1, "mailbox");
    steps(3);
    cr_assert_str_eq(world.name_at_create, "mailbox");
    close_session();
}

Test(session, remembers_a_deleted_object)
{
    open_session();
    create(1, "mailbox");
    steps(3);
    cr_assert(txtap_registry_find(&world.session.registry, thing(1))->live);
    txtap_trace_object_unregister(&things[1]);
    txtap_trace_event_insert(EVENT_QUEUE_DELETE, thing(1), 0, 0, 0, TXTAP_TRACE_CLASS_QUEUE);
    create(2, "letters");
    steps(3);
    cr_assert_not(txtap_registry_find(&world.session.registry, thing(1))->live);
    cr_assert_str_eq(txtap_registry_find(&world.session.registry, thing(1))->name, "mailbox");
    cr_assert_str_eq(txtap_registry_find(&world.session.registry, thing(2))->name, "letters");
    close_session();
}

/* Delivers one event that names what is not known. Returns how often the registry was read for it. */
static unsigned meet_a_stranger(unsigned thread, unsigned object)
{
    unsigned before = world.registry_reads;

    run_thread(thread, 5);
    txtap_trace_event_insert(EVENT_QUEUE_SEND, object ? thing(object) : 0, 0, 0, 0, TXTAP_TRACE_CLASS_QUEUE);
    cr_assert_eq(session_step(&world.session, world.error), TXTAP_OK);
    cr_assert_eq(session_step(&world.session, world.error), TXTAP_OK);
    return world.registry_reads - before;
}

Test(session, looks_for_unknown_objects_at_most_once_a_second)
{
    open_session();
    steps(2);
    world.now_us += 2000000;
    cr_assert_gt(meet_a_stranger(0, 9), 0);
    cr_assert_eq(meet_a_stranger(0, 9), 0);
    cr_assert_eq(meet_a_stranger(9, 0), 0);
    world.now_us += 990000;
    cr_assert_eq(meet_a_stranger(9, 0), 0);
    world.now_us += 20000;
    cr_assert_gt(meet_a_stranger(9, 0), 0);
    close_session();
}

Test(session, does_not_look_for_what_it_knows)
{
    open_session();
    steps(2);
    world.now_us += 2000000;
    cr_assert_eq(meet_a_stranger(0, 0), 0);
    close_session();
}

/* ---- pace ---- */

Test(session, slows_down_while_nothing_happens_but_not_for_ever)
{
    uint64_t before = 0;

    open_session();
    for (int i = 0; i < 100; i++) {
        cr_assert_eq(step(), TXTAP_OK);
        cr_assert_geq(session_delay_us(&world.session), before);
        before = session_delay_us(&world.session);
    }
    cr_assert_eq(before, world.session.ring.entries * 60 < 40000 ? world.session.ring.entries * 60 : 40000);
    close_session();
}

Test(session, starts_at_once)
{
    open_session();
    cr_assert_eq(session_delay_us(&world.session), 0);
    close_session();
}

Test(session, hurries_when_something_appears_in_an_idle_ring)
{
    open_session();
    steps(50);
    write_events(1);
    cr_assert_eq(step(), TXTAP_OK);
    cr_assert_eq(session_delay_us(&world.session), 0);
    cr_assert_eq(step(), TXTAP_OK);
    cr_assert_eq(world.taken_count, 1);
    cr_assert_gt(session_delay_us(&world.session), 0);
    cr_assert_leq(session_delay_us(&world.session), 20000);
    close_session();
}

Test(session, hurries_while_much_is_unread)
{
    open_session();
    write_events(10);
    steps(2);
    world.write_during_reads = ENTRIES / 4;
    steps(2);
    for (int i = 0; i < 50; i++) {
        cr_assert_eq(step(), TXTAP_OK);
        cr_assert_eq(session_delay_us(&world.session), 0);
        world.taken_count = 0;
    }
    close_session();
}

/* At a steady rate it polls before a quarter of the ring has filled. */
Test(session, polls_as_often_as_the_event_rate_needs)
{
    open_session();
    for (int i = 0; i < 400; i++) {
        uint64_t delay;

        cr_assert_eq(session_step(&world.session, world.error), TXTAP_OK);
        delay = session_delay_us(&world.session);
        cr_assert_leq(delay, 40000);
        world.now_us += delay;
        write_events((unsigned)((delay + 200) / 250)); /* 4,000 a second: a quarter of the ring in 6 ms */
        world.taken_count = 0;
        if (i > 300) {
            cr_assert_leq(delay, 7000);
            cr_assert_eq(world.lost, 0);
        }
    }
    close_session();
}

Test(session, reads_more_at_once_from_a_fast_source_and_less_from_a_slow_one)
{
    set_up();
    txtap_trace_disable();
    enable(0, 120);
    write_events(119);
    cr_assert_eq(try_open(TXTAP_RING_FROM_OLDEST), TXTAP_OK);
    world.session.ring.buffer_entries = 64;
    cr_assert_eq(session_step(&world.session, world.error), TXTAP_OK);
    cr_assert_eq(world.session.ring.buffer_entries, world.session.entries_capacity);
    close_session();

    set_up();
    txtap_trace_disable();
    enable(0, 120);
    write_events(119);
    world.read_us = 200000;
    cr_assert_eq(try_open(TXTAP_RING_FROM_OLDEST), TXTAP_OK);
    world.session.entries_capacity = world.session.ring.buffer_entries = TXTAP_RING_BUFFER_MIN;
    steps(5);
    cr_assert_eq(world.session.ring.buffer_entries, TXTAP_RING_BUFFER_MIN, "smaller than the ring reader allows");
    close_session();
}

Test(session, counts_what_it_read)
{
    open_session();
    cr_assert_eq(world.session.stats.bytes_read, 2 * OBJECTS * OBJECT_BYTES);
    cr_assert_eq(world.session.stats.polls, 0);
    steps(10);
    cr_assert_eq(world.session.stats.polls, 10);
    world.session.stats.unread_max = 0;
    write_events(30);
    steps(3);
    cr_assert_eq(world.session.stats.unread_max, 30);
    cr_assert_eq(world.session.stats.events, 30);
    close_session();
}

/* ---- the end ---- */

Test(session, stops_when_the_taker_has_enough)
{
    open_session();
    write_events(50);
    world.enough_after = 7;
    world.enough = TXTAP_END;
    cr_assert_eq(steps_until_end(), TXTAP_END);
    cr_assert_eq(world.taken_count, 7);
    cr_assert_eq(world.session.stats.events, 7);
    close_session();
}

Test(session, passes_on_the_takers_failure)
{
    open_session();
    write_events(50);
    world.enough_after = 7;
    world.enough = TXTAP_ERROR_SYSTEM;
    cr_assert_eq(steps_until_end(), TXTAP_ERROR_SYSTEM);
    cr_assert_eq(world.taken_count, 7);
    cr_assert_eq(world.session.stats.events, 6, "the event that could not be taken was counted");
    close_session();
}

Test(session, stops_at_a_gap_when_the_taker_has_enough)
{
    open_session();
    write_events(7);
    steps(2);
    write_events(5 * ENTRIES);
    world.enough_after = 7;
    world.enough = TXTAP_END;
    cr_assert_eq(steps_until_end(), TXTAP_END);
    cr_assert_eq(world.gaps, 1);
    cr_assert_eq(world.taken_count, 7);
    cr_assert_gt(world.lost, 0);
    cr_assert_eq(world.session.stats.lost, world.lost);
    cr_assert_eq(world.session.stats.gaps, 1);
    close_session();
}

Test(session, drains_what_was_written_until_the_end)
{
    open_session();
    write_events(10);
    steps(2);
    write_events(40);
    txtap_trace_event_insert(TXTAP_TRACE_EVENT_THREAD_RESUME, 0, 0, 0, 0, TXTAP_TRACE_CLASS_INTERNAL); /* held back */
    cr_assert_eq(session_drain(&world.session, 200000, world.error), TXTAP_OK);
    cr_assert_eq(world.taken_count, 51);
    cr_assert_eq(world.lost, 0);
    close_session();
}

/* The target never pauses: what it wrote by the time of the call is all that is waited for. */
Test(session, drains_a_target_that_goes_on)
{
    uint64_t written;

    open_session();
    write_events(10);
    steps(2);
    world.write_during_reads = 20;
    write_events(40);
    written = 50;
    cr_assert_eq(session_drain(&world.session, 200000, world.error), TXTAP_OK);
    cr_assert_geq(world.last_seq + 1, written);
    cr_assert_lt(world.reads, 50);
    close_session();
}

Test(session, drains_no_longer_than_it_may)
{
    uint64_t begin;

    open_session();
    write_events(10);
    steps(2);
    world.write_during_reads = 5 * ENTRIES + 3; /* nothing survives */
    world.read_us = 30000;
    steps(2);
    begin = world.now_us;
    cr_assert_eq(session_drain(&world.session, 200000, world.error), TXTAP_OK);
    cr_assert_leq(world.now_us - begin, 200000 + 2 * world.read_us);
    cr_assert_gt(world.lost, 0, "what was not read was not counted");
    close_session();
}

Test(session, does_not_drain_what_cannot_be_read)
{
    open_session();
    write_events(10);
    steps(2);
    world.fail_at = world.reads + 1;
    cr_assert_eq(session_drain(&world.session, 200000, world.error), TXTAP_ERROR_FAULT);
    cr_assert_eq(world.reads, world.fail_at);
    close_session();
}

/* ---- another trace ---- */

static void start_anew(uint32_t entries)
{
    txtap_trace_disable();
    enable(OBJECTS, entries);
    run_thread(0, 5);
}

static void restart_from_start(void)
{
    struct txtap_source source = {&ram_ops, &world};
    struct txtap_header header;

    cr_assert_eq(txtap_header_parse(ram, &header), TXTAP_OK);
    cr_assert_eq(session_finish(&world.session, world.session.ring.head), TXTAP_OK);
    cr_assert_eq(session_restart(&world.session,
                                 &(struct session_place){.source = source, .address = RAM_BASE, .header = header},
                                 TXTAP_RING_FROM_START, world.error),
                 TXTAP_OK);
}

Test(session, goes_on_counting_in_another_trace)
{
    unsigned taken;

    open_session();
    write_events(30);
    steps(10);
    taken = world.taken_count;
    cr_assert_eq(session_next_seq(&world.session), world.last_seq + 1);
    start_anew(ENTRIES);
    write_events(7);
    restart_from_start();
    steps(10);
    cr_assert_eq(world.taken_count, taken + 7, "%u", world.taken_count); /* take_entry() looks at the numbers */
    cr_assert_eq(world.session.stats.events, world.taken_count);
    cr_assert_eq(world.lost, 0);
    close_session();
}

Test(session, another_trace_is_wanted_from_its_first_event_on)
{
    unsigned taken;

    open_session();
    write_events(30);
    steps(10);
    taken = world.taken_count;
    start_anew(ENTRIES / 2);
    write_events(3 * ENTRIES);
    restart_from_start();
    write_events(5);
    steps(20);
    cr_assert_gt(world.lost, 0);
    cr_assert_eq(world.taken_count - taken + world.lost, 3 * ENTRIES + 5, "%u", world.taken_count);
    cr_assert(world.session.stats.lost_exact);
    close_session();
}

Test(session, another_trace_that_wrote_nothing_yet_is_followed_from_then_on)
{
    unsigned taken;

    open_session();
    write_events(30);
    steps(10);
    taken = world.taken_count;
    start_anew(ENTRIES);
    restart_from_start();
    steps(5);
    cr_assert_eq(world.taken_count, taken);
    write_events(3);
    steps(10);
    cr_assert_eq(world.taken_count, taken + 3);
    close_session();
}
