/* SPDX-License-Identifier: MIT */
/*
 * The index of a folder of recordings: a row for each file. It is kept in the folder, as ".txtap-index.json", so that
 * only new and changed files are read again. The files are the truth: an index that is lost, damaged, a symbolic link
 * or another user's file is ignored and made again. Without jansson the index is not kept.
 */
#ifndef TXTAP_CAPTURE_STORE_STORE_INDEX_H
#define TXTAP_CAPTURE_STORE_STORE_INDEX_H

#include <stddef.h>

#include "base/failure.h"
#include "store/store_file.h"

#define STORE_FILES_MAX 100000u

/* {0}: empty. */
struct store_index {
    struct store_file *files; /* `count` files, sorted by since_us; owned */
    size_t count, room;
    size_t read;    /* number of files whose blocks were read, because the kept index did not have them */
    size_t skipped; /* number of files that are no recordings of events, or have no whole block */
};

/*
 * Makes the index of the files in a folder whose names do not begin with a dot, and keeps it if it has changed.
 * TXTAP_ERROR_SYSTEM: the folder or a file cannot be read. TXTAP_ERROR_SPACE: more than STORE_FILES_MAX files. A
 * failure to keep the index is no failure. After success the caller frees the index.
 */
enum txtap_status store_index_open(struct store_index *index, const char *folder, struct error *error);
void store_index_free(struct store_index *index);

/* Adds a row, which the caller fills in. NULL: no memory. */
struct store_file *store_index_add(struct store_index *index);

/* ---- the kept form ---- */

/* Reads rows from the text of a kept index, and adds them to the index. False: the text is invalid, and no row is
 * added. `read` and `skipped` do not change. */
bool store_index_parse(struct store_index *index, const char *text, size_t length);

/* Returns the text, which the caller frees, and its length; NULL: no memory. */
char *store_index_text(const struct store_index *index, size_t *length);

#endif
