/* SPDX-License-Identifier: MIT */
/* Replaces view_files.c and view_live.c in a build without what the page needs. */
#include "command/view/view_files.h"
#include "command/view/view_live.h"

enum txtap_status view_check(const struct options *options, struct error *error)
{
    (void)options;
    return failure(error, TXTAP_ERROR_SYSTEM,
                   "this txtap was built without %s and has no page\ninstall it, and build it again", VIEW_LACKS);
}

/* view_check() is called before all of these. */
static int nothing(void)
{
    return EXIT_FAILED;
}

int view_live(const struct options *options, struct attachment *attachment, struct error *error)
{
    (void)options;
    (void)attachment;
    (void)error;
    return nothing();
}

int view_files_serve(const struct options *options, struct input *input)
{
    (void)options;
    (void)input;
    return nothing();
}

int view_files_write(const struct options *options, struct input *input)
{
    (void)options;
    (void)input;
    return nothing();
}

int view_files_write_empty(const struct options *options)
{
    (void)options;
    return nothing();
}
