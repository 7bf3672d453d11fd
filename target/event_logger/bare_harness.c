/* SPDX-License-Identifier: MIT */
/*
 * A test: runs the logger's bare port on a Cortex-M4 in QEMU. A main loop waits for events, and SysTick records events.
 * The program ends through semihosting, with status 0 on success. Not part of the logger.
 */
#include "bare_program.h"
#include "kernel_event_logger.h"

/* This test calls the port's functions directly. kernel_event_logger.c defines the tick count. */
#define TXTAP_LOGGER_TICKS() 0u
#include "kernel_event_logger_bare.h"

void systick_handler(void);
void fault_handler(void);
extern volatile uint32_t txtap_logger_ticks;

#define SYST_CSR (*(volatile uint32_t *)0xE000E010u)
#define SYST_RVR (*(volatile uint32_t *)0xE000E014u)
#define SYST_CVR (*(volatile uint32_t *)0xE000E018u)
#define SCB_ICSR (*(volatile uint32_t *)0xE000ED04u) /* setting bit 26 makes SysTick pending */

enum { EVENTS = 1000, SYSTICK = 15, OWN = 8, SILENT_TICKS = 20 };

static uint16_t id; /* id of the event that was collected last */
static uint8_t dropped, size;
static uint32_t data[2];
static volatile uint32_t recording; /* true: SysTick records an event */
static volatile uint32_t recorded;

__attribute__((section(".vectors"), used)) static const uintptr_t vectors[16] = {
    BARE_STACK, (uintptr_t)reset_handler,
    (uintptr_t)fault_handler, [3] = (uintptr_t)fault_handler, [SYSTICK] = (uintptr_t)systick_handler};

static void expect(int right)
{
    if (!right) {
        bare_exit(BARE_WRONG);
    }
}

void fault_handler(void)
{
    expect(0);
}

void systick_handler(void)
{
    txtap_logger_ticks++;
    if (recording) {
        _sys_k_event_logger_interrupt();
        uint32_t n = recorded++;
        sys_k_event_logger_put(OWN, &n, 1);
    }
}

/*
 * Checks that every event arrives in order, and that each interrupt's event arrives before the events of the
 * interrupt's handler. The loop sleeps between events.
 */
static void waiting_works(void)
{
    recording = 1;
    for (uint32_t n = 0; n < EVENTS; n++) {
        size = 2;
        expect(sys_k_event_logger_get_wait(&id, &dropped, data, &size) == 2);
        expect(id == KERNEL_EVENT_LOGGER_INTERRUPT_EVENT_ID && data[1] == SYSTICK && dropped == 0);
        size = 2;
        expect(sys_k_event_logger_get_wait_timeout(&id, &dropped, data, &size, 2) == 1);
        expect(id == OWN && data[0] == n && dropped == 0);
    }
    recording = 0;
}

static void timeouts_work(void)
{
    size = 2;
    while (sys_k_event_logger_get(&id, &dropped, data, &size) > 0) {
        size = 2;
    }
    uint32_t start = txtap_logger_ticks;
    expect(sys_k_event_logger_get_wait_timeout(&id, &dropped, data, &size, SILENT_TICKS) == 0);
    expect(txtap_logger_ticks - start >= SILENT_TICKS);
}

/* No interrupt will occur in this test, so a wait that wrongly sleeps would never end. */
static void no_event_is_slept_through(void)
{
    size = 2;
    SYST_CSR = 0;
    sys_k_event_logger_put_timed(OWN);
    txtap_logger_port_wait(); /* an event is already in the ring */
    expect(sys_k_event_logger_get(&id, &dropped, data, &size) == 1);

    recording = 1;
    uint32_t before = recorded;
    uint32_t primask = txtap_logger_port_lock();
    SCB_ICSR = 1u << 26;
    txtap_logger_port_wait(); /* an interrupt occurred after the check: it is pending, and ends the sleep */
    expect(recorded == before);
    txtap_logger_port_unlock(primask);
    size = 2;
    expect(sys_k_event_logger_get_wait(&id, &dropped, data, &size) == 2);
    expect(recorded == before + 1u);
}

void reset_handler(void)
{
    bare_memory_init();
    sys_k_event_logger_init();
    SYST_RVR = 25000u - 1u; /* SysTick period: 1 ms */
    SYST_CVR = 0;
    SYST_CSR = 7u;
    waiting_works();
    timeouts_work();
    no_event_is_slept_through();
    bare_exit(BARE_RIGHT);
}
