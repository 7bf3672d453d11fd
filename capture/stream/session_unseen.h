/* SPDX-License-Identifier: MIT */
/* Part of session: whether events may be lost that no gap shows, where the ring itself has to be asked. */
#ifndef TXTAP_CAPTURE_STREAM_SESSION_UNSEEN_H
#define TXTAP_CAPTURE_STREAM_SESSION_UNSEEN_H

#include "stream/session.h"

/* By what is known now, can a lap have gone by that the guard did not show? */
bool session_may_lose_unseen(const struct session *session);

/*
 * While time stamps stand still: sets stats.unseen once the ring says that laps are not counted. now: the session's
 * now_us.
 */
enum txtap_status session_watch_for_unseen(struct session *session, uint64_t now, struct error *error);

#endif
