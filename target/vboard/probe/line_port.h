/* SPDX-License-Identifier: MIT */
/*
 * A TCP port for tests: takes commands, one per line, and answers each with one line. Knows no command.
 */
#ifndef VBOARD_LINE_PORT_H
#define VBOARD_LINE_PORT_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LINE_PORT_USERS_MAX    4
#define LINE_PORT_WAITS        (1 + LINE_PORT_USERS_MAX)
#define LINE_PORT_LINE_BYTES   1024
#define LINE_PORT_ANSWER_BYTES (LINE_PORT_LINE_BYTES + 16)

struct line_port {
    int listener; /* -1: no port */
    uint16_t port;
    struct line_user {
        int fd; /* -1: free */
        size_t used;
        char line[LINE_PORT_LINE_BYTES]; /* bytes received and not yet processed */
    } users[LINE_PORT_USERS_MAX];
};

/* Gets a line without its newline, and writes the answer without a newline. False: the following lines are not
 * carried out. */
typedef bool line_port_obey(void *self, char *line, char answer[static LINE_PORT_ANSWER_BYTES]);

/* Initializes without a port: the caller sets `listener`, to a listening socket, and `port`. */
void line_port_init(struct line_port *lines);
void line_port_close(struct line_port *lines);

/* The first function fills LINE_PORT_WAITS entries for poll(). After poll(), the second function serves the ready
 * entries. */
void line_port_prepare(const struct line_port *lines, struct pollfd *waiting);
void line_port_serve(struct line_port *lines, const struct pollfd *ready, line_port_obey *obey, void *self);

#endif
