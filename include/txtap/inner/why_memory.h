/* SPDX-License-Identifier: MIT */
/*
 * Not installed: for the program txtap, its page and tests, which link txtap_core.
 *
 * The causes of figures of memory: a stack that was nearly full, a pool whose blocks are not released.
 *
 *     struct txtap_memory *found = txtap_memory_open(memory, &limits, analysis);
 *
 *     ... the analysis takes all items, and ends ...
 *     if (txtap_memory_stack(found, &thread, &cause))
 *         txtap_stack_cause_text(text, &cause, &names, tick_hz);
 */
#ifndef TXTAP_INNER_WHY_MEMORY_H
#define TXTAP_INNER_WHY_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/analysis.h"
#include "txtap/exporter.h"
#include "txtap/figure.h"
#include "txtap/inner/finding.h"

struct txtap_memory; /* in the caller's memory */

/* Return the bytes of memory, and open. Call txtap_memory_open() before the analysis takes its first item. memory:
 * aligned as malloc() aligns, borrowed. limits: of the analysis, which must stay valid. */
size_t txtap_memory_bytes(const struct txtap_analysis_limits *limits);
struct txtap_memory *txtap_memory_open(void *memory, const struct txtap_analysis_limits *limits,
                                       struct txtap_analysis *analysis);

/* Return true for figures of a stack and of a pool that have such a cause. */
bool txtap_memory_is_stack(enum txtap_figure_id figure);
bool txtap_memory_is_pool(enum txtap_figure_id figure);

/* ---- stacks ---- */

#define TXTAP_STACK_STEPS 8

/* An event that showed a deeper use of the stack than all earlier events of the thread. */
struct txtap_stack_step {
    struct txtap_place at;
    uint32_t event; /* id of the event */
    uint32_t used;  /* in bytes */
    struct txtap_place
        before; /* the thread's previous event with a stack pointer; not known: this event is the first */
    uint32_t used_before;
};

struct txtap_stack_cause {
    struct txtap_subject thread;
    uint32_t size;                                    /* of the stack, in bytes */
    struct txtap_stack_step steps[TXTAP_STACK_STEPS]; /* the deepest steps, in the order of time: the last is deepest */
    unsigned step_count;                              /* 0: no event shows a stack pointer in the stack */
    struct txtap_stack_step growth; /* the step with the largest growth; before not known: there is no such step */
    uint64_t outside;               /* stack pointers outside the stack */
    struct txtap_place outside_at;  /* the first of them */
    uint32_t outside_event;         /* id of its event */
    bool kernel;                    /* the next two members are valid */
    uint32_t kernel_used;           /* deepest use according to the kernel, in bytes */
    bool kernel_exact;              /* false: more may have been used */
};

/* Finds the cause for a thread. False: the trace shows nothing of its stack. */
bool txtap_memory_stack(const struct txtap_memory *memory, const struct txtap_subject *thread,
                        struct txtap_stack_cause *cause);

/* ---- pools ---- */

#define TXTAP_POOL_HOLDERS 16

/* A thread that allocated blocks. The trace does not show the block of an allocation that waited. */
struct txtap_pool_holder {
    struct txtap_subject thread;    /* SYSTEM: not known */
    uint64_t allocated, held;       /* blocks; held: not released by any thread */
    uint64_t bytes;                 /* byte pool: of the blocks that are held; 0: a block pool */
    struct txtap_place first, last; /* allocations of the oldest and the newest block that is held; held 0: not known */
};

struct txtap_pool_cause {
    struct txtap_subject pool;
    uint64_t allocated, held;
    struct txtap_pool_holder holders[TXTAP_POOL_HOLDERS]; /* the thread that holds most blocks comes first */
    unsigned holder_count;
    unsigned holders_left_out;
    uint64_t blocks_left_out; /* allocations of all pools that had no room, and are in no other member */
    bool gaps;                /* events were lost: blocks may have been released, and other blocks allocated */
};

/* Finds the cause for a pool. False: the trace shows no block of it. */
bool txtap_memory_pool(const struct txtap_memory *memory, const struct txtap_subject *pool,
                       struct txtap_pool_cause *cause);

/* ---- words ---- */

#define TXTAP_MEMORY_TEXT_BYTES 1024

/* Write the cause as a sentence. Return out. */
char *txtap_stack_cause_text(char out[static TXTAP_MEMORY_TEXT_BYTES], const struct txtap_stack_cause *cause,
                             const struct txtap_finding_names *names, double tick_hz);
char *txtap_pool_cause_text(char out[static TXTAP_MEMORY_TEXT_BYTES], const struct txtap_pool_cause *cause,
                            const struct txtap_finding_names *names, double tick_hz);

/* Write the members of an object that docs/user/why.md describes, without braces. Return TXTAP_OK, or the failure of
 * the writer. */
enum txtap_status txtap_stack_cause_json(const struct txtap_stack_cause *cause, const struct txtap_finding_names *names,
                                         double tick_hz, struct txtap_writer writer);
enum txtap_status txtap_pool_cause_json(const struct txtap_pool_cause *cause, const struct txtap_finding_names *names,
                                        double tick_hz, struct txtap_writer writer);

#endif
