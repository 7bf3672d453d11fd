/* SPDX-License-Identifier: MIT */
/* Makes events from entries, each with its time. */
#include "txtap/event_maker.h"

#include <string.h>

void txtap_event_maker_init(struct txtap_event_maker *maker, uint32_t timer_mask, double tick_hz)
{
    memset(maker, 0, sizeof(*maker));
    txtap_clock_init(&maker->clock, timer_mask);
    txtap_host_time_init(&maker->host_time, tick_hz);
}

void txtap_event_maker_event(struct txtap_event_maker *maker, const struct txtap_header *header,
                             const uint8_t entry[TXTB_ENTRY_BYTES], uint64_t seq, struct txtap_item *item)
{
    item->kind = TXTAP_ITEM_EVENT;
    item->from_us = item->to_us = 0;
    txtap_event_parse(entry, header, &item->event);
    item->event.seq = seq;
    txtap_event_maker_time(maker, item);
}

void txtap_event_maker_time(struct txtap_event_maker *maker, struct txtap_item *item)
{
    struct txtap_event *event = &item->event;

    if (item->to_us == 0 && maker->host_time.to == 0) { /* from a file, which has no host times */
        event->ticks = txtap_clock_unwrap(&maker->clock, event->stamp);
        return;
    }
    if (item->to_us != 0 && (item->from_us != maker->from_us || item->to_us != maker->to_us)) {
        txtap_host_time_window(&maker->host_time, item->from_us, item->to_us);
        maker->from_us = item->from_us;
        maker->to_us = item->to_us;
    }
    event->ticks = txtap_host_time_unwrap(&maker->host_time, &maker->clock, event->stamp);
    event->ticks_doubtful = txtap_host_time_last_doubtful(&maker->host_time);
    if (maker->unix_offset_us != 0 && txtap_host_time_last_us(&maker->host_time, &event->unix_us))
        event->unix_us += maker->unix_offset_us;
}

void txtap_event_maker_restart(struct txtap_event_maker *maker, uint32_t timer_mask)
{
    txtap_host_time_restart(&maker->host_time, &maker->clock, timer_mask);
    maker->from_us = maker->to_us = 0;
}
