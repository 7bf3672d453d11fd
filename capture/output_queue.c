/* SPDX-License-Identifier: MIT */
#include "output_queue.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WRITE_BYTES_MAX 65536 /* at once: room is made in pieces of this size */
#define NO_FD           (-1)

struct output_queue {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t came, went;
    char *bytes; /* a ring */
    size_t capacity;
    size_t first;       /* where the oldest byte is */
    atomic_size_t used; /* bytes that wait; read without the lock to know the room, which only grows meanwhile */
    bool closing;
    int fd, next_fd;          /* next_fd: for what stands behind until_change bytes */
    bool owned;               /* fd is to be closed */
    size_t until_change;      /* bytes that still go to fd */
    size_t since_line;        /* the thread's */
    enum txtap_status status; /* of the first failure; nothing is written after it */
    int error_number;
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

enum txtap_status output_write(int fd, size_t *since_line, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t written = write(fd, bytes, length);
        const char *line_end;

        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0 && errno == EPIPE)
            return TXTAP_END;
        if (written < 0) {
            int error_number = errno;

            end_with_a_line(fd, *since_line);
            errno = error_number;
            return TXTAP_ERROR_SYSTEM;
        }
        line_end = memrchr(bytes, '\n', (size_t)written);
        *since_line = line_end != NULL ? (size_t)(bytes + written - line_end - 1) : *since_line + (size_t)written;
        bytes += written;
        length -= (size_t)written;
    }
    return TXTAP_OK;
}

/* ---- the thread ---- */

static size_t min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* With the lock held, when all for the file before is written. */
static void change_file(struct output_queue *queue)
{
    if (queue->owned)
        (void)close(queue->fd);
    queue->fd = queue->next_fd;
    queue->next_fd = NO_FD;
    queue->owned = true;
    queue->since_line = 0;
}

/* The next bytes in one piece, with the lock held: 0 when all is done. */
static size_t wait_for_bytes(struct output_queue *queue)
{
    for (;;) {
        size_t used = atomic_load(&queue->used);

        if (queue->next_fd != NO_FD && queue->until_change == 0)
            change_file(queue);
        if (queue->next_fd != NO_FD)
            used = min_size(used, queue->until_change);
        if (used > 0)
            return min_size(min_size(used, queue->capacity - queue->first), WRITE_BYTES_MAX);
        if (queue->closing)
            return 0;
        pthread_cond_wait(&queue->came, &queue->lock);
    }
}

static void *write_on(void *self)
{
    struct output_queue *queue = self;
    size_t length;

    pthread_mutex_lock(&queue->lock);
    while ((length = wait_for_bytes(queue)) > 0) {
        enum txtap_status status = queue->status;
        const char *bytes = queue->bytes + queue->first;
        int fd = queue->fd, error_number = 0;

        pthread_mutex_unlock(&queue->lock);
        if (status == TXTAP_OK) {
            status = output_write(fd, &queue->since_line, bytes, length);
            error_number = errno;
        }
        pthread_mutex_lock(&queue->lock);
        if (status != TXTAP_OK && queue->status == TXTAP_OK) {
            queue->status = status;
            queue->error_number = error_number;
        }
        queue->first = (queue->first + length) % queue->capacity;
        if (queue->next_fd != NO_FD)
            queue->until_change -= length;
        if (atomic_fetch_sub(&queue->used, length) == length)
            queue->first = 0; /* the same few pages again: memory that is never needed is never touched */
        pthread_cond_signal(&queue->went);
    }
    pthread_mutex_unlock(&queue->lock);
    return NULL;
}

/* ---- for the others ---- */

/* Signals are for the thread that polls the target. */
static int start_thread(struct output_queue *queue)
{
    sigset_t all, before;
    int result;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    result = pthread_create(&queue->thread, NULL, write_on, queue);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return result;
}

enum txtap_status output_queue_start(struct output_queue **out, int fd, bool owned, size_t capacity,
                                     char error[static ERROR_TEXT_BYTES])
{
    struct output_queue *queue = calloc(1, sizeof *queue);

    *out = NULL;
    if (queue != NULL)
        queue->bytes = malloc(capacity); /* pages that are never needed are never there */
    if (queue == NULL || queue->bytes == NULL) {
        free(queue);
        return failure(error, TXTAP_ERROR_SYSTEM, "out of memory for %zu bytes of output: give a smaller --buffer",
                       capacity);
    }
    queue->capacity = capacity;
    queue->fd = fd;
    queue->owned = owned;
    queue->next_fd = NO_FD;
    pthread_mutex_init(&queue->lock, NULL);
    pthread_cond_init(&queue->came, NULL);
    pthread_cond_init(&queue->went, NULL);
    if (start_thread(queue) != 0) {
        free(queue->bytes);
        free(queue);
        return failure(error, TXTAP_ERROR_SYSTEM, "no thread to write with: %s", strerror(errno));
    }
    *out = queue;
    return TXTAP_OK;
}

size_t output_queue_room(const struct output_queue *queue)
{
    return queue->capacity - atomic_load(&queue->used);
}

/* With the lock held; what is written meanwhile lies elsewhere in the ring. */
static void copy_in(struct output_queue *queue, const char *bytes, size_t length)
{
    size_t at = (queue->first + atomic_load(&queue->used)) % queue->capacity;
    size_t part = min_size(length, queue->capacity - at);

    memcpy(queue->bytes + at, bytes, part);
    memcpy(queue->bytes, bytes + part, length - part);
    atomic_fetch_add(&queue->used, length);
}

enum txtap_status output_queue_put(struct output_queue *queue, const char *bytes, size_t length)
{
    enum txtap_status status;

    pthread_mutex_lock(&queue->lock);
    while (length > 0 && queue->status == TXTAP_OK) {
        size_t part = min_size(length, output_queue_room(queue));

        if (part == 0) {
            pthread_cond_wait(&queue->went, &queue->lock);
            continue;
        }
        copy_in(queue, bytes, part);
        bytes += part;
        length -= part;
        pthread_cond_signal(&queue->came);
    }
    status = queue->status;
    errno = queue->error_number;
    pthread_mutex_unlock(&queue->lock);
    return status;
}

enum txtap_status output_queue_change(struct output_queue *queue, int fd)
{
    enum txtap_status status;

    pthread_mutex_lock(&queue->lock);
    while (queue->next_fd != NO_FD && queue->status == TXTAP_OK) /* twice in no time */
        pthread_cond_wait(&queue->went, &queue->lock);
    queue->next_fd = fd;
    queue->until_change = atomic_load(&queue->used);
    pthread_cond_signal(&queue->came);
    status = queue->status;
    errno = queue->error_number;
    pthread_mutex_unlock(&queue->lock);
    return status;
}

enum txtap_status output_queue_finish(struct output_queue *queue)
{
    enum txtap_status status;

    pthread_mutex_lock(&queue->lock);
    queue->closing = true;
    pthread_cond_signal(&queue->came);
    pthread_mutex_unlock(&queue->lock);
    pthread_join(queue->thread, NULL);
    status = queue->status;
    if (queue->owned && close(queue->fd) != 0 && status == TXTAP_OK) {
        status = TXTAP_ERROR_SYSTEM;
        queue->error_number = errno;
    }
    errno = queue->error_number;
    free(queue->bytes);
    free(queue);
    return status;
}
