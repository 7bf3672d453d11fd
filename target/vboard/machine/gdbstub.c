/* SPDX-License-Identifier: MIT */
/* QEMU's gdb stub, for step and register writes. */
#include "gdbstub.h"
#include "bits.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define ANSWER_LIMIT_MS 60000 /* a busy host may delay QEMU */
#define WRITE_BYTES_MAX 1024  /* the stub's packets hold 4096 characters */

static bool get_letter(struct gdbstub *gdb, char *letter)
{
    struct pollfd waiting = {gdb->fd, POLLIN, 0};
    return poll(&waiting, 1, ANSWER_LIMIT_MS) > 0 && read(gdb->fd, letter, 1) == 1;
}

/* Receives and drops waiting stop replies. The stub sends a stop reply whenever the machine stops. */
static void drain(struct gdbstub *gdb)
{
    char unwanted[256];
    while (recv(gdb->fd, unwanted, sizeof unwanted, MSG_DONTWAIT) > 0)
        ;
}

static bool get_packet(struct gdbstub *gdb, char *text, size_t text_bytes)
{
    char letter;
    do {
        if (!get_letter(gdb, &letter))
            return false;
    } while (letter != '$');
    size_t length = 0;
    for (;;) {
        if (!get_letter(gdb, &letter))
            return false;
        if (letter == '#')
            break;
        if (length + 1 < text_bytes)
            text[length++] = letter;
    }
    text[length] = '\0';
    return get_letter(gdb, &letter) && get_letter(gdb, &letter) && write(gdb->fd, "+", 1) == 1;
}

static bool ask(struct gdbstub *gdb, const char *packet, char *answer, size_t answer_bytes)
{
    char framed[2 * WRITE_BYTES_MAX + 64];
    unsigned sum = 0;
    for (const char *at = packet; *at; at++)
        sum += (unsigned char)*at;
    int length = snprintf(framed, sizeof framed, "$%s#%02x", packet, sum & 0xFF);
    drain(gdb);
    return length > 0 && (size_t)length < sizeof framed && write(gdb->fd, framed, (size_t)length) == length &&
           get_packet(gdb, answer, answer_bytes);
}

bool gdbstub_greet(struct gdbstub *gdb)
{
    char answer[256];
    /* The stub accepts writes to registers only after a request for their description. It carries out writes to devices
     * only in physical mode: in its normal mode it silently drops them. */
    gdb->awake = ask(gdb, "?", answer, sizeof answer) && answer[0] == 'T' &&
                 ask(gdb, "qXfer:features:read:target.xml:0,80", answer, sizeof answer) && answer[0] != '\0' &&
                 ask(gdb, "Qqemu.PhyMemMode:1", answer, sizeof answer) && strcmp(answer, "OK") == 0;
    return gdb->awake;
}

bool gdbstub_step(struct gdbstub *gdb)
{
    char answer[256];
    return ask(gdb, "s", answer, sizeof answer) && answer[0] == 'T';
}

bool gdbstub_write_register(struct gdbstub *gdb, unsigned number, uint32_t value)
{
    char packet[64], answer[64];
    uint8_t bytes[4];
    put_u32(bytes, value);
    snprintf(packet, sizeof packet, "P%x=%02x%02x%02x%02x", number, bytes[0], bytes[1], bytes[2], bytes[3]);
    return ask(gdb, packet, answer, sizeof answer) && strcmp(answer, "OK") == 0;
}

bool gdbstub_write_memory(struct gdbstub *gdb, uint32_t address, const uint8_t *buffer, uint32_t length)
{
    while (length) {
        uint32_t part = length < WRITE_BYTES_MAX ? length : WRITE_BYTES_MAX;
        char packet[2 * WRITE_BYTES_MAX + 32], answer[64];
        int used = snprintf(packet, sizeof packet, "M%x,%x:", address, part);
        for (uint32_t i = 0; i < part; i++)
            used += snprintf(packet + used, sizeof packet - (size_t)used, "%02x", buffer[i]);
        if (!ask(gdb, packet, answer, sizeof answer) || strcmp(answer, "OK") != 0)
            return false;
        address += part, buffer += part, length -= part;
    }
    return true;
}
