/* SPDX-License-Identifier: MIT */
/* Jobs that wait for a thread. For each byte that the worker reads from a pipe, it does one job. */
#include "base/job_queue.h"
#include "base/failure.h"
#include "base/runtime.h"
#include "error_line.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define CAPACITY 16016 /* 1001 job headers: jobs of random lengths begin at every offset */

static struct job_queue *queue;
static struct error error;
static int permits[2];
static atomic_bool to_disk;
static struct {
    uint64_t next; /* number of the next job */
    uint64_t fails_at;
    unsigned wrong, late; /* wrong: jobs that were changed; late: jobs done after the failure */
} done;                   /* only the worker uses it until all jobs are done */

static size_t length_of(uint64_t number)
{
    return number * 7919 % 3001;
}

static char byte_of(uint64_t number, size_t i)
{
    return (char)(number * 131 + i * 7);
}

static enum txtap_status work(void *self, const struct job *job, enum txtap_status earlier, struct error *text)
{
    char permit;

    if (read(permits[0], &permit, 1) != 1)
        return TXTAP_ERROR_SYSTEM;
    done.late += earlier != TXTAP_OK;
    done.wrong += self != &done || job->number != done.next || job->kind != done.next % 5;
    done.wrong += job->length != length_of(job->number);
    for (size_t i = 0; i < job->length; i++)
        done.wrong += job->bytes[i] != byte_of(job->number, i);
    done.next++;
    if (job->number != done.fails_at)
        return earlier;
    return failure(text, TXTAP_ERROR_SPACE, "job %d", (int)job->number);
}

static void set_up(void)
{
    cr_assert_eq(pipe(permits), 0);
    done.fails_at = UINT64_MAX;
    cr_assert_eq(job_queue_start(&queue, CAPACITY, work, &done, &to_disk, &error), TXTAP_OK);
}

TestSuite(job_queue, .init = set_up, .timeout = 1200);

static size_t room_taken(uint64_t number)
{
    return JOB_HEAD_BYTES + (length_of(number) + 15) / 16 * 16;
}

static enum txtap_status put(uint64_t number)
{
    static char bytes[4000];

    for (size_t i = 0; i < length_of(number); i++)
        bytes[i] = byte_of(number, i);
    return job_queue_put(queue, &(struct job){(uint32_t)(number % 5), number, bytes, length_of(number)}, &error);
}

static void permit(size_t count)
{
    while (count-- > 0)
        cr_assert_eq(write(permits[1], "", 1), 1);
}

static void await_room(size_t room)
{
    for (int i = 0; i < 20000 && job_queue_room(queue) < room; i++)
        usleep(1000);
    cr_assert_eq(job_queue_room(queue), room);
}

Test(job_queue, delivers_jobs_whole_and_in_order_at_any_offset)
{
    uint64_t first = 0, next = 0;
    size_t room = CAPACITY;

    while (next < 5000) { /* keeps jobs in the queue, because an empty ring restarts at its beginning */
        while (room >= room_taken(next)) {
            cr_assert_eq(put(next), TXTAP_OK);
            room -= room_taken(next++);
            cr_assert_eq(job_queue_room(queue), room);
        }
        permit(1);
        room += room_taken(first++);
        await_room(room);
    }
    permit(next - first);
    cr_assert_eq(job_queue_finish(queue, &error), TXTAP_OK);
    cr_assert_eq(done.next, next);
    cr_assert_eq(done.wrong, 0);
}

Test(job_queue, reports_the_first_failure_and_marks_the_jobs_after_it)
{
    done.fails_at = 2;
    for (uint64_t number = 0; number < 5; number++)
        cr_assert_eq(put(number), TXTAP_OK, "nothing was done yet");
    permit(3);
    await_room(CAPACITY - room_taken(3) - room_taken(4));
    cr_assert_eq(put(5), TXTAP_ERROR_SPACE);
    cr_assert_str_eq(error_line(&error), "job 2");
    error_clear(&error);
    cr_assert_eq(job_queue_status(queue, &error), TXTAP_ERROR_SPACE);
    cr_assert_str_eq(error_line(&error), "job 2");
    permit(2);
    error_clear(&error);
    cr_assert_eq(job_queue_finish(queue, &error), TXTAP_ERROR_SPACE);
    cr_assert_str_eq(error_line(&error), "job 2");
    cr_assert_eq(done.next, 5, "a refused job is not delivered");
    cr_assert_eq(done.late, 2);
    cr_assert_eq(done.wrong, 0);
}

Test(job_queue, closing_waits_for_all_jobs)
{
    for (uint64_t number = 0; number < 5; number++)
        cr_assert_eq(put(number), TXTAP_OK);
    permit(5);
    cr_assert_eq(job_queue_finish(queue, &error), TXTAP_OK);
    cr_assert_eq(done.next, 5);
}

static enum txtap_status do_nothing(void *self, const struct job *job, enum txtap_status earlier, struct error *text)
{
    (void)self;
    (void)job;
    (void)text;
    return earlier;
}

static long memory_kb(void)
{
    struct rusage usage;

    cr_assert_eq(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_maxrss;
}

Test(job_queue, unused_memory_is_never_touched)
{
    static char bytes[JOB_BYTES_MAX];
    const size_t capacity = (size_t)64 << 20;
    long before;

    cr_assert_eq(job_queue_finish(queue, &error), TXTAP_OK);
    cr_assert_eq(job_queue_start(&queue, capacity, do_nothing, NULL, &to_disk, &error), TXTAP_OK);
    memset(bytes, 1, sizeof bytes);
    before = memory_kb();
    for (int i = 0; i < 300; i++) { /* more jobs than fit, one by one */
        cr_assert_eq(job_queue_put(queue, &(struct job){0, 0, bytes, sizeof bytes}, &error), TXTAP_OK);
        await_room(capacity);
    }
    cr_assert_eq(job_queue_finish(queue, &error), TXTAP_OK);
    cr_assert_lt(memory_kb() - before, 8192);
}

/* Makes the worker hang. Then asks txtap to end, as a user does. */
static void ask_for_the_end(void)
{
    runtime_init();
    for (uint64_t number = 0; number < 5; number++)
        cr_assert_eq(put(number), TXTAP_OK);
    cr_assert_eq(raise(SIGTERM), 0);
}

Test(job_queue, a_pipe_without_a_reader_is_abandoned)
{
    ask_for_the_end();
    cr_assert_eq(job_queue_finish(queue, &error), ERROR_INTERRUPTED);
    cr_assert_str_eq(error_line(&error), "nobody reads the output: its end was not written");
}

static int messages[2]; /* a pipe that replaces standard error */

/* Waits for the message that the disk has stopped. Then lets the disk continue. */
static void *disk_goes_on(void *text)
{
    char *at = text;

    while (read(messages[0], at, 1) == 1 && *at != '\n')
        at++;
    permit(5);
    return text;
}

Test(job_queue, a_stalled_disk_is_waited_for)
{
    static char text[256];
    int standard_error = dup(STDERR_FILENO);
    pthread_t disk;

    to_disk = true;
    ask_for_the_end();
    cr_assert_eq(pipe(messages), 0);
    cr_assert_eq(dup2(messages[1], STDERR_FILENO), STDERR_FILENO);
    cr_assert_eq(pthread_create(&disk, NULL, disk_goes_on, text), 0);
    cr_expect_eq(job_queue_finish(queue, &error), TXTAP_OK);
    cr_assert_eq(dup2(standard_error, STDERR_FILENO), STDERR_FILENO);
    close(messages[1]); /* otherwise the disk would wait for a message that never comes */
    cr_assert_eq(pthread_join(disk, NULL), 0);
    cr_assert_eq(done.next, 5);
    cr_assert_str_eq(text, "txtap: waiting for the disk: press Ctrl-C again to end without the last events\n");
}
