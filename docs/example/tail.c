/* SPDX-License-Identifier: MIT */
/*
 * tail ADDRESS [PORT]: prints the events of a running target as lines of text, until Ctrl-C. Reads through OpenOCD's
 * Tcl port (6666). ADDRESS is the value of the variable _tx_trace_header_ptr. The target is never halted, and never
 * written to.
 *
 * libtxtap decides which memory to read, in which order, and which part of the answer is valid. The caller provides
 * buffers and the connection. An embedder must also handle these cases, as txtap does: names of objects that are
 * created later, resets, lost connections.
 */
#include <arpa/inet.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <txtap/txtap.h>
#include <unistd.h>

#define ENTRIES       256u   /* largest number of entries in one exchange */
#define REGISTRY_MAX  65536u /* bytes */
#define WORDS_AT_ONCE 1024u
#define TERMINATOR    '\x1a' /* ends each request to OpenOCD and each reply */

static uint8_t ring_buffer[ENTRIES * TXTB_ENTRY_BYTES], registry_bytes[REGISTRY_MAX];
static struct txtap_object objects[1024];
static struct txtap_registry registry;
static struct txtap_exporter_memory memory;
static struct txtap_exporter exporter;
static struct txtap_event_maker maker;
static struct txtap_header header;
static struct txtap_ring ring;
static uint64_t next_seq; /* number of the next event to show */

static void fail(const char *what)
{
    fprintf(stderr, "tail: %s\n", what);
    exit(1);
}

/* ---- the wire ---- */

static int connect_to(uint16_t port)
{
    const struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    if (fd < 0 || connect(fd, (const struct sockaddr *)&address, sizeof address) != 0)
        fail("no OpenOCD at that port of 127.0.0.1");
    return fd;
}

static void ask(int fd, const char *request, char *reply, size_t size)
{
    size_t used = 0;

    if (write(fd, request, strlen(request)) != (ssize_t)strlen(request))
        fail("OpenOCD is gone");
    do {
        ssize_t got = read(fd, reply + used, size - used);

        if (got <= 0)
            fail("OpenOCD is gone, or sends too much");
        used += (size_t)got;
    } while (reply[used - 1] != TERMINATOR);
    reply[used - 1] = '\0';
}

static void read_words(int fd, uint32_t address, uint32_t count, uint8_t *bytes)
{
    static char reply[WORDS_AT_ONCE * 16];
    char request[64], *at = reply;

    snprintf(request, sizeof request, "read_memory 0x%08" PRIx32 " 32 %" PRIu32 "%c", address, count, TERMINATOR);
    ask(fd, request, reply, sizeof reply);
    for (uint32_t i = 0; i < count; i++) {
        char *end;
        uint32_t word = (uint32_t)strtoul(at, &end, 0);

        if (end == at)
            fail("the target's memory cannot be read");
        at = end;
        for (int byte = 0; byte < 4; byte++) /* in the byte order of a little-endian target */
            *bytes++ = (uint8_t)(word >> 8 * byte);
    }
}

static void read_memory(int fd, uint32_t address, uint32_t length, uint8_t *bytes)
{
    for (uint32_t words = length / 4, some; words > 0; words -= some) {
        some = words < WORDS_AT_ONCE ? words : WORDS_AT_ONCE;
        read_words(fd, address, some, bytes);
        address += 4 * some;
        bytes += 4 * some;
    }
}

static uint64_t now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* ---- events ---- */

static enum txtap_status print(void *file, const char *text, size_t length)
{
    return fwrite(text, 1, length, file) == length && fflush(file) == 0 ? TXTAP_OK : TXTAP_ERROR_SYSTEM;
}

static void show(const struct txtap_item *item)
{
    if (txtap_exporter_take(&exporter, item) != TXTAP_OK)
        fail("nobody reads the lines");
}

static void show_entries(const uint8_t *entries, size_t count, uint64_t seq, uint32_t unsettled)
{
    for (size_t i = 0; i < count; i++) {
        struct txtap_item item;

        txtap_event_maker_event(&maker, &header, entries + i * TXTB_ENTRY_BYTES, seq + i, &item);
        item.event.unsettled = count - 1 - i < 32 && (unsettled >> (count - 1 - i) & 1);
        txtap_registry_note(&registry, &item.event);
        show(&item);
    }
    if (count > 0)
        next_seq = seq + count;
}

static void show_batch(const struct txtap_ring_batch *batch)
{
    show_entries(batch->held, batch->held_count, batch->held_seq, batch->held_unsettled);
    if (batch->lost > 0) {
        txtap_registry_note_gap(&registry, batch->lost_seq, batch->lost);
        show(&(struct txtap_item){.kind = TXTAP_ITEM_GAP,
                                  .gap = {.seq = batch->lost_seq, .lost = batch->lost, .exact = batch->exact}});
        next_seq = batch->lost_seq + batch->lost;
    }
    show_entries(batch->entries, batch->count, batch->seq, batch->unsettled);
}

/* Does one exchange with the target and shows the events. */
static void step(int fd)
{
    struct txtap_ring_plan plan;
    struct txtap_ring_batch batch;
    enum txtap_status status;

    txtap_ring_plan(&ring, &plan, now_us());
    for (size_t i = 0; i < plan.count; i++) /* in this order */
        read_memory(fd, plan.reads[i].address, plan.reads[i].length, plan.reads[i].buffer);
    status = txtap_ring_commit(&ring, &plan, now_us(), &batch);
    if (status != TXTAP_OK)
        fail(txtap_status_text(status)); /* TXTAP_ERROR_MOVED: the trace was restarted, or the target was reset */
    show_batch(&batch);
}

/* ---- the start ---- */

/* Copies the registry. Its names are certain for events after the copy, so this also finds the place of the copy
 * between the events. That is enough for a reader that keeps up. A reader that may be lapped while it copies must
 * check more, as txtap does. */
static void read_names(int fd)
{
    uint32_t length = header.registry_end - header.registry_start;
    struct txtap_registry_copy copy = {.bytes = registry_bytes, .length = length, .low_seq = txtap_ring_written(&ring)};

    if (length > REGISTRY_MAX)
        fail("the registry of objects is too large");
    read_memory(fd, header.registry_start, length, registry_bytes);
    step(fd);
    copy.high_seq = txtap_ring_written(&ring);
    while (next_seq < copy.high_seq)
        step(fd);
    txtap_registry_take(&registry, &header, &copy);
}

static void attach(int fd, uint32_t address)
{
    uint8_t bytes[TXTB_HEADER_BYTES];

    read_memory(fd, address, sizeof bytes, bytes);
    if (txtap_header_parse(bytes, &header) != TXTAP_OK)
        fail("there is no trace buffer at that address");
    txtap_ring_init(&ring, &(struct txtap_ring_config){.header = &header,
                                                       .address = address,
                                                       .buffer = ring_buffer,
                                                       .buffer_entries = ENTRIES,
                                                       .from = TXTAP_RING_FROM_NOW});
    txtap_event_maker_init(&maker, header.timer_mask, 0);
    (void)exporter.ops->begin(&exporter);
    step(fd); /* finds the newest event: only later events are shown */
    next_seq = txtap_ring_written(&ring);
    read_names(fd);
}

int main(int argc, char **argv)
{
    int fd;

    if (argc < 2)
        return fputs("usage: tail ADDRESS [PORT]\n", stderr), 2;
    fd = connect_to((uint16_t)(argc > 2 ? atoi(argv[2]) : 6666));
    txtap_registry_init(&registry, objects, sizeof objects / sizeof *objects);
    (void)txtap_exporter_init(&exporter, "text", (struct txtap_writer){print, stdout}, &memory);
    exporter.registry = &registry;
    exporter.header = &header;
    attach(fd, (uint32_t)strtoul(argv[1], NULL, 0));
    for (;;) {
        step(fd);
        if (txtap_exporter_flush(&exporter) != TXTAP_OK)
            fail("nobody reads the lines");
        if (txtap_ring_unread(&ring) == 0)
            usleep(10000);
    }
}
