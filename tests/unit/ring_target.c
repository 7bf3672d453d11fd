/* SPDX-License-Identifier: MIT */
#include "ring_target.h"

#include <assert.h>
#include <string.h>

enum { STORE_POINTER = 8, STORE_LAPS = 9 };

static void put_u32(struct ring_target *target, uint32_t offset, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        target->memory[offset + i] = (uint8_t)(value >> 8 * i);
}

static uint32_t get_u32(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static uint32_t slot_offset(const struct ring_target *target, uint64_t n)
{
    return TXTB_HEADER_BYTES + (uint32_t)(n % target->entries) * TXTB_ENTRY_BYTES;
}

/* xorshift64*: the same numbers everywhere. */
uint32_t target_random(struct ring_target *target, uint32_t below)
{
    target->random ^= target->random >> 12;
    target->random ^= target->random << 25;
    target->random ^= target->random >> 27;
    return (uint32_t)((target->random * 2685821657736338717ull) >> 33) % below;
}

void target_init(struct ring_target *target, uint32_t entries, bool counts_laps, uint64_t seed)
{
    uint32_t ring_start = TARGET_BASE + TXTB_HEADER_BYTES;

    assert(entries >= 1 && entries <= TARGET_ENTRIES_MAX);
    memset(target, 0, sizeof *target);
    target->entries = entries;
    target->counts_laps = counts_laps;
    target->random = seed * 2 + 1;
    target->now_us = 1000;
    put_u32(target, TXTB_HEADER_ID, TXTB_ID);
    put_u32(target, TXTB_HEADER_TIMER_MASK, 0xFFFFFFFFu);
    put_u32(target, TXTB_HEADER_BASE, TARGET_BASE);
    put_u32(target, TXTB_HEADER_REGISTRY_START, ring_start);
    put_u32(target, TXTB_HEADER_LAPS, 32u << 16);
    put_u32(target, TXTB_HEADER_REGISTRY_END, ring_start);
    put_u32(target, TXTB_HEADER_RING_START, ring_start);
    put_u32(target, TXTB_HEADER_RING_END, ring_start + entries * TXTB_ENTRY_BYTES);
    put_u32(target, TXTB_HEADER_CURRENT, ring_start);
    put_u32(target, TXTB_HEADER_RESERVED2, TXTB_RESERVED2);
    put_u32(target, TXTB_HEADER_RESERVED3, TXTB_RESERVED3);
    put_u32(target, TXTB_HEADER_RESERVED4, TXTB_RESERVED4);
}

/* Which events have a late field is a function of their number, so that any reader can tell. */
static bool is_patched(const struct ring_target *target, uint64_t n)
{
    return (n * 2654435761u >> 7) % 100 < target->patched_percent;
}

static uint32_t entry_word(const struct ring_target *target, uint64_t n, unsigned word, bool complete)
{
    uint32_t low = (uint32_t)n;

    switch (word) {
    case 0:
        return 0x20001000u;
    case 1:
        return 0x80000005u;
    case 2:
        return is_patched(target, n) ? TARGET_PATCHED_ID : TARGET_LEDGER_ID;
    case 3:
        return target->constant_stamps ? 7 : low * 13u;
    case 4:
        return low;
    case 5:
        return ~low;
    case 6:
        return 3u * low;
    default:
        return is_patched(target, n) && !complete ? 0 : 0x1ED6E2A5u ^ low;
    }
}

void target_patch_all(struct ring_target *target)
{
    for (unsigned i = 0; i < target->unpatched_count; i++)
        if (target->unpatched[i] + target->entries > target->written)
            put_u32(target, slot_offset(target, target->unpatched[i]) + 28,
                    entry_word(target, target->unpatched[i], 7, true));
    target->unpatched_count = 0;
}

static void note_unpatched(struct ring_target *target, uint64_t n)
{
    if (!is_patched(target, n))
        return;
    if (target->unpatched_count == sizeof target->unpatched / sizeof *target->unpatched)
        target_patch_all(target);
    target->unpatched[target->unpatched_count++] = n;
}

/* The order of stores is the recorder's: entry, pointer, laps. */
void target_store(struct ring_target *target)
{
    uint64_t n = target->written;
    bool wraps = n % target->entries == target->entries - 1;

    if (target->store == 0)
        target->mid_event_since_us = target->now_us;
    if (target->store < STORE_POINTER) {
        put_u32(target, slot_offset(target, n) + 4 * target->store, entry_word(target, n, target->store, false));
        target->store++;
    } else if (target->store == STORE_POINTER) {
        put_u32(target, TXTB_HEADER_CURRENT, TARGET_BASE + slot_offset(target, n + 1));
        if (wraps && target->counts_laps) {
            target->store = STORE_LAPS;
        } else {
            target->store = 0;
            target->written++;
            note_unpatched(target, n);
        }
    } else {
        uint32_t laps = (uint32_t)((n + 1) / target->entries) & 0xFFFF;

        put_u32(target, TXTB_HEADER_LAPS, 32u << 16 | laps);
        target->store = 0;
        target->written++;
        note_unpatched(target, n);
    }
}

void target_write(struct ring_target *target, uint64_t events)
{
    uint64_t end = target->written + events;

    while (target->written < end)
        target_store(target);
}

void target_skip_laps(struct ring_target *target, uint64_t laps)
{
    assert(target->store == 0);
    target->written += laps * target->entries;
    if (target->counts_laps)
        put_u32(target, TXTB_HEADER_LAPS, 32u << 16 | ((uint32_t)(target->written / target->entries) & 0xFFFF));
    target_write(target, target->entries);
}

uint64_t target_entry_number(const uint8_t *entry)
{
    return get_u32(entry + 16);
}

bool target_entry_is(const struct ring_target *target, const uint8_t *entry, uint64_t n)
{
    for (unsigned word = 0; word < 8; word++)
        if (get_u32(entry + 4 * word) != entry_word(target, n, word, true))
            return false;
    return true;
}

static void read_words(struct ring_target *target, const struct txtap_read *read)
{
    assert(read->address >= TARGET_BASE && read->address % 4 == 0 && read->length % 4 == 0);
    for (uint32_t done = 0; done < read->length; done += 4) {
        uint32_t offset = read->address - TARGET_BASE + done;

        assert(offset + 4 <= TXTB_HEADER_BYTES + target->entries * TXTB_ENTRY_BYTES);
        if (target->before_word)
            target->before_word(target, read->address + done);
        memcpy(read->buffer + done, target->memory + offset, 4);
        target->words_read++;
        target->bytes_in_last_exchange += 4;
    }
}

void target_attach(struct ring_target *target, struct txtap_ring *ring, uint8_t *buffer, uint32_t buffer_entries,
                   enum txtap_ring_from from)
{
    uint8_t bytes[TXTB_HEADER_BYTES];
    struct txtap_header header;
    enum txtap_status status;

    read_words(target, &(struct txtap_read){TARGET_BASE, sizeof bytes, bytes});
    status = txtap_header_parse(bytes, &header);
    assert(status == TXTAP_OK);
    (void)status;
    txtap_ring_init(ring, &header, TARGET_BASE, buffer, buffer_entries, from);
}

enum txtap_status target_exchange(struct ring_target *target, struct txtap_ring *ring, struct txtap_ring_batch *batch)
{
    struct txtap_ring_plan plan;

    target->exchanges++;
    target->bytes_in_last_exchange = 0;
    txtap_ring_plan(ring, &plan, target->now_us);
    for (size_t i = 0; i < plan.count; i++)
        read_words(target, &plan.reads[i]);
    return txtap_ring_commit(ring, &plan, target->now_us, batch);
}
