/* SPDX-License-Identifier: MIT */
/* The HTTP server of the page. It has its own thread, answers only GET and HEAD, and knows nothing of the target. It
 * serves the page, a stream of bytes, and a short state as JSON. request.h judges the requests. */
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
#define SERVER_WAITING_PART        2  /* 1/2 of the connections may wait for their request */
#define SERVER_WAITING_OF_ONE_PART 8  /* 1/8 of the connections may wait for their request and have the same address */
#define SERVER_STREAMS_MAX         64 /* limit of open streams, each of which has a few blocks in memory */
#define SERVER_REQUEST_US          5000000 /* time limit for a complete request, even if it arrives slowly */
/* size of the send buffer; small, so that the backlog of a slow page is visible */
#define SERVER_SEND_BYTES (128 << 10)
#define SERVER_URL_BYTES  (REQUEST_HOST_BYTES + REQUEST_TOKEN_BYTES + 24)

/* The source of a stream, one for each client. All calls come from the server's thread. */
struct server_source {
    /* Opens a stream; NULL: no memory. */
    void *(*open)(void *self);
    /* Gets at most `size` bytes. 0: no bytes yet, and server_wake() will be called when there are bytes. -1: no more
     * bytes. */
    ssize_t (*read)(void *stream, char *bytes, size_t size);
    void (*close)(void *stream);
    void *self;
};

struct server_setup {
    const char *address; /* numeric address to listen on: "127.0.0.1", "::", "0.0.0.0" */
    uint16_t port;       /* 0: any free port */
    const char *token;   /* token in the page's address, copied; NULL: a new token */
    const char *page;    /* HTML, page_length bytes; borrowed */
    size_t page_length;
    const char *policy; /* the page's Content-Security-Policy; borrowed */
    struct server_source source;
    void (*put_state)(void *self, FILE *out); /* writes a JSON object; called by the server's thread */
    void *self;
};

struct server;

/* Starts a server. TXTAP_ERROR_USAGE: setup->address is not an address. TXTAP_ERROR_SYSTEM: the server cannot listen at
 * this address; error has the cause. On failure *out is NULL. */
enum txtap_status server_start(struct server **out, const struct server_setup *setup, struct error *error);

/* Returns true if other machines can reach the server. */
bool server_is_public(const struct server *server);

/* Writes http://ADDRESS:PORT/TOKEN/ into `url`. */
void server_url(const struct server *server, char url[static SERVER_URL_BYTES]);

/* Wakes the streams. Call it when sources may have new bytes. Does not wait for any client. */
void server_wake(struct server *server);

/*
 * Closes connections that sent no request in time, and streams that the client closed. Call it several times a second.
 */
void server_step(struct server *server);

/* Number of open streams. */
unsigned server_streams(struct server *server);

/* Waits up to limit_us until all streams have ended, then ends all connections, and frees the server. */
void server_stop(struct server *server, uint64_t limit_us);

#endif
