/* SPDX-License-Identifier: MIT */
/*
 * Connections whose request does not come. One that sends a byte now and then is never idle, so libmicrohttpd lets it
 * wait for ever: enough of them, and no page gets in. So a request has a time limit, and a limited number of
 * connections may wait, of which one address has a part at most: a new connection ends the oldest. A browser sends its
 * request at once.
 */
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "base/runtime.h"
#include "view/server_parts.h"

#define LOOK_US 1000000

/* Of IPv6 the network of 64 bits: its machines choose the rest as they like. */
static uint64_t address_number(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *about = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    const struct sockaddr *address = about != NULL ? about->client_addr : NULL;
    uint64_t number = 0;
    uint32_t four = 0;

    if (address == NULL)
        return 0;
    if (address->sa_family == AF_INET6) {
        const struct in6_addr *six = &((const struct sockaddr_in6 *)(const void *)address)->sin6_addr;

        memcpy(&number, six->s6_addr, sizeof number);
        memcpy(&four, six->s6_addr + 12, sizeof four);
        return IN6_IS_ADDR_V4MAPPED(six) ? four : number;
    }
    memcpy(&four, &((const struct sockaddr_in *)(const void *)address)->sin_addr, sizeof four);
    return four;
}

/* The caller has the mutex. */
static void end(struct waiting *waiting)
{
    if (!waiting->ended)
        shutdown(waiting->fd, SHUT_RDWR);
    waiting->ended = true;
}

/* Ends the oldest connection of that address, or of all, if as many wait as may. The caller has the mutex. */
static void make_room(struct server *server, uint64_t address)
{
    struct waiting *oldest = NULL, *oldest_of_one = NULL;
    unsigned count = 0, count_of_one = 0;

    for (struct waiting *at = server->waiting; at != NULL; at = at->next) {
        if (at->ended)
            continue;
        oldest = at;
        count++;
        if (at->address != address)
            continue;
        oldest_of_one = at;
        count_of_one++;
    }
    if (count_of_one >= server->waiting_most_of_one)
        end(oldest_of_one);
    else if (count >= server->waiting_most)
        end(oldest);
}

static void note_start(struct server *server, struct MHD_Connection *connection, void **own)
{
    const union MHD_ConnectionInfo *about = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    struct waiting *waiting = malloc(sizeof *waiting);
    int bytes = SERVER_SEND_BYTES;

    *own = waiting;
    if (about == NULL || waiting == NULL)
        return;
    setsockopt(about->connect_fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
    *waiting = (struct waiting){.fd = about->connect_fd, .since_us = now_us(), .address = address_number(connection)};
    pthread_mutex_lock(&server->mutex);
    make_room(server, waiting->address);
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
    for (struct waiting *at = server->waiting; at != NULL; at = at->next)
        if (now - at->since_us >= SERVER_REQUEST_US)
            end(at);
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
