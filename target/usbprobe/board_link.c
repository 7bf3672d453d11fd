/* SPDX-License-Identifier: MIT */
/* The client's side of the ST-LINK server's frames. Source: OpenOCD 0.12.0, src/jtag/drivers/stlink_usb.c. */
#include "board_link.h"
#include "bits.h"
#include "say.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { FRAME_DEVICE_INFO = 2, FRAME_USB = 5 };

#define HEAD_BYTES     32
#define STATUS_BYTES   4
#define INFO_BYTES     41
#define PRODUCT_AT     42
#define DIRECTION_READ 1
#define PATIENCE_S     30 /* a busy host may delay the board by this much */

static bool send_all(int fd, const uint8_t *bytes, size_t length)
{
    while (length) {
        ssize_t sent = send(fd, bytes, length, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return false;
        bytes += sent, length -= (size_t)sent;
    }
    return true;
}

static bool receive_all(int fd, uint8_t *bytes, size_t length)
{
    while (length) {
        ssize_t got = recv(fd, bytes, length, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        bytes += got, length -= (size_t)got;
    }
    return true;
}

static bool connect_to(int fd, uint16_t port)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct timeval patience = {PATIENCE_S, 0};
    int one = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    return connect(fd, (struct sockaddr *)&address, sizeof address) == 0;
}

static bool ask_product(int fd, uint16_t *product)
{
    uint8_t frame[8] = {FRAME_DEVICE_INFO}, info[STATUS_BYTES + INFO_BYTES];
    put_u32(frame + 4, INFO_BYTES);
    if (!send_all(fd, frame, sizeof frame) || !receive_all(fd, info, sizeof info))
        return false;
    *product = get_u16(info + PRODUCT_AT);
    return true;
}

bool board_link_open(struct board_link *link, uint16_t port, uint16_t *product)
{
    link->lost = false;
    link->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (link->fd < 0)
        return fail("cannot make a TCP socket: %s", strerror(errno));
    if (connect_to(link->fd, port) && ask_product(link->fd, product))
        return true;
    fail("no board answers on 127.0.0.1:%u: %s; start txtap-vboard first, and give the port that it prints", port,
         strerror(errno));
    board_link_close(link);
    return false;
}

void board_link_close(struct board_link *link)
{
    if (link->fd >= 0)
        close(link->fd);
    link->fd = -1;
}

static bool run(void *self, const uint8_t command[static BOARD_COMMAND_BYTES], const uint8_t *data, size_t data_bytes,
                uint8_t *answer, size_t answer_bytes)
{
    struct board_link *link = self;
    uint8_t frame[HEAD_BYTES + BOARD_DATA_MAX] = {FRAME_USB}, status[STATUS_BYTES];
    if (link->fd < 0 || link->lost)
        return false;
    memcpy(frame + 8, command, BOARD_COMMAND_BYTES);
    frame[24] = data_bytes ? 0 : DIRECTION_READ;
    put_u32(frame + 28, (uint32_t)(data_bytes ? data_bytes : answer_bytes));
    if (data_bytes)
        memcpy(frame + HEAD_BYTES, data, data_bytes);
    link->lost = !send_all(link->fd, frame, HEAD_BYTES + data_bytes) || !receive_all(link->fd, status, sizeof status) ||
                 !receive_all(link->fd, answer, answer_bytes);
    return !link->lost;
}

struct board_access board_link_access(struct board_link *link)
{
    return (struct board_access){link, run};
}
