/* SPDX-License-Identifier: MIT */
/* Lines to a job queue: its thread writes what was printed. */
#include "output/output_queue.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/job_queue.h"
#include "base/runtime.h"

#define WRITE_BYTES_MAX 65536 /* at once: room is made in pieces of this size */

enum kind { KIND_WRITE, KIND_CHANGE /* number: the file that is written to from here on */ };

struct output_queue {
    struct job_queue *jobs;
    /* the thread's */
    int fd;
    bool owned; /* fd is to be closed */
    size_t since_line;
    int error_number; /* of the first failure: to be read once the queue has said that there was one */
};

/* ---- writing ---- */

static void end_with_a_line(int fd, size_t since_line)
{
    struct stat about;
    off_t end = lseek(fd, 0, SEEK_CUR);
    int error_number = errno;

    if (fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && end >= (off_t)since_line)
        (void)!ftruncate(fd, end - (off_t)since_line);
    errno = error_number;
}

size_t output_write_bytes(int fd, const void *bytes, size_t length)
{
    size_t done = 0;

    while (done < length) {
        ssize_t written = write(fd, (const char *)bytes + done, length - done);

        if (written >= 0)
            done += (size_t)written;
        else if (errno != EINTR || stop_grace_left_us() == 0)
            break;
    }
    return done;
}

enum txtap_status output_write(int fd, size_t *since_line, const char *bytes, size_t length)
{
    size_t done = output_write_bytes(fd, bytes, length);
    const char *line_end = memrchr(bytes, '\n', done);

    *since_line = line_end != NULL ? (size_t)(bytes + done - line_end - 1) : *since_line + done;
    if (done == length)
        return TXTAP_OK;
    if (errno == EPIPE)
        return TXTAP_END;
    end_with_a_line(fd, *since_line);
    return TXTAP_ERROR_SYSTEM;
}

/* ---- the thread ---- */

static void change_file(struct output_queue *queue, int fd)
{
    if (queue->owned)
        (void)close(queue->fd);
    queue->fd = fd;
    queue->owned = true;
    queue->since_line = 0;
}

static enum txtap_status work(void *self, const struct job *job, enum txtap_status earlier, struct error *error)
{
    struct output_queue *queue = self;
    enum txtap_status status = TXTAP_OK;

    (void)error; /* who prints knows the file's name */
    if (job->kind == KIND_CHANGE)
        change_file(queue, (int)job->number);
    else if (earlier == TXTAP_OK)
        status = output_write(queue->fd, &queue->since_line, job->bytes, job->length);
    if (status != TXTAP_OK)
        queue->error_number = errno;
    return status;
}

/* ---- for the others ---- */

enum txtap_status output_queue_start(struct output_queue **out, int fd, bool owned, size_t capacity,
                                     struct error *error)
{
    struct output_queue *queue = calloc(1, sizeof *queue);
    enum txtap_status status;

    *out = NULL;
    if (queue == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "out of memory for output");
    queue->fd = fd;
    queue->owned = owned;
    status = job_queue_start(&queue->jobs, capacity, work, queue, error);
    if (status == TXTAP_OK)
        *out = queue;
    else
        free(queue);
    return status;
}

size_t output_queue_room(const struct output_queue *queue)
{
    return job_queue_room(queue->jobs);
}

static enum txtap_status put(struct output_queue *queue, const struct job *job)
{
    struct error unused;
    enum txtap_status status = job_queue_put(queue->jobs, job, &unused);

    if (status != TXTAP_OK)
        errno = queue->error_number;
    return status;
}

enum txtap_status output_queue_put(struct output_queue *queue, const char *bytes, size_t length)
{
    struct error unused;
    enum txtap_status status = job_queue_status(queue->jobs, &unused);

    if (status != TXTAP_OK)
        errno = queue->error_number;
    while (length > 0 && status == TXTAP_OK) {
        size_t part = length < WRITE_BYTES_MAX ? length : WRITE_BYTES_MAX;

        status = put(queue, &(struct job){KIND_WRITE, 0, bytes, part});
        bytes += part;
        length -= part;
    }
    return status;
}

enum txtap_status output_queue_change(struct output_queue *queue, int fd)
{
    enum txtap_status status = put(queue, &(struct job){KIND_CHANGE, (uint64_t)fd, NULL, 0});

    if (status != TXTAP_OK)
        (void)close(fd);
    return status;
}

enum txtap_status output_queue_finish(struct output_queue *queue)
{
    struct error unused;
    enum txtap_status status = job_queue_finish(queue->jobs, &unused);
    int error_number = queue->error_number;

    if (status == ERROR_INTERRUPTED) /* its thread still has it */
        return status;
    if (queue->owned && close(queue->fd) != 0 && status == TXTAP_OK) {
        status = TXTAP_ERROR_SYSTEM;
        error_number = errno;
    }
    free(queue);
    errno = error_number;
    return status;
}
