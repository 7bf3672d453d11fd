/* SPDX-License-Identifier: MIT */
/* libmicrohttpd implements HTTP. The text is replaced under a lock; an answer has its own copy. */
#include "lab/metrics_server.h"

#include <errno.h>
#include <microhttpd.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "view/listen.h"

#define CONNECTIONS      16
#define CONNECTION_BYTES 8192
#define IDLE_SECONDS     5
#define TYPE             "application/openmetrics-text; version=1.0.0; charset=utf-8"

struct metrics_server {
    struct MHD_Daemon *daemon;
    pthread_mutex_t mutex; /* protects the members below */
    char *text;
    size_t length;
};

static struct MHD_Response *make_response(struct metrics_server *server)
{
    struct MHD_Response *response;

    pthread_mutex_lock(&server->mutex);
    response = MHD_create_response_from_buffer(server->length, server->text, MHD_RESPMEM_MUST_COPY);
    pthread_mutex_unlock(&server->mutex);
    return response;
}

static enum MHD_Result on_request(void *self, struct MHD_Connection *connection, const char *path, const char *method,
                                  const char *version, const char *upload, size_t *upload_bytes, void **own)
{
    bool reads = strcmp(method, MHD_HTTP_METHOD_GET) == 0 || strcmp(method, MHD_HTTP_METHOD_HEAD) == 0;
    unsigned code = !reads                          ? MHD_HTTP_METHOD_NOT_ALLOWED
                    : strcmp(path, "/metrics") == 0 ? MHD_HTTP_OK
                                                    : MHD_HTTP_NOT_FOUND;
    struct MHD_Response *response =
        code == MHD_HTTP_OK ? make_response(self) : MHD_create_response_from_buffer(0, "", MHD_RESPMEM_PERSISTENT);
    enum MHD_Result done = MHD_NO;

    (void)version;
    (void)upload;
    (void)upload_bytes;
    (void)own;
    if (response == NULL)
        return MHD_NO;
    if (MHD_add_response_header(response, "Connection", "close") == MHD_YES &&
        MHD_add_response_header(response, "Content-Type", TYPE) == MHD_YES)
        done = MHD_queue_response(connection, code, response);
    MHD_destroy_response(response);
    return done;
}

enum txtap_status metrics_server_start(struct metrics_server **out, const char *host, uint16_t port, uint16_t *bound,
                                       struct error *error)
{
    struct metrics_server *server = calloc(1, sizeof *server);
    struct request_rules rules;
    enum txtap_status status;
    bool public;
    int fd;

    *out = NULL;
    if (server == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the HTTP server");
    status = listen_open(host, port, &rules, &public, &fd, error);
    if (status == TXTAP_OK) {
        pthread_mutex_init(&server->mutex, NULL);
        server->daemon = MHD_start_daemon(
            MHD_USE_EPOLL_INTERNAL_THREAD, 0, NULL, NULL, on_request, server, MHD_OPTION_LISTEN_SOCKET, fd,
            MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
            (size_t)CONNECTION_BYTES, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS, MHD_OPTION_END);
        if (server->daemon == NULL) {
            status = failure(error, TXTAP_ERROR_SYSTEM, "the HTTP server cannot start: %s", strerror(errno));
            close(fd);
        }
    }
    if (status != TXTAP_OK) {
        free(server);
        return status;
    }
    *bound = rules.port;
    *out = server;
    return TXTAP_OK;
}

void metrics_server_set(struct metrics_server *server, const char *text, size_t length)
{
    char *copy = malloc(length > 0 ? length : 1);

    if (copy == NULL)
        return;
    memcpy(copy, text, length);
    pthread_mutex_lock(&server->mutex);
    free(server->text);
    server->text = copy;
    server->length = length;
    pthread_mutex_unlock(&server->mutex);
}

void metrics_server_stop(struct metrics_server *server)
{
    if (server == NULL)
        return;
    MHD_stop_daemon(server->daemon);
    pthread_mutex_destroy(&server->mutex);
    free(server->text);
    free(server);
}
