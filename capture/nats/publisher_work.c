/* SPDX-License-Identifier: MIT */
/*
 * The thread of a publisher sends messages, and threads of libnats report what the server has stored. libnats neither
 * resends a message nor keeps the order after a lost connection, so a connection is used until its first failure only.
 * Callbacks of older connections are ignored by the number of their connection.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/runtime.h"
#include "nats/message.h"
#include "nats/publisher_parts.h"
#include "nats/stream.h"

#define ACK_US   5000000 /* a server that has not acknowledged a message in this time is lost */
#define RETRY_US 250000
#define SLICE_US 50000

void publisher_tell(const struct publisher *publisher, const char *text)
{
    if (publisher->setup.tell != NULL)
        publisher->setup.tell(publisher->setup.self, text);
}

/* Waits for a change, with the lock held. */
void publisher_wait_us(struct publisher *publisher, uint64_t us)
{
    struct timespec until;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += (long)(us * 1000);
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&publisher->changed, &publisher->lock, &until);
}

/* Notes a failure that cannot be repaired. The caller holds the lock. */
static void fail(struct publisher *publisher, enum txtap_status status, const struct error *error)
{
    if (publisher->status == TXTAP_OK) {
        publisher->status = status;
        publisher->error = *error;
    }
    publisher->up = false;
    pthread_cond_broadcast(&publisher->changed);
}

/* Notes that a function of waiting.h has failed. The caller holds the lock. */
void publisher_fail(struct publisher *publisher)
{
    struct error error = {0};

    fail(publisher,
         failure(&error, TXTAP_ERROR_SYSTEM, "%.160s: %s",
                 waiting_has_spool(&publisher->waiting) ? publisher->waiting.spool.path : publisher->place.text,
                 strerror(errno)),
         &error);
}

/* ---- callbacks, in threads of libnats ---- */

/* Ends the connection, with its reason. The caller holds the lock. */
static void cut(struct publisher *publisher, const char *why)
{
    if (publisher->up)
        snprintf(publisher->why, sizeof publisher->why, "%s", why);
    publisher->up = false;
    pthread_cond_broadcast(&publisher->changed);
}

/* Returns the publisher with its lock held; NULL: the callback is of an earlier connection. */
static struct publisher *enter(const struct publisher_link *link, uint64_t number)
{
    struct publisher *publisher = link->publisher;

    pthread_mutex_lock(&publisher->lock);
    if (number == publisher->link)
        return publisher;
    pthread_mutex_unlock(&publisher->lock);
    return NULL;
}

static void on_closed(natsConnection *connection, void *closure)
{
    struct publisher_link *link = closure;
    struct publisher *publisher = enter(link, link->number);

    (void)connection;
    if (publisher == NULL)
        return;
    cut(publisher, "the connection was closed");
    pthread_mutex_unlock(&publisher->lock);
}

static void on_error(natsConnection *connection, natsSubscription *subscription, natsStatus status, void *closure)
{
    struct publisher_link *link = closure;
    struct publisher *publisher = enter(link, link->number);

    (void)connection;
    (void)subscription;
    if (publisher == NULL)
        return;
    cut(publisher, status == NATS_NOT_PERMITTED ? "the server does not permit it" : natsStatus_GetText(status));
    pthread_mutex_unlock(&publisher->lock);
}

static const char *refusal(const jsPubAckErr *refused)
{
    if (refused->ErrCode == JSStreamWrongLastSequenceErr)
        return "the server has a message that this recorder did not send";
    if (refused->Err == NATS_NO_RESPONDERS)
        return "no server of the cluster takes messages at present";
    if (refused->Err == NATS_TIMEOUT)
        return "the server does not acknowledge messages";
    return refused->ErrText != NULL ? refused->ErrText : natsStatus_GetText(refused->Err);
}

static void on_acknowledged(jsCtx *jetstream, natsMsg *message, jsPubAck *stored, jsPubAckErr *refused, void *closure)
{
    struct publisher_link *link = closure;
    struct publisher *publisher = enter(link, link->number);
    struct nats_mark mark;
    const char *text = NULL;

    (void)jetstream;
    if (publisher != NULL && stored == NULL)
        cut(publisher, refused != NULL ? refusal(refused) : "the server refuses a message");
    if (publisher != NULL && stored != NULL && natsMsgHeader_Get(message, NATS_MARK_HEADER, &text) == NATS_OK &&
        nats_mark_parse(&mark, text)) {
        uint64_t count = mark.number - publisher->base;

        if (count >= publisher->waiting.first && count < publisher->waiting.sent) {
            if (!waiting_stored(&publisher->waiting, count))
                publisher_fail(publisher);
            if (stored->Sequence > publisher->last_seq)
                publisher->last_seq = stored->Sequence;
            if (mark.begins && stored->Sequence > publisher->head_seq)
                publisher->head_seq = stored->Sequence;
            pthread_cond_broadcast(&publisher->changed);
        }
    }
    if (publisher != NULL)
        pthread_mutex_unlock(&publisher->lock);
    natsMsg_Destroy(message);
}

/* ---- connect, in the thread ---- */

/* Finds the stream of the subject, or makes it. */
static enum txtap_status find_or_make_stream(struct publisher *publisher, struct error *error)
{
    const struct stream_limits *limits = &publisher->setup.limits;
    const struct nats_connection *connection = &publisher->connection;
    char text[STREAM_TEXT_BYTES] = "";
    enum txtap_status status = nats_find_stream(connection, &publisher->place, publisher->stream, error);

    if (status == TXTAP_OK && publisher->setup.tells_limits)
        stream_compare(connection, &publisher->place, limits, publisher->stream, text);
    if (status == TXTAP_END)
        status = stream_make(connection, &publisher->place, limits, publisher->stream, text, error);
    if (status != TXTAP_OK) /* another recorder may have just made it */
        status = nats_find_stream(connection, &publisher->place, publisher->stream, &(struct error){0}) == TXTAP_OK
                     ? TXTAP_OK
                     : status;
    if (status != TXTAP_OK)
        publisher->stream[0] = '\0';
    else if (*text != '\0')
        publisher_tell(publisher, text);
    return status;
}

static enum txtap_status is_another(const struct publisher *publisher, struct error *error)
{
    if (publisher->resumed)
        return failure(error, TXTAP_ERROR_SYSTEM,
                       "%.100s: another recorder has written to this subject since\nremove the file to drop the "
                       "messages that wait in it",
                       publisher->waiting.spool.path);
    return failure(error, TXTAP_ERROR_SYSTEM,
                   "%.120s: another recorder writes to this subject\nend it, or give another subject",
                   publisher->place.text);
}

/* Notes the last message of the subject. The caller holds the lock. */
static enum txtap_status note_last(struct publisher *publisher, uint64_t seq, const struct nats_mark *mark,
                                   struct error *error)
{
    publisher->last_seq = seq;
    publisher->head_seq = mark == NULL ? 0 : mark->begins ? seq : mark->head;
    if (mark != NULL && publisher->based && mark->session == publisher->session) {
        if (!waiting_stored_until(&publisher->waiting, mark->number - publisher->base))
            return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: %s", publisher->waiting.spool.path, strerror(errno));
    } else if (mark != NULL && publisher->based && mark->number != publisher->base) {
        return is_another(publisher, error);
    }
    publisher->resumed = false;
    if (!publisher->based) {
        publisher->base = mark != NULL ? mark->number : 0;
        publisher->based = true;
        if (waiting_has_spool(&publisher->waiting) && !spool_set_base(&publisher->waiting.spool, publisher->base))
            return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: %s", publisher->waiting.spool.path, strerror(errno));
    }
    return TXTAP_OK;
}

/* Asks the server for the last message of the subject. */
static enum txtap_status ask_last(struct publisher *publisher, struct error *error)
{
    struct nats_mark mark;
    natsMsg *message = NULL;
    const char *text = NULL;
    jsErrCode code = 0;
    enum txtap_status status;
    natsStatus got =
        nats_last_message(&message, &publisher->connection, publisher->stream, publisher->place.subject, &code);
    bool marked;

    if (code == JSStreamNotFoundErr) /* it was deleted: the next attempt makes it again */
        publisher->stream[0] = '\0';
    if (got != NATS_OK && got != NATS_NOT_FOUND && code != JSNoMessageFoundErr)
        return nats_failure(&publisher->place, got, code, error);
    marked = message != NULL && natsMsgHeader_Get(message, NATS_MARK_HEADER, &text) == NATS_OK &&
             nats_mark_parse(&mark, text);
    pthread_mutex_lock(&publisher->lock);
    publisher->waiting.sent = publisher->waiting.first;
    status = note_last(publisher, message != NULL ? natsMsg_GetSequence(message) : 0, marked ? &mark : NULL, error);
    publisher->up = status == TXTAP_OK;
    pthread_mutex_unlock(&publisher->lock);
    natsMsg_Destroy(message);
    return status;
}

enum txtap_status publisher_connect(struct publisher *publisher, struct error *error)
{
    struct publisher_link *link;
    enum txtap_status status;

    pthread_mutex_lock(&publisher->lock);
    publisher->link++;
    link = &publisher->links[publisher->link % PUBLISHER_LINKS];
    *link = (struct publisher_link){publisher, publisher->link};
    pthread_mutex_unlock(&publisher->lock);
    status = nats_connect(&publisher->connection,
                          &(struct nats_connection_setup){.place = &publisher->place,
                                                          .access = &publisher->setup.access,
                                                          .name = "txtap record",
                                                          .closed = on_closed,
                                                          .failed = on_error,
                                                          .acknowledged = on_acknowledged,
                                                          .self = link},
                          error);
    if (status == TXTAP_OK && publisher->stream[0] == '\0')
        status = find_or_make_stream(publisher, error);
    if (status == TXTAP_OK)
        status = ask_last(publisher, error);
    if (status != TXTAP_OK)
        nats_disconnect(&publisher->connection);
    return status;
}

static void end_connection(struct publisher *publisher)
{
    pthread_mutex_lock(&publisher->lock);
    publisher->up = false;
    publisher->link++; /* ignores further callbacks of this connection */
    pthread_mutex_unlock(&publisher->lock);
    nats_disconnect(&publisher->connection);
}

/* ---- send, in the thread ---- */

/* Returns true if the next message may be sent now. The caller holds the lock. */
static bool may_send(const struct publisher *publisher)
{
    return publisher->waiting.sent < publisher->waiting.next && publisher->waiting.sent == publisher->waiting.first;
}

/*
 * Sends the next message. The server must check that it comes after the message before it. No other message is on its
 * way meanwhile: a cluster that changes its leader may lose a message that it has not acknowledged, and store the next
 * message.
 */
static natsStatus send_next(struct publisher *publisher)
{
    struct waiting_slot *slot = waiting_slot(&publisher->waiting, publisher->waiting.sent);
    const struct nats_mark mark = {publisher->session, publisher->base + publisher->waiting.sent, publisher->head_seq,
                                   slot->begins};
    char text[NATS_MARK_BYTES], id[NATS_MARK_BYTES];
    natsMsg *message = NULL;
    jsPubOptions wishes;
    natsStatus status;

    nats_mark_text(text, &mark);
    snprintf(id, sizeof id, "%016" PRIx64 "-%" PRIu64, mark.session, mark.number);
    jsPubOptions_Init(&wishes);
    wishes.MaxWait = ACK_US / 1000;
    wishes.MsgId = id;
    wishes.ExpectNoMessage = publisher->last_seq == 0;
    wishes.ExpectLastSubjectSeq = publisher->last_seq;
    status = natsMsg_Create(&message, publisher->place.subject, NULL, (const char *)slot->bytes, (int)slot->length);
    if (status == NATS_OK)
        status = natsMsgHeader_Set(message, NATS_MARK_HEADER, text);
    slot->sent_us = now_us();
    publisher->waiting.sent++;
    pthread_mutex_unlock(&publisher->lock); /* the call may wait for the socket */
    if (status == NATS_OK)
        status = js_PublishMsgAsync(publisher->connection.jetstream, &message, &wishes);
    natsMsg_Destroy(message); /* only if it was not sent */
    pthread_mutex_lock(&publisher->lock);
    return status;
}

/* Returns true if the server has not acknowledged the oldest message in time. */
static bool is_silent(const struct publisher *publisher)
{
    return publisher->waiting.sent > publisher->waiting.first &&
           now_us() - publisher->waiting.slots[publisher->waiting.first % WAITING_SLOTS].sent_us > ACK_US + ACK_US / 5;
}

/* Tells that the connection works again, after the server has stored a message. The caller holds the lock. */
static void tell_found(struct publisher *publisher, uint64_t stored)
{
    char text[NATS_TEXT_BYTES + 32];

    if (!publisher->told_lost || (publisher->waiting.first == stored && waiting_count(&publisher->waiting) > 0))
        return;
    publisher->told_lost = false;
    snprintf(text, sizeof text, "%s: connected again", publisher->place.text);
    publisher_tell(publisher, text);
}

/* Ends the connection after a message could not be sent. The caller holds the lock. */
static void note_unsent(struct publisher *publisher, natsStatus status)
{
    struct error error = {0};

    if (status == NATS_MAX_PAYLOAD)
        fail(publisher,
             failure(&error, TXTAP_ERROR_SYSTEM,
                     "%.120s: a message is too large for the NATS server\nset max_payload to 1 MB in its configuration",
                     publisher->place.text),
             &error);
    else
        cut(publisher, natsStatus_GetText(status));
}

/* Sends messages until the connection fails, or until there is nothing more to do. */
static void use_connection(struct publisher *publisher)
{
    uint64_t stored;

    pthread_mutex_lock(&publisher->lock);
    stored = publisher->waiting.first;
    while (publisher->up && publisher->status == TXTAP_OK && !publisher->overdue) {
        if (!waiting_load(&publisher->waiting))
            publisher_fail(publisher);
        tell_found(publisher, stored);
        if (publisher->closing && waiting_count(&publisher->waiting) == 0)
            break;
        if (may_send(publisher)) {
            natsStatus status = send_next(publisher);

            if (status != NATS_OK)
                note_unsent(publisher, status);
        } else {
            publisher_wait_us(publisher, SLICE_US);
            if (is_silent(publisher))
                cut(publisher, "the server does not acknowledge messages");
        }
    }
    pthread_mutex_unlock(&publisher->lock);
}

/* Connects again and again. Returns false if it is no longer necessary. */
static bool reconnect(struct publisher *publisher)
{
    enum txtap_status status;
    struct error error;
    bool done;

    for (;;) {
        pthread_mutex_lock(&publisher->lock);
        done = publisher->status != TXTAP_OK || publisher->overdue ||
               (publisher->closing && waiting_count(&publisher->waiting) == 0);
        pthread_mutex_unlock(&publisher->lock);
        if (done)
            return false;
        error_clear(&error);
        status = publisher_connect(publisher, &error);
        if (status == TXTAP_OK)
            return true;
        pthread_mutex_lock(&publisher->lock);
        if (status != ERROR_UNREACHABLE)
            fail(publisher, status, &error);
        else if (!publisher->overdue)
            publisher_wait_us(publisher, RETRY_US);
        pthread_mutex_unlock(&publisher->lock);
    }
}

/* Tells once why the connection was lost, however often it is lost again. */
static void tell_lost(struct publisher *publisher)
{
    char text[ERROR_WHAT_BYTES + NATS_TEXT_BYTES];

    if (publisher->told_lost || publisher->why[0] == '\0' || publisher->status != TXTAP_OK || publisher->overdue)
        return;
    publisher->told_lost = true;
    snprintf(text, sizeof text, "%.160s: connection lost: %.180s: events wait in the %s", publisher->place.text,
             publisher->why, waiting_has_spool(&publisher->waiting) ? "spool" : "buffer");
    publisher_tell(publisher, text);
}

void *publisher_work(void *self)
{
    struct publisher *publisher = self;

    if (publisher->connection.link == NULL && !reconnect(publisher))
        return NULL;
    do {
        use_connection(publisher);
        end_connection(publisher);
        pthread_mutex_lock(&publisher->lock);
        tell_lost(publisher);
        publisher->why[0] = '\0';
        pthread_mutex_unlock(&publisher->lock);
    } while (reconnect(publisher));
    return NULL;
}
