/* SPDX-License-Identifier: MIT */
/*
 * Watches checks while txtap follows a target. A sink analyses all items before the command's sink takes them. A
 * violation is reported when it begins. At the end, the result of each check is reported.
 */
#ifndef TXTAP_CAPTURE_COMMAND_CHECK_WATCH_H
#define TXTAP_CAPTURE_COMMAND_CHECK_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "command/final_stacks.h"
#include "options/options.h"
#include "figures/checks.h"
#include "file/identity.h"
#include "output/translation.h"
#include "txtap/analysis.h"
#include "txtap/definitions.h"
#include "txtap/item.h"

#define CHECK_WATCH_EVERY_US  100000  /* minimum interval between two judgements */
#define CHECK_WATCH_SHARE     20      /* judging takes at most 1/20 of the time */
#define CHECK_WATCH_SETTLE_US 1000000 /* if later events may undo a violation, it is reported only after this time */

/* Takes a violation: a mark or a trigger, with borrowed text. A status other than TXTAP_OK ends the run. */
typedef enum txtap_status violation_take(void *self, const struct txtap_mark *mark);

/* The checks whose violations become marks, or the checks whose violations trigger a recording. */
struct watched_checks {
    struct checks checks;
    bool *violated;            /* for each check: true if it was violated at the last judgement */
    enum txtap_mark_kind kind; /* CHECK or TRIGGER */
    violation_take *take;
    void *self;
};

struct check_watch {
    const struct options *options;
    uint64_t (*now_us)(void);  /* a clock that never jumps */
    uint64_t (*wall_us)(void); /* microseconds since 1970 */
    struct txtap_sink next;
    struct txtap_analysis *analysis; /* NULL: there are no checks */
    struct translation translation;  /* translates items for `analysis` */
    const struct txtap_registry *names;
    struct txtap_definitions *definitions; /* names of interrupts; or NULL */
    struct txtap_interrupts interrupts;    /* the numbers of interrupts so far */
    uint32_t generation;                   /* generation of names when the analysis last learned them */
    bool learnt;
    struct watched_checks marks, triggers;
    struct kernel_stacks stacks;
    uint64_t next_seq;         /* seq of the next event */
    uint64_t begun_us, due_us; /* time of the first judgement (begun_us) and of the next (due_us) */
};

/*
 * Opens all checks of the options. names: names of objects; borrowed. The names may change between two events, and the
 * function adds names that it finds in the events of other kernels. now_us, wall_us: see struct check_watch.
 * TXTAP_ERROR_USAGE: the checks cannot be judged; error has the reason. After success, call check_watch_close().
 */
enum txtap_status check_watch_open(struct check_watch *watch, const struct options *options,
                                   struct txtap_registry *names, uint64_t (*now_us)(void), uint64_t (*wall_us)(void),
                                   struct error *error);
void check_watch_close(struct check_watch *watch);

/*
 * Reads the names of interrupts from the description of the target and from --definitions, so that checks may use them.
 * identity: borrowed only during the call. Call it before the first item. On failure error has the cause.
 */
enum txtap_status check_watch_learn(struct check_watch *watch, const struct identity *identity, struct error *error);

/* Sets the best known rate of the time stamps; ignores an unknown rate. Checks in seconds are undecided until the rate
 * is known. */
void check_watch_rate(struct check_watch *watch, const struct txtap_rate *rate);

/* Returns the sink to use instead of `next`; if there are no checks, returns `next` itself. */
struct txtap_sink check_watch_sink(struct check_watch *watch, struct txtap_sink next);

/* Judges the checks if it is time, and reports new violations. Call it after each poll. */
enum txtap_status check_watch_step(struct check_watch *watch);

/* Reads the stacks of a live target from the kernel, for the last judgement. Does nothing if there are no checks. */
void check_watch_stacks(struct check_watch *watch, const struct run_loop *loop);

/* Judges the checks for the last time, and reports new violations. Call it after the last item. */
enum txtap_status check_watch_finish(struct check_watch *watch);

/*
 * Shows the results on standard error, writes --junit, and returns the exit code. Call it after check_watch_finish().
 * code: exit code of the run without the checks. With --quiet, shows the results only if a check is not ok. If a check
 * is invalid, error gets the reason.
 */
int check_watch_end(struct check_watch *watch, int code, struct error *error);

#endif
