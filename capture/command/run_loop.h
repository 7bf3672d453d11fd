/* SPDX-License-Identifier: MIT */
/* What the commands that follow a target have in common: until when, what is said, and how it ends. */
#ifndef TXTAP_CAPTURE_COMMAND_RUN_LOOP_H
#define TXTAP_CAPTURE_COMMAND_RUN_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "attach/attach.h"
#include "command/run_status.h"
#include "options/options.h"
#include "stream/event_stream.h"
#include "stream/tick_rate.h"

struct run_loop {
    const struct options *options;
    struct attachment *attachment;
    struct event_stream stream;
    struct txtap_sink next; /* the command's own, maybe behind tick_rate */
    uint64_t begin_us, deadline_us;
    uint64_t unread_events, unread_gaps; /* the command's own loss, behind what the poller counts */
    uint64_t records;                    /* events that the command found in bytes */
    struct tick_rate tick_rate;          /* with --hz, which the poller believes */
    bool attached_unsaid;                /* on standard error */
    struct run_status status;
    bool output_busy; /* set by the command: what it printed has not reached the terminal yet */
};

/*
 * sink: takes all items; marks are said on standard error as well. Failures as poller_init(). After success
 * run_loop_end() is due.
 */
enum txtap_status run_loop_begin(struct run_loop *loop, const struct options *options, struct attachment *attachment,
                                 struct txtap_sink sink, struct error *error);

/*
 * Follows the target until Ctrl-C, the time given, the sink's or the target's end, then reads what was written up to
 * then. after_step: called after each; idle says that the next one has to wait. What it returns ends the whole, too.
 * SIGUSR1 prints the summary so far; SIGHUP is for after_step, see reopen_requested().
 */
enum txtap_status run_loop_run(struct run_loop *loop, enum txtap_status (*after_step)(void *self, bool idle),
                               void *self, struct error *error);

/* The summary, the statistics and the exit code for what became of it. A failure without a text in error gets one. */
int run_loop_end(struct run_loop *loop, enum txtap_status status, struct error *error);

typedef int attached_run(const struct options *options, struct attachment *attachment, struct error *error);

/* A whole command: attaches, calls run, whose exit code it returns, and says what ended it. */
int run_attached(const struct options *options, attached_run *run);

#endif
