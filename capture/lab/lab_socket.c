/* SPDX-License-Identifier: MIT */
/* The address of a socket has at most 107 bytes. So the folder is opened first, and named by its descriptor. */
#include "lab/lab_socket.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#define NAME             ".txtap-lab.sock"
#define ANSWER_BYTES_MAX (4u << 20)
#define ANSWER_S         1  /* how long a client may take to read */
#define ASK_S            10 /* how long a lab may take to answer */
#define CLIENTS          8

static struct sockaddr_un address_in(int folder)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/" NAME, folder);
    return address;
}

static void limit_time(int fd, int seconds)
{
    const struct timeval limit = {.tv_sec = seconds};

    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
}

/* ---- the lab ---- */

static bool listens(struct lab_socket *lab)
{
    const struct sockaddr_un address = address_in(lab->folder);

    unlinkat(lab->folder, NAME, 0); /* left by a lab that was killed: the lock is ours */
    lab->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    return lab->fd >= 0 && fchmod(lab->fd, 0600) == 0 &&
           bind(lab->fd, (const struct sockaddr *)&address, sizeof address) == 0 &&
           fchmodat(lab->folder, NAME, 0600, 0) == 0 && listen(lab->fd, CLIENTS) == 0;
}

enum txtap_status lab_socket_open(struct lab_socket *lab, const char *folder, struct error *error)
{
    enum txtap_status status = TXTAP_OK;

    lab->fd = -1;
    lab->folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lab->folder < 0)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: %s", folder, strerror(errno));
    if (flock(lab->folder, LOCK_EX | LOCK_NB) != 0)
        status = failure(error, ERROR_EXISTS, "%.160s: another 'txtap lab' records there\n'txtap lab status' shows it",
                         folder);
    else if (!listens(lab))
        status = failure(error, TXTAP_ERROR_SYSTEM, "%.160s: its socket cannot be made: %s", folder, strerror(errno));
    if (status == TXTAP_OK)
        return status;
    if (lab->fd >= 0)
        close(lab->fd);
    close(lab->folder);
    lab->fd = lab->folder = -1;
    return status;
}

void lab_socket_answer(const struct lab_socket *lab, const char *bytes, size_t length)
{
    int client;

    while ((client = accept4(lab->fd, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
        limit_time(client, ANSWER_S);
        for (size_t done = 0; done < length;) {
            ssize_t sent = send(client, bytes + done, length - done, MSG_NOSIGNAL);

            if (sent <= 0)
                break;
            done += (size_t)sent;
        }
        close(client);
    }
}

void lab_socket_close(struct lab_socket *lab)
{
    if (lab->folder < 0)
        return;
    unlinkat(lab->folder, NAME, 0);
    close(lab->fd);
    close(lab->folder);
    lab->fd = lab->folder = -1;
}

/* ---- the client ---- */

static enum txtap_status receive(int fd, const char *folder, char **bytes, size_t *length, struct error *error)
{
    char *text = malloc(ANSWER_BYTES_MAX + 1);
    size_t used = 0;
    ssize_t got = 0;

    while (text != NULL && used < ANSWER_BYTES_MAX && (got = recv(fd, text + used, ANSWER_BYTES_MAX - used, 0)) > 0)
        used += (size_t)got;
    if (text == NULL || got != 0 || used == 0) {
        free(text);
        return failure(error, ERROR_TIMEOUT, "%.160s: its lab does not answer\nask again", folder);
    }
    text[used] = '\0';
    *bytes = text;
    *length = used;
    return TXTAP_OK;
}

enum txtap_status lab_socket_ask(const char *folder, char **bytes, size_t *length, struct error *error)
{
    int directory = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC), fd = -1;
    enum txtap_status status;

    if (directory >= 0) {
        const struct sockaddr_un address = address_in(directory);

        fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (fd >= 0 && connect(fd, (const struct sockaddr *)&address, sizeof address) != 0) {
            int cause = errno;

            close(fd);
            fd = -1;
            errno = cause;
        }
    }
    if (fd >= 0) {
        limit_time(fd, ASK_S);
        status = receive(fd, folder, bytes, length, error);
        close(fd);
    } else if (errno == ENOENT || errno == ECONNREFUSED) {
        status = failure(error, ERROR_UNREACHABLE, "%.160s: no lab runs there\nstart it: txtap lab FILE", folder);
    } else {
        status = failure(error, TXTAP_ERROR_SYSTEM, "%.160s: its lab cannot be asked: %s", folder, strerror(errno));
    }
    if (directory >= 0)
        close(directory);
    return status;
}
