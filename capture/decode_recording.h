/* SPDX-License-Identifier: MIT */
/* The events of a recording, printed block by block: what decode does with a file that is no single buffer. */
#ifndef TXTAP_CAPTURE_DECODE_RECORDING_H
#define TXTAP_CAPTURE_DECODE_RECORDING_H

#include "failure.h"
#include "input.h"
#include "options.h"
#include "session.h"

/*
 * input: open, at its first byte, which is a recording's. *cut: something is missing at its end, which was said on
 * standard error. On failure error is one line.
 */
enum txtap_status decode_recording(const struct options *options, struct input *input, struct session_stats *stats,
                                   bool *cut, char error[static ERROR_TEXT_BYTES]);

#endif
