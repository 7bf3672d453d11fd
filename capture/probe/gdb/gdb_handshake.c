/* SPDX-License-Identifier: MIT */
/* What a GDB server must show before its answers are trusted. */
#include "probe/gdb/gdb_handshake.h"

#include <stdlib.h>
#include <string.h>

#define PART_BYTES_MIN     64u
#define PACKET_BYTES_USUAL 400u /* if the server does not say: GDB's own guess */
#define GREETING_PART      20u  /* of the timeout, to wait for a greeting: OpenOCD up to 0.12 sends one, QEMU 7 too */
#define DETACH_MS          500u

_Static_assert(GDB_READ_BYTES_MAX / PART_BYTES_MIN + GDB_READS_MAX + 2 <= GDB_LINK_PACKETS_MAX,
               "one read is one flush");

/* The text behind "NAME" in "NAME...;NAME..."; NULL if it is not there. */
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

/* The memory that one packet can hold, and whether the server can do without acknowledgements. */
static enum txtap_status take_features(struct gdb_source *source, bool *can_do_without_acks)
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
    *can_do_without_acks = feature(answer, "QStartNoAckMode+") != NULL;
    if (packet_bytes < 2 * PART_BYTES_MIN + 4)
        return failure(&source->error, ERROR_PROTOCOL, "%s takes packets of %lu bytes only: too short to read by",
                       source->server, packet_bytes);
    packet_bytes = (packet_bytes - 4) / 2;
    source->part_bytes = packet_bytes > GDB_PART_BYTES_MAX ? GDB_PART_BYTES_MAX : (uint32_t)packet_bytes & ~3u;
    return TXTAP_OK;
}

/* This read must fail: if the answer is zeros, the server does not report failures. */
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

/* If it fails too, the earlier error is the one to report. */
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

/* For a server that the user trusts. OpenOCD does not let its target run again when a client disconnects. */
static enum txtap_status check_trust(struct gdb_source *source, uint64_t deadline_ms)
{
    enum txtap_status status = gdb_link_ask_state(&source->link, deadline_ms);

    if (status != TXTAP_OK || !source->link.stopped)
        return status;
    detach(source);
    return failure(
        &source->error, ERROR_UNSAFE,
        "%s has halted its target, or found it halted: --trust-gdb is not for it\nif it is OpenOCD, the target "
        "is still halted: 'resume' there, and use --tcl",
        source->server);
}

static enum txtap_status handshake_running(struct gdb_source *source, uint64_t deadline_ms)
{
    struct gdb_link *link = &source->link;
    bool can_do_without_acks = false;
    enum txtap_status status;

    gdb_link_put(link, GDB_PACKET_ACK, 0, 0); /* OpenOCD waits for a first byte */
    status = gdb_link_ask(link, GDB_PACKET_FEATURES, deadline_ms);
    if (status == TXTAP_OK)
        status = take_features(source, &can_do_without_acks);
    if (status == TXTAP_OK)
        status = gdb_link_ask(link, GDB_PACKET_QEMU, deadline_ms);
    if (status != TXTAP_OK)
        return status;
    if (link->stopped || link->parser.length > 0)
        return refuse_stopped(source);
    if (source->manner == GDB_TRUSTED)
        status = check_trust(source, deadline_ms);
    if (status != TXTAP_OK)
        return status;
    if (can_do_without_acks) {
        status = gdb_link_ask(link, GDB_PACKET_NO_ACK, deadline_ms);
        link->acks = !gdb_link_answered(link, "OK");
    }
    if (status == TXTAP_OK)
        status = gdb_link_ask(link, GDB_PACKET_NOWHERE, deadline_ms);
    return status == TXTAP_OK ? take_failed_read(source) : status;
}

/*
 * Recognises OpenOCD before a byte is sent: it halts its target at the first byte, and does not resume it on detach. Up
 * to 0.12 its greeting shows that it is OpenOCD.
 */
static enum txtap_status check_greeting(struct gdb_source *source)
{
    struct gdb_link *link = &source->link;
    enum txtap_status status =
        stream_receive(&link->stream, link->received, sizeof link->received, &link->received_length,
                       stream_deadline(source->timeout_ms / GREETING_PART));

    if (status == TXTAP_OK && link->received[0] == '+')
        return failure(
            &source->error, ERROR_UNSAFE,
            "%s is not QEMU's, which --intrusive is for (nothing was sent to it)\ndo not use --intrusive here",
            source->server);
    return status == ERROR_TIMEOUT ? TXTAP_OK : status;
}

static enum txtap_status handshake_stopped(struct gdb_source *source, uint64_t deadline_ms)
{
    struct gdb_link *link = &source->link;
    bool is_qemu = false, unused;
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
                         "%s is not QEMU's, the only one known to let its target run between polls: --intrusive is not "
                         "for it; its target may be halted now",
                         source->server);
    detach(source);
    return status;
}

enum txtap_status gdb_handshake(struct gdb_source *source, uint64_t deadline_ms)
{
    return source->manner != GDB_STOPS ? handshake_running(source, deadline_ms)
                                       : handshake_stopped(source, deadline_ms);
}
