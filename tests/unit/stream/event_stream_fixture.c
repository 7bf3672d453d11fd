/* SPDX-License-Identifier: MIT */
#include "stream/event_stream_fixture.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "ring/txtb.h"
#include "error_line.h"

struct event_stream_fixture fixture;

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

static const char *read_hint(void *self)
{
    (void)self;
    return "start the server again";
}

static const struct txtap_source_ops ram_ops = {"ram", 4096,     TXTAP_RING_READS_MAX, read_ram, read_error,
                                                NULL,  read_hint};

/* ---- the target ---- */

void enable_trace(uint32_t entries)
{
    enable(OBJECTS, entries);
    run_thread(0, 5);
    fixture.recording = true;
}

void reset_target(uint32_t entries)
{
    txtap_trace_disable();
    memset(ram, 0, sizeof ram);
    fixture.start_us = fixture.now_us;
    enable_trace(entries);
}

void point_at_trace(uint32_t at)
{
    uint32_t address = RAM_BASE + at;

    fixture.at = at;
    memcpy(ram + POINTER, &address, sizeof address);
}

/* A smaller buffer after the old one, which stays unchanged: valid, but silent. */
void enable_trace_elsewhere(uint32_t entries)
{
    cr_assert(ELSEWHERE >= buffer_bytes(OBJECTS, ENTRIES) && ELSEWHERE + buffer_bytes(OBJECTS, entries) <= RAM_BYTES);
    txtap_trace_disable();
    cr_assert_eq(txtap_trace_enable(ram + ELSEWHERE, buffer_bytes(OBJECTS, entries), OBJECTS), TXTAP_TRACE_OK);
    point_at_trace(ELSEWHERE);
}

void move_trace(void)
{
    if (fixture.at == 0) {
        enable_trace_elsewhere(20);
        return;
    }
    txtap_trace_disable();
    cr_assert_eq(txtap_trace_enable(ram, buffer_bytes(OBJECTS, ENTRIES), OBJECTS), TXTAP_TRACE_OK);
    point_at_trace(0);
}

/* ---- access to the target ---- */

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
    if (fixture.flashed) { /* its memory, as that firmware sees it */
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
        fixture.unknown = true; /* after a move a gap must say what is missing */
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

/* ---- the stream ---- */

void write_events(unsigned count)
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

void begin(bool reconnects)
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

enum txtap_status run_for(uint64_t us)
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

void run_well(uint64_t us)
{
    enum txtap_status status = run_for(us);

    cr_assert_eq(status, TXTAP_OK, "%s: %s", status_text(status), error_line(&fixture.error));
}

void end(void)
{
    cr_assert_eq(event_stream_finish(&fixture.stream, 1000000, &fixture.error), TXTAP_OK, "%s",
                 error_line(&fixture.error));
    event_stream_free(&fixture.stream);
}
