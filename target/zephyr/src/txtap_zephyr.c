/* SPDX-License-Identifier: MIT */
/*
 * Records Zephyr's hooks as events: Zephyr's own events, thread switches, interrupts. Services that ThreadX also has
 * are in txtap_zephyr_services.c. The registry is in txtap_zephyr_objects.c. Only the port header knows Zephyr's data
 * structures.
 */
#define DISABLE_SYSCALL_TRACING /* do not trace the recorder's own actions */

#include "txtap_zephyr_internal.h"

/* The class of each kind of Zephyr's own events, as a bit number. Numbers up to 10 are ThreadX's classes, larger
 * numbers are TXTAP_ZEPHYR_CLASS_*. */
static const uint8_t class_bits[] = {
    [0x00] = 8,  /* threads */
    [0x01] = 0,  /* scheduler */
    [0x02] = 11, /* work items */
    [0x03] = 11, /* work queues */
    [0x04] = 11, /* delayable work */
    [0x05] = 19, /* triggered work */
    [0x06] = 19, /* polling */
    [0x07] = 7,  /* semaphores */
    [0x08] = 5,  /* mutexes */
    [0x09] = 12, /* condition variables */
    [0x0a] = 13, /* queues */
    [0x0b] = 14, /* FIFOs */
    [0x0c] = 15, /* LIFOs */
    [0x0d] = 16, /* stacks */
    [0x0e] = 6,  /* message queues */
    [0x0f] = 17, /* mailboxes */
    [0x10] = 18, /* pipes */
    [0x11] = 2,  /* heaps of the application */
    [0x12] = 2,  /* the system heap */
    [0x13] = 1,  /* memory slabs */
    [0x14] = 10, /* timers */
    [0x15] = 3,  /* event objects */
    [0x16] = 20, /* power management of the system */
    [0x17] = 20, /* power management of devices */
    [0x18] = 21, /* networking */
    [0x19] = 22, /* sockets */
    [0x1a] = 23, /* GPIO pins */
    [0x1b] = 23, /* GPIO ports */
    [0x1c] = 23, /* GPIO callbacks */
    [0x1d] = 24, /* RTIO */
    [0x1e] = 25, /* system calls */
    [0x1f] = 4,  /* interrupts */
    [0x20] = 26, /* idle */
    [0x21] = 27, /* initialization */
    [0x22] = 31, /* named events */
};

/* The reason of the wait that begins after a blocking event. Index: kind of the event. */
static const uint8_t wait_states[sizeof(class_bits)] = {
    [0x06] = TXTAP_ZEPHYR_STATE_FLAGS, [0x07] = TXTAP_ZEPHYR_STATE_SEMAPHORE, [0x08] = TXTAP_ZEPHYR_STATE_MUTEX,
    [0x0a] = TXTAP_ZEPHYR_STATE_QUEUE, [0x0b] = TXTAP_ZEPHYR_STATE_QUEUE,     [0x0c] = TXTAP_ZEPHYR_STATE_QUEUE,
    [0x0d] = TXTAP_ZEPHYR_STATE_QUEUE, [0x0e] = TXTAP_ZEPHYR_STATE_QUEUE,     [0x0f] = TXTAP_ZEPHYR_STATE_QUEUE,
    [0x10] = TXTAP_ZEPHYR_STATE_QUEUE, [0x11] = TXTAP_ZEPHYR_STATE_BYTE,      [0x12] = TXTAP_ZEPHYR_STATE_BYTE,
    [0x13] = TXTAP_ZEPHYR_STATE_BLOCK, [0x15] = TXTAP_ZEPHYR_STATE_FLAGS,     [0x19] = TXTAP_ZEPHYR_STATE_NET,
};

/*
 * State of the running thread since it was switched in. It is written with interrupts locked, except wait_state. If
 * another thread runs between the beginning of a sleep and the switch of the sleep, wait_state is lost. Then the
 * SUSPEND event only shows the state "suspended".
 */
static struct {
    uint8_t wait_state;                /* expected reason of the running thread's next wait, 0 = unknown */
    uint8_t suspended;                 /* the running thread's SUSPEND event is in the ring */
    struct txtap_trace_entry *suspend; /* the SUSPEND event if it still needs the next thread; otherwise NULL */
    uint32_t suspend_stamp;
} leaving;

/* ------------------------------------------------------------------------------------------------ words */

uint32_t txtap_zephyr_ticks(long long ticks)
{
    if (ticks == -1) {
        return TXTAP_ZEPHYR_TICKS_FOREVER;
    }
    if (ticks < 0 || ticks >= (long long)TXTAP_ZEPHYR_TICKS_MORE) {
        return TXTAP_ZEPHYR_TICKS_MORE;
    }
    return (uint32_t)ticks;
}

uint32_t zephyr_priority(int priority)
{
    return (uint32_t)(priority + TXTAP_ZEPHYR_PORT_PRIORITY_BIAS);
}

/* ------------------------------------------------------------------------------------------- own events */

static uint32_t kind_index(uint32_t id)
{
    uint32_t index = (id >> 8) - 0x80u;
    return index < sizeof(class_bits) ? index : sizeof(class_bits) - 1;
}

/*
 * Records an event, unless in user mode, which has no access to the ring. The function is inline, so that an event
 * takes only one call more than in ThreadX, not two.
 */
static inline __attribute__((always_inline)) void record(uint32_t id, uint32_t word1, uint32_t word2, uint32_t word3,
                                                         uint32_t word4)
{
    if (!txtap_zephyr_port_user_mode()) {
        txtap_trace_event_insert(id, word1, word2, word3, word4, 1u << class_bits[kind_index(id)]);
    }
}

void txtap_zephyr_event4(uint32_t id, uint32_t word1, uint32_t word2, uint32_t word3, uint32_t word4)
{
    record(id, word1, word2, word3, word4);
}

void txtap_zephyr_event0(uint32_t id)
{
    record(id, 0, 0, 0, 0);
}

void txtap_zephyr_event1(uint32_t id, uint32_t word1)
{
    record(id, word1, 0, 0, 0);
}

void txtap_zephyr_event2(uint32_t id, uint32_t word1, uint32_t word2)
{
    record(id, word1, word2, 0, 0);
}

void txtap_zephyr_event3(uint32_t id, uint32_t word1, uint32_t word2, uint32_t word3)
{
    record(id, word1, word2, word3, 0);
}

void txtap_zephyr_result0(uint32_t id, uint32_t result)
{
    record(id, 0, 0, 0, result);
}

void txtap_zephyr_result1(uint32_t id, uint32_t word1, uint32_t result)
{
    record(id, word1, 0, 0, result);
}

void txtap_zephyr_result2(uint32_t id, uint32_t word1, uint32_t word2, uint32_t result)
{
    record(id, word1, word2, 0, result);
}

void txtap_zephyr_blocking(uint32_t id, uint32_t word1, uint32_t word2, uint32_t word3, uint32_t word4)
{
    record(id, word1, word2, word3, word4);
    zephyr_will_wait(wait_states[kind_index(id)]);
}

void zephyr_will_wait(enum txtap_zephyr_state state)
{
    leaving.wait_state = (uint8_t)state;
}

/* ---------------------------------------------------------------------------------------- the scheduler */

uint32_t txtap_zephyr_start(void *buffer, uint32_t buffer_bytes, uint32_t registry_entries)
{
    zephyr_names_forget();
    return txtap_trace_enable(buffer, buffer_bytes, registry_entries);
}

void txtap_zephyr_kernel_started(void)
{
    txtap_trace_system_state = 0;
}

/*
 * Records SUSPEND. In ThreadX, the SUSPEND event contains the next thread. Here the next thread is known only when it
 * is switched in. When another thread is suspended, the running thread keeps running, so it is the next thread.
 */
static void suspend_insert(const void *thread, uint32_t state)
{
    const void *current = txtap_zephyr_port_current();
    uint32_t next = thread == current ? 0 : zephyr_word(current);
    struct txtap_trace_entry *entry = txtap_trace_event_insert(TXTAP_TRACE_EVENT_THREAD_SUSPEND, zephyr_word(thread),
                                                               state, zephyr_stack(), next, TXTAP_TRACE_CLASS_INTERNAL);
    if (thread == current) {
        leaving.suspended = 1;
        leaving.suspend = entry;
        leaving.suspend_stamp = entry != NULL ? entry->stamp : 0;
    }
}

/* Records SUSPEND. For the running thread, the event contains the expected reason of its wait, if this reason is known.
 * Otherwise the event contains `state`. */
static void suspend(const void *thread, uint32_t state)
{
    if (leaving.wait_state != 0 && thread == txtap_zephyr_port_current()) {
        state = leaving.wait_state;
    }
    suspend_insert(thread, state);
}

void txtap_zephyr_sched_pend(const void *thread)
{
    suspend(thread, TXTAP_ZEPHYR_STATE_SUSPENDED);
}

void txtap_zephyr_sched_suspend(const void *thread)
{
    suspend(thread, TXTAP_ZEPHYR_STATE_SUSPENDED);
}

void txtap_zephyr_sched_ready(const void *thread)
{
    txtap_trace_event_insert(TXTAP_TRACE_EVENT_THREAD_RESUME, zephyr_word(thread),
                             txtap_zephyr_port_thread_state(thread), zephyr_stack(), 0, TXTAP_TRACE_CLASS_INTERNAL);
}

void txtap_zephyr_switched_out(void)
{
    const void *thread = txtap_zephyr_port_current();
    uint32_t state = thread != NULL ? txtap_zephyr_port_thread_state(thread) : TXTAP_ZEPHYR_STATE_READY;
    /* In some versions, and for some kinds of wait, no hook is called before the switch. So record the suspension
     * here. */
    if (!leaving.suspended && state != TXTAP_ZEPHYR_STATE_READY) {
        suspend(thread, state);
    }
    txtap_zephyr_event0(TXTAP_ZEPHYR_ID_k_thread_switched_out);
}

void txtap_zephyr_switched_in(void)
{
    txtap_trace_system_state = 0;
    if (leaving.suspend != NULL) {
        txtap_trace_event_patch(leaving.suspend, leaving.suspend_stamp, 3, zephyr_word(txtap_zephyr_port_current()));
    }
    leaving.suspend = NULL;
    leaving.suspended = 0;
    leaving.wait_state = 0;
    txtap_trace_event_insert(TXTAP_TRACE_EVENT_RUNNING, 0, 0, 0, 0, TXTAP_TRACE_CLASS_INTERNAL);
}

/* --------------------------------------------------------------------------------- interrupts and idle */

static void isr_insert(uint32_t id)
{
    txtap_trace_event_insert(id, zephyr_stack(), txtap_zephyr_port_exception(), TXTAP_TRACE_CONTEXT_STATE(),
                             TXTAP_TRACE_CONTEXT_PREEMPT(), TXTAP_TRACE_CLASS_INTERRUPT);
}

void txtap_zephyr_isr_enter(void)
{
    isr_insert(TXTAP_TRACE_EVENT_ISR_ENTER);
}

void txtap_zephyr_isr_exit(void)
{
    isr_insert(TXTAP_TRACE_EVENT_ISR_EXIT);
}

/* Some architectures call this function instead of txtap_zephyr_isr_exit(). */
void txtap_zephyr_isr_exit_to_scheduler(void)
{
    isr_insert(TXTAP_TRACE_EVENT_ISR_EXIT);
}

void txtap_zephyr_idle(void)
{
    txtap_zephyr_event0(TXTAP_ZEPHYR_ID_idle);
}

void txtap_zephyr_idle_exit(void)
{
    txtap_zephyr_event0(TXTAP_ZEPHYR_ID_idle_exit);
}
