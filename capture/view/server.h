/* SPDX-License-Identifier: MIT */
/*
 * The HTTP server of the page. It has a thread of its own, answers GET and HEAD alone, and knows nothing of the target:
 * it gives out the page, a stream of bytes, and a few words about it. What a client is worth is judged by request.h.
 */
#ifndef TXTAP_CAPTURE_VIEW_SERVER_H
#define TXTAP_CAPTURE_VIEW_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/failure.h"
#include "view/request.h"

#define SERVER_CONNECTIONS_MAX     1200
#define SERVER_WAITING_PART        2           /* of the connections this part may wait for their request, */
#define SERVER_WAITING_OF_ONE_PART 8           /* and this part of one address */
#define SERVER_STREAMS_MAX         64          /* at a time; each holds a few blocks */
#define SERVER_REQUEST_US          5000000     /* within which a whole request must come, however it trickles in */
#define SERVER_SEND_BYTES          (128 << 10) /* of a socket's buffer: what a slow page has not read is not hidden in it */
#define SERVER_URL_BYTES           (REQUEST_HOST_BYTES + REQUEST_TOKEN_BYTES + 24)

/* What a stream is read from; one for each client. All calls come from the server's thread. */
struct server_source {
    /* Opens a stream; NULL: no memory. */
    void *(*open)(void *self);
    /* Up to size bytes. 0: none are there yet, and server_wake() will be called when there are. -1: that was all. */
    ssize_t (*read)(void *stream, char *bytes, size_t size);
    void (*close)(void *stream);
    void *self;
};

struct server_setup {
    const char *address; /* to listen on: "127.0.0.1", "::", "0.0.0.0" */
    uint16_t port;       /* 0: any that is free */
    const char *token;   /* of the page's address, copied; NULL: a new one */
    const char *page;    /* HTML, page_length bytes; borrowed */
    size_t page_length;
    const char *policy; /* its Content-Security-Policy; borrowed */
    struct server_source source;
    void (*put_state)(void *self, FILE *out); /* writes a JSON object; called by the server's thread */
    void *self;
};

struct server;

/*
 * Listens, and serves from now on. TXTAP_ERROR_USAGE: not an address. TXTAP_ERROR_SYSTEM: it cannot listen there; error
 * says why. On failure *out is NULL.
 */
enum txtap_status server_start(struct server **out, const struct server_setup *setup, struct error *error);

/* Can other machines reach it? */
bool server_is_public(const struct server *server);

/* http://ADDRESS:PORT/TOKEN/ */
void server_url(const struct server *server, char url[static SERVER_URL_BYTES]);

/* Sources that had nothing may have something now. Does not wait for any client. */
void server_wake(struct server *server);

/* To be called several times a second: closes connections whose request does not come, and streams whose client went.
 */
void server_step(struct server *server);

/* How many streams are open. */
unsigned server_streams(struct server *server);

/* Waits up to limit_us until all streams have got their end, then ends all connections, and frees. */
void server_stop(struct server *server, uint64_t limit_us);

#endif
