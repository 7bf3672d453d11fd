/* SPDX-License-Identifier: MIT */
/* A thread does jobs in order, so that a stalled reader or disk does not cause lost events. The queue does not know the
 * content of a job. */
#include "base/job_queue.h"

#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/runtime.h"

/*
 * After a stop request, a pipe counts as a pipe without a reader if the worker takes no job for this number of slices.
 * The limit is in slices, not in time, because on a busy machine the worker gets as little time as the thread that
 * waits for it.
 */
#define STALL_SLICES 25
#define SLICE_NS     20000000

/* The head of a job, before the job's bytes. A job begins at a multiple of the head's size, so that no head wraps
 * around the ring's end. */
struct head {
    uint32_t kind, length;
    uint64_t number;
};

static_assert(sizeof(struct head) == JOB_HEAD_BYTES, "as in job_queue.h");

struct job_queue {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t job_added, job_done;
    char *bytes; /* a ring */
    size_t capacity;
    size_t first;       /* offset of the oldest job, which the worker may be doing */
    atomic_size_t used; /* bytes of all jobs; may be read without the lock, because the worker only makes it smaller */
    bool closing;
    bool ended;          /* the thread has ended */
    bool waits_for_disk; /* the message that txtap waits for the disk was printed */
    bool hangs;          /* the thread hangs in a write, and nobody waits for it any more */
    job_worker *worker;
    void *self;
    const atomic_bool *to_disk;
    enum txtap_status status; /* the first status other than TXTAP_OK */
    struct error error;
    char *unwrapped; /* for the thread: a copy, in one piece, of a job that wraps around the ring's end */
};

static size_t bytes_of(size_t length)
{
    return (sizeof(struct head) + length + sizeof(struct head) - 1) / sizeof(struct head) * sizeof(struct head);
}

static size_t min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* ---- the thread ---- */

/* Waits for the oldest job, with the lock held. The job's bytes stay valid after the lock is released. False: the queue
 * is finished. */
static bool wait_for_job(struct job_queue *queue, struct job *job)
{
    struct head head;
    size_t at, part;

    while (atomic_load(&queue->used) == 0 && !queue->closing)
        pthread_cond_wait(&queue->job_added, &queue->lock);
    if (atomic_load(&queue->used) == 0)
        return false;
    memcpy(&head, queue->bytes + queue->first, sizeof head);
    at = (queue->first + sizeof head) % queue->capacity;
    *job = (struct job){head.kind, head.number, queue->bytes + at, head.length};
    part = min_size(head.length, queue->capacity - at);
    if (part < head.length) {
        memcpy(queue->unwrapped, queue->bytes + at, part);
        memcpy(queue->unwrapped + part, queue->bytes, head.length - part);
        job->bytes = queue->unwrapped;
    }
    return true;
}

static void take_out(struct job_queue *queue, size_t bytes)
{
    queue->first = (queue->first + bytes) % queue->capacity;
    if (atomic_fetch_sub(&queue->used, bytes) == bytes)
        queue->first = 0; /* reuses the same few pages, so that unused memory is never touched */
    pthread_cond_signal(&queue->job_done);
}

static void *work_on(void *self)
{
    struct job_queue *queue = self;
    struct job job;

    pthread_mutex_lock(&queue->lock);
    while (wait_for_job(queue, &job)) {
        enum txtap_status earlier = queue->status, status;
        struct error error = {0};

        pthread_mutex_unlock(&queue->lock);
        status = queue->worker(queue->self, &job, earlier, &error);
        pthread_mutex_lock(&queue->lock);
        if (earlier == TXTAP_OK && status != TXTAP_OK) {
            queue->status = status;
            queue->error = error;
        }
        take_out(queue, bytes_of(job.length));
    }
    queue->ended = true;
    pthread_cond_signal(&queue->job_done);
    pthread_mutex_unlock(&queue->lock);
    return NULL;
}

/* Blocks all signals in the new thread, so that the polling thread gets them. */
static int start_thread(struct job_queue *queue)
{
    sigset_t all, before;
    int result;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    result = pthread_create(&queue->thread, NULL, work_on, queue);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return result;
}

/* ---- the callers ---- */

static void free_queue(struct job_queue *queue)
{
    if (queue != NULL) {
        free(queue->bytes);
        free(queue->unwrapped);
    }
    free(queue);
}

enum txtap_status job_queue_start(struct job_queue **out, size_t capacity, job_worker *worker, void *self,
                                  const atomic_bool *to_disk, struct error *error)
{
    struct job_queue *queue = calloc(1, sizeof *queue);
    int result;

    *out = NULL;
    if (queue != NULL) {
        queue->capacity = capacity / sizeof(struct head) * sizeof(struct head);
        queue->bytes = malloc(queue->capacity); /* untouched pages take no memory */
        queue->unwrapped = malloc(JOB_BYTES_MAX);
    }
    if (queue == NULL || queue->bytes == NULL || queue->unwrapped == NULL) {
        free_queue(queue);
        return failure(error, TXTAP_ERROR_SYSTEM, "out of memory for %zu bytes of output\ngive a smaller --buffer",
                       capacity);
    }
    queue->worker = worker;
    queue->self = self;
    queue->to_disk = to_disk;
    pthread_mutex_init(&queue->lock, NULL);
    pthread_cond_init(&queue->job_added, NULL);
    pthread_cond_init(&queue->job_done, NULL);
    result = start_thread(queue);
    if (result != 0) {
        free_queue(queue);
        return failure(error, TXTAP_ERROR_SYSTEM, "no thread to write with: %s", strerror(result));
    }
    *out = queue;
    return TXTAP_OK;
}

size_t job_queue_room(const struct job_queue *queue)
{
    return queue->capacity - atomic_load(&queue->used);
}

/* Copies the job to the end of the queue. The caller holds the lock. */
static void copy_in(struct job_queue *queue, const struct job *job)
{
    const struct head head = {job->kind, (uint32_t)job->length, job->number};
    size_t at = (queue->first + atomic_load(&queue->used)) % queue->capacity, part;

    memcpy(queue->bytes + at, &head, sizeof head);
    at = (at + sizeof head) % queue->capacity;
    part = min_size(job->length, queue->capacity - at);
    if (part > 0)
        memcpy(queue->bytes + at, job->bytes, part);
    if (job->length > part)
        memcpy(queue->bytes, job->bytes + part, job->length - part);
    atomic_fetch_add(&queue->used, bytes_of(job->length));
}

/* Returns the worker's first failure, and its error. The caller holds the lock. */
static enum txtap_status status_of(const struct job_queue *queue, struct error *error)
{
    if (queue->status != TXTAP_OK && error != NULL)
        *error = queue->error;
    return queue->status;
}

/* Returns true if the queue should no longer wait for a thread that has done nothing for this number of slices. The
 * caller holds the lock. */
static bool give_up(struct job_queue *queue, unsigned slices)
{
    if (stop_grace_left_us() > 0 || slices < STALL_SLICES)
        return false;
    if (atomic_load(queue->to_disk) && !queue->waits_for_disk)
        fputs("txtap: waiting for the disk: press Ctrl-C again to end without the last events\n", stderr);
    queue->waits_for_disk = atomic_load(queue->to_disk);
    return !queue->waits_for_disk;
}

/* Waits until the thread has done a job, or has ended. The caller holds the lock. False: the user asked txtap to end,
 * and the thread hangs in a write. */
static bool wait_for_thread(struct job_queue *queue)
{
    size_t used = atomic_load(&queue->used);
    unsigned slices = 0;

    for (; !queue->hangs && !queue->ended && atomic_load(&queue->used) == used; slices += stop_grace_left_us() == 0) {
        struct timespec until;

        queue->hangs = give_up(queue, slices);
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += SLICE_NS;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        if (!queue->hangs)
            pthread_cond_timedwait(&queue->job_done, &queue->lock, &until);
    }
    return !queue->hangs;
}

static enum txtap_status hangs(struct error *error)
{
    return failure(error, ERROR_INTERRUPTED, "nobody reads the output: its end was not written");
}

enum txtap_status job_queue_put(struct job_queue *queue, const struct job *job, struct error *error)
{
    enum txtap_status status;

    assert(job->length <= JOB_BYTES_MAX && bytes_of(job->length) <= queue->capacity);
    pthread_mutex_lock(&queue->lock);
    while (job_queue_room(queue) < bytes_of(job->length) && queue->status == TXTAP_OK && wait_for_thread(queue))
        ;
    status = queue->hangs ? hangs(error) : status_of(queue, error);
    if (status == TXTAP_OK) {
        copy_in(queue, job);
        pthread_cond_signal(&queue->job_added);
    }
    pthread_mutex_unlock(&queue->lock);
    return status;
}

enum txtap_status job_queue_status(struct job_queue *queue, struct error *error)
{
    enum txtap_status status;

    pthread_mutex_lock(&queue->lock);
    status = status_of(queue, error);
    pthread_mutex_unlock(&queue->lock);
    return status;
}

enum txtap_status job_queue_finish(struct job_queue *queue, struct error *error)
{
    enum txtap_status status;

    pthread_mutex_lock(&queue->lock);
    queue->closing = true;
    pthread_cond_signal(&queue->job_added);
    while (!queue->ended && wait_for_thread(queue))
        ;
    if (!queue->ended) { /* leaves the hanging thread, which ends with the program */
        pthread_mutex_unlock(&queue->lock);
        pthread_detach(queue->thread);
        return hangs(error);
    }
    pthread_mutex_unlock(&queue->lock);
    pthread_join(queue->thread, NULL);
    status = status_of(queue, error);
    pthread_cond_destroy(&queue->job_added);
    pthread_cond_destroy(&queue->job_done);
    pthread_mutex_destroy(&queue->lock);
    free_queue(queue);
    return status;
}
