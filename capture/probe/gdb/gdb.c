/* SPDX-License-Identifier: MIT */
/* A GDB server as a memory source; one connection, or one for each read. */
#include "probe/gdb/gdb.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hex_digit.h"
#include "base/runtime.h"
#include "probe/gdb/gdb_handshake.h"
#include "probe/source_base.h"

#define BYTES_PER_MS 4 /* the slowest target that does not time out: 4 kB/s */

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

/* After a failed exchange the rest of its answers could be taken for those of the next: the connection ends. */
static enum txtap_status give_up(struct gdb_source *source, enum txtap_status status, unsigned waited_ms)
{
    int cause = errno;
    const struct gdb_link *link = &source->link;
    const char *note = source->manner == GDB_STOPS ? "; the target may stand still now: attach GDB and detach" : "";
    char quote[32];

    stream_close(&source->link.stream);
    errno = cause;
    if (status == ERROR_CLOSED && source->part_bytes == 0) /* it never answered */
        return failure(&source->error, status,
                       "%s closed the connection: it is exiting, serves another debugger, or is an OpenOCD that cannot "
                       "probe its flash ('gdb_memory_map disable')%s",
                       source->server, note);
    if (status == ERROR_PROTOCOL)
        return failure(&source->error, status, "%s sends %s ('%s')\nis this a GDB port?%s", source->server,
                       link->parser.state == RSP_DEAD ? link->parser.why : "what was not asked for",
                       printable(quote, sizeof quote, link->received, link->received_length), note);
    return source_connection_failure(status, source->server, waited_ms, "is it busy, or is a debugger connected?", note,
                                     &source->error);
}

/* ---- parts: as much of a piece as one packet holds ---- */

typedef enum txtap_status part_action(struct gdb_source *source, struct txtap_read part, uint64_t deadline);

/* Goes on after a refused address: the answers behind it must be taken too. */
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

/* Takes the answer to a part: its bytes in hexadecimal, an error, or only the bytes before a refused address. */
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

/* For a server that waits for acknowledgements: one packet at a time. */
static enum txtap_status ask_part(struct gdb_source *source, struct txtap_read part, uint64_t deadline)
{
    enum txtap_status status;

    put_part(source, part, deadline);
    status = gdb_link_flush(&source->link, deadline);
    return status == TXTAP_OK ? take_part(source, part, deadline) : status;
}

/* ---- reading ---- */

/* Uses the open connection; sends all packets at once if the server needs no acknowledgements. */
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

/* Connects, which stops the target, reads, and detaches, which lets it run on. All at once, to keep the stop short. */
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
        return failure(&source->error, ERROR_CLOSED, "connection to %s was given up\nconnect again", source->server);
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
