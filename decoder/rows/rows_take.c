/* SPDX-License-Identifier: MIT */
/* Updates the rows for each change of the model. */
#include "rows/rows_parts.h"

#include <string.h>

/* ---- marks ---- */

static void settle_until(struct txtap_rows *rows, uint32_t number, uint32_t index)
{
    for (; rows->marks_ready < number; rows->marks_ready++)
        mark_at(rows, rows->marks_ready)->index = index;
}

/* Sets the index of each mark whose next event is event seq. */
static void marks_settle(struct txtap_rows *rows, uint64_t seq, uint32_t index)
{
    while (rows->marks_ready < rows->marks.count && mark_at(rows, rows->marks_ready)->seq <= seq)
        settle_until(rows, rows->marks_ready + 1, index);
}

enum txtap_status txtap_rows_take_mark(struct txtap_rows *rows, const struct txtap_mark *from)
{
    struct mark *mark;

    if (rows->full || rows_room(rows, &rows->marks, PER_PAGE(struct mark)) == NULL)
        return TXTAP_ERROR_SPACE;
    rows->version++;
    rows->marks.count++;
    mark = mark_at(rows, rows->marks.count - 1);
    *mark = (struct mark){.seq = from->seq, .unix_us = from->unix_us, .index = UINT32_MAX, .kind = (uint8_t)from->kind};
    strncpy(mark->text, from->text != NULL ? from->text : "", sizeof mark->text - 1);
    rows->resets += from->kind == TXTAP_MARK_RESET;
    if (rows->ended || (rows->last_event != TXTAP_ROWS_NO_INDEX && from->seq <= rows->last_seq))
        settle_until(rows, rows->marks.count, moments_end(rows));
    return TXTAP_OK;
}

/* ---- moments ---- */

/* Adds a moment. False: no room. */
static bool moments_add(struct txtap_rows *rows, uint64_t ticks)
{
    struct moments *page;
    uint32_t at = moments_end(rows) % MOMENTS;

    if (moments_end(rows) >= UINT32_MAX - 1) {
        rows->full = true;
        return false;
    }
    page = rows_room(rows, &rows->moments, MOMENTS);
    if (page == NULL)
        return false;
    if (moments_end(rows) == 0 || ticks > rows->newest)
        rows->newest = ticks;
    page->ticks[at] = rows->newest;
    page->row[at] = NO_ROW;
    page->event_class[at] = TXTAP_CLASS_NONE;
    rows->moments.count++;
    return true;
}

/* Adds the event to the current stretch. Begins a new stretch if seq is not the next number. */
static bool note_seq(struct txtap_rows *rows, uint64_t seq)
{
    uint32_t newest = moments_end(rows) - 1;
    bool goes_on =
        rows->last_event != TXTAP_ROWS_NO_INDEX && seq == rows->last_seq + 1 && newest == rows->last_event + 1;
    struct stretch *page;

    if (!goes_on) {
        page = rows_room(rows, &rows->stretches, PER_PAGE(struct stretch));
        if (page == NULL)
            return false;
        page[rows->stretches.count % PER_PAGE(struct stretch)] = (struct stretch){seq, newest};
        rows->stretches.count++;
    }
    rows->last_seq = seq;
    rows->last_event = newest;
    return true;
}

static bool note_recorded(struct txtap_rows *rows, uint32_t number, uint32_t index)
{
    struct row *row = row_at(rows, number);
    uint32_t *page = rows_room(rows, &row->recorded, RECORDED);

    if (page == NULL)
        return false;
    page[row->recorded.count % RECORDED] = index;
    row->recorded.count++;
    return true;
}

static uint8_t class_of(const struct txtap_rows *rows, const struct txtap_event *event)
{
    if (event == NULL)
        return TXTAP_CLASS_OTHER;
    if (event->event_class != TXTAP_CLASS_NONE)
        return event->event_class < TXTAP_CLASSES ? event->event_class : TXTAP_CLASS_OTHER;
    return (uint8_t)txtap_event_class_of(event->id, rows->options.profile);
}

/* Makes the newest moment an event that the row recorded. False: no room. */
static bool moments_record(struct txtap_rows *rows, uint32_t row, const struct txtap_change *change)
{
    uint32_t newest = moments_end(rows) - 1;
    struct moments *page = paged_page(&rows->moments, newest / MOMENTS);

    page->event_class[newest % MOMENTS] = class_of(rows, change->event);
    page->row[newest % MOMENTS] = (uint16_t)row;
    marks_settle(rows, change->seq, newest);
    return note_seq(rows, change->seq) && (row == NO_ROW || note_recorded(rows, row, newest));
}

/* Assigns the newest event to another row. */
static bool moments_move(struct txtap_rows *rows, uint32_t to)
{
    uint32_t newest = moments_end(rows) - 1;
    struct moments *page = paged_page(&rows->moments, newest / MOMENTS);
    uint16_t *row = &page->row[newest % MOMENTS];

    if (page->event_class[newest % MOMENTS] == TXTAP_CLASS_NONE || *row == to)
        return true;
    if (*row != NO_ROW)
        row_at(rows, *row)->recorded.count--;
    *row = (uint16_t)to;
    return note_recorded(rows, to, newest);
}

/* ---- interrupts: entered interrupts of each core, and their effect on the rows of interrupts and cores ---- */

/* Returns the interrupt that runs on the core; NO_ROW: no interrupt, or unknown. */
static uint32_t core_interrupt(const struct core_rows *core)
{
    return core->depth > 0 ? core->isr[core->depth - 1] : NO_ROW;
}

static bool show(struct txtap_rows *rows, uint32_t number)
{
    struct row *row = row_at(rows, number);

    return steps_change(rows, row,
                        row->on_top > 0  ? TXTAP_ROW_IN_ISR
                        : row->below > 0 ? TXTAP_ROW_INTERRUPTED
                                         : TXTAP_ROW_OFF,
                        0, NO_ROW);
}

static bool push(struct txtap_rows *rows, struct core_rows *core, uint32_t number)
{
    bool ok = true;

    if (core->depth > 0) {
        struct row *before = row_at(rows, core_interrupt(core));

        before->on_top--;
        before->below++;
        if (core_interrupt(core) != number)
            ok = show(rows, core_interrupt(core));
    }
    core->isr[core->depth++] = (uint16_t)number;
    row_at(rows, number)->on_top++;
    return ok && show(rows, number);
}

static bool pop(struct txtap_rows *rows, struct core_rows *core)
{
    uint32_t left = core_interrupt(core);
    bool ok = true;

    core->depth--;
    row_at(rows, left)->on_top--;
    if (core->depth > 0) {
        struct row *next = row_at(rows, core_interrupt(core));

        next->below--;
        next->on_top++;
        if (core_interrupt(core) != left)
            ok = show(rows, core_interrupt(core));
    }
    return show(rows, left) && ok;
}

/* Sets the state of the core's row. */
static bool core_show(struct txtap_rows *rows, struct core_rows *core, uint32_t object)
{
    static const uint8_t shown[] = {
        [TXTAP_RUNNING_UNKNOWN] = TXTAP_ROW_UNKNOWN, [TXTAP_RUNNING_IDLE] = TXTAP_ROW_IS_IDLE,
        [TXTAP_RUNNING_INIT] = TXTAP_ROW_IN_INIT,    [TXTAP_RUNNING_ISR] = TXTAP_ROW_IN_ISR,
        [TXTAP_RUNNING_THREAD] = TXTAP_ROW_RUNNING,
    };
    enum txtap_row_state state = (enum txtap_row_state)shown[core->what],
                         idle = state == TXTAP_ROW_UNKNOWN || state == TXTAP_ROW_IS_IDLE ? state : TXTAP_ROW_OFF;

    return steps_change(rows, row_at(rows, core->core - 1u), state, 0, object) &&
           steps_change(rows, row_at(rows, core->idle - 1u), idle, 0, NO_ROW);
}

/* Begins the row of an interrupt whose ends are recorded. The interrupt has been off since the last gap, or since the
 * trace began. */
static bool begin(struct txtap_rows *rows, struct row *row)
{
    uint32_t first = rows->moments.first, from = rows->known_from > first ? rows->known_from : first;

    if (row->ends)
        return true;
    row->ends = true;
    return rows->in_gap || from >= moments_end(rows) ||
           steps_set(rows, row, from, (struct step){.state = TXTAP_ROW_OFF, .object = NO_ROW});
}

/* Enters or leaves an interrupt. False: no room. */
static bool interrupts_enter(struct txtap_rows *rows, const struct txtap_change *change)
{
    uint32_t row = rows_of_interrupt(rows, change->isr.number);
    struct core_rows *core = rows_of_core(rows, change->core);

    if (row == NO_ROW || core->idle == 0)
        return !rows->full;
    if (!moments_move(rows, row))
        return false;
    if (change->isr.depth == 0) /* the end of this interrupt is not recorded */
        return true;
    while (core->depth >= change->isr.depth || core->depth == ISR_DEPTH)
        if (!pop(rows, core))
            return false;
    if (!begin(rows, row_at(rows, row)) || !push(rows, core, row))
        return false;
    return core->what != TXTAP_RUNNING_ISR || core_show(rows, core, row);
}

static bool interrupts_leave(struct txtap_rows *rows, const struct txtap_change *change)
{
    struct core_rows *core = rows_of_core(rows, change->core);

    if (core->idle == 0)
        return !rows->full;
    while (core->depth > 0 && core->depth >= change->isr.depth)
        if (!pop(rows, core))
            return false;
    return core->what != TXTAP_RUNNING_ISR || core_show(rows, core, core_interrupt(core));
}

/* Makes the states of all interrupts unknown from now on. */
static void interrupts_forget(struct txtap_rows *rows)
{
    for (uint32_t i = 0; i < TXTAP_CORES_MAX; i++) {
        rows->cores[i].depth = 0;
        rows->cores[i].what = TXTAP_RUNNING_UNKNOWN;
    }
    for (uint32_t i = 0; i < rows->rows.count; i++)
        row_at(rows, i)->on_top = row_at(rows, i)->below = 0;
}

/* Marks all interrupts as off: no interrupt is entered. */
static bool interrupts_known(struct txtap_rows *rows)
{
    bool ok = true;

    for (uint32_t i = 0; i < rows->rows.count && ok; i++)
        if (row_at(rows, i)->kind == TXTAP_ROW_INTERRUPT && row_at(rows, i)->ends)
            ok = show(rows, i);
    return ok;
}

/* ---- changes ---- */

/* Returns true if a change of this kind happens at its tick. Changes of other kinds describe a past or future
 * moment. */
static bool is_at_moment(enum txtap_change_kind kind)
{
    return kind != TXTAP_CHANGE_EVENT && kind != TXTAP_CHANGE_PRIORITY && kind != TXTAP_CHANGE_GAP_END &&
           kind != TXTAP_CHANGE_SWITCH;
}

/* Marks all interrupts as off at the first moment after a gap, because no interrupt is entered. */
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

/* Returns true if the change needs a new moment, because it is later than the newest moment. */
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
    return !rows->full && moments_record(rows, row, change) && user_take(rows, change->event);
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

/* Sets the state of the thread's last step from some moment on. This state was unknown until now. */
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

/* ---- wakes ---- */

static uint32_t waker_of(struct txtap_rows *rows, const struct txtap_change_wake *wake)
{
    if (wake->waker == TXTAP_RUNNING_THREAD)
        return rows_of_party(rows, &wake->waker_thread);
    if (wake->waker == TXTAP_RUNNING_ISR && wake->interrupt != TXTAP_CHANGE_NONE)
        return rows_of_interrupt(rows, wake->interrupt);
    return NO_ROW;
}

static bool wakes_add(struct txtap_rows *rows, const struct txtap_change *change)
{
    uint32_t from = waker_of(rows, &change->wake), object = rows_of_party(rows, &change->wake.object),
             to = rows_of_party(rows, &change->wake.thread);
    const struct row *row;
    bool since;

    if (to == NO_ROW || rows->full)
        return !rows->full;
    if (rows_room(rows, &rows->wakes, PER_PAGE(struct wake)) == NULL)
        return false;
    row = row_at(rows, to);
    since = change->wake.since_known && row->last.state == TXTAP_ROW_BLOCKED && row->since == change->wake.since;
    rows->wakes.count++;
    *wake_at(rows, rows->wakes.count - 1) = (struct wake){
        .index = moments_end(rows) - 1,
        .since = since ? row->last.index : TXTAP_ROWS_NO_INDEX,
        .from = (uint16_t)from,
        .to = (uint16_t)to,
        .object = (uint16_t)object,
        .reason = (uint8_t)change->wake.reason,
        .ending = (uint8_t)change->wake.ending,
    };
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

static bool take_counter(struct txtap_rows *rows, const struct txtap_change *change)
{
    uint32_t number = rows_of_party(rows, &change->counter.object);
    struct row *row;

    if (number == NO_ROW || rows->full)
        return !rows->full;
    row = row_at(rows, number);
    if (row->kind == TXTAP_ROW_MUTEX)
        return take_owner(rows, row, &change->counter);
    if (!row_is_counter(row))
        return true;
    return change->counter.known ? values_set(rows, row, moments_end(rows) - 1, change->counter.value, 0)
                                 : values_set(rows, row, moments_end(rows) - 1, UNKNOWN_VALUE, VALUE_UNKNOWN);
}

/* ---- gaps ---- */

static bool add_gap(struct txtap_rows *rows, struct gap gap)
{
    if (rows_room(rows, &rows->gaps, PER_PAGE(struct gap)) == NULL)
        return false;
    rows->gaps.count++;
    rows->gap_count++;
    *gap_at(rows, rows->gaps.count - 1) = gap;
    return true;
}

static bool gaps_begin(struct txtap_rows *rows)
{
    return rows->in_gap || add_gap(rows, (struct gap){.from = rows->newest, .index = UINT32_MAX});
}

static bool gaps_end(struct txtap_rows *rows, const struct txtap_change *change)
{
    uint64_t ticks = change->ticks > rows->newest ? change->ticks : rows->newest;
    struct gap *gap;

    if (!rows->in_gap && !add_gap(rows, (struct gap){.from = change->gap.since < ticks ? change->gap.since : ticks}))
        return false;
    gap = gap_at(rows, rows->gaps.count - 1);
    gap->to = ticks;
    gap->index = moments_end(rows);
    gap->lost = change->gap.lost;
    gap->exact = change->gap.exact;
    gap->ended = true;
    rows->lost = gap->lost > UINT64_MAX - rows->lost ? UINT64_MAX : rows->lost + gap->lost;
    rows->lost_exact = rows->lost_exact && gap->exact;
    return true;
}

static bool take_gap(struct txtap_rows *rows)
{
    bool ok;

    if (rows->moments.count == 0)
        return true; /* no row is known yet */
    ok = gaps_begin(rows);
    rows->in_gap = true;
    rows->lost_until = moments_end(rows);
    interrupts_forget(rows);
    for (uint32_t i = 0; i < rows->rows.count && ok; i++) {
        struct row *row = row_at(rows, i);

        if (row_is_user(row))
            ok = user_forget(rows, row);
        else if (row_is_counter(row))
            ok = values_set(rows, row, moments_end(rows) - 1, UNKNOWN_VALUE, VALUE_UNKNOWN);
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
    case TXTAP_CHANGE_SWITCH: /* the RUN change reports the occupant of the core */
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

/* Removes the newest event, because there was no room for all of its changes. */
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
