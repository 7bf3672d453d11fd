/* SPDX-License-Identifier: MIT */
/* A TCP connection with deadlines. This module knows no protocol. */
#include "base/tcp.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/runtime.h"

/* A whole reply fits into the kernel's buffer, so the server can finish while txtap still parses. */
#define RECEIVE_BUFFER_BYTES (512 * 1024)

uint64_t stream_deadline(unsigned timeout_ms)
{
    return now_us() / 1000 + timeout_ms;
}

/* Waits until the socket is ready, until the deadline, or until the grace time after a stop request is over. */
static enum txtap_status wait_ready(int fd, short events, uint64_t deadline_ms)
{
    for (;;) {
        uint64_t now = now_us() / 1000;
        uint64_t left = deadline_ms > now ? deadline_ms - now : 0, grace_ms = stop_grace_left_us() / 1000;
        struct pollfd ready = {.fd = fd, .events = events};
        int count;

        left = left < grace_ms ? left : grace_ms;
        count = poll(&ready, 1, left > 60000 ? 60000 : (int)left);

        if (count > 0)
            return TXTAP_OK; /* the next call reports errors and hang-ups */
        if (count < 0 && errno != EINTR)
            return TXTAP_ERROR_SYSTEM;
        if (count == 0 && left == 0)
            return grace_ms == 0 ? ERROR_INTERRUPTED : ERROR_TIMEOUT;
    }
}

/*
 * Reports whether the socket is connected to itself. connect() to an unused ephemeral port of this machine can cause
 * this; then nobody listens there.
 */
static bool is_self_connection(int fd)
{
    struct sockaddr_storage here = {0}, there = {0};
    socklen_t here_length = sizeof here, there_length = sizeof there;

    if (getsockname(fd, (struct sockaddr *)&here, &here_length) != 0 ||
        getpeername(fd, (struct sockaddr *)&there, &there_length) != 0)
        return false;
    return here_length == there_length && memcmp(&here, &there, here_length) == 0;
}

/* Returns 0 or an errno. */
static int connect_socket(int fd, const struct addrinfo *address, uint64_t deadline_ms)
{
    int cause = 0;
    socklen_t length = sizeof cause;

    if (connect(fd, address->ai_addr, address->ai_addrlen) != 0) {
        enum txtap_status status;

        if (errno != EINPROGRESS && errno != EINTR)
            return errno;
        status = wait_ready(fd, POLLOUT, deadline_ms);
        if (status != TXTAP_OK)
            return status == ERROR_INTERRUPTED ? EINTR : ETIMEDOUT;
        if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &cause, &length) != 0)
            return errno;
        if (cause != 0)
            return cause;
    }
    return is_self_connection(fd) ? ECONNREFUSED : 0;
}

static int open_socket(const struct addrinfo *address)
{
    int fd = socket(address->ai_family, address->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, address->ai_protocol);
    int on = 1, receive_bytes = RECEIVE_BUFFER_BYTES;

    if (fd < 0)
        return -1;
    /* Both options only make the connection faster, so failures are ignored. The size must be set before connecting. */
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &receive_bytes, sizeof receive_bytes);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return fd;
}

enum txtap_status stream_connect(struct stream *stream, const char *host, const char *port, uint64_t deadline_ms,
                                 struct error *error)
{
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
    struct addrinfo *addresses = NULL;
    int cause = ECONNREFUSED;
    int lookup = getaddrinfo(host, port, &hints, &addresses);

    stream->fd = -1;
    if (lookup == EAI_SYSTEM)
        return failure(error, TXTAP_ERROR_SYSTEM, "%s", strerror(errno));
    if (lookup != 0)
        return failure(error, ERROR_UNREACHABLE, "%s", gai_strerror(lookup));

    for (struct addrinfo *address = addresses; address != NULL; address = address->ai_next) {
        int fd = open_socket(address);

        cause = fd < 0 ? errno : connect_socket(fd, address, deadline_ms);
        if (cause == 0) {
            stream->fd = fd;
            break;
        }
        if (fd >= 0)
            close(fd);
        if (cause == EINTR)
            break;
    }
    freeaddrinfo(addresses);
    if (stream->fd >= 0)
        return TXTAP_OK;
    if (cause == EINTR)
        return failure(error, ERROR_INTERRUPTED, "interrupted");
    if (cause == EMFILE || cause == ENFILE || cause == ENOMEM || cause == ENOBUFS)
        return failure(error, TXTAP_ERROR_SYSTEM, "%s", strerror(cause));
    return failure(error, ERROR_UNREACHABLE, "%s", strerror(cause));
}

bool stream_peer(const struct stream *stream, char host[static STREAM_HOST_BYTES])
{
    struct sockaddr_storage there = {0};
    socklen_t length = sizeof there;

    return getpeername(stream->fd, (struct sockaddr *)&there, &length) == 0 &&
           getnameinfo((struct sockaddr *)&there, length, host, STREAM_HOST_BYTES, NULL, 0, NI_NUMERICHOST) == 0;
}

static enum txtap_status socket_failure(void)
{
    return errno == EPIPE || errno == ECONNRESET || errno == ECONNABORTED ? ERROR_CLOSED : TXTAP_ERROR_SYSTEM;
}

enum txtap_status stream_send(struct stream *stream, const char *bytes, size_t length, uint64_t deadline_ms)
{
    while (length > 0) {
        ssize_t sent = send(stream->fd, bytes, length, MSG_NOSIGNAL);

        if (sent >= 0) {
            bytes += sent;
            length -= (size_t)sent;
            continue;
        }
        if (errno == EINTR)
            continue;
        if (errno != EAGAIN && errno != EWOULDBLOCK)
            return socket_failure();

        enum txtap_status status = wait_ready(stream->fd, POLLOUT, deadline_ms);

        if (status != TXTAP_OK)
            return status;
    }
    return TXTAP_OK;
}

enum txtap_status stream_receive(struct stream *stream, char *bytes, size_t size, size_t *length, uint64_t deadline_ms)
{
    *length = 0;
    for (;;) {
        /* Waits first, because the server is usually still busy. */
        enum txtap_status status = wait_ready(stream->fd, POLLIN, deadline_ms);

        if (status != TXTAP_OK)
            return status;

        ssize_t got = recv(stream->fd, bytes, size, 0);

        if (got > 0) {
            *length = (size_t)got;
            return TXTAP_OK;
        }
        if (got == 0)
            return ERROR_CLOSED;
        if (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK)
            return socket_failure();
    }
}

enum txtap_status stream_time(uint64_t deadline_ms)
{
    if (stop_grace_left_us() == 0)
        return ERROR_INTERRUPTED;
    return now_us() / 1000 < deadline_ms ? TXTAP_OK : ERROR_TIMEOUT;
}

void stream_close(struct stream *stream)
{
    if (stream->fd >= 0)
        close(stream->fd);
    stream->fd = -1;
}
