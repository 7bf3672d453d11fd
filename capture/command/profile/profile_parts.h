/* SPDX-License-Identifier: MIT */
/* The two sources of a profile: a running target, and a recording. */
#ifndef TXTAP_CAPTURE_COMMAND_PROFILE_PROFILE_PARTS_H
#define TXTAP_CAPTURE_COMMAND_PROFILE_PROFILE_PARTS_H

#include "base/failure.h"
#include "input/input.h"
#include "options/options.h"
#include "profile/profile_names.h"
#include "txtap/inner/profile.h"

/* A profile and its names. */
struct profile_work {
    struct txtap_profile profile;
    struct profile_names names;
    struct elf_file *elf; /* the firmware, for the names */
};

/* Opens the names of a firmware, and begins the profile. On failure error is one line, and nothing stays open. */
enum txtap_status profile_work_open(struct profile_work *work, const char *elf, struct error *error);
void profile_work_close(struct profile_work *work);

/* Takes samples from the target until a limit of the options, or Ctrl-C. options->target.elf is the firmware; `work` is
 * open. On failure error is one line, and the profile has the samples before the failure. */
enum txtap_status profile_target(struct profile_work *work, const struct options *options, struct error *error);

/* Takes the samples of a recording. `input` is open at its first byte; `work` is open. On failure error is one line. */
enum txtap_status profile_recording(struct profile_work *work, const struct options *options, struct input *input,
                                    struct error *error);

#endif
