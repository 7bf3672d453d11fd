/* SPDX-License-Identifier: MIT */
#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "world.h"

static ssize_t read_some(int fd, void *buffer, size_t length)
{
    ssize_t got;

    do {
        if (stop_grace_left_us() == 0) {
            errno = EINTR;
            return -1;
        }
        got = read(fd, buffer, length);
    } while (got < 0 && errno == EINTR);
    return got;
}

enum txtap_status input_open(struct input *input, const char *path, char error[static ERROR_TEXT_BYTES])
{
    bool is_stdin = strcmp(path, "-") == 0;
    ssize_t got = 1;

    memset(input, 0, sizeof *input);
    input->owned = !is_stdin;
    input->name = is_stdin ? "standard input" : path;
    input->fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (input->fd < 0)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: %s", input->name, strerror(errno));
    while (got > 0 && input->head_bytes < INPUT_HEAD_BYTES) {
        got = read_some(input->fd, input->head + input->head_bytes, INPUT_HEAD_BYTES - input->head_bytes);
        if (got > 0)
            input->head_bytes += (size_t)got;
    }
    if (got >= 0)
        return TXTAP_OK;
    if (is_stdin && errno == EBADF)
        return failure(error, TXTAP_ERROR_SYSTEM, "standard input is closed: give FILE");
    failure(error, TXTAP_ERROR_SYSTEM, "%.160s: %s", input->name, strerror(errno));
    input_close(input);
    return TXTAP_ERROR_SYSTEM;
}

void input_close(struct input *input)
{
    if (input->owned && input->fd >= 0)
        close(input->fd);
    input->fd = -1;
}

ssize_t input_read(struct input *input, void *buffer, size_t length)
{
    size_t left = input->head_bytes - input->head_taken;

    if (left == 0)
        return read_some(input->fd, buffer, length);
    if (length > left)
        length = left;
    memcpy(buffer, input->head + input->head_taken, length);
    input->head_taken += length;
    return (ssize_t)length;
}
