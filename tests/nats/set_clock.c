/* SPDX-License-Identifier: MIT */
/*
 * A library for LD_PRELOAD. It sets the wall clock of a program: the file $SET_CLOCK has the seconds from the right
 * time, and may change at any time. As in Linux, a wait until a time of the wall clock takes longer if the clock is set
 * back. Debian's libfaketime ends such a wait at once. The monotonic clock stays right.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SLICE_NS   100000000  /* how long a wait may overlook that the clock was set */
#define WALL_S_MIN 1000000000 /* a time above this is of the wall clock, not of the monotonic clock */

static struct timespec right(clockid_t clock)
{
    struct timespec now = {0};

    syscall(SYS_clock_gettime, clock, &now);
    return now;
}

static time_t offset_s(void)
{
    const char *path = getenv("SET_CLOCK");
    char text[32] = "";
    int file = path != NULL ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    ssize_t length = file >= 0 ? read(file, text, sizeof text - 1) : 0;

    if (file >= 0)
        close(file);
    return length > 0 ? strtol(text, NULL, 10) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    if (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE)
        return (int)syscall(SYS_clock_gettime, clock, now);
    *now = right(CLOCK_REALTIME);
    now->tv_sec += offset_s();
    return 0;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    const struct timespec wall = right(CLOCK_REALTIME);

    (void)zone;
    *now = (struct timeval){wall.tv_sec + offset_s(), wall.tv_nsec / 1000};
    return 0;
}

time_t time(time_t *out)
{
    const time_t now = right(CLOCK_REALTIME).tv_sec + offset_s();

    if (out != NULL)
        *out = now;
    return now;
}

int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict lock,
                           const struct timespec *restrict until)
{
    static int (*wait_until)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
    int result;

    if (wait_until == NULL)
        *(void **)&wait_until = dlsym(RTLD_NEXT, "pthread_cond_timedwait");
    if (until->tv_sec < WALL_S_MIN)
        return wait_until(condition, lock, until);
    do {
        const struct timespec now = right(CLOCK_REALTIME);
        const int64_t left_ns =
            (until->tv_sec - now.tv_sec - offset_s()) * INT64_C(1000000000) + until->tv_nsec - now.tv_nsec;
        const int64_t end_ns = now.tv_nsec + (left_ns < SLICE_NS ? left_ns : SLICE_NS);

        if (left_ns <= 0)
            return ETIMEDOUT;
        result = wait_until(condition, lock, &(struct timespec){now.tv_sec + end_ns / 1000000000, end_ns % 1000000000});
    } while (result == ETIMEDOUT);
    return result;
}
