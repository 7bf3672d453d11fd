/* SPDX-License-Identifier: MIT */
/* What is in queues, semaphores and pools, and who has a mutex, as their events say. */
#ifndef TXTAP_DECODER_TOP_OBJECT_VALUES_H
#define TXTAP_DECODER_TOP_OBJECT_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/model.h"
#include "analysis/spread.h"

struct object_value {
    bool known;
    uint32_t now; /* messages, count or free blocks */
    bool owner_known;
    uint32_t owner;   /* of a mutex: the number of a thread, or NONE */
    bool has_extreme; /* since the last reset */
    uint32_t extreme; /* of a queue the most messages, of a pool the fewest free */
    uint32_t waiting; /* threads that wait for it */
    uint64_t uses, failed;
    struct spread wait;
};

/* How many messages a queue can hold; 0: not known. */
uint32_t object_capacity(const struct object *object);

/* An event that uses the object: what the object has afterwards. thread: who used it, or NONE. */
void object_used(struct object_value *value, const struct object *object, const struct txtap_event *event,
                 uint32_t thread);

/* A send to a queue is over: unless a thread got the message at once, there was one more. */
void object_sent(struct object_value *value, const struct object *object, const struct service *service);

/* A queue's service resumed a thread of which it was not known that it waits: there are as many messages as before. */
void object_handed_over(struct object_value *value, const struct service *service);

/* The mutex has that owner now: the number of a thread, or NONE. */
void object_owned(struct object_value *value, uint32_t owner);

/* A service ended without having made its caller wait: did it get nothing? */
bool object_refused(const struct model *model, const struct service *service);

#endif
