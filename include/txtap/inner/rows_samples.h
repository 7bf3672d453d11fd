/* SPDX-License-Identifier: MIT */
/*
 * Not installed: for the program txtap, its page and tests, which link txtap_core.
 *
 * The rows of samples (sample.h): a row for each channel, from the channel's first sample on. Events do not change
 * these rows, so samples need no event near them. Ticks are the ticks of the samples. They never decrease in a row.
 *   - SAMPLED_VALUE and SAMPLED_STATE: a value lasts until the next sample. Equal samples that follow each other are
 *     kept as one sample. Nothing is known after the row's last sample.
 *   - LOG: each line is kept.
 *   - PC: each sample is kept. A timeline does not draw this row.
 */
#ifndef TXTAP_INNER_ROWS_SAMPLES_H
#define TXTAP_INNER_ROWS_SAMPLES_H

#include "txtap/inner/rows.h"
#include "txtap/sample.h"

#define TXTAP_ROWS_SAMPLES_MAX (UINT32_C(1) << 24) /* samples that all rows keep, unless the options have a number */

/*
 * Takes a sample. Its channel is borrowed until the rows are closed. If there is no page, or too many samples are kept,
 * the function first drops the oldest samples of the longest row. TXTAP_ERROR_SPACE: as for txtap_rows_take().
 */
enum txtap_status txtap_rows_take_sample(struct txtap_rows *rows, const struct txtap_sample *sample);

/* Notes that the target restarted, or cannot be read: its values are not known until their next samples. Returns the
 * same statuses as txtap_rows_take_sample(). */
enum txtap_status txtap_rows_forget_samples(struct txtap_rows *rows);

struct txtap_row_sample {
    uint64_t to_ticks; /* time of the next sample; if it has not been taken, time of the last sample that was equal */
    uint64_t window;   /* the sample was taken at most this number of ticks before or after its ticks; UINT64_MAX: not
                          known */
    bool known;        /* false: the value is not known from here on, because the target restarted; bits are 0 */
    bool last;         /* there is no next sample */
    /* channel, state, ticks, bits, thread and text are set. Text is valid until the next sample is taken or dropped. */
    struct txtap_sample sample;
};

/*
 * Returns the number of the row's first sample at the time `ticks` or later. Numbers are consecutive;
 * txtap_rows_sample() returns false before the first and after the last sample.
 */
uint32_t txtap_rows_first_sample(const struct txtap_rows *rows, uint32_t row, uint64_t ticks);
bool txtap_rows_sample(const struct txtap_rows *rows, uint32_t row, uint32_t number, struct txtap_row_sample *sample);

/*
 * A piece: adjacent columns with the same samples. min above max: no value is known in the whole piece. A NaN or an
 * infinite number counts as not known. The piece of a LOG or PC row is a column, and only its count is set.
 */
struct txtap_row_samples {
    uint16_t x0, x1;
    uint16_t flags; /* TXTAP_VALUES_LAST, TXTAP_VALUES_PARTLY */
    uint16_t count; /* number of kept samples in the piece; 65535: 65535 or more */
    double min, max;
    double last; /* value at the end of the piece, if it is known */
};

/*
 * Finds the pieces of a row of samples. count: number of columns in edges. out: room for count pieces. Returns the
 * number of pieces. A column of a range by time may be before or after the events. In a range by event, a sample is in
 * the column of the last event before it.
 */
size_t txtap_rows_samples(const struct txtap_rows *rows, uint32_t row, const struct txtap_rows_edge *edges,
                          uint32_t count, struct txtap_row_samples *out);

#endif
