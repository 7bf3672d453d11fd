/* SPDX-License-Identifier: MIT */
/* Serves OpenMetrics text by HTTP. Its own thread answers only GET and HEAD of /metrics. */
#ifndef TXTAP_CAPTURE_LAB_METRICS_SERVER_H
#define TXTAP_CAPTURE_LAB_METRICS_SERVER_H

#include <stddef.h>
#include <stdint.h>

#include "base/failure.h"

struct metrics_server;

/* Listens at a numeric address. port 0: any free port. *bound: the port. Fails with a cause and a hint in `error`; in a
 * build without libmicrohttpd it always fails. On failure *out is NULL. */
enum txtap_status metrics_server_start(struct metrics_server **out, const char *host, uint16_t port, uint16_t *bound,
                                       struct error *error);

/* Sets the text that is served from now on; copied. Keeps the previous text if there is no memory. */
void metrics_server_set(struct metrics_server *server, const char *text, size_t length);

/* Ends the thread. NULL: does nothing. */
void metrics_server_stop(struct metrics_server *server);

#endif
