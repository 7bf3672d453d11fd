/* SPDX-License-Identifier: MIT */
/*
 * Turns the entries of a ring into events: parses each entry once, and computes its time once. Each stream needs its
 * own maker, because the time of an event depends on the events before it.
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
    uint64_t unix_offset_us; /* microseconds since 1970 minus the host's monotonic clock; the caller may set it after
                                init. 0: event.unix_us stays 0 */
    uint64_t from_us, to_us; /* private: host times of the last event whose host times are known */
};

/*
 * Starts a maker. timer_mask: from the header. tick_hz: ticks per second, assumed to be accurate to 100 ppm; 0: the
 * maker measures the rate.
 */
void txtap_event_maker_init(struct txtap_event_maker *maker, uint32_t timer_mask, double tick_hz);

/*
 * Turns the next entry into an item with an unknown host time. entry: TXTB_ENTRY_BYTES bytes; the event points to them.
 * The caller sets words and unsettled.
 */
void txtap_event_maker_event(struct txtap_event_maker *maker, const struct txtap_header *header,
                             const uint8_t entry[TXTB_ENTRY_BYTES], uint64_t seq, struct txtap_item *item);

/*
 * Computes ticks, ticks_doubtful and unix_us of the next event from its stamp, from_us and to_us. The event has been
 * parsed.
 */
void txtap_event_maker_time(struct txtap_event_maker *maker, struct txtap_item *item);

/*
 * Continues with the events of another trace, whose time source has restarted. Call it after a reset. The ticks between
 * the two traces follow from the host's clock; they are 0 if the rate is unknown. timer_mask: from the new header.
 */
void txtap_event_maker_restart(struct txtap_event_maker *maker, uint32_t timer_mask);

TXTAP_API_END

#endif
