/* SPDX-License-Identifier: MIT */
/* A file or standard input, read once from its start; its first bytes can be looked at before. */
#ifndef TXTAP_CAPTURE_INPUT_H
#define TXTAP_CAPTURE_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "failure.h"

#define INPUT_HEAD_BYTES 16

struct input {
    int fd;
    bool owned;
    const char *name; /* for messages; borrowed */
    uint8_t head[INPUT_HEAD_BYTES];
    size_t head_bytes, head_taken;
};

/* path "-": standard input. TXTAP_ERROR_SYSTEM: it cannot be opened or read, error says why; nothing stays open. */
enum txtap_status input_open(struct input *input, const char *path, char error[static ERROR_TEXT_BYTES]);
void input_close(struct input *input);

/* As read(2), from the first byte on. EINTR: the end was asked for, and nothing came in the time left. */
ssize_t input_read(struct input *input, void *buffer, size_t length);

#endif
