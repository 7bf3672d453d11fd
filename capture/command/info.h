/* SPDX-License-Identifier: MIT */
/* The table of objects that txtap info prints. */
#ifndef TXTAP_CAPTURE_COMMAND_INFO_H
#define TXTAP_CAPTURE_COMMAND_INFO_H

#include "txtap/registry.h"

/* Prints the objects, and what each was created with. Nothing if there are none. */
void info_print_objects(const struct txtap_registry *registry);

#endif
