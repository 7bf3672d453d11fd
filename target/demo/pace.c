/* SPDX-License-Identifier: MIT */
/*
 * The balance is in millionths of an event. Each microsecond adds demo_event_rate to the balance; each recorded
 * event, from any source, subtracts 10^6. So the rate is correct however many events a unit of work records.
 */
#include "pace.h"

#include "board.h"
#include "demo.h"
#include "kernel.h"
#include "port.h"
#include "trace.h"
#include "variant.h"

#define US_PER_S 1000000

/* After a stall, the load catches up at most this much time. Without this limit, the backlog would overrun the ring. */
#define ARREARS_US_MAX 50000
/* Events recorded too early delay later events by at most this time. */
#define ADVANCE_US_MAX 1000000

#define RATE_OF_PERIODS    2000u
#define PERIOD_TICKS_MIN   2u
#define PERIOD_TICKS_MAX   2000u
#define FLOOD_SENSOR_TICKS 10u
#define LEDGER_SHARE       4u /* one in four */

volatile uint32_t demo_event_rate = VARIANT_EVENT_RATE;
volatile uint32_t demo_hold __attribute__((section(".data"))) = 0;
volatile uint32_t demo_stop_after __attribute__((section(".data"))) = 0;
volatile uint32_t demo_stopped;

static int64_t owed;
static uint32_t last_us;
static uint32_t last_written;
static volatile bool stopping;

void pace_start(void)
{
    while (demo_hold) {
    }
    last_us = board_time_us();
    last_written = demo_events_written;
}

static int64_t clamp(int64_t value, int64_t least, int64_t most)
{
    return value < least ? least : value > most ? most : value;
}

bool pace_behind(void)
{
    uint32_t primask = port_lock();
    uint32_t now_us = board_time_us();
    uint32_t written = demo_events_written;
    int64_t rate = demo_event_rate;
    owed += rate * (now_us - last_us) - (int64_t)(written - last_written) * US_PER_S;
    owed = clamp(owed, -rate * ADVANCE_US_MAX, rate * ARREARS_US_MAX);
    last_us = now_us;
    last_written = written;
    bool behind = owed > 0;
    port_unlock(primask);
    return behind && !pace_stopping();
}

bool pace_tick(void)
{
    if (VARIANT_FLOOD) {
        return kernel_ticks() % FLOOD_SENSOR_TICKS == 0 && !pace_stopping();
    }
    return pace_behind();
}

void pace_ledger(uint32_t most)
{
    for (uint32_t i = 0; i < most && demo_ledger_next < demo_events_written / LEDGER_SHARE; i++) {
        trace_ledger();
    }
}

uint32_t pace_period(uint32_t ticks)
{
    if (VARIANT_QUIET_TICKS != 0) {
        return VARIANT_QUIET_TICKS;
    }
    if (VARIANT_EVENT_RATE == 0) {
        return ticks;
    }
    uint32_t rate = demo_event_rate;
    uint32_t scaled = rate ? ticks * RATE_OF_PERIODS / rate : PERIOD_TICKS_MAX;
    return (uint32_t)clamp(scaled, PERIOD_TICKS_MIN, PERIOD_TICKS_MAX);
}

/* Sleeps as pace.h describes. In the variant with quiet periods, all threads wake at the same multiples of the period's
 * length, so that the periods stay quiet. */
void pace_sleep(uint32_t ticks)
{
    uint32_t period = pace_period(ticks);
    uint32_t into_period = VARIANT_QUIET_TICKS != 0 ? kernel_ticks() % period : 0;
    kernel_thread_sleep(period - into_period);
}

bool pace_stopping(void)
{
    uint32_t stop_after = demo_stop_after;
    if (stop_after != 0 && demo_events_written >= stop_after) {
        stopping = true;
    }
    return stopping;
}
