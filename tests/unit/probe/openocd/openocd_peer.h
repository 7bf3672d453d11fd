/* SPDX-License-Identifier: MIT */
/* A scripted TCP server in a thread. It behaves badly on purpose. */
#ifndef TXTAP_TESTS_TCL_PEER_H
#define TXTAP_TESTS_TCL_PEER_H

#include <pthread.h>
#include <stdbool.h>

#define PEER_PROBE_OK "txtap-probe 0 {Open On-Chip Debugger 0.12.0}\x1a"
#define PEER_HELLO_OK "txtap target t.cpu little read_memory 1 running\x1a"

struct peer {
    int listener;
    char port[8];
    pthread_t thread;
    const char *greeting;       /* sent when a client connects; NULL: no greeting */
    const char *const *answers; /* one answer for each received 0x1a; NULL ends the list */
    const char *const *second;  /* answers for a second connection; NULL: there is no second connection */
    bool holds;                 /* after the last answer: stays silent instead of closing the connection */
    bool talks_on;              /* after the last answer: sends 'x' forever */
    bool by_line;               /* an empty line ends a request, instead of 0x1a */
};

/* Starts the server on a free port of 127.0.0.1. */
void peer_start(struct peer *peer);

/* Waits until the last connection has ended. */
void peer_join(struct peer *peer);

/* Finds a port of 127.0.0.1 on which no program listens. */
void peer_unused_port(char port[static 8]);

#endif
