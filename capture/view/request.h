/* SPDX-License-Identifier: MIT */
/* Which requests are answered, and with what. Knows nothing of sockets: only texts from outside are judged here. */
#ifndef TXTAP_CAPTURE_VIEW_REQUEST_H
#define TXTAP_CAPTURE_VIEW_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REQUEST_TOKEN_BYTES 33 /* 128 bits in hexadecimal, NUL included */
#define REQUEST_HOST_BYTES  80 /* of an address as it stands in a URL, [ ] included */

enum request_answer {
    REQUEST_PAGE,
    REQUEST_STREAM,
    REQUEST_STATE,
    REQUEST_FORBIDDEN, /* says nothing about why */
    REQUEST_METHOD,    /* right but for the method */
};

/* What a client sent. A header that is missing, or there more than once, is NULL. */
struct request {
    const char *method, *path, *host;
    const char *origin;
    bool has_origin; /* the header is there, perhaps more than once */
};

struct request_rules {
    char token[REQUEST_TOKEN_BYTES];
    char address[REQUEST_HOST_BYTES]; /* that the server listens on: "127.0.0.1", "[::1]" */
    bool any_address;                 /* it listens on all addresses: any one in digits is right */
    uint16_t port;
};

/* Each page must know the token, name the server as its URL does, and come from the server itself. */
enum request_answer request_judge(const struct request_rules *rules, const struct request *request);

#endif
