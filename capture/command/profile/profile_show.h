/* SPDX-License-Identifier: MIT */
/* Writes a profile in the format that the user chose. */
#ifndef TXTAP_CAPTURE_COMMAND_PROFILE_PROFILE_SHOW_H
#define TXTAP_CAPTURE_COMMAND_PROFILE_PROFILE_SHOW_H

#include "options/options.h"
#include "output/output.h"
#include "txtap/inner/profile.h"

/* Opens the output. Refuses to write pprof's format to a terminal. On failure error is one line. */
enum txtap_status profile_open_output(struct output *output, const struct options *options, struct error *error);

/* Writes the profile, and closes the output. earlier: a failure before this call; then nothing is written. Returns
 * `earlier`, or else the first failure. */
enum txtap_status profile_show(struct txtap_profile *profile, struct output *output, const struct options *options,
                               enum txtap_status earlier, struct error *error);

#endif
