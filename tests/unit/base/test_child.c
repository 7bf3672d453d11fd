/* SPDX-License-Identifier: MIT */
#include "base/child.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static struct child child;
static struct error error;
static char said[4096];
static size_t said_bytes;

static void start_shell(const char *script)
{
    const char *argv[] = {"sh", "-c", script, NULL};

    cr_assert_eq(child_start(&child, argv, &error), TXTAP_OK, "%s", error.what);
}

static void listen(void)
{
    said_bytes += child_read(&child, said + said_bytes, sizeof said - 1 - said_bytes);
    said[said_bytes] = '\0';
}

static void await_words(const char *words)
{
    while (strstr(said, words) == NULL) {
        cr_assert(child_runs(&child) || strstr(said, words) != NULL, "ended with '%s'", said);
        listen();
        poll(NULL, 0, 1);
    }
}

static const char *all_said(void)
{
    while (child_runs(&child))
        poll(NULL, 0, 1);
    listen();
    return said;
}

/* Returns true if the process has ended. Its parent may not have waited for it yet. */
static bool is_dead(pid_t pid)
{
    char path[64], line[256];
    bool dead = true;
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    file = fopen(path, "r");
    if (file == NULL)
        return true;
    while (fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "State:", 6) == 0)
            dead = strchr(line, 'Z') != NULL;
    fclose(file);
    return dead;
}

Test(child, its_output_is_kept_and_its_end_is_noticed)
{
    start_shell("echo out; echo err >&2; exit 3");
    pid_t pid = child.pid;

    cr_assert_str_eq(all_said(), "out\nerr\n");
    cr_assert_eq(child.pid, 0);
    cr_assert(kill(pid, 0) != 0, "a zombie is left");
    child_end(&child);
    child_end(&child);
}

Test(child, a_missing_program_is_an_error)
{
    const char *argv[] = {"/nonexistent/program", NULL};

    cr_assert_eq(child_start(&child, argv, &error), TXTAP_ERROR_SYSTEM);
    cr_assert_str_eq(error.what, "No such file or directory");
    cr_assert(child.pid == 0 && !child.started);
}

Test(child, a_child_that_ignores_signals_is_killed_with_its_children)
{
    int grandchild = 0;

    start_shell("trap '' TERM; sleep 1000 & echo $!; echo ready; while :; do wait; done");
    await_words("ready\n");
    cr_assert_eq(sscanf(said, "%d", &grandchild), 1);

    pid_t pid = child.pid;

    child_end(&child);
    cr_assert(kill(pid, 0) != 0);
    while (!is_dead(grandchild))
        poll(NULL, 0, 1);
}

Test(child, it_dies_with_its_parent)
{
    int ends[2], number = 0;
    pid_t starter;

    cr_assert_eq(pipe(ends), 0);
    starter = fork();
    if (starter == 0) {
        start_shell("trap '' TERM INT HUP; while :; do sleep 1000; done");
        (void)!write(ends[1], &child.pid, sizeof child.pid);
        for (;;)
            pause();
    }
    cr_assert_eq(read(ends[0], &number, sizeof number), (ssize_t)sizeof number);
    cr_assert(!is_dead(number));
    kill(starter, SIGKILL);
    waitpid(starter, NULL, 0);
    while (!is_dead(number))
        poll(NULL, 0, 1);
}

Test(child, it_inherits_no_file_and_no_terminal)
{
    cr_assert(open("/dev/null", O_RDONLY) >= 0 && dup2(STDIN_FILENO, 77) == 77);
    start_shell("ls /proc/$$/fd | tr '\\n' ' '; read -r line || echo nothing to read; ps -o sid= -p $$; echo $$");

    int session = 0, number = 0;

    cr_assert_eq(strncmp(all_said(), "0 1 2 ", 6), 0, "%s", said);
    cr_assert_null(strstr(said, " 77 "));
    cr_assert_not_null(strstr(said, "nothing to read\n"));
    cr_assert_eq(sscanf(strstr(said, "read\n") + 5, "%d %d", &session, &number), 2, "%s", said);
    cr_assert_eq(session, number, "Ctrl-C reaches it");
}

Test(child, its_signals_have_their_default_actions)
{
    sigset_t set;

    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigprocmask(SIG_BLOCK, &set, NULL);
    start_shell("sed -n 's/^Sig\\(Blk\\|Ign\\):.*\\(....\\)$/\\1 \\2/p' /proc/self/status");
    cr_assert_str_eq(all_said(), "Blk 0000\nIgn 0000\n");
}

/*
 * The child's process id must not become free before its end is noticed. Otherwise the kernel could give it to another
 * process, which child_end() would then kill.
 */
Test(child, its_process_id_is_not_reused_until_its_end_is_noticed)
{
    signal(SIGCHLD, SIG_IGN); /* txtap may inherit this from its parent */
    start_shell("exit 0");
    while (!is_dead(child.pid))
        poll(NULL, 0, 1);
    cr_assert_eq(kill(child.pid, 0), 0, "the process id is free again");
    cr_assert_not(child_runs(&child));
}

Test(child, unread_output_does_not_grow)
{
    struct stat about;

    start_shell("head -c 5000000 /dev/zero; echo behind; read -r x; sleep 1; while :; do echo more; sleep 0.01; done");
    while (lseek(child.output, 0, SEEK_END) < 5000007)
        poll(NULL, 0, 1);
    child_trim(&child);
    cr_assert_eq(fstat(child.output, &about), 0);
    cr_assert_lt(about.st_blocks * 512, 1000000, "the memory is given back");
    await_words("more\n");
    cr_assert_eq(strncmp(said, "more\n", 5), 0, "'%s'", said);
    child_end(&child);
}
