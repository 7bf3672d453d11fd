/* SPDX-License-Identifier: MIT */
/* A TCP port on 127.0.0.1 for tests: one command a line, one line of answer. README.md has the commands. */
#ifndef USBPROBE_CONTROL_H
#define USBPROBE_CONTROL_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CONTROL_USERS_MAX    4
#define CONTROL_LINE_BYTES   256
#define CONTROL_ANSWER_BYTES 512

struct control {
    int listener;
    uint16_t port;
    struct control_user {
        int fd; /* -1: free */
        size_t used;
        char line[CONTROL_LINE_BYTES];
    } users[CONTROL_USERS_MAX];
};

/* Listens on `port`, or on a free one if that is 0. */
bool control_open(struct control *control, uint16_t port);
void control_close(struct control *control);

/* Fills 1 + CONTROL_USERS_MAX entries to poll, and serves those that are ready afterwards: `obey` gets a line without
 * its end and writes the answer, a line with its end. */
void control_prepare(const struct control *control, struct pollfd *waiting);
void control_serve(struct control *control, const struct pollfd *ready,
                   void (*obey)(void *self, const char *line, char answer[static CONTROL_ANSWER_BYTES]), void *self);

#endif
