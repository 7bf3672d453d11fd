/* SPDX-License-Identifier: MIT */
#include "probe/openocd/openocd_process.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <criterion/criterion.h>

static void run(const char *before_init, const char *after_init, int log)
{
    const char *chain = "adapter driver dummy; transport select jtag; bindto 127.0.0.1; adapter speed 1000; "
                        "gdb_port disabled; telnet_port 0; tcl_port 0; jtag newtap x cpu -irlen 4";
    int nothing = open("/dev/null", O_RDONLY);

    prctl(PR_SET_PDEATHSIG, SIGKILL); /* ends OpenOCD with the test, even if it is stopped */
    dup2(nothing, STDIN_FILENO);
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    execlp("openocd", "openocd", "-f", "/dev/null", "-c", chain, "-c", before_init, "-c", "init", "-c", after_init,
           (char *)NULL);
    _exit(127);
}

void openocd_start(struct openocd *openocd, const char *before_init, const char *after_init)
{
    int ends[2];
    char line[512];
    FILE *log;

    *openocd = (struct openocd){.pid = -1, .log = -1};
    cr_assert(pipe2(ends, O_CLOEXEC) == 0);
    openocd->pid = fork();
    cr_assert(openocd->pid >= 0);
    if (openocd->pid == 0)
        run(before_init, after_init, ends[1]);
    close(ends[1]);
    openocd->log = ends[0];
    log = fdopen(dup(ends[0]), "r");
    cr_assert(log != NULL);
    while (openocd->telnet_port[0] == '\0' && fgets(line, sizeof line, log) != NULL) {
        char *port = strstr(line, "for telnet") != NULL ? openocd->telnet_port : openocd->tcl_port;

        if (strstr(line, "for t") != NULL)
            (void)sscanf(line, "Info : Listening on port %7[0-9]", port);
    }
    fclose(log);
    cr_assert(openocd->tcl_port[0] != '\0' && openocd->telnet_port[0] != '\0',
              "openocd did not start: is it installed?");
}

void openocd_stop(struct openocd *openocd)
{
    if (openocd->pid > 0) {
        kill(openocd->pid, SIGTERM);
        waitpid(openocd->pid, NULL, 0);
    }
    if (openocd->log >= 0)
        close(openocd->log);
    openocd->pid = openocd->log = -1;
}
