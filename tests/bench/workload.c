/* SPDX-License-Identifier: MIT */
#include "workload.h"

#include <string.h>

enum object { /* index into objects[]; threads first */
              PRODUCER,
              CONSUMER,
              LOCKER,
              LEDGER,
              TIMER_THREAD,
              SAMPLES,
              TICKS,
              STATE,
              LOCK,
              BLOCKS,
              BYTES,
              BLINK,
              WATCHDOG,
              COMMANDS,
              UPLINK,
};

#define THREADS 5u

static const struct {
    uint8_t type;
    const char *name;
} objects[WORKLOAD_OBJECTS] = {
    [PRODUCER] = {1, "producer"},
    [CONSUMER] = {1, "consumer"},
    [LOCKER] = {1, "locker"},
    [LEDGER] = {1, "ledger 1"},
    [TIMER_THREAD] = {1, "System Timer Thread"},
    [SAMPLES] = {3, "samples"},
    [TICKS] = {4, "tick count"},
    [STATE] = {6, "\xc3\xa9vénements"},
    [LOCK] = {5, "a mutex whose name is longer"},
    [BLOCKS] = {7, "blocks"},
    [BYTES] = {8, "byte pool"},
    [BLINK] = {2, "blink"},
    [WATCHDOG] = {2, "50 tick timer"},
    [COMMANDS] = {3, "commands"},
    [UPLINK] = {4, "uplink ready"},
};

enum word { NIL, SELF, NEXT, STACK, FOREVER, SMALL, LARGE, BLOCK, OBJECT }; /* OBJECT + n: objects[n] */

/* A burst has the records of one service: the service's own event, and the scheduler's events that it causes. */
struct recipe {
    uint16_t id;
    uint8_t isr, switches; /* recorded in an interrupt; another thread runs afterwards */
    uint8_t info[4];
};

#define BURST_STEPS 5u

static const struct recipe bursts[][BURST_STEPS] = {
    {{69, 0, 0, {OBJECT + SAMPLES, STACK, FOREVER, SMALL}},
     {1, 0, 1, {OBJECT + CONSUMER, SMALL, STACK, NEXT}},
     {68, 0, 0, {OBJECT + SAMPLES, STACK, FOREVER, SMALL}},
     {2, 0, 1, {SELF, SMALL, STACK, NEXT}}},
    {{52, 0, 0, {OBJECT + LOCK, FOREVER, NIL, NIL}},
     {112, 0, 0, {SMALL, NIL, STACK, NIL}},
     {57, 0, 0, {OBJECT + LOCK, SELF, SMALL, STACK}},
     {2, 0, 1, {SELF, SMALL, STACK, NEXT}}},
    {{3, 1, 0, {STACK, SMALL, SMALL, NIL}},
     {81, 1, 0, {OBJECT + TICKS, SMALL, NIL, STACK}},
     {1, 1, 0, {OBJECT + LOCKER, SMALL, STACK, NEXT}},
     {4, 1, 1, {STACK, SMALL, SMALL, NIL}},
     {83, 0, 0, {OBJECT + TICKS, FOREVER, SMALL, STACK}}},
    {{36, 0, 0, {OBJECT + STATE, LARGE, SMALL, SMALL}},
     {32, 0, 0, {OBJECT + STATE, LARGE, LARGE, SMALL}},
     {10, 0, 0, {OBJECT + BLOCKS, BLOCK, FOREVER, SMALL}},
     {17, 0, 0, {OBJECT + BLOCKS, BLOCK, SMALL, STACK}}},
    {{4096, 0, 0, {LARGE, LARGE, SMALL, SMALL}},
     {20, 0, 0, {OBJECT + BYTES, BLOCK, SMALL, FOREVER}},
     {27, 0, 0, {OBJECT + BYTES, BLOCK, NIL, LARGE}},
     {4097, 0, 0, {SMALL, LARGE, NIL, SMALL}}},
    {{3, 1, 0, {STACK, SMALL, SMALL, NIL}},
     {5, 1, 0, {NEXT, SMALL, SMALL, SMALL}},
     {4, 1, 1, {STACK, SMALL, SMALL, NIL}}},
    {{121, 0, 0, {OBJECT + BLINK, SMALL, SMALL, SMALL}},
     {127, 0, 0, {OBJECT + WATCHDOG, STACK, NIL, NIL}},
     {120, 0, 0, {LARGE, STACK, NIL, NIL}},
     {109, 0, 1, {STACK, NEXT, NIL, NIL}}},
};

#define BURSTS (sizeof(bursts) / sizeof(bursts[0]))

static uint32_t address_of(uint32_t object)
{
    return 0x20000198u + 0xB4u * object;
}

static void put_u32(uint8_t *at, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> 8 * i & 0xFF);
}

void workload_start(struct workload *workload)
{
    memset(workload, 0, sizeof(*workload));
    workload->random = 0x2545F491u;
}

void workload_registry(uint8_t bytes[static WORKLOAD_OBJECTS * WORKLOAD_OBJECT_BYTES])
{
    memset(bytes, 0, WORKLOAD_OBJECTS * WORKLOAD_OBJECT_BYTES);
    for (uint32_t i = 0; i < WORKLOAD_OBJECTS; i++) {
        uint8_t *entry = bytes + i * WORKLOAD_OBJECT_BYTES;

        entry[TXTB_OBJECT_TYPE] = objects[i].type;
        put_u32(entry + TXTB_OBJECT_POINTER, address_of(i));
        memcpy(entry + TXTB_OBJECT_NAME, objects[i].name, strlen(objects[i].name));
    }
}

static uint32_t draw(struct workload *workload)
{
    workload->random ^= workload->random << 13;
    workload->random ^= workload->random >> 17;
    workload->random ^= workload->random << 5;
    return workload->random;
}

static uint32_t word_of(const struct workload *workload, unsigned word, uint32_t next, uint32_t random)
{
    switch (word) {
    case NIL:
        return 0;
    case SELF:
        return address_of(workload->thread);
    case NEXT:
        return next;
    case STACK:
        return 0x2000A000u + (random & 0x7FCu);
    case FOREVER:
        return random % 8 == 0 ? random % 100 : UINT32_MAX;
    case SMALL:
        return random >> 8 & 15u;
    case LARGE:
        return random;
    case BLOCK: /* a pool has only a few */
        return 0x20010000u + (random >> 4 & 0xFC0u);
    default:
        return address_of(word - OBJECT);
    }
}

static void fill_one(struct workload *workload, uint8_t *entry)
{
    const struct recipe *recipe = &bursts[workload->burst][workload->step];
    uint32_t random = draw(workload), other = (workload->thread + 1 + random % (THREADS - 1)) % THREADS;
    uint32_t next = recipe->switches && random % 16 == 0 ? 0 : address_of(other), self = address_of(workload->thread);

    workload->stamp += 30u + (random >> 22);
    put_u32(entry + TXTB_ENTRY_THREAD, recipe->isr ? TXTB_THREAD_ISR : self);
    put_u32(entry + TXTB_ENTRY_PRIORITY, recipe->isr ? (random % 4 == 0 ? 0 : self) : 0x80000000u | 5u << 16 | 5u);
    put_u32(entry + TXTB_ENTRY_ID, recipe->id);
    put_u32(entry + TXTB_ENTRY_STAMP, workload->stamp);
    for (unsigned i = 0; i < 4; i++)
        put_u32(entry + TXTB_ENTRY_INFO + 4 * i, word_of(workload, recipe->info[i], next, random * (2 * i + 1)));
    if (recipe->switches)
        workload->thread = other;
    workload->step++;
    if (workload->step == BURST_STEPS || bursts[workload->burst][workload->step].id == 0) {
        workload->step = 0;
        workload->burst = (random >> 12) % BURSTS;
    }
}

void workload_fill(struct workload *workload, uint8_t *entries, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fill_one(workload, entries + i * TXTB_ENTRY_BYTES);
    workload->events += count;
}
