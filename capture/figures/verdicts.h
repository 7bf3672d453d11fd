/* SPDX-License-Identifier: MIT */
/*
 * The results of a run of checks, each with a sentence for people: checks of figures, and a comparison with an older
 * run. They are written as lines, for CI servers as JUnit XML and Markdown, and as annotations of GitHub.
 */
#ifndef TXTAP_CAPTURE_FIGURES_VERDICTS_H
#define TXTAP_CAPTURE_FIGURES_VERDICTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "figures/checks.h"
#include "figures/figures.h"

#define VERDICT_TEXT_BYTES  2064 /* a result, ": " and a reason */
#define VERDICT_LINES_MOST  19
#define VERDICT_LINE_BYTES  512
#define VERDICT_CHECK_BYTES 1024

/* A measured number, in the unit of the check. */
struct verdict_number {
    double value, lower, upper; /* lower and upper: bounds of the true value */
    double limit;
    const char *unit; /* "ticks", "percent", ...; static */
};

struct verdict {
    enum txtap_verdict verdict;
    bool is_error;                           /* the run failed: verdict is UNDECIDED, text says why */
    char check[VERDICT_CHECK_BYTES];         /* as the user wrote it, or "baseline FILE"; cut if it is too long */
    const char *kind;                        /* name of the figure, or "baseline"; static */
    char text[VERDICT_TEXT_BYTES];           /* the measured value and its reason; printable */
    char subject[TXTAP_CHECK_SUBJECT_BYTES]; /* name of the thread or object; any bytes; "" if it has no name */
    struct txtap_place place;                /* the event to look at */
    bool measured;                           /* `number` is valid */
    struct verdict_number number;
    char (*lines)[VERDICT_LINE_BYTES]; /* line_count further lines for people, printable; NULL: none */
    size_t line_count;
};

struct verdicts {
    struct verdict *at; /* `count` elements */
    size_t count;
    const struct figures *figures; /* borrowed; NULL: no trace was read, and the only verdict says why */
    /* The next members describe the run; the caller of verdicts_make() sets them. */
    uint64_t begun_us; /* microseconds since 1970 */
    double took;       /* seconds of the run */
};

/*
 * Makes a verdict for each check. room: number of further verdicts that verdicts_add() may add. checks: complete;
 * figures: all figures of the trace, or NULL without checks; both are borrowed. TXTAP_ERROR_SYSTEM: no memory. On
 * success the caller frees them with verdicts_free().
 */
enum txtap_status verdicts_make(struct verdicts *verdicts, const struct checks *checks, const struct figures *figures,
                                size_t room, struct error *error);
void verdicts_free(struct verdicts *verdicts);

/* Adds an empty verdict, and returns it. There must be room. */
struct verdict *verdicts_add(struct verdicts *verdicts);

/* Makes the verdict an error with the text of a failure, because the check could not be judged. */
void verdict_set_error(struct verdict *verdict, const struct error *error);

/* Returns the number of verdicts of this kind. */
size_t verdicts_count(const struct verdicts *verdicts, enum txtap_verdict verdict);

/* Returns EXIT_DONE, EXIT_CHECK_FAILED or EXIT_CHECK_UNDECIDED. Ignores errors, which have exit codes of their own. */
enum exit_code verdicts_exit_code(const struct verdicts *verdicts);

/* ---- forms ---- */

/*
 * Writes a line for each verdict, and a last line with sums. annotations: the lines are for a log of GitHub. After
 * them come lines that GitHub shows beside the change. No name from the target can form a command for GitHub.
 */
void verdicts_show_text(const struct verdicts *verdicts, bool annotations, FILE *out);

/* Writes a whole XML document. An undecided check is reported as a JUnit error, like a test that could not run. */
void verdicts_show_junit(const struct verdicts *verdicts, FILE *out);

/* Writes a heading and a table of at most 20 checks in Markdown, failed checks first. */
void verdicts_show_markdown(const struct verdicts *verdicts, FILE *out);

#endif
