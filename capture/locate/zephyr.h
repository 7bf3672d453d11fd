/* SPDX-License-Identifier: MIT */
/* Finds Zephyr's rings by the symbols of an ELF file, and checks in the target's memory that they are there. */
#ifndef TXTAP_CAPTURE_LOCATE_ZEPHYR_H
#define TXTAP_CAPTURE_LOCATE_ZEPHYR_H

#include "base/failure.h"
#include "locate/elf_file.h"
#include "txtap/logger_ring.h"
#include "txtap/source.h"
#include "txtap/zephyr_ram.h"

/*
 * position: the address of "pos" in tracing_backend_ram.c, NULL: the symbols say it. The place is set on success. On
 * failure error is one line: TXTAP_ERROR_SYMBOL the ELF file lacks a symbol; _AMBIGUOUS it has several; _NOT_FOUND the
 * memory does not hold what the symbols promise, or not yet; what the source says otherwise.
 */
enum txtap_status locate_logger(struct txtap_source source, const struct elf_file *elf,
                                struct txtap_logger_place *place, char error[static ERROR_TEXT_BYTES]);
enum txtap_status locate_zephyr_ram(struct txtap_source source, const struct elf_file *elf, const uint32_t *position,
                                    struct txtap_zephyr_ram_place *place, char error[static ERROR_TEXT_BYTES]);

#endif
