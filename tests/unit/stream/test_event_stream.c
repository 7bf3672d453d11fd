/* SPDX-License-Identifier: MIT */
/*
 * A trace that is followed through resets and failures: the real recorder in a target's memory, the ways to it failing
 * at every call. Each event carries its number, so that nothing can come twice, or be missing untold.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "ring/txtb.h"
#include "stream/event_stream.h"
#include "target/recorder_target.h"
#include "sanitized.h"
#include "error_line.h"

enum { OBJECTS = 4, ENTRIES = 64, ELSEWHERE = 3072, POINTER = RAM_BYTES - 4, LOG_BYTES = 4096, NUMBERED_EVENT = 4096 };

static struct {
    struct event_stream stream;
    struct error error;
    uint64_t now_us;
    bool connected, recording, stopped, flashed, counts_time;
    enum core_state core;
    unsigned core_asked;
    uint32_t at;       /* offset in ram of the buffer that the firmware enabled last */
    uint64_t start_us; /* of this life of the target */
    bool plain;        /* as ThreadX itself, the recorder counts no laps */
    uint32_t stale;    /* what is left of the uptime; 0: it counts */
    uint64_t stall_us; /* so long the host stands still, once, behind its next reading of the variables */

    unsigned calls, fail_at, fail_for; /* calls of that number and the next ones fail, from 1 */
    enum txtap_status failure;

    uint32_t written;                 /* the next event's number */
    uint64_t next_seq, next_number;   /* that must come */
    uint64_t lost_here, events, lost; /* lost_here: since the last number */
    unsigned gaps;
    uint64_t disabled_at; /* the number of the event that came next */
    bool begun, unknown;  /* unknown: a reset swallowed some */
    char marks[LOG_BYTES];
    uint64_t mark_seq;          /* of the last one */
    char why[ERROR_WHAT_BYTES]; /* of the last detached */
} fixture;

static uint64_t fake_now(void)
{
    return fixture.now_us;
}

static uint64_t fake_unix(void)
{
    return 1000000 + fixture.now_us;
}

static enum txtap_status call(struct error *error)
{
    fixture.calls++;
    fixture.now_us += 50;
    cr_assert_lt(fixture.calls, 1000000, "it goes on for ever");
    if (fixture.fail_at == 0 || fixture.calls < fixture.fail_at || fixture.calls >= fixture.fail_at + fixture.fail_for)
        return TXTAP_OK;
    if (error != NULL)
        failure(error, fixture.failure, "call %u failed\ntry again", fixture.calls);
    return fixture.failure;
}

/* ---- the target's memory ---- */

static enum txtap_status read_ram(void *self, const struct txtap_read *reads, size_t count)
{
    enum txtap_status status = call(NULL);

    (void)self;
    cr_assert(fixture.connected, "read without a connection");
    if (status != TXTAP_OK)
        return status;
    for (size_t i = 0; i < count; i++) {
        uint32_t offset = reads[i].address - RAM_BASE;

        cr_assert(offset < RAM_BYTES && reads[i].length <= RAM_BYTES - offset, "0x%08x", reads[i].address);
        memcpy(reads[i].buffer, ram + offset, reads[i].length);
    }
    return TXTAP_OK;
}

static const char *read_error(void *self)
{
    (void)self;
    return "the read failed";
}

static const struct txtap_source_ops ram_ops = {"ram", 4096, TXTAP_RING_READS_MAX, read_ram, read_error, NULL, NULL};

/* ---- the target ---- */

static void enable_trace(uint32_t entries)
{
    enable(OBJECTS, entries);
    run_thread(0, 5);
    fixture.recording = true;
}

/* As a reset does it: memory is as it was until the firmware clears it, and no trace for a while. */
static void reset_target(uint32_t entries)
{
    txtap_trace_disable();
    memset(ram, 0, sizeof ram);
    fixture.start_us = fixture.now_us;
    enable_trace(entries);
}

/* A smaller buffer behind the old one, which stays as it is: sound, and silent. */
static void point_at_trace(uint32_t at)
{
    uint32_t address = RAM_BASE + at;

    fixture.at = at;
    memcpy(ram + POINTER, &address, sizeof address);
}

static void enable_trace_elsewhere(uint32_t entries)
{
    cr_assert(ELSEWHERE >= buffer_bytes(OBJECTS, ENTRIES) && ELSEWHERE + buffer_bytes(OBJECTS, entries) <= RAM_BYTES);
    txtap_trace_disable();
    cr_assert_eq(txtap_trace_enable(ram + ELSEWHERE, buffer_bytes(OBJECTS, entries), OBJECTS), TXTAP_TRACE_OK);
    point_at_trace(ELSEWHERE);
}

/* From one buffer to the other, each as large as there is room. */
static void move_trace(void)
{
    if (fixture.at == 0) {
        enable_trace_elsewhere(20);
        return;
    }
    txtap_trace_disable();
    cr_assert_eq(txtap_trace_enable(ram, buffer_bytes(OBJECTS, ENTRIES), OBJECTS), TXTAP_TRACE_OK);
    point_at_trace(0);
}

/* ---- the ways to it ---- */

static enum txtap_status open_port(void *self, struct error *error)
{
    enum txtap_status status = call(error);

    (void)self;
    cr_assert(!fixture.connected, "connected twice");
    fixture.connected = status == TXTAP_OK;
    return status;
}

static enum txtap_status find_port(void *self, struct poller_place *place, struct error *error)
{
    enum txtap_status status = call(error);

    (void)self;
    cr_assert(fixture.connected);
    if (status != TXTAP_OK)
        return status;
    if (fixture.flashed) { /* its memory, as far as that firmware sees it */
        reset_target(ENTRIES / 2);
        fixture.flashed = false;
        fixture.stale = 0;
    }
    if (!fixture.recording || txtap_header_parse(ram + fixture.at, &place->header) != TXTAP_OK)
        return failure(error, ERROR_NOT_FOUND, "no trace buffer there");
    place->source = (struct txtap_source){&ram_ops, &fixture};
    place->address = RAM_BASE + fixture.at;
    place->reader.ops = &txtb_reader_ops;
    place->pointer = RAM_BASE + POINTER;
    return TXTAP_OK;
}

static enum txtap_status check_port(void *self, struct target_state *target, struct error *error)
{
    bool silent = target->silent;

    (void)self;
    cr_assert(fixture.connected);
    fixture.core_asked += target->wants_core;
    *target = (struct target_state){
        .core = target->wants_core ? fixture.core : CORE_UNKNOWN,
        .moved = fixture.stream.poller.address != RAM_BASE + fixture.at,
        .flashed = silent && fixture.flashed,
        .enabled = fixture.recording && !fixture.stopped,
        .has_uptime = fixture.counts_time,
        .uptime = fixture.stale ? fixture.stale : (uint32_t)((fixture.now_us - fixture.start_us) / 10000),
    };
    fixture.now_us += fixture.stall_us;
    fixture.stall_us = 0;
    return call(error);
}

static void drop_port(void *self)
{
    (void)self;
    fixture.connected = false;
}

static const struct event_stream_ports ports = {open_port, find_port, check_port, drop_port, &fixture};
static const struct poller_settings settings = {
    .from = TXTAP_RING_FROM_OLDEST, .now_us = fake_now, .unix_us = fake_unix};

/* ---- the sink ---- */

static void take_event(const struct txtap_event *event)
{
    uint32_t number = event->info[0];
    uint64_t seq = event->seq;

    cr_assert_eq(event->id, NUMBERED_EVENT);
    cr_assert_eq(event->info[1], ~number, "an event is torn");
    if (fixture.begun)
        cr_assert_eq(seq, fixture.next_seq, "%lu, want %lu", (unsigned long)seq, (unsigned long)fixture.next_seq);
    if (fixture.begun && fixture.unknown)
        cr_assert_geq(number, fixture.next_number + fixture.lost_here, "%s", fixture.marks);
    else if (fixture.begun)
        cr_assert_eq(number, fixture.next_number + fixture.lost_here, "%u, want %lu + %lu", number,
                     (unsigned long)fixture.next_number, (unsigned long)fixture.lost_here);
    fixture.begun = true;
    fixture.unknown = false;
    fixture.next_seq = seq + 1;
    fixture.next_number = number + 1u;
    fixture.lost_here = 0;
    fixture.events++;
}

static void take_gap(const struct txtap_gap *gap)
{
    cr_assert(gap->lost > 0 || !gap->exact);
    cr_assert(gap->exact || fixture.plain || strstr(fixture.marks, "detached") || strstr(fixture.marks, "moved"),
              "laps are counted");
    fixture.gaps++;
    if (!gap->exact)
        fixture.unknown = true;
    if (fixture.begun)
        cr_assert_eq(gap->seq, fixture.next_seq);
    fixture.begun = true;
    fixture.next_seq = gap->seq + gap->lost;
    fixture.lost_here += gap->lost;
    fixture.lost += gap->lost;
}

static void take_mark(const struct txtap_mark *mark)
{
    size_t length = strlen(fixture.marks);

    cr_assert_eq(mark->unix_us, fake_unix());
    fixture.mark_seq = mark->seq;
    if (mark->kind == TXTAP_MARK_DETACHED)
        (void)snprintf(fixture.why, sizeof fixture.why, "%s", mark->text);
    if (fixture.begun)
        cr_assert_eq(mark->seq, fixture.next_seq, "%s after %s: %lu, want %lu; call %u for %u: %s",
                     txtap_mark_name(mark->kind), fixture.marks, (unsigned long)mark->seq,
                     (unsigned long)fixture.next_seq, fixture.fail_at, fixture.fail_for, status_text(fixture.failure));
    if (mark->kind == TXTAP_MARK_DISABLED)
        fixture.disabled_at = fixture.next_number + fixture.lost_here;
    if (mark->kind == TXTAP_MARK_RESET)
        fixture.unknown = true; /* after a move a gap has to say what is missing */
    (void)snprintf(fixture.marks + length, sizeof fixture.marks - length, "%s ", txtap_mark_name(mark->kind));
}

static enum txtap_status take(void *self, const struct txtap_item *item)
{
    (void)self;
    if (item->kind == TXTAP_ITEM_EVENT)
        take_event(&item->event);
    else if (item->kind == TXTAP_ITEM_GAP)
        take_gap(&item->gap);
    else if (item->kind == TXTAP_ITEM_MARK)
        take_mark(&item->mark);
    return TXTAP_OK;
}

/* ---- the story ---- */

static void write_events(unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        tick += 10;
        cr_assert_eq(txtap_trace_user_event_insert(NUMBERED_EVENT, fixture.written, ~fixture.written, 0, 0),
                     TXTAP_TRACE_OK);
        if (fixture.plain)
            memset(ram + fixture.at + TXTB_HEADER_LAPS, 0, 2);
        fixture.written++;
    }
}

static void begin(bool reconnects)
{
    struct poller_place place = {.address = 0};

    memset(&fixture, 0, sizeof fixture);
    fixture.now_us = 1000000;
    fixture.counts_time = true;
    txtap_trace_disable();
    enable_trace(ENTRIES);
    point_at_trace(0);
    write_events(10);
    cr_assert_eq(open_port(&fixture, &fixture.error), TXTAP_OK);
    cr_assert_eq(find_port(&fixture, &place, &fixture.error), TXTAP_OK);
    cr_assert_eq(event_stream_init(&fixture.stream, &ports, reconnects, &place, &settings,
                                   (struct txtap_sink){take, &fixture}, &fixture.error),
                 TXTAP_OK);
    fixture.calls = 0;
}

static enum txtap_status run_for(uint64_t us)
{
    uint64_t until = fixture.now_us + us;
    enum txtap_status status = TXTAP_OK;

    while (status == TXTAP_OK && fixture.now_us < until) {
        uint64_t delay;

        status = event_stream_step(&fixture.stream, &fixture.error);
        delay = event_stream_delay_us(&fixture.stream);
        cr_assert_leq(delay, 1000000, "nothing waits longer than a second");
        fixture.now_us += delay;
    }
    return status;
}

static void run_well(uint64_t us)
{
    enum txtap_status status = run_for(us);

    cr_assert_eq(status, TXTAP_OK, "%s: %s", status_text(status), error_line(&fixture.error));
}

static void end(void)
{
    cr_assert_eq(event_stream_finish(&fixture.stream, 1000000, &fixture.error), TXTAP_OK, "%s",
                 error_line(&fixture.error));
    event_stream_free(&fixture.stream);
}

Test(event_stream, a_reset_is_a_mark_and_numbers_go_on)
{
    begin(true);
    run_well(200000);
    reset_target(ENTRIES);
    run_well(300000);
    write_events(20);
    run_well(300000);
    end();
    cr_assert_str_eq(fixture.marks, "reset ");
    cr_assert_eq(fixture.events, 30);
    cr_assert_eq(fixture.next_seq, 30);
    cr_assert_eq(fixture.stream.poller.stats.resets, 1);
    cr_assert(!fixture.stream.poller.stats.lost_exact, "what was written before the reset is not known");
}

Test(event_stream, a_ring_of_another_size_is_a_move)
{
    begin(true);
    run_well(200000);
    reset_target(ENTRIES / 2);
    write_events(5);
    run_well(300000);
    end();
    cr_assert_str_eq(fixture.marks, "moved ");
    cr_assert_eq(fixture.events, 15);
}

Test(event_stream, what_the_new_trace_overwrote_before_it_was_found_is_a_gap)
{
    begin(true);
    for (int i = 0; i < 30; i++) {
        write_events(ENTRIES / 2);
        run_well(20000);
    }
    cr_assert_eq(fixture.lost, 0);
    reset_target(ENTRIES);
    write_events(10 * ENTRIES);
    run_well(300000);
    end();
    cr_assert_str_eq(fixture.marks, "reset ");
    cr_assert_eq(fixture.events + fixture.lost, fixture.written);
    cr_assert_gt(fixture.lost, 8 * ENTRIES);
}

Test(event_stream, a_target_that_boots_for_long_is_detached_and_then_attached_and_reset)
{
    begin(true);
    run_well(200000);
    txtap_trace_disable();
    memset(ram, 0, sizeof ram);
    run_well(2000000);
    cr_assert_not_null(strstr(fixture.marks, "detached "), "%s", fixture.marks);
    enable_trace(ENTRIES);
    write_events(3);
    run_well(1000000);
    end();
    cr_assert_not_null(strstr(fixture.marks, "detached attached reset "), "%s", fixture.marks);
    cr_assert_eq(fixture.events, 13);
}

Test(event_stream, a_trace_that_is_stopped_is_told_and_so_is_one_that_goes_on)
{
    begin(true);
    run_well(600000);
    fixture.recording = false;
    run_well(1200000);
    fixture.recording = true;
    run_well(1200000);
    end();
    cr_assert_str_eq(fixture.marks, "disabled enabled ");
}

Test(event_stream, a_core_that_is_halted_is_told_once_and_that_it_runs_again_before_its_next_event)
{
    begin(true);
    run_well(500000);
    write_events(5);
    fixture.core = CORE_HALTED;
    run_well(2200000);
    cr_assert_str_eq(fixture.marks, "halted ");
    cr_assert_eq(fixture.mark_seq, 15);
    run_well(5000000);
    cr_assert_str_eq(fixture.marks, "halted ");
    fixture.core = CORE_RUNS;
    write_events(5);
    run_well(100000);
    cr_assert_str_eq(fixture.marks, "halted running ");
    cr_assert_eq(fixture.mark_seq, 15);
    end();
    cr_assert_eq(fixture.events, 20);
}

Test(event_stream, a_core_that_runs_again_is_told_although_it_has_nothing_to_write)
{
    begin(true);
    fixture.core = CORE_IN_RESET;
    run_well(100000);
    cr_assert_str_eq(fixture.marks, "halted ", "which is known at once");
    cr_assert_eq(fixture.mark_seq, 10, "behind what was written before");
    fixture.core = CORE_UNKNOWN;
    run_well(2000000);
    cr_assert_str_eq(fixture.marks, "halted ");
    fixture.core = CORE_RUNS;
    run_well(1100000);
    cr_assert_str_eq(fixture.marks, "halted running ");
    end();
}

Test(event_stream, a_halt_ends_with_the_connection_and_is_told_again_after_it)
{
    begin(true);
    fixture.core = CORE_HALTED;
    run_well(100000);
    fixture.fail_at = fixture.calls + 1;
    fixture.fail_for = 8;
    fixture.failure = ERROR_CLOSED;
    run_well(5000000);
    end();
    cr_assert_str_eq(fixture.marks, "halted detached attached halted ");
}

Test(event_stream, the_core_is_asked_about_once_a_second_and_only_in_silence)
{
    unsigned before;

    begin(true);
    for (int i = 0; i < 300; i++) {
        write_events(1);
        run_well(10000);
    }
    cr_assert_eq(fixture.core_asked, 1, "at the start");
    run_well(1500000);
    before = fixture.core_asked;
    run_well(10000000);
    cr_assert_leq(fixture.core_asked - before, 10);
    cr_assert_geq(fixture.core_asked - before, 9);
    end();
}

Test(event_stream, a_reset_is_one_mark_although_the_trace_is_off_for_a_moment)
{
    begin(true);
    run_well(3000000);
    fixture.recording = false; /* and memory is as it was */
    fixture.start_us = fixture.now_us;
    while (fixture.stream.state == STREAM_READING)
        run_well(1000);
    run_well(100000);
    reset_target(ENTRIES);
    write_events(3);
    run_well(2000000);
    end();
    cr_assert_str_eq(fixture.marks, "reset ");
}

Test(event_stream, a_trace_that_is_enabled_in_another_buffer_is_read_there_from_its_first_event_on)
{
    begin(true);
    run_well(200000);
    enable_trace_elsewhere(16);
    write_events(40);
    run_well(1500000);
    write_events(5);
    run_well(100000);
    end();
    cr_assert_str_eq(fixture.marks, "moved ");
    cr_assert_eq(fixture.events + fixture.lost, fixture.written);
    cr_assert_eq(fixture.lost, 40 - 15);
    cr_assert_str_eq(fixture.stream.why, "the firmware records into another buffer");
}

Test(event_stream, a_trace_that_is_stopped_is_told_behind_its_last_event)
{
    begin(true);
    run_well(300000);
    write_events(30);
    fixture.stopped = true;
    fixture.now_us += 1000000;
    run_well(500000);
    cr_assert_str_eq(fixture.marks, "disabled ");
    cr_assert_eq(fixture.disabled_at, fixture.written);
    end();
}

Test(event_stream, a_trace_that_is_enabled_again_is_told_before_its_first_event)
{
    begin(true);
    run_well(300000);
    fixture.stopped = true;
    run_well(1500000);
    fixture.stopped = false;
    txtap_trace_disable();
    enable(OBJECTS, ENTRIES);
    point_at_trace(0);
    write_events(5);
    run_well(100000);
    write_events(5);
    run_well(1500000);
    end();
    cr_assert_str_eq(fixture.marks, "disabled enabled reset ");
    cr_assert_eq(fixture.next_number, fixture.written);
}

/* Each event of such a firmware is delivered, or in a gap: take_entry() and take_gap() insist. */
static void move_often(bool plain, unsigned moves, unsigned most_events, uint64_t most_us)
{
    begin(true);
    fixture.plain = plain;
    run_well(50000);
    for (unsigned i = 0; i < moves; i++) {
        for (unsigned part = 0; part < 4; part++) {
            run_well((i * 7919 + part * 104729) % most_us);
            write_events((i * 31 + part * 17) % (most_events + 1));
        }
        move_trace();
    }
    run_well(1500000);
    write_events(3);
    run_well(200000);
    end();
    cr_assert_eq(fixture.next_number, fixture.written, "the last one came");
    cr_assert_eq(fixture.stream.poller.stats.resets, moves);
    cr_assert_leq(fixture.events + fixture.lost, fixture.written, "at least is never more than it was");
}

Test(event_stream, a_firmware_that_moves_its_trace_loses_nothing_while_it_is_slow)
{
    for (int plain = 0; plain < 2; plain++) {
        move_often(plain, 20, 4, 100000);
        cr_assert_eq(fixture.events, fixture.written, "%lu of %u", (unsigned long)fixture.events, fixture.written);
        cr_assert_eq(fixture.gaps, 0);
    }
}

Test(event_stream, what_a_moved_trace_overwrote_before_it_was_found_is_a_gap)
{
    for (int plain = 0; plain < 2; plain++) {
        for (unsigned most = 5; most < 5 * ENTRIES; most += 13) {
            move_often(plain, 20, most, 100000);
            if (!plain)
                cr_assert_eq(fixture.events + fixture.lost, fixture.written, "laps are counted");
        }
        cr_assert_gt(fixture.gaps, 0);
    }
}

Test(event_stream, a_move_that_is_found_late_may_hide_another_one_and_a_gap_says_so)
{
    begin(true);
    run_well(200000);
    move_trace();
    write_events(5);
    fixture.now_us += 300000; /* the host stands still */
    write_events(5);
    memset(ram + sizeof(uint32_t), 0, 16); /* nothing is left of the buffer before */
    run_well(1500000);
    write_events(5);
    run_well(200000);
    end();
    cr_assert_str_eq(fixture.marks, "moved ");
    cr_assert_eq(fixture.events, 25);
    cr_assert_eq(fixture.gaps, 1);
    cr_assert_eq(fixture.lost, 0);
}

Test(event_stream, a_trace_that_is_being_set_up_elsewhere_is_waited_for)
{
    begin(true);
    run_well(200000);
    enable_trace_elsewhere(16); /* but for its last step */
    fixture.stopped = true;
    run_well(20000);
    cr_assert_null(strstr(fixture.marks, "moved"));
    fixture.stopped = false;
    write_events(3);
    run_well(100000);
    cr_assert_not_null(strstr(fixture.marks, "moved"));
    cr_assert_eq(fixture.next_number, fixture.written);
    end();
}

Test(event_stream, a_trace_that_was_moved_and_stopped_is_read_all_the_same)
{
    begin(true);
    run_well(200000);
    enable_trace_elsewhere(16);
    write_events(3);
    fixture.stopped = true;
    run_well(1500000);
    cr_assert_str_eq(fixture.marks, "disabled moved ");
    cr_assert_eq(fixture.next_number, fixture.written);
    end();
}

/* Its memory is that of the firmware before: the buffer there is sound, and nobody writes it. */
Test(event_stream, other_firmware_that_records_elsewhere_is_found_once_the_old_buffer_is_silent)
{
    begin(true);
    fixture.counts_time = false;
    fixture.flashed = true;
    for (int i = 0; i < 300; i++) {
        write_events(1);
        run_well(10000);
    }
    cr_assert_str_eq(fixture.marks, "", "not while events come");
    fixture.start_us = fixture.now_us;
    run_well(3000000);
    write_events(5);
    run_well(100000);
    end();
    cr_assert_str_eq(fixture.marks, "moved ");
    cr_assert_eq(fixture.events, 315);
    cr_assert_not_null(strstr(fixture.stream.why, "flashed"));
}

Test(event_stream, other_firmware_is_found_when_the_one_before_had_hardly_begun)
{
    begin(true);
    run_well(100000);
    fixture.flashed = true;
    fixture.stale = 100; /* as it was at the only look before */
    run_well(3000000);
    write_events(5);
    run_well(100000);
    end();
    cr_assert_str_eq(fixture.marks, "moved ");
    cr_assert_eq(fixture.events, 15);
}

Test(event_stream, a_target_that_only_has_nothing_to_say_stays_the_same_although_its_file_is_another_one)
{
    begin(true);
    fixture.flashed = true;
    run_well(5000000);
    write_events(5);
    run_well(100000);
    end();
    cr_assert_str_eq(fixture.marks, "");
    cr_assert_eq(fixture.events, 15);
}

Test(event_stream, a_connection_that_breaks_is_made_again_within_a_second)
{
    begin(true);
    run_well(200000);
    fixture.fail_at = fixture.calls + 1;
    fixture.fail_for = 8;
    fixture.failure = ERROR_CLOSED;
    write_events(5);
    run_well(3000000);
    write_events(5);
    run_well(200000);
    end();
    cr_assert_str_eq(fixture.marks, "detached attached ");
    cr_assert_eq(fixture.events, 20);
    cr_assert_eq(fixture.lost, 0);
    cr_assert_eq(fixture.stream.poller.stats.reconnections, 1);
}

Test(event_stream, a_target_that_does_not_answer_may_need_a_server_that_is_started_again)
{
    begin(true);
    run_well(200000);
    fixture.fail_at = fixture.calls + 1;
    fixture.fail_for = 8;
    fixture.failure = ERROR_TARGET;
    run_well(3000000);
    end();
    cr_assert_str_eq(fixture.marks, "detached attached ");
    cr_assert_not_null(strstr(fixture.why, "start OpenOCD again: txtap goes on by itself"), "%s", fixture.why);
}

/* While nothing is read the target is reset, and writes more than it had: the ring alone looks as if it had gone on. */
static void reset_unseen(void)
{
    run_well(3000000);
    fixture.fail_at = fixture.calls + 1;
    fixture.fail_for = 8;
    fixture.failure = ERROR_CLOSED;
    run_well(50000);
    reset_target(ENTRIES);
    write_events(20 * ENTRIES);
    run_well(3000000);
}

Test(event_stream, a_reset_that_nobody_saw_is_told_by_the_targets_uptime)
{
    begin(true);
    reset_unseen();
    end();
    cr_assert_str_eq(fixture.marks, "detached attached reset ");
    cr_assert_eq(fixture.events + fixture.lost, 10 + 20 * ENTRIES);
    cr_assert_eq(fixture.stream.poller.stats.reconnections, 1, "each attached counts, whatever was found then");
}

Test(event_stream, without_an_uptime_what_was_lost_meanwhile_is_not_called_exact)
{
    begin(true);
    fixture.counts_time = false;
    fixture.unknown = true;
    reset_unseen();
    end();
    cr_assert_str_eq(fixture.marks, "detached attached ");
    cr_assert(!fixture.stream.poller.stats.lost_exact);
    cr_assert_leq(fixture.events + fixture.lost, 10 + 20 * ENTRIES, "at least is never more than it was");
}

Test(event_stream, a_young_target_that_was_reset_as_soon_as_it_was_left_is_not_vouched_for)
{
    begin(true);
    fixture.start_us = fixture.now_us;
    run_well(1500000);
    fixture.fail_at = fixture.calls + 1;
    fixture.fail_for = 80; /* for some 30 seconds: twenty times as long as it had lived */
    fixture.failure = ERROR_CLOSED;
    run_well(50000);
    reset_target(ENTRIES);
    write_events(20 * ENTRIES);
    fixture.unknown = true;
    run_well(40000000);
    end();
    cr_assert(!fixture.stream.poller.stats.lost_exact, "%s", fixture.marks);
    cr_assert_leq(fixture.events + fixture.lost, fixture.written);
}

/* It seems to count half as fast as it does, which a second life that has come as far would have done. */
Test(event_stream, a_host_that_stood_still_when_it_read_the_uptime_does_not_vouch_for_a_target_that_was_reset)
{
    for (unsigned failing = 4; failing < 20; failing++) {
        begin(true);
        fixture.start_us = fixture.now_us;
        run_well(900000);
        fixture.stall_us = 800000;
        run_well(950000);
        fixture.fail_at = fixture.calls + 1;
        fixture.fail_for = failing;
        fixture.failure = ERROR_CLOSED;
        run_well(50000);
        reset_target(ENTRIES);
        write_events(20 * ENTRIES);
        fixture.unknown = true;
        run_well(10000000);
        end();
        cr_assert(!fixture.stream.poller.stats.lost_exact, "%u failing calls: %s", failing, fixture.marks);
    }
}

Test(event_stream, a_target_that_lived_on_unseen_is_vouched_for_by_its_uptime)
{
    begin(true);
    run_well(3000000);
    fixture.fail_at = fixture.calls + 1;
    fixture.fail_for = 8;
    fixture.failure = ERROR_CLOSED;
    run_well(50000);
    write_events(20 * ENTRIES);
    run_well(3000000);
    end();
    cr_assert_str_eq(fixture.marks, "detached attached ");
    cr_assert(fixture.stream.poller.stats.lost_exact);
    cr_assert_eq(fixture.events + fixture.lost, fixture.written);
}

Test(event_stream, without_reconnection_each_of_these_is_the_end)
{
    begin(false);
    run_well(200000);
    reset_target(ENTRIES);
    cr_assert_eq(run_for(1000000), TXTAP_ERROR_MOVED);
    cr_assert_not_null(strstr(error_line(&fixture.error), "set up again"));
    event_stream_free(&fixture.stream);

    begin(false);
    run_well(200000);
    fixture.fail_at = fixture.calls + 1;
    fixture.fail_for = 1;
    fixture.failure = ERROR_TIMEOUT;
    cr_assert_eq(run_for(1000000), ERROR_TIMEOUT);
    event_stream_free(&fixture.stream);
    cr_assert_str_eq(fixture.marks, "");
}

Test(event_stream, a_pointer_that_is_wrong_once_is_a_disturbance_and_changes_nothing)
{
    uint32_t current;

    begin(true);
    run_well(200000);
    memcpy(&current, ram + TXTB_HEADER_CURRENT, 4);
    memset(ram + TXTB_HEADER_CURRENT, 0x5A, 4);
    cr_assert_eq(event_stream_step(&fixture.stream, &fixture.error), TXTAP_OK);
    memcpy(ram + TXTB_HEADER_CURRENT, &current, 4);
    write_events(5);
    run_well(500000);
    end();
    cr_assert_str_eq(fixture.marks, "");
    cr_assert_eq(fixture.events, 15);
}

static void run_until_streaming(void)
{
    do
        run_well(100000);
    while (fixture.stream.state != STREAM_READING);
}

/* A whole life: events, a flood, a reset, a smaller ring, silence. Whatever fails, at the end all is well again. */
static void live(void)
{
    for (int i = 0; i < 3; i++) {
        write_events(5);
        run_well(20000);
    }
    write_events(3 * ENTRIES);
    run_until_streaming();
    reset_target(ENTRIES);
    write_events(7);
    run_until_streaming();
    reset_target(ENTRIES / 2);
    write_events(ENTRIES);
    run_until_streaming();
    write_events(6);
    run_until_streaming();
}

Test(event_stream, any_call_may_fail_in_any_way_once_or_for_a_while)
{
    static const enum txtap_status failures[] = {
        ERROR_CLOSED,   ERROR_TIMEOUT, ERROR_UNREACHABLE,  ERROR_FAULT,
        ERROR_PROTOCOL, ERROR_TARGET,  TXTAP_ERROR_SYSTEM, ERROR_NOT_FOUND,
    };
    static const unsigned lengths[] = {1, 10};
    unsigned calls;

    begin(true);
    live();
    calls = fixture.calls;
    end();
    cr_assert_gt(calls, 30);
    for (size_t f = 0; f < sizeof failures / sizeof failures[0]; f++) {
        for (size_t l = 0; l < sizeof lengths / sizeof lengths[0]; l++) {
            for (unsigned n = 1 + (unsigned)f % RUNS_DIVISOR; n <= calls; n += RUNS_DIVISOR) {
                begin(true);
                fixture.fail_at = n;
                fixture.fail_for = lengths[l];
                fixture.failure = failures[f];
                live();
                end();
                cr_assert_eq(fixture.next_number + fixture.lost_here, fixture.written,
                             "%s at call %u for %u: %lu of %u, %s", status_text(failures[f]), n, lengths[l],
                             (unsigned long)fixture.next_number, fixture.written, fixture.marks);
            }
        }
    }
}
