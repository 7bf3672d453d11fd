/* SPDX-License-Identifier: MIT */
/* A child process that cannot outlive txtap. This module does not know which program the child runs. */
#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/runtime.h"

#define END_US 500000 /* from SIGTERM to SIGKILL */
/* even SIGKILL may take time in a hanging driver; after this time txtap stops waiting */
#define KILL_US       3000000
#define LOOK_MS       2
#define OUTPUT_BYTES  (4 << 20) /* limit of unread output; more than any OpenOCD writes at its start */
#define FREE_BYTES    (1 << 18) /* output that was read is freed in amounts of this size */
#define EXEC_FAILED   127
#define DESCRIPTORS   1024 /* number of descriptors to close one by one if the kernel cannot close all at once */
#define FIRST_FREE_FD (STDERR_FILENO + 1)

/* ---- in the child, between fork and exec, where only async-signal-safe calls are allowed ---- */

static void reset_signals(void)
{
    sigset_t none;

    for (int i = 1; i < NSIG; i++)
        signal(i, SIG_DFL); /* fails for SIGKILL and SIGSTOP, whose action cannot be changed */
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Makes exec close all files of txtap, even files that another part opened. So the child does not keep txtap's output
 * open after txtap ends. */
static void close_on_exec(void)
{
    if (close_range(FIRST_FREE_FD, ~0u, CLOSE_RANGE_CLOEXEC) == 0)
        return;
    for (int fd = FIRST_FREE_FD; fd < DESCRIPTORS; fd++)
        fcntl(fd, F_SETFD, FD_CLOEXEC);
}

void child_inherit_nothing(void)
{
    reset_signals();
    close_on_exec();
}

/* Turns the child into the program argv[0]. `nothing` and `output` are descriptors above the standard files. Returns
 * only on failure. */
static void become(const char *const *argv, int death_signal, pid_t parent, int nothing, int output)
{
    /* If the parent has already ended, the kernel sends no signal. */
    if (prctl(PR_SET_PDEATHSIG, death_signal) != 0 || getppid() != parent)
        return;
    setsid(); /* Ctrl-C on the terminal is for txtap, which ends the child after it has read the last events */
    if (dup2(nothing, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0 || dup2(output, STDERR_FILENO) < 0)
        return;
    child_inherit_nothing();
    execvp(argv[0], (char *const *)argv);
}

/* ---- start ---- */

/* Starts the child. `failed` is a pipe through which a child that could not start reports its errno; exec closes the
 * pipe. This function closes the second end. */
static enum txtap_status start(struct child *child, const char *const *argv, int death_signal, int nothing,
                               const int failed[2], struct error *error)
{
    pid_t parent = getpid();
    int cause = 0;
    ssize_t got;

    /* If SIGCHLD were ignored, the kernel would release the child's pid before child_runs() sees that the child ended.
     */
    signal(SIGCHLD, SIG_DFL);
    child->pid = fork();
    if (child->pid == 0) {
        become(argv, death_signal, parent, nothing, child->output);
        cause = errno;
        (void)!write(failed[1], &cause, sizeof cause);
        _exit(EXEC_FAILED);
    }
    cause = child->pid < 0 ? errno : 0;
    close(failed[1]);
    if (child->pid < 0) {
        child->pid = 0;
        return failure(error, TXTAP_ERROR_SYSTEM, "%s", strerror(cause));
    }
    do
        got = read(failed[0], &cause, sizeof cause);
    while (got < 0 && errno == EINTR);
    return got > 0 ? failure(error, TXTAP_ERROR_SYSTEM, "%s", strerror(cause)) : TXTAP_OK;
}

static enum txtap_status start_child(struct child *child, const char *const *argv, int death_signal,
                                     struct error *error)
{
    int failed[2] = {-1, -1}, nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    enum txtap_status status;

    *child = (struct child){.output = memfd_create("child", MFD_CLOEXEC), .started = true};
    if (nothing < 0 || child->output < 0 || fcntl(child->output, F_SETFL, O_APPEND) != 0 ||
        pipe2(failed, O_CLOEXEC) != 0) {
        status = failure(error, TXTAP_ERROR_SYSTEM, "%s", strerror(errno));
    } else {
        status = start(child, argv, death_signal, nothing, failed, error);
        close(failed[0]);
    }
    if (nothing >= 0)
        close(nothing);
    if (status != TXTAP_OK)
        child_end(child);
    return status;
}

enum txtap_status child_start(struct child *child, const char *const *argv, struct error *error)
{
    return start_child(child, argv, SIGKILL, error);
}

enum txtap_status child_start_gentle(struct child *child, const char *const *argv, struct error *error)
{
    return start_child(child, argv, SIGHUP, error);
}

/* ---- while it runs ---- */

bool child_runs(struct child *child)
{
    pid_t got;

    if (child->pid == 0)
        return false;
    do
        got = waitpid(child->pid, &child->status, WNOHANG);
    while (got < 0 && errno == EINTR);
    if (got != 0)
        child->pid = 0;
    return got == 0;
}

size_t child_read(struct child *child, char *bytes, size_t size)
{
    ssize_t got = pread(child->output, bytes, size, (off_t)child->offset);

    if (got <= 0)
        return 0;
    child->offset += (uint64_t)got;
    return (size_t)got;
}

void child_trim(struct child *child)
{
    struct stat about;
    uint64_t freed = child->freed;

    if (!child->started || fstat(child->output, &about) != 0)
        return;
    if ((uint64_t)about.st_size > child->offset + OUTPUT_BYTES)
        child->offset = (uint64_t)about.st_size;
    /* Does not truncate the file, because that could lose output that the child is writing. */
    if (child->offset - freed >= FREE_BYTES && fallocate(child->output, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                                                         (off_t)freed, (off_t)(child->offset - freed)) == 0)
        child->freed = child->offset;
}

/* ---- end ---- */

/* Waits until the child ends. A stop request does not interrupt this wait, because txtap waits here after a stop
 * request. */
static void await_end(struct child *child, uint64_t limit_us)
{
    uint64_t begin = now_us();

    while (child_runs(child) && now_us() - begin < limit_us)
        poll(NULL, 0, LOOK_MS);
}

void child_ask_to_end(struct child *child)
{
    if (child->pid != 0)
        kill(-child->pid, SIGTERM); /* the whole session, which includes the child's own children */
}

void child_end(struct child *child)
{
    if (child->pid != 0 && child_runs(child)) {
        child_ask_to_end(child);
        await_end(child, END_US);
    }
    if (child->pid != 0) {
        kill(-child->pid, SIGKILL);
        await_end(child, KILL_US);
    }
    if (child->started && child->output >= 0)
        close(child->output);
    *child = (struct child){.pid = 0};
}
