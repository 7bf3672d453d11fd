/* SPDX-License-Identifier: MIT */
/* The variables of a value change dump, and their values as lines. */
#include "format/vcd_values.h"

/* ---- variables ---- */

bool vcd_only_wires(const struct txtap_exporter *self)
{
    return self->ops == &vcd_wires_ops;
}

uint32_t vcd_var_of_thread(const struct txtap_exporter *self, uint32_t row, enum thread_var var)
{
    return vcd_only_wires(self) ? VAR_WIRES_THREADS + 2 * row + var : VAR_THREADS + 3 * row + var;
}

uint32_t vcd_var_of_object(const struct txtap_exporter *self, uint32_t row)
{
    return vcd_var_of_thread(self, vcd_of(self)->threads.declared, THREAD_RUNNING) + row;
}

/* Letters only: sigrok 0.5 knows no others. */
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

/* ---- values ---- */

void vcd_start_value(struct txtap_exporter *self, struct line *line)
{
    exporter_line_start(self, line);
    if (vcd_of(self)->time_written)
        return;
    vcd_of(self)->time_written = true;
    line_text(line, "#");
    line_decimal(line, vcd_of(self)->time);
    line_text(line, "\n");
}

enum txtap_status vcd_end_value(struct txtap_exporter *self, struct line *line, uint32_t var)
{
    vcd_write_identifier(line, var);
    return exporter_line_end(self, line, "\n");
}

enum txtap_status vcd_write_bit(struct txtap_exporter *self, uint32_t var, const char *bit)
{
    struct line line;

    vcd_start_value(self, &line);
    line_text(&line, bit);
    return vcd_end_value(self, &line, var);
}

static const char *bit_of(bool known, bool bit)
{
    return !known ? "x" : bit ? "1" : "0";
}

void vcd_write_state(const struct txtap_exporter *self, struct line *line, const struct vcd_row *row)
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
    const struct vcd_row *row = &vcd_of(self)->threads.rows[number];
    struct line line;

    if (vcd_only_wires(self))
        return TXTAP_OK;
    vcd_start_value(self, &line);
    line_text(&line, "s");
    if (row->late > 0 && row->address != 0) {
        vcd_write_name(self, &line, row->address, TXTAP_OBJECT_THREAD);
        line_text(&line, ":");
    }
    vcd_write_state(self, &line, row);
    line_text(&line, " ");
    return vcd_end_value(self, &line, vcd_var_of_thread(self, number, THREAD_STATE));
}

enum txtap_status vcd_write_thread(struct txtap_exporter *self, uint32_t number)
{
    const struct vcd_row *row = &vcd_of(self)->threads.rows[number];
    bool known = row->state != TXTAP_THREAD_UNKNOWN;
    enum txtap_status status = vcd_write_bit(self, vcd_var_of_thread(self, number, THREAD_RUNNING),
                                             bit_of(known, row->state == TXTAP_THREAD_RUNNING));

    if (status == TXTAP_OK)
        status = vcd_write_bit(self, vcd_var_of_thread(self, number, THREAD_READY),
                               bit_of(known, row->state == TXTAP_THREAD_READY));
    return status == TXTAP_OK ? write_state_text(self, number) : status;
}

enum txtap_status vcd_write_object(struct txtap_exporter *self, uint32_t number)
{
    const struct vcd_row *row = &vcd_of(self)->objects.rows[number];
    char digits[33], *at = digits + sizeof digits - 1;
    uint32_t value = row->value;
    struct line line;

    *at = '\0';
    do
        *--at = (char)('0' + value % 2);
    while ((value /= 2) > 0);
    vcd_start_value(self, &line);
    line_text(&line, "b");
    line_text(&line, row->known ? at : "x");
    line_text(&line, " ");
    return vcd_end_value(self, &line, vcd_var_of_object(self, number));
}

enum txtap_status vcd_write_core(struct txtap_exporter *self, uint32_t core)
{
    static const char *const runs[] = {"unknown", "idle", "init", "interrupt"};
    const struct txtap_change_run *run = &vcd_of(self)->cores[core];
    struct line line;

    if (vcd_only_wires(self))
        return TXTAP_OK;
    vcd_start_value(self, &line);
    line_text(&line, "s");
    if (run->what == TXTAP_RUNNING_THREAD)
        vcd_write_name(self, &line, run->thread.address, TXTAP_OBJECT_THREAD);
    else
        line_text(&line, runs[run->what]);
    line_text(&line, " ");
    return vcd_end_value(self, &line, VAR_CORES + core);
}

/* Does any core run an interrupt? */
enum txtap_status vcd_write_interrupt(struct txtap_exporter *self)
{
    const struct vcd *rows = vcd_of(self);
    bool known = rows->cores_seen > 0, any = false;

    for (uint32_t i = 0; i < rows->cores_seen; i++) {
        known = known && rows->cores[i].what != TXTAP_RUNNING_UNKNOWN;
        any = any || rows->cores[i].what == TXTAP_RUNNING_ISR;
    }
    return vcd_write_bit(self, VAR_INTERRUPT, bit_of(known || any, any));
}

enum txtap_status vcd_write_all(struct txtap_exporter *self)
{
    const struct vcd *rows = vcd_of(self);
    enum txtap_status status = vcd_write_bit(self, VAR_LOST, rows->lost ? "1" : "0");

    if (status == TXTAP_OK)
        status = vcd_write_interrupt(self);
    for (uint32_t i = 0; i < VCD_CORES && status == TXTAP_OK; i++)
        status = vcd_write_core(self, i);
    for (uint32_t i = 0; i < rows->threads.declared && status == TXTAP_OK; i++)
        status = vcd_write_thread(self, i);
    for (uint32_t i = 0; i < rows->objects.declared && status == TXTAP_OK && !vcd_only_wires(self); i++)
        status = vcd_write_object(self, i);
    return status;
}
