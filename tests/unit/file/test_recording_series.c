/* SPDX-License-Identifier: MIT */
/* Several recordings as a single recording. */
#include <criterion/criterion.h>
#include <string.h>

#include "file/recording_maker.h"
#include "txtap/inner/recording_series.h"
#include "txtap/inner/registry.h"
#include "txtb_bytes.h"

enum { SECOND = 1000000, COUNT = 3 };

static struct txtap_recording_series series;
static struct txtap_recording_block block;
static struct txtap_recording_item item;
static uint8_t payload[TXTAP_RECORDING_PAYLOAD_MAX];

static void reset(void)
{
    make_recording(); /* gives the header, which is big-endian */
    memset(&series, 0, sizeof series);
}

TestSuite(recording_series, .init = reset);

static void parse(unsigned type, size_t length)
{
    block = (struct txtap_recording_block){.type = type, .stored = payload, .stored_bytes = length, .bytes = length};
    cr_assert_eq(txtap_recording_item(&block, payload, length, &item), TXTAP_OK);
}

static enum txtap_status take(unsigned type, size_t length)
{
    parse(type, length);
    return txtap_recording_series_take(&series, &block, payload, &item);
}

static void rate(double hz)
{
    const struct txtap_rate rate = {.how = TXTAP_RATE_GIVEN, .hz = hz};

    cr_assert_eq(take(TXTAP_RECORDING_RATE, txtap_recording_put_rate(payload, &rate)), TXTAP_OK);
}

/* Makes a block of events that are 10 ticks apart. word: a word of the first event; each further event has one more.
 * unix_us: when the first event was read. The last event was read 20 us later. */
static size_t make_events(uint64_t seq, uint64_t ticks, uint64_t unix_us, uint32_t word, uint32_t count)
{
    size_t bytes = txtap_recording_put_events(payload, seq, ticks, unix_us, 20, count);

    for (uint32_t i = 0; i < count; i++) {
        const uint32_t words[8] = {0x20000100, 7, 4096, 10 * (word + i), word + i, 2, 3, 4};

        put_entry(payload + TXTAP_RECORDING_EVENTS_HEAD + (size_t)i * TXTB_ENTRY_BYTES, TXTAP_BIG, words);
    }
    return bytes;
}

static enum txtap_status events_of(uint64_t seq, uint64_t ticks, uint64_t unix_us, uint32_t word, uint32_t count)
{
    return take(TXTAP_RECORDING_EVENTS, make_events(seq, ticks, unix_us, word, count));
}

/* Takes the head of a recording. */
static void head(uint64_t unix_us)
{
    const struct txtap_recording_file file = {.id = unix_us, .seq = 0};

    cr_assert_eq(take(TXTAP_RECORDING_BUFFER, txtap_recording_put_buffer(payload, &made.header, unix_us, "a.elf")),
                 TXTAP_OK);
    cr_assert_eq(take(TXTAP_RECORDING_FILE, txtap_recording_put_file(payload, &file)), TXTAP_OK);
}

/* Begins a further recording, whose first block of events is as in events_of(). */
static void next(uint64_t seq, uint64_t ticks, uint64_t unix_us, uint32_t word, uint32_t count)
{
    parse(TXTAP_RECORDING_EVENTS, make_events(seq, ticks, unix_us, word, count));
    txtap_recording_series_next(&series, &made.header, &item, seq);
    head(unix_us);
}

Test(recording_series, the_first_recording_is_unchanged)
{
    head(SECOND);
    cr_assert_eq(events_of(100, 5, SECOND, 1, COUNT), TXTAP_OK);
    cr_assert_eq(item.seq, 100);
    cr_assert_eq(item.ticks, 5);
    cr_assert_eq(series.next_seq, 103);
}

Test(recording_series, numbers_continue_and_time_passes_by_the_host)
{
    head(SECOND);
    rate(1000);
    cr_assert_eq(events_of(100, 5, SECOND, 1, COUNT), TXTAP_OK);
    next(7, 40, 3 * SECOND, 500, COUNT);
    cr_assert_eq(series.overlap, 0);
    cr_assert_eq(events_of(7, 40, 3 * SECOND, 500, COUNT), TXTAP_OK);
    cr_assert_eq(item.seq, 103);
    cr_assert_eq(item.ticks, 25 + 2 * 1000 - 20, "the last event was read 2 s later than the event with 25 ticks");
    cr_assert_eq(events_of(10, 90, 3 * SECOND + 70, 504, COUNT), TXTAP_OK);
    cr_assert_eq(item.seq, 106);
    cr_assert_eq(item.ticks, 25 + 2 * 1000 - 20 + 50, "inside a recording the stamps tell the time");
}

Test(recording_series, without_a_rate_or_if_the_clock_goes_back_no_time_passes)
{
    head(5 * SECOND);
    cr_assert_eq(events_of(0, 0, 5 * SECOND, 1, COUNT), TXTAP_OK);
    next(0, 0, 9 * SECOND, 500, COUNT);
    cr_assert_eq(events_of(0, 0, 9 * SECOND, 500, COUNT), TXTAP_OK);
    cr_assert_eq(item.ticks, 20);
    rate(1000);
    next(0, 0, 1 * SECOND, 700, COUNT);
    cr_assert_eq(events_of(0, 0, 1 * SECOND, 700, COUNT), TXTAP_OK);
    cr_assert_eq(item.ticks, 40);
    cr_assert_eq(item.seq, 6);
}

Test(recording_series, events_of_both_recordings_come_once)
{
    head(SECOND);
    rate(1000);
    cr_assert_eq(events_of(0, 0, SECOND, 1, 100), TXTAP_OK);
    next(17, 0, SECOND + 100, 61, 80);
    cr_assert_eq(series.overlap, 40);
    cr_assert_eq(events_of(17, 0, SECOND + 100, 61, 80), TXTAP_OK);
    cr_assert_eq(item.count, 40);
    cr_assert_eq(block.bytes, TXTAP_RECORDING_EVENTS_HEAD + 40 * TXTB_ENTRY_BYTES);
    cr_assert_eq(item.seq, 100);
    cr_assert_eq(item.ticks, 1000);
    cr_assert_eq(item.entries[19], 101, "the first entry is the next event");
    cr_assert_eq(series.next_seq, 140);
}

Test(recording_series, an_overlap_may_be_longer_than_a_block)
{
    head(SECOND);
    rate(1000);
    cr_assert_eq(events_of(0, 0, SECOND, 1, 100), TXTAP_OK);
    next(5, 0, SECOND + 100, 61, 30);
    cr_assert_eq(series.overlap, 40);
    cr_assert_eq(events_of(5, 0, SECOND + 100, 61, 30), TXTAP_AGAIN);
    cr_assert_eq(events_of(35, 300, SECOND + 200, 91, 30), TXTAP_OK);
    cr_assert_eq(item.count, 20);
    cr_assert_eq(item.seq, 100);
    cr_assert_eq(item.ticks, 1000);
}

static enum txtap_status gap(uint64_t seq, uint64_t lost, bool exact)
{
    const struct txtap_gap gap = {.seq = seq, .lost = lost, .exact = exact};

    return take(TXTAP_RECORDING_GAP, txtap_recording_put_gap(payload, &gap));
}

Test(recording_series, events_that_the_recording_before_has_are_not_lost)
{
    head(SECOND);
    rate(1000);
    cr_assert_eq(events_of(0, 0, SECOND, 1, 100), TXTAP_OK);
    next(5, 0, SECOND + 100, 61, 10);
    cr_assert_eq(series.overlap, 40);
    cr_assert_eq(events_of(5, 0, SECOND + 100, 61, 10), TXTAP_AGAIN);
    cr_assert_eq(gap(15, 20, true), TXTAP_AGAIN);
    cr_assert_eq(events_of(35, 300, SECOND + 200, 91, 30), TXTAP_OK);
    cr_assert_eq(item.count, 20);
    cr_assert_eq(item.seq, 100);
    cr_assert_eq(item.ticks, 1000);
}

Test(recording_series, a_gap_that_begins_in_the_overlap_has_the_other_events)
{
    head(SECOND);
    rate(1000);
    cr_assert_eq(events_of(0, 0, SECOND, 1, 100), TXTAP_OK);
    next(5, 0, SECOND + 100, 61, 10);
    cr_assert_eq(events_of(5, 0, SECOND + 100, 61, 10), TXTAP_AGAIN);
    cr_assert_eq(gap(15, 37, true), TXTAP_OK);
    cr_assert_eq(item.gap.seq, 100);
    cr_assert_eq(item.gap.lost, 7);
    cr_assert_eq(events_of(52, 470, SECOND + 200, 108, 30), TXTAP_OK);
    cr_assert_eq(item.seq, 107);
}

Test(recording_series, after_an_inexact_gap_in_the_overlap_numbers_never_go_back)
{
    head(SECOND);
    rate(1000);
    cr_assert_eq(events_of(0, 0, SECOND, 1, 100), TXTAP_OK);
    next(5, 0, SECOND + 100, 61, 10);
    cr_assert_eq(events_of(5, 0, SECOND + 100, 61, 10), TXTAP_AGAIN);
    cr_assert_eq(gap(15, 1, false), TXTAP_OK);
    cr_assert_eq(item.gap.seq, 100);
    cr_assert_eq(item.gap.lost, 1);
    cr_assert_eq(events_of(16, 300, SECOND + 200, 91, 30), TXTAP_OK);
    cr_assert_eq(item.count, 30);
    cr_assert_eq(item.seq, 101);
}

Test(recording_series, words_of_the_overlap_are_left_out)
{
    const uint8_t counts[4] = {6, 4, 5, 7};
    const uint32_t more[] = {0x61, 0x62, 0x51, 0x71, 0x72, 0x73};
    struct txtap_event event = {.info = {1, 2, 3, 4}};
    uint32_t words[TXTAP_RECORDING_WORDS_MAX];
    size_t at = 0;

    head(SECOND);
    cr_assert_eq(events_of(0, 0, SECOND, 1, 10), TXTAP_OK);
    next(0, 0, SECOND, 9, 4);
    cr_assert_eq(series.overlap, 2);
    cr_assert_eq(take(TXTAP_RECORDING_WORDS, txtap_recording_put_words(payload, counts, 4, more, 6)), TXTAP_OK);
    cr_assert_eq(item.count, 2);
    cr_assert_eq(txtap_recording_words(&item, 0, &at, &event, words), 5);
    cr_assert_eq(words[4], 0x51);
    cr_assert_eq(txtap_recording_words(&item, 1, &at, &event, words), 7);
    cr_assert_eq(words[6], 0x73);
    cr_assert_eq(events_of(0, 0, SECOND, 9, 4), TXTAP_OK);
    cr_assert_eq(item.count, 2);
}

Test(recording_series, a_target_that_begins_anew_with_the_same_events_is_no_overlap)
{
    head(SECOND);
    rate(1000);
    cr_assert_eq(events_of(0, 0, SECOND, 1, 100), TXTAP_OK);
    next(0, 0, 60 * (uint64_t)SECOND, 1, 100);
    cr_assert_eq(series.overlap, 0, "by the stamps no time has passed, but by the host a minute");
}

/* Begins a further recording, whose events 0 to 103 were lost before its first block of events. */
static void next_after_gap(uint64_t unix_us, uint32_t word)
{
    parse(TXTAP_RECORDING_EVENTS, make_events(104, 0, unix_us, word, 80));
    txtap_recording_series_next(&series, &made.header, &item, 0);
    head(unix_us);
}

Test(recording_series, events_that_were_lost_at_the_start_come_after_the_recording_before)
{
    head(SECOND);
    rate(1000);
    cr_assert_eq(events_of(0, 0, SECOND, 1, 100), TXTAP_OK);
    next_after_gap(3 * SECOND, 500);
    cr_assert_eq(gap(0, 104, true), TXTAP_OK);
    cr_assert_eq(item.gap.seq, 100);
    cr_assert_eq(item.gap.lost, 104);
    cr_assert_eq(events_of(104, 0, 3 * SECOND, 500, 80), TXTAP_OK);
    cr_assert_eq(item.seq, 204);
}

Test(recording_series, events_that_were_lost_before_the_overlap_are_not_lost)
{
    head(SECOND);
    rate(1000);
    cr_assert_eq(events_of(0, 0, SECOND, 1, 200), TXTAP_OK);
    next_after_gap(SECOND + 100, 161);
    cr_assert_eq(series.overlap, 40);
    cr_assert_eq(gap(0, 104, true), TXTAP_AGAIN);
    cr_assert_eq(events_of(104, 0, SECOND + 100, 161, 80), TXTAP_OK);
    cr_assert_eq(item.seq, 200);
    cr_assert_eq(item.count, 40);
}

Test(recording_series, equal_events_without_time_are_no_overlap)
{
    head(SECOND);
    cr_assert_eq(events_of(0, 0, SECOND, 1, 1), TXTAP_OK);
    next(0, 0, SECOND, 1, 1);
    cr_assert_eq(series.overlap, 0);
}

Test(recording_series, all_blocks_with_a_seq_are_changed)
{
    static const struct txtap_channel channel = {.number = 7, .name = "speed"};
    const struct txtap_gap gap = {.seq = 13, .lost = 4, .exact = true};
    const struct txtap_mark mark = {TXTAP_MARK_TRIGGER, 17, SECOND, "why"};
    const struct txtap_object objects[] = {
        {.pointer = 4, .type = TXTAP_OBJECT_THREAD, .live = true, .from_seq = 11, .name = "a"},
        {.pointer = 8, .type = TXTAP_OBJECT_QUEUE, .from_seq = 12, .until_seq = 13, .name = "much longer"}};
    struct txtap_sample sample = {.channel = &channel, .seq = 18, .from_ticks = 60, .ticks = 70, .text = ""};
    struct txtap_object read[4];
    struct txtap_registry registry;
    struct txtap_channels channels = {.count = 0};
    size_t bytes, at = 0;

    head(SECOND);
    cr_assert_eq(events_of(0, 0, SECOND, 1, COUNT), TXTAP_OK);
    next(10, 50, 2 * SECOND, 500, COUNT);
    bytes = txtap_recording_put_objects(payload, true);
    for (size_t i = 0; i < 2; i++)
        cr_assert(txtap_recording_add_object(payload, &bytes, &objects[i]));
    cr_assert_eq(take(TXTAP_RECORDING_OBJECTS, bytes), TXTAP_OK);
    txtap_registry_init(&registry, read, 4);
    txtap_recording_objects(&item, &registry);
    cr_assert_eq(registry.count, 2);
    cr_assert_eq(read[0].from_seq, 4);
    cr_assert_eq(read[1].from_seq, 5);
    cr_assert_eq(read[1].until_seq, 6);
    cr_assert_eq(events_of(10, 50, 2 * SECOND, 500, COUNT), TXTAP_OK);
    cr_assert_eq(item.seq, 3);
    cr_assert_eq(take(TXTAP_RECORDING_GAP, txtap_recording_put_gap(payload, &gap)), TXTAP_OK);
    cr_assert_eq(item.gap.seq, 6);
    cr_assert_eq(series.next_seq, 10);
    cr_assert_eq(take(TXTAP_RECORDING_MARK, txtap_recording_put_mark(payload, &mark)), TXTAP_OK);
    cr_assert_eq(item.mark.seq, 10);
    cr_assert_eq(take(TXTAP_RECORDING_CHANNEL, txtap_recording_put_channel(payload, &channel)), TXTAP_OK);
    cr_assert_not_null(txtap_recording_channel(&item, &channels));
    bytes = txtap_recording_put_samples(payload);
    cr_assert(txtap_recording_add_sample(payload, &bytes, &sample));
    sample.seq++;
    sample.ticks += 5;
    cr_assert(txtap_recording_add_sample(payload, &bytes, &sample));
    cr_assert_eq(take(TXTAP_RECORDING_SAMPLES, bytes), TXTAP_OK);
    cr_assert(txtap_recording_sample(&item, &at, &channels, &sample));
    cr_assert_eq(sample.seq, 11);
    cr_assert_eq(sample.ticks, 20 + 20);
    cr_assert_eq(sample.from_ticks, 20 + 10);
    cr_assert(txtap_recording_sample(&item, &at, &channels, &sample));
    cr_assert_eq(sample.seq, 12);
    cr_assert_eq(sample.ticks, 20 + 25);
}

Test(recording_series, a_number_from_before_the_first_event_stays_in_the_past)
{
    static const struct txtap_channel channel = {.number = 7, .name = "speed"};
    const struct txtap_mark mark = {TXTAP_MARK_ATTACHED, 0, SECOND, "cpu"};
    const struct txtap_object object = {.pointer = 4, .type = TXTAP_OBJECT_THREAD, .live = true, .name = "a"};
    struct txtap_sample sample = {.channel = &channel, .seq = 1, .ticks = 2, .text = ""};
    struct txtap_object read[1];
    struct txtap_registry registry;
    struct txtap_channels channels = {.count = 0};
    size_t bytes, at = 0;

    head(SECOND);
    cr_assert_eq(events_of(0, 0, SECOND, 1, COUNT), TXTAP_OK);
    next(100, 1000, 2 * SECOND, 500, COUNT); /* 97 is subtracted from its numbers, 980 from its ticks */
    bytes = txtap_recording_put_objects(payload, true);
    cr_assert(txtap_recording_add_object(payload, &bytes, &object));
    cr_assert_eq(take(TXTAP_RECORDING_OBJECTS, bytes), TXTAP_OK);
    txtap_registry_init(&registry, read, 1);
    txtap_recording_objects(&item, &registry);
    cr_assert_eq(registry.count, 1);
    cr_assert_eq(read[0].from_seq, 0, "the thread has its name at the next event");
    cr_assert_eq(take(TXTAP_RECORDING_MARK, txtap_recording_put_mark(payload, &mark)), TXTAP_OK);
    cr_assert_eq(item.mark.seq, 0);
    cr_assert_eq(take(TXTAP_RECORDING_CHANNEL, txtap_recording_put_channel(payload, &channel)), TXTAP_OK);
    cr_assert_not_null(txtap_recording_channel(&item, &channels));
    bytes = txtap_recording_put_samples(payload);
    cr_assert(txtap_recording_add_sample(payload, &bytes, &sample));
    cr_assert_eq(take(TXTAP_RECORDING_SAMPLES, bytes), TXTAP_OK);
    cr_assert(txtap_recording_sample(&item, &at, &channels, &sample));
    cr_assert_eq(sample.seq, 0);
    cr_assert_eq(sample.ticks, 0);
}

Test(recording_series, a_recording_without_events_changes_nothing)
{
    head(SECOND);
    cr_assert_eq(events_of(0, 0, SECOND, 1, COUNT), TXTAP_OK);
    txtap_recording_series_next(&series, &made.header, NULL, 0);
    head(2 * SECOND);
    next(0, 0, 3 * SECOND, 500, COUNT);
    cr_assert_eq(events_of(0, 0, 3 * SECOND, 500, COUNT), TXTAP_OK);
    cr_assert_eq(item.seq, 3);
}

Test(recording_series, numbers_that_do_not_fit_are_refused)
{
    head(SECOND);
    cr_assert_eq(events_of(UINT64_MAX - 4, 0, SECOND, 1, COUNT), TXTAP_OK);
    next(0, 0, 2 * SECOND, 500, COUNT);
    cr_assert_eq(events_of(0, 0, 2 * SECOND, 500, COUNT), TXTAP_ERROR_FORMAT);
}
