/* SPDX-License-Identifier: MIT */
/* A decoded sample capture, and the reference tool's output for it (tests/data/tracex_extract.awk). */
#ifndef TXTAP_TESTS_REFERENCE_H
#define TXTAP_TESTS_REFERENCE_H

#include "buffer/samples.h"
#include "txtap/trace.h"

#define DECODED_EVENTS_MAX  1024
#define DECODED_OBJECTS_MAX 64

struct decoded {
    struct sample sample; /* owns the bytes that the trace uses */
    struct txtap_trace trace;
    struct txtap_object objects[DECODED_OBJECTS_MAX];
    struct txtap_event events[DECODED_EVENTS_MAX]; /* oldest first; seq and ticks are set */
    size_t count;
};

struct reference_event {
    unsigned long long ticks;
    unsigned id;
    uint32_t context, next, stamp; /* contexts as the kernel records them; 0: idle */
};

struct reference_object {
    uint32_t pointer;
    char type[16], name[64];
};

struct reference {
    struct reference_event events[DECODED_EVENTS_MAX];
    struct reference_object objects[DECODED_OBJECTS_MAX];
    unsigned counts[1024 + 1024]; /* number of events with each id */
    size_t event_count, object_count;
};

/* Load the data of sample `index`, 0 to SAMPLES - 1. Each function aborts the test if the file is not as expected. */
void decoded_load(struct decoded *decoded, size_t index);
void reference_load(struct reference *reference, size_t index);

#endif
