/* SPDX-License-Identifier: MIT */
/* The firmware's counters, for the audit. */
#include "counters.h"
#include "bits.h"
#include "image.h"

static const char *const names[COUNTERS] = {"demo_events_written", "demo_ledger_next"};

const char *counter_name(int counter)
{
    return names[counter];
}

void counters_find(struct counters *counters, const struct memory *memory, int firmware_fd)
{
    for (int i = 0; i < COUNTERS; i++) {
        const struct region *region = NULL;
        if (image_find(firmware_fd, names[i], &counters->address[i]))
            region = memory_find(memory, counters->address[i], 4);
        counters->known[i] = region && region->kind == REGION_RAM;
    }
}

struct counter_values counters_read(const struct counters *counters, struct memory *memory)
{
    struct counter_values values = {0};
    for (int i = 0; i < COUNTERS; i++) {
        uint32_t address = counters->address[i];
        uint8_t word[4];
        if (!counters->known[i] || !memory_read(memory, memory_find(memory, address, 4), address, word, 4))
            continue;
        values.known[i] = true;
        values.value[i] = get_u32(word);
    }
    return values;
}

void counters_clear(const struct counters *counters, struct memory *memory)
{
    static const uint8_t zero[4] = {0};
    for (int i = 0; i < COUNTERS; i++)
        if (counters->known[i])
            memory_write(memory, memory_find(memory, counters->address[i], 4), counters->address[i], zero, 4);
}
