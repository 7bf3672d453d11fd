/* SPDX-License-Identifier: MIT */
/* A trace needs its own copy of the options: its own description, and its own rate. */
#include "command/report/report_read.h"

#include <stdlib.h>

#include "input/input.h"
#include "command/analysis_open.h"
#include "command/report/report_collect.h"
#include "figures/figures_parse.h"
#include "file/ctf_directory.h"
#include "file/definitions_file.h"

#define REPORT_BYTES_MAX ((size_t)16 << 20)

/* Analyses the input into the results. On failure error has the cause. */
static enum txtap_status analyse(struct report_input *into, struct report_results *results,
                                 const struct options *options, struct input *input, struct error *error)
{
    enum txtap_status status = analysis_open(&into->analysis, options, TXTAP_SECTIONS_ALL, error);

    into->translation.next = (struct txtap_sink){report_input_take, into};
    if (status == TXTAP_OK)
        status = report_input_read(into, options, input, error);
    if (status == TXTAP_OK)
        status = translation_end(&into->translation);
    if (status >= TXTAP_OK) /* TXTAP_END: all later events are after to_ticks */
        status = report_collect(results, into, options, error);
    if (status == TXTAP_ERROR_USAGE && results->figures.count > 0) { /* a pattern of an option matches nothing here */
        report_error(error);
        error_clear(error);
        status = TXTAP_OK;
    }
    return status;
}

static enum txtap_status read_trace(struct report_reading *reading, const char *const *path,
                                    const struct options *options, double tick_hz, struct input *input,
                                    struct error *error)
{
    static struct report_input into;
    static struct options how;
    struct report_results results = {.is_file = true};
    struct identity identity = {.about = NULL};
    enum txtap_status status;

    identity_scan(&identity, path, 1);
    how = *options;
    how.identity = &identity;
    how.files = path;
    how.file_count = 1;
    how.report.sections = 0;
    how.report.thread = NULL;
    if (how.tick_hz == 0 || how.hz_found)
        how.tick_hz = identity.rate.how != TXTAP_RATE_UNKNOWN ? 0 : tick_hz;
    how.hz_found = false;
    into = (struct report_input){
        .name = *path, .to_ticks = UINT64_MAX, .stats = {.lost_exact = true}, .identity = &identity};
    status = analyse(&into, &results, &how, input, error);
    if (status < TXTAP_OK && !error_is_set(error))
        *error = (struct error){status, "", ""};
    figures_detach(&results.figures);
    results.figures.trace = *path;
    reading->figures = results.figures;
    reading->rate = results.checks.rate;
    reading->begun_us = into.begun_us;
    reading->cut = into.cut;
    translation_free(&into.translation);
    definitions_free(into.definitions);
    free(into.analysis);
    free(into.objects);
    identity_free(&identity);
    return status;
}

static enum txtap_status read_report(struct report_reading *reading, const char *path, struct input *input,
                                     struct error *error)
{
    uint8_t *bytes;
    size_t length;
    enum txtap_status status = input_read_all(input, REPORT_BYTES_MAX, "that is no report", &bytes, &length, error);

    if (status != TXTAP_OK)
        return status;
    status = figures_parse(&reading->figures, (const char *)bytes, length, path, error);
    reading->is_report = true;
    if (reading->figures.tick_hz > 0)
        reading->rate = (struct txtap_rate){.how = TXTAP_RATE_GIVEN, .hz = reading->figures.tick_hz};
    free(bytes);
    return status;
}

enum txtap_status report_read(struct report_reading *reading, const char *path, const struct options *options,
                              double tick_hz, struct error *error)
{
    const char *const paths[] = {path};
    struct input input = {.fd = -1, .name = path};
    bool is_directory = ctf_directory_is(path);
    enum txtap_status status = is_directory ? TXTAP_OK : input_open(&input, paths, 1, error);

    *reading = (struct report_reading){.cut = false};
    if (status != TXTAP_OK)
        return status;
    if (input.head_bytes > 0 && input.head[0] == '{')
        status = read_report(reading, path, &input, error);
    else
        status = read_trace(reading, paths, options, tick_hz, &input, error);
    if (!is_directory)
        input_close(&input);
    if (status != TXTAP_OK)
        report_reading_free(reading);
    return status;
}

enum txtap_status report_reading_judge(const struct report_reading *reading, struct checks *checks,
                                       const struct txtap_check *list, size_t count, const char *option,
                                       struct error *error)
{
    const struct figures *figures = &reading->figures;
    enum txtap_status status = checks_init(checks, list, count, option, NULL, error);

    if (status != TXTAP_OK)
        return status;
    checks->rate = reading->rate;
    for (size_t i = 0; i < figures->count; i++)
        checks_take(checks, &figures->at[i].figure, figures->at[i].subject);
    if (reading->cut)
        checks_take_lost(checks, figures->summary.lost, false);
    if (figures->summary.events == 0)
        checks_take_no_events(checks);
    (void)checks_complete(checks, &figures->summary, &(struct error){0});
    return TXTAP_OK;
}

void report_reading_free(struct report_reading *reading)
{
    figures_free(&reading->figures);
    *reading = (struct report_reading){.cut = false};
}
