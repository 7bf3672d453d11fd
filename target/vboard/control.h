/* SPDX-License-Identifier: MIT */
/*
 * A TCP port on 127.0.0.1 for tests: one command a line, one line of answer. README.md has the commands.
 */
#ifndef VBOARD_CONTROL_H
#define VBOARD_CONTROL_H

#include "fault_run.h"
#include "line_port.h"

struct control {
    struct faults *faults;
    struct line_port lines;
};

/* Listens on `port`, or on a free one if that is 0; if not `wanted`, neither this nor the other functions do anything.
 */
bool control_open(struct control *control, struct faults *faults, bool wanted, uint16_t port);

/* Serves those of line_port_prepare() that are ready. */
void control_serve(struct control *control, const struct pollfd *ready);

#endif
