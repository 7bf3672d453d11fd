/* SPDX-License-Identifier: MIT */
/*
 * Reads any bytes as the memory of an event logger, which differ at each read. The reader must stay within its memory,
 * and the numbers of events and gaps must be consecutive. The first bytes select the size of the ring, whether it keeps
 * counts, and the place where reading begins. The other bytes are the memory. Each exchange sees them shifted a little
 * more.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "txtap/event_logger.h"

#define RING      0x1000u
#define TOTALS    0x1040u
#define BUFFER    0x1080u
#define SIZE_MAX_ 64u
#define EXCHANGES 12

struct memory {
    const uint8_t *bytes;
    size_t length, moved;
    uint32_t size;
    unsigned sane; /* how many fields of the ring are valid: 0 none, 1 size, buffer and mask, 2 also the indices */
};

static uint8_t byte_at(const struct memory *memory, uint32_t address)
{
    uint32_t fixed[] = {0, 0, 0, memory->size, BUFFER, (memory->size & (memory->size - 1)) == 0 ? memory->size - 1 : 0};
    uint32_t word = (address - RING) / 4;

    if (address >= RING && word >= 3 && word < 6 && memory->sane > 0)
        return (uint8_t)(fixed[word] >> 8 * (address % 4));
    if (address >= RING && word < 2 && memory->sane > 1 && address % 4 != 0)
        return 0; /* keeps the index small */
    if (memory->length == 0)
        return 0;
    return memory->bytes[(address + memory->moved) % memory->length];
}

static void take_all(struct txtap_logger_ring *ring, bool zephyr, uint64_t *next, bool *any)
{
    struct txtap_logger_item item;
    struct txtap_logger_clock clock = {0};
    uint8_t entry[TXTB_ENTRY_BYTES];
    uint32_t words[TXTAP_LOGGER_WORDS_MAX], count;

    for (unsigned taken = 0; txtap_logger_next(ring, &item); taken++) {
        REQUIRE(taken < 4 * SIZE_MAX_ + 16);
        REQUIRE(!*any || item.seq == *next);
        *any = true;
        *next = item.seq + (item.lost > 0 ? item.lost : 1);
        if (item.lost > 0)
            continue;
        REQUIRE(item.count <= TXTAP_LOGGER_WORDS_MAX && item.type <= 0xFFFF);
        txtap_logger_entry(&clock, &item, zephyr, entry, words, &count);
        REQUIRE(count <= item.count);
    }
}

static void look(struct txtap_logger_ring *ring, const struct memory *memory, uint64_t now_us)
{
    struct txtap_logger_plan plan;

    txtap_logger_plan(ring, &plan, now_us);
    REQUIRE(plan.count <= TXTAP_LOGGER_READS_MAX);
    for (size_t i = 0; i < plan.count; i++) {
        REQUIRE(plan.reads[i].length % 4 == 0 && plan.reads[i].length <= 4 * SIZE_MAX_);
        for (uint32_t at = 0; at < plan.reads[i].length; at++)
            plan.reads[i].buffer[at] = byte_at(memory, plan.reads[i].address + at);
    }
    (void)txtap_logger_commit(ring, &plan, now_us);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
    struct txtap_logger_place place = {.ring = RING, .buffer = BUFFER};
    struct txtap_logger_ring ring;
    struct txtap_logger_state state;
    struct memory memory;
    uint32_t *copy, size = 0, offset;
    uint64_t next = 0, now_us = 1;
    uint8_t *raw;
    bool any = false;

    if (length < 4)
        return 0;
    if (txtap_logger_find(data, length, data[0] & 1 ? TXTAP_BIG : TXTAP_LITTLE, BUFFER, &size, &offset))
        REQUIRE(offset + TXTAP_LOGGER_RING_BYTES <= length && size >= TXTAP_LOGGER_SIZE_MIN);
    place.size = TXTAP_LOGGER_SIZE_MIN_UNCOUNTED + data[1] % (SIZE_MAX_ - TXTAP_LOGGER_SIZE_MIN_UNCOUNTED + 1);
    place.endian = data[0] & 1 ? TXTAP_BIG : TXTAP_LITTLE;
    place.totals = data[0] & 2 ? TOTALS : 0;
    memory = (struct memory){data + 4, length - 4, 0, place.size, data[2] % 3};
    if (place.endian == TXTAP_BIG)
        memory.sane = 0;
    copy = malloc(4 * place.size); /* exact size: the sanitizer detects a write past the end */
    raw = malloc(4 * (size_t)place.size);
    txtap_logger_init(&ring, &(struct txtap_logger_config){&place, copy, place.size, raw, TXTAP_LOGGER_READ_MIN,
                                                           (enum txtap_ring_from)(data[0] >> 3 & 3)});
    for (int i = 0; i < EXCHANGES; i++) {
        look(&ring, &memory, now_us);
        take_all(&ring, place.totals == 0, &next, &any);
        now_us += 700 * (data[2] >> 4);
        memory.moved += i % 3 == 0 ? data[3] : 0;
    }
    state = txtap_logger_state(&ring);
    txtap_logger_finish(&ring, state.sampled ? state.head : 0);
    take_all(&ring, place.totals == 0, &next, &any);
    free(copy);
    free(raw);
    return 0;
}
