/* SPDX-License-Identifier: MIT */
/*
 * A TCP port on 127.0.0.1 for tests: one command per line, answered by one line. README.md has the commands.
 */
#ifndef VBOARD_CONTROL_H
#define VBOARD_CONTROL_H

#include "fault_run.h"
#include "line_port.h"

struct control {
    struct faults *faults;
    struct line_port lines;
};

/* Listens on `port`; 0: on a free port. If `wanted` is false, this function and the functions below do nothing. */
bool control_open(struct control *control, struct faults *faults, bool wanted, uint16_t port);

/* Serves the ready descriptors of line_port_prepare(). */
void control_serve(struct control *control, const struct pollfd *ready);

#endif
