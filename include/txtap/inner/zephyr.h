/* SPDX-License-Identifier: MIT */
/*
 * Not installed: for the program txtap, its page and tests, which link txtap_core.
 *
 * Sinks that translate the records of Zephyr's own rings for three kinds of sinks: an analysis, a monitor, or changes
 * (analysis.h, top.h, change.h). Only these three kinds of sinks understand the translated items. The items contain
 * switches, interrupts and, if recorded, the reasons why threads wait.
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

/* Maximum number of events between two switches; if there are more events, their thread is unknown */
#define TXTAP_ZEPHYR_WAITING 1024

/*
 * A switch event records only the thread that leaves the core. So the events between two switches wait until the second
 * switch shows which thread recorded them. Size: 110 KB. The caller sets the member next; all other members are 0 at
 * first.
 */
struct txtap_zephyr_logger {
    struct txtap_sink next;

    /* private */
    struct txtap_event waiting[TXTAP_ZEPHYR_WAITING];
    size_t count;
    struct txtap_event left; /* the last switch */
    bool has_left;
    uint32_t idle;       /* address of the idle thread; 0: unknown, or there is no idle thread */
    bool idle_has_none;  /* a switch away from "no thread" was recorded */
    bool slept;          /* the last event that ended a stretch of events was the end of sleep */
    bool any, restarted; /* any: an event was taken; restarted: the item restart waits for the next event */
    uint64_t last_seq;
    struct txtap_item restart;
};

/*
 * Takes events from the ring of the event logger, gaps and marks. The function is the take of a sink; self is the
 * struct txtap_zephyr_logger.
 */
enum txtap_status txtap_zephyr_logger_take(void *logger, const struct txtap_item *item);

/* Ends the stream: no further items come. */
enum txtap_status txtap_zephyr_logger_end(struct txtap_zephyr_logger *logger);

/* Returns the data that a trace of the event logger lacks, in a few words: "priorities, stacks". */
const char *txtap_zephyr_logger_lacks(void);

/* ---- CTF ---- */

#define TXTAP_ZEPHYR_CTF_KEPT 64  /* the first bytes of a record's fields, which are kept and used */
#define TXTAP_ZEPHYR_CTF_NAME 31  /* the first bytes of a thread's name, which are used */
#define TXTAP_ZEPHYR_CTF_HZ   1e9 /* rate of the stamps: CTF stamps are nanoseconds */

/*
 * A record. bytes: header and first bytes of the fields. have: number of valid bytes. index: index of the record's
 * event in the layout.
 */
struct txtap_zephyr_record {
    uint8_t bytes[TXTAP_CTF_HEADER_MAX + TXTAP_ZEPHYR_CTF_KEPT];
    size_t have, index;
};

/* Translates CTF records. The meaning of a record follows from its name in the metadata. Size: 10 KB. */
struct txtap_zephyr_ctf {
    /* private */
    struct txtap_sink next;
    const struct txtap_ctf_layout *layout;
    struct txtap_registry *registry;
    uint8_t meaning[TXTAP_CTF_EVENTS_MAX], reason[TXTAP_CTF_EVENTS_MAX]; /* by index in the layout */
    uint8_t event_class[TXTAP_CTF_EVENTS_MAX];                           /* the same */
    uint8_t action[TXTAP_CTF_EVENTS_MAX]; /* the same: enum txtap_flow_action of a call on an object */
    /* The metadata has a record for the end of an interrupt. */
    bool has_isr_exit;

    struct txtap_zephyr_record records[2]; /* the current record, which may be incomplete, and the preceding record */
    size_t missing;                        /* bytes that the fields of the current record still need */
    bool in_fields, stopped;               /* stopped: a record of the stream is not in the layout */

    bool any;              /* there was a record */
    bool reset_marked;     /* a mark after the last record says that the target restarted */
    uint64_t stamp, ticks; /* last record: stamp as recorded, and ticks since the first record */
    uint64_t seq;          /* number of records */
    uint32_t current;      /* address of the thread that has the core */
    uint32_t idle;         /* address of the idle thread; 0: unknown */
    uint32_t depth;        /* number of interrupts that were entered and have not ended */
    bool resumptions;      /* a record showed that a thread became ready */
    bool has_left;         /* a thread was switched out (item left), and no thread was switched in after it */
    struct txtap_item left;
    bool interrupts; /* an interrupt was recorded */
    char lacks[192];
};

/* Returns the class of a record by its name; TXTAP_CLASS_OTHER if the name does not show the class. */
enum txtap_event_class txtap_zephyr_ctf_class(const char *name);

/*
 * Starts without records. layout: parsed with TXTAP_OK. registry: receives the names of threads. layout and registry
 * are borrowed.
 */
void txtap_zephyr_ctf_init(struct txtap_zephyr_ctf *ctf, const struct txtap_ctf_layout *layout,
                           struct txtap_registry *registry, struct txtap_sink next);

/*
 * Takes bytes of the stream, gaps, marks and RESTART. The function is the take of a sink; self is the struct
 * txtap_zephyr_ctf. RESTART begins another stream. It becomes a mark RESET, unless a mark RESET came directly before.
 *
 * The seq of an event is the number of its record, from 0. The event_class of an event is the class of its record. The
 * ticks of an event are nanoseconds since the first record. If a record is not in the layout, it becomes a gap, and no
 * later record is taken.
 */
enum txtap_status txtap_zephyr_ctf_take(void *ctf, const struct txtap_item *item);

/*
 * Continues at another place in the stream: the next byte begins the record with the number seq and the time ticks.
 * Forgets an incomplete record. Call the function after the sink has taken the gap for the skipped records. Returns the
 * status of the sink.
 */
enum txtap_status txtap_zephyr_ctf_go_on(struct txtap_zephyr_ctf *ctf, uint64_t seq, uint64_t ticks);

/* Returns the number of the next record, or of the current record if it is incomplete. */
uint64_t txtap_zephyr_ctf_seq(const struct txtap_zephyr_ctf *ctf);

/* Returns the ticks of the next record. header: its first layout->header_bytes bytes. */
uint64_t txtap_zephyr_ctf_ticks(const struct txtap_zephyr_ctf *ctf, const uint8_t *header);

/*
 * Returns the record of an event. A sink may call the function while it takes this event. fields[0..length): set to the
 * first bytes after the record's header, at most TXTAP_ZEPHYR_CTF_KEPT bytes.
 */
const struct txtap_ctf_event *txtap_zephyr_ctf_record(const struct txtap_zephyr_ctf *ctf,
                                                      const struct txtap_event *event, const uint8_t **fields,
                                                      size_t *length);

/* Ends the stream: no further items come. */
enum txtap_status txtap_zephyr_ctf_end(struct txtap_zephyr_ctf *ctf);

/* Like txtap_zephyr_logger_lacks(), for CTF. The result is complete only after the last record. */
const char *txtap_zephyr_ctf_lacks(struct txtap_zephyr_ctf *ctf);

#endif
