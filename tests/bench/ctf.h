/* SPDX-License-Identifier: MIT */
#ifndef TXTAP_TESTS_BENCH_CTF_H
#define TXTAP_TESTS_BENCH_CTF_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Writes the workload's first events as a CTF 1.8 trace: DIRECTORY/metadata and DIRECTORY/stream, one stream, packets
 * of 4096 events. On failure it returns false, with a line on standard error. Each event has its id, 64-bit time,
 * thread and the words that the event table names, as integers. There are no object names, so reading this trace is
 * less work than reading txtap's own.
 */
bool ctf_write(const char *directory, uint64_t events);

#endif
