/* SPDX-License-Identifier: MIT */
/*
 * Value change dumps, IEEE 1364: vcd for GTKWave, with states and reasons as text, and vcd-wires, nothing but wires of
 * one bit, for sigrok and PulseView. All variables are declared before the first value, so threads that are not known
 * by then get one of a few rows that wait for them. A dump cannot go back: what proves to have been is a comment in
 * vcd.
 */
#include "format/vcd_rows.h"

static struct vcd *state_of(const struct txtap_exporter *self)
{
    return self->changes.state;
}

/* ---- variables ---- */

/* Their numbers, in the order in which they are declared: those of the system, of each thread, of each object. */
enum {
    VAR_LOST,
    VAR_INTERRUPT,
    VAR_WIRES_THREADS, /* vcd-wires has no more of the system */
    VAR_NEWEST_INTERRUPT = VAR_WIRES_THREADS,
    VAR_MARK,
    VAR_CORES,
    VAR_THREADS = VAR_CORES + VCD_CORES
};

enum thread_var { THREAD_RUNNING, THREAD_READY, THREAD_STATE };

static bool only_wires(const struct txtap_exporter *self)
{
    return self->ops == &vcd_wires_ops;
}

static uint32_t var_of_thread(const struct txtap_exporter *self, uint32_t row, enum thread_var var)
{
    return only_wires(self) ? VAR_WIRES_THREADS + 2 * row + var : VAR_THREADS + 3 * row + var;
}

static uint32_t var_of_object(const struct txtap_exporter *self, uint32_t row)
{
    return var_of_thread(self, state_of(self)->threads.declared, THREAD_RUNNING) + row;
}

/* Letters only: sigrok 0.5 knows no others. */
static void write_identifier(struct line *line, uint32_t var)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    char text[8];
    size_t at = sizeof text - 1;

    text[at] = '\0';
    do {
        text[--at] = letters[var % 52];
        var /= 52;
    } while (var-- > 0);
    line_text(line, text + at);
}

/* ---- values ---- */

static void start_value(struct txtap_exporter *self, struct line *line)
{
    exporter_line_start(self, line);
    if (state_of(self)->time_written)
        return;
    state_of(self)->time_written = true;
    line_text(line, "#");
    line_decimal(line, state_of(self)->time);
    line_text(line, "\n");
}

static enum txtap_status end_value(struct txtap_exporter *self, struct line *line, uint32_t var)
{
    write_identifier(line, var);
    return exporter_line_end(self, line, "\n");
}

static enum txtap_status write_bit(struct txtap_exporter *self, uint32_t var, const char *bit)
{
    struct line line;

    start_value(self, &line);
    line_text(&line, bit);
    return end_value(self, &line, var);
}

static const char *bit_of(bool known, bool bit)
{
    return !known ? "x" : bit ? "1" : "0";
}

static void write_state(const struct txtap_exporter *self, struct line *line, const struct vcd_row *row)
{
    static const char *const states[] = {"unknown", "running", "interrupted", "ready", "blocked"};
    static const char *const reasons[] = {
        "",       ":completed",  ":terminated", ":suspended", ":sleep", ":queue",  ":semaphore",
        ":flags", ":block_pool", ":byte_pool",  ":io",        ":file",  ":tcp_ip", ":mutex",
        "",       ":other",
    };

    line_text(line, states[row->state]);
    if (row->state != TXTAP_THREAD_BLOCKED || row->reason >= sizeof reasons / sizeof *reasons)
        return;
    line_text(line, reasons[row->reason]);
    if (row->object == 0)
        return;
    line_text(line, ":");
    vcd_write_name(self, line, row->object, row->object_type);
}

static enum txtap_status write_state_text(struct txtap_exporter *self, uint32_t number)
{
    const struct vcd_row *row = &state_of(self)->threads.rows[number];
    struct line line;

    if (only_wires(self))
        return TXTAP_OK;
    start_value(self, &line);
    line_text(&line, "s");
    if (row->late > 0 && row->address != 0) {
        vcd_write_name(self, &line, row->address, TXTAP_OBJECT_THREAD);
        line_text(&line, ":");
    }
    write_state(self, &line, row);
    line_text(&line, " ");
    return end_value(self, &line, var_of_thread(self, number, THREAD_STATE));
}

static enum txtap_status write_thread(struct txtap_exporter *self, uint32_t number)
{
    const struct vcd_row *row = &state_of(self)->threads.rows[number];
    bool known = row->state != TXTAP_THREAD_UNKNOWN;
    enum txtap_status status =
        write_bit(self, var_of_thread(self, number, THREAD_RUNNING), bit_of(known, row->state == TXTAP_THREAD_RUNNING));

    if (status == TXTAP_OK)
        status =
            write_bit(self, var_of_thread(self, number, THREAD_READY), bit_of(known, row->state == TXTAP_THREAD_READY));
    return status == TXTAP_OK ? write_state_text(self, number) : status;
}

static enum txtap_status write_object(struct txtap_exporter *self, uint32_t number)
{
    const struct vcd_row *row = &state_of(self)->objects.rows[number];
    char digits[33], *at = digits + sizeof digits - 1;
    uint32_t value = row->value;
    struct line line;

    *at = '\0';
    do
        *--at = (char)('0' + value % 2);
    while ((value /= 2) > 0);
    start_value(self, &line);
    line_text(&line, "b");
    line_text(&line, row->known ? at : "x");
    line_text(&line, " ");
    return end_value(self, &line, var_of_object(self, number));
}

static enum txtap_status write_core(struct txtap_exporter *self, uint32_t core)
{
    static const char *const runs[] = {"unknown", "idle", "init", "interrupt"};
    const struct txtap_change_run *run = &state_of(self)->cores[core];
    struct line line;

    if (only_wires(self))
        return TXTAP_OK;
    start_value(self, &line);
    line_text(&line, "s");
    if (run->what == TXTAP_RUNNING_THREAD)
        vcd_write_name(self, &line, run->thread.address, TXTAP_OBJECT_THREAD);
    else
        line_text(&line, runs[run->what]);
    line_text(&line, " ");
    return end_value(self, &line, VAR_CORES + core);
}

/* Does any core run an interrupt? */
static enum txtap_status write_interrupt(struct txtap_exporter *self)
{
    const struct vcd *rows = state_of(self);
    bool known = rows->cores_seen > 0, any = false;

    for (uint32_t i = 0; i < rows->cores_seen; i++) {
        known = known && rows->cores[i].what != TXTAP_RUNNING_UNKNOWN;
        any = any || rows->cores[i].what == TXTAP_RUNNING_ISR;
    }
    return write_bit(self, VAR_INTERRUPT, bit_of(known || any, any));
}

static enum txtap_status write_all(struct txtap_exporter *self)
{
    const struct vcd *rows = state_of(self);
    enum txtap_status status = write_bit(self, VAR_LOST, rows->lost ? "1" : "0");

    if (status == TXTAP_OK)
        status = write_interrupt(self);
    for (uint32_t i = 0; i < VCD_CORES && status == TXTAP_OK; i++)
        status = write_core(self, i);
    for (uint32_t i = 0; i < rows->threads.declared && status == TXTAP_OK; i++)
        status = write_thread(self, i);
    for (uint32_t i = 0; i < rows->objects.declared && status == TXTAP_OK && !only_wires(self); i++)
        status = write_object(self, i);
    return status;
}

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
    write_identifier(&line, var);
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
    if (status == TXTAP_OK && !only_wires(self))
        status = declare(self, "string 1", VAR_NEWEST_INTERRUPT, NULL, "newest_interrupt");
    if (status == TXTAP_OK && !only_wires(self))
        status = declare(self, "string 1", VAR_MARK, NULL, "mark");
    for (uint32_t i = 0; i < VCD_CORES && status == TXTAP_OK && !only_wires(self); i++)
        status = declare(self, "string 1", VAR_CORES + i, NULL, names[i]);
    return status == TXTAP_OK ? write_line(self, "$upscope $end\n$scope module threads $end") : status;
}

static enum txtap_status declare_thread(struct txtap_exporter *self, uint32_t number)
{
    const struct vcd_row *row = &state_of(self)->threads.rows[number];
    enum txtap_status status = declare(self, "wire 1", var_of_thread(self, number, THREAD_RUNNING), row, "_running");

    if (status == TXTAP_OK)
        status = declare(self, "wire 1", var_of_thread(self, number, THREAD_READY), row, "_ready");
    if (status == TXTAP_OK && !only_wires(self))
        status = declare(self, "string 1", var_of_thread(self, number, THREAD_STATE), row, "");
    return status;
}

static enum txtap_status declare_all(struct txtap_exporter *self)
{
    const struct vcd *rows = state_of(self);
    enum txtap_status status = declare_system(self);

    for (uint32_t i = 0; i < rows->threads.declared && status == TXTAP_OK; i++)
        status = declare_thread(self, i);
    if (status == TXTAP_OK && !only_wires(self))
        status = write_line(self, "$upscope $end\n$scope module objects $end");
    for (uint32_t i = 0; i < rows->objects.declared && status == TXTAP_OK && !only_wires(self); i++)
        status = declare(self, "integer 32", var_of_object(self, i), &rows->objects.rows[i], "");
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
    return status == TXTAP_OK ? write_all(self) : status;
}

/* ---- changes ---- */

static enum txtap_status take_state(struct txtap_exporter *self, const struct txtap_change_state *state)
{
    uint32_t number = vcd_row_of(&state_of(self)->threads, &state->thread);
    struct vcd_row *row;

    if (number == TXTAP_CHANGE_NONE)
        return TXTAP_OK;
    row = &state_of(self)->threads.rows[number];
    row->state = (uint8_t)state->state;
    row->reason = (uint8_t)state->reason;
    row->object = state->object.address;
    row->object_type = state->object.type;
    return write_thread(self, number);
}

/* $comment NAME was STATE from TIME on $end. Not between wires: there sigrok 0.5 takes all that follows for a comment.
 */
static enum txtap_status take_past(struct txtap_exporter *self, const struct txtap_change_state *state)
{
    struct vcd_row row = {.state = (uint8_t)state->state,
                          .reason = (uint8_t)state->reason,
                          .object = state->object.address,
                          .object_type = state->object.type};
    uint32_t number = vcd_row_of(&state_of(self)->threads, &state->thread);
    struct line line;

    if (number == TXTAP_CHANGE_NONE || only_wires(self))
        return TXTAP_OK;
    start_value(self, &line);
    line_text(&line, "$comment ");
    vcd_write_row_name(self, &line, &state_of(self)->threads.rows[number]);
    line_text(&line, " was ");
    write_state(self, &line, &row);
    line_text(&line, " from ");
    line_decimal(&line, vcd_time(state->since, self->options.tick_hz));
    line_text(&line, " on $end");
    return exporter_line_end(self, &line, "\n");
}

static enum txtap_status take_counter(struct txtap_exporter *self, const struct txtap_change_counter *counter)
{
    uint32_t number = only_wires(self) ? TXTAP_CHANGE_NONE : vcd_row_of(&state_of(self)->objects, &counter->object);

    if (number == TXTAP_CHANGE_NONE)
        return TXTAP_OK;
    state_of(self)->objects.rows[number].known = counter->known;
    state_of(self)->objects.rows[number].value = counter->value;
    return write_object(self, number);
}

static enum txtap_status take_run(struct txtap_exporter *self, uint32_t core, const struct txtap_change_run *run)
{
    struct vcd *rows = state_of(self);
    bool was, is = run->what == TXTAP_RUNNING_ISR;
    enum txtap_status status;

    if (core >= VCD_CORES)
        return TXTAP_OK;
    was = rows->cores[core].what == TXTAP_RUNNING_ISR || rows->cores[core].what == TXTAP_RUNNING_UNKNOWN;
    rows->cores[core] = *run;
    rows->cores_seen = core >= rows->cores_seen ? core + 1 : rows->cores_seen;
    status = write_core(self, core);
    return status == TXTAP_OK && (was || is) ? write_interrupt(self) : status;
}

/* Its number. That of one whose end is not recorded stands only here. */
static enum txtap_status take_interrupt(struct txtap_exporter *self, uint32_t number)
{
    struct line line;

    if (only_wires(self))
        return TXTAP_OK;
    start_value(self, &line);
    line_text(&line, "s");
    if (number != TXTAP_CHANGE_NONE)
        line_decimal(&line, number);
    else
        line_text(&line, "unknown");
    line_text(&line, " ");
    return end_value(self, &line, VAR_NEWEST_INTERRUPT);
}

static enum txtap_status vcd_mark(struct txtap_exporter *self, const struct txtap_mark *mark)
{
    const char *name = txtap_mark_name(mark->kind);
    struct line line;

    if (only_wires(self))
        return TXTAP_OK;
    start_value(self, &line);
    line_text(&line, "s");
    line_text(&line, name != NULL ? name : "mark");
    if (mark->text[0] != '\0')
        line_text(&line, ":");
    vcd_write_text(&line, mark->text);
    line_text(&line, " ");
    return end_value(self, &line, VAR_MARK);
}

static enum txtap_status take_gap(struct txtap_exporter *self)
{
    vcd_forget(state_of(self));
    state_of(self)->lost = true;
    return write_all(self);
}

static enum txtap_status take_gap_end(struct txtap_exporter *self)
{
    state_of(self)->lost = false;
    return write_bit(self, VAR_LOST, "0");
}

/* Gives the last values a length, and says how much is missing. */
static enum txtap_status take_end(struct txtap_exporter *self)
{
    const struct vcd *vcd = state_of(self);
    enum txtap_status status = write_bit(self, VAR_LOST, vcd->lost ? "1" : "0");
    struct line line;

    if (status != TXTAP_OK || only_wires(self) || vcd->threads.left_out == 0)
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
