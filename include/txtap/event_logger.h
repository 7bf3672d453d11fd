/* SPDX-License-Identifier: MIT */
/*
 * Reads the ring of Zephyr's kernel event logger while the target writes and empties the ring. The reader needs no
 * lock, and does not take events from the target's own collector. target/event_logger/README.md describes the ring,
 * docs/reference/zephyr.md the rules of a safe reader.
 *
 * The caller alternates txtap_logger_plan(), which plans the reads, and txtap_logger_commit(), which judges the
 * answers. After each commit the caller takes events and gaps with txtap_logger_next() until there are no more. One
 * plan is one exchange with the memory source. The caller must make the reads in the order of the plan.
 *
 * The position of a word is the number of words written before it, plus a constant; position p is at index p % size.
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

#define TXTAP_LOGGER_RING_BYTES         24         /* six words: head, tail, dropped, size, buffer, mask */
#define TXTAP_LOGGER_AGAIN_BYTES        12         /* head, tail and dropped, which are read a second time */
#define TXTAP_LOGGER_TOTALS_BYTES       12         /* three words: words put, events dropped, events put */
#define TXTAP_LOGGER_SIZE_MAX           (1u << 22) /* words of the largest accepted ring */
#define TXTAP_LOGGER_SIZE_MIN           3u
#define TXTAP_LOGGER_SIZE_MIN_UNCOUNTED 16u  /* without totals, laps of a smaller ring stay unnoticed */
#define TXTAP_LOGGER_WORDS_MAX          255u /* data words of an event */
#define TXTAP_LOGGER_GUARD_WORDS        8u
#define TXTAP_LOGGER_READ_MIN           16u /* words of one exchange; a shorter guard could recur by chance */
#define TXTAP_LOGGER_READS_MAX          6
#define TXTAP_LOGGER_HOLD_US            2000 /* microseconds; the target writes an event in less time */
#define TXTAP_LOGGER_CONTEXT_SWITCH     1u   /* event types of the kernel */
#define TXTAP_LOGGER_INTERRUPT          2u
#define TXTAP_LOGGER_SLEEP              3u
#define TXTAP_LOGGER_TYPES_BASE         4096u                   /* type n is the TXTB event 4096 + n */
#define TXTAP_LOGGER_MORE_ID            TXTAP_LOGGER_TYPES_BASE /* further words of the preceding event */
#define TXTAP_LOGGER_THREAD_UNKNOWN     1u                      /* thread of an event that does not record it */

struct txtap_logger_place {
    enum txtap_endian endian;
    uint32_t ring;   /* address of the ring structure's first word, head */
    uint32_t buffer; /* address of the ring's words */
    uint32_t size;   /* number of words: SIZE_MIN (without totals SIZE_MIN_UNCOUNTED) to SIZE_MAX */
    uint32_t totals; /* address of the counts of txtap's logger; 0: Zephyr's own logger, which has no counts */
};

#define TXTAP_LOGGER_STORAGE 896 /* bytes of a struct txtap_logger_ring */

/* A reader of one ring. Its content is private: use txtap_logger_state(). */
struct txtap_logger_ring {
    union {
        unsigned char bytes[TXTAP_LOGGER_STORAGE];
        uint64_t aligned;
    } storage;
};

/* The progress of a reader after the last call, and bounds of the time at which events were written. */
struct txtap_logger_state {
    bool sampled;  /* the ring was read at least once, and head is known */
    bool ready;    /* seq is known */
    bool guarded;  /* without totals: the reader has guard words; they change when the writer completes a lap */
    uint64_t head; /* the target has written all words before this position */
    uint64_t next; /* events before this position were delivered */
    uint64_t seq;  /* seq of the event at the position next */

    bool seen;              /* the following fields are valid */
    bool seen_counted;      /* the sizes of all losses before seen_seq are known */
    uint64_t seen_seq;      /* the event whose time is bounded by the next two fields */
    uint64_t seen_begin_us; /* event seen_seq and all later events were written after this time */
    uint64_t seen_end_us;   /* all events before seen_seq were written before this time */
};

/* One exchange. Must not be moved before it is committed. */
struct txtap_logger_plan {
    struct txtap_read reads[TXTAP_LOGGER_READS_MAX];
    size_t count;        /* number of reads */
    uint64_t first, end; /* positions of the words to read */

    /* private */
    bool first_guard; /* the words of this plan become the first guard, and no events */
    uint64_t begin_us;
    uint8_t totals[TXTAP_LOGGER_TOTALS_BYTES], ring[TXTAP_LOGGER_RING_BYTES], again[TXTAP_LOGGER_AGAIN_BYTES];
    uint8_t totals_after[TXTAP_LOGGER_TOTALS_BYTES], guard_after[4 * TXTAP_LOGGER_GUARD_WORDS];
};

/* An event as the logger wrote it, or a gap. txtap_logger_entry() makes a TXTB entry of an event. */
struct txtap_logger_item {
    uint64_t seq;   /* seq of the event, or of the first lost event; events that the target dropped have a seq, too */
    uint64_t lost;  /* events in the gap; 0: this is an event */
    bool exact;     /* false: lost is a lower bound */
    uint32_t lap;   /* an inexact gap may be larger than lost by a multiple of lap */
    uint32_t type;  /* 0 to 65535 */
    uint32_t count; /* number of words */
    uint32_t words[TXTAP_LOGGER_WORDS_MAX];
};

/*
 * Finds the ring structure inside the logger's structure. bytes: the logger's structure, any content. buffer: address
 * of the ring's words. *size: before the call, the ring's size in words, or 0 if it is unknown; after the call, the
 * size in the structure. *offset: set to the offset of the ring structure's first word. Returns false if bytes contain
 * no ring structure for this buffer: the logger is not initialised, or bytes are not a logger.
 */
bool txtap_logger_find(const uint8_t *bytes, size_t length, enum txtap_endian endian, uint32_t buffer, uint32_t *size,
                       uint32_t *offset);

/*
 * The configuration of a reader. FROM_OLDEST: reading begins with the oldest event that was not collected yet.
 * FROM_START: the logger has just started, so every event that is no longer in the ring counts as lost. All memory is
 * borrowed while the reader is in use.
 */
struct txtap_logger_config {
    const struct txtap_logger_place *place; /* copied */
    uint32_t *copy;                         /* room for copy_words words */
    uint32_t copy_words; /* at least place->size; with more words, events can wait longer until the counts of a busy
                            target agree */
    uint8_t *raw;        /* room for place->size words */
    uint32_t read_words; /* words of one exchange, at least READ_MIN */
    enum txtap_ring_from from;
};

void txtap_logger_init(struct txtap_logger_ring *ring, const struct txtap_logger_config *config);

/* Plans the next reads. now_us: microseconds of a monotonic clock, the same clock for all calls. */
void txtap_logger_plan(struct txtap_logger_ring *ring, struct txtap_logger_plan *plan, uint64_t now_us);

/*
 * Takes the answers to a plan after all of its reads succeeded. TXTAP_ERROR_POINTER: head or tail is outside the ring.
 * TXTAP_ERROR_MOVED: the logger restarted, or has another buffer. After an error the ring is unchanged.
 */
enum txtap_status txtap_logger_commit(struct txtap_logger_ring *ring, const struct txtap_logger_plan *plan,
                                      uint64_t now_us);

/* Sets *item to the next event or gap. Returns false if there are no more items until another commit or finish. */
bool txtap_logger_next(struct txtap_logger_ring *ring, struct txtap_logger_item *item);

/*
 * Ends reading. Two kinds of events count as lost: events before the position `until` that are not known to be intact,
 * and events that the target dropped after those. until: the present or an earlier head of the reader's state; 0: no
 * event counts as lost, and reading may continue. The caller then takes the remaining items with txtap_logger_next().
 */
void txtap_logger_finish(struct txtap_logger_ring *ring, uint64_t until);

/* Returns the state of the reader after the last call. */
struct txtap_logger_state txtap_logger_state(const struct txtap_logger_ring *ring);

/* Makes the size of the next gap a lower bound, because events may have been lost unnoticed. */
void txtap_logger_mark_inexact(struct txtap_logger_ring *ring);

/* Returns the number of words known to be written and not yet delivered. */
uint64_t txtap_logger_unread(const struct txtap_logger_ring *ring);

/* Returns true if an exchange at once would probably show more events. */
bool txtap_logger_hurries(const struct txtap_logger_ring *ring);

/* ---- as TXTB events ---- */

/* Private, all zero before the first event. Supplies the stamp of an event that has no stamp of its own. */
struct txtap_logger_clock {
    uint32_t last;
    bool known;
};

/*
 * Writes an event as a little-endian entry of a TXTB ring, with the words that the definition of the event's id
 * describes. words[0..*count): set to all words of the event, including the four words in the entry. zephyr: Zephyr's
 * own logger wrote the event. The sleep event of that logger has other words, and its stamps may go back a little.
 */
void txtap_logger_entry(struct txtap_logger_clock *clock, const struct txtap_logger_item *item, bool zephyr,
                        uint8_t entry[TXTB_ENTRY_BYTES], uint32_t words[TXTAP_LOGGER_WORDS_MAX], uint32_t *count);

/*
 * Writes up to four further words of an event as a separate entry, for a file that contains only entries. before: the
 * event's entry.
 */
void txtap_logger_more(const uint8_t before[TXTB_ENTRY_BYTES], const uint32_t *words, uint32_t count,
                       uint8_t entry[TXTB_ENTRY_BYTES]);

TXTAP_API_END

#endif
