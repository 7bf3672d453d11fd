/* SPDX-License-Identifier: MIT */
#include "ring/txtb_fixture.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct ring_fixture fixture;

static struct {
    uint32_t address; /* 0: nothing happens */
    uint64_t events, stores;
} surprise;

static void add_text(const char *format, ...)
{
    size_t used = strlen(fixture.text);
    va_list arguments;

    if (used > 0)
        used += (size_t)snprintf(fixture.text + used, sizeof fixture.text - used, ", ");
    va_start(arguments, format);
    used += (size_t)vsnprintf(fixture.text + used, sizeof fixture.text - used, format, arguments);
    va_end(arguments);
    cr_assert_lt(used, sizeof fixture.text);
    fixture.pieces++;
    fixture.run = NULL;
}

/* Events that continue the last run, perhaps from another exchange, extend it. */
static void add_run(const char *word, uint64_t first, uint64_t end)
{
    if (fixture.run && strcmp(fixture.run, word) == 0 && fixture.run_end == first) {
        fixture.text[fixture.run_at] = '\0';
        first = fixture.run_first;
    }
    fixture.run_at = strlen(fixture.text);
    if (end - first == 1)
        add_text("%s%" PRIu64, word, first);
    else
        add_text("%s%" PRIu64 "..%" PRIu64, word, first, end - 1);
    fixture.run = word;
    fixture.run_first = first;
    fixture.run_end = end;
}

static bool is_unsettled(uint32_t unsettled, size_t before_last)
{
    return before_last < 32 && (unsettled >> before_last & 1);
}

/* Entries that are not marked as unsettled must be complete. */
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
    add_run(word, first, first + count);
}

static const char *describe_batch(const struct txtap_ring_batch *batch)
{
    add_entries("held ", batch->held, batch->held_count, batch->held_seq, batch->held_unsettled);
    if (batch->lost > 0) {
        if (fixture.anything)
            cr_assert_eq(batch->lost_seq, fixture.next_seq, "a gap that is not at its place");
        fixture.anything = true;
        fixture.next_seq = batch->lost_seq + batch->lost;
        add_text("lost %" PRIu64 "%s", batch->lost, batch->exact ? "" : "+");
    }
    add_entries("", batch->entries, batch->count, batch->seq, batch->unsettled);
    return fixture.text;
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
        add_text("moved");
    else if (status == TXTAP_ERROR_POINTER)
        add_text("pointer");
    else
        cr_assert_eq(status, TXTAP_OK);
    return status == TXTAP_OK ? describe_batch(batch) : fixture.text;
}

static void forget_text(void)
{
    fixture.text[0] = '\0';
    fixture.run = NULL;
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
    forget_text();
    return exchange_more();
}

const char *exchange_until_quiet(void)
{
    forget_text();
    for (uint64_t waited_us = 0; waited_us < 100000;) {
        unsigned pieces = fixture.pieces;

        exchange_more();
        waited_us = fixture.pieces > pieces ? 0 : waited_us + 1100;
        fixture.target.now_us += waited_us > 0 ? 1000 : 0;
    }
    return fixture.text;
}

const char *finish(uint64_t until)
{
    struct txtap_ring_batch batch;

    txtap_ring_finish(fixture_ring, until, &batch);
    forget_text();
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
