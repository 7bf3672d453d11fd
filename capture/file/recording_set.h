/* SPDX-License-Identifier: MIT */
/*
 * The files of a recording that the user named: looks at what each begins with, and brings them into the order in which
 * they were written.
 */
#ifndef TXTAP_CAPTURE_FILE_RECORDING_SET_H
#define TXTAP_CAPTURE_FILE_RECORDING_SET_H

#include "base/failure.h"
#include "file/reading_notes.h"
#include "txtap/recording.h"

/* {0}: no files. */
struct recording_set {
    const char **paths; /* in their order */
    struct txtap_recording_start *starts;
    size_t count;
    bool sorted; /* else the paths are as the user gave them, because one of them can be read only once */
    bool cut;    /* a file is left out that may have blocks */
};

/*
 * paths: count of them, borrowed. Files that are there twice are left out, and those that have no whole block, with a
 * note. TXTAP_ERROR_USAGE: they are not of one recording. Other errors: a file cannot be read, or no file has a block.
 * After success close it.
 */
enum txtap_status recording_set_open(struct recording_set *set, const char *const *paths, size_t count,
                                     struct reading_notes *notes, struct error *error);
void recording_set_close(struct recording_set *set);

#endif
