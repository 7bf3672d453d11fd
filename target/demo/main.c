/* SPDX-License-Identifier: MIT */
/*
 * Starts the parts in order: clocks, kernel, trace, load. The trace is enabled before the first object exists, so
 * that it contains every CREATE.
 */
#include "board.h"
#include "defects.h"
#include "demo.h"
#include "kernel.h"
#include "kernel_event_logger.h"
#include "load.h"
#include "logger.h"
#include "pace.h"
#include "trace.h"
#include "variant.h"

static uint32_t demo_trace_buffer[VARIANT_TRACE_BYTES / 4u] __attribute__((aligned(32)));
/* A smaller buffer, for the variant that alternates between the two buffers. */
static uint32_t demo_other_buffer[VARIANT_ROAM_TICKS != 0 ? VARIANT_TRACE_BYTES / 8u : 1u] __attribute__((aligned(32)));

volatile uint32_t demo_tick_hz;

static void idle(void)
{
    if (pace_stopping() && kernel_at_rest()) {
        demo_stopped = 1;
    }
}

static void roam(void)
{
    static uint32_t ticks_left = VARIANT_ROAM_TICKS;
    static bool away;
    if (ticks_left == 0 || --ticks_left != 0) {
        return;
    }
    ticks_left = VARIANT_ROAM_TICKS;
    away = !away;
    if (trace_move(away ? demo_other_buffer : demo_trace_buffer,
                   away ? sizeof demo_other_buffer : sizeof demo_trace_buffer, DEMO_TRACE_OBJECTS) != TXTAP_TRACE_OK) {
        demo_fail(DEMO_FAULT_TRACE);
    }
}

void systick_handler(void);
void systick_handler(void)
{
    roam();
    _sys_k_event_logger_interrupt();
    _sys_k_event_logger_exit_sleep();
    /* A tick without work records no event, because a thousand ticks a second would fill most of the trace. */
    bool sensor_due = pace_tick(); /* before this tick's own events are counted */
    bool due = kernel_tick();
    if (due) {
        trace_isr_enter(KERNEL_TICK_EXCEPTION);
        kernel_timers_expire();
    }
    if (sensor_due) {
        board_sensor_trigger(); /* the sensor's priority is higher, so its interrupt interrupts this handler */
    }
    if (due) {
        trace_isr_exit(KERNEL_TICK_EXCEPTION);
    }
}

int main(void);
int main(void)
{
    demo_tick_hz = board_init();
    kernel_init();
    if (trace_enable(demo_trace_buffer, sizeof demo_trace_buffer, DEMO_TRACE_OBJECTS) != TXTAP_TRACE_OK) {
        demo_fail(DEMO_FAULT_TRACE);
    }
    kernel_trace_objects();
    load_create();
    if (VARIANT_LOGGER) {
        logger_create();
    }
    if (VARIANT_DEFECTS) {
        defects_create();
    }
    pace_start();
    board_tick_start(KERNEL_TICK_HZ);
    kernel_start(idle);
}
