/* SPDX-License-Identifier: MIT */
/* The functions and source lines of a firmware's code, from its symbols and its debug information. */
#ifndef TXTAP_CAPTURE_PROFILE_CODE_MAP_H
#define TXTAP_CAPTURE_PROFILE_CODE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "locate/elf_file.h"
#include "txtap/inner/profile.h"

struct code_map;

/* Opens a map of the file, which must stay open until code_map_close(). NULL: there is no memory. */
struct code_map *code_map_open(const struct elf_file *elf);
void code_map_close(struct code_map *map); /* NULL is allowed */

/* Returns true if the file has debug information. Without it, frames have no lines and no inlined functions. */
bool code_map_has_lines(const struct code_map *map);

/* Gets the functions at an address, as struct txtap_profile_names describes. self: a struct code_map. The strings are
 * valid until code_map_close(). */
size_t code_map_frames(void *self, uint32_t pc, struct txtap_profile_frame frames[static TXTAP_PROFILE_FRAMES_MAX]);

#endif
