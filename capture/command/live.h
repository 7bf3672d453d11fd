/* SPDX-License-Identifier: MIT */
/* What the commands that follow a target have in common: until when, what is said, and how it ends. */
#ifndef TXTAP_CAPTURE_COMMAND_LIVE_H
#define TXTAP_CAPTURE_COMMAND_LIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "attach/attach.h"
#include "command/live_status.h"
#include "options/options.h"
#include "stream/follow.h"
#include "stream/tick_rate.h"

struct live {
    const struct options *options;
    struct attachment *attachment;
    struct follower follower;
    struct txtap_sink next; /* the command's own, maybe behind tick_rate */
    uint64_t begin_us, deadline_us;
    uint64_t unread_events, unread_gaps; /* the command's own loss, behind what the session counts */
    uint64_t records;                    /* events that the command found in bytes */
    struct tick_rate tick_rate;          /* with --hz, which the session believes */
    bool attached_unsaid;                /* on standard error */
    struct live_status status;
    bool output_busy; /* set by the command: what it printed has not reached the terminal yet */
};

/*
 * sink: takes all items; marks are said on standard error as well. Failures as session_init(). After success live_end()
 * is due.
 */
enum txtap_status live_begin(struct live *live, const struct options *options, struct attachment *attachment,
                             struct txtap_sink sink, struct error *error);

/*
 * Follows the target until Ctrl-C, the time given, the sink's or the target's end, then reads what was written up to
 * then. after_step: called after each; idle says that the next one has to wait. What it returns ends the whole, too.
 * SIGUSR1 prints the summary so far; SIGHUP is for after_step, see reopen_requested().
 */
enum txtap_status live_follow(struct live *live, enum txtap_status (*after_step)(void *self, bool idle), void *self,
                              struct error *error);

/* The summary, the statistics and the exit code for what became of it. A failure without a text in error gets one. */
int live_end(struct live *live, enum txtap_status status, struct error *error);

typedef int live_run(const struct options *options, struct attachment *attachment, struct error *error);

/* A whole command: attaches, calls run, whose exit code it returns, and says what ended it. */
int live_command(const struct options *options, live_run *run);

#endif
