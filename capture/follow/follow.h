/* SPDX-License-Identifier: MIT */
/*
 * Plays the recordings of a board while they are written, as items. Begins with the newest file, and continues with
 * each file that begins later, also of another recorder. The end comes only when the user or the caller ends it.
 */
#ifndef TXTAP_CAPTURE_FOLLOW_FOLLOW_H
#define TXTAP_CAPTURE_FOLLOW_FOLLOW_H

#include <stdbool.h>

#include "base/failure.h"
#include "file/identity.h"
#include "file/recording_reader.h"
#include "input/input.h"
#include "txtap/item.h"
#include "txtap/recording.h"
#include "txtap/sample.h"

/* This struct must not be moved. */
struct follow {
    struct input input;
    struct recording_reader reader;
    struct txtap_object *objects;
    struct txtap_registry registry; /* names of the board's objects so far */
    struct txtap_recording_player player;
    struct txtap_channels channels; /* of samples */
    struct identity identity;       /* description of the recording, with the best known rate */
    char *definitions;              /* of another kernel's events; NULL: ThreadX's events */
    bool only_new;
    bool is_old; /* the waiting block was in the newest file when it was opened */
    struct txtap_recording_item block;
};

/*
 * Opens a live place and reads the description of its newest recording. only_new: the items that the newest file has
 * now are not played, but their names are known. wait: what to do while no bytes come; borrowed, and also called within
 * this function. Statuses are those of input_open_live() and recording_reader_open(). TXTAP_END: the caller or the user
 * has ended it. After TXTAP_OK, call follow_close().
 */
enum txtap_status follow_open(struct follow *follow, const char *const *path, bool only_new,
                              const struct input_wait *wait, struct error *error);
void follow_close(struct follow *follow);

/* Plays the waiting block, and waits for the next block. TXTAP_END: the sink, the caller or the user has ended it. */
enum txtap_status follow_step(struct follow *follow, struct txtap_sink sink, struct error *error);

#endif
