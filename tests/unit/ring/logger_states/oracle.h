/* SPDX-License-Identifier: MIT */
/*
 * Checks what the reader delivers: every event put or dropped after the attach is delivered once, in order and intact,
 * or counted in a gap at its place. An event's words contain its number.
 */
#ifndef TXTAP_TESTS_LOGGER_STATES_ORACLE_H
#define TXTAP_TESTS_LOGGER_STATES_ORACLE_H

#include "ring/logger_states/writer.h"

struct oracle {
    uint8_t anything; /* was delivered; */
    uint8_t reported; /* delivered, or at least counted */
    uint8_t unsure;   /* since the last event there was a gap of "at least" */
    uint8_t lap;      /* of that gap: the number lost is known modulo this; 1: not at all */
    uint8_t based;    /* base is known */
    uint8_t attached; /* wanted and oldest are known */
    uint8_t unused[2];
    int32_t last;     /* event delivered last, plus those counted since; a minimum */
    int32_t next_seq; /* the stream so far ends before it */
    int32_t base;     /* an event's number minus its sequence number */
    /* Until the first event, plus those counted: */
    int32_t started; /* base, if seq counts everything since the logger was started */
    int32_t wanted;  /* the first event that must be delivered or counted, */
    int32_t oldest;  /* and the first one that may be */
};

/* What the oracle is shown. */
struct hearing {
    const struct configuration *configuration;
    struct moment at;
    bool counts_since_start; /* seq must count from the logger's start */
    const char *contradicts; /* NULL: nothing so far */
};

void oracle_hear(struct oracle *oracle, struct hearing *hearing, const struct txtap_logger_item *item);

/* The stream ended at that number. rested: the target was at rest, so that nothing more can come. */
void oracle_end(const struct oracle *oracle, struct hearing *hearing, bool rested);

#endif
