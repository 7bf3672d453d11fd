/* SPDX-License-Identifier: MIT */
/* Reads after the user has asked txtap to end, and after the grace time. */
#include "input/input.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/runtime.h"

static char path[] = "/tmp/txtap-input-XXXXXX";

static void make_file(void)
{
    int fd = mkstemp(path);

    cr_assert_geq(fd, 0);
    cr_assert_eq(write(fd, "trace", 5), 5);
    close(fd);
}

/* Asks txtap to end, and lets the grace time pass. */
static void stop(void)
{
    runtime_init();
    cr_assert_eq(raise(SIGINT), 0);
    while (stop_grace_left_us() > 0)
        pause_us(1000);
}

static enum txtap_status open_file(void)
{
    const char *const paths[] = {path};
    struct error error = {0};
    struct input input;
    enum txtap_status status = input_open(&input, paths, 1, &error);

    if (status == TXTAP_OK)
        input_close(&input);
    return status;
}

Test(input_stop, ends_reads_after_the_grace_time_until_txtap_only_finishes_its_files)
{
    make_file();
    stop();
    cr_expect_eq(open_file(), TXTAP_ERROR_SYSTEM, "a command that reads a long trace ends");
    runtime_finish();
    cr_expect_eq(open_file(), TXTAP_OK, "a page is made from the recording");
    unlink(path);
}
