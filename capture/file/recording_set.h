/* SPDX-License-Identifier: MIT */
/* The files that the user named, if there are several, or the files of a board. Sorts them in the order in which they
 * were written. */
#ifndef TXTAP_CAPTURE_FILE_RECORDING_SET_H
#define TXTAP_CAPTURE_FILE_RECORDING_SET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/failure.h"
#include "file/reading_notes.h"
#include "txtap/recording.h"

/* {0}: no files. */
struct recording_set {
    const char **paths; /* sorted by time if `sorted` is true */
    struct txtap_recording_start *starts;
    size_t count;
    bool sorted; /* false: the paths are in the user's order, because a pipe among them can be read only once */
    bool cut;    /* a file was dropped that should have had blocks */
};

/*
 * Opens `count` files; `paths` is borrowed. board: the files may belong to several recordings, which follow each other
 * in the order in which they were begun. Drops repeated files and files without a complete block, and adds a note
 * for each dropped file. TXTAP_ERROR_USAGE: the files do not belong to one recording, or a file of a
 * board has no number of its recording. Other errors: a file cannot be
 * read, or no file has a complete block. After success the caller closes the set.
 */
enum txtap_status recording_set_open(struct recording_set *set, const char *const *paths, size_t count, bool board,
                                     struct reading_notes *notes, struct error *error);
void recording_set_close(struct recording_set *set);

#endif
