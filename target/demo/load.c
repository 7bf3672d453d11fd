/* SPDX-License-Identifier: MIT */
/*
 * Each thread causes certain events:
 *   sampler      waits for a semaphore that an interrupt puts; waits for memory after a burst, so that a
 *                BLOCK_ALLOCATE entry is completed long after it was recorded
 *   filter       receives from a queue
 *   logger       waits for event flags
 *   control      waits, with a time limit, for a mutex of the lower thread `reporter`, which then
 *                inherits the priority of `control`
 *   reporter     holds this mutex; also sleeps
 *   housekeeper  creates and deletes an object, so that the registry changes
 *   flood        (overload variant) never waits
 */
#include "load.h"

#include "board.h"
#include "demo.h"
#include "kernel.h"
#include "kernel_event_logger.h"
#include "pace.h"
#include "port.h"
#include "trace.h"
#include "variant.h"

#define STACK_WORDS    256u
#define BLOCK_WORDS    4u
#define POOL_BLOCKS    3u
#define BURST_EVERY    8u /* interrupts */
#define BURST_SAMPLES  4u /* more blocks than the pool has */
#define QUEUE_MESSAGES 8u
#define FLAG_FILTERED  0x1u
#define FLAG_ALARM     0x2u
#define ALARM_EVERY    16u /* samples */
/* Primes, so that the threads interleave in many different ways. */
#define HEARTBEAT_TICKS    251u
#define REPORT_TICKS       97u
#define HOUSEKEEPING_TICKS 503u
#define FLOOD_LEDGER       32u

enum thread_index { SAMPLER, FILTER, LOGGER, CONTROL, REPORTER, HOUSEKEEPER, FLOOD, THREADS };

static struct TX_THREAD_STRUCT threads[THREADS];
static uint32_t stacks[THREADS][STACK_WORDS] __attribute__((aligned(8)));

static struct TX_SEMAPHORE_STRUCT sample_ready;
static struct TX_SEMAPHORE_STRUCT refresh;
static struct TX_SEMAPHORE_STRUCT temporary[2];
static struct TX_MUTEX_STRUCT model_lock;
static struct TX_QUEUE_STRUCT samples;
static uint32_t samples_storage[QUEUE_MESSAGES];
static struct TX_EVENT_FLAGS_GROUP_STRUCT results;
static struct TX_BLOCK_POOL_STRUCT sample_pool;
static uint32_t sample_storage[POOL_BLOCKS * (BLOCK_WORDS + 1u)];
static struct TX_TIMER_STRUCT heartbeat;

/* Protected by model_lock. */
static volatile uint32_t model;

static void must(enum kernel_status status)
{
    if (status != KERNEL_OK) {
        demo_fail(DEMO_FAULT_SERVICE);
    }
}

static void stop_here_when_stopping(void)
{
    if (pace_stopping()) {
        kernel_thread_suspend_self();
    }
}

/* Records a value for timelines. */
static void value(enum trace_id id, uint32_t first, uint32_t second)
{
    trace_event(id, first, second, 0, 0, TXTAP_TRACE_CLASS_USER);
}

static void model_add(uint32_t increment)
{
    must(kernel_mutex_get(&model_lock, KERNEL_WAIT_FOREVER));
    model += increment;
    must(kernel_mutex_put(&model_lock));
}

void sensor_handler(void);
void sensor_handler(void)
{
    static uint32_t interrupts;
    _sys_k_event_logger_interrupt();
    _sys_k_event_logger_exit_sleep();
    trace_isr_enter(BOARD_SENSOR_EXCEPTION);
    uint32_t count = ++interrupts % BURST_EVERY == 0 ? BURST_SAMPLES : 1u;
    for (uint32_t i = 0; i < count; i++) {
        kernel_semaphore_put(&sample_ready);
    }
    pace_ledger(1);
    trace_isr_exit(BOARD_SENSOR_EXCEPTION);
}

static void sampler_entry(void *argument)
{
    (void)argument;
    for (uint32_t sequence = 0;; sequence++) {
        must(kernel_semaphore_get(&sample_ready, KERNEL_WAIT_FOREVER));
        uint32_t *block;
        must(kernel_block_allocate(&sample_pool, &block, KERNEL_WAIT_FOREVER));
        block[0] = sequence;
        block[1] = board_time_us();
        block[2] = ~sequence;
        pace_ledger(3);
        uint32_t message = port_address(block);
        must(kernel_queue_send(&samples, &message, KERNEL_WAIT_FOREVER));
    }
}

volatile uint32_t demo_filter_work __attribute__((section(".data"))) = 0;

static void filter_entry(void *argument)
{
    (void)argument;
    for (uint32_t sequence = 0;; sequence++) {
        uint32_t message;
        must(kernel_queue_receive(&samples, &message, KERNEL_WAIT_FOREVER));
        uint32_t *block = (uint32_t *)(uintptr_t)message;
        if (block[0] != sequence || block[2] != ~sequence) {
            demo_fail(DEMO_FAULT_MESSAGE);
        }
        value(TRACE_SAMPLE_AGE, board_time_us() - block[1], sequence);
        model_add(block[1] & 0xFFu);
        kernel_block_release(block);
        for (volatile uint32_t i = 0; i < demo_filter_work; i = i + 1) {
        }
        pace_ledger(2);
        kernel_flags_set(&results, sequence % ALARM_EVERY == 0 ? FLAG_FILTERED | FLAG_ALARM : FLAG_FILTERED);
    }
}

static void logger_entry(void *argument)
{
    (void)argument;
    for (;;) {
        uint32_t flags;
        must(
            kernel_flags_get(&results, FLAG_FILTERED | FLAG_ALARM, KERNEL_FLAGS_OR_CLEAR, &flags, KERNEL_WAIT_FOREVER));
        model_add(flags);
        pace_ledger(6);
        /* If one unit of work per tick is not enough, this last thread of the chain requests the next samples. */
        if (!VARIANT_FLOOD && pace_behind()) {
            board_sensor_trigger();
        }
    }
}

static void control_entry(void *argument)
{
    (void)argument;
    for (;;) {
        uint32_t period = pace_period(HEARTBEAT_TICKS);
        value(TRACE_CONTROL_STATE, 0, 0);
        enum kernel_status status = kernel_semaphore_get(&refresh, period + period / 2u);
        stop_here_when_stopping();
        value(TRACE_CONTROL_STATE, status == KERNEL_OK ? 1 : 2, 0);
        if (status == KERNEL_OK) {
            model_add(1);
        }
    }
}

static void reporter_entry(void *argument)
{
    (void)argument;
    for (;;) {
        pace_sleep(REPORT_TICKS);
        stop_here_when_stopping();
        value(TRACE_REPORT_BEGIN, 0, 0);
        must(kernel_mutex_get(&model_lock, KERNEL_WAIT_FOREVER));
        kernel_semaphore_put(&refresh); /* wakes the thread `control`, which then waits for the mutex held here */
        model++;
        pace_ledger(4);
        must(kernel_mutex_put(&model_lock));
        value(TRACE_REPORT_END, 0, 0);
    }
}

static void housekeeper_entry(void *argument)
{
    (void)argument;
    for (uint32_t round = 0;; round++) {
        pace_sleep(HOUSEKEEPING_TICKS);
        stop_here_when_stopping();
        struct TX_SEMAPHORE_STRUCT *semaphore = &temporary[round / 2u % 2u];
        if (round % 2u == 0) {
            kernel_semaphore_create(semaphore, "temporary", 1);
            must(kernel_semaphore_get(semaphore, KERNEL_NO_WAIT));
            (void)kernel_time_get();
        } else {
            kernel_semaphore_delete(semaphore);
        }
        pace_ledger(4);
        if (VARIANT_QUIET_TICKS != 0) {
            board_sensor_trigger();
        }
    }
}

static void flood_entry(void *argument)
{
    (void)argument;
    for (;;) {
        stop_here_when_stopping();
        for (uint32_t i = 0; i < FLOOD_LEDGER; i++) {
            trace_ledger();
        }
        model_add(1);
        kernel_semaphore_put(&refresh);
    }
}

/* Runs at each expiry of the heartbeat, in the system timer thread. */
static void heartbeat_expired(void *argument)
{
    (void)argument;
    if (pace_stopping()) {
        kernel_timer_deactivate(&heartbeat);
    } else {
        kernel_semaphore_put(&refresh);
    }
}

static void thread_start(enum thread_index index, const char *name, void (*entry)(void *argument), uint32_t priority)
{
    kernel_thread_create(&threads[index], name, entry, 0, stacks[index], sizeof stacks[index], priority);
}

void load_create(void)
{
    kernel_semaphore_create(&sample_ready, "sample ready", 0);
    kernel_semaphore_create(&refresh, "refresh", 0);
    kernel_mutex_create(&model_lock, "model", true);
    kernel_queue_create(&samples, "samples", samples_storage, sizeof samples_storage);
    kernel_flags_create(&results, "results");
    kernel_block_pool_create(&sample_pool, "sample pool", BLOCK_WORDS * 4u, sample_storage, sizeof sample_storage);
    uint32_t period = pace_period(HEARTBEAT_TICKS);
    kernel_timer_create(&heartbeat, "heartbeat", heartbeat_expired, 0, period, period);

    thread_start(SAMPLER, "sampler", sampler_entry, 4);
    thread_start(CONTROL, "control", control_entry, 6);
    thread_start(FILTER, "filter", filter_entry, 8);
    thread_start(LOGGER, "logger", logger_entry, 12);
    thread_start(REPORTER, "reporter", reporter_entry, 16);
    thread_start(HOUSEKEEPER, "housekeeper", housekeeper_entry, 20);
    if (VARIANT_FLOOD) {
        thread_start(FLOOD, "flood", flood_entry, 28);
    }
}
