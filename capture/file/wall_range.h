/* SPDX-License-Identifier: MIT */
/* A range of the host's wall clock, as a range of ticks of a recording. Each block of events has the time at which its
 * first event was read, and the time until its last event was read. */
#ifndef TXTAP_CAPTURE_FILE_WALL_RANGE_H
#define TXTAP_CAPTURE_FILE_WALL_RANGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/failure.h"
#include "txtap/recording.h"

struct wall_range {
    uint64_t since_us;             /* microseconds since 1970; 0: no lower limit */
    uint64_t until_us;             /* microseconds since 1970; 0: no upper limit */
    uint64_t from_ticks, to_ticks; /* the events of the range, both inclusive */
    uint64_t given_from, given_to; /* the events that other options choose, both inclusive */
};

/* Starts a range. given_from, given_to: the events that other options choose. Until the first block, it has no events
 * if since_us is above 0, and otherwise all events. */
void wall_range_init(struct wall_range *range, uint64_t since_us, uint64_t until_us, uint64_t given_from,
                     uint64_t given_to);

/* Takes a block before its events are used. tick_hz: 0: unknown, so that the range begins and ends with whole blocks.
 */
void wall_range_take(struct wall_range *range, const struct txtap_recording_item *block, double tick_hz);

/* Returns TXTAP_ERROR_USAGE if a range is given, because the file `name` is not a recording. error has the cause. */
enum txtap_status wall_range_refuse(uint64_t since_us, uint64_t until_us, const char *name, struct error *error);

/* Sets the events to use: they are in the range, and other options choose them. */
void wall_range_limit(const struct wall_range *range, uint64_t *from_ticks, uint64_t *to_ticks);

static inline bool wall_range_is_given(const struct wall_range *range)
{
    return range->since_us > 0 || range->until_us > 0;
}

#endif
