/* SPDX-License-Identifier: MIT */
/* Prints the events of a recording block by block: decode for files that are not a single buffer. */
#ifndef TXTAP_CAPTURE_COMMAND_DECODE_RECORDING_H
#define TXTAP_CAPTURE_COMMAND_DECODE_RECORDING_H

#include "base/failure.h"
#include "base/input.h"
#include "options/options.h"
#include "stream/stream_stats.h"

/*
 * input: open, at the first byte of a recording. *cut: something is missing at its end, and standard error says so. On
 * failure error is one line.
 */
enum txtap_status decode_recording(const struct options *options, struct input *input, struct stream_stats *stats,
                                   bool *cut, struct error *error);

#endif
