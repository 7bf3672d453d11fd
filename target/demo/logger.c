/* SPDX-License-Identifier: MIT */
/*
 *   author      every ROUND_TICKS changes the mask and writes some events. In one round of twenty it writes far more
 *               events than fit into the ring. The collector has a lower priority, so it gets no event meanwhile
 *   collector   gets every event and checks the words, that times never decrease, and that every missing ledger
 *               event was counted as dropped
 */
#include "logger.h"

#include "demo.h"
#include "kernel.h"
#include "kernel_event_logger.h"
#include "logger_port.h"
#include "pace.h"

#define STACK_WORDS        256u
#define AUTHOR_PRIORITY    22u
#define COLLECTOR_PRIORITY 24u
#define ROUND_TICKS        50u
#define ROUNDS             20u
#define WAIT_TICKS         20u
#define LONG_WORDS_MAX     12u
#define ROOM_AT_FIRST      4u /* less than the longest event needs */
#define OVERFLOW_SMALL     100u
#define OVERFLOW_LARGE     400u /* more drops than an item's header can hold */

#define MASK_OF(type) (1u << ((type)-1))
#define MASK_CUSTOM   (MASK_OF(LOGGER_EVENT_LEDGER) | MASK_OF(LOGGER_EVENT_TIME) | MASK_OF(LOGGER_EVENT_LONG))
#define MASK_SWITCHES MASK_OF(KERNEL_EVENT_LOGGER_CONTEXT_SWITCH_EVENT_ID)
#define MASK_ALL      0xFFFFFFFFu

volatile uint32_t demo_logger_switches;
volatile uint32_t demo_logger_interrupts;
volatile uint32_t demo_logger_sleeps;
volatile uint32_t demo_logger_customs;
volatile uint32_t demo_logger_ledger_next;
volatile uint32_t demo_logger_dropped;
volatile uint32_t demo_logger_saturated;
volatile uint32_t demo_logger_too_small;
volatile uint32_t demo_logger_timeouts;

struct TX_SEMAPHORE_STRUCT logger_ready;
volatile bool logger_collecting;

static struct TX_THREAD_STRUCT author;
static struct TX_THREAD_STRUCT collector;
static uint32_t author_stack[STACK_WORDS] __attribute__((aligned(8)));
static uint32_t collector_stack[STACK_WORDS] __attribute__((aligned(8)));

/* --------------------------------------------------------------------------------------------- author */

static void ledger_write(uint32_t count)
{
    for (uint32_t i = 0; i < count && sys_k_must_log_event(LOGGER_EVENT_LEDGER); i++) {
        uint32_t n = demo_logger_ledger_next;
        sys_k_event_logger_put(LOGGER_EVENT_LEDGER, (const uint32_t[]){n, ~n}, 2);
        demo_logger_ledger_next = n + 1u;
    }
}

static void long_write(uint32_t n)
{
    uint32_t data[LONG_WORDS_MAX];
    uint32_t length = 1u + n % LONG_WORDS_MAX;
    for (uint32_t i = 0; i < length; i++) {
        data[i] = n + i;
    }
    if (sys_k_must_log_event(LOGGER_EVENT_LONG)) {
        sys_k_event_logger_put(LOGGER_EVENT_LONG, data, (uint8_t)length);
    }
}

/* Returns the mask of a round. Most rounds record only the application's events, because a thousand interrupts and
 * sleeps a second would fill most of the trace. */
static uint32_t mask_of_round(uint32_t round)
{
    uint32_t phase = round % ROUNDS;
    return phase == 0 ? MASK_ALL : phase % 4u == 0 ? MASK_CUSTOM | MASK_SWITCHES : MASK_CUSTOM;
}

static void author_entry(void *argument)
{
    (void)argument;
    for (uint32_t round = 0; !pace_stopping(); round++) {
        sys_k_event_logger_set_mask((int)mask_of_round(round));
        ledger_write(1);
        if (sys_k_must_log_event(LOGGER_EVENT_TIME)) {
            sys_k_event_logger_put_timed(LOGGER_EVENT_TIME);
        }
        long_write(round);
        if (round % ROUNDS == ROUNDS / 2u) {
            ledger_write(round / ROUNDS % 2u == 0 ? OVERFLOW_LARGE : OVERFLOW_SMALL);
        }
        kernel_thread_sleep(ROUND_TICKS);
    }
    /* From here on all events are recorded, and no event is collected. The ring fills up, and then stays unchanged. */
    sys_k_event_logger_set_mask((int)MASK_ALL);
    kernel_thread_suspend_self();
}

/* ------------------------------------------------------------------------------------------ collector */

static void expect(bool right)
{
    if (!right) {
        demo_fail(DEMO_FAULT_LOGGER);
    }
}

static void time_check(uint32_t time)
{
    static uint32_t last;
    static bool any;
    expect(!any || (int32_t)(time - last) >= 0);
    last = time;
    any = true;
}

/* Checks that each number arrives once, in order, and that each missing number was counted as dropped. */
static void ledger_check(const uint32_t *data, uint32_t dropped, bool saturated)
{
    static uint32_t next;
    expect(data[1] == ~data[0]);
    expect(data[0] - next <= dropped || (saturated && data[0] - next < 0x80000000u));
    next = data[0] + 1u;
}

static void custom_check(uint16_t id, const uint32_t *data, uint32_t length, uint32_t dropped)
{
    static uint32_t dropped_since_ledger;
    static bool saturated;
    dropped_since_ledger += dropped;
    saturated = saturated || dropped == KERNEL_EVENT_LOGGER_DROPPED_MAX;
    if (id == LOGGER_EVENT_LEDGER) {
        expect(length == 2);
        ledger_check(data, dropped_since_ledger, saturated);
        dropped_since_ledger = 0;
        saturated = false;
    } else if (id == LOGGER_EVENT_LONG) {
        for (uint32_t i = 0; i < length; i++) {
            expect(data[i] == data[0] + i);
        }
        expect(length == 1u + data[0] % LONG_WORDS_MAX);
    } else if (id == LOGGER_EVENT_TIME) {
        expect(length == 1);
        time_check(data[0]);
    }
}

/*
 * A time by which the collector was registered. The registration was earlier if an interrupt came after it.
 */
static uint32_t registered_us;

/* Checks a context switch. From the registration on, the collector's own switches are left out. */
static void switch_check(const uint32_t *data)
{
    expect(data[1] != port_address(&collector) || (int32_t)(data[0] - registered_us) <= 0);
}

static void event_take(uint16_t id, uint32_t dropped, const uint32_t *data, uint32_t length)
{
    demo_logger_dropped += dropped;
    demo_logger_saturated += dropped == KERNEL_EVENT_LOGGER_DROPPED_MAX ? 1u : 0u;
    custom_check(id, data, length, dropped);
    switch (id) {
    case KERNEL_EVENT_LOGGER_CONTEXT_SWITCH_EVENT_ID:
        expect(length == 2);
        switch_check(data);
        time_check(data[0]);
        demo_logger_switches++;
        break;
    case KERNEL_EVENT_LOGGER_INTERRUPT_EVENT_ID:
        expect(length == 2 && (data[1] == KERNEL_TICK_EXCEPTION || data[1] == BOARD_SENSOR_EXCEPTION));
        time_check(data[0]);
        demo_logger_interrupts++;
        break;
    case KERNEL_EVENT_LOGGER_SLEEP_EVENT_ID:
        expect(length == 3 && data[1] - data[0] < 1000000u);
        time_check(data[1]);
        demo_logger_sleeps++;
        break;
    default:
        demo_logger_customs++;
        break;
    }
}

static void collector_entry(void *argument)
{
    (void)argument;
    uint32_t data[LONG_WORDS_MAX];
    sys_k_event_logger_register_as_collector();
    registered_us = TXTAP_LOGGER_STAMP();
    for (uint32_t turn = 0; !pace_stopping(); turn++) {
        uint16_t id = 0;
        uint8_t dropped = 0;
        uint8_t size = ROOM_AT_FIRST;
        int result = turn % 2u == 0 ? sys_k_event_logger_get_wait(&id, &dropped, data, &size)
                                    : sys_k_event_logger_get_wait_timeout(&id, &dropped, data, &size, WAIT_TICKS);
        if (result == -EMSGSIZE) {
            demo_logger_too_small++;
            expect(size > ROOM_AT_FIRST && size <= LONG_WORDS_MAX);
            result = sys_k_event_logger_get(&id, &dropped, data, &size);
        }
        if (result > 0) {
            event_take(id, dropped, data, (uint32_t)result);
        } else {
            expect(result == 0);
            demo_logger_timeouts++;
        }
    }
    logger_collecting = false;
    kernel_thread_suspend_self();
}

void logger_create(void)
{
    kernel_semaphore_create(&logger_ready, "logger ready", 0);
    sys_k_event_logger_init();
    logger_collecting = true;
    kernel_thread_create(&author, "author", author_entry, 0, author_stack, sizeof author_stack, AUTHOR_PRIORITY);
    kernel_thread_create(&collector, "collector", collector_entry, 0, collector_stack, sizeof collector_stack,
                         COLLECTOR_PRIORITY);
}
