/* SPDX-License-Identifier: MIT */
/*
 * When each entry of a ring was written, by when the ring's pointer was read: after the last exchange that found the
 * pointer not beyond the entry, and before the end of the first one that found it beyond.
 */
#ifndef TXTAP_CAPTURE_STREAM_WRITE_TIME_H
#define TXTAP_CAPTURE_STREAM_WRITE_TIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WRITE_TIMES_MAX 64

struct write_time {
    uint64_t head;     /* all entries before this position were written ... */
    uint64_t first_us; /* ... by then, the end of an exchange; */
    uint64_t last_us;  /* nothing from head on was written yet when this exchange began; 0: not known */
};

/* One for each head, in the order of heads. */
struct write_times {
    struct write_time at[WRITE_TIMES_MAX];
    size_t count;
};

/* The first exchange; arguments as in write_times_note(). When the entries before head were written is unknown. */
void write_times_start(struct write_times *write_times, uint64_t head, bool exact, uint64_t begin_us, uint64_t end_us);

/*
 * An exchange from begin_us to end_us found the writer at head, or further if not exact. next: entries before it will
 * not be asked for any more.
 */
void write_times_note(struct write_times *write_times, uint64_t head, bool exact, uint64_t begin_us, uint64_t end_us,
                      uint64_t next);

/* When the entry at position was written, and those behind it up to *until, which is beyond position. *from_us 0: not
 * known. */
void write_times_find(const struct write_times *write_times, uint64_t position, uint64_t *from_us, uint64_t *to_us,
                      uint64_t *until);

#endif
