/* SPDX-License-Identifier: MIT */
/* Reads with an ordered consumer, which libnats makes again after a lost connection. */
#include "nats/subscriber.h"

#include <stdlib.h>
#include <string.h>

#include "base/runtime.h"
#include "nats/connection.h"
#include "nats/subjects.h"

#define FIND_MS    5000
#define SILENCE_US 15000000 /* a server that does not send its stored messages in this time is lost */

struct subscriber {
    struct nats_place place;
    struct nats_access access;
    struct nats_connection connection;
    char stream[NATS_STREAM_BYTES];
    natsSubscription *messages;
    natsMsg *message; /* the last message; NULL: no message */
    struct nats_order order;
    bool live;
    struct error waits; /* see subscriber_waits() */
    uint64_t end_seq;   /* sequence number of the last message at the start; not live: 0 after it was read */
    uint64_t heard_us;  /* when the last message came */
};

/* Parses the mark of a message. */
static bool mark_of(natsMsg *message, struct nats_mark *mark)
{
    const char *text = nats_mark_of(message);

    return text != NULL && nats_mark_parse(mark, text);
}

/* Returns the sequence number of a message; 0: it has no such number. */
static uint64_t sequence_of(natsMsg *message)
{
    jsMsgMetaData *about = NULL;
    uint64_t sequence = natsMsg_GetMetaData(&about, message) == NATS_OK ? about->Sequence.Stream : 0;

    jsMsgMetaData_Destroy(about);
    return sequence;
}

static natsStatus subscribe(struct subscriber *subscriber, jsDeliverPolicy policy, uint64_t sequence, int64_t time_ns,
                            jsErrCode *code)
{
    return nats_subscribe(&subscriber->messages, &subscriber->connection, subscriber->stream, subscriber->place.subject,
                          policy, sequence, time_ns, code);
}

/* Returns when the server stored a message, in microseconds since 1970; 0: unknown. */
static uint64_t stored_us(natsMsg *message)
{
    jsMsgMetaData *about = NULL;
    uint64_t us = natsMsg_GetMetaData(&about, message) == NATS_OK ? (uint64_t)about->Timestamp / 1000 : 0;

    jsMsgMetaData_Destroy(about);
    return us;
}

/* Finds the file with the first message of a time. Returns the sequence number of its first message; 0: not found. Asks
 * for whole seconds, because libnats 3.4 writes a part of a second without the zeros at its begin. */
static uint64_t find_time(struct subscriber *subscriber, uint64_t since_us, natsStatus *status, jsErrCode *code)
{
    const uint64_t from_us = since_us > NATS_EARLIER_US ? since_us - NATS_EARLIER_US : 0;
    struct nats_mark mark;
    natsMsg *message = NULL;
    uint64_t found = 0;

    *status = subscribe(subscriber, js_DeliverByStartTime, 0, (int64_t)(from_us / 1000000 * 1000000000), code);
    while (*status == NATS_OK && (message == NULL || stored_us(message) < from_us)) {
        natsMsg_Destroy(message);
        message = NULL;
        *status = natsSubscription_NextMsg(&message, subscriber->messages, FIND_MS);
    }
    if (*status == NATS_OK && mark_of(message, &mark))
        found = mark.begins || mark.head == 0 ? sequence_of(message) : mark.head;
    else if (*status == NATS_OK)
        found = sequence_of(message);
    natsMsg_Destroy(message);
    nats_unsubscribe(&subscriber->messages);
    return found;
}

/* Chooses the first message, and subscribes from it on. */
static enum txtap_status begin(struct subscriber *subscriber, uint64_t since_us, struct error *error)
{
    struct nats_mark mark = {.head = 0};
    natsMsg *last = NULL;
    uint64_t first = 1;
    jsErrCode code = 0;
    natsStatus status =
        nats_last_message(&last, &subscriber->connection, subscriber->stream, subscriber->place.subject, &code);

    if (status != NATS_OK && status != NATS_NOT_FOUND && code != JSNoMessageFoundErr)
        return nats_failure(&subscriber->place, status, code, error);
    if (last == NULL) {
        enum txtap_status none = nats_nothing(&subscriber->connection, &subscriber->place, &subscriber->waits);

        if (!subscriber->live) {
            *error = subscriber->waits;
            return none;
        }
    }
    if (last != NULL) {
        subscriber->end_seq = natsMsg_GetSequence(last);
        if (subscriber->live && mark_of(last, &mark))
            first = mark.begins ? subscriber->end_seq : mark.head > 0 ? mark.head : 1;
        if (!subscriber->live && since_us > NATS_EARLIER_US &&
            natsMsg_GetTime(last) / 1000 < (int64_t)(since_us - NATS_EARLIER_US))
            first = 0;
        natsMsg_Destroy(last);
    }
    status = NATS_OK;
    if (first > 0 && !subscriber->live && since_us > 0)
        first = find_time(subscriber, since_us, &status, &code);
    if (status == NATS_OK && first == 0)
        return failure(error, ERROR_UNREACHABLE,
                       "%.120s: no recording of this time: its newest message is older\nchoose an earlier --since",
                       subscriber->place.text);
    if (status == NATS_OK)
        status = subscribe(subscriber, js_DeliverByStartSequence, first, 0, &code);
    return status == NATS_OK ? TXTAP_OK : nats_failure(&subscriber->place, status, code, error);
}

/* Parses the name of the place. Without a subject, the error needs the subjects of the server. */
static enum txtap_status parse_place(struct subscriber *subscriber, const char *name, struct error *error)
{
    struct nats_place *place = &subscriber->place;
    enum txtap_status status = nats_place_parse(place, name, error);
    struct error unused = {0};
    size_t fixed;

    if (status != TXTAP_ERROR_USAGE || name[strlen(name) - 1] != '/' ||
        nats_pattern_parse(place, name, &fixed, &unused) != TXTAP_OK)
        return status;
    *place->subject = place->text[strlen(place->text) - 1] = '\0';
    error_clear(error);
    return TXTAP_OK;
}

enum txtap_status subscriber_open(struct subscriber **out, const struct subscriber_setup *setup, struct error *error)
{
    struct subscriber *subscriber = calloc(1, sizeof *subscriber);
    enum txtap_status status;

    *out = NULL;
    if (subscriber == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory to read from a NATS server");
    subscriber->access = setup->access;
    subscriber->live = setup->live;
    status = parse_place(subscriber, setup->place, error);
    if (status == TXTAP_OK)
        status = nats_connect(
            &subscriber->connection,
            &(struct nats_connection_setup){
                .place = &subscriber->place, .access = &subscriber->access, .name = "txtap", .reconnects = true},
            error);
    if (status == TXTAP_OK && *subscriber->place.subject == '\0')
        status = nats_nothing(&subscriber->connection, &subscriber->place, error);
    if (status == TXTAP_OK)
        status = nats_find_stream(&subscriber->connection, &subscriber->place, subscriber->stream, error);
    if (status == TXTAP_END)
        status = nats_nothing(&subscriber->connection, &subscriber->place, error);
    if (status == TXTAP_OK)
        status = begin(subscriber, setup->since_us, error);
    subscriber->heard_us = now_us();
    if (status == TXTAP_OK)
        *out = subscriber;
    else
        subscriber_close(subscriber);
    return status;
}

void subscriber_close(struct subscriber *subscriber)
{
    natsMsg_Destroy(subscriber->message);
    nats_unsubscribe(&subscriber->messages);
    nats_disconnect(&subscriber->connection);
    free(subscriber);
}

/* Judges the message that came. Returns true if the caller gets it. */
static bool take(struct subscriber *subscriber, uint64_t sequence, struct subscriber_message *message)
{
    const int length = natsMsg_GetDataLength(subscriber->message);
    enum nats_verdict verdict;

    verdict = nats_order_take(&subscriber->order, nats_mark_of(subscriber->message), length > 0 ? (size_t)length : 0);
    if (verdict == NATS_SKIP)
        return false;
    *message = (struct subscriber_message){.bytes = (const uint8_t *)natsMsg_GetData(subscriber->message),
                                           .length = (size_t)length,
                                           .begins = verdict == NATS_BEGINS,
                                           .old = sequence <= subscriber->end_seq};
    return true;
}

enum txtap_status subscriber_next(struct subscriber *subscriber, int64_t wait_ms, struct subscriber_message *message,
                                  struct error *error)
{
    uint64_t sequence;
    natsStatus status;

    *message = (struct subscriber_message){.length = 0};
    do {
        natsMsg_Destroy(subscriber->message);
        subscriber->message = NULL;
        if (!subscriber->live && subscriber->end_seq == 0)
            return TXTAP_END;
        status = natsSubscription_NextMsg(&subscriber->message, subscriber->messages, wait_ms);
        if (status == NATS_TIMEOUT && (subscriber->live || now_us() - subscriber->heard_us < SILENCE_US))
            return TXTAP_AGAIN;
        if (status != NATS_OK)
            return nats_failure(&subscriber->place, status, 0, error);
        subscriber->heard_us = now_us();
        sequence = sequence_of(subscriber->message);
        if (!subscriber->live && sequence >= subscriber->end_seq)
            subscriber->end_seq = 0; /* this is the last message */
    } while (!take(subscriber, sequence, message));
    return TXTAP_OK;
}

const char *subscriber_name(const struct subscriber *subscriber)
{
    return subscriber->place.text;
}

const struct nats_order *subscriber_order(const struct subscriber *subscriber)
{
    return &subscriber->order;
}

const struct error *subscriber_waits(const struct subscriber *subscriber)
{
    return &subscriber->waits;
}
