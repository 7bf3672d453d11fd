/* SPDX-License-Identifier: MIT */
/* The words for figures whose names are not plain. */
#include "figures/words.h"

#include <stddef.h>

#define WORDS(id, name, words)                                                                                         \
    {                                                                                                                  \
        TXTAP_FIGURE_##id, words " (" name ")"                                                                         \
    }

static const struct {
    enum txtap_figure_id id;
    const char *words;
} table[] = {
    WORDS(WAKE, "wake", "wake-up latency"),
    WORDS(FIRST_RUN, "first_run", "wake-up latency of threads that the initialization resumed"),
    WORDS(READY, "ready", "waits for a core"),
    WORDS(WAKE_BY, "wake_by", "wake-up latency by waker"),
    WORDS(RUN, "run", "run time of a job"),
    WORDS(RESPONSE, "response", "response time of a job"),
    WORDS(RESPONSE_READY, "response_ready", "response time: waiting for a core"),
    WORDS(RESPONSE_INTERRUPTED, "response_interrupted", "response time: interrupted"),
    WORDS(RESPONSE_MUTEX, "response_mutex", "response time: waiting for a mutex"),
    WORDS(PATH, "path", "from the interrupt to the end of the job"),
    WORDS(PERIOD, "period", "from job to job"),
    WORDS(JITTER, "jitter", "longest period minus shortest"),
    WORDS(DEVIATION, "deviation", "standard deviation of the period"),
    WORDS(DISPATCH_PERIOD, "dispatch_period", "from first run to first run"),
    WORDS(DISPATCH_JITTER, "dispatch_jitter", "first run: longest period minus shortest"),
    WORDS(DISPATCH_DEVIATION, "dispatch_deviation", "first run: standard deviation of the period"),
    WORDS(BLOCK, "block", "waits of a thread"),
    WORDS(WAITS, "waits", "waits of all threads"),
    WORDS(TIME, "time", "share of the time in each state"),
    WORDS(STACK_OUTSIDE, "stack_outside", "stack pointer outside the stack"),
    WORDS(DEPTH, "depth", "most messages"),
    WORDS(DEPTH_MEAN, "depth_mean", "mean number of messages"),
    WORDS(FULL, "full", "time full"),
    WORDS(EMPTY, "empty", "time empty"),
    WORDS(SEND_BLOCKED, "send_blocked", "sends that waited"),
    WORDS(RECEIVE_BLOCKED, "receive_blocked", "receives that waited"),
    WORDS(HANDED_OVER, "handed_over", "sends that woke a receiver"),
    WORDS(SEND_FAILED, "send_failed", "sends that failed"),
    WORDS(RECEIVE_FAILED, "receive_failed", "receives without a message"),
    WORDS(HOLD, "hold", "how long a thread holds it"),
    WORDS(WAIT, "wait", "waits that were served"),
    WORDS(CONTENDED, "contended", "gets that found another owner"),
    WORDS(RECURSIVE, "recursive", "gets by the owner itself"),
    WORDS(FAILED_GETS, "failed_gets", "gets that failed"),
    WORDS(TIMEOUTS, "timeouts", "waits that timed out"),
    WORDS(ABOVE_ONE, "above_one", "puts that made the count more than one"),
    WORDS(WAITS_FOR, "waits_for", "waits by owner"),
    WORDS(INVERSION, "inversion", "waits for a thread of lower priority"),
    WORDS(UNBOUNDED, "unbounded", "unbounded inversions"),
    WORDS(UNBOUNDED_BY, "unbounded_by", "unbounded: third threads ran"),
    WORDS(UNBOUNDED_ON, "unbounded_on", "unbounded: waits for mutexes"),
    WORDS(ISR, "isr", "duration"),
    WORDS(ISR_SELF, "isr_self", "duration without nested interrupts"),
    WORDS(ISR_INTERVAL, "isr_interval", "from one interrupt to the next"),
    WORDS(ISR_LOAD, "isr_load", "share of the time"),
    WORDS(ISR_ENTERED, "isr_entered", "interrupts with enter event"),
    WORDS(ISR_NESTED, "isr_nested", "nested interrupts"),
    WORDS(ISR_BURSTS, "isr_bursts", "interrupts without enter event, at least"),
    WORDS(ISR_WITHOUT_EXIT, "isr_without_exit", "interrupts without exit event"),
    WORDS(ISR_DEPTH, "isr_depth", "deepest nesting"),
    WORDS(COUNT, "count", "highest count"),
    WORDS(GET_BLOCKED, "get_blocked", "gets that waited"),
    WORDS(GET_AT_ONCE, "get_at_once", "gets that did not wait"),
    WORDS(GET_FAILED, "get_failed", "gets that got nothing"),
    WORDS(GET_FAILED_OR_POLLED, "get_failed_or_polled", "gets that got nothing, perhaps"),
    WORDS(PUT_WOKE, "put_woke", "puts that woke a thread"),
    WORDS(SET_WOKE, "set_woke", "sets that woke a thread"),
    WORDS(PUT_FAILED, "put_failed", "puts that failed"),
    WORDS(SET_UNHEARD, "set_unheard", "sets without a waiting thread"),
    WORDS(WOKEN, "woken", "threads woken"),
    WORDS(TIMEOUT_WAIT, "timeout_wait", "waits that timed out"),
    WORDS(DEADLOCK, "deadlock", "duration of deadlocks"),
    WORDS(DEADLOCK_FOR_EVER, "deadlock_for_ever", "deadlocks without a time limit"),
    WORDS(DEADLOCK_MEMBER, "deadlock_member", "threads in a deadlock, and their mutexes"),
    WORDS(AVAILABLE, "available", "least that was free"),
    WORDS(POOL_SIZE, "pool_size", "size"),
    WORDS(OUTSTANDING, "outstanding", "allocated and not released"),
    WORDS(HELD, "held", "not released, by thread"),
    WORDS(HELD_BYTES, "held_bytes", "bytes not released, by thread"),
    WORDS(ALLOC_FAILED, "alloc_failed", "allocations that failed"),
    WORDS(ALLOC_BLOCKED, "alloc_blocked", "allocations that waited"),
    WORDS(LEAK, "leak", "blocks that leak"),
    WORDS(LIFETIME, "lifetime", "from allocation to release"),
    WORDS(SWITCHES_TO_THREAD, "switches_to_thread", "switches to a thread"),
    WORDS(SWITCHES_TO_IDLE, "switches_to_idle", "switches to idle"),
    WORDS(TIME_SLICES, "time_slices", "time slices that ended"),
    WORDS(TIME_SLICE_SWITCHES, "time_slice_switches", "switches by a time slice"),
    WORDS(RELINQUISH_SWITCHES, "relinquish_switches", "switches by tx_thread_relinquish"),
    WORDS(PREEMPTED, "preempted", "how often it lost its core"),
    WORDS(DISPLACED, "displaced", "which thread took the core"),
    WORDS(BETWEEN_UNFINISHED, "between_unfinished", "without a second event"),
    WORDS(NOMINAL, "nominal", "given period"),
    WORDS(PERIOD_ERROR, "period_error", "difference from the given period"),
    WORDS(MISSED, "missed", "missing starts"),
    WORDS(EXTRA, "extra", "starts too soon"),
    WORDS(FAILED, "failed", "calls without result"),
    WORDS(FAILED_BY, "failed_by", "calls without result, by thread"),
    WORDS(CALLS, "calls", "events"),
    WORDS(CORE_BUSY, "core_busy", "busy"),
    WORDS(CORE_IDLE, "core_idle", "idle"),
    WORDS(CORES_BUSY, "cores_busy", "number of busy cores"),
    WORDS(MOVES, "moves", "moves between cores"),
    WORDS(PRIORITY_CHANGES, "priority_changes", "changes of priority"),
    WORDS(THRESHOLD_CHANGES, "threshold_changes", "changes of the preemption threshold"),
    WORDS(LIFE, "life", "from creation to end"),
    WORDS(LAST_VALUE, "last_value", "last value"),
    WORDS(STATE, "state", "time in each state, between samples"),
};

const char *figure_words(const struct txtap_figure *figure)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].id == figure->id)
            return table[i].words;
    return figure->name;
}
