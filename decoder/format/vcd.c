/* SPDX-License-Identifier: MIT */
/*
 * Value change dumps, IEEE 1364: vcd for GTKWave, with states and reasons as text, and vcd-wires, nothing but wires of
 * one bit, for sigrok and PulseView. All variables are declared before the first value, so threads that are not known
 * by then get one of a few rows that wait for them. A dump cannot go back: what proves to have been is a comment in
 * vcd.
 */
#include "format/vcd_values.h"

/* ---- the head ---- */

static enum txtap_status write_line(struct txtap_exporter *self, const char *text)
{
    struct line line;

    exporter_line_start(self, &line);
    line_text(&line, text);
    return exporter_line_end(self, &line, "\n");
}

/* row: NULL: a variable of the system. */
static enum txtap_status declare(struct txtap_exporter *self, const char *type, uint32_t var, const struct vcd_row *row,
                                 const char *name)
{
    struct line line;

    exporter_line_start(self, &line);
    line_text(&line, "$var ");
    line_text(&line, type);
    line_text(&line, " ");
    vcd_write_identifier(&line, var);
    line_text(&line, " ");
    if (row != NULL)
        vcd_write_row_name(self, &line, row);
    line_text(&line, name);
    line_text(&line, " $end");
    return exporter_line_end(self, &line, "\n");
}

static enum txtap_status declare_system(struct txtap_exporter *self)
{
    static const char *const names[VCD_CORES] = {"cpu0", "cpu1", "cpu2", "cpu3"};
    enum txtap_status status = write_line(self, "$scope module system $end");

    if (status == TXTAP_OK)
        status = declare(self, "wire 1", VAR_LOST, NULL, "lost_events");
    if (status == TXTAP_OK)
        status = declare(self, "wire 1", VAR_INTERRUPT, NULL, "interrupt");
    if (status == TXTAP_OK && !vcd_only_wires(self))
        status = declare(self, "string 1", VAR_NEWEST_INTERRUPT, NULL, "newest_interrupt");
    if (status == TXTAP_OK && !vcd_only_wires(self))
        status = declare(self, "string 1", VAR_MARK, NULL, "mark");
    for (uint32_t i = 0; i < VCD_CORES && status == TXTAP_OK && !vcd_only_wires(self); i++)
        status = declare(self, "string 1", VAR_CORES + i, NULL, names[i]);
    return status == TXTAP_OK ? write_line(self, "$upscope $end\n$scope module threads $end") : status;
}

static enum txtap_status declare_thread(struct txtap_exporter *self, uint32_t number)
{
    const struct vcd_row *row = &vcd_of(self)->threads.rows[number];
    enum txtap_status status =
        declare(self, "wire 1", vcd_var_of_thread(self, number, THREAD_RUNNING), row, "_running");

    if (status == TXTAP_OK)
        status = declare(self, "wire 1", vcd_var_of_thread(self, number, THREAD_READY), row, "_ready");
    if (status == TXTAP_OK && !vcd_only_wires(self))
        status = declare(self, "string 1", vcd_var_of_thread(self, number, THREAD_STATE), row, "");
    return status;
}

static enum txtap_status declare_all(struct txtap_exporter *self)
{
    const struct vcd *rows = vcd_of(self);
    enum txtap_status status = declare_system(self);

    for (uint32_t i = 0; i < rows->threads.declared && status == TXTAP_OK; i++)
        status = declare_thread(self, i);
    if (status == TXTAP_OK && !vcd_only_wires(self))
        status = write_line(self, "$upscope $end\n$scope module objects $end");
    for (uint32_t i = 0; i < rows->objects.declared && status == TXTAP_OK && !vcd_only_wires(self); i++)
        status = declare(self, "integer 32", vcd_var_of_object(self, i), &rows->objects.rows[i], "");
    return status == TXTAP_OK ? write_line(self, "$upscope $end\n$enddefinitions $end") : status;
}

static enum txtap_status vcd_begin(struct txtap_exporter *self)
{
    bool has_rate = self->options.tick_hz > 0;
    enum txtap_status status = exporter_changes_begin(self);

    if (status != TXTAP_OK)
        return status;
    vcd_make_rows(self);
    status = write_line(self, "$version txtap $end");
    if (status == TXTAP_OK && !has_rate)
        status = write_line(self, "$comment each tick is shown as 1 us $end");
    if (status == TXTAP_OK)
        status = write_line(self, vcd_timescale(self->options.tick_hz));
    if (status == TXTAP_OK)
        status = declare_all(self);
    return status == TXTAP_OK ? vcd_write_all(self) : status;
}

/* ---- changes ---- */

static enum txtap_status take_state(struct txtap_exporter *self, const struct txtap_change_state *state)
{
    uint32_t number = vcd_row_of(&vcd_of(self)->threads, &state->thread);
    struct vcd_row *row;

    if (number == TXTAP_CHANGE_NONE)
        return TXTAP_OK;
    row = &vcd_of(self)->threads.rows[number];
    row->state = (uint8_t)state->state;
    row->reason = (uint8_t)state->reason;
    row->object = state->object.address;
    row->object_type = state->object.type;
    return vcd_write_thread(self, number);
}

/* $comment NAME was STATE from TIME on $end. Not between wires: there sigrok 0.5 takes all that follows for a comment.
 */
static enum txtap_status take_past(struct txtap_exporter *self, const struct txtap_change_state *state)
{
    struct vcd_row row = {.state = (uint8_t)state->state,
                          .reason = (uint8_t)state->reason,
                          .object = state->object.address,
                          .object_type = state->object.type};
    uint32_t number = vcd_row_of(&vcd_of(self)->threads, &state->thread);
    struct line line;

    if (number == TXTAP_CHANGE_NONE || vcd_only_wires(self))
        return TXTAP_OK;
    vcd_start_value(self, &line);
    line_text(&line, "$comment ");
    vcd_write_row_name(self, &line, &vcd_of(self)->threads.rows[number]);
    line_text(&line, " was ");
    vcd_write_state(self, &line, &row);
    line_text(&line, " from ");
    line_decimal(&line, vcd_time(state->since, self->options.tick_hz));
    line_text(&line, " on $end");
    return exporter_line_end(self, &line, "\n");
}

static enum txtap_status take_counter(struct txtap_exporter *self, const struct txtap_change_counter *counter)
{
    uint32_t number = vcd_only_wires(self) ? TXTAP_CHANGE_NONE : vcd_row_of(&vcd_of(self)->objects, &counter->object);

    if (number == TXTAP_CHANGE_NONE)
        return TXTAP_OK;
    vcd_of(self)->objects.rows[number].known = counter->known;
    vcd_of(self)->objects.rows[number].value = counter->value;
    return vcd_write_object(self, number);
}

static enum txtap_status take_run(struct txtap_exporter *self, uint32_t core, const struct txtap_change_run *run)
{
    struct vcd *rows = vcd_of(self);
    bool was, is = run->what == TXTAP_RUNNING_ISR;
    enum txtap_status status;

    if (core >= VCD_CORES)
        return TXTAP_OK;
    was = rows->cores[core].what == TXTAP_RUNNING_ISR || rows->cores[core].what == TXTAP_RUNNING_UNKNOWN;
    rows->cores[core] = *run;
    rows->cores_seen = core >= rows->cores_seen ? core + 1 : rows->cores_seen;
    status = vcd_write_core(self, core);
    return status == TXTAP_OK && (was || is) ? vcd_write_interrupt(self) : status;
}

/* Its number. That of one whose end is not recorded stands only here. */
static enum txtap_status take_interrupt(struct txtap_exporter *self, uint32_t number)
{
    struct line line;

    if (vcd_only_wires(self))
        return TXTAP_OK;
    vcd_start_value(self, &line);
    line_text(&line, "s");
    if (number != TXTAP_CHANGE_NONE)
        line_decimal(&line, number);
    else
        line_text(&line, "unknown");
    line_text(&line, " ");
    return vcd_end_value(self, &line, VAR_NEWEST_INTERRUPT);
}

static enum txtap_status vcd_mark(struct txtap_exporter *self, const struct txtap_mark *mark)
{
    const char *name = txtap_mark_name(mark->kind);
    struct line line;

    if (vcd_only_wires(self))
        return TXTAP_OK;
    vcd_start_value(self, &line);
    line_text(&line, "s");
    line_text(&line, name != NULL ? name : "mark");
    if (mark->text[0] != '\0')
        line_text(&line, ":");
    vcd_write_text(&line, mark->text);
    line_text(&line, " ");
    return vcd_end_value(self, &line, VAR_MARK);
}

static enum txtap_status take_gap(struct txtap_exporter *self)
{
    vcd_forget(vcd_of(self));
    vcd_of(self)->lost = true;
    return vcd_write_all(self);
}

static enum txtap_status take_gap_end(struct txtap_exporter *self)
{
    vcd_of(self)->lost = false;
    return vcd_write_bit(self, VAR_LOST, "0");
}

/* Gives the last values a length, and says how much is missing. */
static enum txtap_status take_end(struct txtap_exporter *self)
{
    const struct vcd *vcd = vcd_of(self);
    enum txtap_status status = vcd_write_bit(self, VAR_LOST, vcd->lost ? "1" : "0");
    struct line line;

    if (status != TXTAP_OK || vcd_only_wires(self) || vcd->threads.left_out == 0)
        return status;
    exporter_line_start(self, &line);
    line_text(&line, "$comment threads without a row: ");
    line_decimal(&line, vcd->threads.left_out);
    line_text(&line, " $end");
    return exporter_line_end(self, &line, "\n");
}

static enum txtap_status vcd_change(struct txtap_exporter *self, const struct txtap_change *change)
{
    vcd_set_time(self, change->ticks);
    switch (change->kind) {
    case TXTAP_CHANGE_RUN:
        return take_run(self, change->core, &change->run);
    case TXTAP_CHANGE_STATE:
        return take_state(self, &change->state);
    case TXTAP_CHANGE_PAST:
        return take_past(self, &change->state);
    case TXTAP_CHANGE_ISR_ENTER:
        return take_interrupt(self, change->isr.number);
    case TXTAP_CHANGE_COUNTER:
        return take_counter(self, &change->counter);
    case TXTAP_CHANGE_GAP:
        return take_gap(self);
    case TXTAP_CHANGE_GAP_END:
        return take_gap_end(self);
    case TXTAP_CHANGE_END:
        return take_end(self);
    default:
        return TXTAP_OK;
    }
}

static enum txtap_status vcd_end(struct txtap_exporter *self)
{
    enum txtap_status status = exporter_changes_end(self);

    return status == TXTAP_OK ? txtap_exporter_flush(self) : status;
}

const struct txtap_exporter_ops vcd_ops = {
    .name = "vcd",
    .begin = vcd_begin,
    .event = exporter_changes_event,
    .gap = exporter_changes_gap,
    .mark = vcd_mark,
    .end = vcd_end,
    .change = vcd_change,
    .state_bytes = vcd_state_bytes,
};
const struct txtap_exporter_ops vcd_wires_ops = {
    .name = "vcd-wires",
    .begin = vcd_begin,
    .event = exporter_changes_event,
    .gap = exporter_changes_gap,
    .end = vcd_end,
    .change = vcd_change,
    .state_bytes = vcd_state_bytes,
};
