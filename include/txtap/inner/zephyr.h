/* SPDX-License-Identifier: MIT */
/*
 * Not installed: for the program txtap, its page and tests, which link txtap_core.
 *
 * Sinks that stand in front of an analysis, a monitor or changes (analysis.h, top.h, change.h) and translate what
 * Zephyr's own rings record: who runs, interrupts, and, where it is recorded, what threads wait for. Nothing else
 * understands the items that they pass on.
 */
#ifndef TXTAP_INNER_ZEPHYR_H
#define TXTAP_INNER_ZEPHYR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/inner/ctf_layout.h"
#include "txtap/event.h"
#include "txtap/item.h"
#include "txtap/registry.h"
#include "txtap/inner/rows.h"
#include "txtap/status.h"

/* ---- the kernel event logger ---- */

#define TXTAP_ZEPHYR_WAITING 1024 /* events between two switches; if there are more, who ran meanwhile is not known */

/*
 * A switch says only which thread leaves the core. So the events between two switches wait until the second one says
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

/* ---- CTF ---- */

#define TXTAP_ZEPHYR_CTF_KEPT 64  /* bytes of a record's fields that are looked at, and kept */
#define TXTAP_ZEPHYR_CTF_NAME 31  /* bytes of a thread's name that are used */
#define TXTAP_ZEPHYR_CTF_HZ   1e9 /* its stamps are nanoseconds */

/* A record: the bytes of its header and of its fields, as far as they are kept, and its place in the layout. */
struct txtap_zephyr_record {
    uint8_t bytes[TXTAP_CTF_HEADER_MAX + TXTAP_ZEPHYR_CTF_KEPT];
    size_t have, index;
};

/* What records mean follows from their names in the metadata. 10 KB. */
struct txtap_zephyr_ctf {
    /* private */
    struct txtap_sink next;
    const struct txtap_ctf_layout *layout;
    struct txtap_registry *registry;
    uint8_t meaning[TXTAP_CTF_EVENTS_MAX], reason[TXTAP_CTF_EVENTS_MAX]; /* by index in the layout */
    uint8_t event_class[TXTAP_CTF_EVENTS_MAX];                           /* the same */
    bool has_isr_exit;                                                   /* the metadata has it */

    struct txtap_zephyr_record records[2]; /* the present one, which may not be whole yet, and the one before it */
    size_t missing;                        /* bytes of the present one's fields */
    bool in_fields, stopped;               /* stopped: a record that the layout does not have */

    bool any;              /* there was a record */
    bool reset_marked;     /* a mark behind the last one says that the target restarted */
    uint64_t stamp, ticks; /* of the last one: as recorded, and since the first */
    uint64_t seq;          /* records so far */
    uint32_t current;      /* address of the thread that has the core */
    uint32_t idle;         /* of the idle thread; 0: not known */
    uint32_t depth;        /* interrupts that were entered and not left */
    bool resumptions;      /* a record said that a thread became ready */
    bool has_left;         /* a thread was switched out, and none in yet: left */
    struct txtap_item left;
    bool interrupts; /* one was recorded */
    char lacks[192];
};

/* What a record of that name is about: TXTAP_CLASS_OTHER, if the name does not say. */
enum txtap_event_class txtap_zephyr_ctf_class(const char *name);

/* Begins with nothing. layout: parsed with TXTAP_OK. registry: learns the names of threads. Both are borrowed. */
void txtap_zephyr_ctf_init(struct txtap_zephyr_ctf *ctf, const struct txtap_ctf_layout *layout,
                           struct txtap_registry *registry, struct txtap_sink next);

/*
 * For a sink whose self is a struct txtap_zephyr_ctf: bytes of the stream, gaps, marks; RESTART: another stream begins,
 * which becomes a mark RESET, unless a mark before it says so.
 * Events are numbered as the records, from 0; their ticks are the stamps' units since the first record: nanoseconds.
 * Their event_class is that of their record.
 * A record that the layout does not have becomes a gap, and nothing behind it is taken.
 */
enum txtap_status txtap_zephyr_ctf_take(void *ctf, const struct txtap_item *item);

/*
 * Goes on elsewhere in the stream: the next byte begins record seq, whose time is ticks. What was not whole is
 * forgotten. To be called behind the gap that stands for what is left out. Returns what the sink returns.
 */
enum txtap_status txtap_zephyr_ctf_go_on(struct txtap_zephyr_ctf *ctf, uint64_t seq, uint64_t ticks);

/* The number of the next record, or of the one that is not whole yet. */
uint64_t txtap_zephyr_ctf_seq(const struct txtap_zephyr_ctf *ctf);

/* The ticks of the next record. header: its first layout->header_bytes bytes. */
uint64_t txtap_zephyr_ctf_ticks(const struct txtap_zephyr_ctf *ctf, const uint8_t *header);

/*
 * For the sink, while it takes an event: what the event's record says. fields[0..length): the first bytes behind its
 * header, KEPT at most.
 */
const struct txtap_ctf_event *txtap_zephyr_ctf_record(const struct txtap_zephyr_ctf *ctf,
                                                      const struct txtap_event *event, const uint8_t **fields,
                                                      size_t *length);

/* No further items come. */
enum txtap_status txtap_zephyr_ctf_end(struct txtap_zephyr_ctf *ctf);

/* The same; complete once all records have come. */
const char *txtap_zephyr_ctf_lacks(struct txtap_zephyr_ctf *ctf);

#endif
