/* SPDX-License-Identifier: MIT */
/* libmicrohttpd does HTTP; here is what it answers, and what it must not allow. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/runtime.h"
#include "base/text_maker.h"
#include "view/server_parts.h"
#include "view/token.h"

#define CONNECTION_BYTES    16384 /* of memory for headers */
#define IDLE_SECONDS        10
#define STREAM_IDLE_SECONDS 600 /* a page that is stopped, like one in a sleeping laptop, may go on later */
#define WAIT_US             5000

/* ---- answers ---- */

static bool add_header(struct MHD_Response *response, const char *name, const char *value)
{
    return MHD_add_response_header(response, name, value) == MHD_YES;
}

/* One request for each connection: what follows would not be watched by server_step(). */
static bool add_headers(struct MHD_Response *response)
{
    return add_header(response, "Connection", "close") && add_header(response, "Cache-Control", "no-store") &&
           add_header(response, "X-Content-Type-Options", "nosniff") &&
           add_header(response, "Referrer-Policy", "no-referrer") &&
           add_header(response, "Cross-Origin-Resource-Policy", "same-origin") &&
           add_header(response, "Cross-Origin-Opener-Policy", "same-origin") &&
           add_header(response, "X-Frame-Options", "DENY");
}

/* Takes the response; NULL: no memory. */
static enum MHD_Result answer_with(struct MHD_Connection *connection, struct MHD_Response *response, unsigned code)
{
    enum MHD_Result done = response != NULL ? MHD_queue_response(connection, code, response) : MHD_NO;

    if (response != NULL)
        MHD_destroy_response(response);
    return done;
}

static enum MHD_Result answer_stream(struct server *server, struct MHD_Connection *connection)
{
    struct MHD_Response *response;

    if (server_streams(server) >= SERVER_STREAMS_MAX)
        return MHD_queue_response(connection, MHD_HTTP_SERVICE_UNAVAILABLE, server->nothing);
    response = server_new_stream(server, connection);
    if (response == NULL)
        return MHD_NO;
    MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, (unsigned)STREAM_IDLE_SECONDS);
    if (!add_headers(response) || !add_header(response, "Content-Type", "application/octet-stream") ||
        !add_header(response, "Txtap-Run", server->run)) {
        MHD_destroy_response(response);
        return MHD_NO;
    }
    return answer_with(connection, response, MHD_HTTP_OK);
}

static enum MHD_Result answer_state(struct server *server, struct MHD_Connection *connection)
{
    struct text_maker maker;
    struct MHD_Response *response;

    if (text_maker_begin(&maker))
        server->setup.put_state(server->setup.self, maker.out);
    if (!text_maker_end(&maker))
        return MHD_NO;
    response = MHD_create_response_from_buffer(maker.length, maker.text, MHD_RESPMEM_MUST_FREE);
    if (response == NULL)
        free(maker.text);
    if (response != NULL && !(add_headers(response) && add_header(response, "Content-Type", "application/json"))) {
        MHD_destroy_response(response);
        return MHD_NO;
    }
    return answer_with(connection, response, MHD_HTTP_OK);
}

/* ---- requests ---- */

struct header {
    const char *name, *value;
    unsigned count;
};

static enum MHD_Result note_header(void *self, enum MHD_ValueKind kind, const char *name, const char *value)
{
    struct header *header = self;

    (void)kind;
    if (strcasecmp(name, header->name) == 0) {
        header->value = header->count++ == 0 ? value : NULL;
    }
    return MHD_YES;
}

static struct header find_header(struct MHD_Connection *connection, const char *name)
{
    struct header header = {.name = name};

    MHD_get_connection_values(connection, MHD_HEADER_KIND, note_header, &header);
    return header;
}

/* Called once the headers are there. A request with a body is not awaited: it has no right method, or is ignored. */
static enum MHD_Result on_request(void *self, struct MHD_Connection *connection, const char *path, const char *method,
                                  const char *version, const char *upload, size_t *upload_bytes, void **own)
{
    struct server *server = self;
    const struct header host = find_header(connection, "Host"), origin = find_header(connection, "Origin");
    const struct request request = {
        .method = method, .path = path, .host = host.value, .origin = origin.value, .has_origin = origin.count > 0};

    (void)version;
    (void)upload;
    (void)upload_bytes;
    (void)own;
    server_forget_waiting(server, connection);
    switch (request_judge(&server->rules, &request)) {
    case REQUEST_PAGE:
        return MHD_queue_response(connection, MHD_HTTP_OK, server->page);
    case REQUEST_STREAM:
        return answer_stream(server, connection);
    case REQUEST_STATE:
        return answer_state(server, connection);
    case REQUEST_METHOD:
        return MHD_queue_response(connection, MHD_HTTP_METHOD_NOT_ALLOWED, server->wrong_method);
    case REQUEST_FORBIDDEN:
        break;
    }
    return MHD_queue_response(connection, MHD_HTTP_FORBIDDEN, server->nothing);
}

/* ---- life ---- */

static enum txtap_status start_daemon(struct server *server, struct error *error)
{
    int fd, cause;
    enum txtap_status status = server_listen(server, &fd, error);
    unsigned connections = server_connections_max();

    if (status != TXTAP_OK)
        return status;
    server->waiting_most = connections / 2;
    server->waiting_most_of_one = connections / 8;
    server->daemon = MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL,
                                      on_request, server, MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_NOTIFY_CONNECTION,
                                      server_on_connection, server, MHD_OPTION_CONNECTION_LIMIT, connections,
                                      MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES,
                                      MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS, MHD_OPTION_END);
    if (server->daemon != NULL)
        return TXTAP_OK;
    cause = errno;
    close(fd);
    return failure(error, TXTAP_ERROR_SYSTEM, "the HTTP server cannot start: %s", strerror(cause));
}

static bool make_answers(struct server *server)
{
    server->page = MHD_create_response_from_buffer(server->setup.page_length, (void *)(uintptr_t)server->setup.page,
                                                   MHD_RESPMEM_PERSISTENT);
    server->nothing = MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
    server->wrong_method = MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
    return server->page != NULL && server->nothing != NULL && server->wrong_method != NULL &&
           add_headers(server->page) && add_headers(server->nothing) && add_headers(server->wrong_method) &&
           add_header(server->page, "Content-Type", "text/html; charset=utf-8") &&
           add_header(server->page, "Content-Security-Policy", server->setup.policy) &&
           add_header(server->wrong_method, "Allow", "GET, HEAD");
}

static void free_server(struct server *server)
{
    struct MHD_Response *const answers[] = {server->page, server->nothing, server->wrong_method};

    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
        if (answers[i] != NULL)
            MHD_destroy_response(answers[i]);
    pthread_mutex_destroy(&server->mutex);
    free(server);
}

enum txtap_status server_start(struct server **out, const struct server_setup *setup, struct error *error)
{
    struct server *server = calloc(1, sizeof *server);
    enum txtap_status status;

    *out = server;
    if (server == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the HTTP server");
    server->setup = *setup;
    pthread_mutex_init(&server->mutex, NULL);
    if (!token_new(server->run))
        status = failure(error, TXTAP_ERROR_SYSTEM, "no random numbers for the HTTP server: %s", strerror(errno));
    else if (!make_answers(server))
        status = failure(error, TXTAP_ERROR_SYSTEM, "no memory for the HTTP server");
    else
        status = start_daemon(server, error);
    if (status == TXTAP_OK)
        return status;
    free_server(server);
    *out = NULL;
    return status;
}

/* libmicrohttpd ends no connection that is suspended. */
void server_stop(struct server *server, uint64_t limit_us)
{
    uint64_t begin = now_us();

    pthread_mutex_lock(&server->mutex);
    server->ending = true;
    server_wake_streams(server);
    pthread_mutex_unlock(&server->mutex);
    while (server_streams(server) > 0 && now_us() - begin < limit_us)
        usleep(WAIT_US);
    MHD_stop_daemon(server->daemon);
    free_server(server);
}
