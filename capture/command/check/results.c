/* SPDX-License-Identifier: MIT */
/* Writes the results as lines, JUnit XML, Markdown and a page. All of these have the same verdicts and sentences: see
 * figures/verdicts.h. */
#include "command/check/results.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/runtime.h"
#include "base/text_maker.h"
#include "command/report/report_read.h"
#include "command/view/view_page.h"
#include "compare/regression.h"
#include "output/output.h"

/* ---- the older trace ---- */

/* Reads the older trace, recording or report. tick_hz: rate of the newer trace. */
static enum txtap_status read_older(struct baseline *baseline, const struct options *options, double tick_hz,
                                    struct error *error)
{
    struct report_reading older;
    static struct options how;
    enum txtap_status status;

    how = *options;
    how.has_base = how.target.ring.wished.has_address = false;
    status = report_read(&older, options->outputs.baseline, &how, tick_hz, error);
    if (status == TXTAP_OK)
        status = baseline_take(baseline, &older.figures, error);
    report_reading_free(&older);
    return status;
}

static enum txtap_status compare(struct verdicts *verdicts, const struct options *options, struct error *error)
{
    const struct check_outputs *outputs = &options->outputs;
    const char *slash = strrchr(outputs->baseline, '/');
    struct verdict *verdict = verdicts_add(verdicts);
    struct baseline baseline = {0};
    char name[256];
    enum txtap_status status;

    verdict->kind = "baseline";
    printable(name, sizeof name, slash != NULL ? slash + 1 : outputs->baseline,
              strlen(slash != NULL ? slash + 1 : outputs->baseline));
    snprintf(verdict->check, sizeof verdict->check, "baseline %s", name);
    status = read_older(&baseline, options, verdicts->figures->tick_hz, error);
    if (status == TXTAP_OK)
        status = regression_judge(verdict, verdicts->figures, &baseline, outputs->tolerance, error);
    baseline_free(&baseline);
    if (status != TXTAP_OK)
        verdict_set_error(verdict, error);
    return status;
}

/* ---- forms ---- */

/* Appends to a file, which may exist. */
static enum txtap_status append(const char *path, const char *text, size_t length, struct error *error)
{
    int fd;
    bool good;

    if (output_is_standard(path) || output_is_special(path))
        return output_whole_file(path, text, length, true, error);
    fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    good = fd >= 0 && write(fd, text, length) == (ssize_t)length;
    if (fd >= 0)
        good = close(fd) == 0 && good;
    return good ? TXTAP_OK
                : failure(error, TXTAP_ERROR_SYSTEM,
                          "%.160s: cannot be written: %s\nchoose another name with --summary", path, strerror(errno));
}

typedef void show_form(const struct verdicts *verdicts, FILE *out);

static enum txtap_status write_form(const struct verdicts *verdicts, show_form *show, const char *path, bool appends,
                                    struct error *error)
{
    struct text_maker maker;
    enum txtap_status status;

    if (text_maker_begin(&maker))
        show(verdicts, maker.out);
    if (!text_maker_end(&maker))
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the results of the checks");
    status = appends ? append(path, maker.text, maker.length, error)
                     : output_whole_file(path, maker.text, maker.length, true, error);
    free(maker.text);
    return status;
}

static void show_lines(const struct verdicts *verdicts, FILE *out)
{
    verdicts_show_text(verdicts, false, out);
}

static void show_annotated(const struct verdicts *verdicts, FILE *out)
{
    verdicts_show_text(verdicts, true, out);
}

static enum txtap_status write_page(const struct verdicts *verdicts, const struct observation *observation,
                                    const struct options *options, struct error *error)
{
    struct document_check *checks = calloc(verdicts->count + 1, sizeof *checks);
    double tick_hz = verdicts->figures->tick_hz;
    const char *recording = observation->kept != NULL ? observation->kept : options->output;
    const struct view_results results = {.path = options->outputs.html,
                                         .files = observation->records ? &recording : options->files,
                                         .file_count = observation->records ? 1 : options->file_count,
                                         .is_kept = observation->records,
                                         .checks = checks,
                                         .check_count = verdicts->count};
    enum txtap_status status;

    if (checks == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory to write the page");
    for (size_t i = 0; i < verdicts->count; i++) {
        const struct verdict *verdict = &verdicts->at[i];

        checks[i] = (struct document_check){
            .check = verdict->check,
            .verdict = verdict->verdict,
            .text = verdict->text,
            .subject = verdict->subject,
            .has_event = verdict->place.known,
            .event = verdict->place.seq,
            .seconds = tick_hz > 0 ? (double)verdict->place.ticks / tick_hz : -1,
        };
    }
    status = view_results_write(options, &results, error);
    free(checks);
    return status;
}

static void keep_first(struct error *first, const struct error *next)
{
    if (!error_is_set(first) && error_is_set(next))
        *first = *next;
}

/* Writes --junit and --summary. On failure error has the first cause. */
static void write_files(const struct verdicts *verdicts, const struct options *options, struct error *error)
{
    struct error next = {0};

    if (options->check.junit != NULL) {
        (void)write_form(verdicts, verdicts_show_junit, options->check.junit, false, &next);
        keep_first(error, &next);
    }
    if (options->outputs.summary != NULL) {
        (void)write_form(verdicts, verdicts_show_markdown, options->outputs.summary, true, &next);
        keep_first(error, &next);
    }
}

/* Writes all forms, even after a failure, so that a CI server gets as many results as possible. */
static void write_all(const struct verdicts *verdicts, const struct observation *observation,
                      const struct options *options, struct error *error)
{
    const struct check_outputs *outputs = &options->outputs;
    struct error next = {0};

    (void)write_form(verdicts, outputs->annotations ? show_annotated : show_lines, "-", false, error);
    write_files(verdicts, options, error);
    if (outputs->html != NULL) {
        runtime_finish(); /* the page is made from the recording, perhaps long after Ctrl-C */
        (void)write_page(verdicts, observation, options, &next);
        keep_first(error, &next);
    }
}

/* Adds the error that ended a run early. */
static void add_error(struct verdicts *verdicts, const struct error *cause)
{
    struct verdict *verdict = verdicts_add(verdicts);

    verdict->kind = "target";
    snprintf(verdict->check, sizeof verdict->check, "events can be read");
    verdict_set_error(verdict, cause);
}

enum txtap_status results_write(const struct observation *observation, const struct options *options,
                                const struct error *cause, int *verdict, struct error *error)
{
    static struct verdicts verdicts;
    struct error next = {0};
    enum txtap_status status =
        verdicts_make(&verdicts, &observation->results.checks, &observation->results.figures, 2, error);

    *verdict = EXIT_DONE;
    if (status != TXTAP_OK)
        return status;
    verdicts.begun_us = observation->begun_us;
    verdicts.took = observation->took;
    if (options->outputs.baseline != NULL)
        (void)compare(&verdicts, options, error);
    if (error_is_set(cause))
        add_error(&verdicts, cause);
    write_all(&verdicts, observation, options, &next);
    keep_first(error, &next);
    *verdict = verdicts_exit_code(&verdicts);
    verdicts_free(&verdicts);
    return error->status;
}

void results_write_error(const struct options *options, const struct error *cause)
{
    static struct verdicts verdicts;
    struct error error = {0}, next = {0};

    if (status_exit_code(cause->status) == EXIT_USAGE)
        return;
    if (verdicts_make(&verdicts, &(struct checks){0}, NULL, 1, &error) == TXTAP_OK) {
        verdicts.begun_us = wall_us();
        add_error(&verdicts, cause);
        if (options->outputs.annotations)
            (void)write_form(&verdicts, show_annotated, "-", false, &error);
        write_files(&verdicts, options, &next);
        keep_first(&error, &next);
        verdicts_free(&verdicts);
    }
    if (error_is_set(&error))
        report_error(&error);
}
