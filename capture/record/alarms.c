/* SPDX-License-Identifier: MIT */
/* Makes the lines, limits their number, and appends them to the file. */
#include "record/alarms.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/files.h"
#include "txtap/inner/escape.h"

#define QUEUE_BYTES   65536
#define FINISH_US     3000000 /* time in which the server must store the last alarms */
#define TEXT_BYTES    1000    /* of a mark, and of a path in the command; txtap_escape_json() takes 1 KiB */
#define COMMAND_BYTES (TEXT_BYTES + 24)
#define LINE_BYTES    16384
#define TIME_BYTES    32

/* ---- writing ---- */

static enum txtap_status append(const char *path, const char *bytes, size_t length, struct error *error)
{
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0640);
    struct stat about;
    const char *why = NULL;

    if (fd < 0 || fstat(fd, &about) != 0)
        why = errno == ELOOP ? "it is a symbolic link" : strerror(errno);
    else if (!S_ISREG(about.st_mode))
        why = "it is not a regular file";
    else if (write_bytes(fd, bytes, length) != length)
        why = strerror(errno);
    if (fd >= 0)
        close(fd);
    return why == NULL ? TXTAP_OK
                       : failure(error, TXTAP_ERROR_SYSTEM,
                                 "%.160s: alarms cannot be written: %s\nchoose another file with --alarms", path, why);
}

/* A job_worker. Opens the file for each line, so that another program may move the file away. */
static enum txtap_status work(void *self, const struct job *job, enum txtap_status earlier, struct error *error)
{
    const struct alarms *alarms = self;

    if (earlier == TXTAP_OK)
        earlier = append(alarms->path, job->bytes, job->length, error);
    if (earlier == TXTAP_OK && alarms->publisher != NULL)
        earlier = publisher_put(alarms->publisher, job->bytes, job->length, true, error);
    return earlier;
}

/* ---- a line ---- */

static const char *kind_of(enum txtap_mark_kind kind)
{
    switch (kind) {
    case TXTAP_MARK_CHECK:
        return "check";
    case TXTAP_MARK_FAULT:
        return "fault";
    case TXTAP_MARK_RESET:
        return "reset";
    default:
        return NULL;
    }
}

static void time_text(char text[static TIME_BYTES], uint64_t unix_us)
{
    time_t seconds = (time_t)(unix_us / 1000000);
    size_t used = 0;
    struct tm when;

    if (gmtime_r(&seconds, &when) != NULL)
        used = strftime(text, TIME_BYTES, "%Y-%m-%dT%H:%M:%S", &when);
    snprintf(text + used, TIME_BYTES - used, ".%03uZ", (unsigned)(unix_us / 1000 % 1000));
}

/* Writes "txtap view --at 812 -- 'lab/b1/x.rec'". If the path is too long, writes "". On a subject, numbers continue
 * from recording to recording, but `seq` is a number of this recording. So a reader of a subject begins with the file
 * that is written at this time. */
static void command_text(char text[static COMMAND_BYTES], const struct alarms *alarms, const char *recording,
                         uint64_t unix_us)
{
    size_t used = (size_t)snprintf(text, COMMAND_BYTES, "txtap view --at %" PRIu64 " -- '", alarms->seq);

    for (const char *at = recording; *at != '\0' && used < COMMAND_BYTES; at++)
        used += (size_t)snprintf(text + used, COMMAND_BYTES - used, *at == '\'' ? "'\\''" : "%c", *at);
    if (alarms->publisher != NULL && used < COMMAND_BYTES)
        used += (size_t)snprintf(text + used, COMMAND_BYTES - used, NATS_SINCE "%" PRIu64, unix_us + NATS_EARLIER_US);
    if (used + 2 > COMMAND_BYTES || !alarms->has_event)
        text[0] = '\0';
    else
        strcpy(text + used, "'");
}

static size_t make_line(const struct alarms *alarms, char line[static LINE_BYTES], const char *kind, uint64_t unix_us,
                        const char *text)
{
    static const char nothing[] = "null";
    char when[TIME_BYTES], cut[TEXT_BYTES + 1], command[COMMAND_BYTES], seq[24], ticks[24];
    char board[TXTAP_ESCAPED_JSON_BYTES(NAME_MAX)], said[TXTAP_ESCAPED_JSON_BYTES(TEXT_BYTES)];
    char file[TXTAP_ESCAPED_JSON_BYTES(TEXT_BYTES)], open[TXTAP_ESCAPED_JSON_BYTES(COMMAND_BYTES)];
    const char *recording = alarms->publisher != NULL ? alarms->place : alarms->recording;
    int length;

    time_text(when, unix_us);
    snprintf(cut, sizeof cut, "%s", text);
    command_text(command, alarms, recording, unix_us);
    snprintf(seq, sizeof seq, "%" PRIu64, alarms->seq);
    snprintf(ticks, sizeof ticks, "%" PRIu64, alarms->ticks);
    length = snprintf(line, LINE_BYTES,
                      "{\"time\":\"%s\",\"board\":%s,\"kind\":\"%s\",\"text\":%s,\"file\":%s,\"seq\":%s,\"ticks\":%s,"
                      "\"open\":%s,\"left_out\":%" PRIu64 "}\n",
                      when, txtap_escape_json(board, sizeof board, alarms->board), kind,
                      txtap_escape_json(said, sizeof said, cut), txtap_escape_json(file, sizeof file, recording),
                      alarms->has_event ? seq : nothing, alarms->has_event ? ticks : nothing,
                      *command != '\0' ? txtap_escape_json(open, sizeof open, command) : nothing, alarms->left_out);
    return length > 0 && length < LINE_BYTES ? (size_t)length : 0;
}

static void put(struct alarms *alarms, const char *kind, uint64_t unix_us, const char *text)
{
    char line[LINE_BYTES];
    const struct job job = {.bytes = line, .length = make_line(alarms, line, kind, unix_us, text)};

    (void)job_queue_put(alarms->queue, &job, NULL);
    alarms->left_out = 0;
}

/* ---- the limit ---- */

/* Returns true if a line may be written now. */
static bool is_allowed(struct alarms *alarms)
{
    uint64_t now = alarms->now_us(), more = (now - alarms->allowed_us) / ALARMS_EVERY_US;

    alarms->allowed_us += more * ALARMS_EVERY_US;
    alarms->allowed = more >= ALARMS_AT_ONCE - alarms->allowed ? ALARMS_AT_ONCE : alarms->allowed + (unsigned)more;
    if (alarms->allowed == 0 || job_queue_room(alarms->queue) < LINE_BYTES + JOB_HEAD_BYTES)
        return false;
    alarms->allowed--;
    return true;
}

static void note(struct alarms *alarms, const struct txtap_mark *mark)
{
    const char *kind = kind_of(mark->kind);
    uint64_t when = mark->unix_us > 0 ? mark->unix_us : alarms->wall_us();

    if (kind == NULL)
        return;
    if (is_allowed(alarms)) {
        put(alarms, kind, when, mark->text);
        return;
    }
    alarms->left_out++;
    alarms->last_out_us = when;
}

/* Passes the item on first: the mark is then in the file that `recording` names. */
static enum txtap_status take(void *self, const struct txtap_item *item)
{
    struct alarms *alarms = self;
    enum txtap_status status = txtap_sink_take(alarms->next, item);

    if (item->kind == TXTAP_ITEM_EVENT) {
        alarms->has_event = true;
        alarms->seq = item->event.seq;
        alarms->ticks = item->event.ticks;
    } else if (item->kind == TXTAP_ITEM_MARK) {
        note(alarms, &item->mark);
    }
    return status;
}

/* ---- life ---- */

static void name_board(struct alarms *alarms)
{
    const char *slash = strrchr(alarms->path, '/');
    char folder[PATH_MAX], *whole;

    snprintf(folder, sizeof folder, "%.*s", slash != NULL ? (int)(slash - alarms->path) : 1,
             slash != NULL ? alarms->path : ".");
    whole = realpath(*folder != '\0' ? folder : "/", NULL);
    if (whole != NULL)
        snprintf(alarms->board, sizeof alarms->board, "%s", strrchr(whole, '/') + 1);
    free(whole);
}

/* Tells about a stream that was made. Later the recording's own publisher tells that the server is gone. */
static void tell_at_open(void *self, const char *text)
{
    const struct alarms *alarms = self;

    if (alarms->publisher == NULL)
        fprintf(stderr, "txtap: %s\n", text);
}

/* Opens the subject "SUBJECT.alarm". */
static enum txtap_status open_publisher(struct alarms *alarms, const struct publisher_setup *recording,
                                        struct error *error)
{
    char alarm[PATH_MAX];
    const struct publisher_setup setup = {.place = alarm,
                                          .access = nats_access_of_environment(),
                                          .spool = recording->spool,
                                          .spool_bytes = recording->spool_bytes,
                                          .limits = recording->limits,
                                          .tell = tell_at_open,
                                          .self = alarms};
    struct nats_place parsed;
    enum txtap_status status = nats_place_parse(&parsed, recording->place, error);

    if (status != TXTAP_OK)
        return status;
    if ((size_t)snprintf(alarm, sizeof alarm, "%s.alarm", recording->place) >= sizeof alarm)
        return failure(error, TXTAP_ERROR_USAGE, "%.160s: %s", parsed.text, strerror(ENAMETOOLONG));
    snprintf(alarms->place, sizeof alarms->place, "%s", parsed.text);
    return publisher_open(&alarms->publisher, &setup, error);
}

/* Returns the first failure: `earlier`, or a failure to publish. */
static enum txtap_status close_publisher(struct alarms *alarms, enum txtap_status earlier, struct error *error)
{
    enum txtap_status status = TXTAP_OK;

    if (alarms->publisher == NULL)
        return earlier;
    if (earlier == TXTAP_OK)
        status = publisher_finish(alarms->publisher, FINISH_US, error);
    publisher_close(alarms->publisher);
    alarms->publisher = NULL;
    return earlier == TXTAP_OK ? status : earlier;
}

enum txtap_status alarms_open(struct alarms *alarms, const char *path, const struct publisher_setup *recording,
                              uint64_t (*now_us)(void), uint64_t (*wall_us)(void), struct error *error)
{
    enum txtap_status status = append(path, "", 0, error);

    *alarms = (struct alarms){
        .now_us = now_us, .wall_us = wall_us, .allowed = ALARMS_AT_ONCE, .allowed_us = now_us(), .to_disk = true};
    if (status == TXTAP_OK && recording != NULL)
        status = open_publisher(alarms, recording, error);
    if (status != TXTAP_OK)
        return status;
    alarms->path = path;
    name_board(alarms);
    status = job_queue_start(&alarms->queue, QUEUE_BYTES, work, alarms, &alarms->to_disk, error);
    if (status == TXTAP_OK)
        return status;
    alarms->path = NULL;
    return close_publisher(alarms, status, error);
}

struct txtap_sink alarms_sink(struct alarms *alarms, struct txtap_sink next, const char *recording)
{
    alarms->next = next;
    alarms->recording = recording;
    return alarms->path != NULL ? (struct txtap_sink){take, alarms} : next;
}

enum txtap_status alarms_close(struct alarms *alarms, struct error *error)
{
    enum txtap_status status;

    if (alarms->path == NULL)
        return TXTAP_OK;
    if (alarms->left_out > 0)
        put(alarms, "left out", alarms->last_out_us, "more alarms than the limit");
    status = job_queue_finish(alarms->queue, error);
    alarms->path = NULL;
    return close_publisher(alarms, status, error);
}
