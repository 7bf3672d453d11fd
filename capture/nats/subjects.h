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
};

/* Returns ERROR_UNREACHABLE for a subject without messages. The error names subjects that have recordings. */
enum txtap_status nats_nothing(const struct nats_connection *connection, const struct nats_place *place,
                               struct error *error);

#endif
