/* SPDX-License-Identifier: MIT */
/* The status that a command shows while it follows a target: what it reads, how fast, and what is lost. */
#ifndef TXTAP_CAPTURE_COMMAND_RUN_STATUS_H
#define TXTAP_CAPTURE_COMMAND_RUN_STATUS_H

#include <stdbool.h>
#include <stdint.h>

#include "attach/attach.h"

struct status_line {
    bool wanted; /* standard error is a terminal that can erase a line */
    bool drawn;
};

/* quiet: never draws. */
void status_line_init(struct status_line *line, bool quiet);

/* Draws the text, which is printable ASCII, in place of the last one, and cuts it to the terminal's width. */
void status_line_draw(struct status_line *line, const char *text);

void status_line_erase(struct status_line *line);

struct run_status {
    bool quiet;
    struct status_line line;
    uint64_t sampled_us;
    uint64_t written;   /* events written up to the last sample, lost ones included */
    double rate;        /* of events written per second, between the last two samples */
    uint64_t unread;    /* the most entries that waited in the ring since then */
    uint32_t capacity;  /* of the ring, in entries; 0: not known */
    bool advised;       /* the advice against losses was given: once is enough */
    const char *advice; /* what helps against losses; NULL: no advice */
    bool drops;         /* the target drops events while the ring is full */
    struct {            /* what it is given by: since then, without what an interruption cost */
        uint64_t us, events, lost, reconnections;
    } since;
    char text[128];
};

/* Prints one line on standard error: which trace buffer is read, and through what. */
void run_status_begin(struct run_status *status, bool quiet, const struct attachment *attachment,
                      const struct poller *poller, uint64_t now_us);

/*
 * To be called often. stats: the current ones. may_draw: everything that was printed has reached the terminal. Prints
 * once, when events are lost, how many are written, how many can be read, and what helps: not against what was lost
 * while the connection or the probe was away.
 */
void run_status_step(struct run_status *status, const struct stream_stats *stats, bool may_draw, uint64_t now_us);

/* To be called before something else is printed. */
static inline void run_status_make_room(struct run_status *status)
{
    if (status->line.drawn)
        status_line_erase(&status->line);
}

#endif
