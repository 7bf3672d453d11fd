/* SPDX-License-Identifier: MIT */
/*
 * The firmware image that QEMU loads: a private copy of the ELF in which initial values of variables have
 * been changed. Knows ELF; knows nothing of QEMU.
 */
#ifndef VBOARD_IMAGE_H
#define VBOARD_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "options.h"

/* Copies the ELF at `path` into an anonymous file and applies the settings to it; with must_have the variable of each
 * of them must exist. On success *fd is that file, which the caller closes, without close-on-exec so that a child can
 * open it as /proc/self/fd/N. */
bool image_open(const char *path, const struct setting *settings, size_t settings_count, bool must_have, int *fd);

/* The address of a symbol in such a file; false if there is no such symbol. */
bool image_find(int fd, const char *symbol, uint32_t *address);

#endif
