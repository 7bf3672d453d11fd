/* SPDX-License-Identifier: MIT */
/* Where the server listens, and what its address is for those who may know it. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "view/server_parts.h"
#include "view/token.h"

#define FILES_FOR_OTHERS 64 /* descriptors that are not connections */

/* An IPv4 address within IPv6, ::ffff:127.0.0.1, is that IPv4 address: browsers write it otherwise in their requests.
 */
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

/* Who can connect to an address: to that of a group of machines nobody can, though one can listen there. */
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

/* As a browser writes it in a URL. */
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

static enum txtap_status make_rules(struct server *server, struct sockaddr_storage *address, struct error *error)
{
    struct request_rules *rules = &server->rules;
    const struct server_setup *setup = &server->setup;
    enum reach reach;

    if (!parse_address(setup->address, setup->port, address))
        return failure(error, TXTAP_ERROR_USAGE,
                       "--listen: '%.100s' is not an address in digits\ngive 127.0.0.1, or 0.0.0.0", setup->address);
    reach = reach_of(address);
    if (reach == REACH_NOBODY)
        return failure(error, TXTAP_ERROR_USAGE,
                       "--listen: '%.100s' is the address of several machines, to which no browser can connect\n"
                       "give 127.0.0.1, or 0.0.0.0",
                       setup->address);
    rules->any_address = reach == REACH_ANY_ADDRESS;
    server->public = reach != REACH_THIS_MACHINE;
    put_host(address, rules->address);
    if (setup->token != NULL)
        snprintf(rules->token, sizeof rules->token, "%s", setup->token);
    else if (!token_new(rules->token))
        return failure(error, TXTAP_ERROR_SYSTEM, "no random numbers for the page's address: %s", strerror(errno));
    return TXTAP_OK;
}

/* -1: errno says why. */
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

enum txtap_status server_listen(struct server *server, int *fd, struct error *error)
{
    struct sockaddr_storage address;
    enum txtap_status status = make_rules(server, &address, error);

    if (status != TXTAP_OK)
        return status;
    *fd = listen_at(&address);
    if (*fd < 0)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.80s port %u: cannot listen there: %s\nchoose another with --port",
                       server->setup.address, (unsigned)server->setup.port, strerror(errno));
    server->rules.port = ntohs(address.ss_family == AF_INET ? ((struct sockaddr_in *)&address)->sin_port
                                                            : ((struct sockaddr_in6 *)&address)->sin6_port);
    return TXTAP_OK;
}

unsigned server_connections_max(void)
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

bool server_is_public(const struct server *server)
{
    return server->public;
}

void server_url(const struct server *server, char url[static SERVER_URL_BYTES])
{
    const char *host = server->rules.address;

    if (server->rules.any_address) /* a page on this machine can use */
        host = *host == '[' ? "[::1]" : "127.0.0.1";
    snprintf(url, SERVER_URL_BYTES, "http://%s:%u/%s/", host, (unsigned)server->rules.port, server->rules.token);
}
