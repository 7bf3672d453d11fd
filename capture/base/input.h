/* SPDX-License-Identifier: MIT */
/* Files or standard input, read once from the start, one behind the other; the first bytes can be looked at before. */
#ifndef TXTAP_CAPTURE_BASE_INPUT_H
#define TXTAP_CAPTURE_BASE_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/failure.h"

#define INPUT_HEAD_BYTES 16

struct input {
    int fd;
    bool owned;
    const char *name;         /* of the one that is being read, for messages; borrowed */
    const char *const *paths; /* that come behind it, count of them; borrowed */
    size_t count;
    uint8_t head[INPUT_HEAD_BYTES];
    size_t head_bytes, head_taken;
};

/*
 * paths: count of them, at least 1; "-" is standard input. TXTAP_ERROR_SYSTEM: the first cannot be opened or read,
 * error says why; nothing stays open.
 */
enum txtap_status input_open(struct input *input, const char *const *paths, size_t count, struct error *error);
void input_close(struct input *input);

/* As read(2), from the first byte on. EINTR: the end was asked for, and nothing came in the time left. */
ssize_t input_read(struct input *input, void *buffer, size_t length);

/*
 * Reads to the end: *bytes, *length of them, the caller's to free. most: whole MiB. On failure *bytes is NULL and error
 * names the file: TXTAP_ERROR_SYSTEM it cannot be read; _SPACE it is larger than most, and hint says what to do.
 */
enum txtap_status input_read_all(struct input *input, size_t most, const char *hint, uint8_t **bytes, size_t *length,
                                 struct error *error);

/* The same of the file at path, which "-" is not special for. */
enum txtap_status input_read_file(const char *path, size_t most, const char *hint, uint8_t **bytes, size_t *length,
                                  struct error *error);

#endif
