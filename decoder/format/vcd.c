/* SPDX-License-Identifier: MIT */
/*
 * Value change dumps, IEEE 1364. The format vcd is for GTKWave, and shows states and reasons as text. The format
 * vcd-wires is for sigrok and PulseView, and has only wires of one bit. All variables are declared before the first
 * value. So some rows are reserved for threads that become known later. A dump cannot change earlier values. If an
 * earlier state becomes known later, vcd writes it as a comment.
 */
#include "format/vcd.h"

/* ---- time ---- */

#define NS       UINT64_C(1000000000)
#define TIME_MAX INT64_MAX /* viewers store times in 63 bits */

/* The units of a dump: a dump counts time in units of 10^-exponent s. A tick is a whole number of units, unless this
 * needs units below 1 ns. */
struct unit {
    uint64_t hz; /* ticks per second; 0: the rate is not a whole number, or is too large */
    uint64_t in_second;
    unsigned exponent;
};

static struct unit unit_of(double tick_hz)
{
    struct unit scale = {.hz = 1000000, .in_second = 1}; /* without a rate, a tick is shown as 1 us */

    if (tick_hz > 0)
        scale.hz = tick_hz >= 1 && tick_hz <= 1e10 && (double)(uint64_t)tick_hz == tick_hz ? (uint64_t)tick_hz : 0;
    for (; scale.in_second < NS && (scale.hz == 0 || scale.in_second % scale.hz != 0); scale.exponent++)
        scale.in_second *= 10;
    return scale;
}

static uint64_t time_of(const struct txtap_exporter *self, uint64_t ticks)
{
    struct unit scale = unit_of(self->options.tick_hz);

    if (scale.hz == 0) {
        double time = (double)ticks / self->options.tick_hz * (double)scale.in_second;

        return time < 9e18 ? (uint64_t)time : TIME_MAX;
    }
    if (ticks / scale.hz >= TIME_MAX / scale.in_second)
        return TIME_MAX;
    return ticks / scale.hz * scale.in_second + ticks % scale.hz * scale.in_second / scale.hz;
}

void vcd_set_time(struct txtap_exporter *self, uint64_t ticks)
{
    struct vcd *vcd = vcd_of(self);
    uint64_t time = time_of(self, ticks);

    if (time > vcd->time) {
        vcd->time = time;
        vcd->time_written = false;
    }
}

/* ---- lines ---- */

void vcd_end_line(struct txtap_exporter *self, struct line *line)
{
    enum txtap_status status = exporter_line_end(self, line, "\n");

    if (vcd_of(self)->status == TXTAP_OK)
        vcd_of(self)->status = status;
}

void vcd_write_line(struct txtap_exporter *self, const char *text)
{
    struct line line;

    exporter_line_start(self, &line);
    line_text(&line, text);
    vcd_end_line(self, &line);
}

/* Uses letters only, because sigrok 0.5 accepts no other characters. */
void vcd_write_identifier(struct line *line, uint32_t var)
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

void vcd_start_value(struct txtap_exporter *self, struct line *line, const char *text)
{
    exporter_line_start(self, line);
    if (!vcd_of(self)->time_written) {
        vcd_of(self)->time_written = true;
        line_text(line, "#");
        line_decimal(line, vcd_of(self)->time);
        line_text(line, "\n");
    }
    line_text(line, text);
}

void vcd_end_value(struct txtap_exporter *self, struct line *line, const char *text, uint32_t var)
{
    line_text(line, text);
    vcd_write_identifier(line, var);
    vcd_end_line(self, line);
}

void vcd_write_bit(struct txtap_exporter *self, uint32_t var, bool known, bool bit)
{
    struct line line;

    vcd_start_value(self, &line, !known ? "x" : bit ? "1" : "0");
    vcd_end_value(self, &line, "", var);
}

/* ---- variables and their values ---- */

/* The numbers of the variables, in the order of declaration: first for the system, then for each thread, then for each
 * object. */
enum {
    VAR_LOST,
    VAR_INTERRUPT,
    VAR_WIRES_THREADS, /* vcd-wires has no more variables of the system than these */
    VAR_NEWEST_INTERRUPT = VAR_WIRES_THREADS,
    VAR_MARK,
    VAR_CORES,
    VAR_THREADS = VAR_CORES + CORES
};

enum thread_var { THREAD_RUNNING, THREAD_READY, THREAD_STATE, OBJECT_VALUE = THREAD_RUNNING };

static uint32_t var_of(const struct txtap_exporter *self, const struct row *row, enum thread_var var)
{
    const struct vcd *vcd = vcd_of(self);
    uint32_t base = vcd_only_wires(self) ? VAR_WIRES_THREADS : VAR_THREADS, each = vcd_only_wires(self) ? 2 : 3;
    uint32_t number = (uint32_t)(row - vcd->rows);

    return number < vcd->threads ? base + each * number + var : base + (each - 1) * vcd->threads + number;
}

/* Writes a state, such as "blocked:queue:samples". */
static void write_state(const struct txtap_exporter *self, struct line *line, const struct txtap_change_state *state)
{
    static const char *const states[] = {"unknown", "running", "interrupted", "ready", "blocked"};
    static const char *const reasons[] = {
        "",       ":completed",  ":terminated", ":suspended", ":sleep", ":queue",  ":semaphore",
        ":flags", ":block_pool", ":byte_pool",  ":io",        ":file",  ":tcp_ip", ":mutex",
        "",       ":other",
    };

    line_text(line, states[state->state]);
    if (state->state != TXTAP_THREAD_BLOCKED || state->reason >= sizeof reasons / sizeof *reasons)
        return;
    line_text(line, reasons[state->reason]);
    if (state->object.address == 0)
        return;
    line_text(line, ":");
    vcd_write_name(self, line, state->object.address, state->object.type);
}

static void write_thread(struct txtap_exporter *self, const struct row *row)
{
    enum txtap_thread_state state = row->state.state;
    bool known = state != TXTAP_THREAD_UNKNOWN;
    struct line line;

    vcd_write_bit(self, var_of(self, row, THREAD_RUNNING), known, state == TXTAP_THREAD_RUNNING);
    vcd_write_bit(self, var_of(self, row, THREAD_READY), known, state == TXTAP_THREAD_READY);
    if (vcd_only_wires(self))
        return;
    vcd_start_value(self, &line, "s");
    if (row->late > 0 && row->address != 0) {
        vcd_write_name(self, &line, row->address, TXTAP_OBJECT_THREAD);
        line_text(&line, ":");
    }
    write_state(self, &line, &row->state);
    vcd_end_value(self, &line, " ", var_of(self, row, THREAD_STATE));
}

static void write_object(struct txtap_exporter *self, const struct row *row)
{
    char digits[33], *at = digits + sizeof digits - 1;
    uint32_t value = row->counter.value;
    struct line line;

    *at = '\0';
    do
        *--at = (char)('0' + value % 2);
    while ((value /= 2) > 0);
    vcd_start_value(self, &line, "b");
    line_text(&line, row->counter.known ? at : "x");
    vcd_end_value(self, &line, " ", var_of(self, row, OBJECT_VALUE));
}

static void write_core(struct txtap_exporter *self, uint32_t core)
{
    static const char *const runs[] = {"unknown", "idle", "init", "interrupt"};
    const struct txtap_change_run *run = &vcd_of(self)->cores[core];
    struct line line;

    if (vcd_only_wires(self))
        return;
    vcd_start_value(self, &line, "s");
    if (run->what == TXTAP_RUNNING_THREAD)
        vcd_write_name(self, &line, run->thread.address, TXTAP_OBJECT_THREAD);
    else
        line_text(&line, runs[run->what]);
    vcd_end_value(self, &line, " ", VAR_CORES + core);
}

/* Writes 1 if any core runs an interrupt, otherwise 0. */
static void write_interrupt(struct txtap_exporter *self)
{
    const struct vcd *vcd = vcd_of(self);
    bool known = vcd->cores_seen > 0, any = false;

    for (uint32_t i = 0; i < vcd->cores_seen; i++) {
        known = known && vcd->cores[i].what != TXTAP_RUNNING_UNKNOWN;
        any = any || vcd->cores[i].what == TXTAP_RUNNING_ISR;
    }
    vcd_write_bit(self, VAR_INTERRUPT, known || any, any);
}

static void write_all(struct txtap_exporter *self)
{
    const struct vcd *vcd = vcd_of(self);

    vcd_write_bit(self, VAR_LOST, true, vcd->lost);
    write_interrupt(self);
    for (uint32_t i = 0; i < CORES; i++)
        write_core(self, i);
    for (uint32_t i = 0; i < vcd->threads; i++)
        write_thread(self, &vcd->rows[i]);
    for (uint32_t i = vcd->threads; i < vcd->declared; i++)
        write_object(self, &vcd->rows[i]);
}

/* ---- the head ---- */

/* Declares a variable. row: NULL for a variable of the system. vcd-wires does not declare texts and numbers. */
static void declare(struct txtap_exporter *self, const char *type, uint32_t var, const struct row *row,
                    const char *name)
{
    struct line line;

    if (vcd_only_wires(self) && strcmp(type, "wire 1") != 0)
        return;
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
    vcd_end_line(self, &line);
}

static void declare_all(struct txtap_exporter *self)
{
    static const char *const cores[CORES] = {"cpu0", "cpu1", "cpu2", "cpu3"};
    const struct vcd *vcd = vcd_of(self);

    vcd_write_line(self, "$scope module system $end");
    declare(self, "wire 1", VAR_LOST, NULL, "lost_events");
    declare(self, "wire 1", VAR_INTERRUPT, NULL, "interrupt");
    declare(self, "string 1", VAR_NEWEST_INTERRUPT, NULL, "newest_interrupt");
    declare(self, "string 1", VAR_MARK, NULL, "mark");
    for (uint32_t i = 0; i < CORES; i++)
        declare(self, "string 1", VAR_CORES + i, NULL, cores[i]);
    vcd_write_line(self, "$upscope $end\n$scope module threads $end");
    for (const struct row *row = vcd->rows; row < vcd->rows + vcd->threads; row++) {
        declare(self, "wire 1", var_of(self, row, THREAD_RUNNING), row, "_running");
        declare(self, "wire 1", var_of(self, row, THREAD_READY), row, "_ready");
        declare(self, "string 1", var_of(self, row, THREAD_STATE), row, "");
    }
    if (!vcd_only_wires(self))
        vcd_write_line(self, "$upscope $end\n$scope module objects $end");
    for (const struct row *row = vcd->rows + vcd->threads; row < vcd->rows + vcd->declared; row++)
        declare(self, "integer 32", var_of(self, row, OBJECT_VALUE), row, "");
    vcd_write_line(self, "$upscope $end");
    vcd_declare_channels(self, var_of(self, vcd->rows + vcd->declared, OBJECT_VALUE));
    vcd_write_line(self, "$enddefinitions $end");
}

static void write_timescale(struct txtap_exporter *self)
{
    static const char *const numbers[] = {"1 ", "100 ", "10 "}, *const units[] = {"s", "ms", "us", "ns"};
    unsigned exponent = unit_of(self->options.tick_hz).exponent;
    struct line line;

    exporter_line_start(self, &line);
    line_text(&line, "$timescale ");
    line_text(&line, numbers[exponent % 3]);
    line_text(&line, units[(exponent + 2) / 3]);
    line_text(&line, " $end");
    vcd_end_line(self, &line);
}

static enum txtap_status vcd_begin(struct txtap_exporter *self)
{
    enum txtap_status status = exporter_changes_begin(self);

    if (status != TXTAP_OK)
        return status;
    vcd_make_rows(self);
    vcd_write_line(self, "$version txtap $end");
    if (!(self->options.tick_hz > 0))
        vcd_write_line(self, "$comment each tick is shown as 1 us $end");
    write_timescale(self);
    declare_all(self);
    write_all(self);
    vcd_clear_channels(self);
    return vcd_of(self)->status;
}

/* ---- changes ---- */

static void take_state(struct txtap_exporter *self, const struct txtap_change_state *state)
{
    struct row *row = vcd_row_of(self, &state->thread);

    if (row == NULL)
        return;
    row->state = *state;
    write_thread(self, row);
}

/* Writes "$comment NAME was STATE from TIME on $end". Writes nothing for vcd-wires, because sigrok 0.5 then treats the
 * rest of the file as a comment. */
static void take_past(struct txtap_exporter *self, const struct txtap_change_state *state)
{
    const struct row *row = vcd_row_of(self, &state->thread);
    struct line line;

    if (row == NULL || vcd_only_wires(self))
        return;
    vcd_start_value(self, &line, "$comment ");
    vcd_write_row_name(self, &line, row);
    line_text(&line, " was ");
    write_state(self, &line, state);
    line_text(&line, " from ");
    line_decimal(&line, time_of(self, state->since));
    line_text(&line, " on $end");
    vcd_end_line(self, &line);
}

static void take_counter(struct txtap_exporter *self, const struct txtap_change_counter *counter)
{
    struct row *row = vcd_row_of(self, &counter->object);

    if (row == NULL)
        return;
    row->counter = *counter;
    write_object(self, row);
}

static void take_run(struct txtap_exporter *self, uint32_t core, const struct txtap_change_run *run)
{
    struct vcd *vcd = vcd_of(self);
    bool was;

    if (core >= CORES)
        return;
    was = vcd->cores[core].what == TXTAP_RUNNING_ISR || vcd->cores[core].what == TXTAP_RUNNING_UNKNOWN;
    vcd->cores[core] = *run;
    vcd->cores_seen = core >= vcd->cores_seen ? core + 1 : vcd->cores_seen;
    write_core(self, core);
    if (was || run->what == TXTAP_RUNNING_ISR)
        write_interrupt(self);
}

/* Writes the interrupt's number, and its name if it is known. If the interrupt's end is not recorded, the interrupt is
 * shown only here. */
static void take_interrupt(struct txtap_exporter *self, uint32_t number)
{
    const char *name = NULL;
    struct line line;

    vcd_start_value(self, &line, "s");
    if (number != TXTAP_CHANGE_NONE) {
        line_decimal(&line, number);
        txtap_interrupts_see(&self->interrupts, number);
        name = txtap_interrupts_name(&self->interrupts, number);
    } else {
        line_text(&line, "unknown");
    }
    if (name != NULL) {
        line_text(&line, ":");
        vcd_write_word(&line, name, false);
    }
    vcd_end_value(self, &line, " ", VAR_NEWEST_INTERRUPT);
}

static enum txtap_status vcd_mark(struct txtap_exporter *self, const struct txtap_mark *mark)
{
    const char *name = txtap_mark_name(mark->kind);
    struct line line;

    vcd_start_value(self, &line, "s");
    line_text(&line, name != NULL ? name : "mark");
    if (mark->text[0] != '\0')
        line_text(&line, ":");
    vcd_write_word(&line, mark->text, false);
    vcd_end_value(self, &line, " ", VAR_MARK);
    return vcd_of(self)->status;
}

/* Sets all values to unknown from now on. */
static void take_gap(struct txtap_exporter *self)
{
    struct vcd *vcd = vcd_of(self);

    for (uint32_t i = 0; i < vcd->declared; i++) {
        vcd->rows[i].state.state = TXTAP_THREAD_UNKNOWN;
        vcd->rows[i].counter.known = false;
    }
    for (uint32_t i = 0; i < CORES; i++)
        vcd->cores[i].what = TXTAP_RUNNING_UNKNOWN;
    vcd->lost = true;
    write_all(self);
}

/* Writes a number as a comment, unless it is 0. */
static void write_left_out(struct txtap_exporter *self, const char *what, uint64_t number)
{
    struct line line;

    if (number == 0)
        return;
    exporter_line_start(self, &line);
    line_text(&line, what);
    line_decimal(&line, number);
    line_text(&line, " $end");
    vcd_end_line(self, &line);
}

/* Writes a last value, so that the preceding values have a length. Writes the number of threads without a row, and of
 * samples without a variable. */
static void take_end(struct txtap_exporter *self)
{
    const struct vcd *vcd = vcd_of(self);

    vcd_write_bit(self, VAR_LOST, true, vcd->lost);
    if (vcd_only_wires(self))
        return;
    write_left_out(self, "$comment threads without a row: ", vcd->left_out);
    write_left_out(self, "$comment samples without a variable: ", vcd->samples_left_out);
}

static enum txtap_status vcd_change(struct txtap_exporter *self, const struct txtap_change *change)
{
    vcd_set_time(self, change->ticks);
    if (change->kind == TXTAP_CHANGE_RUN)
        take_run(self, change->core, &change->run);
    else if (change->kind == TXTAP_CHANGE_STATE)
        take_state(self, &change->state);
    else if (change->kind == TXTAP_CHANGE_PAST)
        take_past(self, &change->state);
    else if (change->kind == TXTAP_CHANGE_ISR_ENTER && !vcd_only_wires(self))
        take_interrupt(self, change->isr.number);
    else if (change->kind == TXTAP_CHANGE_COUNTER && !vcd_only_wires(self))
        take_counter(self, &change->counter);
    else if (change->kind == TXTAP_CHANGE_GAP)
        take_gap(self);
    else if (change->kind == TXTAP_CHANGE_GAP_END)
        vcd_write_bit(self, VAR_LOST, true, vcd_of(self)->lost = false);
    else if (change->kind == TXTAP_CHANGE_END)
        take_end(self);
    return vcd_of(self)->status;
}

static enum txtap_status vcd_end(struct txtap_exporter *self)
{
    enum txtap_status status = exporter_changes_end(self);

    return status == TXTAP_OK ? txtap_exporter_flush(self) : status;
}

const struct txtap_exporter_ops vcd_ops = {
    .name = "vcd",
    .use = "for GTKWave",
    .begin = vcd_begin,
    .event = exporter_changes_event,
    .gap = exporter_changes_gap,
    .mark = vcd_mark,
    .sample = vcd_sample,
    .end = vcd_end,
    .change = vcd_change,
    .state_bytes = vcd_state_bytes,
};
const struct txtap_exporter_ops vcd_wires_ops = {
    .name = "vcd-wires",
    .use = "for PulseView",
    .begin = vcd_begin,
    .event = exporter_changes_event,
    .gap = exporter_changes_gap,
    .sample = vcd_sample,
    .end = vcd_end,
    .change = vcd_change,
    .state_bytes = vcd_state_bytes,
};
