/* SPDX-License-Identifier: MIT */
/* A scripted TCP server in a thread: peers that are wrong on purpose. */
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
    const char *greeting;       /* sent at once; NULL: nothing */
    const char *const *answers; /* one for each 0x1a received, NULL at the end */
    const char *const *second;  /* the same for a second connection; NULL: none is served */
    bool holds;                 /* after the last answer: silent, instead of hanging up */
    bool talks_on;              /* after the last answer: sends 'x' without end */
    bool by_line;               /* an empty line, not 0x1a, ends a request */
};

/* Starts it on a free port of 127.0.0.1. */
void peer_start(struct peer *peer);

/* Waits for it to end, after the last connection. */
void peer_join(struct peer *peer);

/* A port of 127.0.0.1 on which nobody listens. */
void peer_unused_port(char port[static 8]);

#endif
