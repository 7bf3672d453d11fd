/* SPDX-License-Identifier: MIT */
/*
 * Watches checks while a target is followed: a sink before the command's sink analyses all items. It reports each
 * violation when it begins, and at the end the result of each check.
 */
#ifndef TXTAP_CAPTURE_COMMAND_CHECK_WATCH_H
#define TXTAP_CAPTURE_COMMAND_CHECK_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "options/options.h"
#include "figures/checks.h"
#include "output/translation.h"
#include "txtap/analysis.h"
#include "txtap/item.h"

#define CHECK_WATCH_EVERY_US  100000  /* minimum interval between two judgements */
#define CHECK_WATCH_SHARE     20      /* judging takes at most one 20th of the time */
#define CHECK_WATCH_SETTLE_US 1000000 /* a violation that later events may undo is reported only after this time */

/* Takes a violation: a mark or a trigger, with borrowed text. A status other than TXTAP_OK ends the run. */
typedef enum txtap_status violation_take(void *self, const struct txtap_mark *mark);

/* Checks with the same purpose: marks or triggers. */
struct watched_checks {
    struct checks checks;
    bool *violated;            /* for each check: it was violated at the last judgement */
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
    struct translation translation;  /* before analysis */
    const struct txtap_registry *names;
    uint32_t generation; /* generation of names when the analysis last learned them */
    bool learnt;
    struct watched_checks marks, triggers;
    uint64_t next_seq;         /* seq of the next event */
    uint64_t begun_us, due_us; /* time of the first judgement (begun_us) and of the next (due_us) */
};

/*
 * Opens all checks of the options. names: names of objects; borrowed. They may change between two events; names in
 * other kernels' events are added. now_us, wall_us: clocks. TXTAP_ERROR_USAGE: the checks cannot be judged; error has
 * the reason. After success, call check_watch_close().
 */
enum txtap_status check_watch_open(struct check_watch *watch, const struct options *options,
                                   struct txtap_registry *names, uint64_t (*now_us)(void), uint64_t (*wall_us)(void),
                                   struct error *error);
void check_watch_close(struct check_watch *watch);

/* Returns the sink to use instead of `next`; if there are no checks, returns `next` itself. */
struct txtap_sink check_watch_sink(struct check_watch *watch, struct txtap_sink next);

/* Judges the checks if it is time, and reports new violations. Call it after each poll. */
enum txtap_status check_watch_step(struct check_watch *watch);

/* Judges the checks for the last time, and reports new violations. Call it after the last item. */
enum txtap_status check_watch_finish(struct check_watch *watch);

/*
 * Shows the results on standard error, writes --junit, and returns the exit code. Call it after check_watch_finish().
 * code: exit code of the run, without the checks. With --quiet it shows the results only if a check is not ok. error:
 * gets the reason if a check is wrong.
 */
int check_watch_end(struct check_watch *watch, int code, struct error *error);

#endif
