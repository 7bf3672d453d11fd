/* SPDX-License-Identifier: MIT */
/* Zephyr's CTF in RAM, read while a target writes and restarts between any two reads. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "seeds.h"
#include "txtap/ctf_ram.h"

#define BUFFER         0x20000101u /* not a multiple of 4 */
#define POSITION       0x20008000u
#define FULL           0x20008006u
#define SIZE_MAX_BYTES 600u

struct target {
    uint8_t bytes[SIZE_MAX_BYTES], memory[SIZE_MAX_BYTES + 8]; /* memory: the buffer and the bytes around it */
    uint32_t size, position, pending;                          /* pending: number of bytes stored after position */
    bool full;
    unsigned life;
    bool starting; /* the start-up code is clearing memory: the first bytes of the buffer are already 0 */
    uint32_t cleared;
    uint32_t random, eagerness;
};

static struct target target;
static struct txtap_ctf_ram ram;
static uint8_t buffer[64];
static uint8_t stream[SIZE_MAX_BYTES];
static size_t stream_bytes;

static uint32_t any(uint32_t below)
{
    target.random = target.random * 1664525u + 1013904223u;
    return (target.random >> 8) % below;
}

/* Returns byte `at` of the stream in one life of the target, from start to restart. The bytes differ in each life. */
static uint8_t byte_of(unsigned life, uint32_t at)
{
    return (uint8_t)((at * 31 + life * 101 + at / 7) ^ life);
}

static void put(void)
{
    uint32_t length = 1 + any(40);

    if (target.full)
        return;
    if (length > target.size - target.position) {
        target.full = true;
        return;
    }
    if (any(2) == 0) { /* stores half of the record now, and the rest later */
        for (uint32_t i = 0; i < length / 2; i++)
            target.bytes[target.position + i] = byte_of(target.life, target.position + i);
        target.pending = length;
        return;
    }
    target.pending = length;
}

static void reset(void)
{
    memset(target.bytes, 0, sizeof target.bytes);
    target.position = target.pending = 0;
    target.full = target.starting = false;
    target.life++;
}

/* Runs the start-up code. It clears the buffer first; the variables keep their old values until they are cleared. */
static void start_up(void)
{
    uint32_t length = 1 + any(60);

    if (target.cleared == target.size) {
        reset();
        return;
    }
    if (length > target.size - target.cleared)
        length = target.size - target.cleared;
    memset(target.bytes + target.cleared, 0, length);
    target.cleared += length;
}

static void store(void)
{
    if (target.starting) {
        start_up();
        return;
    }
    if (target.pending == 0) {
        put();
        return;
    }
    for (uint32_t i = 0; i < target.pending; i++)
        target.bytes[target.position + i] = byte_of(target.life, target.position + i);
    target.position += target.pending;
    target.pending = 0;
}

static uint8_t byte_at(uint32_t address)
{
    if (address >= BUFFER && address < BUFFER + target.size)
        return target.bytes[address - BUFFER];
    if (address >= POSITION && address < POSITION + 4)
        return (uint8_t)(target.position >> 8 * (address - POSITION));
    return address == FULL ? target.full : 0xEE;
}

static enum txtap_status exchange(void)
{
    struct txtap_ctf_ram_plan plan;
    const uint8_t *bytes;
    uint32_t count;
    enum txtap_status status;

    txtap_ctf_ram_plan(&ram, &plan);
    for (size_t i = 0; i < plan.count; i++) {
        cr_assert(plan.reads[i].address % 4 == 0 && plan.reads[i].length % 4 == 0);
        for (uint32_t at = 0; at < plan.reads[i].length; at++) {
            for (uint32_t steps = at % 4 == 0 && target.eagerness > 0 ? any(target.eagerness) : 0; steps > 0; steps--)
                store();
            plan.reads[i].buffer[at] = byte_at(plan.reads[i].address + at);
        }
    }
    status = txtap_ctf_ram_commit(&ram, &plan, &bytes, &count);
    if (status == TXTAP_OK) {
        cr_assert_leq(stream_bytes + count, target.size);
        memcpy(stream + stream_bytes, bytes, count);
        stream_bytes += count;
    }
    return status;
}

static void attach(void)
{
    struct txtap_ctf_ram_place place = {
        .buffer = BUFFER, .size = target.size, .position = POSITION, .has_full = true, .full = FULL};

    txtap_ctf_ram_init(&ram, &place, buffer, sizeof buffer);
    stream_bytes = 0;
}

static void expect_stream(void)
{
    cr_assert_eq(stream_bytes, target.position);
    for (uint32_t i = 0; i < stream_bytes; i++)
        cr_assert_eq(stream[i], byte_of(target.life, i), "byte %u of life %u", i, target.life);
}

Test(zephyr_ram, delivers_every_byte_once_while_it_is_written)
{
    unsigned seed = (unsigned)setting("TXTAP_SEED", 1);

    for (unsigned run = 0; run < 3000; run++, seed++) {
        memset(&target, 0, sizeof target);
        target.random = seed;
        target.size = 1 + any(SIZE_MAX_BYTES);
        target.eagerness = 1 + any(4);
        attach();
        for (int i = 0; i < 200; i++)
            cr_assert_eq(exchange(), TXTAP_OK, "seed %u", seed);
        if (target.pending > 0)
            store();
        target.eagerness = 0;
        for (int i = 0; i < 20; i++)
            cr_assert_eq(exchange(), TXTAP_OK, "seed %u", seed);
        expect_stream();
        cr_assert_eq(ram.full, target.full && target.position > 0);
    }
    fprintf(stderr, "seeds up to %u\n", seed - 1);
}

Test(zephyr_ram, notices_that_the_target_restarted_at_any_moment)
{
    for (unsigned seed = 1; seed < 2000; seed++) {
        enum txtap_status status = TXTAP_OK;

        memset(&target, 0, sizeof target);
        target.random = seed;
        target.size = SIZE_MAX_BYTES;
        attach();
        for (uint32_t i = 30 + any(30); i > 0; i--)
            store();
        for (uint32_t i = any(12); i > 0; i--)
            cr_assert_eq(exchange(), TXTAP_OK);
        reset();
        for (uint32_t i = any(100); i > 0; i--) /* the position may now be higher than before the reset */
            store();
        for (int i = 0; i < 20 && status == TXTAP_OK; i++)
            status = exchange();
        if (target.pending > 0)
            store();
        if (status == TXTAP_OK) /* a reset may go unreported only if nothing was delivered before it */
            for (int i = 0; i < 20; i++)
                cr_assert_eq(exchange(), TXTAP_OK, "seed %u", seed);
        if (status == TXTAP_OK)
            expect_stream();
        else
            cr_assert_eq(status, TXTAP_ERROR_MOVED, "seed %u", seed);
    }
}

static void run_into_a_reset(unsigned seed)
{
    memset(&target, 0, sizeof target);
    target.random = seed;
    target.size = SIZE_MAX_BYTES;
    attach();
    for (uint32_t i = 5 + any(60); i > 0; i--)
        store();
    for (uint32_t i = 2 + any(14); i > 0; i--)
        cr_assert_eq(exchange(), TXTAP_OK);
    for (uint32_t i = any(60); i > 0; i--) /* the last records of the old life */
        store();
    target.pending = 0;
    target.starting = true;
    target.cleared = 0;
}

Test(zephyr_ram, a_start_that_clears_the_buffer_before_its_position_is_one_reset)
{
    for (unsigned seed = 1; seed < 2000; seed++) {
        unsigned resets = 0;

        run_into_a_reset(seed);
        target.eagerness = 2 + any(3);
        for (int i = 0; i < 300; i++) {
            if (i == 250)
                target.eagerness = 0;
            if (exchange() == TXTAP_OK) {
                cr_assert(!ram.full || resets == 0 || (target.full && !target.starting),
                          "seed %u: full, of the life before", seed);
                continue;
            }
            cr_assert_eq(++resets, 1, "seed %u: reported twice", seed);
            attach();
        }
        cr_assert_not(target.starting, "seed %u", seed);
        /* the stream must be from the new life: either the reset was reported, or nothing old was delivered */
        expect_stream();
    }
}

Test(zephyr_ram, the_flag_from_before_the_restart_is_ignored)
{
    memset(&target, 0, sizeof target);
    target.size = 100;
    target.full = true; /* the restart has cleared the position, but not yet the flag */
    attach();
    for (int i = 0; i < 3; i++) {
        cr_assert_eq(exchange(), TXTAP_OK);
        cr_assert_not(ram.full);
    }
}

Test(zephyr_ram, a_cleared_buffer_with_a_later_position_is_a_restart)
{
    memset(&target, 0, sizeof target);
    target.size = SIZE_MAX_BYTES;
    attach();
    while (target.position < 100 || target.pending > 0)
        store();
    for (int i = 0; i < 6; i++)
        cr_assert_eq(exchange(), TXTAP_OK);
    memset(target.bytes, 0, sizeof target.bytes);
    cr_assert_eq(exchange(), TXTAP_OK);
    target.position += 50;
    cr_assert_eq(exchange(), TXTAP_ERROR_MOVED);
}

Test(zephyr_ram, refuses_a_position_beyond_the_buffer)
{
    memset(&target, 0, sizeof target);
    target.size = 100;
    attach();
    cr_assert_eq(exchange(), TXTAP_OK);
    target.position = 101;
    cr_assert_eq(exchange(), TXTAP_ERROR_POINTER);
    target.position = 100;
    cr_assert_eq(exchange(), TXTAP_OK);
}
