/* SPDX-License-Identifier: MIT */
/*
 * Reads any bytes as a trace buffer to its end, and writes it in some format. If its words have 64 bits, it is narrowed
 * first.
 */
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "fuzz.h"
#include "txtap/trace.h"

#define OBJECTS_MAX      64
#define RING_ENTRIES_MAX 4096 /* maximum size of a ring that is exported; larger rings are only read */

static void export_all(struct txtap_trace *trace, const uint8_t *bytes, size_t length)
{
    uint8_t *kept = malloc((size_t)trace->ring_entries * TXTB_ENTRY_BYTES);
    struct txtap_exporter exporter = {.image = {bytes, length, kept}};

    REQUIRE(kept != NULL);
    export_open(&exporter, length, true); /* only one format per run, which is faster */
    REQUIRE(txtap_exporter_trace(&exporter, trace) == TXTAP_OK);
    export_close(&exporter);
    free(kept);
}

static void read_all(const uint8_t *bytes, size_t length)
{
    static struct txtap_object objects[OBJECTS_MAX];
    struct txtap_trace trace;
    struct txtap_item item;
    uint64_t events = 0, lost = 0, seq = 0;

    if (txtap_trace_open(&trace, bytes, length, objects, OBJECTS_MAX) != TXTAP_OK)
        return;
    while (txtap_trace_next(&trace, &item) == TXTAP_OK) {
        bool is_event = item.kind == TXTAP_ITEM_EVENT;
        uint64_t first = is_event ? item.event.seq : item.gap.seq, count = is_event ? 1 : item.gap.lost;

        REQUIRE(count > 0 && (seq == 0 || first == seq));
        seq = first + count;
        events += is_event;
        lost += is_event ? 0 : count;
    }
    REQUIRE(events <= trace.present_entries);
    REQUIRE(events + lost <= trace.ring_entries);
    if (trace.ring_entries <= RING_ENTRIES_MAX)
        export_all(&trace, bytes, length);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    size_t capacity = txtap_trace_narrow_bytes(bytes, length);
    size_t at = txtap_trace_scan(bytes, length, 0);

    REQUIRE(at <= length);
    read_all(bytes, length);
    if (capacity > 0) {
        struct txtap_trace_narrowed narrowed;
        uint8_t *out = malloc(capacity); /* exact size: the sanitizer detects a write past the end */

        REQUIRE(txtap_trace_narrow(bytes, length, out, capacity, &narrowed) == TXTAP_OK);
        REQUIRE(narrowed.bytes <= capacity);
        read_all(out, narrowed.bytes);
        free(out);
    }
    return 0;
}
