/* SPDX-License-Identifier: MIT */
/*
 * Each defect adds a few threads to the threads of the load. When the load stops, these threads suspend themselves,
 * except threads that wait for an event that never occurs.
 */
#include "defects.h"

#include "board.h"
#include "demo.h"
#include "kernel.h"
#include "pace.h"
#include "port.h"
#include "trace.h"

#define STACK_WORDS      256u
#define DEEP_STACK_WORDS 2048u
#define DEEP_LEFT_BYTES  (DEEP_STACK_WORDS * 4u * 7u / 100u) /* during the sleep, 6 % of the stack are unused */
#define THREADS_MAX      3u
#define BLOCK_WORDS      4u
#define POOL_BLOCKS      64u
#define KEEP_EVERY       4u
#define BEFORE_TICKS     50u /* time that a thread waits before it misbehaves */
#define DEADLOCK_TICKS   5u
#define LOW_TICKS        40u
#define MIDDLE_US        3000u
#define DEEP_TICKS       30u
#define LEAKY_TICKS      5u
#define PUNCTUAL_TICKS   10u
#define HOG_TICKS        100u
#define HOG_US           25000u
#define STORM_TICKS      10u
#define STORM_INTERRUPTS 20u

volatile uint32_t demo_defect __attribute__((section(".data"))) = DEFECT_NONE;

static struct TX_THREAD_STRUCT threads[THREADS_MAX];
static uint32_t stacks[THREADS_MAX][STACK_WORDS] __attribute__((aligned(8)));
static uint32_t threads_created;

static void thread_start(const char *name, void (*entry)(void *argument), uint32_t priority)
{
    uint32_t index = threads_created++;
    kernel_thread_create(&threads[index], name, entry, 0, stacks[index], sizeof stacks[index], priority);
}

static void must(enum kernel_status status)
{
    if (status != KERNEL_OK) {
        demo_fail(DEMO_FAULT_SERVICE);
    }
}

static void sleep_or_stop(uint32_t ticks)
{
    kernel_thread_sleep(ticks);
    if (pace_stopping()) {
        kernel_thread_suspend_self();
    }
}

static void compute(uint32_t us)
{
    uint32_t begin = board_time_us();
    while (board_time_us() - begin < us) {
    }
}

/* ---- deadlock ---- */

static struct TX_MUTEX_STRUCT first;
static struct TX_MUTEX_STRUCT second;

static void take_both(struct TX_MUTEX_STRUCT *one, struct TX_MUTEX_STRUCT *other)
{
    kernel_thread_sleep(BEFORE_TICKS);
    must(kernel_mutex_get(one, KERNEL_WAIT_FOREVER));
    kernel_thread_sleep(DEADLOCK_TICKS);
    must(kernel_mutex_get(other, KERNEL_WAIT_FOREVER));
    demo_fail(DEMO_FAULT_SERVICE); /* never reached */
}

static void left_entry(void *argument)
{
    (void)argument;
    take_both(&first, &second);
}

static void right_entry(void *argument)
{
    (void)argument;
    take_both(&second, &first);
}

static void deadlock_create(void)
{
    kernel_mutex_create(&first, "first", true);
    kernel_mutex_create(&second, "second", true);
    thread_start("left", left_entry, 18);
    thread_start("right", right_entry, 19);
}

/* ---- inversion ---- */

static struct TX_MUTEX_STRUCT shared;
static struct TX_SEMAPHORE_STRUCT go;
static struct TX_SEMAPHORE_STRUCT work;

static void high_entry(void *argument)
{
    (void)argument;
    for (;;) {
        must(kernel_semaphore_get(&go, KERNEL_WAIT_FOREVER));
        kernel_semaphore_put(&work);
        must(kernel_mutex_get(&shared, KERNEL_WAIT_FOREVER));
        must(kernel_mutex_put(&shared));
    }
}

static void middle_entry(void *argument)
{
    (void)argument;
    for (;;) {
        must(kernel_semaphore_get(&work, KERNEL_WAIT_FOREVER));
        compute(MIDDLE_US);
    }
}

static void low_entry(void *argument)
{
    (void)argument;
    for (;;) {
        sleep_or_stop(LOW_TICKS);
        must(kernel_mutex_get(&shared, KERNEL_WAIT_FOREVER));
        kernel_semaphore_put(&go);
        must(kernel_mutex_put(&shared));
    }
}

static void inversion_create(void)
{
    kernel_mutex_create(&shared, "shared", false);
    kernel_semaphore_create(&go, "go", 0);
    kernel_semaphore_create(&work, "work", 0);
    thread_start("high", high_entry, 5);
    thread_start("middle", middle_entry, 14);
    thread_start("low", low_entry, 24);
}

/* ---- stack ---- */

static uint32_t deep_stack[DEEP_STACK_WORDS] __attribute__((aligned(8)));

/* Calls itself until the stack pointer has fallen to `stack_pointer`, then sleeps. */
static __attribute__((noinline)) void descend(uint32_t stack_pointer)
{
    volatile uint32_t frame[4];
    frame[0] = stack_pointer;
    if (port_stack_pointer() > stack_pointer) {
        descend(stack_pointer);
    } else {
        kernel_thread_sleep(1);
    }
    frame[1] = frame[0]; /* a store after the call, so that the compiler makes no tail call */
}

static void deep_entry(void *argument)
{
    (void)argument;
    for (;;) {
        sleep_or_stop(DEEP_TICKS);
        descend(port_address(deep_stack) + DEEP_LEFT_BYTES);
    }
}

static void stack_create(void)
{
    kernel_thread_create(&threads[0], "deep", deep_entry, 0, deep_stack, sizeof deep_stack, 22);
}

/* ---- leak ---- */

static struct TX_BLOCK_POOL_STRUCT leak_pool;
static uint32_t leak_storage[POOL_BLOCKS * (BLOCK_WORDS + 1u)];

static void leaky_entry(void *argument)
{
    (void)argument;
    for (uint32_t round = 0;; round++) {
        uint32_t *block;
        sleep_or_stop(LEAKY_TICKS);
        if (kernel_block_allocate(&leak_pool, &block, KERNEL_NO_WAIT) != KERNEL_OK) {
            continue;
        }
        kernel_thread_sleep(1);
        if (round % KEEP_EVERY != 0) {
            kernel_block_release(block);
        }
    }
}

static void leak_create(void)
{
    kernel_block_pool_create(&leak_pool, "leak pool", BLOCK_WORDS * 4u, leak_storage, sizeof leak_storage);
    thread_start("leaky", leaky_entry, 21);
}

/* ---- late ---- */

static void punctual_entry(void *argument)
{
    (void)argument;
    for (;;) {
        sleep_or_stop(PUNCTUAL_TICKS);
    }
}

static void hog_entry(void *argument)
{
    (void)argument;
    for (;;) {
        sleep_or_stop(HOG_TICKS);
        compute(HOG_US);
    }
}

static void late_create(void)
{
    thread_start("punctual", punctual_entry, 10);
    thread_start("hog", hog_entry, 7);
}

/* ---- storm ---- */

static struct TX_TIMER_STRUCT glitch;
static uint32_t glitches_left;

static void glitch_trigger(void)
{
    NVIC_ISPR0 = 1u << BOARD_GLITCH_IRQ;
    __asm volatile("dsb" ::: "memory");
}

void glitch_handler(void);
void glitch_handler(void)
{
    trace_isr_enter(16u + BOARD_GLITCH_IRQ);
    if (--glitches_left != 0) {
        glitch_trigger(); /* the interrupt occurs again at once */
    }
    trace_isr_exit(16u + BOARD_GLITCH_IRQ);
}

/* Triggers the interrupts again. Called in the system timer thread. */
static void glitch_expired(void *argument)
{
    (void)argument;
    if (pace_stopping()) {
        kernel_timer_deactivate(&glitch);
        return;
    }
    glitches_left = STORM_INTERRUPTS;
    glitch_trigger();
}

static void storm_create(void)
{
    NVIC_ISER0 = 1u << BOARD_GLITCH_IRQ;
    kernel_timer_create(&glitch, "glitch", glitch_expired, 0, STORM_TICKS, STORM_TICKS);
}

void defects_create(void)
{
    static void (*const create[])(void) = {
        [DEFECT_DEADLOCK] = deadlock_create, [DEFECT_INVERSION] = inversion_create, [DEFECT_STACK] = stack_create,
        [DEFECT_LEAK] = leak_create,         [DEFECT_LATE] = late_create,           [DEFECT_STORM] = storm_create,
    };
    if (demo_defect > 0 && demo_defect < sizeof create / sizeof create[0]) {
        create[demo_defect]();
    }
}
