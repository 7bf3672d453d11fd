/* SPDX-License-Identifier: MIT */
/* The commands that look once at the ring of Zephyr's kernel event logger. */
#ifndef TXTAP_CAPTURE_COMMAND_EVENT_LOGGER_H
#define TXTAP_CAPTURE_COMMAND_EVENT_LOGGER_H

#include "base/input.h"
#include "options/options.h"
#include "stream/session.h"

/* txtap snapshot: what the collector has not got yet, as a file for TraceX. The whole command. */
int logger_snapshot(const struct options *options);

/* txtap decode: the same of a file that holds the target's memory, in any format. stats are counted on. */
enum txtap_status logger_decode(const struct options *options, struct input *input, struct session_stats *stats,
                                char error[static ERROR_TEXT_BYTES]);

#endif
