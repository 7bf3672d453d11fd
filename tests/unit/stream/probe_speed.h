/* SPDX-License-Identifier: MIT */
/*
 * How many events a second a poller delivers through a probe model while a steady writer offers more or less than that:
 * in virtual time, so that each figure is the same on every machine. Every delivered event is compared with the one
 * that was written.
 */
#ifndef TXTAP_TESTS_PROBE_SPEED_H
#define TXTAP_TESTS_PROBE_SPEED_H

#include "stream/probe_fixture.h"

struct speed_case {
    const struct probe_model *probe;
    uint32_t entries, objects; /* of the ring, and slots of its registry */
    enum probe_laps laps;
    struct disturbance disturbance;
};

struct speed {
    double offered, delivered; /* events per second */
    double useful;             /* share of the bytes read that are delivered events */
    uint64_t lost;
    uint64_t wrong; /* events that are torn, repeated, out of order, or not those of their number */
    bool exact;     /* of lost */
};

/* After a second in which the reader may learn. */
struct speed speed_measure(const struct speed_case *what, uint64_t rate_per_s);

/* Exchanges of 20, 4 and 1,500 bytes a second, one behind the other. */
double speed_polls(const struct probe_model *probe);

/* The most that is delivered at any rate. */
double speed_best(const struct speed_case *what);

/*
 * The most that this evidence allows at this rate. With half-laps an exchange has two pieces: the entries, and the
 * words beside the buffer. With laps two pieces lie between two pointers; a third one is read where the lap changes.
 * Without, there are three, and two more are read behind the pointer, or there are four.
 */
double speed_limit(const struct speed_case *what, double rate_per_s);

/* Events a second that the wire carries at 46 clocks a word, and nothing else. */
double speed_of_wire(unsigned khz);

#endif
