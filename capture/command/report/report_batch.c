/* SPDX-License-Identifier: MIT */
/*
 * A condition is judged as a check of its opposite: the check fails if some thread or object meets the condition, and
 * its deciding figure is then the worst of them.
 */
#include "command/report/report_batch.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/runtime.h"
#include "base/text_maker.h"
#include "command/report/report_cache.h"
#include "command/report/report_read.h"
#include "command/report/trace_files.h"
#include "figures/checks.h"
#include "figures/text_table.h"
#include "output/output.h"
#include "txtap/inner/escape.h"
#include "txtap/inner/json_head.h"

#define TEXT_BYTES (CHECKS_RESULT_BYTES + TXTAP_ESCAPED_BYTES(ERROR_WHAT_BYTES))
#define TIME_BYTES 32

enum answer { ANSWER_YES, ANSWER_UNKNOWN, ANSWER_UNREADABLE, ANSWER_ABSENT, ANSWER_NO, ANSWERS };

struct answer_row {
    const char *name; /* of the trace; borrowed */
    enum answer answer;
    uint64_t begun_us;           /* host time of the first event, since 1970; 0: not known */
    struct txtap_measure number; /* of the deciding figure; times in seconds, or in ticks without a rate */
    struct txtap_place place;    /* of the deciding figure */
    char *text;                  /* the number and its subject, or the reason; printable; owned */
};

struct batch {
    const struct options *options;
    struct txtap_check opposite;
    struct answer_row *rows; /* `count` rows; owned */
    size_t count;
    size_t sums[ANSWERS];
    struct report_kept kept;
    char text[TEXT_BYTES]; /* of the present row */
};

/* ---- an answer ---- */

static enum txtap_check_operator opposite_of(enum txtap_check_operator op)
{
    static const enum txtap_check_operator opposites[] = {
        [TXTAP_CHECK_LESS] = TXTAP_CHECK_GREATER_EQUAL, [TXTAP_CHECK_LESS_EQUAL] = TXTAP_CHECK_GREATER,
        [TXTAP_CHECK_GREATER] = TXTAP_CHECK_LESS_EQUAL, [TXTAP_CHECK_GREATER_EQUAL] = TXTAP_CHECK_LESS,
        [TXTAP_CHECK_EQUAL] = TXTAP_CHECK_NOT_EQUAL,    [TXTAP_CHECK_NOT_EQUAL] = TXTAP_CHECK_EQUAL,
    };

    return opposites[op];
}

static enum answer answer_of(const struct txtap_check_result *result)
{
    if (result->matched == 0)
        return ANSWER_ABSENT;
    return result->verdict == TXTAP_VERDICT_FAILED ? ANSWER_YES
           : result->verdict == TXTAP_VERDICT_OK   ? ANSWER_NO
                                                   : ANSWER_UNKNOWN;
}

static void set_number(struct answer_row *row, const struct txtap_check *check, const struct check_entry *entry,
                       double tick_hz)
{
    bool is_time = check->unit == TXTAP_CHECK_TICKS || check->unit == TXTAP_CHECK_SECONDS;
    double scale = is_time && tick_hz > 0 ? 1 / tick_hz : 1;

    row->number = entry->result.measure;
    row->number.value *= scale;
    row->number.lower *= scale;
    row->number.upper *= scale;
    row->place = entry->result.place;
}

static enum txtap_status judge(struct batch *batch, struct answer_row *row, const struct report_reading *reading,
                               struct error *error)
{
    struct checks checks;
    enum txtap_status status = report_reading_judge(reading, &checks, &batch->opposite, 1, "--where '", error);

    if (status != TXTAP_OK)
        return status;
    row->begun_us = reading->begun_us;
    row->answer = answer_of(&checks.entries[0].result);
    if (row->answer == ANSWER_ABSENT) {
        snprintf(batch->text, sizeof batch->text, "not in this trace");
    } else {
        set_number(row, &batch->opposite, &checks.entries[0], reading->rate.hz);
        checks.entries[0].result.matched = 1; /* the sentence counts no subjects that fail the opposite */
        checks_result_text(&checks, 0, batch->text);
    }
    checks_free(&checks);
    return TXTAP_OK;
}

/* Makes the row of a trace. A trace that cannot be read gets a row with the reason. */
static enum txtap_status add_row(struct batch *batch, const struct trace_file_name *file, struct error *error)
{
    struct answer_row *row = &batch->rows[batch->count++];
    struct report_reading reading;
    struct error wrong = {0};
    enum txtap_status status;

    *row = (struct answer_row){.name = file->name, .answer = ANSWER_UNREADABLE};
    status = report_read_kept(&batch->kept, file->path, batch->options, &reading, &wrong);
    if (status == ERROR_INTERRUPTED || stop_requested())
        return ERROR_INTERRUPTED;
    if (status == TXTAP_OK) {
        status = judge(batch, row, &reading, error);
        report_reading_free(&reading);
    } else {
        if (!error_is_set(&wrong))
            snprintf(wrong.what, sizeof wrong.what, "%s", status_text(status));
        txtap_escape_terminal(batch->text, sizeof batch->text, wrong.what);
        status = TXTAP_OK;
    }
    batch->sums[row->answer]++;
    row->text = strdup(batch->text);
    return status == TXTAP_OK && row->text == NULL ? failure(error, TXTAP_ERROR_SYSTEM, "no memory for the table")
                                                   : status;
}

/* ---- the order ---- */

/* Returns how far a number is on the side of the condition. */
static double badness(const struct batch *batch, const struct answer_row *row)
{
    bool is_upper = batch->opposite.op == TXTAP_CHECK_LESS || batch->opposite.op == TXTAP_CHECK_LESS_EQUAL ||
                    batch->opposite.op == TXTAP_CHECK_EQUAL;

    return is_upper ? row->number.value : -row->number.value;
}

static int worst_first(const void *a, const void *b, void *self)
{
    const struct answer_row *one = a, *other = b;
    double first = badness(self, one), second = badness(self, other);

    if (one->answer != other->answer)
        return one->answer < other->answer ? -1 : 1;
    if (first != second)
        return first > second ? -1 : 1;
    return strcmp(one->name, other->name);
}

/* ---- the output ---- */

static const char *const words[ANSWERS] = {"yes", "unknown", "error", "absent", "no"};

/* Writes the time in the local time zone, or in UTC as ISO 8601; "" if it is not known. */
static const char *time_text(char out[static TIME_BYTES], uint64_t unix_us, bool is_utc)
{
    time_t seconds = (time_t)(unix_us / 1000000);
    struct tm parts;

    *out = '\0';
    if (unix_us > 0 && (is_utc ? gmtime_r(&seconds, &parts) : localtime_r(&seconds, &parts)) != NULL)
        strftime(out, TIME_BYTES, is_utc ? "%Y-%m-%dT%H:%M:%SZ" : "%Y-%m-%d %H:%M:%S", &parts);
    return out;
}

static bool is_shown(const struct batch *batch, const struct answer_row *row)
{
    return row->answer <= ANSWER_UNREADABLE || batch->options->report.all;
}

static bool show_text(const struct batch *batch, unsigned width, FILE *out)
{
    static const struct text_column columns[] = {
        {"", 7, 0, 7}, {"trace", 20, 0, 0}, {"", 20, 0, 0}, {"begun", 19, 1, 0}};
    size_t column_count = 3;
    struct text_table table;
    bool good;

    for (size_t i = 0; i < batch->count; i++)
        if (batch->rows[i].begun_us > 0)
            column_count = 4;
    text_table_begin(&table, columns, column_count);
    for (size_t i = 0; i < batch->count; i++) {
        const struct answer_row *row = &batch->rows[i];
        char name[1024], time[TIME_BYTES];

        if (!is_shown(batch, row))
            continue;
        text_table_put(&table, words[row->answer]);
        text_table_put(&table, txtap_escape_terminal(name, sizeof name, row->name));
        text_table_put(&table, row->text);
        if (column_count == 4)
            text_table_put(&table, time_text(time, row->begun_us, false));
    }
    good = text_table_end(&table, width, out);
    fprintf(out, "%s: %zu of %zu traces", batch->options->report.where.text, batch->sums[ANSWER_YES], batch->count);
    if (batch->sums[ANSWER_UNKNOWN] > 0)
        fprintf(out, ", %zu unknown", batch->sums[ANSWER_UNKNOWN]);
    if (batch->sums[ANSWER_ABSENT] > 0)
        fprintf(out, ", not in %zu", batch->sums[ANSWER_ABSENT]);
    if (batch->sums[ANSWER_UNREADABLE] > 0)
        fprintf(out, ", %zu cannot be read", batch->sums[ANSWER_UNREADABLE]);
    fputc('\n', out);
    return good;
}

static void put_row(FILE *out, const struct answer_row *row)
{
    char time[TIME_BYTES];

    fputs("{", out);
    json_put_text(out, "trace", row->name);
    fprintf(out, ",\"answer\":\"%s\",", words[row->answer]);
    json_put_text(out, "text", row->text);
    if (*time_text(time, row->begun_us, true) != '\0')
        fprintf(out, ",\"begun\":\"%s\"", time);
    if (row->number.known) {
        quantity_put_member(out, "value", row->number.value);
        quantity_put_member(out, "lower", row->number.lower);
        quantity_put_member(out, "upper", row->number.upper);
    }
    if (row->place.known)
        fprintf(out, ",\"event\":%" PRIu64 ",\"ticks\":%" PRIu64, row->place.seq, row->place.ticks);
    fputs("}", out);
}

static void show_json(const struct batch *batch, FILE *out)
{
    char head[TXTAP_JSON_HEAD_BYTES];

    fprintf(out, "{%s,", txtap_json_head(head, TXTAP_SCHEMA_BATCH));
    json_put_text(out, "where", batch->options->report.where.text);
    fprintf(out, ",\"kept\":%zu,\"traces\":[", batch->kept.count);
    for (size_t i = 0; i < batch->count; i++) {
        fputs(i > 0 ? ",\n" : "\n", out);
        put_row(out, &batch->rows[i]);
    }
    fputs("\n]}\n", out);
}

static enum txtap_status show(const struct batch *batch, struct error *error)
{
    const struct options *options = batch->options;
    const char *path = options->output != NULL ? options->output : "-";
    struct text_maker maker;
    enum txtap_status status;
    bool good = true;

    if (!text_maker_begin(&maker))
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the table");
    if (options->report.format == REPORT_JSON)
        show_json(batch, maker.out);
    else
        good = show_text(batch, output_path_columns(path), maker.out);
    if (!text_maker_end(&maker))
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the table");
    status = good ? output_whole_file(path, maker.text, maker.length, options->force, error)
                  : failure(error, TXTAP_ERROR_SYSTEM, "no memory for the table");
    free(maker.text);
    return status;
}

/* ---- all traces ---- */

static enum txtap_status read_all(struct batch *batch, const struct trace_files *files, struct error *error)
{
    enum txtap_status status = TXTAP_OK;

    batch->rows = calloc(files->count + 1, sizeof *batch->rows);
    if (batch->rows == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the table");
    for (size_t i = 0; i < files->count && status == TXTAP_OK; i++)
        status = add_row(batch, &files->at[i], error);
    if (status == TXTAP_OK)
        qsort_r(batch->rows, batch->count, sizeof *batch->rows, worst_first, batch);
    return status;
}

static enum txtap_status check_options(const struct options *options, struct error *error)
{
    if (options->file_count > 0)
        return failure(error, TXTAP_ERROR_USAGE, "%.160s: --batch reads the traces of its folder\ngive no other file",
                       options->files[0]);
    if (options->check.count > 0)
        return failure(error, TXTAP_ERROR_USAGE, "--check does not work with --batch\nuse --where");
    return TXTAP_OK;
}

int batch_run(const struct options *options)
{
    struct batch batch = {.options = options, .opposite = options->report.where};
    struct trace_files files = {.count = 0};
    struct error error = {0};
    enum txtap_status status = check_options(options, &error);

    batch.opposite.op = opposite_of(batch.opposite.op);
    if (status == TXTAP_OK)
        status = trace_files_add(&files, options->report.batch, false, options->since_us, &error);
    if (status == TXTAP_OK)
        status = read_all(&batch, &files, &error);
    if (status == TXTAP_OK)
        status = show(&batch, &error);
    if (status < TXTAP_OK)
        report_error(error_is_set(&error) ? &error : &(struct error){status, "", ""});
    for (size_t i = 0; i < batch.count; i++)
        free(batch.rows[i].text);
    free(batch.rows);
    trace_files_free(&files);
    return status == TXTAP_OK && batch.sums[ANSWER_UNREADABLE] > 0 ? EXIT_FAILED : status_exit_code(status);
}
