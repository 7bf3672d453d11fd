/* SPDX-License-Identifier: MIT */
/* txtap info of a folder: a row for each recorded file of a board, or of all boards of a lab. */
#ifndef TXTAP_CAPTURE_COMMAND_INFO_INFO_FOLDER_H
#define TXTAP_CAPTURE_COMMAND_INFO_INFO_FOLDER_H

#include "options/options.h"

/* Prints the table, or an error. The folder is options->target.elf. Returns an enum exit_code. */
int info_folder(const struct options *options);

#endif
