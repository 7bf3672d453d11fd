/* SPDX-License-Identifier: MIT */
/* Whether a target runs the firmware of an ELF file: a sample of its code, compared with what the target has there. */
#ifndef TXTAP_CAPTURE_LOCATE_FIRMWARE_CHECK_H
#define TXTAP_CAPTURE_LOCATE_FIRMWARE_CHECK_H

#include <stdint.h>

#include "locate/elf_file.h"
#include "txtap/source.h"

enum firmware {
    FIRMWARE_UNKNOWN, /* no code to compare, or none that can be read */
    FIRMWARE_SAME,
    FIRMWARE_OTHER,
};

struct firmware_check {
    enum firmware firmware;
    uint32_t where; /* of FIRMWARE_OTHER: the first address that differs */
};

/*
 * Reads at most 3 KiB in one exchange. Few differences say nothing: a debugger sets breakpoints, a flash tool fills in
 * check sums. Code that the target refuses to show is FIRMWARE_UNKNOWN; other failures as the source's read().
 */
enum txtap_status firmware_check(struct txtap_source source, const struct elf_file *elf, struct firmware_check *check);

#endif
