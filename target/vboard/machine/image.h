/* SPDX-License-Identifier: MIT */
/*
 * The firmware image that QEMU loads: a private copy of the ELF with changed initial values of variables. Knows ELF;
 * knows nothing of QEMU.
 */
#ifndef VBOARD_IMAGE_H
#define VBOARD_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "options.h"

/* Copies the ELF at `path` into an anonymous file and applies `settings` to the copy. With `must_have`, all variables
 * of the settings must exist. On success *fd is the copy, which the caller closes. It has no close-on-exec flag, so
 * that a child can open it as /proc/self/fd/N. */
bool image_open(const char *path, const struct setting *settings, size_t settings_count, bool must_have, int *fd);

/* Finds the address of a symbol in such a file. False: no such symbol. */
bool image_find(int fd, const char *symbol, uint32_t *address);

#endif
