/* SPDX-License-Identifier: MIT */
/* The checks of a run: takes figures, and says which checks hold: as lines, as JSON, as CSV, as JUnit's XML. */
#ifndef TXTAP_CAPTURE_FIGURES_CHECKS_H
#define TXTAP_CAPTURE_FIGURES_CHECKS_H

#include <stddef.h>
#include <stdio.h>

#include "base/failure.h"
#include "base/similar.h"
#include "options/options.h"
#include "txtap/analysis.h"
#include "txtap/check.h"

struct check_entry {
    const struct txtap_check *check; /* borrowed */
    struct txtap_check_result result;
    struct similar similar; /* names of subjects, for one that matches none */
};

struct checks {
    struct check_entry *entries; /* count of them */
    size_t count;
    const char *option; /* for messages: what stands before a check on the command line */
    double tick_hz;     /* 0: unknown */
    bool partial;       /* other kernels' events: some figures are missing because nothing is recorded for them */
};

/* The sections whose figures a list of checks looks at: 0 if it is empty. */
uint32_t checks_sections(const struct txtap_check *list, size_t count);

/*
 * list: count checks, borrowed, which may be none. option: "--check '", or what else stands before them; borrowed.
 * tick_hz: 0 is unknown. ERROR_USAGE: a check compares with seconds, and the rate of the ticks is not known; error says
 * so. On success the caller frees it with checks_free().
 */
enum txtap_status checks_init(struct checks *checks, const struct txtap_check *list, size_t count, const char *option,
                              double tick_hz, struct error *error);
void checks_free(struct checks *checks);

/* Forgets all figures that were taken. */
void checks_restart(struct checks *checks);

/* subject_name: of the figure's subject, "" if it has none. */
void checks_take(struct checks *checks, const struct txtap_figure *figure, const char *subject_name);

/* Events that are missing, where no analysis can know it: at the end of a file. exact: false if more may be. */
void checks_take_lost(struct checks *checks, uint64_t lost, bool exact);

/* What gaps hide of the trace, for txtap_check_end(). */
struct txtap_check_trace checks_trace(const struct checks *checks, const struct txtap_analysis_summary *summary);

/*
 * Once all figures are taken. TXTAP_ERROR_USAGE: a check is about nothing in this trace; error says which, and it
 * counts as undecided. Without any event all are undecided.
 */
enum txtap_status checks_complete(struct checks *checks, const struct txtap_analysis_summary *summary,
                                  struct error *error);

/* EXIT_DONE, EXIT_CHECK_FAILED or EXIT_CHECK_UNDECIDED. */
enum exit_code checks_exit_code(const struct checks *checks);

#define CHECKS_RESULT_BYTES 1024

/* What was measured for check i: "213 us of control, event 1234 at 0.500000 s". Printable. */
void checks_result_text(const struct checks *checks, size_t i, char text[static CHECKS_RESULT_BYTES]);

/* One line each: "FAIL     wake(control).p99 <= 200us   213 us of control, event 1234". */
void checks_show_text(const struct checks *checks, FILE *out);

/* An array with an object each. No line end. */
void checks_show_json(const struct checks *checks, FILE *out);

/* A line of column names, and one for each check. */
void checks_show_csv(const struct checks *checks, FILE *out);

/* A whole document. A check that is undecided is an error there, as a test that could not be run. */
void checks_show_junit(const struct checks *checks, FILE *out);

/* The same as a file, which is replaced if it exists. On failure error says why. */
enum txtap_status checks_write_junit(const struct checks *checks, const char *path, struct error *error);

#endif
