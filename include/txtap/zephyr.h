/* SPDX-License-Identifier: MIT */
/*
 * Sinks in front of an analysis or a monitor (analysis.h, top.h) that make what Zephyr's own rings record into what
 * these take: who runs, interrupts, and, where it is recorded, what threads wait for. Nothing else may take their
 * items.
 */
#ifndef TXTAP_ZEPHYR_H
#define TXTAP_ZEPHYR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/api.h"
#include "txtap/event.h"
#include "txtap/item.h"
#include "txtap/status.h"

TXTAP_API_BEGIN

/* ---- the kernel event logger ---- */

#define TXTAP_ZEPHYR_WAITING 1024 /* events between two switches; if there are more, who ran meanwhile is not known */

/*
 * A switch says only which thread leaves the core. So all events since the switch before wait until the next one says
 * who recorded them. 110 KB. The caller sets next; all else is 0 at first.
 */
struct txtap_zephyr_logger {
    struct txtap_sink next;

    /* private */
    struct txtap_event waiting[TXTAP_ZEPHYR_WAITING];
    size_t count;
    struct txtap_event left; /* the last switch */
    bool has_left;
    uint32_t idle;       /* address of the idle thread; 0: not known, or it has none */
    bool idle_has_none;  /* a switch away from no thread was recorded */
    bool slept;          /* the last event that ended a stretch was the end of sleep */
    bool any, restarted; /* there was an event; an item RESTART waits for the next one */
    uint64_t last_seq;
    struct txtap_item restart;
};

/* For a sink whose self is a struct txtap_zephyr_logger: events as the event logger's ring gives them, gaps, marks. */
enum txtap_status txtap_zephyr_logger_take(void *logger, const struct txtap_item *item);

/* No further items come. */
enum txtap_status txtap_zephyr_logger_end(struct txtap_zephyr_logger *logger);

/* What such a trace does not say, in a few words: "priorities, stacks". */
const char *txtap_zephyr_logger_lacks(void);

TXTAP_API_END

#endif
