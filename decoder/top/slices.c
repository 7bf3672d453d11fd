/* SPDX-License-Identifier: MIT */
/* Rings of slices. What is older than a ring is left out. */
#include "top/slices.h"

#include "base/min_max.h"

void slices_add(struct slices *slices, uint64_t number, enum slice_sum sum, uint64_t amount)
{
    struct slice *slice = &slices->slice[number % SLICES];

    if (slice->next_number > number + 1)
        return; /* it is too old */
    if (slice->next_number != number + 1)
        *slice = (struct slice){.next_number = number + 1};
    slice->sum[sum] += amount;
}

void slices_add_span(struct slices *slices, uint64_t from, uint64_t to, uint64_t slice_ticks, enum slice_sum sum)
{
    uint64_t last = to / slice_ticks;

    if (last >= SLICES)
        from = max_u64(from, (last - SLICES + 1) * slice_ticks);
    while (from < to) {
        uint64_t number = from / slice_ticks, end = number == last ? to : (number + 1) * slice_ticks;

        slices_add(slices, number, sum, end - from);
        from = end;
    }
}

uint64_t slices_sum(const struct slices *slices, uint64_t first, uint64_t last, enum slice_sum sum)
{
    uint64_t total = 0;

    for (unsigned i = 0; i < SLICES; i++) {
        const struct slice *slice = &slices->slice[i];

        if (slice->next_number > first && slice->next_number <= last + 1)
            total += slice->sum[sum];
    }
    return total;
}
