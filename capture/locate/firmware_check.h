/* SPDX-License-Identifier: MIT */
/* Whether a target runs the firmware of an ELF file: compares a sample of the code with the target's memory. */
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
    uint32_t where; /* of FIRMWARE_OTHER: the first address that differs */
};

/*
 * Reads at most 3 KiB in one exchange. A few differences do not count: a debugger sets breakpoints, a flash tool fills
 * in checksums. FIRMWARE_UNKNOWN if the target refuses to be read there. Otherwise fails as the source's read().
 */
enum txtap_status firmware_check(struct txtap_source source, const struct elf_file *elf, struct firmware_check *check);

#endif
