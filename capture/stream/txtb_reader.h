/* SPDX-License-Identifier: MIT */
/* How a session reads ThreadX's ring. */
#ifndef TXTAP_CAPTURE_STREAM_TXTB_READER_H
#define TXTAP_CAPTURE_STREAM_TXTB_READER_H

#include "stream/session.h"

#define SESSION_FIRST_ENTRIES 128 /* of the first exchange: how fast the probe is is not known yet */

/* self is the session, whose ring, plan and batch these use. */
extern const struct reader_ops session_txtb_ops;

enum session_wrapped {
    SESSION_WRAPPED_NEVER,     /* its last slot is empty, or laps are counted: nothing was overwritten unseen */
    SESSION_WRAPPED_UNKNOWN,   /* it wraps just now */
    SESSION_WRAPPED_UNCOUNTED, /* it was full before, and its lap count is still 0 */
};

/* Asks the target, in one exchange of 12 bytes, of a ring of which it is not known whether laps are counted. */
enum txtap_status session_txtb_wrapped(struct session *session, enum session_wrapped *wrapped,
                                       char error[static ERROR_TEXT_BYTES]);

/* What the stamps that the ring holds say of the clock. */
enum txtap_status session_txtb_sample_clock(struct session *session, enum unseen_clock *clock,
                                            char error[static ERROR_TEXT_BYTES]);

/*
 * How many entries the exchange after one reads that read so many, took so long and had more to read: at most most, and
 * few enough for a session to stay responsive.
 */
uint32_t session_txtb_adapt(uint32_t entries, uint32_t most, uint64_t took_us);

/* Of a session whose ring is over: nothing is planned, nothing is delivered. */
extern const struct reader_ops session_ended_ops;

#endif
