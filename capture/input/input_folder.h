/* SPDX-License-Identifier: MIT */
/* A row of the kinds of places: the folder of a board, which is followed while its recorder writes. */
#ifndef TXTAP_CAPTURE_INPUT_INPUT_FOLDER_H
#define TXTAP_CAPTURE_INPUT_INPUT_FOLDER_H

#include "input/input.h"

extern const struct input_kind input_folder;

#endif
