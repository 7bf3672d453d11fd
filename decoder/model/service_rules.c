/* SPDX-License-Identifier: MIT */
/* Where ThreadX's services record the count of their object, and how they show that they got nothing. */
#include "model/model_parts.h"

#define WORD(n) ((n) + 1)

const struct service_rule service_rules[SERVICE_RULES] = {
    [EVENT_BLOCK_ALLOCATE] = {.before = WORD(3), .zero = WORD(1)},
    [EVENT_BLOCK_POOL_DELETE] = {.ends_count = true},
    [EVENT_BYTE_ALLOCATE] = {.zero = WORD(1)},
    [EVENT_BYTE_POOL_DELETE] = {.ends_count = true},
    [EVENT_BYTE_RELEASE] = {.before = WORD(3)},
    [EVENT_MUTEX_DELETE] = {.ends_count = true},
    [EVENT_MUTEX_GET] = {.before = WORD(3), .zero = WORD(1)},
    [EVENT_MUTEX_PUT] = {.before = WORD(2)},
    [EVENT_QUEUE_DELETE] = {.ends_count = true},
    [EVENT_QUEUE_FRONT_SEND] = {.before = WORD(3), .zero = WORD(2)},
    [EVENT_QUEUE_RECEIVE] = {.before = WORD(3), .zero = WORD(2)},
    [EVENT_QUEUE_SEND] = {.before = WORD(3), .zero = WORD(2)},
    [EVENT_SEMAPHORE_CEILING_PUT] = {.before = WORD(1), .zero = SERVICE_ANY_WORD},
    [EVENT_SEMAPHORE_DELETE] = {.ends_count = true},
    [EVENT_SEMAPHORE_GET] = {.before = WORD(2), .zero = WORD(1)},
    [EVENT_SEMAPHORE_PUT] = {.before = WORD(1)},
};
