/* SPDX-License-Identifier: MIT */
/* A sink before the recorder that passes on only the items around each trigger. It keeps the newest items in a history,
 * and passes on the history when a trigger fires. */
#ifndef TXTAP_CAPTURE_RECORD_AROUND_TRIGGERS_H
#define TXTAP_CAPTURE_RECORD_AROUND_TRIGGERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/history.h"
#include "record/value_trigger.h"
#include "txtap/definitions.h"
#include "txtap/filter.h"
#include "txtap/item.h"
#include "txtap/registry.h"

#define RECORD_TRIGGERS_MAX       8
#define RECORD_TRIGGER_TEXT_BYTES 512 /* NUL included */

struct record_trigger {
    const char *text; /* as typed; borrowed */
    struct txtap_filter filter;
    char words[RECORD_TRIGGER_TEXT_BYTES]; /* the filter points into this array, so the struct must not be moved */
};

struct around_setup {
    const struct record_trigger *triggers; /* trigger_count triggers; borrowed */
    size_t trigger_count;
    const struct value_trigger *values; /* value_count triggers; borrowed */
    size_t value_count;
    uint64_t before_us, after_us;                /* how much time before and after a trigger to pass on */
    double tick_hz;                              /* tick rate for before_us and after_us; 0: use the host's clock */
    unsigned profile;                            /* TXTAP_PROFILE_*: selects the names of events */
    const struct txtap_registry *registry;       /* names of objects; borrowed */
    const struct txtap_definitions *definitions; /* names of events and interrupts; borrowed, or NULL */
    uint64_t (*now_us)(void);                    /* a clock that never jumps */
    uint64_t (*wall_us)(void);                   /* microseconds since 1970 */

    /* The next sink. read_us: host time at which the item was read. */
    enum txtap_status (*put)(void *self, const struct txtap_item *item, uint64_t read_us);
    void *self;
};

struct around_triggers {
    struct around_setup setup;
    struct history history;
    struct txtap_interrupts interrupts;  /* the numbers of interrupts so far */
    bool fulfilled[RECORD_TRIGGERS_MAX]; /* for each value trigger: the last sample fulfilled its condition */
    bool open;                           /* the time after a trigger is not over */
    uint64_t open_until_us;              /* end of the time after a trigger, by window_us */
    uint64_t window_us;                  /* time of the newest entry, the reference for before_us and after_us */
    uint64_t triggers;                   /* number of triggers that fired */
    uint64_t short_histories; /* number of triggers whose history was incomplete, because older items were dropped */
};

/* False: out of memory; nothing needs to be freed. */
bool around_triggers_open(struct around_triggers *around, const struct around_setup *setup);
void around_triggers_free(struct around_triggers *around);

/* Takes an item that was read at read_us: passes it on, or keeps it in the history. A mark is always passed on, with
 * the history before it. Returns the status of the next sink. */
enum txtap_status around_triggers_take(struct around_triggers *around, const struct txtap_item *item, uint64_t read_us);

/* Fires a trigger that no item caused: passes on the history, a mark with the text, and from now on the items of
 * after_us. text: the reason. seq: number of the next event. Returns the status of the next sink. */
enum txtap_status around_triggers_fire(struct around_triggers *around, const char *text, uint64_t seq);

/* Passes on the history that belongs to the time before now, because the next items come from another trace buffer.
 * Returns the status of the next sink. */
enum txtap_status around_triggers_restart(struct around_triggers *around);

#endif
