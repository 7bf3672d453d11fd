/* SPDX-License-Identifier: MIT */
/* Reads definitions of user events from files. */
#ifndef TXTAP_CAPTURE_FILE_DEFINITIONS_FILE_H
#define TXTAP_CAPTURE_FILE_DEFINITIONS_FILE_H

#include <stddef.h>

#include "base/failure.h"
#include "file/identity.h"
#include "txtap/definitions.h"

/*
 * Reads the files in order. A later file may redefine events of an earlier file. built_in: definitions to read first,
 * in txtap's own format, or NULL; they may be invalid. identity: its texts are read next; NULL: no texts. If there are
 * files, they replace the identity's texts of the user. On success the caller frees *out with definitions_free(); *out
 * is NULL if there is nothing to read. Unless `quiet` is true, prints a line on standard error for each line of a .trxc
 * file that is not a definition, and for the first invalid line of a text of the identity. On failure error is one
 * line. TXTAP_ERROR_SYSTEM: a file cannot be read. TXTAP_ERROR_FORMAT, TXTAP_ERROR_SPACE: see
 * txtap_definitions_parse(); error names the file and the line.
 */
enum txtap_status definitions_load(struct txtap_definitions **out, const char *built_in,
                                   const struct identity *identity, const char *const *paths, size_t count, bool quiet,
                                   struct error *error);

/* Frees the definitions; NULL is allowed. */
void definitions_free(struct txtap_definitions *definitions);

#endif
