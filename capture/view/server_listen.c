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

static bool parse_address(const char *text, uint16_t port, struct sockaddr_storage *address)
{
    struct sockaddr_in *four = (struct sockaddr_in *)address;
    struct sockaddr_in6 *six = (struct sockaddr_in6 *)address;

    memset(address, 0, sizeof *address);
    if (strcmp(text, "localhost") == 0)
        text = "127.0.0.1";
    if (inet_pton(AF_INET, text, &four->sin_addr) == 1) {
        four->sin_family = AF_INET;
        four->sin_port = htons(port);
        return true;
    }
    six->sin6_family = AF_INET6;
    six->sin6_port = htons(port);
    return inet_pton(AF_INET6, text, &six->sin6_addr) == 1;
}

static bool is_any(const struct sockaddr_storage *address)
{
    const struct sockaddr_in *four = (const struct sockaddr_in *)address;
    const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)address;

    return address->ss_family == AF_INET ? four->sin_addr.s_addr == htonl(INADDR_ANY)
                                         : IN6_IS_ADDR_UNSPECIFIED(&six->sin6_addr);
}

static enum txtap_status make_rules(struct server *server, struct sockaddr_storage *address, struct error *error)
{
    struct request_rules *rules = &server->rules;
    const struct server_setup *setup = &server->setup;
    bool six;

    if (!parse_address(setup->address, setup->port, address))
        return failure(error, TXTAP_ERROR_USAGE,
                       "--listen: '%.100s' is not an address in digits\ngive 127.0.0.1, or 0.0.0.0", setup->address);
    six = address->ss_family == AF_INET6;
    rules->any_address = is_any(address);
    snprintf(rules->address, sizeof rules->address, six ? "[%.60s]" : "%.60s",
             strcmp(setup->address, "localhost") == 0 ? "127.0.0.1" : setup->address);
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
    const char *host = server->rules.address;

    return strncmp(host, "127.", 4) != 0 && strcmp(host, "[::1]") != 0;
}

void server_url(const struct server *server, char url[static SERVER_URL_BYTES])
{
    const char *host = server->rules.address;

    if (server->rules.any_address) /* a page on this machine can use */
        host = *host == '[' ? "[::1]" : "127.0.0.1";
    snprintf(url, SERVER_URL_BYTES, "http://%s:%u/%s/", host, (unsigned)server->rules.port, server->rules.token);
}
