/* SPDX-License-Identifier: MIT */
#include "ring/txtb_fixture.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <string.h>

struct ring_fixture fixture;

static struct {
    uint32_t address; /* 0: nothing happens */
    uint64_t events, stores;
} surprise;

static bool is_unsettled(uint32_t unsettled, size_t before_last)
{
    return before_last < 32 && (unsettled >> before_last & 1);
}

/* Adds delivered entries to the text. Each entry must be complete unless it is marked as unsettled. */
static void add_entries(const char *word, const uint8_t *entries, size_t count, uint64_t seq, uint32_t unsettled)
{
    const struct ring_target *target = fixture_target;
    uint64_t first = count > 0 ? target_entry_number(target, entries) : 0;

    if (count == 0)
        return;
    if (fixture.anything)
        cr_assert_eq(seq, fixture.next_seq, "events begin at %" PRIu64 ", not at %" PRIu64, seq, fixture.next_seq);
    for (size_t i = 0; i < count; i++) {
        const uint8_t *entry = entries + i * TXTB_ENTRY_BYTES;

        cr_assert_eq(target_entry_number(target, entry), first + i, "an event that is not the next");
        if (!is_unsettled(unsettled, count - 1 - i))
            cr_assert(target_entry_is(target, entry, first + i), "event %" PRIu64 " is torn or not patched", first + i);
    }
    if (target->counts_laps)
        cr_assert_eq(seq + fixture.numbers_begin, first, "event %" PRIu64 " has the sequence number %" PRIu64, first,
                     seq);
    fixture.anything = true;
    fixture.next_seq = seq + count;
    fixture.unsettled += (unsigned)__builtin_popcount(unsettled);
    delivered_add_run(&fixture.delivered, word, first, first + count);
}

static const char *describe_batch(const struct txtap_ring_batch *batch)
{
    add_entries("held ", batch->held, batch->held_count, batch->held_seq, batch->held_unsettled);
    if (batch->lost > 0) {
        if (fixture.anything)
            cr_assert_eq(batch->lost_seq, fixture.next_seq, "a gap that is not at its place");
        fixture.anything = true;
        fixture.next_seq = batch->lost_seq + batch->lost;
        delivered_add(&fixture.delivered, "lost %" PRIu64 "%s", batch->lost, batch->exact ? "" : "+");
    }
    add_entries("", batch->entries, batch->count, batch->seq, batch->unsettled);
    return fixture.delivered.text;
}

static void let_surprise_happen(struct ring_target *target, uint32_t address)
{
    if (address != surprise.address)
        return;
    surprise.address = 0;
    target_write(target, surprise.events);
    for (uint64_t i = 0; i < surprise.stores; i++)
        target_store(target);
}

void set_up(uint32_t entries, bool counts_laps)
{
    memset(&fixture, 0, sizeof fixture);
    surprise.address = 0;
    target_init(fixture_target, entries, counts_laps, 1);
    fixture.target.before_word = let_surprise_happen;
}

static void attach_with(enum txtap_ring_from from, uint32_t buffer_entries)
{
    target_attach(fixture_target, fixture_ring, fixture.buffer, buffer_entries, from);
}

void attach(enum txtap_ring_from from)
{
    attach_with(from, TARGET_ENTRIES_MAX);
}

void attach_with_smallest_buffer(enum txtap_ring_from from)
{
    attach_with(from, TXTAP_RING_BUFFER_MIN);
}

static const char *describe_outcome(enum txtap_status status, const struct txtap_ring_batch *batch)
{
    if (status == TXTAP_ERROR_MOVED)
        delivered_add(&fixture.delivered, "moved");
    else if (status == TXTAP_ERROR_POINTER)
        delivered_add(&fixture.delivered, "pointer");
    else
        cr_assert_eq(status, TXTAP_OK);
    return status == TXTAP_OK ? describe_batch(batch) : fixture.delivered.text;
}

static const char *exchange_more(void)
{
    struct txtap_ring_batch batch;
    enum txtap_status status = target_exchange(fixture_target, fixture_ring, &batch);

    fixture.target.now_us += 100;
    return describe_outcome(status, &batch);
}

const char *exchange(void)
{
    delivered_clear(&fixture.delivered);
    return exchange_more();
}

const char *exchange_until_quiet(void)
{
    delivered_clear(&fixture.delivered);
    for (uint64_t waited_us = 0; waited_us < 100000;) {
        unsigned pieces = fixture.delivered.pieces;

        exchange_more();
        waited_us = fixture.delivered.pieces > pieces ? 0 : waited_us + 1100;
        fixture.target.now_us += waited_us > 0 ? 1000 : 0;
    }
    return fixture.delivered.text;
}

const char *finish(uint64_t until)
{
    struct txtap_ring_batch batch;

    txtap_ring_finish(fixture_ring, until, &batch);
    delivered_clear(&fixture.delivered);
    return describe_batch(&batch);
}

void write_before(uint32_t address, uint64_t events)
{
    surprise.address = address;
    surprise.events = events;
    surprise.stores = 0;
}

void store_before(uint32_t address, uint64_t stores)
{
    surprise.address = address;
    surprise.events = 0;
    surprise.stores = stores;
}

uint32_t header_word(uint32_t offset)
{
    return TARGET_BASE + offset;
}

uint32_t entry_word_address(uint64_t number, uint32_t offset)
{
    return TARGET_BASE + TXTB_HEADER_BYTES + (uint32_t)(number % fixture.target.entries) * TXTB_ENTRY_BYTES + offset;
}
