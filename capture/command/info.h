/* SPDX-License-Identifier: MIT */
/* What txtap info says of objects. */
#ifndef TXTAP_CAPTURE_COMMAND_INFO_H
#define TXTAP_CAPTURE_COMMAND_INFO_H

#include "txtap/registry.h"

/* A table of the objects, with what each was created with; nothing if there is none. */
void info_print_objects(const struct txtap_registry *registry);

#endif
