/* SPDX-License-Identifier: MIT */
/* The commands for what Zephyr's tracing writes into RAM as CTF: they make a directory of it. */
#ifndef TXTAP_CAPTURE_COMMAND_CTF_RAM_H
#define TXTAP_CAPTURE_COMMAND_CTF_RAM_H

#include "base/input.h"
#include "options/options.h"
#include "stream/session.h"

/* txtap tail and txtap snapshot, whole. */
int ram_command(const struct options *options);

/* txtap decode, of a file that holds the target's memory, or, without an ELF file, ram_tracing and nothing else. stats
 * are counted on. */
enum txtap_status ram_decode(const struct options *options, struct input *input, struct session_stats *stats,
                             char error[static ERROR_TEXT_BYTES]);

#endif
