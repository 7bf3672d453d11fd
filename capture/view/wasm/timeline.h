/* SPDX-License-Identifier: MIT */
/*
 * The rows of the trace, fed with its items. Rows count moments; where every event is one, as with ThreadX's, moments
 * and events have the same index. Of another kernel a moment is found by its time.
 */
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
    uint64_t told; /* events that rows were told of */

    const struct txtap_registry *names; /* learnt last, */
    uint32_t generation;                /* when it was that */
};

/* False: there is no memory; closing is then needed, too. */
bool timeline_open(struct timeline *timeline, unsigned profile);
void timeline_close(struct timeline *timeline);

/* From now on events are those of Zephyr's event logger. False: there is no memory. */
bool timeline_from_logger(struct timeline *timeline);

/* From now on events are those of Zephyr's CTF, each of a record. */
void timeline_from_ctf(struct timeline *timeline);

/* Takes an item; names: those of its time. False: there is no memory. */
bool timeline_take(struct timeline *timeline, const struct txtap_item *item, const struct txtap_registry *names);

/* No more comes. */
void timeline_end(struct timeline *timeline);

/* Have moments the index of their events? */
bool timeline_is_even(const struct timeline *timeline);

/* What such events do not say; NULL: they are ThreadX's. */
const char *timeline_lacks(const struct timeline *timeline);

#endif
