/* SPDX-License-Identifier: MIT */
/* A GDB server as a memory source. Uses one connection for all reads, or a connection for each read. */
#include "probe/gdb/gdb.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hex_digit.h"
#include "base/runtime.h"
#include "probe/gdb/gdb_link.h"
#include "probe/source_base.h"

struct gdb_source {
    struct error error;   /* must be first: source_base.h */
    struct gdb_link link; /* with GDB_STOPS the link is closed between reads */
    enum gdb_manner manner;
    unsigned timeout_ms;
    bool given_up;
    uint32_t part_bytes; /* memory in one packet */
    struct gdb_stops stops;
    enum gdb_proof proof;
    char *host, *port;
    char server[96]; /* "GDB server at 127.0.0.1:3333" */
};

/* ---- handshake ---- */

#define PART_BYTES_MIN     64u
#define PACKET_BYTES_USUAL 400u /* GDB's own guess, used if the server reports no size */
#define GREETING_PART      20u  /* 1/20 of the timeout is for a greeting, which OpenOCD up to 0.12 and QEMU 7 send */
#define DETACH_MS          500u

#define DHCSR         0xE000EDF0u
#define DHCSR_DEBUGEN 0x00000001u
#define DHCSR_HALT    0x00020000u
#define DHCSR_ZEROS   0xF800FF80u /* bits that are always 0 in ARMv6-M, ARMv7-M and ARMv8-M */

_Static_assert(GDB_READ_BYTES_MAX / PART_BYTES_MIN + GDB_READS_MAX + 2 <= GDB_LINK_PACKETS_MAX,
               "one read is one flush");

/* Returns the text after "NAME" in "NAME...;NAME..."; NULL: no such feature. */
static const char *feature(const char *answer, const char *name)
{
    size_t length = strlen(name);

    for (const char *at = answer; at != NULL; at = strchr(at, ';')) {
        at += *at == ';';
        if (strncmp(at, name, length) == 0)
            return at + length;
    }
    return NULL;
}

struct features {
    bool no_acks, non_stop;
};

/* Learns how much memory fits into one packet, and which modes the server offers. */
static enum txtap_status take_features(struct gdb_source *source, struct features *features)
{
    const struct rsp_parser *parser = &source->link.parser;
    char answer[512];
    size_t length = parser->length < sizeof answer - 1 ? parser->length : sizeof answer - 1;
    unsigned long packet_bytes = PACKET_BYTES_USUAL;
    const char *size;

    memcpy(answer, parser->payload, length);
    answer[length] = '\0';
    size = feature(answer, "PacketSize=");
    if (size != NULL)
        packet_bytes = strtoul(size, NULL, 16);
    features->no_acks = feature(answer, "QStartNoAckMode+") != NULL;
    features->non_stop = feature(answer, "QNonStop+") != NULL;
    if (packet_bytes < 2 * PART_BYTES_MIN + 4)
        return failure(&source->error, ERROR_PROTOCOL, "%s takes packets of %lu bytes only: too short to read by",
                       source->server, packet_bytes);
    packet_bytes = (packet_bytes - 4) / 2;
    source->part_bytes = packet_bytes > GDB_PART_BYTES_MAX ? GDB_PART_BYTES_MAX : (uint32_t)packet_bytes & ~3u;
    return TXTAP_OK;
}

/* Checks the answer to a read that must fail. If the answer is zeros, the server does not report failed reads. */
static enum txtap_status take_failed_read(struct gdb_source *source)
{
    const struct rsp_parser *parser = &source->link.parser;

    for (size_t i = 0; i < parser->length; i++)
        if (parser->payload[i] != '0')
            return TXTAP_OK;
    if (parser->length == 0)
        return failure(&source->error, ERROR_PROTOCOL, "%s cannot read memory", source->server);
    return failure(&source->error, ERROR_PROTOCOL,
                   "%s answers zeros when a read fails, so zeros cannot be trusted\nstart OpenOCD with "
                   "-c 'gdb_report_data_abort enable', or use --tcl",
                   source->server);
}

/* Detaches. If the detach also fails, the earlier error is reported. */
static void detach(struct gdb_source *source)
{
    if (gdb_link_ask(&source->link, GDB_PACKET_DETACH, stream_deadline(DETACH_MS)) == TXTAP_OK)
        gdb_link_end(&source->link);
}

static enum txtap_status refuse_stopped(struct gdb_source *source)
{
    detach(source);
    return failure(&source->error, ERROR_UNSAFE,
                   "%s stopped its target because txtap connected, and txtap let it run on\ngive --intrusive if "
                   "each poll may stop it for a moment",
                   source->server);
}

/*
 * Reads DHCSR of a Cortex-M, once: a read clears bits that tell other debuggers about a reset. A value of another kind
 * of core proves nothing. *known: the core is a Cortex-M under a debugger; *halted: it is halted.
 */
static enum txtap_status read_core(struct gdb_source *source, bool *known, bool *halted, uint64_t deadline_ms)
{
    struct gdb_link *link = &source->link;
    uint32_t dhcsr = 0;
    enum txtap_status status;

    gdb_link_put(link, GDB_PACKET_READ, DHCSR, 4);
    status = gdb_link_flush(link, deadline_ms);
    if (status == TXTAP_OK)
        status = gdb_link_take(link, deadline_ms);
    *known = status == TXTAP_OK && link->parser.length == 8;
    for (size_t i = 0; *known && i < 8; i++) {
        int digit = hex_digit(link->parser.payload[i]);

        *known = digit >= 0;
        dhcsr |= (uint32_t)(digit & 0xf) << (4 * (i ^ 1)); /* little-endian: the high digit of each byte comes first */
    }
    *known = *known && (dhcsr & DHCSR_ZEROS) == 0 && (dhcsr & DHCSR_DEBUGEN);
    *halted = *known && (dhcsr & DHCSR_HALT);
    return status;
}

static enum txtap_status refuse_halted(struct gdb_source *source)
{
    const char *hint = source->manner == GDB_NON_STOP
                           ? "let it run, with a debugger if necessary, and start txtap again"
                           : "do not use --trust-gdb with it; if it is OpenOCD, the target is still halted: 'resume' "
                             "there, and use --tcl";

    if (source->manner == GDB_SHARED) {
        gdb_link_end(&source->link);
        return failure(&source->error, ERROR_TARGET,
                       "%s: the core is halted, by the other client of this server or because txtap connected\nlet it "
                       "run, and start txtap again",
                       source->server);
    }
    detach(source);
    return failure(&source->error, ERROR_UNSAFE, "%s has halted its target, or found it halted, and txtap detached\n%s",
                   source->server, hint);
}

/* Checks that the server has not halted its target. Servers for several clients may tell a later client that a running
 * target is stopped, so the core's own register has priority over the server's word. OpenOCD does not resume its target
 * when a client disconnects. */
static enum txtap_status check_trust(struct gdb_source *source, uint64_t deadline_ms)
{
    bool known = false, halted = false;
    enum txtap_status status = read_core(source, &known, &halted, deadline_ms);

    if (status == TXTAP_OK && !known) {
        status = gdb_link_ask_state(&source->link, deadline_ms);
        halted = source->link.stopped;
    }
    if (status != TXTAP_OK)
        return status;
    if (halted)
        return refuse_halted(source);
    source->proof = known ? GDB_PROOF_CORE : GDB_PROOF_SERVER;
    return TXTAP_OK;
}

/* Switches non-stop mode on, and asks for stopped threads. The answer OK means that no thread is stopped. */
static enum txtap_status begin_non_stop(struct gdb_source *source, bool offered, uint64_t deadline_ms)
{
    struct gdb_link *link = &source->link;
    enum txtap_status status = TXTAP_OK;

    if (offered)
        status = gdb_link_ask(link, GDB_PACKET_NON_STOP, deadline_ms);
    if (status == TXTAP_OK && (!offered || !gdb_link_answered(link, "OK"))) {
        detach(source);
        return failure(&source->error, ERROR_UNSAFE,
                       "%s has no non-stop mode, so it may halt its target\nread through another server or probe",
                       source->server);
    }
    if (status == TXTAP_OK)
        status = gdb_link_ask_state(link, deadline_ms);
    if (status == TXTAP_OK && !gdb_link_answered(link, "OK"))
        return refuse_halted(source);
    source->proof = GDB_PROOF_SERVER;
    return status;
}

/* Checks, as far as the manner requires it, that the target runs. */
static enum txtap_status check_runs(struct gdb_source *source, const struct features *features, uint64_t deadline_ms)
{
    switch (source->manner) {
    case GDB_TRUSTED:
    case GDB_SHARED:
        return check_trust(source, deadline_ms);
    case GDB_NON_STOP:
        return begin_non_stop(source, features->non_stop, deadline_ms);
    case GDB_RUNS:
    case GDB_STOPS:
        break;
    }
    return TXTAP_OK;
}

static enum txtap_status handshake_running(struct gdb_source *source, uint64_t deadline_ms)
{
    struct gdb_link *link = &source->link;
    struct features features = {false, false};
    enum txtap_status status;

    gdb_link_put(link, GDB_PACKET_ACK, 0, 0); /* OpenOCD waits for a first byte */
    status = gdb_link_ask(link, GDB_PACKET_FEATURES, deadline_ms);
    if (status == TXTAP_OK)
        status = take_features(source, &features);
    if (status == TXTAP_OK)
        status = gdb_link_ask(link, GDB_PACKET_QEMU, deadline_ms);
    if (status != TXTAP_OK)
        return status;
    if (link->stopped || link->parser.length > 0)
        return refuse_stopped(source);
    status = check_runs(source, &features, deadline_ms);
    if (status != TXTAP_OK)
        return status;
    if (features.no_acks) {
        status = gdb_link_ask(link, GDB_PACKET_NO_ACK, deadline_ms);
        link->acks = !gdb_link_answered(link, "OK");
    }
    if (status == TXTAP_OK)
        status = gdb_link_ask(link, GDB_PACKET_NOWHERE, deadline_ms);
    return status == TXTAP_OK ? take_failed_read(source) : status;
}

/* Recognises OpenOCD by its greeting, before txtap sends a byte: OpenOCD halts its target at the first byte, and does
 * not resume it on detach. OpenOCD up to 0.12 sends such a greeting. */
static enum txtap_status check_greeting(struct gdb_source *source)
{
    struct gdb_link *link = &source->link;
    enum txtap_status status =
        stream_receive(&link->stream, link->received, sizeof link->received, &link->received_length,
                       stream_deadline(source->timeout_ms / GREETING_PART));

    if (status == TXTAP_OK && link->received[0] == '+')
        return failure(&source->error, ERROR_UNSAFE,
                       "%s is not QEMU's (nothing was sent to it)\n--intrusive works only with QEMU", source->server);
    return status == ERROR_TIMEOUT ? TXTAP_OK : status;
}

static enum txtap_status handshake_stopped(struct gdb_source *source, uint64_t deadline_ms)
{
    struct gdb_link *link = &source->link;
    bool is_qemu = false;
    struct features unused;
    enum txtap_status status = check_greeting(source);

    if (status != TXTAP_OK)
        return status;
    status = gdb_link_ask(link, GDB_PACKET_QEMU, deadline_ms);
    is_qemu = status == TXTAP_OK && link->parser.length > 0;
    if (status == TXTAP_OK)
        status = gdb_link_ask(link, GDB_PACKET_FEATURES, deadline_ms);
    if (status == TXTAP_OK)
        status = take_features(source, &unused);
    if (status == TXTAP_OK)
        status = gdb_link_ask(link, GDB_PACKET_NOWHERE, deadline_ms);
    if (status == TXTAP_OK)
        status = take_failed_read(source);
    if (status == TXTAP_OK && !is_qemu)
        status = failure(&source->error, ERROR_UNSAFE,
                         "%s is not QEMU's, and --intrusive works only with QEMU: its target may be halted now",
                         source->server);
    detach(source);
    return status;
}

/* Does the handshake. On success part_bytes is set. With GDB_STOPS, the target runs again and the connection is closed.
 * Fails like gdb_open(), with source->error set unless the exchange itself failed. */
static enum txtap_status gdb_handshake(struct gdb_source *source, uint64_t deadline_ms)
{
    return source->manner != GDB_STOPS ? handshake_running(source, deadline_ms)
                                       : handshake_stopped(source, deadline_ms);
}

#define BYTES_PER_MS 4 /* slowest target that does not time out: 4 kB/s */

static enum txtap_status connect_server(struct gdb_source *source, uint64_t deadline)
{
    struct error cause;
    struct stream stream;
    enum txtap_status status = stream_connect(&stream, source->host, source->port, deadline, &cause);

    gdb_link_init(&source->link, stream, source->manner != GDB_STOPS);
    if (status == TXTAP_OK)
        return status;
    return failure(&source->error, status, "no %s: %.60s\nstart it, or give its port as --gdb HOST:PORT",
                   source->server, cause.what);
}

/* Closes the connection after a failed exchange. Otherwise the rest of its answers could be taken for answers to the
 * next exchange. */
static enum txtap_status give_up(struct gdb_source *source, enum txtap_status status, unsigned waited_ms)
{
    int cause = errno;
    const struct gdb_link *link = &source->link;
    const char *note = source->manner == GDB_STOPS ? "; the target may stand still now: attach GDB and detach" : "";
    char quote[32];

    stream_close(&source->link.stream);
    errno = cause;
    if (status == ERROR_CLOSED && source->part_bytes == 0) /* the server never answered */
        return failure(&source->error, status,
                       "%s closed the connection: it is exiting, serves another debugger, or is an OpenOCD that cannot "
                       "probe its flash ('gdb_memory_map disable')%s",
                       source->server, note);
    if (status == ERROR_PROTOCOL)
        return failure(&source->error, status, "%s sends %s ('%s')\nis this a GDB port?%s", source->server,
                       link->parser.state == RSP_DEAD ? link->parser.why : "bytes that it was not asked for",
                       printable(quote, sizeof quote, link->received, link->received_length), note);
    return source_connection_failure(status, source->server, waited_ms, "is it busy, or is a debugger connected?", note,
                                     &source->error);
}

/* ---- parts: as much of a piece as fits into one packet ---- */

typedef enum txtap_status part_action(struct gdb_source *source, struct txtap_read part, uint64_t deadline);

/* Calls the function for each part. Continues after a refused address, because the answers to the later parts must be
 * received, too. */
static enum txtap_status for_each_part(struct gdb_source *source, const struct txtap_read *reads, size_t count,
                                       part_action *act, uint64_t deadline)
{
    enum txtap_status result = TXTAP_OK;

    for (size_t i = 0; i < count; i++) {
        for (uint32_t at = 0; at < reads[i].length; at += source->part_bytes) {
            uint32_t left = reads[i].length - at;
            struct txtap_read part = {reads[i].address + at, left < source->part_bytes ? left : source->part_bytes,
                                      reads[i].buffer + at};
            enum txtap_status status = act(source, part, deadline);

            if (status != TXTAP_OK && status != ERROR_FAULT)
                return status;
            if (result == TXTAP_OK)
                result = status;
        }
    }
    return result;
}

static enum txtap_status put_part(struct gdb_source *source, struct txtap_read part, uint64_t deadline)
{
    (void)deadline;
    gdb_link_put(&source->link, GDB_PACKET_READ, part.address, part.length);
    return TXTAP_OK;
}

static enum txtap_status refused(struct gdb_source *source, uint32_t address, uint32_t length)
{
    if (!error_is_set(&source->error)) /* the first refused part is reported */
        failure(&source->error, ERROR_FAULT,
                "the target refuses to be read at 0x%08" PRIx32 " (%" PRIu32 " bytes), says %s", address, length,
                source->server);
    return ERROR_FAULT;
}

/* Takes the answer to a part: its bytes in hexadecimal, or an error, or only the bytes before a refused address. */
static enum txtap_status take_part(struct gdb_source *source, struct txtap_read part, uint64_t deadline)
{
    enum txtap_status status = gdb_link_take(&source->link, deadline);
    const char *text = source->link.parser.payload;
    size_t length = source->link.parser.length;

    if (status != TXTAP_OK)
        return status;
    if (length > 0 && text[0] == 'E' && length % 2 != 0)
        return refused(source, part.address, part.length);
    if (length == 0 || length % 2 != 0 || length > 2 * (size_t)part.length)
        return ERROR_PROTOCOL;
    for (size_t i = 0; i < length / 2; i++) {
        int high = hex_digit(text[2 * i]), low = hex_digit(text[2 * i + 1]);

        if (high < 0 || low < 0)
            return ERROR_PROTOCOL;
        part.buffer[i] = (uint8_t)(high << 4 | low);
    }
    if (length < 2 * (size_t)part.length)
        return refused(source, part.address + (uint32_t)length / 2, part.length - (uint32_t)length / 2);
    return TXTAP_OK;
}

/* Reads a part from a server that waits for acknowledgements, so only one packet is sent at a time. */
static enum txtap_status ask_part(struct gdb_source *source, struct txtap_read part, uint64_t deadline)
{
    enum txtap_status status;

    put_part(source, part, deadline);
    status = gdb_link_flush(&source->link, deadline);
    return status == TXTAP_OK ? take_part(source, part, deadline) : status;
}

/* ---- reading ---- */

/* Reads over the open connection. If the server needs no acknowledgements, sends all packets at once. */
static enum txtap_status read_running(struct gdb_source *source, const struct txtap_read *reads, size_t count,
                                      uint64_t deadline)
{
    enum txtap_status status;

    if (source->link.acks)
        return for_each_part(source, reads, count, ask_part, deadline);
    for_each_part(source, reads, count, put_part, deadline);
    status = gdb_link_flush(&source->link, deadline);
    return status == TXTAP_OK ? for_each_part(source, reads, count, take_part, deadline) : status;
}

static void count_stop(struct gdb_stops *stops, uint64_t took_us)
{
    stops->count++;
    stops->us += took_us;
    if (took_us > stops->us_max)
        stops->us_max = took_us;
}

/* Connects, which stops the target; reads; and detaches, which resumes it. All packets are sent at once, to keep the
 * stop short. */
static enum txtap_status read_stopped(struct gdb_source *source, const struct txtap_read *reads, size_t count,
                                      uint64_t deadline)
{
    uint64_t begin = now_us();
    enum txtap_status status = connect_server(source, deadline), end;

    if (status != TXTAP_OK)
        return status;
    for_each_part(source, reads, count, put_part, deadline);
    gdb_link_put(&source->link, GDB_PACKET_DETACH, 0, 0);
    status = gdb_link_flush(&source->link, deadline);
    if (status == TXTAP_OK)
        status = for_each_part(source, reads, count, take_part, deadline);
    if (status != TXTAP_OK && status != ERROR_FAULT)
        return status;
    end = gdb_link_take(&source->link, deadline);
    if (end == TXTAP_OK && !gdb_link_answered(&source->link, "OK"))
        end = ERROR_PROTOCOL;
    if (end != TXTAP_OK)
        return end;
    gdb_link_end(&source->link);
    count_stop(&source->stops, now_us() - begin);
    return status;
}

static enum txtap_status gdb_read(void *self, const struct txtap_read *reads, size_t count)
{
    struct gdb_source *source = self;
    uint32_t bytes = 0;
    unsigned timeout_ms;
    enum txtap_status status;

    error_clear(&source->error);
    status = source_check_reads(gdb_source_of(source).ops, reads, count, &bytes, &source->error);
    if (status != TXTAP_OK || bytes == 0)
        return status;
    if (source->given_up)
        return failure(&source->error, ERROR_CLOSED, "txtap closed the connection to %s\nconnect again",
                       source->server);
    timeout_ms = source->timeout_ms + bytes / BYTES_PER_MS;
    status = source->manner != GDB_STOPS ? read_running(source, reads, count, stream_deadline(timeout_ms))
                                         : read_stopped(source, reads, count, stream_deadline(timeout_ms));
    source->given_up = status != TXTAP_OK && status != ERROR_FAULT;
    if (source->given_up && status != ERROR_UNREACHABLE)
        return give_up(source, status, timeout_ms);
    return status;
}

static void gdb_close(void *self)
{
    struct gdb_source *source = self;

    stream_close(&source->link.stream);
    free(source->host);
    free(source->port);
    free(source);
}

struct txtap_source gdb_source_of(struct gdb_source *source)
{
    static const struct txtap_source_ops ops = {
        .name = "gdb",
        .read_bytes_max = GDB_READ_BYTES_MAX,
        .reads_max = GDB_READS_MAX,
        .read = gdb_read,
        .error_text = source_error_text,
        .hint_text = source_hint_text,
        .close = gdb_close,
    };

    return (struct txtap_source){.ops = &ops, .self = source};
}

struct gdb_stops gdb_stops(const struct gdb_source *source)
{
    return source->stops;
}

enum gdb_proof gdb_proof(const struct gdb_source *source)
{
    return source->proof;
}

/* ---- opening ---- */

static enum txtap_status open_server(struct gdb_source *source)
{
    uint64_t deadline = stream_deadline(source->timeout_ms);
    enum txtap_status status = connect_server(source, deadline);

    if (status != TXTAP_OK)
        return status;
    status = gdb_handshake(source, deadline);
    if (status != TXTAP_OK && !error_is_set(&source->error))
        return give_up(source, status, source->timeout_ms);
    return status;
}

enum txtap_status gdb_open(struct gdb_source **out, const char *host, const char *port, enum gdb_manner manner,
                           unsigned timeout_ms, struct error *error)
{
    struct gdb_source *source = calloc(1, sizeof *source);
    enum txtap_status status;

    *out = NULL;
    if (source == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for a connection to %.80s:%.8s", host, port);
    source->link.stream.fd = -1;
    source->manner = manner;
    source->timeout_ms = timeout_ms;
    source->host = strdup(host);
    source->port = strdup(port);
    snprintf(source->server, sizeof source->server, "GDB server at %.64s:%.8s", host, port);
    if (source->host == NULL || source->port == NULL)
        status = failure(&source->error, TXTAP_ERROR_SYSTEM, "no memory for a connection to %s", source->server);
    else
        status = open_server(source);
    *error = source->error;
    if (status == TXTAP_OK)
        *out = source;
    else
        gdb_close(source);
    return status;
}
