/* SPDX-License-Identifier: MIT */
/* Replaces view_files.c and view_live.c in a build without what the page needs. */
#include "command/view_files.h"
#include "command/view_live.h"
#include "output/report.h"

static enum txtap_status refuse(struct error *error)
{
    return failure(error, TXTAP_ERROR_SYSTEM,
                   "this txtap was built without %s and has no page\ninstall it, and build it again", VIEW_LACKS);
}

static int say(void)
{
    struct error error;
    enum txtap_status status = refuse(&error);

    report_error(&error);
    return status_exit_code(status);
}

int view_live(const struct options *options, struct attachment *attachment, struct error *error)
{
    (void)options;
    (void)attachment;
    return status_exit_code(refuse(error));
}

int view_files_serve(const struct options *options, struct input *input)
{
    (void)options;
    (void)input;
    return say();
}

int view_files_write(const struct options *options, struct input *input)
{
    (void)options;
    (void)input;
    return say();
}

int view_files_write_empty(const struct options *options)
{
    (void)options;
    return say();
}
