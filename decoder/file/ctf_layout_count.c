/* SPDX-License-Identifier: MIT */
/* Counts records by their layout. Knows nothing of the metadata's text. */
#include <string.h>

#include "base/bytes.h"
#include "txtap/ctf_layout.h"

const struct txtap_ctf_event *txtap_ctf_find(const struct txtap_ctf_layout *layout, uint32_t id)
{
    size_t low = 0, high = layout->event_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (layout->events[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < layout->event_count && layout->events[low].id == id ? &layout->events[low] : NULL;
}

static void end_record(struct txtap_ctf_counter *counter)
{
    counter->records++;
    counter->bytes += counter->partial;
    counter->partial = 0;
    counter->missing = 0;
}

static void end_header(const struct txtap_ctf_layout *layout, struct txtap_ctf_counter *counter)
{
    const struct txtap_ctf_event *event;

    counter->id = (uint32_t)bytes_number(counter->header + layout->id_at, layout->big_endian ? TXTAP_BIG : TXTAP_LITTLE,
                                         layout->id_bytes);
    event = txtap_ctf_find(layout, counter->id);
    if (event == NULL)
        counter->stopped = true;
    else if (event->bytes == 0)
        end_record(counter);
    else
        counter->missing = event->bytes;
}

void txtap_ctf_count(const struct txtap_ctf_layout *layout, struct txtap_ctf_counter *counter, const uint8_t *bytes,
                     size_t length)
{
    while (length > 0) {
        size_t step = length;

        if (!counter->stopped && counter->missing > 0) {
            step = counter->missing < length ? (size_t)counter->missing : length;
            counter->missing -= step;
            counter->partial += step;
            if (counter->missing == 0)
                end_record(counter);
        } else if (!counter->stopped) {
            size_t room = layout->header_bytes - (size_t)counter->partial;

            step = room < length ? room : length;
            memcpy(counter->header + counter->partial, bytes, step);
            counter->partial += step;
            if (counter->partial == layout->header_bytes)
                end_header(layout, counter);
        } else {
            counter->partial += step;
        }
        bytes += step;
        length -= step;
    }
}
