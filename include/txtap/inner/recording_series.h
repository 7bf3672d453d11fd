/* SPDX-License-Identifier: MIT */
/*
 * Not installed: for the program txtap, its page and tests, which link txtap_core.
 *
 * Several recordings of a board as a single recording. The numbers and the ticks of each recording begin at 0. A series
 * adds to these numbers, so that they never decrease.
 *
 * A recorder begins with the events that are still in the target's ring. So a recorder that is restarted soon records
 * the newest events of the recording before, too. If the first events of a recording are equal to the last events of
 * the recording before, time stamps included, then the series leaves them out, and no event is missing between the two
 * recordings. Otherwise nobody knows how many events are missing, and the host's clock and the rate of the stamps tell
 * how much time passed; without a rate, this time is 0 ticks.
 *
 *     struct txtap_recording_series *series           all members 0
 *
 *     txtap_recording_series_take(series, &block, payload, &item)     for each block of the first recording
 *     txtap_recording_series_next(series, &header, &first_events, first)      before each further recording
 */
#ifndef TXTAP_INNER_RECORDING_SERIES_H
#define TXTAP_INNER_RECORDING_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/clock.h"
#include "txtap/header.h"
#include "txtap/recording.h"

#define TXTAP_SERIES_HISTORY 65536u /* the longest overlap of two recordings, in events */

/* 512 KiB: not for the stack. */
struct txtap_recording_series {
    uint64_t next_seq; /* seq after the last event and the last gap so far */
    uint64_t add_seq;  /* added to each seq of the present recording */
    uint32_t overlap;  /* how many first events of the present recording are in the recording before */

    uint64_t newest_us; /* host time at which the newest event was read; 0: no event so far */

    /* private */
    uint64_t add_ticks;
    uint64_t newest_ticks; /* ticks of the newest event so far */
    double hz;             /* rate of the stamps; 0: unknown */
    struct txtap_clock clock;
    struct txtap_header header;             /* of the present trace buffer */
    bool later;                             /* this is not the first recording */
    uint64_t begins;                        /* number of the recording's first event that is not lost */
    uint32_t skip;                          /* how many events of the overlap are still to come */
    uint64_t events;                        /* number of events so far */
    uint64_t history[TXTAP_SERIES_HISTORY]; /* hashes of the newest events; event i is at i % TXTAP_SERIES_HISTORY */
};

/* Begins the next recording. header: of its trace buffer. events: its first block of events; NULL: it has no events.
 * first: number of its first event; this is less than events->seq if the first events were lost. */
void txtap_recording_series_next(struct txtap_recording_series *series, const struct txtap_header *header,
                                 const struct txtap_recording_item *events, uint64_t first);

/*
 * Changes seq and ticks in the payload of a block, and removes the events of the overlap. payload: the decompressed
 * bytes of the block. item: as txtap_recording_item() parsed the payload. Sets block and item to the new payload. The
 * blocks must come in the order of the file. TXTAP_AGAIN: the block only has events of the overlap; skip it.
 * TXTAP_ERROR_FORMAT: the numbers do not fit.
 */
enum txtap_status txtap_recording_series_take(struct txtap_recording_series *series,
                                              struct txtap_recording_block *block, uint8_t *payload,
                                              struct txtap_recording_item *item);

#endif
