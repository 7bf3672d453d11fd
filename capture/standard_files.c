/* SPDX-License-Identifier: MIT */
#include "standard_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "options.h"
#include "report.h"

bool standard_files_fill(void)
{
    /* Input and output the wrong way round: to use them fails. To open /dev/stdout for writing does so by /dev/full. */
    static const struct {
        const char *path;
        int mode;
    } devices[] = {
        [STDIN_FILENO] = {"/dev/null", O_WRONLY},
        [STDOUT_FILENO] = {"/dev/full", O_RDONLY},
        [STDERR_FILENO] = {"/dev/null", O_WRONLY},
    };

    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open(devices[fd].path, devices[fd].mode) != fd) /* it takes the lowest number */
            return false;
    return true;
}

static enum txtap_status cannot(int cause, char error[static ERROR_TEXT_BYTES])
{
    if (cause == EBADF)
        return failure(error, TXTAP_ERROR_SYSTEM, "standard output is closed: send it to a file, a pipe or /dev/null");
    return failure(error, TXTAP_ERROR_SYSTEM, "standard output: cannot be written: %s",
                   cause != 0 ? strerror(cause) : "some of it is missing");
}

enum txtap_status standard_output_check(char error[static ERROR_TEXT_BYTES])
{
    int flags = fcntl(STDOUT_FILENO, F_GETFL);

    return flags < 0 || (flags & O_ACCMODE) == O_RDONLY ? cannot(EBADF, error) : TXTAP_OK;
}

enum txtap_status standard_output_flush(char error[static ERROR_TEXT_BYTES])
{
    bool failed = ferror(stdout);
    int cause = 0;

    if (fflush(stdout) != 0) {
        failed = true;
        cause = errno;
    }
    clearerr(stdout);
    if (!failed)
        return TXTAP_OK;
    return cause == EPIPE ? TXTAP_END : cannot(cause, error);
}

static void flush_at_exit(void)
{
    char error[ERROR_TEXT_BYTES];

    if (standard_output_flush(error) >= TXTAP_OK)
        return;
    report_error(error);
    _exit(EXIT_FAILED);
}

void standard_output_flush_at_exit(void)
{
    atexit(flush_at_exit);
}
