/* SPDX-License-Identifier: MIT */
/* The folders of boards in a folder of a lab. A folder that has recordings itself is a board, too. */
#ifndef TXTAP_CAPTURE_STORE_BOARD_FOLDERS_H
#define TXTAP_CAPTURE_STORE_BOARD_FOLDERS_H

#include "store/store_index.h"

struct board_folder {
    char *name; /* path of the folder below the lab: "b1" or "host/b1"; for the lab itself, its own name; owned */
    char *path; /* path of the folder; owned */
    struct store_index index;
    const struct store_file **named; /* the index's files, sorted by name; owned */
};

/* {0}: empty. */
struct board_folders {
    struct board_folder *boards; /* `count` boards that have recordings of events, sorted by name; owned */
    size_t count, room;
};

/*
 * Finds the boards of a folder, and makes their indexes. Ignores hidden folders, symbolic links and directories of CTF.
 * TXTAP_ERROR_SYSTEM, TXTAP_ERROR_SPACE: see store_index_open(); error has the cause. A lab may have no boards. After
 * success the caller closes the lab.
 */
enum txtap_status board_folders_open(struct board_folders *lab, const char *path, struct error *error);
void board_folders_close(struct board_folders *lab);

/* Adds a board without name, path and files, which the caller fills in. NULL: no memory. */
struct board_folder *board_folders_new(struct board_folders *lab);

/* Returns the name of a board, which the caller frees: see struct board_folder. NULL: no memory. lab, folder: paths. */
char *board_folder_name(const char *lab, const char *folder);

/* Returns the row of a file, and its board. NULL: the file is no recording of events in this lab. path: a path that
 * begins with the lab's path. */
const struct store_file *board_folders_find(const struct board_folders *lab, const char *path,
                                            const struct board_folder **board);

#endif
