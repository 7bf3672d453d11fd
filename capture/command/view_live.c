/* SPDX-License-Identifier: MIT */
/* "txtap view" for a running target. */
#include "command/view_live.h"

int view_live(const struct options *options, struct attachment *attachment, struct error *error)
{
    (void)options;
    (void)attachment;
    return status_exit_code(
        failure(error, TXTAP_ERROR_USAGE,
                "a running target cannot be viewed yet\nrecord it with 'txtap record', and view the file"));
}
