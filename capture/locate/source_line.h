/* SPDX-License-Identifier: MIT */
/* The function and the source line of an address in the firmware's code. */
#ifndef TXTAP_CAPTURE_LOCATE_SOURCE_LINE_H
#define TXTAP_CAPTURE_LOCATE_SOURCE_LINE_H

#include <stdint.h>

#include "locate/elf_file.h"

#define CODE_PLACE_BYTES 256u

struct code_places; /* debug information of a file */

/* Returns NULL if there is no memory. elf: borrowed until code_places_close(). */
struct code_places *code_places_open(const struct elf_file *elf);
void code_places_close(struct code_places *places); /* NULL is allowed */

/* Writes "crash_write+0x8 (main.c:42)". Without debug information there is no line; without symbols the text is "". The
 * text has any bytes of the file: escape it. */
void code_place(const struct code_places *places, uint32_t address, char text[static CODE_PLACE_BYTES]);

#endif
