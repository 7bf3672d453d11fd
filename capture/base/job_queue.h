/* SPDX-License-Identifier: MIT */
/*
 * A queue of jobs that write to a file, a pipe or a disk, which may stall. A thread does one job after the other, so
 * that the caller does not wait while the queue has room. Only the worker function knows the meaning of a job.
 */
#ifndef TXTAP_CAPTURE_BASE_JOB_QUEUE_H
#define TXTAP_CAPTURE_BASE_JOB_QUEUE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/failure.h"
#include "txtap/status.h"

#define JOB_BYTES_MAX  (UINT32_C(1) << 18) /* bytes of one job */
#define JOB_HEAD_BYTES 16

struct job {
    uint32_t kind;
    uint64_t number;
    const char *bytes; /* borrowed during the call */
    size_t length;     /* length of the job's bytes, at most JOB_BYTES_MAX */
};

/* Does a job. The thread calls this function for each job. The queue stores the first status other than TXTAP_OK, with
 * its error, and reports this status from then on. earlier: the stored status. If `earlier` is not TXTAP_OK, the worker
 * must not do the job, but only free memory that the job owns. */
typedef enum txtap_status job_worker(void *self, const struct job *job, enum txtap_status earlier, struct error *error);

struct job_queue;

/*
 * Starts the thread. `capacity` is the number of bytes of waiting jobs: at least JOB_HEAD_BYTES plus the length of the
 * longest job. Unused memory is never touched. `self` belongs to the thread until job_queue_finish(). `to_disk`, a
 * member of `self`, is true while the worker writes to a regular file. On failure error is one line and *out is NULL.
 */
enum txtap_status job_queue_start(struct job_queue **out, size_t capacity, job_worker *worker, void *self,
                                  const atomic_bool *to_disk, struct error *error);

/*
 * Returns the number of bytes that fit now without waiting. When all jobs are done, this number is the capacity,
 * rounded down to a multiple of 16.
 */
size_t job_queue_room(const struct job_queue *queue);

/*
 * Copies the job to the end of the queue. It takes JOB_HEAD_BYTES plus the job's length there, rounded up to a multiple
 * of 16. Waits for room. If the worker has failed, refuses the job, and returns the worker's first failure with its
 * error. TXTAP_OK does not mean that this job will succeed, and leaves *error unchanged. In this function and the
 * functions below, `error` may be NULL.
 */
enum txtap_status job_queue_put(struct job_queue *queue, const struct job *job, struct error *error);

/* Returns the worker's first failure so far, with its error, like job_queue_put(). */
enum txtap_status job_queue_status(struct job_queue *queue, struct error *error);

/*
 * Waits until all jobs are done, and frees the queue. Returns status and error like job_queue_put(). Both functions
 * return ERROR_INTERRUPTED if the user asked txtap to end while nobody reads the worker's output. The thread then keeps
 * the queue and `self`. A write to a regular file is always waited for, because a stalled disk recovers.
 */
enum txtap_status job_queue_finish(struct job_queue *queue, struct error *error);

#endif
