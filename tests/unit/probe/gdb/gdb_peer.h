/* SPDX-License-Identifier: MIT */
/* A scripted GDB server in a thread. It keeps every byte that it receives. */
#ifndef TXTAP_TESTS_GDB_PEER_H
#define TXTAP_TESTS_GDB_PEER_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#define GDB_PEER_CONNECTIONS_MAX 4

/* One connection. answers: one for each received packet; NULL ends the list. Each is sent as a packet, but "!TEXT"
 * is sent as TEXT, without a packet's frame. */
struct gdb_peer_script {
    const char *greeting; /* sent at once, unchanged; NULL: no greeting */
    const char *const *answers;
    bool holds;    /* after the last answer: stays silent instead of closing the connection */
    bool talks_on; /* after the last answer: sends notifications forever */
};

struct gdb_peer {
    struct gdb_peer_script
        scripts[GDB_PEER_CONNECTIONS_MAX]; /* one script per connection; a script without answers ends the list */
    int listener;
    char port[8];
    pthread_t thread;
    char received[GDB_PEER_CONNECTIONS_MAX][16384];
    size_t received_length[GDB_PEER_CONNECTIONS_MAX];
};

/* Starts the server on a free port of 127.0.0.1. */
void gdb_peer_start(struct gdb_peer *peer);

/* Waits until the last connection has ended. Then checks all received bytes. */
void gdb_peer_join(struct gdb_peer *peer);

/*
 * Fails the test unless bytes[0..length) are acknowledgements and packets that only read or query the server, and no
 * packet follows a detach. Returns the number of packets.
 */
size_t gdb_peer_check_harmless(const char *bytes, size_t length);

#endif
