/* SPDX-License-Identifier: MIT */
/* Shows the indexes of a lab. The boards are sorted by name, and the files of a board by time. */
#include "command/info/info_folder.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/files.h"
#include "base/text_maker.h"
#include "figures/text_table.h"
#include "output/output.h"
#include "output/report.h"
#include "nats/place.h"
#include "store/board_subjects.h"
#include "txtap/inner/escape.h"
#include "txtap/inner/json_head.h"

#define CELL_BYTES  1024
#define BUILD_SHOWN 12 /* digits of a build ID */

static const struct text_column columns[] = {
    {"board", 6, 7, 0},    {"file", 12, 0, 0},  {"begun", 19, 0, 0}, {"length", 0, 6, 0},
    {"build", 8, 5, 0},    {"events", 0, 0, 0}, {"lost", 0, 0, 0},   {"resets", 0, 2, 0},
    {"triggers", 0, 4, 0}, {"checks", 0, 1, 0}, {"faults", 0, 3, 0},
};

struct sums {
    uint64_t files, events, lost;
    bool exact;
};

/* Returns the noun of a row. */
static const char *noun(const struct options *options)
{
    return nats_is_place(options->target.elf) ? "recording" : "file";
}

static bool is_chosen(const struct options *options, const struct store_file *file)
{
    return file->until_us >= options->since_us && (options->until_us == 0 || file->since_us <= options->until_us);
}

static void put_number(struct text_table *table, uint64_t number, const char *sign)
{
    char cell[32];

    snprintf(cell, sizeof cell, "%s%" PRIu64, sign, number);
    text_table_put(table, cell);
}

static void put_time(struct text_table *table, uint64_t unix_us)
{
    time_t seconds = (time_t)(unix_us / 1000000);
    char cell[32] = "";
    struct tm parts;

    if (localtime_r(&seconds, &parts) != NULL)
        strftime(cell, sizeof cell, "%Y-%m-%d %H:%M:%S", &parts);
    text_table_put(table, cell);
}

/* Puts "5.3s", "59:59" or "23:59:59"; "+" follows if the file has no end. */
static void put_length(struct text_table *table, const struct store_file *file)
{
    uint64_t us = file->until_us - file->since_us, seconds = us / 1000000;
    char cell[32];
    const char *open = file->ended ? "" : "+";

    if (seconds < 60)
        snprintf(cell, sizeof cell, "%.1fs%s", (double)us / 1e6, open);
    else if (seconds < 3600)
        snprintf(cell, sizeof cell, "%" PRIu64 ":%02" PRIu64 "%s", seconds / 60, seconds % 60, open);
    else
        snprintf(cell, sizeof cell, "%" PRIu64 ":%02" PRIu64 ":%02" PRIu64 "%s", seconds / 3600, seconds / 60 % 60,
                 seconds % 60, open);
    text_table_put(table, cell);
}

static void put_row(struct text_table *table, const char *board, const struct store_file *file)
{
    char cell[CELL_BYTES];

    text_table_put(table, txtap_escape_terminal(cell, sizeof cell, board));
    text_table_put(table, txtap_escape_terminal(cell, sizeof cell, file->name));
    put_time(table, file->since_us);
    put_length(table, file);
    snprintf(cell, sizeof cell, "%.*s", BUILD_SHOWN, file->build);
    text_table_put(table, cell);
    put_number(table, file->events, "");
    put_number(table, file->lost, file->exact ? "" : "~");
    put_number(table, file->resets, "");
    put_number(table, file->triggers, "");
    put_number(table, file->checks, "");
    put_number(table, file->faults, "");
}

static bool show_text(const struct options *options, const struct board_folders *lab, const struct sums *sums,
                      FILE *out)
{
    struct text_column heads[sizeof columns / sizeof *columns];
    struct text_table table;
    bool good;

    memcpy(heads, columns, sizeof columns);
    heads[1].head = noun(options);
    text_table_begin(&table, heads, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < lab->count; i++)
        for (size_t n = 0; n < lab->boards[i].index.count; n++)
            if (is_chosen(options, &lab->boards[i].index.files[n]))
                put_row(&table, lab->boards[i].name, &lab->boards[i].index.files[n]);
    good = text_table_end(&table, output_path_columns("-"), out);
    fprintf(out, "%" PRIu64 " %s%s, %" PRIu64 " events, %s%" PRIu64 " lost\n", sums->files, noun(options),
            sums->files == 1 ? "" : "s", sums->events, sums->exact ? "" : "about ", sums->lost);
    return good;
}

static void put_text(FILE *out, const char *key, const char *text)
{
    char shown[TXTAP_ESCAPED_JSON_BYTES(CELL_BYTES)];

    fprintf(out, "\"%s\":%s,", key, txtap_escape_json(shown, sizeof shown, text));
}

static void show_json_row(const char *board, const struct store_file *file, FILE *out)
{
    fputs("{", out);
    put_text(out, "board", board);
    put_text(out, "file", file->name);
    put_text(out, "build", file->build);
    put_text(out, "firmware", file->firmware);
    fprintf(out,
            "\"recording\":\"%016" PRIx64 "\",\"number\":%" PRIu32 ",\"bytes\":%" PRIu64 ",\"since_us\":%" PRIu64
            ",\"until_us\":%" PRIu64 ",\"ended\":%s,\"events\":%" PRIu64 ",\"lost\":%" PRIu64 ",\"lost_exact\":%s"
            ",\"resets\":%" PRIu32 ",\"triggers\":%" PRIu32 ",\"checks\":%" PRIu32 ",\"faults\":%" PRIu32 "}",
            file->recording, file->number, file->bytes, file->since_us, file->until_us, file->ended ? "true" : "false",
            file->events, file->lost, file->exact ? "true" : "false", file->resets, file->triggers, file->checks,
            file->faults);
}

static void show_json(const struct options *options, const struct board_folders *lab, FILE *out)
{
    char head[TXTAP_JSON_HEAD_BYTES];
    const char *separator = "\n";

    fprintf(out, "{%s,\"files\":[", txtap_json_head(head, TXTAP_SCHEMA_FILES));
    for (size_t i = 0; i < lab->count; i++)
        for (size_t n = 0; n < lab->boards[i].index.count; n++)
            if (is_chosen(options, &lab->boards[i].index.files[n])) {
                fputs(separator, out);
                show_json_row(lab->boards[i].name, &lab->boards[i].index.files[n], out);
                separator = ",\n";
            }
    fputs("\n]}\n", out);
}

static struct sums sum(const struct options *options, const struct board_folders *lab)
{
    struct sums sums = {.exact = true};

    for (size_t i = 0; i < lab->count; i++)
        for (size_t n = 0; n < lab->boards[i].index.count; n++) {
            const struct store_file *file = &lab->boards[i].index.files[n];

            if (!is_chosen(options, file))
                continue;
            sums.files++;
            sums.events += file->events;
            sums.lost += file->lost;
            sums.exact = sums.exact && file->exact;
        }
    return sums;
}

static enum txtap_status show(const struct options *options, const struct board_folders *lab, struct error *error)
{
    const struct sums sums = sum(options, lab);
    char shown[NATS_TEXT_BYTES];
    bool good = true;

    if (sums.files == 0 && nats_is_place(options->target.elf))
        return failure(error, ERROR_UNREACHABLE, "%.160s: no recording of this time\nchoose another time",
                       nats_shown_name(shown, options->target.elf));
    if (sums.files == 0)
        return failure(error, TXTAP_ERROR_USAGE, "%.160s: no recording%s\ngive a folder with recordings",
                       options->target.elf, lab->count > 0 ? " of this time" : " in this folder");
    if (options->json)
        show_json(options, lab, stdout);
    else
        good = show_text(options, lab, &sums, stdout);
    return good ? standard_output_flush(error) : failure(error, TXTAP_ERROR_SYSTEM, "no memory for the table");
}

int info_folder(const struct options *options)
{
    struct board_folders lab;
    struct error error = {0};
    const char *place = options->target.elf;
    enum txtap_status status = nats_is_place(place)
                                   ? board_subjects_open(&lab, place, options->since_us, options->until_us, &error)
                                   : board_folders_open(&lab, place, &error);

    if (status == TXTAP_OK) {
        status = show(options, &lab, &error);
        board_folders_close(&lab);
    }
    if (status < TXTAP_OK)
        report_error(&error);
    return status_exit_code(status);
}
