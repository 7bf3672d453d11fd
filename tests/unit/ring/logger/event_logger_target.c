/* SPDX-License-Identifier: MIT */
#include "ring/logger/event_logger_target.h"

#include <criterion/criterion.h>

#include "kernel_event_logger.h"
#include "seeds.h"
#include "target/event_logger_port.h"
#include "txtb_bytes.h"

struct logger_target target;

static struct event_logger_ring *const ring = &sys_k_event_logger.ring_buf;

/* The logger's memory: its parts in this program, and the copies that a reader sees. */
static const struct {
    const volatile void *place;
    uint32_t address, bytes, *seen;
} parts[] = {
    {&sys_k_event_logger.ring_buf, TARGET_RING, sizeof target.ring, target.ring},
    {&txtap_event_logger_totals, TARGET_TOTALS, sizeof target.totals, target.totals},
    {_sys_k_event_logger_buffer, TARGET_BUFFER, sizeof target.buffer, target.buffer},
};

/* The current operation. */
static struct {
    struct {
        uint32_t *seen, value;
    } stores[300];
    uint32_t count, next;
    uint32_t tail;        /* index of the store that publishes the put event */
    unsigned hasty_reads; /* number of words read after the store `tail`; the next stores follow at once */
} operation;

uint32_t chance(uint32_t below)
{
    return next_random(&target.random, below);
}

static void note_store(enum port_step step, const volatile void *place)
{
    uint32_t value, *seen = NULL;

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if ((uintptr_t)place - (uintptr_t)parts[i].place < parts[i].bytes)
            seen = parts[i].seen + ((uintptr_t)place - (uintptr_t)parts[i].place) / 4;
    if (step != PORT_STORED || seen == NULL)
        return;
    value = *(const volatile uint32_t *)place;
    if (place == &ring->buf)
        value = ring->buf != NULL ? TARGET_BUFFER : 0;
    if (target.kind == TARGET_ZEPHYR && operation.count == 0 && seen >= target.buffer) /* a header */
        value = (value & 0xFFFFFF) | ring->dropped_put_count << 24;
    if (place == &ring->tail)
        operation.tail = operation.count;
    operation.stores[operation.count].seen = seen;
    operation.stores[operation.count++].value = value;
}

static void begin_operation(void)
{
    target_end();
    operation.count = operation.next = operation.tail = operation.hasty_reads = 0;
    target.begun_us = target.now_us;
}

void target_start(void)
{
    operation.next = operation.count; /* a reset may interrupt an operation */
    begin_operation();
    sys_k_event_logger_init();
    operation.tail = 0;
    target.numbers = 0;
    target_store();
}

void target_reset(void)
{
    target_start();
    target_end();
}

void target_init(enum target_logger kind, uint32_t size, uint64_t seed)
{
    cr_assert_leq(size, TARGET_SIZE_MAX);
    target = (struct logger_target){.kind = kind, .size = size, .random = 2 * seed + 1};
    for (uint32_t i = 0; i < size; i++)
        target.buffer[i] = chance(UINT32_MAX);
    port_words = size;
    port_on_step = note_store;
    target_reset();
}

void target_count_on(uint32_t words, uint32_t events)
{
    target_end();
    target.totals[0] = txtap_event_logger_totals.words_put += words;
    target.totals[2] = txtap_event_logger_totals.events_put += events;
}

struct txtap_logger_place target_place(void)
{
    return (struct txtap_logger_place){
        .endian = TXTAP_LITTLE,
        .ring = TARGET_RING,
        .buffer = TARGET_BUFFER,
        .size = target.size,
        .totals = target.kind == TARGET_ZEPHYR ? 0 : TARGET_TOTALS,
    };
}

/* Returns word `i` of an event. It contains the event's number and `i`; up to 15 words, also the event's length. */
static uint32_t word_of(uint64_t number, uint32_t count, uint32_t i)
{
    return (uint32_t)number * 256 + (16 * count + i) % 256;
}

void target_begin(uint32_t words)
{
    uint32_t data[255], dropped;

    begin_operation();
    dropped = ring->dropped_put_count;
    for (uint32_t i = 0; i < words; i++)
        data[i] = word_of(target.numbers, words, i);
    target.numbers++;
    sys_k_event_logger_put(7, data, (uint8_t)words);
    target.dropped_runs += target.kind == TARGET_ZEPHYR && operation.tail > 0 && dropped > 0 && dropped % 256 == 0;
    target_store();
}

void target_store(void)
{
    if (target_rests())
        return;
    *operation.stores[operation.next].seen = operation.stores[operation.next].value;
    target.tails += operation.stores[operation.next++].seen == &target.ring[TAIL];
}

void target_end(void)
{
    while (!target_rests())
        target_store();
}

bool target_rests(void)
{
    return operation.next == operation.count;
}

void target_put(uint32_t words)
{
    target_begin(words);
    target_end();
}

void target_get(void)
{
    if (!target_rests())
        return;
    begin_operation();
    get_event(255);
    target_end();
}

static uint32_t word_at(uint32_t address)
{
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (address - parts[i].address < parts[i].bytes)
            return parts[i].seen[(address - parts[i].address) / 4];
    cr_assert_fail("0x%08x is read", address);
}

/*
 * Lets the target move before a word is read. After the store operation.tail, interrupts stay locked for only a few
 * instructions, so the operation ends after two more words are read.
 */
static void go_on(void)
{
    if (target.between != NULL)
        target.between();
    if (!target_rests() && operation.next > operation.tail && ++operation.hasty_reads > 2)
        target_end();
}

static struct target_look look(void)
{
    uint32_t head = target.ring[HEAD];
    uint64_t published = target.numbers - (operation.tail > 0 && operation.next <= operation.tail);
    struct target_look look = {published, published, target.ring[DROPPED]};

    if (head != target.ring[TAIL])
        look.oldest = target.buffer[(head + 1) % target.size] / 256;
    return look;
}

static void note_look(uint32_t address, bool again)
{
    if (address == TARGET_RING + 4 * TAIL) {
        target.last = look();
        target.tails_seen = target.tails;
    } else if (address == TARGET_RING + 4 * DROPPED) {
        if (target.tails_seen == target.tails)
            target.last = look();
        if (!again)
            target.first = look();
    }
}

void target_read(const struct txtap_logger_plan *plan)
{
    bool again = false;

    for (size_t i = 0; i < plan->count; i++)
        for (uint32_t at = 0; at < plan->reads[i].length; at += 4) {
            uint32_t address = plan->reads[i].address + at;

            go_on();
            note_look(address, again);
            again = again || address == TARGET_RING + 4 * DROPPED;
            put_u32(plan->reads[i].buffer + at, TXTAP_LITTLE, word_at(address));
        }
}

uint64_t target_number(const struct txtap_logger_item *item)
{
    uint64_t number = item->words[0] / 256;

    if (item->type != 7 || item->count == 0 || number >= target.numbers)
        return UINT64_MAX;
    for (uint32_t i = 0; i < item->count; i++)
        if (item->words[i] != word_of(number, item->count, i))
            return UINT64_MAX;
    return number;
}
