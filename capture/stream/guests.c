/* SPDX-License-Identifier: MIT */
/* Plans the reads of all guests in an exchange, and gives each guest its answer. */
#include "stream/guest.h"

#include <assert.h>
#include <string.h>

#define BYTES_LEAST    40u /* the guests always get this many bytes: a sample of the program counter needs five reads */
#define BYTES_PER_READ 8u  /* each read takes at least the time of so many bytes: some probes need a command for it */

void guests_add(struct guests *guests, struct guest guest)
{
    assert(guests->count < GUESTS_MAX);
    guests->at[guests->count++] = guest;
}

void guests_add_first(struct guests *guests, struct guest guest)
{
    guests_add(guests, guest);
    memmove(&guests->at[1], &guests->at[0], (guests->count - 1) * sizeof guests->at[0]);
    guests->at[0] = guest;
}

static uint32_t bytes_of(const struct txtap_read *reads, size_t count)
{
    uint32_t bytes = 0;

    for (size_t i = 0; i < count; i++)
        bytes += reads[i].length;
    return bytes;
}

static uint32_t least_of(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

size_t guests_plan(struct guests *guests, const struct txtap_read **reads, size_t count,
                   const struct txtap_source_ops *source, uint64_t now_us)
{
    size_t room = source->reads_max < GUEST_READS_MAX ? source->reads_max : GUEST_READS_MAX, all = count;
    uint32_t taken = bytes_of(*reads, count), bytes;

    guests->asked = 0;
    if (count >= room || taken >= source->read_bytes_max)
        return count;
    if (guests->bytes_most == 0)
        guests->bytes_most = GUEST_BYTES_MAX;
    if (room > count + guests->bytes_most / BYTES_PER_READ)
        room = count + guests->bytes_most / BYTES_PER_READ;
    bytes = least_of(source->read_bytes_max - taken, guests->bytes_most);
    memcpy(guests->reads, *reads, count * sizeof **reads);
    for (size_t i = 0; i < guests->count; i++) {
        const struct guest *guest = &guests->at[i];
        size_t planned = all < room ? guest->ops->plan(guest->self, guests->reads + all, room - all, bytes, now_us) : 0;

        if (planned == 0)
            continue;
        guests->asked |= 1u << i;
        bytes -= bytes_of(guests->reads + all, planned);
        all += planned;
    }
    guests->asked_bytes = bytes_of(guests->reads + count, all - count);
    if (all > count)
        *reads = guests->reads;
    return all;
}

/* Adapts the size of the guests' reads: half after an exchange that took too long, slightly more after a short one. */
static void adapt_size(struct guests *guests, uint64_t time_us, uint64_t spare_us)
{
    if (time_us > spare_us)
        guests->bytes_most /= 2;
    else if (time_us < spare_us / 2)
        guests->bytes_most += guests->bytes_most / 8 + 1;
    if (guests->bytes_most < BYTES_LEAST)
        guests->bytes_most = BYTES_LEAST;
    guests->bytes_most = least_of(guests->bytes_most, GUEST_BYTES_MAX);
}

void guests_commit(struct guests *guests, uint64_t begin_us, uint64_t end_us, uint64_t spare_us)
{
    guests->exchanges++;
    guests->bytes += guests->asked_bytes;
    adapt_size(guests, end_us - begin_us, spare_us);
    for (size_t i = 0; i < guests->count; i++)
        if ((guests->asked >> i & 1) != 0)
            guests->at[i].ops->commit(guests->at[i].self, &guests->queue, begin_us, end_us);
}

void guests_failed(struct guests *guests, uint64_t begin_us, uint64_t end_us)
{
    guests->failures++;
    for (size_t i = 0; i < guests->count; i++)
        if ((guests->asked >> i & 1) != 0)
            guests->at[i].ops->failed(guests->at[i].self, &guests->queue, begin_us, end_us);
}

uint64_t guests_due_us(const struct guests *guests)
{
    uint64_t first = UINT64_MAX;

    for (size_t i = 0; i < guests->count; i++) {
        uint64_t due = guests->at[i].ops->due_us(guests->at[i].self);

        first = due < first ? due : first;
    }
    return first;
}

void guests_postpone(struct guests *guests, uint64_t now_us)
{
    guests->postponed += guests_due_us(guests) <= now_us;
}

void guests_restart(struct guests *guests, uint64_t now_us)
{
    for (size_t i = 0; i < guests->count; i++)
        if (guests->at[i].ops->restart != NULL)
            guests->at[i].ops->restart(guests->at[i].self, now_us);
}
