/* SPDX-License-Identifier: MIT */
/*
 * A stand-in for a kernel, with hooks that are recorded: one function for each hook of data/zephyr_hooks.csv, and a few
 * objects whose state the test sets. It does not include the recorder's headers, so that tests can include the
 * decoder's.
 */
#ifndef TXTAP_TESTS_ZEPHYR_TARGET_H
#define TXTAP_TESTS_ZEPHYR_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct zephyr_row {
    const char *form; /* of the nine, without SYS_PORT_TRACING_; SYSCALL_ENTER, SYSCALL_EXIT, PLAIN */
    const char *hook; /* the macro or function */
    bool on;          /* its switch, as these files are compiled */
    unsigned argument_count;
    const char *arguments[7];
    void (*run)(void);
};

extern const struct zephyr_row zephyr_rows[];
extern const size_t zephyr_row_count;

/* Fails the test if there is no argument of that name. */
uint32_t zephyr_argument(const char *name);

/* Arguments that a test sets; the others have fixed values. */
extern int ret, rc;

/* An object of any kind. The meaning of a field depends on the kind. */
struct zephyr_thing {
    const char *name;         /* of a thread */
    int priority;             /* of a thread */
    bool idle;                /* of a thread: the kernel's */
    uint32_t state;           /* of a thread: ThreadX's number */
    uint32_t start, bytes;    /* stack, buffer, memory */
    uint32_t count;           /* of a semaphore, of a mutex's owner's locks, messages, blocks in use, events */
    uint32_t size, count_max; /* of a message or a block, of messages or blocks */
    const void *owner;
    uint32_t waited;
};

/* The state of the objects of all rows. */
extern struct zephyr_thing the_thing, other_thing;
extern const struct zephyr_thing *zephyr_current;
extern uint32_t zephyr_exception;
extern bool zephyr_user_mode;
extern unsigned zephyr_idled; /* calls of the kernel's own idle function */

uint32_t zephyr_address(const void *object);

/* Starts a trace with room for that many objects, in a buffer in RAM; no thread runs, no exception, objects in their
 * first state. */
void zephyr_start(uint32_t objects);
extern uint8_t zephyr_ram[];
enum { ZEPHYR_RAM_BYTES = 8192 };

#endif
