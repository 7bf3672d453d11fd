/* SPDX-License-Identifier: MIT */
/* A file for TraceX has one name for an address, and TraceX shows this name for all events of the file. The name is
 * right only if all events with the address refer to an object of that name. */
#ifndef TXTAP_CAPTURE_STREAM_FILE_NAMES_H
#define TXTAP_CAPTURE_STREAM_FILE_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "txtap/event.h"
#include "txtap/registry.h"

struct file_names {
    const struct txtap_registry *registry; /* borrowed; must not change while this struct is in use */
    struct file_name {
        const struct txtap_object *object; /* an object to which an event refers; NULL: no event refers to this address,
                                            * or the object's name is not known */
        bool several; /* events refer to objects with different names, or to an object whose name is not known */
    } * names;        /* one element per object of the registry; only the first element of an address is used */
    uint32_t several; /* number of addresses whose `several` is true */
};

/* False: out of memory. */
bool file_names_init(struct file_names *names, const struct txtap_registry *registry);
void file_names_free(struct file_names *names);

/* Notes the objects to which an event refers. Call it for each event of the file. */
void file_names_note(struct file_names *names, const struct txtap_event *event);

/* Finds the name of an address; NULL: no object is known at the address. */
struct file_name *file_names_find(const struct file_names *names, uint32_t pointer);

#endif
