/* SPDX-License-Identifier: MIT */
/*
 * When each entry of a ring was written, as far as looking at its pointer tells: after the last exchange that found the
 * pointer not behind it, before the end of the first one that did.
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
    uint64_t last_us;  /* none from it on was, when this one, maybe of a head before, began. 0: not known */
};

/* The last of each head, in the order of their heads. */
struct write_times {
    struct write_time at[WRITE_TIMES_MAX];
    size_t count;
};

/*
 * The first exchange, as write_times_note() takes it: nobody knows since when the entries before head had been written.
 */
void write_times_start(struct write_times *write_times, uint64_t head, bool exact, uint64_t begin_us, uint64_t end_us);

/*
 * An exchange from begin_us to end_us found the writer at head, or further if it is not exact. next: entries before it
 * will not be asked for any more.
 */
void write_times_note(struct write_times *write_times, uint64_t head, bool exact, uint64_t begin_us, uint64_t end_us,
                      uint64_t next);

/* When the entry at position was written, at least 1 and up to all following ones before *until. *from_us 0: not known.
 */
void write_times_find(const struct write_times *write_times, uint64_t position, uint64_t *from_us, uint64_t *to_us,
                      uint64_t *until);

#endif
