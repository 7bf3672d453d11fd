/* SPDX-License-Identifier: MIT */
/* The checks of a run. Takes figures, and writes the result of each check as text, JSON, CSV or JUnit XML. */
#ifndef TXTAP_CAPTURE_FIGURES_CHECKS_H
#define TXTAP_CAPTURE_FIGURES_CHECKS_H

#include <stddef.h>
#include <stdio.h>

#include "base/failure.h"
#include "base/similar.h"
#include "txtap/analysis.h"
#include "txtap/check.h"

struct figures;

struct check_entry {
    const struct txtap_check *check; /* borrowed */
    struct txtap_check_result result;
    struct similar similar; /* if the check matches nothing: names of subjects that are similar to its pattern */
};

struct checks {
    struct check_entry *entries; /* `count` entries */
    size_t count;
    const char *option; /* for messages: the text that precedes a check, such as "--check '" */
    struct txtap_rate rate;
    const struct figures *figures; /* names and causes of delays; borrowed; NULL: results have no causes */
    bool partial; /* the trace is of another kernel, which does not record the events for some figures */
};

/* Returns the sections whose figures the checks need; 0 if `count` is 0. */
uint32_t checks_sections(const struct txtap_check *list, size_t count);

/*
 * Prepares the checks. list: `count` checks, borrowed; `count` may be 0. option: the text before a check in messages,
 * such as "--check '"; borrowed. rate: the rate of the time stamps; NULL: the caller sets checks->rate later, when it
 * is known. TXTAP_ERROR_USAGE: the limit of a check is in seconds, but the rate is unknown; error has the text. On
 * success the caller frees *checks with checks_free().
 */
enum txtap_status checks_init(struct checks *checks, const struct txtap_check *list, size_t count, const char *option,
                              const struct txtap_rate *rate, struct error *error);
void checks_free(struct checks *checks);

/* Discards all figures taken so far. */
void checks_restart(struct checks *checks);

/* Takes a figure. subject_name: name of the figure's subject, "" without a name. */
void checks_take(struct checks *checks, const struct txtap_figure *figure, const char *subject_name);

/* Counts `lost` events that are missing at the end of a file, because the analyses cannot see this loss. exact: false
 * if more events may be missing. */
void checks_take_lost(struct checks *checks, uint64_t lost, bool exact);

/* Tells the checks that the trace has no events. Without this, all checks of such a trace are undecided. */
void checks_take_no_events(struct checks *checks);

/* Returns the properties of the trace that txtap_check_end() needs. */
struct txtap_check_trace checks_trace(const struct checks *checks, const struct txtap_analysis_summary *summary);

/*
 * Completes the checks. Call it after the last figure. Without events all checks are undecided. TXTAP_ERROR_USAGE: a
 * check matches nothing in this trace. Then error names the check, and the check is undecided.
 */
enum txtap_status checks_complete(struct checks *checks, const struct txtap_analysis_summary *summary,
                                  struct error *error);

/* Returns EXIT_DONE, EXIT_CHECK_FAILED or EXIT_CHECK_UNDECIDED. */
enum exit_code checks_exit_code(const struct checks *checks);

/* Returns the limit in the unit of the figures; NaN: it is in seconds, and the rate is unknown. tick_hz: 0 if unknown.
 */
double checks_limit(const struct txtap_check *check, double tick_hz);

/* Returns the unit of a check's numbers: "percent", "ticks", "per_second", "bytes" or "count"; static. */
const char *checks_unit(const struct txtap_check *check);

/* Returns "ok", "failed" or "unknown", as in JSON; static. */
const char *checks_verdict(enum txtap_verdict verdict);

#define CHECKS_RESULT_BYTES 1024 /* at least TXTAP_WHY_TEXT_BYTES */

/* Writes the measured value of check i: "213 us of control, event 1234 at 0.500000 s". Printable. */
void checks_result_text(const struct checks *checks, size_t i, char text[static CHECKS_RESULT_BYTES]);

/* Writes the cause of the delay that violates check i. Returns false if the check is ok, or the cause is not known. */
bool checks_cause_text(const struct checks *checks, size_t i, char text[static CHECKS_RESULT_BYTES]);

/* Writes a line for each check: "FAIL     wake(control).p99 <= 200us   213 us of control, event 1234". If a check
 * fails, and the cause of the delay is known, a line with this cause follows. */
void checks_show_text(const struct checks *checks, FILE *out);

/* Writes an array with an object for each check, without a line end. */
void checks_show_json(const struct checks *checks, FILE *out);

/* Writes a line of column names, then a line for each check. */
void checks_show_csv(const struct checks *checks, FILE *out);

/* Writes a whole XML document. An undecided check is reported as a JUnit error, like a test that could not run. */
void checks_show_junit(const struct checks *checks, FILE *out);

/* Writes the JUnit XML to a file. Replaces an existing file. On failure error has the cause. */
enum txtap_status checks_write_junit(const struct checks *checks, const char *path, struct error *error);

#endif
