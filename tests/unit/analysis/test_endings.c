/* SPDX-License-Identifier: MIT */
/* Why a wait ends: which services serve which waiting threads. Without such a service, a wait ends with a timeout or
 * not at all. The timer thread calls the services of application timers and also ends waits that have timed out, and no
 * event separates the two. */
#include <criterion/criterion.h>
#include <string.h>

#include "analysis/made_trace.h"

#define A     0x20000100u
#define B     0x20000200u
#define MAKER 0x20000300u
#define Q     0x20001000u
#define S     0x20002000u
#define F     0x20003000u
#define POOL  0x20004000u
#define BYTES 0x20005000u

static const struct figure_list *list;

static void resume(uint64_t ticks, uint32_t by, uint32_t thread, uint32_t reason, uint32_t next)
{
    made_event(ticks, by, EVENT_THREAD_RESUME, thread, reason, 0, next);
}

static void suspend(uint64_t ticks, uint32_t thread, uint32_t reason, uint32_t next)
{
    made_event(ticks, thread, EVENT_THREAD_SUSPEND, thread, reason, 0, next);
}

/* Begins a trace. At 10, A calls a service and waits. At 50 the timer thread runs. */
static void begin(uint32_t id, uint32_t object, uint32_t i2, uint32_t i3, uint32_t i4, uint32_t reason)
{
    made_begin(&(struct txtap_analysis_options){0});
    made_priority(MADE_TIMER, 0);
    made_event(0, A, EVENT_QUEUE_CREATE, Q, 1, 0, 8); /* room for two messages */
    made_event(1, A, EVENT_FLAGS_CREATE, F, 0, 0, 0);
    made_event(10, A, id, object, i2, i3, i4);
    suspend(12, A, reason, 0);
    made_interrupt(50, 0, EVENT_THREAD_RESUME, MADE_TIMER, REASON_SUSPENDED, 0, MADE_TIMER);
}

/* Ends the trace. At 60 the timer thread calls a service, and at 62 A is resumed. */
static void end(uint32_t id, uint32_t object, uint32_t i2, uint32_t i3, uint32_t i4, uint32_t reason)
{
    made_event(60, MADE_TIMER, id, object, i2, i3, i4);
    resume(62, MADE_TIMER, A, reason, MADE_TIMER);
    suspend(64, MADE_TIMER, REASON_SUSPENDED, A);
    suspend(70, A, REASON_SLEEP, 0);
    list = made_end();
}

/* Returns how A's wait ended: the detail of the figure "woken_by". */
static const char *ended(void)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->figures[i].name, "woken_by") == 0 && list->figures[i].subject.number == A)
            return list->figures[i].detail;
    return NULL;
}

#define TIMED_OUT() cr_expect_str_eq(ended(), "timeout")
#define SERVED()    cr_expect_str_eq(ended(), "")

static void receive(void)
{
    begin(EVENT_QUEUE_RECEIVE, Q, 0, 5, 0, REASON_QUEUE);
}

static void send(void)
{
    begin(EVENT_QUEUE_SEND, Q, 0, 5, 2, REASON_QUEUE);
}

Test(endings, receivers_are_served_by_sends)
{
    static const uint32_t sends[] = {EVENT_QUEUE_SEND, EVENT_QUEUE_FRONT_SEND};

    for (int i = 0; i < 2; i++) {
        receive();
        end(sends[i], Q, 0, 0, 0, REASON_QUEUE);
        SERVED();
        cr_expect_eq(made_stat("handed_over", Q, TXTAP_STAT_VALUE), 1);
    }
    receive();
    end(EVENT_QUEUE_RECEIVE, Q, 0, 0, 0, REASON_QUEUE);
    TIMED_OUT();
    receive();
    end(EVENT_QUEUE_FLUSH, Q, 0, 0, 0, REASON_QUEUE);
    TIMED_OUT();
    receive();
    end(EVENT_QUEUE_DELETE, Q, 0, 0, 0, REASON_QUEUE);
    cr_expect_str_eq(ended(), "deleted");
}

Test(endings, senders_are_served_by_receives)
{
    send();
    end(EVENT_QUEUE_SEND, Q, 0, 0, 2, REASON_QUEUE);
    TIMED_OUT();
    cr_expect_eq(made_stat("send_failed", Q, TXTAP_STAT_VALUE), 1);
    cr_expect_eq(made_stat("handed_over", Q, TXTAP_STAT_VALUE), 0);
    send();
    end(EVENT_QUEUE_RECEIVE, Q, 0, 0, 2, REASON_QUEUE);
    SERVED();
    send();
    end(EVENT_QUEUE_FLUSH, Q, 0, 0, 0, REASON_QUEUE);
    SERVED();
}

Test(endings, waits_for_a_semaphore_are_served_by_puts)
{
    begin(EVENT_SEMAPHORE_GET, S, 5, 0, 0, REASON_SEMAPHORE);
    end(EVENT_SEMAPHORE_PUT, S, 0, 1, 0, REASON_SEMAPHORE);
    SERVED();
    begin(EVENT_SEMAPHORE_GET, S, 5, 0, 0, REASON_SEMAPHORE);
    end(EVENT_SEMAPHORE_PUT, S, 0, 0, 0, REASON_SEMAPHORE); /* no thread waits for the semaphore any more */
    TIMED_OUT();
    cr_expect_eq(made_stat("put_woke", S, TXTAP_STAT_VALUE), 0);
    begin(EVENT_SEMAPHORE_GET, S, 5, 0, 0, REASON_SEMAPHORE);
    end(EVENT_SEMAPHORE_PUT, S + 0x100, 0, 1, 0, REASON_SEMAPHORE);
    TIMED_OUT();
    begin(EVENT_SEMAPHORE_GET, S, 5, 0, 0, REASON_SEMAPHORE);
    end(EVENT_SEMAPHORE_CEILING_PUT, S, 0, 1, 1, REASON_SEMAPHORE);
    SERVED();
    begin(EVENT_SEMAPHORE_GET, S, 5, 0, 0, REASON_SEMAPHORE);
    end(EVENT_SEMAPHORE_CEILING_PUT, S, 1, 0, 1, REASON_SEMAPHORE);
    TIMED_OUT();
    cr_expect_eq(made_stat("put_failed", S, TXTAP_STAT_VALUE), 1);
    begin(EVENT_SEMAPHORE_GET, S, 5, 0, 0, REASON_SEMAPHORE);
    end(EVENT_SEMAPHORE_DELETE, S, 0, 0, 0, REASON_SEMAPHORE);
    cr_expect_str_eq(ended(), "deleted");
}

/* Records that A waits for flags, and that the timer thread sets flags. */
static void flags(uint32_t asked, uint32_t option, uint32_t set, uint32_t set_option)
{
    begin(EVENT_FLAGS_GET, F, asked, 0, option, REASON_FLAGS);
    end(EVENT_FLAGS_SET, F, set, set_option, 1, REASON_FLAGS);
}

Test(endings, waits_for_event_flags_are_served_by_sets)
{
    flags(6, 0, 1, 0);
    TIMED_OUT();
    cr_expect_eq(made_stat("set_woke", F, TXTAP_STAT_VALUE), 0);
    flags(6, 0, 2, 0); /* any of the flags */
    SERVED();
    flags(6, 2, 2, 0); /* all of the flags */
    TIMED_OUT();
    flags(6, 3, 7, 0);
    SERVED();
    flags(6, 0, 6, 2); /* clears all other flags */
    TIMED_OUT();
}

/* Flag 2 is already set when A starts to wait for flags 2 and 4. A clears both flags when it gets them. */
Test(endings, flags_that_were_set_earlier_count)
{
    for (int cleared = 0; cleared < 2; cleared++) {
        made_begin(&(struct txtap_analysis_options){0});
        made_priority(MADE_TIMER, 0);
        made_event(1, A, EVENT_FLAGS_SET, F, 2, 0, 0);
        made_event(10, A, EVENT_FLAGS_GET, F, 6, 2, 3);
        suspend(12, A, REASON_FLAGS, B);
        if (cleared)
            made_event(20, B, EVENT_FLAGS_SET, F, 4, 2, 1);
        suspend(30, B, REASON_SLEEP, 0);
        made_interrupt(50, 0, EVENT_THREAD_RESUME, MADE_TIMER, REASON_SUSPENDED, 0, MADE_TIMER);
        end(EVENT_FLAGS_SET, F, 4, 0, 1, REASON_FLAGS);
        cr_expect_str_eq(ended(), cleared ? "timeout" : "");
    }
}

Test(endings, waits_for_memory_are_served_by_releases)
{
    begin(EVENT_BLOCK_ALLOCATE, POOL, 0, 5, 0, REASON_BLOCK_POOL);
    end(EVENT_BLOCK_RELEASE, POOL, 0x20008000, 1, 0, REASON_BLOCK_POOL);
    SERVED();
    begin(EVENT_BLOCK_ALLOCATE, POOL, 0, 5, 0, REASON_BLOCK_POOL);
    end(EVENT_BLOCK_RELEASE, POOL, 0x20008000, 0, 0, REASON_BLOCK_POOL);
    TIMED_OUT();
    begin(EVENT_BYTE_ALLOCATE, BYTES, 0, 100, WAIT_FOREVER, REASON_BYTE_POOL);
    end(EVENT_BYTE_RELEASE, BYTES, 0x20008000, 1, 200, REASON_BYTE_POOL);
    SERVED();
    begin(EVENT_BYTE_ALLOCATE, BYTES, 0, 100, 5, REASON_BYTE_POOL);
    end(EVENT_BYTE_RELEASE, BYTES, 0x20008000, 0, 200, REASON_BYTE_POOL);
    TIMED_OUT();
}

Test(endings, an_abort_affects_only_the_named_thread)
{
    begin(EVENT_SEMAPHORE_GET, S, 5, 0, 0, REASON_SEMAPHORE);
    end(EVENT_THREAD_WAIT_ABORT, A, REASON_SEMAPHORE, 0, 0, REASON_SEMAPHORE);
    cr_expect_str_eq(ended(), "aborted");
    begin(EVENT_SEMAPHORE_GET, S, 5, 0, 0, REASON_SEMAPHORE);
    end(EVENT_THREAD_WAIT_ABORT, B, REASON_QUEUE, 0, 0, REASON_SEMAPHORE);
    TIMED_OUT();
    begin(EVENT_SEMAPHORE_GET, S, 5, 0, 0, REASON_SEMAPHORE);
    end(EVENT_THREAD_TERMINATE, B, 0, 0, 0, REASON_SEMAPHORE);
    TIMED_OUT();
}

/* An interrupt puts a semaphore for which B waits. Later, in another interrupt, A's wait times out. */
Test(endings, services_of_an_interrupt_end_when_a_thread_runs)
{
    made_begin(&(struct txtap_analysis_options){0});
    made_event(10, A, EVENT_SEMAPHORE_GET, S, 5, 0, 0);
    suspend(12, A, REASON_SEMAPHORE, B);
    made_interrupt(20, B, EVENT_SEMAPHORE_PUT, S, 0, 1, 0);
    made_event(30, B, EVENT_RUNNING, 0, 0, 0, 0);
    made_interrupt(940, B, EVENT_THREAD_RESUME, A, REASON_SEMAPHORE, 0, B);
    made_event(950, B, EVENT_RUNNING, 0, 0, 0, 0);
    list = made_end();
    TIMED_OUT();
    cr_expect_eq(made_stat("put_woke", S, TXTAP_STAT_VALUE), 0);
    cr_expect_eq(made_stat("timeout_wait", S, TXTAP_STAT_SUM), 940 - 12);
}

/* Another interrupt comes between a put and the resumption that it causes, and puts another semaphore. */
Test(endings, an_interrupt_continues_after_a_nested_interrupt)
{
    made_begin(&(struct txtap_analysis_options){0});
    made_event(10, A, EVENT_SEMAPHORE_GET, S, 5, 0, 0);
    suspend(12, A, REASON_SEMAPHORE, B);
    made_interrupt(20, B, EVENT_ISR_ENTER, 0, 30, 1, 0);
    made_interrupt(21, B, EVENT_SEMAPHORE_PUT, S, 0, 1, 0);
    made_interrupt(22, B, EVENT_ISR_ENTER, 0, 31, 2, 0);
    made_interrupt(23, B, EVENT_SEMAPHORE_PUT, S + 0x100, 0, 0, 0);
    made_interrupt(24, B, EVENT_ISR_EXIT, 0, 31, 2, 0);
    made_interrupt(25, B, EVENT_THREAD_RESUME, A, REASON_SEMAPHORE, 0, B);
    made_interrupt(26, B, EVENT_ISR_EXIT, 0, 30, 1, 0);
    made_event(30, B, EVENT_RUNNING, 0, 0, 0, 0);
    list = made_end();
    SERVED();
    cr_expect_eq(made_stat("put_woke", S, TXTAP_STAT_VALUE), 1);
    cr_expect_eq(made_stat("wait", S, TXTAP_STAT_SUM), 25 - 12);
}
