/* SPDX-License-Identifier: MIT */
/* One connection to a GDB server. Acknowledges packets, and skips packets that are not answers. */
#include "probe/gdb/gdb_link.h"

#include <assert.h>
#include <string.h>
#include <sys/socket.h>

#include "base/failure.h"
#include "base/hex_digit.h"

void gdb_link_init(struct gdb_link *link, struct stream stream, bool acks)
{
    link->stream = stream;
    link->acks = acks;
    link->stopped = link->asks_state = link->detached = false;
    link->received_at = link->received_length = link->request_length = 0;
    rsp_init(&link->parser, link->payload, sizeof link->payload);
}

void gdb_link_put(struct gdb_link *link, enum gdb_packet packet, uint32_t address, uint32_t length)
{
    assert(!link->detached && sizeof link->request - link->request_length >= GDB_PACKET_BYTES_MAX);
    link->request_length += gdb_packet_compose(link->request + link->request_length,
                                               sizeof link->request - link->request_length, packet, address, length);
    link->detached = packet == GDB_PACKET_DETACH;
}

enum txtap_status gdb_link_flush(struct gdb_link *link, uint64_t deadline_ms)
{
    size_t length = link->request_length;

    link->request_length = 0;
    return stream_send(&link->stream, link->request, length, deadline_ms);
}

/*
 * Acknowledges the last packet, unless GDB_PACKET_DETACH was sent. QEMU's stub stops its machine at each byte that
 * arrives while the machine runs, so no byte may follow the detach. The stub takes the detach as the acknowledgement of
 * the packet before it.
 */
static enum txtap_status acknowledge(struct gdb_link *link, uint64_t deadline_ms)
{
    if (!link->acks || link->detached)
        return TXTAP_OK;
    gdb_link_put(link, GDB_PACKET_ACK, 0, 0);
    return gdb_link_flush(link, deadline_ms);
}

static bool is_stop_reply(const struct rsp_parser *packet)
{
    const char *text = packet->payload;

    return packet->length >= 3 && (text[0] == 'T' || text[0] == 'S') && hex_digit(text[1]) >= 0 &&
           hex_digit(text[2]) >= 0;
}

/* Returns true for text for GDB's console, including OpenOCD's keep-alive, which is a text of length 0. */
static bool is_console_output(const struct rsp_parser *packet)
{
    return packet->length >= 1 && packet->payload[0] == 'O' &&
           (packet->length == 1 || hex_digit(packet->payload[1]) >= 0);
}

static bool is_answer(struct gdb_link *link, enum rsp_event event)
{
    if (event != RSP_PACKET || is_console_output(&link->parser))
        return false;
    if (!is_stop_reply(&link->parser))
        return true;
    /* OpenOCD answers signal 0 for a running target. */
    if (memcmp(link->parser.payload + 1, "00", 2) != 0)
        link->stopped = true;
    return link->asks_state;
}

static enum txtap_status receive(struct gdb_link *link, uint64_t deadline_ms)
{
    link->received_at = link->received_length = 0;
    return stream_receive(&link->stream, link->received, sizeof link->received, &link->received_length, deadline_ms);
}

enum txtap_status gdb_link_take(struct gdb_link *link, uint64_t deadline_ms)
{
    enum txtap_status status = TXTAP_OK;
    enum rsp_event event = RSP_MORE;

    while (status == TXTAP_OK) {
        size_t used;

        if (link->received_at == link->received_length)
            status = receive(link, deadline_ms);
        if (status != TXTAP_OK)
            break;
        event = rsp_take(&link->parser, link->received + link->received_at, link->received_length - link->received_at,
                         &used);
        link->received_at += used;
        if (event == RSP_BROKEN || event == RSP_NAK)
            return ERROR_PROTOCOL;
        if (event == RSP_PACKET)
            status = acknowledge(link, deadline_ms);
        if (status != TXTAP_OK || is_answer(link, event))
            break;
        status = stream_time(deadline_ms);
    }
    return status;
}

enum txtap_status gdb_link_ask(struct gdb_link *link, enum gdb_packet packet, uint64_t deadline_ms)
{
    enum txtap_status status;

    gdb_link_put(link, packet, 0, 0);
    status = gdb_link_flush(link, deadline_ms);
    return status == TXTAP_OK ? gdb_link_take(link, deadline_ms) : status;
}

enum txtap_status gdb_link_ask_state(struct gdb_link *link, uint64_t deadline_ms)
{
    enum txtap_status status;

    link->asks_state = true;
    status = gdb_link_ask(link, GDB_PACKET_STATE, deadline_ms);
    link->asks_state = false;
    return status;
}

bool gdb_link_answered(const struct gdb_link *link, const char *text)
{
    return link->parser.length == strlen(text) && memcmp(link->parser.payload, text, link->parser.length) == 0;
}

void gdb_link_end(struct gdb_link *link)
{
    struct linger at_once = {.l_onoff = 1, .l_linger = 0};

    if (link->stream.fd >= 0)
        setsockopt(link->stream.fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    stream_close(&link->stream);
}
