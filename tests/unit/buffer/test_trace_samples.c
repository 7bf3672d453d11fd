/* SPDX-License-Identifier: MIT */
/* The samples: whole, truncated, damaged, in the other byte order, and with 64-bit words. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "buffer/samples.h"
#include "txtb_bytes.h"
#include "txtap/trace.h"
#include "sanitized.h"

#define OBJECTS_MAX 128

static const size_t events_of[SAMPLES] = {419, 474, 974, 950};

static struct sample sample;
static uint8_t wide[2 * SAMPLE_BYTES_MAX], narrowed[SAMPLE_BYTES_MAX];
static struct txtap_object objects[OBJECTS_MAX];

struct outcome {
    enum txtap_status status;
    uint64_t events, lost, sum;
};

/* Reads an image to its end, and checks what is true for any bytes. Only `length` bytes may be read. */
static struct outcome read_all(const uint8_t *bytes, size_t length)
{
    struct outcome outcome = {0};
    struct txtap_trace trace;
    struct txtap_item item;
    uint64_t seq = 0;

    outcome.status = txtap_trace_open(&trace, bytes, length, objects, OBJECTS_MAX);
    if (outcome.status != TXTAP_OK)
        return outcome;
    while (txtap_trace_next(&trace, &item) == TXTAP_OK) {
        const struct txtap_event *event = &item.event;

        if (item.kind == TXTAP_ITEM_EVENT) {
            cr_assert(seq == 0 || event->seq == seq, "a hole in seq");
            seq = event->seq + 1;
            outcome.events++;
            cr_assert(event->entry >= bytes && event->entry + TXTB_ENTRY_BYTES <= bytes + length);
            outcome.sum = outcome.sum * 31 + event->info[0] + event->stamp + event->id;
        } else {
            cr_assert(seq == 0 || item.gap.seq == seq, "a hole in seq");
            cr_assert_gt(item.gap.lost, 0);
            seq = item.gap.seq + item.gap.lost;
            outcome.lost += item.gap.lost;
        }
    }
    cr_assert_leq(outcome.events + outcome.lost, trace.ring_entries);
    cr_assert_leq(outcome.events, trace.present_entries);
    return outcome;
}

/* Reads a copy of exactly `length` bytes, so that the sanitizer detects every read past its end. */
static struct outcome read_copy(const uint8_t *bytes, size_t length)
{
    uint8_t *copy = malloc(length + !length);
    struct outcome outcome;

    memcpy(copy, bytes, length);
    outcome = read_all(copy, length);
    free(copy);
    return outcome;
}

Test(trace_samples, have_the_events_that_the_reference_tool_counts)
{
    for (size_t i = 0; i < SAMPLES; i++) {
        struct outcome outcome;

        sample_load(&sample, i);
        outcome = read_all(sample.bytes, sample.length);
        cr_assert_eq(outcome.status, TXTAP_OK);
        cr_assert_eq(outcome.lost, 0);
        cr_assert_eq(outcome.events, events_of[i], "%s: %lu events", sample.name, outcome.events);
    }
}

Test(trace_samples, decode_or_fail_cleanly_at_every_length)
{
    for (size_t i = 0; i < SAMPLES; i++) {
        sample_load(&sample, i);
        for (size_t length = 0; length < sample.length; length += length < 1024 ? 1 : 29 * RUNS_DIVISOR) {
            struct outcome outcome = read_copy(sample.bytes, length);

            cr_assert_eq(outcome.status, length < TXTB_HEADER_BYTES ? TXTAP_ERROR_TRUNCATED : TXTAP_OK);
            cr_assert_leq(outcome.events + outcome.lost, events_of[i], "%s cut to %zu", sample.name, length);
        }
    }
}

Test(trace_samples, decode_or_fail_cleanly_with_any_bit_of_the_header_flipped)
{
    size_t decoded = 0, failed = 0;

    for (size_t i = 0; i < SAMPLES; i++) {
        sample_load(&sample, i);
        for (size_t bit = 0; bit < (size_t)TXTB_HEADER_BYTES * 8; bit++) {
            struct outcome outcome;

            sample.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            outcome = read_copy(sample.bytes, sample.length);
            sample.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            decoded += outcome.status == TXTAP_OK;
            failed += outcome.status != TXTAP_OK;
        }
    }
    cr_assert_gt(decoded, 4 * 32, "any timer mask is accepted");
    cr_assert_gt(failed, 4 * 128, "no changed signature is");
}

Test(trace_samples, are_the_same_in_the_other_byte_order)
{
    for (size_t i = 0; i < SAMPLES; i++) {
        struct outcome little, big;

        sample_load(&sample, i);
        little = read_all(sample.bytes, sample.length);
        sample_swap(&sample);
        big = read_all(sample.bytes, sample.length);
        cr_assert_eq(memcmp(sample.bytes, "TXTB", 4), 0);
        cr_assert_eq(big.events, little.events);
        cr_assert_eq(big.sum, little.sum);
    }
}

Test(trace_samples, are_the_same_bytes_again_after_64_bit_words_are_narrowed)
{
    for (size_t i = 0; i < 2 * SAMPLES; i++) {
        struct txtap_trace_narrowed info;
        struct txtap_header header;
        size_t length, total;

        sample_load(&sample, i / 2);
        if (i % 2 != 0)
            sample_swap(&sample);
        cr_assert_eq(txtap_header_parse(sample.bytes, &header), TXTAP_OK);
        total = txtap_header_total_bytes(&header);
        length = sample_widen(&sample, 0, wide);
        cr_assert_eq(read_all(wide, length).status, TXTAP_ERROR_WIDE);
        cr_assert_eq(txtap_trace_scan(wide, length, 0), 0);
        cr_assert_eq(txtap_trace_narrow_bytes(wide, length), total);
        cr_assert_eq(txtap_trace_narrow(wide, length, narrowed, total, &info), TXTAP_OK);
        cr_assert_eq(info.bytes, total);
        cr_assert_eq(info.base, header.base);
        cr_assert_eq(info.cut_words, 0);
        cr_assert_not(info.cut_stamps);
        cr_assert_eq(memcmp(narrowed, sample.bytes, total), 0, "%s", sample.name);
        cr_assert_eq(txtap_trace_narrow(wide, length, narrowed, total - 1, &info), TXTAP_ERROR_SPACE);
    }
}

Test(trace_samples, with_addresses_of_more_than_32_bits_say_so_and_keep_their_events)
{
    struct txtap_trace_narrowed info;
    size_t length;
    struct outcome outcome;

    sample_load(&sample, 1);
    length = sample_widen(&sample, 0x7F12u, wide);
    put_u32(wide + TXTB64_HEADER_TIMER_MASK + 4, TXTAP_LITTLE, 0xFFFF);
    cr_assert_eq(txtap_trace_narrow(wide, length, narrowed, sizeof narrowed, &info), TXTAP_OK);
    cr_assert_eq(info.base, UINT64_C(0x7F1220006308));
    cr_assert_gt(info.cut_words, 100);
    cr_assert(info.cut_stamps);
    outcome = read_all(narrowed, info.bytes);
    cr_assert_eq(outcome.events, events_of[1]);
    cr_assert_eq(outcome.sum, read_all(sample.bytes, sample.length).sum);
}

Test(trace_samples, of_sign_extended_words_lose_nothing_and_a_thread_at_a_multiple_of_4_GiB_stays_one)
{
    struct txtap_trace_narrowed info;
    struct txtap_header header;
    size_t length;
    uint8_t *ring;

    sample_load(&sample, 1);
    cr_assert_eq(txtap_header_parse(sample.bytes, &header), TXTAP_OK);
    length = sample_widen(&sample, 0, wide);
    ring = wide + length - (size_t)txtap_header_ring_entries(&header) * TXTB64_ENTRY_BYTES;
    put_u32(ring + 32, TXTAP_LITTLE, 0xFFFFFFF0);
    put_u32(ring + 36, TXTAP_LITTLE, 0xFFFFFFFF); /* info 1 becomes -16 */
    cr_assert_eq(txtap_trace_narrow(wide, length, narrowed, sizeof narrowed, &info), TXTAP_OK);
    cr_assert_eq(info.cut_words, 0);
    put_u32(ring, TXTAP_LITTLE, 0);
    put_u32(ring + 4, TXTAP_LITTLE, 5); /* the thread's address becomes 0x500000000 */
    cr_assert_eq(txtap_trace_narrow(wide, length, narrowed, sizeof narrowed, &info), TXTAP_OK);
    put_u32(ring + 28, TXTAP_LITTLE, 5); /* a part of the stamp that the timer mask removes */
    cr_assert_eq(txtap_trace_narrow(wide, length, narrowed, sizeof narrowed, &info), TXTAP_OK);
    cr_assert_eq(info.cut_words, 1);
    cr_assert_eq(read_all(narrowed, info.bytes).lost, 0);
}

/* Narrows a buffer into another buffer. Both have exactly the size that may be read or written. */
static void narrow_copy(size_t length)
{
    uint8_t *copy = malloc(length + !length), *out;
    size_t capacity;
    struct txtap_trace_narrowed info;

    memcpy(copy, wide, length);
    capacity = txtap_trace_narrow_bytes(copy, length);
    cr_assert_leq(capacity, length);
    out = malloc(capacity + !capacity);
    if (txtap_trace_narrow(copy, length, out, capacity, &info) == TXTAP_OK) {
        cr_assert_leq(info.bytes, capacity);
        cr_assert_eq(read_all(out, info.bytes).status, TXTAP_OK);
    } else {
        cr_assert_eq(capacity, 0, "a header that is good can be narrowed");
    }
    free(out);
    free(copy);
}

Test(trace_samples, of_64_bit_words_decode_or_fail_cleanly_cut_and_damaged)
{
    size_t length;

    for (size_t i = 0; i < SAMPLES; i++) {
        sample_load(&sample, i);
        length = sample_widen(&sample, 0, wide);
        for (size_t cut = 0; cut < length; cut += cut < 1024 ? 1 : 61 * RUNS_DIVISOR)
            narrow_copy(cut);
        for (size_t bit = 0; bit < (size_t)TXTB64_HEADER_BYTES * 8; bit++) {
            wide[bit / 8] ^= (uint8_t)(1u << bit % 8);
            narrow_copy(length);
            wide[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
    }
}
