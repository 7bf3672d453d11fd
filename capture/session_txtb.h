/* SPDX-License-Identifier: MIT */
/* How a session reads ThreadX's ring. */
#ifndef TXTAP_CAPTURE_SESSION_TXTB_H
#define TXTAP_CAPTURE_SESSION_TXTB_H

#include "session.h"

/* self is the session, whose ring, plan and batch these use. */
extern const struct reader_ops session_txtb_ops;

/* Of a session whose ring is over: nothing is planned, nothing is delivered. */
extern const struct reader_ops session_ended_ops;

#endif
