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

/* Copies the ELF at `path` into an anonymous file and applies the settings to it; with must_have each of them must
 * have its variable. On success *fd is that file, the
 * caller's to close, without close-on-exec so that a child can open it as /proc/self/fd/N. */
bool image_open(const char *path, const struct setting *settings, size_t settings_count, bool must_have, int *fd);

/* The address of a symbol in such a file; false if it has none. */
bool image_find(int fd, const char *symbol, uint32_t *address);

#endif
