/* SPDX-License-Identifier: MIT */
/*
 * Reads a buffer that nobody writes. Knows the place and the order of slots; event.c knows what entries mean. The image
 * may be cut anywhere: a slot is present only if all of it is.
 */
#include "txtap/trace.h"
#include "txtap/inner/clock.h"
#include "txtap/inner/header.h"

#include <string.h>

#include "base/min_max.h"
#include "buffer/registry_parts.h"
#include "buffer/wide_words.h"

/* Only foreign writers leave the pointer at the ring's end; ThreadX puts it at the start at once. */
static enum txtap_status parse_narrow(const uint8_t *bytes, struct txtap_header *header)
{
    enum txtap_status status = txtap_header_parse(bytes, header);

    if (status == TXTAP_ERROR_SIGNATURE)
        return status;
    if (header->current == header->ring_end)
        header->current = header->ring_start;
    return txtap_header_check(header); /* the alignment matters to probes, not to files */
}

enum txtap_status txtap_trace_header(const uint8_t *bytes, size_t length, struct txtap_header *header,
                                     unsigned *word_bytes)
{
    uint64_t base, mask;

    memset(header, 0, sizeof(*header));
    *word_bytes = 0;
    if (length < TXTB_HEADER_BYTES)
        return TXTAP_ERROR_TRUNCATED;
    if (txtap_header_signature(bytes)) {
        *word_bytes = 4;
        return parse_narrow(bytes, header);
    }
    if (length < TXTB64_HEADER_BYTES || !trace64_signature(bytes))
        return TXTAP_ERROR_SIGNATURE;
    *word_bytes = 8;
    return trace64_header(bytes, header, &base, &mask);
}

static uint32_t held_objects(const struct txtap_header *header, size_t length)
{
    return whole_structures(length, TXTB_HEADER_BYTES, txtap_header_object_bytes(header),
                            txtap_header_registry_entries(header));
}

static uint32_t held_entries(const struct txtap_header *header, size_t length)
{
    return whole_structures(length, header->ring_start - header->base, TXTB_ENTRY_BYTES,
                            txtap_header_ring_entries(header));
}

size_t txtap_trace_objects(const struct txtap_header *header, size_t length)
{
    return (size_t)held_objects(header, length) + held_entries(header, length);
}

/* The thread word of a slot is 0 until it is first written. */
static bool is_written(const uint8_t *entry)
{
    return (entry[0] | entry[1] | entry[2] | entry[3]) != 0;
}

void txtap_trace_rewind(struct txtap_trace *trace)
{
    uint32_t laps = trace->header.laps;

    trace->index = 0;
    trace->maker.clock = trace->settled;
    trace->seq_first = (laps > 0 ? (uint64_t)(laps - 1) * trace->ring_entries : 0) + trace->oldest;
    /* Slots are filled in order: if the one at the pointer is empty, those behind it are, too. */
    trace->wrapped = laps > 0 || (trace->oldest < trace->present_entries &&
                                  is_written(trace->ring + (size_t)trace->oldest * TXTB_ENTRY_BYTES));
}

static uint32_t next_slot(const struct txtap_trace *trace)
{
    uint32_t slot = trace->index + trace->oldest;

    return slot >= trace->ring_entries ? slot - trace->ring_entries : slot;
}

/* The next slot, or NULL if the image lacks it or it was never written. */
static const uint8_t *written_slot(const struct txtap_trace *trace)
{
    uint32_t slot = next_slot(trace);
    const uint8_t *entry;

    if (slot >= trace->present_entries)
        return NULL;
    entry = trace->ring + (size_t)slot * TXTB_ENTRY_BYTES;
    return is_written(entry) ? entry : NULL;
}

/* How many slots to skip at once: all that the image lacks, because a header may claim any number; otherwise one. */
static uint32_t slots_to_skip(const struct txtap_trace *trace)
{
    uint32_t slot = next_slot(trace);

    if (slot < trace->present_entries)
        return 1;
    return (uint32_t)min_u64(trace->ring_entries - slot, trace->ring_entries - trace->index);
}

/* In a ring that has not wrapped, the slots from the pointer on belong to a lap that was never written. */
static uint64_t next_seq(const struct txtap_trace *trace)
{
    return trace->seq_first + trace->index - (trace->wrapped ? 0 : trace->ring_entries);
}

/* Skips slots without an event, and counts those that the writer had passed. */
static bool take_gap(struct txtap_trace *trace, struct txtap_item *item)
{
    struct txtap_gap gap = {.exact = true};

    while (trace->index < trace->ring_entries && written_slot(trace) == NULL) {
        bool in_this_lap = trace->index >= trace->ring_entries - trace->oldest;
        uint32_t slots = slots_to_skip(trace); /* of one lap: missing slots end at the ring's end */

        if (in_this_lap || trace->wrapped) {
            if (gap.lost == 0)
                gap.seq = next_seq(trace);
            gap.lost += slots;
        }
        trace->index += slots;
    }
    *item = (struct txtap_item){.kind = TXTAP_ITEM_GAP, .gap = gap};
    return gap.lost > 0;
}

enum txtap_status txtap_trace_next(struct txtap_trace *trace, struct txtap_item *item)
{
    const uint8_t *entry = NULL;

    if (trace->index < trace->ring_entries)
        entry = written_slot(trace);
    if (entry == NULL) {
        if (take_gap(trace, item))
            return TXTAP_OK;
        if (trace->index >= trace->ring_entries)
            return TXTAP_END;
        entry = written_slot(trace);
    }
    if (trace->index < trace->ring_entries - trace->oldest)
        trace->wrapped = true; /* a slot behind the pointer was written */
    txtap_event_maker_event(&trace->maker, &trace->header, entry, next_seq(trace), item);
    trace->index++;
    return TXTAP_OK;
}

/*
 * The image's registry was made after the newest event, so the objects first learn from all events. All events together
 * also show which way time counts.
 */
static void note_all(struct txtap_trace *trace)
{
    struct txtap_item item;

    while (txtap_trace_next(trace, &item) == TXTAP_OK) {
        if (item.kind == TXTAP_ITEM_GAP)
            txtap_registry_note_gap(&trace->registry, item.gap.seq, item.gap.lost);
        else if (trace->wrapped && trace->index == 1 &&
                 lifetime_creates_late(&item.event)) /* it may be the newest event, which overwrote the oldest */
            txtap_registry_note_gap(&trace->registry, item.event.seq + 1, 0);
        else
            txtap_registry_note(&trace->registry, &item.event);
    }
    txtap_clock_settle(&trace->maker.clock);
    trace->settled = trace->maker.clock;
}

enum txtap_status txtap_trace_open(struct txtap_trace *trace, const uint8_t *bytes, size_t length,
                                   struct txtap_object *objects, size_t capacity)
{
    struct txtap_header *header = &trace->header;
    unsigned word_bytes;
    enum txtap_status status;
    uint32_t objects_held;

    memset(trace, 0, sizeof(*trace));
    txtap_registry_init(&trace->registry, objects, capacity);
    status = txtap_trace_header(bytes, length, header, &word_bytes);
    if (status != TXTAP_OK)
        return status;
    if (word_bytes != 4)
        return TXTAP_ERROR_WIDE;

    objects_held = held_objects(header, length);
    trace->missing_objects = txtap_header_registry_entries(header) - objects_held;
    trace->ring_entries = txtap_header_ring_entries(header);
    trace->present_entries = held_entries(header, length);
    trace->missing_entries = trace->ring_entries - trace->present_entries;
    trace->ring = trace->present_entries > 0 ? bytes + (header->ring_start - header->base) : bytes;
    if (length > txtap_header_total_bytes(header))
        trace->extra_bytes = length - txtap_header_total_bytes(header);
    trace->oldest = txtap_header_slot(header, header->current);
    txtap_event_maker_init(&trace->maker, header->timer_mask, 0);
    trace->settled = trace->maker.clock;
    txtap_trace_rewind(trace);
    note_all(trace);
    txtap_registry_update(&trace->registry, header, bytes + TXTB_HEADER_BYTES,
                          (size_t)objects_held * txtap_header_object_bytes(header));
    txtap_trace_rewind(trace);
    return TXTAP_OK;
}

size_t txtap_trace_scan(const uint8_t *bytes, size_t length, size_t from)
{
    for (size_t at = from; at < length && length - at >= TXTB_HEADER_BYTES; at++) {
        /* The id's letters, in one order or the other, after the upper half of a big-endian 64-bit word. */
        if (bytes[at] != 'T' && bytes[at] != 'B' && (bytes[at] != 0 || bytes[at + 4] != 'T'))
            continue;
        if (bytes[at] != 0 && txtap_header_signature(bytes + at))
            return at;
        if (length - at >= TXTB64_HEADER_BYTES && trace64_signature(bytes + at))
            return at;
    }
    return length;
}
