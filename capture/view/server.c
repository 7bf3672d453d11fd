/* SPDX-License-Identifier: MIT */
/* Answers requests, and enforces limits. libmicrohttpd implements HTTP. */
#include "view/server.h"

#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/runtime.h"
#include "base/text_maker.h"
#include "view/listen.h"
#include "view/token.h"

#define CONNECTION_BYTES    16384 /* memory for headers */
#define IDLE_SECONDS        10
#define STREAM_IDLE_SECONDS 600 /* a page that is paused, for example in a sleeping laptop, may continue later */
#define STREAM_PIECE_BYTES  65536
#define LOOK_US             1000000
#define WAIT_US             5000
#define FILES_FOR_OTHERS    64 /* descriptors that are not for connections */

/* A connection whose request has not arrived yet. */
struct waiting {
    struct waiting *next; /* the next older connection */
    int fd;
    uint64_t since_us;
    uint64_t address; /* a number that identifies the client's machine or network */
    bool ended;       /* the server has ended the connection; libmicrohttpd will close it */
};

struct stream {
    struct stream *next;
    struct server *server;
    struct MHD_Connection *connection;
    void *source;
    int fd;
    bool suspended;
    bool closed; /* the client closed the stream while nothing was sent */
};

struct server {
    struct MHD_Daemon *daemon;
    struct request_rules rules;
    struct server_setup setup;
    bool public;                   /* other machines can reach the server */
    char run[REQUEST_TOKEN_BYTES]; /* value of the header Txtap-Run of streams; identifies this run of the server */
    struct MHD_Response *page, *nothing, *wrong_method;
    uint64_t looked_us;           /* when server_step() last looked for clients that closed their stream */
    unsigned waiting_most;        /* limit of connections that wait for their request */
    unsigned waiting_most_of_one; /* limit of such connections per address */
    pthread_mutex_t mutex;        /* protects all members below */
    struct waiting *waiting;
    struct stream *streams;
    unsigned stream_count;
    bool ending;
};

/* ---- connections without a request ---- */

/*
 * A connection that sends a byte now and then is never idle, so libmicrohttpd would let it wait forever. Many such
 * connections would lock out all pages. So a request has a time limit, and the number of waiting connections is
 * limited, in total and for one address. At the limit, a new connection ends the oldest. A browser is not affected,
 * because it sends its request at once.
 */

/* Identifies a client by its IPv4 address or, for IPv6, by its 64-bit network, because a machine can choose the other
 * bits freely. */
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

/* Ends the connection. The caller must lock the mutex. */
static void end(struct waiting *waiting)
{
    if (!waiting->ended)
        shutdown(waiting->fd, SHUT_RDWR);
    waiting->ended = true;
}

/* If the limit of this address is reached, ends the oldest connection of this address. Otherwise, if the total limit is
 * reached, ends the oldest connection. The caller must lock the mutex. */
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

/* Forgets a waiting connection. Call it when the request has arrived, or the connection is closed. The mutex ensures
 * that server_step() never uses a descriptor number that was reused. */
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

/* Notes that a connection was opened or closed. An MHD_NotifyConnectionCallback; self: the struct server. */
static void on_connection(void *self, struct MHD_Connection *connection, void **own,
                          enum MHD_ConnectionNotificationCode what)
{
    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        note_start(self, connection, own);
        return;
    }
    forget(self, *own);
    *own = NULL;
}

/* Forgets the connection as waiting, because its request has arrived. */
static void forget_waiting(struct server *server, struct MHD_Connection *connection)
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

/* ---- streams without end ---- */

/* A slow client delays nobody, because libmicrohttpd asks for bytes only when the client can take more. */

/* Reads from the source. If the source has no bytes, reads again with the mutex locked, before it suspends the
 * connection. So no server_wake() can come between the second read and the suspension. */
static ssize_t read_stream(void *self, uint64_t position, char *bytes, size_t size)
{
    struct stream *stream = self;
    struct server *server = stream->server;
    const struct server_source *source = &server->setup.source;
    ssize_t got = source->read(stream->source, bytes, size);

    (void)position;
    if (got == 0) {
        pthread_mutex_lock(&server->mutex);
        got = source->read(stream->source, bytes, size);
        if (got == 0 && (server->ending || stream->closed))
            got = -1;
        if (got == 0) {
            stream->suspended = true;
            MHD_suspend_connection(stream->connection);
        }
        pthread_mutex_unlock(&server->mutex);
    }
    return got < 0 ? MHD_CONTENT_READER_END_OF_STREAM : got;
}

static void close_stream(void *self)
{
    struct stream *stream = self;
    struct server *server = stream->server;

    pthread_mutex_lock(&server->mutex);
    for (struct stream **at = &server->streams; *at != NULL; at = &(*at)->next)
        if (*at == stream) {
            *at = stream->next;
            server->stream_count--;
            break;
        }
    pthread_mutex_unlock(&server->mutex);
    server->setup.source.close(stream->source);
    free(stream);
}

static void resume(struct stream *stream)
{
    if (stream->suspended)
        MHD_resume_connection(stream->connection);
    stream->suspended = false;
}

/* Wakes all streams. The caller must lock the mutex. */
static void wake_streams(struct server *server)
{
    for (struct stream *at = server->streams; at != NULL; at = at->next)
        resume(at);
}

void server_wake(struct server *server)
{
    pthread_mutex_lock(&server->mutex);
    wake_streams(server);
    pthread_mutex_unlock(&server->mutex);
}

/* Ends streams whose client has closed the connection. libmicrohttpd does not check suspended connections, so closed
 * streams would count as open while the target writes nothing. */
static void end_closed_streams(struct server *server)
{
    pthread_mutex_lock(&server->mutex);
    for (struct stream *at = server->streams; at != NULL; at = at->next) {
        struct pollfd look = {.fd = at->fd, .events = POLLRDHUP};

        if (at->suspended && poll(&look, 1, 0) > 0) {
            at->closed = true;
            resume(at);
        }
    }
    pthread_mutex_unlock(&server->mutex);
}

unsigned server_streams(struct server *server)
{
    unsigned count;

    pthread_mutex_lock(&server->mutex);
    count = server->stream_count;
    pthread_mutex_unlock(&server->mutex);
    return count;
}

static struct stream *open_stream(struct server *server, struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *about = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    struct stream *stream = calloc(1, sizeof *stream);
    void *source = stream != NULL ? server->setup.source.open(server->setup.source.self) : NULL;

    if (source == NULL) {
        free(stream);
        return NULL;
    }
    stream->server = server;
    stream->connection = connection;
    stream->fd = about != NULL ? about->connect_fd : -1;
    stream->source = source;
    pthread_mutex_lock(&server->mutex);
    stream->next = server->streams;
    server->streams = stream;
    server->stream_count++;
    pthread_mutex_unlock(&server->mutex);
    return stream;
}

/* Makes a response that is read from a new source. NULL: no memory. */
static struct MHD_Response *new_stream(struct server *server, struct MHD_Connection *connection)
{
    struct stream *stream = open_stream(server, connection);
    struct MHD_Response *response = NULL;

    if (stream != NULL)
        response =
            MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, STREAM_PIECE_BYTES, read_stream, stream, close_stream);
    if (stream != NULL && response == NULL)
        close_stream(stream);
    return response;
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
        end_closed_streams(server);
    }
}

/* ---- answers ---- */

static bool add_header(struct MHD_Response *response, const char *name, const char *value)
{
    return MHD_add_response_header(response, name, value) == MHD_YES;
}

/* Limits each connection to one request, because server_step() would not watch the next request. */
static bool add_headers(struct MHD_Response *response)
{
    return add_header(response, "Connection", "close") && add_header(response, "Cache-Control", "no-store") &&
           add_header(response, "X-Content-Type-Options", "nosniff") &&
           add_header(response, "Referrer-Policy", "no-referrer") &&
           add_header(response, "Cross-Origin-Resource-Policy", "same-origin") &&
           add_header(response, "Cross-Origin-Opener-Policy", "same-origin") &&
           add_header(response, "X-Frame-Options", "DENY");
}

/* Sends the response and releases it; NULL: no memory. */
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
    response = new_stream(server, connection);
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

/* Answers a request. libmicrohttpd calls this function when the headers have arrived. The function does not wait for
 * the body of a request: either the method is wrong, or the body is ignored. */
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
    forget_waiting(server, connection);
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

/* Returns a limit of connections that leaves enough descriptors for other uses. */
static unsigned connections_max(void)
{
    struct rlimit limit;
    rlim_t wanted = SERVER_CONNECTIONS_MAX + FILES_FOR_OTHERS;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return FILES_FOR_OTHERS;
    if (limit.rlim_cur < wanted) {
        limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
        (void)getrlimit(RLIMIT_NOFILE, &limit);
    }
    if (limit.rlim_cur >= wanted)
        return SERVER_CONNECTIONS_MAX;
    return limit.rlim_cur > 2 * FILES_FOR_OTHERS ? (unsigned)limit.rlim_cur - FILES_FOR_OTHERS : FILES_FOR_OTHERS / 2;
}

static enum txtap_status start_daemon(struct server *server, struct error *error)
{
    const struct server_setup *setup = &server->setup;
    int fd, cause;
    enum txtap_status status = listen_open(setup->address, setup->port, &server->rules, &server->public, &fd, error);
    unsigned connections = connections_max();

    if (status != TXTAP_OK)
        return status;
    server->waiting_most = connections / SERVER_WAITING_PART;
    server->waiting_most_of_one = connections / SERVER_WAITING_OF_ONE_PART;
    server->daemon = MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL,
                                      on_request, server, MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_NOTIFY_CONNECTION,
                                      on_connection, server, MHD_OPTION_CONNECTION_LIMIT, connections,
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
    if (setup->token != NULL)
        snprintf(server->rules.token, sizeof server->rules.token, "%s", setup->token);
    if (!token_new(server->run) || (setup->token == NULL && !token_new(server->rules.token)))
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

/* Ends all connections. It also ends suspended connections, because libmicrohttpd does not end them. */
void server_stop(struct server *server, uint64_t limit_us)
{
    uint64_t begin = now_us();

    pthread_mutex_lock(&server->mutex);
    server->ending = true;
    wake_streams(server);
    pthread_mutex_unlock(&server->mutex);
    while (server_streams(server) > 0 && now_us() - begin < limit_us)
        usleep(WAIT_US);
    MHD_stop_daemon(server->daemon);
    free_server(server);
}

/* ---- its address ---- */

bool server_is_public(const struct server *server)
{
    return server->public;
}

void server_url(const struct server *server, char url[static SERVER_URL_BYTES])
{
    const char *host = server->rules.address;

    if (server->rules.any_address) /* an address that a page on this machine can use */
        host = *host == '[' ? "[::1]" : "127.0.0.1";
    snprintf(url, SERVER_URL_BYTES, "http://%s:%u/%s/", host, (unsigned)server->rules.port, server->rules.token);
}
