/* SPDX-License-Identifier: MIT */
#include "replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "txtap/txtb.h"

#define FILE_BYTES_MAX (64u << 20)

static void *allocate(size_t bytes)
{
    void *memory = malloc(bytes);

    if (memory == NULL) {
        fputs("bench_decode: no memory\n", stderr);
        exit(1);
    }
    return memory;
}

void replay_open(struct replay *replay, const char *path)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = allocate(FILE_BYTES_MAX);
    size_t length = file != NULL ? fread(bytes, 1, FILE_BYTES_MAX, file) : 0;
    struct txtap_item item;

    if (file == NULL || txtap_trace_open(&replay->trace, bytes, length, replay->objects, REPLAY_OBJECTS) != TXTAP_OK) {
        fprintf(stderr, "bench_decode: %s: no trace\n", path);
        exit(1);
    }
    fclose(file);
    replay->count = replay->next = 0;
    replay->base = 0;
    replay->entries = allocate(replay->trace.ring_entries * sizeof(*replay->entries));
    replay->ticks = allocate(replay->trace.ring_entries * sizeof(*replay->ticks));
    while (txtap_trace_next(&replay->trace, &item) == TXTAP_OK) {
        if (item.kind != TXTAP_ITEM_EVENT)
            continue;
        replay->entries[replay->count] = item.event.entry;
        replay->ticks[replay->count++] = item.event.ticks;
    }
    if (replay->count == 0) {
        fprintf(stderr, "bench_decode: %s: no events\n", path);
        exit(1);
    }
}

static void put_stamp(const struct replay *replay, uint8_t *at, uint64_t ticks)
{
    bool big = replay->trace.header.endian == TXTAP_BIG;

    for (unsigned i = 0; i < 4; i++)
        at[i] = (uint8_t)(ticks >> 8 * (big ? 3 - i : i) & 0xFF);
}

void replay_fill(struct replay *replay, uint8_t *entries, size_t count)
{
    for (size_t i = 0; i < count; i++, entries += TXTB_ENTRY_BYTES) {
        memcpy(entries, replay->entries[replay->next], TXTB_ENTRY_BYTES);
        put_stamp(replay, entries + TXTB_ENTRY_STAMP, replay->base + replay->ticks[replay->next]);
        if (++replay->next < replay->count)
            continue;
        replay->base += replay->ticks[replay->count - 1] + 1;
        replay->next = 0;
    }
}
