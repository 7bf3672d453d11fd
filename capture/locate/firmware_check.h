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
    FIRMWARE_UNKNOWN, /* there is no code to compare, or it cannot be read */
    FIRMWARE_SAME,
    FIRMWARE_OTHER,
};

struct firmware_check {
    enum firmware firmware;
    uint32_t where; /* the first address that differs, for FIRMWARE_OTHER */
};

/* Reads at most 3 KiB in one exchange. A few differences do not count, because a debugger sets breakpoints and a flash
 * tool fills in checksums. FIRMWARE_UNKNOWN: the target refuses the read. Otherwise fails like the source's read(). */
enum txtap_status firmware_check(struct txtap_source source, const struct elf_file *elf, struct firmware_check *check);

#endif
