/* SPDX-License-Identifier: MIT */
/*
 * A TCP port on 127.0.0.1 for tests: one command a line, one line of answer. README.md has the commands.
 */
#ifndef VBOARD_CONTROL_H
#define VBOARD_CONTROL_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fault_run.h"

#define CONTROL_USERS_MAX 4
#define CONTROL_LINE_MAX  1024

struct control {
    struct faults *faults;
    int listener; /* -1: there is no such port */
    uint16_t port;
    struct control_user {
        int fd; /* -1: free */
        size_t used;
        char line[CONTROL_LINE_MAX]; /* received and not yet carried out */
    } users[CONTROL_USERS_MAX];
};

/* Listens on `port`, or on a free one if that is 0; without `wanted` does nothing, and so does the rest. */
bool control_open(struct control *control, struct faults *faults, bool wanted, uint16_t port);
void control_close(struct control *control);

/* Fills 1 + CONTROL_USERS_MAX entries to poll, and serves those that are ready afterwards. */
void control_prepare(const struct control *control, struct pollfd *waiting);
void control_serve(struct control *control, const struct pollfd *ready);

#endif
