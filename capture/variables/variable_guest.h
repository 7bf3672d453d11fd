/* SPDX-License-Identifier: MIT */
/*
 * Reads variables in the exchanges of the ring, as a guest. Each variable is read at most as often as its request says.
 * If there is not enough room in the exchanges, all variables that are due take turns.
 *
 * A sample is a value that the variable really had: a value in one aligned word is read once, because the target writes
 * it at once. Every other value is read twice in the exchange, and the sample is taken only if both are equal. A
 * pointer is read before and after the value to which it points, and both must be equal.
 */
#ifndef TXTAP_CAPTURE_VARIABLES_VARIABLE_GUEST_H
#define TXTAP_CAPTURE_VARIABLES_VARIABLE_GUEST_H

#include "stream/guest.h"
#include "variables/variable.h"

/* A variable that is read, and its counts. */
struct read_variable {
    struct variable variable;
    const struct txtap_channel *channel; /* borrowed */
    uint64_t period_us, due_us;
    uint64_t samples, torn, unreadable; /* values read; values that changed while they were read; failures */
    uint32_t pointer;                   /* the last value of the pointer, if pointer_known is true */
    bool pointer_known, usable;         /* usable false: the running firmware has no such variable */
    bool reported;                      /* the last sample is UNREADABLE */
    uint32_t failures;                  /* failures in a row, while it was the only variable in the exchange */
    uint32_t retries;                   /* reads in a row that gave no sample, because the target wrote meanwhile */
};

enum variables_renewed {
    VARIABLES_SAME,    /* the variables are where they were */
    VARIABLES_FOUND,   /* the variables were found in another ELF file */
    VARIABLES_UNKNOWN, /* the target runs firmware that is not known, or that lacks a variable */
};

struct variable_guest_memory {
    /* Returns true if it is safe to read memory: reading a register may change the target. */
    bool (*permits)(void *self, uint32_t address, uint32_t bytes);
    /* Finds the variables again after a reset, if the firmware has changed. variables: VARIABLES_MAX elements, which
     * the guest frees with variables_free(). */
    enum variables_renewed (*renew)(void *self, struct variable *variables);
    void *self;
};

#define VARIABLE_PIECES_MAX 4u /* reads of one variable in an exchange */

struct variable_guest {
    struct read_variable at[VARIABLES_MAX]; /* in the order of the requests */
    size_t count;
    uint64_t begin_us, end_us; /* of all reads so far; end_us 0: nothing was read */

    /* private */
    struct variable_guest_memory memory;
    struct variable fresh[VARIABLES_MAX]; /* the result of renew() */
    uint8_t order[VARIABLES_MAX];         /* sorted by address, so that neighbours share a read */
    size_t first;                         /* index in `order` of the variable that is next in turn */
    size_t plan_first, plan_last;         /* indexes in `order` of the first and the last planned variable */
    size_t most;                          /* variables in the next exchange: fewer while a failure is searched */
    size_t suspects;                      /* variables from `first` on, one of which made an exchange fail */
    struct planned {
        uint8_t variable;
        uint16_t value[2], pointer[2]; /* offsets in `bytes` */
    } planned[VARIABLES_MAX];
    size_t planned_count;
    uint8_t bytes[GUEST_BYTES_MAX];
};

/*
 * Opens a guest for variables that were found, and adds their channels. variables: as many as requests; borrowed only
 * during the call. TXTAP_ERROR_USAGE: error is one line, such as for a variable at the address of a register.
 */
enum txtap_status variable_guest_open(struct variable_guest *guest, const struct variable_requests *requests,
                                      const struct variable *variables, struct variable_guest_memory memory,
                                      struct txtap_channels *channels, uint64_t now_us, struct error *error);

extern const struct guest_ops variable_guest_ops;

/* Returns the guest that reads variables; NULL: no variables are read. */
const struct variable_guest *variable_guest_of(const struct guests *guests);

struct variable_guest_cost {
    size_t reads;
    uint32_t bytes;
};

/* Returns the reads that all variables need once, if they fit into one exchange. */
struct variable_guest_cost variable_guest_cost(const struct variable_guest *guest);

#endif
