/* SPDX-License-Identifier: MIT */
/* The tables of threads, interrupts and objects. For each table, one function gives the text of a cell. */
#include "top/tables.h"

#include <stdio.h>
#include <string.h>

enum amount_sign share_sign(const struct txtap_top_state *state)
{
    return state->window_gap || state->uncertain >= 0.05 ? AMOUNT_ABOUT : AMOUNT_EXACT;
}

enum amount_sign count_sign(const struct txtap_top_state *state)
{
    return state->window_gap ? AMOUNT_AT_LEAST : AMOUNT_EXACT;
}

enum amount_sign maximum_sign(const struct txtap_top_state *state)
{
    return state->gap ? AMOUNT_AT_LEAST : AMOUNT_EXACT;
}

static enum amount_sign percentile_sign(const struct txtap_top_state *state)
{
    return state->gap ? AMOUNT_ABOUT : AMOUNT_EXACT;
}

static const char *ticks(const struct txtap_top_state *state, enum amount_sign sign, double ticks, char *text)
{
    return amount_ticks(text, sign, ticks, state->tick_hz);
}

const char *longest(const struct txtap_top_state *state, const struct txtap_top_durations *of,
                    char text[GRID_TEXT_BYTES])
{
    if (of->at_least > of->max)
        return ticks(state, AMOUNT_AT_LEAST, of->at_least, text);
    return ticks(state, maximum_sign(state), of->max, text);
}

/* ---- threads ---- */

const char *thread_does(const struct txtap_top_state *state, const struct txtap_top_thread *thread,
                        char text[GRID_TEXT_BYTES])
{
    const char *late = thread->late ? " *" : "";

    (void)state;
    switch (thread->state) {
    case TXTAP_TOP_RUNNING:
        return "RUNNING";
    case TXTAP_TOP_READY:
        return "ready";
    case TXTAP_TOP_WAITING:
        snprintf(text, GRID_TEXT_BYTES, "%s%s", thread->waits, late);
        return text;
    case TXTAP_TOP_STATE_UNKNOWN:
        break;
    }
    return "?";
}

/* Writes the priority, such as "6". Writes "16/6" if a threshold or an inherited priority raises the thread's own
 * priority from 16 to 6. */
static const char *priority(const struct txtap_top_thread *thread, char *text)
{
    if (thread->priority < 0)
        return "?";
    if (thread->base >= 0 && thread->base > thread->priority)
        snprintf(text, GRID_TEXT_BYTES, "%.0f/%.0f", thread->base, thread->priority);
    else
        snprintf(text, GRID_TEXT_BYTES, "%.0f", thread->priority);
    return text;
}

static const char *stack(const struct txtap_top_thread *thread, char *text)
{
    if (thread->stack < 0)
        return "-";
    /* The value is always a lower bound, because it is measured only at events. The column's head shows this. */
    snprintf(text, GRID_TEXT_BYTES, "%.0f%%%s", thread->stack, thread->stack > 90 ? "!" : " ");
    return text;
}

enum {
    PRIO,
    THREAD,
    STATE,
    CPU,
    ACTIVATIONS,
    RUN_MAX,
    WAKE_99,
    PREEMPTIONS,
    STACK,
    READY,
    WAKE_MAX,
    RESPONSE_MAX,
    SINCE
};

static const struct grid_column thread_columns[] = {
    [PRIO] = {"PRIO", 2, 4, 8, false},        [THREAD] = {"THREAD", 0, 16, 22, false},
    [STATE] = {"STATE", 3, 14, 28, false},    [CPU] = {"CPU%", 1, 5, 5, true},
    [ACTIVATIONS] = {"ACT/s", 7, 6, 7, true}, [RUN_MAX] = {"RUNmax", 5, 8, 8, true},
    [WAKE_99] = {"WAKE99", 6, 8, 8, true},    [PREEMPTIONS] = {"PREEM/s", 8, 7, 7, true},
    [STACK] = {"STACK ", 4, 6, 6, true},      [READY] = {"READY%", 9, 6, 6, true},
    [WAKE_MAX] = {"WAKEmax", 10, 8, 8, true}, [RESPONSE_MAX] = {"RESPmax", 11, 8, 8, true},
    [SINCE] = {"SINCE", 12, 8, 8, true},
};

static const char *thread_cell(const struct txtap_top_state *state, size_t row, size_t column, char *text)
{
    const struct txtap_top_thread *thread = &state->threads[row];

    switch (column) {
    case PRIO:
        return priority(thread, text);
    case THREAD:
        return thread->name;
    case STATE:
        return thread_does(state, thread, text);
    case CPU:
        return amount_percent(text, share_sign(state), thread->cpu);
    case ACTIVATIONS:
        return amount_count(text, count_sign(state), thread->activations);
    case RUN_MAX:
        return longest(state, &thread->run, text);
    case WAKE_99:
        return ticks(state, percentile_sign(state), thread->wake.p99, text);
    case PREEMPTIONS:
        return amount_count(text, count_sign(state), thread->preemptions);
    case STACK:
        return stack(thread, text);
    case READY:
        return amount_percent(text, share_sign(state), thread->ready);
    case WAKE_MAX:
        return longest(state, &thread->wake, text);
    case RESPONSE_MAX:
        return longest(state, &thread->response, text);
    default:
        return ticks(state, AMOUNT_EXACT, thread->waiting, text);
    }
}

const struct grid_kind thread_grid = {thread_columns, sizeof thread_columns / sizeof *thread_columns, thread_cell};

/* ---- interrupts ---- */

enum { ISR_NUMBER, ISR_RATE, ISR_CPU, ISR_RUN_MAX, ISR_GAP_MIN };

static const struct grid_column interrupt_columns[] = {
    [ISR_NUMBER] = {"INTERRUPT", 0, 21, 41, false},
    [ISR_RATE] = {"RATE/s", 1, 8, 8, true},
    [ISR_CPU] = {"CPU%", 2, 5, 5, true},
    [ISR_RUN_MAX] = {"RUNmax", 3, 8, 8, true},
    [ISR_GAP_MIN] = {"GAPmin", 4, 8, 8, true},
};

static const char *interrupt_cell(const struct txtap_top_state *state, size_t row, size_t column, char *text)
{
    const struct txtap_top_interrupt *interrupt = &state->interrupts[row];

    switch (column) {
    case ISR_NUMBER:
        if (interrupt->number == UINT32_MAX)
            return "?"; /* the firmware does not record the number */
        if (interrupt->name[0] != '\0')
            snprintf(text, GRID_TEXT_BYTES, "%u %s", (unsigned)interrupt->number, interrupt->name);
        else
            snprintf(text, GRID_TEXT_BYTES, "%u", (unsigned)interrupt->number);
        return text;
    case ISR_RATE:
        return amount_count(text, count_sign(state), interrupt->rate);
    case ISR_CPU:
        return amount_percent(text, share_sign(state), interrupt->cpu);
    case ISR_RUN_MAX:
        return ticks(state, maximum_sign(state), interrupt->run_max, text);
    default:
        return ticks(state, state->gap ? AMOUNT_AT_MOST : AMOUNT_EXACT, interrupt->gap_min, text);
    }
}

const struct grid_kind interrupt_grid = {interrupt_columns, sizeof interrupt_columns / sizeof *interrupt_columns,
                                         interrupt_cell};

/* ---- objects ---- */

enum {
    OBJECT_NAME,
    OBJECT_NOW,
    OBJECT_EXTREME,
    OBJECT_WAITER,
    OBJECT_WAIT_99,
    OBJECT_WAIT_MAX,
    OBJECT_USES,
    OBJECT_FAILED
};

static const struct grid_column object_columns[] = {
    [OBJECT_NAME] = {"OBJECT", 0, 21, 41, false}, [OBJECT_NOW] = {"NOW", 1, 13, 20, false},
    [OBJECT_EXTREME] = {"MOST", 5, 8, 10, true},  [OBJECT_WAITER] = {"WAITER", 2, 13, 24, false},
    [OBJECT_WAIT_99] = {"WAIT99", 3, 8, 8, true}, [OBJECT_WAIT_MAX] = {"WAITmax", 6, 8, 8, true},
    [OBJECT_USES] = {"CALLS", 7, 7, 8, true},     [OBJECT_FAILED] = {"FAILED", 4, 6, 7, true},
};

static const char *object_name(const struct txtap_top_object *object, char *text)
{
    const char *type = txtap_object_type_name(object->type);

    snprintf(text, GRID_TEXT_BYTES, "%s%s%s", type ? type : "", type ? " " : "", object->name);
    return text;
}

static const char *waiter(const struct txtap_top_object *object, char *text)
{
    if (object->waiters < 2)
        return object->waiters == 0 ? "-" : object->waiter;
    snprintf(text, GRID_TEXT_BYTES, "%s +%u", object->waiter, object->waiters - 1);
    return text;
}

static const char *extreme(const struct txtap_top_state *state, const struct txtap_top_object *object, char *text)
{
    if (!*object->extreme)
        return "-";
    snprintf(text, GRID_TEXT_BYTES, "%s%s", !state->gap ? "" : object->extreme_is_low ? "<=" : ">=", object->extreme);
    return text;
}

static const char *object_cell(const struct txtap_top_state *state, size_t row, size_t column, char *text)
{
    const struct txtap_top_object *object = &state->objects[row];

    switch (column) {
    case OBJECT_NAME:
        return object_name(object, text);
    case OBJECT_NOW:
        return *object->now ? object->now : "?";
    case OBJECT_EXTREME:
        return extreme(state, object, text);
    case OBJECT_WAITER:
        return waiter(object, text);
    case OBJECT_WAIT_99:
        return ticks(state, percentile_sign(state), object->wait.p99, text);
    case OBJECT_WAIT_MAX:
        return longest(state, &object->wait, text);
    case OBJECT_USES:
        return amount_count(text, maximum_sign(state), (double)object->uses);
    default:
        return amount_count(text, maximum_sign(state), (double)object->failed);
    }
}

const struct grid_kind object_grid = {object_columns, sizeof object_columns / sizeof *object_columns, object_cell};
