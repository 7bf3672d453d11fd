/* SPDX-License-Identifier: MIT */
/* Decides how to answer a request. It knows nothing of sockets, and judges only texts from outside. */
#ifndef TXTAP_CAPTURE_VIEW_REQUEST_H
#define TXTAP_CAPTURE_VIEW_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REQUEST_TOKEN_BYTES 33 /* 128 bits in hexadecimal, NUL included */
#define REQUEST_HOST_BYTES  80 /* size of an address in a URL, with [ ] */

enum request_answer {
    REQUEST_PAGE,
    REQUEST_STREAM,
    REQUEST_STATE,
    REQUEST_FORBIDDEN, /* refused, without a reason */
    REQUEST_METHOD,    /* refused only because of the method */
};

/* A client's request. A missing or repeated header is NULL. */
struct request {
    const char *method, *path, *host;
    const char *origin;
    bool has_origin; /* the request has this header, perhaps more than once */
};

struct request_rules {
    char token[REQUEST_TOKEN_BYTES];
    char address[REQUEST_HOST_BYTES]; /* the server's address: "127.0.0.1", "[::1]" */
    bool any_address;                 /* the server listens on all addresses, so any numeric address is accepted */
    uint16_t port;
};

/* Judges a request. It must contain the token, name the host as the server's URL does, and come from the server's page.
 */
enum request_answer request_judge(const struct request_rules *rules, const struct request *request);

#endif
