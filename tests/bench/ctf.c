/* SPDX-License-Identifier: MIT */
#include "ctf.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "workload.h"
#include "txtap/inner/host_time.h"
#include "txtap/event.h"

#define PACKET_EVENTS 4096u
#define HEADER_BYTES  40u /* magic, stream id, begin, end, content bits, packet bits */
#define EVENT_MAX     48u

static void put(uint8_t **at, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        *(*at)++ = (uint8_t)(value >> 8 * i & 0xFF);
}

/* Returns true for words that become fields: words that the event table names, or all words of an unknown event. */
static bool has_field(const struct txtap_event_info *info, unsigned i)
{
    return info->component == TXTAP_COMPONENT_USER || info->field[i].kind != TXTAP_FIELD_NONE;
}

static void declare_event(FILE *file, uint32_t id)
{
    const struct txtap_event_info *info = txtap_event_find(id, 0);

    fprintf(file, "event {\n    name = \"%s\";\n    id = %u;\n    stream_id = 0;\n    fields := struct {\n", info->name,
            id);
    for (unsigned i = 0; i < 4; i++) {
        if (!has_field(info, i))
            continue;
        if (info->component == TXTAP_COMPONENT_USER)
            fprintf(file, "        hex32 _info%u;\n", i + 1);
        else
            fprintf(file, "        %s _%s;\n", info->field[i].kind == TXTAP_FIELD_NUMBER ? "u32" : "hex32",
                    info->field[i].label);
    }
    fprintf(file, "    };\n};\n");
}

static void write_metadata(FILE *file)
{
    size_t count;
    const struct txtap_event_info *table = txtap_event_table(&count);

    fprintf(file, "/* CTF 1.8 */\n"
                  "typealias integer { size = 16; align = 8; signed = false; } := u16;\n"
                  "typealias integer { size = 32; align = 8; signed = false; } := u32;\n"
                  "typealias integer { size = 32; align = 8; signed = false; base = 16; } := hex32;\n"
                  "typealias integer { size = 64; align = 8; signed = false; } := u64;\n"
                  "trace {\n    major = 1;\n    minor = 8;\n    byte_order = le;\n"
                  "    packet.header := struct { u32 magic; u32 stream_id; };\n};\n"
                  "clock {\n    name = target;\n    freq = 168000000;\n};\n"
                  "typealias integer { size = 64; align = 8; signed = false; map = clock.target.value; } := stamp;\n"
                  "stream {\n    id = 0;\n    event.header := struct { u16 id; stamp timestamp; };\n"
                  "    event.context := struct { hex32 thread; };\n"
                  "    packet.context := struct { stamp timestamp_begin; stamp timestamp_end; u64 content_size; "
                  "u64 packet_size; };\n};\n");
    for (size_t i = 0; i < count && table[i].id < 200; i++)
        declare_event(file, table[i].id);
    declare_event(file, 4096);
    declare_event(file, 4097);
}

static uint8_t *put_event(uint8_t *at, const struct txtap_event *event)
{
    const struct txtap_event_info *info = txtap_event_find(event->id, 0);

    put(&at, event->id, 2);
    put(&at, event->ticks, 8);
    put(&at, event->thread, 4);
    for (unsigned i = 0; i < 4; i++)
        if (has_field(info, i))
            put(&at, event->info[i], 4);
    return at;
}

static bool write_packet(FILE *file, struct workload *workload, struct txtap_clock *clock)
{
    static const struct txtap_header header = {.timer_mask = UINT32_MAX};
    static uint8_t entries[PACKET_EVENTS * TXTB_ENTRY_BYTES], packet[HEADER_BYTES + PACKET_EVENTS * EVENT_MAX];
    uint8_t *at = packet + HEADER_BYTES, *head = packet;
    uint64_t begin = 0, end = 0;

    workload_fill(workload, entries, PACKET_EVENTS);
    for (size_t i = 0; i < PACKET_EVENTS; i++) {
        struct txtap_event event;

        txtap_event_parse(entries + i * TXTB_ENTRY_BYTES, &header, &event);
        end = event.ticks = txtap_clock_unwrap(clock, event.stamp);
        if (i == 0)
            begin = end;
        at = put_event(at, &event);
    }
    put(&head, 0xC1FC1FC1u, 4);
    put(&head, 0, 4);
    put(&head, begin, 8);
    put(&head, end, 8);
    put(&head, 8 * (uint64_t)(at - packet), 8);
    put(&head, 8 * (uint64_t)(at - packet), 8);
    return fwrite(packet, (size_t)(at - packet), 1, file) == 1;
}

static FILE *open_in(const char *directory, const char *name)
{
    char path[4096];
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s", directory, name);
    file = fopen(path, "wb");
    if (!file)
        fprintf(stderr, "bench_decode: %s: %s\n", path, strerror(errno));
    return file;
}

bool ctf_write(const char *directory, uint64_t events)
{
    struct workload workload;
    struct txtap_clock clock;
    FILE *metadata, *stream = NULL;
    bool ok;

    if (mkdir(directory, 0777) != 0 && errno != EEXIST)
        return fprintf(stderr, "bench_decode: %s: %s\n", directory, strerror(errno)) < 0;
    metadata = open_in(directory, "metadata");
    if (metadata)
        stream = open_in(directory, "stream");
    ok = stream != NULL;
    if (ok)
        write_metadata(metadata);
    workload_start(&workload);
    txtap_clock_init(&clock, UINT32_MAX);
    for (uint64_t done = 0; ok && done < events; done += PACKET_EVENTS)
        ok = write_packet(stream, &workload, &clock);
    if (metadata && fclose(metadata) != 0)
        ok = false;
    if (stream && fclose(stream) != 0)
        ok = false;
    return ok;
}
