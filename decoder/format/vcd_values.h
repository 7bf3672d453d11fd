/* SPDX-License-Identifier: MIT */
/* The variables of a value change dump, and their values as lines. */
#ifndef TXTAP_DECODER_FORMAT_VCD_VALUES_H
#define TXTAP_DECODER_FORMAT_VCD_VALUES_H

#include "format/vcd_rows.h"

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

static inline struct vcd *vcd_of(const struct txtap_exporter *self)
{
    return self->changes.state;
}

/* Is it vcd-wires? */
bool vcd_only_wires(const struct txtap_exporter *self);

uint32_t vcd_var_of_thread(const struct txtap_exporter *self, uint32_t row, enum thread_var var);
uint32_t vcd_var_of_object(const struct txtap_exporter *self, uint32_t row);
void vcd_write_identifier(struct line *line, uint32_t var);

/* A line with a value: behind the time, if that is another one; vcd_end_value() is due. */
void vcd_start_value(struct txtap_exporter *self, struct line *line);
enum txtap_status vcd_end_value(struct txtap_exporter *self, struct line *line, uint32_t var);

/* bit: "0", "1" or "x". */
enum txtap_status vcd_write_bit(struct txtap_exporter *self, uint32_t var, const char *bit);

/* "blocked:queue:samples": into a line. */
void vcd_write_state(const struct txtap_exporter *self, struct line *line, const struct vcd_row *row);

/* All values of a row, of a core, or of the system, as they are now; what the format has no variable for is left out.
 */
enum txtap_status vcd_write_thread(struct txtap_exporter *self, uint32_t number);
enum txtap_status vcd_write_object(struct txtap_exporter *self, uint32_t number);
enum txtap_status vcd_write_core(struct txtap_exporter *self, uint32_t core);
enum txtap_status vcd_write_interrupt(struct txtap_exporter *self);
enum txtap_status vcd_write_all(struct txtap_exporter *self);

#endif
