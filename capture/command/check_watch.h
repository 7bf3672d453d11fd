/* SPDX-License-Identifier: MIT */
/*
 * Checks while a target is followed: a sink in front of the command's, which analyses all that comes. Says when a check
 * becomes violated, and at the end which ones hold.
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

#define CHECK_WATCH_EVERY_US  100000  /* checks are judged this often at most, */
#define CHECK_WATCH_SHARE     20      /* and in no more than one 20th of the time */
#define CHECK_WATCH_SETTLE_US 1000000 /* a violation that more events may undo is not told before */

/* Takes a violation: a mark, or a trigger, whose text is borrowed. Anything but TXTAP_OK ends the run. */
typedef enum txtap_status violation_take(void *self, const struct txtap_mark *mark);

/* Checks with the same purpose. */
struct watched_checks {
    struct checks checks;
    bool *violated;            /* for each check: it was when it was judged last */
    enum txtap_mark_kind kind; /* CHECK, or TRIGGER */
    violation_take *take;
    void *self;
};

struct check_watch {
    const struct options *options;
    uint64_t (*now_us)(void);  /* never jumps */
    uint64_t (*wall_us)(void); /* since 1970 */
    struct txtap_sink next;
    struct txtap_analysis *analysis; /* NULL: there are no checks */
    struct translation translation;  /* in front of it */
    const struct txtap_registry *names;
    uint32_t generation; /* of the names that the analysis has learnt */
    bool learnt;
    struct watched_checks marks, triggers;
    uint64_t next_seq;         /* of the next event */
    uint64_t begun_us, due_us; /* the first judgement, and the next one */
};

/*
 * Of all checks of the options. names: of objects; borrowed, may change between two events, and learns names from other
 * kernels' events. now_us, wall_us: clocks. TXTAP_ERROR_USAGE: they cannot be judged; error says why. After success
 * check_watch_close() is due.
 */
enum txtap_status check_watch_open(struct check_watch *watch, const struct options *options,
                                   struct txtap_registry *names, uint64_t (*now_us)(void), uint64_t (*wall_us)(void),
                                   struct error *error);
void check_watch_close(struct check_watch *watch);

/* What to put in front of next: next itself if there are no checks. */
struct txtap_sink check_watch_sink(struct check_watch *watch, struct txtap_sink next);

/* Judges the checks if it is time, and tells those that have become violated. To be called after each poll. */
enum txtap_status check_watch_step(struct check_watch *watch);

/* No further items come: judges the checks for the last time, and tells as check_watch_step() does. */
enum txtap_status check_watch_finish(struct check_watch *watch);

/*
 * After check_watch_finish(): shows the results on standard error, writes --junit, and returns the exit code of a run
 * that came to code. With --quiet only results that are not all ok are shown. error: set if it says what is wrong.
 */
int check_watch_end(struct check_watch *watch, int code, struct error *error);

#endif
