/* SPDX-License-Identifier: MIT */
/* Streams without end: libmicrohttpd asks for bytes when the client can take some, so that a slow one slows nobody. */
#include <poll.h>
#include <stdlib.h>

#include "view/server_parts.h"

#define STREAM_PIECE_BYTES 65536

/* A source that has nothing is asked again under the mutex: server_wake() comes before that, or finds it suspended. */
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

void server_wake_streams(struct server *server)
{
    for (struct stream *at = server->streams; at != NULL; at = at->next)
        resume(at);
}

void server_wake(struct server *server)
{
    pthread_mutex_lock(&server->mutex);
    server_wake_streams(server);
    pthread_mutex_unlock(&server->mutex);
}

/* libmicrohttpd does not look at connections that are suspended: they would count for as long as the target rests. */
void server_end_closed_streams(struct server *server)
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

struct MHD_Response *server_new_stream(struct server *server, struct MHD_Connection *connection)
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
