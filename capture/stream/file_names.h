/* SPDX-License-Identifier: MIT */
/*
 * A file for TraceX has one name for an address, and TraceX shows it for all events of the file. It is right only if
 * all of them that mean the address mean an object of that name.
 */
#ifndef TXTAP_CAPTURE_STREAM_FILE_NAMES_H
#define TXTAP_CAPTURE_STREAM_FILE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/event.h"
#include "txtap/registry.h"

struct file_names {
    const struct txtap_registry *registry; /* borrowed, and not to change meanwhile */
    struct file_name {
        const struct txtap_object *object; /* that an event means; NULL: none does, or its name is not known */
        bool several;                      /* objects of several names, or one beside others whose name is not known */
    } * names;                             /* one for each object of the registry; the first of an address counts */
    uint32_t several;                      /* addresses of which that is so */
};

/* False: out of memory. */
bool file_names_init(struct file_names *names, const struct txtap_registry *registry);
void file_names_free(struct file_names *names);

/* Each event of the file. */
void file_names_note(struct file_names *names, const struct txtap_event *event);

/* What the events mean by an address; NULL if nothing is known at it. */
const struct file_name *file_names_find(const struct file_names *names, uint32_t pointer);

#endif
