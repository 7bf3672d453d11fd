/* SPDX-License-Identifier: MIT */
/* The loop of the commands that follow a target: until when it runs, what it reports, and how it ends. */
#ifndef TXTAP_CAPTURE_COMMAND_RUN_LOOP_H
#define TXTAP_CAPTURE_COMMAND_RUN_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "attach/attach.h"
#include "options/options.h"
#include "record/recorder.h"
#include "stream/event_stream.h"

/* ---- the status line ---- */

struct status_line {
    bool wanted; /* standard error is a terminal that can erase a line */
    bool drawn;
};

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

/*
 * To be called often. stats: the current ones. may_draw: everything that was printed has reached the terminal. Prints
 * once, when events are lost, how many are written, how many can be read, and what helps: not against what was lost
 * while the connection or the probe was away.
 */
void run_status_step(struct run_status *status, const struct stream_stats *stats, bool may_draw, uint64_t now_us);

struct run_loop {
    const struct options *options;
    bool silent; /* nothing is said on standard error before run_loop_end() */
    struct attachment *attachment;
    struct event_stream stream;
    struct txtap_sink next; /* the command's sink */
    uint64_t begin_us, deadline_us;
    uint64_t unread_events, unread_gaps; /* lost by the command itself, after the poller had counted them as read */
    uint64_t undecided;                  /* events that it left out, though they may match */
    uint64_t records;                    /* events that the command found in bytes */
    bool attached_unsaid;                /* a line on standard error that says so is due */
    struct run_status status;
    bool output_busy; /* set by the command: what it printed has not reached the terminal yet */
};

/*
 * sink: gets all items; marks are also reported on standard error, unless silent: the screen is in use until
 * run_loop_end(). Failures as poller_init(). After success
 * run_loop_end() is due.
 */
enum txtap_status run_loop_begin(struct run_loop *loop, const struct options *options, struct attachment *attachment,
                                 struct txtap_sink sink, bool silent, struct error *error);

/* Reports a mark and gives it to the sink, as one that comes from the target. */
enum txtap_status run_loop_mark(struct run_loop *loop, const struct txtap_mark *mark);

/*
 * Follows the target until Ctrl-C, until the time is over, or until the sink or the target ends it. Then reads what was
 * written up to then. after_step: called after each step; idle: the next step will wait. A status of its other than
 * TXTAP_OK ends the loop, too. SIGUSR1 prints the summary so far; SIGHUP is left to after_step: see reopen_requested().
 */
enum txtap_status run_loop_run(struct run_loop *loop, enum txtap_status (*after_step)(void *self, bool idle),
                               void *self, struct error *error);

/* Prints the summary, writes the statistics, and returns the exit code. A failure without a text in error gets one. */
int run_loop_end(struct run_loop *loop, enum txtap_status status, struct error *error);

typedef int attached_run(const struct options *options, struct attachment *attachment, struct error *error);

/* Runs a whole command: attaches to what that ELF file, or NULL, describes, calls run, prints the error if there is
 * one, and returns run's exit code. */
int run_attached(const struct options *options, const char *elf, attached_run *run);

/* ---- the recording that was written ---- */

/* Prints a line on standard error: events, files, bytes, and what the file was too slow for. */
void record_summary(const struct recording *recording);

#endif
