/* SPDX-License-Identifier: MIT */
/* Reads the boards of a lab from the subjects of NATS servers. A message has whole blocks. */
#include <stdio.h>
#include <stdlib.h>

#include "base/runtime.h"
#include "command/top/lab_source.h"
#include "nats/watcher.h"

#define STEP_US 1000000 /* how long a step reads while messages come at all times */

struct subjects {
    struct watcher *watcher;
    bool is_read; /* the messages that the server had at the start were read */
};

/* Returns the feed of the message's subject, which may be new. NULL: the subject has no board. */
static struct lab_feed *feed_of(const struct watcher_message *message, struct lab_boards *boards)
{
    struct lab_feed *feed = *message->slot;

    if (feed != NULL)
        return feed;
    /* Other messages may begin a file, such as alarms. */
    if (message->begins ? !txtap_recording_signature(message->bytes, message->length) : message->length > 0)
        return NULL;
    if (boards->count == LAB_SHOWN_MAX) {
        boards->is_full = true;
        return NULL;
    }
    feed = malloc(sizeof *feed);
    if (feed == NULL || !lab_feed_open(feed, message->subject)) {
        free(feed);
        return NULL;
    }
    boards->feeds[boards->count++] = feed;
    *message->slot = feed;
    return feed;
}

static void take(const struct watcher_message *message, struct lab_boards *boards)
{
    struct lab_feed *feed = feed_of(message, boards);
    uint64_t offset;

    if (feed == NULL)
        return;
    feed->lost_exact = feed->lost_exact && !message->missing;
    if (message->begins)
        (void)lab_feed_begin(feed, 0);
    if (message->length == 0) { /* without the file's begin nothing else is known */
        feed->block_us = message->stored_us;
        feed->ended = false;
    } else if (feed->begun) {
        offset = feed->offset;
        (void)lab_feed_take(feed, message->bytes, message->length);
        feed->damaged = feed->damaged || feed->offset - offset != message->length;
    }
}

static enum txtap_status subjects_open(void **source, const char *name, struct error *error)
{
    const struct nats_access access = nats_access_of_environment();
    struct subjects *subjects = calloc(1, sizeof *subjects);
    enum txtap_status status;

    *source = NULL;
    if (subjects == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory to read from a NATS server");
    status = watcher_open(&subjects->watcher, name, &access, error);
    if (status == TXTAP_OK)
        *source = subjects;
    else
        free(subjects);
    return status;
}

static enum txtap_status subjects_step(void *source, struct lab_boards *boards, struct error *error)
{
    struct subjects *subjects = source;
    const uint64_t begun = now_us();
    struct watcher_message message;
    enum txtap_status status = TXTAP_OK;

    while (status == TXTAP_OK && (!subjects->is_read || now_us() - begun < STEP_US)) {
        status = watcher_next(subjects->watcher, &message, error);
        if (status == TXTAP_OK)
            take(&message, boards);
    }
    subjects->is_read = subjects->is_read || status == TXTAP_AGAIN;
    boards->away = !watcher_is_connected(subjects->watcher);
    return status >= TXTAP_OK ? TXTAP_OK : status;
}

static void subjects_close(void *source, struct lab_boards *boards)
{
    struct subjects *subjects = source;

    watcher_close(subjects->watcher);
    for (size_t i = 0; i < boards->count; i++) {
        lab_feed_close(boards->feeds[i]);
        free(boards->feeds[i]);
    }
    free(subjects);
}

const struct lab_source lab_subjects = {subjects_open, subjects_step, subjects_close};
