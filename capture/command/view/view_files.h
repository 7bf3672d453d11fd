/* SPDX-License-Identifier: MIT */
/* "txtap view" for files: a page that is served until Ctrl-C, or written as one file. */
#ifndef TXTAP_CAPTURE_COMMAND_VIEW_VIEW_FILES_H
#define TXTAP_CAPTURE_COMMAND_VIEW_VIEW_FILES_H

#include "base/input.h"
#include "options/options.h"

/* Can there be a page, of what the options choose? To be called first. TXTAP_ERROR_USAGE, _SYSTEM: error says why not.
 */
enum txtap_status view_check(const struct options *options, struct error *error);

/* input: open, at the first byte of the trace; borrowed. Returns an enum exit_code; errors are reported. */
int view_files_serve(const struct options *options, struct input *input);
int view_files_write(const struct options *options, struct input *input);

/* Writes a page without a trace. */
int view_files_write_empty(const struct options *options);

#endif
