/* SPDX-License-Identifier: MIT */
#include "ring/txtb_target.h"

#include <assert.h>
#include <string.h>

#include "seeds.h"
#include "txtb_bytes.h"

enum { STORE_POINTER = 8, STORE_LAPS, STORE_HALF_LAPS };
enum { HALF_LAPS_CURRENT = 0, HALF_LAPS_COUNT = 4, HALF_LAPS_LIFE = 8 };

/* For each order of stores: the words of an entry in the order in which they are stored. */
static const unsigned store_orders[][8] = {
    [TARGET_STORES_AS_THREADX] = {0, 1, 2, 3, 4, 5, 6, 7},
    [TARGET_STORES_AS_RECORDER] = {2, 4, 5, 6, 7, 3, 0, 1},
};

static void put_word(struct ring_target *target, uint32_t offset, uint32_t value)
{
    put_u32(target->memory + offset, target->endian, value);
}

static uint32_t get_word(const struct ring_target *target, const uint8_t *at)
{
    uint32_t little = (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;

    return target->endian == TXTAP_BIG ? __builtin_bswap32(little) : little;
}

static uint32_t slot_offset(const struct ring_target *target, uint64_t n)
{
    return TXTB_HEADER_BYTES + target->objects * TARGET_OBJECT_BYTES +
           (uint32_t)(n % target->entries) * TXTB_ENTRY_BYTES;
}

uint32_t target_random(struct ring_target *target, uint32_t below)
{
    return next_random(&target->random, below);
}

void target_init(struct ring_target *target, uint32_t entries, bool counts_laps, uint64_t seed)
{
    assert(entries >= 1 && entries <= TARGET_ENTRIES_MAX);
    memset(target, 0, sizeof *target);
    target->entries = entries;
    target->counts_laps = counts_laps;
    target->random = seed * 2 + 1;
    target->now_us = 1000;
    target->plain_id = TARGET_LEDGER_ID;
    target->patched_id = TARGET_RESUME_ID;
    target_set_endian(target, TXTAP_LITTLE);
}

void target_set_endian(struct ring_target *target, enum txtap_endian endian)
{
    assert(target->written == 0 && target->store == 0);
    target->endian = endian;
    put_header(target->memory, endian, TARGET_BASE, 32, target->objects, target->entries);
    put_u32(target->half_laps + HALF_LAPS_CURRENT, endian, TARGET_BASE + slot_offset(target, 0));
    put_u32(target->half_laps + HALF_LAPS_LIFE, endian, 1);
}

void target_set_objects(struct ring_target *target, uint32_t objects)
{
    assert(objects <= TARGET_OBJECTS_MAX);
    target->objects = objects;
    target_set_endian(target, target->endian);
}

/*
 * Returns true if event n has a late field. The answer depends only on n, so that any check can repeat it.
 */
static bool is_patched(const struct ring_target *target, uint64_t n)
{
    return (n * 2654435761u >> 7) % 100 < target->patched_percent;
}

static unsigned late_word(const struct ring_target *target)
{
    return (target->patched_id & 0xFFFF) == TARGET_ALLOCATE_ID ? 5 : 7;
}

static uint32_t entry_word(const struct ring_target *target, uint64_t n, unsigned word, bool complete)
{
    uint32_t low = (uint32_t)n, shown = target->alike ? 0 : low;
    bool late = is_patched(target, n) && !complete;

    switch (word) {
    case 0:
        return 0x20001000u;
    case 1:
        return target->alike ? 0x80000000u | low : 0x80000005u;
    case 2:
        return is_patched(target, n) ? target->patched_id : target->plain_id;
    case 3:
        if (target->stamp != NULL)
            return target->stamp();
        return target->constant_stamps ? 7 : low * 13u;
    case 4:
        return shown;
    case 5:
        return late && late_word(target) == 5 ? 0 : ~shown;
    case 6:
        return 3u * shown;
    default:
        return late && late_word(target) == 7 ? 0 : 0x1ED6E2A5u ^ shown;
    }
}

void target_patch_all(struct ring_target *target)
{
    for (unsigned i = 0; i < target->unpatched_count; i++)
        if (target->unpatched[i] + target->entries > target->written)
            put_word(target, slot_offset(target, target->unpatched[i]) + 4 * late_word(target),
                     entry_word(target, target->begin + target->unpatched[i], late_word(target), true));
    target->unpatched_count = 0;
}

/*
 * If event n has a late word, notes that this word is still to be written. Before that, writes older late words if the
 * reader could soon consider their entries complete.
 */
static void note_unpatched(struct ring_target *target, uint64_t n)
{
    if (target->unpatched_count > 0 && n - target->unpatched[0] >= TXTAP_RING_HOLD_ENTRIES - 1)
        target_patch_all(target);
    if (!is_patched(target, target->begin + n))
        return;
    if (target->unpatched_count == sizeof target->unpatched / sizeof *target->unpatched)
        target_patch_all(target);
    if (target->unpatched_count == 0)
        target->unpatched_since_us = target->now_us;
    target->unpatched[target->unpatched_count++] = n;
}

/* Returns true if event n is the first event of a half-lap. */
static bool begins_half_lap(const struct ring_target *target, uint64_t n)
{
    uint64_t slot = n % target->entries;

    return slot == 0 || slot == target->entries / 2;
}

/* Returns the number of half-laps that `events` events have completed. */
static uint32_t half_laps(const struct ring_target *target, uint64_t events)
{
    return (uint32_t)(events / target->entries * 2 + (events % target->entries >= target->entries / 2));
}

/* Makes the next store of an event. First come the words of the entry, then the half-laps (only the recorder counts
 * them), the pointer and the laps. */
void target_store(struct ring_target *target)
{
    uint64_t n = target->written;

    if (target->store == 0 && target->limit != 0 && n >= target->limit)
        return;
    if (target->store == 0)
        target->mid_event_since_us = target->now_us;
    if (target->store < STORE_POINTER) {
        unsigned word = store_orders[target->order][target->store];

        put_word(target, slot_offset(target, n) + 4 * word, entry_word(target, target->begin + n, word, false));
        target->store++;
        if (target->store == STORE_POINTER && target->counts_half_laps && begins_half_lap(target, n + 1))
            target->store = STORE_HALF_LAPS;
    } else if (target->store == STORE_HALF_LAPS) {
        put_u32(target->half_laps + HALF_LAPS_COUNT, target->endian, half_laps(target, n + 1));
        target->store = STORE_POINTER;
    } else if (target->store == STORE_POINTER) {
        put_word(target, TXTB_HEADER_CURRENT, TARGET_BASE + slot_offset(target, n + 1));
        put_u32(target->half_laps + HALF_LAPS_CURRENT, target->endian, TARGET_BASE + slot_offset(target, n + 1));
        note_unpatched(target, n);
        if (target->counts_laps && (n + 1) % target->entries == 0) {
            target->store = STORE_LAPS;
        } else {
            target->store = 0;
            target->written++;
        }
    } else {
        put_u16(target->memory + TXTB_HEADER_LAPS, target->endian, (uint16_t)((n + 1) / target->entries));
        target->store = 0;
        target->written++;
    }
}

uint64_t target_published(const struct ring_target *target)
{
    return target->written + (target->store == STORE_LAPS);
}

void target_write(struct ring_target *target, uint64_t events)
{
    uint64_t end = target->written + events;

    while (target->written < end)
        target_store(target);
}

void target_run_to_turn(struct ring_target *target)
{
    unsigned stop = (unsigned[]){STORE_POINTER, 0, STORE_LAPS}[target_random(target, target->counts_laps ? 3 : 2)];
    uint64_t last = target->entries - 1;

    for (unsigned stores = 0; stores <= 2 * target->entries * (STORE_LAPS + 1); stores++) {
        target_store(target);
        if (target->store == stop && target->written % target->entries == (stop == 0 ? 0 : last))
            return;
    }
}

void target_set_up_again(struct ring_target *target, uint32_t entries)
{
    target->entries = entries;
    put_header(target->memory, target->endian, TARGET_BASE, 32, target->objects, entries);
    for (uint64_t n = 0; n < entries; n++)
        put_word(target, slot_offset(target, n) + TXTB_ENTRY_THREAD, 0);
    put_u32(target->half_laps + HALF_LAPS_CURRENT, target->endian, TARGET_BASE + slot_offset(target, 0));
    put_u32(target->half_laps + HALF_LAPS_COUNT, target->endian, 0);
    put_u32(target->half_laps + HALF_LAPS_LIFE, target->endian,
            get_word(target, target->half_laps + HALF_LAPS_LIFE) + 1);
    target->begin += 1u << TARGET_TRACE_SHIFT;
    target->written = target->store = target->unpatched_count = 0;
}

void target_skip_laps(struct ring_target *target, uint64_t laps)
{
    assert(target->store == 0);
    target->written += laps * target->entries;
    if (target->counts_laps)
        put_u16(target->memory + TXTB_HEADER_LAPS, target->endian, (uint16_t)(target->written / target->entries));
    put_u32(target->half_laps + HALF_LAPS_COUNT, target->endian, half_laps(target, target->written));
    target_write(target, target->entries);
}

uint64_t target_entry_number(const struct ring_target *target, const uint8_t *entry)
{
    return target->alike ? get_word(target, entry + TXTB_ENTRY_PRIORITY) & 0x7FFFFFFFu
                         : get_word(target, entry + TXTB_ENTRY_INFO);
}

bool target_entry_is(const struct ring_target *target, const uint8_t *entry, uint64_t n)
{
    for (unsigned word = 0; word < 8; word++)
        if (get_word(target, entry + 4 * word) != entry_word(target, n, word, true))
            return false;
    return true;
}

bool target_entry_is_intact(const struct ring_target *target, const uint8_t *entry, uint64_t n)
{
    for (unsigned word = 0; word < 8; word++) {
        bool late = is_patched(target, n) && word == late_word(target);

        if (!late && get_word(target, entry + 4 * word) != entry_word(target, n, word, true))
            return false;
    }
    return true;
}

/* Returns the word at an address in the buffer, or beside it. */
static const uint8_t *word_at(const struct ring_target *target, uint32_t address)
{
    if (target->counts_half_laps && address >= TARGET_HALF_LAPS && address < TARGET_BASE)
        return target->half_laps + (address - TARGET_HALF_LAPS);
    assert(address >= TARGET_BASE && address - TARGET_BASE + 4 <= sizeof target->memory);
    return target->memory + (address - TARGET_BASE);
}

static bool is_pointer(const struct ring_target *target, uint32_t address)
{
    return address == TARGET_BASE + TXTB_HEADER_CURRENT || (target->counts_half_laps && address == TARGET_HALF_LAPS);
}

void target_read(struct ring_target *target, const struct txtap_read *read)
{
    assert(read->address % 4 == 0 && read->length % 4 == 0);
    target->reads_in_last_exchange++;
    for (uint32_t done = 0; done < read->length; done += 4) {
        uint32_t address = read->address + done;

        if (target->before_word)
            target->before_word(target, address);
        memcpy(read->buffer + done, word_at(target, address), 4);
        if (is_pointer(target, address) && target->bad_pointer != 0) {
            put_u32(read->buffer + done, target->endian, target->bad_pointer);
            target->bad_pointer = 0;
        }
        target->words_read++;
        target->bytes_in_last_exchange += 4;
    }
}

static struct txtap_ring_half_laps half_laps_of(const struct ring_target *target, const uint8_t *bytes)
{
    return (struct txtap_ring_half_laps){TARGET_HALF_LAPS, get_word(target, bytes + HALF_LAPS_CURRENT),
                                         get_word(target, bytes + HALF_LAPS_COUNT),
                                         get_word(target, bytes + HALF_LAPS_LIFE)};
}

struct txtap_ring_half_laps target_half_laps(const struct ring_target *target)
{
    return target->counts_half_laps ? half_laps_of(target, target->half_laps)
                                    : (struct txtap_ring_half_laps){.address = 0};
}

static struct txtap_ring_half_laps read_half_laps(struct ring_target *target)
{
    uint8_t bytes[TXTAP_RING_HALF_LAPS_BYTES];

    if (!target->counts_half_laps)
        return (struct txtap_ring_half_laps){.address = 0};
    target_read(target, &(struct txtap_read){TARGET_HALF_LAPS, sizeof bytes, bytes});
    return half_laps_of(target, bytes);
}

void target_attach(struct ring_target *target, struct txtap_ring *ring, uint8_t *buffer, uint32_t buffer_entries,
                   enum txtap_ring_from from)
{
    uint8_t bytes[TXTB_HEADER_BYTES];
    struct txtap_ring_half_laps before = read_half_laps(target), words;
    struct txtap_header header;
    enum txtap_status status;

    target_read(target, &(struct txtap_read){TARGET_BASE, sizeof bytes, bytes});
    words = read_half_laps(target);
    if (before.life != words.life)
        words.address = 0;
    status = txtap_header_parse(bytes, &header);
    assert(status == TXTAP_OK);
    (void)status;
    txtap_ring_init(ring, &(struct txtap_ring_config){&header, TARGET_BASE, buffer, buffer_entries, from, words, 0});
}

enum txtap_status target_exchange(struct ring_target *target, struct txtap_ring *ring, struct txtap_ring_batch *batch)
{
    struct txtap_ring_plan plan;

    target->exchanges++;
    target->bytes_in_last_exchange = target->reads_in_last_exchange = 0;
    txtap_ring_plan(ring, &plan, target->now_us);
    for (size_t i = 0; i < plan.count; i++)
        target_read(target, &plan.reads[i]);
    target->now_us += target->exchange_us;
    return txtap_ring_commit(ring, &plan, target->now_us, batch);
}
