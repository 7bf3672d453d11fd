/* SPDX-License-Identifier: MIT */
/*
 * A poller that reads a steady writer through a probe as slow as a real one, in virtual time: each exchange, each
 * piece of it and each word takes its time, and the writer goes on meanwhile. Nothing in it depends on the host's pace.
 */
#ifndef TXTAP_TESTS_PROBE_FIXTURE_H
#define TXTAP_TESTS_PROBE_FIXTURE_H

#include "ring/txtb_target.h"
#include "stream/poller.h"

struct probe_model {
    const char *name;
    uint64_t exchange_us, piece_us; /* beside what its words take: of an exchange, of each 4 KiB piece of it */
    uint64_t word_ns;
};

/* As the virtual board imitates them, with OpenOCD in front. */
extern const struct probe_model stlink_v2, stlink_v3;

struct probe_fixture {
    struct ring_target target;
    struct poller poller;
    struct probe_model probe;
    uint64_t now_ns;
    uint64_t rate_per_s, paced_ns, paced; /* since paced_ns, when this many were written, it writes at this rate */
    struct error error;
};

extern struct probe_fixture probe_fixture;

uint64_t probe_fixture_now_us(void);

/* A ring with that many events in it, and a writer that goes on at that rate. */
void probe_fixture_set_up(const struct probe_model *probe, uint32_t entries, bool counts_laps, uint64_t written,
                          uint64_t rate_per_s);

/* Time goes by, and nobody reads. */
void probe_fixture_wait(uint64_t us);

/* A poller on it without a sink, its header read as when a command attaches; and that many microseconds of its steps.
 */
void probe_fixture_open(enum txtap_ring_from from);
void probe_fixture_run(uint64_t us);

#endif
