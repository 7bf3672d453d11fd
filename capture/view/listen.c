/* SPDX-License-Identifier: MIT */
/* Handles addresses: who can reach an address, and how a browser writes it. */
#include "view/listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Parses an address. An IPv4 address within IPv6, such as ::ffff:127.0.0.1, is handled as the IPv4 address, because
 * browsers write it in another form. */
static bool parse_address(const char *text, uint16_t port, struct sockaddr_storage *address)
{
    struct sockaddr_in *four = (struct sockaddr_in *)address;
    struct sockaddr_in6 *six = (struct sockaddr_in6 *)address;
    struct in6_addr parsed;

    memset(address, 0, sizeof *address);
    if (strcmp(text, "localhost") == 0)
        text = "127.0.0.1";
    if (inet_pton(AF_INET, text, &four->sin_addr) != 1) {
        if (inet_pton(AF_INET6, text, &parsed) != 1)
            return false;
        if (!IN6_IS_ADDR_V4MAPPED(&parsed)) {
            *six = (struct sockaddr_in6){.sin6_family = AF_INET6, .sin6_port = htons(port), .sin6_addr = parsed};
            return true;
        }
        memcpy(&four->sin_addr, parsed.s6_addr + 12, sizeof four->sin_addr);
    }
    four->sin_family = AF_INET;
    four->sin_port = htons(port);
    return true;
}

enum reach { REACH_THIS_MACHINE, REACH_ONE_ADDRESS, REACH_ANY_ADDRESS, REACH_NOBODY };

/* Reports who can connect to an address. Nobody can connect to a multicast address, although a server can listen
 * there. */
static enum reach reach_of(const struct sockaddr_storage *address)
{
    const struct in6_addr *six = &((const struct sockaddr_in6 *)address)->sin6_addr;
    uint32_t four = ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr);

    if (address->ss_family == AF_INET6) {
        if (IN6_IS_ADDR_MULTICAST(six))
            return REACH_NOBODY;
        if (IN6_IS_ADDR_UNSPECIFIED(six))
            return REACH_ANY_ADDRESS;
        return IN6_IS_ADDR_LOOPBACK(six) ? REACH_THIS_MACHINE : REACH_ONE_ADDRESS;
    }
    if (four == INADDR_ANY)
        return REACH_ANY_ADDRESS;
    if (four >> 24 == IN_LOOPBACKNET)
        return REACH_THIS_MACHINE;
    return IN_MULTICAST(four) || four == INADDR_BROADCAST ? REACH_NOBODY : REACH_ONE_ADDRESS;
}

/* Writes the host as a browser writes it in a URL. */
static void put_host(const struct sockaddr_storage *address, char host[static REQUEST_HOST_BYTES])
{
    const bool six = address->ss_family == AF_INET6;
    char text[INET6_ADDRSTRLEN];

    inet_ntop(address->ss_family,
              six ? (const void *)&((const struct sockaddr_in6 *)address)->sin6_addr
                  : (const void *)&((const struct sockaddr_in *)address)->sin_addr,
              text, sizeof text);
    snprintf(host, REQUEST_HOST_BYTES, six ? "[%s]" : "%s", text);
}

/* -1: errno has the cause. */
static int listen_at(struct sockaddr_storage *address)
{
    socklen_t length = address->ss_family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6);
    int fd = socket(address->ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), on = 1;

    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(fd, (const struct sockaddr *)address, length) == 0 && listen(fd, SOMAXCONN) == 0 &&
        getsockname(fd, (struct sockaddr *)address, &length) == 0)
        return fd;
    on = errno;
    close(fd);
    errno = on;
    return -1;
}

enum txtap_status listen_open(const char *where, uint16_t port, struct request_rules *rules, bool *public, int *fd,
                              struct error *error)
{
    struct sockaddr_storage address;
    enum reach reach;

    if (!parse_address(where, port, &address))
        return failure(error, TXTAP_ERROR_USAGE,
                       "--listen: '%.100s' is not an address in digits\ngive 127.0.0.1, or 0.0.0.0", where);
    reach = reach_of(&address);
    if (reach == REACH_NOBODY)
        return failure(error, TXTAP_ERROR_USAGE,
                       "--listen: '%.100s' is the address of several machines, to which no browser can connect\n"
                       "give 127.0.0.1, or 0.0.0.0",
                       where);
    rules->any_address = reach == REACH_ANY_ADDRESS;
    *public = reach != REACH_THIS_MACHINE;
    put_host(&address, rules->address);
    *fd = listen_at(&address);
    if (*fd < 0)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.80s port %u: cannot listen there: %s\nchoose another with --port",
                       where, (unsigned)port, strerror(errno));
    rules->port = ntohs(address.ss_family == AF_INET ? ((struct sockaddr_in *)&address)->sin_port
                                                     : ((struct sockaddr_in6 *)&address)->sin6_port);
    return TXTAP_OK;
}
