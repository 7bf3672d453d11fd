/* SPDX-License-Identifier: MIT */
/* The ST-LINK server's TCP frames. */
#include "server.h"
#include "bits.h"
#include "messages.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum {
    FRAME_REFRESH,
    FRAME_COUNT_DEVICES,
    FRAME_DEVICE_INFO,
    FRAME_OPEN,
    FRAME_CLOSE,
    FRAME_USB,
    FRAME_VERSION,
    FRAME_COUNT_USERS,
    FRAMES
};
enum { DIRECTION_WRITE, DIRECTION_READ };

#define USB_HEAD_BYTES   32
#define INFO_BYTES       41
#define SERIAL_BYTES     32
#define STATUS_OK        0x00000001u
#define STATUS_PARAMETER 0x00001002u
#define STATUS_BUSY      0x00002004u
#define DEVICE_ID        1u
#define SEND_LIMIT_S     2

/* Length of each frame, by its first byte, because a frame does not contain its length. FRAME_USB has data in addition.
 */
static const size_t frame_bytes[FRAMES] = {2, 1, 8, 8, 8, USB_HEAD_BYTES, 4, 8};

static struct sockaddr_in loopback(uint16_t port)
{
    return (struct sockaddr_in){
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

bool server_listen(const char *option, uint16_t port, int users_max, int *listener, uint16_t *bound)
{
    struct sockaddr_in address = loopback(port);
    socklen_t address_bytes = sizeof address;
    int one = 1;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return fail("cannot make a TCP socket: %s", strerror(errno));
    /* A board that is restarted at once must get its port again; a second board on the same port is still refused. */
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(fd, (struct sockaddr *)&address, sizeof address) != 0 || listen(fd, users_max) != 0 ||
        getsockname(fd, (struct sockaddr *)&address, &address_bytes) != 0) {
        fail("cannot listen on 127.0.0.1:%u: %s; give another %s, or 0 for a free one", port, strerror(errno), option);
        close(fd);
        return false;
    }
    *listener = fd;
    *bound = ntohs(address.sin_port);
    return true;
}

bool server_open(struct server *server, struct board *board, uint16_t port)
{
    server->board = board;
    for (size_t i = 0; i < SERVER_USERS_MAX; i++)
        server->users[i].fd = -1;
    return server_listen("--port", port, SERVER_USERS_MAX, &server->listener, &server->port);
}

static void drop(struct server *server, struct server_user *user, const char *why)
{
    note(server->board->options->verbosity > 0, "connection ended%s%s", why ? ": " : "", why ? why : "");
    close(user->fd);
    user->fd = -1;
}

void server_drop_all(struct server *server, const char *why)
{
    for (size_t i = 0; i < SERVER_USERS_MAX; i++)
        if (server->users[i].fd >= 0)
            drop(server, &server->users[i], why);
}

void server_close(struct server *server)
{
    server_drop_all(server, "the board ends");
    close(server->listener);
}

/* Binds the listener to its port. A port that the system chose is released when its listener is shut down, and has to
 * be bound again. A port that the user chose stays bound, and bind() then fails with EINVAL. */
static bool take_port(const struct server *server)
{
    struct sockaddr_in address = loopback(server->port);
    return bind(server->listener, (struct sockaddr *)&address, sizeof address) == 0 || errno == EINVAL;
}

/* Shuts the listener down, so that it refuses connections. */
void server_unplug(struct server *server)
{
    server->unplugged = true;
    server->board->debug_mode = false;
    server_drop_all(server, "the probe is unplugged");
    shutdown(server->listener, SHUT_RD);
    take_port(server); /* takes the port at once, before another process does; if this fails, fault_run.c tries again */
}

bool server_plug_in(struct server *server)
{
    if (!take_port(server) || listen(server->listener, SERVER_USERS_MAX) != 0)
        return false;
    server->unplugged = false;
    return true;
}

void server_prepare(const struct server *server, struct pollfd *waiting)
{
    /* Leaves out a listener that is shut down, because poll() would always return at once. */
    waiting[0] = (struct pollfd){server->unplugged ? -1 : server->listener, POLLIN, 0};
    for (size_t i = 0; i < SERVER_USERS_MAX; i++)
        waiting[1 + i] = (struct pollfd){server->users[i].fd, POLLIN, 0};
}

static void welcome(struct server *server)
{
    int fd = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC);
    if (fd < 0)
        return;
    int one = 1;
    struct timeval limit = {SEND_LIMIT_S, 0};
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    for (size_t i = 0; i < SERVER_USERS_MAX; i++) {
        struct server_user *user = &server->users[i];
        if (user->fd >= 0)
            continue;
        user->fd = fd;
        user->used = 0;
        user->opened = false;
        stlink_init(&user->link, server->board);
        server->board->audit.connections++;
        note(server->board->options->verbosity > 0, "connection accepted");
        return;
    }
    fail("connection refused: %d debuggers are connected already; end one", SERVER_USERS_MAX);
    close(fd);
}

static bool send_all(int fd, const uint8_t *bytes, size_t length)
{
    while (length) {
        ssize_t sent = send(fd, bytes, length, MSG_NOSIGNAL);
        if (sent <= 0)
            return false;
        bytes += sent, length -= (size_t)sent;
    }
    return true;
}

static size_t fill_device_info(const struct server *server, const uint8_t *frame, uint8_t *reply)
{
    put_u32(reply, frame[1] == 0 && get_u32(frame + 4) == INFO_BYTES ? STATUS_OK : STATUS_PARAMETER);
    put_u32(reply + 4, DEVICE_ID);
    snprintf((char *)reply + 8, SERIAL_BYTES, "TXTAPVBOARD%05u", (unsigned)server->port);
    put_u16(reply + 40, 0x0483);
    put_u16(reply + 42, stlink_product_id(server->board));
    return 4 + INFO_BYTES; /* the last byte, "in exclusive use", stays 0 */
}

/* Carries out an ST-Link command. OpenOCD waits for as many bytes as it requested, whatever the status. */
static size_t run_usb_command(struct server_user *user, const uint8_t *frame, uint32_t size, uint8_t *reply)
{
    struct trouble *trouble = &user->link.board->trouble;
    bool is_write = frame[24] == DIRECTION_WRITE;
    struct stlink_exchange exchange = {&user->link, frame + 8, frame + USB_HEAD_BYTES, is_write ? size : 0, reply + 4};
    put_u32(reply, STATUS_OK);
    if (trouble->active[FAULT_BUSY]) {
        trouble->hits[FAULT_BUSY]++;
        put_u32(reply, STATUS_BUSY);
    } else if (frame[24] <= DIRECTION_READ) {
        stlink_execute(&exchange);
    }
    return 4 + (is_write ? 0 : size);
}

/* Returns the number of users that have opened the ST-Link. */
static uint32_t count_users(const struct server *server)
{
    uint32_t count = 0;
    for (size_t i = 0; i < SERVER_USERS_MAX; i++)
        count += server->users[i].fd >= 0 && server->users[i].opened;
    return count;
}

/* Carries out the frame and returns the length of its reply. `reply` is zeroed. */
static size_t run_frame(const struct server *server, struct server_user *user, uint32_t size, uint8_t *reply)
{
    const uint8_t *frame = user->frame;
    put_u32(reply, STATUS_OK);
    switch (frame[0]) {
    case FRAME_COUNT_DEVICES:
        put_u32(reply, 1);
        return 4;
    case FRAME_DEVICE_INFO:
        return fill_device_info(server, frame, reply);
    case FRAME_OPEN:
        user->opened = true;
        put_u32(reply + 4, DEVICE_ID);
        return 8;
    case FRAME_CLOSE:
        user->opened = false;
        return 4;
    case FRAME_USB:
        return run_usb_command(user, frame, size, reply);
    case FRAME_VERSION:
        put_u32(reply, 3); /* API, then the server's version */
        put_u32(reply + 4, 2);
        put_u32(reply + 8, 1);
        return 16;
    case FRAME_COUNT_USERS:
        put_u32(reply + 4, count_users(server));
        return 8;
    default:
        return 4; /* refresh */
    }
}

/* Returns the length of the whole frame; 0: not known yet; SIZE_MAX: not this protocol. */
static size_t measure_frame(const struct server_user *user)
{
    if (user->used == 0)
        return 0;
    if (user->frame[0] >= FRAMES)
        return SIZE_MAX;
    size_t length = frame_bytes[user->frame[0]];
    if (user->frame[0] != FRAME_USB)
        return length;
    if (user->used < USB_HEAD_BYTES)
        return 0;
    uint32_t size = get_u32(user->frame + 28);
    if (size > STLINK_DATA_MAX)
        return SIZE_MAX;
    return user->frame[24] == DIRECTION_WRITE ? length + size : length;
}

/* Returns true in a half-open connection: received frames are neither carried out nor answered. */
static bool swallow(struct board *board)
{
    struct trouble *trouble = &board->trouble;
    trouble->hits[FAULT_HALF_OPEN] += trouble->active[FAULT_HALF_OPEN];
    trouble->hits[FAULT_SLOW] += trouble->active[FAULT_SLOW] && !trouble->active[FAULT_HALF_OPEN];
    return trouble->active[FAULT_HALF_OPEN];
}

static void serve_user(struct server *server, struct server_user *user)
{
    static uint8_t reply[4 + STLINK_DATA_MAX];
    ssize_t got = recv(user->fd, user->frame + user->used, sizeof user->frame - user->used, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (got <= 0) {
        drop(server, user, NULL);
        return;
    }
    user->used += (size_t)got;
    for (;;) {
        size_t length = measure_frame(user);
        if (length == SIZE_MAX) {
            fail(
                "connection dropped: it does not speak the ST-LINK server protocol (byte 0x%02x); connect OpenOCD with "
                "'hla_stlink_backend tcp %u'",
                user->frame[0], server->port);
            drop(server, user, NULL);
            return;
        }
        if (length == 0 || user->used < length)
            return;
        uint32_t size = user->frame[0] == FRAME_USB ? get_u32(user->frame + 28) : 0;
        bool mute = swallow(server->board);
        memset(reply, 0, sizeof reply);
        size_t reply_bytes = mute ? 0 : run_frame(server, user, size, reply);
        user->used -= length;
        memmove(user->frame, user->frame + length, user->used);
        if (!send_all(user->fd, reply, reply_bytes)) {
            drop(server, user, "it does not take its reply");
            return;
        }
    }
}

void server_serve(struct server *server, const struct pollfd *ready)
{
    for (size_t i = 0; i < SERVER_USERS_MAX; i++)
        if (server->users[i].fd >= 0 && ready[1 + i].fd == server->users[i].fd && ready[1 + i].revents)
            serve_user(server, &server->users[i]);
    if (ready[0].revents)
        welcome(server);
}
