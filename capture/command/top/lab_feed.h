/* SPDX-License-Identifier: MIT */
/* Takes the bytes of a board's recordings, and keeps the figures of its row in 'txtap top LAB'. */
#ifndef TXTAP_CAPTURE_COMMAND_TOP_LAB_FEED_H
#define TXTAP_CAPTURE_COMMAND_TOP_LAB_FEED_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/failure.h"
#include "txtap/analysis.h"
#include "txtap/inner/top.h"
#include "txtap/recording.h"

#define LAB_FEED_OBJECTS 512 /* objects of a board */

struct lab_feed {
    char name[NAME_MAX + 1]; /* of the board */

    /* the place in the recording */
    bool begun; /* a recording was begun */
    bool headed, damaged;
    uint64_t offset, analysed_from; /* next block; events before analysed_from are skipped */
    struct txtap_recording recording;

    /* the analysis */
    struct txtap_recording_player *player;
    struct txtap_registry registry;
    struct txtap_object objects[LAB_FEED_OBJECTS];
    struct txtap_analysis *analysis; /* owned, like the memory of the monitor */
    struct txtap_top *monitor;
    uint32_t generation; /* of the names that the analysis has */
    bool learnt;
    double hz; /* rate of the time stamps; 0: unknown */

    /* figures of the recordings so far */
    uint64_t lost, checks, resets, faults;
    bool lost_exact;
    uint64_t block_us, event_us, reset_us; /* host time of the last block, event and reset, since 1970; 0: not seen */
    bool away;                             /* the last mark says that the target cannot be read */
    bool ended;                            /* the recording has its end */
};

/* Prepares a feed. Returns false if there is no memory. Call lab_feed_close() in any case. */
bool lab_feed_open(struct lab_feed *feed, const char *name);
void lab_feed_close(struct lab_feed *feed);

/* Begins a recording. Losses and marks are counted from its first byte, but events only from the offset analysed_from.
 * Returns false if there is no memory; then the recording's bytes must not be taken. */
bool lab_feed_begin(struct lab_feed *feed, uint64_t analysed_from);

/* Takes the recording's bytes from feed->offset on, and increases it by the bytes of whole blocks. Returns false if no
 * block is complete. */
bool lab_feed_take(struct lab_feed *feed, const uint8_t *bytes, size_t length);

#endif
