/* SPDX-License-Identifier: MIT */
/*
 * Time: the tick, the list of active timers, and the system timer thread, which runs the callbacks
 * of expired timers. As in ThreadX, the tick interrupt only wakes this thread.
 */
#include "kernel_internal.h"

#define TIMER_THREAD_STACK_WORDS 256u

static struct TX_THREAD_STRUCT timer_thread;
static uint32_t timer_thread_stack[TIMER_THREAD_STACK_WORDS] __attribute__((aligned(8)));
struct TX_TIMER_STRUCT *_tx_timer_created_ptr;
uint32_t _tx_timer_created_count;
static struct TX_TIMER_INTERNAL_STRUCT *active; /* a list: the timer that expires next is first */
volatile uint32_t _tx_timer_system_clock;       /* has ThreadX's name: a reader uses it to detect resets */

/* Returns true if tick number `a` is before `b`. The numbers are always less than half their range apart. */
static bool tick_before(uint32_t a, uint32_t b)
{
    return (int32_t)(a - b) < 0;
}

static void timer_insert(struct TX_TIMER_INTERNAL_STRUCT *timer)
{
    struct TX_TIMER_INTERNAL_STRUCT **at = &active;
    while (*at && !tick_before(timer->expiry, (*at)->expiry)) {
        at = &(*at)->tx_timer_internal_active_next;
    }
    timer->tx_timer_internal_active_next = *at;
    timer->active = true;
    *at = timer;
}

void timer_arm(struct TX_TIMER_INTERNAL_STRUCT *timer, uint32_t wait_ticks)
{
    timer->expiry = _tx_timer_system_clock + wait_ticks;
    timer_insert(timer);
}

void timer_disarm(struct TX_TIMER_INTERNAL_STRUCT *timer)
{
    if (!timer->active) {
        return;
    }
    struct TX_TIMER_INTERNAL_STRUCT **at = &active;
    while (*at != timer) {
        at = &(*at)->tx_timer_internal_active_next;
    }
    *at = timer->tx_timer_internal_active_next;
    timer->active = false;
}

bool timer_none_active(void)
{
    return active == 0;
}

static bool timer_due(void)
{
    return active && !tick_before(_tx_timer_system_clock, active->expiry);
}

/*
 * Removes the first timer from the list. A periodic timer goes back into the list before its callback runs, so that the
 * callback may deactivate it.
 */
static void timer_expire_first(void)
{
    struct TX_TIMER_INTERNAL_STRUCT *timer = active;
    timer_disarm(timer);
    if (timer->tx_timer_internal_re_initialize_ticks != 0) {
        timer->expiry += timer->tx_timer_internal_re_initialize_ticks;
        timer_insert(timer);
    }
}

static void timer_thread_entry(void *argument)
{
    (void)argument;
    for (;;) {
        uint32_t primask = port_lock();
        if (timer_due()) {
            struct TX_TIMER_INTERNAL_STRUCT *timer = active;
            timer_expire_first();
            port_unlock(primask);
            timer->tx_timer_internal_timeout_function(timer->tx_timer_internal_timeout_param);
        } else {
            timer_thread.tx_thread_state = KERNEL_SUSPENDED;
            thread_suspend(&timer_thread, KERNEL_NO_WAIT);
            port_unlock(primask);
        }
    }
}

void timer_init(void)
{
    thread_prepare(&timer_thread, "System Timer Thread", timer_thread_entry, 0, timer_thread_stack,
                   sizeof timer_thread_stack, 0);
}

void timer_trace_objects(void)
{
    thread_register(&timer_thread);
}

bool kernel_tick(void)
{
    uint32_t primask = port_lock();
    _tx_timer_system_clock++;
    bool due = timer_due();
    port_unlock(primask);
    return due;
}

void kernel_timers_expire(void)
{
    uint32_t primask = port_lock();
    thread_resume(&timer_thread);
    port_unlock(primask);
}

uint32_t kernel_ticks(void)
{
    return _tx_timer_system_clock;
}

uint32_t kernel_time_get(void)
{
    uint32_t primask = port_lock();
    uint32_t now = _tx_timer_system_clock;
    trace_event(TRACE_TIME_GET, now, port_stack_pointer(), 0, 0, TXTAP_TRACE_CLASS_TIME);
    port_unlock(primask);
    return now;
}

void kernel_timer_create(struct TX_TIMER_STRUCT *timer, const char *name, void (*expired)(void *argument),
                         void *argument, uint32_t initial_ticks, uint32_t reschedule_ticks)
{
    const uint32_t auto_activate = 1;
    uint32_t primask = port_lock();
    *timer = (struct TX_TIMER_STRUCT){.tx_timer_name = name,
                                      .tx_timer_internal = {.tx_timer_internal_re_initialize_ticks = reschedule_ticks,
                                                            .tx_timer_internal_timeout_function = expired,
                                                            .tx_timer_internal_timeout_param = argument}};
    OBJECT_CREATED(timer, timer, timer, 0x4154494Du); /* ATIM */
    txtap_trace_object_register(TXTAP_TRACE_OBJECT_TIMER, timer, name, initial_ticks, reschedule_ticks);
    trace_event(TRACE_TIMER_CREATE, port_address(timer), initial_ticks, reschedule_ticks, auto_activate,
                TXTAP_TRACE_CLASS_TIMER);
    timer_arm(&timer->tx_timer_internal, initial_ticks);
    port_unlock(primask);
}

void kernel_timer_deactivate(struct TX_TIMER_STRUCT *timer)
{
    uint32_t primask = port_lock();
    trace_event(TRACE_TIMER_DEACTIVATE, port_address(timer), port_stack_pointer(), 0, 0, TXTAP_TRACE_CLASS_TIMER);
    timer_disarm(&timer->tx_timer_internal);
    port_unlock(primask);
}
