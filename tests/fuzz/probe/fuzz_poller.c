/* SPDX-License-Identifier: MIT */
/*
 * Runs a poller with a target that lies. The input is a script. It makes the target write events and change its header,
 * registry, ring and half-lap words. It makes exchanges fail, and makes the reader poll or restart. Reads must stay
 * within the trace buffer and the half-lap words. Each step must end, and the numbers of events and gaps must be
 * consecutive.
 */
#include <string.h>

#include "fuzz.h"
#include "ring/txtb.h"
#include "stream/poller.h"
#include "txtap/inner/header.h"

#define RAM_BASE    0x20000000u
#define HALF_LAPS   (RAM_BASE - TXTAP_RING_HALF_LAPS_BYTES)
#define POINTER     0x20100000u /* address of the firmware's pointer to its trace buffer */
#define ENTRIES_MAX 96u
#define OBJECTS_MAX 6u
#define RAM_BYTES   (TXTB_HEADER_BYTES + OBJECTS_MAX * 48 + ENTRIES_MAX * TXTB_ENTRY_BYTES)
#define READS_MAX   32 /* maximum number of reads in a step: the ring, and the registry until two copies are equal */
#define READ_BYTES  2560

struct script {
    const uint8_t *at, *end;
    uint8_t ram[RAM_BYTES], beside[TXTAP_RING_HALF_LAPS_BYTES];
    struct txtap_header header; /* the header that the firmware uses */
    bool counts_laps, counts_half_laps;
    uint32_t written, life;
    uint64_t now_us;
    unsigned reads;           /* number of reads in this step */
    enum txtap_status answer; /* status of the next exchange */
    bool garbage;             /* the next exchange returns bytes of the script as memory */
    bool any;                 /* an event or a gap was delivered, so that `next` is known */
    uint64_t next, lost, events;
    struct poller *poller;
};

static struct script script;

static uint8_t draw(void)
{
    return script.at < script.end ? *script.at++ : 0;
}

static uint32_t draw_word(void)
{
    uint32_t low = draw();

    return low | (uint32_t)draw() << 8 | (uint32_t)draw() << 16 | (uint32_t)draw() << 24;
}

static uint64_t now(void)
{
    return script.now_us;
}

/* ---- the target ---- */

static void put_at(uint8_t *at, unsigned bytes, uint32_t value)
{
    bool big = script.header.endian == TXTAP_BIG;

    for (unsigned i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * (big ? bytes - 1 - i : i));
}

static void put(uint32_t offset, unsigned bytes, uint32_t value)
{
    put_at(script.ram + offset, bytes, value);
}

static uint32_t half_laps(void)
{
    uint32_t entries = txtap_header_ring_entries(&script.header);

    return script.written / entries * 2 + (script.written % entries >= entries / 2);
}

static void put_beside(void)
{
    put_at(script.beside, 4, script.header.current);
    put_at(script.beside + 4, 4, half_laps());
    put_at(script.beside + 8, 4, script.life);
}

static void enable_trace(uint8_t shape, uint8_t size)
{
    struct txtap_header *header = &script.header;
    uint32_t objects = size % (OBJECTS_MAX + 1), entries = 2 + size % (ENTRIES_MAX - 1);

    *header = (struct txtap_header){
        .endian = shape & 1 ? TXTAP_BIG : TXTAP_LITTLE,
        .timer_mask = shape & 2 ? 0xFFFF : 0xFFFFFFFF,
        .base = RAM_BASE,
        .registry_start = RAM_BASE + TXTB_HEADER_BYTES,
        .name_bytes = 32,
    };
    header->registry_end = header->registry_start + objects * txtap_header_object_bytes(header);
    header->ring_start = header->current = header->registry_end;
    header->ring_end = header->ring_start + entries * TXTB_ENTRY_BYTES;
    script.counts_laps = shape & 4;
    script.counts_half_laps = script.counts_laps && (shape & 8);
    script.written = 0;
    script.life++;
    memset(script.ram, 0, sizeof script.ram);
    txtap_header_build(header, script.ram);
    put_beside();
}

static void write_event(uint32_t id, uint32_t word)
{
    struct txtap_header *header = &script.header;
    uint32_t at = header->current - RAM_BASE;

    put(at + TXTB_ENTRY_THREAD, 4, RAM_BASE + 0x1000 + (word & 0x70));
    put(at + TXTB_ENTRY_PRIORITY, 4, 0x00050005);
    put(at + TXTB_ENTRY_ID, 4, id);
    put(at + TXTB_ENTRY_STAMP, 4, ++script.written);
    for (unsigned i = 0; i < 4; i++)
        put(at + TXTB_ENTRY_INFO + 4 * i, 4, word >> i & 1 ? word : 0);
    header->current += TXTB_ENTRY_BYTES;
    if (header->current == header->ring_end) {
        header->current = header->ring_start;
        header->laps = (uint16_t)(header->laps + (script.counts_laps ? 1 : 0));
    }
    txtap_header_build(header, script.ram);
    put_beside();
}

/* ---- the source ---- */

static bool is_inside(const struct txtap_read *read, uint32_t start, uint32_t end)
{
    return read->address >= start && read->address <= end && read->length <= end - read->address;
}

static const uint8_t *byte_at(uint32_t address)
{
    return address < RAM_BASE ? script.beside + (address - HALF_LAPS) : script.ram + (address - RAM_BASE);
}

static enum txtap_status read_ram(void *self, const struct txtap_read *reads, size_t count)
{
    const struct txtap_header *header = &script.poller->header;
    uint32_t sum = 0;

    (void)self;
    REQUIRE(++script.reads <= READS_MAX && count <= TXTAP_RING_READS_MAX);
    for (size_t i = 0; i < count; i++) {
        REQUIRE(reads[i].length % 4 == 0 && reads[i].address % 4 == 0);
        REQUIRE((sum += reads[i].length) <= READ_BYTES);
        if (reads[i].address == POINTER) {
            REQUIRE(reads[i].length == 4);
            memcpy(reads[i].buffer, script.ram + (script.garbage ? TXTB_HEADER_CURRENT : TXTB_HEADER_BASE), 4);
            continue;
        }
        REQUIRE(is_inside(&reads[i], RAM_BASE, header->ring_end) ||
                (script.counts_half_laps && is_inside(&reads[i], HALF_LAPS, RAM_BASE)));
        for (uint32_t at = 0; at < reads[i].length; at++)
            reads[i].buffer[at] = script.garbage ? draw() : *byte_at(reads[i].address + at);
    }
    script.garbage = false;
    return script.answer;
}

static const char *failure_text(void *self)
{
    (void)self;
    return "it fails";
}

/* ---- the sink ---- */

static void follows(uint64_t seq, uint64_t count)
{
    REQUIRE(!script.any || seq == script.next);
    REQUIRE(seq + count >= seq);
    script.any = true;
    script.next = seq + count;
}

static enum txtap_status take(void *self, const struct txtap_item *item)
{
    const struct txtap_event *event = &item->event;
    const struct txtap_gap *gap = &item->gap;

    (void)self;
    if (item->kind == TXTAP_ITEM_EVENT) {
        REQUIRE(item->from_us <= item->to_us && item->to_us <= script.now_us);
        follows(event->seq, 1);
        script.events++;
        (void)txtap_registry_find_at(&script.poller->registry, event->thread, TXTAP_OBJECT_THREAD, event->seq);
        (void)txtap_registry_find_at(&script.poller->registry, event->info[0], TXTAP_OBJECT_QUEUE, event->seq);
    } else if (item->kind == TXTAP_ITEM_GAP) {
        REQUIRE(gap->lost > 0 || !gap->exact);
        follows(gap->seq, gap->lost);
        script.lost += gap->lost;
    } else {
        REQUIRE(item->kind == TXTAP_ITEM_RESTART);
    }
    return TXTAP_OK;
}

/* ---- the script ---- */

static struct poller_place place_of(void)
{
    static const struct txtap_source_ops ops = {"script", READ_BYTES, TXTAP_RING_READS_MAX, read_ram, failure_text,
                                                NULL,     NULL};
    struct poller_place place = {.source = {&ops, &script},
                                 .address = RAM_BASE,
                                 .header = script.header,
                                 .reader.ops = &txtb_reader_ops,
                                 .pointer = POINTER};
    struct txtb_place own = {.how = LOCATE_BY_ADDRESS};

    if (script.counts_half_laps)
        own.half_laps = (struct txtap_ring_half_laps){HALF_LAPS, script.header.current, half_laps(), script.life};
    memcpy(place.reader.own, &own, sizeof own);
    return place;
}

/* Restarts with another trace. Before that, the entries that were held back are delivered. */
static bool begin_again(struct poller *poller)
{
    struct error error;
    struct poller_place place;

    script.reads = 0;
    script.answer = TXTAP_OK;
    REQUIRE(poller_finish(poller, 0) == TXTAP_OK);
    if (draw() & 1)
        enable_trace(draw(), draw());
    place = place_of();
    return poller_restart(poller, &place, TXTAP_RING_FROM_START, &error) == TXTAP_OK;
}

/* Polls once. If the trace is another one or its pointer is invalid, restarts. Returns false if the poller has ended.
 */
static bool look(struct poller *poller)
{
    struct error error = {0};
    enum txtap_status status = poller_step(poller, &error);

    REQUIRE(status == TXTAP_OK || error_is_set(&error));
    REQUIRE(poller_delay_us(poller) <= 1000000);
    REQUIRE(poller->stats.events == script.events && poller->stats.lost == script.lost);
    if (status == TXTAP_ERROR_MOVED || status == TXTAP_ERROR_POINTER)
        return begin_again(poller);
    return status == TXTAP_OK || status == script.answer;
}

static bool act(struct poller *poller)
{
    uint8_t what = draw(), amount = draw();
    uint32_t offset;

    script.reads = 0;
    script.answer = TXTAP_OK;
    switch (what % 10) {
    case 0:
    case 1:
        for (unsigned i = 0; i < amount; i++)
            write_event(what & 0x80 ? amount : 4096, draw_word());
        return true;
    case 2: /* writes any bytes anywhere */
        offset = (uint32_t)(amount << 4 | what >> 4) % (RAM_BYTES - 4);
        memcpy(script.ram + offset, (uint8_t[]){draw(), draw(), draw(), draw()}, 4);
        return true;
    case 3: /* moves the pointer, within the ring or anywhere */
        put(TXTB_HEADER_CURRENT, 4,
            amount & 1 ? draw_word() : script.header.ring_start + (uint32_t)(amount >> 1) * TXTB_ENTRY_BYTES);
        return true;
    case 4:
        script.answer = amount & 1 ? ERROR_FAULT : ERROR_TIMEOUT;
        return look(poller);
    case 5:
        script.now_us += (uint64_t)amount * amount * 16;
        return true;
    case 6:
        script.garbage = true;
        return look(poller);
    case 7:
        if (amount & 1)
            poller_mark_all_inexact(poller);
        else
            poller_mark_inexact(poller);
        return true;
    case 8:
        return amount & 1 ? look(poller) : begin_again(poller);
    default:
        if ((what & 0x40) == 0)
            return look(poller);
        put_at(script.beside + amount % 3 * 4, 4, amount & 0x80 ? draw_word() : draw()); /* changes a half-lap word */
        return true;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
    static struct poller poller;
    struct poller_settings settings = {.now_us = now, .patience_us = 1000, .past_events = 100};
    struct error error;
    struct poller_place place;

    if (length < 4)
        return 0;
    script = (struct script){.at = data + 4, .end = data + length, .now_us = 1000000, .poller = &poller};
    enable_trace(data[0], data[1]);
    for (unsigned i = 0; i < data[2]; i++)
        write_event(4096, i);
    place = place_of();
    poller.header = place.header;
    settings.from = (enum txtap_ring_from)(data[3] % 3);
    if (poller_init(&poller, &place, &settings, (struct txtap_sink){.take = take}, &error) != TXTAP_OK)
        return 0;
    while (script.at < script.end && act(&poller))
        ;
    if (draw() == 0)
        REQUIRE(poller_finish(&poller, poller_head(&poller)) == TXTAP_OK);
    poller_free(&poller);
    return 0;
}
