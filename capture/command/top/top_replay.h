/* SPDX-License-Identifier: MIT */
/* "txtap top" of a recording, or of another file with a trace, at the speed that the user wants. */
#ifndef TXTAP_CAPTURE_COMMAND_TOP_TOP_REPLAY_H
#define TXTAP_CAPTURE_COMMAND_TOP_TOP_REPLAY_H

#include "base/input.h"
#include "options/options.h"

/* input: open, at its first byte; closed by the caller. Returns an enum exit_code. */
int top_replay(const struct options *options, struct input *input);

#endif
