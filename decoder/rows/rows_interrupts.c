/* SPDX-License-Identifier: MIT */
/* Which interrupts are entered, on which core, and what that means for their rows and for the core's. */
#include "rows/rows_parts.h"

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

bool core_show(struct txtap_rows *rows, struct core_rows *core, uint32_t object)
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

/* No interrupt whose end is recorded was entered since the trace, or what is known of it, began. */
static bool begin(struct txtap_rows *rows, struct row *row)
{
    uint32_t first = rows->moments.first, from = rows->known_from > first ? rows->known_from : first;

    if (row->ends)
        return true;
    row->ends = true;
    return rows->in_gap || from >= moments_end(rows) ||
           steps_set(rows, row, from, (struct step){.state = TXTAP_ROW_OFF, .object = NO_ROW});
}

bool interrupts_enter(struct txtap_rows *rows, const struct txtap_change *change)
{
    uint32_t row = rows_of_interrupt(rows, change->isr.number);
    struct core_rows *core = rows_of_core(rows, change->core);

    if (row == NO_ROW || core->idle == 0)
        return !rows->full;
    if (!moments_move(rows, row))
        return false;
    if (change->isr.depth == 0) /* when it ends is not recorded */
        return true;
    while (core->depth >= change->isr.depth || core->depth == ISR_DEPTH)
        if (!pop(rows, core))
            return false;
    if (!begin(rows, row_at(rows, row)) || !push(rows, core, row))
        return false;
    return core->what != TXTAP_RUNNING_ISR || core_show(rows, core, row);
}

bool interrupts_leave(struct txtap_rows *rows, const struct txtap_change *change)
{
    struct core_rows *core = rows_of_core(rows, change->core);

    if (core->idle == 0)
        return !rows->full;
    while (core->depth > 0 && core->depth >= change->isr.depth)
        if (!pop(rows, core))
            return false;
    return core->what != TXTAP_RUNNING_ISR || core_show(rows, core, core_interrupt(core));
}

void interrupts_forget(struct txtap_rows *rows)
{
    for (uint32_t i = 0; i < TXTAP_CORES_MAX; i++) {
        rows->cores[i].depth = 0;
        rows->cores[i].what = TXTAP_RUNNING_UNKNOWN;
    }
    for (uint32_t i = 0; i < rows->rows.count; i++)
        row_at(rows, i)->on_top = row_at(rows, i)->below = 0;
}

bool interrupts_known(struct txtap_rows *rows)
{
    bool ok = true;

    for (uint32_t i = 0; i < rows->rows.count && ok; i++)
        if (row_at(rows, i)->kind == TXTAP_ROW_INTERRUPT && row_at(rows, i)->ends)
            ok = show(rows, i);
    return ok;
}
