/* SPDX-License-Identifier: MIT */
/* Sets the options of connections, and translates the errors of libnats. */
#include "nats/connection.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "nats/message.h"

#define CONNECT_MS   3000 /* per server */
#define WAIT_MS      5000 /* how long a request to JetStream may take */
#define PING_MS      2000
#define PINGS        2    /* a server that answers none of this number of pings is lost */
#define WRITE_MS     2000 /* limit for a write to a server that takes no bytes */
#define RECONNECT_MS 250
#define HEARTBEAT_NS INT64_C(1000000000)

/* ---- errors ---- */

/* Returns the text of libnats for the last error, without its place in the source; NULL: no text. */
static const char *last_error(void)
{
    const char *text = nats_GetLastError(NULL), *place = text != NULL && *text == '(' ? strstr(text, "): ") : NULL;

    return place != NULL ? place + 3 : text;
}

static enum txtap_status unreachable(const struct nats_place *place, natsStatus status, struct error *error)
{
    const char *detail = last_error();

    switch (status) {
    case NATS_CONNECTION_AUTH_FAILED:
    case NATS_NOT_PERMITTED:
        return failure(error, ERROR_UNREACHABLE,
                       "%.120s: the NATS server refuses this user\nset NATS_CREDS, NATS_TOKEN, or NATS_USER and "
                       "NATS_PASSWORD",
                       place->text);
    case NATS_SECURE_CONNECTION_WANTED:
        return failure(error, ERROR_UNREACHABLE,
                       "%.120s: the NATS server has no TLS\nset up TLS in the server, or give "
                       "nats://",
                       place->text);
    case NATS_SSL_ERROR:
        return failure(error, ERROR_UNREACHABLE,
                       "%.100s: no secure connection: %.110s\nset NATS_CA to the file of the "
                       "authority that signed the server's certificate",
                       place->text, detail != NULL ? detail : "TLS failed");
    case NATS_PROTOCOL_ERROR: /* such as a missing certificate of the client */
        return failure(error, ERROR_UNREACHABLE,
                       "%.120s: the NATS server ends the connection at once\nif it asks for a "
                       "certificate, set NATS_CERT and NATS_KEY",
                       place->text);
    case NATS_NO_SERVER:
    case NATS_TIMEOUT:
    case NATS_IO_ERROR:
    case NATS_CONNECTION_CLOSED:
        return failure(error, ERROR_UNREACHABLE, "%.120s: no NATS server answers\nstart it: 'nats-server -js'",
                       place->text);
    default:
        return failure(error, ERROR_UNREACHABLE, "%.120s: no connection: %s%s%.80s", place->text,
                       natsStatus_GetText(status), detail != NULL ? ": " : "", detail != NULL ? detail : "");
    }
}

enum txtap_status nats_failure(const struct nats_place *place, natsStatus status, jsErrCode code, struct error *error)
{
    if (status == NATS_NO_RESPONDERS || code == JSNotEnabledErr || code == JSNotEnabledForAccountErr)
        return failure(error, ERROR_UNREACHABLE,
                       "%.120s: the NATS server does not store messages\nstart it with JetStream: 'nats-server -js'",
                       place->text);
    if (code == JSStorageResourcesExceededErr || code == JSInsufficientResourcesErr)
        return failure(error, ERROR_UNREACHABLE,
                       "%.120s: the NATS server has too little storage\nset max_file_store in its configuration",
                       place->text);
    if (code == JSStreamNameExistErr)
        return failure(
            error, ERROR_UNREACHABLE,
            "%.120s: the stream that txtap makes for it exists, and keeps other subjects\nadd the subject to "
            "the stream, or give another subject",
            place->text);
    if (code != 0)
        return failure(error, ERROR_UNREACHABLE, "%.120s: the NATS server refuses: error %d of JetStream", place->text,
                       (int)code);
    if (status == NATS_TIMEOUT)
        return failure(error, ERROR_UNREACHABLE,
                       "%.120s: the NATS server does not answer in time\nlook at its log: this user may have too few "
                       "permissions",
                       place->text);
    return failure(error, ERROR_UNREACHABLE, "%.120s: the NATS server failed: %s", place->text,
                   natsStatus_GetText(status));
}

/* ---- connect ---- */

static natsStatus set_access(natsOptions *options, const struct nats_connection_setup *setup)
{
    const struct nats_access *access = setup->access;
    natsStatus status = NATS_OK;

    if (access->creds != NULL)
        status = natsOptions_SetUserCredentialsFromFiles(options, access->creds, NULL);
    if (status == NATS_OK && access->token != NULL)
        status = natsOptions_SetToken(options, access->token);
    if (status == NATS_OK && access->user != NULL)
        status = natsOptions_SetUserInfo(options, access->user, access->password != NULL ? access->password : "");
    if (status == NATS_OK && access->ca != NULL)
        status = natsOptions_LoadCATrustedCertificates(options, access->ca);
    if (status == NATS_OK && access->cert != NULL)
        status =
            natsOptions_LoadCertificatesChain(options, access->cert, access->key != NULL ? access->key : access->cert);
    if (status == NATS_OK && setup->place->tls) /* without it, libnats also accepts a connection in the clear */
        status = natsOptions_SetSecure(options, true);
    return status;
}

static natsStatus set_options(natsOptions *options, const struct nats_connection_setup *setup)
{
    const char *servers[NATS_SERVERS_MAX];
    natsStatus status;

    for (size_t i = 0; i < setup->place->count; i++)
        servers[i] = setup->place->servers[i];
    status = natsOptions_SetServers(options, servers, (int)setup->place->count);
    if (status != NATS_OK)
        return status;
    natsOptions_SetName(options, setup->name);
    natsOptions_SetTimeout(options, CONNECT_MS);
    natsOptions_SetPingInterval(options, PING_MS);
    natsOptions_SetMaxPingsOut(options, PINGS);
    natsOptions_SetWriteDeadline(options, WRITE_MS);
    natsOptions_SetSendAsap(options, true); /* a message waits for the acknowledgement of the message before it */
    natsOptions_SetAllowReconnect(options, setup->reconnects);
    natsOptions_SetMaxReconnect(options, -1);
    natsOptions_SetReconnectWait(options, RECONNECT_MS);
    if (setup->closed != NULL)
        natsOptions_SetClosedCB(options, setup->closed, setup->self);
    if (setup->failed != NULL)
        natsOptions_SetErrorHandler(options, setup->failed, setup->self);
    return set_access(options, setup);
}

static natsStatus connect_with(struct nats_connection *connection, const struct nats_connection_setup *setup,
                               natsOptions *options)
{
    jsOptions wishes = nats_request(NULL);
    natsStatus status = natsConnection_Connect(&connection->link, options);

    if (status != NATS_OK)
        return status;
    wishes.PublishAsync.AckHandler = setup->acknowledged;
    wishes.PublishAsync.AckHandlerClosure = setup->self;
    return natsConnection_JetStream(&connection->jetstream, connection->link, &wishes);
}

enum txtap_status nats_connect(struct nats_connection *connection, const struct nats_connection_setup *setup,
                               struct error *error)
{
    natsOptions *options = NULL;
    sigset_t all, before;
    natsStatus status;
    bool set = false;

    *connection = (struct nats_connection){.link = NULL};
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    status = natsOptions_Create(&options);
    if (status == NATS_OK)
        status = set_options(options, setup);
    set = status == NATS_OK;
    if (set)
        status = connect_with(connection, setup, options);
    natsOptions_Destroy(options);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (status == NATS_OK)
        return TXTAP_OK;
    nats_disconnect(connection);
    /* The file of NATS_CREDS is read only while connecting. */
    if ((!set || (status == NATS_ERR && setup->access->creds != NULL)) && last_error() != NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.100s: %.130s\nlook at NATS_CREDS, NATS_CA, NATS_CERT and NATS_KEY",
                       setup->place->text, last_error());
    return unreachable(setup->place, status, error);
}

void nats_disconnect(struct nats_connection *connection)
{
    if (connection->link != NULL)
        natsConnection_Close(connection->link);
    jsCtx_Destroy(connection->jetstream);
    natsConnection_Destroy(connection->link);
    *connection = (struct nats_connection){.link = NULL};
}

/* ---- streams ---- */

jsOptions nats_request(const char *subjects)
{
    jsOptions wishes;

    jsOptions_Init(&wishes);
    wishes.Wait = WAIT_MS;
    wishes.Stream.Info.SubjectsFilter = subjects;
    return wishes;
}

enum txtap_status nats_find_streams(const struct nats_connection *connection, const struct nats_place *place,
                                    char names[][NATS_STREAM_BYTES], size_t *count, struct error *error)
{
    jsOptions wishes = nats_request(place->subject);
    jsStreamNamesList *list = NULL;
    jsErrCode code = 0;
    natsStatus status;

    *count = 0;
    status = js_StreamNames(&list, connection->jetstream, &wishes, &code);
    if (status != NATS_OK && status != NATS_NOT_FOUND)
        return nats_failure(place, status, code, error);
    for (int i = 0; status == NATS_OK && i < list->Count && *count < NATS_STREAMS_MAX; i++)
        snprintf(names[(*count)++], NATS_STREAM_BYTES, "%s", list->List[i]);
    jsStreamNamesList_Destroy(list);
    return *count > 0 ? TXTAP_OK : TXTAP_END;
}

enum txtap_status nats_find_stream(const struct nats_connection *connection, const struct nats_place *place,
                                   char name[NATS_STREAM_BYTES], struct error *error)
{
    char names[NATS_STREAMS_MAX][NATS_STREAM_BYTES];
    size_t count;
    enum txtap_status status = nats_find_streams(connection, place, names, &count, error);

    if (status == TXTAP_OK)
        memcpy(name, names[0], NATS_STREAM_BYTES);
    return status;
}

/* nats-server 2.9.10 ends with a panic if it is asked for a message of a stream that it is making. Until the stream is
 * made, it says that the stream has no messages. */
natsStatus nats_last_message(natsMsg **message, const struct nats_connection *connection, const char *stream,
                             const char *subject, jsErrCode *code)
{
    jsStreamInfo *about = NULL;
    natsStatus status = js_GetStreamInfo(&about, connection->jetstream, stream, NULL, code);
    bool any = status == NATS_OK && about->State.Msgs > 0;

    *message = NULL;
    jsStreamInfo_Destroy(about);
    if (status == NATS_OK && !any)
        return NATS_NOT_FOUND;
    return any ? js_GetLastMsg(message, connection->jetstream, stream, subject, NULL, code) : status;
}

/* ---- messages ---- */

natsStatus nats_subscribe(natsSubscription **out, const struct nats_connection *connection, const char *stream,
                          const char *subject, jsDeliverPolicy policy, uint64_t sequence, int64_t time_ns,
                          jsErrCode *code)
{
    jsSubOptions wishes;
    natsStatus status;

    jsSubOptions_Init(&wishes);
    wishes.Stream = stream;
    wishes.Ordered = true;
    wishes.Config.DeliverPolicy = policy;
    wishes.Config.OptStartSeq = sequence;
    wishes.Config.OptStartTime = time_ns;
    wishes.Config.Heartbeat = HEARTBEAT_NS;
    status = js_SubscribeSync(out, connection->jetstream, subject, NULL, &wishes, code);
    if (status == NATS_OK) /* with a limit, libnats drops messages that wait; flow control limits them */
        status = natsSubscription_SetPendingLimits(*out, -1, -1);
    return status;
}

void nats_unsubscribe(natsSubscription **subscription)
{
    if (*subscription != NULL)
        natsSubscription_Unsubscribe(*subscription);
    natsSubscription_Destroy(*subscription);
    *subscription = NULL;
}

const char *nats_mark_of(natsMsg *message)
{
    const char *text = NULL;

    return natsMsgHeader_Get(message, NATS_MARK_HEADER, &text) == NATS_OK ? text : NULL;
}
