/* SPDX-License-Identifier: MIT */
/* The events of a recording, printed block by block: what decode does with a file that is no single buffer. */
#ifndef TXTAP_CAPTURE_COMMAND_DECODE_RECORDING_H
#define TXTAP_CAPTURE_COMMAND_DECODE_RECORDING_H

#include "base/failure.h"
#include "base/input.h"
#include "options/options.h"
#include "stream/stream_stats.h"

/*
 * input: open, at its first byte, which is a recording's. *cut: something is missing at its end, which was said on
 * standard error. On failure error is one line.
 */
enum txtap_status decode_recording(const struct options *options, struct input *input, struct stream_stats *stats,
                                   bool *cut, struct error *error);

#endif
