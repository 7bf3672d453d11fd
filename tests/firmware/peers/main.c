/* SPDX-License-Identifier: MIT */
/*
 * Makes a load that can be counted, for tests/bench/peers. Each event is a ledger entry with a number, as in the demo
 * firmware. The same 32 bytes go into the trace ring and into an RTT buffer as large as the ring. The first event is
 * written peers_start_ms after the start, so that a reader can connect before it.
 */
#include "board.h"
#include "demo.h"
#include "port.h"
#include "rtt.h"
#include "trace.h"

#define TRACE_BYTES  (HEADER_BYTES + DEMO_TRACE_OBJECTS * OBJECT_BYTES + RING_ENTRIES * sizeof(struct txtap_trace_entry))
#define HEADER_BYTES 48u
#define OBJECT_BYTES 48u /* of the registry */
#ifndef PEERS_RTT
#define PEERS_RTT 1 /* 0: each event goes into the trace ring only */
#endif
#define TICK_HZ      1000u
#define US_PER_S     1000000u
#define BURST_EVENTS 50u /* limit of a burst after the emulator was stopped */

/* As in the demo firmware. */
volatile uint32_t demo_event_rate = 2000;
volatile uint32_t demo_stop_after __attribute__((section(".data"))) = 0;
volatile uint32_t demo_stopped;
volatile uint32_t demo_tick_hz;
volatile uint32_t peers_start_ms = 1;

static uint32_t trace_buffer[TRACE_BYTES / 4u] __attribute__((aligned(32)));
#if PEERS_RTT
static uint8_t rtt_buffer[RING_ENTRIES * sizeof(struct txtap_trace_entry)];
#else
static uint8_t rtt_buffer[4];
#endif

static void record(void)
{
    uint32_t primask = port_lock();
    uint32_t n = demo_ledger_next;
    struct trace_mark mark =
        trace_event_marked(TRACE_LEDGER, n, ~n, 3u * n, TRACE_LEDGER_MAGIC, TXTAP_TRACE_CLASS_USER);
    demo_ledger_next = n + 1u;
    if (PEERS_RTT) {
        rtt_write(mark.entry, sizeof *mark.entry);
    }
    port_unlock(primask);
}

void systick_handler(void);
void systick_handler(void)
{
    static uint32_t last_us;
    static uint64_t owed; /* events still to write, in millionths of an event */
    uint32_t now_us = board_time_us();
    uint32_t passed_us = now_us - last_us;
    last_us = now_us;
    if (peers_start_ms != 0) {
        peers_start_ms--;
        return;
    }
    owed += (uint64_t)demo_event_rate * passed_us;
    if (owed > (uint64_t)BURST_EVENTS * US_PER_S) {
        owed = (uint64_t)BURST_EVENTS * US_PER_S;
    }
    for (; owed >= US_PER_S && !demo_stopped; owed -= US_PER_S) {
        record();
        demo_stopped = demo_ledger_next == demo_stop_after;
    }
}

/* PendSV is never pending in this firmware. */
void pendsv_handler(void);
void pendsv_handler(void)
{
    demo_fail(DEMO_FAULT_SERVICE);
}

void sensor_handler(void);
void sensor_handler(void)
{
    demo_fail(DEMO_FAULT_SERVICE);
}

int main(void);
int main(void)
{
    demo_tick_hz = board_init();
    if (trace_enable(trace_buffer, sizeof trace_buffer, DEMO_TRACE_OBJECTS) != TXTAP_TRACE_OK) {
        demo_fail(DEMO_FAULT_TRACE);
    }
    rtt_begin(rtt_buffer, sizeof rtt_buffer);
    board_tick_start(TICK_HZ);
    for (;;) {
        __asm volatile("wfi");
    }
}
