/* SPDX-License-Identifier: MIT */
/* The tables of threads, interrupts and objects. For each table, one function gives the text of a cell. */
#include "top/tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "top/history.h"

#define STACK_RAISED  75 /* percent */
#define STACK_HIGH    90
#define STACK_COLUMNS 5

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

/* Writes the used part of the stack, such as "94%!". This is a lower bound if it is measured only at events. The true
 * maximum is "=94%!". */
static const char *stack(const struct txtap_top_thread *thread, char *text)
{
    int length;

    if (thread->stack < 0)
        return "-";
    length = snprintf(text, GRID_TEXT_BYTES, "%s%.0f%%", thread->stack_exact ? "=" : "", thread->stack);
    if (length < STACK_COLUMNS)
        snprintf(text + length, GRID_TEXT_BYTES - (size_t)length, "%s", thread->stack > STACK_HIGH ? "!" : " ");
    return text;
}

static const char *stack_bytes(const struct txtap_top_thread *thread, char *text)
{
    if (thread->stack < 0 || thread->stack_free > thread->stack_bytes)
        return "-";
    snprintf(text, GRID_TEXT_BYTES, "%" PRIu32 "/%" PRIu32, thread->stack_bytes - thread->stack_free,
             thread->stack_bytes);
    return text;
}

uint8_t stack_style(const struct txtap_top_thread *thread)
{
    return thread->stack > STACK_HIGH ? TXTAP_TOP_RED : thread->stack > STACK_RAISED ? TXTAP_TOP_YELLOW : 0;
}

enum {
    PRIO,
    THREAD,
    STATE,
    CPU,
    HISTORY,
    ACTIVATIONS,
    RUN_MAX,
    WAKE_99,
    STACK,
    WAKE_MAX,
    RESPONSE_MAX,
    PREEMPTIONS,
    STACK_BYTES,
    READY,
    WAITING,
    RUNS
};

static const struct grid_column thread_columns[] = {
    [PRIO] = {"PRIO", 2, 4, 4, 5, GRID_TEXT},
    [THREAD] = {"THREAD", 0, 16, 16, 22, GRID_TEXT},
    [STATE] = {"STATE", 3, 14, 22, 34, GRID_TEXT},
    [CPU] = {"CPU%", 1, 4, 4, 4, GRID_NUMBER},
    [HISTORY] = {"CPU HISTORY", 10, 20, 20, TXTAP_TOP_HISTORY, GRID_BARS},
    [ACTIVATIONS] = {"WAKE/s", 7, 6, 6, 7, GRID_NUMBER},
    [RUN_MAX] = {"RUN max", 5, 8, 8, 8, GRID_NUMBER},
    [WAKE_99] = {"WAKE p99", 6, 8, 8, 8, GRID_NUMBER},
    [STACK] = {"STACK", 4, STACK_COLUMNS, STACK_COLUMNS, STACK_COLUMNS, GRID_NUMBER},
    [WAKE_MAX] = {"WAKE max", 8, 8, 8, 8, GRID_NUMBER},
    [RESPONSE_MAX] = {"RESP max", 9, 8, 8, 8, GRID_NUMBER},
    [PREEMPTIONS] = {"PREEMPT/s", 11, 9, 9, 9, GRID_NUMBER},
    [STACK_BYTES] = {"USED/SIZE", 12, 9, 9, 13, GRID_NUMBER},
    [READY] = {"READY%", 13, 6, 6, 6, GRID_NUMBER},
    [WAITING] = {"WAITING", 14, 8, 8, 8, GRID_NUMBER},
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
    case HISTORY:
        return history_of_cpu(state, thread->history, text);
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
    case STACK_BYTES:
        return stack_bytes(thread, text);
    case READY:
        return amount_percent(text, share_sign(state), thread->ready);
    case WAKE_MAX:
        return longest(state, &thread->wake, text);
    case RESPONSE_MAX:
        return longest(state, &thread->response, text);
    case RUNS:
        return amount_count(text, AMOUNT_EXACT, thread->runs);
    default:
        return ticks(state, AMOUNT_EXACT, thread->waiting, text);
    }
}

static uint8_t thread_style(const struct txtap_top_state *state, size_t row, size_t column)
{
    const struct txtap_top_thread *thread = &state->threads[row];
    uint8_t style = thread->state == TXTAP_TOP_RUNNING ? TXTAP_TOP_BOLD : 0;

    if (column == STATE && thread->state == TXTAP_TOP_WAITING && thread->late)
        style |= TXTAP_TOP_YELLOW;
    if (column == STACK || column == STACK_BYTES)
        style |= stack_style(thread);
    return style;
}

const struct grid_kind thread_grid = {thread_columns, sizeof thread_columns / sizeof *thread_columns, thread_cell,
                                      thread_style};

/* The columns that need no events, and their columns in the table above. */
static const struct grid_column kernel_columns[] = {
    {"PRIO", 2, 4, 4, 5, GRID_TEXT},
    {"THREAD", 0, 16, 16, 22, GRID_TEXT},
    {"STATE", 1, 14, 22, 34, GRID_TEXT},
    {"RUNS/s", 4, 8, 8, 8, GRID_NUMBER},
    {"STACK", 3, STACK_COLUMNS, STACK_COLUMNS, STACK_COLUMNS, GRID_NUMBER},
    {"USED/SIZE", 5, 9, 9, 13, GRID_NUMBER},
};

static const size_t kernel_cells[] = {PRIO, THREAD, STATE, RUNS, STACK, STACK_BYTES};

static const char *kernel_cell(const struct txtap_top_state *state, size_t row, size_t column, char *text)
{
    return thread_cell(state, row, kernel_cells[column], text);
}

static uint8_t kernel_style(const struct txtap_top_state *state, size_t row, size_t column)
{
    return thread_style(state, row, kernel_cells[column]);
}

const struct grid_kind kernel_thread_grid = {kernel_columns, sizeof kernel_columns / sizeof *kernel_columns,
                                             kernel_cell, kernel_style};

static const size_t sort_columns[TXTAP_TOP_SORTS] = {
    [TXTAP_TOP_SORT_PRIORITY] = PRIO, [TXTAP_TOP_SORT_CPU] = CPU,     [TXTAP_TOP_SORT_RUN] = RUN_MAX,
    [TXTAP_TOP_SORT_WAKE] = WAKE_99,  [TXTAP_TOP_SORT_STACK] = STACK,
};

size_t sort_column(const struct grid_kind *kind, enum txtap_top_sort sort)
{
    if (kind != &kernel_thread_grid)
        return sort_columns[sort];
    for (size_t i = 0; i < sizeof kernel_cells / sizeof *kernel_cells; i++)
        if (kernel_cells[i] == sort_columns[sort])
            return i;
    return GRID_UNSORTED;
}

const char *sort_title(enum txtap_top_sort sort)
{
    return thread_columns[sort_columns[sort]].title;
}

/* ---- interrupts ---- */

enum { ISR_NUMBER, ISR_RATE, ISR_CPU, ISR_RUN_MAX, ISR_GAP_MIN };

static const struct grid_column interrupt_columns[] = {
    [ISR_NUMBER] = {"INTERRUPT", 0, 21, 21, 41, GRID_TEXT},
    [ISR_RATE] = {"RATE/s", 1, 8, 8, 8, GRID_NUMBER},
    [ISR_CPU] = {"CPU%", 2, 4, 4, 4, GRID_NUMBER},
    [ISR_RUN_MAX] = {"RUN max", 3, 8, 8, 8, GRID_NUMBER},
    [ISR_GAP_MIN] = {"SHORTEST GAP", 4, 12, 12, 12, GRID_NUMBER},
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

static uint8_t no_style(const struct txtap_top_state *state, size_t row, size_t column)
{
    (void)state;
    (void)row;
    (void)column;
    return 0;
}

const struct grid_kind interrupt_grid = {interrupt_columns, sizeof interrupt_columns / sizeof *interrupt_columns,
                                         interrupt_cell, no_style};

/* ---- objects ---- */

enum {
    OBJECT_NAME,
    OBJECT_NOW,
    OBJECT_EXTREME,
    OBJECT_HISTORY,
    OBJECT_WAITER,
    OBJECT_WAIT_99,
    OBJECT_WAIT_MAX,
    OBJECT_USES,
    OBJECT_FAILED
};

static const struct grid_column object_columns[] = {
    [OBJECT_NAME] = {"OBJECT", 0, 21, 21, 41, GRID_TEXT},
    [OBJECT_NOW] = {"NOW", 1, 13, 13, 20, GRID_TEXT},
    [OBJECT_EXTREME] = {"PEAK", 5, 8, 8, 10, GRID_NUMBER},
    [OBJECT_HISTORY] = {"QUEUE HISTORY", 10, 20, 20, TXTAP_TOP_HISTORY, GRID_BARS},
    [OBJECT_WAITER] = {"WAITER", 2, 13, 13, 24, GRID_TEXT},
    [OBJECT_WAIT_99] = {"WAIT p99", 3, 8, 8, 8, GRID_NUMBER},
    [OBJECT_WAIT_MAX] = {"WAIT max", 6, 8, 8, 8, GRID_NUMBER},
    [OBJECT_USES] = {"CALLS", 7, 7, 7, 8, GRID_NUMBER},
    [OBJECT_FAILED] = {"FAILED", 4, 6, 6, 7, GRID_NUMBER},
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
    case OBJECT_HISTORY:
        return object->type == TXTAP_OBJECT_QUEUE ? history_of_depth(state, object->history, text) : "";
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

static uint8_t object_style(const struct txtap_top_state *state, size_t row, size_t column)
{
    return column == OBJECT_FAILED && state->objects[row].failed > 0 ? TXTAP_TOP_RED : 0;
}

const struct grid_kind object_grid = {object_columns, sizeof object_columns / sizeof *object_columns, object_cell,
                                      object_style};

static const struct grid_column kernel_object_columns[] = {
    {"OBJECT", 0, 21, 21, 41, GRID_TEXT},
    {"NOW", 1, 13, 13, 20, GRID_TEXT},
    {"WAITER", 2, 13, 13, 24, GRID_TEXT},
};

static const size_t kernel_object_cells[] = {OBJECT_NAME, OBJECT_NOW, OBJECT_WAITER};

static const char *kernel_object_cell(const struct txtap_top_state *state, size_t row, size_t column, char *text)
{
    return object_cell(state, row, kernel_object_cells[column], text);
}

const struct grid_kind kernel_object_grid = {
    kernel_object_columns, sizeof kernel_object_columns / sizeof *kernel_object_columns, kernel_object_cell, no_style};

/* ---- values ---- */

enum { VALUE_NAME, VALUE_NOW, VALUE_LEAST, VALUE_MOST, VALUE_RATE, VALUE_N };

static const struct grid_column value_columns[] = {
    [VALUE_NAME] = {"VALUE", 0, 16, 21, 41, GRID_TEXT}, [VALUE_NOW] = {"LAST", 1, 12, 14, 24, GRID_TEXT},
    [VALUE_LEAST] = {"MIN", 2, 8, 12, 20, GRID_TEXT},   [VALUE_MOST] = {"MAX", 3, 8, 12, 20, GRID_TEXT},
    [VALUE_RATE] = {"RATE/s", 4, 8, 8, 8, GRID_NUMBER}, [VALUE_N] = {"VALUES", 5, 8, 8, 10, GRID_NUMBER},
};

static const char *value_cell(const struct txtap_top_state *state, size_t row, size_t column, char *text)
{
    const struct txtap_top_value *value = &state->values[row];

    switch (column) {
    case VALUE_NAME:
        return value->name;
    case VALUE_NOW:
        return value->now;
    case VALUE_LEAST:
        return value->least[0] != '\0' ? value->least : "-";
    case VALUE_MOST:
        return value->most[0] != '\0' ? value->most : "-";
    case VALUE_RATE:
        return amount_count(text, AMOUNT_EXACT, value->rate);
    default:
        return amount_count(text, AMOUNT_EXACT, (double)value->n);
    }
}

const struct grid_kind value_grid = {value_columns, sizeof value_columns / sizeof *value_columns, value_cell, no_style};
