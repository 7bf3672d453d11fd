/* SPDX-License-Identifier: MIT */
/* Adds to seq and ticks in the payloads of blocks. recording_layout.h has the offsets. */
#include "txtap/inner/recording_series.h"

#include <string.h>

#include "base/bytes.h"
#include "file/recording_layout.h"
#include "txtap/event.h"
#include "txtap/inner/host_time.h"

#define TICKS_MAX    1e18 /* a longer time comes from a forged rate or clock */
#define CLOCK_US     1e6  /* a time that the host's clock and the stamps may differ by, and in addition: */
#define CLOCK_FACTOR 0.1

/* ---- events ---- */

static const uint8_t *entry_of(const struct txtap_recording_item *events, uint32_t i)
{
    return events->entries + (size_t)i * TXTB_ENTRY_BYTES;
}

/* Returns FNV-1a with 64 bits of an entry. */
static uint64_t hash_of(const uint8_t *entry)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325);

    for (size_t i = 0; i < TXTB_ENTRY_BYTES; i++)
        hash = (hash ^ entry[i]) * UINT64_C(0x100000001B3);
    return hash;
}

static uint32_t stamp_of(const struct txtap_header *header, const uint8_t *entry)
{
    struct txtap_event event;

    txtap_event_parse(entry, header, &event);
    return event.stamp;
}

/* Returns the ticks of event i of a block. */
static uint64_t ticks_of(const struct txtap_header *header, const struct txtap_recording_item *events, uint32_t i)
{
    struct txtap_clock clock;
    uint64_t ticks = events->ticks;

    txtap_clock_init(&clock, header->timer_mask);
    for (uint32_t at = 0; at <= i; at++) {
        uint32_t stamp = stamp_of(header, entry_of(events, at));

        if (at == 0)
            txtap_clock_set(&clock, stamp, events->ticks);
        ticks = txtap_clock_unwrap(&clock, stamp);
    }
    return ticks;
}

/* ---- the overlap of two recordings ---- */

/* Returns true if the first events of the block are the newest `overlap` events of the history, or the first of these.
 */
static bool is_overlap(const struct txtap_recording_series *series, const struct txtap_recording_item *events,
                       uint32_t overlap)
{
    for (uint32_t i = 0; i < overlap && i < events->count; i++)
        if (series->history[(series->events - overlap + i) % TXTAP_SERIES_HISTORY] != hash_of(entry_of(events, i)))
            return false;
    return true;
}

/* Returns true if the block has different stamps: equal entries are then the same event. */
static bool has_time(const struct txtap_header *header, const struct txtap_recording_item *events)
{
    uint32_t first = stamp_of(header, events->entries);

    for (uint32_t i = 1; i < events->count; i++)
        if (stamp_of(header, entry_of(events, i)) != first)
            return true;
    return false;
}

/* Returns true if the host's clock agrees that the newest event of the series is event `overlap - 1` of the block. A
 * target that was reset may write the same events with the same stamps again. */
static bool agrees(const struct txtap_recording_series *series, const struct txtap_header *header,
                   const struct txtap_recording_item *events, uint32_t overlap)
{
    uint32_t newest = overlap < events->count ? overlap - 1 : events->count - 1;
    double by_host = (double)(events->unix_us + events->span_us) - (double)series->newest_us, by_stamps, more;

    if (series->hz <= 0 || overlap > events->count)
        return true;
    by_stamps =
        (double)(ticks_of(header, events, events->count - 1) - ticks_of(header, events, newest)) / series->hz * 1e6;
    more = by_host > by_stamps ? by_host - by_stamps : by_stamps - by_host;
    return more <= CLOCK_US + CLOCK_FACTOR * by_host;
}

static uint32_t find_overlap(const struct txtap_recording_series *series, const struct txtap_header *header,
                             const struct txtap_recording_item *events)
{
    uint64_t most = series->events < TXTAP_SERIES_HISTORY ? series->events : TXTAP_SERIES_HISTORY;

    if (!has_time(header, events))
        return 0;
    for (uint32_t overlap = 1; overlap <= most; overlap++)
        if (is_overlap(series, events, overlap) && agrees(series, header, events, overlap))
            return overlap;
    return 0;
}

/* ---- the next recording ---- */

/* Returns the ticks that passed after the newest event until the last event of the block was read. */
static uint64_t passed_ticks(const struct txtap_recording_series *series, const struct txtap_recording_item *events)
{
    uint64_t read_us = events->unix_us + events->span_us;
    double ticks = 0;

    if (series->newest_us > 0 && read_us > series->newest_us)
        ticks = (double)(read_us - series->newest_us) / 1e6 * series->hz;
    return (uint64_t)(ticks < TICKS_MAX ? ticks : TICKS_MAX);
}

/* Returns the ticks of the first event of a recording that has no event of the recording before. The last event of its
 * first block was read soon after it was written, but the first events may have waited in the ring. */
static uint64_t first_ticks(const struct txtap_recording_series *series, const struct txtap_header *header,
                            const struct txtap_recording_item *events)
{
    uint64_t length = ticks_of(header, events, events->count - 1) - events->ticks;
    uint64_t passed = passed_ticks(series, events);

    return series->newest_ticks + (passed > length ? passed - length : 0);
}

void txtap_recording_series_next(struct txtap_recording_series *series, const struct txtap_header *header,
                                 const struct txtap_recording_item *events, uint64_t first)
{
    series->later = true;
    series->overlap = events != NULL ? find_overlap(series, header, events) : 0;
    series->skip = series->overlap;
    series->add_seq = series->add_ticks = 0;
    series->begins = events != NULL ? events->seq : 0;
    if (events == NULL)
        return;
    series->add_seq = series->next_seq - (series->overlap > 0 ? series->overlap + events->seq : first);
    if (series->overlap == 0)
        series->add_ticks = first_ticks(series, header, events) - events->ticks;
    else if (series->overlap <= events->count)
        series->add_ticks = series->newest_ticks - ticks_of(header, events, series->overlap - 1);
    else
        series->add_ticks = series->newest_ticks - events->ticks; /* find_ticks() corrects it */
}

/* ---- the newest event ---- */

/* Notes the events of a block whose numbers are already changed. */
static void note_events(struct txtap_recording_series *series, const struct txtap_recording_item *block)
{
    uint64_t ticks = block->ticks;

    for (uint32_t i = 0; i < block->count; i++) {
        const uint8_t *entry = entry_of(block, i);
        uint32_t stamp = stamp_of(&series->header, entry);

        if (i == 0)
            txtap_clock_set(&series->clock, stamp, block->ticks);
        ticks = txtap_clock_unwrap(&series->clock, stamp);
        series->history[series->events++ % TXTAP_SERIES_HISTORY] = hash_of(entry);
    }
    series->next_seq = block->seq + block->count;
    series->newest_us = block->unix_us + block->span_us;
    if (ticks > series->newest_ticks)
        series->newest_ticks = ticks;
}

static void note(struct txtap_recording_series *series, const struct txtap_recording_item *block)
{
    if (block->type == TXTAP_RECORDING_BUFFER) {
        series->header = block->header;
        txtap_clock_init(&series->clock, block->header.timer_mask);
    } else if (block->type == TXTAP_RECORDING_RATE) {
        series->hz = block->rate.hz;
    } else if (block->type == TXTAP_RECORDING_EVENTS) {
        note_events(series, block);
    } else if (block->type == TXTAP_RECORDING_GAP && block->gap.seq + block->gap.lost > series->next_seq) {
        series->next_seq = block->gap.seq + block->gap.lost;
    }
}

/* ---- payloads ---- */

static void add_u64(uint8_t *at, uint64_t more)
{
    (void)put_u64(at, TXTAP_LITTLE, bytes_u64(at, TXTAP_LITTLE) + more);
}

/* Adds to a number that may be smaller than the number of the first event. more: modulo 2^64. The least result is 0. */
static void add_early(uint8_t *at, uint64_t more)
{
    uint64_t value = bytes_u64(at, TXTAP_LITTLE), sum = value + more;

    (void)put_u64(at, TXTAP_LITTLE, (int64_t)more < 0 && sum > value ? 0 : sum);
}

/* objects: the objects of an OBJECTS payload, which has been checked. */
static void change_objects(uint8_t *objects, size_t length, uint64_t more)
{
    for (size_t at = 0; at < length; at += RECORDING_OBJECT_BYTES + objects[at + RECORDING_OBJECT_BYTES - 1])
        add_early(objects + at + RECORDING_OBJECT_SEQ, more);
}

/* sample: a sample of a SAMPLES payload, which has been checked. */
static void change_sample(const struct txtap_recording_series *series, uint8_t *sample)
{
    uint32_t before = bytes_u32(sample + RECORDING_SAMPLE_BEFORE, TXTAP_LITTLE);
    uint64_t ticks;

    add_early(sample + RECORDING_SAMPLE_SEQ, series->add_seq);
    add_early(sample + RECORDING_SAMPLE_TICKS, series->add_ticks);
    ticks = bytes_u64(sample + RECORDING_SAMPLE_TICKS, TXTAP_LITTLE);
    if (before != RECORDING_SAMPLE_UNKNOWN && before > ticks)
        (void)put_u32(sample + RECORDING_SAMPLE_BEFORE, TXTAP_LITTLE, (uint32_t)ticks);
}

/* samples: the samples of a SAMPLES payload, which has been checked. */
static void change_samples(const struct txtap_recording_series *series, uint8_t *samples, size_t length)
{
    size_t bytes;

    for (size_t at = 0; at < length; at += bytes) {
        change_sample(series, samples + at);
        bytes = RECORDING_SAMPLE_BYTES + strlen((char *)samples + at + RECORDING_SAMPLE_BYTES) + 1;
    }
}

/* Removes the first `skip` events of a WORDS payload. Returns its new length. */
static size_t cut_words(uint8_t *payload, size_t length, const struct txtap_recording_item *block, uint32_t skip)
{
    uint8_t *counts = payload + TXTAP_RECORDING_WORDS_HEAD;
    size_t more = 0, left;

    for (uint32_t i = 0; i < skip; i++)
        more += 4 * words_beyond_four(counts[i]);
    left = length - TXTAP_RECORDING_WORDS_HEAD - block->count - more;
    (void)put_u32(payload, TXTAP_LITTLE, block->count - skip);
    memmove(counts, counts + skip, block->count - skip);
    memmove(counts + block->count - skip, payload + length - left, left);
    return TXTAP_RECORDING_WORDS_HEAD + (block->count - skip) + left;
}

/* Removes the first `skip` events of an EVENTS payload. Returns its new length. */
static size_t cut_events(const struct txtap_recording_series *series, uint8_t *payload, size_t length,
                         const struct txtap_recording_item *block, uint32_t skip)
{
    size_t bytes = (size_t)skip * TXTB_ENTRY_BYTES;

    (void)put_u64(payload + RECORDING_EVENTS_TICKS, TXTAP_LITTLE, ticks_of(&series->header, block, skip));
    (void)put_u64(payload, TXTAP_LITTLE, block->seq + skip);
    (void)put_u32(payload + RECORDING_EVENTS_COUNT, TXTAP_LITTLE, block->count - skip);
    memmove(payload + TXTAP_RECORDING_EVENTS_HEAD, payload + TXTAP_RECORDING_EVENTS_HEAD + bytes,
            length - TXTAP_RECORDING_EVENTS_HEAD - bytes);
    return length - bytes;
}

/* If the overlap ends in a further block, computes what to add to the ticks when this block comes. */
static void find_ticks(struct txtap_recording_series *series, const struct txtap_recording_item *block)
{
    if (series->overlap > 0 && series->skip > 0 && series->skip <= block->count)
        series->add_ticks = series->newest_ticks - ticks_of(&series->header, block, series->skip - 1);
}

/* Changes a gap. The events that a recorder lost while it read the ring for the first time may be in the recording
 * before: then they are not lost. Returns the new length; 0: no event is lost. */
static size_t change_gap(struct txtap_recording_series *series, uint8_t *payload, size_t length,
                         const struct txtap_gap *gap)
{
    uint64_t known = series->skip < gap->lost ? series->skip : gap->lost;

    if (series->overlap > 0 && gap->seq < series->begins)
        return 0;      /* these events are before the overlap */
    if (!gap->exact) { /* nobody knows how many events of the overlap follow */
        if (series->skip > 0)
            series->add_seq = series->next_seq - gap->seq;
        series->skip = 0;
        known = 0;
    }
    series->skip -= (uint32_t)known;
    if (gap->exact && known == gap->lost)
        return 0;
    add_u64(payload, series->add_seq + known);
    (void)put_u64(payload + RECORDING_GAP_LOST, TXTAP_LITTLE, gap->lost - known);
    return length;
}

/* Changes the payload. Returns its new length; 0: no event is left. */
static size_t change(struct txtap_recording_series *series, uint8_t *payload, size_t length,
                     const struct txtap_recording_item *block)
{
    uint32_t skip = series->skip < block->count ? series->skip : block->count;

    switch (block->type) {
    case TXTAP_RECORDING_FILE:
        add_early(payload + RECORDING_FILE_SEQ, series->add_seq);
        break;
    case TXTAP_RECORDING_OBJECTS:
        change_objects(payload + RECORDING_OBJECTS_HEAD, length - RECORDING_OBJECTS_HEAD, series->add_seq);
        break;
    case TXTAP_RECORDING_WORDS:
        return skip < block->count ? cut_words(payload, length, block, skip) : 0;
    case TXTAP_RECORDING_EVENTS:
        find_ticks(series, block);
        series->skip -= skip;
        if (skip == block->count)
            return 0;
        if (skip > 0)
            length = cut_events(series, payload, length, block, skip);
        add_u64(payload, series->add_seq);
        add_u64(payload + RECORDING_EVENTS_TICKS, series->add_ticks);
        break;
    case TXTAP_RECORDING_GAP:
        return change_gap(series, payload, length, &block->gap);
    case TXTAP_RECORDING_MARK:
        add_early(payload + RECORDING_MARK_SEQ, series->add_seq);
        break;
    case TXTAP_RECORDING_SAMPLES:
        change_samples(series, payload + RECORDING_SAMPLES_HEAD, length - RECORDING_SAMPLES_HEAD);
        break;
    default:
        break;
    }
    return length;
}

enum txtap_status txtap_recording_series_take(struct txtap_recording_series *series,
                                              struct txtap_recording_block *block, uint8_t *payload,
                                              struct txtap_recording_item *item)
{
    if (series->later) {
        size_t length = change(series, payload, block->bytes, item);

        if (length == 0)
            return TXTAP_AGAIN;
        block->compressed = false;
        block->stored = payload;
        block->stored_bytes = block->bytes = length;
        if (txtap_recording_item(block, payload, length, item) != TXTAP_OK)
            return TXTAP_ERROR_FORMAT;
    }
    note(series, item);
    return TXTAP_OK;
}
