/* SPDX-License-Identifier: MIT */
/* The rows of the trace, made from its items. Rows count moments. If every event is a moment, as in ThreadX's traces,
 * moments and events have the same index. For another kernel a moment is found by its time. */
#ifndef TXTAP_CAPTURE_VIEW_WASM_TIMELINE_H
#define TXTAP_CAPTURE_VIEW_WASM_TIMELINE_H

#include <stdbool.h>

#include "txtap/inner/rows.h"
#include "txtap/inner/zephyr.h"
#include "view/wasm/pool.h"

struct timeline {
    struct txtap_rows *rows;
    struct txtap_changes *changes;
    struct txtap_zephyr_logger *logger; /* NULL: the events are ThreadX's */
    struct pool pages;
    uint64_t told; /* number of events that the rows got */

    const struct txtap_registry *names; /* the names that were last learned */
    uint32_t generation;                /* generation of these names when they were learned */
};

/* Returns false if there is no memory; timeline_close() is needed even then. */
bool timeline_open(struct timeline *timeline, unsigned profile);
void timeline_close(struct timeline *timeline);

/* Notes that the following events are events of Zephyr's event logger. Returns false if there is no memory. */
bool timeline_from_logger(struct timeline *timeline);

/* Notes that the following events are records of Zephyr's CTF. */
void timeline_from_ctf(struct timeline *timeline);

/* Takes an item; names: the names at its time. False: no memory. */
bool timeline_take(struct timeline *timeline, const struct txtap_item *item, const struct txtap_registry *names);

/* Ends the rows. Call it after the last item. */
void timeline_end(struct timeline *timeline);

/* Returns true if moments have the same index as their events. */
bool timeline_is_even(const struct timeline *timeline);

/* Returns the information that these events lack; NULL for ThreadX's events, which lack nothing. */
const char *timeline_lacks(const struct timeline *timeline);

#endif
