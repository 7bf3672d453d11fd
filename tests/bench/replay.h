/* SPDX-License-Identifier: MIT */
/* Repeats the events of a .trx file in an endless loop, as entries of a ring: any number of events of a real
 * application. */
#ifndef TXTAP_TESTS_BENCH_REPLAY_H
#define TXTAP_TESTS_BENCH_REPLAY_H

#include <stddef.h>
#include <stdint.h>

#include "txtap/trace.h"

#define REPLAY_OBJECTS 1024u

struct replay {
    struct txtap_trace trace; /* including its header and registry */
    struct txtap_object objects[REPLAY_OBJECTS];
    const uint8_t **entries; /* count of them */
    uint64_t *ticks;
    size_t count, next;
    uint64_t base; /* ticks of the previous rounds */
};

/* Ends the program with a message if the file is not a trace. */
void replay_open(struct replay *replay, const char *path);

/*
 * Writes the next `count` entries of TXTB_ENTRY_BYTES. The last event is followed by the first event, one tick later.
 */
void replay_fill(struct replay *replay, uint8_t *entries, size_t count);

#endif
