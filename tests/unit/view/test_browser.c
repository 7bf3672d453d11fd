/* SPDX-License-Identifier: MIT */
#include "command/view/view_page.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Here xdg-open is a script. It lists its open files and the signals that it ignores. */
Test(browser, inherits_no_file_and_no_signal)
{
    char folder[] = "/tmp/txtap-browser-XXXXXX", script[64], told[64], text[256] = "";
    FILE *file;

    cr_assert_not_null(mkdtemp(folder));
    snprintf(script, sizeof script, "%s/xdg-open", folder);
    snprintf(told, sizeof told, "%s/told", folder);
    file = fopen(script, "w");
    cr_assert_not_null(file);
    fprintf(file,
            "#!/bin/sh\nPATH=/bin:/usr/bin\n"
            "{ test -e /proc/$$/fd/77 && echo 77; sed -n 's/^SigIgn:.*\\(....\\)$/\\1/p' /proc/$$/status; echo $1; }"
            " >%s.new; mv %s.new %s\n",
            told, told, told);
    fclose(file);
    cr_assert_eq(chmod(script, 0700), 0);
    cr_assert_eq(setenv("PATH", folder, 1), 0);
    cr_assert(open("/dev/null", O_RDWR) >= 0 && dup2(STDIN_FILENO, 77) == 77);
    signal(SIGPIPE, SIG_IGN);

    cr_assert(browser_open("http://127.0.0.1:1/"));
    while (access(told, F_OK) != 0)
        poll(NULL, 0, 1);
    file = fopen(told, "r");
    cr_assert(file != NULL && fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    unlink(told);
    unlink(script);
    rmdir(folder);
    cr_assert_str_eq(text, "0000\nhttp://127.0.0.1:1/\n");
}
