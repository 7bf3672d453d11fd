/* SPDX-License-Identifier: MIT */
/* xdg-open knows which browser the user has. */
#include "view/browser.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"

static bool is_set(const char *name)
{
    const char *value = getenv(name);

    return value != NULL && *value != '\0';
}

bool browser_has_desktop(void)
{
    return is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
}

/* In a session of its own: Ctrl-C is not meant for it. */
static void run(const char *url)
{
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);

    setsid();
    if (nothing < 0 || fork() != 0)
        _exit(nothing < 0);
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        dup2(nothing, fd);
    child_inherit_nothing();
    execlp("xdg-open", "xdg-open", url, (char *)NULL);
    _exit(1);
}

bool browser_open(const char *url)
{
    pid_t child = fork();
    int status = 1;

    if (child == 0)
        run(url);
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}
