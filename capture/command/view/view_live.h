/* SPDX-License-Identifier: MIT */
/* "txtap view" for a running target: it is read as by record, and pages get what was read. */
#ifndef TXTAP_CAPTURE_COMMAND_VIEW_VIEW_LIVE_H
#define TXTAP_CAPTURE_COMMAND_VIEW_VIEW_LIVE_H

#include "command/run_loop.h"

/* Follows the target until Ctrl-C. Returns an enum exit_code. */
attached_run view_live;

#endif
