/* SPDX-License-Identifier: MIT */
/* Any bytes as a trace buffer: narrowed if they are of 64-bit words, read to the end, and written in some format. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "txtap/clock.h"
#include "txtap/exporter.h"
#include "txtap/trace.h"

#define OBJECTS_MAX 64

static enum txtap_status swallow(void *self, const char *bytes, size_t length)
{
    (void)self;
    REQUIRE(length > 0 && bytes[length - 1] == '\n');
    return TXTAP_OK;
}

static void export_all(struct txtap_trace *trace, const char *format)
{
    struct txtap_exporter exporter = {
        .ops = txtap_exporter_find(format),
        .sink = {swallow, NULL},
        .registry = &trace->registry,
        .header = &trace->header,
    };
    struct txtap_clock clock;
    struct txtap_trace_item item;

    txtap_trace_rewind(trace);
    txtap_clock_init(&clock, trace->header.timer_mask);
    exporter.ops->begin(&exporter);
    while (txtap_trace_next(trace, &item) == TXTAP_OK) {
        struct txtap_event event;
        struct txtap_gap gap;

        if (item.entry == NULL) {
            gap = txtap_trace_gap(&item);
            exporter.ops->gap(&exporter, &gap);
            continue;
        }
        txtap_trace_event(trace, &item, &event);
        event.ticks = txtap_clock_unwrap(&clock, event.stamp);
        exporter.ops->event(&exporter, &event);
    }
    exporter.ops->end(&exporter);
}

static void read_all(const uint8_t *bytes, size_t length)
{
    static struct txtap_object objects[OBJECTS_MAX];
    struct txtap_trace trace;
    struct txtap_trace_item item;
    uint64_t events = 0, lost = 0, seq = 0;

    if (txtap_trace_open(&trace, bytes, length, objects, OBJECTS_MAX) != TXTAP_OK)
        return;
    while (txtap_trace_next(&trace, &item) == TXTAP_OK) {
        REQUIRE(seq == 0 || item.seq == seq);
        seq = item.seq + (item.entry != NULL ? 1 : item.lost);
        events += item.entry != NULL;
        lost += item.lost;
    }
    REQUIRE(events <= trace.present_entries);
    REQUIRE(events + lost <= trace.ring_entries);
    /* One of them a time, for speed: a byte more behind the buffer changes nothing else. */
    export_all(&trace, length % 2 != 0 ? "text" : "jsonl");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    size_t capacity = txtap_trace_narrow_bytes(bytes, length);
    size_t at = txtap_trace_scan(bytes, length, 0);

    REQUIRE(at <= length);
    read_all(bytes, length);
    if (capacity > 0) {
        struct txtap_trace_narrowed narrowed;
        uint8_t *out = malloc(capacity); /* exactly: the sanitizer sees a byte too many */

        REQUIRE(txtap_trace_narrow(bytes, length, out, capacity, &narrowed) == TXTAP_OK);
        REQUIRE(narrowed.bytes <= capacity);
        read_all(out, narrowed.bytes);
        free(out);
    }
    return 0;
}
