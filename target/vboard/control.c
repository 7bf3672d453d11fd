/* SPDX-License-Identifier: MIT */
/* The port that takes faults from a test. */
#include "control.h"
#include "server.h"
#include "messages.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define ANSWER_BYTES (FAULT_TEXT_BYTES + 16)

bool control_open(struct control *control, struct faults *faults, bool wanted, uint16_t port)
{
    *control = (struct control){.faults = faults, .listener = -1};
    for (size_t i = 0; i < CONTROL_USERS_MAX; i++)
        control->users[i].fd = -1;
    return !wanted || server_listen("--control-port", port, CONTROL_USERS_MAX, &control->listener, &control->port);
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
    if (control->listener >= 0)
        close(control->listener);
}

void control_prepare(const struct control *control, struct pollfd *waiting)
{
    waiting[0] = (struct pollfd){control->listener, POLLIN, 0};
    for (size_t i = 0; i < CONTROL_USERS_MAX; i++)
        waiting[1 + i] = (struct pollfd){control->users[i].fd, POLLIN, 0};
}

static void inject(struct faults *faults, char *text, char answer[static ANSWER_BYTES])
{
    char why[FAULT_TEXT_BYTES];
    struct fault fault;
    bool good = fault_parse(text, &fault, why);
    if (good && fault.time_us >= 0) {
        snprintf(why, sizeof why, "fault %s begins at once here: leave @TIME out", fault_name(fault.kind));
        good = false;
    }
    if (good && fault.path) {
        fault.path = faults_keep_path(faults, fault.path);
        snprintf(why, sizeof why, "more than %d firmware files in one run", FAULT_PATHS_MAX);
        good = fault.path != NULL;
    }
    if (good && faults_inject(faults, &fault, "control", why))
        snprintf(answer, ANSWER_BYTES, "ok\n");
    else
        snprintf(answer, ANSWER_BYTES, "error: %s\n", why);
}

static void end(struct faults *faults, const char *name, char answer[static ANSWER_BYTES])
{
    enum fault_kind kind;

    if (fault_find(name, strlen(name), &kind) && faults_end(faults, kind))
        snprintf(answer, ANSWER_BYTES, "ok\n");
    else
        snprintf(answer, ANSWER_BYTES, "error: no fault %.32s is under way\n", name);
}

/* "ok NAME NAME": the faults that are under way. */
static void tell_active(const struct faults *faults, char answer[static ANSWER_BYTES])
{
    size_t used = (size_t)snprintf(answer, ANSWER_BYTES, "ok");
    for (int i = 0; i < FAULT_KINDS; i++)
        if (faults->under_way[i])
            used += (size_t)snprintf(answer + used, ANSWER_BYTES - used, " %s", fault_name((enum fault_kind)i));
    snprintf(answer + used, ANSWER_BYTES - used, "\n");
}

static void tell_counters(struct board *board, char answer[static ANSWER_BYTES])
{
    struct counter_values values = counters_read(&board->counters, &board->memory);
    size_t used = (size_t)snprintf(answer, ANSWER_BYTES, "ok");
    for (int i = 0; i < COUNTERS; i++)
        if (values.known[i])
            used +=
                (size_t)snprintf(answer + used, ANSWER_BYTES - used, " %s %" PRIu32, counter_name(i), values.value[i]);
    snprintf(answer + used, ANSWER_BYTES - used, "\n");
}

static bool obey(struct control *control, struct control_user *user, char *line)
{
    char answer[ANSWER_BYTES];
    if (strncmp(line, "fault ", 6) == 0)
        inject(control->faults, line + 6, answer);
    else if (strncmp(line, "end ", 4) == 0)
        end(control->faults, line + 4, answer);
    else if (strcmp(line, "active") == 0)
        tell_active(control->faults, answer);
    else if (strcmp(line, "counters") == 0)
        tell_counters(control->faults->board, answer);
    else
        snprintf(answer, sizeof answer,
                 "error: want 'fault KIND[=VALUE][:DURATION]', 'end KIND', 'active' or 'counters'\n");
    size_t length = strlen(answer);
    return send(user->fd, answer, length, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)length;
}

static void serve_user(struct control *control, struct control_user *user)
{
    static const char too_long[] = "error: the line is too long\n";
    ssize_t got = recv(user->fd, user->line + user->used, sizeof user->line - user->used, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (got <= 0) {
        drop(user);
        return;
    }
    user->used += (size_t)got;
    char *end;
    while (!control->faults->board->ended && (end = memchr(user->line, '\n', user->used))) {
        *end = '\0';
        if (!obey(control, user, user->line)) {
            drop(user);
            return;
        }
        user->used -= (size_t)(end + 1 - user->line);
        memmove(user->line, end + 1, user->used);
    }
    if (user->used == sizeof user->line) {
        send(user->fd, too_long, sizeof too_long - 1, MSG_NOSIGNAL | MSG_DONTWAIT);
        drop(user);
    }
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

void control_serve(struct control *control, const struct pollfd *ready)
{
    for (size_t i = 0; i < CONTROL_USERS_MAX; i++)
        if (control->users[i].fd >= 0 && ready[1 + i].fd == control->users[i].fd && ready[1 + i].revents)
            serve_user(control, &control->users[i]);
    if (ready[0].revents)
        welcome(control);
}
