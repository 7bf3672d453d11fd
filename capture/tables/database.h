/* SPDX-License-Identifier: MIT */
/*
 * Figures of many runs in a SQLite database, which is made or updated in one transaction: if the program ends before
 * database_commit(), in whatever way, the file is as before. docs/reference/lab.md describes the tables.
 */
#ifndef TXTAP_CAPTURE_TABLES_DATABASE_H
#define TXTAP_CAPTURE_TABLES_DATABASE_H

#include "tables/table_run.h"

#define DATABASE_SCHEMA 1

struct database;

/*
 * Opens a database, or makes a new file, and begins the transaction. TXTAP_ERROR_SYSTEM: the file cannot be opened,
 * another program writes it, there is no memory, or this build has no SQLite. TXTAP_ERROR_FORMAT: the file is no
 * database of this schema, or is damaged. error has the cause, and the file is unchanged. After success the caller
 * closes the database.
 */
enum txtap_status database_open(struct database **database, const char *path, struct error *error);

/* Sets *has to true if the database has the run with this key. Then database_add() is not necessary. */
enum txtap_status database_has(struct database *database, const char *board, const char *name, const char *key,
                               bool *has, struct error *error);

/* Adds a run, in place of an earlier run of the same board and name. */
enum txtap_status database_add(struct database *database, const struct table_run *run, struct error *error);

/* Ends the transaction: all runs are in the file. */
enum txtap_status database_commit(struct database *database, struct error *error);

/* Closes the file. Without a database_commit() it is as before. database: may be NULL. */
void database_close(struct database *database);

#endif
