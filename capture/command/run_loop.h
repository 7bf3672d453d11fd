/* SPDX-License-Identifier: MIT */
/* The loop of the commands that follow a target: how long it runs, what it reports, and how it ends. */
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
    uint64_t written;   /* events written up to the last sample, including lost events */
    double rate;        /* events written per second, between the last two samples */
    uint64_t unread;    /* largest number of entries that waited in the ring since the last sample */
    uint32_t capacity;  /* capacity of the ring in entries; 0: unknown */
    bool advised;       /* the advice was printed: it is printed only once */
    const char *advice; /* advice against losses; NULL: no advice */
    bool drops;         /* the target drops events while the ring is full */
    struct {            /* counts at the start of the advice's interval, without losses caused by an interruption */
        uint64_t us, events, lost, reconnections;
    } since;
    char text[128];
};

/*
 * Updates the line. Call it often. stats: the current counts. may_draw: all printed text has reached the terminal. If
 * events are lost, prints once how many are written, how many can be read, and what helps. Events lost while the
 * connection or the probe was away do not count.
 */
void run_status_step(struct run_status *status, const struct stream_stats *stats, bool may_draw, uint64_t now_us);

struct run_loop {
    const struct options *options;
    bool silent; /* nothing is printed on standard error before run_loop_end() */
    struct attachment *attachment;
    struct event_stream stream;
    struct txtap_sink next; /* the command's sink */
    uint64_t begin_us, deadline_us;
    uint64_t unread_events, unread_gaps; /* lost by the command, although the poller had counted them as read */
    uint64_t undecided;                  /* events that the command left out, but that may match */
    uint64_t records;                    /* number of events that the command found in bytes */
    bool attached_unsaid;                /* a line on standard error about attaching is still to be printed */
    struct run_status status;
    bool output_busy; /* set by the command: its printed text has not reached the terminal yet */
};

/*
 * Begins a run. `sink` gets all items. Marks are also printed on standard error. If `silent` is true, nothing is
 * printed, because the screen is in use until run_loop_end(). Returns the same failures as poller_init(). After
 * success, call run_loop_end().
 */
enum txtap_status run_loop_begin(struct run_loop *loop, const struct options *options, struct attachment *attachment,
                                 struct txtap_sink sink, bool silent, struct error *error);

/* Reports a mark and gives it to the sink, as if it came from the target. */
enum txtap_status run_loop_mark(struct run_loop *loop, const struct txtap_mark *mark);

/*
 * Follows the target until Ctrl-C, until the time is over, or until the sink or the target ends it. Then reads the
 * events written up to that time. after_step: called after each step; idle: the next step will wait. If after_step
 * returns a status other than TXTAP_OK, the loop ends, too. SIGUSR1 prints the summary so far. after_step handles
 * SIGHUP: see reopen_requested().
 */
enum txtap_status run_loop_run(struct run_loop *loop, enum txtap_status (*after_step)(void *self, bool idle),
                               void *self, struct error *error);

/* Prints the summary, writes the statistics, and returns the exit code. If error has no text for a failure, sets one.
 */
int run_loop_end(struct run_loop *loop, enum txtap_status status, struct error *error);

typedef int attached_run(const struct options *options, struct attachment *attachment, struct error *error);

/* Runs a whole command: attaches to the target that the options and the ELF file (may be NULL) describe, calls run(),
 * prints the error, if any, and returns the exit code of run(). */
int run_attached(const struct options *options, const char *elf, attached_run *run);

/* ---- summary of a recording ---- */

/* Prints a line on standard error: events, files, bytes, and losses because the file was too slow. */
void record_summary(const struct recording *recording);

#endif
