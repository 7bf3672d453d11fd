/* SPDX-License-Identifier: MIT */
/* Lines in, lines out. */
#include "line_port.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

void line_port_init(struct line_port *lines)
{
    *lines = (struct line_port){.listener = -1};
    for (size_t i = 0; i < LINE_PORT_USERS_MAX; i++)
        lines->users[i].fd = -1;
}

static void drop(struct line_user *user)
{
    close(user->fd);
    user->fd = -1;
}

void line_port_close(struct line_port *lines)
{
    for (size_t i = 0; i < LINE_PORT_USERS_MAX; i++)
        if (lines->users[i].fd >= 0)
            drop(&lines->users[i]);
    if (lines->listener >= 0)
        close(lines->listener);
    lines->listener = -1;
}

void line_port_prepare(const struct line_port *lines, struct pollfd *waiting)
{
    waiting[0] = (struct pollfd){lines->listener, POLLIN, 0};
    for (size_t i = 0; i < LINE_PORT_USERS_MAX; i++)
        waiting[1 + i] = (struct pollfd){lines->users[i].fd, POLLIN, 0};
}

static bool answer_user(const struct line_user *user, const char *answer)
{
    size_t length = strlen(answer);
    return send(user->fd, answer, length, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)length;
}

static void serve_user(struct line_user *user, line_port_obey *obey, void *self)
{
    char answer[LINE_PORT_ANSWER_BYTES], *end;
    ssize_t got = recv(user->fd, user->line + user->used, sizeof user->line - user->used, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (got <= 0) {
        drop(user);
        return;
    }
    user->used += (size_t)got;
    for (bool more = true; more && (end = memchr(user->line, '\n', user->used));) {
        *end = '\0';
        more = obey(self, user->line, answer);
        if (!answer_user(user, answer)) {
            drop(user);
            return;
        }
        user->used -= (size_t)(end + 1 - user->line);
        memmove(user->line, end + 1, user->used);
    }
    if (user->used == sizeof user->line) {
        answer_user(user, "error: the line is too long\n");
        drop(user);
    }
}

static void welcome(struct line_port *lines)
{
    int fd = accept4(lines->listener, NULL, NULL, SOCK_CLOEXEC);
    for (size_t i = 0; fd >= 0 && i < LINE_PORT_USERS_MAX; i++) {
        if (lines->users[i].fd >= 0)
            continue;
        lines->users[i].fd = fd;
        lines->users[i].used = 0;
        return;
    }
    if (fd >= 0)
        close(fd);
}

void line_port_serve(struct line_port *lines, const struct pollfd *ready, line_port_obey *obey, void *self)
{
    for (size_t i = 0; i < LINE_PORT_USERS_MAX; i++)
        if (lines->users[i].fd >= 0 && ready[1 + i].fd == lines->users[i].fd && ready[1 + i].revents)
            serve_user(&lines->users[i], obey, self);
    if (ready[0].revents)
        welcome(lines);
}
