/* SPDX-License-Identifier: MIT */
/* Describes a firmware from its ELF file, for a recording and for the names of interrupts. */
#ifndef TXTAP_CAPTURE_ATTACH_FIRMWARE_IDENTITY_H
#define TXTAP_CAPTURE_ATTACH_FIRMWARE_IDENTITY_H

#include "file/identity.h"
#include "locate/elf_file.h"

/* Adds the firmware's name, build ID and checksum of symbols, unless the identity has a firmware already. Adds the
 * handlers of interrupts, and the functions. */
void firmware_identity(struct identity *identity, const struct elf_file *elf);

/* The same for the ELF file at `path`. Returns the statuses of elf_open(). */
enum txtap_status firmware_identity_read(struct identity *identity, const char *path, struct error *error);

#endif
