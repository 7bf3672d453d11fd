/* SPDX-License-Identifier: MIT */
/* A file from elsewhere may have triggers and views of its own. It is not trusted: they cannot call functions with side
 * effects. */
#include "tables/database.h"

#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "txtap/inner/escape.h"
#include "txtap/version.h"

#define APPLICATION_ID 0x54584442 /* "TXDB" */
#define BUSY_MS        1000       /* how long another program may hold the database */
#define TEXT_BYTES     2048

extern const char database_schema[]; /* made from schema.sql */

enum statement {
    FIND_RUN,
    DELETE_RUN,
    ADD_BOARD,
    ADD_BUILD,
    ADD_RUN,
    ADD_FIGURE,
    ADD_PERCENTILE,
    ADD_CHECK,
    STATEMENTS
};

static const char *const texts[STATEMENTS] = {
    [FIND_RUN] = "SELECT 1 FROM runs JOIN boards ON boards.id = board_id WHERE boards.name = ?1 AND runs.name = ?2 AND "
                 "key = ?3",
    [DELETE_RUN] = "DELETE FROM runs WHERE board_id = (SELECT id FROM boards WHERE name = ?1) AND name = ?2",
    [ADD_BOARD] = "INSERT OR IGNORE INTO boards (name) VALUES (?1)",
    [ADD_BUILD] = "INSERT OR IGNORE INTO builds (build, firmware) VALUES (?1, ?2)",
    [ADD_RUN] = "INSERT INTO runs (board_id, build_id, name, key, begun, begun_us, ended_us, observed, tick_hz, "
                "recording, number, bytes, complete, events, lost, lost_exact, gaps, resets, triggers, violations, "
                "faults) VALUES ((SELECT id FROM boards WHERE name = ?1), (SELECT id FROM builds WHERE build = ?2), "
                "?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21)",
    [ADD_FIGURE] = "INSERT INTO figures (run_id, section, name, kind, subject, other, detail, unit, value, lower, "
                   "upper, n, mean, sum, rate, censored, event) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, "
                   "?12, ?13, ?14, ?15, ?16, ?17)",
    [ADD_PERCENTILE] = "INSERT INTO percentiles (figure_id, stat, value, lower, upper) VALUES (?1, ?2, ?3, ?4, ?5)",
    [ADD_CHECK] = "INSERT INTO checks (run_id, condition, verdict, subject, value, unit, event, text) VALUES (?1, ?2, "
                  "?3, ?4, ?5, ?6, ?7, ?8)",
};

struct database {
    char *path; /* owned */
    sqlite3 *file;
    sqlite3_stmt *statements[STATEMENTS];
};

/* ---- statements ---- */

static enum txtap_status wrong(struct database *database, struct error *error)
{
    int code = sqlite3_errcode(database->file) & 0xFF;

    if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: another program uses it\nrun again when that has ended",
                       database->path);
    if (code == SQLITE_NOTADB)
        return failure(error, TXTAP_ERROR_FORMAT, "%.160s: no database\ngive another file", database->path);
    if (code == SQLITE_CORRUPT)
        return failure(error, TXTAP_ERROR_FORMAT, "%.160s: a damaged database\nremove it, and make it again",
                       database->path);
    return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: %.60s", database->path, sqlite3_errmsg(database->file));
}

static enum txtap_status execute(struct database *database, const char *sql, struct error *error)
{
    return sqlite3_exec(database->file, sql, NULL, NULL, NULL) == SQLITE_OK ? TXTAP_OK : wrong(database, error);
}

/* Runs a prepared statement, and makes it ready for the next use. *any: it has a row; may be NULL. */
static enum txtap_status run_statement(struct database *database, enum statement number, bool *any, struct error *error)
{
    sqlite3_stmt *statement = database->statements[number];
    int result = sqlite3_step(statement);
    enum txtap_status status = result == SQLITE_DONE || result == SQLITE_ROW ? TXTAP_OK : wrong(database, error);

    if (any != NULL)
        *any = result == SQLITE_ROW;
    (void)sqlite3_reset(statement);
    (void)sqlite3_clear_bindings(statement);
    return status;
}

/* The bindings of a statement fail only if there is no memory; a missing value is then NULL, which a column that must
 * have a value refuses. */
static void put_text(sqlite3_stmt *statement, int at, const char *text)
{
    char shown[TEXT_BYTES];

    (void)sqlite3_bind_text(statement, at, txtap_escape_terminal(shown, sizeof shown, text), -1, SQLITE_TRANSIENT);
}

static void put_integer(sqlite3_stmt *statement, int at, uint64_t number)
{
    (void)sqlite3_bind_int64(statement, at, number <= INT64_MAX ? (sqlite3_int64)number : INT64_MAX);
}

static void put_number(sqlite3_stmt *statement, int at, bool known, double number)
{
    if (known && isfinite(number))
        (void)sqlite3_bind_double(statement, at, number);
    else
        (void)sqlite3_bind_null(statement, at);
}

/* ---- a run ---- */

static void put_file(sqlite3_stmt *statement, const struct store_file *file)
{
    char recording[20];

    if (file == NULL) /* the columns stay NULL */
        return;
    snprintf(recording, sizeof recording, "%016llx", (unsigned long long)file->recording);
    put_integer(statement, 7, file->until_us);
    put_text(statement, 10, recording);
    put_integer(statement, 11, file->number);
    put_integer(statement, 12, file->bytes);
    put_integer(statement, 19, file->triggers);
    put_integer(statement, 20, file->checks);
    put_integer(statement, 21, file->faults);
}

static enum txtap_status add_run(struct database *database, const struct table_run *run, struct error *error)
{
    const struct txtap_analysis_summary *summary = &run->figures->summary;
    sqlite3_stmt *statement = database->statements[ADD_RUN];
    double hz = run->figures->tick_hz;
    char time[TABLE_TIME_BYTES];

    put_text(statement, 1, run->board);
    put_text(statement, 2, table_build(run));
    put_text(statement, 3, run->name);
    (void)sqlite3_bind_text(statement, 4, run->key, -1, SQLITE_TRANSIENT);
    if (run->begun_us > 0) {
        put_text(statement, 5, table_time(time, run->begun_us));
        put_integer(statement, 6, run->begun_us);
    }
    put_number(statement, 8, hz > 0, (double)summary->observed_ticks / (hz > 0 ? hz : 1));
    put_number(statement, 9, hz > 0, hz);
    put_integer(statement, 13, !run->cut);
    put_integer(statement, 14, summary->events);
    put_integer(statement, 15, summary->lost);
    put_integer(statement, 16, summary->lost_exact);
    put_integer(statement, 17, summary->gaps);
    put_integer(statement, 18, run->file != NULL ? run->file->resets : run->figures->resets);
    put_file(statement, run->file);
    return run_statement(database, ADD_RUN, NULL, error);
}

static enum txtap_status add_percentiles(struct database *database, const struct table_run *run,
                                         const struct txtap_figure *figure, sqlite3_int64 id, struct error *error)
{
    static const enum txtap_stat stats[] = {TXTAP_STAT_MIN, TXTAP_STAT_P50, TXTAP_STAT_P95, TXTAP_STAT_P99,
                                            TXTAP_STAT_MAX};
    sqlite3_stmt *statement = database->statements[ADD_PERCENTILE];
    double divisor = table_divisor(run, figure);
    enum txtap_status status = TXTAP_OK;

    for (size_t i = 0; i < sizeof stats / sizeof *stats && status == TXTAP_OK; i++) {
        const struct txtap_measure *measure = &figure->stat[stats[i]];

        if (!measure->known)
            continue;
        (void)sqlite3_bind_int64(statement, 1, id);
        put_text(statement, 2, txtap_stat_name(stats[i]));
        put_number(statement, 3, true, measure->value / divisor);
        put_number(statement, 4, true, measure->lower / divisor);
        put_number(statement, 5, true, measure->upper / divisor);
        status = run_statement(database, ADD_PERCENTILE, NULL, error);
    }
    return status;
}

static enum txtap_status add_figure(struct database *database, const struct table_run *run,
                                    const struct named_figure *named, sqlite3_int64 id, struct error *error)
{
    const struct txtap_figure *figure = &named->figure;
    const struct txtap_measure *stat = figure->stat, *value = &stat[TXTAP_STAT_VALUE];
    sqlite3_stmt *statement = database->statements[ADD_FIGURE];
    double divisor = table_divisor(run, figure);
    char text[TEXT_BYTES];
    enum txtap_status status;

    (void)sqlite3_bind_int64(statement, 1, id);
    put_text(statement, 2, figure->section);
    put_text(statement, 3, figure->name);
    put_text(statement, 4, txtap_subject_kind_name(&figure->subject));
    put_text(statement, 5, txtap_subject_text(&figure->subject, named->subject, text, sizeof text));
    put_text(statement, 6, txtap_subject_text(&figure->other, named->other, text, sizeof text));
    put_text(statement, 7, figure->detail);
    put_text(statement, 8, table_unit(run, figure));
    put_number(statement, 9, value->known, value->value / divisor);
    put_number(statement, 10, value->known, value->lower / divisor);
    put_number(statement, 11, value->known, value->upper / divisor);
    put_number(statement, 12, stat[TXTAP_STAT_N].known, stat[TXTAP_STAT_N].value);
    put_number(statement, 13, stat[TXTAP_STAT_MEAN].known, stat[TXTAP_STAT_MEAN].value / divisor);
    put_number(statement, 14, stat[TXTAP_STAT_SUM].known, stat[TXTAP_STAT_SUM].value / divisor);
    put_number(statement, 15, stat[TXTAP_STAT_RATE].known, stat[TXTAP_STAT_RATE].value);
    put_integer(statement, 16, figure->censored);
    if (figure->max_at.known)
        put_integer(statement, 17, figure->max_at.seq);
    status = run_statement(database, ADD_FIGURE, NULL, error);
    if (status != TXTAP_OK)
        return status;
    return add_percentiles(database, run, figure, sqlite3_last_insert_rowid(database->file), error);
}

static enum txtap_status add_check(struct database *database, const struct checks *checks, size_t i, sqlite3_int64 id,
                                   struct error *error)
{
    const struct txtap_check *check = checks->entries[i].check;
    const struct txtap_check_result *result = &checks->entries[i].result;
    sqlite3_stmt *statement = database->statements[ADD_CHECK];
    bool is_time = check->unit == TXTAP_CHECK_TICKS || check->unit == TXTAP_CHECK_SECONDS;
    bool scaled = is_time && checks->rate.hz > 0;
    char text[CHECKS_RESULT_BYTES];

    (void)sqlite3_bind_int64(statement, 1, id);
    put_text(statement, 2, check->text);
    put_text(statement, 3, result->matched == 0 ? "absent" : checks_verdict(result->verdict));
    put_text(statement, 4, txtap_subject_text(&result->subject, result->name, text, sizeof text));
    put_number(statement, 5, result->matched > 0 && result->measure.known,
               result->measure.value / (scaled ? checks->rate.hz : 1));
    put_text(statement, 6, scaled ? "seconds" : checks_unit(check));
    if (result->place.known)
        put_integer(statement, 7, result->place.seq);
    if (result->matched > 0)
        checks_result_text(checks, i, text);
    put_text(statement, 8, result->matched > 0 ? text : "not in this trace");
    return run_statement(database, ADD_CHECK, NULL, error);
}

enum txtap_status database_add(struct database *database, const struct table_run *run, struct error *error)
{
    sqlite3_stmt *const *statements = database->statements;
    enum txtap_status status;
    sqlite3_int64 id;

    put_text(statements[DELETE_RUN], 1, run->board);
    put_text(statements[DELETE_RUN], 2, run->name);
    status = run_statement(database, DELETE_RUN, NULL, error);
    if (status == TXTAP_OK) {
        put_text(statements[ADD_BOARD], 1, run->board);
        status = run_statement(database, ADD_BOARD, NULL, error);
    }
    if (status == TXTAP_OK && *table_build(run) != '\0') {
        put_text(statements[ADD_BUILD], 1, table_build(run));
        put_text(statements[ADD_BUILD], 2, table_firmware(run));
        status = run_statement(database, ADD_BUILD, NULL, error);
    }
    if (status == TXTAP_OK)
        status = add_run(database, run, error);
    id = sqlite3_last_insert_rowid(database->file);
    for (size_t i = 0; i < run->figures->count && status == TXTAP_OK; i++)
        status = add_figure(database, run, &run->figures->at[i], id, error);
    for (size_t i = 0; i < run->checks->count && status == TXTAP_OK; i++)
        status = add_check(database, run->checks, i, id, error);
    return status;
}

enum txtap_status database_has(struct database *database, const char *board, const char *name, const char *key,
                               bool *has, struct error *error)
{
    sqlite3_stmt *statement = database->statements[FIND_RUN];

    put_text(statement, 1, board);
    put_text(statement, 2, name);
    (void)sqlite3_bind_text(statement, 3, key, -1, SQLITE_TRANSIENT);
    return run_statement(database, FIND_RUN, has, error);
}

/* ---- the file ---- */

/* Returns the number of a pragma or of a query with one number; -1: it failed. */
static sqlite3_int64 ask(struct database *database, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    sqlite3_int64 number = -1;

    if (sqlite3_prepare_v2(database->file, sql, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
        number = sqlite3_column_int64(statement, 0);
    (void)sqlite3_finalize(statement);
    return number;
}

static enum txtap_status make_schema(struct database *database, struct error *error)
{
    char sql[256];
    enum txtap_status status = execute(database, database_schema, error);

    snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = %d;", APPLICATION_ID, DATABASE_SCHEMA);
    return status == TXTAP_OK ? execute(database, sql, error) : status;
}

/* Begins the transaction. Makes the tables if the file is empty, and refuses another schema. */
static enum txtap_status begin(struct database *database, struct error *error)
{
    enum txtap_status status =
        execute(database, "PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; BEGIN IMMEDIATE", error);
    sqlite3_int64 application, version, tables;
    char sql[128];

    if (status != TXTAP_OK)
        return status;
    application = ask(database, "PRAGMA application_id");
    version = ask(database, "PRAGMA user_version");
    tables = ask(database, "SELECT count(*) FROM sqlite_schema");
    if (tables == 0 && application == 0)
        status = make_schema(database, error);
    else if (application != APPLICATION_ID)
        return failure(error, TXTAP_ERROR_FORMAT, "%.160s: a database of another program\ngive another file",
                       database->path);
    else if (version != DATABASE_SCHEMA)
        return failure(error, TXTAP_ERROR_FORMAT,
                       "%.160s: its schema is %lld, and this txtap has %d\ngive another file", database->path,
                       (long long)version, DATABASE_SCHEMA);
    snprintf(sql, sizeof sql, "INSERT OR REPLACE INTO meta VALUES ('schema', '%d'), ('txtap', '%s')", DATABASE_SCHEMA,
             TXTAP_VERSION);
    return status == TXTAP_OK ? execute(database, sql, error) : status;
}

static enum txtap_status prepare(struct database *database, struct error *error)
{
    for (unsigned i = 0; i < STATEMENTS; i++)
        if (sqlite3_prepare_v2(database->file, texts[i], -1, &database->statements[i], NULL) != SQLITE_OK)
            return wrong(database, error);
    return TXTAP_OK;
}

enum txtap_status database_open(struct database **opened, const char *path, struct error *error)
{
    struct database *database = calloc(1, sizeof *database);
    enum txtap_status status = TXTAP_OK;

    *opened = NULL;
    if (database != NULL)
        database->path = strdup(path);
    if (database == NULL || database->path == NULL) {
        free(database);
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: no memory for a database", path);
    }
    if (sqlite3_open_v2(path, &database->file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) != SQLITE_OK)
        status = wrong(database, error);
    if (status == TXTAP_OK) {
        (void)sqlite3_busy_timeout(database->file, BUSY_MS);
        (void)sqlite3_db_config(database->file, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
        status = begin(database, error);
    }
    if (status == TXTAP_OK)
        status = prepare(database, error);
    if (status == TXTAP_OK)
        *opened = database;
    else
        database_close(database);
    return status;
}

enum txtap_status database_commit(struct database *database, struct error *error)
{
    return execute(database, "COMMIT", error);
}

void database_close(struct database *database)
{
    if (database == NULL)
        return;
    for (unsigned i = 0; i < STATEMENTS; i++)
        (void)sqlite3_finalize(database->statements[i]);
    (void)sqlite3_close(database->file); /* rolls an open transaction back */
    free(database->path);
    free(database);
}
