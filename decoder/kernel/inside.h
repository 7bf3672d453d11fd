/* SPDX-License-Identifier: MIT */
/* The content of a struct txtap_kernel, for the files of this room. */
#ifndef TXTAP_DECODER_KERNEL_INSIDE_H
#define TXTAP_DECODER_KERNEL_INSIDE_H

#include "kernel/reads.h"
#include "txtap/inner/kernel.h"

#define KERNEL_NODES_MAX 512
#define KERNEL_SPANS_MAX 8
#define KERNEL_ATTEMPTS  5

/* Knowledge about an object. An object that was read once may be a mixture of two objects, because firmware can delete
 * it and create another object in the same memory during the read. */
enum node_stage {
    NODE_NEW,      /* a list points to it; it is not read yet */
    NODE_UNPROVEN, /* its identity is known, but its values do not count */
    NODE_PROVEN,   /* its values count: it had the same identity before and after they were read */
    NODE_BAD,      /* it is no valid object, or cannot be read */
};

/* How much of a stack was used. The words from the lowest address up to `at` were read and contain the fill word. */
struct stack_scan {
    uint32_t start, end; /* without the guard word */
    uint32_t guard;      /* bytes of the guard word at the lowest address; 0: no guard word was seen */
    uint32_t low;        /* lowest address known to be used; end: no such address */
    uint32_t at;         /* next address to read */
    bool passed;         /* a scan has reached `low` */
    bool unreadable;     /* the target refused to read it */
    bool finished;       /* the scan of this walk has reached `low` */
    bool touched;        /* this walk has read a part of the stack */
};

struct node {
    struct txtap_kernel_object object;
    enum node_stage stage;
    bool fresh; /* it was read in the present attempt */
    struct stack_scan stack;
};

/* A list of the kernel as its variables describe it. */
struct list_head {
    bool known;
    uint32_t first, count;
};

struct heads {
    struct list_head lists[TXTAP_KERNEL_CLASSES];
    uint32_t current[KERNEL_CORES_MAX];
    size_t current_count;
    uint32_t words[KERNEL_WORDS_MAX];
    unsigned words_known; /* bit of each known word */
};

enum walk_step { STEP_MAIN, STEP_CHASE, STEP_STACKS, STEP_CONFIRM, STEP_DONE };

struct span {
    uint32_t offset, bytes;
};

struct txtap_kernel {
    const struct txtap_kernel_ops *ops;
    struct txtap_kernel_layout layout;
    struct span spans[TXTAP_KERNEL_CLASSES][KERNEL_SPANS_MAX];      /* the parts of an object that the walk reads */
    struct span identities[TXTAP_KERNEL_CLASSES][KERNEL_SPANS_MAX]; /* the parts that are set once */
    size_t identity_counts[TXTAP_KERNEL_CLASSES];
    size_t span_counts[TXTAP_KERNEL_CLASSES]; /* 0: the firmware has no such list */

    struct node nodes[KERNEL_NODES_MAX];
    size_t node_count;
    struct txtap_kernel_object objects[KERNEL_NODES_MAX]; /* the result of the last walk */
    size_t object_count;
    struct txtap_kernel_list lists[TXTAP_KERNEL_CLASSES];
    uint32_t firsts[TXTAP_KERNEL_CLASSES]; /* address of the first object of each list when it was last judged */
    struct heads before, after;            /* read before and after the objects of the present attempt */

    enum walk_step step;
    unsigned classes; /* the classes of this walk */
    unsigned pending; /* the classes whose lists are not complete yet */
    unsigned attempt;
    uint32_t stack_bytes; /* how many bytes of stacks this walk may still read */
    size_t stack_turn;    /* index of the node whose stack is read next */
    bool fills_stacks;

    struct reads reads;
};

/* The phases of the reads of an attempt. Names of objects whose values do not count yet are in the first phase, too. */
enum { PHASE_HEADS, PHASE_OBJECTS, PHASE_HEADS_AGAIN, PHASE_PROOF };

/* ---- lists.c ---- */

/* Wants the variables with the heads, in a phase of their own. */
void heads_want(struct txtap_kernel *kernel);

/* Takes the heads as read in a phase. A list is not known if its head or its count could not be read. */
void heads_take(struct txtap_kernel *kernel, size_t phase, struct heads *heads);

/* Returns true if the kernel counts the objects of its lists. */
bool list_has_count(const struct txtap_kernel *kernel);

/* Follows a list over the objects that are read. Adds the next object if it is not known. Returns true if an object
 * must be read before the list can be followed further. */
bool list_follow(struct txtap_kernel *kernel, uint8_t type);

/* Returns true if the objects that were read form a closed list. Sets *length to the number of objects up to the end of
 * the list, or up to the first contradiction. */
bool list_is_closed(struct txtap_kernel *kernel, uint8_t type, uint32_t *length);

/* Returns true if the walk has read the whole list, and the list did not change in this time. */
bool list_is_complete(struct txtap_kernel *kernel, uint8_t type);

/* ---- objects.c ---- */

/* Returns the node of a thread or another object; NULL: there is no such node. */
struct node *node_find(struct txtap_kernel *kernel, uint8_t type, uint32_t address);

/* Want the members of an object, its members that are set once, or the text of its name. A name in constant memory is
 * read only if `proves` is true. */
void object_want(struct txtap_kernel *kernel, const struct txtap_kernel_object *object);
void object_want_identity(struct txtap_kernel *kernel, const struct txtap_kernel_object *object);
void object_want_name(struct txtap_kernel *kernel, const struct txtap_kernel_object *object, bool proves);

/* Takes an object that was not known. */
void object_take_new(struct txtap_kernel *kernel, struct node *node);

/* Takes a known object as read in an attempt. Its values count if the object was the same before and after the read. */
void object_take(struct txtap_kernel *kernel, struct node *node);

/* Takes the members of an object that have all `flags`, as read in a phase. False: the target refused a required
 * member, or the object does not have the identifier of its class. */
bool object_take_members(struct txtap_kernel *kernel, size_t phase, uint8_t flags, struct txtap_kernel_object *object);

/* Sets the name from the text at its address. If this text was not read, uses the name that the object had, or the text
 * in the firmware's file. */
void object_take_name(struct txtap_kernel *kernel, size_t phase, struct txtap_kernel_object *object, const char *had);

/* Returns true if both objects have the same members that are set once. */
bool object_is_same(const struct txtap_kernel *kernel, const struct txtap_kernel_object *a,
                    const struct txtap_kernel_object *b);

/* ---- stacks.c ---- */

/* Sets up the scan of a thread's stack after the thread was read. A stack in another place begins a new scan. */
void stack_follow(struct txtap_kernel *kernel, struct node *node);

/* Begins the scans of this walk. */
void stacks_begin(struct txtap_kernel *kernel);

/* Wants the next parts of stacks. Returns false if no part is left, or if the walk may read no more bytes. */
bool stacks_want(struct txtap_kernel *kernel);

void stacks_take(struct txtap_kernel *kernel);

/* Sets the values of a thread's stack. */
void stack_conclude(const struct txtap_kernel *kernel, const struct node *node, struct txtap_kernel_object *object);

#endif
