/* SPDX-License-Identifier: MIT */
/* The guests and the logs of a command: opens all that the options ask for, and prints their summary. */
#ifndef TXTAP_CAPTURE_COMMAND_SAMPLING_H
#define TXTAP_CAPTURE_COMMAND_SAMPLING_H

#include "attach/attach.h"
#include "log/logs.h"
#include "options/options.h"
#include "profile/pc_guest.h"
#include "stream/guest.h"
#include "variables/variable_guest.h"

/* 1 MiB: not for the stack. */
struct sampling {
    struct guests guests;
    struct variable_guest variables;
    struct pc_guest pc;
    struct logs logs; /* whose lines are samples, too */

    /* private */
    const struct attachment *attachment;
    const struct variable_requests *requests;
    const struct elf_file *elf; /* the file in which the variables were found */
    uint64_t symbols;           /* checksum of its symbols */
    bool quiet;
};

/* Opens the guests and logs, and sets attachment->guests if there are any. attachment: attached to a target; borrowed
 * until sampling_close(). On failure error is one line, and nothing needs to be closed. */
enum txtap_status sampling_open(struct sampling *sampling, const struct options *options, struct attachment *attachment,
                                struct error *error);
void sampling_close(struct sampling *sampling);

/* Prints the numbers of samples and the reached rates on standard error. Prints nothing if there are no guests. */
void sampling_summary(const struct sampling *sampling);

#endif
