/* SPDX-License-Identifier: MIT */
/*
 * Reads the ring of Zephyr's kernel event logger while it is written and emptied, without a lock, as one who only looks
 * on. target/event_logger/README.md has the ring, docs/FORMAT.md what holds for a reader and why.
 *
 * The caller alternates txtap_logger_plan(), which says what to read, and txtap_logger_commit(), which judges it; then
 * it takes events and gaps with txtap_logger_next() until there are none. One plan is one exchange with the memory
 * source; its reads must be done in the order given.
 *
 * A position is a number of words written before, plus a constant; position p lies at index p % size.
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
#define TXTAP_LOGGER_AGAIN_BYTES        12         /* its first three, which are read twice */
#define TXTAP_LOGGER_TOTALS_BYTES       12         /* words put, events dropped, events put */
#define TXTAP_LOGGER_SIZE_MAX           (1u << 22) /* words of a ring that is believed */
#define TXTAP_LOGGER_SIZE_MIN           3u
#define TXTAP_LOGGER_SIZE_MIN_UNCOUNTED 16u  /* without totals: a smaller one is lapped too often to be told */
#define TXTAP_LOGGER_WORDS_MAX          255u /* data words of an event */
#define TXTAP_LOGGER_GUARD_WORDS        8u
#define TXTAP_LOGGER_READ_MIN           16u /* words: enough for a guard that is hardly written twice */
#define TXTAP_LOGGER_READS_MAX          6
#define TXTAP_LOGGER_HOLD_US            2000 /* no event takes so long to write */
#define TXTAP_LOGGER_CONTEXT_SWITCH     1u   /* types of the kernel's events */
#define TXTAP_LOGGER_INTERRUPT          2u
#define TXTAP_LOGGER_SLEEP              3u
#define TXTAP_LOGGER_TYPES_BASE         4096u                   /* type n is the TXTB event 4096 + n */
#define TXTAP_LOGGER_MORE_ID            TXTAP_LOGGER_TYPES_BASE /* further words of the event before */
#define TXTAP_LOGGER_THREAD_UNKNOWN     1u                      /* the thread of an event whose ring does not say it */

struct txtap_logger_place {
    enum txtap_endian endian;
    uint32_t ring;      /* address of the ring structure's first word, head */
    uint32_t buffer;    /* of the ring's words */
    uint32_t size;      /* how many these are: SIZE_MIN, without totals SIZE_MIN_UNCOUNTED, to SIZE_MAX */
    uint32_t totals;    /* of the counts that txtap's logger keeps, 0: it is Zephyr's own, which has none */
    bool counts_events; /* with totals: there is a count of events, too */
};

/* A position, and what is known of it. */
struct txtap_logger_mark {
    uint64_t position;
    bool boundary; /* it was the tail, or the head: an event begins there */
    bool events_known;
    uint64_t events;           /* written and dropped before it */
    uint32_t pending;          /* dropped behind it, when it was the tail */
    uint64_t begin_us, end_us; /* the exchange that found it as the tail */
};

/* Events that stand, to be taken. */
struct txtap_logger_run {
    uint64_t from, to; /* positions: of the next one, of the end */
    uint64_t seq;      /* of the next one */
    uint64_t lost;     /* beside what the headers say */
    uint64_t lost_at;  /* before the event there */
    bool exact;
    bool counted;          /* the counts were asked what is missing */
    uint64_t reported;     /* of those dropped before the next one, as lost already */
    uint64_t seen_dropped; /* of the same, as many were seen */
    bool skip_drops;       /* none of those is to be reported */
};

struct txtap_logger_ring {
    struct txtap_logger_place place;
    enum txtap_ring_from from;
    uint32_t copy_words;
    uint32_t *copy;      /* the caller's: the ring's words, position p at p % copy_words */
    uint8_t *raw;        /* the caller's: the answers of one exchange, 4 * size bytes */
    uint32_t read_words; /* at most in one exchange */

    bool only_new;                                  /* the next first look begins at the tail */
    bool sampled;                                   /* the ring was seen once */
    bool ready;                                     /* seq is known */
    bool missed;                                    /* something before next is lost, and not yet reported */
    bool inexact;                                   /* the next loss is "at least" */
    uint64_t seq;                                   /* of the event at next */
    uint64_t next;                                  /* up to here events were given out */
    struct txtap_logger_mark confirmed, read, head; /* up to here it stands; is copied; is written */
    struct txtap_logger_mark attached;              /* until ready: the tail that was seen first */
    uint64_t copied_us, copied_head;                /* when the newest was copied, and the tail then */
    uint64_t collected;                             /* the collector's position */
    uint32_t words_at_head, events_raw;
    uint32_t words_seen; /* the count of words that was read last */
    uint64_t events_at_head;
    bool counted;         /* events_raw and events_at_head are known */
    bool based;           /* events_base is known: */
    uint64_t events_base; /* how many events there were before the stream's first */
    uint64_t guard; /* without totals: position of some words that were read last, to see when they are overwritten */
    uint32_t guard_count, guard_words[TXTAP_LOGGER_GUARD_WORDS];
    unsigned tries;        /* exchanges that waited for counts that agree */
    bool agreed;           /* the last sample's counts do */
    uint64_t gone_us;      /* since when the guard is overwritten while the tail stands still; 0: it is not */
    uint32_t dropped;      /* as read last: events dropped behind the tail */
    uint64_t reported;     /* of them, as lost already */
    uint64_t seen_dropped; /* before the event at next, at least: so many were behind it when it was the tail */
    uint64_t dropped_us;
    bool skip_drops; /* those before the first event: they are older than the attach */

    struct txtap_logger_run runs[4];
    size_t run_count, run_at;

    bool seen;                           /* what follows was set by the last commit */
    bool seen_counted;                   /* no loss of unknown size before it */
    uint64_t seen_seq;                   /* all before this event were written between these times, */
    uint64_t seen_begin_us, seen_end_us; /* none from it on before the first of them */
};

/* One exchange. To be kept unmoved until committed. */
struct txtap_logger_plan {
    struct txtap_read reads[TXTAP_LOGGER_READS_MAX];
    size_t count;
    uint64_t first, end; /* positions of the words that are read */
    bool first_guard;    /* the words read are the first guard, and nothing is taken for an event yet */
    uint64_t begin_us;
    uint8_t totals[TXTAP_LOGGER_TOTALS_BYTES], ring[TXTAP_LOGGER_RING_BYTES], again[TXTAP_LOGGER_AGAIN_BYTES];
    uint8_t totals_after[TXTAP_LOGGER_TOTALS_BYTES], guard_after[4 * TXTAP_LOGGER_GUARD_WORDS];
};

/* An event as the logger put it, or a gap: txtap_logger_entry() makes an entry of it, of which events are made. */
struct txtap_logger_item {
    uint64_t seq;   /* of the event, or of the first one lost. Those that the target dropped have one, too */
    uint64_t lost;  /* 0: an event */
    bool exact;     /* of a gap */
    uint32_t lap;   /* of a gap that is not: it may be larger by this, or by several times this */
    uint32_t type;  /* 0 to 65535 */
    uint32_t count; /* of words */
    uint32_t words[TXTAP_LOGGER_WORDS_MAX];
};

/*
 * Where the ring structure lies within the logger's: the offset of its first word. bytes: the logger's structure as
 * read, of any content. *size: the ring's words, 0 if that is not known; set to what the structure says. False if there
 * is no ring structure for that buffer in it: the logger was not initialised, or this is none.
 */
bool txtap_logger_find(const uint8_t *bytes, size_t length, enum txtap_endian endian, uint32_t buffer, uint32_t *size,
                       uint32_t *offset);

/*
 * What a reader begins with. FROM_OLDEST: with what has not been collected yet. FROM_START: the logger was started just
 * now, so what it wrote and is gone is lost. All memory is the caller's for as long as the ring is used.
 */
struct txtap_logger_config {
    const struct txtap_logger_place *place; /* copied */
    uint32_t *copy;                         /* room for copy_words words: place->size or more. The more, the */
    uint32_t copy_words;                    /* longer events may wait for counts that agree in a busy target */
    uint8_t *raw;                           /* room for place->size words */
    uint32_t read_words;                    /* how many words one exchange may read, READ_MIN or more */
    enum txtap_ring_from from;
};

void txtap_logger_init(struct txtap_logger_ring *ring, const struct txtap_logger_config *config);

/* Says what to read next. now_us: any monotonic clock in microseconds, the same for all calls. */
void txtap_logger_plan(struct txtap_logger_ring *ring, struct txtap_logger_plan *plan, uint64_t now_us);

/*
 * Takes the answers to a plan, all of whose reads succeeded. TXTAP_ERROR_POINTER: head or tail is no index;
 * TXTAP_ERROR_MOVED: the logger was restarted, or has another buffer. Nothing changed then.
 */
enum txtap_status txtap_logger_commit(struct txtap_logger_ring *ring, const struct txtap_logger_plan *plan,
                                      uint64_t now_us);

/* The next event or gap that stands: false if there is none until another commit or finish. */
bool txtap_logger_next(struct txtap_logger_ring *ring, struct txtap_logger_item *item);

/*
 * After the last exchange: what was written before position until (a value that ring->head.position had) and cannot be
 * told to be whole is lost, and so is what the target dropped since; 0: neither, it may be read on. Then next().
 */
void txtap_logger_finish(struct txtap_logger_ring *ring, uint64_t until);

/* Words known to be written and not yet taken. */
uint64_t txtap_logger_unread(const struct txtap_logger_ring *ring);

/* Is there something to be learned from another exchange at once? */
bool txtap_logger_hurries(const struct txtap_logger_ring *ring);

/* ---- as TXTB events ---- */

/* What becomes of one event's stamp. All zero before the first. */
struct txtap_logger_clock {
    uint32_t last;
    bool known;
};

/*
 * Writes an event as the entry of a TXTB ring, little-endian, with the words that its id's definition describes;
 * words[0..*count) are all of these: the entry's four, and those beyond. zephyr: it was written by Zephyr's own logger,
 * whose sleep event has other words and whose stamps may go back a little.
 */
void txtap_logger_entry(struct txtap_logger_clock *clock, const struct txtap_logger_item *item, bool zephyr,
                        uint8_t entry[TXTB_ENTRY_BYTES], uint32_t words[TXTAP_LOGGER_WORDS_MAX], uint32_t *count);

/* Up to four further words of the event whose entry is before, as an entry of their own, for a file that has only
 * entries. */
void txtap_logger_more(const uint8_t before[TXTB_ENTRY_BYTES], const uint32_t *words, uint32_t count,
                       uint8_t entry[TXTB_ENTRY_BYTES]);

TXTAP_API_END

#endif
