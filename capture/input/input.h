/* SPDX-License-Identifier: MIT */
/* Reads files or standard input once, from the start, one file after the other. The first bytes of a file can be
 * inspected in advance. */
#ifndef TXTAP_CAPTURE_INPUT_INPUT_H
#define TXTAP_CAPTURE_INPUT_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/failure.h"

#define INPUT_HEAD_BYTES 40

struct input {
    int fd;
    bool owned;
    const char *name;         /* name of the current file, for messages; borrowed */
    const char *const *paths; /* the `count` following files; borrowed */
    size_t count;
    uint8_t head[INPUT_HEAD_BYTES];
    size_t head_bytes, head_taken;
};

/* Opens the first file of `count` paths (at least 1); "-" is standard input. TXTAP_ERROR_SYSTEM: the first file cannot
 * be opened or read; error has the cause, and nothing stays open. */
enum txtap_status input_open(struct input *input, const char *const *paths, size_t count, struct error *error);
void input_close(struct input *input);

/* Continues with the next file. TXTAP_END: no more files. TXTAP_ERROR_SYSTEM: the file cannot be opened or read; error
 * has the cause. */
enum txtap_status input_next(struct input *input, struct error *error);

/* Reads like read(2), from the file's first byte on. EINTR: the user asked txtap to end, and no byte arrived within the
 * grace time. */
ssize_t input_read(struct input *input, void *buffer, size_t length);

/*
 * Reads to the end. The caller frees *bytes, whose size is *length. `most` is the limit, in whole MiB. On failure
 * *bytes is NULL and error names the file. TXTAP_ERROR_SYSTEM: the file cannot be read. _SPACE: the file is larger than
 * `most`; `hint` is then the next step.
 */
enum txtap_status input_read_all(struct input *input, size_t most, const char *hint, uint8_t **bytes, size_t *length,
                                 struct error *error);

/* Reads the file at `path`, like input_read_all(). Here "-" is a file name. */
enum txtap_status input_read_file(const char *path, size_t most, const char *hint, uint8_t **bytes, size_t *length,
                                  struct error *error);

#endif
