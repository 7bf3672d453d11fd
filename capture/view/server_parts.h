/* SPDX-License-Identifier: MIT */
/* The parts of the server, which share its struct. */
#ifndef TXTAP_CAPTURE_VIEW_SERVER_PARTS_H
#define TXTAP_CAPTURE_VIEW_SERVER_PARTS_H

#include <microhttpd.h>
#include <pthread.h>
#include <sys/socket.h>

#include "view/server.h"

/* A connection whose request has not come yet. */
struct waiting {
    struct waiting *next; /* an older one */
    int fd;
    uint64_t since_us;
    uint64_t address; /* of the client's machine or network, as a number that no other one has */
    bool ended;       /* by us; libmicrohttpd will close it */
};

struct stream {
    struct stream *next;
    struct server *server;
    struct MHD_Connection *connection;
    void *source;
    int fd;
    bool suspended;
    bool closed; /* by the client, while nothing was sent */
};

struct server {
    struct MHD_Daemon *daemon;
    struct request_rules rules;
    struct server_setup setup;
    bool public;                   /* other machines can reach it */
    char run[REQUEST_TOKEN_BYTES]; /* the header Txtap-Run of streams: another server has another */
    struct MHD_Response *page, *nothing, *wrong_method;
    uint64_t looked_us;           /* server_step(), for clients that went */
    unsigned waiting_most;        /* how many connections may wait for their request */
    unsigned waiting_most_of_one; /* how many of one address may */
    pthread_mutex_t mutex;        /* of all below */
    struct waiting *waiting;
    struct stream *streams;
    unsigned stream_count;
    bool ending;
};

/* ---- server_requests.c: connections whose request does not come ---- */

/* MHD_NotifyConnectionCallback; self is the struct server. */
void server_on_connection(void *self, struct MHD_Connection *connection, void **own,
                          enum MHD_ConnectionNotificationCode what);

/* The request came. */
void server_forget_waiting(struct server *server, struct MHD_Connection *connection);

/* ---- server_streams.c ---- */

/* A response that is read from a new source. NULL: no memory. */
struct MHD_Response *server_new_stream(struct server *server, struct MHD_Connection *connection);

/* As server_wake(); the caller has the mutex. */
void server_wake_streams(struct server *server);

/* Ends streams whose client went while there was nothing to send. */
void server_end_closed_streams(struct server *server);

/* ---- server_listen.c ---- */

/* Sets the rules, and listens. *fd: the socket. Statuses as server_start(). */
enum txtap_status server_listen(struct server *server, int *fd, struct error *error);

/* How many connections there may be, with descriptors left for others. */
unsigned server_connections_max(void);

#endif
