/* SPDX-License-Identifier: MIT */
/* txtap top of a lab: a folder of folders with recordings. A row for each board, the worst first. */
#ifndef TXTAP_CAPTURE_COMMAND_TOP_TOP_LAB_H
#define TXTAP_CAPTURE_COMMAND_TOP_TOP_LAB_H

#include "options/options.h"

/* Shows the lab in options->files[0] until the user ends it. Returns an exit code. */
int top_lab_run(const struct options *options);

#endif
