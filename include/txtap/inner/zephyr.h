/* SPDX-License-Identifier: MIT */
/*
 * Not installed: for the program txtap, its page and tests, which link txtap_core.
 *
 * Sinks that translate the records of Zephyr's own rings for an analysis, a monitor or changes (analysis.h, top.h,
 * change.h): switches, interrupts, and, if it is recorded, the reasons why threads wait. Only these three kinds of
 * sinks understand the translated items.
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

/* Most events between two switches; if there are more, it is unknown which thread recorded them */
#define TXTAP_ZEPHYR_WAITING 1024

/*
 * A switch records only the thread that leaves the core. So the events between two switches wait until the second
 * switch shows which thread recorded them. 110 KB. The caller sets the member next; all other members are 0 at first.
 */
struct txtap_zephyr_logger {
    struct txtap_sink next;

    /* private */
    struct txtap_event waiting[TXTAP_ZEPHYR_WAITING];
    size_t count;
    struct txtap_event left; /* the last switch */
    bool has_left;
    uint32_t idle;       /* address of the idle thread; 0: unknown, or there is no idle thread */
    bool idle_has_none;  /* a switch away from no thread was recorded */
    bool slept;          /* the last event that ended a stretch was the end of sleep */
    bool any, restarted; /* any: an event was taken; restarted: an item RESTART waits for the next event */
    uint64_t last_seq;
    struct txtap_item restart;
};

/*
 * Takes events from the ring of the event logger, gaps, and marks. For a sink whose self is a struct
 * txtap_zephyr_logger.
 */
enum txtap_status txtap_zephyr_logger_take(void *logger, const struct txtap_item *item);

/* Ends the stream: no further items come. */
enum txtap_status txtap_zephyr_logger_end(struct txtap_zephyr_logger *logger);

/* Returns the data that a trace of the event logger lacks, in a few words: "priorities, stacks". */
const char *txtap_zephyr_logger_lacks(void);

/* ---- CTF ---- */

#define TXTAP_ZEPHYR_CTF_KEPT 64  /* bytes of a record's fields that are kept and used */
#define TXTAP_ZEPHYR_CTF_NAME 31  /* bytes of a thread's name that are used */
#define TXTAP_ZEPHYR_CTF_HZ   1e9 /* rate of its stamps, which are nanoseconds */

/* A record: its header and the first bytes of its fields, and its index in the layout. have: the number of bytes. */
struct txtap_zephyr_record {
    uint8_t bytes[TXTAP_CTF_HEADER_MAX + TXTAP_ZEPHYR_CTF_KEPT];
    size_t have, index;
};

/* The meaning of records follows from their names in the metadata. 10 KB. */
struct txtap_zephyr_ctf {
    /* private */
    struct txtap_sink next;
    const struct txtap_ctf_layout *layout;
    struct txtap_registry *registry;
    uint8_t meaning[TXTAP_CTF_EVENTS_MAX], reason[TXTAP_CTF_EVENTS_MAX]; /* by index in the layout */
    uint8_t event_class[TXTAP_CTF_EVENTS_MAX];                           /* the same */
    /* The metadata has a record for the end of an interrupt. */
    bool has_isr_exit;

    struct txtap_zephyr_record records[2]; /* the current record, which may be incomplete, and the record before it */
    size_t missing;                        /* bytes that the fields of the current record still need */
    bool in_fields, stopped;               /* stopped: the layout does not have a record of the stream */

    bool any;              /* there was a record */
    bool reset_marked;     /* a mark after the last record says that the target restarted */
    uint64_t stamp, ticks; /* of the last record; stamp: as recorded; ticks: since the first record */
    uint64_t seq;          /* number of records */
    uint32_t current;      /* address of the thread that has the core */
    uint32_t idle;         /* address of the idle thread; 0: unknown */
    uint32_t depth;        /* number of interrupts that were entered and have not ended */
    bool resumptions;      /* there was a record that a thread became ready */
    bool has_left;         /* a thread was switched out (left), and no thread was switched in since */
    struct txtap_item left;
    bool interrupts; /* an interrupt was recorded */
    char lacks[192];
};

/* Returns the class of a record by its name; TXTAP_CLASS_OTHER if the name does not show it. */
enum txtap_event_class txtap_zephyr_ctf_class(const char *name);

/*
 * Starts without records. layout: parsed with TXTAP_OK. registry: the names of threads are added to it. Both are
 * borrowed.
 */
void txtap_zephyr_ctf_init(struct txtap_zephyr_ctf *ctf, const struct txtap_ctf_layout *layout,
                           struct txtap_registry *registry, struct txtap_sink next);

/*
 * Takes bytes of the stream, gaps, marks, and RESTART. For a sink whose self is a struct txtap_zephyr_ctf. RESTART
 * begins another stream; it becomes a mark RESET unless a RESET came directly before it.
 *
 * An event has the number of its record, from 0, and the event_class of its record. Its ticks are the units of the
 * stamps since the first record: nanoseconds. A record that the layout does not have becomes a gap, and no later record
 * is taken.
 */
enum txtap_status txtap_zephyr_ctf_take(void *ctf, const struct txtap_item *item);

/*
 * Continues at another place in the stream: the next byte begins record seq, whose time is ticks. Forgets an incomplete
 * record. Call it after the gap for the skipped records. Returns the status of the sink.
 */
enum txtap_status txtap_zephyr_ctf_go_on(struct txtap_zephyr_ctf *ctf, uint64_t seq, uint64_t ticks);

/* Returns the number of the next record, or of the current record if it is incomplete. */
uint64_t txtap_zephyr_ctf_seq(const struct txtap_zephyr_ctf *ctf);

/* Returns the ticks of the next record. header: its first layout->header_bytes bytes. */
uint64_t txtap_zephyr_ctf_ticks(const struct txtap_zephyr_ctf *ctf, const uint8_t *header);

/*
 * Returns the record of an event, for the sink while it takes the event. fields[0..length): the first bytes after the
 * record's header, at most KEPT.
 */
const struct txtap_ctf_event *txtap_zephyr_ctf_record(const struct txtap_zephyr_ctf *ctf,
                                                      const struct txtap_event *event, const uint8_t **fields,
                                                      size_t *length);

/* Ends the stream: no further items come. */
enum txtap_status txtap_zephyr_ctf_end(struct txtap_zephyr_ctf *ctf);

/* Like txtap_zephyr_logger_lacks(), for CTF. Complete after the last record. */
const char *txtap_zephyr_ctf_lacks(struct txtap_zephyr_ctf *ctf);

#endif
