/* SPDX-License-Identifier: MIT */
#include "probe/openocd/openocd_peer.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <criterion/criterion.h>

static int listen_somewhere(char port[static 8])
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    cr_assert(fd >= 0);
    cr_assert(bind(fd, (struct sockaddr *)&address, sizeof address) == 0);
    cr_assert(listen(fd, 1) == 0);
    cr_assert(getsockname(fd, (struct sockaddr *)&address, &length) == 0);
    snprintf(port, 8, "%u", (unsigned)ntohs(address.sin_port));
    return fd;
}

/* Waits for a whole request. Returns false if the client has closed the connection. */
static bool take_request(int fd, bool by_line)
{
    char c, last = 0;

    while (recv(fd, &c, 1, 0) == 1) {
        if (by_line ? c == '\n' && last == '\n' : c == '\x1a')
            return true;
        last = c;
    }
    return false;
}

static void say(int fd, const char *text)
{
    (void)!send(fd, text, strlen(text), MSG_NOSIGNAL);
}

static void serve_connection(const struct peer *peer, const char *const *answers)
{
    int fd = accept(peer->listener, NULL, NULL);
    char byte;

    if (fd < 0)
        return;
    if (peer->greeting != NULL)
        say(fd, peer->greeting);
    for (size_t i = 0; answers != NULL && answers[i] != NULL; i++) {
        if (!take_request(fd, peer->by_line))
            break;
        say(fd, answers[i]);
    }
    if (peer->talks_on)
        while (send(fd, "xxxxxxxxxxxxxxxx", 16, MSG_NOSIGNAL) == 16)
            continue;
    if (peer->holds)
        while (recv(fd, &byte, 1, 0) == 1)
            continue;
    close(fd);
}

static void *serve(void *argument)
{
    const struct peer *peer = argument;

    serve_connection(peer, peer->answers);
    if (peer->second != NULL)
        serve_connection(peer, peer->second);
    return NULL;
}

void peer_start(struct peer *peer)
{
    peer->listener = listen_somewhere(peer->port);
    cr_assert(pthread_create(&peer->thread, NULL, serve, peer) == 0);
}

void peer_join(struct peer *peer)
{
    pthread_join(peer->thread, NULL);
    close(peer->listener);
}

void peer_unused_port(char port[static 8])
{
    close(listen_somewhere(port));
}
