/* SPDX-License-Identifier: MIT */
/* The boards of a NATS server, in the form of a lab. A board has a row for each recording, not for each file. */
#ifndef TXTAP_CAPTURE_STORE_BOARD_SUBJECTS_H
#define TXTAP_CAPTURE_STORE_BOARD_SUBJECTS_H

#include "store/board_folders.h"

/*
 * Reads the recordings of a place, whose subject may be a pattern, from the file of since_us until the first file after
 * until_us, in microseconds since 1970; 0: no limit. The name of a row is the identifier of its recording.
 * TXTAP_ERROR_SPACE: a board has more than STORE_FILES_MAX recordings. Other statuses: see nats_subjects_find() and
 * input_open(). error has the cause. After success the caller calls board_folders_close().
 */
enum txtap_status board_subjects_open(struct board_folders *lab, const char *place, uint64_t since_us,
                                      uint64_t until_us, struct error *error);

#endif
