/* SPDX-License-Identifier: MIT */
/*
 * Reads the ring of Zephyr's kernel event logger while the target writes and empties it: without a lock, and without
 * taking events from the target's own collector. target/event_logger/README.md describes the ring, docs/FORMAT.md what
 * a reader may believe and why.
 *
 * The caller alternates txtap_logger_plan(), which says what to read, and txtap_logger_commit(), which judges it; then
 * it takes events and gaps with txtap_logger_next() until there are no more. One plan is one exchange with the memory
 * source; its reads must be done in the order given.
 *
 * The position of a word is the number of words written before it, plus a constant; position p lies at index p % size.
 */
#ifndef TXTAP_EVENT_LOGGER_H
#define TXTAP_EVENT_LOGGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/api.h"
#include "txtap/header.h"
#include "txtap/ring.h"
#include "txtap/source.h"
#include "txtap/status.h"
#include "txtap/txtb.h"

TXTAP_API_BEGIN

#define TXTAP_LOGGER_RING_BYTES         24         /* head, tail, dropped, size, buffer, mask: a word each */
#define TXTAP_LOGGER_AGAIN_BYTES        12         /* the first three of them, which are read twice */
#define TXTAP_LOGGER_TOTALS_BYTES       12         /* words put, events dropped, events put */
#define TXTAP_LOGGER_SIZE_MAX           (1u << 22) /* words of the largest ring that is believed */
#define TXTAP_LOGGER_SIZE_MIN           3u
#define TXTAP_LOGGER_SIZE_MIN_UNCOUNTED 16u  /* without totals: laps of a smaller ring cannot be noticed */
#define TXTAP_LOGGER_WORDS_MAX          255u /* data words of an event */
#define TXTAP_LOGGER_GUARD_WORDS        8u
#define TXTAP_LOGGER_READ_MIN           16u /* words of one exchange: enough for a guard that is unlikely to recur */
#define TXTAP_LOGGER_READS_MAX          6
#define TXTAP_LOGGER_HOLD_US            2000 /* writing an event takes less than this */
#define TXTAP_LOGGER_CONTEXT_SWITCH     1u   /* types of the kernel's events */
#define TXTAP_LOGGER_INTERRUPT          2u
#define TXTAP_LOGGER_SLEEP              3u
#define TXTAP_LOGGER_TYPES_BASE         4096u                   /* type n is the TXTB event 4096 + n */
#define TXTAP_LOGGER_MORE_ID            TXTAP_LOGGER_TYPES_BASE /* further words of the preceding event */
#define TXTAP_LOGGER_THREAD_UNKNOWN     1u                      /* thread of an event that does not record it */

struct txtap_logger_place {
    enum txtap_endian endian;
    uint32_t ring;   /* address of the ring structure's first word, head */
    uint32_t buffer; /* address of the ring's words */
    uint32_t size;   /* in words: SIZE_MIN (without totals SIZE_MIN_UNCOUNTED) to SIZE_MAX */
    uint32_t totals; /* address of the counts that txtap's logger keeps; 0: Zephyr's own logger, which keeps none */
};

/* Private: a position, and what is known about it. */
struct txtap_logger_mark {
    uint64_t position;
    bool boundary;             /* an event begins here: it was the head or the tail */
    bool events_known;         /* the next field is valid */
    uint64_t events;           /* written and dropped before this position */
    uint32_t pending;          /* events dropped behind this position while it was the tail */
    uint64_t begin_us, end_us; /* of the exchange that found the tail here */
};

/* Private: valid events that the caller has not taken yet. */
struct txtap_logger_run {
    uint64_t from, to;     /* positions of the next event and of the end */
    uint64_t seq;          /* of the next event */
    uint64_t lost;         /* events that are missing beside those that headers report as dropped */
    uint64_t lost_at;      /* the gap is before the event at this position */
    bool exact;            /* lost is exact */
    bool counted;          /* the target's counts gave lost */
    uint64_t reported;     /* events dropped before the next one that were already reported as lost */
    uint64_t seen_dropped; /* events dropped before the next one that were seen while its place was the tail */
    bool skip_drops;       /* do not report events dropped before the next one */
};

struct txtap_logger_ring {
    struct txtap_logger_place place;
    enum txtap_ring_from from;
    uint32_t copy_words;
    uint32_t *copy;      /* the caller's: the ring's words, position p at p % copy_words */
    uint8_t *raw;        /* the caller's: the answers of one exchange, 4 * size bytes */
    uint32_t read_words; /* at most in one exchange */

    bool sampled;                  /* the ring was read at least once */
    bool ready;                    /* seq is known */
    bool inexact;                  /* the next loss is "at least" */
    uint64_t seq;                  /* of the event at next */
    uint64_t next;                 /* events before this position were delivered */
    struct txtap_logger_mark head; /* the target has written up to here */

    /* private */
    bool only_new;                            /* the next first sample begins at the tail */
    bool missed;                              /* events before next are lost and not yet reported */
    struct txtap_logger_mark confirmed, read; /* words up to here are valid; are copied */
    struct txtap_logger_mark attached;        /* until ready: the first tail that was seen */
    uint64_t copied_us, copied_head;          /* when the newest words were copied, and the tail at that time */
    uint64_t collected;                       /* the collector's position */
    uint32_t words_at_head, events_raw;       /* the target's counts at head */
    uint32_t words_seen;                      /* the last count of words read */
    uint64_t events_at_head;                  /* events_raw, unwrapped */
    bool counted;                             /* events_raw and events_at_head are known */
    bool based;                               /* events_base is known */
    uint64_t events_base;                     /* events before the stream's first */
    uint64_t guard; /* without totals: position of words that were read last, to see when they are overwritten */
    uint32_t guard_count, guard_words[TXTAP_LOGGER_GUARD_WORDS];
    unsigned tries;        /* exchanges spent waiting for counts that agree */
    bool agreed;           /* the last sample's counts agree */
    uint64_t gone_us;      /* since when the guard is overwritten while the tail stands still; 0: it is not */
    uint32_t dropped;      /* events dropped behind the tail, as last read */
    uint64_t reported;     /* how many of them were already reported as lost */
    uint64_t seen_dropped; /* events dropped before the one at next: at least as many as were seen at the tail */
    uint64_t dropped_us;   /* when the tail moved, or drops were reported, last */
    bool skip_drops;       /* events dropped before the first one are older than the attach: do not report them */

    struct txtap_logger_run runs[4];
    size_t run_count, run_at;

    /* What the last commit shows about the time of events. */
    bool seen;                           /* the following fields are valid */
    bool seen_counted;                   /* no loss of unknown size before seen_seq */
    uint64_t seen_seq;                   /* all events before this one were written before seen_end_us, */
    uint64_t seen_begin_us, seen_end_us; /* and all from it on after seen_begin_us */
};

/* One exchange. Must not be moved before it is committed. */
struct txtap_logger_plan {
    struct txtap_read reads[TXTAP_LOGGER_READS_MAX];
    size_t count;        /* of reads */
    uint64_t first, end; /* positions of the words to read */

    /* private */
    bool first_guard; /* these words become the first guard, and not events */
    uint64_t begin_us;
    uint8_t totals[TXTAP_LOGGER_TOTALS_BYTES], ring[TXTAP_LOGGER_RING_BYTES], again[TXTAP_LOGGER_AGAIN_BYTES];
    uint8_t totals_after[TXTAP_LOGGER_TOTALS_BYTES], guard_after[4 * TXTAP_LOGGER_GUARD_WORDS];
};

/* An event as the logger wrote it, or a gap. txtap_logger_entry() makes a TXTB entry of an event. */
struct txtap_logger_item {
    uint64_t seq;   /* of the event, or of the first event lost; events that the target dropped count, too */
    uint64_t lost;  /* events in the gap; 0: this is an event */
    bool exact;     /* false: lost is the least that the gap may have */
    uint32_t lap;   /* a gap that is not exact may be larger by a multiple of this */
    uint32_t type;  /* 0 to 65535 */
    uint32_t count; /* of words */
    uint32_t words[TXTAP_LOGGER_WORDS_MAX];
};

/*
 * Finds the ring structure inside the logger's structure. bytes: the logger's structure, any content. buffer: address
 * of the ring's words. *size: the ring's size in words, 0 if not known; set to the size that the structure has.
 * *offset: of the ring structure's first word. False if bytes have no ring structure for that buffer: the logger is not
 * initialised, or is something else.
 */
bool txtap_logger_find(const uint8_t *bytes, size_t length, enum txtap_endian endian, uint32_t buffer, uint32_t *size,
                       uint32_t *offset);

/*
 * What a reader begins with. FROM_OLDEST: with the oldest event that was not collected yet. FROM_START: the logger has
 * just started, so events already gone are lost. All memory is borrowed as long as the ring is in use.
 */
struct txtap_logger_config {
    const struct txtap_logger_place *place; /* copied */
    uint32_t *copy;                         /* room for copy_words words */
    uint32_t copy_words;                    /* at least place->size; with more, events can wait longer for counts that
                                               agree while the target is busy */
    uint8_t *raw;                           /* room for place->size words */
    uint32_t read_words;                    /* of one exchange, at least READ_MIN */
    enum txtap_ring_from from;
};

void txtap_logger_init(struct txtap_logger_ring *ring, const struct txtap_logger_config *config);

/* Says what to read next. now_us: any monotonic clock in microseconds, the same for all calls. */
void txtap_logger_plan(struct txtap_logger_ring *ring, struct txtap_logger_plan *plan, uint64_t now_us);

/*
 * Takes the answers to a plan after all of its reads succeeded. TXTAP_ERROR_POINTER: head or tail is outside the ring.
 * TXTAP_ERROR_MOVED: the logger restarted, or has another buffer. After an error the ring is unchanged.
 */
enum txtap_status txtap_logger_commit(struct txtap_logger_ring *ring, const struct txtap_logger_plan *plan,
                                      uint64_t now_us);

/* The next event or gap. False if there are no more until another commit or finish. */
bool txtap_logger_next(struct txtap_logger_ring *ring, struct txtap_logger_item *item);

/*
 * After the last exchange: events before position until (an earlier value of ring->head.position) that are not known to
 * be intact are lost, and so are those that the target dropped since. until 0: nothing is lost, reading may go on. The
 * caller then takes what is left with txtap_logger_next().
 */
void txtap_logger_finish(struct txtap_logger_ring *ring, uint64_t until);

/* Words known to be written and not yet delivered. */
uint64_t txtap_logger_unread(const struct txtap_logger_ring *ring);

/* Will another exchange at once show more? */
bool txtap_logger_hurries(const struct txtap_logger_ring *ring);

/* ---- as TXTB events ---- */

/* Private, all zero before the first event: its stamp is that of events without their own. */
struct txtap_logger_clock {
    uint32_t last;
    bool known;
};

/*
 * Writes an event as a little-endian entry of a TXTB ring, with the words that its id's definition describes.
 * words[0..*count): all of these words, the entry's four and those beyond. zephyr: Zephyr's own logger wrote the event;
 * its sleep event has other words, and its stamps may go back a little.
 */
void txtap_logger_entry(struct txtap_logger_clock *clock, const struct txtap_logger_item *item, bool zephyr,
                        uint8_t entry[TXTB_ENTRY_BYTES], uint32_t words[TXTAP_LOGGER_WORDS_MAX], uint32_t *count);

/* Writes up to four further words of an event as an entry of their own, for a file that has only entries. before: the
 * event's entry. */
void txtap_logger_more(const uint8_t before[TXTB_ENTRY_BYTES], const uint32_t *words, uint32_t count,
                       uint8_t entry[TXTB_ENTRY_BYTES]);

TXTAP_API_END

#endif
