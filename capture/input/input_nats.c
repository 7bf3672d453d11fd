/* SPDX-License-Identifier: MIT */
/* Reads the messages of a subject as the files of a board. A message that begins a file ends the file before it. */
#include "input/input_nats.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/runtime.h"
#include "nats/subscriber.h"

struct nats_input {
    struct subscriber *subscriber;
    struct subscriber_message message;
    size_t at;    /* bytes of the message that were read */
    bool begun;   /* a message came */
    bool pending; /* the message begins the next file, which next() opens */
    bool ended;
    bool whole; /* all messages of the subject are read */
    bool told;  /* the user knows that the begin of the newest file was dropped */
};

static enum txtap_status nats_open(struct input *input, const char *name, struct error *error)
{
    const char *since = strstr(name, NATS_SINCE);
    struct nats_input *place = calloc(1, sizeof *place);
    char *whole = strndup(name, since != NULL ? (size_t)(since - name) : strlen(name));
    struct subscriber_setup setup = {.place = whole, .access = nats_access_of_environment()};
    enum txtap_status status;

    setup.live = input->wait.idle != NULL;
    setup.since_us = since != NULL ? strtoull(since + strlen(NATS_SINCE), NULL, 10) : 0;
    status = place != NULL && whole != NULL
                 ? subscriber_open(&place->subscriber, &setup, error)
                 : failure(error, TXTAP_ERROR_SYSTEM, "no memory to read from a NATS server");
    free(whole);
    if (status != TXTAP_OK) {
        free(place);
        return status;
    }
    place->whole = !setup.live && setup.since_us == 0;
    input->place = place;
    input->name = subscriber_name(place->subscriber);
    if (error_is_set(subscriber_waits(place->subscriber)))
        fprintf(stderr, "txtap: %s; waiting: %s\n", subscriber_waits(place->subscriber)->what,
                subscriber_waits(place->subscriber)->hint);
    input->live = input->board = true;
    return TXTAP_OK;
}

/* Tells about messages that were not read. The recording itself has the gaps. */
static void tell(const char *name, const struct nats_order *order, bool whole)
{
    if (order->missing > 0)
        fprintf(stderr,
                "txtap: %.160s: %" PRIu64 " messages are missing, and %" PRIu64 " cannot be read without them\n", name,
                order->missing, order->skipped);
    else if (whole && order->before > 0)
        fprintf(stderr,
                "txtap: %.160s: the server has dropped the first %" PRIu64 " messages, and %" PRIu64
                " after them cannot be read without them\n",
                name, order->before, order->skipped);
    else if (order->skipped > 0)
        fprintf(stderr,
                "txtap: %.160s: the server has dropped the begin of the first file, and %" PRIu64
                " messages cannot be read without it\n",
                name, order->skipped);
    if (order->foreign > 0)
        fprintf(stderr, "txtap: %.160s: %" PRIu64 " messages of another program were skipped\n", name, order->foreign);
}

/* A live reader may have to wait for the next file. */
static void tell_waiting(struct nats_input *place, const char *name)
{
    if (place->told || place->begun || subscriber_order(place->subscriber)->skipped == 0)
        return;
    place->told = true;
    fprintf(stderr, "txtap: %.160s: the server has dropped the begin of the newest file: waiting for the next file\n",
            name);
}

/* Waits for the next message. Returns false at the end, or after a failure, which sets the error. */
static bool wait_for_message(struct input *input, struct error *error)
{
    struct nats_input *place = input->place;
    const bool live = input->wait.idle != NULL;
    enum txtap_status status = TXTAP_AGAIN;

    place->at = 0;
    while (!place->ended && status == TXTAP_AGAIN) {
        status = subscriber_next(place->subscriber, INPUT_IDLE_US / 1000, &place->message, error);
        if (live)
            tell_waiting(place, input->name);
        if (status == TXTAP_AGAIN && live)
            place->ended = !input_idle(input);
        else if (status == TXTAP_AGAIN && stop_grace_left_us() == 0)
            status = failure(error, ERROR_INTERRUPTED, "%.160s: interrupted", input->name);
    }
    place->ended = place->ended || status != TXTAP_OK;
    if (place->ended)
        return false;
    place->pending = place->message.begins && place->begun;
    place->begun = true;
    if (place->message.old && !place->pending)
        input->existing_bytes += place->message.length;
    return true;
}

static ssize_t nats_read(struct input *input, void *buffer, size_t length, struct error *error)
{
    struct nats_input *place = input->place;
    size_t left = place->message.length - place->at;
    struct error own = {0};

    if (left == 0 && !place->pending) {
        if (!wait_for_message(input, &own)) {
            place->message.length = place->at = 0;
            if (error_is_set(&own))
                *error = own;
            return error_is_set(&own) ? -1 : 0;
        }
        left = place->message.length;
    }
    if (place->pending)
        return 0;
    length = length < left ? length : left;
    memcpy(buffer, place->message.bytes + place->at, length);
    place->at += length;
    return (ssize_t)length;
}

static enum txtap_status nats_next(struct input *input, struct error *error)
{
    struct nats_input *place = input->place;
    struct error own = {0};

    while (!place->pending && wait_for_message(input, &own)) /* the reader leaves the rest of a damaged file */
        ;
    if (error_is_set(&own))
        *error = own;
    if (!place->pending)
        return error_is_set(&own) ? own.status : TXTAP_END;
    place->pending = false;
    input->existing_bytes = place->message.old ? place->message.length : 0;
    return TXTAP_OK;
}

static void nats_close(struct input *input)
{
    struct nats_input *place = input->place;

    if (place == NULL)
        return;
    tell(input->name, subscriber_order(place->subscriber), place->whole);
    input->name = "the NATS server"; /* the name ends with the subscriber */
    subscriber_close(place->subscriber);
    free(place);
    input->place = NULL;
}

const struct input_kind nats_input_kind = {
    .prefix = "nats://", .open = nats_open, .read = nats_read, .next = nats_next, .close = nats_close};

const struct input_kind nats_input_tls_kind = {
    .prefix = "tls://", .open = nats_open, .read = nats_read, .next = nats_next, .close = nats_close};
