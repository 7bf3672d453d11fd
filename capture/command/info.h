/* SPDX-License-Identifier: MIT */
/* The table of objects that txtap info prints. */
#ifndef TXTAP_CAPTURE_COMMAND_INFO_H
#define TXTAP_CAPTURE_COMMAND_INFO_H

#include <stdbool.h>
#include <stddef.h>

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

#endif
