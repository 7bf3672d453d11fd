/* SPDX-License-Identifier: MIT */
/*
 * A poller that reads a steady writer through a probe that is as slow as a real one, in virtual time: each exchange,
 * each piece of it and each word takes time, while the writer goes on. Nothing depends on the host's speed.
 */
#ifndef TXTAP_TESTS_PROBE_FIXTURE_H
#define TXTAP_TESTS_PROBE_FIXTURE_H

#include "ring/txtb_target.h"
#include "stream/direct_probe.h"
#include "stream/poller.h"

/* What reading costs, in addition to its words: an exchange, each of its pieces, each command of a piece. */
struct probe_model {
    const char *name;
    uint64_t exchange_us, piece_us, command_us;
    uint32_t command_bytes; /* the most that one command reads, */
    uint32_t block_bytes;   /* and it never passes a multiple of that; 0: it does */
    uint64_t word_ns;
    const struct direct_timing
        *direct; /* reads by the commands of dap_source.c, and nothing of the above counts; or NULL */
};

/* Like the virtual board's imitations, including OpenOCD's time. */
extern const struct probe_model stlink_v2, stlink_v3;

/* Probes as measured, one a row, with what stands between txtap and the wire; ends with a NULL name. */
extern const struct probe_model probe_models[];

/* By its whole name, which must be one of them. */
const struct probe_model *probe_models_find(const char *name);

/*
 * How a real chain differs from one in which everything is even: events are written all at once at each tick, and a
 * command takes longer when the host does something else. Zeros: even.
 */
struct disturbance {
    uint64_t tick_us;
    uint64_t late_us, stall_us; /* a command ends up to late_us later; one in 32 takes up to stall_us longer */
    uint64_t end_us;            /* an exchange ends up to so much later */
};

struct probe_fixture {
    struct ring_target target;
    struct poller poller;
    struct probe_model probe;
    struct txtap_source source;
    uint64_t now_ns; /* the target's; the host's may be ahead of it */
    struct disturbance disturbance;
    uint32_t dice; /* of the disturbance */
    uint64_t rate_per_s, paced_ns,
        paced;                        /* it has written at this rate since paced_ns, when `paced` events were written */
    void (*write)(uint64_t until_ns); /* instead, if not NULL: writes what is due by then */
    struct error error;
};

extern struct probe_fixture probe_fixture;

uint64_t probe_fixture_now_us(void);

/* A ring with that many events in it, and a writer that goes on at that rate. objects: slots of the registry, all
 * empty, at most 32. */
enum probe_laps { PROBE_NO_LAPS, PROBE_LAPS, PROBE_HALF_LAPS };
struct probe_ring {
    uint32_t entries, objects;
    enum probe_laps laps;
};
void probe_fixture_set_up(const struct probe_model *probe, struct probe_ring ring, uint64_t written,
                          uint64_t rate_per_s);

/* Reads as one exchange. */
enum txtap_status probe_fixture_read(const struct txtap_read *reads, size_t count);

/* Lets time pass without reading. */
void probe_fixture_wait(uint64_t us);

/* Opens a poller on it, without a sink or with one, with the header read as when a command attaches; runs its steps for
 * that many microseconds. */
void probe_fixture_open(enum txtap_ring_from from);
void probe_fixture_open_to(enum txtap_ring_from from, struct txtap_sink sink);
void probe_fixture_run(uint64_t us);

#endif
