/* SPDX-License-Identifier: MIT */
/* The state of a value change dump, and its lines. */
#ifndef TXTAP_DECODER_FORMAT_VCD_H
#define TXTAP_DECODER_FORMAT_VCD_H

#include "format/exporter.h"
#include "txtap/inner/change.h"

#define CORES      4u
#define TEXT_BYTES 160u /* size of a text in bytes, NUL included; a longer text is cut */

struct row {
    uint32_t address;                    /* 0: a reserved row without a thread */
    uint8_t type;                        /* enum txtap_object_type */
    uint8_t late;                        /* 1, 2, ...: number of a reserved row; 0: the thread was known at the start */
    bool shared;                         /* another row may have the same name, so the address follows the name */
    uint32_t hash;                       /* hash of the name */
    struct txtap_change_state state;     /* state of a thread */
    struct txtap_change_counter counter; /* count of an object */
};

struct vcd {
    struct txtap_change_run cores[CORES];
    uint32_t cores_seen;
    bool lost;                                 /* the dump is inside a gap */
    uint64_t time;                             /* time of the next values, in units of the dump */
    bool time_written;                         /* `time` was written to the dump */
    enum txtap_status status;                  /* the writer's first failure; TXTAP_OK: no failure so far */
    uint32_t left_out;                         /* number of threads without a row */
    uint32_t channel_vars[TXTAP_CHANNELS_MAX]; /* index: number of the channel; value: number of its variable plus one;
                                                  0: the channel has no variable */
    uint64_t samples_left_out;                 /* number of samples without a variable */
    uint32_t *of_number; /* index: number of the thread or, after all threads, of the object; value: index of
                            the row plus one; 0: not looked up yet */
    uint32_t threads;    /* number of rows for threads; these rows are first */
    uint32_t declared;   /* number of rows for threads and objects */
    struct row rows[];
};

static inline struct vcd *vcd_of(const struct txtap_exporter *self)
{
    return self->changes.state;
}

/* Returns true for the format that has only wires of one bit. */
static inline bool vcd_only_wires(const struct txtap_exporter *self)
{
    return self->ops == &vcd_wires_ops;
}

/* ---- rows ---- */

size_t vcd_state_bytes(const struct txtap_change_limits *limits);

/* Adds rows for all threads and objects of the registry, and reserves rows for later threads. The state must be zeroed
 * before. */
void vcd_make_rows(struct txtap_exporter *self);

/* Returns the row of the thread or object; NULL: the thread or object has no row. */
struct row *vcd_row_of(struct txtap_exporter *self, const struct txtap_change_party *party);

/* Writes the row's identifier: letters, digits and '_'. No other row has the same identifier. */
void vcd_write_row_name(const struct txtap_exporter *self, struct line *line, const struct row *row);

/* Writes the name as one word of printable ASCII. Without a name, writes the address. */
void vcd_write_name(const struct txtap_exporter *self, struct line *line, uint32_t address, uint8_t type);

/* Writes text from the target or the user as one word. Each byte becomes one character. identifier: letters, digits and
 * '_' only. */
void vcd_write_word(struct line *line, const char *text, bool identifier);

/* ---- lines ---- */

/* Sets the time of the next values. */
void vcd_set_time(struct txtap_exporter *self, uint64_t ticks);

void vcd_write_line(struct txtap_exporter *self, const char *text);
void vcd_end_line(struct txtap_exporter *self, struct line *line);

/* Writes the identifier of a variable, given by its number. */
void vcd_write_identifier(struct line *line, uint32_t var);

/* Starts a line with a value. If the time has changed, first writes the time. */
void vcd_start_value(struct txtap_exporter *self, struct line *line, const char *text);

/* Ends the line with a text and the identifier of the variable. */
void vcd_end_value(struct txtap_exporter *self, struct line *line, const char *text, uint32_t var);
void vcd_write_bit(struct txtap_exporter *self, uint32_t var, bool known, bool bit);

/* ---- samples ---- */

/* Declares a variable for each channel. first: number of the first variable that is not used yet. */
void vcd_declare_channels(struct txtap_exporter *self, uint32_t first);

/* Sets the values of all channels to unknown. */
void vcd_clear_channels(struct txtap_exporter *self);
enum txtap_status vcd_sample(struct txtap_exporter *self, const struct txtap_sample *sample);

#endif
