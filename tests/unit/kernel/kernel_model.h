/* SPDX-License-Identifier: MIT */
/*
 * The memory of a running ThreadX, with its lists of created objects. The kernel creates and deletes objects with the
 * stores of its real functions (tx_thread_create.c, tx_queue_delete.c, ...), in their order: clear the control block,
 * set members, set the identifier, link, count; and clear the identifier, count, unlink.
 *
 * A walk reads this memory word by word. Before each word, the kernel makes random steps: a step is one store. The
 * model keeps a history of objects and lists, with which a test can judge the result of a walk.
 */
#ifndef TXTAP_TESTS_KERNEL_MODEL_H
#define TXTAP_TESTS_KERNEL_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/inside.h"

#define MODEL_RAM       0x20000000u
#define MODEL_RAM_BYTES 0x00020000u
#define MODEL_SLOTS     48u /* control blocks: an object of any class */
#define MODEL_NAMES     32u
#define MODEL_STACK     1024u /* bytes of memory for the stack of each slot */
#define MODEL_LOG       16384u
#define MODEL_HISTORY   32768u
#define MODEL_LIST_MAX  MODEL_SLOTS

/* One object from its creation to its deletion. */
struct model_life {
    uint32_t address;
    uint8_t type;
    uint64_t born, died; /* numbers of the stores that set and cleared its identifier; UINT64_MAX: not yet */
    uint32_t values[KERNEL_VALUES];
    char name[16];
};

/* A list after a change, until the next change of this list. */
struct model_list {
    uint64_t since; /* number of the store that changed it */
    uint8_t type;
    uint8_t count;
    uint16_t lives[MODEL_LIST_MAX]; /* indices of model_life, in the order of the list */
};

struct model_store {
    uint32_t address, word;
    enum { STORE_ONLY, STORE_BEARS, STORE_KILLS, STORE_COUNTS } effect;
};

struct model {
    const struct txtap_kernel_ops *ops;
    struct txtap_kernel_layout layout;
    struct txtap_kernel *kernel;
    uint8_t ram[MODEL_RAM_BYTES];
    uint64_t random; /* state; 0: the kernel rests while it is read */
    uint32_t calm;   /* the kernel makes steps before about every calm-th word; at least 1 */
    bool bursts;     /* sometimes the kernel makes many steps at once */
    bool distinct;   /* no two objects have the same constants */
    /* Called before each word read, if not NULL. */
    void (*before_word)(struct model *model, uint32_t address);
    unsigned times; /* free for before_word */

    /* the stores of the present call of the kernel */
    struct model_store stores[128];
    size_t store_count, store_next;
    uint16_t subject; /* index of the life that the call creates or deletes */
    uint64_t step;    /* number of stores so far */

    struct model_life lives[MODEL_LOG];
    size_t life_count;
    struct model_list *history; /* MODEL_HISTORY */
    size_t history_count;
    struct model_list now[TXTAP_KERNEL_CLASSES];

    /* memory that the target refuses, and memory that must not be read: address and end */
    uint32_t refused, refused_end;
    uint32_t forbidden, forbidden_end;

    size_t exchanges, reads, bytes; /* of the last walk */
    uint64_t begun;                 /* `step` at the begin of the last walk */
    bool escaped;                   /* a read was not permitted */
};

/* Starts with empty lists. random: 0, or the seed. The caller frees the model with model_close(). */
struct model *model_open(uint64_t random);
void model_close(struct model *model);

/* Creates or deletes an object completely. model_create() returns its address. slot < MODEL_SLOTS, free. */
uint32_t model_create(struct model *model, uint8_t type, unsigned slot, unsigned name);
void model_delete(struct model *model, uint32_t address);

/* Makes one store; first begins a random call of the kernel if no call is in progress. */
void model_step(struct model *model);

uint32_t model_word(const struct model *model, uint32_t address);
void model_poke(struct model *model, uint32_t address, uint32_t word);

/* Returns the address of a variable, or of a member of the object at `address`. */
uint32_t model_head(const struct model *model, uint8_t type);
uint32_t model_count(const struct model *model, uint8_t type);
uint32_t model_variable(const struct model *model, const char *name);
uint32_t model_member(const struct model *model, uint8_t type, uint32_t address, unsigned value);

/* Walks over the lists: plans, does the reads and commits until the walk is finished. */
void model_walk(struct model *model, unsigned classes, uint32_t stack_bytes);

/* Does the reads of one plan. False: the walk is finished. */
bool model_exchange(struct model *model);

/* Returns the list of the class after the last walk, and the objects as a text: "name_1 name_2". */
const char *model_names(const struct model *model, uint8_t type);

/* Returns why the result of the last walk is wrong; NULL: it agrees with the history. */
const char *model_violation(const struct model *model);

#endif
