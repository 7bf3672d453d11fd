/* SPDX-License-Identifier: MIT */
#ifndef TXTAP_TESTS_BENCH_CTF_H
#define TXTAP_TESTS_BENCH_CTF_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Writes the workload's first events as a CTF 1.8 trace: DIRECTORY/metadata and DIRECTORY/stream, a stream with
 * packets of 4096 events. On failure it prints a line on standard error and returns false. Each event has its id,
 * 64-bit time, thread and the words that the event table names, as integers. There are no object names, so this trace
 * takes less work to read than a CTF trace that txtap writes.
 */
bool ctf_write(const char *directory, uint64_t events);

#endif
