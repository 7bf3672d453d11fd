/* SPDX-License-Identifier: MIT */
/* Replaces metrics_server.c in a build without libmicrohttpd. */
#include "lab/metrics_server.h"

enum txtap_status metrics_server_start(struct metrics_server **out, const char *host, uint16_t port, uint16_t *bound,
                                       struct error *error)
{
    (void)host;
    (void)port;
    (void)bound;
    *out = NULL;
    return failure(error, TXTAP_ERROR_SYSTEM,
                   "this txtap was built without libmicrohttpd and serves no metrics\nremove 'listen' from the file");
}

void metrics_server_set(struct metrics_server *server, const char *text, size_t length)
{
    (void)server;
    (void)text;
    (void)length;
}

void metrics_server_stop(struct metrics_server *server)
{
    (void)server;
}
