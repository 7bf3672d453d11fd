/* SPDX-License-Identifier: MIT */
/* A sample capture read whole, and what the reference tool printed of it (tests/data/tracex_extract.awk). */
#ifndef TXTAP_TESTS_SAMPLE_H
#define TXTAP_TESTS_SAMPLE_H

#include "txtap/event.h"
#include "txtap/header.h"
#include "txtap/registry.h"

#define SAMPLE_EVENTS_MAX  1024
#define SAMPLE_OBJECTS_MAX 64

struct sample {
    const char *name;
    struct txtap_header header;
    struct txtap_registry registry;
    struct txtap_object objects[SAMPLE_OBJECTS_MAX];
    struct txtap_event events[SAMPLE_EVENTS_MAX]; /* oldest first, seq and ticks filled */
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
    struct reference_event events[SAMPLE_EVENTS_MAX];
    struct reference_object objects[SAMPLE_OBJECTS_MAX];
    unsigned counts[1024 + 1024]; /* by event id */
    size_t event_count, object_count;
};

#define SAMPLES 4
extern const char *const sample_names[SAMPLES];

/* Each aborts the test when the file is not as it should be. */
void sample_load(struct sample *sample, const char *name);
void reference_load(struct reference *reference, const char *name);

#endif
