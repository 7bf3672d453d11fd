/* SPDX-License-Identifier: MIT */
/*
 * Writes the records of a small fictional kernel as CTF. Two threads take turns; each turn is an interrupt, a switch
 * out, a switch in and sometimes an event of the application with a running number. Record: u32 nanoseconds, u8 id,
 * fields; the metadata is beside this file. For an STM32F405, or QEMU's.
 */
#include <stddef.h>

#include "backend.h"

#define RCC_APB1ENR (*(volatile uint32_t *)0x40023840u)
#define TIM2_CR1    (*(volatile uint32_t *)0x40000000u)
#define TIM2_EGR    (*(volatile uint32_t *)0x40000014u)
#define TIM2_CNT    (*(volatile uint32_t *)0x40000024u)
#define TIM2_PSC    (*(volatile uint32_t *)0x40000028u)

#define TIMER_HZ   1000000u
#define CLOCK_HZ   84000000u
#define NAME_BYTES 20u

enum { SWITCHED_OUT = 0x10, SWITCHED_IN = 0x11, ISR_ENTER = 0x1B, NAMED_EVENT = 0x62 };

/* A test sets these before the start, or while the firmware runs. */
volatile uint32_t fixture_period_us = 5000;
volatile uint32_t fixture_stop_after = 0xFFFFFFFFu; /* number of turns */

/* Counts of events, for a test. */
volatile uint32_t fixture_records;
volatile uint32_t fixture_named;
volatile uint32_t fixture_discarded;
volatile uint32_t fixture_stopped;

struct record {
    uint8_t bytes[64];
    uint32_t length;
};

static void put_u32(struct record *record, uint32_t value)
{
    for (uint32_t i = 0; i < 4; i++) {
        record->bytes[record->length++] = (uint8_t)(value >> 8 * i);
    }
}

static void put_name(struct record *record, const char *name)
{
    bool ended = false;
    for (uint32_t i = 0; i < NAME_BYTES; i++) {
        ended = ended || name[i] == '\0';
        record->bytes[record->length++] = ended ? 0 : (uint8_t)name[i];
    }
}

static struct record new_record(uint8_t id)
{
    struct record record;
    record.length = 0;
    put_u32(&record, TIM2_CNT * 1000u);
    record.bytes[record.length++] = id;
    return record;
}

static void write(const struct record *record)
{
    if (backend_put(record->bytes, record->length)) {
        fixture_records = fixture_records + 1u;
    } else {
        fixture_discarded = fixture_discarded + 1u;
    }
}

static void write_thread(uint8_t id, uint32_t thread)
{
    struct record record = new_record(id);
    put_u32(&record, 0x20001000u + 0x100u * thread);
    put_name(&record, thread == 0 ? "reader" : "a name of 20 bytes..");
    write(&record);
}

static void turn(uint32_t number)
{
    struct record isr = new_record(ISR_ENTER);
    write(&isr);
    write_thread(SWITCHED_OUT, number % 2u);
    write_thread(SWITCHED_IN, 1u - number % 2u);
    if (number % 3u == 0) {
        struct record named = new_record(NAMED_EVENT);
        uint32_t before = fixture_records;
        put_name(&named, "count");
        put_u32(&named, fixture_named);
        put_u32(&named, 0); /* the record ends with zeros, like the unused end of a buffer */
        write(&named);
        fixture_named = fixture_named + (fixture_records - before);
    }
}

static void wait_until(uint32_t time)
{
    while ((int32_t)(TIM2_CNT - time) < 0) {
    }
}

int main(void)
{
    RCC_APB1ENR |= 1u;
    TIM2_PSC = CLOCK_HZ / TIMER_HZ - 1u;
    TIM2_EGR = 1u;
    TIM2_CR1 = 1u;
    uint32_t next = TIM2_CNT;
    for (uint32_t number = 0; number < fixture_stop_after; number++) {
        turn(number);
        other_turn();
        next += fixture_period_us;
        wait_until(next);
    }
    fixture_stopped = 1;
    for (;;) {
    }
}

/* ---------------------------------------------------------------------------------------------- start */

extern uint32_t linker_stack_top[];
extern uint32_t linker_data_load[];
extern uint32_t linker_data_start[];
extern uint32_t linker_data_end[];
extern uint32_t linker_bss_start[];
extern uint32_t linker_bss_end[];

void reset_handler(void) __attribute__((noreturn));

void reset_handler(void)
{
    const uint32_t *load = linker_data_load;
    for (volatile uint32_t *at = linker_data_start; at < linker_data_end; at++) {
        *at = *load++;
    }
    for (volatile uint32_t *at = linker_bss_start; at < linker_bss_end; at++) {
        *at = 0;
    }
    main();
    for (;;) {
    }
}

static void unexpected(void)
{
    for (;;) {
    }
}

__attribute__((section(".vectors"), used)) static const struct {
    uint32_t *stack_top;
    void (*handlers[15])(void);
} vectors = {linker_stack_top,
             {reset_handler, unexpected, unexpected, unexpected, unexpected, unexpected, unexpected, unexpected,
              unexpected, unexpected, unexpected, unexpected, unexpected, unexpected, unexpected}};
