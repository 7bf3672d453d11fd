/* SPDX-License-Identifier: MIT */
/*
 * Jobs for a file, a pipe or a disk that may stall: a thread does one after the other, so that whoever puts them in
 * never waits while there is room. What a job is, only its worker knows.
 */
#ifndef TXTAP_CAPTURE_BASE_JOB_QUEUE_H
#define TXTAP_CAPTURE_BASE_JOB_QUEUE_H

#include <stddef.h>
#include <stdint.h>

#include "base/failure.h"
#include "txtap/status.h"

#define JOB_BYTES_MAX  (UINT32_C(1) << 18) /* of one job; job_queue_put() says what it takes of the room */
#define JOB_HEAD_BYTES 16

struct job {
    uint32_t kind;
    uint64_t number;
    const char *bytes; /* borrowed until the call returns */
    size_t length;     /* of bytes, at most JOB_BYTES_MAX */
};

/*
 * Called by the thread. The first that it returns other than TXTAP_OK is what the queue says from then on, and error
 * its line. Jobs that come later get it as earlier: what they own is to be freed, nothing else done.
 */
typedef enum txtap_status job_worker(void *self, const struct job *job, enum txtap_status earlier, struct error *error);

struct job_queue;

/*
 * capacity: bytes of jobs that may wait, from JOB_HEAD_BYTES + JOB_BYTES_MAX on if there are such large ones; memory
 * that is never needed is never touched. self is the thread's until job_queue_finish(). On failure error is one line,
 * *out is NULL.
 */
enum txtap_status job_queue_start(struct job_queue **out, size_t capacity, job_worker *worker, void *self,
                                  struct error *error);

/* How many bytes fit now without waiting; all of the capacity, rounded down to 16, when all is done. */
size_t job_queue_room(const struct job_queue *queue);

/*
 * Copies the job behind the others; it takes JOB_HEAD_BYTES and its length, rounded up to 16, of the room. Waits where
 * there is none. Returns the first failure of the worker so far; TXTAP_OK says nothing yet of this job; with any other
 * the job was not taken. error: the worker's line, untouched with TXTAP_OK.
 */
enum txtap_status job_queue_put(struct job_queue *queue, const struct job *job, struct error *error);

/* The first failure of the worker so far, as above. */
enum txtap_status job_queue_status(struct job_queue *queue, struct error *error);

/*
 * Waits until all jobs are done, and frees the queue. Status and error as above. ERROR_INTERRUPTED, of
 * job_queue_put() too: the user wants the end, and the worker hangs in a write; the queue and self stay its own then.
 */
enum txtap_status job_queue_finish(struct job_queue *queue, struct error *error);

#endif
