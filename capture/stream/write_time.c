/* SPDX-License-Identifier: MIT */
/* When each entry was written, by when the ring's pointer was read. */
#include "stream/write_time.h"

#include <string.h>

void write_times_start(struct write_times *write_times, uint64_t head, bool exact, uint64_t begin_us, uint64_t end_us)
{
    write_times->at[0] = (struct write_time){head, end_us, exact ? begin_us : 0};
    write_times->count = 1;
}

static void drop_oldest(struct write_times *write_times)
{
    write_times->count--;
    memmove(write_times->at, write_times->at + 1, write_times->count * sizeof *write_times->at);
}

/* Drops entries before next, except the last of them. Without room, the newest is merged with the next one: less exact,
 * but still true. */
static void make_room(struct write_times *write_times, uint64_t next)
{
    while (write_times->count > 1 && write_times->at[1].head <= next)
        drop_oldest(write_times);
    if (write_times->count == WRITE_TIMES_MAX)
        write_times->count--;
}

void write_times_note(struct write_times *write_times, uint64_t head, bool exact, uint64_t begin_us, uint64_t end_us,
                      uint64_t next)
{
    struct write_time *last = &write_times->at[write_times->count - 1];
    uint64_t last_us = last->last_us; /* what was not written yet at an older head was not there either */

    if (head > last->head) {
        make_room(write_times, next);
        last = &write_times->at[write_times->count++];
        *last = (struct write_time){head, end_us, last_us};
    }
    if (exact && head == last->head)
        last->last_us = begin_us;
}

void write_times_find(const struct write_times *write_times, uint64_t position, uint64_t *from_us, uint64_t *to_us,
                      uint64_t *until)
{
    size_t i = 0;

    while (i + 1 < write_times->count && write_times->at[i].head <= position)
        i++;
    *from_us = i > 0 ? write_times->at[i - 1].last_us : 0;
    *to_us = write_times->at[i].first_us;
    *until = write_times->at[i].head > position ? write_times->at[i].head : UINT64_MAX;
}
