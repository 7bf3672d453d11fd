/* SPDX-License-Identifier: MIT */
#include "probe/gdb/gdb_peer.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <criterion/criterion.h>

static bool say(int fd, const char *text)
{
    size_t length = strlen(text);

    return send(fd, text, length, MSG_NOSIGNAL) == (ssize_t)length;
}

static void answer(int fd, const char *text)
{
    static char framed[65536];
    unsigned sum = 0;

    if (text[0] == '!') {
        say(fd, text + 1);
        return;
    }
    for (const char *at = text; *at != '\0'; at++)
        sum += (unsigned char)*at;
    snprintf(framed, sizeof framed, "$%s#%02x", text, sum & 0xff);
    say(fd, framed);
}

/* Waits for the next whole packet, and keeps all bytes. Returns false if the client has closed the connection. */
static bool take_packet(int fd, char *received, size_t *length, size_t capacity)
{
    int digits = -1;

    while (digits != 0) {
        char c;

        if (recv(fd, &c, 1, 0) != 1)
            return false;
        cr_assert(*length < capacity);
        received[(*length)++] = c;
        if (c == '#')
            digits = 2;
        else if (digits > 0)
            digits--;
    }
    return true;
}

/*
 * Sends notifications without a pause, so that the client always has something to receive. A client does not
 * acknowledge notifications.
 */
static void talk_on(int fd)
{
    static const char notification[] = "%x#78";
    static char many[(sizeof notification - 1) * 4096 + 1];

    for (size_t at = 0; at + 1 < sizeof many; at += sizeof notification - 1)
        memcpy(many + at, notification, sizeof notification - 1);
    while (say(fd, many))
        continue;
}

static void serve_connection(struct gdb_peer *peer, size_t index)
{
    const struct gdb_peer_script *script = &peer->scripts[index];
    int fd = accept(peer->listener, NULL, NULL);
    char *received = peer->received[index];
    size_t *length = &peer->received_length[index], capacity = sizeof peer->received[index];

    if (fd < 0)
        return;
    if (script->greeting != NULL)
        say(fd, script->greeting);
    for (size_t i = 0; script->answers[i] != NULL; i++) {
        if (!take_packet(fd, received, length, capacity))
            break;
        answer(fd, script->answers[i]);
    }
    if (script->talks_on)
        talk_on(fd);
    while (script->holds && take_packet(fd, received, length, capacity))
        continue;
    /* Keeps all other bytes that the client has sent so far. */
    while (*length < capacity && recv(fd, received + *length, 1, MSG_DONTWAIT) == 1)
        ++*length;
    close(fd);
}

static void *serve(void *argument)
{
    struct gdb_peer *peer = argument;

    for (size_t i = 0; i < GDB_PEER_CONNECTIONS_MAX && peer->scripts[i].answers != NULL; i++)
        serve_connection(peer, i);
    return NULL;
}

void gdb_peer_start(struct gdb_peer *peer)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;

    peer->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    cr_assert(peer->listener >= 0);
    cr_assert(bind(peer->listener, (struct sockaddr *)&address, sizeof address) == 0);
    cr_assert(listen(peer->listener, 4) == 0);
    cr_assert(getsockname(peer->listener, (struct sockaddr *)&address, &length) == 0);
    snprintf(peer->port, sizeof peer->port, "%u", (unsigned)ntohs(address.sin_port));
    cr_assert(pthread_create(&peer->thread, NULL, serve, peer) == 0);
}

void gdb_peer_join(struct gdb_peer *peer)
{
    pthread_join(peer->thread, NULL);
    close(peer->listener);
    for (size_t i = 0; i < GDB_PEER_CONNECTIONS_MAX; i++)
        gdb_peer_check_harmless(peer->received[i], peer->received_length[i]);
}

static bool is_read(const char *payload, size_t length)
{
    size_t digits;

    if (length < 4 || payload[0] != 'm')
        return false;
    digits = strspn(payload + 1, "0123456789abcdef");
    return digits > 0 && digits <= 8 && payload[1 + digits] == ',' &&
           strspn(payload + 2 + digits, "0123456789abcdef") == length - 2 - digits;
}

static bool is_harmless(const char *payload, size_t length)
{
    static const char *const others[] = {
        "qSupported", "QStartNoAckMode", "QNonStop:1", "mffffffffffffffff,4", "qqemu.sstepbits", "?", "D"};

    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (length == strlen(others[i]) && memcmp(payload, others[i], length) == 0)
            return true;
    return is_read(payload, length);
}

size_t gdb_peer_check_harmless(const char *bytes, size_t length)
{
    size_t packets = 0;

    for (size_t at = 0; at < length;) {
        const char *end;
        size_t payload;
        unsigned sum = 0, sent = 0;

        if (bytes[at] == '+') {
            at++;
            continue;
        }
        cr_assert(bytes[at] == '$', "byte 0x%02x on the wire", (unsigned char)bytes[at]);
        end = memchr(bytes + at, '#', length - at);
        cr_assert(end != NULL && end + 3 <= bytes + length, "half a packet");
        payload = (size_t)(end - bytes) - at - 1;
        cr_assert(is_harmless(bytes + at + 1, payload), "packet '%.*s'", (int)payload, bytes + at + 1);
        for (size_t i = 0; i < payload; i++)
            sum += (unsigned char)bytes[at + 1 + i];
        cr_assert(sscanf(end + 1, "%2x", &sent) == 1 && sent == (sum & 0xff), "check sum of '%.*s'", (int)payload,
                  bytes + at + 1);
        packets++;
        at += payload + 4;
        if (bytes[at - 4 - payload + 1] == 'D')
            cr_assert(at == length, "bytes behind the detach: '%.*s'", (int)(length - at), bytes + at);
    }
    return packets;
}
