/* SPDX-License-Identifier: MIT */
/*
 * Part of the poller: the queue of events that wait until it is known which objects they mean, and the delivery of all
 * items. Knows which events wait, and for how long; knows nothing of how the registry is copied.
 */
#include "stream/poller_parts.h"

#include <stdlib.h>
#include <string.h>

#define WAIT_US           1000000 /* the longest that an event waits for names: then it shows addresses */
#define WAIT_ENTRIES      8192    /* waiting events beside those of a full ring */
#define WAIT_ENTRIES_MOST 65536   /* most waiting events: 13 MB */

struct poller_names_item {
    struct txtap_item item;          /* an event or a gap */
    uint8_t entry[TXTB_ENTRY_BYTES]; /* the event's */
    uint64_t seq, taken_us;
    bool wants; /* a newer copy of the registry */
};

/* ---- memory ---- */

bool names_init(struct poller *poller)
{
    struct poller_names *names = &poller->names;
    size_t entries = (size_t)txtap_header_ring_entries(&poller->header) + WAIT_ENTRIES;

    *names = (struct poller_names){.wanted_seq = UINT64_MAX};
    names->copy = calloc(1, poller->objects_bytes + 1);
    names->again = calloc(1, poller->objects_bytes + 1);
    if (poller->settings.waits_for_names && poller->objects_bytes > 0)
        names->capacity = entries < WAIT_ENTRIES_MOST ? entries : WAIT_ENTRIES_MOST;
    names->items = calloc(names->capacity + 1, sizeof *names->items);
    return names->copy != NULL && names->again != NULL && names->items != NULL;
}

void names_free(struct poller *poller)
{
    free(poller->names.copy);
    free(poller->names.again);
    free(poller->names.items);
    poller->names = (struct poller_names){.wanted_seq = UINT64_MAX};
}

bool names_event_changes(const struct txtap_event_info *info)
{
    return info != NULL && info->registers;
}

/* ---- waiting ---- */

static struct poller_names_item *item_at(const struct poller_names *names, size_t i)
{
    return &names->items[(names->first + i) % names->capacity];
}

uint64_t names_find_wanted(const struct poller_names *names, uint64_t seq)
{
    for (size_t i = 0; i < names->count; i++) {
        const struct poller_names_item *item = item_at(names, i);

        if (item->wants && item->seq >= seq)
            return item->seq;
    }
    return names->wanted_low_seq > seq ? names->wanted_low_seq - 1 : UINT64_MAX;
}

/* ---- delivery ---- */

static enum txtap_status deliver(struct poller *poller, struct txtap_item *item)
{
    enum txtap_status status;

    if (item->kind == TXTAP_ITEM_EVENT)
        txtap_event_maker_time(&poller->maker, item);
    status = txtap_sink_take(poller->sink, item);
    if (status >= TXTAP_OK) /* what still waits for names when the sink has enough is neither an event nor a loss */
        stream_stats_count(&poller->stats, item);
    return status;
}

static enum txtap_status deliver_first(struct poller *poller)
{
    struct poller_names *names = &poller->names;
    struct poller_names_item *item = item_at(names, 0);

    names->first = (names->first + 1) % names->capacity;
    names->count--;
    return deliver(poller, &item->item);
}

bool names_wait(const struct poller *poller)
{
    return poller->names.count > 0;
}

bool names_wait_before(const struct poller *poller, uint64_t seq)
{
    return names_wait(poller) && item_at(&poller->names, 0)->seq < seq;
}

bool names_hurry(const struct poller *poller)
{
    const struct poller_names *names = &poller->names;

    return names_wait(poller) && (!names->high_known || names->head_seq > poller_next_seq(poller));
}

static bool must_wait(const struct poller *poller, uint64_t seq)
{
    return poller->names.capacity > 0 && (names_wait(poller) || seq >= poller->names.wanted_seq);
}

enum txtap_status names_take(struct poller *poller, struct txtap_item *item)
{
    struct poller_names *names = &poller->names;
    bool is_event = item->kind == TXTAP_ITEM_EVENT;
    uint64_t seq = is_event ? item->event.seq : item->gap.seq;
    struct poller_names_item *waiting;
    enum txtap_status status;

    if (!must_wait(poller, seq))
        return deliver(poller, item);
    status = names->count == names->capacity ? deliver_first(poller) : TXTAP_OK;
    waiting = item_at(names, names->count++);
    waiting->item = *item;
    waiting->seq = seq;
    waiting->taken_us = poller->now_us();
    waiting->wants = !is_event || names_event_changes(txtap_event_find(item->event.id, 0));
    if (is_event) {
        memcpy(waiting->entry, item->event.entry, TXTB_ENTRY_BYTES);
        waiting->item.event.entry = waiting->entry;
    }
    return status;
}

enum txtap_status poller_flush(struct poller *poller)
{
    enum txtap_status status = TXTAP_OK;

    while (names_wait(poller) && status == TXTAP_OK)
        status = deliver_first(poller);
    poller->names.wanted_seq = UINT64_MAX;
    return status;
}

enum txtap_status names_release(struct poller *poller)
{
    struct poller_names *names = &poller->names;
    uint64_t now = poller->now_us();
    enum txtap_status status = TXTAP_OK;

    while (names_wait(poller) && status == TXTAP_OK) {
        const struct poller_names_item *item = item_at(names, 0);

        if (item->seq >= names->wanted_seq) {
            if (now - item->taken_us < WAIT_US)
                break;
            names->wanted_seq = names_find_wanted(names, item->seq + 1);
        }
        status = deliver_first(poller);
    }
    return status;
}
