/* SPDX-License-Identifier: MIT */
/* The names in a profile: of code, from the firmware's ELF file, and of threads, from the kernel or a recording. */
#ifndef TXTAP_CAPTURE_PROFILE_PROFILE_NAMES_H
#define TXTAP_CAPTURE_PROFILE_PROFILE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/failure.h"
#include "locate/elf_file.h"
#include "profile/code_map.h"
#include "txtap/inner/profile.h"
#include "txtap/source.h"

#define PROFILE_THREADS_MAX 256u

struct profile_names {
    struct code_map *map;
    struct {
        uint32_t address;
        char name[TXTAP_PROFILE_NAME_BYTES];
    } threads[PROFILE_THREADS_MAX];
    size_t thread_count;
};

/* Opens the names of a firmware. The file must stay open until profile_names_close(). Returns false if there is no
 * memory. */
bool profile_names_open(struct profile_names *names, const struct elf_file *elf);
void profile_names_close(struct profile_names *names);

/* Notes the name of a thread. The newest name of an address is used. Ignores "", and threads for which there is no
 * room.
 */
void profile_names_add(struct profile_names *names, uint32_t address, const char *name);

/* Notes the names of all threads of the running kernel. Has no effect if the kernel is not known, or cannot be read. */
void profile_names_read(struct profile_names *names, const struct elf_file *elf, struct txtap_source source);

/* Returns the functions for a profile. names: borrowed. */
struct txtap_profile_names profile_names_of(struct profile_names *names);

#endif
