/* SPDX-License-Identifier: MIT */
/* Each format is a row of `tables`. The traces are read one after the other, so that memory is needed for the figures
 * of one trace. */
#include "command/report/report_runs.h"

#include <stdlib.h>
#include <string.h>

#include "base/runtime.h"
#include "command/report/report_cache.h"
#include "command/report/report_read.h"
#include "command/report/report_runs_text.h"
#include "command/report/trace_files.h"
#include "output/output.h"
#include "output/report.h"
#include "store/board_folders.h"
#include "tables/csv_table.h"
#include "tables/database.h"

struct runs {
    const struct options *options;
    struct options how; /* of the analysis: without a time for a folder, because the figures are of whole traces */
    const struct runs_table *table;
    struct board_folders lab;
    struct report_kept kept;
    size_t unreadable, undated; /* undated: left out, because --since and --until need the host's time */
    struct runs_text text;
    struct output output;      /* CSV */
    struct database *database; /* SQLite */
};

/* A format. begin() is called before the first trace is read. end() is called only after a success. */
struct runs_table {
    enum txtap_status (*begin)(struct runs *runs, struct error *error);
    enum txtap_status (*add)(struct runs *runs, const struct table_run *run, struct error *error);
    enum txtap_status (*end)(struct runs *runs, struct error *error);
};

/* ---- text, JSON ---- */

static const char *output_path(const struct runs *runs)
{
    return runs->options->output != NULL ? runs->options->output : "-";
}

static enum txtap_status begin_text(struct runs *runs, struct error *error)
{
    const struct options *options = runs->options;
    enum txtap_status status = output_check_new(output_path(runs), options->force, error);

    if (status == TXTAP_OK &&
        !runs_text_begin(&runs->text, options->report.format == REPORT_JSON, options->check.count > 0))
        status = failure(error, TXTAP_ERROR_SYSTEM, "no memory for the table");
    return status;
}

static enum txtap_status add_text(struct runs *runs, const struct table_run *run, struct error *error)
{
    (void)error;
    runs_text_add(&runs->text, run);
    return TXTAP_OK;
}

static enum txtap_status end_text(struct runs *runs, struct error *error)
{
    const char *path = output_path(runs);
    enum txtap_status status;

    if (!runs_text_end(&runs->text, output_path_columns(path)))
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the table");
    status = output_whole_file(path, runs->text.maker.text, runs->text.maker.length, runs->options->force, error);
    free(runs->text.maker.text);
    return status;
}

/* ---- CSV ---- */

/* Writes the lines that `put` makes. run: NULL: the head. */
static enum txtap_status write_lines(struct runs *runs, const struct table_run *run, struct error *error)
{
    struct txtap_writer writer = output_writer(&runs->output);
    struct text_maker maker;
    enum txtap_status status;

    if (!text_maker_begin(&maker))
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the table");
    if (run == NULL)
        csv_table_head(maker.out);
    else
        csv_table_run(run, maker.out);
    if (!text_maker_end(&maker))
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the table");
    status = writer.write(writer.self, maker.text, maker.length);
    free(maker.text);
    if (status < TXTAP_OK)
        return failure(error, status, "%.160s: cannot be written", runs->output.name);
    return status;
}

static enum txtap_status begin_csv(struct runs *runs, struct error *error)
{
    enum txtap_status status = output_open(&runs->output, runs->options->output, runs->options->force, error);

    return status == TXTAP_OK ? write_lines(runs, NULL, error) : status;
}

static enum txtap_status end_csv(struct runs *runs, struct error *error)
{
    enum txtap_status status = output_close(&runs->output);

    return status < TXTAP_OK ? failure(error, status, "%.160s: cannot be written", runs->output.name) : status;
}

/* ---- SQLite ---- */

static enum txtap_status begin_database(struct runs *runs, struct error *error)
{
    if (output_is_standard(runs->options->output))
        return failure(error, TXTAP_ERROR_USAGE, "--format sqlite needs a file\ngive it with -o FILE");
    return database_open(&runs->database, runs->options->output, error);
}

static enum txtap_status add_to_database(struct runs *runs, const struct table_run *run, struct error *error)
{
    return database_add(runs->database, run, error);
}

static enum txtap_status end_database(struct runs *runs, struct error *error)
{
    return database_commit(runs->database, error);
}

static const struct runs_table tables[] = {
    [REPORT_TEXT] = {begin_text, add_text, end_text},
    [REPORT_JSON] = {begin_text, add_text, end_text},
    [REPORT_CSV] = {begin_csv, write_lines, end_csv},
    [REPORT_SQLITE] = {begin_database, add_to_database, end_database},
};

/* ---- a trace ---- */

/* Returns true if the trace has a part in the chosen time. file: NULL: its time is not known. */
static bool is_chosen(const struct options *options, const struct store_file *file)
{
    if (options->since_us == 0 && options->until_us == 0)
        return true;
    return file != NULL && file->until_us >= options->since_us &&
           (options->until_us == 0 || file->since_us <= options->until_us);
}

/* Returns a text that identifies the trace, the analysis and the checks; the caller frees it. NULL: no memory. "": a
 * trace that cannot be identified. */
static char *make_key(const struct runs *runs, const char *path)
{
    struct report_cache cache;
    struct text_maker maker;

    report_cache_open(&cache, path, &runs->how);
    if (!text_maker_begin(&maker)) {
        report_cache_close(&cache);
        return NULL;
    }
    if (cache.key != NULL) {
        fputs(cache.key, maker.out);
        for (size_t i = 0; i < runs->options->check.count; i++)
            fprintf(maker.out, ";%s", runs->options->check.checks[i].text);
    }
    fputc('\0', maker.out);
    report_cache_close(&cache);
    return text_maker_end(&maker) ? maker.text : NULL;
}

/* Reads the figures of a trace, and adds its rows. A trace that cannot be read is reported, and has no rows. */
static enum txtap_status add_figures(struct runs *runs, struct table_run *run, const char *path, struct error *error)
{
    const struct options *options = runs->options;
    struct report_reading reading;
    struct checks checks;
    struct error wrong = {0};
    enum txtap_status status = report_read_kept(&runs->kept, path, &runs->how, &reading, &wrong);

    if (status == ERROR_INTERRUPTED || stop_requested())
        return ERROR_INTERRUPTED;
    if (status != TXTAP_OK) {
        report_error(error_is_set(&wrong) ? &wrong : &(struct error){status, "", ""});
        runs->unreadable++;
        return TXTAP_OK;
    }
    if (reading.figures.summary.events == 0 && (runs->how.since_us > 0 || runs->how.until_us > 0)) {
        report_reading_free(&reading);
        return TXTAP_OK; /* the board has no events of this time */
    }
    status = report_reading_judge(&reading, &checks, options->check.checks, options->check.count, "--check '", error);
    if (status == TXTAP_OK) {
        run->figures = &reading.figures;
        run->checks = &checks;
        run->begun_us = run->file != NULL ? run->file->since_us : reading.begun_us;
        run->cut = reading.cut;
        status = runs->table->add(runs, run, error);
        checks_free(&checks);
    }
    report_reading_free(&reading);
    return status;
}

static enum txtap_status add_trace(struct runs *runs, const char *path, struct error *error)
{
    const char *slash = strrchr(path, '/');
    const struct board_folder *board = NULL;
    struct table_run run = {.name = slash != NULL ? slash + 1 : path,
                            .file = board_folders_find(&runs->lab, path, &board)};
    char *folder = slash != NULL ? strndup(path, (size_t)(slash - path)) : strdup(".");
    char *name = NULL, *key = make_key(runs, path);
    enum txtap_status status = TXTAP_OK;
    bool has = false;

    if (folder != NULL)
        name = board_folder_name(runs->options->report.batch, folder);
    run.board = name;
    run.key = key;
    if (name == NULL || key == NULL) {
        status = failure(error, TXTAP_ERROR_SYSTEM, "%.160s: no memory to read it", path);
    } else if (!is_chosen(runs->options, run.file)) {
        runs->undated += run.file == NULL;
    } else {
        if (runs->database != NULL && *key != '\0')
            status = database_has(runs->database, name, run.name, key, &has, error);
        if (status == TXTAP_OK && !has)
            status = add_figures(runs, &run, path, error);
    }
    free(folder);
    free(name);
    free(key);
    return status;
}

/* Adds the rows of a board of a NATS server, which are made again each time. */
static enum txtap_status add_subject(struct runs *runs, const struct trace_file_name *file, size_t fixed,
                                     struct error *error)
{
    struct table_run run = {.board = strrchr(file->name, '/') + 1 + fixed, .name = file->name, .key = ""};

    return add_figures(runs, &run, file->path, error);
}

/* ---- all traces ---- */

static enum txtap_status add_all(struct runs *runs, struct error *error)
{
    const char *folder = runs->options->report.batch;
    struct trace_files files = {.count = 0};
    const bool is_nats = nats_is_place(folder);
    enum txtap_status status = trace_files_add(&files, folder, false, runs->how.since_us, error);

    if (status == TXTAP_OK && !is_nats)
        status = board_folders_open(&runs->lab, folder, error);
    if (status == TXTAP_OK)
        status = runs->table->begin(runs, error);
    for (size_t i = 0; i < files.count && status == TXTAP_OK; i++)
        status =
            is_nats ? add_subject(runs, &files.at[i], files.fixed, error) : add_trace(runs, files.at[i].path, error);
    if (status == TXTAP_OK)
        status = runs->table->end(runs, error);
    if (status == TXTAP_OK && runs->undated > 0 && !runs->options->quiet)
        fprintf(stderr, "txtap: %zu trace%s left out, because only a recording has the host's time\n", runs->undated,
                runs->undated == 1 ? " is" : "s are");
    trace_files_free(&files);
    return status;
}

int runs_run(const struct options *options)
{
    static struct runs runs;
    struct error error = {0};
    enum txtap_status status = TXTAP_OK;

    runs = (struct runs){.options = options, .how = *options, .table = &tables[options->report.format]};
    if (!nats_is_place(options->report.batch))
        runs.how.since_us = runs.how.until_us = 0;
    if (options->file_count > 0)
        status = failure(&error, TXTAP_ERROR_USAGE,
                         "%.160s: --batch reads the traces of its folder\ngive no other file", options->files[0]);
    if (status == TXTAP_OK)
        status = add_all(&runs, &error);
    if (status < TXTAP_OK)
        report_error(error_is_set(&error) ? &error : &(struct error){status, "", ""});
    database_close(runs.database);
    board_folders_close(&runs.lab);
    return status == TXTAP_OK && runs.unreadable > 0 ? EXIT_FAILED : status_exit_code(status);
}
