/* SPDX-License-Identifier: MIT */
#include "ring/logger/event_logger_target.h"

#include <criterion/criterion.h>
#include <string.h>

enum { HEAD, TAIL, DROPPED, SIZE, BUFFER, MASK };

uint32_t logger_target_random(struct logger_target *target, uint32_t below)
{
    target->random ^= target->random << 13;
    target->random ^= target->random >> 7;
    target->random ^= target->random << 17;
    return (uint32_t)(target->random >> 16) % below;
}

static void store_start(struct logger_target *target)
{
    uint32_t store = target->store++;

    if (store == 0)
        target->ring[BUFFER] = 0;
    else if (store <= 3)
        target->ring[store - 1] = 0; /* head, tail, dropped */
    else if (store <= 6)
        target->totals[store - 4] = 0;
    if (store <= 6)
        return;
    target->ring[BUFFER] = TARGET_BUFFER;
    target->numbers = 0;
    target->work = RESTING;
}

void logger_target_start(struct logger_target *target)
{
    target->work = STARTING;
    target->store = 0;
    target->hasty_reads = 0;
    store_start(target);
}

void logger_target_reset(struct logger_target *target)
{
    target->ring[SIZE] = target->size;
    target->ring[MASK] = (target->size & (target->size - 1)) == 0 ? target->size - 1 : 0;
    logger_target_start(target);
    logger_target_end(target);
}

void logger_target_init(struct logger_target *target, enum target_logger kind, uint32_t size, uint64_t seed)
{
    cr_assert_leq(size, TARGET_SIZE_MAX);
    memset(target, 0, sizeof *target);
    target->kind = kind;
    target->size = size;
    target->random = seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
    target->longest = size - 2 < 12 ? size - 2 : 12;
    for (uint32_t i = 0; i < size; i++)
        target->buffer[i] = logger_target_random(target, UINT32_MAX);
    logger_target_reset(target);
}

struct txtap_logger_place logger_target_place(const struct logger_target *target)
{
    return (struct txtap_logger_place){
        .endian = TXTAP_LITTLE,
        .ring = TARGET_RING,
        .buffer = TARGET_BUFFER,
        .size = target->size,
        .totals = target->kind == TARGET_ZEPHYR ? 0 : TARGET_TOTALS,
    };
}

static uint32_t used(const struct logger_target *target)
{
    return (target->ring[TAIL] + target->size - target->ring[HEAD]) % target->size;
}

/* All words of an event contain its number and their own; up to 15 words, its length, too. */
static uint32_t word_of(uint64_t number, uint32_t count, uint32_t i)
{
    return (uint32_t)number * 256 + (16 * count + i) % 256;
}

static void begin_put(struct logger_target *target, uint32_t count)
{
    uint32_t dropped = target->ring[DROPPED];

    if (target->kind == TARGET_ZEPHYR)
        target->dropped_runs += dropped > 0 && dropped % 256 == 0;
    else if (dropped > 255)
        dropped = 255;
    target->words_count = count + 1;
    target->words[0] = 7 | count << 16 | dropped << 24;
    for (uint32_t i = 0; i < count; i++)
        target->words[1 + i] = word_of(target->number, count, i);
    target->at = target->ring[TAIL];
}

void logger_target_begin(struct logger_target *target, uint32_t count)
{
    logger_target_end(target);
    target->number = target->numbers++;
    target->store = 0;
    target->begun_us = target->now_us;
    if (count + 1 > target->size - 1 - used(target)) {
        target->work = DROPPING;
        target->hasty_reads = 0;
        logger_target_store(target);
        return;
    }
    target->work = PUTTING;
    begin_put(target, count);
}

static void store_put(struct logger_target *target)
{
    uint32_t i = target->store++, after = target->words_count;

    if (i < after) {
        target->buffer[target->at] = target->words[i];
        target->at = (target->at + 1) % target->size;
    } else if (i == after) {
        target->ring[TAIL] = target->at;
        target->tails++;
        target->hasty_reads = 0;
    } else if (i == after + 1) {
        target->totals[0] += target->words_count;
    } else if (i == after + 2) {
        target->totals[2]++;
    } else {
        target->ring[DROPPED] = 0;
        target->work = RESTING;
    }
}

static void store_drop(struct logger_target *target)
{
    if (target->store++ == 0) {
        target->ring[DROPPED]++;
        return;
    }
    target->totals[1]++;
    target->work = RESTING;
}

/* Does the next store follow the previous store at once? */
static bool hastens(const struct logger_target *target)
{
    return target->work == PUTTING ? target->store > target->words_count : target->work != RESTING;
}

void logger_target_store(struct logger_target *target)
{
    if (target->work == PUTTING)
        store_put(target);
    else if (target->work == DROPPING)
        store_drop(target);
    else if (target->work == STARTING)
        store_start(target);
}

void logger_target_end(struct logger_target *target)
{
    while (target->work != RESTING)
        logger_target_store(target);
}

void logger_target_put(struct logger_target *target, uint32_t count)
{
    logger_target_begin(target, count);
    logger_target_end(target);
}

void logger_target_get(struct logger_target *target)
{
    uint32_t head = target->ring[HEAD];

    if (target->work == RESTING && head != target->ring[TAIL])
        target->ring[HEAD] = (head + 1 + (target->buffer[head] >> 16 & 0xFF)) % target->size;
}

static const uint32_t *place_of(const struct logger_target *target, uint32_t address)
{
    if (address >= TARGET_BUFFER && address < TARGET_BUFFER + 4 * target->size)
        return &target->buffer[(address - TARGET_BUFFER) / 4];
    if (address >= TARGET_TOTALS && address < TARGET_TOTALS + 12)
        return &target->totals[(address - TARGET_TOTALS) / 4];
    cr_assert(address >= TARGET_RING && address < TARGET_RING + 24, "0x%08x is read", address);
    return &target->ring[(address - TARGET_RING) / 4];
}

/* These stores take a few instructions with interrupts locked: they end before a few more words are read. */
static void go_on(struct logger_target *target)
{
    if (target->between != NULL)
        target->between(target);
    if (hastens(target) && ++target->hasty_reads > 2)
        logger_target_end(target);
}

static struct target_look look_at(const struct logger_target *target)
{
    uint32_t head = target->ring[HEAD];
    uint64_t published = target->numbers - (target->work == PUTTING && target->store <= target->words_count);

    struct target_look look = {published, published, target->ring[DROPPED]};

    if (head != target->ring[TAIL])
        look.oldest = target->buffer[(head + 1) % target->size] / 256;
    return look;
}

static void note_look(struct logger_target *target, uint32_t address, bool again)
{
    if (address == TARGET_RING + 4 * TAIL) {
        target->last = look_at(target);
        target->tails_seen = target->tails;
    } else if (address == TARGET_RING + 4 * DROPPED) {
        if (target->tails_seen == target->tails)
            target->last = look_at(target);
        if (!again)
            target->first = look_at(target);
    }
}

void logger_target_read(struct logger_target *target, const struct txtap_logger_plan *plan)
{
    bool again = false;

    for (size_t i = 0; i < plan->count; i++)
        for (uint32_t at = 0; at < plan->reads[i].length; at += 4) {
            uint32_t word;

            go_on(target);
            note_look(target, plan->reads[i].address + at, again);
            again = again || plan->reads[i].address + at == TARGET_RING + 4 * DROPPED;
            word = *place_of(target, plan->reads[i].address + at);
            for (unsigned byte = 0; byte < 4; byte++)
                plan->reads[i].buffer[at + byte] = (uint8_t)(word >> 8 * byte);
        }
}

uint64_t logger_target_number(const struct logger_target *target, const struct txtap_logger_item *item)
{
    uint64_t number = item->words[0] / 256;

    if (item->type != 7 || item->count == 0 || number >= target->numbers)
        return UINT64_MAX;
    for (uint32_t i = 0; i < item->count; i++)
        if (item->words[i] != word_of(number, item->count, i))
            return UINT64_MAX;
    return number;
}
