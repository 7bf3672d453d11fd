/* SPDX-License-Identifier: MIT */
/*
 * Objects that come and go on the stepped target while events are written about them, registered by the recorder or by
 * the model of ThreadX; and the truth that every name shown for such an event is compared with.
 */
#ifndef TXTAP_TESTS_OBJECT_CHURN_H
#define TXTAP_TESTS_OBJECT_CHURN_H

#include "stream/stepped_target.h"

enum churn_names { NAMES_UNIQUE, NAMES_IN_PAIRS, NAMES_CUT, NAMES_THAT_GROW, NAMES_EMPTY, NAMES_SHARED, NAMES_KINDS };

struct churn_settings {
    bool kernel;          /* ThreadX's registry, else the recorder's */
    unsigned things;      /* addresses in use, THINGS at most */
    unsigned lasting;     /* of them, those whose objects are there before the trace, and stay; at least 1, a thread */
    unsigned changes;     /* of 1000 services, those that create or delete */
    unsigned life, pause; /* services that an object lives at least, and its address then rests */
    enum churn_names names;
    bool again; /* objects may be created again without having been deleted */
};

/* Names shown, and addresses where there is a name. */
struct churn_figures {
    uint64_t right, wrong, addresses;
    uint64_t lasting_right, lasting_addresses; /* of objects that stay */
};

/* Enables the trace; target.service then goes on with it. */
void churn_begin(const struct churn_settings *settings);

/* Counts what is shown of the event in an entry that is as it was recorded. False: of another object. */
bool churn_check(const struct txtap_header *header, const struct txtap_registry *registry, const uint8_t *entry,
                 uint64_t seq, struct churn_figures *figures);

/* What churn_check() found wrong last, in one line. */
const char *churn_wrong(void);

#endif
