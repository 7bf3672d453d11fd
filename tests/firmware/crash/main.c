/* SPDX-License-Identifier: MIT */
/*
 * Crashes on command, for tests/e2e/crashes.sh: the thread "crasher" waits until crash_kind is not 0, and then causes
 * this fault. Two other threads record events. Board, kernel and trace are the demo firmware's.
 */
#include "board.h"
#include "demo.h"
#include "kernel.h"
#include "pace.h"
#include "stm32f405.h"
#include "trace.h"

#define TRACE_BYTES 16384u
#define STACK_WORDS 256u
#define BAD_ADDRESS 0x70000000u /* nothing is there */
#define GUARD_BYTES 32u

#define SCB_AIRCR       REGISTER(0xE000ED0Cu)
#define SCB_CCR         REGISTER(0xE000ED14u)
#define SCB_SHCSR       REGISTER(0xE000ED24u)
#define MPU_CTRL        REGISTER(0xE000ED94u)
#define MPU_RBAR        REGISTER(0xE000ED9Cu)
#define MPU_RASR        REGISTER(0xE000EDA0u)
#define AIRCR_RESET     0x05FA0004u
#define CCR_DIV_0_TRP   0x10u
#define SHCSR_ALL       0x00070000u /* MemManage, BusFault and UsageFault have their own handlers */
#define MPU_ON          5u          /* with the default map, so only the guard is forbidden */
#define RBAR_REGION_0   0x10u
#define RASR_32_NO_DATA 0x10000009u /* 32 bytes, no access, not executable */

enum crash_kind {
    CRASH_NONE,
    CRASH_POINTER,
    CRASH_STACK,
    CRASH_DIVISION,
    CRASH_INSTRUCTION,
    CRASH_INTERRUPT,
    CRASH_RESET
};

volatile uint32_t crash_kind __attribute__((section(".data"))) = CRASH_NONE;
volatile uint32_t crash_escalates = 1; /* 0: the faults have their own handlers; otherwise HardFault */
volatile uint32_t crash_number = 4711; /* a variable that a debugger shows */
volatile uint32_t demo_tick_hz;

static uint32_t trace_buffer[TRACE_BYTES / 4u] __attribute__((aligned(32)));
static struct TX_THREAD_STRUCT crasher, worker, helper;
static uint32_t crasher_stack[STACK_WORDS] __attribute__((aligned(GUARD_BYTES)));
static uint32_t worker_stack[STACK_WORDS] __attribute__((aligned(8)));
static uint32_t helper_stack[STACK_WORDS] __attribute__((aligned(8)));

static __attribute__((noinline)) void crash_write(volatile uint32_t *where, uint32_t value)
{
    *where = value;
    __asm volatile("dsb");
}

static __attribute__((noinline)) uint32_t crash_divide(uint32_t a, uint32_t b)
{
    return a / b;
}

static __attribute__((noinline)) uint32_t crash_recurse(uint32_t depth)
{
    volatile uint32_t room[16];

    room[depth % 16u] = depth;
    return depth == 0u ? 0u : crash_recurse(depth + 1u) + room[depth % 16u];
}

/* The word below the guard is the kernel's own sign of an overflow, so the guard is the next part of the stack. */
static void forbid_end_of_stack(void)
{
    MPU_RBAR = (uint32_t)(uintptr_t)&crasher_stack[GUARD_BYTES / 4u] | RBAR_REGION_0;
    MPU_RASR = RASR_32_NO_DATA;
    MPU_CTRL = MPU_ON;
    __asm volatile("dsb\n\tisb");
}

static void crash(uint32_t kind)
{
    SCB_SHCSR |= crash_escalates ? 0u : SHCSR_ALL;
    switch (kind) {
    case CRASH_POINTER:
        crash_write((volatile uint32_t *)(uintptr_t)BAD_ADDRESS, crash_number);
        break;
    case CRASH_STACK:
        forbid_end_of_stack();
        crash_number = crash_recurse(1);
        break;
    case CRASH_DIVISION:
        SCB_CCR |= CCR_DIV_0_TRP;
        crash_number = crash_divide(crash_number, 0);
        break;
    case CRASH_INSTRUCTION:
        __asm volatile("udf #1");
        break;
    case CRASH_INTERRUPT:
        board_sensor_trigger();
        break;
    case CRASH_RESET:
        SCB_AIRCR = AIRCR_RESET;
        break;
    default:
        break;
    }
}

static void crasher_entry(void *argument)
{
    (void)argument;
    for (;;) {
        uint32_t kind = crash_kind;

        if (kind != CRASH_NONE) {
            crash_kind = CRASH_NONE;
            crash(kind);
        }
        kernel_thread_sleep(2);
    }
}

static void worker_entry(void *argument)
{
    for (;;) {
        trace_ledger();
        kernel_thread_sleep((uint32_t)(uintptr_t)argument);
    }
}

void systick_handler(void);
void systick_handler(void)
{
    if (kernel_tick()) {
        trace_isr_enter(KERNEL_TICK_EXCEPTION);
        kernel_timers_expire();
        trace_isr_exit(KERNEL_TICK_EXCEPTION);
    }
}

void sensor_handler(void);
void sensor_handler(void)
{
    crash_write((volatile uint32_t *)(uintptr_t)BAD_ADDRESS, crash_number);
}

int main(void);
int main(void)
{
    demo_tick_hz = board_init();
    kernel_init();
    if (trace_enable(trace_buffer, sizeof trace_buffer, DEMO_TRACE_OBJECTS) != TXTAP_TRACE_OK) {
        demo_fail(DEMO_FAULT_TRACE);
    }
    kernel_trace_objects();
    kernel_thread_create(&crasher, "crasher", crasher_entry, 0, crasher_stack, sizeof crasher_stack, 4);
    kernel_thread_create(&worker, "worker", worker_entry, (void *)7u, worker_stack, sizeof worker_stack, 6);
    kernel_thread_create(&helper, "helper", worker_entry, (void *)11u, helper_stack, sizeof helper_stack, 8);
    board_tick_start(KERNEL_TICK_HZ);
    kernel_start(0);
}
