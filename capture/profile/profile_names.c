/* SPDX-License-Identifier: MIT */
/* Names of threads and code in a profile. */
#include "profile/profile_names.h"

#include <stdio.h>
#include <string.h>

#include "kernel/kernel_reader.h"

bool profile_names_open(struct profile_names *names, const struct elf_file *elf)
{
    names->thread_count = 0;
    names->map = code_map_open(elf);
    return names->map != NULL;
}

void profile_names_close(struct profile_names *names)
{
    code_map_close(names->map);
    names->map = NULL;
}

void profile_names_add(struct profile_names *names, uint32_t address, const char *name)
{
    size_t i = 0;

    while (i < names->thread_count && names->threads[i].address != address)
        i++;
    if (*name == '\0' || i == PROFILE_THREADS_MAX)
        return;
    names->threads[i].address = address;
    snprintf(names->threads[i].name, sizeof names->threads[i].name, "%s", name);
    names->thread_count += i == names->thread_count;
}

void profile_names_read(struct profile_names *names, const struct elf_file *elf, struct txtap_source source)
{
    struct kernel_reader reader;
    const struct txtap_kernel_object *objects;
    size_t count;

    if (kernel_reader_open(&reader, elf, NULL, 0, NULL) != TXTAP_OK)
        return;
    if (kernel_reader_walk(&reader, source, 1u << TXTAP_OBJECT_THREAD, 0, NULL) == TXTAP_OK) {
        objects = txtap_kernel_objects(reader.kernel, &count);
        for (size_t i = 0; i < count; i++)
            profile_names_add(names, objects[i].address, objects[i].name);
    }
    kernel_reader_close(&reader);
}

static bool context_name(void *self, uint32_t context, char *text, size_t size)
{
    const struct profile_names *names = self;

    for (size_t i = 0; i < names->thread_count; i++)
        if (names->threads[i].address == context) {
            snprintf(text, size, "%s", names->threads[i].name);
            return true;
        }
    return false;
}

static size_t frames_of(void *self, uint32_t pc, struct txtap_profile_frame frames[static TXTAP_PROFILE_FRAMES_MAX])
{
    struct profile_names *names = self;

    return code_map_frames(names->map, pc, frames);
}

struct txtap_profile_names profile_names_of(struct profile_names *names)
{
    return (struct txtap_profile_names){.frames = frames_of, .context = context_name, .self = names};
}
