/* SPDX-License-Identifier: MIT */
/*
 * Objects that are created and deleted on the stepped target while events refer to them, registered by the recorder or
 * by the model of ThreadX; and the true name for every event, for comparison with what is shown.
 */
#ifndef TXTAP_TESTS_OBJECT_CHURN_H
#define TXTAP_TESTS_OBJECT_CHURN_H

#include "stream/stepped_target.h"

enum churn_names {
    NAMES_UNIQUE,
    NAMES_IN_PAIRS,
    NAMES_CUT,
    NAMES_THAT_GROW,
    NAMES_EMPTY,
    NAMES_SHARED,
    NAMES_KINDS,
    NAMES_IN_TURN = NAMES_KINDS /* two of the same length; not among the kinds, so that old seeds stay the same */
};

struct churn_settings {
    bool kernel;          /* ThreadX's registry, else the recorder's */
    unsigned things;      /* addresses in use, THINGS at most */
    unsigned lasting;     /* of these, objects that exist before the trace and stay; at least 1, a thread */
    unsigned changes;     /* how many of 1000 services create or delete */
    unsigned life, pause; /* least number of services during which an object lives, and its address is then unused */
    enum churn_names names;
    bool again; /* objects may be created again without having been deleted */
};

/* Counts of names shown, and of addresses shown although there is a name. */
struct churn_figures {
    uint64_t right, wrong, addresses;
    uint64_t lasting_right, lasting_addresses; /* of objects that stay */
};

/* Enables the trace; target.service then continues it. */
void churn_begin(const struct churn_settings *settings);

/* Counts what is shown for the event in an unchanged entry. False: the name of another object. */
bool churn_check(const struct txtap_header *header, const struct txtap_registry *registry, const uint8_t *entry,
                 uint64_t seq, struct churn_figures *figures);

/* The last error of churn_check(), in one line. */
const char *churn_wrong(void);

#endif
