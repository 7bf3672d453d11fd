/* SPDX-License-Identifier: MIT */
/* Replaces database.c in a build without SQLite. */
#include "tables/database.h"

enum txtap_status database_open(struct database **database, const char *path, struct error *error)
{
    *database = NULL;
    return failure(error, TXTAP_ERROR_SYSTEM,
                   "%.160s: this txtap was built without SQLite\nuse --format csv, or build txtap with libsqlite3-dev",
                   path);
}

enum txtap_status database_has(struct database *database, const char *board, const char *name, const char *key,
                               bool *has, struct error *error)
{
    (void)database, (void)board, (void)name, (void)key, (void)error;
    *has = false;
    return TXTAP_ERROR_SYSTEM;
}

enum txtap_status database_add(struct database *database, const struct table_run *run, struct error *error)
{
    (void)database, (void)run, (void)error;
    return TXTAP_ERROR_SYSTEM;
}

enum txtap_status database_commit(struct database *database, struct error *error)
{
    (void)database, (void)error;
    return TXTAP_ERROR_SYSTEM;
}

void database_close(struct database *database)
{
    (void)database;
}
