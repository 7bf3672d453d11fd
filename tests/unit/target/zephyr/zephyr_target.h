/* SPDX-License-Identifier: MIT */
/*
 * A substitute for a kernel whose hooks are recorded. It has a function for each hook of data/zephyr_hooks.csv, and a
 * few objects whose state the test sets. It does not include the recorder's headers, because tests include the
 * decoder's headers.
 */
#ifndef TXTAP_TESTS_ZEPHYR_TARGET_H
#define TXTAP_TESTS_ZEPHYR_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct zephyr_row {
    const char *form; /* one of the nine forms, without SYS_PORT_TRACING_; SYSCALL_ENTER, SYSCALL_EXIT, PLAIN */
    const char *hook; /* name of the macro or function */
    bool on;          /* the hook's switch is on in this build */
    unsigned argument_count;
    const char *arguments[7];
    void (*run)(void);
};

extern const struct zephyr_row zephyr_rows[];
extern const size_t zephyr_row_count;

/* Returns the value of the argument `name`. Fails the test if no argument has this name. */
uint32_t zephyr_argument(const char *name);

/* Arguments that a test sets; all other arguments have fixed values. */
extern int ret, rc;

/* An object of any kind. The kind determines which fields are used. */
struct zephyr_thing {
    const char *name;         /* name of a thread */
    int priority;             /* priority of a thread */
    bool idle;                /* true for the kernel's idle thread */
    uint32_t state;           /* state of a thread, as ThreadX's number */
    uint32_t start, bytes;    /* address and size of a stack, a buffer or memory */
    uint32_t count;           /* count of a semaphore, locks of a mutex's owner, messages, blocks in use, or events */
    uint32_t size, count_max; /* size of each message or block, and their maximum number */
    const void *owner;
    uint32_t waited;
};

/* The objects that all rows use. */
extern struct zephyr_thing the_thing, other_thing;
extern const struct zephyr_thing *zephyr_current;
extern uint32_t zephyr_exception;
extern bool zephyr_user_mode;
extern unsigned zephyr_idled; /* number of calls of the kernel's own idle function */

uint32_t zephyr_address(const void *object);

/*
 * Starts a trace in a buffer in RAM, with room for `objects` objects. No thread and no exception runs, and the objects
 * have their initial state.
 */
void zephyr_start(uint32_t objects);
extern uint8_t zephyr_ram[];
enum { ZEPHYR_RAM_BYTES = 8192 };

#endif
