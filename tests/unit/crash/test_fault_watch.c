/* SPDX-License-Identifier: MIT */
/* The watch for faults, with registers of a made core, and the causes of resets. */
#include <criterion/criterion.h>
#include <string.h>

#include "base/runtime.h"
#include "crash/fault_watch.h"
#include "probe/source_base.h"

#define ICSR      1u
#define CFSR      10u
#define HFSR      11u
#define BFAR      14u
#define CORTEX_M4 0x410FC241u
#define CORTEX_M0 0x410CC200u
#define CAUSE_AT  0x40023874u
#define IWDG      0x20000000u
#define POWER_ON  0x0E000000u

static struct fault_watch watch;
static struct guests guests;
static struct guest guest;
static uint32_t registers[16], cause;
static uint64_t now;

static void begin(void)
{
    memset(&guests, 0, sizeof guests);
    memset(registers, 0, sizeof registers);
    registers[0] = CORTEX_M4;
    cause = POWER_ON;
    now = 1000;
    guest = fault_watch_begin(&watch, "stm32f4x.cpu");
}

TestSuite(fault_watch, .init = begin);

static void answer(const struct txtap_read *read)
{
    for (uint32_t i = 0; i < read->length; i += 4) {
        uint32_t at = read->address + i, word = at == CAUSE_AT ? cause : registers[(at - TXTAP_FAULT_REGISTERS_AT) / 4];

        memcpy(read->buffer + i, &word, 4); /* the tests run on a little-endian host */
    }
}

/* Lets the watch read. Returns the text of the new mark; NULL: no mark. */
static const char *read_once(void)
{
    struct txtap_read reads[8];
    uint64_t before = watch.faults;
    size_t count;

    now += FAULT_WATCH_US;
    count = guest.ops->plan(guest.self, reads, 8, 1024, now);
    for (size_t i = 0; i < count; i++)
        answer(&reads[i]);
    if (count > 0)
        guest.ops->commit(guest.self, &guests.queue, now, now + 10);
    cr_assert_leq(watch.faults, before + 1);
    cr_assert_eq(guests.queue.count, watch.faults, "each fault is a mark");
    return watch.faults > before ? watch.text : NULL;
}

Test(fault_watch, reports_a_handler_once_while_it_runs)
{
    const char *text;

    cr_assert_null(read_once());
    registers[ICSR] = 3;
    registers[CFSR] = 0x8200;
    registers[HFSR] = 0x40000000;
    registers[BFAR] = 0x70000000;
    text = read_once();
    cr_assert_not_null(text);
    cr_assert_str_eq(text, "HardFault, escalated: access failed (PRECISERR) at 0x70000000");
    cr_assert_eq(guests.queue.waiting[0].mark, TXTAP_MARK_FAULT);
    cr_assert_eq(guests.queue.waiting[0].from_us, now);
    cr_assert_null(read_once());
    registers[ICSR] = 0;
    cr_assert_null(read_once(), "its handler has returned");
    registers[ICSR] = 3;
    cr_assert_not_null(read_once(), "the next fault");
}

/* The core faults after the read of ICSR and before the read of CFSR. */
Test(fault_watch, reports_a_fault_between_two_reads_once)
{
    cr_assert_null(read_once());
    registers[CFSR] = 0x8200;
    cr_assert_not_null(read_once());
    registers[ICSR] = 3;
    cr_assert_null(read_once(), "its handler");
    registers[ICSR] = 0;
    cr_assert_null(read_once());
    registers[ICSR] = 3;
    cr_assert_not_null(read_once(), "the same fault again");
}

Test(fault_watch, reports_a_handler_that_runs_at_the_first_read)
{
    registers[ICSR] = 6;
    cr_assert_not_null(read_once());
}

Test(fault_watch, reports_new_status_bits_but_no_old_ones)
{
    const char *text;

    registers[CFSR] = 0x0400;
    cr_assert_null(read_once(), "set before the first read");
    registers[CFSR] = 0x02000400;
    text = read_once();
    cr_assert_not_null(text);
    cr_assert(strstr(text, "DIVBYZERO") != NULL, "%s", text);
    cr_assert_null(read_once());
    registers[CFSR] = 0; /* a reset */
    cr_assert_null(read_once());
    registers[CFSR] = 0x0400;
    cr_assert_not_null(read_once());
}

Test(fault_watch, reports_a_watchdog_but_no_normal_reset)
{
    const char *text;

    cr_assert_null(read_once());
    cause = POWER_ON | 0x10000000;
    cr_assert_null(read_once(), "a reset by software");
    cause |= IWDG;
    text = read_once();
    cr_assert_not_null(text);
    cr_assert_str_eq(text, "reset by the independent watchdog (RCC_CSR 0x3e000000)");
    cr_assert_null(read_once(), "the bit stays set");
    cause = 0;
    cr_assert_null(read_once(), "the firmware clears it");
    cause = IWDG | 0x40000000;
    text = read_once();
    cr_assert_not_null(text);
    cr_assert_str_eq(text, "reset by the independent watchdog or the window watchdog (RCC_CSR 0x60000000)");
}

Test(fault_watch, does_not_report_a_watchdog_from_before)
{
    cause = IWDG;
    cr_assert_null(read_once());
    cr_assert_null(read_once());
}

Test(fault_watch, reads_no_status_of_a_core_without_it)
{
    struct txtap_read reads[8];

    registers[0] = CORTEX_M0;
    registers[CFSR] = 0x8200;
    guest = fault_watch_begin(&watch, NULL);
    cr_assert_null(read_once());
    now += FAULT_WATCH_US;
    cr_assert_eq(guest.ops->plan(guest.self, reads, 8, 1024, now), 1);
    registers[ICSR] = 3;
    cr_assert_str_eq(read_once(), "HardFault: this core does not tell the cause");
}

Test(fault_watch, ends_if_the_core_is_no_cortex_m)
{
    registers[0] = 0;
    cr_assert_null(read_once());
    cr_assert_eq(guest.ops->due_us(guest.self), UINT64_MAX);
    registers[0] = CORTEX_M4;
    guest.ops->restart(guest.self, now);
    registers[ICSR] = 3;
    cr_assert_not_null(read_once(), "after a restart it watches again");
}

Test(fault_watch, ends_after_several_failures_in_a_row)
{
    for (unsigned i = 0; i < 10; i++) {
        guest.ops->failed(guest.self, &guests.queue, now, now);
        guest.ops->failed(guest.self, &guests.queue, now, now);
        cr_assert_null(read_once());
        cr_assert_neq(guest.ops->due_us(guest.self), UINT64_MAX);
    }
    for (unsigned i = 0; i < 3; i++)
        guest.ops->failed(guest.self, &guests.queue, now, now);
    cr_assert_eq(guest.ops->due_us(guest.self), UINT64_MAX);
    cr_assert_eq(watch.faults, 0);
}

Test(fault_watch, waits_if_there_is_no_room)
{
    struct txtap_read reads[2];

    now += FAULT_WATCH_US;
    cr_assert_eq(guest.ops->plan(guest.self, reads, 2, 1024, now), 0);
    cr_assert_eq(guest.ops->due_us(guest.self), now + FAULT_WATCH_US, "it does not ask again at once");
    now += FAULT_WATCH_US;
    cr_assert_eq(guest.ops->plan(guest.self, reads, 8, 31, now), 0);
    cr_assert_eq(guest.ops->due_us(guest.self), now + FAULT_WATCH_US);
}

Test(fault_watch, knows_the_register_of_a_chip_by_its_name_only)
{
    static const struct {
        const char *name;
        uint32_t address;
    } chips[] = {
        {"stm32f4x.cpu", 0x40023874}, {"STM32F103", 0x40021024}, {"stm32h7x.cpu0", 0x580244D0},
        {"stm32h7rsx.cpu0", 0},       {"stm32wbax.cpu", 0},      {"stm32wbx.cpu", 0x58000094},
        {"nrf52.cpu", 0x40000400},    {"txtap.cpu", 0},          {"", 0},
    };

    cr_assert_null(reset_cause_find(NULL));
    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++) {
        const struct reset_cause *row = reset_cause_find(chips[i].name);

        cr_assert_eq(row != NULL ? row->address : 0, chips[i].address, "%s", chips[i].name);
    }
}

/* ---- beside another guest ---- */

static size_t plan_greedily(void *self, struct txtap_read *reads, size_t room, uint32_t bytes, uint64_t now_us)
{
    static uint8_t buffer[GUEST_BYTES_MAX];

    (void)self;
    (void)now_us;
    reads[0] = (struct txtap_read){0x20000000, bytes & ~UINT32_C(3), buffer};
    return room > 0 && bytes >= 4;
}

static void commit_nothing(void *self, struct sample_queue *queue, uint64_t begin_us, uint64_t end_us)
{
    (void)self;
    (void)queue;
    (void)begin_us;
    (void)end_us;
}

static uint64_t due_always(const void *self)
{
    (void)self;
    return 0;
}

Test(fault_watch, gets_its_reads_although_another_guest_takes_all_bytes)
{
    static const struct guest_ops greedy = {plan_greedily, commit_nothing, commit_nothing, due_always, NULL};
    static const struct txtap_source_ops source = {.read_bytes_max = 64, .reads_max = 8};
    static uint8_t ring[16];
    const struct txtap_read own = {0x20001000, sizeof ring, ring};
    const struct txtap_read *reads = &own;

    guests_add(&guests, (struct guest){&greedy, NULL});
    guests_add_first(&guests, guest);
    now += FAULT_WATCH_US;
    cr_assert_eq(guests_plan(&guests, &reads, 1, &source, now), 5);
    cr_assert_eq(reads[0].address, 0x20001000, "the ring is first");
    cr_assert_eq(reads[1].address, TXTAP_FAULT_REGISTERS_AT);
    cr_assert_eq(reads[4].length, 64 - 16 - 32, "the other guest gets the rest");
    for (size_t i = 1; i < 4; i++)
        answer(&reads[i]);
    registers[ICSR] = 3;
    answer(&reads[1]);
    guests_commit(&guests, now, now + 10, UINT64_MAX);
    cr_assert_eq(watch.faults, 1, "each guest gets its own answer");
}
