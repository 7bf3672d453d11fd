/* SPDX-License-Identifier: MIT */
/*
 * Makes a lab: recordings of several boards and builds, from the events of a trace. The same arguments make the same
 * recordings.
 *
 *   lab_maker TRACE.trx FOLDER BOARDS RUNS EVENTS
 *
 * Writes FOLDER/bN/TIME.rec: RUNS recordings of EVENTS events for each of BOARDS boards, an hour apart since
 * 2026-11-01T00:00:00Z. There are four builds, one after the other. In the third build, each job of `control` takes
 * DELAY_TICKS more than in the trace.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "replay.h"
#include "txtap/inner/recording.h"

#define BEGIN_S     1793491200 /* 2026-11-01T00:00:00Z */
#define HZ          1000000
#define BUILDS      4
#define DELAY_TICKS 700
#define RESUME      1 /* id of an event: a thread becomes ready */
#define BOARDS_MAX  1000
#define RUNS_MAX    10000
#define EVENTS_MAX  1000000

struct maker {
    struct replay replay;
    uint32_t control; /* address of the thread */
    unsigned board, run, runs, build;
    uint64_t begun_us, seq, delay, first, ticks; /* first: stamp of the first event; ticks: of the last event */
    uint32_t blocks;
    FILE *file;
    uint8_t payload[TXTAP_RECORDING_PAYLOAD_MAX];
};

static void fail(const char *what)
{
    fprintf(stderr, "lab_maker: %s\n", what);
    exit(1);
}

static void add(struct maker *maker, unsigned type, size_t bytes)
{
    const struct txtap_recording_block block = {
        .type = type, .stored = maker->payload, .stored_bytes = bytes, .bytes = bytes};
    uint8_t head[TXTAP_RECORDING_BLOCK_BYTES];

    txtap_recording_seal(head, &block, maker->blocks++);
    if (fwrite(head, 1, sizeof head, maker->file) != sizeof head ||
        fwrite(maker->payload, 1, bytes, maker->file) != bytes)
        fail("a file cannot be written");
}

static uint64_t now(const struct maker *maker)
{
    return maker->begun_us + maker->ticks * 1000000 / HZ;
}

static uint32_t get_u32(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void put_u32(uint8_t *at, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static void add_events(struct maker *maker, uint32_t count)
{
    uint8_t *entries = maker->payload + TXTAP_RECORDING_EVENTS_HEAD;
    uint64_t begun_us, first_ticks = 0;

    replay_fill(&maker->replay, entries, count);
    if (maker->seq == 0)
        maker->first = get_u32(entries + TXTB_ENTRY_STAMP);
    for (uint32_t i = 0; i < count; i++) {
        uint8_t *entry = entries + (size_t)i * TXTB_ENTRY_BYTES;
        uint32_t stamp = (uint32_t)(get_u32(entry + TXTB_ENTRY_STAMP) + maker->delay);

        put_u32(entry + TXTB_ENTRY_STAMP, stamp);
        if (i == 0)
            first_ticks = (uint32_t)(stamp - maker->first);
        maker->ticks = (uint32_t)(stamp - maker->first);
        if (maker->build == 2 && get_u32(entry + TXTB_ENTRY_ID) == RESUME &&
            get_u32(entry + TXTB_ENTRY_INFO) == maker->control)
            maker->delay += DELAY_TICKS;
    }
    begun_us = maker->begun_us + first_ticks * 1000000 / HZ;
    (void)txtap_recording_put_events(maker->payload, maker->seq, first_ticks, begun_us,
                                     (uint32_t)(now(maker) - begun_us), count);
    add(maker, TXTAP_RECORDING_EVENTS, TXTAP_RECORDING_EVENTS_HEAD + (size_t)count * TXTB_ENTRY_BYTES);
    maker->seq += count;
}

static void add_objects(struct maker *maker)
{
    size_t bytes = txtap_recording_put_objects(maker->payload, true);

    for (uint32_t i = 0; i < maker->replay.trace.registry.count; i++) {
        struct txtap_object object = maker->replay.objects[i];

        object.from_seq = 0; /* each part of the trace has all objects from its begin on */
        if (object.live)
            (void)txtap_recording_add_object(maker->payload, &bytes, &object);
    }
    add(maker, TXTAP_RECORDING_OBJECTS, bytes);
}

static void begin(struct maker *maker)
{
    const struct txtap_recording_file file = {.id = (uint64_t)maker->board << 32 | (maker->run + 1)};
    const struct txtap_rate rate = {.how = TXTAP_RATE_GIVEN, .hz = HZ};
    uint8_t head[TXTAP_RECORDING_HEAD_BYTES];
    char about[256];

    maker->blocks = 0;
    maker->seq = maker->delay = maker->ticks = 0;
    txtap_recording_put_head(head, TXTAP_RECORDING_VERSION);
    if (fwrite(head, 1, sizeof head, maker->file) != sizeof head)
        fail("a file cannot be written");
    add(maker, TXTAP_RECORDING_BUFFER,
        txtap_recording_put_buffer(maker->payload, &maker->replay.trace.header, maker->begun_us, "motor.elf"));
    add(maker, TXTAP_RECORDING_FILE, txtap_recording_put_file(maker->payload, &file));
    add(maker, TXTAP_RECORDING_RATE, txtap_recording_put_rate(maker->payload, &rate));
    snprintf(about, sizeof about, "firmware motor.elf\nbuild-id %08x%032x\ntxtap 0.4.0\n", 0xb0000001u + maker->build,
             0);
    add(maker, TXTAP_RECORDING_ABOUT, txtap_recording_put_about(maker->payload, about));
    add_objects(maker);
}

static void add_mark(struct maker *maker, enum txtap_mark_kind kind, const char *text)
{
    const struct txtap_mark mark = {kind, maker->seq, now(maker), text};

    add(maker, TXTAP_RECORDING_MARK, txtap_recording_put_mark(maker->payload, &mark));
}

/* Every fifth recording of the second board has a gap, and some have marks. */
static void add_incidents(struct maker *maker)
{
    const struct txtap_gap gap = {maker->seq, 10 + maker->run, true, 0};

    if (maker->board == 2 && maker->run % 5 == 4) {
        add(maker, TXTAP_RECORDING_GAP, txtap_recording_put_gap(maker->payload, &gap));
        maker->seq += gap.lost;
    }
    if (maker->build == 2 && maker->run % 2 == 0)
        add_mark(maker, TXTAP_MARK_CHECK, "response(control).max <= 500us: 755 us");
    if (maker->board == 1 && maker->run % 7 == 6)
        add_mark(maker, TXTAP_MARK_FAULT, "HardFault");
    if (maker->board == 3 && maker->run % 4 == 3)
        add_mark(maker, TXTAP_MARK_RESET, "");
}

static void make(struct maker *maker, const char *folder, uint32_t events)
{
    time_t begun = BEGIN_S + (time_t)maker->run * 3600;
    char path[4096], name[32];
    struct tm parts;

    gmtime_r(&begun, &parts);
    strftime(name, sizeof name, "%Y-%m-%dT%H", &parts);
    if ((size_t)snprintf(path, sizeof path, "%s/b%u/%s.rec", folder, maker->board, name) >= sizeof path)
        fail("the folder's name is too long");
    maker->file = fopen(path, "wb");
    if (maker->file == NULL)
        fail("a file cannot be created");
    maker->build = maker->run * BUILDS / maker->runs;
    maker->begun_us = (uint64_t)begun * 1000000;
    maker->replay.base = 0;
    maker->replay.next = 0;
    if (maker->replay.count > events) /* another part of the trace for each run */
        maker->replay.next = (maker->board * 7919u + maker->run * 104729u) % (maker->replay.count - events);
    begin(maker);
    for (uint32_t left = events, some; left > 0; left -= some) {
        some = left > events / 2 ? left - events / 2 : left;
        some = some < TXTAP_RECORDING_EVENTS_MAX ? some : TXTAP_RECORDING_EVENTS_MAX;
        add_events(maker, some);
        if (left - some == events / 2)
            add_incidents(maker);
    }
    add(maker, TXTAP_RECORDING_END, txtap_recording_put_end(maker->payload, TXTAP_RECORDING_DONE, events, now(maker)));
    if (fclose(maker->file) != 0)
        fail("a file cannot be written");
}

static unsigned number(const char *text, unsigned most)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);

    if (*end != '\0' || value < 1 || value > most)
        fail("a number is out of range");
    return (unsigned)value;
}

int main(int argc, char **argv)
{
    static struct maker maker;
    unsigned boards;
    char path[4096];

    if (argc != 6)
        fail("usage: lab_maker TRACE.trx FOLDER BOARDS RUNS EVENTS");
    replay_open(&maker.replay, argv[1]);
    if (maker.replay.trace.header.endian != TXTAP_LITTLE)
        fail("the trace has another byte order");
    for (uint32_t i = 0; i < maker.replay.trace.registry.count; i++)
        if (strcmp(maker.replay.objects[i].name, "control") == 0)
            maker.control = maker.replay.objects[i].pointer;
    boards = number(argv[3], BOARDS_MAX);
    maker.runs = number(argv[4], RUNS_MAX);
    (void)mkdir(argv[2], 0777);
    for (maker.board = 1; maker.board <= boards; maker.board++) {
        snprintf(path, sizeof path, "%s/b%u", argv[2], maker.board);
        (void)mkdir(path, 0777);
        for (maker.run = 0; maker.run < maker.runs; maker.run++)
            make(&maker, argv[2], number(argv[5], EVENTS_MAX));
    }
    return 0;
}
