/* SPDX-License-Identifier: MIT */
#include "stream/poller_fixture.h"

#include <criterion/criterion.h>
#include <string.h>

#include "ring/txtb.h"

struct poller_fixture fixture;

static uint64_t fake_clock(void)
{
    return fixture.now_us;
}

static void fake_pause(uint64_t us)
{
    fixture.now_us += us;
    fixture.paused_us += us;
}

static enum txtap_status read_ram(void *self, const struct txtap_read *reads, size_t count);
static const char *failure_text(void *self);

static const struct txtap_source_ops ram_ops = {"ram", 2560, TXTAP_RING_READS_MAX, read_ram, failure_text, NULL, NULL};

/* Whether time passes or not. */
static void write_entries(unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        user_event(4096);
        if (fixture.plain)
            memset(ram + TXTB_HEADER_LAPS, 0, 2);
    }
}

void write_timed(unsigned count, uint64_t each_us)
{
    for (unsigned i = 0; i < count; i++) {
        fixture.now_us += each_us;
        tick = (uint32_t)(fixture.now_us - fixture.stopped_us);
        write_entries(1);
    }
}

static enum txtap_status read_ram(void *self, const struct txtap_read *reads, size_t count)
{
    uint32_t sum = 0;

    cr_assert_eq(self, &fixture);
    fixture.reads++;
    fixture.now_us += fixture.timed ? 0 : fixture.read_us;
    fixture.stopped_us += fixture.stops ? fixture.read_us : 0;
    if (fixture.reads == fixture.fail_at)
        return fixture.failure;
    cr_assert_leq(count, ram_ops.reads_max);
    cr_assert_lt(fixture.reads, 100000, "it goes on for ever");
    for (size_t i = 0; i < count; i++) {
        uint32_t offset = reads[i].address - RAM_BASE;

        sum += reads[i].length;
        cr_assert_leq(sum, ram_ops.read_bytes_max);
        cr_assert(offset < RAM_BYTES && reads[i].length <= RAM_BYTES - offset);
        if (offset >= TXTB_HEADER_BYTES && offset < entry_at(OBJECTS, 0) &&
            fixture.poller.header.registry_end > fixture.poller.header.registry_start) {
            fixture.registry_reads++;
            if (fixture.tear_registry > 0) {
                fixture.tear_registry--;
                ram[object_at(0) + TXTB_OBJECT_PARAMETER1]++;
            }
        }
        if (fixture.timed) {
            fixture.now_us += fixture.read_us / count;
            write_timed(fixture.write_during_reads, 1);
        }
        memcpy(reads[i].buffer, ram + offset, reads[i].length);
    }
    fixture.now_us += fixture.timed ? fixture.read_us : 0;
    if (!fixture.timed)
        write_entries(fixture.write_during_reads);
    return TXTAP_OK;
}

static const char *failure_text(void *self)
{
    (void)self;
    return fixture.failure_text;
}

static void check_window(const struct txtap_item *item)
{
    cr_assert_gt(item->to_us, 0, "the window is missing");
    cr_assert_leq(item->from_us, item->to_us);
    cr_assert_leq(item->to_us, fixture.now_us);
    cr_assert(item->from_us == 0 || item->from_us >= fixture.from_us);
    cr_assert_geq(item->to_us, fixture.to_us);
    fixture.from_us = item->from_us > 0 ? item->from_us : fixture.from_us;
    fixture.to_us = item->to_us;
    if (!fixture.timed)
        return;
    cr_assert_leq(item->from_us, item->event.stamp, "event %lu", (unsigned long)item->event.seq);
    cr_assert_geq(item->to_us, item->event.stamp, "event %lu", (unsigned long)item->event.seq);
    if (item->from_us > 0 && item->to_us - item->from_us > fixture.widest_us)
        fixture.widest_us = item->to_us - item->from_us;
}

static enum txtap_status take_event(const struct txtap_item *item)
{
    const struct txtap_event *event = &item->event;

    if (fixture.begun)
        cr_assert_eq(event->seq, fixture.last_seq + 1, "an event came twice, or not at all");
    fixture.taken_count++;
    fixture.begun = true;
    fixture.last_seq = event->seq;
    check_window(item);
    if (event->id == EVENT_QUEUE_CREATE) {
        const struct txtap_object *object =
            txtap_registry_find_at(&fixture.poller.registry, event->info[0], TXTAP_OBJECT_QUEUE, event->seq);

        if (object == NULL) /* the registry could not be read: events are delivered all the same */
            return TXTAP_OK;
        memcpy(fixture.name_at_create, object->name, sizeof fixture.name_at_create);
    }
    return fixture.enough_after > 0 && fixture.taken_count >= fixture.enough_after ? fixture.enough : TXTAP_OK;
}

static enum txtap_status take_gap(const struct txtap_gap *gap)
{
    if (fixture.begun)
        cr_assert_eq(gap->seq, fixture.last_seq + 1);
    fixture.begun = true;
    fixture.gaps++;
    fixture.exact_gaps += gap->exact;
    fixture.last_gap = *gap;
    fixture.lost += gap->lost;
    fixture.last_seq = gap->seq + gap->lost - 1;
    return fixture.enough_after > 0 && fixture.taken_count >= fixture.enough_after ? fixture.enough : TXTAP_OK;
}

static enum txtap_status take(void *self, const struct txtap_item *item)
{
    cr_assert_eq(self, &fixture);
    switch (item->kind) {
    case TXTAP_ITEM_EVENT:
        return take_event(item);
    case TXTAP_ITEM_GAP:
        return take_gap(&item->gap);
    default:
        return TXTAP_OK;
    }
}

void set_up(void)
{
    memset(&fixture, 0, sizeof fixture);
    fixture.now_us = 1000000;
    fixture.read_us = 100;
    fixture.failure = ERROR_FAULT;
    fixture.failure_text = "target memory at 0x20000000 cannot be read";
    txtap_trace_disable();
    enable(OBJECTS, ENTRIES);
    run_thread(0, 5);
    cr_assert_eq(txtap_trace_thread_register(&things[0], "main", 5, 0, 0), TXTAP_TRACE_OK);
}

void write_events(unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        tick += !fixture.still;
        write_entries(1);
    }
}

struct poller_place place_of_trace(void)
{
    struct poller_place place = {.source = {&ram_ops, &fixture}, .address = RAM_BASE, .reader.ops = &txtb_reader_ops};

    place.search_start = fixture.search_start;
    cr_assert_eq(txtap_header_parse(ram, &place.header), TXTAP_OK);
    return place;
}

enum txtap_status try_open(enum txtap_ring_from from)
{
    const struct poller_settings settings = {.from = from,
                                             .now_us = fake_clock,
                                             .pause_us = fake_pause,
                                             .stops = fixture.stops,
                                             .waits_for_names = fixture.waits_for_names,
                                             .past_events = fixture.past_events};
    struct poller_place place = place_of_trace();

    return poller_init(&fixture.poller, &place, &settings, (struct txtap_sink){take, &fixture}, &fixture.error);
}

void open_poller(void)
{
    set_up();
    cr_assert_eq(try_open(TXTAP_RING_FROM_OLDEST), TXTAP_OK);
}

enum txtap_status step(void)
{
    enum txtap_status status = poller_step(&fixture.poller, &fixture.error);

    fixture.now_us += poller_delay_us(&fixture.poller);
    return status;
}

void steps(unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        cr_assert_eq(step(), TXTAP_OK);
}

enum txtap_status steps_until_end(void)
{
    enum txtap_status status = TXTAP_OK;

    for (int i = 0; i < 100 && status == TXTAP_OK; i++)
        status = step();
    return status;
}

void close_poller(void)
{
    poller_free(&fixture.poller);
}
