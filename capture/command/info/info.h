/* SPDX-License-Identifier: MIT */
/* Parts of txtap info: the table of objects, and the description of a recording. */
#ifndef TXTAP_CAPTURE_COMMAND_INFO_H
#define TXTAP_CAPTURE_COMMAND_INFO_H

#include <stdbool.h>
#include <stddef.h>

#include "base/failure.h"
#include "txtap/header.h"
#include "txtap/registry.h"

/* All objects of a registry, including deleted objects, sorted by address. */
struct info_objects {
    struct txtap_object *objects;
    size_t count;
};

/* Lists the objects. registry: the `length` bytes of the target's memory from header->registry_start on. False: out of
 * memory. After success, call info_objects_free(). */
bool info_objects_list(struct info_objects *list, const struct txtap_header *header, const uint8_t *registry,
                       size_t length);
void info_objects_free(struct info_objects *list);

/* Returns true if the file at `path`, which may be NULL, begins as a recording. */
bool info_is_recording(const char *path);

/* Prints the description of a recording. TXTAP_END: standard output has no reader any more. TXTAP_ERROR_SYSTEM: error
 * has the cause. */
enum txtap_status info_recording(const char *path, struct error *error);

#endif
