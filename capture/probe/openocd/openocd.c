/* SPDX-License-Identifier: MIT */
/* OpenOCD's Tcl port as a memory source. */
#include "probe/openocd/openocd.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/source_base.h"

#define TERMINATOR     '\x1a'
#define TERMINATOR_TXT "\x1a"
#define REPLY_BYTES    (TCL_READ_BYTES_MAX / 4 * TCL_WORD_TEXT_BYTES + TCL_REPLY_EXTRA_BYTES)
#define PIECE_BYTES    24 /* " 0x20000000 16384" */
#define REQUEST_BYTES  (2 * TCL_TARGET_NAME_BYTES + TCL_READS_MAX * PIECE_BYTES)
#define BYTES_PER_MS   4 /* slowest target that does not time out: 4 kB/s */

/* The line feeds make line-oriented servers answer, too, so that txtap can recognise them. */
#define PROBE "\nlist txtap-probe [catch version v] $v\n\n" TERMINATOR_TXT

struct tcl_source {
    struct error error; /* must be first: source_base.h */
    struct stream stream;
    unsigned timeout_ms;
    struct tcl_target target;
    const char *wanted; /* name of the requested target; NULL: OpenOCD's current target */
    bool hangs_up;      /* it is an OpenOCD after 0.12: see txtap_quietly in txtap.tcl */
    char server[96];    /* "OpenOCD at 127.0.0.1:6666" */
    char request[REQUEST_BYTES];
    char reply[REPLY_BYTES];
    const char *answer; /* points into `reply`, after the mark that keeps the reply off OpenOCD's console */
};

/* Closes the connection after a failed exchange. Otherwise the rest of its reply could be taken for the answer to
 * the next request. */
static enum txtap_status give_up(struct tcl_source *source, enum txtap_status status, unsigned waited_ms)
{
    int cause = errno;

    stream_close(&source->stream);
    errno = cause;
    if (status == ERROR_PROTOCOL)
        return failure(&source->error, status, "%s sends more than it was asked for\nis this its Tcl port?",
                       source->server);
    return source_connection_failure(status, source->server, waited_ms, "is it busy or stopped?", "", &source->error);
}

/* Puts the server's name before the reply parser's error. */
static enum txtap_status name_server(struct tcl_source *source, enum txtap_status status, const struct error *cause)
{
    if (status == ERROR_PROTOCOL)
        stream_close(&source->stream);
    return failure(&source->error, status, "%s: %.150s\n%s", source->server, cause->what, cause->hint);
}

/*
 * Sends a request and waits for the whole reply of at most `limit` bytes: answer[0..*length), without its terminator.
 * If `probe` is true and the reply does not begin like a reply to the probe, returns ERROR_PROTOCOL at once, with the
 * bytes so far.
 */
static enum txtap_status exchange(struct tcl_source *source, const char *request, size_t request_length, size_t limit,
                                  unsigned timeout_ms, bool probe, size_t *length)
{
    uint64_t deadline = stream_deadline(timeout_ms);
    enum txtap_status status = stream_send(&source->stream, request, request_length, deadline);
    size_t used = 0;

    *length = 0;
    while (status == TXTAP_OK) {
        size_t got;
        const char *end;

        if (used == limit)
            return ERROR_PROTOCOL;
        status = stream_receive(&source->stream, source->reply + used, limit - used, &got, deadline);
        end = memchr(source->reply + used, TERMINATOR, got);
        used += got;
        *length = used;
        source->answer = source->reply;
        if (probe && used > 0 && tcl_reply_foreign(source->reply, used) != NULL)
            return ERROR_PROTOCOL;
        if (end != NULL) {
            *length = (size_t)(end - source->reply);
            /* Each request has one reply. A second reply would be taken for the answer to the next request. */
            if (*length + 1 != used)
                return ERROR_PROTOCOL;
            if (*length > 0 && source->reply[0] == '\0') {
                source->answer++;
                --*length;
            }
            return TXTAP_OK;
        }
    }
    return status;
}

/* Does an exchange after the handshake. On failure it sets the source's error and closes the connection. */
static enum txtap_status ask(struct tcl_source *source, size_t request_length, size_t limit, uint32_t bytes,
                             size_t *length)
{
    unsigned timeout_ms = source->timeout_ms + bytes / BYTES_PER_MS;
    enum txtap_status status;

    if (source->stream.fd < 0)
        return failure(&source->error, ERROR_CLOSED, "txtap closed the connection to %s\nconnect again",
                       source->server);
    status = exchange(source, source->request, request_length, limit, timeout_ms, false, length);
    return status == TXTAP_OK ? status : give_up(source, status, timeout_ms);
}

static const char *quiet_way(const struct tcl_source *source)
{
    return source->hangs_up ? "nul" : "exit";
}

static size_t compose_read(struct tcl_source *source, const struct txtap_read *reads, size_t count)
{
    int used = snprintf(source->request, sizeof source->request, "txtap_quietly %s [%s %s", quiet_way(source),
                        source->target.reads_arrays ? "txtap_read_array" : "txtap_read", source->target.name);
    size_t length = (size_t)used;

    for (size_t i = 0; i < count; i++) {
        if (reads[i].length == 0) /* OpenOCD refuses a read of 0 words */
            continue;
        used = snprintf(source->request + length, sizeof source->request - length, " 0x%08" PRIx32 " %" PRIu32,
                        reads[i].address, reads[i].length / 4);
        length += (size_t)used;
    }
    source->request[length++] = ']';
    source->request[length++] = TERMINATOR;
    return length;
}

static enum txtap_status tcl_read(void *self, const struct txtap_read *reads, size_t count)
{
    struct tcl_source *source = self;
    struct error cause;
    uint32_t bytes = 0;
    size_t length;
    enum txtap_status status;

    error_clear(&source->error);
    status = source_check_reads(tcl_source_of(source).ops, reads, count, &bytes, &source->error);
    if (status != TXTAP_OK || bytes == 0)
        return status;
    status = ask(source, compose_read(source, reads, count),
                 (size_t)bytes / 4 * TCL_WORD_TEXT_BYTES + TCL_REPLY_EXTRA_BYTES, bytes, &length);
    if (status != TXTAP_OK)
        return status;
    status = tcl_reply_words(source->answer, length, source->target.endian, reads, count, &cause);
    return status == TXTAP_OK ? status : name_server(source, status, &cause);
}

static void tcl_close(void *self)
{
    struct tcl_source *source = self;

    stream_close(&source->stream);
    free(source);
}

struct txtap_source tcl_source_of(struct tcl_source *source)
{
    static const struct txtap_source_ops ops = {
        .name = "tcl",
        .read_bytes_max = TCL_READ_BYTES_MAX,
        .reads_max = TCL_READS_MAX,
        .read = tcl_read,
        .error_text = source_error_text,
        .hint_text = source_hint_text,
        .close = tcl_close,
    };

    return (struct txtap_source){.ops = &ops, .self = source};
}

/* Finds out which program the server is, before anything longer is sent. */
static enum txtap_status probe_server(struct tcl_source *source)
{
    size_t length;
    char quote[64];
    enum txtap_status status =
        exchange(source, PROBE, sizeof PROBE - 1, TCL_REPLY_EXTRA_BYTES, source->timeout_ms, true, &length);
    const char *foreign = length > 0 ? tcl_reply_foreign(source->reply, length) : NULL;

    if (status == TXTAP_OK && length < sizeof TCL_PROBE_TAG - 1)
        foreign = "it is some other server";
    if (foreign != NULL)
        return failure(&source->error, ERROR_PROTOCOL,
                       "no OpenOCD Tcl port at %s: %s ('%s')\ngive OpenOCD's tcl_port as --tcl HOST:PORT",
                       source->server, foreign, printable(quote, 40, source->reply, length));
    if (status == ERROR_CLOSED)
        return failure(&source->error, status,
                       "%s closed the connection without an answer: not OpenOCD's Tcl port, or OpenOCD is just exiting",
                       source->server);
    if (status == ERROR_TIMEOUT)
        return failure(&source->error, status,
                       "%s accepts but does not answer within %u ms: not OpenOCD's Tcl port, or OpenOCD is busy",
                       source->server, source->timeout_ms);
    return status == TXTAP_OK ? status : give_up(source, status, source->timeout_ms);
}

/* Sends the procedures and makes the first call, on a new connection. There are two ways to keep OpenOCD quiet; with
 * the wrong way, OpenOCD closes the connection. TXTAP_AGAIN: OpenOCD closed the connection; connect again and use the
 * other way. */
static enum txtap_status define_procedures(struct tcl_source *source)
{
    uint64_t deadline = stream_deadline(source->timeout_ms);
    int request =
        snprintf(source->request, sizeof source->request, "\ntxtap_quietly %s [txtap_hello %s]\n" TERMINATOR_TXT,
                 quiet_way(source), source->wanted ? source->wanted : "");
    struct error cause;
    size_t length = 0;
    enum txtap_status status = stream_send(&source->stream, tcl_procedures, strlen(tcl_procedures), deadline);

    if (status == TXTAP_OK)
        status = exchange(source, source->request, (size_t)request, TCL_REPLY_EXTRA_BYTES, source->timeout_ms, false,
                          &length);
    if (!source->hangs_up && length == 0 && (status == TXTAP_OK || status == ERROR_CLOSED)) {
        source->hangs_up = true;
        return TXTAP_AGAIN;
    }
    if (status != TXTAP_OK)
        return give_up(source, status, source->timeout_ms);
    status = tcl_reply_hello(source->answer, length, &source->target, &cause);
    return status == TXTAP_OK ? status : name_server(source, status, &cause);
}

/* Connects to the server. source->server is only the address, until the server has proved to be OpenOCD. */
static enum txtap_status connect_server(struct tcl_source *source, const char *host, const char *port)
{
    const char *brackets = strchr(host, ':') != NULL ? "%s[%s]:%s" : "%s%s:%s";
    struct error cause;
    enum txtap_status status;

    do {
        stream_close(&source->stream);
        snprintf(source->server, sizeof source->server, brackets, "", host, port);
        status = stream_connect(&source->stream, host, port, stream_deadline(source->timeout_ms), &cause);
        if (status != TXTAP_OK)
            return failure(&source->error, status,
                           "no server at %s: %.60s\nstart OpenOCD, give its port with --tcl HOST:PORT, or plug a probe "
                           "in ('txtap probes' shows it)",
                           source->server, cause.what);
        status = probe_server(source);
        if (status != TXTAP_OK)
            return status;
        snprintf(source->server, sizeof source->server, brackets, "OpenOCD at ", host, port);
        status = define_procedures(source);
    } while (status == TXTAP_AGAIN);
    return status;
}

enum txtap_status tcl_open(struct tcl_source **out, const char *host, const char *port, const char *target,
                           unsigned timeout_ms, struct error *error)
{
    struct tcl_source *source = calloc(1, sizeof *source);
    enum txtap_status status;

    *out = NULL;
    if (source == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for a connection to %.80s:%.8s", host, port);
    source->stream.fd = -1;
    source->timeout_ms = timeout_ms;
    source->wanted = target;
    status = connect_server(source, host, port);
    if (status != TXTAP_OK) {
        *error = source->error;
        tcl_close(source);
        return status;
    }
    *out = source;
    return TXTAP_OK;
}

const struct tcl_target *tcl_target(const struct tcl_source *source)
{
    return &source->target;
}

/* Calls a procedure of txtap that has a short answer. */
static enum txtap_status call(struct tcl_source *source, const char *procedure, const char *argument, size_t *length)
{
    int request = snprintf(source->request, sizeof source->request, "txtap_quietly %s [%s %s]" TERMINATOR_TXT,
                           quiet_way(source), procedure, argument);

    return ask(source, (size_t)request, TCL_REPLY_EXTRA_BYTES, 0, length);
}

enum txtap_status tcl_target_state(struct tcl_source *source, char state[static TCL_TARGET_STATE_BYTES])
{
    size_t length;
    enum txtap_status status = call(source, "txtap_state", source->target.name, &length);

    if (status == TXTAP_OK)
        printable(state, TCL_TARGET_STATE_BYTES, source->answer, length);
    return status;
}

enum txtap_status tcl_adapter_khz(struct tcl_source *source, unsigned *khz)
{
    size_t length;
    enum txtap_status status = call(source, "txtap_speed", "", &length);

    if (status != TXTAP_OK)
        return status;
    source->reply[source->answer - source->reply + (ptrdiff_t)length] = '\0'; /* replaces the terminator */
    if (sscanf(source->answer, "txtap speed %9u", khz) != 1)
        return name_server(source, ERROR_PROTOCOL,
                           &(struct error){ERROR_PROTOCOL, "unexpected answer about the adapter's clock", ""});
    return TXTAP_OK;
}

enum txtap_status tcl_check_gdb(struct tcl_source *source, const char *port, char host[static STREAM_HOST_BYTES],
                                struct error *error)
{
    struct error cause;
    size_t length;
    enum txtap_status status;

    if (!stream_peer(&source->stream, host))
        return failure(error, TXTAP_ERROR_SYSTEM, "the address of %s is unknown", source->server);
    status = call(source, "txtap_gdb", port, &length);
    if (status == TXTAP_OK) {
        status = tcl_reply_gdb(source->answer, length, port, &cause);
        if (status == TXTAP_OK)
            return status;
        name_server(source, status, &cause);
    }
    *error = source->error;
    return status;
}
