/* SPDX-License-Identifier: MIT */
#include "stream/stepped_target.h"

#include <criterion/criterion.h>
#include <string.h>

enum { STORES_MAX = 4096 }; /* of a service */

struct stepped_target target;
_Alignas(4) uint8_t seen_ram[RAM_BYTES];
static uint8_t seen_writer[TXTAP_RING_HALF_LAPS_BYTES];

static struct {
    struct {
        uint32_t offset;
        uint8_t word[4];
    } stores[STORES_MAX];
    uint32_t count, next;
    uint64_t busy_since_us, random;
} writer;

uint32_t chance(uint32_t below)
{
    writer.random ^= writer.random >> 12;
    writer.random ^= writer.random << 25;
    writer.random ^= writer.random >> 27;
    return (uint32_t)((writer.random * 2685821657736338717ull) >> 33) % below;
}

void target_reset(uint64_t seed)
{
    target = (struct stepped_target){.now_us = 1000};
    writer.count = writer.next = 0;
    writer.random = 2 * seed + 1;
    chance(2);
}

/* Of the buffer, or of the writer's words, as the recorder has it. */
static const void *stored_at(uint32_t offset)
{
    return offset < LOG_WRITER ? ram + offset : (const uint8_t *)&txtap_trace_writer + (offset - LOG_WRITER);
}

static uint8_t *seen_at(uint32_t offset)
{
    return offset < LOG_WRITER ? seen_ram + offset : seen_writer + (offset - LOG_WRITER);
}

static void note_store(int step)
{
    uint32_t offset = (uint32_t)step & ~3u;

    if (step < 0)
        return;
    if (target.plain && step == TXTB_HEADER_LAPS)
        memset(ram + TXTB_HEADER_LAPS, 0, 2);
    cr_assert_lt(writer.count, STORES_MAX);
    writer.stores[writer.count].offset = offset;
    memcpy(writer.stores[writer.count++].word, stored_at(offset), 4);
}

void target_enable(void)
{
    txtap_trace_disable();
    on_step = NULL;
    enable(target.objects, target.entries);
    memcpy(seen_ram, ram, sizeof seen_ram);
    memcpy(seen_writer, stored_at(LOG_WRITER), sizeof seen_writer);
    on_step = note_store;
}

bool target_is_idle(void)
{
    return writer.next == writer.count;
}

void target_step(void)
{
    if (target_is_idle()) {
        writer.count = writer.next = 0;
        writer.busy_since_us = target.now_us;
        log_count = 0;
        if (target.service != NULL)
            target.service();
    }
    if (!target_is_idle()) {
        memcpy(seen_at(writer.stores[writer.next].offset), writer.stores[writer.next].word, 4);
        writer.next++;
    }
}

void target_stop(void)
{
    target.service = NULL;
    while (!target_is_idle())
        target_step();
}

void target_pass_time(uint64_t us)
{
    target.now_us += us;
    while (!target_is_idle() && target.now_us - writer.busy_since_us > TXTAP_RING_HOLD_US / 2)
        target_step();
}

static void write_between(void)
{
    uint32_t stores = 0;

    switch (chance(16)) {
    case 0:
        stores = chance(3 * target.eagerness + 1);
        break;
    case 1:
        if (chance(64) == 0 && !target.steady) /* a burst, of several laps if eager */
            stores = chance(30 * target.entries);
        break;
    case 2:
    case 3:
        stores = chance(target.eagerness + 1);
        break;
    default:
        break;
    }
    while (stores-- > 0)
        target_step();
}

static enum txtap_status read_ram(void *self, const struct txtap_read *reads, size_t count)
{
    (void)self;
    for (size_t i = 0; i < count; i++) {
        bool of_writer = reads[i].address - SEEN_WRITER < sizeof seen_writer;
        uint32_t offset = reads[i].address - (of_writer ? SEEN_WRITER - LOG_WRITER : RAM_BASE);

        cr_assert(reads[i].address % 4 == 0 && reads[i].length % 4 == 0);
        cr_assert(of_writer ? reads[i].length <= sizeof seen_writer - (offset - LOG_WRITER)
                            : offset < RAM_BYTES && reads[i].length <= RAM_BYTES - offset);
        for (uint32_t done = 0; done < reads[i].length; done += 4) {
            bool registry = offset >= TXTB_HEADER_BYTES && offset < entry_at(target.objects, 0);

            /* The registry is long: at the same speed the ring would be lapped many times while it is read. */
            if (!target.calm && (!registry || chance(16) == 0))
                write_between();
            memcpy(reads[i].buffer + done, seen_at(offset + done), 4);
        }
    }
    return TXTAP_OK;
}

static const char *no_error(void *self)
{
    (void)self;
    return "";
}

struct txtap_ring_half_laps target_half_laps(void)
{
    uint32_t words[3];

    memcpy(words, seen_writer, sizeof words);
    return (struct txtap_ring_half_laps){SEEN_WRITER, words[0], words[1], words[2]};
}

struct txtap_source target_source(void)
{
    static const struct txtap_source_ops ops = {"ram", 4096, TXTAP_RING_READS_MAX, read_ram, no_error, NULL, NULL};

    return (struct txtap_source){&ops, NULL};
}

uint64_t target_clock(void)
{
    return target.now_us;
}
