/* SPDX-License-Identifier: MIT */
/*
 * A sample program to trace. A timer gives a semaphore. A producer takes the semaphore, locks a mutex, and puts a
 * message into a queue. Every fourth time, the producer triggers an interrupt, and the interrupt's handler wakes a
 * third thread. A consumer gets the messages. sample_counts counts all of these actions, for comparison with the trace.
 */
#if __has_include(<zephyr/kernel.h>)
#include <zephyr/irq.h>
#include <zephyr/kernel.h>
#include <zephyr/tracing/tracing.h>
#else
#include <irq.h>
#include <kernel.h>
#include <tracing/tracing.h>
#endif

#include "txtap_trace.h"

#define NVIC_ISPR        0xE000E200u /* a store of 1 bits sets the interrupts of these bits pending */
#define PERIOD_MS        10
#define EVENT_ROUND      4096 /* user event; words: round, number of messages received */
#define STACK_BYTES      1024
#define PRIORITY(number) K_PRIO_PREEMPT(number)

struct sample_counts {
    uint32_t rounds;          /* rounds of the producer */
    uint32_t tick_gives;      /* how often the timer's expiry function gave tick_sem */
    uint32_t interrupts;      /* handled interrupts */
    uint32_t interrupt_gives; /* how often the handler gave irq_sem */
    uint32_t messages_put;
    uint32_t messages_got;
    uint32_t locks; /* how often a thread locked the mutex */
    uint32_t user_events;
    uint32_t done; /* 1: the last round is over, and the counts no longer change */
} volatile sample_counts;

K_SEM_DEFINE(tick_sem, 0, 1);
K_SEM_DEFINE(irq_sem, 0, 8);
K_MSGQ_DEFINE(messages, sizeof(uint32_t), 4, 4);
K_MUTEX_DEFINE(work_mutex);
static struct k_timer tick_timer;

static void tick_expired(struct k_timer *timer)
{
    ARG_UNUSED(timer);
    k_sem_give(&tick_sem);
    sample_counts.tick_gives++;
}

static void irq_handler(const void *argument)
{
    ARG_UNUSED(argument);
    sample_counts.interrupts++;
    k_sem_give(&irq_sem);
    sample_counts.interrupt_gives++;
}

/* Triggers a real interrupt, if software can trigger interrupts on this processor. */
static void irq_raise(void)
{
#ifdef CONFIG_CPU_CORTEX_M
    sys_write32(BIT(CONFIG_SAMPLE_IRQ % 32), NVIC_ISPR + CONFIG_SAMPLE_IRQ / 32 * 4);
#else
    unsigned int key = irq_lock();
    irq_handler(NULL);
    irq_unlock(key);
#endif
}

static void irq_prepare(void)
{
#ifdef CONFIG_CPU_CORTEX_M
    IRQ_CONNECT(CONFIG_SAMPLE_IRQ, 1, irq_handler, NULL, 0);
    irq_enable(CONFIG_SAMPLE_IRQ);
#endif
}

static void work_in_mutex(void)
{
    k_mutex_lock(&work_mutex, K_FOREVER);
    sample_counts.locks++;
    k_busy_wait(50);
    k_mutex_unlock(&work_mutex);
}

static void round_do(uint32_t round)
{
    k_sem_take(&tick_sem, K_FOREVER);
    work_in_mutex();
    k_msgq_put(&messages, &round, K_FOREVER);
    sample_counts.messages_put++;
    txtap_trace_user_event_insert(EVENT_ROUND, round, sample_counts.messages_got, 0, 0);
    sample_counts.user_events++;
#ifdef sys_trace_named_event
    sys_trace_named_event("round", round, sample_counts.messages_got);
#endif
    if (round % 4 == 0)
        irq_raise();
    sample_counts.rounds++;
}

static void producer(void *a, void *b, void *c)
{
    ARG_UNUSED(a);
    ARG_UNUSED(b);
    ARG_UNUSED(c);
    k_msleep(CONFIG_SAMPLE_DELAY_MS);
    k_timer_init(&tick_timer, tick_expired, NULL);
    k_timer_start(&tick_timer, K_MSEC(PERIOD_MS), K_MSEC(PERIOD_MS));
    for (uint32_t round = 0; CONFIG_SAMPLE_ROUNDS == 0 || round < CONFIG_SAMPLE_ROUNDS; round++)
        round_do(round);
    k_timer_stop(&tick_timer);
    k_msleep(100); /* wait until the other threads have finished */
    sample_counts.done = 1;
}

static void consumer(void *a, void *b, void *c)
{
    uint32_t round;
    ARG_UNUSED(a);
    ARG_UNUSED(b);
    ARG_UNUSED(c);
    while (k_msgq_get(&messages, &round, K_FOREVER) == 0) {
        work_in_mutex();
        sample_counts.messages_got++;
    }
}

static void watcher(void *a, void *b, void *c)
{
    ARG_UNUSED(a);
    ARG_UNUSED(b);
    ARG_UNUSED(c);
    irq_prepare();
    while (k_sem_take(&irq_sem, K_FOREVER) == 0) {
        k_yield();
    }
}

K_THREAD_DEFINE(producer_thread, STACK_BYTES, producer, NULL, NULL, NULL, PRIORITY(3), 0, 0);
K_THREAD_DEFINE(consumer_thread, STACK_BYTES, consumer, NULL, NULL, NULL, PRIORITY(4), 0, 0);
K_THREAD_DEFINE(watcher_thread, STACK_BYTES, watcher, NULL, NULL, NULL, PRIORITY(5), 0, 0);
