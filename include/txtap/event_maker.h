/* SPDX-License-Identifier: MIT */
/*
 * Events out of a ring's entries, for whoever gives out items: takes each entry apart once, and gives the event its
 * time once. One for each stream, for the time of an event follows from those before it.
 */
#ifndef TXTAP_EVENT_MAKER_H
#define TXTAP_EVENT_MAKER_H

#include <stdint.h>

#include "txtap/api.h"
#include "txtap/clock.h"
#include "txtap/header.h"
#include "txtap/host_time.h"
#include "txtap/item.h"
#include "txtap/txtb.h"

TXTAP_API_BEGIN

struct txtap_event_maker {
    struct txtap_clock clock;
    struct txtap_host_time host_time;
    uint64_t unix_offset_us; /* from the host's monotonic clock to microseconds since 1970: the caller's to set after
                                init. 0: event.unix_us stays 0 */
    uint64_t from_us, to_us; /* of the last event that had such times */
};

/* timer_mask: the header's. tick_hz: as in txtap_host_time_init(). */
void txtap_event_maker_init(struct txtap_event_maker *maker, uint32_t timer_mask, double tick_hz);

/*
 * The entry that comes next as an item that was written at an unknown time. entry: TXTB_ENTRY_BYTES bytes, to which the
 * event then points. Words, and that it is unsettled, are the caller's to fill in.
 */
void txtap_event_maker_event(struct txtap_event_maker *maker, const struct txtap_header *header,
                             const uint8_t entry[TXTB_ENTRY_BYTES], uint64_t seq, struct txtap_item *item);

/* The time of the event that comes next, which was parsed: ticks, ticks_doubtful, unix_us, by its stamp, from_us,
 * to_us. */
void txtap_event_maker_time(struct txtap_event_maker *maker, struct txtap_item *item);

/* What comes next is of another trace: as txtap_host_time_restart(). */
void txtap_event_maker_restart(struct txtap_event_maker *maker, uint32_t timer_mask);

TXTAP_API_END

#endif
