/* SPDX-License-Identifier: MIT */
/* The loop of the commands that follow a target: how long it runs, what it reports, and how it ends. */
#ifndef TXTAP_CAPTURE_COMMAND_RUN_LOOP_H
#define TXTAP_CAPTURE_COMMAND_RUN_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "attach/attach.h"
#include "crash/fault_watch.h"
#include "log/logs.h"
#include "options/options.h"
#include "record/recorder.h"
#include "stream/event_stream.h"

/* ---- the status line ---- */

struct status_line {
    bool wanted; /* true: standard error is a terminal on which a line can be erased */
    bool drawn;
};

#define RUN_ADVICE_BYTES 400

struct run_status {
    bool quiet;
    struct status_line line;
    uint64_t sampled_us;
    uint64_t written;            /* events written up to the last sample, including lost events */
    double rate;                 /* events that the target wrote per second, between the last two samples */
    uint64_t unread;             /* largest number of entries that waited in the ring since the last sample */
    uint32_t capacity;           /* capacity of the ring in entries; 0: unknown */
    char said[RUN_ADVICE_BYTES]; /* the advice against losses, on one line; "": no advice yet. It is given only once */
    const char *advice;          /* the ring's part of the advice; NULL: no advice */
    bool drops;                  /* the target drops events while the ring is full */
    struct {                     /* counts at the start of the interval in which losses lead to advice */
        uint64_t us, events, lost, reconnections;
    } since;
    char text[128];
};

/*
 * Updates the line. Call it often. stats: the current counts. may_draw: true if all printed text has reached the
 * terminal. If events are lost, prints advice once, with the rates of written and read events. Events lost while the
 * connection or the probe was away do not lead to advice.
 */
void run_status_step(struct run_status *status, const struct stream_stats *stats, bool may_draw, uint64_t now_us);

struct run_loop {
    const struct options *options;
    bool silent; /* true: print nothing on standard error before run_loop_end() */
    struct attachment *attachment;
    struct event_stream stream;
    struct fault_watch faults; /* a guest of the stream, if the target may be running */
    struct txtap_sink next;    /* the command's sink */
    uint64_t begin_us, deadline_us;
    uint64_t unread_events, unread_gaps; /* events that the poller has read but the command has lost, and their gaps */
    uint64_t undecided;                  /* events that the filter left out, although they may match */
    uint64_t records;                    /* events that the command found in a ring of bytes */
    bool attached_unsaid;                /* the line "attached" on standard error is still to be printed */
    bool hurries;         /* set by the command: polls often, so that the rate of the time stamps is known soon */
    double used_hz;       /* set by the command: the rate by which it shows times, if it is the firmware's clock */
    double core_clock_hz; /* the firmware's SystemCoreClock; 0: not known */
    bool core_clock_read; /* core_clock_hz was read since the last reset of the target */
    uint64_t core_clock_resets; /* number of resets before that read */
    struct txtap_rate said;     /* the rate that standard error last named; UNKNOWN: no rate yet */
    struct run_status status;
    struct logs *logs;                      /* logs of --log; NULL: no logs */
    uint64_t mark_counts[TXTAP_MARK_KINDS]; /* number of marks of each kind */
    uint64_t stats_us;                      /* when --stats-json is written next; UINT64_MAX: not before the end */
    bool output_busy;                       /* set by the command while its printed text has not reached the terminal */
};

/*
 * Begins a run. `sink` gets all items. Marks are also printed on standard error. silent: true if the command uses the
 * whole screen; then nothing is printed before run_loop_end(). Returns the same failures as poller_init(). After
 * success, call run_loop_end().
 */
enum txtap_status run_loop_begin(struct run_loop *loop, const struct options *options, struct attachment *attachment,
                                 struct txtap_sink sink, bool silent, struct error *error);

/* Prints a mark and gives it to the sink, like a mark from the target. */
enum txtap_status run_loop_mark(struct run_loop *loop, const struct txtap_mark *mark);

/*
 * Returns the best known rate of the time stamps. Reads the firmware's SystemCoreClock when the measured rate is exact
 * enough for a comparison, and again after a reset.
 */
struct txtap_rate run_loop_rate(struct run_loop *loop);

/*
 * Follows the target until Ctrl-C, until the time of --seconds is over, or until the sink, the target or after_step
 * ends the loop. Then reads the events that the target has written so far. after_step: called after each step; ends the
 * loop with a status other than TXTAP_OK. idle: true if the loop waits before the next step. SIGUSR1 prints the summary
 * so far. after_step must handle SIGHUP: see reopen_requested().
 */
enum txtap_status run_loop_run(struct run_loop *loop, enum txtap_status (*after_step)(void *self, bool idle),
                               void *self, struct error *error);

/* Prints the summary, writes --stats-json, and returns the exit code. If status is a failure and error is empty, sets
 * error. */
int run_loop_end(struct run_loop *loop, enum txtap_status status, struct error *error);

/* Prints the error of a target or a file that cannot be opened, and tells it to the command. Returns the exit code. */
int report_unopened(const struct options *options, enum txtap_status status, struct error *error);

typedef int attached_run(const struct options *options, struct attachment *attachment, struct error *error);

/* Runs a whole command: attaches to the target, calls run(), and prints an error if there is one. elf: path of the ELF
 * file, or NULL. Returns the exit code of run(), or of the failure to attach. */
int run_attached(const struct options *options, const char *elf, attached_run *run);

/* ---- description and summary of a recording ---- */

/* Sets the description that a recording contains, but for the rate. Warns about definitions that are too large for a
 * recording. Returns the statuses of identity_add_files(). */
enum txtap_status record_describe(struct identity *identity, const struct options *options,
                                  const struct attachment *attachment, struct error *error);

/* Prints a line on standard error: events, files, bytes, and events lost because the file was too slow. store: name of
 * the store; NULL: the name of the file. */
void record_summary(const struct recording *recording, const char *store);

#endif
