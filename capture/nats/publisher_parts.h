/* SPDX-License-Identifier: MIT */
/* The struct of a publisher, for its two parts: publisher.c has its interface, publisher_work.c its thread. */
#ifndef TXTAP_CAPTURE_NATS_PUBLISHER_PARTS_H
#define TXTAP_CAPTURE_NATS_PUBLISHER_PARTS_H

#include <pthread.h>

#include "nats/connection.h"
#include "nats/publisher.h"
#include "nats/waiting.h"

#define PUBLISHER_LINKS 1024 /* callbacks of this number of earlier connections are recognized */

/* A connection, for its callbacks. */
struct publisher_link {
    struct publisher *publisher;
    uint64_t number;
};

struct publisher {
    struct nats_place place;
    struct publisher_setup setup;
    char stream[NATS_STREAM_BYTES]; /* "": not known yet */
    pthread_t thread;
    struct nats_connection connection; /* used by the thread only */
    struct publisher_link links[PUBLISHER_LINKS];
    struct publisher *next_ended; /* used by publisher.c only */

    pthread_mutex_t lock; /* for all members below */
    pthread_cond_t changed;
    uint64_t link;              /* number of the present connection, from 1 */
    bool up;                    /* it works */
    char why[ERROR_WHAT_BYTES]; /* why it no longer works */
    bool told_lost;             /* the user knows that it does not work */
    bool closing, overdue;      /* overdue: the waiting messages are given up */
    enum txtap_status status;   /* the first failure that cannot be repaired */
    struct error error;

    uint64_t session;
    uint64_t base; /* number on the subject of the message before the session's first message, if based is true */
    bool based;
    bool resumed;      /* the spool has messages of an earlier run, and the server was not asked for them yet */
    uint64_t last_seq; /* sequence number of the last message on the subject; 0: no message */
    uint64_t head_seq; /* the same for the last message that begins a file */
    struct waiting waiting;
};

/* Connects, and asks the server for the last message of the subject. Then the thread may start. Returns the statuses of
 * publisher_open(). */
enum txtap_status publisher_connect(struct publisher *publisher, struct error *error);

/* The thread: sends messages, and connects again, until `overdue`, a failure, or `closing` when no message waits. */
void *publisher_work(void *self);

/* Notes that a function of waiting.h has failed; errno has the cause. The caller holds the lock. */
void publisher_fail(struct publisher *publisher);

/* Waits for a change. The caller holds the lock. */
void publisher_wait_us(struct publisher *publisher, uint64_t us);

void publisher_tell(const struct publisher *publisher, const char *text);

#endif
