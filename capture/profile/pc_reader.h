/* SPDX-License-Identifier: MIT */
/*
 * Reads samples of the program counter: DWT_PCSR, with the thread and the interrupt that ran. The thread and the
 * interrupt are read before and after each sample. If they are equal, they belong to the sample. Nothing is written to
 * the target, and reading these registers has no side effect.
 */
#ifndef TXTAP_CAPTURE_PROFILE_PC_READER_H
#define TXTAP_CAPTURE_PROFILE_PC_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/failure.h"
#include "locate/elf_file.h"
#include "txtap/header.h"
#include "txtap/source.h"

#define PC_SAMPLES_MAX 16u                      /* in one exchange */
#define PC_READS_MAX   (3 * PC_SAMPLES_MAX + 2) /* reads for them */

struct pc_sample {
    uint32_t pc;
    uint32_t context; /* as in profile.h */
};

struct pc_reader {
    uint32_t thread_address; /* of the variable that points to the running thread; 0: no kernel is known */
    uint64_t invalid;        /* samples that read as 0: the sampling was off */
    uint64_t unreadable;     /* exchanges that failed */

    /* private */
    size_t planned; /* samples of the present exchange */
    uint8_t words[PC_READS_MAX][4];
};

/* Prepares the reader for a firmware. elf: may be NULL; used only during the call. */
void pc_reader_init(struct pc_reader *reader, const struct elf_file *elf);

/*
 * Checks that the core samples its program counter. ERROR_FAULT: the registers cannot be read. ERROR_NOT_SAMPLED: the
 * core has no such register, or the sampling is off; error tells the cause and the next step. Other statuses are those
 * of the source.
 */
enum txtap_status pc_reader_check(struct txtap_source source, struct error *error);

/* Plans the reads of at most `samples` samples, with at most `room` pieces and `bytes` bytes. Returns the number of
 * reads; 0: there is no room. The reads are valid until pc_reader_take(). */
size_t pc_reader_plan(struct pc_reader *reader, size_t samples, struct txtap_read *reads, size_t room, uint32_t bytes);

/* Gets the samples of the answered reads. Returns their number. */
size_t pc_reader_take(struct pc_reader *reader, struct pc_sample samples[static PC_SAMPLES_MAX]);

#endif
