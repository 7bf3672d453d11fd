/* SPDX-License-Identifier: MIT */
/*
 * Not installed: for the program txtap, its page and tests, which link txtap_core.
 *
 * The deepest use of stacks according to the kernel, which fills each stack before its thread starts (kernel.h). Events
 * only show stack pointers at some moments, so the kernel's value replaces theirs in the figures.
 */
#ifndef TXTAP_INNER_STACKS_H
#define TXTAP_INNER_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/analysis.h"
#include "txtap/registry.h"

/* The name of the origin in the figures' detail. */
#define TXTAP_STACKS_ORIGIN "kernel"

#define TXTAP_STACKS_MAX        512                            /* threads in a text */
#define TXTAP_STACKS_LINE_BYTES (46 + TXTAP_OBJECT_NAME_BYTES) /* most bytes of a line */
#define TXTAP_STACKS_TEXT_BYTES (TXTAP_STACKS_MAX * TXTAP_STACKS_LINE_BYTES + 1)

struct txtap_stack_use {
    uint32_t thread;                    /* address of the thread */
    uint32_t start;                     /* lowest address of its stack */
    uint32_t bytes;                     /* size of the stack, above 0 */
    uint32_t used;                      /* bytes used at most since the thread was created; at most `bytes` */
    bool exact;                         /* false: more may have been used */
    char name[TXTAP_OBJECT_NAME_BYTES]; /* of the thread: bytes of the target, NUL-terminated; "": not known */
};

/*
 * Gives the analysis the stacks, before its figures are made. A thread of the trace gets its stack only if its address
 * and, if they are known, the place and size of its stack are the same. Threads that the trace does not have get
 * figures, too. list: borrowed as long as the analysis; count 0: nothing is known.
 */
void txtap_analysis_stacks(struct txtap_analysis *analysis, const struct txtap_stack_use *list, size_t count);

/* Writes a line for each stack: "20000100 20001000 1024 156 exact sampler". A list of more than TXTAP_STACKS_MAX is
 * cut. Returns the length. */
size_t txtap_stacks_put(char text[TXTAP_STACKS_TEXT_BYTES], const struct txtap_stack_use *list, size_t count);

/* Reads such lines. Ignores lines of another form. Returns the number of stacks. */
size_t txtap_stacks_take(struct txtap_stack_use list[TXTAP_STACKS_MAX], const char *text);

#endif
