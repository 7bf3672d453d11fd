/* SPDX-License-Identifier: MIT */
/* The clock, sleep, and signals. */
#include "base/runtime.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define HEARTBEAT_US 50000

static volatile sig_atomic_t stop_flag, statistics_flag, reopen_flag;
static atomic_ullong stop_us; /* when the user asked txtap to end */
static sigset_t outside_sleep;
static bool had_terminal;

/* Notes the stop request, and starts a timer. A stop signal may arrive just before a call that waits; then the timer's
 * signals interrupt that call. */
static void on_stop(int signal_number)
{
    const struct itimerval heartbeat = {{0, HEARTBEAT_US}, {0, HEARTBEAT_US}};

    (void)signal_number;
    if (stop_flag)
        return;
    stop_us = now_us();
    stop_flag = 1;
    setitimer(ITIMER_REAL, &heartbeat, NULL);
}

static void on_heartbeat(int signal_number)
{
    (void)signal_number; /* the signal's only purpose is to interrupt a call */
}

/* Sets the handlers. sleep_us() blocks the stop signals and ppoll() unblocks them, so that no signal is missed between
 * the test of the flag and the sleep. */
void runtime_init(void)
{
    struct sigaction action = {.sa_handler = on_stop, .sa_flags = (int)SA_RESETHAND};
    struct sigaction heartbeat = {.sa_handler = on_heartbeat};

    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGALRM, &heartbeat, NULL);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    sigprocmask(SIG_SETMASK, NULL, &outside_sleep);
}

bool stop_requested(void)
{
    return stop_flag;
}

static bool finishing;

void runtime_finish(void)
{
    finishing = true;
}

uint64_t stop_grace_left_us(void)
{
    uint64_t gone;

    if (!stop_flag || finishing)
        return UINT64_MAX;
    gone = now_us() - stop_us;
    return gone < STOP_GRACE_US ? STOP_GRACE_US - gone : 0;
}

static void on_request(int signal_number)
{
    if (signal_number == SIGUSR1)
        statistics_flag = 1;
    else
        reopen_flag = 1;
}

/* Returns true if the process still has a terminal. A process loses its terminal when the terminal hangs up. */
static bool has_terminal(void)
{
    int fd = open("/dev/tty", O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);

    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

bool terminal_is_gone(void)
{
    return had_terminal && !has_terminal();
}

void runtime_take_requests(void)
{
    struct sigaction action = {.sa_handler = on_request, .sa_flags = SA_RESTART};

    had_terminal = has_terminal();
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
}

static bool take_flag(volatile sig_atomic_t *flag)
{
    bool was_set = *flag;

    if (was_set)
        *flag = 0;
    return was_set;
}

bool statistics_requested(void)
{
    return take_flag(&statistics_flag);
}

bool reopen_requested(void)
{
    return take_flag(&reopen_flag);
}

static uint64_t clock_us(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

uint64_t now_us(void)
{
    return clock_us(CLOCK_MONOTONIC);
}

uint64_t wall_us(void)
{
    return clock_us(CLOCK_REALTIME);
}

bool sleep_us(uint64_t us)
{
    return sleep_or_poll_us(NULL, 0, us);
}

bool sleep_or_poll_us(struct pollfd *files, size_t count, uint64_t us)
{
    struct timespec span = {(time_t)(us / 1000000), (long)(us % 1000000) * 1000};
    sigset_t stop, before;

    sigemptyset(&stop);
    sigaddset(&stop, SIGINT);
    sigaddset(&stop, SIGTERM);
    sigprocmask(SIG_BLOCK, &stop, &before);
    if (!stop_flag)
        ppoll(files, count, &span, &outside_sleep);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return !stop_flag;
}

void pause_us(uint64_t us)
{
    const struct timespec span = {(time_t)(us / 1000000), (long)(us % 1000000) * 1000};

    nanosleep(&span, NULL);
}

/* ---- wall clock ---- */

#define CLOSE_US 10 /* most hosts read both clocks in less time */
#define READINGS 20

uint64_t wall_offset_us(uint64_t (*wall_clock)(void), uint64_t (*clock)(void))
{
    uint64_t least = UINT64_MAX, offset = 0;

    for (int i = 0; i < READINGS && least > CLOSE_US; i++) {
        uint64_t before = clock(), wall = wall_clock(), took = clock() - before;

        if (took < least) {
            least = took;
            offset = wall - (before + took / 2);
        }
    }
    return offset;
}
