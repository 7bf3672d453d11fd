/* SPDX-License-Identifier: MIT */
/* A board of a store: a folder with its recordings. A command that takes a recording also takes a board, and reads the
 * recordings of a time as one. */
#ifndef TXTAP_CAPTURE_STORE_BOARD_H
#define TXTAP_CAPTURE_STORE_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/failure.h"

#define BOARD_RECORDING_SUFFIX ".rec" /* end of the names of recordings in a store */

struct board {
    const char **paths; /* `count` files in the order of their time, and room for another path; owned, like the texts */
    size_t count;
};

/* Returns true if the path is a folder, but not a directory of CTF. */
bool board_is(const char *path);

/* Returns true if the name is that of a recording in a store: *.rec, or *.rec1 for a further part. */
bool board_is_recording_name(const char *name);

/* Returns true if a folder has a file with such a name. */
bool board_has_recordings(const char *path);

/* Returns true if a folder has no such file itself, but one of its folders has. */
bool board_is_lab(const char *path);

/*
 * Finds the files of a board that have a part in the time from since_us to until_us (microseconds since 1970; 0: no
 * limit). TXTAP_ERROR_USAGE: the folder has no recordings; no recording of that time; or that time has recordings of
 * several firmware builds, whose names and addresses would be mixed. error has the cause and the next step. Other
 * statuses: see store_index_open(). After success the caller closes the board.
 */
enum txtap_status board_open(struct board *board, const char *path, uint64_t since_us, uint64_t until_us,
                             struct error *error);
void board_close(struct board *board);

#endif
