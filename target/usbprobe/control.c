/* SPDX-License-Identifier: MIT */
/* The port for tests. */
#include "control.h"
#include "say.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

bool control_open(struct control *control, uint16_t port)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t address_bytes = sizeof address;
    int one = 1;
    for (size_t i = 0; i < CONTROL_USERS_MAX; i++)
        control->users[i].fd = -1;
    control->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (control->listener < 0)
        return fail("cannot make a TCP socket: %s", strerror(errno));
    setsockopt(control->listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(control->listener, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(control->listener, CONTROL_USERS_MAX) != 0 ||
        getsockname(control->listener, (struct sockaddr *)&address, &address_bytes) != 0) {
        fail("cannot listen on 127.0.0.1:%u: %s; give another --control-port, or 0 for a free one", port,
             strerror(errno));
        close(control->listener);
        return false;
    }
    control->port = ntohs(address.sin_port);
    return true;
}

static void drop(struct control_user *user)
{
    close(user->fd);
    user->fd = -1;
}

void control_close(struct control *control)
{
    for (size_t i = 0; i < CONTROL_USERS_MAX; i++)
        if (control->users[i].fd >= 0)
            drop(&control->users[i]);
    close(control->listener);
}

void control_prepare(const struct control *control, struct pollfd *waiting)
{
    waiting[0] = (struct pollfd){control->listener, POLLIN, 0};
    for (size_t i = 0; i < CONTROL_USERS_MAX; i++)
        waiting[1 + i] = (struct pollfd){control->users[i].fd, POLLIN, 0};
}

static void serve_user(struct control_user *user,
                       void (*obey)(void *self, const char *line, char answer[static CONTROL_ANSWER_BYTES]), void *self)
{
    char answer[CONTROL_ANSWER_BYTES], *end;
    ssize_t got = recv(user->fd, user->line + user->used, sizeof user->line - user->used, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (got <= 0) {
        drop(user);
        return;
    }
    user->used += (size_t)got;
    while ((end = memchr(user->line, '\n', user->used))) {
        *end = '\0';
        obey(self, user->line, answer);
        size_t length = strlen(answer);
        if (send(user->fd, answer, length, MSG_NOSIGNAL | MSG_DONTWAIT) != (ssize_t)length) {
            drop(user);
            return;
        }
        user->used -= (size_t)(end + 1 - user->line);
        memmove(user->line, end + 1, user->used);
    }
    if (user->used == sizeof user->line)
        drop(user);
}

static void welcome(struct control *control)
{
    int fd = accept4(control->listener, NULL, NULL, SOCK_CLOEXEC);
    for (size_t i = 0; fd >= 0 && i < CONTROL_USERS_MAX; i++) {
        if (control->users[i].fd >= 0)
            continue;
        control->users[i].fd = fd;
        control->users[i].used = 0;
        return;
    }
    if (fd >= 0)
        close(fd);
}

void control_serve(struct control *control, const struct pollfd *ready,
                   void (*obey)(void *self, const char *line, char answer[static CONTROL_ANSWER_BYTES]), void *self)
{
    for (size_t i = 0; i < CONTROL_USERS_MAX; i++)
        if (control->users[i].fd >= 0 && ready[1 + i].fd == control->users[i].fd && ready[1 + i].revents)
            serve_user(&control->users[i], obey, self);
    if (ready[0].revents)
        welcome(control);
}
