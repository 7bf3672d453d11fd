/* SPDX-License-Identifier: MIT */
/* Finds the subjects of NATS servers that have recordings. Each of them is a board. */
#ifndef TXTAP_CAPTURE_NATS_SUBJECTS_H
#define TXTAP_CAPTURE_NATS_SUBJECTS_H

#include "base/failure.h"
#include "nats/place.h"

struct nats_connection;

/* {0}: empty. */
struct nats_subjects {
    char (*names)[NATS_SUBJECT_MAX + 1]; /* `count` names; owned */
    size_t count, room;
    size_t fixed; /* bytes that all names of a pattern have in common: a board's name follows; 0: without a pattern */
};

/*
 * Finds the subjects of a place, whose subject may be a pattern, and sorts them. The environment gives the access.
 * since_us: ignores subjects whose newest message is older, in microseconds since 1970; 0: all. TXTAP_ERROR_USAGE: the
 * place is invalid, or this build has no NATS. ERROR_UNREACHABLE: no server answers, or it refuses, or it has no such
 * subject. ERROR_INTERRUPTED: the user asks txtap to end. error has the cause. After success the caller frees them.
 */
enum txtap_status nats_subjects_find(struct nats_subjects *subjects, const char *name, uint64_t since_us,
                                     struct error *error);
void nats_subjects_free(struct nats_subjects *subjects);

/* Returns ERROR_UNREACHABLE for a subject without messages. The error names subjects that have recordings. */
enum txtap_status nats_nothing(const struct nats_connection *connection, const struct nats_place *place,
                               struct error *error);

#endif
