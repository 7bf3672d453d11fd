/* SPDX-License-Identifier: MIT */
/*
 * Opens, reads and watches logs. A read without bytes proves that all earlier bytes have been read. So the next bytes
 * were written after the start of that read: this is the lower bound of their lines.
 */
#include "log/logs.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/runtime.h"
#include "log/log_line.h"
#include "output/report.h"

#define LOOK_US    20000u  /* how often a file is read for more bytes */
#define RETRY_US   250000u /* how often txtap tries to open a log that has ended */
#define READ_BYTES 4096u
#define READS_MAX  16u                    /* reads of a log in a step */
#define QUEUE_ROOM (SAMPLE_QUEUE_MAX / 2) /* samples that may wait when a log is read */

/* ---- opening ---- */

static const struct {
    unsigned bits;
    speed_t code;
} speeds[] = {{1200, B1200},       {2400, B2400},       {4800, B4800},       {9600, B9600},       {19200, B19200},
              {38400, B38400},     {57600, B57600},     {115200, B115200},   {230400, B230400},   {460800, B460800},
              {500000, B500000},   {576000, B576000},   {921600, B921600},   {1000000, B1000000}, {1152000, B1152000},
              {1500000, B1500000}, {2000000, B2000000}, {2500000, B2500000}, {3000000, B3000000}, {3500000, B3500000},
              {4000000, B4000000}};

/* Returns the code of a speed; B0: there is no such speed. */
static speed_t code_of(unsigned bits)
{
    for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++)
        if (speeds[i].bits == bits)
            return speeds[i].code;
    return B0;
}

/*
 * Makes a terminal pass all bytes unchanged. It must not echo: an echo would be sent to the target. If txtap closes it,
 * the control lines stay, because they may reset a board.
 */
static bool configure(int fd, unsigned speed)
{
    struct termios modes;

    if (tcgetattr(fd, &modes) != 0)
        return false;
    cfmakeraw(&modes);
    modes.c_cflag |= CLOCAL | CREAD;
    modes.c_cflag &= ~(tcflag_t)HUPCL;
    if (speed != 0 && (cfsetispeed(&modes, code_of(speed)) != 0 || cfsetospeed(&modes, code_of(speed)) != 0))
        return false;
    return tcsetattr(fd, TCSANOW, &modes) == 0;
}

/* Opens the log. from_start: read a file from its start. Returns false if this fails; errno is the reason. */
static bool open_log(struct log *log, bool from_start)
{
    log->fd = open(log->path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (log->fd < 0)
        return false;
    log->is_terminal = isatty(log->fd) == 1;
    if (fstat(log->fd, &log->file) == 0 && (!log->is_terminal || configure(log->fd, log->speed))) {
        log->is_quiet = S_ISREG(log->file.st_mode);
        if (log->is_quiet && !from_start)
            (void)lseek(log->fd, 0, SEEK_END);
        if (log->is_terminal && !from_start)
            (void)tcflush(log->fd, TCIFLUSH);
        return true;
    }
    close(log->fd);
    log->fd = -1;
    return false;
}

/* ---- names ---- */

/* Sets the path and the speed. */
static enum txtap_status parse_name(struct log *log, const char *name, struct error *error)
{
    const char *at = strrchr(name, '@');
    size_t length = strlen(name);
    unsigned speed = 0;

    if (at != NULL && at[1] != '\0' && at[1 + strspn(at + 1, "0123456789")] == '\0') {
        length = (size_t)(at - name);
        speed = strlen(at + 1) <= 7 ? (unsigned)strtoul(at + 1, NULL, 10) : 0;
        if (code_of(speed) == B0)
            return failure(error, TXTAP_ERROR_USAGE,
                           "--log %.160s: a serial port cannot have this speed\nuse one of 9600, 115200, 921600, ...",
                           name);
    }
    if (length == 0 || length >= sizeof log->path)
        return failure(error, TXTAP_ERROR_USAGE, "--log %.160s: not a path\ngive a file, a pipe or a serial port",
                       name);
    memcpy(log->path, name, length);
    log->path[length] = '\0';
    log->speed = speed;
    return TXTAP_OK;
}

/* Adds a channel with this name. Characters that a channel's name must not have become '_'. */
static const struct txtap_channel *add_channel(struct txtap_channels *channels, const char *name)
{
    struct txtap_channel channel = {.number = (uint32_t)channels->count, .kind = TXTAP_CHANNEL_LOG};

    snprintf(channel.name, sizeof channel.name, "%s", name);
    for (char *at = channel.name; *at != '\0'; at++)
        if (*at < ' ' || *at > '~' || *at == '"' || *at == '\\')
            *at = '_';
    return txtap_channels_add(channels, &channel);
}

/* Names the channel like the file or, if this name is in use, like the path. */
static enum txtap_status name_log(struct log *log, struct txtap_channels *channels, struct error *error)
{
    const char *slash = strrchr(log->path, '/');
    size_t before = channels->count;

    log->channel = add_channel(channels, slash != NULL && slash[1] != '\0' ? slash + 1 : log->path);
    if (log->channel == NULL || channels->count == before)
        log->channel = add_channel(channels, log->path);
    if (log->channel == NULL || channels->count == before)
        return failure(error, TXTAP_ERROR_USAGE,
                       "--log %.160s: there is another channel with this name\ngive each log once", log->path);
    return TXTAP_OK;
}

static enum txtap_status open_first(struct log *log, const char *name, struct txtap_channels *channels,
                                    struct error *error)
{
    enum txtap_status status = parse_name(log, name, error);

    if (status != TXTAP_OK)
        return status;
    if (!open_log(log, false))
        return failure(error, TXTAP_ERROR_SYSTEM, "--log %.160s: cannot be opened: %s", log->path, strerror(errno));
    if (S_ISDIR(log->file.st_mode))
        return failure(error, TXTAP_ERROR_USAGE, "--log %.160s: a directory\ngive a file, a pipe or a serial port",
                       log->path);
    if (log->speed != 0 && !log->is_terminal)
        return failure(error, TXTAP_ERROR_USAGE,
                       "--log %.160s@%u: not a serial port, so it has no speed\nleave out @%u", log->path, log->speed,
                       log->speed);
    return name_log(log, channels, error);
}

static void close_all(struct logs *logs)
{
    for (size_t i = 0; i < logs->count; i++)
        if (logs->at[i].fd >= 0)
            close(logs->at[i].fd);
    logs->count = 0;
}

enum txtap_status logs_open(struct logs *logs, const char *const *names, size_t count, uint64_t (*clock)(void),
                            bool quiet, struct txtap_channels *channels, struct error *error)
{
    enum txtap_status status = TXTAP_OK;

    memset(logs, 0, sizeof *logs);
    logs->now_us = clock;
    logs->quiet = quiet;
    for (size_t i = 0; i < count && status == TXTAP_OK; i++) {
        struct log *log = &logs->at[logs->count++];

        log->fd = -1;
        status = open_first(log, names[i], channels, error);
        log->drained_us = clock();
    }
    if (status != TXTAP_OK)
        close_all(logs);
    return status;
}

/* ---- reading ---- */

static void end(const struct logs *logs, struct log *log, struct sample_queue *queue, const char *reason)
{
    uint64_t now = logs->now_us();

    close(log->fd);
    log->fd = -1;
    log->due_us = now + RETRY_US;
    log_end_line(log, queue, now);
    if (!logs->quiet)
        fprintf(stderr, "txtap: log %s ended: %s: txtap opens it again when it returns\n", log->channel->name, reason);
}

static void try_again(const struct logs *logs, struct log *log)
{
    uint64_t now = logs->now_us();

    if (now < log->due_us)
        return;
    log->due_us = now + RETRY_US;
    if (open_log(log, true) && !logs->quiet)
        fprintf(stderr, "txtap: log %s returned\n", log->channel->name);
}

/* Follows a file that was replaced, or that became shorter. All bytes of the file have been read. */
static void follow_file(struct log *log)
{
    struct stat now;
    int old = log->fd;

    if (fstat(log->fd, &now) == 0 && now.st_size < lseek(log->fd, 0, SEEK_CUR))
        (void)lseek(log->fd, 0, SEEK_SET);
    if (stat(log->path, &now) != 0 || (now.st_dev == log->file.st_dev && now.st_ino == log->file.st_ino))
        return;
    if (open_log(log, true))
        close(old);
    else
        log->fd = old;
}

/* Takes a read without bytes. */
static void take_nothing(const struct logs *logs, struct log *log, struct sample_queue *queue, ssize_t got,
                         uint64_t before_us)
{
    if (got < 0 && errno != EAGAIN && errno != EINTR) {
        end(logs, log, queue, strerror(errno));
    } else if (got == 0 && log->is_terminal) {
        end(logs, log, queue, "its other end was closed");
    } else if (errno != EINTR || got == 0) {
        log->drained_us = before_us;
        log->is_quiet = got == 0; /* a file, or a pipe without a writer */
        log->due_us = before_us + LOOK_US;
        if (S_ISREG(log->file.st_mode))
            follow_file(log);
    }
}

static void read_log(const struct logs *logs, struct log *log, struct sample_queue *queue)
{
    char bytes[READ_BYTES];

    if (log->fd < 0)
        try_again(logs, log);
    for (size_t i = 0; i < READS_MAX && log->fd >= 0 && queue->count < QUEUE_ROOM; i++) {
        uint64_t before = logs->now_us();
        ssize_t got;

        errno = 0;
        got = read(log->fd, bytes, sizeof bytes);
        if (got <= 0) {
            take_nothing(logs, log, queue, got, before);
            return;
        }
        log_take(log, queue, bytes, (size_t)got, logs->now_us());
    }
}

void logs_read(struct logs *logs, struct sample_queue *queue)
{
    for (size_t i = 0; i < logs->count; i++)
        read_log(logs, &logs->at[i], queue);
}

void logs_finish(struct logs *logs, struct sample_queue *queue)
{
    logs_read(logs, queue);
    for (size_t i = 0; i < logs->count; i++)
        log_end_line(&logs->at[i], queue, logs->now_us());
}

/* ---- waiting ---- */

bool logs_wait(const struct logs *logs, const struct sample_queue *queue, uint64_t us)
{
    struct pollfd fds[LOGS_MAX];
    uint64_t now = logs->now_us();
    size_t count = 0;

    for (size_t i = 0; i < logs->count && queue->count < QUEUE_ROOM; i++) {
        const struct log *log = &logs->at[i];

        if (log->fd >= 0 && !log->is_quiet)
            fds[count++] = (struct pollfd){.fd = log->fd, .events = POLLIN};
        else if (log->due_us < now + us)
            us = log->due_us > now ? log->due_us - now : 0;
    }
    return sleep_or_poll_us(fds, count, us);
}

void logs_close(struct logs *logs)
{
    for (size_t i = 0; i < logs->count && !logs->quiet; i++) {
        const struct log *log = &logs->at[i];

        fprintf(stderr, "txtap: log %s: %" PRIu64 " line%s", log->channel->name, log->lines, plural(log->lines));
        if (log->cut > 0)
            fprintf(stderr, ", %" PRIu64 " of them cut at %u bytes", log->cut, TXTAP_SAMPLE_TEXT_BYTES - 1);
        fputc('\n', stderr);
    }
    close_all(logs);
}
