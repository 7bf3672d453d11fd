/* SPDX-License-Identifier: MIT */
/*
 * Connections whose request does not come. One that sends a byte now and then is never idle, so libmicrohttpd lets it
 * wait for ever: enough of them, and no page gets in.
 */
#include <stdlib.h>

#include "base/runtime.h"
#include "view/server_parts.h"

#define LOOK_US 1000000

static void note_start(struct server *server, struct MHD_Connection *connection, void **own)
{
    const union MHD_ConnectionInfo *about = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    struct waiting *waiting = malloc(sizeof *waiting);
    int bytes = SERVER_SEND_BYTES;

    *own = waiting;
    if (about == NULL || waiting == NULL)
        return;
    setsockopt(about->connect_fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
    *waiting = (struct waiting){.fd = about->connect_fd, .since_us = now_us()};
    pthread_mutex_lock(&server->mutex);
    waiting->next = server->waiting;
    server->waiting = waiting;
    pthread_mutex_unlock(&server->mutex);
}

/* Its request came, or it is closed. The mutex makes sure that server_step() never meets a number that is reused. */
static void forget(struct server *server, struct waiting *gone)
{
    pthread_mutex_lock(&server->mutex);
    for (struct waiting **at = &server->waiting; *at != NULL; at = &(*at)->next)
        if (*at == gone) {
            *at = gone->next;
            break;
        }
    pthread_mutex_unlock(&server->mutex);
    free(gone);
}

void server_on_connection(void *self, struct MHD_Connection *connection, void **own,
                          enum MHD_ConnectionNotificationCode what)
{
    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        note_start(self, connection, own);
        return;
    }
    forget(self, *own);
    *own = NULL;
}

static void end_slow_requests(struct server *server, uint64_t now)
{
    pthread_mutex_lock(&server->mutex);
    for (const struct waiting *at = server->waiting; at != NULL; at = at->next)
        if (now - at->since_us >= SERVER_REQUEST_US)
            shutdown(at->fd, SHUT_RDWR);
    pthread_mutex_unlock(&server->mutex);
}

void server_step(struct server *server)
{
    uint64_t now = now_us();

    end_slow_requests(server, now);
    if (now - server->looked_us >= LOOK_US) {
        server->looked_us = now;
        server_end_closed_streams(server);
    }
}

void server_forget_waiting(struct server *server, struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *about = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    const struct waiting *waiting = about != NULL ? about->socket_context : NULL;

    pthread_mutex_lock(&server->mutex);
    for (struct waiting **at = &server->waiting; *at != NULL; at = &(*at)->next)
        if (*at == waiting) {
            *at = waiting->next; /* freed when the connection is closed */
            break;
        }
    pthread_mutex_unlock(&server->mutex);
}
