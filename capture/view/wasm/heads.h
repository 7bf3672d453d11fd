/* SPDX-License-Identifier: MIT */
/* The first three words of events: thread, priority, id. Few are different, so each is held once. */
#ifndef TXTAP_CAPTURE_VIEW_WASM_HEADS_H
#define TXTAP_CAPTURE_VIEW_WASM_HEADS_H

#include <stdbool.h>
#include <stdint.h>

#include "view/wasm/deque.h"

struct head {
    uint8_t bytes[12]; /* as in the ring */
};

/* Heads keep their number. What a search finds are those since the last time that there were too many of them. */
struct heads {
    struct deque list;
    uint32_t from;   /* the first one that is searched */
    uint32_t *slots; /* number + 1, by hash; 0: free */
    uint32_t slot_count;
};

void heads_init(struct heads *heads, struct pool *pool);
void heads_free(struct heads *heads);

/* The number of the head, which is added if it is new. UINT32_MAX: there is no memory. */
uint32_t heads_number(struct heads *heads, const struct head *head);

static inline const struct head *heads_at(const struct heads *heads, uint32_t number)
{
    return deque_at(&heads->list, number);
}

/* No event has a head of a lower number any more. */
void heads_drop(struct heads *heads, uint32_t number);

#endif
