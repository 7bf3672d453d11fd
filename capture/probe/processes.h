/* SPDX-License-Identifier: MIT */
/* The processes of this machine and their open files, as far as /proc shows them to this user. */
#ifndef TXTAP_CAPTURE_PROBE_PROCESSES_H
#define TXTAP_CAPTURE_PROBE_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Takes an open file of a process: its path in /proc, "/proc/12/fd/3". Returns false to end the visit. */
typedef bool process_file(void *self, pid_t pid, const char *path);

/* Visits the open files of all other processes. */
void processes_visit(process_file *visitor, void *self);

/* Reads the file `name` of a process: "comm", "cmdline". Returns the number of bytes; text ends with a NUL after
 * them. */
size_t process_read(pid_t pid, const char *name, char *text, size_t size);

#endif
