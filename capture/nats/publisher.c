/* SPDX-License-Identifier: MIT */
/* The interface of a publisher: its memory, its end, and the caller's side of the waiting messages. */
#include "nats/publisher.h"

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "base/runtime.h"
#include "nats/message.h"
#include "nats/publisher_parts.h"

#define CLOSE_MS 2000
#define SLICE_US 50000

static struct {
    pthread_mutex_t lock;
    unsigned count;          /* of publishers that are not closed */
    struct publisher *ended; /* a list of closed publishers, whose memory callbacks may still use */
} publishers = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void count_publisher(void)
{
    pthread_mutex_lock(&publishers.lock);
    publishers.count++;
    pthread_mutex_unlock(&publishers.lock);
}

/* Frees all publishers after the last of them has ended: only then can the threads of libnats end, which call the
 * callbacks. If a callback hangs, the memory is not freed. */
static void free_publisher(struct publisher *publisher)
{
    struct publisher *next;

    pthread_mutex_lock(&publishers.lock);
    publisher->next_ended = publishers.ended;
    publishers.ended = publisher;
    publishers.count--;
    if (publishers.count == 0 && nats_CloseAndWait(CLOSE_MS) != NATS_TIMEOUT)
        for (; publishers.ended != NULL; publishers.ended = next) {
            next = publishers.ended->next_ended;
            waiting_free(&publishers.ended->waiting);
            pthread_cond_destroy(&publishers.ended->changed);
            pthread_mutex_destroy(&publishers.ended->lock);
            free(publishers.ended);
        }
    pthread_mutex_unlock(&publishers.lock);
}

static enum txtap_status start(struct publisher *publisher, struct error *error)
{
    sigset_t all, before;
    int result;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    result = pthread_create(&publisher->thread, NULL, publisher_work, publisher);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (result == 0)
        return TXTAP_OK;
    nats_disconnect(&publisher->connection);
    return failure(error, TXTAP_ERROR_SYSTEM, "no thread to publish with: %s", strerror(result));
}

static enum txtap_status open_spool(struct publisher *publisher, struct error *error)
{
    const struct spool *spool = &publisher->waiting.spool;
    enum txtap_status status;

    if (publisher->setup.spool == NULL)
        return TXTAP_OK;
    status = waiting_open_spool(&publisher->waiting, publisher->setup.spool, publisher->place.subject,
                                publisher->session, publisher->setup.spool_bytes, error);
    publisher->session = spool->session;
    publisher->base = spool->base;
    publisher->based = publisher->resumed = spool->based;
    return status;
}

static uint64_t random_session(void)
{
    uint64_t session;

    return getrandom(&session, sizeof session, 0) == (ssize_t)sizeof session ? session : wall_us();
}

enum txtap_status publisher_open(struct publisher **out, const struct publisher_setup *setup, struct error *error)
{
    struct publisher *publisher = calloc(1, sizeof *publisher);
    pthread_condattr_t attributes;
    enum txtap_status status;

    *out = NULL;
    if (publisher == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory to publish");
    count_publisher();
    publisher->setup = *setup;
    waiting_init(&publisher->waiting);
    publisher->session = random_session();
    pthread_mutex_init(&publisher->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&publisher->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    status = nats_place_parse(&publisher->place, setup->place, error);
    if (status == TXTAP_OK)
        status = open_spool(publisher, error);
    if (status == TXTAP_OK) {
        status = publisher_connect(publisher, error);
        if (status == ERROR_UNREACHABLE && waiting_has_spool(&publisher->waiting)) {
            char text[ERROR_TEXT_BYTES];

            publisher_tell(publisher, error_text(error, text));
            error_clear(error);
            publisher->told_lost = true;
            status = TXTAP_OK;
        }
    }
    if (status == TXTAP_OK)
        status = start(publisher, error);
    if (status == TXTAP_OK)
        *out = publisher;
    else
        free_publisher(publisher);
    return status;
}

static enum txtap_status not_stored(const struct publisher *publisher, struct error *error)
{
    return failure(error, ERROR_UNREACHABLE,
                   "%.120s: no server has stored the last %" PRIu64 " messages\nrecord with --spool DIR to keep them",
                   publisher->place.text, waiting_count(&publisher->waiting));
}

enum txtap_status publisher_put(struct publisher *publisher, const void *bytes, size_t length, bool begins,
                                struct error *error)
{
    enum txtap_status status;

    pthread_mutex_lock(&publisher->lock);
    while (publisher->status == TXTAP_OK && !waiting_has_room(&publisher->waiting, length) &&
           (publisher->up || stop_grace_left_us() > 0))
        publisher_wait_us(publisher, SLICE_US);
    status = publisher->status;
    if (status != TXTAP_OK && error != NULL)
        *error = publisher->error;
    else if (status == TXTAP_OK && !waiting_has_room(&publisher->waiting, length))
        status = not_stored(publisher, error);
    else if (status == TXTAP_OK && !waiting_add(&publisher->waiting, bytes, length, begins)) {
        publisher_fail(publisher);
        *error = publisher->error;
        status = publisher->status;
    }
    pthread_cond_broadcast(&publisher->changed);
    pthread_mutex_unlock(&publisher->lock);
    return status;
}

static void tell_waiting(const struct publisher *publisher)
{
    char text[ERROR_WHAT_BYTES + NATS_TEXT_BYTES];

    snprintf(text, sizeof text, "%.120s: %" PRIu64 " messages wait in %.200s for the next recording",
             publisher->place.text, waiting_count(&publisher->waiting), publisher->waiting.spool.path);
    publisher_tell(publisher, text);
}

enum txtap_status publisher_finish(struct publisher *publisher, uint64_t limit_us, struct error *error)
{
    uint64_t begun = now_us(), first;
    enum txtap_status status;

    pthread_mutex_lock(&publisher->lock);
    publisher->closing = true;
    pthread_cond_broadcast(&publisher->changed);
    first = publisher->waiting.first;
    while (publisher->status == TXTAP_OK && waiting_count(&publisher->waiting) > 0 && now_us() - begun < limit_us) {
        publisher_wait_us(publisher, SLICE_US);
        begun = publisher->waiting.first != first ? now_us() : begun;
        first = publisher->waiting.first;
    }
    status = publisher->status;
    if (status != TXTAP_OK && error != NULL)
        *error = publisher->error;
    else if (status == TXTAP_OK && waiting_count(&publisher->waiting) > 0 && !waiting_has_spool(&publisher->waiting))
        status = not_stored(publisher, error);
    else if (status == TXTAP_OK && waiting_count(&publisher->waiting) > 0)
        tell_waiting(publisher);
    pthread_mutex_unlock(&publisher->lock);
    return status;
}

void publisher_close(struct publisher *publisher)
{
    pthread_mutex_lock(&publisher->lock);
    publisher->overdue = true;
    pthread_cond_broadcast(&publisher->changed);
    pthread_mutex_unlock(&publisher->lock);
    pthread_join(publisher->thread, NULL);
    free_publisher(publisher);
}

const char *publisher_name(const struct publisher *publisher)
{
    return publisher->place.text;
}
