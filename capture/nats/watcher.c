/* SPDX-License-Identifier: MIT */
/*
 * A consumer for each stream sends the last message of each subject first, and then all new messages. The last message
 * names the message that begins its file: the first message of a subject makes the watcher read the messages of this
 * file from another consumer, while further messages wait in the first.
 */
#include "nats/watcher.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/runtime.h"
#include "nats/connection.h"
#include "nats/message.h"
#include "nats/subjects.h"

#define FIND_MS    5000
#define SLICE_MS   100
#define SILENCE_US 15000000 /* a server that does not send its stored messages in this time has no more */

struct watched {
    void *slot;
    struct nats_order order;
    char subject[NATS_SUBJECT_MAX + 1];
};

struct stream {
    char name[NATS_STREAM_BYTES];
    natsSubscription *messages;
    bool is_complete; /* the last messages of all subjects have come */
};

struct watcher {
    struct nats_place place;
    size_t fixed; /* bytes of the pattern before its first wildcard */
    struct nats_access access;
    struct nats_connection connection;
    struct stream streams[NATS_STREAMS_MAX];
    size_t count;
    size_t at;        /* the stream that is asked next */
    void *subjects;   /* a tree of struct watched, by their subjects */
    natsMsg *message; /* the last message; NULL: no message */
    uint64_t heard_us;

    /* the file of a new subject; NULL: no such file is being read */
    natsSubscription *file;
    struct watched *file_of;
    uint64_t file_end; /* sequence number of the last message to read from it */
};

static int by_subject(const void *a, const void *b)
{
    return strcmp(((const struct watched *)a)->subject, ((const struct watched *)b)->subject);
}

/* Returns the subject, and adds it if it is new. NULL: no memory. */
static struct watched *find(struct watcher *watcher, const char *subject, bool *is_new)
{
    struct watched wanted = {.slot = NULL}, *watched, **found;

    strncpy(wanted.subject, subject, NATS_SUBJECT_MAX);
    found = tfind(&wanted, &watcher->subjects, by_subject);
    *is_new = found == NULL;
    if (!*is_new)
        return *found;
    watched = malloc(sizeof *watched);
    if (watched != NULL)
        *watched = wanted;
    if (watched == NULL || tsearch(watched, &watcher->subjects, by_subject) == NULL) {
        free(watched);
        return NULL;
    }
    return watched;
}

/* ---- open ---- */

/* Subscribes to all streams that may have messages of the pattern. */
static enum txtap_status subscribe(struct watcher *watcher, struct error *error)
{
    char names[NATS_STREAMS_MAX][NATS_STREAM_BYTES];
    enum txtap_status status = nats_find_streams(&watcher->connection, &watcher->place, names, &watcher->count, error);
    jsOptions wishes = nats_request(watcher->place.subject);
    bool is_empty = true;

    if (status == TXTAP_END)
        return nats_nothing(&watcher->connection, &watcher->place, error);
    for (size_t i = 0; i < watcher->count && status == TXTAP_OK; i++) {
        struct stream *stream = &watcher->streams[i];
        jsStreamInfo *about = NULL;
        jsErrCode code = 0;
        natsStatus got;

        memcpy(stream->name, names[i], sizeof stream->name);
        got = js_GetStreamInfo(&about, watcher->connection.jetstream, stream->name, &wishes, &code);
        stream->is_complete = got == NATS_OK && (about->State.Subjects == NULL || about->State.Subjects->Count == 0);
        is_empty = is_empty && stream->is_complete;
        jsStreamInfo_Destroy(about);
        if (got == NATS_OK)
            got = nats_subscribe(&stream->messages, &watcher->connection, stream->name, watcher->place.subject,
                                 js_DeliverLastPerSubject, 0, 0, &code);
        if (got != NATS_OK)
            status = nats_failure(&watcher->place, got, code, error);
    }
    return status == TXTAP_OK && is_empty ? nats_nothing(&watcher->connection, &watcher->place, error) : status;
}

enum txtap_status watcher_open(struct watcher **out, const char *name, const struct nats_access *access,
                               struct error *error)
{
    struct watcher *watcher = calloc(1, sizeof *watcher);
    enum txtap_status status;

    *out = NULL;
    if (watcher == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory to read from a NATS server");
    watcher->access = *access;
    status = nats_pattern_parse(&watcher->place, name, &watcher->fixed, error);
    if (status == TXTAP_OK)
        status = nats_connect(
            &watcher->connection,
            &(struct nats_connection_setup){
                .place = &watcher->place, .access = &watcher->access, .name = "txtap top", .reconnects = true},
            error);
    if (status == TXTAP_OK)
        status = subscribe(watcher, error);
    watcher->heard_us = now_us();
    if (status == TXTAP_OK)
        *out = watcher;
    else
        watcher_close(watcher);
    return status;
}

void watcher_close(struct watcher *watcher)
{
    natsMsg_Destroy(watcher->message);
    nats_unsubscribe(&watcher->file);
    for (size_t i = 0; i < watcher->count; i++)
        nats_unsubscribe(&watcher->streams[i].messages);
    nats_disconnect(&watcher->connection);
    tdestroy(watcher->subjects, free);
    free(watcher);
}

bool watcher_is_connected(const struct watcher *watcher)
{
    return natsConnection_Status(watcher->connection.link) == NATS_CONN_STATUS_CONNECTED;
}

/* ---- messages ---- */

/* The facts that the server tells about a message. */
struct about {
    uint64_t sequence, stored_us, pending;
};

static struct about about(natsMsg *message)
{
    jsMsgMetaData *data = NULL;
    struct about about = {.pending = 1};

    if (natsMsg_GetMetaData(&data, message) == NATS_OK)
        about = (struct about){data->Sequence.Stream, (uint64_t)data->Timestamp / 1000, data->NumPending};
    jsMsgMetaData_Destroy(data);
    return about;
}

/* Begins to read the file that a new subject's first message continues. Returns false if the message begins it. */
static bool open_file(struct watcher *watcher, struct watched *watched, const struct nats_mark *mark, uint64_t sequence,
                      const char *stream)
{
    jsErrCode code = 0;

    if (mark->begins || mark->head == 0 || mark->head >= sequence)
        return false;
    if (nats_subscribe(&watcher->file, &watcher->connection, stream, watched->subject, js_DeliverByStartSequence,
                       mark->head, 0, &code) != NATS_OK) {
        nats_unsubscribe(&watcher->file);
        return false;
    }
    watcher->file_of = watched;
    watcher->file_end = sequence;
    return true;
}

/* Judges the last message, which is of this subject. Returns true if the caller gets it. */
static bool take(struct watcher *watcher, struct watched *watched, uint64_t stored_us, struct watcher_message *message)
{
    const int length = natsMsg_GetDataLength(watcher->message);
    const struct nats_order before = watched->order;
    enum nats_verdict verdict =
        nats_order_take(&watched->order, nats_mark_of(watcher->message), length > 0 ? (size_t)length : 0);
    bool is_skipped = watched->order.skipped > before.skipped;

    if (verdict == NATS_SKIP && !is_skipped)
        return false;
    *message = (struct watcher_message){.subject = watched->subject + watcher->fixed,
                                        .slot = &watched->slot,
                                        .bytes = (const uint8_t *)natsMsg_GetData(watcher->message),
                                        .length = is_skipped ? 0 : (size_t)length,
                                        .begins = verdict == NATS_BEGINS,
                                        .missing = is_skipped || watched->order.missing > before.missing,
                                        .stored_us = stored_us};
    return true;
}

/* Waits for the next message of a subscription. */
static natsStatus receive(struct watcher *watcher, natsSubscription *from, int64_t wait_ms)
{
    natsStatus status;

    natsMsg_Destroy(watcher->message);
    watcher->message = NULL;
    status = natsSubscription_NextMsg(&watcher->message, from, wait_ms);
    if (status == NATS_OK)
        watcher->heard_us = now_us();
    return status;
}

/* Reads a message of the new subject's file. */
static enum txtap_status next_of_file(struct watcher *watcher, struct watcher_message *message)
{
    natsStatus status = NATS_TIMEOUT;
    struct about of = {.sequence = 0};
    bool taken = false;

    while (status == NATS_TIMEOUT && !stop_requested() && now_us() - watcher->heard_us < SILENCE_US)
        status = receive(watcher, watcher->file, SLICE_MS);
    if (status == NATS_OK) {
        of = about(watcher->message);
        taken = take(watcher, watcher->file_of, of.stored_us, message);
    }
    if (status != NATS_OK || of.sequence >= watcher->file_end) /* on a failure the subject waits for its next file */
        nats_unsubscribe(&watcher->file);
    return stop_requested() ? TXTAP_END : taken ? TXTAP_OK : TXTAP_AGAIN;
}

/* Takes the message that came from a stream. TXTAP_AGAIN: it is not for the caller. */
static enum txtap_status take_message(struct watcher *watcher, struct stream *stream, struct watcher_message *message,
                                      struct error *error)
{
    const char *subject = natsMsg_GetSubject(watcher->message), *text = nats_mark_of(watcher->message);
    const struct about of = about(watcher->message);
    struct watched *watched;
    struct nats_mark mark;
    bool is_new;

    stream->is_complete = stream->is_complete || of.pending == 0;
    if (text == NULL || !nats_mark_parse(&mark, text) || strlen(subject) > NATS_SUBJECT_MAX ||
        !nats_is_subject(subject))
        return TXTAP_AGAIN;
    watched = find(watcher, subject, &is_new);
    if (watched == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.120s: no memory for its subjects", watcher->place.text);
    if (is_new && open_file(watcher, watched, &mark, of.sequence, stream->name))
        return TXTAP_AGAIN;
    return take(watcher, watched, of.stored_us, message) ? TXTAP_OK : TXTAP_AGAIN;
}

/* Asks the streams in turn. TXTAP_END: no stream has a message, and none is expected at once. */
static enum txtap_status next_of_streams(struct watcher *watcher, struct watcher_message *message, struct error *error)
{
    for (size_t i = 0; i < watcher->count; i++) {
        struct stream *stream = &watcher->streams[watcher->at];
        natsStatus status = receive(watcher, stream->messages, stream->is_complete ? 0 : SLICE_MS);

        if (status == NATS_OK)
            return take_message(watcher, stream, message, error);
        if (status != NATS_TIMEOUT)
            return nats_failure(&watcher->place, status, 0, error);
        if (!stream->is_complete && now_us() - watcher->heard_us < SILENCE_US)
            return TXTAP_AGAIN;
        stream->is_complete = true;
        watcher->at = (watcher->at + 1) % watcher->count;
    }
    return TXTAP_END;
}

enum txtap_status watcher_next(struct watcher *watcher, struct watcher_message *message, struct error *error)
{
    enum txtap_status status = TXTAP_AGAIN;

    *message = (struct watcher_message){.subject = NULL};
    while (status == TXTAP_AGAIN) {
        if (stop_requested())
            return TXTAP_END;
        if (watcher->file != NULL)
            status = next_of_file(watcher, message);
        else if ((status = next_of_streams(watcher, message, error)) == TXTAP_END)
            return TXTAP_AGAIN;
    }
    return status;
}
