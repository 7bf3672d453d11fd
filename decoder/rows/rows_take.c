/* SPDX-License-Identifier: MIT */
/* What each change means for the rows. */
#include "rows/rows_parts.h"

/* ---- moments ---- */

/* The changes that are at a moment; the others say something about one that was or will be. */
static bool is_at_moment(enum txtap_change_kind kind)
{
    return kind != TXTAP_CHANGE_EVENT && kind != TXTAP_CHANGE_PRIORITY && kind != TXTAP_CHANGE_GAP_END &&
           kind != TXTAP_CHANGE_SWITCH;
}

/* Nothing is entered behind a gap, once something is known again. */
static bool after_gap(struct txtap_rows *rows)
{
    if (!rows->behind_gap)
        return true;
    rows->behind_gap = false;
    rows->known_from = moments_end(rows) - 1;
    return interrupts_known(rows);
}

static bool add_moment(struct txtap_rows *rows, uint64_t ticks)
{
    return moments_add(rows, ticks) && after_gap(rows);
}

/* Is the change at a time when there is no moment yet? */
static bool needs_moment(const struct txtap_rows *rows, const struct txtap_change *change)
{
    if (rows->moments.count == 0)
        return change->kind != TXTAP_CHANGE_GAP && change->kind != TXTAP_CHANGE_END;
    return change->ticks > rows->newest;
}

static bool take_event(struct txtap_rows *rows, const struct txtap_change *change)
{
    uint32_t row = NO_ROW;

    if (change->recorded.thread.number != TXTAP_CHANGE_NONE) {
        row = rows_of_party(rows, &change->recorded.thread);
    } else {
        const struct core_rows *core = rows_of_core(rows, change->core);

        row = core->core == 0 ? NO_ROW : core_interrupt(core) != NO_ROW ? core_interrupt(core) : core->core - 1u;
    }
    return !rows->full && moments_record(rows, row, change);
}

/* ---- cores and threads ---- */

static bool take_run(struct txtap_rows *rows, const struct txtap_change *change)
{
    struct core_rows *core = rows_of_core(rows, change->core);
    uint32_t object = NO_ROW;

    if (core->idle == 0)
        return !rows->full;
    core->what = change->run.what <= TXTAP_RUNNING_THREAD ? (uint8_t)change->run.what : TXTAP_RUNNING_UNKNOWN;
    if (core->what == TXTAP_RUNNING_THREAD)
        object = rows_of_party(rows, &change->run.thread);
    else if (core->what == TXTAP_RUNNING_ISR)
        object = core_interrupt(core);
    return !rows->full && core_show(rows, core, object);
}

static struct step step_of(struct txtap_rows *rows, const struct txtap_change_state *state)
{
    bool blocked = state->state == TXTAP_THREAD_BLOCKED;

    return (struct step){
        .state = state->state <= TXTAP_THREAD_BLOCKED ? (uint8_t)state->state : TXTAP_ROW_UNKNOWN,
        .reason = blocked ? (uint8_t)state->reason : 0,
        .object = (uint16_t)(blocked ? rows_of_party(rows, &state->object) : NO_ROW),
    };
}

_Static_assert((int)TXTAP_ROW_RUNNING == TXTAP_THREAD_RUNNING && (int)TXTAP_ROW_READY == TXTAP_THREAD_READY &&
                   (int)TXTAP_ROW_INTERRUPTED == TXTAP_THREAD_INTERRUPTED &&
                   (int)TXTAP_ROW_BLOCKED == TXTAP_THREAD_BLOCKED,
               "states of threads are states of their rows");

static bool take_state(struct txtap_rows *rows, const struct txtap_change *change)
{
    uint32_t row = rows_of_party(rows, &change->state.thread);
    struct step step = step_of(rows, &change->state);

    if (row == NO_ROW || rows->full)
        return !rows->full;
    return steps_set(rows, row_at(rows, row), moments_end(rows) - 1, step);
}

/* The thread's last step is of no known state: it is now, at least from some moment on. */
static bool take_past(struct txtap_rows *rows, const struct txtap_change *change)
{
    uint32_t number = rows_of_party(rows, &change->state.thread), index;
    struct step step = step_of(rows, &change->state);
    struct row *row;

    if (number == NO_ROW || rows->full)
        return !rows->full;
    row = row_at(rows, number);
    if (row->kind != TXTAP_ROW_THREAD || row->last.state != TXTAP_ROW_UNKNOWN)
        return true;
    index = moments_find(rows, row->last.index, change->state.since);
    return index >= moments_end(rows) - 1 || steps_set(rows, row, index, step);
}

static bool take_priority(struct txtap_rows *rows, const struct txtap_change *change)
{
    uint32_t number = rows->moments.count > 0 ? rows_of_party(rows, &change->priority.thread) : NO_ROW;
    struct row *row;

    if (number == NO_ROW || rows->full)
        return !rows->full;
    row = row_at(rows, number);
    rows->rows_version += !row->priority_known || row->priority != change->priority.priority;
    row->priority = change->priority.priority;
    row->priority_known = true;
    return true;
}

/* ---- objects ---- */

static bool take_owner(struct txtap_rows *rows, struct row *row, const struct txtap_change_counter *counter)
{
    bool held = counter->known && counter->value > 0;
    uint32_t owner = held ? rows_of_party(rows, &counter->owner) : NO_ROW;

    if (rows->full)
        return false;
    if (!held)
        return steps_change(rows, row, counter->known ? TXTAP_ROW_OFF : TXTAP_ROW_UNKNOWN, 0, NO_ROW);
    return steps_change(rows, row, TXTAP_ROW_HELD, counter->value < 255 ? (uint8_t)counter->value : 255, owner);
}

/* UINT32_MAX stands for unknown: such a value is shown as one less. */
static uint32_t value_of(const struct txtap_change_counter *counter)
{
    if (!counter->known)
        return UNKNOWN_VALUE;
    return counter->value == UNKNOWN_VALUE ? UNKNOWN_VALUE - 1 : counter->value;
}

static bool take_counter(struct txtap_rows *rows, const struct txtap_change *change)
{
    uint32_t number = rows_of_party(rows, &change->counter.object);
    struct row *row;

    if (number == NO_ROW || rows->full)
        return !rows->full;
    row = row_at(rows, number);
    if (row->kind == TXTAP_ROW_MUTEX)
        return take_owner(rows, row, &change->counter);
    return !row_is_counter(row) || values_set(rows, row, moments_end(rows) - 1, value_of(&change->counter));
}

/* ---- gaps ---- */

static bool take_gap(struct txtap_rows *rows)
{
    bool ok;

    if (rows->moments.count == 0)
        return true; /* nothing is known yet */
    ok = gaps_begin(rows);
    rows->in_gap = true;
    interrupts_forget(rows);
    for (uint32_t i = 0; i < rows->rows.count && ok; i++) {
        struct row *row = row_at(rows, i);

        if (row_is_counter(row))
            ok = values_set(rows, row, moments_end(rows) - 1, UNKNOWN_VALUE);
        else if (row_has_states(row))
            ok = steps_change(rows, row, TXTAP_ROW_UNKNOWN, 0, NO_ROW);
    }
    return ok;
}

static bool take_gap_end(struct txtap_rows *rows, const struct txtap_change *change)
{
    bool ok = gaps_end(rows, change);

    rows->behind_gap = rows->behind_gap || rows->in_gap;
    rows->in_gap = false;
    return ok;
}

static bool take_end(struct txtap_rows *rows)
{
    rows->ended = true;
    marks_settle(rows, UINT64_MAX, moments_end(rows));
    return true;
}

/* ---- all ---- */

static bool take(struct txtap_rows *rows, const struct txtap_change *change)
{
    switch (change->kind) {
    case TXTAP_CHANGE_EVENT:
        return take_event(rows, change);
    case TXTAP_CHANGE_RUN:
        return take_run(rows, change);
    case TXTAP_CHANGE_STATE:
        return take_state(rows, change);
    case TXTAP_CHANGE_PAST:
        return take_past(rows, change);
    case TXTAP_CHANGE_WAKE:
        return wakes_add(rows, change);
    case TXTAP_CHANGE_PRIORITY:
        return take_priority(rows, change);
    case TXTAP_CHANGE_ISR_ENTER:
        return interrupts_enter(rows, change);
    case TXTAP_CHANGE_ISR_EXIT:
        return interrupts_leave(rows, change);
    case TXTAP_CHANGE_COUNTER:
        return take_counter(rows, change);
    case TXTAP_CHANGE_GAP:
        return take_gap(rows);
    case TXTAP_CHANGE_GAP_END:
        return take_gap_end(rows, change);
    case TXTAP_CHANGE_END:
        return take_end(rows);
    case TXTAP_CHANGE_SWITCH: /* RUN says what runs */
    case TXTAP_CHANGE_KINDS:
        break;
    }
    return true;
}

static void keep_newest(struct txtap_rows *rows)
{
    uint32_t held = moments_end(rows) - rows->moments.first, keep = rows->options.keep;

    if (keep > 0 && held >= keep && held - keep >= keep / 8 && held - keep >= MOMENTS)
        txtap_rows_drop(rows, held - keep);
}

/* The newest event, for which there was no room, did not happen. */
static void take_back(struct txtap_rows *rows)
{
    if (rows->moments.count > rows->moments.first)
        rows->moments.count--;
    if (rows->moments.count > rows->moments.first)
        rows->newest = moment_ticks(rows, rows->moments.count - 1);
}

enum txtap_status txtap_rows_take(void *self, const struct txtap_change *change)
{
    struct txtap_rows *rows = self;
    uint32_t count;
    bool adds;

    if (rows->full)
        return TXTAP_ERROR_SPACE;
    rows->version++;
    if (change->kind == TXTAP_CHANGE_EVENT)
        keep_newest(rows);
    count = rows->moments.count;
    adds = change->kind == TXTAP_CHANGE_EVENT || (is_at_moment(change->kind) && needs_moment(rows, change));
    rows->bare = rows->bare || (adds && change->kind != TXTAP_CHANGE_EVENT);
    if ((!adds || add_moment(rows, change->ticks)) && take(rows, change))
        return TXTAP_OK;
    rows->full = true;
    if (!adds || rows->moments.count > count)
        take_back(rows);
    return TXTAP_ERROR_SPACE;
}
