/* SPDX-License-Identifier: MIT */
/* Items: names of marks, delivery to a sink, and the event maker, which turns entries into events with times. */
#include "txtap/item.h"

#include <string.h>

#include "txtap/event_maker.h"
#include "txtap/inner/host_time.h"

const char *txtap_mark_name(enum txtap_mark_kind kind)
{
    static const char *const mark_names[TXTAP_MARK_KINDS] = {
        [TXTAP_MARK_DETACHED] = "detached", [TXTAP_MARK_ATTACHED] = "attached", [TXTAP_MARK_RESET] = "reset",
        [TXTAP_MARK_MOVED] = "moved",       [TXTAP_MARK_DISABLED] = "disabled", [TXTAP_MARK_ENABLED] = "enabled",
        [TXTAP_MARK_TRIGGER] = "trigger",   [TXTAP_MARK_UNSURE] = "unsure",     [TXTAP_MARK_HALTED] = "halted",
        [TXTAP_MARK_RUNNING] = "running",   [TXTAP_MARK_CHECK] = "check",       [TXTAP_MARK_FAULT] = "fault",
    };

    return (unsigned)kind < TXTAP_MARK_KINDS ? mark_names[kind] : NULL;
}

enum txtap_status txtap_sink_take(struct txtap_sink sink, const struct txtap_item *item)
{
    return sink.take != NULL ? sink.take(sink.self, item) : TXTAP_OK;
}

/* ---- events ---- */

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

    if (item->to_us == 0 && maker->host_time.to == 0) { /* entries in a file have no host times */
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
