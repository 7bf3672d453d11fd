/* SPDX-License-Identifier: MIT */
/* Definitions of user events from files. */
#ifndef TXTAP_CAPTURE_FILE_DEFINITIONS_FILE_H
#define TXTAP_CAPTURE_FILE_DEFINITIONS_FILE_H

#include <stddef.h>

#include "base/failure.h"
#include "txtap/definitions.h"

/*
 * Reads the files in their order; a later one may define again what an earlier one has. built_in: text in txtap's own
 * format that comes before them all, or NULL; it may be wrong. On success *out is the caller's, to be given to
 * definitions_free(), or NULL if there is nothing to read. Lines of a .trxc that are no definitions are told on
 * standard error unless quiet. On failure error is one line: TXTAP_ERROR_SYSTEM it cannot be read; _FORMAT, _SPACE as
 * txtap_definitions_parse() says, with file and line.
 */
enum txtap_status definitions_load(struct txtap_definitions **out, const char *built_in, const char *const *paths,
                                   size_t count, bool quiet, struct error *error);

/* NULL is allowed. */
void definitions_free(struct txtap_definitions *definitions);

#endif
