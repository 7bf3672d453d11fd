/* SPDX-License-Identifier: MIT */
/* When each entry was written, by when the ring's pointer was read. */
#include "stream/write_time.h"

#include <string.h>

void sightings_start(struct sightings *sightings, uint64_t head, bool exact, uint64_t begin_us, uint64_t end_us)
{
    sightings->at[0] = (struct sighting){head, end_us, exact ? begin_us : 0};
    sightings->count = 1;
}

static void drop_oldest(struct sightings *sightings)
{
    sightings->count--;
    memmove(sightings->at, sightings->at + 1, sightings->count * sizeof *sightings->at);
}

/* What is before next is over, but for its end. Full, the newest becomes one with what comes: less exact, still true.
 */
static void make_room(struct sightings *sightings, uint64_t next)
{
    while (sightings->count > 1 && sightings->at[1].head <= next)
        drop_oldest(sightings);
    if (sightings->count == SIGHTINGS_MAX)
        sightings->count--;
}

void sightings_note(struct sightings *sightings, uint64_t head, bool exact, uint64_t begin_us, uint64_t end_us,
                    uint64_t next)
{
    struct sighting *last = &sightings->at[sightings->count - 1];
    uint64_t last_us = last->last_us; /* what was not written at an older head was not there either */

    if (head > last->head) {
        make_room(sightings, next);
        last = &sightings->at[sightings->count++];
        *last = (struct sighting){head, end_us, last_us};
    }
    if (exact && head == last->head)
        last->last_us = begin_us;
}

void sightings_find(const struct sightings *sightings, uint64_t position, uint64_t *from_us, uint64_t *to_us,
                    uint64_t *until)
{
    size_t i = 0;

    while (i + 1 < sightings->count && sightings->at[i].head <= position)
        i++;
    *from_us = i > 0 ? sightings->at[i - 1].last_us : 0;
    *to_us = sightings->at[i].first_us;
    *until = sightings->at[i].head > position ? sightings->at[i].head : UINT64_MAX;
}
