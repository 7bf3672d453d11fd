/* SPDX-License-Identifier: MIT */
/* A scripted GDB server in a thread, which keeps every byte that it receives. */
#ifndef TXTAP_TESTS_GDB_PEER_H
#define TXTAP_TESTS_GDB_PEER_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#define GDB_PEER_CONNECTIONS_MAX 4

/* One connection. answers: one for each received packet, ending with NULL. They are framed as packets, except that
 * "!TEXT" is sent unchanged. */
struct gdb_peer_script {
    const char *greeting; /* sent at once, unchanged; NULL: no greeting */
    const char *const *answers;
    bool holds;    /* after the last answer: stays silent instead of closing the connection */
    bool talks_on; /* after the last answer: sends notifications forever */
};

struct gdb_peer {
    struct gdb_peer_script
        scripts[GDB_PEER_CONNECTIONS_MAX]; /* served one after the other, until one without answers */
    int listener;
    char port[8];
    pthread_t thread;
    char received[GDB_PEER_CONNECTIONS_MAX][16384];
    size_t received_length[GDB_PEER_CONNECTIONS_MAX];
};

/* Starts it on a free port of 127.0.0.1. */
void gdb_peer_start(struct gdb_peer *peer);

/* Waits for the peer's end, after the last connection; then checks all received bytes. */
void gdb_peer_join(struct gdb_peer *peer);

/*
 * Fails the test unless bytes[0..length) are acknowledgements and packets that read or query the server, with nothing
 * after a detach. Returns the number of packets.
 */
size_t gdb_peer_check_harmless(const char *bytes, size_t length);

#endif
