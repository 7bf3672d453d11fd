/* SPDX-License-Identifier: MIT */
/* Shows the objects of a kernel, as text and as JSON. */
#ifndef TXTAP_CAPTURE_COMMAND_KERNEL_KERNEL_SHOW_H
#define TXTAP_CAPTURE_COMMAND_KERNEL_KERNEL_SHOW_H

#include <stdbool.h>
#include <stdio.h>

#include "kernel/kernel_reader.h"

/* Prints a table for each class of objects. width: columns, or TEXT_ENDLESS (text_table.h). False: no memory. */
bool kernel_show_text(const struct kernel_reader *reader, unsigned width, FILE *out);

/* Prints one JSON object on one line. */
void kernel_show_json(const struct kernel_reader *reader, FILE *out);

#endif
