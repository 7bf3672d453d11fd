/* SPDX-License-Identifier: MIT */
/*
 * Firmware whose time per function is known. Two threads take turns: `compute` runs sixty(), `control` runs thirty()
 * and ten(). All functions repeat the same loop, a unit, and count their units. So the shares of the functions are the
 * shares of their counts, at any speed of the host. The initial values of the variables profile_sleep_ticks and
 * profile_interrupt_units add sleep and interrupts. The kernel is the demo's.
 */
#include "board.h"
#include "demo.h"
#include "kernel.h"
#include "trace.h"

#define STACK_WORDS 256u
#define RING_BYTES  16384u
#define UNIT_STEPS  2000u
#define TURN_UNITS  100u
#define TICK_HZ     100u
#define SETTING     __attribute__((section(".data")))

volatile uint32_t profile_sleep_ticks SETTING = 0;     /* time that `compute` sleeps after each turn */
volatile uint32_t profile_interrupt_units SETTING = 0; /* units in each interrupt of the tick */

/* Units that each function has finished. */
volatile uint32_t profile_sixty, profile_thirty, profile_ten, profile_interrupt;

volatile uint32_t demo_event_rate SETTING, demo_hold, demo_stop_after, demo_stopped, demo_tick_hz;

static uint32_t ring[RING_BYTES / 4u] __attribute__((aligned(32)));
static struct TX_THREAD_STRUCT compute, control;
static uint32_t stacks[2][STACK_WORDS] __attribute__((aligned(8)));
static struct TX_SEMAPHORE_STRUCT compute_turn, control_turn;

static inline __attribute__((always_inline)) uint32_t step(uint32_t state)
{
    __asm volatile("eor %0, %0, %0, lsl #13\n\t"
                   "eor %0, %0, %0, lsr #17\n\t"
                   "eor %0, %0, %0, lsl #5"
                   : "+r"(state));
    return state;
}

static inline __attribute__((always_inline)) void work(uint32_t units, volatile uint32_t *done)
{
    uint32_t state = 1;
    for (uint32_t unit = 0; unit < units; unit++) {
        for (uint32_t i = 0; i < UNIT_STEPS; i++) {
            state = step(state);
        }
        *done += 1;
    }
}

static __attribute__((noinline)) void sixty(void)
{
    work(6 * TURN_UNITS, &profile_sixty);
}

static __attribute__((noinline)) void thirty(void)
{
    work(3 * TURN_UNITS, &profile_thirty);
}

static __attribute__((noinline)) void ten(void)
{
    work(TURN_UNITS, &profile_ten);
}

static __attribute__((noinline)) void interrupt_work(void)
{
    work(profile_interrupt_units, &profile_interrupt);
}

static void compute_entry(void *argument)
{
    (void)argument;
    for (;;) {
        kernel_semaphore_get(&compute_turn, KERNEL_WAIT_FOREVER);
        sixty();
        if (profile_sleep_ticks != 0) {
            kernel_thread_sleep(profile_sleep_ticks);
        }
        kernel_semaphore_put(&control_turn);
    }
}

static void control_entry(void *argument)
{
    (void)argument;
    for (;;) {
        kernel_semaphore_get(&control_turn, KERNEL_WAIT_FOREVER);
        thirty();
        ten();
        kernel_semaphore_put(&compute_turn);
    }
}

void systick_handler(void);
void systick_handler(void)
{
    if (kernel_tick()) {
        kernel_timers_expire();
    }
    if (profile_interrupt_units != 0) {
        trace_isr_enter(KERNEL_TICK_EXCEPTION);
        interrupt_work();
        trace_isr_exit(KERNEL_TICK_EXCEPTION);
    }
}

void sensor_handler(void);
void sensor_handler(void)
{
}

int main(void);
int main(void)
{
    demo_tick_hz = board_init();
    kernel_init();
    if (trace_enable(ring, sizeof ring, DEMO_TRACE_OBJECTS) != TXTAP_TRACE_OK) {
        demo_fail(DEMO_FAULT_TRACE);
    }
    kernel_trace_objects();
    kernel_semaphore_create(&compute_turn, "compute turn", 1);
    kernel_semaphore_create(&control_turn, "control turn", 0);
    kernel_thread_create(&compute, "compute", compute_entry, 0, stacks[0], sizeof stacks[0], 8);
    kernel_thread_create(&control, "control", control_entry, 0, stacks[1], sizeof stacks[1], 8);
    board_tick_start(TICK_HZ); /* few interrupts, because QEMU shows peripheral accesses too often */
    kernel_start(0);
}
