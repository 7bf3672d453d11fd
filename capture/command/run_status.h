/* SPDX-License-Identifier: MIT */
/* What a command that follows a target says of itself while it does: what it reads, how fast, and what is lost. */
#ifndef TXTAP_CAPTURE_COMMAND_RUN_STATUS_H
#define TXTAP_CAPTURE_COMMAND_RUN_STATUS_H

#include <stdint.h>

#include "attach/attach.h"
#include "base/status_line.h"

struct run_status {
    bool quiet;
    struct status_line line;
    uint64_t begin_us, sampled_us;
    uint64_t written;   /* events in all, lost ones too, when it was sampled */
    double rate;        /* of events written per second, between the last two samples */
    uint64_t unread;    /* most entries that waited in the ring since then */
    uint32_t capacity;  /* of the ring, in entries; 0: not known */
    bool advised;       /* about a loss: once is enough */
    const char *advice; /* what helps; NULL: nothing that could be said */
    bool drops;         /* the target drops events while the ring is full */
    char text[128];
};

/* Says in one line on standard error which trace buffer is read, and through what. */
void run_status_begin(struct run_status *status, const struct options *options, const struct attachment *attachment,
                      const struct poller *poller, uint64_t now_us);

/*
 * To be called often. stats: as they are now. may_draw: all that was printed has reached the terminal. Says once, when
 * events are lost, how many there are and how many can be read.
 */
void run_status_step(struct run_status *status, const struct stream_stats *stats, bool may_draw, uint64_t now_us);

/* Something else is about to be printed. */
static inline void run_status_make_room(struct run_status *status)
{
    if (status->line.drawn)
        status_line_erase(&status->line);
}

#endif
