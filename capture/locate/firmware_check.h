/* SPDX-License-Identifier: MIT */
/*
 * Compares a sample of the code in an ELF file with the target's memory, to tell whether the target runs this firmware.
 */
#ifndef TXTAP_CAPTURE_LOCATE_FIRMWARE_CHECK_H
#define TXTAP_CAPTURE_LOCATE_FIRMWARE_CHECK_H

#include <stdint.h>

#include "locate/elf_file.h"
#include "txtap/source.h"

enum firmware {
    FIRMWARE_UNKNOWN, /* the ELF file has no code to compare, or the target refuses the read */
    FIRMWARE_SAME,
    FIRMWARE_OTHER,
};

struct firmware_check {
    enum firmware firmware;
    uint32_t where; /* for FIRMWARE_OTHER: the first address with a difference */
};

/* Reads at most 3 KiB in one exchange. Ignores a few differences, because a debugger may set breakpoints and a flash
 * tool may fill in checksums. On failure returns the status of the source's read(). If the target refuses the read,
 * succeeds with FIRMWARE_UNKNOWN. */
enum txtap_status firmware_check(struct txtap_source source, const struct elf_file *elf, struct firmware_check *check);

#endif
