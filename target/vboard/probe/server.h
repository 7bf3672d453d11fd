/* SPDX-License-Identifier: MIT */
/*
 * The ST-LINK server's TCP protocol, little-endian, on 127.0.0.1. Users connect and disconnect, send ST-Link
 * commands in frames, and get the replies. Knows frames; stlink.h knows their contents.
 */
#ifndef VBOARD_SERVER_H
#define VBOARD_SERVER_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "board.h"
#include "stlink.h"

#define SERVER_USERS_MAX 8
#define SERVER_FRAME_MAX (32 + STLINK_DATA_MAX)

struct server_user {
    int fd;      /* -1: free */
    bool opened; /* it has opened the ST-Link */
    size_t used;
    uint8_t frame[SERVER_FRAME_MAX]; /* bytes received and not yet processed */
    struct stlink link;
};

struct server {
    struct board *board;
    int listener;
    uint16_t port;
    bool unplugged;
    struct server_user users[SERVER_USERS_MAX];
};

/* Opens a listening socket on 127.0.0.1. On failure a message has the reason and names `option`, which chose the port.
 */
bool server_listen(const char *option, uint16_t port, int users_max, int *listener, uint16_t *bound);

/* Listens on `port`, or on a free port if that is 0. `server` is large, so do not put it on the stack. */
bool server_open(struct server *server, struct board *board, uint16_t port);
void server_close(struct server *server);

/* Make faults of a connection. While unplugged, the port refuses connections. False: another process uses the port now;
 * call the function again later. */
void server_drop_all(struct server *server, const char *why);
void server_unplug(struct server *server);
bool server_plug_in(struct server *server);

/* The first function fills 1 + SERVER_USERS_MAX entries for poll(). After poll(), the second function serves the ready
 * entries. */
void server_prepare(const struct server *server, struct pollfd *waiting);
void server_serve(struct server *server, const struct pollfd *ready);

#endif
